// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cleanup - removes tracing instances of ringside that no process uses any more
 */
#include "cli/command.h"
#include "cli/out.h"
#include "tracefs/tracefs.h"

static enum rs_exit cleanup_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	unsigned int nr_busy = 0;
	int nr;

	if (!rs_tracefs_find(err))
		return err->status;
	nr = rs_tracefs_cleanup(&nr_busy);
	rs_buf_printf(&out, "removed %d instance%s, %u in use\n", nr, nr == 1 ? "" : "s", nr_busy);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_cleanup = {
	.name = "cleanup", .summary = "remove tracing instances of ringside that were left behind",
	.options = "",
	.help = "Every start does so too. An instance that somebody still reads is busy, and stays.",
	.run = cleanup_run,
};
