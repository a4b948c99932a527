// SPDX-License-Identifier: GPL-2.0-or-later
/* switch-stacks - perf's callchains at sched_switch: stacks of waits without the kernel's triggers */
#include "source/perf/switch-stacks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "source/perf/perf-ring.h"
#include "source/trace-clock.h"

#define SWITCH_STACKS_RING_BYTES (4u << 20)  /* what a CPU switches while a reader waits for full pages */
#define SWITCH_STACKS_LEAST_BYTES (64u << 10)
#define SWITCH_STACKS_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN)
#define CLOCK_READINGS 20               /* at first; later one more at a time */
#define SLEPT_NS 1000                   /* the distance of two clocks that changes by more has changed */

struct switch_stacks {
	struct rs_sample_source source;      /* first */
	struct switch_stacks_ring {
		int fd;                      /* -1: the CPU is offline */
		struct rs_perf_ring ring;
	} *rings;
	unsigned int nr;
	clockid_t trace_clock, perf_clock;
	/* from the perf clock to the trace clock, by the shortest reading so far, */
	int64_t offset_ns;
	uint64_t took_ns;                    /* which took so long; 0: none yet */
};

static struct switch_stacks *switch_stacks_of(struct rs_sample_source *s)
{
	return (struct switch_stacks *)s;
}

static bool switch_stacks_next(struct rs_sample_source *source, unsigned int cpu,
			       struct rs_sample_record *record)
{
	struct switch_stacks *s = switch_stacks_of(source);

	return cpu < s->nr && s->rings[cpu].fd >= 0 && rs_perf_ring_next(&s->rings[cpu].ring, record);
}

static uint64_t switch_stacks_known_ns(struct rs_sample_source *source)
{
	return rs_trace_clock_ns(switch_stacks_of(source)->trace_clock);
}

/*
 * A tracepoint may fire in an NMI, where the kernel can read CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW alone.
 * The distance to the trace clock changes when the machine sleeps; else the shortest reading is the most
 * exact, and one that was interrupted would move a stack behind the next switch.
 */
static void switch_stacks_compare_clocks(struct switch_stacks *s)
{
	uint64_t before_ns = rs_trace_clock_ns(s->perf_clock), trace_ns = rs_trace_clock_ns(s->trace_clock);
	uint64_t took_ns = rs_trace_clock_ns(s->perf_clock) - before_ns;
	int64_t offset_ns = (int64_t)(trace_ns - before_ns - took_ns / 2);
	uint64_t change_ns = (uint64_t)llabs(offset_ns - s->offset_ns);

	if (s->took_ns && took_ns >= s->took_ns && change_ns <= took_ns + s->took_ns + SLEPT_NS)
		return;
	s->offset_ns = offset_ns;
	s->took_ns = took_ns ? took_ns : 1;
}

static int64_t switch_stacks_offset_ns(struct rs_sample_source *source)
{
	struct switch_stacks *s = switch_stacks_of(source);

	for (int i = s->took_ns ? CLOCK_READINGS - 1 : 0;
	     i < CLOCK_READINGS && s->trace_clock != s->perf_clock; i++)
		switch_stacks_compare_clocks(s);
	return s->offset_ns;
}

static void switch_stacks_pause(struct rs_sample_source *source, bool pause)
{
	const struct switch_stacks *s = switch_stacks_of(source);

	for (unsigned int cpu = 0; cpu < s->nr; cpu++)
		ioctl(s->rings[cpu].fd, pause ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
}

static void switch_stacks_start(struct rs_sample_source *source)
{
	switch_stacks_pause(source, false);
}

static void switch_stacks_stop(struct rs_sample_source *source)
{
	switch_stacks_pause(source, true);
}

static void switch_stacks_close(struct rs_sample_source *source)
{
	struct switch_stacks *s = switch_stacks_of(source);

	for (unsigned int cpu = 0; cpu < s->nr; cpu++) {
		rs_perf_ring_done(&s->rings[cpu].ring);
		rs_close(&s->rings[cpu].fd);
	}
	free(s->rings);
	free(s);
}

static const struct rs_sample_ops switch_stacks_ops = {
	.next = switch_stacks_next, .known_ns = switch_stacks_known_ns, .offset_ns = switch_stacks_offset_ns,
	.start = switch_stacks_start, .pause = switch_stacks_pause, .stop = switch_stacks_stop,
	.close = switch_stacks_close,
};

/* Returns 0, or -1 with errno set. */
static int switch_stacks_open_cpu(struct switch_stacks *s, unsigned int cpu, struct perf_event_attr *attr,
				  const char *condition)
{
	struct switch_stacks_ring *r = &s->rings[cpu];
	int ret;

	r->fd = (int)syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return errno == ENODEV ? 0 : -1; /* it is offline */
	if (ioctl(r->fd, PERF_EVENT_IOC_SET_FILTER, condition) < 0)
		return -1;
	ret = rs_perf_ring_map(&r->ring, r->fd, SWITCH_STACKS_RING_BYTES, SWITCH_STACKS_LEAST_BYTES);
	errno = -ret;
	return ret < 0 ? -1 : 0;
}

/* 0: the event has none. */
static uint64_t switch_stacks_event_id(const struct rs_instance *in)
{
	char *text = rs_tracefs_read(in->path, "events/sched/sched_switch/id", NULL);
	uint64_t id = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return id;
}

static int switch_stacks_open_all(struct switch_stacks *s, const struct rs_instance *in,
				  const char *condition, bool with_user)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .config = switch_stacks_event_id(in), .size = sizeof attr,
		.sample_period = 1,
		.sample_type = SWITCH_STACKS_TYPE, .sample_id_all = 1, .disabled = 1,
		.exclude_callchain_user = !with_user,
		.use_clockid = 1, .clockid = s->perf_clock,
	};

	errno = ENOENT;
	for (unsigned int cpu = 0; cpu < s->nr; cpu++)
		s->rings[cpu].fd = -1;
	for (unsigned int cpu = 0; attr.config && cpu < s->nr; cpu++)
		if (switch_stacks_open_cpu(s, cpu, &attr, condition) < 0)
			return -1;
	return attr.config ? 0 : -1;
}

struct rs_sample_source *rs_switch_stacks_open(const struct rs_instance *in, const char *condition,
					       bool with_user, struct rs_error *err)
{
	struct switch_stacks *s = calloc(1, sizeof *s);

	if (s)
		s->rings = calloc(in->nr_cpus, sizeof *s->rings);
	if (!s || !s->rings) {
		free(s);
		rs_fail(err, "out of memory");
		return NULL;
	}
	s->source = (struct rs_sample_source){ &switch_stacks_ops,
					       { .nr_rings = in->nr_cpus, .sample_type = SWITCH_STACKS_TYPE,
						 .local = true } };
	s->nr = in->nr_cpus;
	s->perf_clock = CLOCK_MONOTONIC;
	if (!rs_trace_clock_id(in->plan->clock, &s->trace_clock)) {
		rs_fail(err,
			"cannot record stacks: perf has no times in the trace clock '%s' (--clock boot has "
			"them)",
			in->plan->clock);
		switch_stacks_close(&s->source);
		return NULL;
	}
	if (s->trace_clock == CLOCK_MONOTONIC_RAW)
		s->perf_clock = s->trace_clock;
	if (switch_stacks_open_all(s, in, condition, with_user) == 0) {
		RS_LOG(RS_LOG_SOURCE, "perf's callchains at sched_switch, if %s", condition);
		return &s->source;
	}
	rs_fail(err, "cannot record stacks: a perf event of sched_switch: %s (%s)", strerror(errno),
		errno == EACCES || errno == EPERM ?
			"run as root, or with CAP_PERFMON and kernel.perf_event_paranoid at -1" :
			"no perf events on tracepoints in this kernel, or in this container");
	switch_stacks_close(&s->source);
	return NULL;
}
