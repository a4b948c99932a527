// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-kernel.c - what this kernel has of the events that the analyses want
 */
#include <string.h>

#include "cli/command.h"
#include "cli/doctor.h"
#include "tracefs/tracefs.h"

#define DOCTOR_KERNEL_MAX_REQUIREMENTS 256

/* Where an event is missing because the kernel is too old for it. */
static const struct {
	const char *system, *name, *since;
} since[] = {
	{ "lock", "contention_begin", "5.19" }, { "lock", "contention_end", "5.19" },
	{ "block", "block_io_start", "6.5" },   { "block", "block_io_done", "6.5" },
	{ "sched", "sched_waking", "4.3" },
};

/* The events of these analyses. */
struct needs {
	const char *tracefs;
	struct rs_event_requirement list[DOCTOR_KERNEL_MAX_REQUIREMENTS];
	size_t nr;
};

/* A fallback stands in for the row before it, so that row is missing only where its fallback is missing too. */
static bool is_missing(const struct needs *n, size_t at)
{
	const struct rs_event_requirement *need = &n->list[at];
	bool fallback = at + 1 < n->nr && need[1].need == RS_FALLBACK;

	return need->need != RS_PASSIVE && need->need != RS_FALLBACK &&
	       !rs_tracefs_has_event(n->tracefs, need->system, need->name) &&
	       !(fallback && rs_tracefs_has_event(n->tracefs, need[1].system, need[1].name)) &&
	       !rs_requirement_is_replaced(n->tracefs, need);
}

static void name_event(struct rs_symptom *f, const struct rs_event_requirement *need)
{
	rs_buf_printf(&f->what, "%s%s:%s", f->what.len ? ", " : "no ", need->system, need->name);
	for (size_t i = 0; i < sizeof since / sizeof *since && !f->mend.len; i++)
		if (!strcmp(since[i].system, need->system) && !strcmp(since[i].name, need->name))
			rs_buf_printf(&f->mend, "a kernel of %s or later", since[i].since);
}

static void doctor_kernel_name_events(struct rs_symptom *f, struct needs *n)
{
	struct rs_session_config all = { .nr_analyses = 0 };

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		all.analyses[all.nr_analyses++] = *a;
	n->nr = rs_requirements_list(&all, n->list, DOCTOR_KERNEL_MAX_REQUIREMENTS);
	for (size_t i = 0; i < n->nr; i++)
		if (is_missing(n, i))
			name_event(f, &n->list[i]);
}

/* Its views go to those that are off, or to those that lack columns. */
static void name_views(const struct rs_analysis *a, struct needs *n, struct rs_buf *off, struct rs_buf *less)
{
	struct rs_session_config config = { .analyses = { a }, .nr_analyses = 1 };
	struct rs_buf *list = NULL;

	n->nr = rs_requirements_list(&config, n->list, DOCTOR_KERNEL_MAX_REQUIREMENTS);
	for (size_t i = 0; i < n->nr; i++)
		if (is_missing(n, i) && list != off)
			list = n->list[i].need == RS_REQUIRED ? off : less;
	for (const struct rs_view *v = a->views; list && v && v->name; v++)
		rs_buf_printf(list, "%s%s", list->len ? ", " : "", v->name);
}

static void name_losses(struct rs_symptom *f, struct needs *n)
{
	struct rs_buf off = RS_BUF_INIT, less = RS_BUF_INIT;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		name_views(*a, n, &off, &less);
	if (off.len)
		rs_buf_puts(&f->loses, off.data);
	if (less.len)
		rs_buf_printf(&f->loses, "%scolumns of %s", off.len ? "; " : "", less.data);
	rs_buf_done(&off);
	rs_buf_done(&less);
}

static void probe_events(struct rs_symptom *f)
{
	struct rs_error ignored = { 0 };
	struct needs n = { .tracefs = rs_tracefs_find(&ignored) };

	if (!n.tracefs) {
		f->health = RS_HEALTH_UNKNOWN;
		rs_buf_puts(&f->what, "cannot be told without tracefs");
		return;
	}
	doctor_kernel_name_events(f, &n);
	if (!f->what.len) {
		rs_buf_puts(&f->what, "all that the analyses want");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	name_losses(f, &n);
	if (!f->mend.len)
		rs_buf_puts(&f->mend, "a kernel built with them (CONFIG_FTRACE, CONFIG_FTRACE_SYSCALLS, "
			    "CONFIG_BLK_DEV_IO_TRACE)");
}

const struct rs_probe rs_kernel_probes[] = {
	{ "events", probe_events },
	{ .name = NULL },
};
