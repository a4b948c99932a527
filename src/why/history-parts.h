/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history-parts.h - the ring itself, for those who append to it (history.c) and walk back through it
 * (history-walk.c)
 */
#ifndef RS_WHY_HISTORY_PARTS_H
#define RS_WHY_HISTORY_PARTS_H

#include "ringside/plugin.h"
#include "why/history-ring.h"

#define RS_HISTORY_MAX_DISKS 64u

struct rs_history_cpu {
	uint32_t slice, irq;              /* the newest */
	uint32_t sought_slice, sought_irq; /* where the last walks back began */
	uint64_t idle_from_ns, idle_to_ns; /* since that slice: it has no segment yet; 0: none */
	uint64_t completed_ns;            /* the last completion there */
	uint32_t completed_dev;
	uint32_t completed_request;       /* its number; 0: none */
};

/*
 * A segment's number counts all segments from 1; its place in the ring is the number modulo the ring's size.
 * 0: none. Numbers are compared by their distance, so that they may wrap around.
 */
struct rs_history {
	struct rs_segment *ring;
	uint32_t mask, next;              /* next: the number of the segment to come */
	uint32_t first;                   /* no older one counts: from_ns */
	uint32_t nr_skipped;              /* numbers that no segment has */
	bool is_short;
	uint64_t turned_ns;               /* when its first place was written last */
	/* the history begins here; in the future: it pauses; 0: at the begin */
	uint64_t from_ns;
	uint32_t request_mask, next_request;
	const struct rs_states *states;
	struct rs_history_cpu *cpus;
	unsigned int nr_cpus;
	struct name_chunk *chunks;
	unsigned int nr_in_chunk;
	struct rs_task_name *evicted, *evicted_last; /* in the order of their evictions; NULL: none */
	struct rs_done_request *requests;
	struct { uint32_t dev, newest; } disks[RS_HISTORY_MAX_DISKS];
	unsigned int nr_disks;
	/* the waking to come fires in a softirq that is not the current task's own */
	bool wakes_by_interrupt;
};

static inline bool rs_history_is_kept(const struct rs_history *h, uint32_t number)
{
	return number && h->next - number <= h->mask;
}

/* A run-queue wait that moved from CPU to CPU is a segment for each of them. */
static inline uint64_t rs_history_part_from_ns(const struct rs_task_name *n, uint64_t from_ns)
{
	return n->part_from_ns > from_ns ? n->part_from_ns : from_ns;
}

static inline void rs_history_set_wait(struct rs_segment *seg, const struct rs_wait *w)
{
	int64_t call = rs_call_number(w->syscall);

	seg->cause = (uint8_t)w->cause;
	seg->call_table = w->in_no_call ? 4 : 0;
	if (call >= 0 && call < UINT16_MAX) {
		seg->call = (uint16_t)(call + 1);
		seg->call_table = (uint8_t)((w->syscall & RS_CALL_COMPAT ? 1 : 0) |
					    (w->syscall & RS_CALL_DOUBTFUL ? 2 : 0));
	}
	seg->what = w->cause == RS_CAUSE_LOCK  ? w->lock_addr :
		    w->cause == RS_CAUSE_FUTEX ? w->uaddr :
		    w->cause == RS_CAUSE_SLEEP || w->socket ? w->socket :
						 w->dev;
	seg->detail = (uint8_t)(w->cause == RS_CAUSE_LOCK  ? w->lock_flags :
				w->cause == RS_CAUSE_FUTEX ? w->args && rs_futex_is_lock(w->args) :
				w->cause == RS_CAUSE_SLEEP ? w->socket_part :
							     w->stall);
}

/* The number of a disk's newest request; NULL: it has none, or there is no room to add one. */
uint32_t *rs_history_disk(struct rs_history *h, uint32_t dev, bool add);

#endif
