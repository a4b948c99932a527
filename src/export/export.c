// SPDX-License-Identifier: GPL-2.0-or-later
/* export - writes a recording in another program's format while it is read */
#include "base/comma-list.h"
#include "base/nearest.h"
#include "base/units.h"
#include "export/chrome/chrome.h"
#include "export/clickhouse/clickhouse.h"
#include "export/ctf/ctf.h"
#include "export/export.h"
#include "export/html/html.h"
#include "export/perfetto/perfetto.h"
#include "export/replay/replay.h"
#include "export/sqlite/sqlite.h"

#include <string.h>

const struct rs_export_format rs_export_formats[] = {
	{ "chrome", "Chrome trace JSON: Perfetto, chrome://tracing, speedscope", ".json", RS_EXPORT_STREAM,
	  rs_chrome_make,
	  .options = "compat,gzip,max-size" },
	{ "perfetto", "Perfetto's own: ui.perfetto.dev, trace_processor", ".pftrace.perfetto-trace",
	  RS_EXPORT_STREAM, rs_perfetto_make,
	  .options = "gzip" },
	{ "trace.dat", "plain recording of version 6, of a time range or some CPUs: trace-cmd, KernelShark",
	  ".dat", RS_EXPORT_COPY, NULL,
	  .is_raw = true },
	{ "ctf", "folder in the Common Trace Format 1.8, as LTTng's: Trace Compass, babeltrace2", ".ctf",
	  RS_EXPORT_FOLDER, rs_ctf_make,
	  .is_raw = true },
	{ "sqlite", "SQLite database: rows, spans, states, waits with culprits, findings", ".db.sqlite",
	  RS_EXPORT_FILE, rs_sqlite_make },
	{ "html", "report as one HTML page: findings, timeline, slowest, tables, flame graphs", ".html.htm",
	  RS_EXPORT_STREAM, rs_html_make,
	  .options = "gzip" },
	{ "clickhouse", "folder of rows for ClickHouse: spans, latencies, findings, with the schema", NULL,
	  RS_EXPORT_FOLDER, rs_clickhouse_make },
	{ "replay", "slowest wait of the first finding in slow motion, as an animated SVG", ".svg",
	  RS_EXPORT_STREAM, rs_replay_make_svg },
	{ "asciicast", "same in slow motion for a terminal: asciinema play", ".cast", RS_EXPORT_STREAM,
	  rs_replay_make_cast },
	{ .name = NULL },
};

#define EXPORT_NR_FORMATS (sizeof rs_export_formats / sizeof *rs_export_formats)

const struct rs_export_format *rs_export_find(const char *name, struct rs_error *err)
{
	const char *names[EXPORT_NR_FORMATS] = { NULL }, *near;

	for (size_t i = 0; rs_export_formats[i].name; i++) {
		if (!strcmp(rs_export_formats[i].name, name))
			return &rs_export_formats[i];
		names[i] = rs_export_formats[i].name;
	}
	near = rs_nearest(name, names);
	if (near)
		rs_fail_usage(err, "unknown format '%.40s'; did you mean '%s'?", name, near);
	else
		rs_fail_usage(err,
			      "unknown format '%.40s' (\"ringside list formats\" names them; a view writes "
			      "rows: ringside VIEW -i FILE --csv, or --json)",
			      name);
	return NULL;
}

const struct rs_export_format *rs_export_find_by_ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash + 1 : path, '.');
	size_t len = dot ? strlen(dot) : 0;

	for (const struct rs_export_format *f = rs_export_formats; len > 1 && f->name; f++)
		for (const char *at = f->endings; at && (at = strstr(at, dot)); at++)
			if (!at[len] || at[len] == '.')
				return f;
	return NULL;
}

void rs_export_put_names(struct rs_buf *out, const char *option)
{
	const char *between = "";

	for (const struct rs_export_format *f = rs_export_formats; f->name; f++) {
		if (option && !rs_comma_list_has(f->options, option))
			continue;
		rs_buf_printf(out, "%s%s", between, f->name);
		between = ", ";
	}
}

void rs_export_put_endings(struct rs_buf *out)
{
	const char *between = "";

	for (const struct rs_export_format *f = rs_export_formats; f->name; f++) {
		if (!f->endings)
			continue;
		rs_buf_puts(out, between);
		for (const char *at = f->endings; at; at = strchr(at + 1, '.'))
			rs_buf_printf(out, "%.*s ", (int)(1 + strcspn(at + 1, ".")), at);
		rs_buf_printf(out, "(%s)", f->name);
		between = ", ";
	}
}

int rs_export_check_option(const struct rs_export_format *format, const char *option, struct rs_error *err)
{
	struct rs_buf names = RS_BUF_INIT;

	if (rs_comma_list_has(format->options, option))
		return 0;
	rs_export_put_names(&names, option);
	rs_fail_usage(err, "--%s is for %s, not for %s", option, names.data, format->name);
	rs_buf_done(&names);
	return -1;
}

/* As text: times and sums may exceed what a double holds. */
void rs_export_describe(const struct rs_quality *q, uint64_t base_ns, uint64_t nr_cut,
			void (*fact)(void *arg, const char *key, const char *text), void *arg)
{
	const struct { const char *key, *value; } texts[] = {
		{ "ringside_machine", q->machine }, { "ringside_version", q->version },
		{ "ringside_kernel", q->kernel },
		{ "ringside_clock", q->clock }, { "ringside_unit", q->unit },
		{ "ringside_filters", q->filters },
	};
	const struct { const char *key; bool is_signed; struct rs_value value; } numbers[] = {
		{ "ringside_base_ns", false, rs_u(base_ns) },
		{ "ringside_realtime_offset_ns", true,
		  q->realtime_offset_known ? rs_i(q->realtime_offset_ns) : rs_null() },
		{ "ringside_events", false, rs_u(q->events) },
		{ "ringside_lost", false, rs_u(rs_quality_lost(q)) },
		{ "ringside_gaps", false, rs_u(q->gaps) },
		{ "ringside_gaps_uncounted", false, rs_u(q->gaps_uncounted) },
		{ "ringside_unmatched", false, rs_u(q->unmatched) },
		{ "ringside_discarded", false, rs_u(q->discarded) },
		{ "ringside_inferred", false, rs_u(q->inferred) },
		{ "ringside_in_flight", false, rs_u(q->in_flight) },
		{ "ringside_evicted", false, rs_u(q->evicted) },
		{ "ringside_slices_cut", false, rs_u(nr_cut) },
	};
	char text[RS_UNIT_TEXT + 1];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].value && *texts[i].value)
			fact(arg, texts[i].key, texts[i].value);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct rs_value *v = &numbers[i].value;

		text[numbers[i].is_signed ? rs_units_put_i64(text, v->i) : rs_units_put_u64(text, v->u)] =
			'\0';
		if (v->known)
			fact(arg, numbers[i].key, text);
	}
}
