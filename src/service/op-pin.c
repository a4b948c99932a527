// SPDX-License-Identifier: GPL-2.0-or-later
/* op-pin.c - keeps the pages and spans of a time while their client looks at it: source/window-pins.h */
#include "service/pinned-open.h"
#include "service/service.h"

#define OP_PIN_BEFORE_NS 1000000000ull     /* what a time range reads before its begin */
#define OP_PIN_WAITS_NS 10000000000ull     /* and how much earlier the slowest waits of it may have begun */
#define OP_PIN_SLOWEST 16                  /* of each kind */

/* Returns when the first of the slowest spans began that ended from from_ns on: what a path of them shows. */
static uint64_t op_pin_begin_of_slowest(const struct rs_timelines *t, uint64_t from_ns)
{
	uint64_t least_ns = from_ns > OP_PIN_WAITS_NS ? from_ns - OP_PIN_WAITS_NS : 0, begin_ns = from_ns;
	struct rs_long_span spans[OP_PIN_SLOWEST];

	for (unsigned int kind = 0; rs_timelines_kind_number(t, kind); kind++) {
		const struct rs_slowest_kept *kept = rs_timelines_slowest(t, kind);
		size_t nr = kept ? rs_slowest_kept_get(kept, from_ns, spans, OP_PIN_SLOWEST) : 0;

		for (size_t i = 0; i < nr; i++)
			if (spans[i].span.start_ns < begin_ns && !rs_timelines_by_choice(t, &spans[i].span))
				begin_ns = spans[i].span.start_ns;
	}
	return begin_ns > least_ns ? begin_ns : least_ns;
}

static int op_pin_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_pin_request *request = job->request;
	struct rs_service *s = job->service;
	struct rs_window_pin pin = { .client = job->client, .uid = job->uid };
	struct rs_service_stats stats;

	if (!s->window)
		return rs_fail_usage(err, "pin: a file keeps all that it has");
	if (!request->time.from_ns.known || !request->time.to_ns.known)
		return rs_fail_usage(err, "pin: \"from_ns\" or \"to_ns\" is missing");
	if (rs_job_read_time(&request->time, &pin.from_ns, &pin.to_ns, err) < 0)
		return -1;
	rs_service_stats(s, &stats);
	pin.to_ns = pin.to_ns < stats.now_ns ? pin.to_ns : stats.now_ns;
	pin.from_ns = op_pin_begin_of_slowest(s->timelines, pin.from_ns);
	pin.from_ns -= pin.from_ns > OP_PIN_BEFORE_NS ? OP_PIN_BEFORE_NS : pin.from_ns;
	if (rs_window_pins_set(s->window, &pin, err) < 0) {
		job->code = "expired";
		return -1;
	}
	if (!rs_job_is_requested(job)) /* the server has forgotten the client already */
		rs_window_pins_clear(s->window, job->client);
	rs_service_hold_pinned(s);
	rs_pinned_open_set(s, job->client);
	rs_message_put_members(&job->reply, &rs_pin_reply_message,
			       &(struct rs_pin_reply){ pin.from_ns, pin.to_ns, pin.bytes });
	return 0;
}

const struct rs_op rs_op_pin = { .name = "pin", .is_quick = true, .run = op_pin_run };

static int op_unpin_run(struct rs_job *job, struct rs_error *err)
{
	(void)err;
	rs_service_forget_client(job->service, job->client);
	rs_service_hold_pinned(job->service);
	if (job->service->window)
		rs_pinned_open_expire(job->service);
	return 0;
}

const struct rs_op rs_op_unpin = { .name = "unpin", .is_quick = true, .run = op_unpin_run };
