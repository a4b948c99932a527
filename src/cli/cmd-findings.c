// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * findings - what is wrong, in sentences: who waits, for what, and because of whom
 */
#include "cli/command.h"
#include "cli/show/show.h"
#include "cli/show/show-findings.h"

static enum rs_exit findings_run(const struct rs_options *given, struct rs_error *err)
{
	struct rs_view_ref views[RS_MAX_VIEWS];
	size_t nr_views = rs_commands_views(views, RS_MAX_VIEWS, false);
	struct rs_options opt = *given;

	if (rs_show_findings_check(&opt, err) < 0)
		return err->status;
	if (opt.over_time && (opt.interval_ns || opt.fail_on)) {
		rs_fail_usage(err, "--over-time cannot be combined with %s (it judges each second)",
			      opt.interval_ns ? "-I" : "--fail-on");
		return err->status;
	}
	return rs_show_views("findings", opt.over_time ? RS_SHOW_INCIDENTS : RS_SHOW_FINDINGS, views,
			     nr_views, &opt, err);
}

const struct rs_command rs_command_findings = {
	.name = "findings",
	.arguments = "[[--] COMMAND...]",
	.summary = "what is wrong, in sentences: who waits, for what, and because of whom",
	.options =
		"COMMAND,input,buffer,interval,duration,pid,tid,no-children,system,comm,cgroup,cpus,self,"
		"exact,from,to,last,rows,json,over-time,fail-on,"
		"silence,quiet,buffer-size,samples,frequency,call-graph,stacks,clock,as-root,core,own,socket,"
		"host,remote",
	.help = "The costliest first: ranked by the time that the slowed tasks lost. Below each sentence, "
		"the\n"
		"command that shows its evidence, and what to try. A machine at work has none. 'ringside "
		"list\n"
		"rules' names the rules and their thresholds.",
	.run = findings_run,
	.runs_there = true,
};
