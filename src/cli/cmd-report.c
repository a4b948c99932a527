// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report - what a recording holds: a page that sums it up, the rows of views, or whether the books balance
 */
#include "cli/command.h"
#include "cli/file.h"
#include "cli/input.h"
#include "cli/query.h"

/* The options that are the report's, whatever is shown. */
#define OWN "input,view,check,help"

static bool is_taken(const struct rs_option *row, const struct rs_view_ref *views, size_t nr_views)
{
	struct rs_buf takes = RS_BUF_INIT;
	bool taken = rs_list_has(OWN, row->name);

	for (size_t i = 0; i < nr_views && !taken; i++) {
		rs_buf_clear(&takes);
		rs_view_takes(views[i].view, &takes);
		taken = rs_list_has(takes.data, row->name);
	}
	rs_buf_done(&takes);
	return taken;
}

/* An option that none of the views knows would be ignored without a word. */
static int check_taken(const struct rs_options *opt, const struct rs_view_ref *views, size_t nr_views,
		       struct rs_error *err)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (opt->given[row - rs_option_rows] && !is_taken(row, views, nr_views))
			return rs_fail_usage(err, "report: --%s does not apply to %s", row->name,
					     nr_views == 1 ? views->view->name : "any of these views");
	return 0;
}

static int check_options(const struct rs_options *opt, size_t nr_views, struct rs_error *err)
{
	if (opt->check && opt->view)
		return rs_fail_usage(err, "report: --check looks at all the books: without --view");
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
	if (!opt->quiet)
		rs_explain_left_out(left_out.data);
	rs_buf_done(&left_out);
	return err->status;
}

static enum rs_exit show(const struct rs_view_ref *views, size_t nr_views, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->check)
		return rs_show_file(RS_SHOW_CHECK, views, nr_views, opt, err);
	if (!opt->view && !opt->json && !opt->csv)
		return rs_show_file(RS_SHOW_SUMMARY, views, nr_views, opt, err);
	return show_rows(views, nr_views, opt, err);
}

static enum rs_exit run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_view_ref views[RS_MAX_VIEWS];
	struct rs_options opt = *given;
	size_t nr_views;

	if (rs_find_input("report", &opt, err) < 0)
		return RS_USAGE;
	nr_views = rs_views_named(opt.view ? opt.view : "all", views, RS_MAX_VIEWS, err);
	if (!nr_views || check_options(&opt, nr_views, err) < 0 ||
	    check_taken(&opt, views, nr_views, err) < 0)
		return RS_USAGE;
	if (nr_views == 1 && rs_wants_columns(&opt))
		return rs_list_columns(views, err);
	if (rs_input_open(&opt, err) == 0)
		show(views, nr_views, &opt, err);
	rs_input_close(&opt);
	return err->status;
}

const struct rs_command rs_command_report = {
	.name = "report", .arguments = "[FILE]", .summary = "what a recording (trace.dat) holds",
	.options = "WORDS,input,buffer,view,pid,tid,no-children,comm,cpus,self,min,dev,type,syscall,failed,where,queue,from,to,exact,"
		"by,rows,sort,columns,time,starts,ends,json,csv,check,quiet",
	.help = "Without --view: a page that sums up every view. --view all shows every row of\n"
		"every view; with --json each line names its view. FILE is trace.dat if not given.",
	.run = run,
};
