// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-counts - captures for a while and prints what came, as name=number words
 *
 *	live-counts [-d MS] [-b KIB] [-c CLOCK] [-C CPUS] [-m STORE_KIB] [-e SYS:NAME[/FILTER]].. [-F] [-u]
 *	            [-s US] [-- CMD..]
 *
 * -F full pages, -u gives up privileges, -s consumes slowly (US a page).
 * The first line names the instance and all processes; it is printed when the capture runs.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "source/live/live.h"

#define MAX_EVENTS 64
#define MAX_CPUS 64

static struct {
	struct rs_plan_event events[MAX_EVENTS];
	struct rs_plan plan;
	struct rs_live_options live;
	unsigned int ms, slow_us;
	bool drop;
	char **cmd;
} conf = { .ms = 500, .live.page_ring_bytes = 64 << 20, .plan = { .clock = "boot", .buffer_percent = 10 } };

static struct {
	uint64_t pages, events, gaps, gaps_unknown, lost, late_events, backward, empty_known;
} nr;
static uint64_t mark[MAX_CPUS], last_ts[MAX_CPUS];
static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	stopped = 1;
}

static uint64_t now_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A walker of little-endian pages of a 64-bit kernel, as simple as can be: an oracle for counts only. */
static void count_records(unsigned int cpu, const uint8_t *p, uint64_t ts, uint32_t len)
{
	for (uint32_t at = 0; at + 4 <= len;) {
		uint32_t head, next, type, delta;

		memcpy(&head, p + at, 4);
		memcpy(&next, p + at + 4, 4);
		type = head & 31;
		delta = head >> 5;
		if (type == 29 && !delta)
			break;
		if (type == 30)
			ts += delta + ((uint64_t)next << 27);
		else if (type == 31)
			ts = (ts & ~((1ull << 59) - 1)) | delta | (uint64_t)next << 27;
		else
			ts += delta;
		if (type < 29) {
			nr.events++;
			nr.late_events += ts < mark[cpu];
			nr.backward += ts < last_ts[cpu];
			last_ts[cpu] = ts;
		}
		at += type == 0 || type == 29 ? next + 4 : type < 29 ? type * 4 + 4 : 8;
	}
}

static void count_page(unsigned int cpu, const struct rs_page *page)
{
	uint64_t ts, commit;
	uint32_t len;

	memcpy(&ts, page->data, 8);
	memcpy(&commit, page->data + 8, 8);
	len = commit & 0xfffff;
	nr.pages++;
	nr.empty_known += page->empty_at_ns != 0;
	if (commit & 1u << 31) {
		uint64_t lost = 0;

		nr.gaps++;
		if (commit & 1u << 30)
			memcpy(&lost, page->data + 16 + len, 8);
		else
			nr.gaps_unknown++;
		nr.lost += lost;
	}
	count_records(cpu, page->data + 16, ts, len);
}

/* Takes all that is there; false at the end. */
static bool consume(struct rs_source *s)
{
	bool more = false;

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		struct rs_error err = { 0 };
		struct rs_page page;
		enum rs_next next;

		for (int i = 0; i < 256 && (next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE; i++) {
			count_page(cpu, &page);
			if (conf.slow_us)
				usleep(conf.slow_us);
		}
		if (next == RS_NEXT_ERROR)
			fprintf(stderr, "live-counts: %s\n", err.text);
		more |= next != RS_NEXT_END;
		mark[cpu] = s->ops->watermark_ns(s, cpu);
	}
	return more;
}

static void add_event(char *arg)
{
	struct rs_plan_event *ev = &conf.events[conf.plan.nr_events++];

	ev->system = strtok(arg, ":");
	ev->name = strtok(NULL, "/");
	ev->filter = strtok(NULL, "");
	ev->skip_own = ev->system && !strcmp(ev->system, "raw_syscalls");
}

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+d:b:c:C:m:e:Fus:")) != -1)
		switch (c) {
		case 'd': conf.ms = (unsigned int)atoi(optarg); break;
		case 'b': conf.plan.buffer_kib = (unsigned int)atoi(optarg); break;
		case 'c': conf.plan.clock = optarg; break;
		case 'C': conf.plan.cpus = optarg; break;
		case 'm': conf.live.page_ring_bytes = (size_t)atoi(optarg) << 10; break;
		case 'e': add_event(optarg); break;
		case 'F': conf.live.full_pages = true; break;
		case 'u': conf.drop = true; break;
		case 's': conf.slow_us = (unsigned int)atoi(optarg); break;
		default: exit(2);
		}
	conf.cmd = argv + optind;
	conf.plan.events = conf.events;
	if (!conf.plan.nr_events) {
		add_event(strdup("sched:sched_switch"));
		add_event(strdup("raw_syscalls:sys_enter"));
		add_event(strdup("raw_syscalls:sys_exit"));
	}
}

static pid_t launch(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpriority(PRIO_PROCESS, 0, 0); /* or it would compete with the consumer on equal terms */
		execvp(conf.cmd[0], conf.cmd);
		_exit(127);
	}
	return pid;
}

static void print_result(struct rs_instance *in, struct rs_source *s, double start_ms)
{
	struct rs_live_stats st;
	struct rusage ru;
	uint64_t overrun = 0, lost;

	for (unsigned int i = 0; i < in->nr_cpus; i++)
		if (rs_instance_lost(in, i, &lost))
			overrun += lost;
	rs_live_stats(s, &st);
	getrusage(RUSAGE_SELF, &ru);
	printf("pages=%lu events=%lu gaps=%lu gaps_unknown=%lu lost=%lu overrun=%lu late_events=%lu "
	       "backward=%lu empty_known=%lu read_pages=%lu peak_kib=%lu full=%lu fifo=%d seeds=%zu "
	       "rss_kib=%ld start_ms=%.1f uid=%d cpu_ms=%ld ",
	       nr.pages, nr.events, nr.gaps, nr.gaps_unknown, nr.lost, overrun, nr.late_events, nr.backward,
	       nr.empty_known, st.pages, st.page_ring_peak_bytes >> 10, st.reader_full, st.fifo,
	       s->info.nr_initial, ru.ru_maxrss, start_ms, (int)getuid(),
	       (ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000 +
		       (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1000);
}

int main(int argc, char **argv)
{
	uint64_t t0 = now_ns(CLOCK_MONOTONIC), until, t1;
	struct rs_error err = { 0 };
	struct rs_instance in;
	struct rs_source *s;
	pid_t own[16], cmd = 0;
	size_t nr_own;

	parse(argc, argv);
	if (rs_instance_open(&in, &conf.plan, &err) < 0) {
		fprintf(stderr, "live-counts: %s\n", err.text);
		return err.status;
	}
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	s = rs_live_open(&in, &conf.live, &err);
	if (!s)
		goto failed;
	nr_own = rs_live_tids(s, own, 15);
	own[nr_own++] = gettid();
	if (rs_instance_start(&in, &conf.plan, own, nr_own, &err) < 0 ||
	    (conf.drop && rs_privileges_drop(NULL, false, &err) < 0))
		goto failed;
	rs_live_start(s);
	t1 = now_ns(CLOCK_MONOTONIC);
	printf("instance=%s pids=%d,%d,%d\n", in.path, (int)getpid(), (int)in.guardian_pids[0],
	       (int)in.guardian_pids[1]);
	fflush(stdout);
	setpriority(PRIO_PROCESS, 0, -20);
	if (conf.cmd[0])
		cmd = launch();
	for (until = t1 + conf.ms * 1000000ull; !stopped && now_ns(CLOCK_MONOTONIC) < until;) {
		struct pollfd p[2] = { { .fd = in.guardian_fds[0] }, { .fd = in.guardian_fds[1] } };

		s->ops->wait(s, 20);
		consume(s);
		if ((cmd && waitpid(cmd, NULL, WNOHANG) == cmd) || poll(p, 2, 0) > 0)
			break;
	}
	rs_instance_stop(&in);
	rs_live_stop(s);
	while (s->ops->wait(s, 100) || consume(s))
		consume(s);
	print_result(&in, s, (double)(t1 - t0) / 1e6);
	t1 = now_ns(CLOCK_MONOTONIC);
	s->ops->close(s);
	rs_instance_close(&in);
	printf("close_ms=%.1f\n", (double)(now_ns(CLOCK_MONOTONIC) - t1) / 1e6);
	return 0;
failed:
	fprintf(stderr, "live-counts: %s\n", err.text);
	if (s)
		s->ops->close(s);
	rs_instance_close(&in);
	return err.status;
}
