// SPDX-License-Identifier: GPL-2.0-or-later
/* remote - runs a view on other machines, and prints what they print */
#include "cli/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "cli/host-output.h"
#include "cli/options/machine-stamp.h"
#include "cli/options/option-words.h"
#include "cli/out.h"
#include "link/host-run.h"

/* "--host=NAME" is one word, "--host NAME" are two; 0: it is another option. */
static int remote_option_words(const char *word)
{
	static const char *const options[] = { "--host", "--remote" };

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		size_t len = strlen(options[i]);

		if (!strncmp(word, options[i], len) && (!word[len] || word[len] == '='))
			return word[len] ? 1 : 2;
	}
	return 0;
}

char **rs_remote_words(int argc, char **argv)
{
	struct rs_buf words = RS_BUF_INIT;
	char **list = NULL;
	bool found = false, is_command = false;
	int nr;

	for (int i = 0; i < argc; i++) {
		int skipped = is_command ? 0 : remote_option_words(argv[i]);

		is_command |= !strcmp(argv[i], "--");
		found |= skipped > 0;
		if (skipped)
			i += skipped - 1;
		else
			rs_buf_add(&words, argv[i], strlen(argv[i]) + 1);
	}
	if (found)
		list = rs_options_words(&words, &nr);
	rs_buf_done(&words);
	return list;
}

/* ---- what comes back ---- */

struct remote {
	struct rs_host hosts[RS_HOSTS_MAX];
	struct rs_host_output output, errors;
	size_t nr_failed;
	struct rs_error *err;
};

/* Of one host the output is as if it was ours. */
static bool remote_take_alone(void *arg, size_t host, const char *bytes, size_t len)
{
	struct remote *r = arg;

	rs_buf_add(&r->output.out, bytes, len);
	return r->err->status == RS_OK && rs_out(&r->output.out, r->err) == 0;
}

static void remote_begin_alone(void *arg, size_t host, const struct rs_host_run_begin *begin, char *words,
			       size_t size_bytes)
{
	*words = '\0';
}

static void remote_begin(void *arg, size_t host, const struct rs_host_run_begin *begin, char *words,
			 size_t size_bytes)
{
	struct remote *r = arg;

	r->output.clocks[host] = *begin->clock;
	rs_machine_stamp_put(words, size_bytes, r->hosts[host].name, begin->clock, begin->now_ns);
}

static void remote_add(struct rs_host_output *o, size_t host, const char *bytes, size_t len)
{
	if (len)
		rs_host_output_add(o, host, bytes, len);
	else
		rs_host_output_end(o, host);
}

static bool remote_take(void *arg, size_t host, const char *bytes, size_t len)
{
	struct remote *r = arg;

	remote_add(&r->output, host, bytes, len);
	return r->err->status == RS_OK && rs_out(&r->output.out, r->err) == 0;
}

static bool remote_take_errors(void *arg, size_t host, const char *bytes, size_t len)
{
	struct remote *r = arg;

	remote_add(&r->errors, host, bytes, len);
	fputs(r->errors.out.data, stderr);
	rs_buf_clear(&r->errors.out);
	return true;
}

/* At once: the others may go on for long. */
static void remote_fail(void *arg, size_t host, const char *why)
{
	struct remote *r = arg;
	struct rs_buf text = RS_BUF_INIT;

	r->nr_failed++;
	rs_escape_text(&text, why);
	fprintf(stderr, "ringside: %s: %s\n", r->hosts[host].name, text.data);
	rs_buf_done(&text);
}

static void remote_fail_alone(void *arg, size_t host, const char *why)
{
	struct remote *r = arg;

	rs_fail(r->err, "%.80s: %.400s", r->hosts[host].name, why);
}

/* ---- all of them ---- */

/* What a check that failed, or a wrong word, says of one is that of all. */
static int remote_status(const struct remote *r, size_t nr, const int *statuses, struct rs_error *err)
{
	int highest = RS_OK;

	if (err->status != RS_OK)
		return -1;
	for (size_t i = 0; i < nr; i++)
		highest = statuses[i] > highest ? statuses[i] : highest;
	if (nr > 1 && r->nr_failed)
		return rs_fail(err, "%zu of %zu hosts failed", r->nr_failed, nr);
	return highest;
}

static int remote_run(struct remote *r, const struct rs_options *opt, enum rs_host_output_kind kind,
		      const char *line, struct rs_error *err)
{
	bool alone = opt->nr_hosts == 1;
	int statuses[RS_HOSTS_MAX] = { RS_OK };
	int status;

	for (size_t i = 0; i < opt->nr_hosts; i++)
		r->hosts[i] = (struct rs_host){ opt->hosts[i], opt->remote };
	rs_host_output_init(&r->output, kind, opt->hosts, opt->nr_hosts);
	rs_host_output_init(&r->errors, RS_HOST_ERRORS, opt->hosts, opt->nr_hosts);
	status = rs_host_run(&(struct rs_host_run_config){
		.hosts = r->hosts, .nr = opt->nr_hosts, .line = line, .arg = r,
		.begin = alone ? remote_begin_alone : remote_begin,
		.output = alone ? remote_take_alone : remote_take,
		.errors = alone ? NULL : remote_take_errors,
		.failed = alone ? remote_fail_alone : remote_fail }, statuses, err);
	rs_host_output_done(&r->output);
	rs_host_output_done(&r->errors);
	return status < 0 ? -1 : remote_status(r, opt->nr_hosts, statuses, err);
}

int rs_remote_run(const struct rs_options *opt, bool is_stream, struct rs_error *err)
{
	struct rs_buf words = RS_BUF_INIT, line = RS_BUF_INIT;
	struct remote r = { .err = err };
	int status;

	for (char *const *word = opt->words; word && *word; word++)
		rs_buf_add(&words, *word, strlen(*word) + 1);
	rs_buf_puts(&line, "serve --");
	rs_option_words_quote(&words, &line);
	status = line.failed || words.failed || !opt->words ?
			 rs_fail(err, "out of memory") :
			 remote_run(&r, opt, opt->json || opt->csv ? RS_HOST_ROWS :
					      is_stream ? RS_HOST_LINES : RS_HOST_TABLES, line.data, err);
	rs_buf_done(&words);
	rs_buf_done(&line);
	return status;
}
