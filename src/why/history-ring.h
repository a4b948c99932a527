/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history-ring.h - the ring of segments behind ringside/history.h: appended to as states, interrupts and
 * requests end
 */
#ifndef RS_WHY_HISTORY_RING_H
#define RS_WHY_HISTORY_RING_H

#include "engine/states/states.h"
#include "why/history.h"

#define RS_HISTORY_SEGMENTS (1u << 17)
#define RS_HISTORY_REQUESTS (1u << 14)

struct rs_history;
struct rs_session;

/* NULL: no analysis requires it. */
struct rs_history *rs_history_of(const struct rs_session *s);

/*
 * NULL: no memory. is_short: findings alone divide waits as they end, and take the last part of a long one
 * for all of it, so they need far less; and each page that is touched for the first time costs as much as a
 * hundred events.
 */
struct rs_history *rs_history_new(const struct rs_states *states, unsigned int nr_cpus, bool is_short);
void rs_history_free(struct rs_history *h);

/*
 * Unless it is paused: a state other than RS_BLOCKED has ended; a wait has ended, with its cause. Discarded
 * ones are omitted: unknown time. cpu: of the waking.
 */
void rs_history_interval(struct rs_history *h, const struct rs_interval *iv);
void rs_history_wait(struct rs_history *h, const struct rs_wait *w, uint16_t cpu);
/* A task that waits for a CPU moves to another one. waker: the tid of the event's context. */
void rs_history_migrate(struct rs_history *h, struct rs_task_instance *inst, uint16_t from_cpu,
			int32_t context_tid, uint64_t ts_ns);
void rs_history_irq(struct rs_history *h, const struct rs_irq *irq);
void rs_history_add_request(struct rs_history *h, const struct rs_request *r, uint16_t cpu);

/*
 * Sets who woke a segment that is not in the ring, now: 0 an interrupt. The name stays as long as the newest
 * segment: until rs_history_from_ns is later than this.
 */
void rs_history_set_waker(struct rs_history *h, struct rs_segment *seg, int32_t waker_tid);

/* How many segments there were: wraps. */
uint32_t rs_history_nr(const struct rs_history *h);

/*
 * A short history takes samples of a storm: it pauses for a while, with nothing in it but waits of
 * RS_HISTORY_LONG_NS that end meanwhile, then it begins anew.
 */
#define RS_HISTORY_LONG_NS 10000000u
static inline bool rs_history_is_long(const struct rs_interval *iv)
{
	return iv->to_ns - iv->from_ns >= RS_HISTORY_LONG_NS;
}
bool rs_history_is_paused(const struct rs_history *h, uint64_t now_ns);

/* An exec by a thread: its segments continue under the leader's tid. */
void rs_history_reassign(struct rs_history *h, struct rs_task_instance *from, struct rs_task_instance *to);
/* The task is about to be evicted: its name stays as long as a segment refers to it. */
void rs_history_evict(struct rs_history *h, struct rs_task_instance *inst);

#endif
