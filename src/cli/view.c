// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * view.c - a view as a command: of a recording with -i, else of what the kernel does now
 */
#include <string.h>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/input.h"
#include "cli/live.h"
#include "cli/out.h"
#include "cli/show-window.h"
#include "view/face.h"

/* Options that ask for something that only one of the two has. */
static int check_file_options(const struct rs_view_ref *ref, const struct rs_options *opt,
			      struct rs_error *err)
{
	const char *name = ref->view->name;

	if (opt->command)
		return rs_fail_usage(err, "%s: a recording is read, no command is run ('%s')", name,
				     opt->command[0]);
	if (opt->interval_ns)
		return rs_fail_usage(err, "%s: -I is for live capture, a recording is shown whole (or --from "
				     "--to)", name);
	if (opt->duration_ns)
		return rs_fail_usage(err, "%s: -d is for live capture (of a recording: --to)", name);
	if (opt->buffer_kib || opt->clock)
		return rs_fail_usage(err, "%s: %s is for live capture", name, opt->clock ? "--clock" : "-b");
	return 0;
}

static int check_live_options(const struct rs_view_ref *ref, const struct rs_options *opt,
			      struct rs_error *err)
{
	const char *name = ref->view->name;

	if (opt->buffer_name)
		return rs_fail_usage(err, "%s: --buffer is for a recording (-i FILE)", name);
	return 0;
}

bool rs_wants_columns(const struct rs_options *opt)
{
	return opt->columns && !strcmp(opt->columns, "help");
}

enum rs_exit rs_list_columns(const struct rs_view_ref *ref, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	rs_face_list_columns(ref->view, &out);
	rs_out(&out, err);
	rs_buf_done(&out);
	return err->status;
}

static enum rs_exit run_file(const struct rs_view_ref *ref, const struct rs_options *given, struct rs_error *err)
{
	struct rs_options opt = *given;

	if (check_file_options(ref, &opt, err) < 0)
		return RS_USAGE;
	if (rs_input_open(&opt, err) == 0)
		rs_show_file(RS_SHOW_ROWS, ref, 1, &opt, err);
	rs_input_close(&opt);
	return err->status;
}

/* --list: the view's single ones instead of its sums. */
static int find_list(struct rs_view_ref *ref, const struct rs_options *opt, struct rs_error *err)
{
	const char *name = ref->view->name;

	if (opt->interval_ns || opt->sort)
		return rs_fail_usage(err, "%s --list: rows go out as they come, without %s", name, opt->sort ? "-s" : "-I");
	return rs_view_find(ref->view->list, ref, err) ? 0 : -1;
}

enum rs_exit rs_view_run(const struct rs_view_ref *asked, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_view_ref found = *asked, *ref = &found;

	if (opt->list && find_list(ref, opt, err) < 0)
		return RS_USAGE;
	if (rs_wants_columns(opt))
		return rs_list_columns(ref, err);
	if (opt->input)
		return run_file(ref, opt, err);
	if (check_live_options(ref, opt, err) < 0)
		return RS_USAGE;
	if (rs_wants_range(opt))
		return rs_show_window(ref, opt, err);
	return rs_show_live(RS_SHOW_ROWS, ref, 1, opt, err);
}
