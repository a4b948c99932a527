// SPDX-License-Identifier: GPL-2.0-or-later
/* test-viewers - who looks is not told of: what draws, the shell that it was typed into, the terminal of that */
#include <check.h>

#include "ask.h"
#include "engine/viewers.h"

/* screen (30) was typed into a shell (20) in a terminal (10); job (40) is another child of the shell. All are in a read. */
#define READS(at, tid) \
	at "000 cpu0 sched_switch idle/0 R -> x/" tid, at "100 cpu0 sys_enter t=" tid " nr=read 3 7f00 1000", \
	at "200 cpu0 sched_switch x/" tid " D -> idle/0"
#define PEOPLE \
	"seed init/1 pid=1", "seed term/10 pid=10 ppid=1", "seed shell/20 pid=20 ppid=10", "seed screen/30 pid=30 ppid=20", \
	"seed screen/31 pid=30 ppid=20", "seed job/40 pid=40 ppid=20"
#define ALL_READ PEOPLE, READS("1", "10"), READS("2", "20"), READS("3", "30"), READS("4", "31"), READS("5", "40"), "9000 cpu1 sched_switch z/90 S -> idle/0"

START_TEST(what_is_stuck)
{
	check_rows(ASK("syscalls", .open = "call", .viewer = 30), LINES(ALL_READ), ROWS("tid=40"));
	check_rows(ASK("syscalls", .open = "call", .viewer = 30, .self = true), LINES(ALL_READ),
		   ROWS("tid=10", "tid=20", "tid=30", "tid=31", "tid=40"));
	check_rows(ASK("syscalls", .open = "call"), LINES(ALL_READ), ROWS("tid=10", "tid=20", "tid=30", "tid=31", "tid=40"));
}
END_TEST

/* Half of the time on one CPU each: of the shell nothing is said, and its rows stay. */
#define TWO \
	"seed term/10 pid=10 ppid=1", "seed shell/20 pid=20 ppid=10", "seed screen/30 pid=30 ppid=20", "seed job/40 pid=40 ppid=20", \
	"1 cpu0 sched_switch idle/0 R -> z/90", "2 cpu0 sched_switch z/90 S -> idle/0", \
	"1000000 cpu0 sched_switch idle/0 R -> shell/20", "1000000 cpu0 sched_waking job/40 target=0 by shell/20", \
	"500000001 cpu0 sched_switch shell/20 R -> job/40", "1000000001 cpu0 sched_switch job/40 R -> shell/20"

START_TEST(what_is_judged)
{
	check_rows(ASK("tasks", .findings = true), LINES(TWO), ROWS("where='pid == 20'", "where='pid == 40'"));
	check_rows(ASK("tasks", .findings = true, .viewer = 30), LINES(TWO), ROWS("where='pid == 40'"));
	check_rows(ASK("tasks", .viewer = 30, .some = true), LINES(TWO), ROWS("pid=20", "pid=40"));
}
END_TEST

Suite *rs_suite_viewers(void)
{
	Suite *s = suite_create("viewers");
	TCase *t = tcase_create("viewers");

	tcase_add_test(t, what_is_stuck);
	tcase_add_test(t, what_is_judged);
	suite_add_tcase(s, t);
	return s;
}
