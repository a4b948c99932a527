// SPDX-License-Identifier: GPL-2.0-or-later
/* panel-rows.c - the rows of a panel: their cells, their time by cause, their order */
#include "tui/overview/panel.h"

#include "tui/app/app.h"
#include "tui/overview/panel-pain.h"

bool rs_panel_rows_are_tasks(const struct rs_panel_widget *p)
{
	return p->nr_parts && p->grid.absent >= 0;
}

bool rs_panel_rows_is_quiet(const struct rs_panel_widget *p, size_t row)
{
	return rs_panel_rows_are_tasks(p) && row >= p->nr_loud;
}

struct rs_split rs_panel_rows_split(const struct rs_panel_widget *p, size_t row)
{
	struct rs_split split = { .nr = p->nr_parts };

	for (unsigned int i = 0; i < p->nr_parts; i++) {
		const struct rs_value *v = rs_grid_cell(&p->grid, row, p->parts[i].column);

		split.parts[i].cause = p->parts[i].cause;
		split.parts[i].ns = v->known ? v->u : 0;
	}
	return split;
}

const struct rs_value *rs_panel_rows_cell(const struct rs_panel_widget *p, size_t row, const char *name)
{
	int column = rs_column_named(&p->of->view, name);
	const struct rs_value *v = column >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)column) : NULL;

	return v && v->known ? v : NULL;
}

struct rs_ink_task rs_panel_rows_ink_task(const struct rs_panel_widget *p, size_t row)
{
	const struct rs_value *pid = rs_panel_rows_cell(p, row, "pid"),
			      *comm = rs_panel_rows_cell(p, row, "comm");
	bool is_one = rs_grid_folded_nr(&p->grid, row) == 1;

	return rs_pains_of(&p->widget.machine->pains, is_one && pid ? (int64_t)pid->u : 0,
			   comm ? comm->s : "");
}

/* ---- the order of tasks: by what they lost ---- */

#define PANEL_ROWS_LEAST_LOUD 5u /* rows that are shown even if they lost nothing */

void rs_panel_rows_sort(struct rs_panel_widget *p)
{
	uint32_t pains[RS_PANEL_ROWS];
	size_t nr = p->grid.nr < RS_PANEL_ROWS ? p->grid.nr : RS_PANEL_ROWS;

	p->grid.order = NULL;
	p->nr_read = p->widget.machine->pains.nr_read;
	for (size_t row = 0; row < nr; row++) {
		struct rs_ink_task task = rs_panel_rows_ink_task(p, row);
		struct rs_split split = rs_panel_rows_split(p, row);

		pains[row] = rs_panel_pain_of(&split, &task);
		if (pains[row] < RS_PANEL_PAIN_LEAST && rs_panel_pain_is_busy(&split))
			pains[row] = RS_PANEL_PAIN_LEAST;
		if (task.pains && pains[row] != UINT32_MAX) /* victims of findings come first */
			pains[row] += 1000;
	}
	p->nr_loud = rs_panel_pain_sort(pains, nr, p->order);
	p->grid.nr = nr;
	p->grid.order = p->order;
	if (p->nr_loud < PANEL_ROWS_LEAST_LOUD)
		p->nr_loud = nr < PANEL_ROWS_LEAST_LOUD ? nr : PANEL_ROWS_LEAST_LOUD;
	p->widget.nr_rows = p->nr_loud + (p->nr_loud < nr);
}
