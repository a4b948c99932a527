// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/axis.h"

#include <string.h>

#define LABEL_COLUMNS 18
#define US 1000ull

int rs_axis_cell(const struct rs_axis *a, uint64_t ts_ns)
{
	uint64_t cell;

	if (ts_ns < a->from_ns)
		return -1;
	cell = (ts_ns - a->from_ns) / a->cell_ns;
	return cell < a->nr_cells ? (int)cell : (int)a->nr_cells;
}

/* Returns the smallest step whose labels, `columns` wide, do not overlap. */
static uint64_t step_between(const struct rs_axis *a, unsigned int columns)
{
	uint64_t wanted_ns = a->cell_ns > UINT64_MAX / 10 / columns ? UINT64_MAX / 10 : a->cell_ns * columns, step = 1;

	while (step < wanted_ns / 10)
		step *= 10;
	return wanted_ns <= step ? step : wanted_ns <= 2 * step ? 2 * step : wanted_ns <= 5 * step ? 5 * step : 10 * step;
}

/* Removes zeros after the point that all labels share. */
static void axis_shorten(struct rs_buf *text)
{
	char *point = strchr(text->data, '.'), *end = text->data + text->len;

	if (!point)
		return;
	if (text->len > 2 && !strcmp(end - 2, " s"))
		end -= 2;
	while (end > point + 2 && end[-1] == '0')
		end--;
	text->len = (size_t)(end - text->data);
	*end = '\0';
}

/* Moments are rounded to microseconds. If marks are closer than that, the labels count from the first cell. */
static void axis_put_label(struct rs_app *app, struct rs_buf *text, const struct rs_axis *a, uint64_t at_ns,
			   uint64_t step_ns)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_clear(text);
	if (step_ns % US == 0) {
		rs_app_moment(app, at_ns, text);
		axis_shorten(text);
	} else {
		rs_buf_printf(text, "+%s", rs_screen_duration(at_ns - a->from_ns, length));
	}
}

void rs_axis_draw(struct rs_app *app, struct rs_canvas *c, struct rs_area line, const struct rs_axis *a,
		  uint64_t origin_ns)
{
	uint64_t step_ns = step_between(a, LABEL_COLUMNS), off, at_ns;
	struct rs_buf text = RS_BUF_INIT;

	/* marks before the origin count back from it */
	off = a->from_ns >= origin_ns ? (a->from_ns - origin_ns) % step_ns : step_ns - 1 - (origin_ns - a->from_ns - 1) % step_ns;
	at_ns = off ? a->from_ns + (step_ns - off) : a->from_ns;
	for (; at_ns >= a->from_ns; at_ns += step_ns) {
		int cell = rs_axis_cell(a, at_ns);

		if (cell >= (int)a->nr_cells)
			break;
		axis_put_label(app, &text, a, at_ns, step_ns);
		rs_put_glyph(c, line.y, line.x + cell, RS_STYLE_DIM, RS_GLYPH_VLINE);
		rs_put(c, line.y, line.x + cell + 1, line.width - cell - 1 < LABEL_COLUMNS - 1 ? line.width - cell - 1 :
		       LABEL_COLUMNS - 1, RS_STYLE_DIM, text.data);
	}
	rs_buf_done(&text);
}
