// SPDX-License-Identifier: GPL-2.0-or-later
/* instance-plan - applies a plan to an instance: CPUs, options, buffers, clock, events and their filters */
#include "tracefs/tracefs-file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/close.h"
#include "base/log.h"
#include "base/memory-watch.h"
#include "base/own-name.h"
#include "base/thread.h"

int rs_instance_plan_parse_cpus(const char *list, unsigned char *listed, unsigned int nr_cpus,
				struct rs_error *err)
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

/* The list is checked first, so that an error names the CPU. */
static int instance_plan_set_cpus(const struct rs_instance *in, const struct rs_plan *plan,
				  struct rs_error *err)
{
	unsigned char *listed = calloc(in->nr_cpus, 1);
	int ret = listed ? rs_instance_plan_parse_cpus(plan->cpus, listed, in->nr_cpus, err)
			 : rs_fail(err, "out of memory");

	free(listed);
	if (!ret && tracefs_instance_set_affinity(in->tracefs, plan->cpus) < 0)
		ret = rs_fail(err, "cannot limit tracing to CPUs %s: %s", plan->cpus, strerror(errno));
	return ret;
}

/*
 * A new instance inherits these from the global buffer. With overwrite the kernel marks losses in the pages,
 * and mostly counts them; without it new events are dropped and the pages look whole. The others would add
 * events that are not read.
 */
static const struct { enum tracefs_option_id id; bool on; } options[] = {
	{ TRACEFS_OPTION_OVERWRITE, true },
	{ TRACEFS_OPTION_RECORD_CMD, false },
	{ TRACEFS_OPTION_RECORD_TGID, false },
	{ TRACEFS_OPTION_STACKTRACE, false },
	{ TRACEFS_OPTION_FUNCTION_FORK, false },
};

/* An option that this kernel lacks is off: the result is ignored. */
static int set_option(const struct rs_instance *in, enum tracefs_option_id id, bool on)
{
	int ret;

	errno = 0;
	ret = on ? tracefs_option_enable(in->tracefs, id) : tracefs_option_disable(in->tracefs, id);
	rs_memory_library_failed();
	return ret;
}

static int set_tids(const struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err)
{
	struct rs_buf tids = RS_BUF_INIT;
	int ret;

	/* The kernel then adds what a listed task forks, and drops what exits. */
	ret = set_option(in, TRACEFS_OPTION_EVENT_FORK, plan->nr_tids > 0) < 0 ? -errno : 0;
	if (!plan->nr_tids)
		return 0;
	for (size_t i = 0; i < plan->nr_tids; i++)
		rs_buf_printf(&tids, "%d ", (int)plan->tids[i]);
	if (!ret)
		ret = tids.failed ? -ENOMEM : rs_tracefs_file_write(in->tracefs, "set_event_pid", tids.data);
	rs_buf_done(&tids);
	return ret ? rs_fail(err, "cannot limit events to %zu threads: %s", plan->nr_tids, strerror(-ret))
		   : 0;
}

static int set_buffer(const struct rs_instance *in, unsigned int kib, struct rs_error *err)
{
	if (!kib || tracefs_instance_set_buffer_size(in->tracefs, kib, -1) >= 0)
		return 0;
	if (errno == ENOMEM)
		return rs_fail(err, "no memory for buffers of %u KiB for each CPU (ask for less with -b)",
			       kib);
	return rs_fail(err, "cannot make buffers of %u KiB for each CPU: %s", kib, strerror(errno));
}

/* Absent before 5.0: then a reader is woken by the first event, and paces itself. */
static int set_buffer_percent(const struct rs_instance *in, unsigned int percent, struct rs_error *err)
{
	char text[16];
	int ret;

	if (!rs_tracefs_file_exists(in->path, "buffer_percent"))
		return 0;
	snprintf(text, sizeof text, "%u", percent);
	ret = rs_tracefs_file_write(in->tracefs, "buffer_percent", text);
	return ret ? rs_fail(err, "cannot write %u to '%s/buffer_percent': %s", percent, in->path,
			     strerror(-ret)) :
		     0;
}

int rs_instance_plan_apply(const struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err)
{
	if (set_buffer(in, plan->buffer_kib, err) < 0 ||
	    set_buffer_percent(in, plan->buffer_percent, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		set_option(in, options[i].id, options[i].on);
	/* not every architecture has it: then programs have no stacks */
	set_option(in, TRACEFS_OPTION_USERSTACKTRACE, plan->user_stacks && !plan->switch_stacks_if);
	if (plan->cpus && instance_plan_set_cpus(in, plan, err) < 0)
		return -1;
	return set_tids(in, plan, err);
}

/* ---- the clock ---- */

/*
 * Does not use rs_tracefs_file_write: the write takes tens of milliseconds, and a command may be launched
 * meanwhile.
 */
static void *write_clock(void *arg)
{
	struct rs_instance *in = arg;
	int fd = rs_tracefs_file_open(in->tracefs, "trace_clock", O_WRONLY);

	in->clock_failed = fd < 0 ? fd : rs_tracefs_file_write_fd(fd, in->clock);
	rs_close(&fd);
	return NULL;
}

static bool clock_is_set(const struct rs_instance *in)
{
	char *now = tracefs_get_clock(in->tracefs);
	bool is = now && !strcmp(now, in->clock);

	free(now);
	return is;
}

int rs_instance_plan_begin_clock(struct rs_instance *in, const char *clock, struct rs_error *err)
{
	int failed;

	in->clock = clock;
	if (!clock || clock_is_set(in))
		return 0;
	failed = rs_thread_begin(&in->clock_writer, 0, write_clock, in);
	if (failed)
		return rs_fail(err, "cannot make a thread: %s", rs_thread_why(failed));
	in->clock_is_due = true;
	return 0;
}

static int fail_unknown_clock(const struct rs_instance *in, struct rs_error *err)
{
	char *clocks = rs_tracefs_read(in->path, "trace_clock", NULL);

	rs_fail_usage(err, "this kernel has no trace clock '%s' (it has: %.*s)", in->clock,
		      clocks ? (int)strcspn(clocks, "\n") : 0, clocks ? clocks : "");
	free(clocks);
	return -1;
}

int rs_instance_await_clock(struct rs_instance *in, struct rs_error *err)
{
	if (in->clock_is_due)
		pthread_join(in->clock_writer, NULL);
	in->clock_is_due = false;
	if (in->clock_failed == -EINVAL)
		return fail_unknown_clock(in, err);
	if (in->clock_failed)
		return rs_fail(err, "cannot set the trace clock '%s': %s", in->clock,
			       strerror(-in->clock_failed));
	return 0;
}

/* ---- filters, and the start ---- */

/* The last "error: ..." of the kernel's log of refused commands, with its caret line left out. */
static void explain_refusal(const struct rs_instance *in, char *text, size_t size)
{
	char *log = tracefs_error_last(in->tracefs), *last = NULL;

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
			rs_buf_printf(b, "(common_pid > %d || common_pid < %d)", (int)own[end - 1],
				      (int)own[i]);
	}
}

/*
 * The kernel evaluates this for each event, from left to right: 3 ns a comparison. A task that is younger
 * than all of our threads, such as those of the launched command, or older, needs one or two; a comparison
 * with each thread cost a storm twice as much. own is sorted.
 */
static void print_filter(struct rs_buf *b, const char *filter, const pid_t *own, size_t nr)
{
	if (filter)
		rs_buf_printf(b, nr ? "(%s) && " : "%s", filter);
	if (nr && filter)
		rs_buf_puts(b, "(");
	if (nr)
		rs_buf_printf(b, "common_pid > %d || common_pid < %d", (int)own[nr - 1], (int)own[0]);
	if (nr && (size_t)(own[nr - 1] - own[0]) >= nr) { /* others are in between */
		rs_buf_puts(b, " || (");
		print_others(b, own, nr);
		rs_buf_puts(b, ")");
	}
	if (nr && filter)
		rs_buf_puts(b, ")");
}

/*
 * Sessions trace each other's reads: beyond a dozen sessions this feedback outgrows the load. So a session
 * that begins beside others filters the events of every ringside. The first one needs no filter: none of the
 * others traces it. A session makes its instance before it looks for others, so that of two that begin at
 * once at least one sees the other.
 */
static bool is_beside_others(void)
{
	char **instances = tracefs_instances(NULL); /* of a pattern 1.6.4 frees nothing */
	unsigned int nr = 0;

	for (char **name = instances; name && *name; name++)
		nr += rs_own_name(*name);
	tracefs_list_free(instances);
	return nr > 1;
}

static int fail_event(struct rs_error *err, const struct rs_plan_event *ev, const char *doing, int errnum)
{
	if (errnum == ENOENT)
		return rs_fail(err, "this kernel has no event %s:%s (see 'ringside list events')",
			       ev->system, ev->name);
	return rs_fail(err, "cannot %s event %s:%s: %s", doing, ev->system, ev->name, strerror(errnum));
}

/* 0 or a positive errno. */
static int write_event_file(const struct rs_instance *in, const struct rs_plan_event *ev, const char *file,
			    const char *text)
{
	errno = ENOMEM;
	return tracefs_event_file_write(in->tracefs, ev->system, ev->name, file, text) < 0 ? errno : 0;
}

/* The threads whose work is filtered from the events that such work fires. */
struct own_work {
	pid_t *tids;   /* sorted */
	size_t nr_tids;
	bool beside;   /* other ringsides', too */
};

static void event_filter(struct rs_buf *b, const struct rs_plan_event *ev, const struct own_work *own)
{
	bool by_name = own->beside && ev->skip_ringsides;
	struct rs_buf first = RS_BUF_INIT;

	if (by_name && ev->filter && strcmp(ev->filter, RS_OWN_NAME_FILTER) != 0)
		rs_buf_printf(&first, "(%s) && ", ev->filter);
	if (by_name)
		rs_buf_puts(&first, RS_OWN_NAME_FILTER);
	print_filter(b, by_name ? first.data : ev->filter, own->tids, ev->skip_own ? own->nr_tids : 0);
	b->failed |= first.failed;
	rs_buf_done(&first);
}

static int write_filter(struct rs_instance *in, size_t event, const struct own_work *own,
			struct rs_error *err)
{
	const struct rs_plan_event *ev = &in->plan->events[event];
	struct rs_buf filter = RS_BUF_INIT;
	char why[160];
	int errnum = 0;

	event_filter(&filter, ev, own);
	if (filter.failed)
		errnum = ENOMEM;
	else if (filter.len)
		errnum = write_event_file(in, ev, "filter", filter.data);
	if (filter.len)
		RS_LOG(RS_LOG_TRACEFS, "event %s:%s, filter '%s': %s", ev->system, ev->name, filter.data,
		       errnum ? strerror(errnum) : "set");
	if (errnum == EINVAL || errnum == E2BIG) {
		explain_refusal(in, why, sizeof why);
		rs_fail(err, "the kernel refuses the filter '%.160s' for %s:%s: %s", filter.data,
			ev->system, ev->name, *why ? why : strerror(errnum));
	} else if (errnum) {
		fail_event(err, ev, "filter", errnum);
	} else if (ev->stack_if) {
		errnum = rs_stack_triggers_add(in, event, filter.len ? filter.data : "", err);
	}
	rs_buf_done(&filter);
	return errnum ? -1 : 0;
}

static int write_filters(struct rs_instance *in, const struct rs_plan *plan, const pid_t *own_tids,
			 size_t nr_own_tids, struct rs_error *err)
{
	struct own_work own = {
		.tids = calloc(nr_own_tids + 1, sizeof *own.tids), .nr_tids = nr_own_tids,
		.beside = is_beside_others(),
	};
	int ret = own.tids ? 0 : rs_fail(err, "cannot write filters: out of memory");

	if (own.tids && nr_own_tids) {
		memcpy(own.tids, own_tids, nr_own_tids * sizeof *own.tids);
		qsort(own.tids, nr_own_tids, sizeof *own.tids, by_number);
	}
	for (size_t i = 0; !ret && i < plan->nr_events; i++)
		ret = write_filter(in, i, &own, err);
	free(own.tids);
	return ret;
}

int rs_instance_start(struct rs_instance *in, const struct rs_plan *plan,
		      const pid_t *own_tids, size_t nr_own_tids, struct rs_error *err)
{
	if (rs_instance_await_clock(in, err) < 0 || write_filters(in, plan, own_tids, nr_own_tids, err) < 0)
		return -1;
	/*
	 * An "enable" file each: writing set_event was measured to take twice as long, and
	 * tracefs_event_enable walks all folders of events/ for each event, as it takes patterns.
	 */
	for (size_t i = 0; i < plan->nr_events; i++) {
		int errnum = write_event_file(in, &plan->events[i], "enable", "1");

		if (errnum)
			RS_LOG(RS_LOG_TRACEFS, "event %s:%s is refused: %s", plan->events[i].system,
			       plan->events[i].name, strerror(errnum));
		if (errnum)
			return fail_event(err, &plan->events[i], "enable", errnum);
	}
	if (rs_tracing_settings_watch(in, err) < 0)
		return -1;
	if (write(in->tracing_on_fd, "1", 1) != 1)
		return rs_fail(err, "cannot turn tracing on in '%s': %s", in->path, strerror(errno));
	return 0;
}
