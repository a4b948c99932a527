// SPDX-License-Identifier: GPL-2.0-or-later
#include "formatted.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

const struct rs_column formatted_columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 10, "when it ended" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 8, "the task's name" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 6, "its process" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4, "kind of request" },
	[DEV] = { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 6, "device" },
	[SECTOR] = { "sector", "BLOCK", RS_TYPE_ID, 0, RS_COLUMN_LEFT, 8, "first sector" },
	[BYTES] = { "bytes", "BYTES", RS_TYPE_BYTES, 0, 0, 8, "size" },
	[LAT] = { "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 8, "how long" },
	[RET] = { "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 4, "what it returned" },
	[ERRNO] = { "errno", "ERRNO", RS_TYPE_ID, 0, 0, 0, "the error" },
	[UTIL] = { "util_pct", "UTIL%", RS_TYPE_MILLI, 0, 0, 6, "busy" },
	{ 0 },
};

const struct rs_view formatted_stream = {
	.name = "snoop", .summary = "each request", .kind = RS_VIEW_STREAM, .columns = formatted_columns,
	.text_columns = "comm,pid,type,dev,sector,bytes,lat_ns",
};

const struct rs_view formatted_table = {
	.name = "tasks", .summary = "each task", .kind = RS_VIEW_TABLE, .columns = formatted_columns,
	.text_columns = "comm,pid,lat_ns,ret,util_pct", .sort = "-lat_ns",
};

const struct rs_column formatted_hist_columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "the task's name" },
	{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "lower end" },
	{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "upper end" },
	{ "count", "count", RS_TYPE_COUNT, 0, 0, 10, "how many" },
	{ 0 },
};

const struct rs_view formatted_histogram = {
	.name = "lat", .summary = "how long requests took", .kind = RS_VIEW_HIST, .columns = formatted_hist_columns,
	.text_columns = "from_ns,to_ns,count",
};

#define U(v) { { .u = (v) }, true }
#define I(v) { { .i = (v) }, true }
#define S(v) { { .s = (v) }, true }
#define NOT_KNOWN { { .u = 0 }, false }

const struct rs_value formatted_rows[NR_ROWS][UTIL + 1] = {
	{ U(2000001500), S("dd"), U(42), S("R"), S("8,0"), U(2048), U(4096), U(1234567), I(4096), NOT_KNOWN,
	  U(12345) },
	{ U(2500000000), S("a\"b,\x1b[2J"), U(7), S("WS"), S("253,16"), U(0), U(0), U(50000000), I(-2), U(2),
	  U(100000) },
	{ NOT_KNOWN },
	{ U(1999999000), S("averylongtaskname"), U(4194304), S("W"), S("8,0"), U(UINT64_MAX), U(UINT64_MAX),
	  U(UINT64_MAX), I(INT64_MIN), NOT_KNOWN, U(5) },
};

void formatted_add_rows(struct rs_sink *sink)
{
	for (int i = 0; i < NR_ROWS; i++)
		sink->row(sink, formatted_rows[i]);
}

const uint64_t formatted_none_lost[2] = { 0, 0 };

const struct rs_quality formatted_quality = {
	.version = "0.1.0",
	.kernel = "6.1.0-50-amd64",
	.clock = "boot",
	.unit = "ns",
	.realtime_offset_known = true,
	.realtime_offset_ns = 1700000000000000000,
	.filters = "",
	.events = 123456,
	.nr_cpus = 2,
	.lost_by_cpu = formatted_none_lost,
	.unmatched = 2,
	.inferred = 3,
	.in_flight = 4,
	.from_ns = 1000000000,
	.to_ns = 3004999999,
};

const uint64_t formatted_waits_ns[5] = { 1000, 2000, 3999, 4000, 40000 };
const uint64_t formatted_short_ns[3] = { 0, 1, 700 };

void formatted_add_group(struct rs_sink *sink, const char *comm, const char *label, const uint64_t *values,
		     size_t nr)
{
	struct rs_value row[4] = { rs_s(comm) };
	struct rs_hist h;

	rs_hist_init(&h);
	for (size_t i = 0; i < nr; i++)
		rs_hist_add(&h, values[i]);
	rs_log2_rows(sink, row, 1, &h, label);
	rs_hist_done(&h);
}

struct rs_buf formatted_out = RS_BUF_INIT, formatted_aside = RS_BUF_INIT;

void formatted_set_up(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	setenv("TZ", "UTC0", 1);
	tzset();
}

void formatted_clean_up(void)
{
	rs_buf_done(&formatted_out);
	rs_buf_done(&formatted_aside);
	setlocale(LC_CTYPE, "C");
}

struct rs_printer *formatted_printer(const struct rs_view *view, const struct rs_formatter_options *opt)
{
	struct rs_error err = { 0 };
	struct rs_printer *p = rs_printer_new(view, opt, &formatted_out, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

const char *formatted_print(const struct rs_view *view, struct rs_formatter_options opt,
			const struct rs_quality *t)
{
	struct rs_printer *p;

	rs_buf_clear(&formatted_out);
	rs_buf_clear(&formatted_aside);
	p = formatted_printer(view, &opt);
	formatted_add_rows(rs_printer_sink(p));
	rs_printer_finish(p);
	if (t)
		rs_printers_quality(&p, 1, opt.view_key ? "all" : view->name, t);
	rs_printer_free(p);
	ck_assert(!formatted_out.failed);
	return formatted_out.data;
}
