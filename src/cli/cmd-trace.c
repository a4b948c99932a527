// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace - turns the daemon's tracing, or single events of it, off and on
 */
#include <stdlib.h>
#include <string.h>

#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"

static bool is_switch(const char *word)
{
	return word && (!strcmp(word, "on") || !strcmp(word, "off"));
}

/* "sched:sched_switch=off"; the name ends at the sign then. */
static int trace_read_switch(char *word, struct rs_trace_switch *to, struct rs_error *err)
{
	char *equals = strrchr(word, '=');

	if (!equals || equals == word || !is_switch(equals + 1))
		return rs_fail_usage(
			err,
			"trace set '%.80s': which event, and on or off? (write it as sched:sched_switch=off)",
			word);
	*equals = '\0';
	*to = (struct rs_trace_switch){ word, !strcmp(equals + 1, "on") };
	return 0;
}

static const struct rs_status_reply *trace_ask_daemon(struct rs_client *c, const struct rs_options *opt,
						      struct rs_error *err)
{
	struct rs_trace_switch *switches = calloc(opt->nr_arguments, sizeof *switches);
	struct rs_trace_request request = { .events = switches };
	const struct rs_status_reply *status = NULL;
	bool good = switches || rs_fail(err, "out of memory") == 0;

	if (is_switch(opt->arguments[0])) {
		request.set = rs_u(!strcmp(opt->arguments[0], "on"));
		request.events = NULL;
	}
	for (; request.events && good && opt->arguments[request.nr_events + 1]; request.nr_events++)
		good = trace_read_switch(opt->arguments[request.nr_events + 1], &switches[request.nr_events],
					 err) == 0;
	if (good)
		status = rs_client_call(c, "trace", &request, -1, err);
	free(switches);
	return status;
}

static int trace_check(const struct rs_options *opt, struct rs_error *err)
{
	bool is_set = opt->nr_arguments > 1 && !strcmp(opt->arguments[0], "set");

	if (is_set || (opt->nr_arguments == 1 && is_switch(opt->arguments[0])))
		return 0;
	return rs_fail_usage(err, "trace: on, off, or set EVENT=on|off");
}

static enum rs_exit trace_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_client *c = NULL;
	const struct rs_status_reply *status = NULL;

	if (trace_check(opt, err) == 0)
		c = rs_attach(opt, err);
	if (c)
		status = trace_ask_daemon(c, opt, err);
	if (status && opt->json)
		rs_attach_put_status(status, &out);
	rs_message_drop(status);
	rs_client_free(c);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_trace = {
	.name = "trace",
	.arguments = "on | off | set EVENT=on|off...",
	.summary = "turn the daemon's tracing, or single events, off and on",
	.options = "WORDS,socket,host,remote,json",
	.help = "For root and who began the daemon. While tracing is off nothing is recorded, and what was "
		"open\n"
		"then is void. What an event that is off was needed for says so; \"ringside status\" lists "
		"both.",
	.run = trace_run,
};
