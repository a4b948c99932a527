// SPDX-License-Identifier: GPL-2.0-or-later
/* op-size.c - how many bytes a recording of a time range has, about: before somebody saves it */
#include "service/service.h"

/* All bytes of a file, in proportion to the part of its time. */
static uint64_t op_size_of_file(const struct rs_service_stats *stats, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t all_ns = stats->now_ns > stats->from_ns ? stats->now_ns - stats->from_ns : 0;

	from_ns = from_ns > stats->from_ns ? from_ns : stats->from_ns;
	to_ns = to_ns < stats->now_ns ? to_ns : stats->now_ns;
	if (!all_ns || to_ns <= from_ns)
		return 0;
	return (uint64_t)((unsigned __int128)stats->all_bytes * (to_ns - from_ns) / all_ns);
}

static int op_size_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_size_request *request = job->request;
	struct rs_service *s = job->service;
	struct rs_service_stats stats;
	struct rs_size_reply reply;
	uint64_t from_ns, to_ns;

	if (rs_job_read_time(&request->time, &from_ns, &to_ns, err) < 0)
		return -1;
	rs_service_stats(s, &stats);
	reply.bytes = s->window ? rs_window_pins_estimate(s->window, from_ns, to_ns) :
				  op_size_of_file(&stats, from_ns, to_ns);
	rs_message_put_members(&job->reply, &rs_size_reply_message, &reply);
	return 0;
}

const struct rs_op rs_op_size = { .name = "size", .is_quick = true, .run = op_size_run };
