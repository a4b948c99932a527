// SPDX-License-Identifier: GPL-2.0-or-later
/* capture-ask - what the engine asks the guardian: descriptors, sockets, names of containers */
#include "base/pidns.h"
#include "capture/capture.h"
#include "source/trace-clock.h"

static bool capture_ask_fd(void *arg, int32_t pid, int32_t fd)
{
	const struct rs_capture *c = arg;
	clockid_t clock;

	return rs_trace_clock_id(c->plan.plan.clock, &clock) &&
	       rs_guardian_ask_fd(c->instance.ask_fd, pid, fd, clock);
}

/* What a container is called holds for as long as it lives: the reply's time is of no interest. */
static bool capture_ask_container(void *arg, int32_t pid, int32_t fd)
{
	const struct rs_capture *c = arg;

	return rs_guardian_ask_fd(c->instance.names_fd, pid, fd, CLOCK_MONOTONIC);
}

static bool capture_take_container(void *arg, struct rs_fd_reply *reply)
{
	const struct rs_capture *c = arg;

	return rs_guardian_take_reply(c->instance.names_fd, reply);
}

struct rs_fd_requester rs_capture_container_requester(struct rs_capture *c)
{
	if (rs_pidns() == RS_PIDNS_OTHER)
		return (struct rs_fd_requester){ 0 };
	return (struct rs_fd_requester){ capture_ask_container, capture_take_container, c };
}

static bool capture_take_fd(void *arg, struct rs_fd_reply *reply)
{
	const struct rs_capture *c = arg;

	return rs_guardian_take_reply(c->instance.ask_fd, reply);
}

struct rs_fd_requester rs_capture_fd_requester(struct rs_capture *c)
{
	clockid_t clock;

	bool others_share = c->plan.plan.nr_tids > 0 && (c->config->nr_pids || c->config->nr_tids);

	if (c->plan.plan.cpus || others_share || rs_pidns() == RS_PIDNS_OTHER ||
	    !rs_trace_clock_id(c->plan.plan.clock, &clock))
		return (struct rs_fd_requester){ 0 };
	return (struct rs_fd_requester){ capture_ask_fd, capture_take_fd, c };
}
