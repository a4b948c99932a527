// SPDX-License-Identifier: GPL-2.0-or-later
/* test-profile - functions and stacks by samples, beside the events */
#include <check.h>
#include <stdlib.h>

#include "ask.h"
#include "decode/sample-merge.h"
#include "decode/sample-record.h"
#include "model/stack-table.h"
#include "sample-lines.h"

/* The kernel's functions are start (..0000), read (..0100), lock (..0200). */
#define EVENTS LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "2000 cpu1 sched_switch idle/0 R -> b/20", \
		     "9000 cpu0 sched_switch a/10 S -> idle/0", "9000 cpu1 sched_switch b/20 S -> idle/0")

#define TWO_TASKS SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000110", \
			  "1200 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000210", \
			  "1300 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000120", \
			  "2100 cpu1 sample 20/20 kernel ffffffff81000110")

START_TEST(self_and_total)
{
	check_rows(ASK("profile", .samples = TWO_TASKS), EVENTS,
		   ROWS("pid=10 function=start module=[kernel] self=0 total=3 self_pct=0 total_pct=75000",
			"pid=10 function=read self=2 kernel=2 total=2 self_pct=50000 low_pct=15004 high_pct=84996",
			"pid=10 function=lock self=1 total=1 self_pct=25000",
			"pid=20 function=read self=1 total=1 total_pct=25000", "_quality samples=4 samples_lost=0"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "function"), EVENTS,
		   ROWS("pid=- function=start self=0 total=3", "function=read self=3 total=3 self_pct=75000", "function=lock self=1 total=1"));
	/* a group is counted once for each sample, however many of its functions are in the stack */
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "module"), EVENTS, ROWS("module=[kernel] self=4 total=4 total_pct=100000"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "pid"), EVENTS, ROWS("comm=a pid=10 self=3 total=3", "comm=b pid=20 self=1 total=1"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "function", .pid = 20), EVENTS, ROWS("function=read self=1 self_pct=100000"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "function", .cpus = "1"), EVENTS, ROWS("function=read self=1 self_pct=100000"));
}
END_TEST

/* A sample of 6000 cycles is three of 2000: shares are those of the cycles, as in perf report. How sure they are follows from the number. */
START_TEST(shares_are_weighted)
{
	check_rows(ASK("profile", .by = "function", .samples = SAMPLES("1100 cpu0 sample 10/10 period=6000 kernel ffffffff81000010 ffffffff81000110",
								      "1200 cpu0 sample 10/10 period=2000 kernel ffffffff81000010 ffffffff81000210",
								      "1300 cpu0 sample 10/10 period=2000 kernel ffffffff81000010 ffffffff81000210")),
		   EVENTS, ROWS("function=start self=0 self_pct=0 total=3 total_pct=100000", "function=lock self=2 self_pct=40000 total=2 total_pct=40000",
				"function=read self=1 self_pct=60000 low_pct=17248 high_pct=91522 total=1 total_pct=60000"));
}
END_TEST

/* Each sample has a CPU; modules stand in the order of the functions. */
START_TEST(by_cpu_and_with_modules)
{
	check_rows(ASK("profile-stacks", .samples = TWO_TASKS, .by = "cpu"), EVENTS, ROWS("cpu=0 self=3 modules=-", "cpu=1 self=1"));
	check_rows(ASK("profile-stacks", .by = "stack", .samples = SAMPLES("1010 cpu0 map 10 400000-402000 0 /bin/prog", "1020 cpu0 sample 10/10 400011 kernel ffffffff81000010")),
		   EVENTS, ROWS("modules=prog;[kernel] self=1"));
}
END_TEST

#define GROUPS LINES("live", "seed a/10 pid=10 cgroup=/a", "seed b/20 pid=20 cgroup=/b", "1000 cpu0 sched_switch idle/0 R -> a/10", \
		     "2000 cpu1 sched_switch idle/0 R -> b/20", "9000 cpu0 sched_switch a/10 S -> idle/0", "9000 cpu1 sched_switch b/20 S -> idle/0")

/* A group that is not known is none of those that are; self and total likewise. */
START_TEST(by_cgroup)
{
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "cgroup"), GROUPS, ROWS("cgroup=/a self=3 total=3 total_pct=75000", "cgroup=/b self=1 total=1"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "cgroup,function"), GROUPS,
		   ROWS("cgroup=/a function=start self=0 total=3", "cgroup=/a function=read self=2", "cgroup=/a function=lock self=1", "cgroup=/b function=read self=1"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "cgroup"), EVENTS, ROWS("cgroup=- self=4"));
	check_rows(ASK("profile-stacks", .samples = TWO_TASKS, .by = "cgroup"), GROUPS, ROWS("cgroup=/a self=3", "cgroup=/b self=1"));
}
END_TEST

/* Each sample is a tick on its thread's track. */
START_TEST(spans)
{
	check_rows(ASK("profile", .span = "sample", .samples = TWO_TASKS), EVENTS,
		   ROWS("comm=a tid=10 from=1100 to=1100 label=read stack=start;read modules=[kernel];[kernel] cpu=0",
			"tid=10 from=1200 label=lock stack=start;lock", "tid=10 from=1300 label=read", "comm=b tid=20 from=2100 to=2100 label=read stack=read cpu=1"));
	check_rows(ASK("profile", .span = "sample", .samples = SAMPLES("1100 cpu0 sample 10/10 400010")), EVENTS,
		   ROWS("comm=a tid=10 label=[unknown] modules=[unknown]"));
}
END_TEST

START_TEST(recursion_counts_once)
{
	check_rows(ASK("profile", .by = "function",
		       .samples = SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000110 ffffffff81000018 ffffffff81000118 ffffffff81000118")),
		   EVENTS, ROWS("function=start self=0 total=1 total_pct=100000", "function=read self=1 total=1"));
}
END_TEST

/* A call that is the last of its function returns to the first address of the next one. */
START_TEST(return_addresses)
{
	check_rows(ASK("profile-stacks", .samples = SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000100 ffffffff81000200")), EVENTS,
		   ROWS("pid=10 stack=start;lock self=1"));
}
END_TEST

START_TEST(time_range)
{
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "function", .from_ns = 1200, .to_ns = 1300), EVENTS,
		   ROWS("function=start total=2 total_pct=100000", "function=read self=1", "function=lock self=1"));
	check_rows(ASK("profile", .samples = TWO_TASKS, .by = "function", .resets = RESETS(2000)), EVENTS,
		   ROWS("function=read self=1 self_pct=100000"));
}
END_TEST

/* A process is known by its mappings, wherever these come from; code without a mapping by its address. */
START_TEST(mappings)
{
	check_rows(ASK("profile", .by = "address,module",
		       .samples = SAMPLES("1010 cpu0 map 10 400000-402000 1000 /bin/prog", "1020 cpu0 sample 10/10 400010",
					  "1030 cpu1 fork 10 20", "1040 cpu1 sample 20/20 400020", "1050 cpu1 exec 20",
					  "1060 cpu1 sample 20/20 400030", "1070 cpu1 map 20 400000-402000 0 /bin/other",
					  "1080 cpu1 sample 20/20 400040", "1090 cpu0 map 10 500000-501000 0 //anon",
					  "1100 cpu0 sample 10/10 500010")),
		   EVENTS,
		   ROWS("module=prog address=prog+0x1010 self=1", "module=prog address=prog+0x1020 self=1", "module=[unknown] address=0x400030 self=1",
			"module=other address=other+0x40 self=1", "module=[anon] address=0x500010 self=1"));
	check_rows(ASK("profile", .by = "function,module", .samples = SAMPLES("1020 cpu0 sample 10/10 400010", "1030 cpu0 sample 10/10 400020")), EVENTS,
		   ROWS("function=[unknown] module=[unknown] self=2"));
}
END_TEST

START_TEST(user_and_kernel)
{
	check_rows(ASK("profile-stacks",
		       .samples = SAMPLES("1010 cpu0 map 10 400000-402000 0 /bin/prog", "1020 cpu0 sample 10/10 400011 400020 kernel ffffffff81000010")),
		   EVENTS, ROWS("comm=a pid=10 self=1 kernel=1 user=0"));
	/* idle, no stack at all, a thread that no event has named */
	check_rows(ASK("profile-stacks", .samples = SAMPLES("1010 cpu0 sample 0/0 kernel ffffffff81000010", "1020 cpu0 sample 10/10", "1030 cpu0 sample 30/31 400010")),
		   EVENTS, ROWS("pid=10 self=1 kernel=0 user=1", "pid=30 self=1", "_quality samples=2"));
}
END_TEST

START_TEST(lost)
{
	check_rows(ASK("profile", .some = true, .samples = SAMPLES("1020 cpu0 sample 10/10 400010", "1100 cpu0 lost 1f", "1200 cpu1 lost 1")), EVENTS,
		   ROWS("_quality samples=1 samples_lost=32"));
}
END_TEST

START_TEST(full_of_stacks)
{
	/* room for two frames: start and read. When no row has them any more, there is room for start and lock. */
	check_rows(ASK("profile", .by = "function", .max_stacks = 4, .resets = RESETS(2000),
		       .samples = SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000110",
					  "2100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000210")),
		   EVENTS, ROWS("function=start self=0 total=1", "function=lock self=1 total=1", "_quality evicted=0"));
	check_rows(ASK("profile", .by = "function", .max_stacks = 4,
		       .samples = SAMPLES("1100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000110",
					  "2100 cpu0 sample 10/10 kernel ffffffff81000010 ffffffff81000210")),
		   EVENTS, ROWS("function=start self=0 total=1", "function=read self=1 total=1", "function=[others] self=1 total=1", "_quality evicted=1"));
}
END_TEST

/* ---- records ---- */

static struct rs_sample_event read_first(struct rs_sample_source *s, struct rs_sample_record *record)
{
	struct rs_sample_event ev;

	ck_assert(s->ops->next(s, 0, record));
	ck_assert(rs_sample_record_read(&s->info, record, &ev));
	return ev;
}

/* _i: in the other byte order */
START_TEST(both_byte_orders)
{
	struct rs_sample_source *s = sample_lines_open(SAMPLES("100 cpu0 sample 7/8 400010 kernel ffffffff81000010",
							       "110 cpu0 map 7 400000-401000 20 /bin/prog", "120 cpu0 fork 7 9", "130 cpu0 exec 9",
							       "140 cpu0 lost 10"), _i);
	struct rs_sample_record record;
	struct rs_sample_event ev = read_first(s, &record);

	ck_assert_int_eq(ev.kind, RS_SAMPLE_OF_CPU);
	ck_assert(ev.pid == 7 && ev.tid == 8 && ev.ts_ns == 100 && ev.cpu == 0 && ev.period == 1000 && ev.nr_frames == 4);
	ck_assert_uint_eq(rs_sample_record_frame(&ev, 1), 0xffffffff81000010);
	ck_assert_uint_eq(rs_sample_record_frame(&ev, 3), 0x400010);
	ev = read_first(s, &record);
	ck_assert(ev.kind == RS_SAMPLE_MMAP && ev.pid == 7 && ev.start == 0x400000 && ev.len_bytes == 0x1000 && ev.offset == 0x20 && ev.ts_ns == 110);
	ck_assert_str_eq(ev.path, "/bin/prog");
	ev = read_first(s, &record);
	ck_assert(ev.kind == RS_SAMPLE_FORK && ev.pid == 9 && ev.parent == 7 && ev.ts_ns == 120);
	ev = read_first(s, &record);
	ck_assert(ev.kind == RS_SAMPLE_EXEC && ev.pid == 9 && ev.ts_ns == 130);
	ev = read_first(s, &record);
	ck_assert(ev.kind == RS_SAMPLE_LOST && ev.nr_lost == 16);
	s->ops->close(s);
}
END_TEST

/* Each byte of each record is wrong once, and each record is cut everywhere: nothing outside of it is read (ASan). */
START_TEST(hostile_records)
{
	struct rs_sample_source *s = sample_lines_open(SAMPLES("100 cpu0 sample 7/8 400010 kernel ffffffff81000010",
							       "110 cpu0 map 7 400000-401000 20 /bin/prog", "120 cpu0 fork 7 9", "130 cpu0 exec 9",
							       "140 cpu0 lost 10"), false);
	struct rs_sample_record record;
	struct rs_sample_event ev;

	while (s->ops->next(s, 0, &record)) {
		for (size_t len = 0; len <= record.len_bytes; len++) {
			uint8_t *copy = malloc(len + !len);

			memcpy(copy, record.data, len);
			for (size_t at = 0; at < len; at++) {
				copy[at] ^= 0xff;
				if (rs_sample_record_read(&s->info, &(struct rs_sample_record){ copy, len }, &ev) && ev.kind == RS_SAMPLE_OF_CPU && ev.nr_frames)
					rs_sample_record_frame(&ev, ev.nr_frames - 1);
				copy[at] ^= 0xff;
			}
			rs_sample_record_read(&s->info, &(struct rs_sample_record){ copy, len }, &ev);
			free(copy);
		}
		ck_assert(!rs_sample_record_read(&s->info, &(struct rs_sample_record){ record.data, record.len_bytes - 25 }, &ev));
	}
	s->ops->close(s);
}
END_TEST

START_TEST(merged_by_time)
{
	struct rs_sample_source *s = sample_lines_open(SAMPLES("100 cpu0 lost 1", "300 cpu0 lost 3", "200 cpu1 lost 2", "400 cpu1 lost 4"), false);
	struct rs_sample_merge *m = rs_sample_merge_new(s);
	struct rs_sample_event ev;
	uint64_t nr = 0;

	ck_assert(!rs_sample_merge_next(m, 99, &ev));
	ck_assert_uint_eq(rs_sample_merge_due_ns(m), 100);
	while (rs_sample_merge_next(m, 300, &ev))
		ck_assert_uint_eq(ev.nr_lost, ++nr);
	ck_assert_uint_eq(nr, 3);
	ck_assert_uint_eq(rs_sample_merge_due_ns(m), 400);
	ck_assert(rs_sample_merge_next(m, UINT64_MAX, &ev) && ev.nr_lost == 4);
	ck_assert(!rs_sample_merge_next(m, UINT64_MAX, &ev));
	ck_assert_uint_eq(rs_sample_merge_due_ns(m), UINT64_MAX);
	rs_sample_merge_free(m);
	s->ops->close(s);
}
END_TEST

/* ---- the table of stacks ---- */

START_TEST(stacks_are_kept_once)
{
	struct rs_stack_table *t = rs_stack_table_new(100000);
	uint32_t a = rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), b = rs_stack_table_add(t, a, 1, 0x20), last = RS_STACK_ROOT;

	ck_assert_uint_eq(rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), a);
	ck_assert_uint_eq(rs_stack_table_add(t, a, 1, 0x20), b);
	ck_assert_uint_ne(rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x20), b);
	ck_assert_uint_ne(rs_stack_table_add(t, a, 2, 0x20), b);
	ck_assert_uint_eq(rs_stack_table_node(t, b)->caller, a);
	for (uint64_t i = 0; i < 50000; i++)
		last = rs_stack_table_add(t, last, 3, i);
	ck_assert_uint_eq(rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), a);
	ck_assert_uint_eq(rs_stack_table_node(t, last)->offset, 49999);
	rs_stack_table_free(t);
}
END_TEST

START_TEST(full_table)
{
	struct rs_stack_table *t = rs_stack_table_new(3); /* room for one */
	uint32_t a = rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10);

	ck_assert_uint_eq(rs_stack_table_add(t, a, 1, 0x20), RS_STACK_OTHERS);
	ck_assert_uint_eq(rs_stack_table_add(t, RS_STACK_OTHERS, 1, 0x20), RS_STACK_OTHERS);
	ck_assert_uint_eq(rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), a);
	ck_assert_uint_eq(rs_stack_table_nr_cut(t), 1);
	ck_assert_uint_eq(rs_stack_table_node(t, 12345)->caller, RS_STACK_ROOT);
	rs_stack_table_free(t);
}
END_TEST

/* What is in use stays, with its callers and under its number; what is not gives its room to others. */
START_TEST(swept_table)
{
	struct rs_stack_table *t = rs_stack_table_new(6); /* room for four */
	uint32_t a = rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), b = rs_stack_table_add(t, a, 1, 0x20), c = rs_stack_table_add(t, a, 1, 0x30),
		 d = rs_stack_table_add(t, c, 1, 0x40), e, f;
	uint8_t used[6] = { 0 };

	ck_assert(rs_stack_table_is_full(t));
	ck_assert_uint_eq(rs_stack_table_nr(t), 6);
	used[b] = 1; /* a calls it; c and d are not in use */
	rs_stack_table_sweep(t, used);
	ck_assert(!rs_stack_table_is_full(t));
	ck_assert_uint_eq(rs_stack_table_add(t, RS_STACK_ROOT, 1, 0x10), a);
	ck_assert_uint_eq(rs_stack_table_add(t, a, 1, 0x20), b);
	e = rs_stack_table_add(t, b, 2, 0x50);
	f = rs_stack_table_add(t, e, 2, 0x60);
	ck_assert(e != f && (e == c || e == d) && (f == c || f == d));
	ck_assert_uint_eq(rs_stack_table_node(t, f)->caller, e);
	ck_assert_uint_eq(rs_stack_table_add(t, a, 1, 0x30), RS_STACK_OTHERS);
	rs_stack_table_free(t);
}
END_TEST

Suite *rs_suite_profile(void)
{
	Suite *s = suite_create("profile");
	TCase *t = tcase_create("rows");

	tcase_add_test(t, self_and_total);
	tcase_add_test(t, shares_are_weighted);
	tcase_add_test(t, by_cpu_and_with_modules);
	tcase_add_test(t, by_cgroup);
	tcase_add_test(t, spans);
	tcase_add_test(t, recursion_counts_once);
	tcase_add_test(t, return_addresses);
	tcase_add_test(t, time_range);
	tcase_add_test(t, mappings);
	tcase_add_test(t, user_and_kernel);
	tcase_add_test(t, lost);
	tcase_add_test(t, full_of_stacks);
	suite_add_tcase(s, t);
	t = tcase_create("records");
	tcase_add_loop_test(t, both_byte_orders, 0, 2);
	tcase_add_test(t, hostile_records);
	tcase_add_test(t, merged_by_time);
	tcase_add_test(t, stacks_are_kept_once);
	tcase_add_test(t, full_table);
	tcase_add_test(t, swept_table);
	suite_add_tcase(s, t);
	return s;
}
