// SPDX-License-Identifier: GPL-2.0-or-later
/* test-events - each event is counted, and named events are listed with their fields, whatever reads them beside */
#include <check.h>

#include "ask.h"

static const char *const some[] = {
	"1000 cpu0 kvm_exit 12 3 t=7",
	"1500 cpu1 mm_page_free 2 t=8",
	"2000 cpu1 kvm_exit 1 0 t=8",
	"2500 cpu0 kvm_exit 12 3 t=0",
	"3000 cpu0 sched_switch a/7 S -> idle/0",
	NULL,
};

/* 3 kvm_exit on both CPUs, of the tasks 7 and 8 and of idle, which is no task; in 2000 ns: 1,500,000 a second. */
START_TEST(counts)
{
	check_rows(ASK("events"), some,
		   ROWS("event=kvm:kvm_exit count=3 rate=1500000000 cpus=2 tasks=2 first_ns=1000 last_ns=2500",
			"event=kmem:mm_page_free count=1 cpus=1 tasks=1 first_ns=1500 last_ns=1500",
			"event=sched:sched_switch count=1 cpus=1 tasks=1 first_ns=3000 last_ns=3000"));
}
END_TEST

START_TEST(named_ones_alone)
{
	check_rows(ASK("events", .event = "kvm:*"), some, ROWS("event=kvm:kvm_exit count=3"));
	check_rows(ASK("events", .event = "kmem"), some, ROWS("event=kmem:mm_page_free count=1"));
	check_rows(ASK("events", .event = "sched_switch"), some, ROWS("event=sched:sched_switch count=1"));
}
END_TEST

/* -p leaves the others' and idle's out; a reset begins anew, tasks and CPUs too. */
START_TEST(narrowed)
{
	check_rows(ASK("events", .pid = 8),
		   LINES("seed b/8 pid=8", "1000 cpu0 kvm_exit 12 3 t=7", "2000 cpu1 kvm_exit 1 0 t=8", "2500 cpu0 kvm_exit 12 3 t=0"),
		   ROWS("event=kvm:kvm_exit count=1 cpus=1 tasks=1 first_ns=2000 last_ns=2000"));
	check_rows(ASK("events", .resets = RESETS(2000)), some,
		   ROWS("event=kvm:kvm_exit count=1 cpus=1 tasks=0 first_ns=2500 last_ns=2500",
			"event=sched:sched_switch count=1 cpus=1 tasks=1"));
}
END_TEST

/* Numbers, addresses, texts that lie elsewhere in the record, as each layout has them; of a marker the text. */
START_TEST(lists_fields)
{
	check_rows(ASK("event-list", .event = "kvm*"), some,
		   ROWS("time_ns=1000 cpu=0 tid=7 event=kvm:kvm_exit fields='exit_reason=12 guest_rip=0x0 vcpu_id=3'",
			"time_ns=2000 cpu=1 tid=8 event=kvm:kvm_exit fields='exit_reason=1 guest_rip=0x0 vcpu_id=0'",
			"time_ns=2500 cpu=0 tid=0 comm=- fields='exit_reason=12 guest_rip=0x0 vcpu_id=3'"));
	check_rows(ASK("event-list", .event = "irq*"),
		   LINES("1000 cpu0 irq_handler_entry 9 ahci t=7", "1100 cpu0 irq_handler_exit 9 t=7"),
		   ROWS("fields='irq=9 name=ahci'", "fields='irq=9 ret=0'"));
	check_rows(ASK("event-list", .event = "print"), LINES("1000 cpu0 print frame_7 t=7"), ROWS("event=ftrace:print fields=frame_7"));
}
END_TEST

/* An instant, with its fields: also of what an analysis without spans reads (mm_page_free); what others make spans of is theirs. */
START_TEST(instants)
{
	static const char *const lines[] = {
		"1000 cpu0 write_msr t=7", "1200 cpu1 write_msr t=0", "1500 cpu1 mm_page_free 2 t=8",
		"1600 cpu0 irq_handler_entry 9 ahci t=7", "1700 cpu0 irq_handler_exit 9 t=7", NULL,
	};

	check_rows(ASK("events", .span = "event"), lines,
		   ROWS("tid=7 from=1000 to=1000 label=write_msr fields='msr=0 val=0 failed=0'",
			"tid=8 from=1500 to=1500 label=mm_page_free fields='pfn=0x0 order=2'"));
	check_rows(ASK("events", .span = "idle event"), lines, ROWS("id=1 from=1200 to=1200 label=write_msr"));
}
END_TEST

START_TEST(markers)
{
	static const char *const lines[] = { "1000 cpu0 print frame_7 t=7", "1200 cpu1 print wfi t=0", NULL };

	check_rows(ASK("events", .span = "marker"), lines, ROWS("tid=7 from=1000 to=1000 text=frame_7"));
	check_rows(ASK("events", .span = "idle marker"), lines, ROWS("id=1 from=1200 text=wfi"));
	check_rows(ASK("events", .span = "event"), lines, NO_ROWS);
}
END_TEST

/* A value holds until the next, and the last one to the end; by the CPU that the event names, not that it fired on. */
START_TEST(counters)
{
	check_rows(ASK("events", .span = "cpu_frequency"),
		   LINES("1000 cpu0 cpu_frequency 800000 1 t=0", "3000 cpu0 cpu_frequency 1200000 1 t=0", "3500 cpu0 cpu_frequency 800000 0 t=0",
			 "4000 cpu1 write_msr t=7"),
		   ROWS("id=1 from=1000 to=3000 kHz=800000 label='800 MHz' open=0", "id=0 from=3500 to=4000 kHz=800000 open=1",
			"id=1 from=3000 to=4000 kHz=1200000 open=1"));
	check_rows(ASK("events", .span = "cpu_idle"),
		   LINES("1000 cpu1 cpu_idle 2 1 t=0", "3000 cpu1 cpu_idle 4294967295 1 t=0", "4000 cpu0 write_msr t=7"),
		   ROWS("id=1 from=1000 to=3000 state=2", "id=1 from=3000 to=4000 state=-1 label='not idle' open=1"));
	check_rows(ASK("events", .span = "sched_stat_runtime"),
		   LINES("1000 cpu0 sched_stat_runtime a/7 runtime=500 t=7", "1900 cpu0 sched_stat_runtime a/7 runtime=900 t=7"),
		   ROWS("tid=7 from=1000 to=1900 ns=500", "tid=7 from=1900 to=1900 ns=900 open=1"));
}
END_TEST

/* Over a gap a value may have changed: nothing is said of the time from its event on. */
START_TEST(counters_over_a_gap)
{
	check_rows(ASK("events", .span = "cpu_frequency"),
		   LINES("1000 cpu1 cpu_frequency 800000 1 t=0", "cpu1 lost 5", "3000 cpu1 cpu_frequency 1200000 1 t=0", "4000 cpu1 write_msr t=7"),
		   ROWS("id=1 from=1000 to=1000 kHz=800000", "id=1 from=3000 to=4000 kHz=1200000"));
}
END_TEST

Suite *rs_suite_events(void)
{
	Suite *s = suite_create("events");
	TCase *t = tcase_create("events");

	tcase_add_test(t, counts);
	tcase_add_test(t, named_ones_alone);
	tcase_add_test(t, narrowed);
	tcase_add_test(t, lists_fields);
	tcase_add_test(t, instants);
	tcase_add_test(t, markers);
	tcase_add_test(t, counters);
	tcase_add_test(t, counters_over_a_gap);
	suite_add_tcase(s, t);
	return s;
}
