// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-info - the description of a live source: formats, clock, kernel, disks
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/vector.h"
#include "source/live-reader.h"

/* Owns what source.info points to. */
struct rs_live_owned {
	struct utsname uts;
	char clock[32];
	struct rs_format_text *formats;
	size_t nr_formats;
	struct rs_disk *disks;
	size_t nr_disks;
};

static int read_header_page(struct rs_live *l, struct rs_error *err)
{
	const struct rs_instance *in = l->instance;
	const struct rs_text text = { in->header_page, in->header_page_len };
	unsigned int stamp_bytes;

	if (rs_source_header_field(text, "commit", &l->commit_offset, &l->commit_bytes) <= 0 ||
	    (l->commit_bytes != 4 && l->commit_bytes != 8) ||
	    rs_source_header_field(text, "timestamp", &l->stamp_offset, &stamp_bytes) <= 0 || stamp_bytes != 8)
		return rs_fail(err, "cannot understand '%s/events/header_page': no commit or timestamp in it "
			       "(please report this kernel)", l->instance->path);
	l->source.info.header_page = text;
	l->source.info.header_event = (struct rs_text){ in->header_event, in->header_event_len };
	/* The kernel's long, which a 32-bit program on a 64-bit kernel does not share. */
	l->source.info.long_bytes = l->commit_bytes;
	return 0;
}

static int live_info_read_formats(struct rs_live *l, struct rs_live_owned *o, struct rs_error *err)
{
	const struct rs_plan *plan = l->instance->plan;

	o->formats = calloc(plan->nr_events ? plan->nr_events : 1, sizeof *o->formats);
	if (!o->formats)
		return rs_fail(err, "out of memory");
	for (size_t i = 0; i < plan->nr_events; i++) {
		struct rs_format_text *f = &o->formats[i];
		char file[256];

		if (!rs_tracefs_has_event(l->instance->path, plan->events[i].system, plan->events[i].name))
			return rs_fail(err, "this kernel has no event %s:%s (see 'ringside list events')",
				       plan->events[i].system, plan->events[i].name);
		snprintf(file, sizeof file, "events/%s/%s/format", plan->events[i].system,
			 plan->events[i].name);
		f->text.data = rs_tracefs_read(l->instance->path, file, &f->text.len);
		f->system = strdup(plan->events[i].system);
		o->nr_formats = i + 1;
		if (!f->text.data || !f->system)
			return rs_fail(err, "cannot read '%s/%s': %s", l->instance->path, file,
				       strerror(errno));
	}
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
	l->source.info.disks = o->disks;
	l->source.info.nr_disks = o->nr_disks;
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
		info->kernel = o->uts.release;
		info->machine = o->uts.machine;
	}
	live_info_read_clock(l, o);
	live_info_read_disks(l, o);
	return read_header_page(l, err) < 0 || live_info_read_formats(l, o, err) < 0 ? -1 : 0;
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
	free(o);
	l->owned = NULL;
}
