// SPDX-License-Identifier: GPL-2.0-or-later
/* widget-in-flight.c - lists operations in flight, the oldest first: the ones that may be stuck */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/units.h"
#include "tui/toolkit/app.h"
#include "tui/overview/widget.h"

#define IN_FLIGHT_ROWS 32
#define WHAT_COLUMNS 28   /* for the call and its cause; the last arguments may be cut */
#define CALL_COLUMNS 9    /* for the call, if the cause follows: at least its name */
#define MIN_NS 10000000   /* younger operations are not stuck */

struct open {
	char kind[16], comm[16], what[200];
	int64_t pid, tid;
	uint64_t age_ns;
	bool at_least;
};

struct open_widget {
	struct rs_widget widget;  /* first */
	struct open rows[IN_FLIGHT_ROWS];
	size_t nr;
};

static void in_flight_read_row(struct open *o, const struct rs_wire_open *from, uint64_t now_ns)
{
	*o = (struct open){
		.pid = from->pid, .tid = from->tid, .age_ns = now_ns > from->since_ns ? now_ns - from->since_ns : 0, .at_least = from->at_least,
	};
	rs_copy(o->kind, sizeof o->kind, rs_widget_text(from->kind));
	rs_copy(o->comm, sizeof o->comm, rs_widget_text(from->comm));
	rs_copy(o->what, sizeof o->what, rs_widget_text(from->what));
}

static void in_flight_on_answer(void *arg, const struct rs_reply *reply)
{
	struct open_widget *w = arg;
	const struct rs_open_reply *open = rs_widget_answered(&w->widget, reply);

	for (w->nr = 0; open && w->nr < open->nr_open && w->nr < IN_FLIGHT_ROWS; w->nr++)
		in_flight_read_row(&w->rows[w->nr], &open->open[w->nr], open->now_ns);
}

/* For a time range: the operations in flight at its end. */
static void in_flight_ask(struct rs_widget *widget)
{
	widget->title = !rs_app_time(widget->app)->now ? "Stuck then" : widget->app->live ? "Stuck now" : "Stuck at the end";
	rs_widget_ask(widget, "open", &(struct rs_open_request){
		.limit = IN_FLIGHT_ROWS, .min_ns = MIN_NS, .time = rs_app_asked_time(widget->app) }, in_flight_on_answer);
}

static size_t in_flight_count_rows(struct rs_widget *widget)
{
	return ((struct open_widget *)widget)->nr;
}

/* Returns the cause after the call: "in D, at folio_wait"; NULL: there is only one part. */
static const char *cause_in(const char *what)
{
	const char *cause = NULL;

	for (const char *at = what; (at = strstr(at, "): in ")); at++)
		cause = at;
	return cause ? cause + 1 : NULL;
}

static void in_flight_draw_row(const struct open *o, struct rs_canvas *c, struct rs_area line)
{
	char age[RS_UNIT_TEXT + 3], number[24] = "", what[sizeof o->what + 1];
	size_t len = rs_units_put_duration(age + 2, o->age_ns, RS_UNIT_AUTO, -1);
	struct rs_widget_word words[] = {
		{ o->kind, RS_STYLE_DIM, 2, 8, 0, NULL }, { o->comm, RS_STYLE_BOLD, 0, 0, 0, NULL }, { number, RS_STYLE_TEXT, 1, 0, 0, NULL },
		{ what, RS_STYLE_TEXT, 0, 0, WHAT_COLUMNS, NULL },
	};
	struct rs_widget_word *last = &words[3];

	age[2 + len] = '\0';
	if (o->at_least) { /* it began before tracing did */
		age[0] = '>';
		age[1] = '=';
	}
	snprintf(what, sizeof what, " %s", o->what);
	last->last = cause_in(what);
	last->need = last->last ? CALL_COLUMNS : strncmp(o->what, "in ", 3) ? WHAT_COLUMNS : 0; /* a cause without a call is not cut */
	if (o->pid)
		snprintf(number, sizeof number, "(%lld)", (long long)(o->tid ? o->tid : o->pid));
	rs_put_right(c, line.y, line.x, 8, o->age_ns >= 1000000000 ? RS_STYLE_WARN : RS_STYLE_TEXT, o->at_least ? age : age + 2);
	rs_widget_put_words(c, (struct rs_area){ line.y, line.x + 9, 1, line.width - 9 }, words, sizeof words / sizeof *words);
}

static void in_flight_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct open_widget *o = (struct open_widget *)widget;

	for (int y = 0; y < area.height && (size_t)y < o->nr; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };

		in_flight_draw_row(&o->rows[y], c, line);
		if (y == selected)
			rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	}
}

static bool in_flight_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	struct open_widget *o = (struct open_widget *)widget;

	if (row >= o->nr || !o->rows[row].pid)
		return false;
	*out = (struct rs_screen_selection){ .column = -1 };
	rs_selection_add_task(&out->keys, o->rows[row].comm, o->rows[row].pid, o->rows[row].tid);
	return true;
}

static const struct rs_widget_ops ops = {
	.ask = in_flight_ask, .nr_rows = in_flight_count_rows, .draw = in_flight_draw,
	.selection = in_flight_get_selection,
};

struct rs_widget *rs_widget_in_flight_new(struct rs_tui_machine *machine)
{
	struct open_widget *w = calloc(1, sizeof *w);

	if (!w)
		return NULL;
	w->widget = (struct rs_widget){ .ops = &ops, .app = machine->app, .machine = machine, .title = "Stuck now", .place = 1, .least = 3, .most = IN_FLIGHT_ROWS };
	return &w->widget;
}
