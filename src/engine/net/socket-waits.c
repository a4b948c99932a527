// SPDX-License-Identifier: GPL-2.0-or-later
/* socket-waits - what a wait in a call on a socket is for, as far as the sockets of both ends tell */
#include "engine/net/socket-waits.h"

#include "engine/files/fd-sockets.h"
#include "engine/net/polls.h"
#include "engine/net/round-trips.h"
#include "ringside/culprit.h"
#include "ringside/plugin.h"

#define SOCKET_WAITS_SENDS (RS_CLASS_SEND | RS_CLASS_WRITE | RS_CLASS_FILL)
#define SOCKET_WAITS_READS (RS_CLASS_RECEIVE | RS_CLASS_READ)

/* Has the task been in a call that reads from that socket, or waits for any, for half of the wait? */
static bool socket_waits_reads(struct rs_ctx *c, struct rs_task *t, const struct rs_socket *socket,
			       uint64_t half_ns)
{
	struct rs_call call;

	if (!rs_task_call(c, t, &call) || call.enter_ns > half_ns)
		return false;
	return rs_call_is(c, call.nr, RS_POLLS_CLASSES) ||
	       (rs_call_is(c, call.nr, SOCKET_WAITS_READS) && rs_call_socket(c, &call) == socket);
}

/*
 * On one machine the reader makes room, and so ends the wait in its own time. Where an interrupt does, what
 * was sent has left by a device; that the reader was slow is not known then.
 */
static enum rs_time_part socket_waits_of_send(struct rs_ctx *c, const struct rs_interval *wait,
					      const struct rs_socket *socket, uint64_t half_ns)
{
	const struct rs_socket *peer = rs_socket_peer(c, socket);
	struct rs_task *t = peer && peer->tid ? rs_task_find(c, peer->tid) : NULL;

	if (!t || t->pid != peer->pid)
		return RS_PART_SEND_BUFFER;
	if (!socket->is_unix && socket_waits_reads(c, t, peer, half_ns))
		return RS_PART_SEND_LINK;
	return wait->waker_tid == t->tid ? RS_PART_SEND_PEER : RS_PART_SEND_BUFFER;
}

/* The other end is there, on this machine, and no accept has returned it: for half of the wait. */
static bool socket_waits_is_queued(struct rs_ctx *c, const struct rs_interval *wait,
				   const struct rs_socket *socket, uint64_t half_ns)
{
	const struct rs_socket *peer = rs_socket_peer(c, socket);

	return peer && peer->accepted && peer->established_ns <= half_ns &&
	       (peer->accepted == RS_ACCEPTED_NOT_YET ||
		peer->accepted_ns >= half_ns + (peer->established_ns > wait->from_ns ?
							peer->established_ns - wait->from_ns :
							0));
}

/* From half of its time on a wait is most likely for what happens then. */
static uint64_t socket_waits_half_ns(const struct rs_ctx *c, const struct rs_interval *wait)
{
	uint64_t to_ns = wait->to_ns ? wait->to_ns : rs_last_event_ns(c);

	return wait->from_ns + (to_ns - wait->from_ns) / 2;
}

unsigned int rs_socket_waits_receive(struct rs_ctx *c, const struct rs_interval *wait,
				     const struct rs_socket *socket)
{
	uint64_t half_ns = socket_waits_half_ns(c, wait);

	if (socket->retransmit_ns > half_ns)
		return RS_PART_NETWORK;
	if (socket_waits_is_queued(c, wait, socket, half_ns))
		return RS_PART_ACCEPT_QUEUE;
	return wait->to_ns && rs_round_trips_is_delayed(c, wait) ? RS_PART_DELAYED_ACK : RS_PART_RUN;
}

void rs_socket_waits_poll(struct rs_ctx *c, struct rs_wait *w)
{
	const struct rs_socket *socket = rs_call_is(c, w->syscall, RS_POLLS_CLASSES) ?
						 rs_task_socket(c, w->interval->task) :
						 NULL;

	if (!socket)
		return;
	w->socket = rs_fd_sockets_name(c, socket);
	if (!rs_round_trips_asks(c, w->interval, socket))
		return;
	w->cause = RS_CAUSE_SLEEP;
	w->socket_part = (uint8_t)rs_socket_waits_receive(c, w->interval, socket);
	if (!w->socket_part)
		w->socket_part = RS_PART_SOCKET;
}

unsigned int rs_socket_wait_part(struct rs_ctx *c, const struct rs_interval *wait)
{
	const struct rs_socket *socket = rs_task_socket(c, wait->task);

	if (!socket)
		return RS_PART_RUN;
	if (rs_call_is(c, wait->task->syscall, RS_CLASS_CONNECT))
		return RS_PART_NETWORK;
	if (rs_call_is(c, wait->task->syscall, SOCKET_WAITS_SENDS))
		return socket_waits_of_send(c, wait, socket, socket_waits_half_ns(c, wait));
	return rs_socket_waits_receive(c, wait, socket);
}
