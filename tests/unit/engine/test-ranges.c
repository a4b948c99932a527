// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-ranges - a time range takes the part of each slice, wait and call that lies inside; counts are of what began
 * there, latencies whole, of what ended there
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "engine/session.h"

Suite *rs_suite_ranges(void);

/* ---- by hand ---- */

/* Runs 1000 to 5000 and 7000 to 9000, sleeps between, waits for a CPU from 6500 on. */
#define STATES \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu1 sched_switch idle/0 R -> b/11", \
	"5000 cpu0 sched_switch a/10 S -> idle/0", "6500 cpu1 sched_waking a/10 target=0 by b/11", \
	"7000 cpu0 sched_switch idle/0 R -> a/10", "9000 cpu0 sched_switch a/10 R -> c/12", \
	"9500 cpu0 sched_switch c/12 S -> a/10", "9600 cpu0 sched_switch a/10 S -> idle/0"

START_TEST(states_are_clipped)
{
	static const struct { uint64_t from_ns, to_ns; const char *row; } ranges[] = {
		/* inside one slice, which neither begins nor ends here: BART's 3.4 to 3.525 ms, where 0.000 was shown */
		{ 2000, 4000, "run_ns=2000 switches=0 sleep_ns=0 delay_total_ns=0 open_state=run open_ns=0" },
		{ 4000, 6000, "run_ns=1000 switches=0 sleep_ns=1000 open_state=sleep open_ns=0" },
		{ 6000, 8000, "run_ns=1000 switches=1 sleep_ns=500 delay_count=1 delay_total_ns=500 delay_max_ns=500" },
		/* the delay began before: no count, a part in the sum, the whole latency where it ends */
		{ 6800, 7500, "run_ns=500 delay_count=0 delay_total_ns=200 delay_avg_ns=500 delay_max_ns=500 delay_max_at_ns=6500" },
		/* it goes on: a count, a part, and no latency yet */
		{ 6400, 6600, "run_ns=0 sleep_ns=100 delay_count=1 delay_total_ns=100 delay_avg_ns=- delay_max_ns=-" },
		{ 9100, 9300, "run_ns=0 preempt_count=0 preempt_total_ns=200 preempt_max_ns=-" },
		{ 9100, 9550, "run_ns=50 preempt_count=0 preempt_total_ns=400 preempt_max_ns=500" },
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		struct ask ask = ASK("sched", .comm_glob = "a", .from_ns = ranges[i].from_ns, .to_ns = ranges[i].to_ns);

		rs_check_rows(&ask, LINES(STATES), ROWS(ranges[i].row));
	}
	check_rows(ASK("tasks", .comm_glob = "a", .by = "tid", .from_ns = 2000, .to_ns = 6000), LINES(STATES),
		   ROWS("run_ns=3000 sleep_ns=1000 unknown_ns=0 life_ns=4000 open_ns=0"));
	check_rows(ASK("cpus", .from_ns = 4000, .to_ns = 8000), LINES(STATES),
		   ROWS("cpu=0 busy_ns=2000 idle_ns=2000 unknown_ns=0", "cpu=1 busy_ns=4000 idle_ns=0"));
	/* a range that ends before the first event has a length of 0 */
	check_rows(ASK("cpus", .to_ns = 900), LINES(STATES), ROWS("cpu=0 busy_ns=0 idle_ns=0 unknown_ns=0", "cpu=1 busy_ns=0 unknown_ns=0"));
	/* a screen shows the age of what is open, and its part of the range in the column of what it is */
	check_rows(ASK("sched", .comm_glob = "a", .count_open = true, .from_ns = 2000, .to_ns = 4000), LINES(STATES),
		   ROWS("run_ns=2000 open_state=run open_ns=3000"));
	/* without an end what is open stays open */
	check_rows(ASK("sched", .comm_glob = "a", .from_ns = 4000), LINES(STATES),
		   ROWS("run_ns=3100 sleep_ns=1500 preempt_total_ns=500 open_state=sleep open_ns=0"));
}
END_TEST

/*
 * SchedViz' test recording (google/schedviz, server/testdata/test.tar.gz): its first events, counted from its first one on
 * as that program does, and 1 ms. The answers are those of its server_test.go, but for what is said below.
 */
#define SCHEDVIZ \
	"without sched_waking", \
	"1000000 cpu0 sched_wakeup_new trace.sh/17287 target=0 by trace.sh/17254", \
	"1019728 cpu0 sched_wakeup kauditd/430 target=0 by trace.sh/17254", \
	"1021845 cpu0 sched_switch trace.sh/17254 R+ -> kauditd/430", \
	"1025579 cpu0 sched_wakeup auditd/449 target=0 by kauditd/430", \
	"1027003 cpu0 sched_switch kauditd/430 S -> auditd/449", \
	"1065705 cpu0 sched_switch auditd/449 S -> trace.sh/17254", \
	"1070461 cpu0 sched_wakeup kauditd/430 target=0 by trace.sh/17254", \
	"1071547 cpu0 sched_switch trace.sh/17254 R -> kauditd/430", \
	"1073149 cpu0 sched_wakeup auditd/449 target=0 by kauditd/430", \
	"1073788 cpu0 sched_switch kauditd/430 S -> auditd/449", \
	"1095570 cpu0 sched_switch auditd/449 S -> trace.sh/17254"

START_TEST(schedviz_values)
{
	/* TestGetAntagonists, 71540 to 73790: who ran while 17254 waited. kauditd 71547 to 73788, auditd 73788 to 73790 */
	check_rows(ASK("tasks", .by = "tid", .from_ns = 1071540, .to_ns = 1073790), LINES(SCHEDVIZ),
		   ROWS("tid=17254 run_ns=7 preempted_ns=2243 life_ns=2250", "tid=430 run_ns=2241 life_ns=2250",
			"tid=449 run_ns=2 life_ns=2250", "tid=17287 delay_ns=2250"));
	/* TestGetUtilizationMetrics: 1 */
	check_rows(ASK("cpus", .from_ns = 1071540, .to_ns = 1073790), LINES(SCHEDVIZ),
		   ROWS("busy_ns=2250 idle_ns=0 unknown_ns=0 util_pct=100000"));
	/*
	 * TestGetCPUIntervals, 0 to 10000: 17254 runs and 17287 waits for 21845. TestGetPIDIntervals, 0 to 25000: 17254 runs to
	 * 21845. There who was on the CPU first is taken to have come with the recording. When it came nobody saw: here that
	 * is unknown, since whole slices alone make up run. Who waits, and from when, is the same.
	 */
	check_rows(ASK("tasks", .by = "tid", .to_ns = 1010000), LINES(SCHEDVIZ),
		   ROWS("tid=17254 run_ns=0 unknown_ns=10000", "tid=17287 delay_ns=10000"));
	/*
	 * ... and then, up to 65705, it has 17254 asleep, which is wrong: prev_state is 0x1000, which the recording's own format
	 * prints as R+, preempted. So, too, of ksoftirqd/0 in the whole recording: asleep for 1994740679 ns there, here for
	 * 1994731363; the only R+ of that task lasts 9316. Its run (5680247), wait (2459979), wakeups (270) and unknown time
	 * (6269650 ns) are the same in both.
	 */
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "trace.sh", .to_ns = 1065705), LINES(SCHEDVIZ),
		   ROWS("tid=17254 run_ns=0 preempted_ns=43860 sleep_ns=0 unknown_ns=21845", "tid=17287 delay_ns=65705"));
	/* TestGetPIDIntervals clips nothing, nor do spans: one that is of the range in part is there whole */
	check_rows(ASK("tasks", .span = "state", .comm_glob = "kauditd", .some = true, .from_ns = 1071540, .to_ns = 1073790),
		   LINES(SCHEDVIZ), ROWS("tid=430 from=1070461 to=1071547 label=delay", "tid=430 from=1071547 to=1073788 label=run"));
}
END_TEST

/* 1000 to 4000, on the CPU but for 2000 to 3000. */
#define CALL \
	"500 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu0 sys_enter t=10 nr=read 1 2 3", "2000 cpu0 sched_switch a/10 S -> idle/0", \
	"2500 cpu1 sched_waking a/10 target=0 by idle/0", "3000 cpu0 sched_switch idle/0 R -> a/10", \
	"4000 cpu0 sys_exit t=10 nr=read ret=-5", "4500 cpu0 sys_enter t=10 nr=write 1 2 3", "6000 cpu0 sys_exit t=10 nr=write ret=1"

START_TEST(calls_are_clipped)
{
	check_rows(ASK("syscall-latency", .by = "syscall", .from_ns = 1500, .to_ns = 3500), LINES(CALL),
		   ROWS("syscall=read calls=0 errors=0 total_ns=2000 avg_ns=- max_ns=- cpu_ns=1000 in_flight=1"));
	check_rows(ASK("syscall-latency", .by = "syscall", .from_ns = 1500, .to_ns = 5000), LINES(CALL),
		   ROWS("syscall=read calls=0 errors=1 total_ns=2500 max_ns=3000 cpu_ns=1500 in_flight=0",
			"syscall=write calls=1 errors=0 total_ns=500 max_ns=- cpu_ns=500 in_flight=1"));
	check_rows(ASK("offcpu", .by = "tid", .comm_glob = "a", .from_ns = 2100, .to_ns = 2200), LINES(CALL),
		   ROWS("count=0 total_ns=100 max_ns=- top_waker=-"));
	/* no row of a stream, and no span, for what is not over */
	check_rows(ASK("syscalls", .from_ns = 1500, .to_ns = 3500), LINES(CALL), NO_ROWS);
	check_rows(ASK("syscalls", .span = "syscall", .from_ns = 1500, .to_ns = 3500), LINES(CALL),
		   ROWS("label=read from=1000 to=3500 open=1"));
}
END_TEST

START_TEST(futexes_are_clipped)
{
	check_rows(ASK("futex", .from_ns = 1500, .to_ns = 1700),
		   LINES("1000 cpu0 sched_switch idle/0 R -> p/10", "1100 cpu0 sys_enter t=10 nr=futex 7f00 80",
			 "1200 cpu0 sched_switch p/10 S -> idle/0", "2000 cpu1 sched_waking p/10 target=0 by q/11",
			 "2050 cpu0 sched_switch idle/0 R -> p/10", "2100 cpu0 sys_exit t=10 nr=futex ret=0"),
		   ROWS("waits=0 total_ns=200 max_ns=- in_flight=1 top_waker=-"));
}
END_TEST

/* A softirq from 1000 to 2000, an interrupt inside it from 1200 to 1500. */
START_TEST(interrupts_are_clipped)
{
#define NESTED \
	"900 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu0 softirq_entry t=10 3", "1200 cpu0 irq_handler_entry t=10 24 eth0", \
	"1500 cpu0 irq_handler_exit t=10 24 ret=1", "2000 cpu0 softirq_exit t=10 3"
	check_rows(ASK("irqtime", .from_ns = 1300, .to_ns = 1700), LINES(NESTED),
		   ROWS("irqs=0 irq_ns=200 softirqs=0 softirq_ns=200 worst_ns=300"));
	check_rows(ASK("irqtime", .from_ns = 1100, .to_ns = 1400), LINES(NESTED),
		   ROWS("irqs=1 irq_ns=200 softirqs=0 softirq_ns=100 worst_ns=-"));
	check_rows(ASK("irqs", .from_ns = 1300, .to_ns = 1700), LINES(NESTED),
		   ROWS("kind=irq count=0 total_ns=200 max_ns=300", "kind=softirq count=0 total_ns=400 max_ns=-"));
	check_rows(ASK("cpus", .from_ns = 1300, .to_ns = 1700), LINES(NESTED),
		   ROWS("cpu=0 busy_ns=400 irq_ns=400 run_ns=0"));
}
END_TEST

START_TEST(maps_are_clipped)
{
	check_rows(ASK("mmaplock", .from_ns = 1050, .to_ns = 1200),
		   LINES("1000 cpu0 mmap_lock_start_locking t=10 4096 0", "1100 cpu0 mmap_lock_acquire_returned t=10 4096 0 1",
			 "1400 cpu0 mmap_lock_released t=10 4096 0"),
		   ROWS("waits=0 wait_total_ns=50 wait_max_ns=100 holds=1 hold_total_ns=100 hold_max_ns=-"));
}
END_TEST

/* Three of seven events, and the loss that reaches into the range; what was before is not of it. */
START_TEST(quality_is_that_of_the_range)
{
	check_rows(ASK("sched", .comm_glob = "a", .from_ns = 3500, .to_ns = 6000),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sys_exit t=10 nr=read ret=0", "cpu1 lost 7",
			 "2000 cpu1 sched_switch idle/0 R -> b/11", "3000 cpu0 sys_exit t=10 nr=read ret=0",
			 "4000 cpu0 sys_exit t=10 nr=read ret=0", "cpu1 lost 2", "5000 cpu1 sched_switch b/11 R -> c/12",
			 "5500 cpu0 sched_switch a/10 S -> idle/0", "7000 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("run_ns=2000", "_quality events=3 lost=2 gaps=1 from_ns=3500 to_ns=6000"));
}
END_TEST

/* ---- at random: adjacent ranges sum up to all of it ---- */

#define NR_TASKS 5
#define NR_STEPS 200
#define NR_RECORDINGS 40
#define LINE_BYTES 120

enum what { RUNNABLE, RUNNING, SLEEPING };

struct simulated_task {
	enum what what;
	bool in_call, in_lock, waits_map, holds_map;
};

struct simulation {
	uint64_t random, now_ns;
	struct simulated_task tasks[NR_TASKS];
	int on_cpu[2];            /* index of a task; -1 idle */
	unsigned int nr_irqs[2];  /* open: a softirq, an interrupt in it */
	char lines[NR_STEPS + 8][LINE_BYTES];
	const char *list[NR_STEPS + 9];
	unsigned int nr;
};

static unsigned int below(struct simulation *s, unsigned int n)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(s->random >> 33) % n;
}

/* Even times, so that no range begins or ends at one. */
#define SAY(s, cpu, ...) \
	do { \
		int len = snprintf((s)->lines[(s)->nr], LINE_BYTES, "%" PRIu64 " cpu%u ", (s)->now_ns += 2 + 2 * below(s, 50), cpu); \
		snprintf((s)->lines[(s)->nr] + len, LINE_BYTES - (size_t)len, __VA_ARGS__); \
		(s)->list[(s)->nr] = (s)->lines[(s)->nr]; \
		(s)->nr++; \
	} while (0)

/* One that is in that state, from a random one on; -1: none. */
static int pick(struct simulation *s, enum what what)
{
	unsigned int first = below(s, NR_TASKS);

	for (unsigned int i = 0; i < NR_TASKS; i++)
		if (s->tasks[(first + i) % NR_TASKS].what == what)
			return (int)((first + i) % NR_TASKS);
	return -1;
}

static void switch_to_next(struct simulation *s, unsigned int cpu)
{
	int prev = s->on_cpu[cpu], next = pick(s, RUNNABLE);
	char letter = "SDR"[below(s, 3)], from[32] = "idle/0", to[32] = "idle/0";

	if (prev < 0 && next < 0)
		return;
	if (prev >= 0)
		snprintf(from, sizeof from, "t%d/%d", prev, 10 + prev);
	if (next >= 0)
		snprintf(to, sizeof to, "t%d/%d", next, 10 + next);
	SAY(s, cpu, "sched_switch %s %c -> %s", from, prev < 0 ? 'R' : letter, to);
	if (prev >= 0)
		s->tasks[prev].what = letter == 'R' ? RUNNABLE : SLEEPING;
	if (next >= 0)
		s->tasks[next].what = RUNNING;
	s->on_cpu[cpu] = next;
}

static void wake(struct simulation *s, unsigned int cpu)
{
	int woken = pick(s, SLEEPING), by = s->on_cpu[cpu];

	if (woken < 0)
		return;
	if (by < 0)
		SAY(s, cpu, "sched_waking t%d/%d target=%u by idle/0", woken, 10 + woken, cpu);
	else
		SAY(s, cpu, "sched_waking t%d/%d target=%u by t%d/%d", woken, 10 + woken, cpu, by, 10 + by);
	s->tasks[woken].what = RUNNABLE;
}

static void call(struct simulation *s, unsigned int cpu, int tid, struct simulated_task *t)
{
	if (t->in_call)
		SAY(s, cpu, "sys_exit t=%d nr=read ret=0", tid);
	else
		SAY(s, cpu, "sys_enter t=%d nr=read 1 2 3", tid);
	t->in_call = !t->in_call;
}

static void lock(struct simulation *s, unsigned int cpu, int tid, struct simulated_task *t)
{
	if (t->in_lock)
		SAY(s, cpu, "contention_end t=%d 4096", tid);
	else
		SAY(s, cpu, "contention_begin t=%d 4096 32", tid);
	t->in_lock = !t->in_lock;
}

static void map(struct simulation *s, unsigned int cpu, int tid, struct simulated_task *t)
{
	if (t->holds_map) {
		SAY(s, cpu, "mmap_lock_released t=%d 4096 0", tid);
		t->holds_map = false;
	} else if (t->waits_map) {
		SAY(s, cpu, "mmap_lock_acquire_returned t=%d 4096 0 1", tid);
		t->waits_map = false;
		t->holds_map = true;
	} else {
		SAY(s, cpu, "mmap_lock_start_locking t=%d 4096 0", tid);
		t->waits_map = true;
	}
}

/* While one is open nothing else happens on its CPU. */
static void interrupt(struct simulation *s, unsigned int cpu, int tid)
{
	bool deeper = !s->nr_irqs[cpu] || (s->nr_irqs[cpu] == 1 && below(s, 2));

	if (deeper && !s->nr_irqs[cpu])
		SAY(s, cpu, "softirq_entry t=%d 3", tid);
	else if (deeper)
		SAY(s, cpu, "irq_handler_entry t=%d 24 eth0", tid);
	else if (s->nr_irqs[cpu] == 2)
		SAY(s, cpu, "irq_handler_exit t=%d 24 ret=1", tid);
	else
		SAY(s, cpu, "softirq_exit t=%d 3", tid);
	s->nr_irqs[cpu] += deeper ? 1 : -1u;
}

static void step(struct simulation *s)
{
	unsigned int cpu = below(s, 2), what = below(s, 12);
	int i = s->on_cpu[cpu];

	if (s->nr_irqs[cpu] || what == 0)
		interrupt(s, cpu, i < 0 ? 0 : 10 + i);
	else if (what < 4)
		switch_to_next(s, cpu);
	else if (what < 6 || i < 0)
		wake(s, cpu);
	else if (what < 8)
		call(s, cpu, 10 + i, &s->tasks[i]);
	else if (what < 10)
		lock(s, cpu, 10 + i, &s->tasks[i]);
	else
		map(s, cpu, 10 + i, &s->tasks[i]);
}

static void simulate(struct simulation *s, uint64_t seed)
{
	*s = (struct simulation){ .random = seed, .now_ns = 1000 };
	for (unsigned int cpu = 0; cpu < 2; cpu++) { /* of each CPU it is known who is on it */
		s->on_cpu[cpu] = -1;
		switch_to_next(s, cpu);
	}
	while (s->nr < NR_STEPS)
		step(s);
	s->list[s->nr] = NULL;
}

/* Every column of a table that is a sum of times, or a count of begins. */
static const struct { const char *view, *column; } sums[] = {
	{ "sched", "run_ns" }, { "sched", "switches" }, { "sched", "delay_count" }, { "sched", "delay_total_ns" },
	{ "sched", "preempt_count" }, { "sched", "preempt_total_ns" }, { "sched", "sleep_ns" }, { "sched", "blocked_ns" },
	{ "tasks", "run_ns" }, { "tasks", "delay_ns" }, { "tasks", "preempted_ns" }, { "tasks", "lock_ns" },
	{ "tasks", "other_d_ns" }, { "tasks", "sleep_ns" },
	{ "cpus", "busy_ns" }, { "cpus", "idle_ns" }, { "cpus", "switches" }, { "cpus", "irq_ns" },
	{ "syscall-latency", "calls" }, { "syscall-latency", "total_ns" }, { "syscall-latency", "cpu_ns" },
	{ "offcpu", "count" }, { "offcpu", "total_ns" }, { "locks", "contended" }, { "locks", "total_ns" },
	{ "irqs", "count" }, { "irqs", "total_ns" }, { "irqtime", "irqs" }, { "irqtime", "softirqs" },
	{ "irqtime", "irq_ns" }, { "irqtime", "softirq_ns" }, { "mmaplock", "waits" }, { "mmaplock", "wait_total_ns" },
	{ "mmaplock", "holds" }, { "mmaplock", "hold_total_ns" },
};

#define NR_SUMS (sizeof sums / sizeof *sums)

struct adder {
	struct rs_sink sink;      /* first */
	unsigned int column;
	uint64_t *sum;
};

static void add_row(struct rs_sink *sink, const struct rs_value *values)
{
	const struct adder *a = (struct adder *)(void *)sink;

	*a->sum += values[a->column].known ? values[a->column].u : 0;
}

static void add_sums(struct rs_session *s, uint64_t *to)
{
	struct rs_error err = { 0 };

	for (size_t i = 0; i < NR_SUMS; i++) {
		struct adder adder = { .sink.row = add_row, .sum = &to[i] };
		struct rs_view_ref ref;

		ck_assert(rs_requirements_find_view(sums[i].view, &ref, &err));
		while (strcmp(ref.view->columns[adder.column].name, sums[i].column))
			adder.column++;
		rs_session_rows(s, &ref, &(struct rs_query){ 0 }, &adder.sink);
	}
}

static void check_invariant(void *arg, const char *invariant, int64_t imbalance)
{
	ck_assert_msg(!imbalance, "seed %" PRIu64 ": %s: %" PRId64, *(uint64_t *)arg, invariant, imbalance);
}

/* Adds to each of the sums what it is between the two times; 0: from the begin. */
static void add_range(const struct simulation *sim, uint64_t seed, uint64_t from_ns, uint64_t to_ns, uint64_t *to)
{
	struct rs_session_config config = { .from_ns = from_ns, .to_ns = to_ns };
	struct rs_source *source = rs_lines_source(sim->list, &rs_layouts[0]);
	struct rs_error err = { 0 };
	struct rs_session *s;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		config.analyses[config.nr_analyses++] = *a;
	s = rs_session_new(&config, &err);
	ck_assert_int_eq(rs_session_attach(s, source, &err), 0);
	while (rs_session_run(s, 1000, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	add_sums(s, to);
	rs_session_check(s, check_invariant, &seed);
	rs_session_free(s);
	source->ops->close(source);
}

START_TEST(adjacent_ranges_sum_up)
{
	for (uint64_t seed = 1; seed <= NR_RECORDINGS; seed++) {
		uint64_t all[NR_SUMS] = { 0 }, parts[NR_SUMS] = { 0 }, from_ns = 0, len_ns;
		struct simulation sim;

		simulate(&sim, seed);
		len_ns = sim.now_ns - 1000;
		add_range(&sim, seed, 0, sim.now_ns, all);
		for (unsigned int part = 1; part <= 4; part++) {
			uint64_t to_ns = part == 4 ? sim.now_ns : 1000 + len_ns / 5 * part + below(&sim, (unsigned int)(len_ns / 6));

			to_ns |= part < 4; /* odd */
			add_range(&sim, seed, from_ns, to_ns, parts);
			from_ns = to_ns;
		}
		for (size_t i = 0; i < NR_SUMS; i++)
			ck_assert_msg(all[i] == parts[i], "seed %" PRIu64 ": %s of %s is %" PRIu64 ", of its parts %" PRIu64, seed,
				      sums[i].column, sums[i].view, all[i], parts[i]);
	}
}
END_TEST

Suite *rs_suite_ranges(void)
{
	Suite *s = suite_create("ranges");
	TCase *by_hand = tcase_create("by hand"), *random = tcase_create("random");

	tcase_add_test(by_hand, states_are_clipped);
	tcase_add_test(by_hand, schedviz_values);
	tcase_add_test(by_hand, calls_are_clipped);
	tcase_add_test(by_hand, futexes_are_clipped);
	tcase_add_test(by_hand, interrupts_are_clipped);
	tcase_add_test(by_hand, maps_are_clipped);
	tcase_add_test(by_hand, quality_is_that_of_the_range);
	suite_add_tcase(s, by_hand);
	tcase_set_timeout(random, 60);
	tcase_add_test(random, adjacent_ranges_sum_up);
	suite_add_tcase(s, random);
	return s;
}
