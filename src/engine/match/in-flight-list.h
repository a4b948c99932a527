/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in-flight-list.h - the oldest of what is in flight
 *
 *	struct rs_in_flight_list list;
 *	rs_in_flight_list_init(&list, 100);          // at most so many
 *	rs_session_list_in_flight(session, &list);
 *	for (i = 0; i < list.nr; i++) list.items[i]; // oldest first, calls from before the capture last
 *	rs_in_flight_list_done(&list);
 */
#ifndef RS_ENGINE_MATCH_IN_FLIGHT_LIST_H
#define RS_ENGINE_MATCH_IN_FLIGHT_LIST_H

#include <stddef.h>

#include "ringside/plugin.h"

struct rs_in_flight_item {
	char kind[16], comm[RS_COMM_LEN], what[200];
	int32_t pid, tid;
	uint64_t since_ns;
	bool at_least, idle;
	bool has_cause;
	enum rs_cause cause;   /* what its task does now */
};

struct rs_in_flight_list {
	uint64_t latest_ns;    /* omits what began later: the caller may set it, and a full list lowers it */
	bool idle_too;
	struct rs_in_flight_item *items;
	size_t nr, max;
};

/* Returns false without memory. */
bool rs_in_flight_list_init(struct rs_in_flight_list *list, size_t max);
void rs_in_flight_list_done(struct rs_in_flight_list *list);
/* cause: what its task does now; NULL: unknown, or of no task */
void rs_in_flight_list_add(struct rs_in_flight_list *list, const struct rs_in_flight *row,
			   const enum rs_cause *cause);

#endif
