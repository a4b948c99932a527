// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-open - what is in flight is listed, oldest first, with what it is; not any more once it ended or may have ended
 */
#include <check.h>

#include "ask.h"
#include "engine/match/in-flight-list.h"

#define LATER "9000 cpu1 sched_switch z/90 S -> idle/0"

START_TEST(calls)
{
	check_rows(ASK("syscalls", .open = "call"),
		   LINES("seed a/10 pid=9", "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=read 3 7f00 1000",
			 "1200 cpu0 sched_switch a/10 D -> b/11", "1300 cpu0 sys_enter t=11 nr=write 1 0 5",
			 "1350 cpu0 sys_exit t=11 nr=write ret=5", "1400 cpu0 sys_enter t=11 nr=nanosleep 0 0",
			 "1500 cpu0 sched_switch b/11 S -> idle/0", LATER),
		   ROWS("kind=call comm=a pid=9 tid=10 since=1100 what='read(3, 0x7f00, 4096): in D' at_least=0 idle=0",
			"kind=call comm=b tid=11 since=1400 what='nanosleep(NULL, NULL)' idle=1"));
}
END_TEST

/* A call of which a gap may have swallowed the end is in flight no more, as far as is known; nor one that never returns. */
START_TEST(calls_over_a_gap)
{
	check_rows(ASK("syscalls", .open = "call"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=read 3 7f00 1000",
			 "1200 cpu0 sched_switch a/10 S -> b/11", "cpu0 lost 2", "2000 cpu0 sys_enter t=11 nr=exit_group 0", LATER),
		   NO_ROWS);
}
END_TEST

START_TEST(runnable)
{
	check_rows(ASK("runqlat", .open = "runnable"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sched_waking b/11 target=0 by a/10",
			 "1200 cpu0 sched_switch a/10 R -> c/12", "1300 cpu0 sched_waking d/13 target=0 by idle/0 irq", LATER),
		   ROWS("kind=runnable comm=b tid=11 since=1100 what='woken by a/10, waits for CPU 0' idle=0",
			"kind=runnable comm=a tid=10 since=1200 what='preempted on CPU 0'",
			"kind=runnable comm=d tid=13 since=1300 what='woken by an interrupt, waits for CPU 0'"));
}
END_TEST

/* One was issued, the other is still queued: its age counts from the insert. Those that completed are none. */
START_TEST(requests)
{
	check_rows(ASK("iosnoop", .open = "request"),
		   LINES("seed a/10 pid=9", "1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1100 cpu0 block_rq_insert t=10 8,0 WS 8192 sector=900 nr=16 comm=a",
			 "1200 cpu0 block_rq_issue t=10 8,0 W 4096 sector=500 nr=8 comm=a", "1300 cpu0 block_rq_complete t=0 8,0 W sector=500 nr=8",
			 LATER),
		   ROWS("kind=request comm=a pid=9 tid=10 since=1000 what='read 4096 bytes at sector 100 of 8,0' idle=0",
			"kind=request since=1100 what='write 0 bytes at sector 900 of 8,0, not issued yet'"));
}
END_TEST

START_TEST(locks)
{
	check_rows(ASK("locks", .open = "lock"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 contention_begin t=10 4096 32",
			 "1200 cpu0 sched_switch a/10 D -> b/11", "1300 cpu0 contention_begin t=11 8192 1", "1400 cpu0 contention_end t=11 8192",
			 LATER),
		   ROWS("kind=lock comm=a tid=10 since=1100 what='mutex at 0x1000'"));
}
END_TEST

/* A value of 2 is a lock's that others wait for; a thread that waits for work is normal. */
START_TEST(futexes)
{
	check_rows(ASK("futex", .open = "futex"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=futex 1000 80 2",
			 "1200 cpu0 sched_switch a/10 S -> b/11", "1300 cpu0 sys_enter t=11 nr=futex 2000 89 7",
			 "1400 cpu0 sched_switch b/11 S -> c/12", "1500 cpu0 sys_enter t=12 nr=futex 3000 81 1", LATER),
		   ROWS("kind=futex comm=a tid=10 since=1100 what='for a lock at 0x1000' idle=0",
			"kind=futex comm=b tid=11 since=1300 what='to be woken at 0x2000' idle=1"));
	/* a call that only wakes is one like others */
	check_rows(ASK("futex", .open = "call"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sys_enter t=10 nr=futex 3000 81 1", LATER),
		   ROWS("tid=10 what='futex(0x3000, FUTEX_WAKE|PRIVATE, 1, NULL, NULL): on a CPU'"));
}
END_TEST

START_TEST(stalls)
{
	check_rows(ASK("reclaim", .open = "stall"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 mm_vmscan_direct_reclaim_begin t=10 2", LATER),
		   ROWS("kind=stall comm=a tid=10 since=1100 what=reclaim"));
}
END_TEST

/* ---- from before the capture ---- */

#define SLEEPERS \
	"live", "seed a/10 pid=9 at=900 asleep=D wchan=do_vfork", "seed b/11 at=900 asleep=D call=read wchan=folio_wait", \
	"seed c/12 at=900 asleep=S call=nanosleep"

/* Nothing is known but that they slept then: at least since then. */
START_TEST(asleep_before)
{
	check_rows(ASK("offcpu", .open = ""), LINES(SLEEPERS, "1000 cpu0 sched_switch z/90 S -> idle/0", LATER),
		   ROWS("kind=blocked comm=a pid=9 tid=10 since=900 at_least=1 idle=0 what='in D, at do_vfork'",
			"kind=blocked comm=b pid=- tid=11 since=900 at_least=1 what='read(3, 0x10, 32): in D, at folio_wait'",
			"kind=call comm=c tid=12 since=900 at_least=1 idle=1"));
	check_rows(ASK("offcpu", .open = "", .comm_glob = "a"), LINES(SLEEPERS, "1000 cpu0 sched_switch z/90 S -> idle/0", LATER),
		   ROWS("kind=blocked comm=a"));
}
END_TEST

/* A shell that waits for its command is idle; a task in no call, or one that was to run, is not stuck; a kernel thread neither. */
START_TEST(asleep_in_what)
{
	check_rows(ASK("offcpu", .open = ""),
		   LINES("live", "seed sh/10 at=900 asleep=S call=wait4", "seed b/11 at=900 asleep=S", "seed r/12 at=900 asleep=R",
			 "seed kw/13 at=900 asleep=I", "seed c/14 at=900 asleep=S call=read wchan=pipe_read", "seed f/15 at=900 asleep=S call=futex",
			 "1000 cpu0 sched_switch z/90 S -> idle/0", LATER),
		   ROWS("comm=sh idle=1", "comm=c tid=14 kind=call idle=1 at_least=1 what='read(3, 0x10, 32): in S, at pipe_read'",
			"comm=f idle=1"));
}
END_TEST

/* All that exist have a row: 100 before they were looked at, then 8500 in the state that /proc told, which they have still. */
START_TEST(all_that_exist)
{
	static const char *const lines[] = {
		"live", "seed a/10 pid=10 at=1000 asleep=S call=read cgroup=/a", "seed a/11 pid=10 at=1000 asleep=S call=nanosleep cgroup=/a",
		"seed d/12 pid=12 at=1000 asleep=D", "seed kw/13 pid=13 at=1000 asleep=I", "seed r/14 pid=14 at=1000 asleep=R",
		"seed z/15 pid=15 at=1000 asleep=Z", "seed w/16 pid=16 at=1000 asleep=S call=read",
		"seed jbd2/17 pid=17 at=1000 asleep=S kernel=1",
		"900 cpu0 sched_switch y/90 S -> idle/0", "9400 cpu0 sched_waking w/16 target=0 by idle/0",
		"9500 cpu0 sched_waking y/90 target=0 by idle/0", NULL,
	};

	check_rows(ASK("tasks", .count_open = true), lines,
		   ROWS("comm=a pid=10 threads=2 sleep_ns=8500 idle_ns=8500 unknown_ns=200 life_ns=17200 open_state=- cgroup=/a",
			"comm=d pid=12 other_d_ns=8500 unknown_ns=100 open_state=blocked open_cause='other D' open_ns=8500",
			"comm=kw pid=13 idle_ns=8500 open_state=sleep open_cause=idle", "comm=r pid=14 unknown_ns=8600 open_state=- open_ns=-",
			"comm=w pid=16 sleep_ns=0 unknown_ns=8500", "comm=jbd2 pid=17 idle_ns=8500 sleep_ns=0", "comm=y tid=90"));
	check_rows(ASK("tasks", .by = "tid", .some = true), lines,
		   ROWS("tid=10 sleep_ns=0 open_ns=8500 open_state=sleep open_cause=sleep open_syscall=read unknown_ns=100 life_ns=8600",
			"tid=12 other_d_ns=0 open_ns=8500", "tid=14 unknown_ns=8600"));
	check_rows(ASK("tasks", .comm_glob = "d"), lines, ROWS("comm=d pid=12"));
	check_rows(ASK("sched", .comm_glob = "d"), lines, NO_ROWS);
}
END_TEST

/*
 * What ringside starts after the list was made is known by its name, in a file of its own as live. In the file of another
 * program any task may have it.
 */
START_TEST(own_tasks_of_a_recording)
{
#define STARTED_LATER "1000 cpu0 sched_switch ringside-x/10 S -> a/11", "2000 cpu0 sched_switch a/11 S -> ringside/12", \
		      "3000 cpu0 sched_switch ringside/12 S -> idle/0"

	check_rows(ASK("tasks"), LINES("seed ringside/9 pid=9 own=1", STARTED_LATER), ROWS("tid=11 comm=a"));
	check_rows(ASK("tasks", .self = true), LINES("seed ringside/9 pid=9 own=1", STARTED_LATER),
		   ROWS("comm=ringside-x", "comm=a", "comm=ringside"));
	check_rows(ASK("tasks"), LINES("seed ringside/9 pid=9", STARTED_LATER), ROWS("comm=ringside-x", "comm=a", "comm=ringside"));
}
END_TEST

/*
 * An event shows that it runs, or that it was woken: what comes then, events tell. It comes before the calls that are
 * older than the capture: most of these are at rest.
 */
START_TEST(asleep_no_more)
{
	check_rows(ASK("offcpu", .open = ""),
		   LINES(SLEEPERS, "1000 cpu0 sched_waking a/10 target=0 by z/90", "1100 cpu1 sys_enter t=11 nr=write 1 0 5",
			 "1200 cpu0 sched_switch z/90 S -> a/10", LATER),
		   ROWS("kind=call comm=b since=1100 at_least=0", "comm=c at_least=1"));
	check_rows(ASK("offcpu", .open = ""), LINES(SLEEPERS, "1000 cpu0 sched_switch z/90 S -> idle/0", "cpu0 lost 1",
						    "8000 cpu0 sched_switch idle/0 R -> z/90", LATER), NO_ROWS);
}
END_TEST

/* In D and in no call that was seen: a kernel thread, a page fault. */
START_TEST(blocked)
{
	check_rows(ASK("offcpu", .open = "blocked"),
		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 contention_begin t=10 4096 32",
			 "1200 cpu0 sched_switch a/10 D -> b/11", "1300 cpu0 sched_switch b/11 D -> c/12", "1400 cpu0 sched_switch c/12 S -> idle/0",
			 LATER),
		   ROWS("comm=a tid=10 since=1200 at_least=0 what='in D, lock'", "comm=b tid=11 since=1300 what='in D'"));
}
END_TEST

/* ---- the list ---- */

static void notify(struct rs_in_flight_list *list, uint64_t since_ns, const char *what, bool idle)
{
	rs_in_flight_list_add(list, &(struct rs_in_flight){ .kind = "call", .what = what, .since_ns = since_ns, .idle = idle }, NULL);
}

START_TEST(the_oldest_of_many)
{
	struct rs_in_flight_list list;
	const struct rs_in_flight_to to = { .list = &list };

	ck_assert(rs_in_flight_list_init(&list, 3));
	notify(&list, 50, "a", false);
	notify(&list, 20, "b", false);
	notify(&list, 5, "idle", true);
	ck_assert(rs_in_flight_accepts(&to, 99, false));
	notify(&list, 40, "c", false);
	ck_assert(!rs_in_flight_accepts(&to, 51, false)); /* it is full of older ones */
	notify(&list, 20, "d", false);
	notify(&list, 60, "e", false);
	ck_assert_uint_eq(list.nr, 3);
	ck_assert_str_eq(list.items[0].what, "b");
	ck_assert_str_eq(list.items[1].what, "d");
	ck_assert_str_eq(list.items[2].what, "c");
	rs_in_flight_list_done(&list);
	ck_assert(rs_in_flight_list_init(&list, 0));
	notify(&list, 1, "a", false);
	ck_assert_uint_eq(list.nr, 0);
	rs_in_flight_list_done(&list);
}
END_TEST

Suite *rs_suite_open(void);
Suite *rs_suite_open(void)
{
	Suite *s = suite_create("open");
	TCase *t = tcase_create("open");

	tcase_add_test(t, calls);
	tcase_add_test(t, calls_over_a_gap);
	tcase_add_test(t, runnable);
	tcase_add_test(t, requests);
	tcase_add_test(t, locks);
	tcase_add_test(t, futexes);
	tcase_add_test(t, stalls);
	tcase_add_test(t, asleep_before);
	tcase_add_test(t, asleep_no_more);
	tcase_add_test(t, asleep_in_what);
	tcase_add_test(t, all_that_exist);
	tcase_add_test(t, own_tasks_of_a_recording);
	tcase_add_test(t, blocked);
	tcase_add_test(t, the_oldest_of_many);
	suite_add_tcase(s, t);
	return s;
}
