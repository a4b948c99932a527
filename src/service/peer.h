/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * peer.h - identifies the client of a socket, and its rights
 *
 * Uses the credentials that the kernel stored at connect, not what the client claims. Members of the group may read;
 * root and the owner, on whose behalf the daemon was started, may also change and save.
 */
#ifndef RS_SERVICE_PEER_H
#define RS_SERVICE_PEER_H

#include <stdbool.h>
#include <sys/types.h>

struct rs_peer {
	pid_t pid;
	uid_t uid;
	bool in_group;       /* the requested group is its own or a supplementary one */
};

struct rs_peer_rules {
	uid_t owner;         /* besides root */
	gid_t group;
};

/* Returns false if the kernel provides no credentials: such a client has no rights. */
bool rs_peer_of(int fd, const struct rs_peer_rules *rules, struct rs_peer *peer);
bool rs_peer_may_read(const struct rs_peer_rules *rules, const struct rs_peer *peer);
bool rs_peer_may_change(const struct rs_peer_rules *rules, const struct rs_peer *peer);

#endif
