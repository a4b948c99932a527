// SPDX-License-Identifier: GPL-2.0-or-later
/* what-if-rows - the rows of what-if: waits as they were, and as they would be */
#include "plugins/parts/what-if-rows.h"

#include <stdio.h>

#define LEAST_OF_WALL 1000       /* what saves less than one in so many of the wall time is no row */

enum {
	COMM, PID, WAIT, PEER, CULPRIT, KIND, CHANGE, COUNT, CHANGED, P50, P50_AFTER, P99, P99_AFTER, TOTAL,
	SAVED, SHARE, KNOWN, TEXT, NR_COLUMNS
};

const struct rs_column rs_what_if_rows_columns[] = {
	[COMM] = { "comm", "VICTIM", RS_TYPE_TEXT, 0, 0, 16, "the process that waited" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[WAIT] = { "wait", "IN", RS_TYPE_TEXT, 0, 0, 14,
		   "the system call that it waited in; outside of calls what for: delay (run queue), disk" },
	[PEER] = { "peer", "FOR", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 16,
		   "the process, or the thread of its own, that ended most of the wait by an answer; null: "
		   "none" },
	[CULPRIT] = { "culprit", "WITHOUT", RS_TYPE_TEXT, 0, 0, 20,
		      "what would be different: a process, a thread of its own process (process/thread), "
		      "itself, a disk, a category of time (see waterfall), cpu.max" },
	[KIND] = { "kind", "KIND", RS_TYPE_TEXT, 0, 0, 8, "task, disk, category or quota" },
	[CHANGE] = { "change", "CHANGE", RS_TYPE_TEXT, 0, 0, 13,
		     "gone: it takes no CPU, no disk, no lock; twice as fast: what it runs, or a request of "
		     "the disk, takes half the time" },
	[COUNT] = { "waits", "WAITS", RS_TYPE_COUNT, 0, 0, 8, "waits of the victim in that call" },
	[CHANGED] = { "changed", "SHORTER", RS_TYPE_COUNT, 0, 0, 8, "of these, those that would be shorter" },
	[P50] = { "p50_ns", "P50(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "of all these waits: the median" },
	[P50_AFTER] = { "p50_after_ns", "THEN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
			"the median that it would be" },
	[P99] = { "p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % were at most this" },
	[P99_AFTER] = { "p99_after_ns", "THEN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "that it would be" },
	[TOTAL] = { "waited_ns", "WAITED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "of all these waits, in all" },
	[SAVED] = { "saved_ns", "SAVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
		    "how much less that would be" },
	[SHARE] = { "share", "SAVED%", RS_TYPE_MILLI, 0, 0, 7,
		    "the same, of the wall time of the threads of that process" },
	[KNOWN] = { "known", "KNOWN%", RS_TYPE_MILLI, 0, 0, 7,
		    "of the time of all these waits, what is known; of the rest, which was lost, was not "
		    "seen or was too much to look at, nothing is saved" },
	[TEXT] = { "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "all of it as a sentence" },
	{ 0 },
};

static const char *const changes[RS_NR_WHAT_IF_KINDS] = {
	[RS_WHAT_IF_ABSENT] = "gone", [RS_WHAT_IF_TASK_FASTER] = "twice as fast",
	[RS_WHAT_IF_DISK_FASTER] = "twice as fast", [RS_WHAT_IF_NO_CATEGORY] = "gone",
	[RS_WHAT_IF_NO_QUOTA] = "gone",
};

static const char *const kinds[RS_NR_WHAT_IF_KINDS] = {
	[RS_WHAT_IF_ABSENT] = "task", [RS_WHAT_IF_TASK_FASTER] = "task", [RS_WHAT_IF_DISK_FASTER] = "disk",
	[RS_WHAT_IF_NO_CATEGORY] = "category", [RS_WHAT_IF_NO_QUOTA] = "quota",
};

static const char *what_if_rows_culprit(struct rs_ctx *c, const struct rs_task *victim,
					const struct rs_what_if *w, char *buf)
{
	const char *name = w->kind == RS_WHAT_IF_DISK_FASTER ? rs_disk_name(c, w->dev) : NULL;

	if (w->kind == RS_WHAT_IF_NO_CATEGORY)
		return rs_category_row(w->category)->name;
	if (w->kind == RS_WHAT_IF_NO_QUOTA)
		return "cpu.max";
	if (w->kind == RS_WHAT_IF_DISK_FASTER) {
		if (!name)
			rs_dev_text(w->dev, buf, RS_CELL_TEXT_BYTES);
		return name ? name : buf;
	}
	if (!w->comm[0])
		return "itself";
	snprintf(buf, RS_CELL_TEXT_BYTES, "%s%s%s", w->is_own_thread ? rs_task_process_comm(c, victim) : "",
		 w->is_own_thread ? "/" : "", w->comm);
	return buf;
}

/* What is said of a wait, or of all waits of a call: how long they were, and would be. */
struct what_if_rows_told {
	const struct rs_task *victim;
	const struct rs_what_if *change;
	uint64_t key0;
	const char *peer;            /* "": none */
	uint64_t count, changed, p50_ns, p50_after_ns, p99_ns, p99_after_ns, total_ns, saved_ns, wall_ns,
		 unknown_ns;
};

static void what_if_rows_say(struct rs_ctx *c, const struct what_if_rows_told *k, const char *culprit,
			     const char *wait, char *buf, size_t size_bytes)
{
	bool is_faster = k->change->kind == RS_WHAT_IF_TASK_FASTER ||
			 k->change->kind == RS_WHAT_IF_DISK_FASTER;
	uint64_t milli = k->wall_ns ? k->saved_ns * 1000 / k->wall_ns : 0;
	char before[48], after[48], saved[48];

	snprintf(buf, size_bytes, "%s%s%s: %s of %s %s to %s, saves %s, %d.%d %% of its wall time",
		 is_faster ? "" : "without ", culprit, is_faster ? " twice as fast" : "",
		 k->count > 1 ? "p99" : "the wait", wait,
		 rs_duration_text(c, k->p99_ns, before, sizeof before),
		 rs_duration_text(c, k->p99_after_ns, after, sizeof after),
		 rs_duration_text(c, k->saved_ns, saved, sizeof saved), (int)(milli / 10), (int)(milli % 10));
}

static void what_if_rows_put(struct rs_ctx *c, const struct what_if_rows_told *k, struct rs_sink *out)
{
	uint32_t of = (uint32_t)k->key0;
	char culprit_buf[RS_CELL_TEXT_BYTES], call_buf[40], text[256];
	const char *culprit = what_if_rows_culprit(c, k->victim, k->change, culprit_buf);
	const char *wait = of == (RS_WHAT_IF_KEY_IS_CAUSE | RS_CAUSE_UNKNOWN) ? NULL :
			   of & RS_WHAT_IF_KEY_IS_CAUSE ?
				   rs_cause_row((enum rs_cause)(of & ~RS_WHAT_IF_KEY_IS_CAUSE))->name :
				   rs_call_name(c, of, call_buf, sizeof call_buf);
	struct rs_value v[NR_COLUMNS] = {
		[COMM] = rs_s(rs_task_process_comm(c, k->victim)),
		[PID] = rs_u_if(k->victim->pid, (uint64_t)k->victim->pid),
		[WAIT] = rs_s(wait),
		[PEER] = rs_s(k->peer[0] ? k->peer : NULL),
		[CULPRIT] = rs_s(culprit),
		[KIND] = rs_s(kinds[k->change->kind]),
		[CHANGE] = rs_s(changes[k->change->kind]),
		[COUNT] = rs_u(k->count),
		[CHANGED] = rs_u(k->changed),
		[P50] = rs_u(k->p50_ns),
		[P50_AFTER] = rs_u(k->p50_after_ns),
		[P99] = rs_u(k->p99_ns),
		[P99_AFTER] = rs_u(k->p99_after_ns),
		[TOTAL] = rs_u(k->total_ns),
		[SAVED] = rs_u(k->saved_ns),
		[SHARE] = rs_milli(k->saved_ns, k->wall_ns, 100),
		[KNOWN] = rs_milli(k->total_ns - k->unknown_ns, k->total_ns, 100),
	};

	what_if_rows_say(c, k, culprit, wait ? wait : "it", text, sizeof text);
	v[TEXT] = rs_s(text);
	out->row(out, v);
}

/* ---- quantiles of what would be ---- */

struct what_if_rows_rank {
	uint64_t value, nr;          /* so many are at most the value */
};

static void what_if_rows_count(void *arg, uint64_t value, uint64_t nr)
{
	struct what_if_rows_rank *rank = arg;

	rank->nr += value <= rank->value ? nr : 0;
}

static uint64_t what_if_rows_rank(const struct rs_hist *h, uint64_t value)
{
	struct what_if_rows_rank rank = { .value = value };

	rs_hist_each(h, what_if_rows_count, &rank);
	return rank.nr;
}

/* Of all waits, with those that are changed as they would be: the least value that is reached by so many. */
static uint64_t what_if_rows_quantile(const struct rs_hist *all, const struct rs_what_if_sum *row,
				 unsigned int per_mille)
{
	uint64_t rank = (all->nr * per_mille + 999) / 1000, from = 0, to = all->max;

	while (from < to) {
		uint64_t half = from + (to - from) / 2;

		if (what_if_rows_rank(all, half) + what_if_rows_rank(&row->after, half) >=
		    rank + what_if_rows_rank(&row->before, half))
			to = half;
		else
			from = half + 1;
	}
	return to;
}

static void what_if_rows_put_row(struct rs_ctx *c, struct rs_task *of, uint64_t key0,
			    const struct rs_what_if_sum *row, struct rs_sink *out)
{
	const struct rs_what_if_sum *all = rs_store_row(c, RS_WHAT_IF_WAITS, of, key0, 0);
	struct what_if_rows_told k = { .victim = of, .key0 = key0, .change = &row->change,
				  .wall_ns = rs_what_if_sums_task(c, of)->wall_ns,
				  .saved_ns = row->saved_ns };

	if (!all || !all->before.nr || !row->before.nr || k.saved_ns < k.wall_ns / LEAST_OF_WALL)
		return;
	k.peer = all->peer;
	k.count = all->before.nr;
	k.changed = row->before.nr;
	k.total_ns = all->before.sum;
	k.unknown_ns = all->unknown_ns;
	k.p50_ns = rs_hist_quantile(&all->before, 500);
	k.p99_ns = rs_hist_quantile(&all->before, 990);
	k.p50_after_ns = what_if_rows_quantile(&all->before, row, 500);
	k.p99_after_ns = what_if_rows_quantile(&all->before, row, 990);
	what_if_rows_put(c, &k, out);
}

/* A server waits for its clients' requests: whoever waits longer for the other is the client. */
static bool what_if_rows_is_for_input(struct rs_ctx *c, const struct rs_task *victim, uint64_t key0)
{
	uint64_t peer = key0 >> 32, self = rs_what_if_sums_name_key(rs_task_process_comm(c, victim));
	const struct rs_what_if_pair *waits = rs_store_row(c, RS_WHAT_IF_PAIRS, NULL, self, peer),
				     *is_awaited = rs_store_row(c, RS_WHAT_IF_PAIRS, NULL, peer, self);

	return peer && waits && is_awaited && is_awaited->ns > waits->ns;
}

/* Of one wait, all is known as it is asked for. */
static void what_if_rows_put_asked(struct rs_ctx *c, struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			      struct rs_sink *out)
{
	struct rs_what_if_state *s = c->state;
	uint64_t ns = to_ns - from_ns;
	struct rs_what_ifs all;

	if (!rs_what_if_find(c, s->room, t, from_ns, to_ns, &all))
		return;
	for (unsigned int i = 0; i < all.nr; i++) {
		const struct rs_what_if *w = &all.at[i];

		what_if_rows_put(c, &(struct what_if_rows_told){
			.victim = t, .change = w, .peer = "", .count = 1, .changed = 1,
			.key0 = rs_what_if_sums_key(-1, RS_CAUSE_UNKNOWN, ""), .p50_ns = ns,
			.p50_after_ns = w->ns, .p99_ns = ns, .p99_after_ns = w->ns,
			.total_ns = ns, .saved_ns = ns - w->ns,
			.wall_ns = ns, .unknown_ns = all.unknown_ns }, out);
	}
}

static void what_if_rows_sum_walls(struct rs_ctx *c)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		rs_what_if_sums_task(c, t)->wall_ns = 0;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_task *leader = t->pid ? rs_task_find(c, t->pid) : NULL;
		uint64_t lifetime_ns, unknown_ns;

		rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
		rs_what_if_sums_task(c, leader ? leader : t)->wall_ns += lifetime_ns;
	}
}

int rs_what_if_rows_put(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	struct rs_task *t = asked->kind == RS_ASKED_TIME ? rs_task_find(c, asked->tid) : NULL;

	if (asked->kind == RS_ASKED_TIME) {
		if (t)
			what_if_rows_put_asked(c, t, asked->at_ns, asked->to_ns, out);
		return 0;
	}
	what_if_rows_sum_walls(c);
	for (t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct rs_what_if_sum *row = NULL;
		uint64_t key0;

		while ((row = rs_store_next_of(c, RS_WHAT_IF_WAITS, t, (void *)(uintptr_t)row, &key0)))
			if (row->change.kind != RS_WHAT_IF_NONE && !what_if_rows_is_for_input(c, t, key0))
				what_if_rows_put_row(c, t, key0, row, out);
	}
	return 0;
}
