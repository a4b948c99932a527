// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-execsnoop - programs that are begun, those that are refused, and processes that end
 */
#include <check.h>
#include <string.h>

#include "ask.h"
#include "engine/session.h"

/* CLONE_THREAD and what comes with it */
#define THREAD "flags=3d0f00"

/* A shell forks, the child execs and ends: ppid is who made it, lifetime counts from the fork. */
START_TEST(fork_exec_exit)
{
	check_rows(ASK("execsnoop"),
		   LINES("args 20 ls -l /tmp",
			 "seed sh/5 pid=5",
			 "1000 cpu0 task_newtask sh/20 flags=1200000 by sh/5",
			 "1010 cpu0 sched_process_fork sh/5 -> sh/20",
			 "1500 cpu1 sched_process_exec /bin/ls t=20 pid=20 old=20",
			 "4000 cpu1 sched_process_exit ls/20 group_dead"),
		   ROWS("time_ns=1500 type=exec comm=ls pid=20 ppid=5 ret=0 lifetime_ns=- filename=/bin/ls args='ls -l /tmp'",
			"time_ns=4000 type=exit comm=ls pid=20 ppid=5 ret=- lifetime_ns=3000 filename=- args=-",
			"_quality discarded=0 unmatched=0"));
}
END_TEST

/* Older than the capture: how long it lived is not known, its parent is what /proc said. */
START_TEST(older_than_the_capture)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed sh/5 pid=5 ppid=4",
			 "1000 cpu0 sched_process_exec /bin/ls t=5 pid=5 old=5",
			 "2000 cpu0 sched_process_exit ls/5 group_dead"),
		   ROWS("type=exec comm=ls pid=5 ppid=4 args=-", "type=exit comm=ls pid=5 ppid=4 lifetime_ns=-"));
}
END_TEST

/* Nothing told of a parent: null, not 0. */
START_TEST(parent_unknown)
{
	check_rows(ASK("execsnoop"),
		   LINES("1000 cpu0 sched_process_exec /bin/ls t=5 pid=5 old=5"),
		   ROWS("comm=ls pid=5 ppid=-"));
}
END_TEST

/* CLONE_PARENT (0x8000): the child is its maker's sibling. */
START_TEST(parent_of_a_sibling)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed a/5 pid=5 ppid=4",
			 "1000 cpu0 task_newtask a/20 flags=1208000 by a/5",
			 "1010 cpu0 sched_process_fork a/5 -> a/20",
			 "1500 cpu1 sched_process_exec /bin/ls t=20 pid=20 old=20"),
		   ROWS("pid=20 ppid=4"));
}
END_TEST

/* A child of a thread is the process' child. */
START_TEST(parent_is_a_process)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed a/5 pid=5",
			 "900 cpu0 task_newtask a/6 " THREAD " by a/5",
			 "1000 cpu0 task_newtask a/20 flags=1200000 by a/6",
			 "1500 cpu1 sched_process_exec /bin/ls t=20 pid=20 old=20"),
		   ROWS("pid=20 ppid=5"));
}
END_TEST

/* execve fails twice, by its own event. */
START_TEST(refused)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed sh/5 pid=5 ppid=4",
			 "1000 cpu0 sys_exit_execve t=5 ret=-2",
			 "1100 cpu0 sys_exit_execve t=5 ret=-13",
			 "1200 cpu0 sched_process_exec /bin/ls t=5 pid=5 old=5",
			 "1300 cpu0 sys_exit_execve t=5 ret=0"),
		   ROWS("time_ns=1000 type=exec comm=sh pid=5 ppid=4 ret=-2 filename=- args=-", "time_ns=1100 comm=sh ret=-13",
			"time_ns=1200 comm=ls ret=0"));
}
END_TEST

/* ... by the events of all calls where these alone were recorded; other calls' errors are none, nor is half a call. */
START_TEST(refused_by_the_event_of_all_calls)
{
	check_rows(ASK("execsnoop"),
		   LINES("without sys_exit_execve",
			 "900 cpu0 sys_exit t=5 nr=execve ret=-13",
			 "950 cpu0 sys_enter t=5 nr=execve", "1000 cpu0 sys_exit t=5 nr=execve ret=-2",
			 "1050 cpu0 sys_enter t=5 nr=read", "1100 cpu0 sys_exit t=5 nr=read ret=-4",
			 "1150 cpu0 sys_enter t=5 nr=execveat", "1200 cpu0 sys_exit t=5 nr=execveat ret=-8"),
		   ROWS("time_ns=1000 type=exec ret=-2", "time_ns=1200 type=exec ret=-8"));
	/* likewise where the file declares execve's own event, and has none */
	check_rows(ASK("execsnoop"), LINES("950 cpu0 sys_enter t=5 nr=execve", "1000 cpu0 sys_exit t=5 nr=execve ret=-2"),
		   ROWS("time_ns=1000 type=exec ret=-2"));
}
END_TEST

/* What was lost in between may have been its end and another call's begin. */
START_TEST(refused_or_lost)
{
	check_rows(ASK("execsnoop"),
		   LINES("without sys_exit_execve", "950 cpu0 sys_enter t=5 nr=execve", "cpu0 lost 2",
			 "1000 cpu0 sys_exit t=5 nr=execve ret=-2",
			 "1100 cpu0 sys_enter t=5 nr=execve", "1200 cpu0 sys_exit t=5 nr=execve ret=-8"),
		   ROWS("time_ns=1200 type=exec ret=-8"));
}
END_TEST

/* Alone it wants execve's own event, which costs nobody else's calls a record. */
START_TEST(alone_it_turns_no_calls_on)
{
	struct rs_session_config config = { .nr_analyses = 1 };
	struct rs_event_requirement needs[32];
	struct rs_error err = { 0 };
	struct rs_view_ref ref;
	bool requires_own = false;
	size_t nr;

	ck_assert(rs_requirements_find_view("execsnoop", &ref, &err));
	config.analyses[0] = ref.analysis;
	nr = rs_requirements_list(&config, needs, 32);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_str_ne(needs[i].system, "raw_syscalls");
		requires_own |= !strcmp(needs[i].name, "sys_exit_execve");
	}
	ck_assert(requires_own);
}
END_TEST

/* Both were recorded: one row. */
START_TEST(refused_once)
{
	check_rows(ASK("execsnoop"),
		   LINES("1000 cpu0 sys_enter t=5 nr=execve",
			 "1100 cpu0 sys_exit t=5 nr=execve ret=-2",
			 "1101 cpu0 sys_exit_execve t=5 ret=-2"),
		   ROWS("time_ns=1101 type=exec ret=-2"));
}
END_TEST

/* The first thread ends before another: the process lives on until that one ends too. */
START_TEST(last_thread)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed p/5 pid=5",
			 "1000 cpu0 task_newtask p/20 flags=1200000 by p/5",
			 "1100 cpu0 task_newtask p/21 " THREAD " by p/20",
			 "1200 cpu0 task_newtask p/22 " THREAD " by p/21",
			 "1300 cpu0 sched_process_exit p/21",
			 "1400 cpu0 sched_process_exit p/20",
			 "1500 cpu0 sched_process_exit p/22 group_dead"),
		   ROWS("time_ns=1500 type=exit comm=p pid=20 ppid=5 lifetime_ns=500"));
}
END_TEST

/* Nothing told whether it is a process or one of many threads: no process is said to have ended. */
START_TEST(process_or_thread)
{
	check_rows(ASK("execsnoop"), LINES("1000 cpu0 sched_process_exit a/5"), NO_ROWS);
}
END_TEST

/* A thread execs: the others, the first among them, are ended by that, and the process goes on under its number. */
START_TEST(exec_by_a_thread)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed p/5 pid=5",
			 "1000 cpu0 task_newtask p/20 flags=1200000 by p/5",
			 "1100 cpu0 task_newtask p/21 " THREAD " by p/20",
			 "1200 cpu1 sched_process_exit p/20",
			 "1300 cpu0 sched_process_exec /bin/ls t=20 pid=20 old=21",
			 "1900 cpu0 sched_process_exit ls/20 group_dead"),
		   ROWS("time_ns=1300 type=exec comm=ls pid=20 ppid=5", "time_ns=1900 type=exit comm=ls pid=20 lifetime_ns=900"));
}
END_TEST

/* A tid that is used again is another process, with a parent and a lifetime of its own. */
START_TEST(tid_used_again)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed a/5 pid=5", "seed b/6 pid=6",
			 "1000 cpu0 task_newtask a/20 flags=1200000 by a/5",
			 "1400 cpu0 sched_process_exit a/20 group_dead",
			 "2000 cpu0 task_newtask b/20 flags=1200000 by b/6",
			 "2100 cpu0 sched_process_exit b/20 group_dead"),
		   ROWS("pid=20 ppid=5 comm=a lifetime_ns=400", "pid=20 ppid=6 comm=b lifetime_ns=100"));
}
END_TEST

/* Between fork and exit events were lost: whose exit it is, is not certain. The row stays, without what was paired. */
START_TEST(gap_between_fork_and_exit)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed a/5 pid=5",
			 "1000 cpu0 task_newtask a/20 flags=1200000 by a/5",
			 "1100 cpu1 sched_switch idle/0 R -> x/9",
			 "cpu1 lost 3",
			 "1200 cpu1 sched_switch x/9 S -> idle/0",
			 "1300 cpu0 sched_process_exit a/20 group_dead"),
		   ROWS("type=exit pid=20 ppid=- lifetime_ns=-", "_quality gaps=1"));
}
END_TEST

/* The exit of the last thread was lost: nothing is said of the process' end. */
START_TEST(gap_before_the_last_thread)
{
	check_rows(ASK("execsnoop"),
		   LINES("seed a/5 pid=5",
			 "1000 cpu0 task_newtask a/20 flags=1200000 by a/5",
			 "1100 cpu0 task_newtask a/21 " THREAD " by a/20",
			 "1200 cpu0 sched_process_exit a/20",
			 "cpu0 lost 3",
			 "1900 cpu0 sched_switch idle/0 R -> x/9"),
		   NO_ROWS);
}
END_TEST

/* What is alive at the end has no exit. */
START_TEST(open_at_the_end)
{
	check_rows(ASK("execsnoop"),
		   LINES("1000 cpu0 task_newtask a/20 flags=1200000 by a/5",
			 "1100 cpu0 sched_process_exec /bin/ls t=20 pid=20 old=20"),
		   ROWS("type=exec"));
}
END_TEST

/* -p: what the process made is shown too; -c goes by the new name. */
START_TEST(narrowed)
{
	const char *const *lines = LINES("seed a/5 pid=5",
					 "1000 cpu0 task_newtask a/20 flags=1200000 by a/5",
					 "1100 cpu0 sched_process_exec /bin/ls t=20 pid=20 old=20",
					 "1200 cpu0 sched_process_exec /bin/cat t=7 pid=7 old=7");

	check_rows(ASK("execsnoop", .pid = 5), lines, ROWS("comm=ls pid=20"));
	check_rows(ASK("execsnoop", .comm_glob = "c*"), lines, ROWS("comm=cat pid=7"));
}
END_TEST

Suite *rs_suite_execsnoop(void)
{
	Suite *s = suite_create("execsnoop");
	TCase *t = tcase_create("execsnoop");

	tcase_add_test(t, fork_exec_exit);
	tcase_add_test(t, older_than_the_capture);
	tcase_add_test(t, parent_unknown);
	tcase_add_test(t, parent_of_a_sibling);
	tcase_add_test(t, parent_is_a_process);
	tcase_add_test(t, refused);
	tcase_add_test(t, refused_by_the_event_of_all_calls);
	tcase_add_test(t, refused_or_lost);
	tcase_add_test(t, alone_it_turns_no_calls_on);
	tcase_add_test(t, refused_once);
	tcase_add_test(t, last_thread);
	tcase_add_test(t, process_or_thread);
	tcase_add_test(t, exec_by_a_thread);
	tcase_add_test(t, tid_used_again);
	tcase_add_test(t, gap_between_fork_and_exit);
	tcase_add_test(t, gap_before_the_last_thread);
	tcase_add_test(t, open_at_the_end);
	tcase_add_test(t, narrowed);
	suite_add_tcase(s, t);
	return s;
}
