// SPDX-License-Identifier: GPL-2.0-or-later
/* sched - for each task: on a CPU, waiting for one, preempted, asleep */
#include "ringside/plugin.h"

struct sched_row {
	uint64_t run_ns, switches, migrations, inferred;
	struct rs_hist delay;
	struct rs_peak delay_peak;
	uint64_t preempt_count, preempt_ns;
	struct rs_peak preempt_peak;
	uint64_t sleep_ns, blocked_ns;
};

/* What an exec leaves behind stays the thread's. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct sched_row), .in_task = true, .stays_with_thread = true,
	  .by_states = true,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct sched_row, run_ns, inferred),
		{ RS_MEASURE_LATENCY, offsetof(struct sched_row, delay) },
		{ RS_MEASURE_PEAK, offsetof(struct sched_row, delay_peak) },
		RS_MEASURE_SUMS(struct sched_row, preempt_count, preempt_ns),
		{ RS_MEASURE_PEAK, offsetof(struct sched_row, preempt_peak) },
		RS_MEASURE_SUMS(struct sched_row, sleep_ns, blocked_ns)) },
	{ 0 },
};

static void sched_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	uint64_t inside_ns = rs_part_ns(c->range_from_ns, iv->from_ns, iv->to_ns);
	struct sched_row *row;

	if (!iv->task || iv->discarded)
		return;
	row = rs_task_data(c, iv->task);
	switch (iv->kind) {
	case RS_RUN:
		row->run_ns += inside_ns;
		break;
	case RS_DELAY:
		if (!iv->in_flight)
			rs_peak_add(&row->delay_peak, iv->from_ns, iv->to_ns - iv->from_ns, NULL);
		rs_latency_add(c, &row->delay, iv->from_ns, iv->to_ns, iv->in_flight);
		break;
	case RS_PREEMPTED:
		row->preempt_count += iv->from_ns >= c->range_from_ns;
		row->preempt_ns += inside_ns;
		if (!iv->in_flight)
			rs_peak_add(&row->preempt_peak, iv->from_ns, iv->to_ns - iv->from_ns, NULL);
		break;
	case RS_BLOCKED:
		if (iv->with_delay) /* how much of it was sleep is not known */
			break;
		*(iv->letter == 'D' ? &row->blocked_ns : &row->sleep_ns) += inside_ns;
		break;
	default:
		break;
	}
}

static void on_switch_in(struct rs_ctx *c, struct rs_task *t)
{
	struct sched_row *row = rs_task_data(c, t);

	row->switches++;
	row->inferred += t->inferred;
}

static void sched_on_migrate(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, &f[0]));

	if (t)
		((struct sched_row *)rs_task_data(c, t))->migrations++;
}

/* ---- rows ---- */

/* A wake-up of a new task begins a delay where no wakings were recorded, too. */
static bool sched_knows_delays(struct rs_ctx *c, const struct sched_row *row)
{
	return rs_wakings_are_recorded(c) || rs_hist_nr_begun(&row->delay);
}

static struct rs_value sched_show_delays(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct sched_row *row = g->row;

	return rs_u_if(sched_knows_delays(c, row), rs_hist_nr_begun(&row->delay));
}

static struct rs_value sched_show_delay(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct sched_row *row = g->row;

	return rs_u_if(sched_knows_delays(c, row), rs_hist_sum_inside(&row->delay));
}

static struct rs_value sched_show_state(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t open_ns;

	return g->task ? rs_s(rs_state_name(rs_task_state(c, g->task, &open_ns), g->task->letter)) :
			 rs_null();
}

static struct rs_value sched_show_open(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t open_ns = RS_AGE_UNKNOWN;
	bool is_open = g->task && rs_state_name(rs_task_state(c, g->task, &open_ns), g->task->letter);

	return rs_u_if(is_open && open_ns != RS_AGE_UNKNOWN,
		       c->range_ended && !g->query->count_open ? 0 : open_ns);
}

#define SCHED_SUM(member) .measure_bytes = offsetof(struct sched_row, member), .aspect = RS_VALUE
#define SCHED_DELAY .measure_bytes = offsetof(struct sched_row, delay), .aspect
#define SCHED_WAKINGS "sched:sched_waking,sched:sched_wakeup"
#define SCHED_PEAK(member) .measure_bytes = offsetof(struct sched_row, member), .aspect

static const struct rs_column columns[] = {
	{ "comm", "TASK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "the thread's name, the last known",
	  .key = RS_KEY_COMM },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its process", .key = RS_KEY_PID },
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID },
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_ON_REQUEST),
	{ "run_ns", "RUN(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "on a CPU: whole slices, switch-in to switch-out", SCHED_SUM(run_ns) },
	{ "switches", "SWITCHES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that it was put on a CPU",
	  SCHED_SUM(switches) },
	{ "migrations", "MIGR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6,
	  "times that it was moved to another CPU; null where no such event was recorded",
	  SCHED_SUM(migrations), .if_recorded = "sched:sched_migrate_task" },
	{ "delay_count", "DELAYS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "wakings that led to a switch-in; null, as all of delay and sleep, where no wakings were recorded",
	  .cell = sched_show_delays },
	{ "delay_total_ns", "DELAY(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "woken and not yet on a CPU, in all", .cell = sched_show_delay },
	{ "delay_avg_ns", "AVG(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "average sched delay",
	  SCHED_DELAY = RS_AVG },
	{ "delay_p50_ns", "P50(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "half of the sched delays are at most this", SCHED_DELAY = RS_P50 },
	{ "delay_p99_ns", "P99(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "99 % of the sched delays are at most this", SCHED_DELAY = RS_P99 },
	{ "delay_max_ns", "MAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 9,
	  "longest sched delay", SCHED_DELAY = RS_MAX },
	{ "delay_max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14,
	  "when the longest began",
	  SCHED_PEAK(delay_peak) = RS_PEAK_AT },
	{ "preempt_count", "PREEMPTED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "times that it left its CPU still runnable", SCHED_SUM(preempt_count) },
	{ "preempt_total_ns", "PREEMPT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "preempted and not yet on a CPU again, in all", SCHED_SUM(preempt_ns) },
	{ "preempt_max_ns", "PMAX(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "longest preempted wait",
	  SCHED_PEAK(preempt_peak) = RS_PEAK },
	{ "sleep_ns", "SLEEP(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "off the CPU, not runnable, in any state but D", SCHED_SUM(sleep_ns),
	  .if_recorded = SCHED_WAKINGS },
	{ "blocked_ns", "BLOCKED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "off the CPU in state D", SCHED_SUM(blocked_ns), .if_recorded = SCHED_WAKINGS },
	{ "open_state", "STATE", RS_TYPE_TEXT, 0, 0, 9, "what it is in at the end",
	  .cell = sched_show_state },
	{ "open_ns", "FOR(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "for how long, in no other column: 0 at the end of a time range (--to), whose columns have it; "
	  "null where its begin was not seen",
	  .cell = sched_show_open },
	{ "inferred", "INFERRED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "slices whose begin is a bound: the kernel left the switch out", SCHED_SUM(inferred) },
	{ 0 },
};

const struct rs_analysis rs_analysis_sched = {
	.abi = RS_ABI,
	.name = "sched",
	.summary = "who runs, who waits for a CPU, who sleeps",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = sched_on_interval },
			     { RS_ON_SWITCH_IN, .switch_in = on_switch_in }),
	.requirements = RS_LIST(
		rs_requirement,
		{ "sched", "sched_migrate_task", RS_OPTIONAL, RS_BY_ANYONE, sched_on_migrate, { "pid" } }),
	.views = RS_LIST(
		rs_view,
		{ .name = "sched", .topic = RS_TOPIC_CPU,
		  .summary = "each task: time on a CPU, sched delays, preemption, sleep",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns,
		  .sort = "-delay_total_ns",
		  .keeps_order = true,
		  .store = stores,
		  .options = "by",
		  .by = "tid",
		  .text_columns = "comm,tid,run_ns,switches,delay_total_ns,delay_avg_ns,delay_max_ns,delay_"
				  "max_at_ns,preempt_total_ns,blocked_ns",
		  /* The analysis `task-states` emits the spans of states. */
		  .latencies = RS_LIST(
			  rs_latencies,
			  { "delay_total_ns,delay_avg_ns,delay_p50_ns,delay_p99_ns,delay_max_ns",
			    .kind = "state", .labels = "delay" },
			  { "preempt_total_ns,preempt_max_ns", .kind = "state", .labels = "preempted" },
			  { "run_ns", .kind = "state", .labels = "run" }) }),
	.requires_states = true,
	.stores = stores,
};
