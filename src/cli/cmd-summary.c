// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summary - a page that sums up every view: of what the machine does now, refreshed, or of a recording
 */
#include <unistd.h>

#include "cli/command.h"
#include "cli/show/show.h"
#include "cli/show/show-findings.h"

#define REFRESH_NS 2000000000ull

/* Each page is of its own interval: what goes on now, not since the begin. */
static enum rs_exit summary_run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_view_ref views[RS_MAX_VIEWS];
	size_t nr_views = rs_commands_views(views, RS_MAX_VIEWS, false);
	struct rs_options opt = *given;

	if (rs_show_findings_check(&opt, err) < 0)
		return err->status;
	if (!opt.input && !opt.interval_ns && isatty(STDOUT_FILENO))
		opt.interval_ns = REFRESH_NS;
	return rs_show_views("summary", RS_SHOW_SUMMARY, views, nr_views, &opt, err);
}

const struct rs_command rs_command_summary = {
	.name = "summary",
	.arguments = "[[--] COMMAND...]",
	.summary = "a page that sums up every view, refreshed",
	.options = "COMMAND,input,buffer,interval,duration,pid,tid,no-children,system,comm,cgroup,cpus,self,"
		   "exact,rows,time,quiet,"
		   "silence,buffer-size,samples,frequency,call-graph,stacks,clock,as-root,core,own,socket",
	.help = "On a terminal a new page every 2 s (-I), each of its own interval, until Ctrl-C; else one\n"
		"page at the end. 'ringside' alone, as root on a terminal, does the same.",
	.run = summary_run,
};
