// SPDX-License-Identifier: GPL-2.0-or-later
/* chain-level - what a task did in some times: parts that explain themselves, and waits for other tasks */
#include "why/chain-level.h"

#include "why/culprits.h"
#include "why/lines.h"
#include "why/works.h"

/* A device, a stall for memory and a sleep until an event comes are explained by themselves. */
static bool chain_level_is_followed(const struct rs_segment *seg)
{
	return seg->kind == RS_BLOCKED && seg->waker_kind == RS_WAKER_TASK && seg->cause != RS_CAUSE_DISK &&
	       seg->cause != RS_CAUSE_RECLAIM;
}

const char *rs_chain_level_comm(const struct rs_task_name *n)
{
	return n->task ? n->task->comm : n->comm;
}

static bool chain_level_is_same(const struct rs_task_name *a, const struct rs_task_name *b)
{
	return a == b || (*rs_chain_level_comm(a) && !strcmp(rs_chain_level_comm(a), rs_chain_level_comm(b)));
}

static void chain_level_add_wait(struct rs_chain_level *level, const struct rs_chain_wait *wait)
{
	struct rs_chain_waker *waker = level->wakers;

	for (; waker < level->wakers + level->nr_wakers; waker++)
		if (chain_level_is_same(waker->name, wait->seg->waker))
			break;
	if (waker == level->wakers + level->nr_wakers) {
		if (level->nr_wakers == RS_CHAIN_LEVEL_WAKERS)
			return;
		*waker = (struct rs_chain_waker){ .name = wait->seg->waker };
		level->nr_wakers++;
	}
	waker->ns += wait->to_ns - wait->from_ns;
	waker->nr++;
	waker->several |= waker->name != wait->seg->waker;
	if (level->nr_waits < RS_CHAIN_LEVEL_WAITS)
		level->waits[level->nr_waits++] = *wait;
}

static void chain_level_add_segment(struct rs_chain_level *level, const struct rs_segment *seg,
				    uint64_t from_ns, uint64_t to_ns)
{
	struct rs_line_part held;
	struct rs_line line;

	if (!chain_level_is_followed(seg)) {
		rs_culprits_add(level->c, seg, from_ns, to_ns, &level->parts);
		return;
	}
	rs_line_begin(&line, level->c, seg, from_ns, to_ns);
	while (rs_line_next(&line, &held))
		chain_level_add_wait(level, &(struct rs_chain_wait){ held.seg, held.from_ns, held.to_ns });
}

/* Adds what the task did between two times. */
static void chain_level_add_time(struct rs_chain_level *level, struct rs_history_walk *walk, uint64_t from_ns,
			   uint64_t to_ns)
{
	const struct rs_segment *seg;
	uint64_t at_ns = to_ns;

	while (at_ns > from_ns && (seg = rs_history_next(walk)) && seg->to_ns > from_ns) {
		uint64_t begin_ns = seg->from_ns > from_ns ? seg->from_ns : from_ns,
			 end_ns = seg->to_ns < at_ns ? seg->to_ns : at_ns;

		if (begin_ns >= at_ns)
			continue;
		rs_culprits_add(level->c, NULL, end_ns, at_ns, &level->parts);
		chain_level_add_segment(level, seg, begin_ns, end_ns);
		at_ns = begin_ns;
	}
	rs_culprits_add(level->c, NULL, from_ns, at_ns, &level->parts);
}

const struct rs_chain_waker *rs_chain_level_main_waker(const struct rs_chain_level *level)
{
	const struct rs_chain_waker *most = NULL;

	for (unsigned int i = 0; i < level->nr_wakers; i++)
		if (!most || level->wakers[i].ns > most->ns)
			most = &level->wakers[i];
	return most;
}

const struct rs_chain_wait *rs_chain_level_keep(struct rs_chain_level *level,
						const struct rs_chain_waker *waker)
{
	const struct rs_chain_wait *slowest = NULL;
	unsigned int nr = 0;

	for (unsigned int i = 0; i < level->nr_waits; i++) {
		const struct rs_chain_wait wait = level->waits[i];

		if (!chain_level_is_same(wait.seg->waker, waker->name))
			continue;
		level->waits[nr++] = wait;
		if (!slowest || wait.to_ns - wait.from_ns > slowest->to_ns - slowest->from_ns)
			slowest = &level->waits[nr - 1];
	}
	level->nr_waits = nr;
	return slowest;
}

enum rs_time_part rs_chain_level_part(const struct rs_chain_level *level, const struct rs_chain_wait *wait)
{
	struct rs_culprits one = { .nr = 0 };

	rs_culprits_add(level->c, wait->seg, wait->from_ns, wait->to_ns, &one);
	return one.nr ? one.at[0].part : RS_PART_UNKNOWN;
}

/*
 * What a worker of the kernel did before a work was queued has nothing to do with who waits for that work:
 * from there on the task that queued it is followed. Returns since when the worker itself is.
 */
static uint64_t chain_level_add_work(struct rs_chain_level *level, const struct rs_chain_wait *wait)
{
	const struct rs_work *work = rs_works_of_wait(level->c, wait->seg);
	uint64_t from_ns = wait->from_ns, queue_ns, begin_ns;

	if (!work || !work->queued.to_ns || work->begin_ns <= from_ns)
		return from_ns;
	begin_ns = work->begin_ns < wait->to_ns ? work->begin_ns : wait->to_ns;
	queue_ns = work->queued.to_ns < begin_ns ? work->queued.to_ns : begin_ns;
	if (queue_ns > from_ns)
		chain_level_add_segment(level, &work->queued, from_ns, queue_ns);
	else
		queue_ns = from_ns;
	rs_culprits_add_part(&level->parts, RS_PART_WORK, queue_ns, begin_ns);
	return begin_ns;
}

void rs_chain_level_next(struct rs_chain_level *level, const struct rs_chain_waker *waker)
{
	struct rs_chain_wait waits[RS_CHAIN_LEVEL_WAITS];
	unsigned int nr = level->nr_waits;

	memcpy(waits, level->waits, nr * sizeof *waits);
	level->name = waker->name;
	level->parts.nr = level->nr_waits = level->nr_wakers = 0;
	for (unsigned int i = 0; i < nr; i++) {
		struct rs_history_walk walk;
		uint64_t from_ns = chain_level_add_work(level, &waits[i]);

		rs_history_walk_waker(level->c, &walk, waits[i].seg);
		chain_level_add_time(level, &walk, from_ns, waits[i].to_ns);
	}
}

bool rs_chain_level_begin(struct rs_chain_level *level, struct rs_ctx *c, const struct rs_task *t,
			  uint64_t from_ns, uint64_t to_ns)
{
	struct rs_history_walk walk;

	level->c = c;
	level->name = rs_history_name(c, t);
	level->parts.nr = level->parts.number = level->parts.steps = level->parts.most_steps = 0;
	level->parts.by_type = false;
	level->nr_waits = level->nr_wakers = 0;
	if (!level->name || to_ns <= from_ns)
		return false;
	rs_history_walk_task(c, &walk, level->name);
	chain_level_add_time(level, &walk, from_ns, to_ns);
	return true;
}
