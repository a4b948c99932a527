// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace - turns the daemon's tracing, or single events of it, off and on
 */
#include <string.h>

#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/status-text.h"

static bool is_switch(const char *word)
{
	return word && (!strcmp(word, "on") || !strcmp(word, "off"));
}

/* "sched:sched_switch=off" */
static int put_event(struct rs_json *j, const char *word, struct rs_error *err)
{
	const char *equals = strrchr(word, '=');
	char event[160];
	size_t len = equals ? (size_t)(equals - word) : 0;

	if (!len || len >= sizeof event || !is_switch(equals + 1))
		return rs_fail_usage(err, "trace set '%.80s': which event, and on or off? (write it as sched:sched_switch=off)",
				     word);
	memcpy(event, word, len);
	event[len] = '\0';
	rs_json_put_bool(j, event, !strcmp(equals + 1, "on"));
	return 0;
}

static int put_request(struct rs_json *j, const struct rs_options *opt, struct rs_error *err)
{
	int ret = 0;

	if (is_switch(opt->arguments[0])) {
		rs_json_put_str(j, "set", opt->arguments[0]);
		return 0;
	}
	rs_json_key(j, "events");
	rs_json_open(j, '{');
	for (char **word = opt->arguments + 1; *word && !ret; word++)
		ret = put_event(j, *word, err);
	rs_json_close(j, '}');
	return ret;
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
	cJSON *status = NULL;

	if (trace_check(opt, err) == 0)
		c = rs_attach(opt, err);
	if (c && put_request(rs_client_begin(c, "trace"), opt, err) == 0)
		status = rs_attach_ask(c, -1, err);
	if (status && opt->json) {
		rs_status_text_json(status, &out);
		rs_out(&out, err);
	}
	cJSON_Delete(status);
	rs_client_free(c);
	rs_buf_done(&out);
	return err->status;
}

const struct rs_command rs_command_trace = {
	.name = "trace", .arguments = "on | off | set EVENT=on|off...",
	.summary = "turn the daemon's tracing, or single events, off and on",
	.options = "WORDS,socket,json",
	.help = "For root and who began the daemon. While tracing is off nothing is recorded, and what was open\n"
		"then is void. What an event that is off was needed for says so; \"ringside status\" lists both.",
	.run = trace_run,
};
