// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-slowest.c - lists the slowest calls, waits and requests of the last seconds: a few of each kind, with task
 * and time
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/copy.h"
#include "base/units.h"
#include "tui/toolkit/app.h"
#include "tui/overview/widget.h"

#define SLOWEST_WIDGET_ROWS 32
#define OF_EACH 2
#define SECONDS_NS 10000000000ull  /* a live source: this long before now */

struct slowest_widget_slow {
	char kind[24], comm[24], label[48], on[24];
	uint64_t pid, tid, start_ns, end_ns;
	bool longer, open;
};

struct slowest_widget_slowest {
	struct rs_widget widget;  /* first */
	struct rs_shown_time of; /* the time of the last request */
	struct slowest_widget_slow rows[SLOWEST_WIDGET_ROWS];
	size_t nr;
};

static bool slowest_widget_read_row(struct slowest_widget_slowest *w, struct slowest_widget_slow *s, const struct rs_wire_span *span)
{
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(rs_client_catalogue(w->widget.machine->client), span->kind);

	if (!kind)
		return false;
	*s = (struct slowest_widget_slow){
		.pid = (uint64_t)span->pid, .tid = (uint64_t)span->tid, .start_ns = span->start_ns, .end_ns = span->end_ns,
		.open = span->open, .longer = span->longer,
	};
	rs_copy(s->kind, sizeof s->kind, kind->slowest ? kind->slowest : kind->name);
	rs_copy(s->label, sizeof s->label, rs_widget_text(span->label));
	rs_copy(s->on, sizeof s->on, span->on);
	rs_copy(s->comm, sizeof s->comm, rs_widget_text(span->comm));
	return true;
}

static int slowest_widget_compare_duration(const void *a, const void *b)
{
	const struct slowest_widget_slow *x = a, *y = b;
	uint64_t x_ns = x->end_ns - x->start_ns, y_ns = y->end_ns - y->start_ns;

	return (x_ns < y_ns) - (x_ns > y_ns);
}

static void slowest_widget_on_answer(void *arg, const struct rs_reply *reply)
{
	struct slowest_widget_slowest *w = arg;
	const struct rs_slowest_reply *slowest = rs_widget_answered(&w->widget, reply);

	w->nr = 0;
	if (!slowest)
		return;
	if (!w->of.now || !w->widget.app->live)
		rs_app_time_bounds(w->widget.app, &w->of, &w->widget.from_ns, &w->widget.to_ns);
	for (size_t i = 0; i < slowest->nr_spans && w->nr < SLOWEST_WIDGET_ROWS; i++)
		w->nr += slowest_widget_read_row(w, &w->rows[w->nr], &slowest->spans[i]);
	qsort(w->rows, w->nr, sizeof *w->rows, slowest_widget_compare_duration);
}

static void slowest_widget_ask(struct rs_widget *widget)
{
	const struct rs_app *app = widget->app;
	struct slowest_widget_slowest *w = (struct slowest_widget_slowest *)widget;
	bool last_seconds = app->time.now && app->live;
	struct rs_slowest_request request = { .time = rs_app_asked_time(app), .limit = OF_EACH };

	w->of = app->time;
	widget->title = last_seconds ? "Slowest of the last 10 s" : "Slowest";
	if (last_seconds && app->now_ns > SECONDS_NS)
		request.time.from_ns = rs_u(app->now_ns - SECONDS_NS);
	rs_widget_ask(widget, "worst", &request, slowest_widget_on_answer);
}

static size_t slowest_widget_count_rows(struct rs_widget *widget)
{
	return ((struct slowest_widget_slowest *)widget)->nr;
}

/* Draws how long ago it ended if live, when it ended in a file. */
static int draw_when(const struct slowest_widget_slowest *w, const struct slowest_widget_slow *s, struct rs_canvas *c, int y, int x, int width)
{
	char text[RS_UNIT_TEXT + 8];
	struct rs_buf moment = RS_BUF_INIT;
	int used;

	if (w->widget.app->live && w->widget.app->time.now) {
		uint64_t now_ns = w->widget.app->now_ns;
		size_t len = rs_units_put_duration(text, now_ns > s->end_ns ? now_ns - s->end_ns : 0, RS_UNIT_AUTO, -1);

		snprintf(text + len, sizeof text - len, " ago");
		return rs_put_right(c, y, x, width, RS_STYLE_DIM, text);
	}
	rs_app_moment(w->widget.app, s->end_ns, &moment);
	used = rs_put_right(c, y, x, width, RS_STYLE_DIM, moment.data);
	rs_buf_done(&moment);
	return used;
}

static void slowest_widget_draw_row(const struct slowest_widget_slowest *w,
				    const struct slowest_widget_slow *s, struct rs_canvas *c,
				    struct rs_area line)
{
	char length[RS_UNIT_TEXT + 3], number[24] = "", what[160];
	size_t len = rs_units_put_duration(length, s->end_ns - s->start_ns, RS_UNIT_AUTO, -1);
	int when = line.width > 60 ? 13 : 0;
	struct rs_widget_word words[] = {
		{ s->kind, RS_STYLE_DIM, 2, 16, 0, NULL }, { s->comm, RS_STYLE_TEXT, 0, 0, 0, NULL }, { number, RS_STYLE_TEXT, 1, 0, 0, NULL },
		{ what, RS_STYLE_TEXT, 0, 0, 0, NULL },
	};

	length[len] = '\0';
	if (s->tid || s->pid)
		snprintf(number, sizeof number, "(%llu)", (unsigned long long)(s->tid ? s->tid : s->pid));
	snprintf(what, sizeof what, " %s%s%s%s", s->label, *s->on ? " on " : "", s->on, s->open ? " (goes on)" : "");
	rs_put_right(c, line.y, line.x, 8, RS_STYLE_BOLD, length);
	rs_widget_put_words(c, (struct rs_area){ line.y, line.x + 9, 1, line.width - 9 - when }, words, sizeof words / sizeof *words);
	if (when)
		draw_when(w, s, c, line.y, line.x + line.width - when + 1, when - 1);
}

static void slowest_widget_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct slowest_widget_slowest *w = (struct slowest_widget_slowest *)widget;

	for (int y = 0; y < area.height && (size_t)y < w->nr; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };

		slowest_widget_draw_row(w, &w->rows[y], c, line);
		if (y == selected)
			rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	}
}

static bool slowest_widget_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	struct slowest_widget_slowest *w = (struct slowest_widget_slowest *)widget;

	if (row >= w->nr || !(w->rows[row].pid || w->rows[row].tid))
		return false;
	*out = (struct rs_screen_selection){ .column = -1 };
	rs_selection_add_task(&out->keys, w->rows[row].comm, (int64_t)w->rows[row].pid, (int64_t)w->rows[row].tid);
	return true;
}

static const struct rs_widget_ops ops = {
	.ask = slowest_widget_ask, .nr_rows = slowest_widget_count_rows, .draw = slowest_widget_draw,
	.selection = slowest_widget_get_selection,
};

struct rs_widget *rs_widget_slowest_new(struct rs_tui_machine *machine)
{
	struct slowest_widget_slowest *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	w->widget = (struct rs_widget){
		.ops = &ops, .app = machine->app, .machine = machine, .title = "Slowest", .place = 2,
		.least = 3, .most = 12,
	};
	return &w->widget;
}
