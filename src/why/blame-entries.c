// SPDX-License-Identifier: GPL-2.0-or-later
/* blame-entries - who took most of a task's time, or of the tasks of one name */
#include <stdlib.h>
#include <string.h>

#include "why/blame-parts.h"

/* Names of processes are filled up with zeros. */
static bool blame_entry_is_same(const struct rs_blame_entry *a, const struct rs_blame_entry *b)
{
	return a->part == b->part && a->kind == b->kind && a->program == b->program &&
	       !memcmp(a->comm, b->comm, sizeof a->comm) &&
	       a->dev == b->dev && a->lock_addr == b->lock_addr && a->irq == b->irq && a->call == b->call &&
	       a->in_no_call == b->in_no_call && (a->part != RS_PART_FUTEX || a->call_arg == b->call_arg) &&
	       ((a->part != RS_PART_FUTEX && a->part != RS_PART_LOCK) || !strcmp(a->thread, b->thread));
}

void rs_blame_entries_add_pid(struct rs_blame_entry *e, int32_t pid)
{
	for (unsigned int i = 0; i < e->nr_pids && i < RS_BLAME_PIDS; i++)
		if (e->pids[i] == pid)
			return;
	if (!pid || e->nr_pids > RS_BLAME_PIDS)
		return;
	if (e->nr_pids < RS_BLAME_PIDS)
		e->pids[e->nr_pids] = pid;
	e->nr_pids++;
}

/* Few entries have it, and it is large. Returns false without memory. */
static bool blame_entry_begin_did(struct rs_blame_entry *e)
{
	uint64_t *own = e->has_did ? e->did_ns : calloc(RS_NR_CAUSES, sizeof *own);

	if (!own)
		return false;
	e->did_ns = own;
	e->has_did = true;
	return true;
}

static void blame_entry_add_did(struct rs_blame_entry *into, const struct rs_blame_entry *from)
{
	if (!from->has_did || !blame_entry_begin_did(into))
		return;
	for (int cause = 0; cause < RS_NR_CAUSES; cause++)
		into->did_ns[cause] += from->did_ns[cause];
}

static void blame_entry_merge(struct rs_blame_entry *into, const struct rs_blame_entry *from)
{
	into->nr += from->nr;
	into->several |= from->several || into->tid != from->tid;
	into->several_sockets |= from->several_sockets || into->socket != from->socket;
	if (from->since_ns < into->since_ns)
		into->since_ns = from->since_ns;
	into->ns += from->ns;
	blame_entry_add_did(into, from);
	for (unsigned int i = 0; i < from->nr_pids && i < RS_BLAME_PIDS; i++)
		rs_blame_entries_add_pid(into, from->pids[i]);
	if (from->max_ns <= into->max_ns)
		return;
	into->max_ns = from->max_ns;
	into->at_ns = from->at_ns;
	into->wait_from_ns = from->wait_from_ns;
	into->wait_to_ns = from->wait_to_ns;
	into->tid = from->tid;
	into->prio = from->prio;
	into->rwbs = from->rwbs;
	into->call_arg = from->call_arg;
	into->socket = from->socket;
	memcpy(into->thread, from->thread, sizeof into->thread);
	into->waiter_tid = from->waiter_tid;
	memcpy(into->waiter, from->waiter, sizeof into->waiter);
}

static void blame_entry_copy(struct rs_blame_entry *to, const struct rs_blame_entry *from)
{
	static uint64_t nothing[RS_NR_CAUSES]; /* is never written to */

	*to = *from;
	to->has_did = false;
	to->did_ns = nothing;
	blame_entry_add_did(to, from);
}

static void blame_entry_done(struct rs_blame_entry *e)
{
	if (e->has_did)
		free(e->did_ns);
}

/*
 * There is room for 1, 2, 3, 4, 6, 8, 10, 12 of them: to touch a page for the first time costs as much as
 * many events.
 */
static bool blame_entries_grow(struct rs_blame_entry **at, unsigned int nr)
{
	struct rs_blame_entry *grown = *at;

	if (nr < 4 || !(nr & 1))
		grown = realloc(*at, (nr < 4 ? nr + 1 : nr + 2) * sizeof **at);
	if (grown)
		*at = grown;
	return grown;
}

void rs_blame_entries_add(struct rs_blame_entry **at, unsigned int *nr, const struct rs_blame_entry *e)
{
	struct rs_blame_entry *least = *at;

	for (struct rs_blame_entry *i = *at; i < *at + *nr; i++) {
		if (blame_entry_is_same(i, e)) {
			blame_entry_merge(i, e);
			return;
		}
		if (i->ns < least->ns)
			least = i;
	}
	if (*nr < RS_BLAME_PLACES) {
		if (blame_entries_grow(at, *nr))
			blame_entry_copy(&(*at)[(*nr)++], e);
	} else if (least->ns < e->ns) {
		blame_entry_done(least);
		blame_entry_copy(least, e);
	} else {
		least->ns -= e->ns;
	}
}

void rs_blame_entries_add_part(struct rs_blamed_waits *to, enum rs_time_part part, uint64_t ns, uint32_t nr)
{
	unsigned int i;

	for (i = 0; i < to->nr_parts && to->parts[i].part != part; i++)
		;
	if (i == to->nr_parts) {
		struct rs_blamed_part *grown = i & 1 ? to->parts :
						       realloc(to->parts, (i + 2) * sizeof *grown);

		if (!grown)
			return;
		to->parts = grown;
		to->parts[to->nr_parts++] = (struct rs_blamed_part){ .part = (uint8_t)part };
	}
	to->parts[i].ns += ns;
	to->parts[i].nr += nr;
}

void rs_blame_entries_free(struct rs_blame_entry *at, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		blame_entry_done(&at[i]);
	free(at);
}
