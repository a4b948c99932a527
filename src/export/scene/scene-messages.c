// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scene-messages - arrows from the call that sent to the one that received it at the other end, where both
 * are on this machine
 *
 * Bytes have no identity: an arrow leads from the first send after the other end has received to its next
 * receive. Where that slept until the sender woke it, the arrow of the wake-up is there already.
 */
#include <stdlib.h>

#include "export/scene/scene.h"

#define MESSAGES_NR 4096u /* sockets for which something is on its way; a later one takes the place */

struct rs_scene_message {
	uint64_t socket;            /* that is to receive; 0: none */
	struct rs_wake_task wakes;  /* of which .waker is who sent */
	int32_t tid;
};

static struct rs_scene_message *messages_at(struct rs_scene *s, uint64_t socket)
{
	if (!s->messages)
		s->messages = calloc(MESSAGES_NR, sizeof *s->messages);
	return s->messages ? &s->messages[socket % MESSAGES_NR] : NULL;
}

static struct rs_wake_end messages_end(struct rs_scene *s, const struct rs_socket_message *m)
{
	return (struct rs_wake_end){ s->ops->wake_track(s, m->task, !m->sent), m->ts_ns };
}

static void messages_send(struct rs_scene *s, struct rs_ctx *c, const struct rs_socket_message *m)
{
	const struct rs_socket *peer = rs_socket_peer(c, m->socket);
	struct rs_scene_message *at = peer ? messages_at(s, peer->number) : NULL;

	if (!at || (at->socket == peer->number && at->wakes.waker.ts_ns))
		return;
	at->socket = peer->number;
	at->tid = m->task->tid;
	rs_wake_flows_wake(&s->flows, &rs_scene_task(c, m->task)->wakes, &at->wakes, messages_end(s, m));
}

/* It slept in this call until the sender woke it. */
static bool messages_was_woken(const struct rs_task *t, const struct rs_scene_message *at)
{
	return t->waker_tid == at->tid && t->since_ns >= t->syscall_enter_ns;
}

static void messages_receive(struct rs_scene *s, struct rs_ctx *c, const struct rs_socket_message *m)
{
	struct rs_scene_message *at = messages_at(s, m->socket->number);
	struct rs_wake_task *wakes = &rs_scene_task(c, m->task)->wakes;

	if (!at || at->socket != m->socket->number || !at->wakes.waker.ts_ns)
		return;
	if (wakes->waker.ts_ns || messages_was_woken(m->task, at))
		rs_wake_flows_evict(&s->flows, &at->wakes);
	else
		rs_wake_flows_give(&s->flows, &at->wakes, wakes, messages_end(s, m));
	at->socket = 0;
}

void rs_scene_on_message(struct rs_ctx *c, const struct rs_socket_message *m)
{
	struct rs_scene *s = rs_api_session_arg(c);

	if (m->bytes <= 0 || !rs_shown(c, m->task) || !rs_task_in_call(c, m->task))
		return;
	if (m->sent)
		messages_send(s, c, m);
	else
		messages_receive(s, c, m);
}

void rs_scene_drop_messages(struct rs_scene *s)
{
	free(s->messages);
	s->messages = NULL;
}
