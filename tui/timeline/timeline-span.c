// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-span.c - one span: asked for by its place or its times, its details, who woke it, and others near it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/units.h"
#include "rpc/wire.h"
#include "tui/toolkit/app.h"
#include "tui/timeline/timeline-screen.h"

static enum rs_span_shape lane_of(const char *name)
{
	return !name || !strcmp(name, "slice") ? RS_SPAN_SLICE : !strcmp(name, "state") ? RS_SPAN_STATE :
	       !strcmp(name, "async") ? RS_SPAN_ASYNC : !strcmp(name, "counter") ? RS_SPAN_COUNTER : RS_SPAN_INSTANT;
}

static const char *lane_name(enum rs_span_shape lane)
{
	static const char *const names[] = { "slice", "state", "async", "instant", "counter" };

	return names[lane];
}

static void timeline_span_put_u64(struct rs_json *j, const char *key, uint64_t v)
{
	rs_json_key(j, key);
	rs_wire_u64(j, v);
}

void rs_timeline_span_done(struct rs_tl_span *s)
{
	rs_buf_done(&s->details);
	*s = (struct rs_tl_span){ .details = RS_BUF_INIT };
}

/* ---- details ---- */

static void timeline_span_put_value(struct rs_buf *out, const cJSON *json)
{
	const char *type = rs_wire_text_of(json, "type"), *heading = rs_wire_text_of(json, "heading");
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, "value");
	char text[RS_UNIT_TEXT];
	uint64_t v;

	if (!heading || !value || cJSON_IsNull(value))
		return;
	/* of what is counted none is nothing to tell */
	if (type && !strcmp(type, "count") && rs_wire_u64_read(value, &v) && !v)
		return;
	rs_buf_printf(out, "%s%s ", out->len ? "   " : "", heading);
	if (cJSON_IsString(value) && type && !strcmp(type, "text"))
		rs_buf_puts(out, value->valuestring);
	else if (rs_wire_u64_read(value, &v))
		rs_buf_add(out, text, type && !strcmp(type, "duration") ? rs_units_put_duration(text, v, RS_UNIT_AUTO, -1) :
			   type && !strcmp(type, "bytes") ? rs_units_put_bytes(text, v)
				   : rs_units_put_u64(text, v));
	else if (cJSON_IsNumber(value))
		rs_buf_printf(out, "%.0f", value->valuedouble);
	else
		rs_buf_puts(out, cJSON_IsString(value) ? value->valuestring : "?");
}

static void got_details(void *arg, const cJSON *reply)
{
	struct rs_timeline_screen *t = arg;
	const char *why = rs_wire_text_of(reply, "error");
	const cJSON *at;

	t->span.details_asked = false;
	rs_buf_clear(&t->span.details);
	if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "ok")))
		rs_buf_puts(&t->span.details, why ? why : "its details are not to be had");
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(reply, "details"))
		timeline_span_put_value(&t->span.details, at);
	rs_app_redraw(t->screen.app);
}

static void ask_details(struct rs_timeline_screen *t)
{
	struct rs_client *client = rs_timeline_machine(t, t->span.track)->client;
	struct rs_json *j = rs_client_begin(client, "details");

	rs_json_put_str(j, "track", rs_timeline_name_there(t->span.track));
	rs_json_put_u64(j, "kind", t->span.kind);
	timeline_span_put_u64(j, "from_ns", t->span.start_ns);
	timeline_span_put_u64(j, "to_ns", t->span.end_ns);
	t->span.details_asked = rs_client_send(client, -1, got_details, t) != 0;
}

/* ---- a span ---- */

static bool read_span(const struct rs_tui_machine *machine, const cJSON *json, struct rs_tl_span *s)
{
	const char *track = rs_wire_text_of(json, "track");
	uint64_t kind;

	if (!track || strlen(track) >= RS_TL_NAME_THERE || !rs_wire_u64_of(json, "kind", 0, &kind) ||
	    kind > UINT16_MAX ||
	    !rs_wire_u64_of(json, "start_ns", 0, &s->start_ns) || !rs_wire_u64_of(json, "end_ns", 0, &s->end_ns) ||
	    s->end_ns < s->start_ns)
		return false;
	rs_timeline_put_name(machine, track, s->track);
	rs_copy(s->label, sizeof s->label, rs_wire_text_of(json, "label"));
	rs_copy(s->comm, sizeof s->comm, rs_wire_text_of(json, "comm"));
	s->kind = (unsigned int)kind;
	s->lane = lane_of(rs_wire_text_of(json, "lane"));
	s->open = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "open"));
	s->longer = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "longer"));
	s->pid = rs_wire_number_of(json, "pid");
	s->tid = rs_wire_number_of(json, "tid");
	s->known = true;
	return true;
}

static void timeline_span_put_track(const struct rs_tui_machine *machine, const cJSON *json, char *name)
{
	const char *track = rs_wire_text_of(json, "track");

	rs_timeline_put_name(machine, track && strlen(track) < RS_TL_NAME_THERE ? track : "", name);
}

static void read_waker(const struct rs_tui_machine *machine, const cJSON *json, struct rs_tl_span *s)
{
	s->waker_known = cJSON_IsObject(json);
	if (!s->waker_known)
		return;
	timeline_span_put_track(machine, json, s->waker_track);
	rs_copy(s->waker_comm, sizeof s->waker_comm, rs_wire_text_of(json, "comm"));
	s->waker_tid = rs_wire_number_of(json, "tid");
	s->waker_at_ns = (uint64_t)rs_wire_number_of(json, "at_ns");
}

static void read_taker(const struct rs_tui_machine *machine, const cJSON *json, struct rs_tl_span *s)
{
	if (!cJSON_IsObject(json))
		return;
	timeline_span_put_track(machine, json, s->taker_track);
	rs_copy(s->taker_comm, sizeof s->taker_comm, rs_wire_text_of(json, "comm"));
	s->taker_tid = rs_wire_number_of(json, "tid");
	s->taker_ran_ns = (uint64_t)rs_wire_number_of(json, "ran_ns");
}

static void got_span(void *arg, const cJSON *reply)
{
	struct rs_timeline_screen *t = arg;
	const cJSON *json = cJSON_GetObjectItemCaseSensitive(reply, "span");

	t->span_asked = false;
	if (rs_app_refused(t->screen.app, reply))
		return;
	rs_timeline_span_done(&t->span);
	rs_app_redraw(t->screen.app);
	if (!cJSON_IsObject(json) || !read_span(t->span_of, json, &t->span)) {
		rs_app_say(t->screen.app, RS_STYLE_WARN, "nothing is known of there");
		return;
	}
	read_waker(t->span_of, cJSON_GetObjectItemCaseSensitive(reply, "waker"), &t->span);
	read_taker(t->span_of, cJSON_GetObjectItemCaseSensitive(reply, "taker"), &t->span);
	ask_details(t);
	rs_timeline_step_on(t);
}

/* To the engine of the machine that has that track. */
static struct rs_json *timeline_span_begin_ask(struct rs_timeline_screen *t, const char *track,
					       const char *op)
{
	/* who goes on does not wait for what was asked before */
	if (t->span_asked)
		return NULL;
	t->span_of = rs_timeline_machine(t, track);
	return rs_client_begin(t->span_of->client, op);
}

static void send(struct rs_timeline_screen *t, rs_client_reply *got)
{
	t->span_asked = rs_client_send(t->span_of->client, -1, got, t) != 0;
}

void rs_timeline_select(struct rs_timeline_screen *t)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = &p->rows[t->row];
	const struct rs_tl_run *run;
	struct rs_json *j;

	t->steps.nr = 0;
	if (t->row >= p->nr_rows)
		return;
	run = rs_timeline_run_at(p, row, t->cursor_ns);
	j = run ? timeline_span_begin_ask(t, t->tracks[row->track].name, "span") : NULL;
	if (!run) {
		rs_timeline_span_done(&t->span);
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "nothing is there (n: to the longest of all)");
	}
	if (!j)
		return;
	rs_json_put_str(j, "track", rs_timeline_name_there(t->tracks[row->track].name));
	rs_json_put_str(j, "lane", lane_name(row->lane));
	timeline_span_put_u64(j, "at_ns", run->nr > 1 ? run->from_ns : t->cursor_ns);
	timeline_span_put_u64(j, "for_ns", run->nr > 1 ? run->to_ns - run->from_ns : p->axis.cell_ns);
	rs_json_put_u64(j, "depth", row->depth);
	send(t, got_span);
}

static void select_at(struct rs_timeline_screen *t, const char *track, enum rs_span_shape lane, uint64_t at_ns)
{
	struct rs_json *j = timeline_span_begin_ask(t, track, "span");

	if (!j)
		return;
	rs_json_put_str(j, "track", rs_timeline_name_there(track));
	rs_json_put_str(j, "lane", lane_name(lane));
	timeline_span_put_u64(j, "at_ns", at_ns);
	timeline_span_put_u64(j, "for_ns", 1);
	send(t, got_span);
}

/* What the screen was opened on. */
void rs_timeline_select_span(struct rs_timeline_screen *t)
{
	struct rs_json *j = timeline_span_begin_ask(t, t->at_track, "span");

	t->goes_to_span = false;
	if (!j)
		return;
	rs_json_put_str(j, "track", rs_timeline_name_there(t->at_track));
	rs_json_put_str(j, "lane", lane_name(t->at_lane));
	rs_json_put_u64(j, "kind", t->span.kind);
	timeline_span_put_u64(j, "start_ns", t->span.start_ns);
	timeline_span_put_u64(j, "end_ns", t->span.end_ns);
	send(t, got_span);
}

/* ---- from one to the next ---- */

/* Of a file that is still being read the longest is not known. */
static bool may_step(const struct rs_timeline_screen *t)
{
	const struct rs_app *app = t->screen.app;

	return !t->span_asked && t->axis.nr_cells && t->axis.cell_ns && t->nr_tracks && rs_app_state(app) && !app->loading;
}

static void step_later(struct rs_timeline_screen *t, bool back, bool by_duration)
{
	struct rs_tl_steps *s = &t->steps;

	if (s->back != back || s->by_duration != by_duration)
		s->nr = 0;
	*s = (struct rs_tl_steps){ s->nr + 1, back, by_duration };
	if (t->screen.app->loading)
		rs_app_say(t->screen.app, RS_STYLE_TEXT, "goes there once all of the file is read");
}

void rs_timeline_step_on(struct rs_timeline_screen *t)
{
	if (!t->steps.nr || !may_step(t))
		return;
	t->steps.nr--;
	rs_timeline_step(t, t->steps.back, t->steps.by_duration);
}

/* As large as an eighth of what is seen, where it was less than a cell. */
void rs_timeline_fit(struct rs_timeline_screen *t)
{
	uint64_t duration_ns = t->span.end_ns - t->span.start_ns, cells = t->axis.nr_cells;
	uint64_t cell_ns, from_ns;

	if ((!t->span.known && !t->goes_to_span) || !cells)
		return;
	cell_ns = 2 * duration_ns / cells + 1;
	from_ns = t->span.start_ns - (t->span.start_ns < duration_ns / 2 ? t->span.start_ns
				      : duration_ns / 2);
	t->follows = false;
	t->cursor_ns = t->span.start_ns;
	rs_timeline_show(t, from_ns, cell_ns);
	rs_timeline_ask(t);
}

/* A machine's last row: who is not among the busiest comes behind them. */
static size_t last_row_of(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine)
{
	for (size_t i = t->nr_tracks; i--;)
		if (rs_timeline_machine(t, t->tracks[i].name) == machine)
			return i;
	return t->nr_tracks;
}

static void bring_into_sight(struct rs_timeline_screen *t)
{
	uint64_t duration_ns = t->span.end_ns - t->span.start_ns;
	int from = rs_axis_cell(&t->axis, t->span.start_ns), to = rs_axis_cell(&t->axis, t->span.end_ns);

	if (rs_timeline_find_track(t, t->span.track) < 0)
		rs_timeline_add_track(t, last_row_of(t, t->span_of), t->span.track, t->span.tid ? t->span.comm : NULL);
	rs_timeline_cursor_to(t, t->span.track, t->span.lane, t->span.start_ns + duration_ns / 2);
	if (duration_ns < 2 * t->axis.cell_ns || to - from >= (int)t->axis.nr_cells)
		rs_timeline_fit(t);
}

static void got_step(void *arg, const cJSON *reply)
{
	struct rs_timeline_screen *t = arg;
	const cJSON *json = cJSON_GetObjectItemCaseSensitive(reply, "span");
	struct rs_tl_span s = { .details = RS_BUF_INIT };
	struct rs_json *j;

	t->span_asked = false;
	if (rs_app_refused(t->screen.app, reply))
		return;
	if (!cJSON_IsObject(json) || !read_span(t->span_of, json, &s)) {
		t->steps.nr = 0;
		rs_app_say(t->screen.app, RS_STYLE_WARN, t->from_longest ? "no call, wait or request with a duration is there" :
			   "no more of them in this direction");
		return;
	}
	rs_timeline_span_done(&t->span);
	t->span = s;
	bring_into_sight(t);
	rs_timeline_step_on(t);
	j = timeline_span_begin_ask(t, s.track, "span"); /* and who woke it */
	if (!j)
		return;
	rs_json_put_str(j, "track", rs_timeline_name_there(s.track));
	rs_json_put_str(j, "lane", lane_name(s.lane));
	rs_json_put_u64(j, "kind", s.kind);
	timeline_span_put_u64(j, "start_ns", s.start_ns);
	timeline_span_put_u64(j, "end_ns", s.end_ns);
	send(t, got_span);
}

static bool has_length(const struct rs_tl_span *s)
{
	return s->known && s->lane != RS_SPAN_INSTANT && s->lane != RS_SPAN_COUNTER;
}

static void put_than(struct rs_timeline_screen *t, struct rs_json *j, bool by_duration)
{
	bool is_it = by_duration ? has_length(&t->span) && rs_timeline_machine(t,
									       t->span.track) == t->span_of :
				 t->span.known && !strcmp(t->span.track, t->at_track);

	t->from_longest = by_duration && !is_it;
	if (t->from_longest)
		return;
	rs_json_key(j, "than");
	rs_json_open(j, '{');
	timeline_span_put_u64(j, "start_ns", is_it ? t->span.start_ns : t->cursor_ns);
	timeline_span_put_u64(j, "end_ns", is_it ? t->span.end_ns : t->cursor_ns);
	rs_json_close(j, '}');
}

static void put_tracks(const struct rs_timeline_screen *t, struct rs_json *j)
{
	rs_json_key(j, "tracks");
	rs_json_open(j, '[');
	for (size_t i = 0; i < t->nr_tracks; i++)
		if (rs_timeline_machine(t, t->tracks[i].name) == t->span_of &&
		    !rs_timeline_is_heading(t->tracks[i].name))
			rs_json_str(j, rs_timeline_name_there(t->tracks[i].name));
	rs_json_close(j, ']');
}

/*
 * By length, on all tracks of the cursor's machine, or of the process; else on the cursor's row. Of a machine the engine
 * knows which there are: the busiest, which are here, need not have the longest.
 */
void rs_timeline_step(struct rs_timeline_screen *t, bool back, bool by_duration)
{
	struct rs_json *j;

	if (!by_duration && t->nr_tracks && rs_timeline_is_heading(t->at_track))
		return;
	if (!may_step(t)) {
		step_later(t, back, by_duration);
		return;
	}
	j = timeline_span_begin_ask(t, t->at_track, "step");
	if (!j)
		return;
	if (!by_duration)
		rs_json_put_str(j, "track", rs_timeline_name_there(t->at_track));
	else if (t->pid || t->tid)
		put_tracks(t, j);
	if (!by_duration)
		rs_json_put_str(j, "lane", lane_name(t->at_lane));
	if (by_duration)
		rs_json_put_str(j, "by", "length");
	rs_json_put_bool(j, "back", back && (!by_duration || has_length(&t->span)));
	put_than(t, j, by_duration);
	send(t, got_step);
}

/* ---- who woke it ---- */

static void go_to_task(struct rs_timeline_screen *t, const char *name, const char *comm, uint64_t at_ns)
{
	long from = rs_timeline_find_track(t, t->span.track);
	char track[RS_TL_NAME];

	rs_copy(track, sizeof track, name); /* of a span that another takes the place of */
	if (rs_timeline_find_track(t, track) < 0)
		rs_timeline_add_track(t, from < 0 ? t->nr_tracks : (size_t)from, track, comm);
	rs_timeline_cursor_to(t, track, RS_SPAN_STATE, at_ns);
	select_at(t, track, RS_SPAN_STATE, at_ns);
}

void rs_timeline_to_waker(struct rs_timeline_screen *t)
{
	const struct rs_tl_span *s = &t->span;

	if (s->known && *s->taker_track) {
		go_to_task(t, s->taker_track, s->taker_comm, s->start_ns);
		return;
	}
	if (!s->known || !s->waker_known || !*s->waker_track) {
		rs_app_say(t->screen.app, RS_STYLE_WARN, "%s", !s->known ? "select a slice first (Enter)" :
			   !s->waker_known ? "who woke it is not known" : s->waker_tid ? "who woke it is forgotten" :
			   "an interrupt woke it");
		return;
	}
	go_to_task(t, s->waker_track, s->waker_comm, s->waker_at_ns);
}
