// SPDX-License-Identifier: GPL-2.0-or-later
/* sqlite.c - the SQLite database as a format: sqlite3 out.db 'SELECT * FROM finding' */
#include "export/sqlite/sqlite.h"

#include <stdlib.h>

#include "base/buf.h"
#include "view/quality-line.h"

struct rs_sqlite_calls rs_sqlite_calls;

#define SQLITE_SYMBOL(name) RS_LIBRARY_SYMBOL(rs_sqlite_calls, name)
static const struct rs_library_symbol sqlite_symbols[] = { RS_SQLITE_CALLS(SQLITE_SYMBOL) { 0 } };

static bool sqlite_draws(const struct rs_span_kind *kind)
{
	return true;
}

static void sqlite_begin(struct rs_scene *s, unsigned int pass)
{
	static const struct rs_column begin = { "begin_ns", NULL, RS_TYPE_TIME },
				      host = { "host", NULL, RS_TYPE_TEXT },
				      arch = { "arch", NULL, RS_TYPE_TEXT },
				      cpus = { "cpus", NULL, RS_TYPE_COUNT };
	const struct rs_trace_info *info = s->info;
	struct rs_sqlite *sq = rs_sqlite_of(s);
	char dev[32];

	rs_sqlite_put_meta(sq, &begin, rs_u(s->begin_ns));
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

static void sqlite_end(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_sqlite *sq = rs_sqlite_of(s);

	for (const struct rs_column *c = rs_quality_line_columns; c->name; c++)
		if (!(c->flags & RS_COLUMN_PART))
			rs_sqlite_put_meta(sq, c, rs_quality_line_value(quality, c));
	for (unsigned int cpu = 0; quality->lost_by_cpu && cpu < quality->nr_cpus; cpu++)
		rs_sqlite_put(
			sq, RS_SQLITE_CPU,
			(const struct rs_value[]){ rs_u(cpu), rs_u_if(!rs_quality_lost_unknown(quality, cpu),
								      quality->lost_by_cpu[cpu]) });
}

static void sqlite_close(struct rs_scene *s)
{
	struct rs_sqlite *sq = rs_sqlite_of(s);

	rs_sqlite_make_indices(sq);
	rs_sqlite_make_views(sq);
	rs_sqlite_close(sq);
}

static void sqlite_free(struct rs_scene *s)
{
	struct rs_sqlite *sq = rs_sqlite_of(s);

	rs_sqlite_close(sq);
	rs_sqlite_free_rows(sq);
	rs_scene_done(s);
	free(sq);
}

static const struct rs_scene_ops sqlite_ops = {
	.name = "sqlite", .summary = "what a database needs beside rows and spans",
	.all_analyses = true, .span_values = true, .requires_history = true, .uses_stacks = true,
	.open_states = true,
	.begin = sqlite_begin, .end = sqlite_end, .close = sqlite_close, .free = sqlite_free,
	.view = rs_sqlite_add_view, .finding = rs_sqlite_put_finding,
	.draws = sqlite_draws, .kind = rs_sqlite_add_kind, .span = rs_sqlite_add_span,
	.state = rs_sqlite_put_state, .task = rs_sqlite_put_thread,
	.sample = rs_sqlite_put_sample, .stack = rs_sqlite_put_stack, .loss = rs_sqlite_put_gap,
};

struct rs_export *rs_sqlite_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_sqlite *sq = calloc(1, sizeof *sq);

	if (!sq)
		return NULL;
	rs_scene_init(&sq->scene, &sqlite_ops);
	for (size_t i = 0; i < RS_SQLITE_MAX_COLUMNS; i++)
		sq->texts[i] = (struct rs_buf)RS_BUF_INIT;
	sq->interrupted = options->interrupted;
	if (rs_library_load("libsqlite3.so.0", "libsqlite3-0", sqlite_symbols, &sq->scene.export.error) < 0)
		return &sq->scene.export;
	rs_sqlite_open(sq, options->path);
	rs_sqlite_make_tables(sq);
	return &sq->scene.export;
}
