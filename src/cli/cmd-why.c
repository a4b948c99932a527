// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * why - why it is slow: the slowest wait followed to its cause, and all of the time, part by part
 */
#include <string.h>

#include "cli/command.h"
#include "cli/show.h"

#define WHY_ROWS 16 /* of the parts, where -n says nothing else */

static void why_forget_value(struct rs_options *opt, const char *name)
{
	const struct rs_option *row = rs_option_find(0, name, strlen(name));

	opt->values[row - rs_option_rows].is_set = opt->given[row - rs_option_rows] = false;
}

/* Here --syscall and -m choose the calls whose time is divided; in views they choose rows. */
static void why_choose_calls(struct rs_options *opt, struct rs_buf *patterns)
{
	const struct rs_option_value *calls = rs_options_value(opt, "syscall"), *least = rs_options_value(opt, "min");

	if (!calls && !least)
		return;
	for (const char *at = calls ? calls->text : "*"; *at; at++)
		rs_buf_printf(patterns, "%c", *at == ',' ? ' ' : *at);
	opt->why_calls = patterns->data;
	opt->why_least_ns = least ? least->ns : 0;
	why_forget_value(opt, "syscall");
	why_forget_value(opt, "min");
}

/* All tasks together mostly sleep: of a whole machine the table shows who took from whom. */
static bool why_selects(const struct rs_options *opt)
{
	return rs_options_gave(opt, "pid,tid,comm,command,syscall,min,by") || opt->command;
}

static enum rs_exit why_show(const struct rs_view_ref *views, size_t nr_views, struct rs_options *opt, struct rs_error *err)
{
	/* rows of JSON name their view; text has the sentences first, then the table */
	enum rs_show_kind kind = opt->json ? RS_SHOW_ROWS : RS_SHOW_SUMMARY;

	if (opt->input)
		return rs_show_file_packed(kind, views, nr_views, opt, err);
	return rs_show_live(kind, views, nr_views, opt, err);
}

static enum rs_exit why_run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_buf patterns = RS_BUF_INIT;
	struct rs_options opt = *given;
	struct rs_view_ref views[2];

	if (opt.input && (opt.command || opt.interval_ns || opt.duration_ns)) {
		rs_fail_usage(err, "why: -I, -d and a command are for live capture, not for a recording");
		return RS_USAGE;
	}
	if (!rs_command_is_view("critical-path", &views[0]) || !rs_command_is_view(why_selects(&opt) ? "why" : "antagonists", &views[1]))
		return rs_fail(err, "why: its views are missing (reinstall ringside)"), RS_FAILED;
	if (!opt.nr_rows && !opt.json)
		opt.nr_rows = WHY_ROWS;
	opt.no_findings = true;
	why_choose_calls(&opt, &patterns);
	if (patterns.failed)
		rs_fail(err, "why: out of memory");
	else
		why_show(views, 2, &opt, err);
	rs_buf_done(&patterns);
	return err->status;
}

const struct rs_command rs_command_why = {
	.name = "why", .arguments = "[[--] COMMAND...]",
	.summary = "why it is slow: where the time went, who took it, and what the slowest wait waited for",
	.options = "COMMAND,command,input,buffer,interval,duration,pid,tid,no-children,system,comm,cpus,self,exact,from,to,last,syscall,min,rows,by,time,json,"
		"quiet,buffer-size,clock,as-root,core,own,socket",
	.help = "First the slowest call or wait, link by link: what it waited for, and that in turn, up to a CPU, a\n"
		"device, a timer. Then all of the wall time of the selected tasks, part by part, each with its\n"
		"culprit; of several threads their sum. With --syscall or -m only the time inside such calls. Where no\n"
		"task is selected the table is that of antagonists: who took from whom.",
	.run = why_run,
};
