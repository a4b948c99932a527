// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-info - the description of a live source: formats, clock, kernel, disks; and samples of /proc
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/pidns.h"
#include "base/vector.h"
#include "source/live/cgroup-counts.h"
#include "source/live/cpu-power.h"
#include "source/live/live-reader.h"
#include "source/live/mount-points.h"
#include "source/live/proc.h"
#include "source/live/stacked-disks.h"

/* Owns what source.info points to. */
struct rs_live_owned {
	struct utsname uts;
	char clock[32];
	struct rs_format_text *formats;
	size_t nr_formats;
	struct rs_disk *disks;
	size_t nr_disks;
	struct rs_stacked_disk *stacked;
	struct rs_cpu_power power;
};

static int read_header_page(struct rs_live *l, struct rs_error *err)
{
	const struct rs_instance *in = l->instance;
	const struct rs_text text = { in->header_page, in->header_page_len };
	unsigned int stamp_bytes;

	if (rs_source_header_field(text, "commit", &l->commit_offset, &l->commit_bytes) <= 0 ||
	    (l->commit_bytes != 4 && l->commit_bytes != 8) ||
	    rs_source_header_field(text, "timestamp", &l->stamp_offset, &stamp_bytes) <= 0 ||
	    stamp_bytes != 8)
		return rs_fail(err, "cannot understand '%s/events/header_page': no commit or timestamp in it "
			       "(please report this kernel)", l->instance->path);
	l->source.info.header_page = text;
	l->source.info.header_event = (struct rs_text){ in->header_event, in->header_event_len };
	/* The kernel's long, which a 32-bit program on a 64-bit kernel does not share. */
	l->source.info.long_bytes = l->commit_bytes;
	return 0;
}

static int live_info_read_format(struct rs_live *l, struct rs_live_owned *o, const char *system,
				 const char *name, struct rs_error *err)
{
	struct rs_format_text *f = &o->formats[o->nr_formats];
	char file[256];

	snprintf(file, sizeof file, "events/%s/%s/format", system, name);
	f->text.data = rs_tracefs_read(l->instance->path, file, &f->text.len);
	f->system = strdup(system);
	o->nr_formats++;
	if (!f->text.data || !f->system)
		return rs_fail(err, "cannot read '%s/%s': %s", l->instance->path, file, strerror(errno));
	return 0;
}

/* Of the plan's events, and of the stacks that are recorded with them. */
static int live_info_read_formats(struct rs_live *l, struct rs_live_owned *o, struct rs_error *err)
{
	static const char *const stacks[] = { "kernel_stack", "user_stack" };
	const struct rs_plan *plan = l->instance->plan;
	bool has_stacks = plan->switch_stacks_if;

	o->formats = calloc(plan->nr_events + 2, sizeof *o->formats);
	if (!o->formats)
		return rs_fail(err, "out of memory");
	for (size_t i = 0; i < plan->nr_events; i++) {
		if (!rs_tracefs_has_event(l->instance->path, plan->events[i].system, plan->events[i].name))
			return rs_fail(err, "this kernel has no event %s:%s (see 'ringside list events')",
				       plan->events[i].system, plan->events[i].name);
		if (live_info_read_format(l, o, plan->events[i].system, plan->events[i].name, err) < 0)
			return -1;
		has_stacks |= plan->events[i].stack_if != NULL;
	}
	for (size_t i = 0; has_stacks && i < sizeof stacks / sizeof *stacks; i++)
		if (live_info_read_format(l, o, "ftrace", stacks[i], err) < 0)
			return -1;
	l->source.info.formats = o->formats;
	l->source.info.nr_formats = o->nr_formats;
	return 0;
}

/* "major minor  #blocks  name" and an empty line, then one a line. Without it the disks have numbers only. */
static void live_info_read_disks(struct rs_live *l, struct rs_live_owned *o)
{
	char *text = rs_tracefs_read("/proc", "partitions", NULL);
	size_t room = 0;

	for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
		unsigned int major, minor;
		struct rs_disk disk = { 0 };

		if (sscanf(line, "%u %u %*u %31s", &major, &minor, disk.name) != 3)
			continue;
		if (!RS_VECTOR_RESERVE(&o->disks, &room, o->nr_disks + 1))
			break;
		disk.dev = major << 20 | minor;
		o->disks[o->nr_disks++] = disk;
	}
	free(text);
	rs_mount_points_read(o->disks, o->nr_disks);
	l->source.info.disks = o->disks;
	l->source.info.nr_disks = o->nr_disks;
	l->source.info.stacked = o->stacked = rs_stacked_disks_read("/sys", o->disks, o->nr_disks,
								    &l->source.info.nr_stacked);
}

/* The plan's, or what the instance was born with: "local [boot] mono". */
static void live_info_read_clock(struct rs_live *l, struct rs_live_owned *o)
{
	char *text = l->instance->clock ? NULL : rs_tracefs_read(l->instance->path, "trace_clock", NULL),
	     *at = text ? strchr(text, '[') : NULL;

	if (l->instance->clock)
		snprintf(o->clock, sizeof o->clock, "%s", l->instance->clock);
	else if (at && sscanf(at, "[%31[^]]]", o->clock) != 1)
		o->clock[0] = '\0';
	l->source.info.clock = o->clock[0] ? o->clock : NULL;
	free(text);
	l->has_clock = rs_trace_clock_id(l->source.info.clock, &l->clock);
	if (l->has_clock) {
		l->source.info.realtime_offset_ns = rs_trace_clock_realtime_offset_ns(l->clock);
		l->source.info.realtime_offset_known = true;
	}
}

int rs_live_info_read(struct rs_live *l, struct rs_error *err)
{
	struct rs_live_owned *o = l->owned = calloc(1, sizeof *o);
	struct rs_trace_info *info = &l->source.info;

	if (!o)
		return rs_fail(err, "out of memory");
	info->nr_cpus = l->instance->nr_cpus;
	info->page_bytes = l->instance->page_bytes;
	info->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	info->live = true;
	if (uname(&o->uts) == 0) {
		info->host = o->uts.nodename;
		info->kernel = o->uts.release;
		info->machine = o->uts.machine;
	}
	info->cgroup_root = rs_cgroup_counts_root("/sys/fs/cgroup");
	live_info_read_clock(l, o);
	live_info_read_disks(l, o);
	if (read_header_page(l, err) < 0 || live_info_read_formats(l, o, err) < 0)
		return -1;
	rs_cpu_power_read(&o->power, "/sys", info);
	return 0;
}

void rs_live_info_done(struct rs_live *l)
{
	struct rs_live_owned *o = l->owned;

	if (!o)
		return;
	for (size_t i = 0; i < o->nr_formats; i++) {
		free((char *)o->formats[i].text.data);
		free((char *)o->formats[i].system);
	}
	free(o->formats);
	free(o->disks);
	free(o->stacked);
	rs_cpu_power_done(&o->power);
	free(o);
	l->owned = NULL;
}

/*
 * ---- samples of /proc: at the start, during the capture, and at its end ----
 *
 * During the capture the consumer's thread takes the samples. The main thread takes the last one, when it has
 * ended tracing: the consumer may be behind by then. Each has its own buffer.
 */

#define TASKS_SHARE 40 /* sampling all tasks takes at most 1/TASKS_SHARE of the time */

static const clockid_t *live_info_clock_of(const struct rs_live *l)
{
	return l->has_clock ? &l->clock : NULL;
}

static void live_info_read_tasks(struct rs_live *l, struct rs_live_sample *s)
{
	s->snapshot.nr = 0;
	/* /proc of another PID namespace has other PIDs */
	if (rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&s->snapshot, live_info_clock_of(l), NULL, 0, NULL);
	if (s->snapshot.nr)
		qsort(s->snapshot.row, s->snapshot.nr, sizeof *s->snapshot.row, rs_task_snapshot_compare_tid);
	s->sample.tasks = s->snapshot.row;
	s->sample.nr_tasks = s->snapshot.nr;
}

static void take_gauges(struct rs_live *l, struct rs_live_sample *s)
{
	if (l->samples & RS_SAMPLE_GAUGES)
		rs_proc_gauges(&s->sample.gauges, "/proc", live_info_clock_of(l));
}

/* Sampling ten thousand threads takes 200 ms of CPU time, too much for each second. */
static void take_tasks_sparingly(struct rs_live *l, struct rs_live_sample *s)
{
	uint64_t begin_ns = rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (!(l->samples & RS_SAMPLE_TASKS) || rs_trace_clock_ns(CLOCK_MONOTONIC) < l->tasks_due_ns)
		return;
	live_info_read_tasks(l, s);
	l->tasks_due_ns = rs_trace_clock_ns(CLOCK_MONOTONIC) +
			  TASKS_SHARE * (rs_trace_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
}

void rs_live_first_sample(struct rs_live *l)
{
	if (!(l->samples & RS_SAMPLE_GAUGES))
		return; /* the initial task snapshot is the first sample of tasks */
	rs_proc_gauges(&l->gauges, "/proc", live_info_clock_of(l));
	l->source.info.gauges = &l->gauges;
}

void rs_live_last_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples || atomic_load(&l->has_last))
		return;
	if (l->samples & RS_SAMPLE_TASKS)
		live_info_read_tasks(l, &l->last);
	take_gauges(l, &l->last);
	atomic_store(&l->has_last, true);
}

const struct rs_proc_sample *rs_live_sample(struct rs_source *source)
{
	struct rs_live *l = (struct rs_live *)source;

	if (!l->samples)
		return NULL;
	if (atomic_load(&l->has_last))
		return &l->last.sample;
	take_tasks_sparingly(l, &l->now);
	take_gauges(l, &l->now);
	return &l->now.sample;
}

void rs_live_samples_done(struct rs_live *l)
{
	rs_task_snapshot_done(&l->now.snapshot);
	rs_task_snapshot_done(&l->last.snapshot);
}
