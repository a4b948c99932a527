// SPDX-License-Identifier: GPL-2.0-or-later
/* test-named-calls - syscalls:sys_enter_NAME and sys_exit_NAME serve where raw_syscalls was not recorded, and count once where it was */
#include <check.h>

#include "ask.h"

#define READ "with sys_enter_read", "with sys_exit_read"
#define NAMED_ALONE "without sys_enter", "without sys_exit", READ
#define BY_TID "syscall-latency", .by = "tid,syscall"

/* Two calls of 30 and 50 ns, with the arguments that the event has, and zero for those that it has not. */
START_TEST(serve_alone)
{
	check_rows(ASK(BY_TID),
		   LINES(NAMED_ALONE,
			 "1000 cpu0 sys_enter_read t=10 nr=read fd=3 buf=16 count=32", "1030 cpu0 sys_exit_read t=10 nr=read ret=32",
			 "1100 cpu0 sys_enter_read t=10 nr=read fd=3", "1150 cpu1 sys_exit_read t=10 nr=read ret=-4"),
		   ROWS("tid=10 syscall=read calls=2 errors=1 total_ns=80 min_ns=30 max_ns=50", "_quality unmatched=0 in_flight=0"));
	check_rows(ASK("syscalls"),
		   LINES(NAMED_ALONE,
			 "1000 cpu0 sys_enter_read t=10 nr=read fd=3 buf=16 count=32", "1030 cpu0 sys_exit_read t=10 nr=read ret=32"),
		   ROWS("start_ns=1000 end_ns=1030 syscall=read ret=32 args='0x3 0x10 0x20 0x0 0x0 0x0'"));
}
END_TEST

/* No other event is there to tell how a record begins. */
START_TEST(serve_in_a_recording_of_nothing_else)
{
	check_rows(ASK("syscalls"),
		   LINES(NAMED_ALONE, "without sched_switch", "without sched_waking", "without sched_wakeup", "without sched_wakeup_new",
			 "without sched_migrate_task", "without sched_process_fork", "without sched_process_exec",
			 "without sched_process_exit", "without task_newtask", "without task_rename",
			 "1000 cpu0 sys_enter_read t=10 nr=read fd=3", "1030 cpu0 sys_exit_read t=10 nr=read ret=32"),
		   ROWS("start_ns=1000 syscall=read lat_ns=30"));
}
END_TEST

/* Of newer kernels the event has the text that an argument points to as well: that is no argument. */
START_TEST(text_is_no_argument)
{
	check_rows(ASK("syscalls"),
		   LINES(NAMED_ALONE, "with sys_enter_openat", "with sys_exit_openat",
			 "1000 cpu0 sys_enter_openat t=10 nr=openat dfd=1 filename=2 how=3 mode=4",
			 "1030 cpu0 sys_exit_openat t=10 nr=openat ret=3"),
		   ROWS("syscall=openat ret=3 args='0x1 0x2 0x3 0x4 0x0 0x0'"));
}
END_TEST

/* Both kinds, in either order of the pair: one call each. The event of all calls has all six words. */
START_TEST(both_count_once)
{
	check_rows(ASK("syscalls"),
		   LINES(READ,
			 "1000 cpu0 sys_enter t=10 nr=read 1 2 3 4 5 6", "1001 cpu0 sys_enter_read t=10 nr=read fd=1 buf=2 count=3",
			 "1030 cpu0 sys_exit t=10 nr=read ret=7", "1031 cpu0 sys_exit_read t=10 nr=read ret=7",
			 "1100 cpu0 sys_enter_read t=10 nr=read fd=1 buf=2 count=3", "1101 cpu0 sys_enter t=10 nr=read 1 2 3 4 5 6",
			 "1150 cpu0 sys_exit_read t=10 nr=read ret=8", "1151 cpu0 sys_exit t=10 nr=read ret=8"),
		   ROWS("start_ns=1000 end_ns=1030 ret=7 args='0x1 0x2 0x3 0x4 0x5 0x6'",
			"start_ns=1100 end_ns=1150 ret=8 args='0x1 0x2 0x3 0x4 0x5 0x6'", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* Where one kind is filtered, what the other alone tells counts too: 3 calls, of which one both tell. */
START_TEST(either_event_is_enough)
{
	check_rows(ASK(BY_TID),
		   LINES(READ,
			 "1000 cpu0 sys_enter t=10 nr=read", "1030 cpu0 sys_exit t=10 nr=read ret=7",
			 "1100 cpu0 sys_enter_read t=10 nr=read", "1110 cpu0 sys_exit_read t=10 nr=read ret=7",
			 "1200 cpu0 sys_enter t=10 nr=read", "1200 cpu0 sys_enter_read t=10 nr=read",
			 "1205 cpu0 sys_exit t=10 nr=read ret=7", "1205 cpu0 sys_exit_read t=10 nr=read ret=7"),
		   ROWS("tid=10 syscall=read calls=3 total_ns=45", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* What is no twin is told: an exit without an enter by both is one unmatched end, two calls of one name in a row are two. */
START_TEST(no_twins)
{
	check_rows(ASK(BY_TID),
		   LINES(READ,
			 "1000 cpu0 sys_exit t=10 nr=read ret=7", "1001 cpu0 sys_exit_read t=10 nr=read ret=7",
			 "1100 cpu0 sys_enter t=10 nr=read", "1101 cpu0 sys_enter_read t=10 nr=read",
			 "1102 cpu0 sys_enter t=10 nr=read", "1103 cpu0 sys_enter_read t=10 nr=read",
			 "1110 cpu0 sys_exit t=10 nr=read ret=7"),
		   ROWS("tid=10 syscall=read calls=1 total_ns=8", "_quality unmatched=1 in_flight=0"));
}
END_TEST

/* rt_sigreturn's exit has the number -1 and so no event of its name: alone it does not return, beside the others it does. */
START_TEST(sigreturn)
{
	check_rows(ASK(BY_TID, .some = true),
		   LINES(NAMED_ALONE, "with sys_enter_rt_sigreturn", "with sys_exit_rt_sigreturn",
			 "1000 cpu0 sys_enter_rt_sigreturn t=10 nr=rt_sigreturn",
			 "2000 cpu0 sys_enter_read t=10 nr=read", "2010 cpu0 sys_exit_read t=10 nr=read ret=1"),
		   ROWS("syscall=read calls=1 total_ns=10", "_quality unmatched=0 in_flight=0"));
	check_rows(ASK(BY_TID),
		   LINES("with sys_enter_rt_sigreturn", "with sys_exit_rt_sigreturn",
			 "1000 cpu0 sys_enter_rt_sigreturn t=10 nr=rt_sigreturn", "1001 cpu0 sys_enter t=10 nr=rt_sigreturn",
			 "1040 cpu0 sys_exit t=10 nr=-1 ret=-4"),
		   ROWS("syscall=rt_sigreturn calls=1 errors=0 total_ns=40", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* A wait is idle by the call of that name, as by the event of all. */
START_TEST(causes)
{
	check_rows(ASK("offcpu", .by = "tid,syscall,cause", .some = true),
		   LINES(NAMED_ALONE, "with sys_enter_epoll_wait", "with sys_exit_epoll_wait",
			 "900 cpu0 sched_switch idle/0 R -> a/10",
			 "1000 cpu0 sys_enter_epoll_wait t=10 nr=epoll_wait",
			 "1100 cpu0 sched_switch a/10 S -> idle/0",
			 "1300 cpu1 sched_waking a/10 target=0 by idle/0",
			 "1400 cpu0 sched_switch idle/0 R -> a/10",
			 "1500 cpu0 sys_exit_epoll_wait t=10 nr=epoll_wait ret=0"),
		   ROWS("tid=10 syscall=epoll_wait cause=idle total_ns=200"));
}
END_TEST

/* An exit alone, as execsnoop asks for that of execve, is no recording of calls. */
START_TEST(an_exit_alone_serves_nothing)
{
	check_rows(ASK("execsnoop"), LINES("without sys_enter", "without sys_exit", "1000 cpu0 sys_exit_execve t=10 nr=execve ret=0"), NO_ROWS);
}
END_TEST

Suite *rs_suite_named_calls(void)
{
	Suite *s = suite_create("named-calls");
	TCase *t = tcase_create("named-calls");

	tcase_add_test(t, serve_alone);
	tcase_add_test(t, serve_in_a_recording_of_nothing_else);
	tcase_add_test(t, text_is_no_argument);
	tcase_add_test(t, both_count_once);
	tcase_add_test(t, either_event_is_enough);
	tcase_add_test(t, no_twins);
	tcase_add_test(t, sigreturn);
	tcase_add_test(t, causes);
	tcase_add_test(t, an_exit_alone_serves_nothing);
	suite_add_tcase(s, t);
	return s;
}
