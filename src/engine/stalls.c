// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/stalls.h"

static const char *const names[RS_NR_STALLS] = {
	[RS_STALL_RECLAIM] = "reclaim",
	[RS_STALL_MEMCG] = "memcg",
	[RS_STALL_COMPACTION] = "compaction",
	[RS_STALL_THROTTLE] = "throttle",
	[RS_STALL_DIRTY] = "dirty",
};

const char *rs_stall_name(enum rs_stall_kind kind)
{
	return (unsigned int)kind < RS_NR_STALLS ? names[kind] : NULL;
}

static void drop_one(struct rs_stalls *s, struct rs_open_stalls *open, unsigned int kind, uint64_t ts_ns)
{
	if (!(open->open >> kind & 1))
		return;
	++*(rs_gaps_hit(s->gaps, open->begin_ns[kind], ts_ns) ? &s->nr_discarded : &s->nr_unmatched);
	open->open &= ~(1u << kind);
}

void rs_stalls_begin(struct rs_stalls *s, struct rs_open_stalls *open, enum rs_stall_kind kind, int32_t order, uint64_t ts_ns)
{
	drop_one(s, open, kind, ts_ns); /* its end was not seen */
	open->begin_ns[kind] = ts_ns;
	open->order[kind] = order;
	open->open |= 1u << kind;
}

void rs_stalls_end(struct rs_stalls *s, struct rs_open_stalls *open, struct rs_stall *stall)
{
	if (!(open->open >> stall->kind & 1)) {
		s->nr_unmatched++;
		return;
	}
	open->open &= ~(1u << stall->kind);
	stall->begin_ns = open->begin_ns[stall->kind];
	stall->order = open->order[stall->kind];
	rs_stalls_whole(s, stall);
}

void rs_stalls_whole(struct rs_stalls *s, struct rs_stall *stall)
{
	stall->discarded = rs_gaps_hit(s->gaps, stall->begin_ns, stall->end_ns);
	s->nr_discarded += stall->discarded;
	s->on_stall(s->arg, stall);
}

void rs_stalls_within(const struct rs_open_stalls *open, struct rs_stall *part)
{
	for (int kind = RS_STALL_RECLAIM; kind <= RS_STALL_MEMCG; kind++)
		if (open->open >> kind & 1 && open->begin_ns[kind] > part->begin_ns)
			part->begin_ns = open->begin_ns[kind];
}

void rs_stalls_drop(struct rs_stalls *s, struct rs_open_stalls *open, uint64_t ts_ns)
{
	for (unsigned int kind = 0; open->open && kind < RS_NR_STALLS; kind++)
		drop_one(s, open, kind, ts_ns);
	open->wanted_order = 0;
}

int rs_stalls_current(const struct rs_stalls *s, const struct rs_open_stalls *open, uint64_t now_ns)
{
	for (int kind = 0; open->open && kind < RS_NR_STALLS; kind++)
		if (open->open >> kind & 1 && !rs_gaps_hit(s->gaps, open->begin_ns[kind], now_ns))
			return kind;
	return -1;
}

void rs_stalls_count(const struct rs_stalls *s, const struct rs_open_stalls *open, uint64_t now_ns,
		     uint64_t *nr_in_flight, uint64_t *nr_discarded)
{
	for (unsigned int kind = 0; open->open && kind < RS_NR_STALLS; kind++)
		if (open->open >> kind & 1)
			++*(rs_gaps_hit(s->gaps, open->begin_ns[kind], now_ns) ? nr_discarded : nr_in_flight);
}
