// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status - how the daemon is: what it has, what it costs, what is off
 */
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/status-text.h"

static enum rs_exit status_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_client *c = rs_attach(opt, err);
	const struct rs_status_reply *status = c ? rs_client_call(c, "status", NULL, -1, err) : NULL;

	if (status)
		(opt->json ? rs_status_text_json : rs_status_text)(status, &out);
	rs_message_drop(status);
	rs_client_free(c);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_status = {
	.name = "status", .summary = "how the daemon is: what it has, what it costs, what is off",
	.options = "socket,json",
	.help = "Exit status 1 where no daemon runs, or it does not answer.",
	.run = status_run,
};
