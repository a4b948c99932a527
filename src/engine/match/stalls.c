// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stalls - tasks held up because memory is short: direct reclaim, compaction, throttling; at most one of each
 * kind
 */
#include "engine/match/stalls.h"

#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/matcher.h"
#include "engine/task-table.h"

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

struct stall_begun {
	struct rs_begun begun;   /* key: enum rs_stall_kind */
	int32_t order;
};

static const struct stall_begun *stall_find(const struct rs_session *s, const struct rs_task *t,
					    enum rs_stall_kind kind)
{
	const struct stall_begun *b;

	for (unsigned int i = 0; (b = rs_matcher_nth(rs_part_ctx(s, RS_ENGINE_STALLS), 0, t, i)); i++)
		if (b->begun.key == kind)
			return b;
	return NULL;
}

static struct rs_stall stall_of(const struct rs_session *s, const struct stall_begun *b, struct rs_task *task,
				uint64_t end_ns)
{
	return (struct rs_stall){
		.kind = (enum rs_stall_kind)b->begun.key, .task = task, .begin_ns = b->begun.begin_ns,
		.end_ns = end_ns, .order = b->order,
		.syscall = rs_task_in_call(rs_part_ctx(s, RS_ENGINE_STALLS), task) ? task->syscall : -1,
	};
}

bool rs_task_stall(const struct rs_ctx *c, struct rs_task *t, enum rs_stall_kind kind, struct rs_stall *stall)
{
	const struct rs_session *s = c->session;
	const struct stall_begun *b = stall_find(s, t, kind);

	if (!b)
		return false;
	*stall = stall_of(s, b, t, s->now_ns);
	return !rs_gaps_hit(&s->states.gaps, stall->begin_ns, s->now_ns);
}

/* The kinds that last longest come first. */
bool rs_stalls_current(const struct rs_session *s, struct rs_task *t, struct rs_stall *stall)
{
	if (!rs_matcher_nth(rs_part_ctx(s, RS_ENGINE_STALLS), 0, t, 0)) /* nearly always */
		return false;
	for (unsigned int kind = 0; kind < RS_NR_STALLS; kind++)
		if (rs_task_stall(rs_part_ctx(s, RS_ENGINE_STALLS), t, (enum rs_stall_kind)kind, stall))
			return true;
	return false;
}

static void stall_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	struct rs_stall stall = stall_of(c->session, end->begun, end->task, end->end_ns);

	stall.discarded = end->discarded;
	stall.in_flight = end->in_flight;
	RS_DISPATCH(&c->session->dispatch.on[RS_ON_STALL], stall, &stall);
}

/* Reclaim is the very work of the kernel's own reclaimers: they are not stalled by it. */
static bool stalls_is_stallable(const struct rs_task *t)
{
	return t && strncmp(t->comm, "kswapd", 6) != 0 && strncmp(t->comm, "kcompactd", 9) != 0;
}

static void stalls_begin(struct rs_ctx *c, const struct rs_event *ev, enum rs_stall_kind kind, int32_t order)
{
	if (stalls_is_stallable(ev->task))
		((struct stall_begun *)rs_match_begin(c, 0, ev, kind))->order = order;
}

static void stalls_end(struct rs_ctx *c, const struct rs_event *ev, enum rs_stall_kind kind)
{
	if (stalls_is_stallable(ev->task))
		rs_match_end(c, 0, ev, NULL, kind);
}

static int32_t stalls_order_of(const struct rs_event *ev, const struct rs_field *f)
{
	return rs_has(f) ? (int32_t)rs_i64(ev, f) : -1;
}

#define STALL_HANDLERS(name, kind) \
	static void on_##name##_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f) \
	{ \
		stalls_begin(c, ev, kind, stalls_order_of(ev, f)); \
	} \
	static void on_##name##_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f) \
	{ \
		stalls_end(c, ev, kind); \
	}

STALL_HANDLERS(reclaim, RS_STALL_RECLAIM)
STALL_HANDLERS(memcg, RS_STALL_MEMCG)

/* Has the order of the compactions that follow in this task: their own events do not have it. */
static void on_compaction_wanted(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task)
		rs_task_instance_of(ev->task)->compaction_order = stalls_order_of(ev, f) + 1;
}

static void on_compaction_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task)
		stalls_begin(c, ev, RS_STALL_COMPACTION, rs_task_instance_of(ev->task)->compaction_order - 1);
}

static void on_compaction_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	stalls_end(c, ev, RS_STALL_COMPACTION);
}

/*
 * One event, at the end, says for how many microseconds the task was throttled. The kernel counts them in
 * ticks: the result may be longer than the reclaim that contains it.
 */
static void on_throttled(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	int64_t delayed_ns = (int64_t)(int32_t)rs_i64(ev, f) * 1000;
	const struct stall_begun *reclaim;
	struct rs_event begin = *ev;

	if (!stalls_is_stallable(ev->task) || delayed_ns <= 0 || (uint64_t)delayed_ns > ev->ts_ns)
		return;
	begin.ts_ns = ev->ts_ns - (uint64_t)delayed_ns;
	for (int kind = RS_STALL_RECLAIM; kind <= RS_STALL_MEMCG; kind++) {
		reclaim = stall_find(c->session, ev->task, (enum rs_stall_kind)kind);
		if (reclaim && reclaim->begun.begin_ns > begin.ts_ns)
			begin.ts_ns = reclaim->begun.begin_ns;
	}
	stalls_begin(c, &begin, RS_STALL_THROTTLE, -1);
	stalls_end(c, ev, RS_STALL_THROTTLE);
}

/*
 * Fires before each sleep; a pause of 0 or less is no sleep. The stall ends with the sleep, whose end is not
 * known without wakings.
 */
static void on_dirty(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (rs_i64(ev, f) > 0 && c->session->states.on && c->session->states.wakings_known)
		stalls_begin(c, ev, RS_STALL_DIRTY, -1);
}

/*
 * balance_dirty_pages() sleeps in state D; a writer that must not sleep (io_uring's) goes away instead, and
 * its next
 * sleep is another matter.
 */
void rs_stalls_end_dirty(struct rs_session *s, struct rs_task *t, const struct rs_interval *iv)
{
	struct rs_event ev = { .task = t, .ts_ns = iv->to_ns };

	if (!stall_find(s, t, RS_STALL_DIRTY))
		return;
	if (!iv->discarded && iv->letter != 'D')
		rs_match_withdraw(rs_part_ctx(s, RS_ENGINE_STALLS), 0, &ev, RS_STALL_DIRTY);
	else
		rs_match_end(rs_part_ctx(s, RS_ENGINE_STALLS), 0, &ev, NULL, RS_STALL_DIRTY);
}

#define STALL(system, event, need, handler, field) { system, event, need, RS_BY_TASK, handler, { field } }

const struct rs_analysis rs_engine_stalls = {
	.abi = RS_ABI,
	.name = "stalls",
	.requirements = RS_LIST(
		rs_requirement,
		STALL("vmscan", "mm_vmscan_direct_reclaim_begin", RS_REQUIRED, on_reclaim_begin, "?order"),
		STALL("vmscan", "mm_vmscan_direct_reclaim_end", RS_REQUIRED, on_reclaim_end, NULL),
		STALL("vmscan", "mm_vmscan_memcg_reclaim_begin", RS_OPTIONAL, on_memcg_begin, "?order"),
		STALL("vmscan", "mm_vmscan_memcg_reclaim_end", RS_OPTIONAL, on_memcg_end, NULL),
		STALL("compaction", "mm_compaction_try_to_compact_pages", RS_OPTIONAL, on_compaction_wanted,
		      "?order"),
		STALL("compaction", "mm_compaction_begin", RS_OPTIONAL, on_compaction_begin, NULL),
		STALL("compaction", "mm_compaction_end", RS_OPTIONAL, on_compaction_end, NULL),
		STALL("vmscan", "mm_vmscan_throttled", RS_OPTIONAL, on_throttled, "usec_delayed"),
		/* before 5.16 */
		STALL("writeback", "writeback_congestion_wait", RS_OPTIONAL, on_throttled, "usec_delayed"),
		STALL("writeback", "writeback_wait_iff_congested", RS_OPTIONAL, on_throttled, "usec_delayed"),
		STALL("writeback", "balance_dirty_pages", RS_OPTIONAL, on_dirty, "pause")),
	.matches = RS_LIST(rs_match, { "stalls", RS_MATCH_TASK, RS_MATCH_RESTARTS, .most = RS_NR_STALLS,
				       .begun_bytes = sizeof(struct stall_begun), .end = stall_end }),
};
