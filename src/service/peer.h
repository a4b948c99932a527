/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peer.h - who is at the other end of a socket, and what that one may do
 *
 * By what the kernel kept of the one who connected, not by what a client says. Members of the group may read; root and
 * the owner, on whose behalf the daemon was begun, change and save.
 */
#ifndef RS_SERVICE_PEER_H
#define RS_SERVICE_PEER_H

#include <stdbool.h>
#include <sys/types.h>

struct rs_peer {
	pid_t pid;
	uid_t uid;
	bool in_group;       /* the one that was asked for is its own or one of its others */
};

struct rs_peer_rules {
	uid_t owner;         /* beside root */
	gid_t group;
};

/* False: the kernel does not say. Such a one may do nothing. */
bool rs_peer_of(int fd, const struct rs_peer_rules *rules, struct rs_peer *peer);
bool rs_peer_may_read(const struct rs_peer_rules *rules, const struct rs_peer *peer);
bool rs_peer_may_change(const struct rs_peer_rules *rules, const struct rs_peer *peer);

#endif
