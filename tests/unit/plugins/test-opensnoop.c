// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-opensnoop - calls that open files, and that ask for attributes, with their names
 */
#include <check.h>

#include "ask.h"
#include "engine/session.h"

#define CWD "ffffff9c"
#define CALLS \
	LINES("seed a/10 pid=10", \
	      "1000 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1001 cpu0 openat t=10 /etc/passwd", \
	      "1010 cpu0 sys_exit t=10 nr=openat ret=3", \
	      "1100 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1101 cpu0 openat t=10 no-such", \
	      "1150 cpu0 sys_exit t=10 nr=openat ret=-2", \
	      "1200 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1210 cpu0 sys_exit t=10 nr=openat ret=4", \
	      "1300 cpu0 sys_enter t=10 nr=newfstatat 7 0 0 0 0 0", "1301 cpu0 openat t=10 x", \
	      "1310 cpu0 sys_exit t=10 nr=newfstatat ret=-13", \
	      "1400 cpu0 sys_enter t=10 nr=newfstatat " CWD " 0 0 0 0 0", "1401 cpu0 openat t=10 /y", \
	      "1420 cpu0 sys_exit t=10 nr=newfstatat ret=0", \
	      "1500 cpu0 sys_enter t=10 nr=read 3 0 9 0 0 0", "1510 cpu0 sys_exit t=10 nr=read ret=9")

START_TEST(each_open_has_its_name)
{
	check_rows(ASK("opensnoop"), CALLS,
		   ROWS("comm=a pid=10 tid=10 syscall=openat fd=3 errno=- lat_ns=10 path=/etc/passwd",
			"fd=- errno=2 lat_ns=50 path=no-such", "fd=4 errno=- lat_ns=10 path=-", "_quality unmatched=0"));
}
END_TEST

START_TEST(each_stat_has_its_name)
{
	check_rows(ASK("statsnoop"), CALLS,
		   ROWS("fd=7 errno=13 lat_ns=10 path=x", "fd=- errno=- lat_ns=20 path=/y",
			"_quality unmatched=0"));
}
END_TEST

/* Without names: the descriptor is looked up; what failed, or was closed, has none. The order stays. */
START_TEST(by_the_descriptor)
{
	check_rows(ASK("opensnoop", .answers = ANSWERS({ 10, 3, 1050, "/real", false })),
		   LINES("seed a/10 pid=10", "900 cpu0 sys_enter t=11 nr=getppid 0 0 0 0 0 0",
			 "910 cpu0 sys_exit t=11 nr=getppid ret=1",
			 "1000 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1010 cpu0 sys_exit t=10 nr=openat ret=3",
			 "1020 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1030 cpu0 sys_exit t=10 nr=openat ret=-2",
			 "1040 cpu0 sched_waking x/98 target=1 by y/99", "1060 cpu0 sched_waking x/98 target=1 by y/99",
			 "1100 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1110 cpu0 sys_exit t=10 nr=openat ret=4",
			 "1120 cpu0 sys_enter t=10 nr=close 4 0 0 0 0 0", "1130 cpu0 sys_exit t=10 nr=close ret=0"),
		   ROWS("end_ns=1010 fd=3 errno=- path=/real", "end_ns=1030 fd=- errno=2 path=-",
			"end_ns=1110 fd=4 errno=- path=-"));
}
END_TEST

Suite *rs_suite_opensnoop(void);
Suite *rs_suite_opensnoop(void)
{
	Suite *s = suite_create("opensnoop");
	TCase *t = tcase_create("opensnoop");

	tcase_add_test(t, each_open_has_its_name);
	tcase_add_test(t, each_stat_has_its_name);
	tcase_add_test(t, by_the_descriptor);
	suite_add_tcase(s, t);
	return s;
}
