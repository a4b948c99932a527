// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * why - why it is slow: the slowest wait followed to its cause, and all of the time, part by part
 */
#include <string.h>

#include "cli/command.h"
#include "cli/options/slice.h"
#include "cli/show/show.h"

#define WHY_ROWS 16 /* of the parts, where -n says nothing else */

static void why_forget_value(struct rs_options *opt, const char *name)
{
	const struct rs_option *row = rs_option_find(0, name, strlen(name));

	opt->values[row - rs_option_rows].is_set = opt->given[row - rs_option_rows] = false;
}

/* Here these options choose what is divided; in views they choose rows. */
static const char *why_take_patterns(struct rs_options *opt, const char *name, struct rs_buf *patterns)
{
	const struct rs_option_value *value = rs_options_value(opt, name);

	for (const char *at = value ? value->text : "*"; *at; at++)
		rs_buf_putc(patterns, *at == ',' ? ' ' : *at);
	if (value)
		why_forget_value(opt, name);
	return patterns->data;
}

static void why_ask_calls(struct rs_options *opt, struct rs_buf *patterns)
{
	const struct rs_option_value *least = rs_options_value(opt, "min");

	opt->asked_why = (struct rs_time_asked){ .kind = RS_ASKED_CALLS, .least_ns = least ? least->ns : 0,
						 .calls = why_take_patterns(opt, "syscall", patterns) };
	if (least)
		why_forget_value(opt, "min");
}

static void why_ask_request(struct rs_options *opt, struct rs_buf *patterns)
{
	opt->asked_why = (struct rs_time_asked){ .kind = RS_ASKED_REQUEST, .sector = opt->sector,
						 .disks = why_take_patterns(opt, "dev", patterns) };
}

/* patterns: what is asked points into it. */
static int why_ask(struct rs_options *opt, struct rs_buf *patterns, struct rs_error *err)
{
	bool of_calls = rs_options_gave(opt, "syscall,min"), of_request = rs_options_gave(opt, "dev,sector");

	if (of_calls + of_request + (opt->slice != NULL) > 1) {
		rs_fail_usage(err, "why: one of --syscall and -m, --slice, --dev and --sector");
		return -1;
	}
	if (of_request && !rs_options_gave(opt, "sector")) {
		rs_fail_usage(err, "why: --dev is of one request: give its --sector, too (iosnoop's BLOCK)");
		return -1;
	}
	if (of_calls)
		why_ask_calls(opt, patterns);
	else if (of_request)
		why_ask_request(opt, patterns);
	return opt->slice ? rs_slice_ask(opt, err) : 0;
}

/* All tasks together mostly sleep: of a whole machine the table shows who took from whom. */
static bool why_selects(const struct rs_options *opt)
{
	return rs_options_gave(opt, "pid,tid,comm,cgroup,command,syscall,min,slice,sector,by") ||
	       opt->command;
}

/* The threads of a process are shown side by side. */
static bool why_has_threads(const struct rs_options *opt)
{
	return (rs_options_gave(opt, "pid,comm,cgroup,command") || opt->command) &&
	       !rs_options_gave(opt, "syscall,min,slice,sector,by");
}

static enum rs_exit why_run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_buf patterns = RS_BUF_INIT;
	struct rs_options opt = *given;
	struct rs_view_ref views[3];
	size_t nr_views = 2;

	if (!rs_command_is_view("critical-path", &views[0]) ||
	    !rs_command_is_view(why_selects(&opt) ? "why" : "antagonists", &views[1]))
		return rs_fail(err, "why: its views are missing (reinstall ringside)"), RS_FAILED;
	views[2] = views[1];
	if (why_has_threads(&opt) && rs_command_is_view("waterfall", &views[1]))
		nr_views = 3;
	if (opt.cgroup && !opt.by)
		opt.by = "part,dev,type,culprit,culprit_cgroup";
	if (!opt.nr_rows && !opt.json)
		opt.nr_rows = WHY_ROWS;
	opt.no_findings = true;
	if (why_ask(&opt, &patterns, err) == 0 && patterns.failed)
		rs_fail(err, "why: out of memory");
	else if (err->status == RS_OK)
		/* rows of JSON name their view; text has the sentences first, then the table */
		rs_show_views("why", opt.json ? RS_SHOW_ROWS : RS_SHOW_SUMMARY, views, nr_views, &opt, err);
	rs_buf_done(&patterns);
	return err->status;
}

const struct rs_command rs_command_why = {
	.name = "why",
	.arguments = "[[--] COMMAND...]",
	.summary = "why it is slow: where the time went, who took it, and what the slowest wait waited for",
	.options = "COMMAND,command,input,buffer,interval,duration,pid,tid,no-children,system,comm,cgroup,"
		   "cpus,self,exact,from,to,last,syscall,min,slice,dev,sector,rows,by,time,json,"
		   "quiet,buffer-size,samples,frequency,call-graph,stacks,clock,as-root,core,own,socket",
	.help = "First the slowest call or wait, link by link: what each waited for, up to a "
		"CPU, a\n"
		"device, a timer. Then all of the wall time of the selected tasks, part by part, each with "
		"its\n"
		"culprit; of several threads their sum. With --syscall or -m only the time inside such "
		"calls, with\n"
		"--slice of one call or state, with --dev and --sector of one block request. Where no task "
		"is selected\n"
		"the table is that of antagonists: who took from whom.",
	.run = why_run,
};
