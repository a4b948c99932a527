// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-sockets - the sockets of descriptors, as the calls that work on them tell */
#include "engine/files/fd-sockets.h"

#include "engine/analysis-instance.h"
#include "engine/files/fd-paths-parts.h"
#include "engine/internal.h"
#include "engine/net/polls.h"
#include "engine/net/sockets.h"

#define FD_SOCKETS_TRANSFERS \
	(RS_CLASS_SEND | RS_CLASS_WRITE | RS_CLASS_FILL | RS_CLASS_RECEIVE | RS_CLASS_READ)

#define FD_SOCKETS_MOST_SOUGHT 256 /* descriptors of a process */

/* Calls that work on a socket by their first argument, and others that may. */
static bool fd_sockets_has(const struct rs_fd_paths *p, int64_t nr)
{
	int place = nr & RS_CALL_DOUBTFUL ? -1 : rs_call_place(nr);

	return place >= 0 && p->calls->files[place] & RS_CALL_USES_SOCKET;
}

/* What is known of an open descriptor, since before the task's call; NULL: it cannot be known. */
static struct rs_fd_known *fd_sockets_get(struct rs_fd_paths *p, const struct rs_task *t, int32_t fd)
{
	struct rs_fd_known *k = rs_fd_known_find(p, t->pid, fd);

	if (k && rs_gaps_hit(p->gaps, k->since_ns, t->syscall_enter_ns)) {
		rs_fd_known_forget(p, k);
		k = NULL;
	}
	if (!k) {
		if (!rs_fd_paths_can_query(p, t))
			return NULL;
		k = rs_fd_known_query(p, t->pid, fd, t->syscall_enter_ns);
		rs_fd_known_set_wanted(p, k, true);
		return k;
	}
	return k->ended_ns || k->since_ns > t->syscall_enter_ns ? NULL : k;
}

/* As long as the session; NULL: none. */
static const char *fd_sockets_keep_path(struct rs_ctx *c, const char *path)
{
	struct rs_file_ids *ids = &rs_fd_paths_of(c->session)->ids;

	return *path ? rs_file_ids_path(ids, rs_file_ids_add_path(ids, path)) : NULL;
}

/* Its name is that of a TCP socket, or of a Unix socket: the one that events tell of, or will. */
static void fd_sockets_join(struct rs_ctx *c, struct rs_fd_known *k, const struct rs_task *t)
{
	struct rs_unix_ends of_unix;
	struct rs_ends ends;

	if (k->is_joined || !k->path)
		return;
	k->is_joined = !rs_fd_paths_is_unnamed(k->path);
	if (rs_ends_parse(k->path, "TCP", &ends)) {
		k->socket = rs_sockets_join(c, k->socket, &ends, t);
		rs_sockets_set_state(c, k->socket, (enum rs_tcp_state)k->tcp_state, k->tcp_state_ns);
	}
	else if (rs_unix_ends_parse(k->path, &of_unix))
		k->socket = rs_sockets_join_unix(c, &of_unix, fd_sockets_keep_path(c, of_unix.path), t);
}

/* What is known of the descriptor that the task's call works on; NULL: nothing, or it works on none. */
static struct rs_fd_known *fd_sockets_of_task(struct rs_ctx *c, const struct rs_task *t)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	int32_t fd = (int32_t)t->syscall_args[0];

	return p && t->pid && fd >= 0 && fd_sockets_has(p, t->syscall) && rs_task_in_call(c, t) ?
		       fd_sockets_get(p, t, fd) :
		       NULL;
}

/* A TCP socket that has no name of a look-up, or has none yet, has that of its ends. */
static void fd_sockets_name(struct rs_ctx *c, struct rs_fd_paths *p, struct rs_fd_known *k)
{
	const struct rs_socket *socket;
	char text[RS_SOCKET_TEXT_BYTES];

	if (!k->socket || (k->path && !rs_fd_paths_is_unnamed(k->path)))
		return;
	socket = rs_socket_find(c, k->socket);
	if (socket && rs_socket_text(socket, text))
		rs_fd_lookups_name_socket(p, k, text);
}

uint64_t rs_fd_sockets_get(struct rs_ctx *c, const struct rs_task *t)
{
	struct rs_fd_known *k = fd_sockets_of_task(c, t);

	if (k)
		fd_sockets_join(c, k, t);
	return k ? k->socket : 0;
}

void rs_fd_sockets_set(struct rs_ctx *c, const struct rs_task *t, uint64_t number)
{
	struct rs_fd_known *k = fd_sockets_of_task(c, t);

	if (k)
		k->socket = number;
}

void rs_fd_sockets_opens(struct rs_ctx *c, const struct rs_task *t, int32_t fd, uint64_t number)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);

	if (p)
		p->opens = (struct rs_fd_opens){ t->tid, fd, number };
}

static void fd_sockets_strike(struct rs_fd_paths *p, uint64_t number)
{
	for (uint32_t i = 0; i < p->nr_left; i++)
		if (p->left[i].socket == number)
			p->left[i].socket = 0;
}

/* TCP sockets have events of their own. One walk of the table is for all, since many are closed at once. */
void rs_fd_sockets_leave(struct rs_ctx *c)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	uint32_t nr_unix = 0;

	for (uint32_t i = 0; i < p->nr_left; i++) {
		const struct rs_socket *k = rs_socket_find(c, p->left[i].socket);

		if (k && k->is_unix)
			p->left[nr_unix++] = p->left[i];
	}
	p->nr_left = nr_unix;
	for (uint32_t i = 0; nr_unix && i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS; i++)
		if (p->known[i].pid && p->known[i].socket && !p->known[i].ended_ns)
			fd_sockets_strike(p, p->known[i].socket);
	for (uint32_t i = 0; i < nr_unix; i++)
		if (p->left[i].socket)
			rs_sockets_leave(c, p->left[i].socket,
					 p->left[i].ts_ns ? p->left[i].ts_ns : rs_last_event_ns(c));
	p->nr_left = 0;
}

/* The socket that a poll was for. It is known by its waker, and not by its own descriptor. */
static const struct rs_socket *fd_sockets_of_poll(struct rs_ctx *c, const struct rs_call *call)
{
	uint64_t number = rs_fd_paths_of(c->session) && call->task ? rs_polls_socket(c, call) : 0;

	return number ? rs_socket_find(c, number) : NULL;
}

/* What is known of the call's descriptor; NULL: nothing, or it may be another one's. */
static struct rs_fd_known *fd_sockets_of_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	struct rs_fd_known *k;

	if (!p || !call->task || !call->args || !fd_sockets_has(p, call->nr))
		return NULL;
	k = rs_fd_paths_use(p, call, (int32_t)call->args[0]);
	if (!k || !rs_fd_paths_is_open(k, call))
		return NULL;
	fd_sockets_join(c, k, call->task);
	fd_sockets_name(c, p, k);
	if (k->socket && rs_call_is(c, call->nr, FD_SOCKETS_TRANSFERS))
		rs_sockets_use(c, k->socket, call->task);
	return k;
}

uint64_t rs_fd_sockets_number(const struct rs_ctx *c, const struct rs_task *t, int32_t fd)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	const struct rs_fd_known *k = p && t->pid ? rs_fd_known_find(p, t->pid, fd) : NULL;

	return k && !k->ended_ns ? k->socket : 0;
}

bool rs_fd_sockets_has(const struct rs_ctx *c, const struct rs_task *t, uint64_t number)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	uint32_t at = p && t->pid ? *rs_fd_known_chain_of(p, t->pid) : 0;
	const struct rs_fd_known *k;

	for (unsigned int i = 0; at && i < FD_SOCKETS_MOST_SOUGHT; i++, at = k->next) {
		k = &p->known[at - 1];
		if (k->pid == t->pid && k->socket == number && !k->ended_ns)
			return true;
	}
	return false;
}

const struct rs_socket *rs_call_socket(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_fd_known *k = fd_sockets_of_call(c, call);

	return k ? rs_socket_find(c, k->socket) : fd_sockets_of_poll(c, call);
}

const struct rs_socket *rs_task_socket(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_call call;

	return t && rs_fd_paths_of(c->session) && rs_task_call(c, t, &call) ? rs_call_socket(c, &call) : NULL;
}

const char *rs_call_socket_text(struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_fd_known *k = fd_sockets_of_call(c, call);
	const struct rs_socket *socket = k ? NULL : fd_sockets_of_poll(c, call);

	if (socket)
		return rs_socket_text(socket, rs_fd_paths_of(c->session)->poll_text);
	return k && rs_fd_paths_is_socket(k->path) ? k->path : NULL;
}

uint32_t rs_fd_sockets_name(struct rs_ctx *c, const struct rs_socket *socket)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);
	char text[RS_SOCKET_TEXT_BYTES];

	return p && rs_socket_text(socket, text) ?
		       rs_file_ids_number(rs_file_ids_add_path(&p->ids, text)) :
		       0;
}

uint32_t rs_call_socket_name(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_fd_known *k = fd_sockets_of_call(c, call);
	const struct rs_socket *socket = k ? NULL : fd_sockets_of_poll(c, call);

	if (socket)
		return rs_fd_sockets_name(c, socket);
	if (!k || !rs_fd_paths_is_socket(k->path) || rs_fd_paths_is_unnamed(k->path))
		return 0;
	if (!k->name)
		k->name = rs_file_ids_number(rs_file_ids_add_path(&rs_fd_paths_of(c->session)->ids, k->path));
	return k->name;
}

uint32_t rs_task_socket_name(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_call call;

	return rs_fd_paths_of(c->session) && rs_task_call(c, t, &call) ? rs_call_socket_name(c, &call) : 0;
}

const char *rs_socket_name(const struct rs_ctx *c, uint32_t name)
{
	struct rs_fd_paths *p = rs_fd_paths_of(c->session);

	return p && name ? rs_file_ids_path(&p->ids, rs_file_ids_of_number(name)) : NULL;
}
