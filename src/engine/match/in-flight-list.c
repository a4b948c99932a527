// SPDX-License-Identifier: GPL-2.0-or-later
/* in-flight-list - the oldest of what is in flight */
#include "engine/match/in-flight-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/plugin.h"

/*
 * In a call since before the capture: most of these are idle (a shell at its prompt, a reader of a quiet
 * pipe), and their number would hide what has begun to hang since.
 */
static bool in_flight_is_weak(bool at_least, const char *kind)
{
	return at_least && !strcmp(kind, "call");
}

/* The place to insert: the weak ones last; at equal times, after the earlier one. */
static size_t in_flight_find_place(const struct rs_in_flight_list *list, bool is_weak, uint64_t since_ns)
{
	size_t lo = 0, hi = list->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		bool mid_is_weak = in_flight_is_weak(list->items[mid].at_least, list->items[mid].kind);

		if (mid_is_weak != is_weak ? is_weak : list->items[mid].since_ns <= since_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void in_flight_fill(struct rs_in_flight_item *item, const struct rs_in_flight *row,
			   const enum rs_cause *cause)
{
	item->has_cause = cause;
	item->cause = cause ? *cause : RS_CAUSE_UNKNOWN;
	item->pid = row->pid;
	item->tid = row->tid;
	item->since_ns = row->since_ns;
	item->at_least = row->at_least;
	item->idle = row->idle;
	snprintf(item->kind, sizeof item->kind, "%s", row->kind);
	snprintf(item->what, sizeof item->what, "%s", row->what ? row->what : "");
	snprintf(item->comm, sizeof item->comm, "%s", row->comm ? row->comm : "");
}

static bool in_flight_accepts(const struct rs_in_flight_list *list, uint64_t since_ns, bool idle)
{
	return since_ns <= list->latest_ns && (list->idle_too || !idle);
}

void rs_in_flight_list_add(struct rs_in_flight_list *list, const struct rs_in_flight *row,
			   const enum rs_cause *cause)
{
	size_t at_end = list->max ? list->max - 1 : 0;
	size_t at = in_flight_find_place(list, in_flight_is_weak(row->at_least, row->kind), row->since_ns);

	if (!in_flight_accepts(list, row->since_ns, row->idle) || at == list->max)
		return;
	if (list->nr < list->max)
		list->nr++;
	memmove(&list->items[at + 1], &list->items[at], (list->nr - at - 1) * sizeof *list->items);
	in_flight_fill(&list->items[at], row, cause);
	/* the list is full: from now on only items older than the last one matter */
	if (list->nr == list->max &&
	    !in_flight_is_weak(list->items[at_end].at_least, list->items[at_end].kind) &&
	    list->items[at_end].since_ns < list->latest_ns)
		list->latest_ns = list->items[at_end].since_ns;
}

bool rs_in_flight_accepts(const struct rs_in_flight_to *to, uint64_t since_ns, bool idle)
{
	return in_flight_accepts(to->list, since_ns, idle);
}

/* What a task does now. Returns false: it is not known. */
static bool in_flight_find_cause(struct rs_ctx *c, const struct rs_task *t, enum rs_cause *cause)
{
	uint64_t since_ns;
	enum rs_state state = rs_task_state(c, t, &since_ns);
	struct rs_wait w;

	if (state != RS_BLOCKED)
		*cause = rs_cause_of_state(state, RS_CAUSE_UNKNOWN);
	else
		*cause = rs_task_wait(c, t, &w) ? w.cause : RS_CAUSE_NOT_SEEN;
	return *cause != RS_CAUSE_NOT_SEEN;
}

void rs_in_flight_add(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_task *t,
		      const struct rs_in_flight *row)
{
	struct rs_in_flight own = *row;
	enum rs_cause cause;
	bool has_cause = t && in_flight_find_cause(c, t, &cause);

	if (t) {
		own.comm = t->comm;
		own.pid = t->pid;
		own.tid = t->tid;
	}
	if (!rs_is_viewer(c, own.pid))
		rs_in_flight_list_add(to->list, &own, has_cause ? &cause : NULL);
}

bool rs_in_flight_list_init(struct rs_in_flight_list *list, size_t max)
{
	*list = (struct rs_in_flight_list){ .latest_ns = UINT64_MAX, .max = max };
	list->items = calloc(max ? max : 1, sizeof *list->items);
	return list->items;
}

void rs_in_flight_list_done(struct rs_in_flight_list *list)
{
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}
