// SPDX-License-Identifier: GPL-2.0-or-later
/* maps - the executable mappings of each process, as they are at the time of the last record */
#include "symbols/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vector.h"

#define MAX_PROCESSES \
	16384u /* more than run at a time; then the one that was used least lately gives its place */
#define MAX_MAPPINGS 8192u   /* of a process: of files some 100, of a program that makes code some 1000 */

struct maps_process {
	struct rs_map_node node;
	int32_t pid;
	struct maps_process *older, *newer; /* by last use */
	struct rs_mapping *at;              /* by address; none overlaps another */
	size_t nr, room;
};

struct rs_maps {
	struct rs_map by_pid;
	struct maps_process *oldest, *newest;
};

struct rs_maps *rs_maps_new(void)
{
	struct rs_maps *m = calloc(1, sizeof *m);

	if (m && rs_map_init(&m->by_pid, 256))
		return m;
	free(m);
	return NULL;
}

static void maps_unlink(struct rs_maps *m, struct maps_process *p)
{
	*(p->older ? &p->older->newer : &m->oldest) = p->newer;
	*(p->newer ? &p->newer->older : &m->newest) = p->older;
}

static void maps_link_newest(struct rs_maps *m, struct maps_process *p)
{
	p->older = m->newest;
	p->newer = NULL;
	*(m->newest ? &m->newest->newer : &m->oldest) = p;
	m->newest = p;
}

static void maps_remove(struct rs_maps *m, struct maps_process *p)
{
	maps_unlink(m, p);
	rs_map_remove(&m->by_pid, &p->node);
	free(p->at);
	free(p);
}

void rs_maps_free(struct rs_maps *m)
{
	if (!m)
		return;
	while (m->oldest)
		maps_remove(m, m->oldest);
	rs_map_done(&m->by_pid);
	free(m);
}

static struct maps_process *maps_process_of(struct rs_maps *m, int32_t pid)
{
	struct maps_process *p = RS_MAP_ENTRY(rs_map_find(&m->by_pid, rs_hash_u64((uint32_t)pid)),
					      struct maps_process, node);

	if (p && p != m->newest) {
		maps_unlink(m, p);
		maps_link_newest(m, p);
	}
	return p;
}

static struct maps_process *maps_process_make(struct rs_maps *m, int32_t pid)
{
	struct maps_process *p = maps_process_of(m, pid);

	if (p)
		return p;
	if (m->by_pid.nr >= MAX_PROCESSES)
		maps_remove(m, m->oldest);
	p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->pid = pid;
	rs_map_add(&m->by_pid, &p->node, rs_hash_u64((uint32_t)pid));
	maps_link_newest(m, p);
	return p;
}

/* Returns the index of the first mapping that ends after the address. */
static size_t maps_first_after(const struct maps_process *p, uint64_t address)
{
	size_t from = 0, to = p->nr;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (p->at[mid].end <= address)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* Replaces `remove` mappings from `at` on by nr others. */
static void maps_splice(struct maps_process *p, size_t at, size_t remove, const struct rs_mapping *with,
			size_t nr)
{
	memmove(p->at + at + nr, p->at + at + remove, (p->nr - at - remove) * sizeof *p->at);
	memcpy(p->at + at, with, nr * sizeof *with);
	p->nr += nr - remove;
}

void rs_maps_add(struct rs_maps *m, int32_t pid, const struct rs_mapping *mapping)
{
	struct maps_process *p = mapping->start < mapping->end ? maps_process_make(m, pid) : NULL;
	struct rs_mapping parts[3];
	size_t first, last, nr = 0;

	if (!p || p->nr + 2 > MAX_MAPPINGS || !RS_VECTOR_RESERVE(&p->at, &p->room, p->nr + 2))
		return;
	first = maps_first_after(p, mapping->start);
	for (last = first; last < p->nr && p->at[last].start < mapping->end;)
		last++;
	/* what remains of the mappings that it cuts */
	if (first < last && p->at[first].start < mapping->start) {
		parts[nr] = p->at[first];
		parts[nr++].end = mapping->start;
	}
	parts[nr++] = *mapping;
	if (first < last && p->at[last - 1].end > mapping->end) {
		parts[nr] = p->at[last - 1];
		parts[nr].offset += mapping->end - parts[nr].start;
		parts[nr++].start = mapping->end;
	}
	maps_splice(p, first, last - first, parts, nr);
}

void rs_maps_fork(struct rs_maps *m, int32_t parent, int32_t child)
{
	const struct maps_process *from;
	struct maps_process *to;

	if (parent == child)
		return;
	rs_maps_exec(m, child); /* what an earlier process of that pid had */
	to = maps_process_make(m, child);
	from = maps_process_of(m, parent);
	if (!to || !from || !from->nr || !RS_VECTOR_RESERVE(&to->at, &to->room, from->nr))
		return;
	memcpy(to->at, from->at, from->nr * sizeof *from->at);
	to->nr = from->nr;
}

void rs_maps_exec(struct rs_maps *m, int32_t pid)
{
	struct maps_process *p = maps_process_of(m, pid);

	if (p)
		p->nr = 0;
}

const struct rs_mapping *rs_maps_find(struct rs_maps *m, int32_t pid, uint64_t address)
{
	const struct maps_process *p = maps_process_of(m, pid);
	size_t at = p ? maps_first_after(p, address) : 0;

	return p && at < p->nr && p->at[at].start <= address ? &p->at[at] : NULL;
}

void rs_maps_for_each(const struct rs_maps *m,
		      void (*fn)(void *arg, int32_t pid, const struct rs_mapping *mapping), void *arg)
{
	for (const struct maps_process *p = m->oldest; p; p = p->newer)
		for (size_t i = 0; i < p->nr; i++)
			fn(arg, p->pid, &p->at[i]);
}
