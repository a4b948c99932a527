// SPDX-License-Identifier: GPL-2.0-or-later
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "formatted.h"
#include "view/columns.h"

static const struct rs_terms no_type = { 1, { { &formatted_columns[TYPE], "none", 0 } } };

START_TEST(text_of_a_stream)
{
	ck_assert_str_eq(formatted_print(&formatted_stream, (struct rs_formatter_options){ .format = "text" }, &formatted_quality),
		"COMM        PID TYPE DEV    BLOCK       BYTES    LATms\n"
		"dd           42 R    8,0    2048      4.00KiB     1.23\n"
		"a\"b,\\x1B      7 WS   253,16 0              0B    50.00\n"
		"-             - -    -      -               -        -\n"
		"averylon 4194304 W    8,0    18446744073709551615  16.0EiB 18446744073709.55\n"
		QUALITY_LINE);
}
END_TEST

/* A table is complete before it is shown, so its columns fit what is in them. */
START_TEST(text_of_a_table)
{
	ck_assert_str_eq(formatted_print(&formatted_table, (struct rs_formatter_options){ .format = "text" }, &formatted_quality),
		"COMM         PID             LATms                  RET  UTIL%\n"
		"averylon 4194304 18446744073709.55 -9223372036854775808   0.01\n"
		"a\"b,\\x1B       7             50.00                   -2 100.00\n"
		"dd            42              1.23                 4096  12.35\n"
		"-              -                 -                    -      -\n"
		QUALITY_LINE);
}
END_TEST

/* Columns of text grow too, to 48; one value beyond that does not push all lines apart, only its own. */
START_TEST(text_columns_grow)
{
	struct rs_formatter_options opt = { .format = "text", .columns = "dev,type,pid", .sort = "pid" };
	struct rs_printer *p = formatted_printer(&formatted_table, &opt);
	struct rs_value row[UTIL + 1] = { [DEV] = rs_s("253,1234567"), [TYPE] = rs_s("WS"), [PID] = rs_u(1) };

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	row[TYPE] = rs_s("a-type-as-long-as-forty-eight-letters-and-as-many-more");
	row[PID] = rs_u(2);
	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	rs_printer_finish(p);
	ck_assert_str_eq(formatted_out.data,
		"DEV         TYPE                                                PID\n"
		"253,1234567 WS                                                    1\n"
		"253,1234567 a-type-as-long-as-forty-eight-letters-and-as-many-more      2\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(json_of_a_stream)
{
	ck_assert_str_eq(
		formatted_print(&formatted_stream, (struct rs_formatter_options){ .format = "json" }, &formatted_quality),
		"{\"time_ns\":2000001500,\"comm\":\"dd\",\"pid\":42,\"type\":\"R\",\"dev\":\"8,0\",\"sector\":2048,"
		"\"bytes\":4096,\"lat_ns\":1234567,\"ret\":4096,\"errno\":null,\"util_pct\":12.345}\n"
		"{\"time_ns\":2500000000,\"comm\":\"a\\\"b,\\u001B[2J\",\"pid\":7,\"type\":\"WS\",\"dev\":\"253,16\",\"sector\":0,"
		"\"bytes\":0,\"lat_ns\":50000000,\"ret\":-2,\"errno\":2,\"util_pct\":100}\n"
		"{\"time_ns\":null,\"comm\":null,\"pid\":null,\"type\":null,\"dev\":null,\"sector\":null,"
		"\"bytes\":null,\"lat_ns\":null,\"ret\":null,\"errno\":null,\"util_pct\":null}\n"
		"{\"time_ns\":1999999000,\"comm\":\"averylongtaskname\",\"pid\":4194304,\"type\":\"W\",\"dev\":\"8,0\","
		"\"sector\":18446744073709551615,\"bytes\":18446744073709551615,\"lat_ns\":18446744073709551615,"
		"\"ret\":-9223372036854775808,\"errno\":null,\"util_pct\":0.005}\n" META("snoop", ""));
}
END_TEST

#define CSV_ROWS \
	"time_ns,comm,pid,type,dev,sector,bytes,lat_ns,ret,errno,util_pct\n" \
	"2000001500,dd,42,R,\"8,0\",2048,4096,1234567,4096,,12.345\n" \
	"2500000000,\"a\"\"b,\\x1B[2J\",7,WS,\"253,16\",0,0,50000000,-2,2,100\n" \
	",,,,,,,,,,\n" \
	"1999999000,averylongtaskname,4194304,W,\"8,0\",18446744073709551615,18446744073709551615," \
	"18446744073709551615,-9223372036854775808,,0.005\n"

/* Rows alone, and aside how far they can be believed; or a second table behind them. */
START_TEST(csv_of_a_stream)
{
	struct rs_formatter_options opt = { .format = "csv", .aside = &formatted_aside };

	ck_assert_str_eq(formatted_print(&formatted_stream, opt, &formatted_quality), CSV_ROWS);
	ck_assert_str_eq(formatted_aside.data, QUALITY_LINE);
	opt.aside = NULL;
	ck_assert_str_eq(formatted_print(&formatted_stream, opt, &formatted_quality), CSV_ROWS CSV_META("snoop"));
}
END_TEST

/* Each line by a parser that is not ours: the keys of every row are the same, and the numbers come back. */
START_TEST(json_parses_back)
{
	char *line, *rest;
	int nr = 0;

	formatted_print(&formatted_stream, (struct rs_formatter_options){ .format = "json" }, &formatted_quality);
	for (line = strtok_r(formatted_out.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), nr++) {
		cJSON *parsed = cJSON_ParseWithOpts(line, NULL, 1);

		ck_assert_msg(parsed != NULL, "%s", line);
		ck_assert_int_eq(cJSON_GetArraySize(parsed), nr < NR_ROWS ? UTIL + 1 : 1);
		if (nr == 1) {
			ck_assert_str_eq(cJSON_GetObjectItem(parsed, "comm")->valuestring, formatted_rows[1][COMM].s);
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
	struct rs_formatter_options opt = { .format = "text", .columns = "pid,comm" };
	struct rs_printer *p = formatted_printer(&formatted_stream, &opt);

	ck_assert_str_eq(formatted_out.data, "   PID COMM\n");
	rs_buf_clear(&formatted_out);
	rs_printer_sink(p)->row(rs_printer_sink(p), formatted_rows[0]);
	ck_assert_str_eq(formatted_out.data, "    42 dd\n");
	rs_printer_free(p);
}
END_TEST

START_TEST(options_of_text_and_csv)
{
	ck_assert_str_eq(formatted_print(&formatted_stream,
			       (struct rs_formatter_options){
				       .format = "text", .no_header = true, .nr_rows = 1, .columns = "comm" },
			       NULL),
			 "dd\n");
	ck_assert_str_eq(
		formatted_print(&formatted_stream,
		      (struct rs_formatter_options){
			      .format = "csv", .no_header = true, .nr_rows = 1, .columns = "lat_ns,comm" },
		      NULL),
		"1234567,dd\n");
	ck_assert_str_eq(formatted_print(&formatted_stream,
			       (struct rs_formatter_options){ .format = "csv", .columns = "errno",
							      .nr_rows = 1 },
			       NULL),
			 "errno\n\"\"\n");
	ck_assert_str_eq(formatted_print(&formatted_stream,
			       (struct rs_formatter_options){
				       .format = "csv", .columns = "pid", .nr_rows = 1, .view_key = true },
			       NULL),
			 "snoop,pid\nsnoop,42\n");
	ck_assert_str_eq(formatted_print(&formatted_stream,
			       (struct rs_formatter_options){
				       .format = "json", .columns = "pid", .nr_rows = 1, .view_key = true },
			       NULL),
			 "{\"_view\":\"snoop\",\"pid\":42}\n");
	/* an empty table has its header still */
	ck_assert_str_eq(
		formatted_print(&formatted_table,
		      (struct rs_formatter_options){
			      .format = "text", .columns = "comm,pid", .terms = &no_type },
		      NULL),
		"COMM        PID\n");
}
END_TEST

START_TEST(times)
{
	struct rs_formatter_options opt = {
		.format = "text", .columns = "time_ns", .no_header = true, .begin_ns = 2000000000
	};

	ck_assert_str_eq(formatted_print(&formatted_stream, opt, NULL), "  0.000001\n  0.500000\n         -\n -0.000001\n");
	opt.time = RS_TIME_BOOT;
	ck_assert_str_eq(formatted_print(&formatted_stream, opt, NULL), "  2.000001\n  2.500000\n         -\n  1.999999\n");
	opt.time = RS_TIME_WALL;
	opt.realtime_offset_ns = 1700000000000000000;
	ck_assert_str_eq(formatted_print(&formatted_stream, opt, NULL),
			 "22:13:22.000001\n22:13:22.500000\n         -\n22:13:21.999999\n");
}
END_TEST

/* Only the last column of text gives way to the terminal's width. */
START_TEST(width_of_the_terminal)
{
	struct rs_value row[UTIL + 1] = { [PID] = rs_u(7), [DEV] = rs_s("a-name-of-twenty-let") };
	struct rs_formatter_options opt = {
		.format = "text", .columns = "pid,dev", .no_header = true, .width = 20
	};
	struct rs_printer *p = formatted_printer(&formatted_stream, &opt);

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	ck_assert_str_eq(formatted_out.data, "     7 a-name-of-twe\n");
	rs_printer_free(p);
	rs_buf_clear(&formatted_out);
	opt.columns = "dev,pid";
	p = formatted_printer(&formatted_stream, &opt);
	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	ck_assert_str_eq(formatted_out.data, "a-name-of-twenty-let      7\n");
	rs_printer_free(p);
}
END_TEST

#define FITS(at, text) { &formatted_columns[at], text, 0 }
#define AT_LEAST(ns) { &formatted_columns[LAT], NULL, ns }

/* Which rows the options show, by their pids. */
static const struct {
	struct rs_terms terms;
	const char *pids;
} filtered[] = {
	{ { 1, { AT_LEAST(50000000) } }, "7\n4194304\n" },
	{ { 1, { AT_LEAST(50000001) } }, "4194304\n" },
	/* 0 asks for nothing, but a latency that is not known is not shown as one */
	{ { 1, { AT_LEAST(0) } }, "42\n7\n4194304\n" },
	{ { 1, { FITS(DEV, "8,0") } }, "42\n4194304\n" },
	{ { 2, { FITS(DEV, "*,0"), FITS(TYPE, "[RX]") } }, "42\n" },
	{ { 1, { FITS(TYPE, "W*") } }, "7\n4194304\n" },
	{ { 2, { FITS(TYPE, "W*"), { &formatted_columns[ERRNO], NULL, 0 } } }, "7\n" },
};

START_TEST(filters)
{
	struct rs_formatter_options opt = { .format = "csv", .columns = "pid", .no_header = true, .terms = &filtered[_i].terms };

	ck_assert_str_eq(formatted_print(&formatted_stream, opt, NULL), filtered[_i].pids);
}
END_TEST

/* A store has judged a term of a column that it merges over: there null means merged, and passes. */
START_TEST(what_is_merged_has_been_judged)
{
	const struct rs_column columns[] = {
		{ "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "", .key = RS_KEY_0 }, { "pid", "PID", RS_TYPE_ID, 0, 0, 0, "" }, { 0 },
	};
	const struct rs_terms terms = { 1, { { &columns[0], "8,0", 0 } } };
	const struct rs_view view = { .name = "merged", .kind = RS_VIEW_TABLE, .columns = columns };
	const struct rs_value row[] = { rs_null(), rs_u(3) };
	struct rs_formatter_options opt = { .format = "csv", .terms = &terms };
	struct rs_error err = { 0 };
	struct rs_filter f;

	ck_assert_int_eq(rs_filter_init(&f, &view, &opt, &err), 0);
	ck_assert(rs_filter_passes(&f, &view, row));
	ck_assert(!rs_filter_refuses(&f));
	ck_assert(f.has_patterns);
}
END_TEST

START_TEST(a_view_has_its_own_minimum)
{
	struct rs_view slower = formatted_stream;
	struct rs_formatter_options opt = { .format = "csv", .columns = "pid", .no_header = true };

	slower.default_min_ns = 10000000;
	ck_assert_str_eq(formatted_print(&slower, opt, NULL), "7\n4194304\n");
	opt.terms = &(struct rs_terms){ 1, { AT_LEAST(0) } };
	ck_assert_str_eq(formatted_print(&slower, opt, NULL), "42\n7\n4194304\n");
}
END_TEST

static const struct {
	const char *sort, *expected;
	uint64_t nr_rows;
	bool largest_first;
} sorts[] = {
	{ NULL, "4194304,7,42,-", 0, false },           /* the view's: -lat_ns */
	{ "lat_ns", "42,7,4194304,-", 0, false },       /* nulls are last both ways */
	{ "-pid", "4194304,42,7,-", 0, false },
	{ "comm", "7,4194304,42,-", 0, false },
	{ "-comm", "42,4194304,7,-", 0, false },
	{ "ret", "4194304,7,42,-", 0, false },          /* signed */
	{ "dev", "7,42,4194304,-", 0, false },          /* equal ones as they came */
	{ "dev,-pid", "7,4194304,42,-", 0, false },
	{ "-pid", "4194304", 1, false },
	{ "lat_ns", "42,7", 2, false },
	{ "errno", "7,42,-", 3, false },
	{ "pid", "7,42,4194304,-", 5, false },
	/* as people give it: numbers the largest first, names from a on; '-' reverses; the view's own stays as it is */
	{ NULL, "4194304,7,42,-", 0, true },
	{ "lat_ns", "4194304,7,42,-", 0, true },
	{ "-lat_ns", "42,7,4194304,-", 0, true },
	{ "comm", "7,4194304,42,-", 0, true },
	{ "-comm", "42,4194304,7,-", 0, true },
	{ "dev,pid", "7,4194304,42,-", 0, true },
};

START_TEST(sorting)
{
	struct rs_formatter_options opt = { .format = "text",
				       .columns = "pid",
				       .no_header = true,
				       .sort = sorts[_i].sort,
				       .largest_first = sorts[_i].largest_first,
				       .nr_rows = sorts[_i].nr_rows };
	char joined[64] = "";
	char *rest, *word;

	formatted_print(&formatted_table, opt, NULL);
	for (word = strtok_r(formatted_out.data, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		strcat(joined, *joined ? "," : "");
		strcat(joined, word);
	}
	ck_assert_str_eq(joined, sorts[_i].expected);
}
END_TEST

/* -n cuts a stream at once, and says so to who feeds it; -s makes it wait for the whole. */
START_TEST(streams_cut_and_sorted)
{
	struct rs_formatter_options opt = { .format = "csv", .columns = "pid", .no_header = true,
					    .nr_rows = 2 };
	struct rs_printer *p = formatted_printer(&formatted_stream, &opt);

	rs_printer_sink(p)->row(rs_printer_sink(p), formatted_rows[0]);
	ck_assert(!rs_printer_full(p));
	rs_printer_sink(p)->row(rs_printer_sink(p), formatted_rows[1]);
	ck_assert(rs_printer_full(p));
	rs_printer_sink(p)->row(rs_printer_sink(p), formatted_rows[3]);
	ck_assert_str_eq(formatted_out.data, "42\n7\n");
	rs_printer_free(p);
	opt.sort = "-lat_ns";
	ck_assert_str_eq(formatted_print(&formatted_stream, opt, NULL), "4194304\n7\n");
}
END_TEST

static const struct {
	struct rs_formatter_options opt;
	const char *expected;
} mistakes[] = {
	{ { .format = "text", .columns = "comm,pidd" },
	  "--columns: snoop has no column 'pidd' (did you mean 'pid'?)" },
	{ { .format = "text", .columns = "LATms" },
	  "--columns: snoop has no column 'LATms' (did you mean 'lat_ns'?)" },
	{ { .format = "text", .columns = "xyzzy" },
	  "--columns: snoop has no column 'xyzzy' (--columns help lists them)" },
	{ { .format = "text", .columns = "pid,,comm" },
	  "--columns: snoop has no column '' (--columns help lists them)" },
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

	ck_assert_ptr_null(rs_printer_new(&formatted_stream, &mistakes[_i].opt, &formatted_out, &err));
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

	rs_columns_list(&view, &formatted_out);
	ck_assert_str_eq(formatted_out.data,
		"  NAME    HEADING  HELP (*: shown by default)\n"
		"  comm    COMM     the task's name\n"
		"* lat_ns  LATms    how long\n");
}
END_TEST

/* A column that no row knows is left out where nobody chose; JSON, CSV and who named it have it always. */
START_TEST(columns_that_no_row_knows)
{
	static const struct rs_column three[] = {
		{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 6, "the task's name" },
		{ "sleep_ns", "SLEEP", RS_TYPE_COUNT, 0, RS_COLUMN_IF_KNOWN, 6, "asleep" },
		{ "off_cpu_ns", "OFF-CPU", RS_TYPE_COUNT, 0, RS_COLUMN_IF_KNOWN, 7, "asleep, or waiting" },
		{ 0 },
	};
	static const struct rs_view view = { .name = "x", .kind = RS_VIEW_TABLE, .columns = three,
					     .text_columns = "comm,sleep_ns,off_cpu_ns" };
	const struct rs_value rows[2][3] = { { rs_s("a"), rs_null(), rs_null() }, { rs_s("b"), rs_null(), rs_u(7) } };
	static const char *const columns[] = { NULL, "comm,sleep_ns,off_cpu_ns" };
	static const char *const expected[] = { "COMM   OFF-CPU\na            -\nb            7\n",
						"COMM    SLEEP OFF-CPU\na           -       -\nb           -       7\n" };

	for (int i = 0; i < 2; i++) {
		struct rs_formatter_options opt = { .format = "text", .columns = columns[i] };
		struct rs_error err = { 0 };
		struct rs_printer *p = rs_printer_new(&view, &opt, &formatted_out, &err);

		ck_assert_ptr_nonnull(p);
		rs_buf_clear(&formatted_out);
		for (int row = 0; row < 2; row++)
			rs_printer_sink(p)->row(rs_printer_sink(p), rows[row]);
		rs_printer_finish(p);
		ck_assert_str_eq(formatted_out.data, expected[i]);
		rs_printer_free(p);
	}
}
END_TEST

/* In no format, unless the source knows files, or somebody names it. */
START_TEST(columns_of_files)
{
	static const struct rs_column two[] = {
		{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 4, "the task's name" },
		{ "file", "FILE", RS_TYPE_TEXT, 0, RS_COLUMN_OF_FILE, 0, "the file" },
		{ 0 },
	};
	static const struct rs_view view = { .name = "x", .kind = RS_VIEW_STREAM, .columns = two, .text_columns = "comm,file" };
	static const struct { struct rs_formatter_options opt; const char *expected; } cases[] = {
		{ { .format = "text" }, "COMM\na\n" },
		{ { .format = "csv" }, "comm\na\n" },
		{ { .format = "json" }, "{\"comm\":\"a\"}\n" },
		{ { .format = "text", .knows_files = true }, "COMM FILE\na    -\n" },
		{ { .format = "json", .knows_files = true }, "{\"comm\":\"a\",\"file\":null}\n" },
		{ { .format = "json", .columns = "file" }, "{\"file\":null}\n" },
	};
	const struct rs_value row[2] = { rs_s("a"), rs_null() };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rs_printer *p;

		rs_buf_clear(&formatted_out);
		p = rs_printer_new(&view, &cases[i].opt, &formatted_out, &(struct rs_error){ 0 });
		ck_assert_ptr_nonnull(p);
		rs_printer_sink(p)->row(rs_printer_sink(p), row);
		ck_assert_str_eq(formatted_out.data, cases[i].expected);
		rs_printer_free(p);
	}
}
END_TEST

/* An empty table knows none of them; the rows of a later interval get a header of their own. */
START_TEST(columns_of_an_empty_table)
{
	static const struct rs_column two[] = {
		{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 6, "the task's name" },
		{ "off_cpu_ns", "OFF-CPU", RS_TYPE_COUNT, 0, RS_COLUMN_IF_KNOWN, 7, "asleep, or waiting" },
		{ 0 },
	};
	static const struct rs_view view = { .name = "x", .kind = RS_VIEW_TABLE, .columns = two, .text_columns = "comm,off_cpu_ns" };
	const struct rs_value row[2] = { rs_s("b"), rs_u(7) };
	struct rs_printer *p = rs_printer_new(&view, &(struct rs_formatter_options){ .format = "text" }, &formatted_out, &(struct rs_error){ 0 });

	ck_assert_ptr_nonnull(p);
	rs_buf_clear(&formatted_out);
	rs_printer_finish(p);
	rs_printer_finish(p);
	ck_assert_str_eq(formatted_out.data, "COMM\n");
	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	rs_printer_finish(p);
	ck_assert_str_eq(formatted_out.data, "COMM\nCOMM   OFF-CPU\nb            7\n");
	rs_printer_free(p);
}
END_TEST

/* ---- the quality line ---- */

static const uint64_t some_lost[] = { 1000, 0, 0, 234 };

static const struct {
	struct rs_quality quality;
	const char *text, *json; /* json: a part of _meta */
} qualities[] = {
	{ { .events = 0 },
	  "# kernel unknown clock unknown  0 events  lost 0  unmatched 0  discarded 0  inferred 0  in flight 0\n",
	  "\"version\":null,\"kernel\":null,\"clock\":null,\"unit\":null,\"realtime_offset_ns\":null,\"filters\":\"\","
	  "\"events\":0,\"lost\":0,\"lost_by_cpu\":null,\"gaps\":0,\"gaps_uncounted\":0,\"unmatched\":0,\"discarded\":0,"
	  "\"inferred\":0,\"in_flight\":0,\"evicted\":0,\"from_ns\":null,\"to_ns\":null,\"late\":0" },
	{ { .kernel = "k", .clock = "boot", .events = 1, .lost_by_cpu = some_lost, .nr_cpus = 4, .gaps = 3 },
	  "# k boot  0.00 s  1 event  lost 1,234 (cpu0 1,000, cpu3 234)  unmatched 0  discarded 0  inferred 0  in flight 0\n",
	  "\"lost\":1234,\"lost_by_cpu\":[1000,0,0,234],\"gaps\":3,\"gaps_uncounted\":0," },
	{ { .kernel = "k",
	    .clock = "boot",
	    .lost_by_cpu = formatted_none_lost,
	    .nr_cpus = 2,
	    .gaps = 2,
	    .gaps_uncounted = 2 },
	  "# k boot  0 events  lost ? (2 gaps uncounted)  unmatched 0  discarded 0  inferred 0  in flight 0\n",
	  "\"lost\":null,\"lost_by_cpu\":[0,0],\"gaps\":2,\"gaps_uncounted\":2," },
	{ { .kernel = "k",
	    .clock = "boot",
	    .lost_by_cpu = some_lost,
	    .nr_cpus = 1,
	    .gaps = 2,
	    .gaps_uncounted = 1 },
	  "# k boot  0 events  lost 1,000 + ? (cpu0 1,000, 1 gap uncounted)  unmatched 0  discarded 0  inferred 0  in flight 0\n",
	  "\"lost\":1000,\"lost_by_cpu\":[1000],\"gaps\":2,\"gaps_uncounted\":1," },
	{ { .kernel = "k\x1b[2J",
	    .clock = "counter",
	    .unit = "count",
	    .events = 9,
	    .from_ns = 1,
	    .to_ns = 10,
	    .filters = "-p 42",
	    .evicted = 1,
	    .late = 2,
	    .bad_pages = 3,
	    .bad_records = 4000 },
	  "# k\\x1B[2J counter  times are count, not ns  9 events  lost 0  unmatched 0  discarded 0  inferred 0"
	  "  in flight 0  evicted 1  late 2  bad pages 3  bad records 4,000  filters -p 42\n",
	  "\"kernel\":\"k\\u001B[2J\",\"clock\":\"counter\",\"unit\":\"count\",\"realtime_offset_ns\":null,"
	  "\"filters\":\"-p 42\"," },
	{ { .kernel = "k", .clock = "boot", .events = 1, .unmatched = 3, .filters = "-- ls", .all_tasks = 1 },
	  "# k boot  0.00 s  all tasks: 1 event  lost 0  unmatched 3  discarded 0  inferred 0  in flight 0  filters -- ls\n",
	  "\"all_tasks\":1,\"no_wakings\":0," },
};

START_TEST(quality_lines)
{
	struct rs_formatter_options opt = { .format = "text", .no_header = true, .terms = &no_type };

	ck_assert_str_eq(formatted_print(&formatted_stream, opt, &qualities[_i].quality), qualities[_i].text);
	opt.format = "csv";
	opt.aside = &formatted_aside;
	formatted_print(&formatted_stream, opt, &qualities[_i].quality);
	ck_assert_str_eq(formatted_aside.data, qualities[_i].text);
	opt.format = "json";
	ck_assert_msg(strstr(formatted_print(&formatted_stream, opt, &qualities[_i].quality), qualities[_i].json) != NULL, "%s",
		      formatted_out.data);
}
END_TEST

START_TEST(lost_saturates)
{
	static const uint64_t huge[] = { UINT64_MAX, 1 };

	ck_assert_uint_eq(rs_quality_lost(&(struct rs_quality){ .lost_by_cpu = huge, .nr_cpus = 2 }),
			  UINT64_MAX);
	ck_assert_uint_eq(rs_quality_lost(&(struct rs_quality){ .lost_by_cpu = huge + 1, .nr_cpus = 1 }), 1);
}
END_TEST

Suite *rs_suite_formatter(void);
Suite *rs_suite_formatter(void)
{
	Suite *s = suite_create("formatter");
	TCase *t = tcase_create("rows");

	tcase_add_checked_fixture(t, formatted_set_up, formatted_clean_up);
	tcase_add_test(t, text_of_a_stream);
	tcase_add_test(t, text_of_a_table);
	tcase_add_test(t, text_columns_grow);
	tcase_add_test(t, columns_that_no_row_knows);
	tcase_add_test(t, columns_of_an_empty_table);
	tcase_add_test(t, columns_of_files);
	tcase_add_test(t, json_of_a_stream);
	tcase_add_test(t, csv_of_a_stream);
	tcase_add_test(t, json_parses_back);
	tcase_add_test(t, streams_write_at_once);
	tcase_add_test(t, options_of_text_and_csv);
	tcase_add_test(t, times);
	tcase_add_test(t, width_of_the_terminal);
	tcase_add_loop_test(t, filters, 0, sizeof filtered / sizeof *filtered);
	tcase_add_test(t, what_is_merged_has_been_judged);
	tcase_add_test(t, a_view_has_its_own_minimum);
	tcase_add_loop_test(t, sorting, 0, sizeof sorts / sizeof sorts[0]);
	tcase_add_test(t, streams_cut_and_sorted);
	tcase_add_loop_test(t, misspelt, 0, sizeof mistakes / sizeof mistakes[0]);
	tcase_add_test(t, list_of_columns);
	tcase_add_loop_test(t, quality_lines, 0, sizeof qualities / sizeof qualities[0]);
	tcase_add_test(t, lost_saturates);
	suite_add_tcase(s, t);
	return s;
}
