// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * op-spans.c - lists tracks, and draws them into a number of cells: a screen asks for exactly what it shows
 */
#include <stdlib.h>
#include <string.h>

#include "query/involved.h"
#include "query/name-cells.h"
#include "query/track-cells.h"
#include "ringside/event.h"
#include "service/service.h"
#include "service/where.h"

#define MAX_ALL_CELLS 32768 /* of all tracks: some hundred nanoseconds each */
#define NR_LABELS 1024      /* a power of two; the maximum of different labels in an answer */
#define MAX_ARROWS 256

/* ---- tracks ---- */

static void op_tracks_put_track(struct rs_json *j, const struct rs_trace_info *of,
				const struct rs_track_info *info)
{
	char track[RS_TRACK_NAME], vcpu[96];

	rs_track_name(&info->ref, track);
	rs_source_vcpu_name(of, info->tid, info->label, vcpu, sizeof vcpu);
	rs_message_put(j, &rs_wire_track_message, &(struct rs_wire_track){
		.track = track, .of = info->ref.of, .label = info->label,
		.vcpu = info->tid && strcmp(vcpu, info->label) ? vcpu : NULL,
		.pid = info->pid, .tid = info->tid, .nr_spans = info->nr_spans, .shapes = info->shapes,
		.kernel_thread = info->kernel_thread, .involved = info->involved,
		.activity = { .u = (uint64_t)info->activity, .known = info->activity >= 0 },
	});
}

static int op_tracks_read_near(const struct rs_tracks_request *request, struct rs_involved_ask *near,
			       struct rs_error *err)
{
	*near = (struct rs_involved_ask){ .from_ns = request->near_from_ns, .to_ns = request->near_to_ns };
	near->to_ns += near->to_ns < UINT64_MAX; /* who ended the wait did so at its end */
	for (; near->nr < request->nr_near && near->nr < RS_INVOLVED_TRACKS; near->nr++)
		if (!rs_track_read(request->near[near->nr], &near->tracks[near->nr]))
			return rs_fail_usage(err, "near: '%s' is no track", request->near[near->nr]);
	return 0;
}

static int op_tracks_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_tracks_request *request = job->request;
	struct rs_opens opens = { .nr = 0 };
	struct rs_track_ask ask = {
		.all = !request->of.known, .of = (enum rs_track_type)request->of.u, .pid = request->pid,
		.tid = request->tid,
		.limit = request->limit, .opens = &opens,
	};
	struct rs_involved_ask near;
	struct rs_involved involved;
	struct rs_track_info *tracks;
	struct rs_where *where;
	size_t nr;

	if (op_tracks_read_near(request, &near, err) < 0)
		return -1;
	if (rs_job_read_time(&request->time, &ask.from_ns, &ask.to_ns, err) < 0 ||
	    rs_where_read(request->where, RS_FILTER_TRACKS, job->service->timelines, &where, err) < 0)
		return -1;
	ask.passes = rs_where_track;
	ask.where = where;
	if (near.nr) {
		rs_involved_find(&involved, job->service->timelines, &near);
		ask.involved = &involved;
	}
	if (where)
		where->at_ns = ask.to_ns;
	rs_track_cells_add_in_flight(&opens, job->service->timelines, job->service->session);
	tracks = rs_tracks_list(job->service->timelines, &ask, &nr);
	rs_track_cells_free_in_flight(&opens);
	rs_message_open_list(&job->reply, "tracks");
	for (size_t i = 0; i < nr; i++)
		op_tracks_put_track(&job->reply, &job->service->source->info, &tracks[i]);
	rs_json_close(&job->reply, ']');
	free(tracks);
	free(where);
	return 0;
}

const struct rs_op rs_op_tracks = { .name = "tracks", .run = op_tracks_run };

/* ---- spans ---- */

struct label {
	uint64_t style;
	uint16_t kind;
	uint16_t number;        /* 1 + its index in the answer */
};

struct arrow {
	unsigned int from, to;  /* indexes of tracks in the request */
	uint64_t at_ns;
};

struct op_spans_asked {
	const struct rs_spans_request *request;
	struct rs_json *j;
	struct rs_timelines *t;
	struct rs_track_ref tracks[RS_MAX_SPANS_TRACKS]; /* id 0 of RS_TRACK_TASK: of all tasks of a name */
	size_t nr_tracks, at;
	struct rs_track_info *named; /* the tracks of all tasks; NULL: no name was asked for */
	size_t nr_named;
	struct rs_cells cells;
	struct rs_opens opens;
	/* the row that is being written */
	enum rs_span_shape shape;
	unsigned int depth;
	bool row_is_open;
	bool is_history;       /* these runs are of the line below: see op_spans_put_history */
	struct label slots[NR_LABELS];
	struct label *labels[NR_LABELS];
	unsigned int nr_labels;
	struct arrow arrows[MAX_ARROWS];
	unsigned int nr_arrows;
};

/* ---- labels ---- */

static unsigned int label_of(struct op_spans_asked *a, const struct rs_cell_run *run)
{
	uint64_t hash = rs_hash_u64(run->style ^ (uint64_t)run->kind << 48);
	struct label *l;

	for (unsigned int i = 0; i < NR_LABELS; i++) {
		l = &a->slots[(hash + i) & (NR_LABELS - 1)];
		if (l->number && l->style == run->style && l->kind == run->kind)
			return l->number - 1u;
		if (!l->number && a->nr_labels < NR_LABELS) {
			*l = (struct label){ run->style, run->kind, (uint16_t)(a->nr_labels + 1) };
			a->labels[a->nr_labels++] = l;
			return l->number - 1u;
		}
	}
	return 0;
}

static void op_spans_put_labels(struct op_spans_asked *a)
{
	char buf[128];

	rs_message_open_list(a->j, "labels");
	for (unsigned int i = 0; i < a->nr_labels; i++) {
		struct rs_timeline_span s = { .arg = a->labels[i]->style, .kind = a->labels[i]->kind,
					      .end_ns = a->cells.from_ns + a->cells.nr * a->cells.cell_ns };

		rs_json_str(a->j, rs_timelines_label(a->t, &s, buf, sizeof buf));
	}
	rs_json_close(a->j, ']');
}

/* ---- arrows ---- */

/* Returns the instance of the tid that had begun by then, among the shown tracks. */
static int shown_task(const struct op_spans_asked *a, int32_t tid, uint64_t at_ns)
{
	struct rs_track_ref ref;

	for (size_t i = 0; i < a->nr_tracks; i++) {
		if (rs_track_tid(&a->tracks[i]) != tid)
			continue;
		if (!rs_track_of_tid(a->t, tid, at_ns, &ref))
			return -1;
		for (; i < a->nr_tracks; i++)
			if (a->tracks[i].of == RS_TRACK_TASK && a->tracks[i].id == ref.id)
				return (int)i;
		return -1;
	}
	return -1;
}

static void op_spans_on_span(void *arg, const struct rs_timeline_span *s)
{
	struct op_spans_asked *a = arg;
	int32_t tid = rs_state_waker(s->arg);
	int from;

	if (rs_state_of(s->arg) != RS_DELAY || tid <= 0 || a->nr_arrows == MAX_ARROWS ||
	    s->start_ns < a->cells.from_ns)
		return;
	from = shown_task(a, tid, s->start_ns);
	if (from >= 0)
		a->arrows[a->nr_arrows++] = (struct arrow){ (unsigned int)from, (unsigned int)a->at,
							    s->start_ns };
}

static void put_arrows(const struct op_spans_asked *a)
{
	rs_message_open_list(a->j, "arrows");
	for (const struct arrow *w = a->arrows; w < a->arrows + a->nr_arrows; w++)
		rs_message_put(a->j, &rs_wire_arrow_message, &(struct rs_wire_arrow){
			a->request->tracks[w->from], a->request->tracks[w->to], w->at_ns });
	rs_json_close(a->j, ']');
}

/* ---- rows ---- */

static void end_row(struct op_spans_asked *a)
{
	if (!a->row_is_open)
		return;
	rs_json_close(a->j, ']');
	rs_json_close(a->j, '}');
	a->row_is_open = false;
}

static void begin_row(struct op_spans_asked *a, unsigned int depth)
{
	end_row(a);
	rs_json_open(a->j, '{');
	rs_message_put_members(a->j, &rs_spans_row_message,
			       &(struct rs_spans_row){ .shape = a->shape, .depth = depth });
	rs_message_open_list(a->j, "runs");
	a->depth = depth;
	a->row_is_open = true;
}

static void on_run(void *arg, unsigned int depth, const struct rs_cell_run *run)
{
	struct op_spans_asked *a = arg;
	bool states = a->shape == RS_SPAN_STATE && a->tracks[a->at].of == RS_TRACK_TASK;

	depth += a->is_history;
	if (!a->row_is_open || depth != a->depth)
		begin_row(a, depth);
	rs_message_put(a->j, &rs_wire_run_message, &(struct rs_wire_run){
		.from = run->from, .to = run->to, .kind = run->kind, .label = label_of(a, run),
		.state = states ? (uint32_t)run->style : 0, .nr = run->nr, .eighths = run->eighths,
	});
}

static bool op_spans_put_shapes(struct op_spans_asked *a)
{
	struct rs_track_cells_request ask = {
		.ref = a->tracks[a->at], .cells = a->cells, .opens = &a->opens, .run = on_run, .arg = a,
	};
	bool ok = true;

	for (unsigned int shape = 0; ok && shape < RS_NR_SPAN_SHAPES; shape++) {
		a->shape = ask.shape = (enum rs_span_shape)shape;
		ask.span = a->shape == RS_SPAN_STATE && ask.ref.of == RS_TRACK_TASK ? op_spans_on_span : NULL;
		ok = rs_track_cells_draw(a->t, &ask);
		end_row(a);
	}
	return ok;
}

/* Of a task's states, below what took most of each cell. */
static bool op_spans_put_history(struct op_spans_asked *a)
{
	bool ok;

	if (!a->request->history || a->tracks[a->at].of != RS_TRACK_TASK)
		return true;
	a->shape = RS_SPAN_STATE;
	a->is_history = true;
	ok = rs_track_cells_draw(a->t, &(struct rs_track_cells_request){
		.ref = a->tracks[a->at], .shape = RS_SPAN_STATE, .is_history = true, .cells = a->cells,
		.opens = &a->opens, .run = on_run, .arg = a });
	end_row(a);
	a->is_history = false;
	return ok;
}

static bool op_spans_put_named(struct op_spans_asked *a, const char *name)
{
	bool ok;

	a->shape = RS_SPAN_STATE;
	ok = rs_name_cells_draw(a->t, &(struct rs_name_cells_request){
		.name = name, .tracks = a->named, .nr_tracks = a->nr_named, .cells = a->cells,
		.opens = &a->opens, .run = on_run, .arg = a });
	end_row(a);
	return ok;
}

static bool op_spans_put_track(struct op_spans_asked *a)
{
	const char *track = a->request->tracks[a->at], *name = rs_name_cells_read(track);
	bool ok;

	rs_json_open(a->j, '{');
	rs_message_put_members(a->j, &rs_spans_track_message, &(struct rs_spans_track){ .track = track });
	rs_message_open_list(a->j, "lanes");
	ok = name ? op_spans_put_named(a, name) : op_spans_put_shapes(a) && op_spans_put_history(a);
	rs_json_close(a->j, ']');
	rs_json_close(a->j, '}');
	return ok;
}

/* ---- job ---- */

static int op_spans_read_tracks(struct op_spans_asked *a, struct rs_error *err)
{
	for (size_t i = 0; i < a->nr_tracks; i++) {
		const char *name = a->request->tracks[i];

		if (rs_name_cells_read(name))
			a->tracks[i].of = RS_TRACK_TASK;
		else if (rs_job_read_track(name, &a->tracks[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Lists them once for all names. */
static void op_spans_list_named(struct op_spans_asked *a)
{
	const struct rs_track_ask ask = {
		.of = RS_TRACK_TASK, .from_ns = a->cells.from_ns,
		.to_ns = a->cells.from_ns + a->cells.nr * a->cells.cell_ns, .limit = SIZE_MAX,
	};
	bool any = false;

	for (size_t i = 0; i < a->nr_tracks; i++)
		any |= rs_name_cells_read(a->request->tracks[i]) != NULL;
	if (any)
		a->named = rs_tracks_list(a->t, &ask, &a->nr_named);
}

/* Without a time range: all available data. */
static int read_cells(struct rs_job *job, struct op_spans_asked *a, struct rs_error *err)
{
	uint64_t from_ns, to_ns, cells = a->request->cells;
	struct rs_service_stats stats;

	if (rs_job_read_time(&a->request->time, &from_ns, &to_ns, err) < 0)
		return -1;
	if (!cells)
		return rs_fail_usage(err, "cells is 1 at least");
	if (cells * a->nr_tracks > MAX_ALL_CELLS) {
		job->code = "limit";
		return rs_fail(
			err, "%zu tracks of %llu cells are too many (ask for %d cells of all tracks at most)",
			a->nr_tracks, (unsigned long long)cells, MAX_ALL_CELLS);
	}
	rs_service_stats(job->service, &stats);
	from_ns = from_ns ? from_ns : stats.from_ns;
	to_ns = to_ns == UINT64_MAX ? stats.now_ns : to_ns;
	a->cells = rs_track_cells_count(from_ns, to_ns, (unsigned int)cells);
	return 0;
}

static int op_spans_put_answer(struct rs_job *job, struct op_spans_asked *a, struct rs_error *err)
{
	bool ok = rs_track_cells_add_in_flight(&a->opens, a->t, job->service->session);

	rs_message_put_members(a->j, &rs_spans_reply_message, &(struct rs_spans_reply){
		.from_ns = a->cells.from_ns, .cell_ns = a->cells.cell_ns, .cells = a->cells.nr });
	rs_message_open_list(a->j, "tracks");
	for (a->at = 0; ok && a->at < a->nr_tracks; a->at++)
		ok = op_spans_put_track(a);
	rs_json_close(a->j, ']');
	op_spans_put_labels(a);
	put_arrows(a);
	rs_track_cells_free_in_flight(&a->opens);
	return ok ? 0 : rs_fail(err, "cannot show tracks: out of memory");
}

static int op_spans_run(struct rs_job *job, struct rs_error *err)
{
	struct op_spans_asked *a = calloc(1, sizeof *a);
	int status = -1;

	if (!a)
		return rs_fail(err, "cannot show tracks: out of memory");
	a->request = job->request;
	a->nr_tracks = a->request->nr_tracks;
	a->j = &job->reply;
	a->t = job->service->timelines;
	if (op_spans_read_tracks(a, err) == 0 && read_cells(job, a, err) == 0) {
		op_spans_list_named(a);
		status = op_spans_put_answer(job, a, err);
	}
	free(a->named);
	free(a);
	return status;
}

const struct rs_op rs_op_spans = { .name = "spans", .run = op_spans_run };
