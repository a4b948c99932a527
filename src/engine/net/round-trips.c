// SPDX-License-Identifier: GPL-2.0-or-later
/* round-trips - waits for the answer to what a task has sent before */
#include "engine/net/round-trips.h"

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/files/fd-sockets.h"
#include "engine/internal.h"
#include "engine/net/polls.h"
#include "ringside/socket.h"

#define ROUND_TRIPS_SMALL_BYTES 1400 /* less than a segment: it may wait for an ACK (Nagle) */

/* By how much TCP delays an ACK: Linux at least 40 ms, others 200 ms; with what timers and tasks need. */
static const struct { uint64_t from_ns, to_ns; } round_trips_delays[] = {
	{ 36000000, 60000000 }, { 190000000, 220000000 },
};

/* Of a thread, since its last wait for an answer: what it sent, all to one descriptor. */
struct round_trips_task {
	uint64_t fd, nr_bytes;
	unsigned int nr_sends;
	bool is_small;              /* each of them */
	bool by_send;               /* each by a call for sockets, without an address: a poll may be for it */
	bool is_delayed;            /* the last wait for an answer was one for an ACK */
	uint64_t wait_ns;           /* when that began */
};

static void round_trips_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct round_trips_task *d = rs_task_data(c, call->task);
	bool has_address = rs_call_is(c, call->nr, RS_CLASS_ADDRESS) && call->args[4];

	bool is_send = rs_call_is(c, call->nr, RS_CLASS_SEND) && !has_address;

	if (call->in_flight || call->discarded || !call->ret_known || call->ret <= 0)
		return;
	/* a file that was written to may have had the number of the socket */
	if (!d->nr_sends || d->fd != call->args[0] || d->by_send != is_send) {
		d->fd = call->args[0];
		d->nr_bytes = d->nr_sends = 0;
		d->is_small = true;
		d->by_send = is_send;
	}
	d->nr_sends++;
	d->nr_bytes += (uint64_t)call->ret;
	d->is_small &= call->ret < ROUND_TRIPS_SMALL_BYTES;
}

static bool round_trips_is_delay(uint64_t ns)
{
	for (size_t i = 0; i < sizeof round_trips_delays / sizeof *round_trips_delays; i++)
		if (ns >= round_trips_delays[i].from_ns && ns <= round_trips_delays[i].to_ns)
			return true;
	return false;
}

/*
 * In a poll it is taken for the answer, where only sockets were sent to, or what ended it is known to be that
 * socket.
 */
static bool round_trips_polls(struct rs_ctx *c, struct rs_task *t, const struct round_trips_task *d)
{
	const struct rs_socket *socket;

	if (!rs_call_is(c, t->syscall, RS_POLLS_CLASSES))
		return false;
	socket = rs_task_socket(c, t);
	return socket ? rs_fd_sockets_number(c, t, (int32_t)d->fd) == socket->number : d->by_send;
}

/* A wait for the answer. */
static void round_trips_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_task *t = iv->task;
	struct round_trips_task *d = t && !iv->in_flight ? rs_task_data(c, t) : NULL;
	struct rs_round_trip trip;
	bool receives;

	if (!d || !d->nr_sends || iv->letter != 'S' || t->syscall < 0)
		return;
	receives = rs_call_is(c, t->syscall, RS_CLASS_READ | RS_CLASS_RECEIVE) && t->syscall_args[0] == d->fd;
	if (!receives && !round_trips_polls(c, t, d))
		return;
	trip = (struct rs_round_trip){
		.wait = iv, .call = t->syscall, .nr_sends = d->nr_sends, .nr_bytes = d->nr_bytes,
		.is_split = d->nr_sends >= 2 && d->is_small,
	};
	trip.is_delayed = trip.is_split && round_trips_is_delay(iv->to_ns - iv->from_ns);
	d->nr_sends = 0;
	d->is_delayed = trip.is_delayed;
	d->wait_ns = iv->from_ns;
	if (!iv->discarded)
		RS_DISPATCH(&c->session->dispatch.on[RS_ON_ROUND_TRIP], round_trip, &trip);
}

bool rs_round_trips_is_delayed(const struct rs_ctx *c, const struct rs_interval *wait)
{
	const struct round_trips_task *d = rs_task_data(rs_part_ctx(c->session, RS_ENGINE_ROUND_TRIPS),
							wait->task);

	return d->is_delayed && d->wait_ns == wait->from_ns;
}

bool rs_round_trips_asks(const struct rs_ctx *c, const struct rs_interval *wait,
			 const struct rs_socket *socket)
{
	const struct round_trips_task *d = rs_task_data(rs_part_ctx(c->session, RS_ENGINE_ROUND_TRIPS),
							wait->task);

	return socket->side == RS_SIDE_CLIENT && d->wait_ns == wait->from_ns &&
	       rs_fd_sockets_number(c, wait->task, (int32_t)d->fd) == socket->number;
}

const struct rs_analysis rs_engine_round_trips = {
	.abi = RS_ABI, .name = "round-trips",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = round_trips_on_interval,
					    .kinds = 1 << RS_BLOCKED },
			     { RS_ON_CALL, .call = round_trips_on_call,
			       .kinds = 1 << RS_CALL_WRITE | 1 << RS_CALL_SEND }),
	.task_size = sizeof(struct round_trips_task),
};
