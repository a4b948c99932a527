// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export-tracedat - a time range of a recording, or some of its CPUs, as a plain trace.dat of version 6
 *
 * Records are copied, not decoded. The recording is read twice, because the number of pages comes before the
 * pages; and before that up to the begin of the range, for the tasks that exist then.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/config.h"
#include "cli/interrupt.h"
#include "cli/export/export-file.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/show/show.h"
#include "decode/time-range-source.h"
#include "service/save-tracedat.h"

#define TRACEDAT_WRITE_BYTES (256u << 10)
#define TRACEDAT_EVENTS_PER_BATCH \
	256 /* few: a name is that at the end of the batch in which the range begins */

struct export_tracedat {
	const struct rs_options *opt;
	struct rs_source *source;           /* of the whole recording */
	struct rs_session_config range;     /* .from_ns, .to_ns */
	struct rs_task_snapshot living;     /* tasks at the begin of the range */
	/* which owns their texts; NULL: the range begins with the recording */
	struct rs_session *before;
	struct rs_save_tracedat save;
	bool *cpus;
	uint64_t *nr_pages;
	struct rs_initial_task *named;
	struct rs_output_file file;
	struct rs_buf out;
	struct rs_progress line;
};

/* ---- what is asked for ---- */

static int tracedat_check(size_t nr, const struct rs_export_format *format, struct rs_error *err)
{
	return nr > 1 ? rs_fail_usage(err, "%s is of one machine: export each file by itself", format->name) :
			0;
}

static int tracedat_narrow(struct export_tracedat *x, struct rs_error *err)
{
	unsigned int nr_cpus;
	struct rs_moment_clock clock;

	x->source = rs_show_file_open(x->opt, &clock, err);
	if (!x->source || rs_config_times(x->opt, &clock, &x->range, err) < 0)
		return -1;
	nr_cpus = x->source->info.nr_cpus;
	x->cpus = calloc(nr_cpus + 1, sizeof *x->cpus);
	x->nr_pages = calloc(nr_cpus + 1, sizeof *x->nr_pages);
	x->named = calloc(x->source->info.nr_initial + 1, sizeof *x->named);
	if (!x->cpus || !x->nr_pages || !x->named)
		return rs_fail(err, "cannot export: out of memory");
	return rs_session_select_cpus(x->opt->cpus, x->cpus, nr_cpus, err);
}

/* ---- tasks ---- */

/* Reads up to the begin of the range. A recording that ends before has those of its begin. */
static void tracedat_find_living(struct export_tracedat *x, struct rs_error *err)
{
	uint64_t from_ns = x->range.from_ns;
	struct rs_session_config config = { .only_spans = true };

	if (!from_ns || !(x->before = rs_session_new(&config, err)) ||
	    rs_session_attach(x->before, x->source, err) < 0)
		return;
	while (rs_session_now_ns(x->before) < from_ns && !rs_interrupt_came() &&
	       rs_session_run(x->before, TRACEDAT_EVENTS_PER_BATCH, err) == RS_RUN_MORE)
		rs_progress_show_file(&x->line, x->source, rs_session_events(x->before));
	if (rs_session_initial_tasks(x->before, from_ns, from_ns, &x->living, NULL) < 0)
		rs_fail(err, "cannot export: out of memory");
}

/* Names of the recording's cmdlines stay what they were, so that other readers show the same names. */
static void tracedat_keep_names(struct export_tracedat *x)
{
	const struct rs_trace_info *info = &x->source->info;

	for (size_t i = 0; i < info->nr_initial; i++)
		if (!info->snapshot[i].ts_ns)
			x->named[x->save.nr_named++] = info->snapshot[i];
	x->save.named = x->named;
}

/* ---- pages ---- */

static struct rs_source *tracedat_open_range(const struct export_tracedat *x, struct rs_error *err)
{
	uint64_t from_ns = x->range.from_ns, to_ns = x->range.to_ns ? x->range.to_ns : UINT64_MAX;
	struct rs_source *source = x->source->ops->again(x->source, err);

	if (source && source->ops->seek &&
	    source->ops->seek(source, from_ns, to_ns == UINT64_MAX ? to_ns : to_ns + 1, err) < 0) {
		source->ops->close(source);
		return NULL;
	}
	source = source ? rs_time_range_source_open(source, from_ns, to_ns, err) : NULL;
	if (source && x->living.nr) {
		source->info.snapshot = x->living.row;
		source->info.nr_initial = x->living.nr;
	}
	if (source && (from_ns || x->range.to_ns))
		source->info.nr_cgroup_rows = 0; /* they are counts of the whole recording */
	return source;
}

static int tracedat_count_pages(struct export_tracedat *x, struct rs_error *err)
{
	struct rs_source *source = tracedat_open_range(x, err);
	struct rs_page page;

	if (!source)
		return -1;
	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++)
		while (x->cpus[cpu] && !rs_interrupt_came() &&
		       source->ops->next(source, cpu, &page, err) == RS_NEXT_PAGE)
			x->nr_pages[cpu]++;
	source->ops->close(source);
	return err->status == RS_OK ? 0 : -1;
}

static int tracedat_write(void *arg, const void *data, size_t len_bytes, struct rs_error *err)
{
	struct export_tracedat *x = arg;

	rs_buf_add(&x->out, data, len_bytes);
	rs_progress_show_file(&x->line, x->save.source, x->save.nr_events);
	if (rs_interrupt_came())
		return rs_fail(err, "export: interrupted (%s)", rs_output_file_left(&x->file));
	return x->out.len >= TRACEDAT_WRITE_BYTES ? rs_output_file_write(&x->file, &x->out, err) : 0;
}

static int tracedat_write_pages(struct export_tracedat *x, struct rs_error *err)
{
	int ret;

	x->save.source = tracedat_open_range(x, err);
	if (!x->save.source)
		return -1;
	x->save.from_ns = x->range.from_ns;
	x->save.to_ns = x->range.to_ns;
	x->save.cpus = x->cpus;
	x->save.nr_pages = x->nr_pages;
	x->save.write = tracedat_write;
	x->save.arg = x;
	ret = rs_save_tracedat(&x->save, err);
	x->save.source->ops->close(x->save.source);
	return ret == 0 && x->out.len ? rs_output_file_write(&x->file, &x->out, err) : ret;
}

/* ---- all of it ---- */

static int tracedat_run(struct export_tracedat *x, struct rs_error *err)
{
	if (tracedat_narrow(x, err) < 0)
		return -1;
	rs_out_warn("%s", x->source->info.warnings ? x->source->info.warnings : "");
	tracedat_find_living(x, err);
	tracedat_keep_names(x);
	if (err->status != RS_OK || tracedat_count_pages(x, err) < 0 ||
	    rs_output_file_begin(&x->file, err) < 0)
		return -1;
	return tracedat_write_pages(x, err);
}

enum rs_exit rs_export_tracedat(const struct rs_options *const *machines, size_t nr,
				const struct rs_export_format *format, const struct rs_output_file *file,
				struct rs_error *err)
{
	struct export_tracedat x = { .opt = machines[0], .file = *file, .out = RS_BUF_INIT };
	char samples[40] = "";
	uint64_t bytes;
	bool whole;

	rs_progress_init(&x.line);
	whole = tracedat_check(nr, format, err) == 0 && tracedat_run(&x, err) == 0;
	rs_progress_done(&x.line);
	if (whole && !x.save.nr_events && !x.save.nr_samples)
		rs_out_warn("no event of '%s' is in what was asked for", x.opt->input);
	bytes = rs_output_file_bytes(&x.file);
	rs_output_file_close(&x.file, whole, err);
	if (x.save.nr_samples)
		snprintf(samples, sizeof samples, ", %" PRIu64 " samples", x.save.nr_samples);
	if (whole && err->status == RS_OK)
		rs_export_file_say(x.opt->output, bytes, x.save.nr_events, samples);
	rs_task_snapshot_done(&x.living);
	rs_session_free(x.before);
	if (x.source)
		x.source->ops->close(x.source);
	free(x.cpus);
	free(x.nr_pages);
	free(x.named);
	rs_buf_done(&x.out);
	return err->status;
}
