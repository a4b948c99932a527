// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/face.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ringside/hist.h"
#include "view/rows.h"
#include "view/summary.h"

/* ---- views as analyses declare them ---- */

enum { TIME, COMM, PID, TYPE, DEV, SECTOR, BYTES, LAT, RET, ERRNO, UTIL };

static const struct rs_column columns[] = {
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

static const struct rs_view stream = {
	.name = "snoop", .summary = "each request", .kind = RS_VIEW_STREAM, .columns = columns,
	.text_columns = "comm,pid,type,dev,sector,bytes,lat_ns",
};

static const struct rs_view table = {
	.name = "tasks", .summary = "each task", .kind = RS_VIEW_TABLE, .columns = columns,
	.text_columns = "comm,pid,lat_ns,ret,util_pct", .sort = "-lat_ns",
};

static const struct rs_column hist_columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "the task's name" },
	{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "lower end" },
	{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "upper end" },
	{ "count", "count", RS_TYPE_COUNT, 0, 0, 10, "how many" },
	{ 0 },
};

static const struct rs_view histogram = {
	.name = "lat", .summary = "how long requests took", .kind = RS_VIEW_HIST, .columns = hist_columns,
	.text_columns = "from_ns,to_ns,count",
};

/* ---- rows ---- */

#define NR_ROWS 4

/* A plain row, one with hostile names, one of nulls, one of numbers too long for their columns. */
#define U(v) { { .u = (v) }, true }
#define I(v) { { .i = (v) }, true }
#define S(v) { { .s = (v) }, true }
#define NOT_KNOWN { { .u = 0 }, false }

static const struct rs_value rows[NR_ROWS][UTIL + 1] = {
	{ U(2000001500), S("dd"), U(42), S("R"), S("8,0"), U(2048), U(4096), U(1234567), I(4096), NOT_KNOWN, U(12345) },
	{ U(2500000000), S("a\"b,\x1b[2J"), U(7), S("WS"), S("253,16"), U(0), U(0), U(50000000), I(-2), U(2), U(100000) },
	{ NOT_KNOWN },
	{ U(1999999000), S("averylongtaskname"), U(4194304), S("W"), S("8,0"), U(UINT64_MAX), U(UINT64_MAX),
	  U(UINT64_MAX), I(INT64_MIN), NOT_KNOWN, U(5) },
};

static void add_rows(struct rs_sink *sink)
{
	for (int i = 0; i < NR_ROWS; i++)
		sink->row(sink, rows[i]);
}

static const uint64_t none_lost[] = { 0, 0 };

static const struct rs_trust trust = {
	.version = "0.1.0", .kernel = "6.1.0-50-amd64", .clock = "boot", .unit = "ns", .realtime_offset_known = true,
	.realtime_offset_ns = 1700000000000000000, .filters = "", .events = 123456, .nr_cpus = 2,
	.lost_by_cpu = none_lost, .orphans = 2, .inferred = 3, .in_flight = 4,
	.from_ns = 1000000000, .to_ns = 3004999999,
};

#define TRUST_LINE "# 6.1.0-50-amd64 boot  2.00 s  123,456 events  lost 0  orphans 2  voided 0  inferred 3  in flight 4\n"
#define META(view, rest) \
	"{\"_meta\":{\"view\":\"" view "\",\"version\":\"0.1.0\",\"kernel\":\"6.1.0-50-amd64\",\"clock\":\"boot\"," \
	"\"unit\":\"ns\",\"realtime_offset_ns\":1700000000000000000,\"filters\":\"\",\"events\":123456,\"lost\":0," \
	"\"lost_by_cpu\":[0,0],\"gaps\":0,\"gaps_uncounted\":0,\"orphans\":2,\"voided\":0,\"inferred\":3," \
	"\"in_flight\":4,\"evicted\":0,\"from_ns\":1000000000,\"to_ns\":3004999999,\"late\":0,\"bad_pages\":0," \
	"\"bad_records\":0,\"rows_dropped\":0" rest "}}\n"

/* ---- what a printer makes of the rows ---- */

static struct rs_buf out = RS_BUF_INIT;

static void set_up(void)
{
	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void clean_up(void)
{
	rs_buf_done(&out);
	setlocale(LC_CTYPE, "C");
}

static struct rs_printer *printer_of(const struct rs_view *view, const struct rs_face_options *opt)
{
	struct rs_error err = { 0 };
	struct rs_printer *p = rs_printer_new(view, opt, &out, &err);

	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

static const char *print(const struct rs_view *view, struct rs_face_options opt, const struct rs_trust *t)
{
	struct rs_printer *p;

	rs_buf_clear(&out);
	p = printer_of(view, &opt);
	add_rows(rs_printer_sink(p));
	rs_printer_finish(p);
	if (t)
		rs_printer_trust(p, t);
	rs_printer_free(p);
	ck_assert(!out.failed);
	return out.data;
}

START_TEST(text_of_a_stream)
{
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "text" }, &trust),
		"COMM        PID TYPE DEV    BLOCK       BYTES    LATms\n"
		"dd           42 R    8,0    2048      4.00KiB     1.23\n"
		"a\"b,\\x1B      7 WS   253,16 0              0B    50.00\n"
		"-             - -    -      -               -        -\n"
		"averylon 4194304 W    8,0    18446744073709551615  16.0EiB 18446744073709.55\n"
		TRUST_LINE);
}
END_TEST

/* A table is complete before it is shown, so its columns fit what is in them. */
START_TEST(text_of_a_table)
{
	ck_assert_str_eq(print(&table, (struct rs_face_options){ .format = "text" }, &trust),
		"COMM         PID             LATms                  RET  UTIL%\n"
		"averylon 4194304 18446744073709.55 -9223372036854775808   0.01\n"
		"a\"b,\\x1B       7             50.00                   -2 100.00\n"
		"dd            42              1.23                 4096  12.35\n"
		"-              -                 -                    -      -\n"
		TRUST_LINE);
}
END_TEST

/* Columns of text grow too, to 48; one value beyond that does not push all lines apart, only its own. */
START_TEST(text_columns_grow)
{
	struct rs_face_options opt = { .format = "text", .columns = "dev,type,pid", .sort = "pid" };
	struct rs_printer *p = printer_of(&table, &opt);
	struct rs_value row[UTIL + 1] = { [DEV] = rs_s("253,1234567"), [TYPE] = rs_s("WS"), [PID] = rs_u(1) };

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	row[TYPE] = rs_s("a-type-as-long-as-forty-eight-letters-and-as-many-more");
	row[PID] = rs_u(2);
	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	rs_printer_finish(p);
	ck_assert_str_eq(out.data,
		"DEV         TYPE                                                PID\n"
		"253,1234567 WS                                                    1\n"
		"253,1234567 a-type-as-long-as-forty-eight-letters-and-as-many-more      2\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(json_of_a_stream)
{
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "json" }, &trust),
		"{\"time_ns\":2000001500,\"comm\":\"dd\",\"pid\":42,\"type\":\"R\",\"dev\":\"8,0\",\"sector\":2048,"
		"\"bytes\":4096,\"lat_ns\":1234567,\"ret\":4096,\"errno\":null,\"util_pct\":12.345}\n"
		"{\"time_ns\":2500000000,\"comm\":\"a\\\"b,\\u001B[2J\",\"pid\":7,\"type\":\"WS\",\"dev\":\"253,16\",\"sector\":0,"
		"\"bytes\":0,\"lat_ns\":50000000,\"ret\":-2,\"errno\":2,\"util_pct\":100}\n"
		"{\"time_ns\":null,\"comm\":null,\"pid\":null,\"type\":null,\"dev\":null,\"sector\":null,"
		"\"bytes\":null,\"lat_ns\":null,\"ret\":null,\"errno\":null,\"util_pct\":null}\n"
		"{\"time_ns\":1999999000,\"comm\":\"averylongtaskname\",\"pid\":4194304,\"type\":\"W\",\"dev\":\"8,0\","
		"\"sector\":18446744073709551615,\"bytes\":18446744073709551615,\"lat_ns\":18446744073709551615,"
		"\"ret\":-9223372036854775808,\"errno\":null,\"util_pct\":0.005}\n"
		META("snoop", ""));
}
END_TEST

START_TEST(csv_of_a_stream)
{
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "csv" }, &trust),
		"time_ns,comm,pid,type,dev,sector,bytes,lat_ns,ret,errno,util_pct\n"
		"2000001500,dd,42,R,\"8,0\",2048,4096,1234567,4096,,12.345\n"
		"2500000000,\"a\"\"b,\\x1B[2J\",7,WS,\"253,16\",0,0,50000000,-2,2,100\n"
		",,,,,,,,,,\n"
		"1999999000,averylongtaskname,4194304,W,\"8,0\",18446744073709551615,18446744073709551615,"
		"18446744073709551615,-9223372036854775808,,0.005\n"
		TRUST_LINE);
}
END_TEST

/* Each line by a parser that is not ours: the keys of every row are the same, and the numbers come back. */
START_TEST(json_parses_back)
{
	char *line, *rest;
	int nr = 0;

	print(&stream, (struct rs_face_options){ .format = "json" }, &trust);
	for (line = strtok_r(out.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), nr++) {
		cJSON *parsed = cJSON_ParseWithOpts(line, NULL, 1);

		ck_assert_msg(parsed != NULL, "%s", line);
		ck_assert_int_eq(cJSON_GetArraySize(parsed), nr < NR_ROWS ? UTIL + 1 : 1);
		if (nr == 1) {
			ck_assert_str_eq(cJSON_GetObjectItem(parsed, "comm")->valuestring, rows[1][COMM].s);
			ck_assert_int_eq((int)cJSON_GetObjectItem(parsed, "ret")->valuedouble, -2);
			ck_assert(cJSON_GetObjectItem(parsed, "util_pct")->valuedouble == 100.0);
		}
		if (nr == 2)
			ck_assert(cJSON_IsNull(cJSON_GetObjectItem(parsed, "comm")));
		cJSON_Delete(parsed);
	}
	ck_assert_int_eq(nr, NR_ROWS + 1);
}
END_TEST

/* A stream's header and rows are there before the next row comes: live output is line by line. */
START_TEST(streams_write_at_once)
{
	struct rs_face_options opt = { .format = "text", .columns = "pid,comm" };
	struct rs_printer *p = printer_of(&stream, &opt);

	ck_assert_str_eq(out.data, "   PID COMM\n");
	rs_buf_clear(&out);
	rs_printer_sink(p)->row(rs_printer_sink(p), rows[0]);
	ck_assert_str_eq(out.data, "    42 dd\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(options_of_text_and_csv)
{
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "text", .no_header = true, .nr_rows = 1,
			       .columns = "comm" }, NULL), "dd\n");
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "csv", .no_header = true, .nr_rows = 1,
			       .columns = "lat_ns,comm" }, NULL), "1234567,dd\n");
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "csv", .columns = "errno", .nr_rows = 1 }, NULL),
			 "errno\n\"\"\n");
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "csv", .columns = "pid", .nr_rows = 1,
			       .view_key = true }, NULL), "_view,pid\nsnoop,42\n");
	ck_assert_str_eq(print(&stream, (struct rs_face_options){ .format = "json", .columns = "pid", .nr_rows = 1,
			       .view_key = true }, NULL), "{\"_view\":\"snoop\",\"pid\":42}\n");
	/* an empty table has its header still */
	ck_assert_str_eq(print(&table, (struct rs_face_options){ .format = "text", .columns = "comm,pid", .syscall = "x",
			       .type = "none" }, NULL), "COMM        PID\n");
}
END_TEST

START_TEST(times)
{
	struct rs_face_options opt = { .format = "text", .columns = "time_ns", .no_header = true, .begin_ns = 2000000000 };

	ck_assert_str_eq(print(&stream, opt, NULL), "  0.000001\n  0.500000\n         -\n -0.000001\n");
	opt.time = RS_TIME_BOOT;
	ck_assert_str_eq(print(&stream, opt, NULL), "  2.000001\n  2.500000\n         -\n  1.999999\n");
	opt.time = RS_TIME_WALL;
	opt.realtime_offset_ns = 1700000000000000000;
	ck_assert_str_eq(print(&stream, opt, NULL), "22:13:22.000001\n22:13:22.500000\n         -\n22:13:21.999999\n");
}
END_TEST

/* Only the last column of text gives way to the terminal's width. */
START_TEST(width_of_the_terminal)
{
	struct rs_value row[UTIL + 1] = { [PID] = rs_u(7), [DEV] = rs_s("a-name-of-twenty-let") };
	struct rs_face_options opt = { .format = "text", .columns = "pid,dev", .no_header = true, .width = 20 };
	struct rs_printer *p = printer_of(&stream, &opt);

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	ck_assert_str_eq(out.data, "     7 a-name-of-twe\n");
	rs_printer_free(p);
	rs_buf_clear(&out);
	opt.columns = "dev,pid";
	p = printer_of(&stream, &opt);
	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	ck_assert_str_eq(out.data, "a-name-of-twenty-let      7\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(filters)
{
	struct rs_face_options opt = { .format = "csv", .columns = "pid", .no_header = true };

	opt.min_known = true;
	opt.min_ns = 50000000;
	ck_assert_str_eq(print(&stream, opt, NULL), "7\n4194304\n");
	opt.min_ns = 50000001;
	ck_assert_str_eq(print(&stream, opt, NULL), "4194304\n");
	/* 0 asks for nothing, but a latency that is not known is not shown as one */
	opt.min_ns = 0;
	ck_assert_str_eq(print(&stream, opt, NULL), "42\n7\n4194304\n");
	opt.min_known = false;
	opt.dev = "8,0";
	ck_assert_str_eq(print(&stream, opt, NULL), "42\n4194304\n");
	opt.dev = "*,0";
	opt.type = "[RX]";
	ck_assert_str_eq(print(&stream, opt, NULL), "42\n");
	opt.dev = NULL;
	opt.type = "W*";
	ck_assert_str_eq(print(&stream, opt, NULL), "7\n4194304\n");
	opt.failed_only = true;
	ck_assert_str_eq(print(&stream, opt, NULL), "7\n");
}
END_TEST

START_TEST(a_view_has_its_own_minimum)
{
	struct rs_view slower = stream;
	struct rs_face_options opt = { .format = "csv", .columns = "pid", .no_header = true };

	slower.default_min_ns = 10000000;
	ck_assert_str_eq(print(&slower, opt, NULL), "7\n4194304\n");
	opt.min_known = true;
	ck_assert_str_eq(print(&slower, opt, NULL), "42\n7\n4194304\n");
}
END_TEST

static const struct {
	const char *sort, *expected;
	uint64_t nr_rows;
} sorts[] = {
	{ NULL, "4194304,7,42,-", 0 },           /* the view's: -lat_ns */
	{ "lat_ns", "42,7,4194304,-", 0 },       /* nulls are last both ways */
	{ "-pid", "4194304,42,7,-", 0 },
	{ "comm", "7,4194304,42,-", 0 },
	{ "-comm", "42,4194304,7,-", 0 },
	{ "ret", "4194304,7,42,-", 0 },          /* signed */
	{ "dev", "7,42,4194304,-", 0 },          /* equal ones as they came */
	{ "dev,-pid", "7,4194304,42,-", 0 },
	{ "-pid", "4194304", 1 },
	{ "lat_ns", "42,7", 2 },
	{ "errno", "7,42,-", 3 },
	{ "pid", "7,42,4194304,-", 5 },
};

START_TEST(sorting)
{
	struct rs_face_options opt = { .format = "text", .columns = "pid", .no_header = true, .sort = sorts[_i].sort,
				       .nr_rows = sorts[_i].nr_rows };
	char joined[64] = "";
	char *rest, *word;

	print(&table, opt, NULL);
	for (word = strtok_r(out.data, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		strcat(joined, *joined ? "," : "");
		strcat(joined, word);
	}
	ck_assert_str_eq(joined, sorts[_i].expected);
}
END_TEST

/* -n cuts a stream at once, and says so to who feeds it; -s makes it wait for the whole. */
START_TEST(streams_cut_and_sorted)
{
	struct rs_face_options opt = { .format = "csv", .columns = "pid", .no_header = true, .nr_rows = 2 };
	struct rs_printer *p = printer_of(&stream, &opt);

	rs_printer_sink(p)->row(rs_printer_sink(p), rows[0]);
	ck_assert(!rs_printer_full(p));
	rs_printer_sink(p)->row(rs_printer_sink(p), rows[1]);
	ck_assert(rs_printer_full(p));
	rs_printer_sink(p)->row(rs_printer_sink(p), rows[3]);
	ck_assert_str_eq(out.data, "42\n7\n");
	rs_printer_free(p);
	opt.sort = "-lat_ns";
	ck_assert_str_eq(print(&stream, opt, NULL), "4194304\n7\n");
}
END_TEST

static const struct {
	struct rs_face_options opt;
	const char *expected;
} mistakes[] = {
	{ { .format = "text", .columns = "comm,pidd" }, "--columns: snoop has no column 'pidd' (did you mean 'pid'?)" },
	{ { .format = "text", .columns = "LATms" }, "--columns: snoop has no column 'LATms' (did you mean 'lat_ns'?)" },
	{ { .format = "text", .columns = "xyzzy" }, "--columns: snoop has no column 'xyzzy' (--columns help lists them)" },
	{ { .format = "text", .columns = "pid,,comm" }, "--columns: snoop has no column '' (--columns help lists them)" },
	{ { .format = "text", .columns = "pid,comm,pid" }, "--columns: 'pid' is there twice" },
	{ { .format = "json", .sort = "-lat" }, "-s: snoop has no column 'lat' (did you mean 'lat_ns'?)" },
	{ { .format = "json", .sort = "pid,comm,dev,type,ret" },
	  "-s: 'pid,comm,dev,type,ret' names more than 4 columns" },
	{ { .format = "jsn" }, "no format 'jsn' (did you mean 'json'?)" },
	{ { .format = "parquet" }, "no format 'parquet' (text, json or csv)" },
};

START_TEST(misspelt)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_printer_new(&stream, &mistakes[_i].opt, &out, &err));
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_str_eq(err.text, mistakes[_i].expected);
}
END_TEST

START_TEST(list_of_columns)
{
	static const struct rs_column few[] = {
		{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 8, "the task's name" },
		{ "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "how long" },
		{ 0 },
	};
	static const struct rs_view view = { .name = "x", .columns = few, .text_columns = "lat_ns" };

	rs_face_list_columns(&view, &out);
	ck_assert_str_eq(out.data,
		"  NAME    HEADING  HELP (*: shown by default)\n"
		"  comm    COMM     the task's name\n"
		"* lat_ns  LATms    how long\n");
}
END_TEST

/* ---- the trust line ---- */

static const uint64_t some_lost[] = { 1000, 0, 0, 234 };

static const struct {
	struct rs_trust trust;
	const char *text, *json; /* json: a part of _meta */
} trusts[] = {
	{ { .events = 0 },
	  "# kernel unknown clock unknown  0 events  lost 0  orphans 0  voided 0  inferred 0  in flight 0\n",
	  "\"version\":null,\"kernel\":null,\"clock\":null,\"unit\":null,\"realtime_offset_ns\":null,\"filters\":\"\","
	  "\"events\":0,\"lost\":0,\"lost_by_cpu\":null,\"gaps\":0,\"gaps_uncounted\":0,\"orphans\":0,\"voided\":0,"
	  "\"inferred\":0,\"in_flight\":0,\"evicted\":0,\"from_ns\":null,\"to_ns\":null,\"late\":0" },
	{ { .kernel = "k", .clock = "boot", .events = 1, .lost_by_cpu = some_lost, .nr_cpus = 4, .gaps = 3 },
	  "# k boot  0.00 s  1 event  lost 1,234 (cpu0 1,000, cpu3 234)  orphans 0  voided 0  inferred 0  in flight 0\n",
	  "\"lost\":1234,\"lost_by_cpu\":[1000,0,0,234],\"gaps\":3,\"gaps_uncounted\":0," },
	{ { .kernel = "k", .clock = "boot", .lost_by_cpu = none_lost, .nr_cpus = 2, .gaps = 2, .gaps_uncounted = 2 },
	  "# k boot  0 events  lost ? (2 gaps uncounted)  orphans 0  voided 0  inferred 0  in flight 0\n",
	  "\"lost\":null,\"lost_by_cpu\":[0,0],\"gaps\":2,\"gaps_uncounted\":2," },
	{ { .kernel = "k", .clock = "boot", .lost_by_cpu = some_lost, .nr_cpus = 1, .gaps = 2, .gaps_uncounted = 1 },
	  "# k boot  0 events  lost 1,000 + ? (cpu0 1,000, 1 gap uncounted)  orphans 0  voided 0  inferred 0  in flight 0\n",
	  "\"lost\":1000,\"lost_by_cpu\":[1000],\"gaps\":2,\"gaps_uncounted\":1," },
	{ { .kernel = "k\x1b[2J", .clock = "counter", .unit = "count", .events = 9, .from_ns = 1, .to_ns = 10,
	    .filters = "-p 42", .evicted = 1, .late = 2, .bad_pages = 3, .bad_records = 4000 },
	  "# k\\x1B[2J counter  times are the clock's counts, not ns  9 events  lost 0  orphans 0  voided 0  inferred 0"
	  "  in flight 0  evicted 1  late 2  bad pages 3  bad records 4,000  filters -p 42\n",
	  "\"kernel\":\"k\\u001B[2J\",\"clock\":\"counter\",\"unit\":\"count\",\"realtime_offset_ns\":null,"
	  "\"filters\":\"-p 42\"," },
};

START_TEST(trust_lines)
{
	struct rs_face_options opt = { .format = "text", .no_header = true, .type = "none" };

	ck_assert_str_eq(print(&stream, opt, &trusts[_i].trust), trusts[_i].text);
	opt.format = "csv";
	ck_assert_str_eq(print(&stream, opt, &trusts[_i].trust), trusts[_i].text);
	opt.format = "json";
	ck_assert_msg(strstr(print(&stream, opt, &trusts[_i].trust), trusts[_i].json) != NULL, "%s", out.data);
}
END_TEST

START_TEST(lost_saturates)
{
	static const uint64_t huge[] = { UINT64_MAX, 1 };

	ck_assert_uint_eq(rs_trust_lost(&(struct rs_trust){ .lost_by_cpu = huge, .nr_cpus = 2 }), UINT64_MAX);
	ck_assert_uint_eq(rs_trust_lost(&(struct rs_trust){ .lost_by_cpu = huge + 1, .nr_cpus = 1 }), 1);
}
END_TEST

/* ---- histograms ---- */

static void add_group(struct rs_sink *sink, const char *comm, const char *label, const uint64_t *values, size_t nr)
{
	struct rs_value row[4] = { rs_s(comm) };
	struct rs_hist h;

	rs_hist_init(&h);
	for (size_t i = 0; i < nr; i++)
		rs_hist_add(&h, values[i]);
	rs_log2_rows(sink, row, 1, &h, label);
	rs_hist_done(&h);
}

/* In us: 1, 3, 3, 5 and 40. 2 us and 4 us are bounds: they open a line and do not end one. */
static const uint64_t waits_ns[] = { 1000, 2000, 3999, 4000, 40000 };
static const uint64_t short_ns[] = { 0, 1, 700 };

static const char *print_histograms(struct rs_face_options opt)
{
	struct rs_printer *p;

	rs_buf_clear(&out);
	p = printer_of(&histogram, &opt);
	add_group(rs_printer_sink(p), "dd", "comm = dd", waits_ns, 5);
	add_group(rs_printer_sink(p), "x\n", "comm = x\n", short_ns, 3);
	rs_printer_finish(p);
	rs_printer_trust(p, &trust);
	rs_printer_free(p);
	return out.data;
}

#define PICTURE_OF_DD \
	"comm = dd\n" \
	"     usecs               : count     distribution\n" \
	"         0 -> 1          : 1        |********************                    |\n" \
	"         2 -> 3          : 2        |****************************************|\n" \
	"         4 -> 7          : 1        |********************                    |\n" \
	"         8 -> 15         : 0        |                                        |\n" \
	"        16 -> 31         : 0        |                                        |\n" \
	"        32 -> 63         : 1        |********************                    |\n" \
	"  count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"

START_TEST(pictures)
{
	ck_assert_str_eq(print_histograms((struct rs_face_options){ .format = "text" }),
		PICTURE_OF_DD
		"\n"
		"comm = x\\x0A\n"
		"     nsecs               : count     distribution\n"
		"         0 -> 1          : 2        |****************************************|\n"
		"         2 -> 3          : 0        |                                        |\n"
		"         4 -> 7          : 0        |                                        |\n"
		"         8 -> 15         : 0        |                                        |\n"
		"        16 -> 31         : 0        |                                        |\n"
		"        32 -> 63         : 0        |                                        |\n"
		"        64 -> 127        : 0        |                                        |\n"
		"       128 -> 255        : 0        |                                        |\n"
		"       256 -> 511        : 0        |                                        |\n"
		"       512 -> 1023       : 1        |********************                    |\n"
		"  count 3  avg 233ns  p50 1ns  p95 700ns  p99 700ns  max 700ns\n"
		TRUST_LINE);
	ck_assert_str_eq(print_histograms((struct rs_face_options){ .format = "text", .nr_rows = 1 }),
		PICTURE_OF_DD "(1 more, cut by -n)\n" TRUST_LINE);
}
END_TEST

/* Over 64 values the histogram has buckets, and they carry the same picture. */
START_TEST(picture_of_many)
{
	struct rs_face_options opt = { .format = "text" };
	struct rs_printer *p = printer_of(&histogram, &opt);
	uint64_t values[100];

	for (int i = 0; i < 100; i++)
		values[i] = i < 75 ? 20000 : 1500000;
	add_group(rs_printer_sink(p), NULL, "", values, 100);
	ck_assert_str_eq(out.data,
		"     usecs               : count     distribution\n"
		"        16 -> 31         : 75       |****************************************|\n"
		"        32 -> 63         : 0        |                                        |\n"
		"        64 -> 127        : 0        |                                        |\n"
		"       128 -> 255        : 0        |                                        |\n"
		"       256 -> 511        : 0        |                                        |\n"
		"       512 -> 1023       : 0        |                                        |\n"
		"      1024 -> 2047       : 25       |*************                           |\n"
		"  count 100  avg 390us  p50 20.1us  p95 1.50ms  p99 1.50ms  max 1.50ms\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(picture_at_the_ends)
{
	struct rs_face_options opt = { .format = "text" };
	struct rs_printer *p = printer_of(&histogram, &opt);
	const uint64_t huge = UINT64_MAX;

	add_group(rs_printer_sink(p), NULL, "", NULL, 0);
	ck_assert_str_eq(out.data,
		"     nsecs               : count     distribution\n"
		"  count 0  avg -  p50 -  p95 -  p99 -  max -\n");
	rs_buf_clear(&out);
	add_group(rs_printer_sink(p), NULL, "", &huge, 1);
	ck_assert_str_eq(out.data, "\n"
		"     usecs               : count     distribution\n"
		"18014398509481984 -> 18446744073709551 : 1        |****************************************|\n"
		"  count 1  avg 18446744074s  p50 18446744074s  p95 18446744074s  p99 18446744074s  max 18446744074s\n");
	rs_printer_free(p);
}
END_TEST

#define QUANTILES(view) \
	"{" view "\"label\":\"comm = dd\",\"count\":5,\"avg_ns\":10199,\"p50_ns\":3999,\"p95_ns\":40000,\"p99_ns\":40000," \
	"\"max_ns\":40000},{" view "\"label\":\"comm = x\\u000A\",\"count\":3,\"avg_ns\":233,\"p50_ns\":1,\"p95_ns\":700," \
	"\"p99_ns\":700,\"max_ns\":700}"

START_TEST(histograms_in_json)
{
	const char *json = print_histograms((struct rs_face_options){ .format = "json" });
	const char *last = strstr(json, "{\"_meta\"");

	ck_assert_int_eq(strncmp(json, "{\"comm\":\"dd\",\"from_ns\":512,\"to_ns\":1024,\"count\":1}\n"
				 "{\"comm\":\"dd\",\"from_ns\":1024,\"to_ns\":2048,\"count\":1}\n", 103), 0);
	ck_assert_str_eq(last, META("lat", ",\"quantiles\":[" QUANTILES("") "]"));
}
END_TEST

/* Several views, one _meta: the quantiles of each histogram view say whose they are. */
START_TEST(one_meta_for_all)
{
	struct rs_face_options opt = { .format = "json", .view_key = true, .type = "none" };
	struct rs_printer *all[] = { printer_of(&histogram, &opt), printer_of(&stream, &opt), printer_of(&histogram, &opt) };

	add_group(rs_printer_sink(all[2]), "dd", "comm = dd", waits_ns, 5);
	add_group(rs_printer_sink(all[2]), "x\n", "comm = x\n", short_ns, 3);
	rs_buf_clear(&out);
	rs_printers_trust(all, 3, "all", &trust);
	ck_assert_str_eq(out.data, META("all", ",\"quantiles\":[" QUANTILES("\"view\":\"lat\",") "]"));
	rs_buf_clear(&out);
	rs_printers_trust(all, 2, "lat,snoop", &trust);
	ck_assert_str_eq(out.data, META("lat,snoop", ",\"quantiles\":[]"));
	for (int i = 0; i < 3; i++)
		rs_printer_free(all[i]);
}
END_TEST

START_TEST(histograms_in_csv_and_as_rows)
{
	const char *csv = print_histograms((struct rs_face_options){ .format = "csv", .nr_rows = 1 });

	ck_assert_str_eq(csv,
		"comm,from_ns,to_ns,count\n"
		"dd,512,1024,1\n"
		"# comm = dd: count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"
		"# comm = x\\x0A: count 3  avg 233ns  p50 1ns  p95 700ns  p99 700ns  max 700ns\n"
		TRUST_LINE);
	ck_assert_str_eq(print_histograms((struct rs_face_options){ .format = "text", .columns = "comm,count", .nr_rows = 2 }),
		"COMM          count\n"
		"dd                1\n"
		"dd                1\n"
		TRUST_LINE);
}
END_TEST

/* ---- memory ---- */

START_TEST(kept_rows_are_bounded)
{
	const struct rs_sort sort = { .nr = 1, .keys = { { PID, true } } };
	struct rs_rows *kept = rs_rows_new(&table, &sort, 0, 10000);
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s("0123456789") };
	size_t nr;

	ck_assert_ptr_nonnull(kept);
	for (unsigned int i = 0; i < 1000; i++) {
		row[PID] = rs_u(i * 7919 % 1000); /* each once, in no order */
		ck_assert(rs_rows_add(kept, row));
	}
	nr = rs_rows_sort(kept);
	ck_assert_uint_gt(nr, 20);
	ck_assert_uint_le(nr * (sizeof row + 11), 10000);
	ck_assert_uint_eq(rs_rows_nr_added(kept), 1000);
	ck_assert_uint_eq(rs_rows_nr_dropped(kept), 1000 - nr);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_uint_eq(rs_rows_get(kept, i)[PID].u, 999 - i);
		ck_assert_str_eq(rs_rows_get(kept, i)[COMM].s, "0123456789");
	}
	/* sorted, it goes on to take rows */
	row[PID] = rs_u(5000);
	ck_assert(rs_rows_add(kept, row));
	rs_rows_sort(kept);
	ck_assert_uint_eq(rs_rows_get(kept, 0)[PID].u, 5000);
	ck_assert_uint_eq(rs_rows_get(kept, 1)[PID].u, 999);
	rs_rows_free(kept);
}
END_TEST

/* The producer's strings are gone when the rows are written. */
START_TEST(kept_strings_are_copies)
{
	struct rs_face_options opt = { .format = "csv", .columns = "comm", .no_header = true };
	struct rs_printer *p = printer_of(&table, &opt);
	char name[] = "first";
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s(name) };

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	memcpy(name, "other", 5);
	rs_printer_finish(p);
	ck_assert_str_eq(out.data, "first\n");
	rs_printer_free(p);
}
END_TEST

/* ---- the page ---- */

START_TEST(summary_page)
{
	static const struct rs_view plain = { .name = "plain", .summary = "no order", .kind = RS_VIEW_STREAM,
					      .columns = hist_columns, .text_columns = "comm,count" };
	static const struct rs_view off = { .name = "off", .summary = "not here", .kind = RS_VIEW_TABLE, .columns = columns };
	struct rs_face_options opt = { .format = "text" };
	struct rs_summary *s = rs_summary_new(&opt, 2);
	struct rs_error err = { 0 };
	struct rs_sink *lat = rs_summary_add(s, &histogram, &err), *tasks = rs_summary_add(s, &table, &err);
	struct rs_sink *snoop = rs_summary_add(s, &stream, &err), *none = rs_summary_add(s, &plain, &err);
	struct rs_value few[4] = { rs_s("a"), rs_u(1), rs_u(2), rs_u(3) };
	const char *streams =
		"snoop: each request (2 of 4 by -lat_ns)\n"
		"  COMM         PID TYPE DEV    BLOCK                   BYTES             LATms\n"
		"  averylon 4194304 W    8,0    18446744073709551615  16.0EiB 18446744073709.55\n"
		"  a\"b,\\x1B       7 WS   253,16 0                          0B             50.00\n"
		"\n"
		"plain: no order\n"
		"  COMM          count\n"
		"  a                 3\n"
		"\n"
		"off: not here\n"
		"  no sched events in this recording\n"
		"\n";
	struct rs_buf expected = RS_BUF_INIT;

	ck_assert_ptr_nonnull(rs_summary_add(s, &off, &err));
	rs_summary_explain(s, &off, "no sched events in this recording");
	add_rows(tasks);
	add_rows(snoop);
	none->row(none, few);
	add_group(lat, NULL, "", waits_ns, 5);
	rs_summary_write(s, &out, &trust);
	rs_buf_puts(&expected,
		"lat: how long requests took\n"
		"  count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"
		"\n"
		"tasks: each task (2 of 4 by -lat_ns)\n"
		"  COMM         PID             LATms                  RET  UTIL%\n"
		"  averylon 4194304 18446744073709.55 -9223372036854775808   0.01\n"
		"  a\"b,\\x1B       7             50.00                   -2 100.00\n"
		"\n");
	rs_buf_puts(&expected, streams);
	rs_buf_puts(&expected, TRUST_LINE);
	ck_assert_str_eq(out.data, expected.data);

	/* refreshed: tables and histograms begin anew, streams go on; a page can be written twice */
	rs_summary_clear(s, false);
	tasks->row(tasks, rows[0]);
	rs_buf_clear(&out);
	rs_summary_write(s, &out, NULL);
	rs_buf_clear(&expected);
	rs_buf_puts(&expected,
		"lat: how long requests took\n"
		"  none seen\n"
		"\n"
		"tasks: each task\n"
		"  COMM        PID    LATms  RET  UTIL%\n"
		"  dd           42     1.23 4096  12.35\n"
		"\n");
	rs_buf_puts(&expected, streams);
	ck_assert_str_eq(out.data, expected.data);
	rs_summary_clear(s, true);
	rs_buf_clear(&out);
	rs_summary_write(s, &out, NULL);
	ck_assert_ptr_nonnull(strstr(out.data, "snoop: each request\n  none seen\n"));
	rs_buf_done(&expected);
	rs_summary_free(s);
}
END_TEST

Suite *rs_suite_face(void);
Suite *rs_suite_face(void)
{
	Suite *s = suite_create("face");
	TCase *t = tcase_create("rows");

	tcase_add_checked_fixture(t, set_up, clean_up);
	tcase_add_test(t, text_of_a_stream);
	tcase_add_test(t, text_of_a_table);
	tcase_add_test(t, text_columns_grow);
	tcase_add_test(t, json_of_a_stream);
	tcase_add_test(t, csv_of_a_stream);
	tcase_add_test(t, json_parses_back);
	tcase_add_test(t, streams_write_at_once);
	tcase_add_test(t, options_of_text_and_csv);
	tcase_add_test(t, times);
	tcase_add_test(t, width_of_the_terminal);
	tcase_add_test(t, filters);
	tcase_add_test(t, a_view_has_its_own_minimum);
	tcase_add_loop_test(t, sorting, 0, sizeof sorts / sizeof sorts[0]);
	tcase_add_test(t, streams_cut_and_sorted);
	tcase_add_loop_test(t, misspelt, 0, sizeof mistakes / sizeof mistakes[0]);
	tcase_add_test(t, list_of_columns);
	tcase_add_loop_test(t, trust_lines, 0, sizeof trusts / sizeof trusts[0]);
	tcase_add_test(t, lost_saturates);
	tcase_add_test(t, pictures);
	tcase_add_test(t, picture_of_many);
	tcase_add_test(t, picture_at_the_ends);
	tcase_add_test(t, histograms_in_json);
	tcase_add_test(t, one_meta_for_all);
	tcase_add_test(t, histograms_in_csv_and_as_rows);
	tcase_add_test(t, kept_rows_are_bounded);
	tcase_add_test(t, kept_strings_are_copies);
	tcase_add_test(t, summary_page);
	suite_add_tcase(s, t);
	return s;
}
