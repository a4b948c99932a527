// SPDX-License-Identifier: GPL-2.0-or-later
/* budget - what the capture costs the machine, and whether that is more than it may (--max-overhead) */
#include "capture/budget.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/vector.h"
#include "source/trace-clock.h"

#define BUDGET_NR_WRITES 500
#define BUDGET_NR_ROUNDS 5
#define BUDGET_OVER 3 /* intervals over the limit before it warns: one busy second is no reason to complain \
		       */
#define BUDGET_UNDER \
	30 /* intervals within it before the warning goes: a load that comes and goes would flicker */
#define BUDGET_OTHER 5   /* intervals in which others cost clearly more than the events that are named */
#define BUDGET_NONE SIZE_MAX
#define BUDGET_SELF_NS 1000000000ull

/* ---- what an event costs ---- */

/*
 * A write to trace_marker makes an event of a usual size as all events are made: reserve, stamp, copy,
 * commit. The same write with tracing off does all but that; the difference is the event's cost. The two
 * events of a system call are measured directly: with them it takes the kernel's slow path. Other tracepoints
 * may cost more (names that are copied).
 */
static void budget_write_markers(int fd)
{
	static const char text[] = "what an event costs is measured";

	for (int i = 0; i < BUDGET_NR_WRITES; i++)
		(void)!write(fd, text,
			     sizeof text - 1); /* with tracing off: EBADF, after the same way there */
}

static void budget_make_calls(int ignored)
{
	for (int i = 0; i < BUDGET_NR_WRITES; i++)
		syscall(SYS_getppid);
}

/* CPU time of a round, the least of some: others' interrupts and a cold cache only add. */
static uint64_t budget_time_rounds(void (*round)(int fd), int fd)
{
	uint64_t least_ns = UINT64_MAX;

	for (int i = 0; i < BUDGET_NR_ROUNDS; i++) {
		uint64_t begin_ns = rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID), ns;

		round(fd);
		ns = rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns;
}

static uint64_t budget_measure_events(struct rs_instance *in)
{
	int fd = rs_instance_open_marker(in);
	uint64_t off_ns, on_ns;
	bool is_written;

	if (fd < 0)
		return 0;
	off_ns = budget_time_rounds(budget_write_markers, fd);
	rs_instance_pause(in, false);
	on_ns = budget_time_rounds(budget_write_markers, fd);
	is_written = write(fd, "", 1) > 0;
	rs_instance_pause(in, true);
	close(fd);
	return is_written && on_ns > off_ns ? (on_ns - off_ns) / BUDGET_NR_WRITES : 0;
}

/* Returns whether the plan has any. */
static bool budget_turn_calls(struct rs_instance *in, bool on)
{
	bool found = false;

	for (size_t i = 0; i < in->plan->nr_events; i++)
		if (!strcmp(in->plan->events[i].system, "raw_syscalls"))
			found |= rs_instance_event(in, i, on) == 0;
	return found;
}

/* Everybody's calls are traced for these few milliseconds, as they soon will be. */
static uint64_t budget_measure_calls(struct rs_instance *in)
{
	uint64_t off_ns, on_ns;

	if (!budget_turn_calls(in, false))
		return 0;
	off_ns = budget_time_rounds(budget_make_calls, -1);
	rs_instance_pause(in, false);
	budget_turn_calls(in, true);
	on_ns = budget_time_rounds(budget_make_calls, -1);
	budget_turn_calls(in, false);
	rs_instance_pause(in, true);
	return on_ns > off_ns ? (on_ns - off_ns) / BUDGET_NR_WRITES / 2 : 0;
}

void rs_budget_measure(struct rs_instance *in, struct rs_budget_costs *costs)
{
	costs->event_ns = budget_measure_events(in);
	costs->call_ns = budget_measure_calls(in);
	rs_instance_clear(in);
}

/* ---- events ---- */

void rs_budget_init(struct rs_budget *b, unsigned int max_milli, unsigned int nr_cpus, uint64_t event_cost_ns)
{
	*b = (struct rs_budget){
		.max_milli = max_milli, .nr_cpus = nr_cpus ? nr_cpus : 1, .named = BUDGET_NONE,
		.event_cost_ns = event_cost_ns ? event_cost_ns : RS_EVENT_COST_NS,
		.measured = event_cost_ns > 0,
	};
}

void rs_budget_done(struct rs_budget *b)
{
	for (size_t i = 0; i < b->nr_events; i++)
		free(b->events[i].name);
	free(b->events);
}

/*
 * Returns the length of the name's part that its group shares. Events that begin, continue and end one thing
 * are turned off together: half of a pair is useless. They differ in their last word: softirq_raise,
 * softirq_entry, softirq_exit.
 */
static size_t budget_stem_len(const char *name)
{
	static const char *const moments[] = {
		"enter", "exit", "entry", "begin", "end", "start", "done", "raise", "insert", "issue",
		"complete",
		"requeue", "merge", "alloc", "free",
	};
	const char *last = strrchr(name, '_');

	for (size_t i = 0; last && i < sizeof moments / sizeof *moments; i++)
		if (!strcmp(last + 1, moments[i]))
			return (size_t)(last - name);
	return strlen(name);
}

static size_t budget_find_group(const struct rs_budget *b, const char *name)
{
	size_t len = budget_stem_len(name);

	for (size_t i = 0; i < b->nr_events; i++)
		if (budget_stem_len(b->events[i].name) == len && !strncmp(b->events[i].name, name, len))
			return i;
	return b->nr_events;
}

int rs_budget_add(struct rs_budget *b, const char *name, uint64_t cost_ns, struct rs_error *err)
{
	struct rs_budget_event event = {
		.name = strdup(name), .group = budget_find_group(b, name),
		.cost_ns = cost_ns ? cost_ns : b->event_cost_ns,
	};

	if (!event.name || !RS_VECTOR_RESERVE(&b->events, &b->events_room, b->nr_events + 1)) {
		free(event.name);
		return rs_fail(err, "cannot watch over the costs: out of memory");
	}
	b->events[b->nr_events++] = event;
	return 0;
}

void rs_budget_limit(struct rs_budget *b, unsigned int max_milli)
{
	b->max_milli = max_milli;
	b->nr_over = b->nr_under = 0;
}

void rs_budget_count(struct rs_budget *b, size_t event, uint64_t nr_so_far)
{
	if (event < b->nr_events)
		b->events[event].nr = nr_so_far;
}

/* ---- a check ---- */

/* A sum that decreases, because a session began anew, counts as unchanged. */
static uint64_t budget_growth(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t budget_per_second(uint64_t nr, uint64_t ns)
{
	return ns ? (uint64_t)((unsigned __int128)nr * 1000000000 / ns) : 0;
}

static unsigned int budget_milli(uint64_t ns, uint64_t interval_ns)
{
	uint64_t milli = budget_per_second(ns, interval_ns) / 1000000;

	return milli < UINT32_MAX ? (unsigned int)milli : UINT32_MAX;
}

/* What was lost is shared out as what was seen: the kernel does not tell which events these were. */
static void budget_rate(struct rs_budget *b, const struct rs_budget_sums *sums)
{
	uint64_t interval_ns = budget_growth(sums->now_ns, b->before.now_ns),
		 lost = budget_growth(sums->nr_lost, b->before.nr_lost);
	uint64_t seen = 0, all_ns = 0;

	for (size_t i = 0; i < b->nr_events; i++)
		seen += budget_growth(b->events[i].nr, b->events[i].nr_before);
	for (size_t i = 0; i < b->nr_events; i++) {
		struct rs_budget_event *e = &b->events[i];
		uint64_t nr = budget_growth(e->nr, e->nr_before);

		nr += seen ? (uint64_t)((unsigned __int128)nr * lost / seen) : 0;
		e->per_s = budget_per_second(nr, interval_ns);
		all_ns += nr * e->cost_ns;
	}
	b->events_milli = budget_milli(seen ? all_ns : lost * b->event_cost_ns, interval_ns);
	b->own_milli = budget_milli(budget_growth(sums->own_cpu_ns, b->before.own_cpu_ns), interval_ns);
}

/* Returns what a group costs, in ns a second. */
static uint64_t budget_group_cost(const struct rs_budget *b, size_t group, uint64_t *per_s)
{
	uint64_t cost_ns = 0;

	*per_s = 0;
	for (size_t i = group; i < b->nr_events; i++)
		if (b->events[i].group == group) {
			*per_s += b->events[i].per_s;
			cost_ns += b->events[i].per_s * b->events[i].cost_ns;
		}
	return cost_ns;
}

static size_t budget_most_expensive(const struct rs_budget *b)
{
	uint64_t most_ns = 0, per_s;
	size_t most = BUDGET_NONE;

	for (size_t i = 0; i < b->nr_events; i++) {
		uint64_t cost_ns = b->events[i].group == i ? budget_group_cost(b, i, &per_s) : 0;

		if (cost_ns > most_ns) {
			most = i;
			most_ns = cost_ns;
		}
	}
	return most;
}

/* It stays with those that it named until others cost a third more, and not only for a moment. */
static size_t budget_group_to_name(struct rs_budget *b)
{
	size_t most = budget_most_expensive(b);
	uint64_t per_s;
	bool other = b->named != BUDGET_NONE && most != BUDGET_NONE &&
		     budget_group_cost(b, b->named, &per_s) <= budget_group_cost(b, most, &per_s) / 4 * 3;

	b->nr_other = other ? b->nr_other + 1 : 0;
	return b->named != BUDGET_NONE && b->nr_other < BUDGET_OTHER ? b->named : most;
}

/* Thousandths of one CPU in percent of the machine: "1.25". */
static void budget_put_percent(const struct rs_budget *b, unsigned int milli, char text[16])
{
	uint64_t hundredths = (uint64_t)milli * 10 / b->nr_cpus;

	snprintf(text, 16, "%" PRIu64 ".%02u", hundredths / 100, (unsigned int)(hundredths % 100));
}

/* Each event of a group, with what stands before and after it. */
static void budget_list_group(const struct rs_budget *b, size_t group, const char *between, const char *after,
			      char *text, size_t size)
{
	size_t len = 0;

	*text = '\0';
	for (size_t i = group; i < b->nr_events && len < size; i++)
		if (b->events[i].group == group)
			len += (size_t)snprintf(text + len, size - len, "%s%s%s", i == group ? "" : between,
						b->events[i].name, after);
}

static void budget_warn(struct rs_budget *b, size_t group)
{
	char all[16], own[16], events[16], names[320], turned[320];
	uint64_t per_s;

	budget_group_cost(b, group, &per_s);
	budget_put_percent(b, b->own_milli + b->events_milli, all);
	budget_put_percent(b, b->own_milli, own);
	budget_put_percent(b, b->events_milli, events);
	budget_list_group(b, group, ", ", "", names, sizeof names);
	budget_list_group(b, group, " ", "=off", turned, sizeof turned);
	snprintf(b->warning, sizeof b->warning,
		 "costs %s %% of the machine (ringside %s, events %s), over the %u.%u %% of --max-overhead: "
		 "most of it is "
		 "%s, %" PRIu64 " a second (ringside trace set %s)",
		 all, own, events, b->max_milli / 10, b->max_milli % 10, names, per_s, turned);
}

static void budget_judge(struct rs_budget *b)
{
	bool over = b->max_milli &&
		    (uint64_t)b->own_milli + b->events_milli > (uint64_t)b->max_milli * b->nr_cpus;
	size_t group;

	b->nr_over = over ? b->nr_over + 1 : 0;
	b->nr_under = over ? 0 : b->nr_under + 1;
	group = budget_group_to_name(b);
	if (over && group != BUDGET_NONE && (b->nr_over >= BUDGET_OVER || b->named != BUDGET_NONE)) {
		b->nr_other = group == b->named ? b->nr_other : 0;
		b->named = group;
		budget_warn(b, group);
	} else if (!b->max_milli || b->nr_under >= BUDGET_UNDER) {
		b->named = BUDGET_NONE;
	}
}

bool rs_budget_check(struct rs_budget *b, const struct rs_budget_sums *sums)
{
	size_t named = b->named;

	if (b->before.now_ns) { /* sums since the beginning of the world are no rate */
		budget_rate(b, sums);
		budget_judge(b);
	}
	b->before = *sums;
	for (size_t i = 0; i < b->nr_events; i++)
		b->events[i].nr_before = b->events[i].nr;
	return b->named != named;
}

const char *rs_budget_warning(const struct rs_budget *b)
{
	return b->named != BUDGET_NONE ? b->warning : NULL;
}

/* ---- this process ---- */

uint64_t rs_budget_own_cpu_ns(void)
{
	return rs_trace_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void rs_budget_self_init(struct rs_budget_self *self)
{
	*self = (struct rs_budget_self){
		.statm_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC),
		.wall_ns = rs_trace_clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = rs_budget_own_cpu_ns(),
	};
}

void rs_budget_self_done(struct rs_budget_self *self)
{
	rs_close(&self->statm_fd);
}

uint64_t rs_budget_self_cpu_milli(struct rs_budget_self *self)
{
	uint64_t wall_ns = rs_trace_clock_ns(CLOCK_MONOTONIC), cpu_ns;

	if (wall_ns - self->wall_ns < BUDGET_SELF_NS)
		return self->cpu_milli;
	cpu_ns = rs_budget_own_cpu_ns();
	self->cpu_milli = (cpu_ns - self->cpu_ns) * 1000 / (wall_ns - self->wall_ns);
	self->wall_ns = wall_ns;
	self->cpu_ns = cpu_ns;
	return self->cpu_milli;
}

uint64_t rs_budget_self_rss_bytes(const struct rs_budget_self *self)
{
	char text[128] = "", *resident;

	if (self->statm_fd < 0 || pread(self->statm_fd, text, sizeof text - 1, 0) <= 0)
		return 0;
	resident = strchr(text, ' ');
	return resident ? strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
