/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls.h - tasks held up because memory is short: direct reclaim, compaction, throttling
 */
#ifndef RS_ENGINE_STALLS_H
#define RS_ENGINE_STALLS_H

#include "engine/gaps.h"
#include "ringside/wait.h"

/* What is open of one task: at most one of each kind. */
struct rs_open_stalls {
	uint64_t begin_ns[RS_NR_STALLS];
	int32_t order[RS_NR_STALLS];
	uint32_t open;                  /* bit by kind */
	int32_t wanted_order;           /* of the compaction that comes next; 0: none was told, else order + 1 */
};

struct rs_stalls {
	const struct rs_gaps *gaps;     /* of all CPUs */
	uint64_t nr_unmatched, nr_discarded;
	void (*on_stall)(void *arg, const struct rs_stall *stall);
	void *arg;
};

void rs_stalls_begin(struct rs_stalls *s, struct rs_open_stalls *open, enum rs_stall_kind kind, int32_t order, uint64_t ts_ns);
/* Fills in kind's begin and order and tells it; .kind, .task, .end_ns and .syscall are the caller's. */
void rs_stalls_end(struct rs_stalls *s, struct rs_open_stalls *open, struct rs_stall *stall);
/* An event that tells of a whole stall at its end. */
void rs_stalls_whole(struct rs_stalls *s, struct rs_stall *stall);
/* The kernel counts throttling in ticks: it may come out longer than the reclaim that it is a part of, which it is not. */
void rs_stalls_within(const struct rs_open_stalls *open, struct rs_stall *part);
void rs_stalls_drop(struct rs_stalls *s, struct rs_open_stalls *open, uint64_t ts_ns);
/* The kind that is open and that no gap has made uncertain, the longest to last first; -1 none. */
int rs_stalls_current(const struct rs_stalls *s, const struct rs_open_stalls *open, uint64_t now_ns);
void rs_stalls_count(const struct rs_stalls *s, const struct rs_open_stalls *open, uint64_t now_ns,
		     uint64_t *nr_in_flight, uint64_t *nr_discarded);

#endif
