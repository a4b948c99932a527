// SPDX-License-Identifier: GPL-2.0-or-later
/* record-hosts - record --host: recordings that are made on other machines, and written here */
#include "cli/record-hosts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/export/output-file.h"
#include "cli/host-output.h"
#include "cli/options/option-words.h"
#include "link/host-run.h"

/* What of the command line is the capture's: the rest is about the file here. */
#define RECORD_HOSTS_OPTIONS \
	"COMMAND,event,analysis,samples,frequency,call-graph,max-overhead,buffer-size,stacks,clock,cpus," \
	"duration,pid,tid,args,no-args,as-root,core,quiet"

struct record_hosts {
	const struct rs_options *opt;
	struct rs_host at[RS_HOSTS_MAX];
	struct {
		struct rs_buf path, bytes;
		struct rs_output_file file;
		bool is_open;
		struct rs_error err;     /* of the file, or of the host */
	} of[RS_HOSTS_MAX];
	struct rs_host_output errors;
};

/* "trace.dat" of root@web1: "trace.web1.dat" */
static void record_hosts_put_path(struct rs_buf *out, const char *path, const char *host)
{
	const char *slash = strrchr(path, '/'), *at = strrchr(host, '@');
	const char *dot = strrchr(slash ? slash : path, '.');
	size_t len = dot && dot != path && dot[-1] != '/' ? (size_t)(dot - path) : strlen(path);

	rs_buf_add(out, path, len);
	rs_buf_putc(out, '.');
	for (host = at ? at + 1 : host; *host; host++)
		rs_buf_putc(out, *host == '/' ? '_' : *host);
	rs_buf_puts(out, path + len);
}

/* ---- what comes ---- */

/* Of several at once: the others may go on for long. */
static void record_hosts_put_error(struct record_hosts *r, size_t host, const char *why)
{
	struct rs_buf text = RS_BUF_INIT;

	rs_fail(&r->of[host].err, "%.80s: %.400s", r->at[host].name, why);
	if (r->opt->nr_hosts == 1)
		return;
	rs_escape_text(&text, r->of[host].err.text);
	fprintf(stderr, "ringside: %s\n", text.data);
	rs_buf_done(&text);
}

static void record_hosts_begin(void *arg, size_t host, const struct rs_host_run_begin *begin, char *words,
			       size_t size_bytes)
{
	*words = '\0';
}

static bool record_hosts_take(void *arg, size_t host, const char *bytes, size_t len)
{
	struct record_hosts *r = arg;
	struct rs_error err = { 0 };

	rs_buf_add(&r->of[host].bytes, bytes, len);
	if (r->of[host].err.status == RS_OK &&
	    rs_output_file_write(&r->of[host].file, &r->of[host].bytes, &err) < 0 && err.status != RS_OK)
		record_hosts_put_error(r, host, err.text);
	rs_buf_clear(&r->of[host].bytes);
	return r->of[host].err.status == RS_OK || r->opt->nr_hosts > 1;
}

static bool record_hosts_take_errors(void *arg, size_t host, const char *bytes, size_t len)
{
	struct record_hosts *r = arg;

	if (len)
		rs_host_output_add(&r->errors, host, bytes, len);
	else
		rs_host_output_end(&r->errors, host);
	fputs(r->errors.out.data, stderr);
	rs_buf_clear(&r->errors.out);
	return true;
}

static void record_hosts_fail(void *arg, size_t host, const char *why)
{
	record_hosts_put_error(arg, host, why);
}

/* ---- the files ---- */

/* Before anything is recorded. */
static int record_hosts_open(struct record_hosts *r, struct rs_error *err)
{
	const char *path = r->opt->output ? r->opt->output : "trace.dat";

	if (r->opt->nr_hosts > 1 && !strcmp(path, "-"))
		return rs_fail_usage(err, "record: -o - is of one --host");
	for (size_t i = 0; i < r->opt->nr_hosts; i++) {
		if (r->opt->nr_hosts > 1)
			record_hosts_put_path(&r->of[i].path, path, r->at[i].name);
		else
			rs_buf_puts(&r->of[i].path, path);
		r->of[i].is_open = true;
		if (rs_output_file_open(&r->of[i].file, r->of[i].path.data, RS_OUTPUT_BYTES, err) < 0 ||
		    rs_output_file_begin(&r->of[i].file, err) < 0)
			return -1;
	}
	return 0;
}

static void record_hosts_close(struct record_hosts *r, size_t host, bool whole)
{
	char size[RS_UNIT_TEXT + 1] = "";
	uint64_t bytes = rs_output_file_bytes(&r->of[host].file);
	struct rs_error err = { 0 };

	if (rs_output_file_close(&r->of[host].file, whole, &err) < 0) {
		record_hosts_put_error(r, host, err.text);
	} else if (whole && bytes && !r->opt->quiet) {
		size[rs_units_put_bytes(size, bytes)] = '\0';
		rs_escape_text(&r->of[host].bytes, r->of[host].path.data);
		fprintf(stderr, "ringside: %s: %s of %s\n", r->of[host].bytes.data, size, r->at[host].name);
	}
}

static enum rs_exit record_hosts_run(struct record_hosts *r, const char *line, struct rs_error *err)
{
	int statuses[RS_HOSTS_MAX] = { RS_OK };
	size_t nr = r->opt->nr_hosts, nr_failed = 0;

	if (record_hosts_open(r, err) < 0 ||
	    rs_host_run(&(struct rs_host_run_config){
		    .hosts = r->at, .nr = nr, .line = line, .begin = record_hosts_begin,
		    .output = record_hosts_take, .errors = nr > 1 ? record_hosts_take_errors : NULL,
		    .failed = record_hosts_fail, .arg = r }, statuses, err) < 0) {
		for (size_t i = 0; i < nr && r->of[i].is_open; i++)
			rs_output_file_close(&r->of[i].file, false, err);
		return err->status;
	}
	for (size_t i = 0; i < nr; i++) {
		record_hosts_close(r, i, statuses[i] == RS_OK && r->of[i].err.status == RS_OK);
		nr_failed += statuses[i] != RS_OK || r->of[i].err.status != RS_OK;
	}
	if (nr == 1 && r->of[0].err.status != RS_OK)
		*err = r->of[0].err;
	else if (nr_failed && nr == 1) /* which record there has explained */
		rs_fail(err, "nothing was written to '%s'", r->of[0].path.data);
	else if (nr_failed)
		rs_fail(err, "%zu of %zu hosts failed: no file of them was written", nr_failed, nr);
	return err->status;
}

enum rs_exit rs_record_hosts(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf words = RS_BUF_INIT, line = RS_BUF_INIT;
	struct record_hosts r = { .opt = opt };

	if (opt->export_to || opt->chrome) {
		rs_fail_usage(err, "record: --export is not for --host (ringside export FILE does it here)");
		return err->status;
	}
	for (size_t i = 0; i < opt->nr_hosts; i++) {
		r.at[i] = (struct rs_host){ .name = opt->hosts[i], .command = opt->remote };
		r.of[i].path = r.of[i].bytes = (struct rs_buf)RS_BUF_INIT;
	}
	rs_host_output_init(&r.errors, RS_HOST_ERRORS, opt->hosts, opt->nr_hosts);
	rs_buf_puts(&line, "serve -- record -o -");
	rs_option_words_pick(opt->words, RECORD_HOSTS_OPTIONS, &words);
	rs_option_words_quote(&words, &line);
	if (words.failed || line.failed)
		rs_fail(err, "cannot record: out of memory");
	else
		record_hosts_run(&r, line.data, err);
	for (size_t i = 0; i < opt->nr_hosts; i++) {
		rs_buf_done(&r.of[i].path);
		rs_buf_done(&r.of[i].bytes);
	}
	rs_host_output_done(&r.errors);
	rs_buf_done(&words);
	rs_buf_done(&line);
	return err->status;
}
