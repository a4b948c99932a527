// SPDX-License-Identifier: GPL-2.0-or-later
/* A step over all tracks of a screen may pass millions of spans: a part in each batch, the rest in later ones. */
#include "service/service.h"
#include "query/step.h"

#define OP_STEP_SPANS_PER_BATCH 100000 /* spans to check: about ten nanoseconds each */

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

static int read_step(const struct rs_step_request *r, struct rs_step *step, struct rs_track_ref *tracks, struct rs_error *err)
{
	*step = (struct rs_step){
		.tracks = tracks, .nr_tracks = r->tracks ? r->nr_tracks : 1, .by_duration = r->by == RS_STEP_BY_LENGTH, .back = r->back,
		.min_ns = r->min_ns, .shapes = r->shape.known ? 1u << r->shape.u : (1u << RS_NR_SPAN_SHAPES) - 1,
		.all_tracks = r->by == RS_STEP_BY_LENGTH && !r->track && !r->tracks,
	};
	if (step->all_tracks)
		step->nr_tracks = 0;
	if ((step->nr_tracks && rs_op_read_tracks(r->tracks ? r->tracks : &r->track, step->nr_tracks, tracks, err) < 0) ||
	    read_than(r->than, step, err) < 0 || rs_op_read_time(&r->time, &step->from_ns, &step->to_ns, err) < 0)
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
		rs_op_put_span(&job->reply, job->service->timelines, &found, UINT32_MAX);
	else
		rs_json_null(&job->reply);
	return 0;
}

const struct rs_op rs_op_step = { .name = "step", .run = op_step_run };
