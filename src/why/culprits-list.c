// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits-list - those who had what a task waited for: each is there once, with its share of the time */
#include <string.h>

#include "why/culprits-parts.h"

static bool culprit_is_of_type(const struct rs_culprit *k, uint64_t rwbs)
{
	return k->rwbs == rwbs || rs_request_type(k->rwbs) == rs_request_type(rwbs);
}

/* A lock is held by a thread: what the others of its process do meanwhile explains nothing. */
static bool culprit_is_of_thread(const struct rs_culprit *k, int32_t tid)
{
	return (k->part != RS_PART_LOCK && k->part != RS_PART_FUTEX) || k->tid == tid;
}

/* Most often it is one of the last. NULL: not in the list. */
struct rs_culprit *rs_culprits_list_known(struct rs_culprits *out, const struct rs_culprit *as)
{
	out->steps += out->nr;
	for (struct rs_culprit *k = out->at + out->nr; k-- > out->at;)
		if (k->id == as->id && k->part == as->part && k->kind == as->kind &&
		    culprit_is_of_thread(k, as->tid) && (!out->by_type || culprit_is_of_type(k, as->rwbs)))
			return k;
	return NULL;
}

const char *rs_culprits_list_comm(const struct rs_task_name *n)
{
	return n->task ? n->task->comm : n->comm;
}

/* Where there is no room for one more: processes of one name are one. */
static struct rs_culprit *culprits_of_that_name(struct rs_culprits *out, const struct rs_culprit *k)
{
	for (unsigned int i = 0; k->name && i < out->nr; i++) {
		const struct rs_culprit *entry = &out->at[i];

		if (entry->part == k->part && entry->name &&
		    !strcmp(rs_culprits_list_comm(entry->name), rs_culprits_list_comm(k->name)))
			return &out->at[i];
	}
	return NULL;
}

static struct rs_culprit *culprits_entry(struct rs_culprits *out, const struct rs_culprit *k)
{
	struct rs_culprit *entry = rs_culprits_list_known(out, k);

	if (entry)
		return entry;
	entry = &out->at[out->nr];
	if (out->nr < RS_MAX_CULPRITS - RS_NR_PARTS) {
		entry->kind = k->kind; /* its first piece is the longest, and tells the rest */
		entry->ns = entry->piece_ns = 0;
		out->nr++;
		return entry;
	}
	entry = culprits_of_that_name(out, k);
	if (entry)
		return entry;
	/* the last places are for the rest of each part */
	for (unsigned int i = out->nr; i--;)
		if (out->at[i].part == k->part && out->at[i].kind == RS_CULPRIT_OTHERS)
			return &out->at[i];
	entry = &out->at[out->nr++];
	*entry = (struct rs_culprit){ .part = k->part, .kind = RS_CULPRIT_OTHERS };
	return entry;
}

void rs_culprits_list_put(struct rs_culprits *out, const struct rs_culprit *k, uint64_t at_ns, uint64_t ns)
{
	struct rs_culprit *entry = culprits_entry(out, k);

	uint64_t total_ns = entry->ns + ns;

	/* what only the longest piece tells: its device, its lock; the rest of a part stays what it is */
	if (ns > entry->piece_ns || !entry->ns) {
		if (entry->kind != RS_CULPRIT_OTHERS || k->kind == RS_CULPRIT_OTHERS)
			*entry = *k;
		entry->piece_ns = ns;
		entry->at_ns = at_ns;
	}
	entry->ns = total_ns;
}

void rs_culprits_list_add_nobody(struct rs_culprits *out, enum rs_time_part part, enum rs_culprit_kind kind,
				 uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns)
		rs_culprits_list_put(out, &(struct rs_culprit){ .part = part, .kind = kind }, from_ns,
				to_ns - from_ns);
}

uint64_t rs_culprits_list_task_id(int32_t pid, int32_t tid)
{
	return pid ? (uint64_t)pid : (uint64_t)(uint32_t)tid << 32;
}

struct rs_culprit rs_culprits_list_task(enum rs_time_part part, const struct rs_task_name *n)
{
	int32_t pid = rs_task_name_pid(n);

	return (struct rs_culprit){ .part = part, .kind = RS_CULPRIT_TASK,
				    .id = rs_culprits_list_task_id(pid, n->tid), .pid = pid, .tid = n->tid,
				    .name = n };
}
