// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-socket-list - descriptors that were of sockets: a list that owns their names */
#include "source/fd-socket-list.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

bool rs_fd_socket_list_add(struct rs_fd_socket_list *list, const struct rs_fd_socket *known)
{
	char *name = strdup(known->name);
	struct rs_fd_socket *row = name ? RS_VECTOR_ADD(&list->row, &list->nr, &list->room) : NULL;

	if (!row) {
		free(name);
		return false;
	}
	*row = *known;
	row->name = name;
	return true;
}

static int fd_socket_list_compare(const void *a, const void *b)
{
	const struct rs_fd_socket *x = a, *y = b;

	return (x->since_ns > y->since_ns) - (x->since_ns < y->since_ns);
}

void rs_fd_socket_list_sort(struct rs_fd_socket_list *list)
{
	if (list->nr)
		qsort(list->row, list->nr, sizeof *list->row, fd_socket_list_compare);
}

void rs_fd_socket_list_done(struct rs_fd_socket_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->row[i].name);
	free(list->row);
	*list = (struct rs_fd_socket_list){ 0 };
}
