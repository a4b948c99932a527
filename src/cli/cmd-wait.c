// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wait - until a condition holds: for scripts, which go on when something is slow, or lost, or found
 */
#include "cli/command.h"
#include "cli/show/show.h"
#include "cli/show/show-when.h"

static enum rs_exit wait_run(const struct rs_options *given, struct rs_error *err)
{
	static struct rs_show_when wait;
	struct rs_options opt = *given;

	if (!opt.nr_whens)
		return rs_fail_usage(err, "wait: for what? (--when 'runqlat.p99 > 10ms for 2s')"), RS_USAGE;
	if (rs_show_when_init(&wait, &opt, err) == 0) {
		opt.wait = &wait;
		opt.interval_ns = 0; /* the steps are the session's own */
		rs_show_views("wait", RS_SHOW_WHEN, wait.views, wait.nr_views, &opt, err);
	}
	rs_show_when_done(&wait);
	return err->status == RS_OK && wait.fired ? RS_CHECK_FAILED : err->status;
}

const struct rs_command rs_command_wait = {
	.name = "wait",
	.arguments = "[[--] COMMAND...]",
	.summary = "wait until something is slow, lost or found: exit 3 with a line that says what",
	.options =
		"when,COMMAND,input,buffer,interval,duration,pid,tid,no-children,system,comm,cgroup,cpus,"
		"self,exact,from,to,last,json,silence,quiet,buffer-size,stacks,clock,as-root,core,own,socket",
	.help = "Judges the conditions of --when each second (or -I), of what a daemon traces, of an own\n"
		"capture, or of a recording (-i). With the first that holds it prints one line and exits\n"
		"with 3; with 0 at the end of -d, of the command or of the recording. A condition is\n"
		"\n"
		"  runqlat.p99 > 10ms for 2s        a column of a view, of a histogram also a quantile\n"
		"  cgroups.throttled_ns{cgroup ~ web} > 200ms    of these rows (as --where)\n"
		"  iosnoop.lat_ms > 100             a row of it in the second\n"
		"  finding cpu-throttled for nginx  a finding, see \"ringside list rules\"\n"
		"  lost > 0                         events that the trace lost\n"
		"\n"
		"\"for TIME\": holds for so long. \"until VALUE\": ends only there. \"every TIME\": fires "
		"at\n"
		"most once in it. \"except 02:00-04:30\": is silent then. \"NAME: ...\" gives it a name.",
	.texts = RS_LIST(rs_option_text, { "interval", "judge after each interval of this length; 1 s if not "
						       "given" }),
	.run = wait_run,
};
