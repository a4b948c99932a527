// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-first-names - a row of a stream before the first event that names its task
 *
 * "comm is the last known; before the first: that first, else the file's cmdlines"
 */
#include <check.h>

#include "ask.h"

#define CALL(from, to, tid) \
	#from " cpu0 sys_enter t=" #tid " nr=read 3 0 64 0 0 0", #to " cpu0 sys_exit t=" #tid " nr=read ret=0"
#define ROW(from, name) "start_ns=" #from " comm=" name

START_TEST(named_later)
{
	check_rows(ASK("syscalls"),
		   LINES("seed last/10", "seed last/11", CALL(1000, 1100, 10), CALL(1200, 1300, 11),
			 "2000 cpu0 sched_switch first/10 S -> idle/0", CALL(2100, 2200, 10),
			 "2300 cpu0 sched_waking last/10 target=0 by idle/0", CALL(2400, 2500, 10)),
		   ROWS(ROW(1000, "first"), ROW(1200, "last"), ROW(2100, "first"), ROW(2400, "last")));
}
END_TEST

/* In the order of time, not of CPUs. */
START_TEST(the_first_of_all_cpus)
{
	check_rows(ASK("syscalls"),
		   LINES("seed last/10", "seed last/11", CALL(1000, 1100, 10), CALL(1200, 1300, 11),
			 "1500 cpu1 sched_waking one/10 target=0 by idle/0", "1600 cpu0 sched_waking two/10 target=0 by idle/0",
			 "1700 cpu0 sched_waking one/11 target=0 by idle/0", "1800 cpu1 sched_waking two/11 target=0 by idle/0"),
		   ROWS(ROW(1000, "one"), ROW(1200, "one")));
}
END_TEST

/* Any event that tells a name; sched_wakeup only where there is no sched_waking. */
START_TEST(any_event_is_evidence)
{
	check_rows(ASK("syscalls"),
		   LINES("seed z/10", "seed z/11", "seed z/12", "seed z/13", "seed z/14", "seed z/15", "seed z/16",
			 CALL(1000, 1010, 10), CALL(1020, 1030, 11), CALL(1040, 1050, 12), CALL(1060, 1070, 13),
			 CALL(1080, 1090, 14), CALL(1100, 1110, 15), CALL(1120, 1130, 16),
			 "2000 cpu0 sched_switch a/10 S -> b/11", "2100 cpu0 sched_migrate_task c/12 0 -> 1 by idle/0",
			 "2200 cpu0 sched_process_exit d/13", "2300 cpu0 sched_process_fork e/14 -> x/90",
			 "2400 cpu0 block_rq_issue t=15 8,0 R 4096 sector=100 nr=8 comm=f",
			 "2500 cpu0 sched_wakeup no/16 target=0 by idle/0", "2600 cpu0 sched_waking g/16 target=0 by idle/0"),
		   ROWS("comm=a", "comm=b", "comm=c", "comm=d", "comm=e", "comm=f", "comm=g"));
	check_rows(ASK("syscalls"),
		   LINES("without sched_waking", "seed z/16", CALL(1000, 1010, 16),
			 "2000 cpu0 sched_wakeup w/16 target=0 by idle/0"),
		   ROWS("comm=w"));
}
END_TEST

/* What a name changes from is what it was. What exec sets tells nothing of the time before it. */
START_TEST(changes_of_name)
{
	check_rows(ASK("syscalls"),
		   LINES("seed new/10", CALL(1000, 1100, 10), "2000 cpu0 task_rename old/10 -> new", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "old"), ROW(2100, "new")));
	check_rows(ASK("syscalls"),
		   LINES("seed list/10", CALL(1000, 1100, 10), "2000 cpu0 sched_process_exec /bin/prog t=10 pid=10 old=10",
			 "2050 cpu0 sched_waking prog/10 target=0 by idle/0", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "list"), ROW(2100, "prog")));
	check_rows(ASK("syscalls"),
		   LINES("seed list/10", CALL(1000, 1100, 10), "1900 cpu0 sched_waking sh/10 target=0 by idle/0",
			 "2000 cpu0 sched_process_exec /bin/prog t=10 pid=10 old=10", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "sh"), ROW(2100, "prog")));
}
END_TEST

/* A name is of one life: the next one's does not reach back. */
START_TEST(instances)
{
	check_rows(ASK("syscalls"),
		   LINES("seed list/10", CALL(1000, 1100, 10), "2000 cpu0 sched_process_fork p/5 -> next/10",
			 "2050 cpu0 sched_waking next/10 target=0 by p/5", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "list"), ROW(2100, "next")));
	check_rows(ASK("syscalls"),
		   LINES("seed list/10", CALL(1000, 1100, 10), "1500 cpu0 sched_process_exit a/10",
			 "2000 cpu0 task_newtask next/10 flags=0 by p/5", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "a"), ROW(2100, "next")));
	/* and the first one's not forward */
	check_rows(ASK("syscalls"),
		   LINES("seed list/10", CALL(1000, 1100, 10), "1500 cpu0 sched_waking a/10 target=0 by idle/0",
			 "2000 cpu0 sched_process_fork p/5 -> /10", CALL(2100, 2200, 10)),
		   ROWS(ROW(1000, "a"), ROW(2100, "list")));
}
END_TEST

/* -c goes by the name that is shown. */
START_TEST(selection)
{
	check_rows(ASK("syscalls", .comm_glob = "first"),
		   LINES("seed last/10", "seed first/11", CALL(1000, 1100, 10), CALL(1200, 1300, 11),
			 "2000 cpu0 sched_waking first/10 target=0 by idle/0", "2100 cpu0 sched_waking other/11 target=0 by idle/0"),
		   ROWS(ROW(1000, "first")));
}
END_TEST

/* Two pages are read, one of each CPU. As far as was looked on every CPU: what one tells later may not be the first. */
START_TEST(limits)
{
	check_rows(ASK("syscalls", .some = true, .names_bytes = 4097),
		   LINES("seed list/10", "seed list/11", CALL(1000, 1100, 10), CALL(1200, 1300, 11),
			 "1400 cpu1 sched_waking early/11 target=0 by idle/0", "1500 cpu0 sched_waking x/97 target=0 by idle/0",
			 "cpu0 lost ?", "2000 cpu0 sched_waking late/10 target=0 by idle/0",
			 "2500 cpu1 sched_waking later/10 target=0 by idle/0"),
		   ROWS(ROW(1000, "list"), ROW(1200, "early")));
	check_rows(ASK("syscalls", .some = true),
		   LINES("seed list/10", CALL(1000, 1100, 10), "1500 cpu0 sched_waking x/97 target=0 by idle/0",
			 "cpu0 lost ?", "2000 cpu0 sched_waking late/10 target=0 by idle/0"),
		   ROWS(ROW(1000, "late")));
}
END_TEST

Suite *rs_suite_first_names(void)
{
	Suite *s = suite_create("first-names");
	TCase *t = tcase_create("names");

	tcase_add_test(t, named_later);
	tcase_add_test(t, the_first_of_all_cpus);
	tcase_add_test(t, any_event_is_evidence);
	tcase_add_test(t, changes_of_name);
	tcase_add_test(t, instances);
	tcase_add_test(t, selection);
	tcase_add_test(t, limits);
	suite_add_tcase(s, t);
	return s;
}
