// SPDX-License-Identifier: GPL-2.0-or-later
/* power - each CPU: its idle states, how long it takes to run a task after each, and its frequency */
#include <errno.h>

#include "ringside/plugin.h"

#define POWER_EXIT UINT32_MAX /* the kernel's PWR_EVENT_EXIT: the CPU leaves its idle state */

struct power_row {
	struct rs_hist idle, wake;
	uint64_t idle_ns;        /* the parts inside the interval */
	uint64_t deepest;        /* 1 + the state */
};

/* Keys are the CPU and the idle state. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct power_row), .max_rows = 65536, .kept_keys = 1,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct power_row, idle) },
		{ RS_MEASURE_LATENCY, offsetof(struct power_row, wake) },
		{ RS_MEASURE_SUM, offsetof(struct power_row, idle_ns) },
		{ RS_MEASURE_MAX, offsetof(struct power_row, deepest) }) },
	{ 0 },
};

struct power_cpu {
	uint64_t exit_ns;        /* it left exit_state then, and ran no task since; 0: no such time */
	uint32_t exit_state;
	uint32_t khz, min_khz;   /* 0: unknown */
	uint64_t khz_since_ns;
	unsigned __int128 khz_area; /* the frequency's integral over time, from the interval's begin on */
	uint64_t khz_ns;         /* time of which it is known */
};

struct power {
	struct power_cpu *cpus;
};

struct power_idle {
	struct rs_begun begun;
	uint32_t state;
};

static int power_init(struct rs_ctx *c)
{
	struct power *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

static struct power_cpu *power_cpu_of(struct rs_ctx *c, uint64_t cpu)
{
	return cpu < rs_nr_cpus(c) ? &((struct power *)c->state)->cpus[cpu] : NULL;
}

static struct power_row *power_row_of(struct rs_ctx *c, uint16_t cpu, uint32_t state)
{
	struct power_row *row = rs_store_row(c, 0, NULL, cpu, state);

	if (row)
		row->deepest = (uint64_t)state + 1;
	return row;
}

/* ---- idle states ---- */

static void power_on_idle(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint32_t state = (uint32_t)rs_u64(ev, f);
	struct power_cpu *cpu = power_cpu_of(c, ev->cpu);
	struct power_idle *idle;

	if (state == POWER_EXIT) {
		rs_match_end(c, 0, ev, f, 0);
		return;
	}
	if (cpu)
		cpu->exit_ns = 0;
	idle = rs_match_begin(c, 0, ev, 0);
	if (idle)
		idle->state = state;
}

static void power_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	const struct power_idle *idle = end->begun;
	struct power_cpu *cpu = power_cpu_of(c, end->cpu);
	struct power_row *row = end->discarded ? NULL : power_row_of(c, end->cpu, idle->state);

	if (!row)
		return;
	rs_latency_add(c, &row->idle, idle->begun.begin_ns, end->end_ns, end->in_flight);
	row->idle_ns += rs_part_ns(rs_since_ns(c), idle->begun.begin_ns, end->end_ns);
	if (!cpu || end->in_flight)
		return;
	cpu->exit_ns = end->end_ns;
	cpu->exit_state = idle->state;
}

/* The first task after an idle state. Kernels that leave out switches from idle tell of fewer. */
static void power_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct power_cpu *cpu = power_cpu_of(c, ev->cpu);
	struct power_row *row;

	if (!cpu || !cpu->exit_ns)
		return;
	if (!rs_u64(ev, &f[0]) && rs_u64(ev, &f[1])) {
		row = power_row_of(c, ev->cpu, cpu->exit_state);
		if (row)
			rs_latency_add(c, &row->wake, cpu->exit_ns, ev->ts_ns, false);
	}
	cpu->exit_ns = 0;
}

/* ---- frequency ---- */

static void power_add_area(struct rs_ctx *c, struct power_cpu *cpu, uint64_t now_ns)
{
	uint64_t ns = cpu->khz ? rs_part_ns(rs_since_ns(c), cpu->khz_since_ns, now_ns) : 0;

	cpu->khz_area += (unsigned __int128)cpu->khz * ns;
	cpu->khz_ns += ns;
	cpu->khz_since_ns = now_ns;
}

/* Any CPU may fire it: those of one policy change together. */
static void power_on_frequency(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct power_cpu *cpu = power_cpu_of(c, rs_u64(ev, &f[1]));

	if (!cpu)
		return;
	power_add_area(c, cpu, ev->ts_ns);
	cpu->khz = (uint32_t)rs_u64(ev, &f[0]);
	if (cpu->khz && (!cpu->min_khz || cpu->khz < cpu->min_khz))
		cpu->min_khz = cpu->khz;
}

/* It may have changed, or run a task, in what was lost. */
static void power_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		struct power_cpu *cpu = power_cpu_of(c, i);

		power_add_area(c, cpu, rs_last_event_ns(c));
		cpu->khz = 0;
		cpu->exit_ns = 0;
	}
}

static void power_reset(struct rs_ctx *c)
{
	for (unsigned int i = 0; i < rs_nr_cpus(c); i++) {
		struct power_cpu *cpu = power_cpu_of(c, i);

		cpu->min_khz = cpu->khz;
		cpu->khz_area = cpu->khz_ns = 0;
	}
}

/* ---- rows ---- */

/* NULL: the row is of several CPUs. */
static const struct power_cpu *power_cpu_of_group(struct rs_ctx *c, const struct rs_group *g)
{
	return rs_group_is_by(g, "cpu") ? power_cpu_of(c, g->keys[0]) : NULL;
}

static struct rs_value power_show_deepest(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(((const struct power_row *)g->row)->deepest - 1);
}

/* NULL: unknown, of several states, or of CPUs that have different ones of that number. */
static const struct rs_idle_state *power_state_of(struct rs_ctx *c, const struct rs_group *g)
{
	if (!rs_group_is_by(g, "state"))
		return NULL;
	return rs_group_is_by(g, "cpu") ? rs_idle_state(c, g->keys[0], g->keys[1]) :
					  rs_idle_state_of_all(c, g->keys[1]);
}

static struct rs_value power_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_idle_state *of = power_state_of(c, g);

	return rs_s(of ? of->name : NULL);
}

static struct rs_value power_show_exit(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_idle_state *of = power_state_of(c, g);

	return rs_u_if(of, of ? of->exit_us * 1000ull : 0);
}

static struct rs_value power_show_residency(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_idle_state *of = power_state_of(c, g);

	return rs_u_if(of, of ? of->residency_us * 1000ull : 0);
}

static struct rs_value power_show_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t all_ns = rs_last_event_ns(c) - rs_since_ns(c);

	if (!power_cpu_of_group(c, g))
		return rs_null();
	return rs_milli(((const struct power_row *)g->row)->idle_ns, all_ns, 100);
}

static struct rs_value power_show_now(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct power_cpu *cpu = power_cpu_of_group(c, g);

	return rs_u_if(cpu && cpu->khz, cpu ? cpu->khz : 0);
}

static struct rs_value power_show_min(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct power_cpu *cpu = power_cpu_of_group(c, g);

	return rs_u_if(cpu && cpu->min_khz, cpu ? cpu->min_khz : 0);
}

static struct rs_value power_show_avg(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct power_cpu *now = power_cpu_of_group(c, g);
	struct power_cpu cpu = now ? *now : (struct power_cpu){ 0 };

	power_add_area(c, &cpu, rs_last_event_ns(c));
	return rs_u_if(cpu.khz_ns, cpu.khz_ns ? (uint64_t)(cpu.khz_area / cpu.khz_ns) : 0);
}

static const struct rs_cpu_speed *power_speed_of(struct rs_ctx *c, const struct rs_group *g)
{
	return rs_group_is_by(g, "cpu") ? rs_cpu_speed(c, g->keys[0]) : NULL;
}

static struct rs_value power_show_max(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_cpu_speed *speed = power_speed_of(c, g);

	return rs_u_if(speed, speed ? speed->max_khz : 0);
}

static struct rs_value power_show_base(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_cpu_speed *speed = power_speed_of(c, g);

	return rs_u_if(speed && speed->base_khz, speed ? speed->base_khz : 0);
}

#define POWER_MEASURE(member) .measure_bytes = offsetof(struct power_row, member), .aspect

static const struct rs_column columns[] = {
	{ "cpu", "CPU", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "the CPU", .key = RS_KEY_0 },
	{ "state", "STATE", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5,
	  "the idle state: 0 is the shallowest", .key = RS_KEY_1 },
	{ "state_name", "NAME", RS_TYPE_TEXT, 0, 0, 8,
	  "what cpuidle calls it, as C6; null: the machine has no cpuidle driver, or it was not recorded",
	  .cell = power_show_name },
	{ "exit_ns", "EXIT(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 8,
	  "its exit latency by cpuidle: the longest time that the hardware takes to leave it; 15 us or more: "
	  "it is deep",
	  .cell = power_show_exit },
	{ "residency_ns", "RESIDENCY(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 13,
	  "by cpuidle: it saves power only if the CPU stays that long", .cell = power_show_residency },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "times that it was entered",
	  POWER_MEASURE(idle) = RS_COUNT },
	{ "idle_ns", "IDLE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10, "time in it",
	  POWER_MEASURE(idle_ns) = RS_VALUE },
	{ "idle_pct", "IDLE%", RS_TYPE_MILLI, 0, 0, 7, "its share of the CPU's time",
	  .cell = power_show_share },
	{ "idle_avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "average time in it at once",
	  POWER_MEASURE(idle) = RS_AVG },
	{ "idle_max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "longest",
	  POWER_MEASURE(idle) = RS_MAX },
	{ "deepest", "DEEPEST", RS_TYPE_ID, 0, 0, 7, "the deepest state that was entered",
	  .cell = power_show_deepest },
	{ "wakes", "WAKES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "times that a task ran after it, before the CPU was idle again", POWER_MEASURE(wake) = RS_COUNT,
	  .if_recorded = "sched:sched_switch" },
	{ "wake_avg_ns", "WAKEavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11,
	  "from the end of the idle state until that task runs, the average", POWER_MEASURE(wake) = RS_AVG },
	{ "wake_p99_ns", "WAKEp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 11, "99 % took at most this",
	  POWER_MEASURE(wake) = RS_P99 },
	{ "wake_max_ns", "WAKEmax(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  POWER_MEASURE(wake) = RS_MAX },
	{ "mhz", "MHZ", RS_TYPE_MILLI, 0, 0, 9,
	  "the CPU's frequency now; null: it did not change, or no event tells it", .cell = power_show_now },
	{ "mhz_min", "MHZmin", RS_TYPE_MILLI, 0, 0, 9, "the lowest", .cell = power_show_min },
	{ "mhz_avg", "MHZavg", RS_TYPE_MILLI, 0, 0, 9, "the average over the time that it is known of",
	  .cell = power_show_avg },
	{ "mhz_max", "MHZmax", RS_TYPE_MILLI, 0, 0, 9,
	  "the highest that it has by cpufreq, turbo included where the driver knows it; null: no such "
	  "driver",
	  .cell = power_show_max },
	{ "mhz_base", "MHZbase", RS_TYPE_MILLI, 0, 0, 9,
	  "by cpufreq: what all CPUs reach together; null: the driver does not tell",
	  .cell = power_show_base },
	{ 0 },
};

static const struct rs_match matches[] = {
	{ "idle states", RS_MATCH_CPU, RS_MATCH_RESTARTS, .most = 1, .begun_bytes = sizeof(struct power_idle),
	  .end = power_end },
	{ 0 },
};

const struct rs_analysis rs_analysis_power = {
	.abi = RS_ABI,
	.name = "power",
	.summary = "idle states and frequency of each CPU",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		{ "power", "cpu_idle", RS_REQUIRED, RS_BY_ANYONE, power_on_idle, { "state" } },
		{ "sched", "sched_switch", RS_OPTIONAL, RS_BY_ANYONE, power_on_switch,
		  { "prev_pid", "next_pid" } },
		{ "power", "cpu_frequency", RS_OPTIONAL, RS_BY_ANYONE, power_on_frequency,
		  { "state", "cpu_id" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_GAP, .gap = power_on_gap }),
	.matches = matches,
	.views = RS_LIST(rs_view,
		{ .name = "power", .topic = RS_TOPIC_CPU,
		  .summary = "each CPU: its idle states, the time to a task after each, its frequency",
		  .kind = RS_VIEW_TABLE, .columns = columns, .store = stores, .options = "by",
		  .sort = "-idle_ns", .by = "cpu,state", .machine_wide = "all of it",
		  .tasks_view = "sched",
		  .text_columns = "cpu,state,state_name,exit_ns,count,idle_ns,idle_pct,idle_avg_ns,"
				  "idle_max_ns,wakes,wake_avg_ns,wake_p99_ns,wake_max_ns,mhz,mhz_min,"
				  "mhz_avg" }),
	.stores = stores,
	.begin = power_init,
	.reset = power_reset,
	.state_size = sizeof(struct power),
};
