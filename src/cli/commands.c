// SPDX-License-Identifier: GPL-2.0-or-later
/* commands - the table of commands and views: finds one by its name, or the nearest */
#include <string.h>

#include "base/comma-list.h"
#include "base/nearest.h"
#include "cli/command.h"

const struct rs_command *rs_command_find(const char *name)
{
	for (const struct rs_command *const *c = rs_commands(); *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

size_t rs_commands_views(struct rs_view_ref *refs, size_t max, bool by_name_too)
{
	size_t n = 0;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (unsigned int i = 0; (*a)->views && (*a)->views[i].name && n < max; i++)
			if (by_name_too ||
			    !((*a)->by_name || (*a)->views[i].by_name || (*a)->views[i].on_request))
				refs[n++] = (struct rs_view_ref){ *a, &(*a)->views[i], i };
	return n;
}

bool rs_command_is_view(const char *name, struct rs_view_ref *ref)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < n; i++) {
		if (rs_view_is_called(refs[i].view, name)) {
			*ref = refs[i];
			return true;
		}
	}
	return false;
}

const char *rs_command_near(const char *word)
{
	const char *names[2 * RS_MAX_VIEWS + 1];
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t nr_views = rs_commands_views(refs, RS_MAX_VIEWS, true), n = 0;

	for (const struct rs_command *const *c = rs_commands(); *c && n < RS_MAX_VIEWS; c++)
		names[n++] = (*c)->name;
	for (size_t i = 0; i < nr_views; i++)
		names[n++] = refs[i].view->name;
	names[n] = NULL;
	return rs_nearest(word, names);
}

/* Options that a view takes because it has a certain column. */
static const struct {
	const char *column;  /* of this name, or NULL: */
	unsigned int flag;   /* with this flag */
	const char *option;
} of_columns[] = {
	{ NULL, RS_COLUMN_LATENCY, "min" },
	{ "start_ns", 0, "starts" },
	{ "end_ns", 0, "ends" },
};

static bool has_column(const struct rs_view *view, const char *name, unsigned int flag)
{
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (name ? !strcmp(c->name, name) : c->flags & flag)
			return true;
	return false;
}

void rs_command_view_takes(const struct rs_view *view, struct rs_buf *takes)
{
	rs_buf_puts(takes, "COMMAND,input,buffer,duration,pid,tid,no-children,system,comm,cgroup,cpus,self,"
			   "from,to,last,exact,rows,columns,time,"
			   "json,csv,quiet,buffer-size,stacks,clock,as-root,core,own,socket,host,"
			   "remote,as");
	if (view->kind != RS_VIEW_STREAM)
		rs_buf_puts(takes, ",interval");
	if (view->kind != RS_VIEW_HIST)
		rs_buf_puts(takes, ",sort");
	if (view->kind != RS_VIEW_HIST || has_column(view, NULL, RS_COLUMN_KEY))
		rs_buf_puts(takes, ",where");
	for (size_t i = 0; i < sizeof of_columns / sizeof *of_columns; i++)
		if (has_column(view, of_columns[i].column, of_columns[i].flag))
			rs_buf_printf(takes, ",%s", of_columns[i].option);
	if (view->options)
		rs_buf_printf(takes, ",%s", view->options);
}

/* ---- which options do something ---- */

static bool commands_reads_recordings(const struct rs_view_ref *ref)
{
	return !ref->analysis->live_only;
}

/* .machine_wide names no columns, but all of them. */
bool rs_command_is_machine_wide(const struct rs_view *view)
{
	for (const struct rs_column *c = view->columns; view->machine_wide && c->name; c++)
		if (strstr(view->machine_wide, c->heading))
			return false;
	return view->machine_wide;
}

static bool commands_has_tasks(const struct rs_view_ref *ref)
{
	return !rs_command_is_machine_wide(ref->view);
}

/* Does it see states of tasks, which a missing switch makes uncertain? */
static bool commands_has_states(const struct rs_view_ref *ref)
{
	const struct rs_analysis *a = ref->analysis;

	for (const struct rs_callback *on = a->callbacks; on && on->on; on++)
		if (on->on != RS_ON_REQUEST && on->on != RS_ON_DISK_DEPTH && on->on != RS_ON_SAMPLE &&
		    on->on != RS_ON_PROBE && on->on != RS_ON_GAP && on->on != RS_ON_PAIR)
			return true;
	return a->requires_states || a->requires_history;
}

static bool commands_has_stacks(const struct rs_view_ref *ref)
{
	return ref->analysis->requires_stacks || has_column(ref->view, NULL, RS_COLUMN_OF_STACKS);
}

static bool commands_has_times(const struct rs_view_ref *ref)
{
	for (const struct rs_column *c = ref->view->columns; c->name; c++)
		if (c->type == RS_TYPE_TIME)
			return true;
	return false;
}

static const struct {
	const char *options;
	bool (*do_something)(const struct rs_view_ref *ref);
} of_views[] = {
	{ "input,buffer,from,to,last", commands_reads_recordings },
	{ "pid,tid,no-children,system,comm,cgroup", commands_has_tasks },
	{ "exact", commands_has_states },
	{ "stacks", commands_has_stacks },
	{ "time", commands_has_times },
};

static bool commands_does_something(const struct rs_view_ref *ref, const char *option)
{
	for (size_t i = 0; i < sizeof of_views / sizeof *of_views; i++)
		if (rs_comma_list_has(of_views[i].options, option) && !of_views[i].do_something(ref))
			return false;
	return true;
}

void rs_command_view_offers(const struct rs_view_ref *ref, struct rs_buf *offers)
{
	struct rs_buf takes = RS_BUF_INIT;

	rs_command_view_takes(ref->view, &takes);
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (rs_comma_list_has(takes.data, row->name) && commands_does_something(ref, row->name))
			rs_buf_printf(offers, "%s%s", offers->len ? "," : "", row->name);
	rs_buf_done(&takes);
}
