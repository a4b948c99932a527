// SPDX-License-Identifier: GPL-2.0-or-later
/* On all tracks of a screen millions may be passed over: so many in a turn, and the rest in later ones. */
#include <string.h>

#include "service/service.h"
#include "query/step.h"
#include "rpc/wire-span.h"
#include "rpc/wire.h"

#define OP_STEP_SPANS_PER_BATCH 100000 /* spans that are looked at: some ten nanoseconds each */

static int read_than(const cJSON *request, struct rs_step *step, struct rs_error *err)
{
	const cJSON *than = cJSON_GetObjectItemCaseSensitive(request, "than");

	step->than_known = than && !cJSON_IsNull(than);
	if (!step->than_known)
		return 0;
	if (!rs_wire_u64_of(than, "end_ns", UINT64_MAX, &step->than.end_ns) ||
	    !rs_wire_u64_of(than, "start_ns", step->than.end_ns, &step->than.start_ns) ||
	    step->than.end_ns == UINT64_MAX || step->than.start_ns > step->than.end_ns)
		return rs_fail_usage(err, "than has start_ns and end_ns, in this order");
	return 0;
}

static int op_step_read_tracks(const cJSON *request, struct rs_step *step, struct rs_error *err)
{
	enum rs_span_shape lane;

	step->lanes = (1u << RS_NR_SPAN_SHAPES) - 1;
	if (!cJSON_GetObjectItemCaseSensitive(request, "lane"))
		return 0;
	if (rs_wire_span_read_row(request, &lane, err) < 0)
		return -1;
	step->lanes = 1u << lane;
	return 0;
}

static int read_step(struct rs_job *job, struct rs_step *step, struct rs_track_ref *tracks, struct rs_error *err)
{
	const char *by = rs_wire_text_of(job->request, "by");

	if (by && strcmp(by, "length") && strcmp(by, "end"))
		return rs_fail_usage(err, "by is \"end\" or \"length\"");
	step->by_duration = by && !strcmp(by, "length");
	step->all_tracks = step->by_duration && !cJSON_GetObjectItemCaseSensitive(job->request, "track") &&
			   !cJSON_GetObjectItemCaseSensitive(job->request, "tracks");
	if ((!step->all_tracks && rs_wire_span_read_tracks(job->request, tracks, RS_STEP_TRACKS, &step->nr_tracks, err) < 0) ||
	    op_step_read_tracks(job->request, step, err) < 0 || read_than(job->request, step, err) < 0 ||
	    rs_wire_span_read_number(job->request, "min_ns", 0, UINT64_MAX, &step->min_ns, err) < 0 ||
	    rs_wire_span_read_time(job->request, &step->from_ns, &step->to_ns, err) < 0)
		return -1;
	step->back = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(job->request, "back"));
	return 0;
}

static struct rs_stepping *op_step_begin(struct rs_job *job, struct rs_error *err)
{
	struct rs_track_ref tracks[RS_STEP_TRACKS];
	struct rs_step step = { .tracks = tracks };
	struct rs_stepping *s;

	if (read_step(job, &step, tracks, err) < 0)
		return NULL;
	s = rs_step_new(rs_service_timelines(job->service), &step);
	if (!s)
		rs_fail(err, "cannot look for a span: out of memory");
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
		rs_wire_span(&job->reply, rs_service_timelines(job->service), &found, RS_DEPTH_UNKNOWN);
	else
		rs_json_null(&job->reply);
	return 0;
}

const struct rs_op rs_op_step = { .name = "step", .place = RS_OP_ENGINE, .run = op_step_run };
