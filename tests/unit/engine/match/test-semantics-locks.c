// SPDX-License-Identifier: GPL-2.0-or-later
/* test-semantics-locks - which begin and end of contention belong together, and whom they are counted for */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "ask.h"

/* The kernel's flags: 1 SPIN, 2 READ, 4 WRITE, 8 RT, 16 PERCPU, 32 MUTEX. 4096 is 0x1000. */

START_TEST(begin_to_end)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "1500 cpu1 contention_end t=10 4096",
			 "2000 cpu0 contention_begin t=11 4096 32",
			 "2300 cpu0 contention_end t=11 4096"),
		   ROWS("lock_addr=0x1000 type=mutex contended=2 total_ns=800 avg_ns=400 p99_ns=500 max_ns=500 "
			"last_waker=- symbol=- comm=- pid=- tid=-",
			"_quality unmatched=0 in_flight=0 discarded=0"));
}
END_TEST

/* "Begins that repeat before the end (a mutex spins, then sleeps) are one contention from the first, with its type." */
START_TEST(spins_then_sleeps)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 33",
			 "1200 cpu0 contention_begin t=10 4096 32",
			 "1400 cpu0 contention_begin t=10 4096 33",
			 "1700 cpu0 contention_end t=10 4096"),
		   ROWS("type=mutex contended=1 total_ns=700", "_quality unmatched=0 in_flight=0"));
}
END_TEST

START_TEST(types)
{
	static const struct { int flags; const char *type; } types[] = {
		{ 0, "semaphore" }, { 1, "spinlock" }, { 3, "rwlock:R" }, { 5, "rwlock:W" }, { 2, "rwsem:R" },
		{ 4, "rwsem:W" }, { 8, "rt-mutex" }, { 18, "percpu-rwsem:R" }, { 20, "percpu-rwsem:W" },
		{ 32, "mutex" }, { 33, "mutex" },
		/* no lock that is known, and a bit that is not: nobody says what it is */
		{ 6, "-" }, { 64, "-" }, { 65, "-" },
	};
	char begin[64], row[64];

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		snprintf(begin, sizeof begin, "1000 cpu0 contention_begin t=10 4096 %d", types[i].flags);
		snprintf(row, sizeof row, "type=%s contended=1 total_ns=10", types[i].type);
		check_rows(ASK("locks"), LINES(begin, "1010 cpu0 contention_end t=10 4096"), ROWS(row));
	}
}
END_TEST

/* "Read and write are rows of their own", a mutex that spins and one that sleeps at once are not. */
START_TEST(read_and_write)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 2",
			 "1001 cpu1 contention_begin t=11 4096 4",
			 "1100 cpu0 contention_end t=10 4096",
			 "1201 cpu1 contention_end t=11 4096",
			 "2000 cpu0 contention_begin t=10 8192 33",
			 "2050 cpu0 contention_end t=10 8192",
			 "3000 cpu0 contention_begin t=10 8192 32",
			 "3050 cpu0 contention_end t=10 8192"),
		   ROWS("lock_addr=0x1000 type=rwsem:R contended=1 total_ns=100",
			"lock_addr=0x1000 type=rwsem:W contended=1 total_ns=200",
			"lock_addr=0x2000 type=mutex contended=2 total_ns=100"));
}
END_TEST

/* An interrupt, which spins, on top of a task that waits for a mutex: two at once, of one tid. */
START_TEST(interrupt_on_top)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "1100 cpu0 contention_begin t=10 8192 1 irq",
			 "1150 cpu0 contention_end t=10 8192 irq",
			 "1500 cpu0 contention_end t=10 4096"),
		   ROWS("lock_addr=0x1000 type=mutex contended=1 total_ns=500",
			"lock_addr=0x2000 type=spinlock contended=1 total_ns=50",
			"_quality unmatched=0 in_flight=0"));
}
END_TEST

/* "in idle context by (CPU, lock_addr)": two idle CPUs wait for one lock at the same time. */
START_TEST(idle_by_cpu)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=0 4096 1",
			 "1010 cpu1 contention_begin t=0 4096 1",
			 "1100 cpu0 contention_end t=0 4096",
			 "1200 cpu1 contention_end t=0 4096"),
		   ROWS("contended=2 total_ns=290 max_ns=190", "_quality unmatched=0"));
	check_rows(ASK("locks", .by = "tid"),
		   LINES("1000 cpu0 contention_begin t=0 4096 1",
			 "1100 cpu0 contention_end t=0 4096"),
		   ROWS("tid=- comm=- lock_addr=- contended=1"));
}
END_TEST

START_TEST(unmatched_end)
{
	check_rows(ASK("locks"), LINES("1000 cpu0 contention_end t=10 4096", "1100 cpu0 contention_end t=0 4096"),
		   ROWS("_quality unmatched=2 in_flight=0"));
}
END_TEST

/* Another's end is not this one's. */
START_TEST(by_task_and_address)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 1",
			 "1100 cpu1 contention_end t=11 4096",
			 "1200 cpu0 contention_end t=10 8192",
			 "1300 cpu0 contention_end t=10 4096"),
		   ROWS("lock_addr=0x1000 contended=1 total_ns=300", "_quality unmatched=2"));
}
END_TEST

START_TEST(open_at_the_end)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "1100 cpu1 contention_begin t=0 8192 1",
			 "2000 cpu0 sys_enter t=11 nr=read"),
		   ROWS("_quality in_flight=3 unmatched=0"));
}
END_TEST

/* A gap of any CPU in between: it may have ended and begun again, on another CPU too. */
START_TEST(gap_in_between)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "1050 cpu1 sys_enter t=11 nr=read",
			 "cpu1 lost 5",
			 "1200 cpu1 sys_exit t=11 nr=read",
			 "1500 cpu0 contention_end t=10 4096",
			 "1600 cpu0 contention_begin t=10 4096 32",
			 "1700 cpu0 contention_end t=10 4096"),
		   ROWS("contended=1 total_ns=100", "_quality unmatched=0 in_flight=0 discarded=3")); /* the call and its slice, too */
}
END_TEST

/* A begin before the gap and another after it: the first is void, the second is whole. */
START_TEST(begin_again_after_a_gap)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "cpu0 lost 5",
			 "1200 cpu0 contention_begin t=10 4096 32",
			 "1500 cpu0 contention_end t=10 4096"),
		   ROWS("contended=1 total_ns=300", "_quality unmatched=0 in_flight=0 discarded=2")); /* its slice, too */
}
END_TEST

START_TEST(gap_while_open)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "cpu0 lost 5",
			 "1200 cpu0 sys_enter t=11 nr=read"),
		   ROWS("_quality in_flight=1 discarded=2")); /* in flight: the call; void: its slice, too */
}
END_TEST

/* It dies, and its tid is another's: the end belongs to nobody. */
START_TEST(task_dies)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 contention_begin t=10 4096 32",
			 "1100 cpu0 sched_process_exit a/10",
			 "1200 cpu0 sched_switch a/10 X -> idle/0",
			 "1300 cpu1 sched_process_fork b/11 -> c/10",
			 "1400 cpu1 contention_end t=10 4096"),
		   ROWS("_quality in_flight=0 unmatched=2"));
}
END_TEST

/* The tid's next life begins, though nobody saw the death. */
START_TEST(tid_reused)
{
	check_rows(ASK("locks", .by = "tid"),
		   LINES("1000 cpu0 contention_begin t=10 4096 1",
			 "1100 cpu0 contention_end t=10 4096",
			 "1200 cpu0 contention_begin t=10 4096 32",
			 "1300 cpu1 sched_process_fork b/11 -> c/10",
			 "1400 cpu1 contention_begin t=10 4096 1",
			 "1600 cpu1 contention_end t=10 4096"),
		   ROWS("tid=10 contended=1 total_ns=100", "tid=10 comm=c contended=1 total_ns=200",
			"_quality in_flight=0 unmatched=1"));
}
END_TEST

/* "last_waker": who woke the last that slept for it; who spun was woken by nobody. */
#define SLEEPS(tid, begin, waker, wake, end) \
	begin "00 cpu0 contention_begin t=" tid " 4096 32", \
	begin "10 cpu0 sched_switch a/" tid " D -> idle/0", \
	wake "00 cpu1 sched_waking a/" tid " target=0 by " waker, \
	wake "10 cpu0 sched_switch idle/0 R -> a/" tid, \
	end "00 cpu0 contention_end t=" tid " 4096"

START_TEST(last_waker)
{
	const char *const *lines = LINES("500 cpu1 sched_switch idle/0 R -> holder/20",
					 SLEEPS("10", "10", "holder/20", "12", "13"),
					 "1400 cpu1 sched_switch holder/20 S -> other/21",
					 SLEEPS("11", "20", "other/21", "25", "27"),
					 "3000 cpu0 contention_begin t=12 4096 33",
					 "3100 cpu0 contention_end t=12 4096");

	check_rows(ASK("locks"), lines, ROWS("contended=3 total_ns=1100 last_waker='other (21)'", "_quality in_flight=0"));
	check_rows(ASK("locks", .by = "tid"), lines,
		   ROWS("tid=10 total_ns=300 last_waker='holder (20)'", "tid=11 total_ns=700 last_waker='other (21)'",
			"tid=12 total_ns=100 last_waker=-"));
	/* an interrupt on an idle CPU: a time-out, say */
	check_rows(ASK("locks"), LINES(SLEEPS("10", "10", "idle/0", "12", "13")), ROWS("last_waker=<idle>"));
	/* without these events nobody knows */
	check_rows(ASK("locks"), LINES("without sched_waking", "1000 cpu0 contention_begin t=10 4096 32",
				       "1200 cpu0 contention_end t=10 4096"), ROWS("contended=1 last_waker=-"));
}
END_TEST

/* A wake-up of a sleep that is over before it waits for the lock is not the lock's. */
START_TEST(woken_before)
{
	check_rows(ASK("locks"),
		   LINES("1000 cpu0 sched_switch a/10 S -> idle/0",
			 "1200 cpu1 sched_waking a/10 target=0 by b/11",
			 "1300 cpu0 sched_switch idle/0 R -> a/10",
			 "1400 cpu0 contention_begin t=10 4096 1",
			 "1500 cpu0 contention_end t=10 4096"),
		   ROWS("contended=1 total_ns=100 last_waker=-"));
}
END_TEST

#define TWO_TASKS \
	"900 cpu0 task_rename x/10 -> a pid=10", \
	"900 cpu1 task_rename x/11 -> b pid=11", \
	"1000 cpu0 contention_begin t=10 4096 32", \
	"1100 cpu0 contention_end t=10 4096", \
	"2000 cpu0 contention_begin t=10 8192 32", \
	"2200 cpu0 contention_end t=10 8192", \
	"3000 cpu1 contention_begin t=11 4096 1", \
	"3400 cpu1 contention_end t=11 4096"

START_TEST(grouped)
{
	check_rows(ASK("locks", .by = "type"), LINES(TWO_TASKS),
		   ROWS("type=mutex lock_addr=- contended=2 total_ns=300 max_ns=200", "type=spinlock contended=1 total_ns=400"));
	check_rows(ASK("locks", .by = "comm"), LINES(TWO_TASKS),
		   ROWS("comm=a type=- lock_addr=- contended=2 total_ns=300", "comm=b contended=1 total_ns=400"));
	check_rows(ASK("locks", .by = "tid,lock_addr"), LINES(TWO_TASKS),
		   ROWS("tid=10 lock_addr=0x1000 type=- contended=1 total_ns=100",
			"tid=10 lock_addr=0x2000 contended=1 total_ns=200",
			"tid=11 lock_addr=0x1000 contended=1 total_ns=400"));
	check_rows(ASK("locks", .by = "lock_addr"), LINES(TWO_TASKS),
		   ROWS("lock_addr=0x1000 type=- contended=2 total_ns=500", "lock_addr=0x2000 contended=1"));
}
END_TEST

/* -p, -c: only their waits; those of idle's context are no task's. */
START_TEST(narrowed)
{
	check_rows(ASK("locks", .comm_glob = "b"),
		   LINES(TWO_TASKS, "4000 cpu0 contention_begin t=0 4096 1", "4100 cpu0 contention_end t=0 4096"),
		   ROWS("lock_addr=0x1000 type=spinlock contended=1 total_ns=400"));
}
END_TEST

/* What ended before --from is forgotten; of what was open then, and of what is open at --to, the part between counts. */
START_TEST(from_on)
{
	check_rows(ASK("locks", .from_ns = 2100), LINES(TWO_TASKS),
		   ROWS("lock_addr=0x2000 contended=0 total_ns=100 max_ns=200", "lock_addr=0x1000 type=spinlock contended=1"));
	check_rows(ASK("locks", .to_ns = 2100), LINES(TWO_TASKS),
		   ROWS("lock_addr=0x1000 type=mutex contended=1 total_ns=100",
			"lock_addr=0x2000 contended=1 total_ns=100 avg_ns=- max_ns=-", "_quality in_flight=1"));
}
END_TEST

/* Tasks that had to be forgotten: their waits stay in their locks' rows. */
START_TEST(tasks_evicted)
{
	check_rows(ASK("locks", .max_tasks = 1),
		   LINES(TWO_TASKS,
			 "5000 cpu0 sched_switch a/10 S -> idle/0",
			 "5001 cpu1 sched_switch b/11 S -> idle/0",
			 "6000 cpu0 sched_switch idle/0 R -> c/12",
			 "6001 cpu1 sched_switch idle/0 R -> d/13",
			 "6002 cpu0 sched_switch c/12 S -> idle/0"),
		   ROWS("lock_addr=0x1000 type=mutex contended=1 total_ns=100", "lock_addr=0x2000 contended=1 total_ns=200",
			"lock_addr=0x1000 type=spinlock contended=1 total_ns=400", "_quality evicted=3"));
}
END_TEST

/* An exec by a thread: what the thread waited for is the leader's. */
START_TEST(exec_by_a_thread)
{
	check_rows(ASK("locks", .by = "tid"),
		   LINES("1000 cpu0 contention_begin t=11 4096 32",
			 "1100 cpu0 contention_end t=11 4096",
			 "1200 cpu0 sched_process_exec /bin/x t=10 pid=10 old=11",
			 "2000 cpu0 contention_begin t=10 4096 32",
			 "2300 cpu0 contention_end t=10 4096"),
		   ROWS("tid=10 contended=2 total_ns=400"));
}
END_TEST

/* More locks than the table holds: the least recently used goes, its waits stay with its type. */
START_TEST(locks_evicted)
{
	enum { TABLE = 8192, MORE = 8, NR = TABLE + 1 + MORE + 1 };
	char (*text)[64] = calloc(2 * NR, sizeof *text);
	const char **lines = calloc(2 * NR + 1, sizeof *lines);

	for (int i = 0; i < NR; i++) {
		/* lock 0 is used again before others come, so that they do not push it out: it is there at the end */
		int lock = i < TABLE ? i : i == TABLE || i == NR - 1 ? 0 : i - 1, at = 1000 + 100 * i;

		snprintf(text[2 * i], sizeof *text, "%d cpu%d contention_begin t=10 %d 1", at, i % 4, 4096 + lock * 8);
		snprintf(text[2 * i + 1], sizeof *text, "%d cpu%d contention_end t=10 %d", at + 10 + lock % 2, i % 4,
			 4096 + lock * 8);
		lines[2 * i] = text[2 * i];
		lines[2 * i + 1] = text[2 * i + 1];
	}
	/* 4,100 even ones of 10 ns and as many odd ones of 11, and two of lock 0 more */
	check_rows(ASK("locks", .by = "type"), lines,
		   ROWS("type=spinlock contended=8202 total_ns=86120 max_ns=11", "_quality evicted=8"));
	free(text);
	free(lines);
}
END_TEST

/* One inside the other; nothing for idle, nor for what is void. */
START_TEST(emitted)
{
	check_rows(ASK("locks", .span = "lock"),
		   LINES("1000 cpu0 contention_begin t=10 4096 33",
			 "1100 cpu0 contention_begin t=10 8192 1 irq",
			 "1150 cpu0 contention_end t=10 8192 irq",
			 "1200 cpu1 contention_begin t=0 8192 1",
			 "1250 cpu1 contention_end t=0 8192",
			 "1500 cpu0 contention_end t=10 4096",
			 "1600 cpu0 contention_begin t=10 4096 64",
			 "1700 cpu0 contention_end t=10 4096",
			 "1800 cpu0 contention_begin t=10 4096 32",
			 "cpu0 lost 1",
			 "1850 cpu1 contention_begin t=11 4096 32",  /* in the gap, for all that is known */
			 "1900 cpu0 contention_end t=10 4096",
			 "2000 cpu0 contention_begin t=10 4096 32",
			 "2100 cpu0 contention_begin t=10 8192 1 irq",
			 "2200 cpu1 sched_waking b/11 target=0 by idle/0"),
		   ROWS("tid=10 from=1100 to=1150 label=spinlock lock_addr=0x2000 open=0",
			"tid=10 from=1000 to=1500 label=mutex lock_addr=0x1000",
			"tid=10 from=1600 to=1700 label=lock lock_addr=0x1000",
			"tid=10 from=2000 to=2200 label=mutex open=1", "tid=10 from=2100 to=2200 label=spinlock open=1"));
}
END_TEST

Suite *rs_suite_semantics_locks(void)
{
	Suite *s = suite_create("semantics-locks");
	TCase *t = tcase_create("pairs");

	tcase_add_test(t, begin_to_end);
	tcase_add_test(t, spins_then_sleeps);
	tcase_add_test(t, types);
	tcase_add_test(t, read_and_write);
	tcase_add_test(t, interrupt_on_top);
	tcase_add_test(t, idle_by_cpu);
	tcase_add_test(t, unmatched_end);
	tcase_add_test(t, by_task_and_address);
	tcase_add_test(t, open_at_the_end);
	tcase_add_test(t, gap_in_between);
	tcase_add_test(t, begin_again_after_a_gap);
	tcase_add_test(t, gap_while_open);
	tcase_add_test(t, task_dies);
	tcase_add_test(t, tid_reused);
	suite_add_tcase(s, t);
	t = tcase_create("rows");
	tcase_add_test(t, last_waker);
	tcase_add_test(t, woken_before);
	tcase_add_test(t, grouped);
	tcase_add_test(t, narrowed);
	tcase_add_test(t, from_on);
	tcase_add_test(t, tasks_evicted);
	tcase_add_test(t, exec_by_a_thread);
	tcase_add_test(t, locks_evicted);
	tcase_add_test(t, emitted);
	suite_add_tcase(s, t);
	return s;
}
