/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * open-list.h - the oldest of what is in flight
 *
 *	struct rs_open_list list;
 *	rs_open_list_init(&list, 100);               // at most so many
 *	rs_session_list_in_flight(session, &list.sink);
 *	for (i = 0; i < list.nr; i++) list.items[i]; // oldest first, calls from before the capture last
 *	rs_open_list_done(&list);
 */
#ifndef RS_ENGINE_OPEN_LIST_H
#define RS_ENGINE_OPEN_LIST_H

#include <stddef.h>

#include "ringside/finding.h"

struct rs_open_item {
	char kind[16], comm[RS_COMM_LEN], what[200];
	int32_t pid, tid;
	uint64_t since_ns;
	bool at_least, idle;
};

struct rs_open_list {
	struct rs_open_sink sink;  /* first member; the caller may set latest_ns and idle_too */
	struct rs_open_item *items;
	size_t nr, max;
};

/* Returns false without memory. */
bool rs_open_list_init(struct rs_open_list *list, size_t max);
void rs_open_list_done(struct rs_open_list *list);

#endif
