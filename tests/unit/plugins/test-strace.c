// SPDX-License-Identifier: GPL-2.0-or-later
/* test-strace - system calls as lines in the format of strace: whole ones, halves, errors, exits */
#include <check.h>

#include "ask.h"

#define BEGINS(ns, tid, call) ns " cpu0 sys_enter t=" tid " nr=" call
#define RETURNS(ns, tid, call, ret) ns " cpu0 sys_exit t=" tid " nr=" call " ret=" ret

/* The time of a line is that of the call's begin; its time in the call is cut to microseconds. */
START_TEST(whole_lines)
{
	check_rows(ASK("strace"),
		   LINES(BEGINS("1000000", "10", "read 3 10 4096"), RETURNS("1012900", "10", "read", "7"), BEGINS("2000000", "10", "close 9"),
			 RETURNS("1502000000", "10", "close", "-9")),
		   ROWS("prefix='[pid    10]' time_ns=1000000 syscall=read ret=7 errno=- lat_ns=12900 line='read(3, 0x10, 16534) = 7 <0.000012>'",
			"time_ns=2000000 ret=-9 errno=9 line='close(9) = -1 EBADF (Bad file descriptor) <1.500000>'"));
}
END_TEST

/*
 * 10 is in a call as 11 begins one, and that as 10 returns: both are two halves. A call that begins and returns with nothing in
 * between is whole, whoever else is in one; and so is one of which only one half would be shown.
 */
START_TEST(halves)
{
	const char *const *lines = LINES(BEGINS("1000", "10", "read 3 10 4"), BEGINS("2000", "11", "close 5"), RETURNS("3000", "10", "read", "4"),
					 RETURNS("4000", "11", "close", "0"), BEGINS("5000", "10", "close 6"), RETURNS("5500", "10", "close", "0"),
					 BEGINS("6000", "10", "read 3 10 4"), BEGINS("7000", "11", "close 7"), RETURNS("7500", "11", "close", "0"),
					 RETURNS("9000", "10", "read", "-512"));

	check_rows(ASK("strace"), lines,
		   ROWS("tid=10 time_ns=1000 ret=- lat_ns=- line='read(3, 0x10, 4 <unfinished ...>'", "tid=11 time_ns=2000 line='close(5 <unfinished ...>'",
			"tid=10 time_ns=3000 ret=4 lat_ns=2000 line='<... read resumed>) = 4 <0.000002>'", "tid=11 time_ns=4000 line='<... close resumed>) = 0 <0.000002>'",
			"tid=10 time_ns=5000 line='close(6) = 0 <0.000000>'", "tid=10 time_ns=6000 line='read(3, 0x10, 4 <unfinished ...>'",
			"tid=11 time_ns=7000 line='close(7) = 0 <0.000000>'",
			"tid=10 time_ns=9000 line='<... read resumed>) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.000003>'"));
	check_rows(ASK("strace", .pid = 11, .some = true), lines, ROWS("line='close(5) = 0 <0.000002>'"));
}
END_TEST

/* exit_group does not return; what is in flight as the trace ends is half a line. */
START_TEST(what_does_not_return)
{
	check_rows(ASK("strace"),
		   LINES(BEGINS("1000", "10", "read 3 10 4"), BEGINS("2000", "11", "exit_group 3"), BEGINS("3000", "12", "close 5")),
		   ROWS("tid=10 line='read(3, 0x10, 4 <unfinished ...>'", "tid=11 line='exit_group(3) = ?'", "tid=11 line='+++ exited with 3 +++'",
			"tid=12 line='close(5 <unfinished ...>'"));
}
END_TEST

Suite *rs_suite_strace(void);
Suite *rs_suite_strace(void)
{
	Suite *s = suite_create("strace");
	TCase *t = tcase_create("strace");

	tcase_add_test(t, whole_lines);
	tcase_add_test(t, halves);
	tcase_add_test(t, what_does_not_return);
	suite_add_tcase(s, t);
	return s;
}
