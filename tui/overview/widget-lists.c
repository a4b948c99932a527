// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-lists.c - widgets that list what the engine says: what is in flight, the slowest of each kind, and
 * rates
 *
 * In flight: the oldest first, which may be stuck. Slowest: calls, waits and requests of the last seconds,
 * with task and time. Neither has what cost nobody anything, by the rule of the ink: a shell that waits for
 * input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "tui/overview/widget.h"
#include "tui/toolkit/chart.h"

static const char *text_or_dash(const char *text)
{
	return text ? text : "-";
}

/* "(4242)"; "" if the task is unknown. */
static const char *put_task_number(char number[24], int64_t pid, int64_t tid)
{
	if (!pid && !tid)
		return "";
	snprintf(number, 24, "(%lld)", (long long)(tid ? tid : pid));
	return number;
}

/* ---- in flight ---- */

#define IN_FLIGHT_ROWS 32
#define WHAT_COLUMNS 28   /* for the call and its cause; the last arguments may be cut */
#define CALL_COLUMNS 9    /* for the call, if the cause follows: at least its name */
#define MIN_NS 10000000   /* younger operations are not stuck */

struct in_flight_widget {
	struct rs_widget widget;  /* first */
	const struct rs_wire_open *rows[RS_MAX_OPEN];
};

/* What waits for work, or for input, is not stuck. */
static void in_flight_choose(struct rs_widget *widget)
{
	struct in_flight_widget *w = (struct in_flight_widget *)widget;
	const struct rs_open_reply *a = widget->question.answer;

	widget->nr_rows = 0;
	for (size_t i = 0; a && i < a->nr_open && widget->nr_rows < IN_FLIGHT_ROWS; i++) {
		const struct rs_wire_open *o = &a->open[i];

		if (!rs_pains_is_healthy(&widget->machine->pains, o->pid, text_or_dash(o->comm), o->cause))
			w->rows[widget->nr_rows++] = o;
	}
}

static void in_flight_answered(struct rs_widget *widget, const void *message)
{
	in_flight_choose(widget);
}

/* For a time range: the operations in flight at its end. */
static void in_flight_ask(struct rs_widget *widget)
{
	struct rs_buf where = RS_BUF_INIT;

	widget->title = !widget->app->time.now ? "Stuck then" :
			widget->app->live      ? "Stuck now" :
						 "Stuck at the end";
	rs_app_filter_where(widget->app, rs_filter_view(RS_FILTER_OPEN), NULL, NULL, &where);
	rs_question_ask(&widget->question, "open", &(struct rs_open_request){
		.limit = RS_MAX_OPEN, .min_ns = MIN_NS, .time = rs_app_asked_time(widget->app),
		.where = where.len ? where.data : NULL });
	rs_buf_done(&where);
}

/* Returns the cause after the call: "in D, at folio_wait"; NULL: there is only one part. */
static const char *cause_in(const char *what)
{
	const char *cause = NULL;

	for (const char *at = what; (at = strstr(at, "): in ")); at++)
		cause = at;
	return cause ? cause + 1 : NULL;
}

/* A state has one name on all screens. */
static const char *in_flight_name(const char *kind)
{
	return kind && !strcmp(kind, "runnable") ? "run-queue wait" : text_or_dash(kind);
}

static void in_flight_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row)
{
	const struct rs_open_reply *a = widget->question.answer;
	const struct rs_wire_open *o = ((struct in_flight_widget *)widget)->rows[row];
	uint64_t age_ns = a->now_ns > o->since_ns ? a->now_ns - o->since_ns : 0;
	char age[RS_SCREEN_TEXT + 2] = ">=", number[24], what[201];
	struct rs_widget_word words[] = {
		{ in_flight_name(o->kind), RS_STYLE_DIM, 2, 8, 0, NULL },
		{ text_or_dash(o->comm), RS_STYLE_BOLD, 0, 0, 0, NULL },
		{ put_task_number(number, o->pid, o->pid ? o->tid : 0), RS_STYLE_TEXT, 1, 0, 0, NULL },
		{ what, RS_STYLE_TEXT, 0, 0, WHAT_COLUMNS, NULL },
	};
	struct rs_widget_word *last = &words[3];

	rs_screen_duration(age_ns, age + 2);
	snprintf(what, sizeof what, " %s", text_or_dash(o->what));
	last->last = cause_in(what);
	/* a cause without a call is not cut */
	last->need = last->last ? CALL_COLUMNS : strncmp(what, " in ", 4) ? WHAT_COLUMNS : 0;
	/* ">=": it began before tracing did */
	rs_put_right(c, line.y, line.x, 8, age_ns >= 1000000000 ? RS_STYLE_WARN : RS_STYLE_TEXT,
		     o->at_least ? age : age + 2);
	rs_widget_put_words(c, (struct rs_area){ line.y, line.x + 9, 1, line.width - 9 }, words,
			    sizeof words / sizeof *words);
}

static bool in_flight_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	const struct rs_open_reply *a = widget->question.answer;
	const struct rs_wire_open *o = ((struct in_flight_widget *)widget)->rows[row];

	/* it goes on: up to now */
	return rs_selection_set_wait(out, o->comm, o->pid, o->tid, o->since_ns, a->now_ns) ||
	       (o->pid && rs_widget_select_task(out, o->comm, o->pid, o->tid));
}

static struct rs_screen *in_flight_open(struct rs_widget *widget, size_t row)
{
	struct rs_screen_selection of;

	return !in_flight_get_selection(widget, row, &of) ? NULL :
	       of.is_wait                                 ? rs_why_open_wait(widget->app, &of, NULL) :
							    rs_details_new(widget->app, &of);
}

static const char in_flight_help_text[] =
	"Stuck now, or at the end of that time: calls, waits and requests in flight, by "
	"age, without those that wait for work; >= where the begin was not seen\n\n";

static const struct rs_widget_ops in_flight_ops = {
	.ask = in_flight_ask, .choose = in_flight_choose, .answered = in_flight_answered,
	.draw_row = in_flight_draw_row,
	.selection = in_flight_get_selection, .open = in_flight_open, .help_text = in_flight_help_text,
};

struct rs_widget *rs_widget_in_flight_new(struct rs_tui_machine *machine)
{
	return rs_widget_new(machine, sizeof(struct in_flight_widget), &(struct rs_widget){
		.ops = &in_flight_ops, .title = "Stuck now", .place = 1, .least = 3,
		.most = IN_FLIGHT_ROWS });
}

/* ---- the slowest ---- */

#define SLOWEST_ROWS 32
#define OF_EACH 8
#define SLOWEST_SHARE 100 /* what took less than this part of the slowest is no neighbor of it */
#define SECONDS_NS 10000000000ull  /* a live source: this long before now */

struct slowest_widget {
	struct rs_widget widget;  /* first */
	struct rs_shown_time of;  /* the time of the last request */
	const struct rs_wire_span *rows[SLOWEST_ROWS];
};

static const struct rs_catalogue_kind *slowest_kind(const struct rs_widget *widget,
						    const struct rs_wire_span *span)
{
	return rs_catalogue_kind(rs_client_catalogue(widget->machine->client), span->kind);
}

static uint64_t slowest_duration(const struct rs_wire_span *span)
{
	return span->end_ns - span->start_ns;
}

static bool slowest_is_shown(const struct rs_widget *widget, const struct rs_wire_span *span)
{
	return slowest_kind(widget, span) &&
	       !rs_pains_is_healthy(&widget->machine->pains, span->pid, text_or_dash(span->comm),
				    span->cause);
}

/* Inserts it by its duration; of too many the shortest goes. */
static void slowest_add(struct slowest_widget *w, const struct rs_wire_span *span)
{
	size_t at = w->widget.nr_rows;

	if (at == SLOWEST_ROWS && slowest_duration(w->rows[--at]) >= slowest_duration(span))
		return;
	w->widget.nr_rows = at + 1;
	for (; at && slowest_duration(w->rows[at - 1]) < slowest_duration(span); at--)
		w->rows[at] = w->rows[at - 1];
	w->rows[at] = span;
}

/* By what they cost, whatever kind they are of. */
static void slowest_choose(struct rs_widget *widget)
{
	struct slowest_widget *w = (struct slowest_widget *)widget;
	const struct rs_slowest_reply *a = widget->question.answer;

	widget->nr_rows = 0;
	for (size_t i = 0; a && i < a->nr_spans; i++)
		if (slowest_is_shown(widget, &a->spans[i]))
			slowest_add(w, &a->spans[i]);
	while (widget->nr_rows > 1 && slowest_duration(w->rows[widget->nr_rows - 1]) <
					      slowest_duration(w->rows[0]) / SLOWEST_SHARE)
		widget->nr_rows--;
}

static void slowest_answered(struct rs_widget *widget, const void *message)
{
	struct slowest_widget *w = (struct slowest_widget *)widget;

	if (!w->of.now || !widget->app->live)
		rs_app_time_bounds(widget->app, &w->of, &widget->from_ns, &widget->to_ns);
	slowest_choose(widget);
}

static void slowest_widget_ask(struct rs_widget *widget)
{
	const struct rs_app *app = widget->app;
	bool last_seconds = app->time.now && app->live;
	struct rs_slowest_request request = { .time = rs_app_asked_time(app), .limit = OF_EACH };
	struct rs_buf where = RS_BUF_INIT;

	((struct slowest_widget *)widget)->of = app->time;
	widget->title = last_seconds ? "Slowest of the last 10 s" : "Slowest";
	if (last_seconds && app->now_ns > SECONDS_NS)
		request.time.from_ns = rs_u(app->now_ns - SECONDS_NS);
	rs_app_filter_where(app, rs_filter_view(RS_FILTER_SPANS), NULL, NULL, &where);
	request.where = where.len ? where.data : NULL;
	rs_question_ask(&widget->question, "worst", &request);
	rs_buf_done(&where);
}

/* Draws how long ago it ended if live, when it ended in a file. */
static void draw_when(const struct rs_app *app, const struct rs_wire_span *s, struct rs_canvas *c, int y,
		      int x, int width)
{
	struct rs_buf text = RS_BUF_INIT;
	char ago[RS_SCREEN_TEXT];

	if (app->live && app->time.now)
		rs_buf_printf(&text, "%s ago",
			      rs_screen_duration(app->now_ns > s->end_ns ? app->now_ns - s->end_ns : 0, ago));
	else
		rs_app_moment(app, s->end_ns, &text);
	rs_put_right(c, y, x, width, RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

static void slowest_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row)
{
	const struct rs_wire_span *s = ((struct slowest_widget *)widget)->rows[row];
	const struct rs_catalogue_kind *kind = slowest_kind(widget, s);
	char length[RS_SCREEN_TEXT + 2] = ">=", number[24], what[160];
	int when = line.width > 60 ? 13 : 0;
	struct rs_widget_word words[] = {
		{ kind->slowest ? kind->slowest : kind->name, RS_STYLE_DIM, 2, 16, 0, NULL },
		{ text_or_dash(s->comm), RS_STYLE_TEXT, 0, 0, 0, NULL },
		{ put_task_number(number, s->pid, s->tid), RS_STYLE_TEXT, 1, 0, 0, NULL },
		{ what, RS_STYLE_TEXT, 0, 0, 0, NULL },
	};

	snprintf(what, sizeof what, " %.47s%s%.23s%s", text_or_dash(s->label), s->on && *s->on ? " on " : "",
		 s->on ? s->on : "", s->open ? " (goes on)" : "");
	rs_screen_duration(s->end_ns - s->start_ns, length + 2);
	rs_put_right(c, line.y, line.x, 8, RS_STYLE_BOLD,
		     s->longer ? length : length + 2);
	rs_widget_put_words(c, (struct rs_area){ line.y, line.x + 9, 1, line.width - 9 - when }, words,
			    sizeof words / sizeof *words);
	if (when)
		draw_when(widget->app, s, c, line.y, line.x + line.width - when + 1, when - 1);
}

static bool slowest_widget_get_selection(struct rs_widget *widget, size_t row,
					 struct rs_screen_selection *out)
{
	const struct rs_wire_span *s = ((struct slowest_widget *)widget)->rows[row];

	return rs_selection_set_wait(out, s->comm, s->pid, s->tid, s->start_ns, s->end_ns) ||
	       rs_widget_select_task(out, s->comm, s->pid, s->tid);
}

static struct rs_screen *slowest_widget_open(struct rs_widget *widget, size_t row)
{
	struct rs_screen_selection of;

	return !slowest_widget_get_selection(widget, row, &of) ? NULL :
	       of.is_wait                                      ? rs_why_open_wait(widget->app, &of, NULL) :
								 rs_details_new(widget->app, &of);
}

static const char slowest_widget_help_text[] =
	"Slowest: the longest calls, waits and requests that ended in that time, with the moment of the end. "
	"Enter: where its time went, t: its timeline, h: how long others of its kind took\n\n";

static const struct rs_widget_ops slowest_ops = {
	.ask = slowest_widget_ask, .choose = slowest_choose, .answered = slowest_answered,
	.draw_row = slowest_draw_row,
	.selection = slowest_widget_get_selection, .open = slowest_widget_open,
	.help_text = slowest_widget_help_text,
};

const struct rs_wire_span *rs_widget_slowest_span(const struct rs_widget *slowest)
{
	return slowest->nr_rows ? ((const struct slowest_widget *)slowest)->rows[0] : NULL;
}

struct rs_widget *rs_widget_slowest_new(struct rs_tui_machine *machine)
{
	return rs_widget_new(machine, sizeof(struct slowest_widget), &(struct rs_widget){
		.ops = &slowest_ops, .title = "Slowest", .place = 2, .least = 3, .most = 12 });
}

/* ---- rates: of calls, requests and switches, and their last minute ---- */

#define RATES_WIDGET_ROWS 12
#define SAMPLES 60

struct rate {
	char name[24];
	uint64_t samples[SAMPLES];   /* indexed by the number of the sample */
};

struct rates {
	struct rs_widget widget;  /* first */
	struct rate rows[RATES_WIDGET_ROWS];
	size_t nr;
	uint64_t nr_samples, interval;
};

static void rates_widget_add(struct rates *r, const char *name, uint64_t per_s)
{
	size_t i = 0;

	while (i < r->nr && strcmp(r->rows[i].name, name))
		i++;
	if (i == RATES_WIDGET_ROWS)
		return;
	if (i == r->nr)
		rs_copy(r->rows[r->nr++].name, sizeof r->rows[i].name, name);
	r->rows[i].samples[r->nr_samples % SAMPLES] = per_s;
}

/* Sends no request: the app's state has the rates. Each interval gives one sample. */
static void rates_widget_ask(struct rs_widget *widget)
{
	struct rates *r = (struct rates *)widget;
	const struct rs_state_reply *state = widget->app->machine->state;
	bool is_range = !widget->app->time.now && !widget->app->paused;

	/* rates are current: hidden for a time range, which would be another time */
	widget->nr_rows = is_range ? 0 : r->nr;
	if (widget->app->paused || !state || !state->interval || state->interval == r->interval)
		return;
	r->interval = state->interval;
	if (state->events_per_s.known)
		rates_widget_add(r, "events", state->events_per_s.u);
	for (size_t i = 0; i < state->nr_rates; i++)
		rates_widget_add(r, state->rates[i].name, state->rates[i].per_s);
	r->nr_samples++;
	widget->nr_rows = is_range ? 0 : r->nr;
}

static uint64_t rates_widget_sample(const struct rates *r, const struct rate *rate, int back)
{
	return (uint64_t)back < r->nr_samples && back < SAMPLES ?
		       rate->samples[(r->nr_samples - 1 - (uint64_t)back) % SAMPLES] :
		       0;
}

static void rates_widget_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line,
				  size_t row)
{
	const struct rates *r = (const struct rates *)widget;
	const struct rate *rate = &r->rows[row];
	int spark = line.width - 25 < SAMPLES ? line.width - 25 : SAMPLES;
	char text[RS_SCREEN_TEXT];
	uint64_t most = 1;

	rs_put_padded(c, line.y, line.x, 11, RS_STYLE_TEXT, rate->name);
	rs_put_right(c, line.y, line.x + 11, 11, RS_STYLE_BOLD,
		     rs_screen_grouped(rates_widget_sample(r, rate, 0), text));
	rs_put(c, line.y, line.x + 22, 2, RS_STYLE_DIM, "/s");
	for (int i = 0; i < spark; i++)
		if (rates_widget_sample(r, rate, i) > most)
			most = rates_widget_sample(r, rate, i);
	for (int i = 0; i < spark; i++)
		rs_put_glyph(c, line.y, line.x + 25 + spark - 1 - i, RS_STYLE_RUN,
			     RS_GLYPH_SPARK +
				     (unsigned int)(((unsigned __int128)rates_widget_sample(r, rate, i) * 8 +
						     most - 1) /
						    most));
}

static const struct rs_widget_ops rates_ops = { .ask = rates_widget_ask, .draw_row = rates_widget_draw_row };

struct rs_widget *rs_widget_rates_new(struct rs_tui_machine *machine)
{
	return rs_widget_new(machine, sizeof(struct rates), &(struct rs_widget){
		.ops = &rates_ops, .title = "Rates, and the last minute", .place = 3, .least = 3,
		.most = RATES_WIDGET_ROWS });
}
