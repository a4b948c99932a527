// SPDX-License-Identifier: GPL-2.0-or-later
/* widget-findings.c - lists the findings of the analyses, the most severe first; Enter shows the evidence */
#include <stdio.h>
#include <stdlib.h>

#include "base/copy.h"
#include "tui/toolkit/app.h"
#include "tui/overview/widget.h"

#define FINDINGS_WIDGET_ROWS 8
#define MAX_WHY 6
#define HEAVY 500         /* of 1000: half of the time */

struct finding {
	uint64_t weight;
	char text[240], brief[160];
	struct rs_why why[MAX_WHY];
	size_t nr_why;
};

struct findings {
	struct rs_widget widget;  /* first */
	struct finding rows[FINDINGS_WIDGET_ROWS];
	size_t nr;
};

static void read_why(struct rs_why *why, const struct rs_finding_evidence *from)
{
	rs_copy(why->view, sizeof why->view, from->view);
	rs_copy(why->sort, sizeof why->sort, from->sort);
	rs_copy(why->where, sizeof why->where, from->where);
	rs_copy(why->by, sizeof why->by, from->by);
}

static void findings_widget_read_row(struct finding *to, const struct rs_wire_finding *f)
{
	to->weight = f->weight;
	rs_copy(to->text, sizeof to->text, f->text);
	rs_copy(to->brief, sizeof to->brief, f->brief);
	for (to->nr_why = 0; to->nr_why < f->nr_evidence && to->nr_why < MAX_WHY; to->nr_why++)
		read_why(&to->why[to->nr_why], &f->evidence[to->nr_why]);
	if (!to->nr_why)
		read_why(&to->why[to->nr_why++], &(struct rs_finding_evidence){ .view = f->view, .where = f->where });
}

static void findings_widget_on_answer(void *arg, const struct rs_reply *reply)
{
	struct findings *f = arg;
	const struct rs_findings_reply *findings = rs_widget_answered(&f->widget, reply);

	f->nr = 0;
	if (!findings)
		return;
	rs_widget_note_time(&f->widget, findings->from_ns, findings->to_ns);
	for (; f->nr < findings->nr_findings && f->nr < FINDINGS_WIDGET_ROWS; f->nr++)
		findings_widget_read_row(&f->rows[f->nr], &findings->findings[f->nr]);
}

static void findings_widget_ask(struct rs_widget *widget)
{
	rs_widget_ask(widget, "findings", &(struct rs_findings_request){ rs_app_asked_time(widget->app) }, findings_widget_on_answer);
}

static size_t findings_widget_count_rows(struct rs_widget *widget)
{
	return ((struct findings *)widget)->nr;
}

static void findings_widget_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct findings *f = (struct findings *)widget;

	for (int y = 0; y < area.height && (size_t)y < f->nr; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };
		bool heavy = f->rows[y].weight >= HEAVY;

		enum rs_style_id style_id = heavy ? RS_STYLE_WARN : RS_STYLE_TEXT;
		bool fits = rs_put_text_columns(f->rows[y].text, rs_canvas_ascii(c)) + 2 <= line.width;

		rs_put(c, line.y, line.x, line.width, style_id, heavy ? "! " : "- ");
		rs_put_cut(c, line.y, line.x + 2, line.width - 2, style_id, fits || !*f->rows[y].brief ? f->rows[y].text : f->rows[y].brief);
		if (y == selected)
			rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	}
}

static struct rs_screen *findings_widget_open(struct rs_widget *widget, size_t row)
{
	struct findings *f = (struct findings *)widget;

	if (row >= f->nr)
		return NULL;
	return rs_details_new_evidence(widget->app, f->rows[row].text, f->rows[row].why, f->rows[row].nr_why);
}

static const struct rs_widget_ops ops = {
	.ask = findings_widget_ask, .nr_rows = findings_widget_count_rows, .draw = findings_widget_draw,
	.open = findings_widget_open,
};

struct rs_widget *rs_widget_findings_new(struct rs_tui_machine *machine)
{
	struct findings *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->widget = (struct rs_widget){ .ops = &ops, .app = machine->app, .machine = machine, .title = "Verdict", .place = 0, .left = true, .wide = true, .least = 1, .most = 4 };
	return &f->widget;
}
