/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fd-socket-list.h - descriptors that were of sockets (struct rs_fd_socket): a list that owns their names */
#ifndef RS_SOURCE_FD_SOCKET_LIST_H
#define RS_SOURCE_FD_SOCKET_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "source/source.h"

struct rs_fd_socket_list {
	struct rs_fd_socket *row;
	size_t nr, room;
};

/* Copies it. Returns false without memory. */
bool rs_fd_socket_list_add(struct rs_fd_socket_list *list, const struct rs_fd_socket *known);
void rs_fd_socket_list_sort(struct rs_fd_socket_list *list); /* by .since_ns */
void rs_fd_socket_list_done(struct rs_fd_socket_list *list);

#endif
