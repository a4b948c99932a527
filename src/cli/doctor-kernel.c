// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-kernel.c - what this kernel has of the events that the analyses want
 */
#include <string.h>

#include "cli/command.h"
#include "cli/doctor.h"
#include "tracefs/tracefs.h"

#define MAX_NEEDS 256

/* Where an event is missing because the kernel is too old for it. */
static const struct {
	const char *system, *name, *since;
} since[] = {
	{ "lock", "contention_begin", "5.19" }, { "lock", "contention_end", "5.19" },
	{ "block", "block_io_start", "6.5" },   { "block", "block_io_done", "6.5" },
	{ "sched", "sched_waking", "4.3" },
};

static void add(struct rs_buf *list, const char *name)
{
	rs_buf_printf(list, "%s%s", list->len ? ", " : "", name);
}

static void name_views(struct rs_symptom *f, const struct rs_analysis *a)
{
	for (const struct rs_view *v = a->views; v && v->name; v++)
		add(&f->loses, v->name);
}

static void missing(struct rs_symptom *f, const struct rs_event_need *need)
{
	rs_buf_printf(&f->what, "%s%s:%s", f->what.len ? ", " : "no ", need->system, need->name);
	for (size_t i = 0; i < sizeof since / sizeof *since && !f->mend.len; i++)
		if (!strcmp(since[i].system, need->system) && !strcmp(since[i].name, need->name))
			rs_buf_printf(&f->mend, "a kernel of %s or later", since[i].since);
}

/*
 * The events of one analysis. A fallback stands in for the row before it, so that
 * row is missing only where its fallback is missing too.
 */
static void look_at(struct rs_symptom *f, const char *tracefs, const struct rs_analysis *a)
{
	struct rs_session_config config = { .analyses = { a }, .nr_analyses = 1 };
	struct rs_event_need needs[MAX_NEEDS];
	size_t n = rs_session_needs(&config, needs, MAX_NEEDS);
	bool off = false, less = false;

	for (size_t i = 0; i < n; i++) {
		bool fallback = i + 1 < n && needs[i + 1].need == RS_FALLBACK;

		if (needs[i].need == RS_PASSIVE ||
		    rs_tracefs_has_event(tracefs, needs[i].system, needs[i].name) ||
		    (fallback && rs_tracefs_has_event(tracefs, needs[i + 1].system, needs[i + 1].name)))
			continue;
		if (needs[i].need == RS_FALLBACK)
			continue;
		missing(f, &needs[i]);
		off |= needs[i].need == RS_REQUIRED;
		less = true;
	}
	if (!less)
		return;
	f->health = RS_HEALTH_LOSS;
	if (!off)
		rs_buf_printf(&f->loses, "%scolumns of ", f->loses.len ? "; " : "");
	name_views(f, a);
}

static void probe_events(struct rs_symptom *f)
{
	struct rs_error ignored = { 0 };
	const char *tracefs = rs_tracefs_find(&ignored);

	if (!tracefs) {
		f->health = RS_HEALTH_UNKNOWN;
		rs_buf_puts(&f->what, "cannot be told without tracefs");
		return;
	}
	for (const struct rs_analysis *const *a = rs_analyses(); *a; a++)
		look_at(f, tracefs, *a);
	if (!f->what.len)
		rs_buf_puts(&f->what, "all that the analyses want");
	else if (!f->mend.len)
		rs_buf_puts(&f->mend, "a kernel built with them (CONFIG_FTRACE, CONFIG_FTRACE_SYSCALLS, "
			    "CONFIG_BLK_DEV_IO_TRACE)");
}

const struct rs_probe rs_kernel_probes[] = {
	{ "events", probe_events },
	{ .name = NULL },
};
