/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fd-sockets.h - the sockets of descriptors, as the calls that work on them tell */
#ifndef RS_ENGINE_FILES_FD_SOCKETS_H
#define RS_ENGINE_FILES_FD_SOCKETS_H

#include "ringside/socket.h"

/*
 * An event of the task's own call named the socket of that number: if the call works on its first argument,
 * that is a descriptor of it from now on, as long as it is open.
 */
void rs_fd_sockets_set(struct rs_ctx *c, const struct rs_task *t, uint64_t number);

/* The task's call returns a new descriptor, of the socket of that number. */
void rs_fd_sockets_opens(struct rs_ctx *c, const struct rs_task *t, int32_t fd, uint64_t number);

/* Returns the number of the socket that the task's call works on; 0: unknown. */
uint64_t rs_fd_sockets_get(struct rs_ctx *c, const struct rs_task *t);

/*
 * Returns the number of the socket that an open descriptor of the task's process is known to be of; 0:
 * unknown.
 */
uint64_t rs_fd_sockets_number(const struct rs_ctx *c, const struct rs_task *t, int32_t fd);

/* Is one of the last descriptors of the task's process known to be of the socket of that number? */
bool rs_fd_sockets_has(const struct rs_ctx *c, const struct rs_task *t, uint64_t number);

/* See rs_call_socket_name. */
uint32_t rs_fd_sockets_name(struct rs_ctx *c, const struct rs_socket *socket);

/* After a batch: Unix sockets whose last known descriptor was closed in it are over. */
void rs_fd_sockets_leave(struct rs_ctx *c);

#endif
