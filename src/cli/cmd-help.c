// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * help - what there is, or all about one command or view: made from the rows of commands, views and options
 */
#include "cli/help/help.h"
#include "cli/out.h"

static enum rs_exit help_run(const struct rs_options *opt, struct rs_error *err)
{
	const char *name = opt->nr_arguments ? opt->arguments[0] : NULL, *near;
	const struct rs_command *command;
	struct rs_buf out = RS_BUF_INIT;
	struct rs_view_ref ref;

	if (!name) {
		rs_help_overview(&out);
	} else if ((command = rs_command_find(name))) {
		rs_help_command(command, &out);
	} else if (rs_command_is_view(name, &ref)) {
		rs_help_view(&ref, &out);
	} else {
		near = rs_command_near(name);
		if (near)
			rs_fail_usage(err, "no help on '%.40s'; did you mean '%s'?", name, near);
		else
			rs_fail_usage(err,
				      "no help on '%.40s': no such command or view (see 'ringside help')",
				      name);
	}
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_help = {
	.name = "help", .arguments = "[COMMAND|VIEW]", .summary = "what there is, or all about one of them",
	.options = "WORD", .run = help_run,
};
