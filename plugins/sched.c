// SPDX-License-Identifier: GPL-2.0-or-later
/* sched - for each task: on a CPU, waiting for one, preempted, asleep */
#include <stdlib.h>

#include "ringside/plugin.h"

struct sched {
	bool migrations_known, wakings_known;
};

struct sched_task {
	uint64_t run_ns, switches, migrations, inferred;
	struct rs_hist delay;
	uint64_t delay_max_at_ns;
	uint64_t preempt_count, preempt_total_ns, preempt_max_ns;
	bool preempt_ended; /* preempt_max_ns is of one */
	uint64_t sleep_ns, blocked_ns;
	bool begun;     /* delay is initialised */
};

static struct sched_task *sched_task_data(struct rs_ctx *c, struct rs_task *t)
{
	struct sched_task *d = rs_task_data(c, t);

	if (!d->begun) {
		rs_hist_init(&d->delay);
		d->begun = true;
	}
	return d;
}

static void add_delay(const struct rs_ctx *c, struct sched_task *d, const struct rs_interval *iv)
{
	if (!iv->in_flight && (!d->delay.nr || iv->to_ns - iv->from_ns > d->delay.max))
		d->delay_max_at_ns = iv->from_ns;
	rs_latency_add(c, &d->delay, iv->from_ns, iv->to_ns, iv->in_flight);
}

static void add_preempted(const struct rs_ctx *c, struct sched_task *d, const struct rs_interval *iv, uint64_t inside_ns)
{
	uint64_t len_ns = iv->to_ns - iv->from_ns;

	d->preempt_count += iv->from_ns >= c->range_from_ns;
	d->preempt_total_ns += inside_ns;
	d->preempt_ended |= !iv->in_flight;
	if (!iv->in_flight && len_ns > d->preempt_max_ns)
		d->preempt_max_ns = len_ns;
}

static void sched_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint64_t inside_ns = rs_part_ns(c->range_from_ns, iv->from_ns, iv->to_ns);
	struct sched_task *d;

	if (!iv->task || iv->discarded)
		return;
	d = sched_task_data(c, iv->task);
	switch (iv->kind) {
	case RS_RUN:
		d->run_ns += inside_ns;
		break;
	case RS_DELAY:
		add_delay(c, d, iv);
		break;
	case RS_PREEMPTED:
		add_preempted(c, d, iv, inside_ns);
		break;
	case RS_BLOCKED:
		if (iv->with_delay) /* of how much of it it slept nobody knows */
			break;
		*(iv->letter == 'D' ? &d->blocked_ns : &d->sleep_ns) += inside_ns;
		break;
	default:
		break;
	}
}

static void on_switch_in(struct rs_ctx *c, struct rs_task *t)
{
	struct sched_task *d = sched_task_data(c, t);

	d->switches++;
	d->inferred += t->inferred;
}

static void sched_on_migrate(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, &f[0]));

	if (t)
		sched_task_data(c, t)->migrations++;
}

static const struct rs_requirement requirements[] = {
	{ "sched", "sched_migrate_task", RS_OPTIONAL, RS_BY_ANYONE, sched_on_migrate, { "pid" } },
	{ 0 },
};

enum {
	COMM, PID, TID, RUN, SWITCHES, MIGRATIONS,
	DELAY_COUNT, DELAY_TOTAL, DELAY_AVG, DELAY_P50, DELAY_P99, DELAY_MAX, DELAY_MAX_AT,
	PREEMPT_COUNT, PREEMPT_TOTAL, PREEMPT_MAX, SLEEP, BLOCKED, OPEN_STATE, OPEN_NS, INFERRED, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	[COMM] = { "comm", "TASK", RS_TYPE_TEXT, 0, 0, 16, "the thread's name, the last known" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[RUN] = { "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "on a CPU: whole stints, switch-in to switch-out" },
	[SWITCHES] = { "switches", "SWITCHES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that it was put on a CPU" },
	[MIGRATIONS] = { "migrations", "MIGR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6, "times that it was moved to another CPU; null where no such event was recorded" },
	[DELAY_COUNT] = { "delay_count", "DELAYS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "wakings that led to a switch-in; null, as all of delay and sleep, where no wakings were recorded" },
	[DELAY_TOTAL] = { "delay_total_ns", "DELAY(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "woken and not yet on a CPU, in all" },
	[DELAY_AVG] = { "delay_avg_ns", "AVG(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "average sched delay" },
	[DELAY_P50] = { "delay_p50_ns", "P50(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "half of the sched delays are at most this" },
	[DELAY_P99] = { "delay_p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % of the sched delays are at most this" },
	[DELAY_MAX] = { "delay_max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest sched delay" },
	[DELAY_MAX_AT] = { "delay_max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the longest began" },
	[PREEMPT_COUNT] = { "preempt_count", "PREEMPTED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "times that it left its CPU still runnable" },
	[PREEMPT_TOTAL] = { "preempt_total_ns", "PREEMPT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "preempted and not yet on a CPU again, in all" },
	[PREEMPT_MAX] = { "preempt_max_ns", "PMAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "longest preempted wait" },
	[SLEEP] = { "sleep_ns", "SLEEP(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "off the CPU, not runnable, in any state but D" },
	[BLOCKED] = { "blocked_ns", "BLOCKED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "off the CPU in state D" },
	[OPEN_STATE] = { "open_state", "NOW", RS_TYPE_TEXT, 0, 0, 9, "what it is in at the end" },
	[OPEN_NS] = { "open_ns", "FOR(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "for how long, in no other column: 0 at the end of a time range (--to), whose columns have it; null where its begin was not seen" },
	[INFERRED] = { "inferred", "INFERRED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "stints whose begin is a bound: the kernel left the switch out" },
	{ 0 },
};

static void sched_put_task(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, struct rs_sink *out)
{
	const struct sched *s = c->state;
	const struct sched_task *d = sched_task_data(c, t);
	const struct rs_hist *h = &d->delay;
	struct rs_value v[NR_COLUMNS];
	bool known = s->wakings_known || rs_hist_nr_begun(h); /* sched_wakeup_new begins delays, too */
	uint64_t open_ns;
	const char *open = rs_state_name(rs_task_open(c, t, &open_ns), t->letter);

	v[COMM] = rs_s(t->comm);
	v[PID] = rs_u_if(t->pid, (uint64_t)t->pid);
	v[TID] = rs_u((uint64_t)t->tid);
	v[RUN] = rs_u(d->run_ns);
	v[SWITCHES] = rs_u(d->switches);
	v[MIGRATIONS] = rs_u_if(s->migrations_known, d->migrations);
	v[DELAY_COUNT] = rs_u_if(known, rs_hist_nr_begun(h));
	v[DELAY_TOTAL] = rs_u_if(known, rs_hist_sum_inside(h));
	v[DELAY_AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[DELAY_P50] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 500) : 0);
	v[DELAY_P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[DELAY_MAX] = rs_u_if(h->nr, h->max);
	v[DELAY_MAX_AT] = rs_u_if(h->nr, d->delay_max_at_ns);
	v[PREEMPT_COUNT] = rs_u(d->preempt_count);
	v[PREEMPT_TOTAL] = rs_u(d->preempt_total_ns);
	v[PREEMPT_MAX] = rs_u_if(d->preempt_ended, d->preempt_max_ns);
	v[SLEEP] = rs_u_if(s->wakings_known, d->sleep_ns);
	v[BLOCKED] = rs_u_if(s->wakings_known, d->blocked_ns);
	v[OPEN_STATE] = rs_s(open);
	v[OPEN_NS] = rs_u_if(open && open_ns != RS_OPEN_UNKNOWN, c->range_ended && !q->count_open ? 0 : open_ns);
	v[INFERRED] = rs_u(d->inferred);
	out->row(out, v);
}

static void sched_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct sched *s = c->state;

	s->migrations_known = rs_event_is_recorded(c, "sched", "sched_migrate_task");
	s->wakings_known = rs_wakings_are_recorded(c);
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (rs_task_has_states(c, t) && rs_shown(c, t) && !rs_task_ended_before(c, t))
			sched_put_task(c, q, t, out);
}

static void sched_clear(struct rs_ctx *c, struct rs_task *t)
{
	struct sched_task *d = sched_task_data(c, t);

	rs_hist_done(&d->delay);
	memset(d, 0, sizeof *d);
}

static void sched_reset(struct rs_ctx *c)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		sched_clear(c, t);
}

/* Spans of the analysis `tasks`, which lays the states. */
static const struct rs_latencies latencies[] = {
	{ "delay_total_ns,delay_avg_ns,delay_p50_ns,delay_p99_ns,delay_max_ns", .kind = "state", .labels = "delay" },
	{ "preempt_total_ns,preempt_max_ns", .kind = "state", .labels = "preempted" },
	{ "run_ns", .kind = "state", .labels = "run" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "sched", .summary = "each task: time on a CPU, sched delays, preemption, sleep", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-delay_total_ns", .rows = sched_put_rows, .latencies = latencies,
	  .text_columns = "comm,tid,run_ns,switches,delay_total_ns,delay_avg_ns,delay_max_ns,delay_max_at_ns,preempt_total_ns,blocked_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_sched = {
	.abi = RS_ABI,
	.name = "sched",
	.summary = "who runs, who waits for a CPU, who sleeps",
	.requirements = requirements,
	.views = views,
	.requires_states = true,
	.state_size = sizeof(struct sched),
	.task_size = sizeof(struct sched_task),
	.interval = sched_on_interval,
	.switch_in = on_switch_in,
	.task_end = sched_clear,
	.reset = sched_reset,
};
