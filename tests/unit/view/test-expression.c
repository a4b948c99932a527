// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-expression - which of the rows of faces.c pass, and what is said of text that is no expression
 *
 * The rows, by number: 0 dd/42 R 8,0 4KiB 1.234567ms ret 4096 12.345%; 1 a"b,\x1b[2J/7 WS 253,16 0B 50ms
 * ret -2 errno 2 100%; 2 nothing is known; 3 averylongtaskname/4194304 W 8,0 2^64-1 bytes and ns, ret -2^63, 0.005%.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formatted.h"
#include "view/columns.h"

/* The numbers of the rows that pass: "03". */
static const char *passing(const struct rs_expression *e)
{
	static char rows[NR_ROWS + 1];
	size_t nr = 0;

	for (int i = 0; i < NR_ROWS; i++)
		if (rs_expression_passes(e, formatted_rows[i]))
			rows[nr++] = (char)('0' + i);
	rows[nr] = '\0';
	return rows;
}

static const struct {
	const char *text, *rows;
} selects[] = {
	/* text */
	{ "latency == 50ms", "1" },           /* lat_ns: what -m compares */
	{ "comm == dd", "0" },
	{ "comm = dd", "0" },
	{ "comm == \"dd\"", "0" },
	{ "comm == 'dd'", "0" },
	{ "comm == DD", "" },
	{ "comm == d", "" },
	{ "comm != dd", "13" },               /* what is not known is not unequal either */
	{ "comm ~ D", "0" },
	{ "comm ~ task", "3" },
	{ "comm !~ task", "01" },
	{ "comm ~ d*", "0" },                 /* a glob: the whole name */
	{ "comm ~ ?", "" },
	{ "comm ~ ??", "0" },
	{ "comm ~ A*NAME", "3" },
	{ "comm ~ *long*name", "3" },
	{ "comm ~ *long*nam", "" },
	{ "comm !~ a*", "0" },
	{ "comm == \"a\\\"b,\\x1b[2J\"", "1" },
	{ "comm ~ '\"b,'", "1" },
	{ "comm ~ \"\"", "013" },
	{ "dev==8,0", "03" },
	{ "type==and", "" },                  /* where a value stands it is one */
	/* numbers, in base units and with a unit */
	{ "pid == 42", "0" },
	{ "pid == \"42\"", "0" },
	{ "pid != 42", "13" },
	{ "pid > 7 && pid < 4194304", "0" },
	{ "pid >= 7 && pid <= 42", "01" },
	{ "pid ~ 4", "03" },
	{ "pid ~ 4?", "0" },
	{ "lat_ns == 1234567", "0" },
	{ "lat_ns > 1ms", "013" },
	{ "lat_ns > 1.234567ms", "13" },
	{ "lat_ns >= 1.234567ms", "013" },
	{ "lat_ns < 1s", "01" },
	{ "lat_ns==18446744073709551615", "3" },
	{ "bytes >= 4KiB", "03" },
	{ "bytes < 4KiB", "1" },
	{ "bytes == 0", "1" },
	{ "sector = 18446744073709551615", "3" },
	{ "util_pct >= 12.345", "01" },
	{ "util_pct > 12.345%", "1" },
	{ "util_pct < 1", "3" },
	{ "time_ns > 2s", "01" },
	/* signs */
	{ "ret == -2", "1" },
	{ "ret < 0", "13" },
	{ "ret > -3", "01" },
	{ "ret == -9223372036854775808", "3" },
	{ "ret > -9223372036854775808", "01" },
	/* what is not known */
	{ "errno == -", "023" },
	{ "errno != -", "1" },
	{ "comm == -", "2" },
	{ "comm == \"-\"", "" },
	{ "!(errno == -)", "1" },
	{ "!(errno == 2)", "023" },           /* false of the unknown, and then turned */
	/* joined: ! binds closest, then &&, then || */
	{ "pid == 42 || pid == 7", "01" },
	{ "pid == 42 or pid == 7", "01" },
	{ "pid == 42 OR NOT pid != 7", "012" },
	{ "type == R || dev == 8,0 && pid == 7", "0" },
	{ "(type == R || dev == 8,0) && pid == 7", "" },
	{ "!type == R && dev == 8,0", "3" },
	{ "!(type == R && dev == 8,0)", "123" },
	{ "not(type==R)and(dev==8,0)", "3" },
	{ "!!(pid == 42)", "0" },
	{ "!!!(pid == 42)", "123" },
	{ "pid == 7 && errno == 2 || pid == 42 && bytes == 4096 || ret == -", "012" },
	{ "pid == 7 && (errno == 3 || errno == 2)", "1" },
	{ "((((pid==42))))", "0" },
	{ " \t\n pid==42 \r\n", "0" },
};

START_TEST(rows_that_pass)
{
	struct rs_error err = { 0 };
	struct rs_expression e;

	ck_assert_msg(rs_expression_parse(&e, &formatted_table, "w", selects[_i].text, &err) == 0, "%s", err.text);
	ck_assert_msg(!strcmp(passing(&e), selects[_i].rows), "%s: '%s', not '%s'", selects[_i].text, passing(&e),
		      selects[_i].rows);
}
END_TEST

static const struct {
	const char *text, *says;
	size_t at;
} errors[] = {
	{ "", "w: at the end: a comparison is missing (such as pid == 42)", 0 },
	{ "pid == 1 &&", "w: at the end: a comparison is missing (such as pid == 42)", 11 },
	{ "pid", "w: at the end: an operator is missing behind 'pid' (== != < <= > >= ~ !~)", 3 },
	{ "pid ==", "w: at the end: a value is missing", 6 },
	{ "pid == && pid == 1", "w: at 8: a value is missing before '&&'", 7 },
	{ "pid =~ 1", "w: at 6: a value is missing before '~'", 5 },
	{ "== 1", "w: at 1: a column's name is missing before '=='", 0 },
	{ "pid == 1 pid == 2",
	  "w: at 10: '&&' or '||' is missing before 'pid' (text with blanks or signs: in quotes)", 9 },
	{ "pid == 1 & pid == 2",
	  "w: at 10: '&&' or '||' is missing before '&' (text with blanks or signs: in quotes)", 9 },
	{ "pid == 1 andpid == 2",
	  "w: at 10: '&&' or '||' is missing before 'andpid' (text with blanks or signs: in quotes)", 9 },
	{ "(pid == 1", "w: at 1: this '(' is not closed", 0 },
	{ "pid == 1)", "w: at 9: no '(' is open here", 8 },
	{ "(pid == 1 2)", "w: at 11: '&&', '||' or ')' is missing", 10 },
	{ "()", "w: at 2: a column's name is missing before ')'", 1 },
	{ "pdi == 1", "w: at 1: tasks has no column 'pdi' (did you mean 'pid'?)", 0 },
	{ "UTIL == 1", "w: at 1: tasks has no column 'UTIL' (did you mean 'util_pct'?)", 0 },
	{ "xyzzy == 1", "w: at 1: tasks has no column 'xyzzy' (--columns help lists them)", 0 },
	{ "comm == \"\xc3\xa4\" || nope == 1", "w: at 16: tasks has no column 'nope' (--columns help lists them)", 16 },
	{ "comm < a", "w: at 6: comm is text: == != ~ or !~, not <", 5 },
	{ "lat_ns ~ 1", "w: at 8: lat_ns is a number: == != < <= > or >=, not ~", 7 },
	{ "lat_ns > 1parsec",
	  "w: at 10: lat_ns is compared with a duration (such as 250us or 1.5s; a bare number is ns), not '1parsec'", 9 },
	{ "lat_ns > 1.5",
	  "w: at 10: lat_ns is compared with a duration (such as 250us or 1.5s; a bare number is ns), not '1.5'", 9 },
	{ "bytes > 4ms", "w: at 9: bytes is compared with a size (such as 4KiB; a bare number is bytes), not '4ms'", 8 },
	{ "pid == dd", "w: at 8: pid is compared with a whole number, not 'dd'", 7 },
	{ "pid == \"\"", "w: at 8: pid is compared with a whole number, not ''", 7 },
	{ "pid == -1", "w: at 8: pid is never less than 0", 7 },
	{ "pid == 18446744073709551616", "w: at 8: '18446744073709551616' is too large", 7 },
	{ "ret == 9223372036854775808", "w: at 8: '9223372036854775808' is too large", 7 },
	{ "ret == --2", "w: at 8: ret is compared with a whole number, not '--2'", 7 },
	{ "pid < -", "w: at 5: '-' is what is not known: == - or != -", 4 },
	{ "ret ~ -", "w: at 5: '-' is what is not known: == - or != -", 4 },
	{ "comm == \"dd", "w: at 9: this quote is not closed", 8 },
	{ "comm == \"dd'", "w: at 9: this quote is not closed", 8 },
	{ "comm == \"d\\", "w: at 11: no such escape (\\\\, \\\", \\' or \\x1b)", 10 },
	{ "comm == \"d\\n\"", "w: at 11: no such escape (\\\\, \\\", \\' or \\x1b)", 10 },
	{ "comm == \"\\x00\"", "w: at 10: no such escape (\\\\, \\\", \\' or \\x1b)", 9 },
	{ "comm == \"\\x1\"", "w: at 10: no such escape (\\\\, \\\", \\' or \\x1b)", 9 },
	{ "\x1b[2J == 1", "w: at 1: a column's name is missing before '\\x1B[2J'", 0 },
};

START_TEST(what_is_wrong_is_said)
{
	struct rs_error err = { 0 };
	struct rs_expression e;

	ck_assert_int_eq(rs_expression_parse(&e, &formatted_table, "w", errors[_i].text, &err), -1);
	ck_assert_str_eq(err.text, errors[_i].says);
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_uint_eq(e.error_at, errors[_i].at);
	ck_assert_str_eq(passing(&e), "0123");
}
END_TEST

static int parse(struct rs_expression *e, const char *text, struct rs_error *err)
{
	*err = (struct rs_error){ 0 };
	return rs_expression_parse(e, &formatted_table, "w", text, err);
}

static void repeat(char *to, const char *what, size_t times)
{
	for (size_t i = 0; i < times; i++)
		to = stpcpy(to, what);
}

START_TEST(bounds)
{
	static char text[RS_EXPRESSION_BYTES * 20];
	struct rs_expression e;
	struct rs_error err;

	/* bytes: the value fills the strings to their last byte but the operator's */
	repeat(text, "x", RS_EXPRESSION_BYTES);
	memcpy(text, "comm=", 5);
	ck_assert_int_eq(parse(&e, text, &err), 0);
	strcat(text, "x");
	ck_assert_int_eq(parse(&e, text, &err), -1);
	ck_assert_str_eq(err.text, "w: at 1001: more than 1000 bytes");
	repeat(text, "(", sizeof text - 1);
	ck_assert_int_eq(parse(&e, text, &err), -1);

	/* depth */
	snprintf(text, sizeof text, "%32spid==42%32s", "", "");
	memset(text, '(', 32);
	memset(text + 32 + 7, ')', 32);
	ck_assert_int_eq(parse(&e, text, &err), 0);
	ck_assert_str_eq(passing(&e), "0");
	snprintf(text, sizeof text, "%33spid==42%33s", "", "");
	memset(text, '!', 33);
	ck_assert_int_eq(parse(&e, text, &err), -1);
	ck_assert_str_eq(err.text, "w: at 33: more than 32 of ( and ! within each other");
	memset(text, ' ', 1);
	ck_assert_int_eq(parse(&e, text, &err), 0);
	ck_assert_str_eq(passing(&e), "0");
	/* and what is closed again does not add up */

	repeat(text, "!(pid=7)&&", 50);
	strcat(text, "pid=42");
	ck_assert_int_eq(parse(&e, text, &err), 0);
	ck_assert_str_eq(passing(&e), "0");

	/* nodes: 128 comparisons and what joins them are 255, one more does not fit */
	repeat(text, "pid=7||", 128);
	strcpy(text + 127 * 7, "pid=42");
	ck_assert_int_eq(parse(&e, text, &err), 0);
	ck_assert_str_eq(passing(&e), "01");
	repeat(text, "pid=7||", 128);
	strcat(text, "pid=42");
	ck_assert_int_eq(parse(&e, text, &err), -1);
	ck_assert_str_eq(err.text, "w: at 900: too many comparisons (about 128 fit)");
}
END_TEST

/* A comparison that rs_expression_put made of a row's value is true of it, and of no row with another. */
START_TEST(what_is_written_reads_back)
{
	struct rs_error err = { 0 };
	struct rs_buf b = RS_BUF_INIT;
	struct rs_expression e;

	for (int row = 0; row < NR_ROWS; row++) {
		rs_buf_clear(&b);
		for (unsigned int i = 0; i <= UTIL; i++) {
			rs_buf_puts(&b, i ? " && " : "");
			rs_expression_put(&b, &formatted_columns[i], &formatted_rows[row][i]);
		}
		ck_assert_msg(rs_expression_parse(&e, &formatted_table, "w", b.data, &err) == 0, "%s", err.text);
		ck_assert_msg(strlen(passing(&e)) == 1 && *passing(&e) == '0' + row, "%s", b.data);
	}
	rs_buf_done(&b);
}
END_TEST

/* A glob that makes fnmatch try each way to share the text among the stars. */
START_TEST(an_expensive_glob)
{
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") };
	char text[RS_EXPRESSION_BYTES + 1];
	struct rs_expression e;
	struct rs_error err;

	repeat(text, "*a", 40);
	memcpy(text, "comm~", 5);
	strcat(text, "*b");
	ck_assert_int_eq(parse(&e, text, &err), 0);
	ck_assert(!rs_expression_passes(&e, row));
	row[COMM] = rs_s("\xc3\xa4\xff");     /* one character, and a byte that is none */
	ck_assert_int_eq(parse(&e, "comm ~ ??", &err), 0);
	ck_assert(rs_expression_passes(&e, row));
	ck_assert_int_eq(parse(&e, "comm ~ ???", &err), 0);
	ck_assert(!rs_expression_passes(&e, row));
}
END_TEST

START_TEST(columns_that_are_looked_at)
{
	struct rs_expression e;
	struct rs_error err;

	ck_assert_int_eq(parse(&e, "pid == 1 || (util_pct > 3 && pid != 2)", &err), 0);
	ck_assert_uint_eq(e.used, 1u << PID | 1u << UTIL);
}
END_TEST

START_TEST(a_printer_shows_what_passes)
{
	ck_assert_str_eq(
		formatted_print(&formatted_stream, (struct rs_formatter_options){ .format = "csv", .columns = "pid",
								     .where = "lat_ns < 1s" }, NULL),
		"pid\n42\n7\n");
	ck_assert_str_eq(
		formatted_print(&formatted_table, (struct rs_formatter_options){ .format = "csv", .columns = "pid", .nr_rows = 1,
								    .where = "comm != averylongtaskname" }, NULL),
		"pid\n7\n");
}
END_TEST

/* Of a histogram whole groups pass: rows, picture and quantiles. */
START_TEST(a_histogram_by_its_keys)
{
	static const char *const formats[] = { "text", "json", "csv" };
	struct rs_formatter_options opt = { .where = "comm == b" };

	for (int i = 0; i < 3; i++) {
		struct rs_printer *p;

		opt.format = formats[i];
		rs_buf_clear(&formatted_out);
		p = formatted_printer(&formatted_histogram, &opt);
		formatted_add_group(rs_printer_sink(p), "a", "comm = a", formatted_waits_ns, 5);
		formatted_add_group(rs_printer_sink(p), "b", "comm = b", formatted_short_ns, 3);
		formatted_add_group(rs_printer_sink(p), "c", "comm = c", formatted_waits_ns, 5);
		rs_printer_finish(p);
		rs_printers_quality(&p, 1, formatted_histogram.name, &formatted_quality);
		rs_printer_free(p);
		ck_assert_msg(strstr(formatted_out.data, "comm = b") != NULL, "%s", formatted_out.data);
		ck_assert_msg(!strstr(formatted_out.data, "comm = a"), "%s", formatted_out.data);
		ck_assert_msg(!strstr(formatted_out.data, "comm = c"), "%s", formatted_out.data);
	}
}
END_TEST

START_TEST(a_histogram_is_not_cut)
{
	struct rs_error err = { 0 };
	struct rs_expression e;

	ck_assert_int_eq(rs_expression_parse(&e, &formatted_histogram, "w", "count > 1", &err), -1);
	ck_assert_str_eq(err.text, "w: at 1: 'count' is of a part of a picture: only its keys can be compared");
}
END_TEST

Suite *rs_suite_expression(void);
Suite *rs_suite_expression(void)
{
	Suite *s = suite_create("expression");
	TCase *t = tcase_create("expression");

	tcase_add_checked_fixture(t, formatted_set_up, formatted_clean_up);
	tcase_add_loop_test(t, rows_that_pass, 0, sizeof selects / sizeof *selects);
	tcase_add_loop_test(t, what_is_wrong_is_said, 0, sizeof errors / sizeof *errors);
	tcase_add_test(t, bounds);
	tcase_add_test(t, what_is_written_reads_back);
	tcase_add_test(t, an_expensive_glob);
	tcase_add_test(t, columns_that_are_looked_at);
	tcase_add_test(t, a_printer_shows_what_passes);
	tcase_add_test(t, a_histogram_by_its_keys);
	tcase_add_test(t, a_histogram_is_not_cut);
	suite_add_tcase(s, t);
	return s;
}
