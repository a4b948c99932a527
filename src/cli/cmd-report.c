// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report - what a recording holds: a page that sums it up, the rows of views, or its accounting invariants
 */
#include <stdio.h>

#include "base/comma-list.h"
#include "base/escape.h"
#include "cli/command.h"
#include "cli/show/machines.h"
#include "cli/out.h"
#include "cli/options/config.h"
#include "cli/show/show.h"
#include "cli/show/show-findings.h"

/* The report's own options, for every view. */
#define OWN "input,view,check,command,silence,help"

static bool report_is_taken(const struct rs_option *row, const struct rs_view_ref *views, size_t nr_views)
{
	struct rs_buf takes = RS_BUF_INIT;
	bool taken = rs_comma_list_has(OWN, row->name);

	for (size_t i = 0; i < nr_views && !taken; i++) {
		rs_buf_clear(&takes);
		rs_command_view_takes(views[i].view, &takes);
		taken = rs_comma_list_has(takes.data, row->name);
	}
	rs_buf_done(&takes);
	return taken;
}

/* An option that none of the views knows would be ignored without a word. */
static int check_taken(const struct rs_options *opt, const struct rs_view_ref *views, size_t nr_views,
		       struct rs_error *err)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (opt->given[row - rs_option_rows] && !report_is_taken(row, views, nr_views))
			return rs_fail_usage(err, "report: --%s does not apply to %s", row->name,
					     nr_views == 1 ? views->view->name : "any of these views");
	return 0;
}

static int report_check_options(const struct rs_options *opt, size_t nr_views, struct rs_error *err)
{
	if (opt->check && opt->view)
		return rs_fail_usage(err, "report: --check verifies all invariants: without --view");
	if (nr_views == 1)
		return 0;
	if (opt->columns || opt->sort || opt->where)
		return rs_fail_usage(err, "report: %s needs one --view",
				     opt->columns ? "--columns" : opt->sort ? "-s" : "--where");
	return 0;
}

/*
 * JSON says on each line whose row it is, so that one reading of the file serves all views. Text and
 * CSV go view by view: rows of different shape are of no use in turns, and holding back those of a
 * stream would take memory without bound. A view that has nothing keeps no other from being shown.
 */
static enum rs_exit show_rows(const struct rs_view_ref *views, size_t nr_views, const struct rs_options *opt,
			      struct rs_error *err)
{
	struct rs_buf left_out = RS_BUF_INIT;
	struct rs_options each = *opt;

	if (opt->json)
		return rs_show_file(RS_SHOW_ROWS, views, nr_views, opt, err);
	each.left_out = nr_views > 1 ? &left_out : NULL;
	for (size_t i = 0; i < nr_views && err->status == RS_OK; i++)
		rs_show_file(RS_SHOW_ROWS, &views[i], 1, &each, err);
	rs_show_file_note_left_out(left_out.data);
	rs_buf_done(&left_out);
	return err->status;
}

/* The findings of the page are of all its time; then when each was found, for which it is read once more. */
static enum rs_exit report_show_page(const struct rs_view_ref *views, size_t nr_views,
				     const struct rs_options *opt, struct rs_error *err)
{
	struct rs_options over_time = *opt;

	over_time.over_time = true;
	if (rs_show_file(RS_SHOW_SUMMARY, views, nr_views, opt, err) == RS_OK)
		rs_show_file(RS_SHOW_INCIDENT_LIST, views, nr_views, &over_time, err);
	return err->status;
}

static enum rs_exit report_show(const struct rs_view_ref *views, size_t nr_views,
				const struct rs_options *opt, struct rs_error *err)
{
	if (opt->check)
		return rs_show_file(RS_SHOW_CHECK, views, nr_views, opt, err);
	if (!opt->view && !opt->json && !opt->csv)
		return report_show_page(views, nr_views, opt, err);
	return show_rows(views, nr_views, opt, err);
}

/* Text names the machine before its rows; JSON and CSV name it in each row. */
static int put_heading(const struct rs_machine *m, bool first, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret;

	if (!m->opt.machine || m->opt.json || m->opt.csv)
		return 0;
	rs_buf_puts(&out, first ? "machine " : "\nmachine ");
	rs_escape_text(&out, m->name);
	rs_buf_puts(&out, ": ");
	rs_escape_text(&out, m->opt.input);
	if (m->vcpus.len) {
		rs_buf_puts(&out, "\nits guests: ");
		rs_escape_text(&out, m->vcpus.data);
	}
	rs_buf_puts(&out, "\n\n");
	ret = rs_out(&out, err);
	rs_buf_done(&out);
	return ret;
}

/* A machine that cannot be shown does not stop the others: the first error is reported at the end. */
static void show_machines(const struct rs_machines *machines, const struct rs_view_ref *views,
			  size_t nr_views, struct rs_error *err)
{
	for (size_t i = 0; i < machines->nr; i++) {
		const struct rs_machine *m = &machines->at[i];
		struct rs_error own = { 0 };

		if (put_heading(m, !i, err) < 0)
			return;
		report_show(views, nr_views, &m->opt, &own);
		if (own.status == RS_OK || err->status != RS_OK)
			continue;
		*err = own;
		if (m->opt.machine)
			snprintf(err->text, sizeof err->text, "%.63s: %.400s", m->name, own.text);
	}
}

/* --check verifies the invariants of the expensive analyses, too. */
static size_t report_add_checked(struct rs_view_ref *views, size_t nr_views)
{
	struct rs_view_ref all[RS_MAX_VIEWS];
	size_t nr_all = rs_commands_views(all, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < nr_all && nr_views < RS_MAX_VIEWS; i++)
		if (all[i].analysis->by_name && all[i].analysis->check && !all[i].index)
			views[nr_views++] = all[i];
	return nr_views;
}

static enum rs_exit report_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_view_ref views[RS_MAX_VIEWS];
	struct rs_machines *machines;
	size_t nr_views;

	nr_views = rs_config_find_views(opt->view ? opt->view : "all", views, RS_MAX_VIEWS, err);
	if (!nr_views || rs_show_findings_check(opt, err) < 0 ||
	    report_check_options(opt, nr_views, err) < 0 || check_taken(opt, views, nr_views, err) < 0)
		return RS_USAGE;
	if (nr_views == 1 && rs_view_is_columns_help(opt))
		return rs_view_list_columns(views, err);
	if (opt->check)
		nr_views = report_add_checked(views, nr_views);
	machines = rs_machines_open("report", opt, err);
	if (machines && rs_machines_collect_ends(machines, err) == 0)
		show_machines(machines, views, nr_views, err);
	rs_machines_close(machines);
	return err->status;
}

const struct rs_command rs_command_report = {
	.name = "report",
	.arguments = "[FILE...]",
	.summary = "what a recording (trace.dat) holds",
	.options = "WORDS,input,buffer,debuginfod,view,pid,tid,command,no-children,comm,cgroup,cpus,self,min,"
		   "dev,type,syscall,failed,where,queue,from,to,last,exact,"
		   "by,rows,sort,columns,time,starts,ends,json,csv,check,silence,quiet",
	.help = "Without --view: a page that sums up every view. --view all shows every row of\n"
		"every view; with --json each line names its view. FILE is trace.dat if not given.\n"
		"A recording of a command is of the whole machine, which may have made it wait; --command "
		"shows it alone.\n"
		"Several files are a host's and its guests', on one clock: each machine's views under its "
		"name.",
	.run = report_run,
};
