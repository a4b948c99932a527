// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline - keeps what was measured, by name, and compares with it later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/nearest.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/show/show.h"
#include "cli/show/show-baseline.h"
#include "cli/show/show-diff.h"
#include "cli/show/show-recorded.h"
#include "cli/show/show-sides.h"
#include "cli/show/show-trend.h"
#include "compare/baseline.h"
#include "compare/fail-on.h"
#include "compare/side-merge.h"

#define BASELINE_PATH "/var/lib/ringside/baselines.db"

struct baseline_run {
	const struct rs_options *opt;
	struct rs_options of_new;    /* what is measured now */
	struct rs_show_sides sides;
	char path[4096];
	struct rs_baselines *store;
	const char *name;
};

/* ---- where they are ---- */

/* --store, else of root the machine's, else the user's own. */
static void baseline_choose_path(struct baseline_run *run)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (run->opt->store)
		snprintf(run->path, sizeof run->path, "%s", run->opt->store);
	else if (!geteuid() || !home || *home != '/')
		snprintf(run->path, sizeof run->path, "%s", BASELINE_PATH);
	else if (data && *data == '/')
		snprintf(run->path, sizeof run->path, "%s/ringside/baselines.db", data);
	else
		snprintf(run->path, sizeof run->path, "%s/.local/share/ringside/baselines.db", home);
}

static int baseline_open(struct baseline_run *run, bool create, struct rs_error *err)
{
	baseline_choose_path(run);
	run->store = rs_baselines_open(run->path, create, err);
	return run->store ? 0 : -1;
}

/* ---- measuring ---- */

/* A file, a command, or this machine for a while. */
static int baseline_measure(struct baseline_run *run, const char *file, struct rs_side *side,
			    struct rs_error *err)
{
	struct rs_options *of = &run->of_new;

	*of = *run->opt;
	of->view = of->by = NULL;
	of->side = side;
	of->no_findings = true;
	if (file)
		of->input = file;
	if (of->input)
		rs_show_file_packed(RS_SHOW_SIDE, run->sides.views, run->sides.nr, of, err);
	else if (of->command || of->duration_ns)
		rs_show_recorded(run->sides.views, run->sides.nr, of, of->command, err);
	else
		rs_fail_usage(err, "baseline: of what? name a recording, -d SECONDS, or -- COMMAND");
	if (err->status == RS_OK && side->failed)
		rs_fail(err, "baseline: out of memory");
	return err->status == RS_OK ? 0 : -1;
}

static void baseline_name_source(const struct rs_options *of, const char *file, char to[RS_BASELINE_TEXT])
{
	struct rs_buf text = RS_BUF_INIT;

	if (file || of->input)
		rs_buf_puts(&text, file ? file : of->input);
	for (size_t i = 0; of->command && of->command[i]; i++)
		rs_buf_printf(&text, "%s%s", i ? " " : "", of->command[i]);
	if (!text.len)
		rs_buf_printf(&text, "this machine for %" PRIu64 " s", of->duration_ns / 1000000000);
	snprintf(to, RS_BASELINE_TEXT, "%s", text.data);
	rs_buf_done(&text);
}

/* ---- the subcommands ---- */

static int baseline_check_name(const char *name, struct rs_error *err)
{
	return rs_baseline_name_is_good(name) ?
		       0 :
		       rs_fail_usage(err, "baseline: '%.60s' is no name for one (letters, digits, '.', '_', "
					  "'-')",
				     name);
}

static int baseline_check_same(const char *name, const char *what, const char *was, const char *is,
			       struct rs_error *err)
{
	if (!strcmp(was, is))
		return 0;
	return rs_fail(err, "cannot add to '%s': its %s is '%.60s', and this one '%.60s'", name, what, was,
		       is);
}

/* What was measured on another machine, or otherwise, is no more of the same. */
static int baseline_check_alike(const struct rs_baseline_details *was, const struct rs_baseline_details *is,
				const struct rs_side *old, const struct rs_side *new, struct rs_error *err)
{
	if (baseline_check_same(was->name, "kernel", was->kernel, is->kernel, err) < 0 ||
	    baseline_check_same(was->name, "machine", was->machine, is->machine, err) < 0 ||
	    baseline_check_same(was->name, "host", was->host, is->host, err) < 0 ||
	    baseline_check_same(was->name, "list of options", was->options, is->options, err) < 0)
		return -1;
	if (old->of_runs != new->of_runs)
		return rs_fail(err, "cannot add to '%s': only one of both is of runs of a command",
			       was->name);
	return 0;
}

/* --add: what is there already comes before it. */
static int baseline_add_saved(struct baseline_run *run, struct rs_baseline_details *details,
			      struct rs_side *side, struct rs_side *saved, struct rs_error *err)
{
	struct rs_baseline_details was;
	struct rs_buf missing = RS_BUF_INIT;
	int ret = rs_baselines_load(run->store, run->name, saved, &was, &missing, err);

	if (ret == 0)
		ret = baseline_check_alike(&was, details, saved, side, err);
	if (ret == 0 && (missing.len || was.nr_views != rs_baseline_nr_views(side)))
		ret = rs_fail(err, "cannot add to '%s': it was saved with another --view or --by%s%s",
			      run->name, missing.len ? ", without " : "", missing.len ? missing.data : "");
	if (ret == 0 && !rs_side_merge(saved, side))
		ret = rs_fail(err, "baseline: out of memory");
	snprintf(details->source, sizeof details->source, "%s", was.source);
	rs_buf_done(&missing);
	return ret;
}

static void baseline_save_side(struct baseline_run *run, const char *file, struct rs_side *side,
			       struct rs_error *err)
{
	struct rs_side *saved = run->opt->add ? rs_side_new(run->sides.asked, run->sides.nr, err) : NULL;
	struct rs_baseline_details details = { .saved_s = time(NULL) };

	snprintf(details.options, sizeof details.options, "%s", run->opt->filters);
	snprintf(details.name, sizeof details.name, "%s", run->name);
	snprintf(details.kernel, sizeof details.kernel, "%s", side->kernel);
	snprintf(details.machine, sizeof details.machine, "%s", side->machine);
	snprintf(details.host, sizeof details.host, "%s", side->host);
	baseline_name_source(run->opt, file, details.source);
	if (saved && baseline_add_saved(run, &details, side, saved, err) == 0)
		side = saved;
	if (err->status == RS_OK && rs_baselines_save(run->store, side, &details, err) == 0)
		rs_out_warn("baseline '%s' saved in %s: %zu rows of %u blocks", run->name, run->path,
			    side->nr_rows, side->nr_blocks);
	rs_side_free(saved);
}

static void baseline_save(struct baseline_run *run, const char *file, struct rs_error *err)
{
	struct rs_side *side;

	if (baseline_check_name(run->name, err) < 0 || baseline_open(run, true, err) < 0)
		return;
	side = rs_side_new(run->sides.asked, run->sides.nr, err);
	if (side && baseline_measure(run, file, side, err) == 0)
		baseline_save_side(run, file, side, err);
	rs_side_free(side);
}

static void baseline_load(struct baseline_run *run, struct rs_side *side, struct rs_error *err)
{
	struct rs_buf missing = RS_BUF_INIT;
	struct rs_baseline_details details;

	if (rs_baselines_load(run->store, run->name, side, &details, &missing, err) == 0 && missing.len)
		rs_out_warn("baseline '%s' has no rows of %s by these keys", run->name, missing.data);
	rs_buf_done(&missing);
}

static void baseline_compare(struct baseline_run *run, const char *file, struct rs_error *err)
{
	struct rs_show_pair pair = { .opt = run->opt, .b_opt = &run->of_new, .name_a = run->name };
	struct rs_side *a = NULL, *b = NULL;
	char source[RS_BASELINE_TEXT];

	baseline_name_source(run->opt, file, source);
	pair.name_b = source;
	if (rs_fail_on_check(run->opt->fail_on, err) < 0 || baseline_open(run, false, err) < 0)
		return;
	pair.a = a = rs_side_new(run->sides.asked, run->sides.nr, err);
	pair.b = b = a ? rs_side_new(run->sides.asked, run->sides.nr, err) : NULL;
	if (b)
		baseline_load(run, a, err);
	if (b && err->status == RS_OK && baseline_measure(run, file, b, err) == 0)
		rs_show_diff(&pair, err);
	rs_side_free(a);
	rs_side_free(b);
}

struct baseline_list {
	struct rs_buf out;
	bool json;
	size_t nr;
};

/* "friday            2026-11-27 18:03  60.0s   1204  before.dat" */
static void baseline_put_line(void *arg, const struct rs_baseline_details *details)
{
	struct baseline_list *list = arg;
	char when[32], length[RS_UNIT_TEXT + 1];

	if (list->json) {
		rs_show_baseline_put_json(&list->out, details);
		return;
	}
	if (!list->nr++)
		rs_buf_puts(&list->out,
			    "NAME                 SAVED               TIME   ROWS  KERNEL            "
			    "SOURCE\n");
	rs_show_baseline_time(details->saved_s, when);
	length[rs_units_put_duration(length, details->len_ns, RS_UNIT_AUTO, -1)] = '\0';
	rs_buf_printf(&list->out, "%-20s %-16s %7s %6" PRIu64 "  ", details->name, when, length,
		      details->nr_rows);
	rs_escape_text(&list->out, details->kernel);
	rs_buf_pad(&list->out, ' ', strlen(details->kernel) < 16 ? 18 - strlen(details->kernel) : 2);
	rs_escape_text(&list->out, details->source);
	rs_buf_putc(&list->out, '\n');
}

static void baseline_list(struct baseline_run *run, const char *file, struct rs_error *err)
{
	struct baseline_list list = { .out = RS_BUF_INIT, .json = run->opt->json };

	(void)file;
	if (baseline_open(run, false, err) < 0)
		return;
	if (rs_baselines_list(run->store, baseline_put_line, &list, err) == 0 && !list.nr && !list.json)
		rs_buf_puts(&list.out, "no baselines (ringside baseline save NAME FILE)\n");
	rs_out_end(&list.out, err);
}

static void baseline_remove(struct baseline_run *run, const char *file, struct rs_error *err)
{
	(void)file;
	if (baseline_open(run, false, err) == 0)
		rs_baselines_remove(run->store, run->name, err);
}

static void baseline_show(struct baseline_run *run, const char *file, struct rs_error *err)
{
	(void)file;
	if (baseline_open(run, false, err) == 0)
		rs_show_baseline(run->store, run->name, run->opt, err);
}

static void baseline_trend(struct baseline_run *run, const char *file, struct rs_error *err)
{
	(void)file;
	if (baseline_open(run, false, err) == 0)
		rs_show_trend(run->store, run->opt->arguments + 1, &run->sides, run->opt, err);
}

static const struct {
	const char *word;
	size_t least, most;          /* words behind it */
	void (*run)(struct baseline_run *run, const char *file, struct rs_error *err);
} baseline_words[] = {
	{ "save", 1, 2, baseline_save },
	{ "compare", 1, 2, baseline_compare },
	{ "list", 0, 0, baseline_list },
	{ "show", 1, 1, baseline_show },
	{ "trend", 0, RS_MAX_LIST, baseline_trend },
	{ "remove", 1, 1, baseline_remove },
};

#define BASELINE_WORDS (sizeof baseline_words / sizeof *baseline_words)

static enum rs_exit baseline_refuse(const char *word, struct rs_error *err)
{
	const char *names[BASELINE_WORDS + 1] = { NULL }, *near;

	for (size_t i = 0; i < BASELINE_WORDS; i++)
		names[i] = baseline_words[i].word;
	near = word ? rs_nearest(word, names) : NULL;
	rs_fail_usage(err, "baseline: save, compare, list, show, trend or remove, then its name%s%s%s",
		      near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	return err->status;
}

static enum rs_exit baseline_run(const struct rs_options *opt, struct rs_error *err)
{
	static struct baseline_run run;
	const char *word = opt->arguments[0];
	size_t nr = opt->nr_arguments, i = 0;
	bool has_file;

	while (word && i < BASELINE_WORDS && strcmp(baseline_words[i].word, word) != 0)
		i++;
	if (!word || i == BASELINE_WORDS || nr - 1 < baseline_words[i].least ||
	    nr - 1 > baseline_words[i].most)
		return baseline_refuse(word, err);
	has_file = nr > 2 && baseline_words[i].most == 2;
	if (has_file + (opt->input != NULL) + (opt->command != NULL) + (opt->duration_ns != 0) > 1)
		return rs_fail_usage(err, "baseline: one of a recording, -d and a command"), err->status;
	run.opt = opt;
	run.name = nr > 1 ? opt->arguments[1] : NULL;
	if (rs_show_sides_choose(&run.sides, opt, err) == 0)
		baseline_words[i].run(&run, has_file ? opt->arguments[2] : NULL, err);
	rs_baselines_close(run.store);
	return err->status;
}

const struct rs_command rs_command_baseline = {
	.name = "baseline",
	.arguments = "save|compare|list|show|trend|remove [NAME [FILE | -- COMMAND]]",
	.summary = "keeps what was measured, by name, and compares with it later",
	.options = "WORDS,COMMAND,input,buffer,duration,store,view,by,pid,tid,comm,cgroup,cpus,self,exact,"
		   "from,to,add,per,fail-on,report,where,list,rows,columns,json,csv,quiet,buffer-size,"
		   "as-root,core",
	.texts = RS_LIST(rs_option_text,
			 { "fail-on", "exit 3 if anything is slower (or faster, more, less, new, gone); as "
				      "slower:VIEW>10%, of one view, by so much at least" },
			 { "list", "of trend: all values, instead of where they changed" }),
	.help = "save keeps the sums and distributions of a recording, of -d SECONDS of this machine, or\n"
		"of a command, in a file of a few hundred KB; compare says what changed since then, as\n"
		"ringside diff does. list shows what there is, show what is in one; trend says where a rate\n"
		"or a latency changed over many.",
	.run = baseline_run,
};
