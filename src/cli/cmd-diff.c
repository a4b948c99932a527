// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff - what changed between two recordings, or two times of one: who takes longer, for what, because of whom
 */
#include <stdio.h>

#include "cli/command.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/show/show.h"
#include "cli/show/show-diff.h"
#include "compare/fail-on.h"
#include "compare/side.h"

/* Whose rows are compared, where --view names none: each of other things than the others. */
#define DIFF_VIEWS "syscall-latency,runqlat,biolatency,locks,futex,requests,netlat,irqs,workqueues"
#define DIFF_BEFORE_LEAST_NS 1000000000u

/* The sides of a comparison, and the options of each. */
struct diff_run {
	struct rs_side_asked asked[RS_SHOW_DIFF_OWN + RS_MAX_VIEWS];
	struct rs_view_ref views[RS_SHOW_DIFF_OWN + RS_MAX_VIEWS];
	size_t nr_views;
	struct rs_options of_a, of_b;
	struct rs_side *a, *b;
	char name_a[256], name_b[256];
};

static int diff_add_view(struct diff_run *run, const char *name, const char *by, struct rs_error *err)
{
	if (!rs_requirements_find_view(name, &run->asked[run->nr_views].ref, err))
		return -1;
	run->asked[run->nr_views++].by = by;
	return 0;
}

static int diff_choose_views(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_view_ref named[RS_MAX_VIEWS];
	size_t nr;

	if (diff_add_view(run, "why", "comm,part,dev,type,culprit", err) < 0 ||
	    diff_add_view(run, "syscall-latency", "comm,syscall", err) < 0)
		return -1;
	nr = rs_config_find_views(opt->view ? opt->view : DIFF_VIEWS, named, RS_MAX_VIEWS, err);
	if (opt->by && nr > 1)
		return rs_fail_usage(err, "diff: --by needs one --view");
	for (size_t i = 0; i < nr; i++)
		run->asked[run->nr_views++] = (struct rs_side_asked){ named[i], opt->by };
	for (size_t i = 0; i < run->nr_views; i++)
		run->views[i] = run->asked[i].ref;
	return nr ? 0 : -1;
}

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

static int diff_set_sides(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	run->of_a = run->of_b = *opt;
	run->of_a.view = run->of_b.view = run->of_a.by = run->of_b.by = NULL;
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
					  "twice), or --before TIME of the daemon's window");
	diff_set_range(&run->of_a, opt->other_from, opt->other_to);
	return 0;
}

static const char *diff_name(const struct rs_options *side, char buf[256])
{
	struct rs_buf text = RS_BUF_INIT;

	rs_buf_puts(&text, side->input ? side->input : "the daemon's window");
	for (int end = 0; end < 2; end++) {
		const struct rs_moment *m = end ? &side->to : &side->from;

		if (m->kind == RS_MOMENT_AFTER_BEGIN || m->kind == RS_MOMENT_BEFORE_END)
			rs_buf_printf(&text, " %s %s%.3f s", end ? "to" : "from",
				      m->kind == RS_MOMENT_BEFORE_END ? "-" : "", (double)m->ns / 1e9);
	}
	snprintf(buf, 256, "%s", text.data);
	rs_buf_done(&text);
	return buf;
}

/* ---- measuring ---- */

static struct rs_side *diff_measure(struct diff_run *run, struct rs_options *of, struct rs_error *err)
{
	struct rs_side *side = rs_side_new(run->asked, run->nr_views, err);

	if (!side)
		return NULL;
	of->side = side;
	of->no_findings = true;
	rs_show_views("diff", RS_SHOW_SIDE, run->views, run->nr_views, of, err);
	if (err->status == RS_OK && side->failed)
		rs_fail(err, "diff: out of memory");
	return side;
}

static void diff_judge(const struct rs_show_diff *diff, const char *fail_on, struct rs_error *err)
{
	unsigned int nr = rs_fail_on_processes(fail_on, &diff->processes), nr_rows = 0;

	for (size_t i = 0; i < diff->nr_changes; i++)
		nr_rows += rs_fail_on_changes(fail_on, &diff->changes[i]);
	if (err->status != RS_OK || !(nr + nr_rows))
		return;
	rs_fail(err, "--fail-on %.60s: %u process%s and %u row%s", fail_on, nr, nr == 1 ? "" : "es", nr_rows,
		nr_rows == 1 ? "" : "s");
	err->status = RS_CHECK_FAILED;
}

static void diff_compare(struct diff_run *run, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_change_list changes[RS_MAX_VIEWS];
	struct rs_show_diff diff = { .opt = opt, .b_opt = &run->of_b, .a = run->a, .b = run->b,
				     .changes = changes };
	struct rs_buf out = RS_BUF_INIT;

	diff.name_a = diff_name(&run->of_a, run->name_a);
	diff.name_b = diff_name(&run->of_b, run->name_b);
	rs_process_compare(&diff.processes, run->a, run->b, opt->per);
	for (size_t i = RS_SHOW_DIFF_OWN; i < run->nr_views; i++)
		rs_change_compare(&changes[diff.nr_changes++], run->a, run->b, i);
	rs_show_diff_put(&diff, &out, err);
	rs_out_end(&out, err);
	diff_judge(&diff, opt->fail_on, err);
	for (size_t i = 0; i < diff.nr_changes; i++)
		rs_change_list_done(&changes[i]);
	rs_process_list_done(&diff.processes);
}

static enum rs_exit diff_run(const struct rs_options *opt, struct rs_error *err)
{
	static struct diff_run run;

	if (rs_fail_on_check(opt->fail_on, err) < 0 || diff_choose_views(&run, opt, err) < 0 ||
	    diff_set_sides(&run, opt, err) < 0)
		return err->status;
	run.a = diff_measure(&run, &run.of_a, err);
	if (run.a && err->status == RS_OK)
		run.b = diff_measure(&run, &run.of_b, err);
	if (run.b && err->status == RS_OK)
		diff_compare(&run, opt, err);
	rs_side_free(run.a);
	rs_side_free(run.b);
	return err->status;
}

const struct rs_command rs_command_diff = {
	.name = "diff",
	.arguments = "[A B | FILE]",
	.summary = "what changed: who takes longer for its work, for what, and because of whom",
	.options = "WORDS,input,buffer,view,by,pid,tid,comm,cgroup,cpus,self,exact,from,to,last,before,per,"
		   "fail-on,rows,columns,json,csv,quiet,socket",
	.texts = RS_LIST(rs_option_text,
			 { "fail-on", "exit 3 if anything is slower (or faster, more, less, new, gone); as "
				      "slower:VIEW>10%, of one view, by so much at least" }),
	.help = "Compares two recordings; or two times of one, with --from and --to twice; or the end of\n"
		"the daemon's window with what was --before. First in sentences: which process takes "
		"longer\n"
		"for each unit of its work, and which parts of its time, with their culprits, that comes\n"
		"from; then the rows of views that differ. What is told is told by tests that assume no\n"
		"distribution: the man page says how.",
	.run = diff_run,
};
