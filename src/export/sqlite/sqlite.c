// SPDX-License-Identifier: GPL-2.0-or-later
/* sqlite.c - the SQLite database as a format: sqlite3 out.db 'SELECT * FROM finding' */
#include "export/sqlite/sqlite.h"

#include <stdlib.h>

#include "base/buf.h"
#include "view/quality-line.h"

struct rs_sqlite_calls rs_sqlite_calls;

#define SQLITE_SYMBOL(name) RS_LIBRARY_SYMBOL(rs_sqlite_calls, name)
static const struct rs_library_symbol sqlite_symbols[] = { RS_SQLITE_CALLS(SQLITE_SYMBOL) { 0 } };

static struct rs_sqlite *sqlite_of(struct rs_span_sink *sink)
{
	return (struct rs_sqlite *)((char *)sink - offsetof(struct rs_sqlite, export.sink));
}

static void sqlite_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind)
{
	rs_sqlite_add_kind(sqlite_of(sink), kind);
}

static void sqlite_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			   const struct rs_span *span)
{
	rs_sqlite_add_span(sqlite_of(sink), c, kind, span);
}

static struct rs_sink *sqlite_view(struct rs_export *e, const struct rs_view *view)
{
	return rs_sqlite_add_view((struct rs_sqlite *)e, view);
}

static void sqlite_findings(struct rs_export *e, const struct rs_finding_list *list)
{
	rs_sqlite_put_findings((struct rs_sqlite *)e, list);
}

static bool sqlite_draws(const struct rs_span_kind *kind)
{
	return true;
}

static void sqlite_begin(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
			 uint64_t begin_ns)
{
	static const struct rs_column begin = { "begin_ns", NULL, RS_TYPE_TIME },
				      host = { "host", NULL, RS_TYPE_TEXT },
				      arch = { "arch", NULL, RS_TYPE_TEXT },
				      cpus = { "cpus", NULL, RS_TYPE_COUNT };
	struct rs_sqlite *sq = (struct rs_sqlite *)e;
	char dev[32];

	sq->info = info;
	rs_sqlite_put_meta(sq, &begin, rs_u(begin_ns));
	rs_sqlite_put_meta(sq, &host, rs_s(info->host));
	rs_sqlite_put_meta(sq, &arch, rs_s(info->machine));
	rs_sqlite_put_meta(sq, &cpus, rs_u(info->nr_cpus));
	for (size_t i = 0; i < info->nr_disks; i++) {
		rs_dev_text(info->disks[i].dev, dev, sizeof dev);
		rs_sqlite_put(sq, RS_SQLITE_DISK,
			      (const struct rs_value[]){ rs_s(dev), rs_s(info->disks[i].name),
							 rs_s(info->disks[i].mount) });
	}
}

static void sqlite_end(struct rs_export *e, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_sqlite *sq = (struct rs_sqlite *)e;

	for (const struct rs_column *c = rs_quality_line_columns; c->name; c++)
		if (!(c->flags & RS_COLUMN_PART))
			rs_sqlite_put_meta(sq, c, rs_quality_line_value(quality, c));
	for (unsigned int cpu = 0; quality->lost_by_cpu && cpu < quality->nr_cpus; cpu++)
		rs_sqlite_put(
			sq, RS_SQLITE_CPU,
			(const struct rs_value[]){ rs_u(cpu), rs_u_if(!rs_quality_lost_unknown(quality, cpu),
								      quality->lost_by_cpu[cpu]) });
	sq->info = NULL; /* of the source, which is closed next */
}

static void sqlite_close(struct rs_export *e)
{
	struct rs_sqlite *sq = (struct rs_sqlite *)e;

	rs_sqlite_make_indices(sq);
	rs_sqlite_make_views(sq);
	rs_sqlite_close(sq);
}

static void sqlite_free(struct rs_export *e)
{
	struct rs_sqlite *sq = (struct rs_sqlite *)e;

	rs_sqlite_close(sq);
	rs_sqlite_free_rows(sq);
	free(sq->stacks);
	free(sq);
}

struct rs_export *rs_sqlite_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_sqlite *sq = calloc(1, sizeof *sq);

	if (!sq)
		return NULL;
	sq->export = (struct rs_export){
		.subscriber = { &rs_sqlite_subscriber }, .spans = { true }, .all_analyses = true,
		.sink = { .span = sqlite_on_span, .kind = sqlite_on_kind, .values = true },
		.draws = sqlite_draws, .view = sqlite_view,
		.findings = sqlite_findings, .begin = sqlite_begin, .end = sqlite_end, .close = sqlite_close,
		.free = sqlite_free,
	};
	for (size_t i = 0; i < RS_SQLITE_MAX_COLUMNS; i++)
		sq->texts[i] = (struct rs_buf)RS_BUF_INIT;
	sq->interrupted = options->interrupted;
	if (rs_library_load("libsqlite3.so.0", "libsqlite3-0", sqlite_symbols, &sq->export.error) < 0)
		return &sq->export;
	rs_sqlite_open(sq, options->path);
	rs_sqlite_make_tables(sq);
	return &sq->export;
}
