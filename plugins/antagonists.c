// SPDX-License-Identifier: GPL-2.0-or-later
/* antagonists - for each process that waited: who had its CPU, its disk, its lock meanwhile */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"

/* Whose wait, for what, because of whom: a victim, a part and a device (key 0), a culprit (key 1). */
struct antagonists_row {
	uint64_t count, total_ns;
	struct rs_peak peak;
	char culprit[RS_IRQ_NAME_LEN + 24];
};

static void antagonists_merge_text(void *into, const void *from)
{
	if (!*(char *)into)
		memcpy(into, from, sizeof ((struct antagonists_row *)0)->culprit);
}

static const struct rs_measure measures[] = {
	{ RS_MEASURE_SUM, offsetof(struct antagonists_row, count) },
	{ RS_MEASURE_SUM, offsetof(struct antagonists_row, total_ns) },
	{ RS_MEASURE_PEAK, offsetof(struct antagonists_row, peak) },
	{ RS_MEASURE_OTHER, offsetof(struct antagonists_row, culprit), antagonists_merge_text, sizeof ((struct antagonists_row *)0)->culprit },
	{ 0 },
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct antagonists_row), .measures = measures, .of_tasks = true, .max_rows = 1 << 16, .kept_keys = 3 },
	{ 0 },
};

struct antagonists_state {
	uint64_t total_ns;           /* of all rows: what SHARE% is of */
};

/* ---- keys ---- */

static uint64_t antagonists_key_what(const struct rs_culprit *k)
{
	return (uint64_t)k->part | (uint64_t)k->kind << 8 | (uint64_t)k->dev << 16;
}

static uint64_t antagonists_key_culprit(const struct rs_culprit *k)
{
	switch (k->kind) {
	case RS_CULPRIT_TASK:
		return k->pid ? (uint64_t)k->pid : (uint64_t)(uint32_t)k->tid << 32;
	case RS_CULPRIT_IRQ:
		return k->irq->index;
	default:
		return 0;
	}
}

static enum rs_time_part antagonists_part(const struct rs_group *g)
{
	return (enum rs_time_part)(g->keys[0] & 255);
}

static enum rs_culprit_kind antagonists_kind(const struct rs_group *g)
{
	return (enum rs_culprit_kind)(g->keys[0] >> 8 & 255);
}

/* ---- waits ---- */

/* What somebody takes from a task. Its own choice to sleep, and the time that an idle CPU takes to wake up, are not. */
static bool antagonists_is_taken(enum rs_time_part part)
{
	return part == RS_PART_FUTEX || (rs_part_row(part)->rank == RS_RANK_WAIT && part != RS_PART_WAKEUP);
}

static void antagonists_add(struct rs_ctx *c, struct rs_task *victim, const struct rs_culprit *k)
{
	struct antagonists_state *state = c->state;
	struct antagonists_row *row;
	char buf[sizeof row->culprit];

	if (!antagonists_is_taken(k->part))
		return;
	row = rs_store_row(c, 0, victim, antagonists_key_what(k), antagonists_key_culprit(k));
	if (!row)
		return;
	if (!row->culprit[0])
		snprintf(row->culprit, sizeof row->culprit, "%s", rs_culprit_text(c, k, buf, sizeof buf));
	row->count++;
	row->total_ns += k->ns;
	rs_peak_add(&row->peak, k->at_ns, k->ns, NULL);
	state->total_ns += k->ns;
}

static void antagonists_divide(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint64_t from_ns = iv->from_ns < c->range_from_ns ? c->range_from_ns : iv->from_ns;
	struct rs_culprits culprits;

	if (iv->discarded || from_ns >= iv->to_ns || !rs_shown(c, iv->task))
		return;
	rs_culprits_find(c, iv->task, from_ns, iv->to_ns, &culprits);
	for (unsigned int i = 0; i < culprits.nr; i++)
		antagonists_add(c, iv->task, &culprits.at[i]);
}

static void antagonists_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	if (w->cause == RS_CAUSE_DISK || w->cause == RS_CAUSE_LOCK || w->cause == RS_CAUSE_FUTEX || w->cause == RS_CAUSE_RECLAIM)
		antagonists_divide(c, w->interval);
}

static void antagonists_reset(struct rs_ctx *c)
{
	((struct antagonists_state *)c->state)->total_ns = 0;
}

/* ---- the view ---- */

static struct rs_value antagonists_show_part(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_part_row(antagonists_part(g))->name);
}

static struct rs_value antagonists_show_culprit(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(((const struct antagonists_row *)g->row)->culprit);
}

static struct rs_value antagonists_show_culprit_pid(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(antagonists_kind(g) == RS_CULPRIT_TASK, g->keys[1] >> 32 ? g->keys[1] >> 32 : g->keys[1]);
}

static struct rs_value antagonists_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint32_t dev = (uint32_t)(g->keys[0] >> 16);
	const char *name = dev ? rs_disk_name(c, dev) : NULL;

	if (!dev)
		return rs_null();
	if (name)
		return rs_s(name);
	rs_dev_text(dev, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_value antagonists_show_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct antagonists_state *state = c->state;

	return rs_milli(((const struct antagonists_row *)g->row)->total_ns, state->total_ns, 100);
}

#define ANTAGONISTS_SUM(member) .measure_bytes = offsetof(struct antagonists_row, member), .aspect = RS_VALUE
#define ANTAGONISTS_PEAK .measure_bytes = offsetof(struct antagonists_row, peak), .aspect

static const struct rs_column columns[] = {
	{ "comm", "VICTIM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "the process that waited, or the thread under --by tid", .key = RS_KEY_COMM },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID },
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID },
	{ "part", "WAITED FOR", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "run queue, irq, softirq, idle CPU, lock, futex, disk, fault, reclaim: see the view `why`", .key = RS_KEY_0, .by_cell = true, .cell = antagonists_show_part },
	{ "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 6, "the disk", .key = RS_KEY_0, .by_cell = true, .cell = antagonists_show_dev },
	{ "culprit_pid", "BY PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "the culprit's process; null: no process", .key = RS_KEY_1, .by_cell = true, .cell = antagonists_show_culprit_pid },
	{ "culprit", "CULPRIT", RS_TYPE_TEXT, 0, 0, 20, "who had it: the process that ran, whose request the disk served, who released the lock; itself; null unknown", .cell = antagonists_show_culprit },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "waits that it had a part in", ANTAGONISTS_SUM(count) },
	{ "total_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 12, "what it took from the victim", ANTAGONISTS_SUM(total_ns) },
	{ "share", "SHARE%", RS_TYPE_MILLI, 0, 0, 6, "of all that is shown", .cell = antagonists_show_share },
	{ "max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 10, "the most that it took from one wait", ANTAGONISTS_PEAK = RS_PEAK },
	{ "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the longest piece of that began", ANTAGONISTS_PEAK = RS_PEAK_AT },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "antagonists", .summary = "who took what processes waited for: the CPU, the disk, locks", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-total_ns", .options = "by", .store = stores, .by = "comm,pid,part,dev,culprit_pid",
	  .text_columns = "comm,pid,part,dev,culprit,culprit_pid,count,total_ns,share,max_ns,at_ns" },
	{ 0 },
};

static const struct rs_callback callbacks[] = {
	{ RS_ON_INTERVAL, .interval = antagonists_divide, .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
	{ RS_ON_WAIT, .wait = antagonists_on_wait },
	{ 0 },
};

const struct rs_analysis rs_analysis_antagonists = {
	.abi = RS_ABI,
	.name = "antagonists",
	.summary = "who took what tasks waited for",
	.callbacks = callbacks,
	.stores = stores,
	.views = views,
	.requires_history = true,
	.by_name = true,
	.state_size = sizeof(struct antagonists_state),
	.reset = antagonists_reset,
};
