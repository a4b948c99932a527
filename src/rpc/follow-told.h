/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow-told.h - what a daemon tells its follower besides pages, until the follower asks: events that were
 * switched, and descriptors that are known to be of sockets
 *
 * What a message has is checked by its length alone: see RS_FOLLOW_NAME_BYTES and RS_FOLLOW_SOCKET_BYTES.
 */
#ifndef RS_RPC_FOLLOW_TOLD_H
#define RS_RPC_FOLLOW_TOLD_H

#include "rpc/follow-source.h"
#include "source/fd-socket-list.h"

#define FOLLOW_TOLD_MAX_SWITCHED 64

struct rs_follow_switched {
	char event[RS_FOLLOW_NAME_BYTES]; /* "system\0name" */
	bool on;
};

struct rs_follow_told {
	struct rs_follow_switched switched[FOLLOW_TOLD_MAX_SWITCHED];
	unsigned int nr_switched, switched_at;
	struct rs_fd_socket_list sockets; /* those before socket_at were asked for */
	size_t socket_at;
};

/* Where there is no room, the newest replaces the last. Returns false if it is malformed. */
bool rs_follow_told_switch(struct rs_follow_told *told, const struct rs_follow_head *head, const char *bytes);
/* Beyond the room it is dropped: that socket is not known. */
void rs_follow_told_add_socket(struct rs_follow_told *told, const struct rs_follow_head *head,
			       const char *bytes);

/* NULL: no more by now. They live until the next call. */
const struct rs_follow_switched *rs_follow_told_next_switched(struct rs_follow_told *told);
const struct rs_fd_socket *rs_follow_told_next_socket(struct rs_follow_told *told);
void rs_follow_told_done(struct rs_follow_told *told);

#endif
