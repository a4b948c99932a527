// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-semantics-intervals - a screen's "now" is an interval: each row of tasks and cpus makes up the interval, no more and no less
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "engine/session.h"
#include "trace-bytes.h"

/* ---- tasks ---- */

/* Three thousand ns on the CPU without a switch. */
#define A_HOG \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu1 sched_waking b/11 target=1 by idle/0", "cpu1 page", \
	"3000 cpu1 sched_waking b/11 target=1 by idle/0", "cpu1 page", "4000 cpu1 sched_waking b/11 target=1 by idle/0"

START_TEST(open_over_the_whole_interval)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a", .count_open = true, .resets = RESETS(2000)), LINES(A_HOG),
		   ROWS("tid=10 run_ns=2000 unknown_ns=0 life_ns=2000 open_state=run open_ns=3000 busy_ns=2000"));
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a", .count_open = true, .resets = RESETS(2000, 3000)), LINES(A_HOG),
		   ROWS("tid=10 run_ns=1000 unknown_ns=0 life_ns=1000 open_state=run open_ns=3000 busy_ns=1000"));
	/* without the flag it is in no column but its own, and there by its part of the interval */
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a", .resets = RESETS(2000, 3000)), LINES(A_HOG),
		   ROWS("tid=10 run_ns=0 unknown_ns=0 life_ns=1000 open_state=run open_ns=1000 busy_ns=0"));
}
END_TEST

/* What ends in the interval and began before: the part. Counts and latencies have the whole: see the view sched. */
START_TEST(closed_in_the_interval)
{
#define WAITS \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1400 cpu0 sched_switch a/10 R -> b/11", \
	"2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu0 page", "cpu1 page", \
	"2300 cpu0 sched_switch b/11 S -> a/10", "2350 cpu0 sched_switch a/10 S -> idle/0"
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "[ab]", .count_open = true, .resets = RESETS(2000)), LINES(WAITS),
		   ROWS("tid=10 run_ns=50 preempted_ns=300 unknown_ns=0 life_ns=350",
			"tid=11 run_ns=300 sleep_ns=50 unknown_ns=0 life_ns=350 open_state=sleep"));
	check_rows(ASK("sched", .comm_glob = "a", .resets = RESETS(2000)), LINES(WAITS),
		   ROWS("tid=10 run_ns=50 preempt_count=1 preempt_total_ns=900 preempt_max_ns=900"));
}
END_TEST

/* A task that ends in the interval has its part, one that had ended has no row. */
START_TEST(ended)
{
#define ENDS \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu1 sched_switch idle/0 R -> b/11", \
	"1600 cpu1 sched_process_exit b/11", "1700 cpu1 sched_switch b/11 X -> idle/0", \
	"2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu0 page", "cpu1 page", \
	"2200 cpu0 sched_process_exit a/10", "2250 cpu0 sched_switch a/10 X -> idle/0", \
	"3000 cpu1 sched_waking c/12 target=1 by idle/0"
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "[ab]", .count_open = true, .resets = RESETS(2000)), LINES(ENDS),
		   ROWS("tid=10 run_ns=250 life_ns=250 unknown_ns=0 open_state=- open_ns=-"));
	check_rows(ASK("sched", .comm_glob = "[ab]", .resets = RESETS(2000)), LINES(ENDS), ROWS("tid=10 run_ns=1250"));
}
END_TEST

/* Its begin was not seen: of the first interval nothing is known, in the second it ran all the time. */
START_TEST(began_before_the_capture)
{
#define AN_OLD_HOG \
	"seed hog/9", "1000 cpu0 sys_enter t=9 nr=read", "2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu1 page", \
	"3000 cpu1 sched_waking c/12 target=1 by idle/0", "3500 cpu0 sched_switch hog/9 S -> idle/0"
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "hog", .count_open = true), LINES(AN_OLD_HOG),
		   ROWS("tid=9 run_ns=0 unknown_ns=2500 life_ns=2500 open_state=sleep", "_quality inferred=0"));
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "hog", .count_open = true, .resets = RESETS(2000)), LINES(AN_OLD_HOG),
		   ROWS("tid=9 run_ns=1500 unknown_ns=0 life_ns=1500 open_state=sleep", "_quality inferred=1"));
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "hog", .count_open = true, .exact = true, .resets = RESETS(2000)),
		   LINES(AN_OLD_HOG), ROWS("tid=9 run_ns=0 unknown_ns=1500 life_ns=1500", "_quality inferred=0"));
}
END_TEST

/* A gap makes all of the wait unknown, of this interval the part that is in it. */
START_TEST(gap)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "a", .count_open = true, .resets = RESETS(2000)),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu1 lost 3",
			 "2500 cpu1 sched_waking a/10 target=0 by idle/0", "2600 cpu0 sched_switch idle/0 R -> a/10",
			 "2700 cpu0 sched_switch a/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=100 delay_ns=100 sleep_ns=0 unknown_ns=500 life_ns=700"));
}
END_TEST

/* Why it waits is told by what is known so far: in D with a request of its own, for the disk. */
START_TEST(open_for_a_disk)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "[ab]", .count_open = true, .resets = RESETS(2000)),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1200 cpu0 sched_switch a/10 D -> b/11", "1300 cpu0 sched_switch b/11 D -> idle/0",
			 "2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu1 page", "3000 cpu1 sched_waking c/12 target=1 by idle/0"),
		   ROWS("tid=10 disk_ns=1000 other_d_ns=0 unknown_ns=0 life_ns=1000 open_ns=1800 open_state=blocked",
			"tid=11 disk_ns=0 other_d_ns=1000 unknown_ns=0 life_ns=1000 open_ns=1700 open_state=blocked"));
}
END_TEST

/* Of several threads there is no one age; their parts are those of a process. */
START_TEST(process)
{
	check_rows(ASK("tasks", .comm_glob = "p", .count_open = true, .resets = RESETS(2000)),
		   LINES("seed p/10 pid=10", "seed p/11 pid=10", "1000 cpu0 sched_switch idle/0 R -> p/10",
			 "1000 cpu1 sched_switch idle/0 R -> p/11", "1500 cpu1 sched_switch p/11 D -> idle/0",
			 "2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu1 page", "3000 cpu1 sched_waking c/12 target=1 by idle/0"),
		   ROWS("pid=10 run_ns=1000 other_d_ns=1000 life_ns=2000 threads=2 open_state=- open_ns=-"));
}
END_TEST

/* exec by a thread: what it is in goes on under the leader's tid, and the leader was there meanwhile, too. */
START_TEST(moved)
{
	check_rows(ASK("tasks", .by = "tid", .comm_glob = "[ab]", .count_open = true, .resets = RESETS(2000)),
		   LINES("seed a/10 pid=10", "seed a/11 pid=10", "1000 cpu0 sched_switch idle/0 R -> a/11",
			 "1000 cpu1 sched_switch idle/0 R -> a/10", "1500 cpu1 sched_switch a/10 S -> idle/0",
			 "2000 cpu1 sched_waking c/12 target=1 by idle/0", "cpu0 page", "cpu1 page",
			 "2400 cpu0 sched_process_exec /bin/b t=10 pid=10 old=11", "3000 cpu0 sched_switch b/10 S -> idle/0"),
		   ROWS("tid=10 run_ns=1000 unknown_ns=400 life_ns=1400"));
}
END_TEST

/* ---- cpus ---- */

START_TEST(cpus)
{
#define ONE_CPU \
	"1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sched_switch a/10 S -> idle/0", "2000 cpu0 sched_waking a/10 target=0 by idle/0", \
	"cpu0 page", "2200 cpu0 sched_switch idle/0 R -> a/10", "3000 cpu0 sched_waking c/12 target=0 by a/10"
	/* the interval from 2000 to 3000: 200 idle, and 800 of a run that is open */
	check_rows(ASK("cpus", .count_open = true, .resets = RESETS(2000)), LINES(ONE_CPU),
		   ROWS("busy_ns=800 idle_ns=200 unknown_ns=0 util_pct=80000 run_ns=800 irq_ns=- free_ns=200"));
	check_rows(ASK("cpus", .resets = RESETS(2000)), LINES(ONE_CPU), ROWS("busy_ns=0 idle_ns=200 unknown_ns=0"));
	check_rows(ASK("cpus", .count_open = true), LINES(ONE_CPU), ROWS("busy_ns=1300 idle_ns=700 unknown_ns=0"));
	check_rows(ASK("cpus"), LINES(ONE_CPU), ROWS("busy_ns=500 idle_ns=700 unknown_ns=0"));
}
END_TEST

/* A CPU that was idle before anything was seen of it: unknown, and from the next interval on idle. */
START_TEST(cpu_idle_before)
{
#define IDLE_BEFORE \
	"1000 cpu0 sched_waking a/10 target=1 by idle/0", "2000 cpu0 sched_waking b/11 target=1 by idle/0", "cpu0 page", \
	"2600 cpu0 sched_switch idle/0 R -> b/11", "3000 cpu0 sched_switch b/11 R -> b/11"
	check_rows(ASK("cpus", .count_open = true), LINES(IDLE_BEFORE), ROWS("busy_ns=400 idle_ns=0 unknown_ns=1600"));
	check_rows(ASK("cpus", .count_open = true, .resets = RESETS(2000)), LINES(IDLE_BEFORE), ROWS("busy_ns=400 idle_ns=600 unknown_ns=0"));
	check_rows(ASK("cpus", .resets = RESETS(2000)), LINES(IDLE_BEFORE), ROWS("busy_ns=400 idle_ns=600 unknown_ns=0"));
}
END_TEST

/*
 * Interrupts take from what the CPU was in: 100 of the idle time, and of the run 20 of a softirq that began before
 * the interval, and 200 of one in which an interrupt of 50 came, counted once.
 */
START_TEST(cpu_interrupted)
{
	check_rows(ASK("cpus", .count_open = true, .resets = RESETS(2000)),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1950 cpu0 softirq_entry t=10 3", "2000 cpu1 sched_waking b/11 target=1 by idle/0",
			 "cpu0 page", "cpu1 page", "2020 cpu0 softirq_exit t=10 3", "2030 cpu0 softirq_entry t=10 3", "2050 cpu0 irq_handler_entry t=10 9 x", "2100 cpu0 irq_handler_exit t=10 9",
			 "2230 cpu0 softirq_exit t=10 3", "2400 cpu0 sched_switch a/10 S -> idle/0",
			 "2500 cpu0 irq_handler_entry t=0 9 x", "2600 cpu0 irq_handler_exit t=0 9",
			 "3000 cpu0 sched_waking b/11 target=1 by idle/0"),
		   ROWS("cpu=0 busy_ns=400 idle_ns=600 unknown_ns=0 run_ns=180 irq_ns=320 free_ns=500", "cpu=1"));
}
END_TEST

/* ---- the sums of all intervals are those of the whole ---- */

enum { RUN, DELAY, PREEMPTED, BLOCKED, UNKNOWN, INSTANCE_TIME, CPU_BUSY, CPU_IDLE, CPU_UNKNOWN, NR_SUMS };

static const struct { const char *view, *column; int sum; } summed[] = {
	{ "tasks", "run_ns", RUN }, { "tasks", "delay_ns", DELAY }, { "tasks", "preempted_ns", PREEMPTED },
	{ "tasks", "disk_ns", BLOCKED }, { "tasks", "lock_ns", BLOCKED }, { "tasks", "futex_ns", BLOCKED },
	{ "tasks", "reclaim_ns", BLOCKED }, { "tasks", "other_d_ns", BLOCKED }, { "tasks", "idle_ns", BLOCKED },
	{ "tasks", "sleep_ns", BLOCKED }, { "tasks", "unknown_ns", UNKNOWN }, { "tasks", "life_ns", INSTANCE_TIME },
	{ "cpus", "busy_ns", CPU_BUSY }, { "cpus", "idle_ns", CPU_IDLE }, { "cpus", "unknown_ns", CPU_UNKNOWN },
};

struct intervals {
	struct rs_sink sink;      /* first */
	struct rs_view_ref ref;
	struct rs_session *session;
	unsigned __int128 sums[NR_SUMS]; /* of times that a hostile recording may leap by 2^63 */
	uint64_t nr_gaps, nr_evicted, nr_intervals;
};

static void sum_row(struct rs_sink *sink, const struct rs_value *v)
{
	struct intervals *e = (struct intervals *)sink;

	for (unsigned int i = 0; e->ref.view->columns[i].name; i++)
		for (size_t k = 0; k < sizeof summed / sizeof *summed; k++)
			if (!strcmp(summed[k].view, e->ref.view->name) && !strcmp(summed[k].column, e->ref.view->columns[i].name))
				e->sums[summed[k].sum] += v[i].u;
}

static void no_imbalance(void *arg, const char *invariant, int64_t imbalance)
{
	ck_assert_msg(!imbalance, "seed %llu: the invariant \"%s\" has an imbalance of %lld", *(unsigned long long *)arg, invariant, (long long)imbalance);
}

static void end_interval(struct intervals *e, unsigned long long seed)
{
	static const char *const views[] = { "tasks", "cpus" };
	struct rs_error err = { 0 };

	for (int i = 0; i < 2; i++) {
		ck_assert(rs_requirements_find_view(views[i], &e->ref, &err));
		rs_session_rows(e->session, &e->ref, &(struct rs_query){ .by = { "tid" }, .nr_by = i == 0, .count_open = true }, &e->sink);
	}
	rs_session_check(e->session, no_imbalance, &seed);
	e->nr_intervals++;
}

/* every 0: one interval */
static bool run_intervals(struct intervals *e, const uint8_t *bytes, size_t len, unsigned int every, unsigned long long seed)
{
	struct bytes_options options;
	struct rs_session_config config = { .nr_analyses = 0 };
	uint64_t begin_ns, end_ns;
	struct rs_source *source = rs_bytes_source(bytes, len, &options, &begin_ns, &end_ns);
	struct rs_error err = { 0 };
	struct rs_quality quality;
	unsigned int nr = 0;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		config.analyses[config.nr_analyses++] = *a;
	e->sink.row = sum_row;
	e->session = rs_session_new(&config, &err);
	ck_assert_ptr_nonnull(e->session);
	ck_assert_int_eq(rs_session_attach(e->session, source, &err), 0);
	while (rs_session_run(e->session, 1, &err) == RS_RUN_MORE)
		if (every && ++nr % every == 0) {
			end_interval(e, seed);
			rs_session_reset(e->session);
		}
	rs_session_end(e->session);
	end_interval(e, seed);
	rs_session_quality(e->session, &quality);
	e->nr_gaps = quality.gaps;
	e->nr_evicted = quality.evicted;
	rs_session_free(e->session);
	source->ops->close(source);
	return options.no_states;
}

/* splitmix64: the same on every machine */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/*
 * What is unknown of the whole, because its begin was not seen or its end was missed, may be known of single intervals:
 * the intervals know more, never less. Before a task was first seen it is in no interval's rows, in the whole it is unknown.
 */
START_TEST(sums_of_random_intervals)
{
	const char *seeds = getenv("RS_SEEDS");
	uint64_t nr_initial = seeds ? strtoull(seeds, NULL, 10) : 500;
	unsigned int nr_compared = 0;

	for (uint64_t seed = (uint64_t)_i; seed < nr_initial; seed += 4) {
		uint64_t state = seed;
		uint8_t bytes[400]; /* few enough that many have no gap */
		struct intervals whole = { .nr_intervals = 0 }, parts = { .nr_intervals = 0 };

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)next_random(&state);
		if (run_intervals(&whole, bytes, sizeof bytes, 0, seed))
			continue;
		run_intervals(&parts, bytes, sizeof bytes, 1 + next_random(&state) % 20, seed);
		if (whole.nr_gaps || whole.nr_evicted) /* an interval does not know yet that a gap is to come */
			continue;
		for (int i = 0; i < NR_SUMS; i++)
			if (i == INSTANCE_TIME)
				ck_assert_msg(parts.sums[i] <= whole.sums[i], "seed %llu: lives of %llu in intervals, of %llu in all",
					      (unsigned long long)seed, (unsigned long long)parts.sums[i], (unsigned long long)whole.sums[i]);
			else if (i != UNKNOWN && i != CPU_UNKNOWN && i != BLOCKED) /* what for is known at its end alone */
				ck_assert_msg(parts.sums[i] >= whole.sums[i], "seed %llu: sum %d is %llu in intervals, %llu in all",
					      (unsigned long long)seed, i, (unsigned long long)parts.sums[i], (unsigned long long)whole.sums[i]);
		nr_compared += parts.nr_intervals > 1;
	}
	ck_assert_uint_gt(nr_compared, nr_initial / 100);
}
END_TEST

Suite *rs_suite_semantics_intervals(void);
Suite *rs_suite_semantics_intervals(void)
{
	Suite *s = suite_create("semantics-intervals");
	TCase *t = tcase_create("rules");
	TCase *r = tcase_create("random");

	tcase_add_test(t, open_over_the_whole_interval);
	tcase_add_test(t, closed_in_the_interval);
	tcase_add_test(t, ended);
	tcase_add_test(t, began_before_the_capture);
	tcase_add_test(t, gap);
	tcase_add_test(t, open_for_a_disk);
	tcase_add_test(t, process);
	tcase_add_test(t, moved);
	tcase_add_test(t, cpus);
	tcase_add_test(t, cpu_idle_before);
	tcase_add_test(t, cpu_interrupted);
	suite_add_tcase(s, t);
	tcase_set_timeout(r, 600);
	tcase_add_loop_test(r, sums_of_random_intervals, 0, 4);
	suite_add_tcase(s, r);
	return s;
}
