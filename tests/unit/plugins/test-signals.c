// SPDX-License-Identifier: GPL-2.0-or-later
/* test-signals - who sends which signal to whom, and who dies of one */
#include <check.h>

#include "ask.h"

#define SIGNALS ASK("signals")
#define FINDINGS ASK("signals", .findings = true)
#define WITH "with signal_generate", "with signal_deliver", "with console", "with mark_victim", "seed a/10 pid=10", "seed b/11 pid=11", "seed a2/12 pid=10"
#define END "900000000 cpu0 sched_switch a/10 S -> idle/0"

START_TEST(each_signal_is_a_row)
{
	check_rows(SIGNALS,
		   LINES(WITH, "1000 cpu0 signal_generate t=11 15 a/10 code=0 result=0",
			 "2000 cpu0 signal_generate t=10 6 a/10 code=-6 result=0",
			 "3000 cpu0 signal_generate t=0 14 b/11 code=-2 result=2",
			 "4000 cpu0 signal_generate t=10 17 b/11 code=1 result=1",
			 "5000 cpu0 signal_generate t=10 8 a/10 code=1 result=0"),
		   ROWS("time_ns=1000 comm=b pid=11 tid=11 signal=SIGTERM to_comm=a to_tid=10 via=kill result=sent reason=-",
			"time_ns=2000 comm=a pid=10 tid=10 signal=SIGABRT to_comm=a to_tid=10 via=tgkill result=sent reason=-",
			"time_ns=3000 comm=- pid=- tid=- signal=SIGALRM to_comm=b to_tid=11 via=timer result=pending reason=-",
			"time_ns=4000 signal=SIGCHLD to_tid=11 via=kernel result=ignored reason=-",
			"time_ns=5000 signal=SIGFPE via=kernel reason='divides by zero'"));
}
END_TEST

#define SEGFAULT(ts, error) #ts " cpu0 console t=10 a[10]: segfault at 10 ip 0000000000401428 sp 00007ffd008d05f8 error " #error
#define GENERATE(ts, words) #ts " cpu0 signal_generate t=10 " words
#define DELIVER(ts, sig) #ts " cpu0 signal_deliver t=10 " #sig

/* The kernel writes the line in two pieces, or in one, and before Linux 6.4 without the offset in the file. 4: a user's read; 6: a write. */
START_TEST(where_it_happened)
{
	check_rows(SIGNALS,
		   LINES(WITH, SEGFAULT(1000, 4), "1100 cpu0 console t=10  in prog[1428,401000+1000]", GENERATE(1200, "11 a/10 code=1"), DELIVER(1300, 11)),
		   ROWS("signal=SIGSEGV reason='reads 0x10, an address that is not mapped, at prog+0x1428 (ip 0x401428)'"));
	check_rows(SIGNALS,
		   LINES(WITH, SEGFAULT(1000, 6) " in prog[401000+1000]", GENERATE(1200, "11 a/10 code=2")),
		   ROWS("signal=SIGSEGV reason='writes to 0x10, an address that it may not access so, at ip 0x401428 in prog'"));
	check_rows(SIGNALS,
		   LINES(WITH, "1000 cpu0 console t=10 traps: a[10] trap divide error ip:401428 sp:7ffd error:0 in prog[1428,401000+1000]",
			 GENERATE(1200, "8 a/10 code=1")),
		   ROWS("signal=SIGFPE reason='divides by zero at prog+0x1428 (ip 0x401428)'"));
}
END_TEST

/* A message of another task, of long ago, and other messages say nothing about this one. */
START_TEST(not_another_place)
{
	check_rows(SIGNALS,
		   LINES(WITH, "1000 cpu0 console t=11 b[11]: segfault at 10 ip 0000000000401428 sp 00007ffd008d05f8 error 4", GENERATE(1200, "11 a/10 code=1")),
		   ROWS("signal=SIGSEGV reason='touches an address that is not mapped'"));
	check_rows(SIGNALS,
		   LINES(WITH, SEGFAULT(1000, 4), GENERATE(1000001001, "11 a/10 code=1")),
		   ROWS("signal=SIGSEGV reason='touches an address that is not mapped'"));
	check_rows(SIGNALS,
		   LINES(WITH, "1000 cpu0 console t=10 eth0: link is up, ip 401428 error 4 in prog[1428,401000+1000]", GENERATE(1200, "11 a/10 code=1")),
		   ROWS("signal=SIGSEGV reason='touches an address that is not mapped'"));
}
END_TEST

/* The rank is the whole interval: from the first event's time to the last's. */
START_TEST(dies_of_its_own_fault)
{
	check_rows(FINDINGS,
		   LINES(WITH, SEGFAULT(1000, 4) " in prog[1428,401000+1000]", GENERATE(1200, "11 a/10 code=1"), DELIVER(1300, 11), END),
		   ROWS("rule=crash victim=a culprit=a text='a (10) dies of SIGSEGV: it reads 0x10, an address that is not mapped, at prog+0x1428 (ip 0x401428)'"));
	check_rows(FINDINGS, LINES(WITH, GENERATE(1200, "6 a/10 code=-6"), DELIVER(1300, 6), END),
		   ROWS("rule=crash text='a (10) dies of SIGABRT: it sends that to itself (abort, a failed assertion)'"));
}
END_TEST

/* a dies at 100 ms of the second, and nobody does its work any more; where another of its name begins at 300 ms, 300 are lost. */
START_TEST(what_a_death_costs)
{
#define DIES WITH, "seed sh/9 pid=9", "1 cpu1 sched_switch idle/0 R -> sh/9", "100000000 cpu0 signal_generate t=10 11 a/10 code=1", \
	"100000100 cpu0 signal_deliver t=10 11"
	check_rows(FINDINGS, LINES(DIES, "1000000001 cpu1 sched_switch sh/9 S -> idle/0"), ROWS("rule=crash victim=a cost_ms=1000"));
	check_rows(FINDINGS, LINES(DIES, "300000000 cpu1 sched_process_fork sh/9 -> a/20", "1000000001 cpu1 sched_switch sh/9 S -> idle/0"),
		   ROWS("rule=crash victim=a cost_ms=300"));
}
END_TEST

/* Of several processes of one name one sentence, in the plural, with the words of the one that costs most, else the first. */
START_TEST(several_die)
{
	check_rows(FINDINGS,
		   LINES(WITH, "seed a/20 pid=20", GENERATE(1200, "11 a/10 code=1"), DELIVER(1300, 11), "1400 cpu0 signal_generate t=20 11 a/20 code=1",
			 "1500 cpu0 signal_deliver t=20 11", END),
		   ROWS("rule=crash victim=a text='2 a processes die of SIGSEGV: they touch an address that is not mapped'"));
}
END_TEST

/* The signal was sent to the process, and another of its threads takes it; b is told as who sent it. */
START_TEST(dies_because_of_another)
{
	check_rows(FINDINGS,
		   LINES(WITH, "1000 cpu1 signal_generate t=11 11 a/10 code=0", "1300 cpu0 signal_deliver t=12 11", END),
		   ROWS("rule=crash victim=a culprit=b text='a (10) dies of SIGSEGV: b (11) sends it'"));
}
END_TEST

START_TEST(dies_because_memory_is_short)
{
	check_rows(FINDINGS,
		   LINES(WITH, "1000 cpu1 mark_victim t=11 12", "1100 cpu1 signal_generate t=11 9 a/10 code=128", DELIVER(1300, 9), END),
		   ROWS("rule=oom-kill victim=a text='a (10) dies of SIGKILL: memory is used up, in its cgroup or at all (out of memory)'"));
}
END_TEST

/* It handles the signal; it is asked to end; a user ends it: none of them is a fault. */
START_TEST(an_end_that_is_none)
{
	check_rows(FINDINGS, LINES(WITH, GENERATE(1200, "11 a/10 code=1"), DELIVER(1300, 11) " sa_handler=4096", END), NO_ROWS);
	check_rows(FINDINGS, LINES(WITH, GENERATE(1200, "15 a/10 code=0"), DELIVER(1300, 15), END), NO_ROWS);
	check_rows(FINDINGS, LINES(WITH, GENERATE(1200, "9 a/10 code=0"), DELIVER(1300, 9), END), NO_ROWS);
	check_rows(FINDINGS, LINES(WITH, GENERATE(1200, "3 a/10 code=128"), DELIVER(1300, 3), END), NO_ROWS);
}
END_TEST

Suite *rs_suite_signals(void)
{
	Suite *s = suite_create("signals");
	TCase *t = tcase_create("signals");

	tcase_add_test(t, each_signal_is_a_row);
	tcase_add_test(t, where_it_happened);
	tcase_add_test(t, not_another_place);
	tcase_add_test(t, dies_of_its_own_fault);
	tcase_add_test(t, what_a_death_costs);
	tcase_add_test(t, several_die);
	tcase_add_test(t, dies_because_of_another);
	tcase_add_test(t, dies_because_memory_is_short);
	tcase_add_test(t, an_end_that_is_none);
	suite_add_tcase(s, t);
	return s;
}
