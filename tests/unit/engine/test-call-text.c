// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-call-text - a call as a person reads it: constants by name, addresses as they are
 */
#include <check.h>

#include "ask.h"

/* An address of a 64-bit program: without one the words below could be a 32-bit program's. */
#define AN_ADDRESS "900 cpu0 sys_enter t=10 nr=read 3 7fff00001000 0", "950 cpu0 sys_exit t=10 nr=read ret=0"

START_TEST(constants_have_names)
{
	check_rows(ASK("syscalls", .some = true),
		   LINES(AN_ADDRESS, "1000 cpu0 sys_enter t=10 nr=openat ffffff9c 7fff1000 80241 1a4 0 5", "1100 cpu0 sys_exit t=10 nr=openat ret=3",
			 "1200 cpu0 sys_enter t=10 nr=futex 1000 189 2 0 0 ffffffff", "1300 cpu0 sys_exit t=10 nr=futex ret=-11",
			 "1400 cpu0 sys_enter t=10 nr=read 3 0 1000 9 9 9", "1500 cpu0 sys_exit t=10 nr=read ret=0",
			 "1600 cpu0 sys_enter t=10 nr=fork 1 2 3 4 5 6", "1700 cpu0 sys_exit t=10 nr=fork ret=11"),
		   ROWS("syscall=openat ret=3 call='openat(AT_FDCWD, 0x7fff1000, O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0644)'",
			"syscall=futex errno=11 call='futex(0x1000, FUTEX_WAIT_BITSET|PRIVATE|CLOCK_REALTIME, 2, NULL, NULL)'",
			"syscall=read call='read(3, NULL, 4096)' args='0x3 0x0 0x1000 0x9 0x9 0x9'",
			"syscall=fork call='fork()'"));
}
END_TEST

/* What has no name is not made to look as if it had: the bits stay, a call without a row shows its words. */
START_TEST(the_unknown_stays_a_number)
{
	check_rows(ASK("syscalls", .some = true),
		   LINES(AN_ADDRESS, "1000 cpu0 sys_enter t=10 nr=openat 7 0 40000001 0 0 0", "1100 cpu0 sys_exit t=10 nr=openat ret=3",
			 "1200 cpu0 sys_enter t=10 nr=futex 1000 5f 0 0 0 0", "1300 cpu0 sys_exit t=10 nr=futex ret=0",
			 "1400 cpu0 sys_enter t=10 nr=999 1 2 3 4 5 6", "1500 cpu0 sys_exit t=10 nr=999 ret=0"),
		   ROWS("call='openat(7, NULL, O_WRONLY|0x40000000, 00)'", "call='futex(0x1000, 95, 0, NULL, NULL)'",
			"call='syscall_999(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)'"));
}
END_TEST

Suite *rs_suite_call_text(void)
{
	Suite *s = suite_create("call-text");
	TCase *t = tcase_create("text");

	tcase_add_test(t, constants_have_names);
	tcase_add_test(t, the_unknown_stays_a_number);
	suite_add_tcase(s, t);
	return s;
}
