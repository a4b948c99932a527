/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * listen.h - the daemon's socket: created as root, one daemon per path
 *
 * The process that holds PATH.lock is the daemon of that path. What a daemon that was killed left behind refuses to be connected
 * to, and is taken over. The guardians take both files away when the engine has ended (see rs_plan.socket_path).
 */
#ifndef RS_DAEMON_LISTEN_H
#define RS_DAEMON_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

#define RS_SOCKET_PATH "/run/ringside/socket"
#define RS_SOCKET_GROUP "ringside"

struct rs_listen_socket {
	int fd;              /* non-blocking; -1 none */
	int lock_fd;         /* -1: the service manager made the socket, and keeps it */
	uid_t owner;
	gid_t group;         /* its members may connect */
	char path[108];
};

/* group NULL: RS_SOCKET_GROUP where there is such a group, else root's. Before privileges are dropped. */
int rs_listen(struct rs_listen_socket *l, const char *path, uid_t owner, const char *group,
	      struct rs_error *err);
/* Removes the files as well, where it still may. */
void rs_listen_close(struct rs_listen_socket *l);

/* The socket of a daemon that lives; -1 with errno: ECONNREFUSED and ENOENT say that there is none. */
int rs_listen_connect(const char *path);

#endif
