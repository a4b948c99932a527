// SPDX-License-Identifier: GPL-2.0-or-later
/* A span, who woke its task, and who took its CPU: what the timeline itself says. Its details are read anew, see op-details.c. */
#include "query/find-span.h"
#include "service/service.h"
#include "query/wakers.h"
#include "rpc/wire-span.h"
#include "rpc/wire.h"

static int op_span_read_ask(const cJSON *r, const struct rs_timelines *t, struct rs_find_span *ask, struct rs_error *err)
{
	uint64_t depth;

	if (rs_wire_span_read_track(r, &ask->ref, err) < 0 || rs_wire_span_read_row(r, &ask->lane, err) < 0 ||
	    rs_wire_span_read_number(r, "at_ns", UINT64_MAX, UINT64_MAX, &ask->at_ns, err) < 0 ||
	    rs_wire_span_read_number(r, "for_ns", 0, UINT64_MAX, &ask->for_ns, err) < 0 ||
	    rs_wire_span_read_number(r, "depth", UINT64_MAX, UINT64_MAX, &depth, err) < 0 ||
	    rs_wire_span_read_number(r, "start_ns", UINT64_MAX, UINT64_MAX, &ask->start_ns, err) < 0 ||
	    rs_wire_span_read_number(r, "end_ns", ask->start_ns, UINT64_MAX, &ask->end_ns, err) < 0)
		return -1;
	ask->depth_known = depth < RS_TRACK_DEPTHS - 1; /* in the last row of a picture lies what is deeper */
	ask->depth = (unsigned int)depth;
	ask->exact = ask->start_ns != UINT64_MAX;
	ask->kind_known = cJSON_GetObjectItemCaseSensitive(r, "kind") != NULL;
	if (ask->kind_known && rs_wire_span_read_kind(r, t, &ask->kind, err) < 0)
		return -1;
	if (ask->exact ? ask->end_ns < ask->start_ns || ask->end_ns == UINT64_MAX : ask->at_ns == UINT64_MAX)
		return rs_fail_usage(err, "which span? (at_ns, or start_ns and end_ns)");
	return 0;
}

static void put_waker(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s)
{
	struct rs_track_info info = { .tid = 0 };
	struct rs_waker w;

	rs_json_key(j, "waker");
	if (!rs_wakers_find(t, s, &w)) {
		rs_json_null(j);
		return;
	}
	if (w.track_known)
		rs_track_details(t, &w.ref, &info);
	rs_json_open(j, '{');
	rs_wire_put_track(j, "track", w.track_known ? &w.ref : NULL);
	rs_json_put_u64(j, "tid", (uint64_t)w.tid); /* 0: an interrupt */
	rs_json_put_str(j, "comm", w.track_known ? info.label : NULL);
	rs_json_key(j, "at_ns");
	rs_wire_u64(j, w.at_ns);
	rs_json_close(j, '}');
}

static void put_taker(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s)
{
	struct rs_track_info info = { .tid = 0 };
	struct rs_taker taker;

	rs_json_key(j, "taker");
	if (!rs_wakers_find_preemptor(t, s, &taker)) {
		rs_json_null(j);
		return;
	}
	rs_track_details(t, &taker.ref, &info);
	rs_json_open(j, '{');
	rs_wire_put_track(j, "track", &taker.ref);
	rs_json_put_u64(j, "tid", (uint64_t)taker.tid);
	rs_json_put_str(j, "comm", info.label);
	rs_json_key(j, "ran_ns");
	rs_wire_u64(j, taker.ran_ns);
	rs_json_close(j, '}');
}

static int op_span_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_timelines *t = rs_service_timelines(job->service);
	struct rs_opens opens = { .nr = 0 };
	struct rs_find_span ask = { .opens = &opens };
	struct rs_slowest_span s;
	unsigned int depth;
	bool found;

	if (op_span_read_ask(job->request, t, &ask, err) < 0)
		return -1;
	rs_track_cells_add_in_flight(&opens, t, rs_service_session(job->service));
	s = (struct rs_slowest_span){ .ref = ask.ref, .lane = ask.lane };
	found = rs_find_span(t, &ask, &s.span, &depth);
	rs_track_cells_free_in_flight(&opens);
	rs_json_key(&job->reply, "span");
	if (!found) {
		rs_json_null(&job->reply);
		return 0;
	}
	rs_wire_span(&job->reply, t, &s, depth);
	put_waker(&job->reply, t, &s);
	put_taker(&job->reply, t, &s);
	return 0;
}

const struct rs_op rs_op_span = { .name = "span", .place = RS_OP_ENGINE, .run = op_span_run };
