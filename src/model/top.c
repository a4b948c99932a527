// SPDX-License-Identifier: GPL-2.0-or-later
/* top - the few tasks that did most of what a row counts */
#include "ringside/store.h"

#include <stdio.h>

static void top_count(struct rs_top *top, int32_t tid, const char *comm, uint64_t nr)
{
	unsigned int least = 0;

	for (unsigned int i = 0; i < RS_TOP_PLACES; i++) {
		if (top->at[i].nr && top->at[i].tid == tid) {
			top->at[i].nr += nr;
			return;
		}
		if (top->at[i].nr < top->at[least].nr)
			least = i;
	}
	top->at[least].nr += nr;
	top->at[least].tid = tid;
	if (comm)
		memcpy(top->at[least].comm, comm, RS_COMM_LEN);
	else
		top->at[least].comm[0] = '\0';
}

void rs_top_add(struct rs_top *top, int32_t tid, const char *comm)
{
	top_count(top, tid, comm, 1);
}

void rs_top_merge(struct rs_top *into, const struct rs_top *from)
{
	for (unsigned int i = 0; i < RS_TOP_PLACES; i++)
		if (from->at[i].nr)
			top_count(into, from->at[i].tid, from->at[i].comm, from->at[i].nr);
}

static unsigned int top_find_most(const struct rs_top *top)
{
	unsigned int most = 0;

	for (unsigned int i = 1; i < RS_TOP_PLACES; i++)
		if (top->at[i].nr > top->at[most].nr)
			most = i;
	return most;
}

const char *rs_top_first(const struct rs_top *top, int32_t *tid)
{
	unsigned int most = top_find_most(top);

	*tid = top->at[most].tid;
	return top->at[most].nr && *tid && top->at[most].comm[0] ? top->at[most].comm : NULL;
}

const char *rs_top_text(const struct rs_top *top, char *buf, size_t size_bytes)
{
	unsigned int most = top_find_most(top);

	if (!top->at[most].nr)
		return NULL;
	if (!top->at[most].tid)
		return "<irq>";
	snprintf(buf, size_bytes, top->at[most].comm[0] ? "%s/%d" : "%s%d", top->at[most].comm,
		 top->at[most].tid);
	return buf;
}
