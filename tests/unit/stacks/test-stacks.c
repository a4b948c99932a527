// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-stacks - stacks that were recorded with events: whose they are, and what they are shown with
 *
 * SEMANTICS "Companion events". The kernel's functions are do_start (c1000000), do_read (..100), mutex_lock (..200),
 * schedule (..300), trace_event_raw_event_sched_switch (..400); all addresses of a stack but a program's first are return
 * addresses. Process 10 has mapped /bin/prog. All times are ns.
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "sample-lines.h"

#define MAPPED SAMPLES("900 cpu0 map 10 400000-402000 0 /bin/prog")
/* A recording has stacks from its first one on, which itself is not used. */
#define BEGIN "seed a/10 pid=10", "seed b/20 pid=20", "400 cpu3 kernel_stack t=0"
#define LEAVES BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu0 sched_switch a/10 S -> b/20"
#define WOKEN "5000 cpu1 sched_waking a/10 target=0 by idle/0", "6000 cpu0 sched_switch b/20 S -> a/10"
#define KERNEL "kernel_stack t=10 c1000410 c1000310 c1000110 c1000010"
/* Without the frames of tracing and of the scheduler. */
#define READ "do_read < do_start"

#define asked ASK("stacks", .samples = MAPPED, .only = { "type", "off-cpu" }, .some = true)

START_TEST(a_wait_has_the_stack_of_its_switch)
{
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN),
		   ROWS("pid=10 type=off-cpu state=S callers='" READ "' time_ns=3000 count=1 max_ns=3000"));
	/* the program's comes before the kernel's, or after it */
	check_rows(asked, LINES(LEAVES, "2001 cpu0 user_stack t=10 tgid=10 400010 400120", "2002 cpu0 " KERNEL, WOKEN),
		   ROWS("pid=10 callers='" READ " < [unknown] prog+0x10 < [unknown] prog+0x11f' time_ns=3000"));
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, "2002 cpu0 user_stack t=10 tgid=10 400010 400120", WOKEN),
		   ROWS("pid=10 callers='" READ " < [unknown] prog+0x10 < [unknown] prog+0x11f' time_ns=3000"));
	/* it is a wait that was measured, without a stack, where others have one */
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN, "6500 cpu0 sched_switch a/10 S -> idle/0", "7500 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 callers='" READ "' time_ns=3000", "pid=10 callers=- time_ns=1000"));
}
END_TEST

/* Another CPU ends the wait while this one still records its stack, as where a child exits when its parent begins to wait. */
START_TEST(ended_before_its_stack)
{
	check_rows(asked, LINES(LEAVES, "2001 cpu1 sched_waking a/10 target=0 by idle/0", "2002 cpu0 user_stack t=10 tgid=10 400010",
				"2003 cpu0 " KERNEL, "6000 cpu0 sched_switch b/20 S -> a/10"),
		   ROWS("pid=10 callers='" READ " < [unknown] prog+0x10' time_ns=1 count=1", "_quality stacks=1 stacks_unmatched=0"));
}
END_TEST

/* Each waits for a waking, and then for its CPU. */
START_TEST(by_cgroup)
{
	check_rows(ASK("stacks", .samples = MAPPED, .by = "cgroup", .some = true),
		   LINES("seed a/10 pid=10 cgroup=/a", "seed b/20 pid=20 cgroup=/b", "400 cpu3 kernel_stack t=0", "1000 cpu0 sched_switch idle/0 R -> a/10",
			 "2000 cpu0 sched_switch a/10 S -> b/20", "2001 cpu0 " KERNEL, WOKEN, "6001 cpu0 kernel_stack t=20 c1000010",
			 "8000 cpu1 sched_waking b/20 target=0 by idle/0", "9000 cpu0 sched_switch a/10 R -> b/20"),
		   ROWS("cgroup=/a time_ns=4000 count=2 pid=- callers=-", "cgroup=/b time_ns=3000 count=2"));
}
END_TEST

START_TEST(no_stacks_no_rows)
{
	check_rows(ASK("stacks"), LINES(LEAVES, WOKEN), NO_ROWS);
}
END_TEST

/* The wait for a CPU after it, and after a preemption: where the task had left its CPU. */
START_TEST(run_queue)
{
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "run-queue" }),
		   LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN, "7000 cpu0 sched_switch a/10 R+ -> b/20", "7001 cpu0 kernel_stack t=10 c1000310 c1000010",
			 "9000 cpu0 sched_switch b/20 S -> a/10"),
		   ROWS("pid=10 type=run-queue callers='" READ "' time_ns=1000 count=1", "pid=10 type=run-queue callers=do_start time_ns=2000 count=1"));
}
END_TEST

/* As the timeline shows its details: of the wait, and of the delay after it. A slice on a CPU has none. */
START_TEST(spans_of_waits)
{
	check_rows(ASK("stacks", .samples = MAPPED, .some = true, .span = "state"), LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN),
		   ROWS("tid=10 from=2000 to=5000 stack='do_start;do_read;schedule;trace_event_raw_event_sched_switch' modules='[kernel];[kernel];[kernel];[kernel]'",
			"tid=10 label=delay stack='do_start;do_read;schedule;trace_event_raw_event_sched_switch'", "tid=10 label=run stack=-"));
}
END_TEST

/* An interrupt comes between: its events have stacks of their own, and the task's stack belongs to the task's event. */
START_TEST(an_interrupt_between)
{
	check_rows(asked, LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1900 cpu0 contention_begin 4096 1 t=10",
				"1901 cpu0 irq_handler_entry 7 eth0 t=10 irq", "1902 cpu0 contention_begin 8192 1 t=10 irq",
				"1903 cpu0 kernel_stack t=10 irq c1000010", "1904 cpu0 contention_end 8192 t=10 irq", "1905 cpu0 irq_handler_exit 7 t=10 irq",
				"1906 cpu0 kernel_stack t=10 c1000110", "1950 cpu0 contention_end 4096 t=10", "2000 cpu0 sched_switch a/10 S -> b/20",
				"2001 cpu0 " KERNEL, WOKEN),
		   ROWS("pid=10 callers='" READ "' time_ns=3000"));
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "lock" }),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1900 cpu0 contention_begin 4096 1 t=10",
			 "1901 cpu0 irq_handler_entry 7 eth0 t=10 irq", "1902 cpu0 contention_begin 8192 1 t=10 irq",
			 "1903 cpu0 kernel_stack t=10 irq c1000010", "1904 cpu0 contention_end 8192 t=10 irq", "1905 cpu0 irq_handler_exit 7 t=10 irq",
			 "1906 cpu0 kernel_stack t=10 c1000110", "1950 cpu0 contention_end 4096 t=10", "2000 cpu0 sched_switch a/10 S -> b/20", "2001 cpu0 " KERNEL, WOKEN),
		   ROWS("pid=10 type=lock callers=do_read time_ns=50 count=1", "pid=10 type=lock callers=do_start time_ns=2 count=1"));
}
END_TEST

/* The kernel faults while it records the program's stack: such an event is nested, and may have a stack of its own. */
START_TEST(a_fault_between)
{
	check_rows(asked, LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10 preempt=2", "2000 cpu0 sched_switch a/10 S -> b/20 preempt=2",
				"2001 cpu0 page_fault_kernel t=10 preempt=3", "2002 cpu0 kernel_stack t=10 preempt=3 c1000010",
				"2003 cpu0 user_stack t=10 preempt=2 tgid=10 400010", "2004 cpu0 " KERNEL " preempt=2", WOKEN),
		   ROWS("pid=10 callers='" READ " < [unknown] prog+0x10' time_ns=3000 count=1"));
	/* a kernel that counts the stack's own recording */
	check_rows(asked, LINES(LEAVES, "2004 cpu0 " KERNEL " preempt=1", WOKEN), ROWS("pid=10 callers='" READ "' count=1"));
	check_rows(ASK("stacks", .samples = MAPPED), LINES(LEAVES, "2004 cpu0 " KERNEL " preempt=2", WOKEN), NO_ROWS);
}
END_TEST

/* The stack of another event, of another task, or of an interrupt that has ended by then. */
START_TEST(not_its_stack)
{
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN, "6500 cpu0 sched_switch a/10 S -> idle/0", "6600 cpu0 sys_enter t=20 nr=read",
				"6601 cpu0 kernel_stack t=20 c1000010", "6700 cpu0 kernel_stack t=10 c1000010", "7500 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 callers='" READ "' time_ns=3000", "pid=10 callers=- time_ns=1000"));
	/* on another CPU */
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN, "6500 cpu0 sched_switch a/10 S -> idle/0", "6600 cpu1 kernel_stack t=10 c1000010",
				"7500 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("pid=10 callers='" READ "' time_ns=3000", "pid=10 callers=- time_ns=1000"));
	/* only the first one is its */
	check_rows(asked, LINES(LEAVES, "2001 cpu0 " KERNEL, "2002 cpu0 kernel_stack t=10 c1000010", WOKEN), ROWS("pid=10 callers='" READ "'"));
}
END_TEST

/* Events were lost between an event and a stack: it may be that of one of them. */
START_TEST(lost_between)
{
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "fault" }),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 page_fault_user t=10", "1101 cpu0 kernel_stack t=10 c1000110",
			 "1200 cpu0 page_fault_user t=10", "cpu0 lost 2", "1203 cpu0 kernel_stack t=10 c1000010"),
		   ROWS("pid=10 type=fault callers=do_read count=1", "_quality stacks=1 stacks_unmatched=1"));
}
END_TEST

/* At most 8 frames of a program are recorded: what comes before them is not known. */
START_TEST(truncated)
{
	check_rows(asked, LINES(LEAVES, "2001 cpu0 user_stack t=10 tgid=10 1 2 3 4 5 6 7 8", "2002 cpu0 kernel_stack t=10 c1000110", WOKEN),
		   ROWS("pid=10 callers='do_read < [unknown] 0x1 < [unknown] 0x1 < [unknown] 0x2 < [unknown] 0x3 < [unknown] 0x4 < [unknown] 0x5 < "
			"[unknown] 0x6 < [unknown] 0x7 < [truncated]'"));
	/* it says that it has more frames than the record has room for */
	check_rows(asked, LINES(LEAVES, "2001 cpu0 kernel_stack t=10 size=99 c1000110 c1000010", WOKEN), ROWS("pid=10 callers='" READ " < [truncated]'"));
	check_rows(asked, LINES(LEAVES, "2001 cpu0 kernel_stack t=10 size=-1 c1000110 c1000010", WOKEN), ROWS("pid=10 callers='" READ " < [truncated]'"));
	check_rows(asked, LINES(LEAVES, "2001 cpu0 kernel_stack t=10 size=1 c1000110 c1000010", WOKEN), ROWS("pid=10 callers=do_read"));
	/* none, and an end mark of older kernels' */
	check_rows(ASK("stacks", .samples = MAPPED), LINES(LEAVES, "2001 cpu0 kernel_stack t=10 size=0", WOKEN), NO_ROWS);
	check_rows(asked, LINES(LEAVES, "2001 cpu0 kernel_stack t=10 c1000110 ffffffffffffffff", WOKEN), ROWS("pid=10 callers=do_read"));
}
END_TEST

/* A 32-bit program's addresses are known by its mappings, as others are. */
START_TEST(other_process)
{
	check_rows(ASK("stacks", .samples = SAMPLES("900 cpu0 map 10 8048000-8049000 0 /bin/prog32", "910 cpu0 map 11 8048000-8049000 0 /bin/other"),
		       .only = { "type", "off-cpu" }),
		   LINES(LEAVES, "2001 cpu0 user_stack t=10 tgid=10 8048010", "2002 cpu0 kernel_stack t=10 c1000110", WOKEN),
		   ROWS("pid=10 callers='do_read < [unknown] prog32+0x10'"));
	/* the thread's process is known from the stack alone */
	check_rows(ASK("stacks", .samples = SAMPLES("900 cpu0 map 9 400000-402000 0 /bin/prog"), .only = { "type", "off-cpu" }),
		   LINES(LEAVES, "2001 cpu0 user_stack t=10 tgid=9 400010", "2002 cpu0 kernel_stack t=10 c1000110", WOKEN),
		   ROWS("callers='do_read < [unknown] prog+0x10'"));
}
END_TEST

START_TEST(requests_calls_faults)
{
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "block" }),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1101 cpu0 kernel_stack t=10 c1000110", "1500 cpu0 block_rq_complete t=10 8,0 R sector=100 nr=8"),
		   ROWS("pid=10 type=block callers=do_read time_ns=400 count=1"));
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "syscall" }),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=read 3", "1101 cpu0 kernel_stack t=10 c1000110",
			 "1200 cpu0 sys_exit t=10 nr=read ret=1", "1300 cpu0 sys_enter t=10 nr=read 3", "1400 cpu0 sys_exit t=10 nr=read ret=1"),
		   ROWS("pid=10 type=syscall callers=do_read time_ns=100 count=1 self=0"));
	check_rows(ASK("stacks", .samples = MAPPED, .only = { "type", "fault" }),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 page_fault_user t=10", "1101 cpu0 user_stack t=10 tgid=10 400010",
			 "1102 cpu0 kernel_stack t=10 c1000110", "1200 cpu0 page_fault_user t=10", "1201 cpu0 kernel_stack t=10 c1000110",
			 "1202 cpu0 user_stack t=10 tgid=10 400010"),
		   ROWS("pid=10 type=fault callers='do_read < [unknown] prog+0x10' count=2 self=2"));
}
END_TEST

/* A lock is known by who wants it, outside of the functions of locks, and by the call that waits for it. */
START_TEST(callers_of_a_lock)
{
	check_rows(ASK("locks", .samples = MAPPED),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1050 cpu0 sys_enter t=10 nr=read 3", "1100 cpu0 contention_begin 4096 1 t=10",
			 "1101 cpu0 kernel_stack t=10 c1000210 c1000110 c1000010", "1200 cpu0 contention_end 4096 t=10", "1250 cpu0 sys_exit t=10 nr=read ret=1",
			 "1300 cpu0 sys_enter t=10 nr=write 3", "1310 cpu0 contention_begin 4096 1 t=10", "1311 cpu0 kernel_stack t=10 c1000210 c1000010",
			 "1320 cpu0 contention_end 4096 t=10", "1350 cpu0 sys_exit t=10 nr=write ret=1", "1400 cpu0 contention_begin 4096 1 t=10", "1490 cpu0 contention_end 4096 t=10"),
		   ROWS("lock_addr=0x1000 type=spinlock caller=do_read syscall=read contended=1 total_ns=100",
			"lock_addr=0x1000 type=spinlock caller=do_start syscall=write contended=1 total_ns=10",
			"lock_addr=0x1000 type=spinlock caller=- syscall=- contended=1 total_ns=90"));
	/* not grouped by it: as before there were stacks */
	check_rows(ASK("locks", .samples = MAPPED, .by = "lock_addr,type"),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 contention_begin 4096 1 t=10",
			 "1101 cpu0 kernel_stack t=10 c1000210 c1000110 c1000010", "1200 cpu0 contention_end 4096 t=10", "1310 cpu0 contention_begin 4096 1 t=10",
			 "1320 cpu0 contention_end 4096 t=10"),
		   ROWS("lock_addr=0x1000 type=spinlock caller=- contended=2 total_ns=110"));
}
END_TEST

/* Who wants a lock is the first function outside of the tracer's and the lock's, whatever kernel recorded it; see ask.c for their names. */
START_TEST(callers_beyond_tracer_and_lock)
{
	static const char *const shapes[] = {
		"c2000110 c2000210 c2000610 c2000810", /* 6.1 */
		"c2000110 c2001510 c2000710 c2001210", /* 6.18: a guest */
		"c2000410 c2000210 c2000910 c2000a10", /* perf */
		"c2000310 c2000410 c2000210 c2000c10", /* a BPF program of another */
		"c2001410 c2000510 c2000e10 c2000210 c2001610",
		"c2000110 c2000210 c2000f10 c2000b10", /* an unlock takes the lock of the queue */
		"c2000110 c2000210 c2001010 c2001110 c2000d10", /* PREEMPT_RT */
		"c2000110 c2000210 c2001310", /* 6.15 */
	};

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		char known[120], cut[120];

		snprintf(known, sizeof known, "1101 cpu0 kernel_stack t=10 %s c2000010", shapes[i]);
		snprintf(cut, sizeof cut, "1311 cpu0 kernel_stack t=10 %s", shapes[i]);
		check_rows(ASK("locks", .samples = MAPPED),
			   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 contention_begin 4096 1 t=10", known, "1200 cpu0 contention_end 4096 t=10",
				 "1310 cpu0 contention_begin 4096 1 t=10", cut, "1320 cpu0 contention_end 4096 t=10"),
			   ROWS("caller=caller_of_lock contended=1 total_ns=100", "caller=- contended=1 total_ns=10"));
	}
}
END_TEST

START_TEST(whole_stacks)
{
	check_rows(ASK("wait-stacks", .samples = MAPPED, .only = { "type", "off-cpu" }), LINES(LEAVES, "2001 cpu0 " KERNEL, WOKEN),
		   ROWS("pid=10 stack=do_start;do_read;schedule self=3"));
}
END_TEST

/* Room for two frames: those of a wait in flight are kept, as it will have a row. */
START_TEST(full_of_stacks)
{
	check_rows(ASK("stacks", .samples = MAPPED, .max_stacks = 4, .only = { "type", "off-cpu" }, .some = true),
		   LINES(BEGIN, "500 cpu0 sched_switch idle/0 R -> a/10", "600 cpu0 sched_switch a/10 S -> idle/0", "601 cpu0 kernel_stack t=10 c1000110 c1000010",
			 "1000 cpu1 sched_switch idle/0 R -> b/20", "2000 cpu1 sched_switch b/20 S -> idle/0", "2001 cpu1 kernel_stack t=20 c1000210 c1000010",
			 "5000 cpu1 sched_waking a/10 target=0 by idle/0", "5000 cpu1 sched_waking b/20 target=0 by idle/0"),
		   ROWS("pid=10 callers='" READ "' time_ns=4400", "pid=20 callers=[others] time_ns=3000", "_quality evicted=1"));
}
END_TEST

/* ---- tables of other analyses, under --by stack ---- */

#define STACK_READ "kernel_stack t=10 c1000310 c1000110 c1000010"
#define STACK_START "kernel_stack t=10 c1000310 c1000010"

/* Waits of 3,000, 1,000 and 500 ns in do_read, in do_start, and without a stack. */
#define THREE_WAITS LINES(LEAVES, "2001 cpu0 " STACK_READ, WOKEN, "6500 cpu0 sched_switch a/10 S -> idle/0", "6501 cpu0 " STACK_START, \
	"7500 cpu1 sched_waking a/10 target=0 by idle/0", "7600 cpu0 sched_switch idle/0 R -> a/10", "7700 cpu0 sched_switch a/10 S -> idle/0", \
	"8200 cpu1 sched_waking a/10 target=0 by idle/0", "8300 cpu0 sched_switch idle/0 R -> a/10")

START_TEST(waits_by_stack)
{
	check_rows(ASK("offcpu", .samples = MAPPED, .by = "pid,stack", .some = true), THREE_WAITS,
		   ROWS("pid=10 tid=- stack='" READ "' count=1 total_ns=3000 cause=- state=-", "pid=10 stack=do_start count=1 total_ns=1000",
			"pid=10 stack=- count=1 total_ns=500"));
	/* not grouped by it: as without stacks */
	check_rows(ASK("offcpu", .samples = MAPPED, .by = "pid", .some = true), THREE_WAITS, ROWS("pid=10 stack=- count=3 total_ns=4500 max_ns=3000"));
}
END_TEST

/* The same functions by other return addresses are one row. */
START_TEST(same_functions)
{
	check_rows(ASK("offcpu", .samples = MAPPED, .by = "stack", .some = true),
		   LINES(LEAVES, "2001 cpu0 " STACK_READ, WOKEN, "6500 cpu0 sched_switch a/10 S -> idle/0", "6501 cpu0 kernel_stack t=10 c1000320 c1000120 c1000014",
			 "7500 cpu1 sched_waking a/10 target=0 by idle/0"),
		   ROWS("stack='" READ "' pid=- count=2 total_ns=4000"));
}
END_TEST

START_TEST(requests_by_stack)
{
	check_rows(ASK("biolatency", .samples = MAPPED, .by = "dev,stack"),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1101 cpu0 " STACK_READ, "1110 cpu0 block_rq_issue t=10 8,0 R 4096 sector=200 nr=8 comm=a", "1111 cpu0 " STACK_START,
			 "1500 cpu0 block_rq_complete t=10 8,0 R sector=100 nr=8", "1510 cpu0 block_rq_complete t=10 8,0 R sector=200 nr=8"),
		   ROWS("dev=8,0 type=- stack='" READ "' from_ns=256 count=1", "dev=8,0 type=- stack=do_start from_ns=256 count=1"));
	check_rows(ASK("iosnoop", .samples = MAPPED),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
			 "1101 cpu0 " STACK_READ, "1110 cpu0 block_rq_issue t=10 8,0 R 4096 sector=200 nr=8 comm=a",
			 "1500 cpu0 block_rq_complete t=10 8,0 R sector=100 nr=8", "1510 cpu0 block_rq_complete t=10 8,0 R sector=200 nr=8"),
		   ROWS("sector=100 stack='" READ "'", "sector=200 stack=-"));
}
END_TEST

/* Where the call was entered, else where it slept; nothing of the one that did neither. */
#define THREE_CALLS LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 sys_enter t=10 nr=read 3", "1101 cpu0 " STACK_START, \
	"1200 cpu0 sys_exit t=10 nr=read ret=1", "1300 cpu0 sys_enter t=10 nr=read 3", "1400 cpu0 sys_exit t=10 nr=read ret=1", \
	"1500 cpu0 sys_enter t=10 nr=read 3", "1600 cpu0 sched_switch a/10 S -> idle/0", "1601 cpu0 " STACK_READ, \
	"1700 cpu1 sched_waking a/10 target=0 by idle/0", "1800 cpu0 sched_switch idle/0 R -> a/10", "1830 cpu0 sys_exit t=10 nr=read ret=1")

START_TEST(calls_by_stack)
{
	check_rows(ASK("syscall-latency", .samples = MAPPED, .by = "syscall,stack"), THREE_CALLS,
		   ROWS("syscall=read stack=do_start calls=1 total_ns=100", "syscall=read stack=- calls=1 total_ns=100",
			"syscall=read stack='" READ "' calls=1 total_ns=330"));
	check_rows(ASK("syscall-latency", .samples = MAPPED, .by = "syscall"), THREE_CALLS, ROWS("syscall=read stack=- calls=3 total_ns=530"));
	check_rows(ASK("syscalls", .samples = MAPPED), THREE_CALLS,
		   ROWS("lat_ns=100 stack=do_start", "lat_ns=100 stack=-", "lat_ns=330 stack='" READ "'"));
}
END_TEST

/* One returned, one still waits: it counts where it sleeps. */
START_TEST(futexes_by_stack)
{
	check_rows(ASK("futex", .samples = MAPPED, .by = "uaddr,stack"),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sys_enter t=10 nr=futex 0x1000 0 1", "1600 cpu0 sched_switch a/10 S -> idle/0",
			 "1601 cpu0 " STACK_READ, "1700 cpu1 sched_waking a/10 target=0 by idle/0", "1800 cpu0 sched_switch idle/0 R -> a/10",
			 "1830 cpu0 sys_exit t=10 nr=futex ret=0", "1900 cpu0 sys_enter t=10 nr=futex 0x1000 0 1", "1950 cpu0 sched_switch a/10 S -> idle/0",
			 "1951 cpu0 " STACK_START, "3000 cpu1 sched_switch idle/0 R -> b/20"),
		   ROWS("uaddr=0x1000 pid=- stack='" READ "' waits=1 total_ns=330 in_flight=0", "uaddr=0x1000 stack=do_start waits=0 in_flight=1"));
}
END_TEST

/* Of five faults of a user's and one of the kernel's, four have stacks; of the second task none has. */
START_TEST(faults_by_stack)
{
	const char *const *lines =
		LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 page_fault_user t=10", "1101 cpu0 kernel_stack t=10 c1000110 c1000010",
		      "1200 cpu0 page_fault_user t=10", "1201 cpu0 kernel_stack t=10 c1000110 c1000010", "1300 cpu0 page_fault_user t=10",
		      "1301 cpu0 kernel_stack t=10 c1000010", "1400 cpu0 page_fault_kernel t=10", "1401 cpu0 kernel_stack t=10 c1000010",
		      "1500 cpu0 page_fault_user t=10", "1600 cpu1 sched_switch idle/0 R -> b/20", "1700 cpu1 page_fault_user t=20");

	check_rows(ASK("faults", .samples = MAPPED, .by = "pid,stack"), lines,
		   ROWS("pid=10 stack='" READ "' user=2 kernel=0 major=-", "pid=10 stack=do_start user=1 kernel=1", "pid=10 stack=- user=1 kernel=0",
			"pid=20 stack=- user=1 kernel=0"));
	check_rows(ASK("faults", .samples = MAPPED, .by = "pid"), lines, ROWS("pid=10 stack=- user=4 kernel=1", "pid=20 stack=- user=1 kernel=0"));
}
END_TEST

/* Outside of the functions of locks: one lock from two callers. */
START_TEST(locks_by_stack)
{
	check_rows(ASK("locks", .samples = MAPPED, .by = "stack,type"),
		   LINES(BEGIN, "1000 cpu0 sched_switch idle/0 R -> a/10", "1100 cpu0 contention_begin 4096 1 t=10",
			 "1101 cpu0 kernel_stack t=10 c1000210 c1000110 c1000010", "1200 cpu0 contention_end 4096 t=10", "1310 cpu0 contention_begin 8192 1 t=10",
			 "1311 cpu0 kernel_stack t=10 c1000210 c1000110 c1000010", "1320 cpu0 contention_end 8192 t=10", "1400 cpu0 contention_begin 4096 1 t=10",
			 "1401 cpu0 kernel_stack t=10 c1000210 c1000010", "1403 cpu0 contention_end 4096 t=10"),
		   ROWS("stack='" READ "' type=spinlock lock_addr=- caller=- contended=2 total_ns=110", "stack=do_start contended=1 total_ns=3"));
}
END_TEST

Suite *rs_suite_stacks(void)
{
	Suite *s = suite_create("stacks");
	TCase *t = tcase_create("stacks");

	tcase_add_test(t, a_wait_has_the_stack_of_its_switch);
	tcase_add_test(t, ended_before_its_stack);
	tcase_add_test(t, by_cgroup);
	tcase_add_test(t, no_stacks_no_rows);
	tcase_add_test(t, run_queue);
	tcase_add_test(t, spans_of_waits);
	tcase_add_test(t, an_interrupt_between);
	tcase_add_test(t, a_fault_between);
	tcase_add_test(t, not_its_stack);
	tcase_add_test(t, lost_between);
	tcase_add_test(t, truncated);
	tcase_add_test(t, other_process);
	tcase_add_test(t, requests_calls_faults);
	tcase_add_test(t, callers_of_a_lock);
	tcase_add_test(t, callers_beyond_tracer_and_lock);
	tcase_add_test(t, whole_stacks);
	tcase_add_test(t, full_of_stacks);
	tcase_add_test(t, waits_by_stack);
	tcase_add_test(t, same_functions);
	tcase_add_test(t, requests_by_stack);
	tcase_add_test(t, calls_by_stack);
	tcase_add_test(t, futexes_by_stack);
	tcase_add_test(t, faults_by_stack);
	tcase_add_test(t, locks_by_stack);
	suite_add_tcase(s, t);
	return s;
}
