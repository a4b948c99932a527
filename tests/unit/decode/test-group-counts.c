// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-group-counts - what the PMU has counted beside samples: cycles, instructions, cache misses, of whom, and when that is unknown
 *
 * counts=CYCLES/INSTRUCTIONS/MISSES so far, on that CPU. A sample has what they grew by since the CPU's last one. Thousandths: ipc=2000 is 2.00.
 */
#include <check.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ask.h"
#include "decode/group-counts.h"
#include "decode/sample-merge.h"
#include "sample-lines.h"
#include "skip.h"

#define EVENTS LINES("1000 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu1 sched_switch idle/0 R -> b/20", \
		     "9000 cpu0 sched_switch a/10 S -> idle/0", "9000 cpu1 sched_switch b/20 S -> idle/0")
#define AT "kernel ffffffff81000010"
#define asked(...) ASK("profile", .by = "pid", .samples = SAMPLES(__VA_ARGS__))

/* Of two CPUs, each with counts of its own. The first sample of a CPU has nothing before it. */
START_TEST(growth_is_charged_to_the_sampled)
{
	check_rows(asked("1100 cpu0 sample 10/10 counts=5000/9000/7 " AT, "1200 cpu1 sample 20/20 counts=100/100/1 " AT,
			 "1300 cpu0 sample 10/10 counts=6000/11000/12 " AT, "1400 cpu1 sample 20/20 counts=2100/1100/1 " AT,
			 "1500 cpu0 sample 10/10 counts=8000/15000/12 " AT),
		   EVENTS, ROWS("pid=10 self=3 instructions=6000 cache_misses=5 ipc=2000", "pid=20 self=2 instructions=1000 cache_misses=0 ipc=500"));
	/* idle takes its share */
	check_rows(asked("1100 cpu0 sample 10/10 counts=1000/1000/0 " AT, "1200 cpu0 sample 0/0 counts=2000/9000/5 " AT, "1300 cpu0 sample 10/10 counts=3000/10000/6 " AT),
		   EVENTS, ROWS("pid=10 self=2 instructions=1000 cache_misses=1 ipc=1000"));
}
END_TEST

START_TEST(without_a_pmu_nothing_is_known)
{
	check_rows(asked("1100 cpu0 sample 10/10 " AT, "1200 cpu0 sample 10/10 " AT), EVENTS, ROWS("pid=10 self=2 instructions=- cache_misses=- ipc=-"));
}
END_TEST

START_TEST(unknown_growth)
{
	/* a count became less, as where the CPU was offline */
	check_rows(asked("1100 cpu0 sample 10/10 counts=5000/9000/7 " AT, "1300 cpu0 sample 10/10 counts=1000/2000/1 " AT), EVENTS,
		   ROWS("pid=10 self=2 instructions=- cache_misses=- ipc=-"));
	/* and is known again after it */
	check_rows(asked("1100 cpu0 sample 10/10 counts=5000/9000/7 " AT, "1300 cpu0 sample 10/10 counts=1000/2000/1 " AT, "1400 cpu0 sample 10/10 counts=2000/5000/1 " AT),
		   EVENTS, ROWS("pid=10 self=3 instructions=3000 cache_misses=0 ipc=3000"));
	/* the group had to leave the PMU for half of the time */
	check_rows(asked("1100 cpu0 sample 10/10 counts=1000/1000/0 enabled=100 running=100 " AT, "1300 cpu0 sample 10/10 counts=2000/2000/0 enabled=300 running=200 " AT),
		   EVENTS, ROWS("pid=10 self=2 instructions=- cache_misses=- ipc=-"));
	/* it had to before, and not in between */
	check_rows(asked("1100 cpu0 sample 10/10 counts=1000/1000/0 enabled=200 running=100 " AT, "1300 cpu0 sample 10/10 counts=2000/2000/0 enabled=300 running=200 " AT),
		   EVENTS, ROWS("pid=10 self=2 instructions=1000 cache_misses=0 ipc=1000"));
	/* samples of this CPU were lost in between; the other one's were not */
	check_rows(asked("1100 cpu0 sample 10/10 counts=1000/1000/0 " AT, "1100 cpu1 sample 20/20 counts=1000/1000/0 " AT, "1200 cpu0 lost 3",
			 "1300 cpu0 sample 10/10 counts=9000/9000/9 " AT, "1300 cpu1 sample 20/20 counts=2000/2000/0 " AT, "1400 cpu0 sample 10/10 counts=10000/10000/9 " AT),
		   EVENTS, ROWS("pid=10 self=3 instructions=1000 cache_misses=0 ipc=1000", "pid=20 self=2 instructions=1000 ipc=1000", "_quality samples_lost=3"));
	/* a sample without counts */
	check_rows(asked("1100 cpu0 sample 10/10 counts=1000/1000/0 " AT, "1200 cpu0 sample 10/10 " AT), EVENTS, ROWS("pid=10 self=2 instructions=- ipc=-"));
}
END_TEST

/* A function that calls has the samples of what it calls in total, and their counts in neither column. */
START_TEST(callers_count_nothing)
{
	check_rows(ASK("profile", .by = "function", .samples = SAMPLES("1100 cpu0 sample 10/10 counts=1000/1000/0 kernel ffffffff81000010 ffffffff81000110",
								      "1200 cpu0 sample 10/10 counts=2000/3000/4 kernel ffffffff81000010 ffffffff81000110")),
		   EVENTS, ROWS("function=start self=0 total=2 instructions=- ipc=-", "function=read self=2 instructions=2000 cache_misses=4 ipc=2000"));
}
END_TEST

/* ---- the kernel's own records: software events in the place of those of a PMU ---- */

static bool has_one_member;

static int open_software(struct perf_event_attr *attr, int cpu, int group_fd)
{
	static const struct { uint64_t hardware, software; } events[] = {
		{ PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_SW_CPU_CLOCK }, { PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_SW_PAGE_FAULTS },
		{ PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_SW_CONTEXT_SWITCHES },
	};
	struct perf_event_attr in_its_place = *attr;

	if (attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_CACHE_MISSES && has_one_member) {
		errno = ENOENT;
		return -1;
	}
	for (size_t i = 0; attr->type == PERF_TYPE_HARDWARE && i < sizeof events / sizeof *events; i++)
		if (attr->config == events[i].hardware) {
			in_its_place.type = PERF_TYPE_SOFTWARE;
			in_its_place.config = events[i].software;
			break;
		}
	return (int)syscall(SYS_perf_event_open, &in_its_place, -1, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

#define NR_FAULTS 2000u

/* So many page faults of this process, and time on its CPU. */
static void fault(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile uint64_t spun = 0;

	for (unsigned int i = 0; i < NR_FAULTS; i++) {
		char *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		ck_assert_ptr_ne(at, MAP_FAILED);
		at[0] = 1;
		for (unsigned int k = 0; k < 50000; k++)
			spun = spun + k;
		munmap(at, page);
	}
}

/* The sums of all that grew, of this process. Returns the number of samples with counts. */
static unsigned int sum_growth(struct rs_sample_source *source, uint64_t sums[RS_NR_COUNTERS], unsigned int *known)
{
	struct rs_sample_merge *merge = rs_sample_merge_new(source);
	struct rs_group_counts *counts = rs_group_counts_new();
	struct rs_sample_event ev;
	unsigned int nr = 0;

	*known = 0;
	while (rs_sample_merge_next(merge, UINT64_MAX - 1, &ev)) {
		uint64_t growth[RS_NR_COUNTERS] = { 0 };
		unsigned int now = ev.kind == RS_SAMPLE_OF_CPU ? rs_group_counts_add(counts, &source->info, &ev, growth) : 0;

		if (!now || ev.pid != getpid())
			continue;
		*known |= now;
		nr++;
		for (unsigned int i = 0; i < RS_NR_COUNTERS; i++)
			sums[i] += growth[i];
	}
	ck_assert_uint_eq(rs_sample_merge_nr_bad(merge), 0);
	rs_sample_merge_free(merge);
	rs_group_counts_free(counts);
	return nr;
}

/* As the real kernel writes groups. What others fault on this CPU counts too: at least as much as this process. */
START_TEST(groups_of_the_kernel)
{
	const unsigned int both = 1u << RS_COUNTER_CYCLES | 1u << RS_COUNTER_INSTRUCTIONS;
	const struct rs_samples_options options = { .hz = 999, .clock = "boot", .files_fd = -1, .open_event = open_software };
	uint64_t sums[RS_NR_COUNTERS] = { 0 };
	struct rs_sample_source *source;
	struct rs_error err = { 0 };
	unsigned int known, nr;
	uint64_t nr_lost;

	has_one_member = _i;
	source = rs_samples_open(&options, &err);
	if (!source)
		SKIP("the kernel lets no one sample here: %s", err.text);
	ck_assert_str_eq(source->info.event, "cycles");
	ck_assert_uint_eq(source->info.nr_counters, has_one_member ? 2 : 3);
	source->ops->start(source);
	fault();
	source->ops->stop(source);
	nr = sum_growth(source, sums, &known);
	nr_lost = source->ops->nr_lost(source);
	source->ops->close(source);
	if (nr_lost) /* what others map and fork meanwhile is in the ring, too */
		SKIP("a busy machine filled the ring: %u lost", (unsigned int)nr_lost);
	ck_assert_uint_gt(nr, 5);
	ck_assert_uint_eq(known, has_one_member ? both : both | 1u << RS_COUNTER_CACHE_MISSES);
	ck_assert_uint_ge(sums[RS_COUNTER_INSTRUCTIONS], NR_FAULTS / 2);
	ck_assert_uint_ge(sums[RS_COUNTER_CYCLES], 1000000); /* ns on the CPU */
}
END_TEST

Suite *rs_suite_group_counts(void)
{
	Suite *s = suite_create("group-counts");
	TCase *t = tcase_create("group-counts");

	tcase_add_test(t, growth_is_charged_to_the_sampled);
	tcase_add_test(t, without_a_pmu_nothing_is_known);
	tcase_add_test(t, unknown_growth);
	tcase_add_test(t, callers_count_nothing);
	tcase_add_loop_test(t, groups_of_the_kernel, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
