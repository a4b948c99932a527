/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listen.h - the daemon's socket: created as root, one daemon per path
 *
 * The process that holds PATH.lock is the daemon of that path. The socket of a killed daemon refuses
 * connections, and is replaced. The guardians remove both files when the engine has ended (see
 * rs_plan.socket_path).
 */
#ifndef RS_DAEMON_LISTEN_H
#define RS_DAEMON_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

#define RS_SOCKET_PATH "/run/ringside/socket"
#define RS_SOCKET_GROUP "ringside"

struct rs_listen_socket {
	int fd;              /* non-blocking; -1: none */
	int lock_fd;         /* -1: the service manager made the socket, and keeps it */
	uid_t owner;
	gid_t group;         /* its members may connect */
	char path[108], lock_path[116];
};

/* group NULL: RS_SOCKET_GROUP if it exists, else root's. Call before privileges are dropped. */
int rs_listen(struct rs_listen_socket *l, const char *path, uid_t owner, const char *group,
	      struct rs_error *err);
/* Also removes the files, if it still may. */
void rs_listen_close(struct rs_listen_socket *l);

/* Connects to a running daemon; -1 with errno: ECONNREFUSED or ENOENT if there is none. */
int rs_listen_connect(const char *path);

/*
 * ---- the client of a socket, and its rights ----
 *
 * Uses the credentials that the kernel stored at connect, not what the client claims. Members of the group
 * may read; root and the owner, on whose behalf the daemon was started, may also change and save.
 */

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
bool rs_listen_peer(int fd, const struct rs_peer_rules *rules, struct rs_peer *peer);
bool rs_listen_may_read(const struct rs_peer_rules *rules, const struct rs_peer *peer);
bool rs_listen_may_change(const struct rs_peer_rules *rules, const struct rs_peer *peer);

#endif
