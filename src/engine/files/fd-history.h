/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-history.h - the descriptors that a session has known to be of sockets, and when
 *
 * What is looked up now is not known to a session over a time that has passed, or to one that follows from
 * now on. So the live session keeps what it knew, and hands it on:
 *
 *	struct rs_fd_socket_list list = { 0 };
 *	rs_fd_history_list(rs_fd_history_of(session), from_ns, to_ns, &list);
 *	info->fd_sockets = list.row;
 *	...
 *	rs_fd_socket_list_done(&list);
 *
 * Bounded: FD_HISTORY_MAX of them; a closed one makes room for a new one first. The thread of the session
 * notes; any thread may list.
 */
#ifndef RS_ENGINE_FILES_FD_HISTORY_H
#define RS_ENGINE_FILES_FD_HISTORY_H

#include <stdint.h>

#include "source/fd-socket-list.h"

struct rs_fd_history;
struct rs_session;

/* NULL without memory. */
struct rs_fd_history *rs_fd_history_new(void);
void rs_fd_history_free(struct rs_fd_history *h);
/* NULL: this session keeps none. Lives as long as the session. */
struct rs_fd_history *rs_fd_history_of(const struct rs_session *s);

/* .until_ns: it is known up to now. Returns a number for rs_fd_history_end; 0: it has no room. */
uint64_t rs_fd_history_note(struct rs_fd_history *h, const struct rs_fd_socket *known);
/* It is not known to be of that socket after until_ns. Does nothing for 0, or what made room for others. */
void rs_fd_history_end(struct rs_fd_history *h, uint64_t number, uint64_t until_ns);
/* Events were lost: any of them may have been closed since. */
void rs_fd_history_end_all(struct rs_fd_history *h, uint64_t until_ns);

/*
 * Lists those that were known at some time from from_ns to to_ns, by their .since_ns; .until_ns is
 * RS_MAX_TIME_NS if it is known still. Returns -1 without memory.
 */
int rs_fd_history_list(struct rs_fd_history *h, uint64_t from_ns, uint64_t to_ns,
		       struct rs_fd_socket_list *list);
/*
 * Lists those that were noted after the one of that number, as they were noted. Returns the number of the
 * last one.
 */
uint64_t rs_fd_history_list_new(struct rs_fd_history *h, uint64_t number, struct rs_fd_socket_list *list);

#endif
