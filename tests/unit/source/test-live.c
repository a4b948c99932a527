// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The live source under the real kernel: counts, order and ends; nothing is timed
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"
#include "source/live/live.h"
#include "source/live/task-snapshot.h"
#include "source/trace-clock.h"

struct capture {
	struct rs_instance in;
	struct rs_plan plan;
	struct rs_plan_event event;
	char filter[64];
	struct rs_source *source;
	uint64_t nr_pages, nr_events, nr_lost, nr_gaps, nr_gaps_uncounted, nr_late, nr_backward;
	uint64_t mark[256], last[256];
};

static void begin(struct capture *c, const char *system, const char *name, size_t store_bytes)
{
	struct rs_live_options opt = { .page_ring_bytes = store_bytes };
	struct rs_error err = { 0 };

	c->event.system = system;
	c->event.name = name;
	c->event.filter = c->filter[0] ? c->filter : NULL;
	c->plan.events = &c->event;
	c->plan.nr_events = 1;
	c->plan.clock = c->plan.clock ? c->plan.clock : "boot";
	c->plan.buffer_percent = 10;
	ck_assert_msg(rs_instance_open(&c->in, &c->plan, &err) == 0, "%s", err.text);
	c->source = rs_live_open(&c->in, &opt, &err);
	ck_assert_msg(c->source != NULL, "%s", err.text);
	ck_assert_uint_le(c->in.nr_cpus, 256);
	ck_assert_msg(rs_instance_start(&c->in, &c->plan, NULL, 0, &err) == 0, "%s", err.text);
	rs_live_start(c->source);
}

static void end(struct capture *c)
{
	c->source->ops->close(c->source);
	rs_instance_close(&c->in);
}

/* As in tests/tools/live-counts.c: enough of a page walker to count. */
static void count(struct capture *c, unsigned int cpu, const uint8_t *page)
{
	uint64_t ts, commit, lost = 0;
	uint32_t len;

	memcpy(&ts, page, 8);
	memcpy(&commit, page + 8, 8);
	len = commit & 0xfffff;
	c->nr_pages++;
	c->nr_gaps += commit >> 31 & 1;
	c->nr_gaps_uncounted += (commit >> 30 & 3) == 2;
	if (commit & 1u << 30)
		memcpy(&lost, page + 16 + len, 8);
	c->nr_lost += lost;
	page += 16;
	for (uint32_t at = 0; at + 4 <= len;) {
		uint32_t head, next, type;

		memcpy(&head, page + at, 4);
		memcpy(&next, page + at + 4, 4);
		type = head & 31;
		if (type == 29 && !(head >> 5))
			break;
		if (type == 31)
			ts = (ts >> 59 << 59) | head >> 5 | (uint64_t)next << 27;
		else
			ts += (head >> 5) + (type == 30 ? (uint64_t)next << 27 : 0);
		if (type < 29) {
			c->nr_events++;
			c->nr_late += ts < c->mark[cpu];
			c->nr_backward += ts < c->last[cpu];
			c->last[cpu] = ts;
		}
		at += type == 0 || type == 29 ? next + 4 : type < 29 ? type * 4 + 4 : 8;
	}
}

static void check_watermark(struct capture *c, unsigned int cpu)
{
	uint64_t mark = c->source->ops->watermark_ns(c->source, cpu);

	ck_assert_msg(mark >= c->mark[cpu], "CPU %u: the watermark went back", cpu);
	c->mark[cpu] = mark;
}

/* Takes what is there; false when every CPU is at its end. */
static bool take(struct capture *c)
{
	struct rs_error err = { 0 };
	struct rs_page page;
	bool more = false;

	for (unsigned int cpu = 0; cpu < c->in.nr_cpus; cpu++) {
		enum rs_next next;

		/* Before as well: pages that were pushed and that nobody has taken yet must hold it back. */
		check_watermark(c, cpu);
		while ((next = c->source->ops->next(c->source, cpu, &page, &err)) == RS_NEXT_PAGE)
			count(c, cpu, page.data);
		ck_assert_msg(next != RS_NEXT_ERROR, "%s", err.text);
		more |= next != RS_NEXT_END;
		check_watermark(c, cpu);
	}
	return more;
}

static void take_rest(struct capture *c)
{
	rs_instance_stop(&c->in);
	rs_live_stop(c->source);
	while (take(c))
		c->source->ops->wait(c->source, 100);
}

/* A child that makes n calls of getppid, beginning when a byte comes. */
static pid_t caller(unsigned int nr_calls, int *go_fd)
{
	int fds[2];
	pid_t pid;
	char byte;

	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		if (read(fds[0], &byte, 1) != 1)
			_exit(1);
		for (unsigned int i = 0; i < nr_calls; i++)
			syscall(SYS_getppid);
		_exit(0);
	}
	close(fds[0]);
	*go_fd = fds[1];
	return pid;
}

#define NR_CALLS 300000

static void go(int fd)
{
	ck_assert_int_eq(write(fd, "", 1), 1);
	close(fd);
}

/* A child makes n calls: n come, each in its order, none after the watermark said that it had come. */
START_TEST(every_call_comes)
{
	static struct capture c;
	struct rs_live_stats stats;
	struct rs_page page;
	pid_t pid;
	int fd;

	NEEDS_TRACING();
	pid = caller(NR_CALLS, &fd);
	snprintf(c.filter, sizeof c.filter, "common_pid == %d && id == %d", (int)pid, SYS_getppid);
	begin(&c, "raw_syscalls", "sys_enter", 64 << 20);
	go(fd);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		c.source->ops->wait(c.source, 50);
		take(&c);
	}
	take_rest(&c);
	ck_assert_uint_eq(c.nr_events, NR_CALLS);
	ck_assert_uint_eq(c.nr_lost + c.nr_gaps, 0);
	/* A host may take a virtual CPU away between an event's stamp and its writing: rare, never pages. */
	ck_assert_uint_le(c.nr_late, 10);
	ck_assert_uint_eq(c.nr_backward, 0);
	rs_live_stats(c.source, &stats);
	ck_assert_uint_eq(stats.pages, c.nr_pages);
	ck_assert_uint_eq(stats.bytes, c.nr_pages * c.in.page_bytes);
	/* The end stays the end. */
	ck_assert(!c.source->ops->wait(c.source, 1000));
	for (unsigned int cpu = 0; cpu < c.in.nr_cpus; cpu++) {
		ck_assert_int_eq(c.source->ops->next(c.source, cpu, &page, NULL), RS_NEXT_END);
		ck_assert(c.source->ops->watermark_ns(c.source, cpu) == UINT64_MAX);
	}
	end(&c);
}
END_TEST

/* The readers have read all and said so; the watermark waits until the consumer has it as well. */
START_TEST(a_watermark_waits_for_the_consumer)
{
	static struct capture c;
	struct rs_live_stats stats;
	pid_t pid;
	int fd;

	NEEDS_TRACING();
	pid = caller(5000, &fd);
	snprintf(c.filter, sizeof c.filter, "common_pid == %d && id == %d", (int)pid, SYS_getppid);
	begin(&c, "raw_syscalls", "sys_enter", 16 << 20);
	go(fd);
	waitpid(pid, NULL, 0);
	/* Some rounds of the readers, until nothing more comes. */
	do {
		rs_live_stats(c.source, &stats);
		usleep(200000);
		c.nr_pages = stats.pages;
		rs_live_stats(c.source, &stats);
	} while (!stats.pages || stats.pages != c.nr_pages);
	take(&c);
	ck_assert_uint_eq(c.nr_events, 5000);
	ck_assert_uint_le(c.nr_late, 10);
	take_rest(&c);
	end(&c);
}
END_TEST

/* The consumer takes nothing until the end: what came and what was lost is all that there was. */
START_TEST(a_full_store_loses_in_the_kernel)
{
	static struct capture c;
	struct rs_live_stats stats;
	uint64_t overrun = 0, lost;
	pid_t pid;
	int fd;

	NEEDS_TRACING();
	pid = caller(NR_CALLS, &fd);
	snprintf(c.filter, sizeof c.filter, "common_pid == %d && id == %d", (int)pid, SYS_getppid);
	c.plan.buffer_kib = 64;
	begin(&c, "raw_syscalls", "sys_exit", 256 << 10);
	go(fd);
	waitpid(pid, NULL, 0);
	take_rest(&c);
	for (unsigned int cpu = 0; cpu < c.in.nr_cpus; cpu++)
		if (rs_instance_lost(&c.in, cpu, &lost))
			overrun += lost;
	rs_live_stats(c.source, &stats);
	ck_assert_uint_gt(stats.reader_full, 0);
	ck_assert_uint_le(stats.page_ring_peak_bytes, 256 << 10);
	ck_assert_uint_gt(c.nr_gaps, 0);
	ck_assert_uint_eq(c.nr_events + overrun, NR_CALLS);
	/* A page marks the loss before it, and says how many where it has room: nearly always here. */
	if (!c.nr_gaps_uncounted)
		ck_assert_uint_eq(c.nr_lost, overrun);
	ck_assert_uint_lt(c.nr_gaps_uncounted, c.nr_gaps);
	end(&c);
}
END_TEST

/* The readers go on after the process became nobody, with the same fds. */
START_TEST(nobody_can_read)
{
	static struct capture c;
	int fd, status;
	pid_t pid, self;

	NEEDS_TRACING();
	self = fork();
	if (self == 0) {
		struct rs_error err = { 0 };
		char *status_text;
		pid_t tid;

		pid = caller(5000, &fd);
		snprintf(c.filter, sizeof c.filter, "common_pid == %d && id == %d", (int)pid, SYS_getppid);
		begin(&c, "raw_syscalls", "sys_enter", 1 << 20);
		if (rs_privileges_drop(NULL, true, &err) < 0)
			_exit(1);
		/* Each thread of ours, the readers' too: no capability, no new privileges, another user. */
		rs_live_tids(c.source, &tid, 1);
		snprintf(c.filter, sizeof c.filter, "%d/status", (int)tid);
		status_text = rs_tracefs_read("/proc/self/task", c.filter, NULL);
		if (!status_text || !strstr(status_text, "NoNewPrivs:\t1") ||
		    strstr(status_text, "Uid:\t0") || !strstr(status_text, "CapPrm:\t0000000000000000"))
			_exit(2);
		go(fd);
		waitpid(pid, NULL, 0);
		take_rest(&c);
		end(&c);
		_exit(c.nr_events == 5000 ? 0 : 3);
	}
	waitpid(self, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

/* Nothing happens; time passes all the same, on each CPU and by each clock that can be read. */
START_TEST(watermarks_advance_in_silence)
{
	static const char *const clocks[] = { "boot", "mono", "local" };
	static struct capture c;
	uint64_t first[256] = { 0 };

	NEEDS_TRACING();
	c.plan.clock = clocks[_i];
	strcpy(c.filter, "common_pid == 1 && common_pid == 2");
	begin(&c, "sched", "sched_switch", 1 << 20);
	ck_assert_str_eq(c.source->info.clock, clocks[_i]);
	for (int round = 0, nr = 0; nr < (int)c.in.nr_cpus; round++) {
		ck_assert_msg(round < 500, "only %d CPUs' watermarks advance", nr);
		ck_assert(c.source->ops->wait(c.source, 100));
		take(&c);
		nr = 0;
		for (unsigned int cpu = 0; cpu < c.in.nr_cpus; cpu++) {
			first[cpu] = first[cpu] ? first[cpu] : c.mark[cpu];
			nr += c.in.raw_fds[cpu] < 0 || c.mark[cpu] > first[cpu];
		}
	}
	ck_assert_uint_eq(c.nr_pages, 0);
	if (_i == 0)
		ck_assert(c.mark[0] <= rs_trace_clock_ns(CLOCK_BOOTTIME));
	end(&c);
}
END_TEST

START_TEST(information)
{
	static struct capture c;
	const struct rs_trace_info *info;
	bool self = false;

	NEEDS_TRACING();
	begin(&c, "sched", "sched_switch", 1 << 20);
	info = &c.source->info;
	ck_assert(info->live);
	ck_assert_uint_eq(info->nr_formats, 1);
	ck_assert_str_eq(info->formats[0].system, "sched");
	ck_assert(!strncmp(info->formats[0].text.data, "name: sched_switch\n", 19));
	ck_assert_uint_eq(info->formats[0].text.len, strlen(info->formats[0].text.data));
	ck_assert(memmem(info->header_page.data, info->header_page.len, "commit;", 7));
	ck_assert(info->long_bytes == 4 || info->long_bytes == 8);
	ck_assert_uint_ge(info->page_bytes, 4096);
	ck_assert(info->realtime_offset_known);
	ck_assert(info->realtime_offset_ns > 0);
	for (size_t i = 0; i < info->nr_initial; i++)
		self |= info->snapshot[i].self && info->snapshot[i].pid == getpid() &&
			info->snapshot[i].tid == getpid();
	ck_assert(self);
	end(&c);
}
END_TEST

/* A source that was never started ends, too. */
START_TEST(never_started)
{
	struct rs_plan_event event = { .system = "sched", .name = "sched_switch" };
	struct rs_plan plan = { .events = &event, .nr_events = 1, .clock = "boot", .buffer_percent = 10 };
	struct rs_live_options opt = { .page_ring_bytes = 1 << 20 };
	struct rs_error err = { 0 };
	struct rs_instance in;
	struct rs_source *s;
	struct rs_page page;

	NEEDS_TRACING();
	ck_assert_int_eq(rs_instance_open(&in, &plan, &err), 0);
	s = rs_live_open(&in, &opt, &err);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_NONE);
	s->ops->close(s);
	s = rs_live_open(&in, &opt, &err);
	rs_live_stop(s);
	while (s->ops->wait(s, 100))
		;
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_END);
	s->ops->close(s);
	rs_instance_close(&in);
}
END_TEST

static const struct rs_initial_task *find(const struct rs_task_snapshot *seeds, int32_t tid)
{
	for (size_t i = 0; i < seeds->nr; i++)
		if (seeds->row[i].tid == tid)
			return &seeds->row[i];
	return NULL;
}

static void *sleeper_thread(void *arg)
{
	int fd = *(int *)arg;
	pid_t tid = gettid();

	prctl(PR_SET_NAME, "a thread");
	if (write(fd, &tid, sizeof tid) > 0)
		pause();
	return NULL;
}

START_TEST(names_from_proc)
{
	struct rs_task_snapshot seeds = { 0 };
	const clockid_t clock = CLOCK_BOOTTIME;
	uint64_t before = rs_trace_clock_ns(clock);
	const struct rs_initial_task *s;
	pid_t pid, own, tid;
	pthread_t thread;
	int fds[2];

	prctl(PR_SET_NAME, "a) S (1) b\n");
	ck_assert_int_eq(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, "0123456789abcdefgh");
		if (write(fds[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	ck_assert_int_eq(read(fds[0], &tid, 1), 1);
	ck_assert_int_eq(pipe(fds), 0);
	pthread_create(&thread, NULL, sleeper_thread, &fds[1]);
	ck_assert_int_eq(read(fds[0], &tid, sizeof tid), sizeof tid);
	own = getpid();
	ck_assert_int_eq(rs_task_snapshot_read(&seeds, &clock, &own, 1, NULL), 0);
	s = find(&seeds, own);
	ck_assert_str_eq(s->comm, "a) S (1) b\n");
	ck_assert_int_eq(s->pid, own);
	ck_assert(s->self && !s->kernel_thread);
	s = find(&seeds, tid);
	ck_assert_str_eq(s->comm, "a thread");
	ck_assert_int_eq(s->pid, own);
	ck_assert(s->self);
	s = find(&seeds, pid);
	ck_assert_str_eq(s->comm, "0123456789abcde");
	ck_assert(!s->self && !s->kernel_thread);
	s = find(&seeds, 2);
	if (getppid() > 2 && s && !strcmp(s->comm, "kthreadd"))
		ck_assert(s->kernel_thread);
	for (size_t i = 0; i < seeds.nr; i++) {
		ck_assert(seeds.row[i].ts_ns >= before);
		before = seeds.row[i].ts_ns;
		if (!strncmp(seeds.row[i].comm, "kworker/", 8) && seeds.row[i].comm[8] != 'R')
			ck_assert_msg(!strpbrk(seeds.row[i].comm, "+-"), "'%s' is not its bare name",
				      seeds.row[i].comm);
	}
	kill(pid, SIGKILL);
	rs_task_snapshot_done(&seeds);
	rs_task_snapshot_read(&seeds, NULL, NULL, 0, NULL);
	ck_assert_uint_eq(find(&seeds, own)->ts_ns, 0);
	ck_assert(!find(&seeds, own)->self);
	rs_task_snapshot_done(&seeds);
}
END_TEST

/* Unless its parent was killed before it asked to die with it. */
static int pauses(void *parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == *(pid_t *)parent)
		syscall(SYS_pause);
	return 0;
}

/*
 * A parent in D until the child goes on that it waits for as vfork() does, which it does not; and one in S, who is told
 * of only where it is named. Not by vfork(): under the thread sanitizer that is fork().
 */
static pid_t fork_sleeper(bool in_d)
{
	static _Alignas(16) char stack[16384];
	pid_t pid = fork(), own;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	own = getpid();
	if (in_d)
		clone(pauses, stack + sizeof stack, CLONE_VFORK | SIGCHLD, &own);
	for (;;)
		pause();
}

START_TEST(asleep_in_proc)
{
	const pid_t in_d = fork_sleeper(true), in_s = fork_sleeper(false);
	const int32_t named[] = { in_s };
	const struct rs_initial_waits none = { 0 }, one = { .pids = named, .nr_pids = 1 };
	struct rs_task_snapshot seeds = { 0 };

	for (int tries = 0; tries < 500; tries++) { /* until both sleep */
		rs_task_snapshot_done(&seeds);
		ck_assert_int_eq(rs_task_snapshot_read(&seeds, NULL, NULL, 0, &one), 0);
		if (find(&seeds, in_d)->wait && find(&seeds, in_s)->wait)
			break;
		usleep(10000);
	}
	ck_assert_ptr_nonnull(find(&seeds, in_d)->wait);
	ck_assert_int_eq(find(&seeds, in_d)->wait->letter, 'D');
	ck_assert_ptr_nonnull(find(&seeds, in_s)->wait);
	ck_assert_int_eq(find(&seeds, in_s)->wait->letter, 'S');
	if (access("/proc/self/syscall", R_OK) == 0) {
		ck_assert_int_eq(find(&seeds, in_d)->wait->syscall, SYS_clone);
		ck_assert_int_eq(find(&seeds, in_s)->wait->syscall, SYS_pause);
	}
	rs_task_snapshot_done(&seeds);
	rs_task_snapshot_read(&seeds, NULL, NULL, 0, &none);
	ck_assert_ptr_nonnull(find(&seeds, in_d)->wait);
	/* of who is not named: where a call tells what it sleeps in */
	ck_assert_int_eq(find(&seeds, in_s)->wait != NULL, access("/proc/self/syscall", R_OK) == 0);
	ck_assert(!find(&seeds, in_s)->wait || !find(&seeds, in_s)->wait->named);
	ck_assert_int_eq(find(&seeds, in_s)->letter, 'S');
	rs_task_snapshot_done(&seeds);
	rs_task_snapshot_read(&seeds, NULL, NULL, 0, NULL);
	ck_assert_ptr_null(find(&seeds, in_d)->wait);
	rs_task_snapshot_done(&seeds);
	kill(in_d, SIGKILL);
	kill(in_s, SIGKILL);
}
END_TEST

Suite *rs_suite_live(void)
{
	Suite *s = suite_create("live");
	TCase *t = tcase_create("kernel");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, every_call_comes);
	tcase_add_test(t, a_watermark_waits_for_the_consumer);
	tcase_add_test(t, a_full_store_loses_in_the_kernel);
	tcase_add_test(t, nobody_can_read);
	tcase_add_loop_test(t, watermarks_advance_in_silence, 0, 3);
	tcase_add_test(t, information);
	tcase_add_test(t, never_started);
	tcase_add_test(t, names_from_proc);
	tcase_add_test(t, asleep_in_proc);
	suite_add_tcase(s, t);
	return s;
}
