// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/open-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * In a call since before the capture: most of these are idle (a shell at its prompt, a reader of a quiet pipe), and
 * their number would hide what has begun to hang since.
 */
static bool open_is_weak(bool at_least, const char *kind)
{
	return at_least && !strcmp(kind, "call");
}

/* The place to insert: the weak ones last; at equal times, after the earlier one. */
static size_t open_list_find_place(const struct rs_open_list *list, bool is_weak, uint64_t since_ns)
{
	size_t lo = 0, hi = list->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		bool mid_is_weak = open_is_weak(list->items[mid].at_least, list->items[mid].kind);

		if (mid_is_weak != is_weak ? is_weak : list->items[mid].since_ns <= since_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void open_list_fill(struct rs_open_item *item, const struct rs_open *open)
{
	item->pid = open->pid;
	item->tid = open->tid;
	item->since_ns = open->since_ns;
	item->at_least = open->at_least;
	item->idle = open->idle;
	snprintf(item->kind, sizeof item->kind, "%s", open->kind);
	snprintf(item->what, sizeof item->what, "%s", open->what ? open->what : "");
	snprintf(item->comm, sizeof item->comm, "%s", open->comm ? open->comm : "");
}

static void open_list_add_open(struct rs_open_sink *sink, const struct rs_open *open)
{
	struct rs_open_list *list = (struct rs_open_list *)(void *)sink;
	size_t at_end = list->max ? list->max - 1 : 0;
	size_t at = open_list_find_place(list, open_is_weak(open->at_least, open->kind), open->since_ns);

	if (!rs_open_sink_accepts(sink, open->since_ns, open->idle) || at == list->max)
		return;
	if (list->nr < list->max)
		list->nr++;
	memmove(&list->items[at + 1], &list->items[at], (list->nr - at - 1) * sizeof *list->items);
	open_list_fill(&list->items[at], open);
	/* the list is full: from now on only items older than the last one matter */
	if (list->nr == list->max && !open_is_weak(list->items[at_end].at_least, list->items[at_end].kind) &&
	    list->items[at_end].since_ns < sink->latest_ns)
		sink->latest_ns = list->items[at_end].since_ns;
}

bool rs_open_list_init(struct rs_open_list *list, size_t max)
{
	*list = (struct rs_open_list){ .sink = { .open = open_list_add_open, .latest_ns = UINT64_MAX },
				       .max = max };
	list->items = calloc(max ? max : 1, sizeof *list->items);
	return list->items;
}

void rs_open_list_done(struct rs_open_list *list)
{
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}
