// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view.c - a view as a command: of a recording with -i, else of what the kernel does now
 */
#include <string.h>

#include "cli/command.h"
#include "cli/options/slice.h"
#include "cli/out.h"
#include "cli/show/show.h"
#include "view/formatter.h"

/* Options that a recording refuses, and the message of the first that was given. */
static const struct {
	const char *option, *why;
} live_only[] = {
	{ "interval", "-I is for live capture, a recording is shown whole (or --from --to)" },
	{ "duration", "-d is for live capture (of a recording: --to)" },
	{ "system", "--system is for live capture, a recording is shown whole (or -p)" },
	{ "clock", "--clock is for live capture" },
	{ "buffer-size", "-b is for live capture" },
	{ "stacks", "--stacks is for live capture: a recording shows the stacks that it has" },
};

static int check_file_options(const struct rs_view_ref *ref, const struct rs_options *opt,
			      struct rs_error *err)
{
	if (opt->command)
		return rs_fail_usage(err, "%s: a recording is read, no command is run ('%s')",
				     ref->view->name, opt->command[0]);
	for (size_t i = 0; i < sizeof live_only / sizeof *live_only; i++)
		if (rs_options_gave(opt, live_only[i].option))
			return rs_fail_usage(err, "%s: %s", ref->view->name, live_only[i].why);
	return 0;
}

bool rs_view_is_columns_help(const struct rs_options *opt)
{
	return opt->columns && !strcmp(opt->columns, "help");
}

enum rs_exit rs_view_list_columns(const struct rs_view_ref *ref, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	rs_columns_list(ref->view, &out);
	return rs_out_end(&out, err);
}

/*
 * --list, --histogram, --follow, -f folded and -f svg select another view. Refuses options that
 * make no sense there.
 */
static int find_other(struct rs_view_ref *ref, const struct rs_options *opt, struct rs_error *err)
{
	const char *name = ref->view->name, *other = opt->format ? ref->view->folded :
						     opt->list   ? ref->view->list :
						     opt->follow ? ref->view->follow :
								   ref->view->histogram;

	if (opt->format && strcmp(opt->format, "folded") != 0 && strcmp(opt->format, "svg") != 0)
		return rs_fail_usage(err, "%s: no format '%.40s' (folded, svg; or --json, --csv)", name,
				     opt->format);
	if (opt->format && (opt->columns || opt->json || opt->csv || opt->by))
		return rs_fail_usage(err,
				     "%s -f %s: of whole stacks, without --columns, --by, --json and --csv",
				     name, opt->format);
	if (opt->format && !strcmp(opt->format, "svg") && opt->interval_ns)
		return rs_fail_usage(err, "%s -f svg: one picture of all, without -I", name);
	if (opt->list && opt->histogram)
		return rs_fail_usage(err, "%s: --list and --histogram: one of them", name);
	if (opt->list && opt->interval_ns)
		return rs_fail_usage(err, "%s --list: rows go out as they come, without -I", name);
	if (opt->histogram && (opt->sort || rs_options_value(opt, "min")))
		return rs_fail_usage(err, "%s --histogram: a picture of all, without %s", name,
				     opt->sort ? "-s" : "-m");
	return rs_requirements_find_view(other, ref, err) ? 0 : -1;
}

/* The words of a view come in pairs: a begin and its end. */
static int check_words(const struct rs_view_ref *ref, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->nr_arguments % 2)
		return rs_fail_usage(err, "%s: '%.60s' begins what? (%s BEGIN END, the events by name)",
				     ref->view->name, opt->arguments[opt->nr_arguments - 1], ref->view->name);
	if (opt->key && !opt->nr_arguments)
		return rs_fail_usage(err,
				     "%s: --key is of the events that are named (%s BEGIN END --key %.40s)",
				     ref->view->name, ref->view->name, opt->key);
	return 0;
}

enum rs_exit rs_view_run(const struct rs_view_ref *asked, const struct rs_options *given,
			 struct rs_error *err)
{
	struct rs_view_ref found = *asked, *ref = &found;
	struct rs_options own = *given, *opt = &own;

	own.is_view = true;
	if (check_words(ref, opt, err) < 0 ||
	    ((opt->list || opt->histogram || opt->follow || opt->format) && find_other(ref, opt, err) < 0))
		return RS_USAGE;
	if (rs_view_is_columns_help(opt))
		return rs_view_list_columns(ref, err);
	if (opt->input && check_file_options(ref, opt, err) < 0)
		return RS_USAGE;
	if (opt->debuginfod && !opt->input)
		return rs_fail_usage(
			       err,
			       "%s: --debuginfod is for a recording (-i FILE): live, no server is waited for",
			       ref->view->name),
		       RS_USAGE;
	if (opt->buffer_name && !opt->input)
		return rs_fail_usage(err, "%s: --buffer is for a recording (-i FILE)", ref->view->name),
		       RS_USAGE;
	if (opt->slice && rs_slice_ask(&own, err) < 0)
		return RS_USAGE;
	return rs_show_views(ref->view->name, RS_SHOW_ROWS, ref, 1, opt, err);
}
