// SPDX-License-Identifier: GPL-2.0-or-later
/* export-file - recordings in another program's format, for export, record and save */
#include "cli/export/export-file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/async-writer.h"
#include "base/escape.h"
#include "base/gzip.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/interrupt.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/save-window.h"
#include "cli/show/show.h"
#include "export/size-limit.h"
#include "ringside/event.h"
#include "service/export-feed.h"

#define EXPORT_EVENTS_PER_BATCH 2000       /* little enough that what a turn writes stays in the cache */
#define EXPORT_WRITE_BYTES (256u << 10)

struct export_job {
	const struct rs_options *opt; /* the first machine's: of the output */
	const struct rs_export_format *format;
	struct rs_export *export;
	struct rs_output_file file;
	struct rs_buf out;
	/* writes it, once it has begun; NULL: the format writes its own files */
	struct rs_async_writer *writer;
	struct rs_gzip *gzip;    /* packs what is written; NULL: it is written plain */
	struct rs_size_limit *limit; /* NULL: none */
	bool measures;           /* for the limit: nothing is written yet */
	uint64_t nr_bytes;       /* that it would be */
	uint64_t nr_events, nr_lost; /* of all machines */
	uint64_t file_bytes;     /* once it is closed */
	bool begun;              /* the output has been opened and begun: it must be closed */
	/* the output takes no more: the disk is full, its reader has closed it, Ctrl-C */
	bool closed;
};

static int export_write_buf(void *arg, struct rs_buf *b, struct rs_error *err)
{
	const struct export_job *x = arg;

	if (x->export->pack)
		x->export->pack(x->export, b);
	if (x->gzip)
		rs_gzip_put(x->gzip, b);
	return rs_output_file_write(&x->file, b, err);
}

static int export_write_out(struct export_job *x)
{
	if (x->measures) {
		x->nr_bytes += x->out.len;
		rs_buf_clear(&x->out);
		return 0;
	}
	if (x->writer && !rs_async_writer_put(x->writer, &x->out))
		x->closed = true;
	return x->closed ? -1 : 0;
}

/* Returns true if both are the same file: writing it would replace what is read. */
static bool export_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int rs_export_file_open(const struct rs_options *opt, struct rs_output_file *file, enum rs_output_kind kind,
			struct rs_error *err)
{
	if (opt->output && strcmp(opt->output, "-") && export_is_same_file(opt->output, opt->input))
		return rs_fail_usage(err, "'%s' is what is read: name another file to write to", opt->output);
	return rs_output_file_open(file, opt->output, kind, err);
}

/* The format is made only now: it needs the name that its files have meanwhile. */
static int export_make(struct export_job *x, struct rs_error *err)
{
	const struct rs_export_options options = { .compat = x->opt->compat,
						   .path = x->file.made_path,
						   .limit = x->limit,
						   .interrupted = rs_interrupt_came,
						   .batch = x->opt->shipped ? *x->opt->shipped :
									      (struct rs_export_batch){ 0 } };

	x->export = x->format->make(&options, &x->out);
	if (!x->export)
		return rs_fail(err, "cannot export: out of memory");
	return x->export->error.status ? rs_fail(err, "%s", x->export->error.text) : 0;
}

/* An error in the file ends the reading: err then says it. */
static void export_run_session(struct export_job *x, struct rs_session *s, struct rs_source *source,
			       struct rs_error *err)
{
	enum rs_run_result more = RS_RUN_MORE;
	uint64_t nr_events = 0;
	struct rs_progress line;

	rs_progress_init(&line);
	while (more == RS_RUN_MORE && !x->closed && x->export->error.status == RS_OK &&
	       !rs_interrupt_came()) {
		more = rs_session_run(s, EXPORT_EVENTS_PER_BATCH, err);
		nr_events += EXPORT_EVENTS_PER_BATCH;
		if (x->out.len >= EXPORT_WRITE_BYTES)
			export_write_out(x);
		rs_progress_show_file(&line, source, nr_events);
	}
	rs_progress_done(&line);
	x->closed |= rs_interrupt_came();
}

/*
 * Only when the reading can begin: what is written in place is not emptied for a question that makes no
 * sense.
 */
static int export_begin_output(struct export_job *x, const struct rs_source *source, struct rs_error *err)
{
	if (x->begun || x->measures)
		return 0;
	if (rs_output_file_begin(&x->file, err) < 0)
		return -1;
	if (x->format->output == RS_EXPORT_STREAM) {
		x->writer = rs_async_writer_new(export_write_buf, x, EXPORT_WRITE_BYTES, err);
		if (!x->writer)
			return -1;
		rs_async_writer_start(x->writer);
	}
	rs_out_warn("%s", source->info.warnings ? source->info.warnings : "");
	x->begun = true;
	return 0;
}

static void export_count(struct export_job *x, unsigned int pass, struct rs_session *s)
{
	struct rs_quality quality;

	if (pass || x->measures)
		return;
	rs_session_quality(s, &quality);
	x->nr_events += quality.events;
	x->nr_lost += rs_quality_lost(&quality);
}

/* From begin to end, which it has whatever comes in between. */
static int export_write_pass(struct export_job *x, unsigned int pass, struct rs_session *s,
			     const struct rs_session_config *config, struct rs_source *source,
			     uint64_t begin_ns, struct rs_error *err)
{
	struct rs_export_feed feed;

	if (export_begin_output(x, source, err) < 0)
		return -1;
	rs_export_feed_begin(&feed, x->export, pass, s, config, source, begin_ns);
	export_run_session(x, s, source, err);
	rs_session_end(s);
	rs_export_feed_end(&feed, err);
	export_count(x, pass, s);
	return export_write_out(x);
}

/*
 * The analyses; where the user names none, all that make spans of events, so that all formats have the same.
 * A format of rows also has samples and stacks, where they were recorded.
 */
static int export_choose_analyses(const struct export_job *x, const struct rs_options *opt, unsigned int pass,
				  struct rs_session_config *config, struct rs_error *err)
{
	if (x->export->spans[pass] && rs_config_analyses(opt, config, err) < 0)
		return -1;
	if (x->export->spans[pass] && !opt->nr_analyses &&
	    (rs_config_add_spans(config, err) < 0 || rs_config_add_messages(config, err) < 0))
		return -1;
	if (x->export->view && !opt->nr_analyses &&
	    (x->export->all_analyses ? rs_config_add_all(config, err) :
				       rs_config_add_stacks(config, true, true, err)) < 0)
		return -1;
	return rs_export_feed_config(x->export, pass, config, err);
}

static void export_put_ids(struct rs_buf *b, const char *option, const int32_t *ids, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		rs_buf_printf(b, " %s %" PRId32, option, ids[i]);
}

/*
 * A number for the time range and all that leaves out rows: the same question has the same. 0: all of the
 * recording.
 */
static uint32_t export_number_part(const struct rs_options *opt, const struct rs_session_config *config)
{
	const struct { const char *option, *text; } texts[] = {
		{ "-c", opt->comm }, { "--cgroup", opt->cgroup }, { "-C", opt->cpus },
		{ "--self", opt->self ? "" : NULL },
		{ "--exact", opt->exact ? "" : NULL }, { "--no-children", opt->no_children ? "" : NULL },
	};
	struct rs_buf b = RS_BUF_INIT;
	uint64_t hash = 0;

	if (config->from_ns || config->to_ns)
		rs_buf_printf(&b, " %" PRIu64 "-%" PRIu64, config->from_ns, config->to_ns);
	export_put_ids(&b, "-p", opt->pids, opt->nr_pids);
	export_put_ids(&b, "-t", opt->tids, opt->nr_tids);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].text)
			rs_buf_printf(&b, " %s %s", texts[i].option, texts[i].text);
	for (size_t i = 0; i < opt->nr_analyses; i++)
		rs_buf_printf(&b, " -a %s", opt->analyses[i]);
	if (b.len)
		hash = rs_hash_bytes(b.data, b.len);
	rs_buf_done(&b);
	return (uint32_t)hash ? (uint32_t)hash : hash != 0;
}

/* One reading of a machine's file. */
static int export_read_once(struct export_job *x, const struct rs_options *opt, unsigned int pass,
			    struct rs_error *err)
{
	struct rs_session_config config = { .input = opt->input };
	struct rs_error ignored = { 0 };
	struct rs_session *s = NULL;
	struct rs_source *source;
	struct rs_moment_clock clock;
	int ret = -1;

	source = rs_show_file_open(opt, &clock, err);
	if (!source)
		return -1;
	rs_config_select(opt, &config);
	if (x->export->view) /* rows of streams have names at once */
		config.ahead = source->ops->again(source, &ignored);
	if (rs_config_times(opt, &clock, &config, err) == 0 &&
	    export_choose_analyses(x, opt, pass, &config, err) == 0)
		s = rs_session_new(&config, err);
	if (s) {
		x->export->part = export_number_part(opt, &config);
		rs_export_feed_spans(x->export, pass, s);
		if (rs_session_attach(s, source, err) == 0)
			ret = export_write_pass(x, pass, s, &config, source, clock.begin_ns, err);
	}
	rs_session_free(s);
	rs_export_feed_done(&config);
	if (config.ahead)
		config.ahead->ops->close(config.ahead);
	source->ops->close(source);
	return ret;
}

/* The writer's thread has ended. */
static bool export_end_gzip(struct export_job *x, struct rs_error *err)
{
	struct rs_gzip *gzip = x->gzip;

	x->gzip = NULL;
	rs_buf_clear(&x->out);
	rs_gzip_end(gzip, &x->out);
	rs_gzip_free(gzip);
	return export_write_buf(x, &x->out, err) == 0;
}

/*
 * The output is complete as its format wants it even where the second reading came to nothing, or the
 * recording ends too early: it has its name then. Without it remains what was there before.
 */
static void export_close_output(struct export_job *x, struct rs_error *err)
{
	bool whole = x->begun;

	if (x->begun) {
		x->export->close(x->export);
		export_write_out(x);
		whole &= rs_async_writer_free(x->writer, err) == 0;
		if (x->gzip && whole)
			whole = export_end_gzip(x, err);
	}
	if (rs_interrupt_came()) /* a format that gave up says so in other words */
		rs_fail(err, "export: interrupted (%s)", rs_output_file_left(&x->file));
	if (x->export && x->export->error.status) {
		rs_fail(err, "%s (%s)", x->export->error.text, rs_output_file_left(&x->file));
		whole = false;
	}
	x->file_bytes = rs_output_file_bytes(&x->file);
	rs_output_file_close(&x->file, whole && !rs_interrupt_came(), err);
}

/* Reads each machine's file in each pass, one after the other: the machines share only the clock. */
static void export_read_all(struct export_job *x, const struct rs_options *const *machines, size_t nr,
			    struct rs_error *err)
{
	for (unsigned int pass = 0; pass < RS_EXPORT_PASSES && x->export->subscriber[pass]; pass++)
		for (size_t i = 0; i < nr; i++) {
			if (nr > 1)
				x->export->machine(x->export, (unsigned int)i, (unsigned int)nr,
						   machines[i]->machine);
			if (export_read_once(x, machines[i], pass, err) < 0)
				return;
		}
}

/* "out.json.gz": it is compressed, as --gzip asks for it. */
static bool export_is_gz(const char *output)
{
	size_t len = output ? strlen(output) : 0;

	return len > 3 && !strcmp(output + len - 3, ".gz");
}

/* A filter by task would lose what others fire about a task: who wakes it, the completion of its requests. */
static int export_check_raw(const struct rs_options *opt, const struct rs_export_format *format,
			    struct rs_error *err)
{
	const struct { bool is_set; const char *name; } filters[] = {
		{ opt->nr_pids, "-p" }, { opt->nr_tids, "-t" }, { opt->comm, "-c" },
		{ opt->cgroup, "--cgroup" }, { opt->nr_analyses, "-a" },
	};

	for (size_t i = 0; format->is_raw && i < sizeof filters / sizeof *filters; i++)
		if (filters[i].is_set)
			return rs_fail_usage(err,
					     "%s: %s has each event of everybody, because a filter would "
					     "lose what others fire about a task "
					     "(narrow it by -C, --from and --to)",
					     filters[i].name, format->name);
	return 0;
}

int rs_export_file_check(const struct rs_options *opt, const struct rs_export_format *format,
			 struct rs_error *err)
{
	const struct { bool is_set; const char *name; } options[] = {
		{ opt->compat, "compat" }, { opt->gzip, "gzip" }, { opt->max_size, "max-size" },
	};
	struct rs_error by_name = { 0 };

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i].is_set && rs_export_check_option(format, options[i].name, err) < 0)
			return -1;
	if (export_is_gz(opt->output) && rs_export_check_option(format, "gzip", &by_name) < 0)
		return rs_fail_usage(err, "'%.200s' would be compressed: %s", opt->output, by_name.text);
	if (opt->max_size && opt->compat)
		return rs_fail_usage(err, "--max-size: not for --compat (its text has every switch)");
	return export_check_raw(opt, format, err);
}

static int export_check_several(const struct rs_options *const *machines, size_t nr,
				const struct rs_export_format *format, const struct rs_export *e,
				struct rs_error *err)
{
	const struct rs_options *opt = machines[0];

	for (size_t i = 1; i < nr && opt->output; i++)
		if (export_is_same_file(opt->output, machines[i]->input))
			return rs_fail_usage(err, "'%s' is what is read: name another file to write to",
					     opt->output);
	if (nr > 1 && opt->compat)
		return rs_fail_usage(err, "--compat: of one machine (its text cannot tell several apart)");
	if (nr > 1 && !e->machine)
		return rs_fail_usage(err, "%s is of one machine: export each file by itself", format->name);
	return 0;
}

/* Writes everything to nowhere first, to know what has to be left out. */
static int export_measure(struct export_job *x, const struct rs_options *const *machines, size_t nr,
			  struct rs_error *err)
{
	struct rs_error later = { 0 }; /* an error in the recording is met again */
	uint64_t max_bytes;

	if (rs_config_size("--max-size", x->opt->max_size, &max_bytes, err) < 0)
		return -1;
	x->limit = rs_size_limit_new(max_bytes);
	if (!x->limit)
		return rs_fail(err, "cannot export: out of memory");
	if (export_make(x, err) < 0)
		return -1;
	x->measures = true;
	export_read_all(x, machines, nr, &later);
	if (later.status == RS_USAGE)
		*err = later;
	x->export->close(x->export);
	export_write_out(x);
	x->export->free(x->export);
	x->export = NULL;
	x->measures = false;
	return err->status == RS_OK ? rs_size_limit_fit(x->limit, x->nr_bytes, err) : -1;
}

/* Compressed, limited: what the options ask of the output. */
static int export_prepare(struct export_job *x, const struct rs_options *const *machines, size_t nr,
			  struct rs_error *err)
{
	const struct rs_options *opt = x->opt;

	if ((opt->gzip || export_is_gz(opt->output)) && !(x->gzip = rs_gzip_new(err)))
		return -1;
	if (opt->max_size && export_measure(x, machines, nr, err) < 0)
		return -1;
	return export_make(x, err);
}

/* ---- the format ---- */

/* The name without its ".gz"; NULL: it is too long. */
static const char *export_plain_name(const char *output, char plain[4096])
{
	size_t len = strlen(output) - (export_is_gz(output) ? 3 : 0);

	if (len >= 4096)
		return NULL;
	memcpy(plain, output, len);
	plain[len] = '\0';
	return plain;
}

/* As of a pipe, a device, or a hidden file. */
static bool export_has_no_ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	return !dot || dot == name;
}

int rs_export_file_choose(const struct rs_options *opt, const char *others,
			  const struct rs_export_format **format, struct rs_error *err)
{
	struct rs_buf endings = RS_BUF_INIT;
	char plain[4096];
	const char *name = opt->output ? export_plain_name(opt->output, plain) : NULL;

	*format = NULL;
	if (opt->format)
		return (*format = rs_export_find(opt->format, err)) ? 0 : -1;
	if (!name || export_has_no_ending(name) || (*format = rs_export_find_by_ending(name)))
		return 0;
	rs_export_put_endings(&endings);
	rs_fail_usage(err, "what format is '%.200s'? (%s%s; or name one with -f)", opt->output, endings.data,
		      others);
	rs_buf_done(&endings);
	return -1;
}

/* ---- the result ---- */

void rs_export_file_say(const char *name, uint64_t bytes, uint64_t nr_events, const char *more)
{
	char size[RS_UNIT_TEXT + 1] = "";
	struct rs_buf path = RS_BUF_INIT;

	if (rs_out_quiet || !name || !strcmp(name, "-"))
		return;
	size[rs_units_put_bytes(size, bytes)] = '\0';
	rs_escape_text(&path, name);
	fprintf(stderr, "ringside: %s: %s%s%" PRIu64 " events%s\n", path.data, bytes ? size : "",
		bytes ? ", " : "", nr_events, more);
	rs_buf_done(&path);
}

/* On standard output, which may be a file of somebody's, only what is missing is worth a line. */
static void export_say(const struct export_job *x)
{
	const char *name = x->opt->output;
	struct rs_buf left_out = RS_BUF_INIT, more = RS_BUF_INIT;

	if (x->limit)
		rs_size_limit_say(x->limit, &left_out);
	if (x->nr_lost)
		rs_buf_printf(&more, ", %" PRIu64 " lost", x->nr_lost);
	if (left_out.len)
		rs_buf_printf(&more, "; left out for --max-size: %s", left_out.data);
	if (x->export->note)
		rs_buf_printf(&more, "; %s", x->export->note);
	if (name && strcmp(name, "-"))
		rs_export_file_say(name, x->file_bytes, x->nr_events, more.data);
	else if (left_out.len)
		rs_out_warn("left out for --max-size: %s", left_out.data);
	rs_buf_done(&left_out);
	rs_buf_done(&more);
}

/* A format that decodes the recording. */
static enum rs_exit export_run_feed(const struct rs_options *const *machines, size_t nr,
				    const struct rs_export_format *format, const struct rs_output_file *file,
				    struct rs_error *err)
{
	struct export_job x = { .opt = machines[0], .format = format, .file = *file, .out = RS_BUF_INIT };

	if (export_prepare(&x, machines, nr, err) == 0 &&
	    export_check_several(machines, nr, format, x.export, err) == 0)
		export_read_all(&x, machines, nr, err);
	if (err->status == RS_OK && !x.closed && x.export->is_empty && x.export->is_empty(x.export))
		rs_fail(err, "nothing to draw: no %s in '%s' (as far as it was asked for)",
			x.export->empty ? x.export->empty :
					  "spans, states, markers, counters or other events",
			x.opt->input);
	export_close_output(&x, err);
	if (err->status == RS_OK && !x.closed && !x.opt->shipped)
		export_say(&x);
	if (x.export)
		x.export->free(x.export);
	rs_size_limit_free(x.limit);
	rs_gzip_free(x.gzip);
	rs_buf_done(&x.out);
	return err->status;
}

static const struct { enum rs_output_kind kind; rs_export_run *run; } export_outputs[] = {
	[RS_EXPORT_STREAM] = { RS_OUTPUT_BYTES, export_run_feed },
	[RS_EXPORT_FILE] = { RS_OUTPUT_PATH, export_run_feed },
	[RS_EXPORT_FOLDER] = { RS_OUTPUT_FOLDER, export_run_feed },
	[RS_EXPORT_COPY] = { RS_OUTPUT_BYTES, rs_export_tracedat },
};

int rs_export_file_open_as(const struct rs_options *opt, struct rs_output_file *file,
			   const struct rs_export_format *format, struct rs_error *err)
{
	return rs_export_file_open(opt, file, export_outputs[format->output].kind, err);
}

enum rs_exit rs_export_file(const struct rs_options *const *machines, size_t nr,
			    const struct rs_export_format *format, const struct rs_output_file *opened,
			    struct rs_error *err)
{
	struct rs_output_file file = { .fd = -1, .place.folder_fd = -1 };

	if (rs_export_file_check(machines[0], format, err) < 0)
		return err->status;
	rs_interrupt_watch();
	if (opened)
		file = *opened;
	else if (rs_export_file_open_as(machines[0], &file, format, err) < 0)
		return rs_output_file_close(&file, false, err), err->status;
	return export_outputs[format->output].run(machines, nr, format, &file, err);
}

enum rs_exit rs_export_file_of_daemon(const struct rs_options *opt, const struct rs_export_format *format,
				      struct rs_error *err)
{
	struct rs_options of_window = *opt;
	struct rs_client *client = rs_export_file_check(opt, format, err) < 0 ? NULL : rs_attach(opt, err);

	if (client && rs_save_window_as_input(client, &of_window, err) == 0) {
		rs_export_file(&(const struct rs_options *){ &of_window }, 1, format, NULL, err);
		close(of_window.input_fd);
	}
	rs_client_free(client);
	return err->status;
}
