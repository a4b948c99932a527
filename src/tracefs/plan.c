// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracefs/plan.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "tracefs/file.h"

int rs_cpu_list_parse(const char *list, unsigned char *listed, unsigned int nr_cpus, struct rs_error *err)
{
	const char *at = list;

	memset(listed, !list, nr_cpus);
	while (at) {
		unsigned long first, last;
		char *end;

		first = last = strtoul(at, &end, 10);
		if (isdigit((unsigned char)*at) && *end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (!isdigit((unsigned char)*at) || (*end && *end != ',') || last < first)
			return rs_fail_usage(err, "CPU list '%s': not a list of CPUs (write it as 0,2-3)",
					     list);
		if (last >= nr_cpus)
			return rs_fail_usage(err,
					     "CPU list '%s': there is no CPU %lu (this machine has 0-%u)",
					     list, last, nr_cpus - 1);
		memset(listed + first, 1, last - first + 1);
		at = *end ? end + 1 : NULL;
	}
	return 0;
}

/* The kernel's bitmap format: groups of 32 bits in hex, the highest first, commas between. */
static void print_cpu_mask(struct rs_buf *b, const unsigned char *listed, unsigned int nr_cpus)
{
	for (unsigned int group = (nr_cpus + 31) / 32; group-- > 0;) {
		uint32_t bits = 0;

		for (unsigned int i = 0; i < 32 && group * 32 + i < nr_cpus; i++)
			bits |= (uint32_t)listed[group * 32 + i] << i;
		rs_buf_printf(b, "%08x%s", bits, group ? "," : "");
	}
}

static int set_cpus(const char *path, const struct rs_plan *plan, unsigned int nr_cpus, struct rs_error *err)
{
	unsigned char *listed = calloc(nr_cpus, 1);
	struct rs_buf mask = RS_BUF_INIT;
	int ret = listed ? rs_cpu_list_parse(plan->cpus, listed, nr_cpus, err)
			 : rs_fail(err, "out of memory");

	if (!ret) {
		print_cpu_mask(&mask, listed, nr_cpus);
		ret = rs_file_write(path, "tracing_cpumask", mask.data);
		if (ret)
			ret = rs_fail(err, "cannot limit tracing to CPUs %s: %s", plan->cpus, strerror(-ret));
	}
	rs_buf_done(&mask);
	free(listed);
	return ret;
}

/*
 * What a new instance inherits from the global buffer's present settings, and
 * what it must be. overwrite: only where the writer overwrites does it mark the
 * loss in the pages, where and mostly how many; with overwrite off, new events
 * are dropped and the pages look whole. The others would add events or work
 * that nobody here reads.
 */
static const struct { const char *option, *value; } options[] = {
	{ "options/overwrite", "1" },
	{ "options/record-cmd", "0" },
	{ "options/record-tgid", "0" },
	{ "options/stacktrace", "0" },
	{ "options/userstacktrace", "0" },
	{ "options/function-fork", "0" },
};

static int set_tids(const char *path, const struct rs_plan *plan, struct rs_error *err)
{
	struct rs_buf tids = RS_BUF_INIT;
	int ret;

	/* The kernel then adds what a listed task forks, and drops what exits. */
	ret = rs_file_write(path, "options/event-fork", plan->nr_tids ? "1" : "0");
	if (!plan->nr_tids)
		return 0;
	for (size_t i = 0; i < plan->nr_tids; i++)
		rs_buf_printf(&tids, "%d ", (int)plan->tids[i]);
	if (!ret)
		ret = tids.failed ? -ENOMEM : rs_file_write(path, "set_event_pid", tids.data);
	rs_buf_done(&tids);
	return ret ? rs_fail(err, "cannot limit events to %zu threads: %s", plan->nr_tids, strerror(-ret))
		   : 0;
}

static int set_number(const char *path, const char *file, unsigned int number, struct rs_error *err)
{
	char text[16], *now = rs_tracefs_read(path, file, NULL);
	bool same = now && strtoul(now, NULL, 10) == number && number;
	int ret = 0;

	free(now);
	snprintf(text, sizeof text, "%u", number);
	if (!same)
		ret = rs_file_write(path, file, text);
	if (ret == -ENOMEM)
		return rs_fail(err, "no memory for buffers of %u KiB for each CPU (ask for less with -b)",
			       number);
	return ret ? rs_fail(err, "cannot write %u to '%s/%s': %s", number, path, file, strerror(-ret)) : 0;
}

int rs_plan_apply(const char *path, const struct rs_plan *plan, unsigned int nr_cpus, struct rs_error *err)
{
	if (plan->buffer_kib && set_number(path, "buffer_size_kb", plan->buffer_kib, err) < 0)
		return -1;
	/* Absent before 5.0: then a reader is woken by the first event, and paces itself. */
	if (rs_file_exists(path, "buffer_percent") &&
	    set_number(path, "buffer_percent", plan->buffer_percent, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		rs_file_write(path, options[i].option, options[i].value); /* one that is absent is off */
	if (plan->cpus && set_cpus(path, plan, nr_cpus, err) < 0)
		return -1;
	return set_tids(path, plan, err);
}

/* The last "error: ..." of the kernel's log of refused commands, with its caret line left out. */
static void explain_refusal(const char *path, char *text, size_t size)
{
	char *log = rs_tracefs_read(path, "error_log", NULL), *last = NULL;

	for (char *at = log; at && (at = strstr(at, "error: ")); at++)
		last = at + 7;
	snprintf(text, size, "%.*s", last ? (int)strcspn(last, "\n") : 0, last ? last : "");
	free(log);
}

static int by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* "and none of these": threads that were made in a row are one range, of two comparisons. */
static void print_others(struct rs_buf *b, const pid_t *own, size_t nr)
{
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && own[end] <= own[end - 1] + 1; end++)
			;
		rs_buf_puts(b, i ? " && " : "");
		if (own[i] == own[end - 1])
			rs_buf_printf(b, "common_pid != %d", (int)own[i]);
		else
			rs_buf_printf(b, "(common_pid > %d || common_pid < %d)", (int)own[end - 1], (int)own[i]);
	}
}

/*
 * The kernel evaluates this for each event, from left to right until it knows:
 * 3 ns a comparison. Whoever is younger than all of our threads, such as what
 * we launched makes, or older, needs one or two; a comparison with each of them
 * cost a storm twice as much. own is sorted.
 */
static void print_filter(struct rs_buf *b, const struct rs_plan_event *ev, const pid_t *own, size_t nr_own)
{
	size_t nr = ev->skip_own ? nr_own : 0;

	if (ev->filter)
		rs_buf_printf(b, nr ? "(%s) && " : "%s", ev->filter);
	if (nr && ev->filter)
		rs_buf_puts(b, "(");
	if (nr)
		rs_buf_printf(b, "common_pid > %d || common_pid < %d", (int)own[nr - 1], (int)own[0]);
	if (nr && (size_t)(own[nr - 1] - own[0]) >= nr) { /* others are in between */
		rs_buf_puts(b, " || (");
		print_others(b, own, nr);
		rs_buf_puts(b, ")");
	}
	if (nr && ev->filter)
		rs_buf_puts(b, ")");
}

static int fail_event(struct rs_error *err, const struct rs_plan_event *ev, const char *doing, int errnum)
{
	if (errnum == ENOENT)
		return rs_fail(err, "this kernel has no event %s:%s (see 'ringside list events')",
			       ev->system, ev->name);
	return rs_fail(err, "cannot %s event %s:%s: %s", doing, ev->system, ev->name, strerror(errnum));
}

static int write_filter(const struct rs_instance *in, const struct rs_plan_event *ev,
			const pid_t *own, size_t nr_own, struct rs_error *err)
{
	struct rs_buf filter = RS_BUF_INIT;
	char file[128], why[160];
	int errnum = 0;

	print_filter(&filter, ev, own, nr_own);
	snprintf(file, sizeof file, "events/%s/%s/filter", ev->system, ev->name);
	if (filter.failed)
		errnum = ENOMEM;
	else if (filter.len)
		errnum = -rs_file_write(in->path, file, filter.data);
	if (errnum == EINVAL || errnum == E2BIG) {
		explain_refusal(in->path, why, sizeof why);
		rs_fail(err, "the kernel refuses the filter '%.160s' for %s:%s: %s", filter.data,
			ev->system, ev->name, *why ? why : strerror(errnum));
	} else if (errnum) {
		fail_event(err, ev, "filter", errnum);
	}
	rs_buf_done(&filter);
	return errnum ? -1 : 0;
}

static int write_filters(const struct rs_instance *in, const struct rs_plan *plan, const pid_t *own_tids,
			 size_t nr_own_tids, struct rs_error *err)
{
	pid_t *own = calloc(nr_own_tids + 1, sizeof *own);
	int ret = own ? 0 : rs_fail(err, "cannot write filters: out of memory");

	if (own && nr_own_tids) {
		memcpy(own, own_tids, nr_own_tids * sizeof *own);
		qsort(own, nr_own_tids, sizeof *own, by_number);
	}
	for (size_t i = 0; !ret && i < plan->nr_events; i++)
		ret = write_filter(in, &plan->events[i], own, nr_own_tids, err);
	free(own);
	return ret;
}

int rs_instance_start(struct rs_instance *in, const struct rs_plan *plan,
		      const pid_t *own_tids, size_t nr_own_tids, struct rs_error *err)
{
	if (rs_instance_await_clock(in, err) < 0 || write_filters(in, plan, own_tids, nr_own_tids, err) < 0)
		return -1;
	/* An "enable" file each: writing set_event was measured to take twice as long. */
	for (size_t i = 0; i < plan->nr_events; i++) {
		const struct rs_plan_event *ev = &plan->events[i];
		char file[128];
		int ret;

		snprintf(file, sizeof file, "events/%s/%s/enable", ev->system, ev->name);
		ret = rs_file_write(in->path, file, "1");
		if (ret)
			return fail_event(err, ev, "enable", -ret);
	}
	if (write(in->tracing_on_fd, "1", 1) != 1)
		return rs_fail(err, "cannot turn tracing on in '%s': %s", in->path, strerror(errno));
	return 0;
}
