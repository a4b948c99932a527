// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff - what changed between two recordings, or two times of one: who takes longer, for what, by whom
 */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/out.h"
#include "cli/show/show.h"
#include "cli/show/show-diff.h"
#include "cli/show/show-hosts.h"
#include "cli/show/show-sides.h"
#include "cli/show/show-turns.h"
#include "compare/fail-on.h"
#include "compare/side.h"

/* The sides of a comparison, and the options of each. */
struct diff_run {
	struct rs_show_sides sides;
	struct rs_options of_a, of_b;
	struct rs_side *a, *b;
	struct rs_show_turns turns;  /* where they are commands */
	struct rs_show_hosts *hosts; /* where they are windows of hosts */
	char name_a[256], name_b[256];
};

/* ---- what the sides are ---- */

static void diff_set_file(struct rs_options *side, const char *name)
{
	side->input = name;
	side->given[rs_option_find('i', NULL, 0) - rs_option_rows] = true;
}

static void diff_set_range(struct rs_options *side, struct rs_moment from, struct rs_moment to)
{
	side->from = from;
	side->to = to;
	side->given[rs_option_find(0, "from", 4) - rs_option_rows] = true;
}

/* "now": the last of the window, as long as what was before is away, but for the time in between. */
static void diff_set_before(struct diff_run *run, const struct rs_options *opt)
{
	uint64_t len_ns = opt->last_ns ? opt->last_ns : opt->before_ns;
	struct rs_moment now = { RS_MOMENT_BEFORE_END, len_ns }, none = { 0 };
	struct rs_moment from = { RS_MOMENT_BEFORE_END, opt->before_ns + len_ns },
			 to = { RS_MOMENT_BEFORE_END, opt->before_ns };

	run->of_a.last_ns = run->of_b.last_ns = 0;
	diff_set_range(&run->of_a, from, to);
	diff_set_range(&run->of_b, now, none);
}

/* Of what has passed: what two hosts did at the same time. */
static int diff_set_hosts(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->nr_hosts != 2 || opt->nr_arguments || opt->input || opt->before_ns ||
	    !rs_options_gave(opt, "from,to,last"))
		return rs_fail_usage(err, "diff: --host is of two hosts and a time that has passed "
					  "(--last 10), or of one with --before");
	run->hosts = rs_show_hosts_open(&run->of_a, err);
	if (!run->hosts)
		return -1;
	if (run->hosts->nr_failed)
		return rs_fail(err, "diff: it takes both hosts");
	run->of_a = run->hosts->at[0].opt;
	run->of_b = run->hosts->at[1].opt;
	run->hosts->at[0].opt.input_fd = run->hosts->at[1].opt.input_fd = 0; /* who reads them closes them */
	return 0;
}

static int diff_set_sides(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	run->of_a = run->of_b = *opt;
	run->of_a.no_findings = run->of_b.no_findings = true;
	run->of_a.view = run->of_b.view = run->of_a.by = run->of_b.by = NULL;
	if (opt->command) {
		if (opt->nr_arguments || opt->input || rs_options_gave(opt, "from,to,last,before"))
			return rs_fail_usage(err, "diff: two commands, or recordings and times: not both");
		return rs_show_turns_divide(opt, &run->turns, err);
	}
	if (opt->nr_hosts && !(opt->nr_hosts == 1 && opt->before_ns))
		return diff_set_hosts(run, opt, err);
	if (opt->before_ns) {
		if (opt->nr_arguments || opt->input)
			return rs_fail_usage(err, "diff: --before is of the daemon's window: name no file");
		diff_set_before(run, opt);
		return 0;
	}
	if (opt->nr_arguments == 2 && !opt->input) {
		diff_set_file(&run->of_a, opt->arguments[0]);
		diff_set_file(&run->of_b, opt->arguments[1]);
		return 0;
	}
	if (opt->nr_arguments == 1 && !opt->input) {
		diff_set_file(&run->of_a, opt->arguments[0]);
		diff_set_file(&run->of_b, opt->arguments[0]);
	}
	if (opt->nr_arguments > 1 || (!opt->other_from.kind && !opt->other_to.kind))
		return rs_fail_usage(err, "diff: name two recordings, or one with two times (--from and --to "
					  "twice), or --before TIME of the daemon's window, or two commands "
					  "(-- OLD -- NEW)");
	diff_set_range(&run->of_a, opt->other_from, opt->other_to);
	return 0;
}

static void diff_name_command(struct rs_buf *name, char *const command[])
{
	for (size_t i = 0; command[i]; i++)
		rs_buf_printf(name, "%s%s", i ? " " : "", command[i]);
}

static void diff_name_range(struct rs_buf *name, const struct rs_options *side)
{
	if (side->nr_hosts)
		rs_buf_puts(name, side->hosts[0]);
	else
		rs_buf_puts(name, side->input ? side->input : "the daemon's window");
	for (int end = 0; end < 2; end++) {
		const struct rs_moment *m = end ? &side->to : &side->from;

		if (m->kind == RS_MOMENT_AFTER_BEGIN || m->kind == RS_MOMENT_BEFORE_END)
			rs_buf_printf(name, " %s %s%.3f s", end ? "to" : "from",
				      m->kind == RS_MOMENT_BEFORE_END ? "-" : "", (double)m->ns / 1e9);
	}
}

static const char *diff_name(const struct rs_options *side, char *const command[], char buf[256])
{
	struct rs_buf name = RS_BUF_INIT;

	if (command[0])
		diff_name_command(&name, command);
	else
		diff_name_range(&name, side);
	snprintf(buf, 256, "%s", name.data ? name.data : "");
	rs_buf_done(&name);
	return buf;
}

/* ---- measuring ---- */

static bool diff_make_sides(struct diff_run *run, struct rs_error *err)
{
	run->a = run->of_a.side = rs_side_new(run->sides.asked, run->sides.nr, err);
	run->b = run->of_b.side = run->a ? rs_side_new(run->sides.asked, run->sides.nr, err) : NULL;
	if (run->b)
		rs_show_sides_take_stacks(&run->sides, run->a, run->b);
	return run->b;
}

static void diff_measure_one(struct diff_run *run, struct rs_options *of, struct rs_error *err)
{
	rs_show_views("diff", RS_SHOW_SIDE, run->sides.views, run->sides.nr_views, of, err);
	if (err->status == RS_OK && of->side->failed)
		rs_fail(err, "diff: out of memory");
}

static void diff_measure(struct diff_run *run, struct rs_error *err)
{
	if (run->turns.old[0]) {
		rs_show_turns_run(&run->turns, run->sides.views, run->sides.nr_views, &run->of_a, &run->of_b,
				  err);
		return;
	}
	diff_measure_one(run, &run->of_a, err);
	if (err->status == RS_OK)
		diff_measure_one(run, &run->of_b, err);
}

static void diff_compare(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	const struct rs_show_pair pair = {
		.opt = opt, .b_opt = &run->of_b, .a = run->a, .b = run->b, .sides = &run->sides,
		.name_a = diff_name(&run->of_a, run->turns.old, run->name_a),
		.name_b = diff_name(&run->of_b, run->turns.new, run->name_b),
	};

	if (opt->svg)
		rs_show_diff_svg(&pair, err);
	else
		rs_show_diff(&pair, err);
}

/* Whose rows are compared; of a flame graph the stacks alone. */
static int diff_choose(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	if (!opt->svg) {
		if (rs_show_sides_choose(&run->sides, opt, err) < 0)
			return -1;
		return opt->report && !strcmp(opt->report, "html") ?
			       rs_show_sides_add_stacks(&run->sides, "profile-stacks,wait-stacks", err) :
			       0;
	}
	if (opt->by || opt->report || opt->json || opt->csv)
		return rs_fail_usage(err, "diff: --svg is a flame graph: no --by, --report, --json or --csv");
	return rs_show_sides_add_stacks(&run->sides, opt->view ? opt->view : "profile-stacks", err);
}

static enum rs_exit diff_run(const struct rs_options *opt, struct rs_error *err)
{
	static struct diff_run run;

	if (rs_fail_on_check(opt->fail_on, err) == 0 && diff_choose(&run, opt, err) == 0 &&
	    diff_set_sides(&run, opt, err) == 0 && diff_make_sides(&run, err))
		diff_measure(&run, err);
	if (run.b && err->status == RS_OK)
		diff_compare(&run, opt, err);
	rs_side_free(run.a);
	rs_side_free(run.b);
	rs_show_sides_done(&run.sides);
	rs_show_hosts_close(run.hosts);
	return err->status;
}

const struct rs_command rs_command_diff = {
	.name = "diff",
	.arguments = "[A B | FILE | -- OLD -- NEW]",
	.summary = "what changed: who takes longer for its work, for what, and because of whom",
	.options = "WORDS,COMMAND,input,buffer,view,by,pid,tid,comm,cgroup,cpus,self,exact,from,to,last,"
		   "before,per,fail-on,report,svg,rows,columns,json,csv,quiet,buffer-size,clock,as-root,core,"
		   "own,socket,host,remote",
	.texts = RS_LIST(rs_option_text,
			 { "fail-on", "exit 3 if anything is slower (or faster, more, less, new, gone); as "
				      "slower:VIEW>10%, of one view, by so much at least" },
			 { "svg", "draw the difference of both as a flame graph: of samples, or of --view "
				  "wait-stacks" }),
	.help = "Compares two recordings; or two times of one, with --from and --to twice; or the end of\n"
		"the daemon's window with what was --before; or two hosts, --last; or two commands, which\n"
		"run in turn, each -n times. First in sentences: which process takes longer for each unit\n"
		"of its work, and which parts of its time, with their culprits, that comes from; then the\n"
		"rows of views that differ. What is told is told by tests that assume no distribution: the\n"
		"man page says how.",
	.run = diff_run,
};
