// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * op-span.c - finds one span: by its place or times, or the next one after another
 *
 * A span comes with its waker, and the task that took its CPU: from the timeline alone. op-details.c reads
 * the details from the pages.
 */
#include "query/find-span.h"
#include "query/step.h"
#include "query/wakers.h"
#include "service/service.h"

#define OP_STEP_SPANS_PER_BATCH \
	100000 /* of a step over all tracks, which may pass millions: about ten nanoseconds each */

/* ---- span ---- */

static int op_span_read_ask(const struct rs_span_request *r, const struct rs_timelines *t,
			    struct rs_find_span *ask, struct rs_error *err)
{
	*ask = (struct rs_find_span){
		.opens = ask->opens, .shape = r->shape, .at_ns = r->at_ns.u, .for_ns = r->for_ns,
		/* the last row of a picture also has all deeper spans */
		.depth_known = r->depth.known && r->depth.u < RS_TRACK_DEPTHS - 1,
		.depth = (unsigned int)r->depth.u, .exact = r->start_ns.known, .start_ns = r->start_ns.u,
		.end_ns = r->end_ns.known ? r->end_ns.u : r->start_ns.u,
		.kind_known = r->kind.is != RS_SCALAR_NULL,
	};
	if (rs_job_read_track(r->track, &ask->ref, err) < 0 ||
	    (ask->kind_known && rs_job_read_kind(&r->kind, t, &ask->kind, err) < 0))
		return -1;
	if (ask->exact ? ask->end_ns < ask->start_ns : !r->at_ns.known)
		return rs_fail_usage(err, "which span? (at_ns, or start_ns and end_ns)");
	return 0;
}

static void put_waker(struct rs_json *j, struct rs_timelines *t, const struct rs_waker *w)
{
	struct rs_track_info info = { .tid = 0 };
	char track[RS_TRACK_NAME];

	if (w->track_known) {
		rs_track_details(t, &w->ref, w->at_ns, &info);
		rs_track_name(&w->ref, track);
	}
	rs_message_put(j, &rs_span_waker_message, &(struct rs_span_waker){
		.track = w->track_known ? track : NULL, .comm = w->track_known ? info.label : NULL,
		.tid = w->tid, .at_ns = w->at_ns });
}

/* at_ns: the end of the wait: the taker had the CPU until then, or a part of it. */
static void put_taker(struct rs_json *j, struct rs_timelines *t, const struct rs_taker *taker, uint64_t at_ns)
{
	struct rs_track_info info = { .tid = 0 };
	char track[RS_TRACK_NAME];

	rs_track_details(t, &taker->ref, at_ns, &info);
	rs_track_name(&taker->ref, track);
	rs_message_put(j, &rs_span_taker_message, &(struct rs_span_taker){
		.track = track, .comm = info.label, .tid = taker->tid, .ran_ns = taker->ran_ns });
}

static int op_span_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_timelines *t = job->service->timelines;
	struct rs_opens opens = { .nr = 0 };
	struct rs_find_span ask = { .opens = &opens };
	struct rs_slowest_span s;
	struct rs_waker waker;
	struct rs_taker taker;
	unsigned int depth;
	bool found;

	if (op_span_read_ask(job->request, t, &ask, err) < 0)
		return -1;
	rs_track_cells_add_in_flight(&opens, t, job->service->session);
	s = (struct rs_slowest_span){ .ref = ask.ref, .shape = ask.shape };
	found = rs_find_span(t, &ask, &s.span, &depth);
	rs_track_cells_free_in_flight(&opens);
	rs_json_key(&job->reply, "span");
	if (!found) {
		rs_json_null(&job->reply);
		return 0;
	}
	rs_job_put_span(&job->reply, t, &s, depth);
	rs_json_key(&job->reply, "waker");
	if (rs_wakers_find(t, &s, &waker))
		put_waker(&job->reply, t, &waker);
	else
		rs_json_null(&job->reply);
	rs_json_key(&job->reply, "taker");
	if (rs_wakers_find_preemptor(t, &s, &taker))
		put_taker(&job->reply, t, &taker, s.span.end_ns);
	else
		rs_json_null(&job->reply);
	return 0;
}

const struct rs_op rs_op_span = { .name = "span", .run = op_span_run };

/* ---- step ---- */

static int read_than(const struct rs_step_than *than, struct rs_step *step, struct rs_error *err)
{
	step->than_known = than;
	if (!than)
		return 0;
	step->than.end_ns = than->end_ns.u;
	step->than.start_ns = than->start_ns.known ? than->start_ns.u : than->end_ns.u;
	if (!than->end_ns.known || than->end_ns.u == UINT64_MAX || step->than.start_ns > step->than.end_ns)
		return rs_fail_usage(err, "than has start_ns and end_ns, in this order");
	return 0;
}

static int read_step(const struct rs_step_request *r, struct rs_step *step, struct rs_track_ref *tracks,
		     struct rs_error *err)
{
	*step = (struct rs_step){
		.tracks = tracks, .nr_tracks = r->tracks ? r->nr_tracks : 1,
		.by_duration = r->by == RS_STEP_BY_LENGTH, .back = r->back,
		.min_ns = r->min_ns,
		.shapes = r->shape.known ? 1u << r->shape.u : (1u << RS_NR_SPAN_SHAPES) - 1,
		.all_tracks = r->by == RS_STEP_BY_LENGTH && !r->track && !r->tracks,
	};
	if (step->all_tracks)
		step->nr_tracks = 0;
	if ((step->nr_tracks &&
	     rs_job_read_tracks(r->tracks ? r->tracks : &r->track, step->nr_tracks, tracks, err) < 0) ||
	    read_than(r->than, step, err) < 0 ||
	    rs_job_read_time(&r->time, &step->from_ns, &step->to_ns, err) < 0)
		return -1;
	return 0;
}

static struct rs_stepping *op_step_begin(struct rs_job *job, struct rs_error *err)
{
	struct rs_track_ref tracks[RS_STEP_TRACKS];
	struct rs_step step;
	struct rs_stepping *s;

	if (read_step(job->request, &step, tracks, err) < 0)
		return NULL;
	s = rs_step_new(job->service->timelines, &step);
	if (!s)
		rs_fail(err, "cannot find a span: out of memory");
	return s;
}

static void op_step_forget(void *stepping)
{
	rs_step_free(stepping);
}

static int op_step_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_slowest_span found;

	if (!job->cached) {
		job->cached = op_step_begin(job, err);
		job->free_cached = op_step_forget;
	}
	if (!job->cached)
		return -1;
	if (rs_step_go(job->cached, OP_STEP_SPANS_PER_BATCH))
		return RS_OP_AGAIN;
	rs_json_key(&job->reply, "span");
	if (rs_step_found(job->cached, &found))
		rs_job_put_span(&job->reply, job->service->timelines, &found, UINT32_MAX);
	else
		rs_json_null(&job->reply);
	return 0;
}

const struct rs_op rs_op_step = { .name = "step", .run = op_step_run };
