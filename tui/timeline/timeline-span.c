// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-span.c - one span: asks for it by place or times; its details, its waker, and the spans near it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

void rs_timeline_unselect(struct rs_timeline_screen *t)
{
	rs_message_drop(t->selected);
	t->selected = NULL;
	*t->span_track = '\0';
	t->details_asked = false;
	rs_buf_clear(&t->details);
	rs_timeline_stack_clear(t);
}

/* ---- details ---- */

static void put_number(struct rs_buf *out, enum rs_type type, uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, type == RS_TYPE_DURATION ? rs_units_put_duration(text, v, RS_UNIT_AUTO, -1) :
		   type == RS_TYPE_BYTES ? rs_units_put_bytes(text, v) : rs_units_put_u64(text, v));
}

static void timeline_span_put_value(struct rs_buf *out, const struct rs_wire_detail *d)
{
	uint64_t v;

	/* a count of 0 is not shown */
	if (d->value.is == RS_SCALAR_NULL ||
	    (d->type == RS_TYPE_COUNT && rs_message_scalar_u64(&d->value, &v) && !v))
		return;
	rs_buf_printf(out, "%s%s ", out->len ? "   " : "", d->heading);
	if (d->type != RS_TYPE_TEXT && rs_message_scalar_u64(&d->value, &v))
		put_number(out, d->type, v);
	else if (d->value.is == RS_SCALAR_NEGATIVE)
		rs_buf_printf(out, "%lld", (long long)d->value.i);
	else
		rs_buf_puts(out, d->value.is == RS_SCALAR_STRING ? d->value.s : "?");
}

static void got_details(void *arg, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = arg;
	const struct rs_details_reply *details = reply->message;

	t->details_asked = false;
	rs_buf_clear(&t->details);
	rs_timeline_stack_clear(t);
	if (!details)
		rs_buf_puts(&t->details, reply->error);
	for (size_t i = 0; details && i < details->nr_details; i++)
		if (!rs_timeline_stack_take(t, &details->details[i]))
			timeline_span_put_value(&t->details, &details->details[i]);
	rs_app_redraw(t->screen.app);
}

static struct rs_scalar kind_of(const struct rs_wire_span *s)
{
	return (struct rs_scalar){ .is = RS_SCALAR_UNSIGNED, .u = s->kind };
}

static void ask_details(struct rs_timeline_screen *t)
{
	const struct rs_wire_span *s = rs_tl_selected(t);

	t->details_asked = rs_client_ask(rs_timeline_machine(t, t->span_track)->client, "details",
					 &(struct rs_details_request){
						 .track = s->track,
						 .kind = kind_of(s),
						 .time = { rs_u(s->start_ns), rs_u(s->end_ns) },
					 },
					 got_details, t) != 0;
}

/* ---- a span ---- */

/* Selects the span of an answer. Returns false if it has none. */
static bool take_span(struct rs_timeline_screen *t, const struct rs_reply *reply)
{
	const struct rs_span_reply *a = reply->message;

	if (!a->span || !a->span->track)
		return false;
	rs_timeline_unselect(t);
	t->selected = rs_client_keep(t->span_of->client, reply);
	rs_timeline_put_name(t->span_of, a->span->track, t->span_track);
	return true;
}

static void got_span(void *arg, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = arg;

	t->span_asked = false;
	if (rs_app_refused(t->screen.app, reply))
		return;
	rs_app_redraw(t->screen.app);
	if (!take_span(t, reply)) {
		rs_timeline_unselect(t);
		rs_app_say(t->screen.app, RS_STYLE_WARN, "no data for this time");
		return;
	}
	ask_details(t);
	rs_timeline_step_on(t);
}

/* Asks the engine of the track's machine. A newer request replaces a pending one. */
static void timeline_span_ask(struct rs_timeline_screen *t, const char *track, const char *op,
			      const void *request, rs_client_reply *got)
{
	if (t->span_asked)
		return;
	t->span_of = rs_timeline_machine(t, track);
	t->span_asked = rs_client_ask(t->span_of->client, op, request, got, t) != 0;
}

void rs_timeline_select(struct rs_timeline_screen *t)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = &p->rows[t->row];
	const struct rs_wire_run *run;
	const char *track;

	t->steps.nr = 0;
	if (t->row >= p->nr_rows)
		return;
	run = rs_timeline_run_at(p, row, t->cursor_ns);
	if (!run) {
		rs_timeline_unselect(t);
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "no slice at the cursor (n: go to the longest)");
		return;
	}
	track = t->tracks[row->track].name;
	timeline_span_ask(t, track, "span",
			  &(struct rs_span_request){
				  .track = rs_timeline_engine_name(track),
				  .shape = row->shape,
				  .at_ns = rs_u(run->nr > 1 || rs_span_has_no_length(row->shape) ?
							p->axis.from_ns + run->from * p->axis.cell_ns :
							t->cursor_ns),
				  .for_ns = (run->nr > 1 ? run->to - run->from : 1) * p->axis.cell_ns,
				  .depth = rs_u(row->depth),
			  },
			  got_span);
}

static void select_at(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape,
		      uint64_t at_ns)
{
	timeline_span_ask(t, track, "span", &(struct rs_span_request){
		.track = rs_timeline_engine_name(track), .shape = shape, .at_ns = rs_u(at_ns), .for_ns = 1 },
		got_span);
}

static void select_exact(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape,
			 const struct rs_wire_span *s)
{
	timeline_span_ask(t, track, "span", &(struct rs_span_request){
		.track = rs_timeline_engine_name(track), .shape = shape, .kind = kind_of(s),
		.start_ns = rs_u(s->start_ns),
		.end_ns = rs_u(s->end_ns) }, got_span);
}

/* Selects the span that the screen was opened on. */
void rs_timeline_select_span(struct rs_timeline_screen *t)
{
	t->goes_to_span = false;
	select_exact(t, t->at_track, t->at_shape, &t->opened_on);
}

/* ---- steps to other spans ---- */

/* While a file loads, its slowest span is unknown. */
static bool may_step(const struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;

	return !t->span_asked && t->axis.nr_cells && t->axis.cell_ns && t->nr_tracks && app->machine->state &&
	       !app->loading;
}

static void step_later(struct rs_timeline_screen *t, bool back, bool by_duration)
{
	struct rs_tl_steps *s = &t->steps;

	if (s->back != back || s->by_duration != by_duration)
		s->nr = 0;
	*s = (struct rs_tl_steps){ s->nr + 1, back, by_duration };
	if (t->screen.app->loading)
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "jumps there when the file has been read");
}

void rs_timeline_step_on(struct rs_timeline_screen *t)
{
	if (!t->steps.nr || !may_step(t))
		return;
	t->steps.nr--;
	rs_timeline_step(t, t->steps.back, t->steps.by_duration);
}

/* Zooms until the span fills an eighth of the screen, if it was smaller than a cell. */
void rs_timeline_fit(struct rs_timeline_screen *t)
{
	const struct rs_wire_span *s = t->goes_to_span ? &t->opened_on : rs_tl_selected(t);
	uint64_t duration_ns = s ? s->end_ns - s->start_ns : 0, cells = t->axis.nr_cells;

	if (!s || !cells)
		return;
	t->follows = false;
	t->cursor_ns = s->start_ns;
	rs_timeline_show(t, s->start_ns - (s->start_ns < duration_ns / 2 ? s->start_ns : duration_ns / 2),
			 2 * duration_ns / cells + 1);
	rs_timeline_ask(t);
}

/* Returns the machine's last row: a track that is not among the busiest is added after it. */
static size_t last_row_of(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine)
{
	for (size_t i = t->nr_tracks; i--;)
		if (rs_timeline_machine(t, t->tracks[i].name) == machine)
			return i;
	return t->nr_tracks;
}

static void bring_into_sight(struct rs_timeline_screen *t)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	uint64_t duration_ns = s->end_ns - s->start_ns;
	int from = rs_chart_axis_cell(&t->axis, s->start_ns), to = rs_chart_axis_cell(&t->axis, s->end_ns);

	if (rs_timeline_find_track(t, t->span_track) < 0)
		rs_timeline_add_track(t, last_row_of(t, t->span_of), t->span_track, s->tid ? s->comm : NULL);
	rs_timeline_cursor_to(t, t->span_track, s->shape, s->start_ns + duration_ns / 2);
	if (rs_span_has_no_length(s->shape) || !t->step_fits)
		return;
	if (duration_ns < 2 * t->axis.cell_ns || to - from >= (int)t->axis.nr_cells)
		rs_timeline_fit(t);
}

static void got_step(void *arg, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = arg;

	t->span_asked = false;
	if (rs_app_refused(t->screen.app, reply))
		return;
	if (!take_span(t, reply)) {
		t->steps.nr = 0;
		rs_app_say(t->screen.app, RS_STYLE_WARN,
			   t->from_slowest ? "no call, wait or request with a duration" :
					     "no more slices in this direction");
		return;
	}
	bring_into_sight(t);
	rs_timeline_step_on(t);
	/* and ask for its waker */
	select_exact(t, t->span_track, rs_tl_selected(t)->shape, rs_tl_selected(t));
}

static bool has_length(const struct rs_wire_span *s)
{
	return s && !rs_span_has_no_length(s->shape) && s->shape != RS_SPAN_COUNTER;
}

/* Returns the span to step from; false: by duration, starting with the slowest of all. */
static bool find_than(struct rs_timeline_screen *t, bool by_duration, struct rs_step_than *than)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	bool is_it = by_duration ? has_length(s) && rs_timeline_machine(t, t->span_track) == t->span_of :
				   s && !strcmp(t->span_track, t->at_track);

	t->from_slowest = by_duration && !is_it;
	than->start_ns = rs_u(is_it ? s->start_ns : t->cursor_ns);
	than->end_ns = rs_u(is_it ? s->end_ns : t->cursor_ns);
	return !t->from_slowest;
}

/*
 * By duration: searches all tracks of the cursor's machine, or of the process; otherwise the cursor's row.
 * The engine searches all its tracks, because the slowest span may be on a track that is not listed here.
 */
void rs_timeline_step(struct rs_timeline_screen *t, bool back, bool by_duration)
{
	const char *tracks[RS_TL_MAX_TRACKS];
	struct rs_step_request request = { .back = back && (!by_duration || has_length(rs_tl_selected(t))),
					   .tracks = tracks };
	struct rs_step_than than;

	if (!by_duration && t->nr_tracks && rs_timeline_is_heading(t->at_track))
		return;
	if (!may_step(t)) {
		step_later(t, back, by_duration);
		return;
	}
	t->span_of = rs_timeline_machine(t, t->at_track);
	t->step_fits = by_duration;
	if (by_duration) {
		request.by = RS_STEP_BY_LENGTH;
		request.nr_tracks = t->pid || t->tid || t->screen.app->filter.nr ?
					    rs_timeline_list_tracks(t, t->span_of, 0, t->nr_tracks, tracks) :
					    0;
	} else {
		request.track = rs_timeline_engine_name(t->at_track);
		request.shape = rs_u(t->at_shape);
	}
	if (!request.nr_tracks)
		request.tracks = NULL;
	request.than = find_than(t, by_duration, &than) ? &than : NULL;
	timeline_span_ask(t, t->at_track, "step", &request, got_step);
}

/* ---- go to the waker ---- */

static void go_to_task(struct rs_timeline_screen *t, const char *name, const char *comm, uint64_t at_ns)
{
	long from = rs_timeline_find_track(t, t->span_track);
	char track[RS_TL_NAME];

	rs_timeline_put_name(rs_timeline_machine(t, t->span_track), name, track);
	if (rs_timeline_find_track(t, track) < 0)
		rs_timeline_add_track(t, from < 0 ? t->nr_tracks : (size_t)from, track, comm);
	rs_timeline_cursor_to(t, track, RS_SPAN_STATE, at_ns);
	select_at(t, track, RS_SPAN_STATE, at_ns);
}

void rs_timeline_to_waker(struct rs_timeline_screen *t)
{
	const struct rs_span_waker *waker = t->selected ? t->selected->waker : NULL;
	const struct rs_span_taker *taker = t->selected ? t->selected->taker : NULL;

	if (taker && taker->track)
		go_to_task(t, taker->track, taker->comm, rs_tl_selected(t)->start_ns);
	else if (waker && waker->track)
		go_to_task(t, waker->track, waker->comm, waker->at_ns);
	else
		rs_app_say(t->screen.app, RS_STYLE_WARN, "%s",
			   !t->selected ? "select a slice first (Enter)" :
			   !waker       ? "the waker is unknown" :
			   waker->tid   ? "the waker is no longer in the window" :
					  "an interrupt woke it");
}
