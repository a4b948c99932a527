// SPDX-License-Identifier: GPL-2.0-or-later
/* test-samples - samples of this process by the kernel; not run where it refuses perf events */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "decode/sample-merge.h"
#include "skip.h"
#include "source/perf/samples.h"
#include "stacks/unwound-samples.h"

static struct rs_sample_source *source;
static struct rs_sample_merge *merge;

static void setup(void)
{
	struct rs_error err = { 0 };

	source = rs_samples_open(&(struct rs_samples_options){ .hz = 999, .clock = "boot", .files_fd = -1 }, &err);
	merge = source ? rs_sample_merge_new(source) : NULL;
}

static void teardown(void)
{
	rs_sample_merge_free(merge);
	merge = NULL;
	if (source)
		source->ops->close(source);
	source = NULL;
}

static void burn_ms(long ms)
{
	struct timespec t;
	long end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + ms;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < end);
}

/* Reads all that is there; counts records of this process, which must be in the order of time. */
static unsigned int count(enum rs_sample_kind kind, int32_t pid)
{
	struct rs_sample_event ev;
	unsigned int nr = 0;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		nr += ev.kind == kind && ev.pid == pid && (kind != RS_SAMPLE_OF_CPU || ev.nr_frames > 0);
	return nr;
}

START_TEST(samples_of_this_process)
{
	if (!source)
		SKIP("the kernel lets no one sample here");
	source->ops->start(source);
	burn_ms(200);
	/* 200 in 200 ms of CPU time; a virtual machine's timer may be late */
	ck_assert_uint_ge(count(RS_SAMPLE_OF_CPU, getpid()), 20);
	ck_assert_uint_gt(source->info.nr_mappings, 0);
	source->ops->stop(source);
	count(RS_SAMPLE_OF_CPU, getpid());
	burn_ms(50);
	ck_assert_uint_eq(count(RS_SAMPLE_OF_CPU, getpid()), 0);
	ck_assert_uint_eq(source->ops->nr_lost(source), 0);
	ck_assert_uint_eq(rs_sample_merge_nr_bad(merge), 0);
}
END_TEST

/* ---- stacks that a thread unwinds ---- */

static void *run_unwinding(void *arg)
{
	rs_unwound_samples_run(arg);
	return NULL;
}

static unsigned int count_deep(unsigned int frames)
{
	struct rs_sample_event ev;
	unsigned int nr = 0;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		nr += ev.kind == RS_SAMPLE_OF_CPU && ev.pid == getpid() && ev.nr_frames >= frames;
	return nr;
}

static unsigned int sample_unwound(bool allowed)
{
	const struct rs_trace_info info = { .kallsyms_fd = -1 };
	const struct rs_samples_options options = { 999, 8192, rs_unwound_samples_regs(), "boot", -1 };
	struct rs_error err = { 0 };
	unsigned int nr = 0;
	pthread_t thread;

	teardown();
	source = rs_samples_open(&options, &err);
	ck_assert_msg(source != NULL, "%s", err.text);
	ck_assert_int_eq(rs_unwound_samples_open(&source, &info), 0);
	ck_assert_uint_eq(source->info.sample_type & PERF_SAMPLE_STACK_USER, 0);
	merge = rs_sample_merge_new(source);
	source->ops->start(source);
	ck_assert_int_eq(pthread_create(&thread, NULL, run_unwinding, source), 0);
	if (allowed)
		rs_unwound_samples_allow(source);
	burn_ms(150);
	nr = count_deep(4); /* some come while it runs */
	burn_ms(50);
	source->ops->stop(source);
	nr += count_deep(4); /* and when it has stopped, all that were taken */
	pthread_join(thread, NULL);
	ck_assert_uint_eq(rs_sample_merge_nr_bad(merge), 0);
	return nr;
}

/* PERF_CONTEXT_USER, burn_ms, this function, what called it: built without frame pointers, or not. */
START_TEST(stacks_are_unwound)
{
	if (source && rs_unwound_samples_regs())
		ck_assert_uint_gt(sample_unwound(true), 20);
}
END_TEST

START_TEST(nothing_is_unwound_before_it_is_allowed)
{
	if (source && rs_unwound_samples_regs())
		ck_assert_uint_eq(sample_unwound(false), 0);
}
END_TEST

/* While sampling pauses, a program begins: later samples of it need its mappings. */
START_TEST(mappings_while_paused)
{
	pid_t pid;
	int fd;
	void *at;

	if (!source)
		SKIP("the kernel lets no one sample here");
	source->ops->start(source);
	source->ops->pause(source, true);
	count(RS_SAMPLE_OTHER, 0);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(at, MAP_FAILED);
	burn_ms(50);
	ck_assert_uint_eq(count(RS_SAMPLE_MMAP, getpid()), 1);
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	ck_assert_uint_ge(count(RS_SAMPLE_FORK, pid), 1); /* the thread sanitizer begins a thread in the child, if it is in time */
	source->ops->pause(source, false);
	burn_ms(100);
	ck_assert_uint_gt(count(RS_SAMPLE_OF_CPU, getpid()), 0);
	munmap(at, 4096);
	close(fd);
}
END_TEST

/* ---- a machine with two kinds of cores, of which one has no cycles; this machine may have none at all ---- */

static int open_as_on_hybrid(struct perf_event_attr *attr, int cpu, int group_fd)
{
	struct perf_event_attr in_its_place = *attr;

	if (attr->type == PERF_TYPE_HARDWARE && cpu != 0) {
		errno = ENOENT;
		return -1;
	}
	if (attr->type == PERF_TYPE_HARDWARE) {
		in_its_place.type = PERF_TYPE_SOFTWARE;
		in_its_place.config = PERF_COUNT_SW_CPU_CLOCK;
	}
	return (int)syscall(SYS_perf_event_open, &in_its_place, -1, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

START_TEST(cpus_without_the_event)
{
	const struct rs_samples_options options = { .hz = 999, .clock = "boot", .files_fd = -1, .open_event = open_as_on_hybrid };
	struct rs_error err = { 0 };

	if (!source || sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP("needs samples, and two CPUs");
	teardown();
	source = rs_samples_open(&options, &err);
	ck_assert_msg(source != NULL, "%s", err.text);
	ck_assert_str_eq(source->info.event, "cpu-clock");
	ck_assert_int_eq(err.status, RS_OK);
	ck_assert_uint_eq(source->info.nr_rings, (unsigned int)sysconf(_SC_NPROCESSORS_ONLN));
	merge = rs_sample_merge_new(source);
	source->ops->start(source);
	burn_ms(100);
	ck_assert_uint_gt(count(RS_SAMPLE_OF_CPU, getpid()), 0);
}
END_TEST

START_TEST(no_such_clock)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_samples_open(&(struct rs_samples_options){ .hz = 99, .clock = "local", .files_fd = -1 }, &err));
	ck_assert_str_eq(err.text, "samples have no times in the trace clock 'local' (--clock boot has them)");
}
END_TEST

Suite *rs_suite_samples(void)
{
	Suite *s = suite_create("samples");
	TCase *t = tcase_create("samples");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, samples_of_this_process);
	tcase_add_test(t, mappings_while_paused);
	tcase_add_test(t, stacks_are_unwound);
	tcase_add_test(t, nothing_is_unwound_before_it_is_allowed);
	tcase_add_test(t, cpus_without_the_event);
	tcase_add_test(t, no_such_clock);
	suite_add_tcase(s, t);
	return s;
}
