// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine's handlers of what tasks wait for: kernel locks, and stalls for memory. */
#include "engine/internal.h"

/* ---- locks ---- */

static struct rs_open_locks *locks_of(struct rs_session *s, const struct rs_event *ev)
{
	return ev->task ? &rs_task_instance_of(ev->task)->locks : &s->contentions.idle[ev->cpu];
}

enum { LOCK_ADDR, LOCK_FLAGS, LOCK_RET = LOCK_FLAGS };

/* A bit that has no name in the format makes a type that has none. */
static unsigned int lock_flags(const struct rs_session *s, uint64_t kernels)
{
	unsigned int flags = 0;

	for (unsigned int i = 0; i < RS_NR_LOCK_FLAGS; i++) {
		if (s->lock_bits[i] && kernels & s->lock_bits[i])
			flags |= 1u << i;
		kernels &= ~s->lock_bits[i];
	}
	return kernels ? flags | RS_LOCK_OTHER : flags;
}

static void on_lock_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;

	rs_contentions_begin(&s->contentions, locks_of(s, ev), rs_u64(ev, &f[LOCK_ADDR]),
			     lock_flags(s, rs_u64(ev, &f[LOCK_FLAGS])), ev->ts_ns);
}

static void on_lock_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_session *s = c->session;
	struct rs_contention end = {
		.task = ev->task, .lock_addr = rs_u64(ev, &f[LOCK_ADDR]), .end_ns = ev->ts_ns, .cpu = ev->cpu,
		.failed = rs_i64(ev, &f[LOCK_RET]) < 0,
	};

	rs_contentions_end(&s->contentions, locks_of(s, ev), &end);
}

static const struct rs_requirement lock_wants[] = {
	{ "lock", "contention_begin", RS_REQUIRED, RS_BY_ANYONE, on_lock_begin, { "lock_addr", "flags" } },
	{ "lock", "contention_end", RS_REQUIRED, RS_BY_ANYONE, on_lock_end, { "lock_addr", "?ret" } },
	{ 0 },
};

/* ---- stalls ---- */

/* The kernel's own reclaimers do this as their work: what they take is nobody's stall. */
static bool is_reclaimer(const struct rs_task *t)
{
	return !strncmp(t->comm, "kswapd", 6) || !strncmp(t->comm, "kcompactd", 9);
}

static void begin_stall(struct rs_ctx *c, const struct rs_event *ev, enum rs_stall_kind kind, int32_t order)
{
	if (ev->task && !is_reclaimer(ev->task))
		rs_stalls_begin(&c->session->stalls, &rs_task_instance_of(ev->task)->stalls, kind, order,
				ev->ts_ns);
}

static void end_stall(struct rs_ctx *c, const struct rs_event *ev, enum rs_stall_kind kind)
{
	struct rs_stall stall = { .kind = kind, .task = ev->task, .end_ns = ev->ts_ns };

	if (!ev->task || is_reclaimer(ev->task))
		return;
	stall.syscall = rs_waits_syscall(c->session, rs_task_instance_of(ev->task));
	rs_stalls_end(&c->session->stalls, &rs_task_instance_of(ev->task)->stalls, &stall);
}

static int32_t wait_events_order_of(const struct rs_event *ev, const struct rs_field *f)
{
	return rs_has(f) ? (int32_t)rs_i64(ev, f) : -1;
}

static void on_reclaim_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	begin_stall(c, ev, RS_STALL_RECLAIM, wait_events_order_of(ev, f));
}

static void on_reclaim_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	end_stall(c, ev, RS_STALL_RECLAIM);
}

static void on_memcg_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	begin_stall(c, ev, RS_STALL_MEMCG, wait_events_order_of(ev, f));
}

static void on_memcg_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	end_stall(c, ev, RS_STALL_MEMCG);
}

/* Says for which order the compactions that follow in this task are: their own events do not. */
static void on_compaction_wanted(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task)
		rs_task_instance_of(ev->task)->stalls.wanted_order = wait_events_order_of(ev, f) + 1;
}

static void on_compaction_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task)
		begin_stall(c, ev, RS_STALL_COMPACTION,
			    rs_task_instance_of(ev->task)->stalls.wanted_order - 1);
}

static void on_compaction_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	end_stall(c, ev, RS_STALL_COMPACTION);
}

/* One event, at the end, says for how many microseconds it was held back. */
static void on_throttled(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	int64_t delayed_ns = (int64_t)(int32_t)rs_i64(ev, f) * 1000;
	struct rs_stall stall = { .kind = RS_STALL_THROTTLE, .task = ev->task, .end_ns = ev->ts_ns, .order = -1 };

	if (!ev->task || is_reclaimer(ev->task) || delayed_ns <= 0 || (uint64_t)delayed_ns > ev->ts_ns)
		return;
	stall.begin_ns = ev->ts_ns - (uint64_t)delayed_ns;
	rs_stalls_within(&rs_task_instance_of(ev->task)->stalls, &stall);
	stall.syscall = rs_waits_syscall(c->session, rs_task_instance_of(ev->task));
	rs_stalls_whole(&c->session->stalls, &stall);
}

/* Fires before it sleeps, in each turn; a pause of 0 or less is none. Its end is that of the sleep: see waits.c. */
static void on_dirty(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (rs_i64(ev, f) > 0 && c->session->states.on && c->session->states.wakings_known)
		begin_stall(c, ev, RS_STALL_DIRTY, -1);
}

#define STALL(system, event, need, handler, field) { system, event, need, RS_BY_TASK, handler, { field } }

static const struct rs_requirement stall_wants[] = {
	STALL("vmscan", "mm_vmscan_direct_reclaim_begin", RS_REQUIRED, on_reclaim_begin, "?order"),
	STALL("vmscan", "mm_vmscan_direct_reclaim_end", RS_REQUIRED, on_reclaim_end, NULL),
	STALL("vmscan", "mm_vmscan_memcg_reclaim_begin", RS_OPTIONAL, on_memcg_begin, "?order"),
	STALL("vmscan", "mm_vmscan_memcg_reclaim_end", RS_OPTIONAL, on_memcg_end, NULL),
	STALL("compaction", "mm_compaction_try_to_compact_pages", RS_OPTIONAL, on_compaction_wanted, "?order"),
	STALL("compaction", "mm_compaction_begin", RS_OPTIONAL, on_compaction_begin, NULL),
	STALL("compaction", "mm_compaction_end", RS_OPTIONAL, on_compaction_end, NULL),
	STALL("vmscan", "mm_vmscan_throttled", RS_OPTIONAL, on_throttled, "usec_delayed"),
	STALL("writeback", "writeback_congestion_wait", RS_OPTIONAL, on_throttled, "usec_delayed"), /* before 5.16 */
	STALL("writeback", "writeback_wait_iff_congested", RS_OPTIONAL, on_throttled, "usec_delayed"),
	STALL("writeback", "balance_dirty_pages", RS_OPTIONAL, on_dirty, "pause"),
	{ 0 },
};

const struct rs_analysis rs_engine_locks = { .abi = RS_ABI, .name = "locks", .requirements = lock_wants };
const struct rs_analysis rs_engine_stalls = { .abi = RS_ABI, .name = "stalls", .requirements = stall_wants };
