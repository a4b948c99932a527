// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-expression.c - any text as an expression, on rows of any values: an answer, or an error that can be shown
 *
 * Input: the expression up to the first NUL, then the row: for each column a byte (1: known), and its
 * eight bytes, or of text the bytes up to a NUL. What is missing is not known.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static const struct rs_column columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "" },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 0, "" },
	{ "n", "N", RS_TYPE_COUNT, 0, 0, 0, "" },
	{ "lat_ns", "LAT", RS_TYPE_DURATION, 0, RS_COLUMN_LATENCY, 0, "" },
	{ "bytes", "BYTES", RS_TYPE_BYTES, 0, 0, 0, "" },
	{ "pct", "PCT", RS_TYPE_MILLI, 0, 0, 0, "" },
	{ "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 0, "" },
	{ "args", "ARGS", RS_TYPE_TEXT, 0, 0, 0, "" },
	{ 0 },
};

#define NR_COLUMNS (sizeof columns / sizeof *columns - 1)

static const struct rs_view view = { .name = "v", .summary = "", .kind = RS_VIEW_TABLE, .columns = columns };

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* data ends with a NUL that len does not count. */
static void make_row(const uint8_t *data, size_t len, struct rs_value values[NR_COLUMNS])
{
	for (size_t i = 0; i < NR_COLUMNS && len; i++) {
		bool known = *data++ == 1;

		values[i] = rs_null();
		if (--len && known && columns[i].type == RS_TYPE_TEXT) {
			size_t n = strlen((const char *)data);

			values[i] = rs_s((const char *)data);
			n = n < len ? n + 1 : len;
			data += n;
			len -= n;
		} else if (known && len >= 8) {
			values[i].known = true;
			memcpy(&values[i].u, data, 8);
			data += 8;
			len -= 8;
		}
	}
}

static void check_error(const char *text, const struct rs_expression *e, const struct rs_error *err)
{
	must(err->status == RS_USAGE && *err->text && e->nr_nodes == 0 && e->error_at <= strlen(text));
	for (const char *s = err->text; *s; s++)
		must((unsigned char)*s >= ' ' && *s != 127);
}

/* What follows from an answer: the same within parentheses, the other with a ! before them. */
static void check_answer(const char *text, const struct rs_value *values, bool passes)
{
	char turned[RS_EXPRESSION_BYTES + 8];
	struct rs_error err = { 0 };
	struct rs_expression e;

	snprintf(turned, sizeof turned, "!(%s)", text);
	if (rs_expression_parse(&e, &view, "fuzz", turned, &err) == 0)
		must(rs_expression_passes(&e, values) != passes);
	if (rs_expression_parse(&e, &view, "fuzz", turned + 1, &err) == 0)
		must(rs_expression_passes(&e, values) == passes);
}

/* Each value as an expression that is true of it; text that does not fit is cut by nobody, and refused. */
static void check_written(const struct rs_value *values)
{
	struct rs_buf b = RS_BUF_INIT;
	struct rs_expression e;

	for (size_t i = 0; i < NR_COLUMNS; i++) {
		struct rs_error err = { 0 };

		rs_buf_clear(&b);
		rs_expression_put(&b, &columns[i], &values[i]);
		if (rs_expression_parse(&e, &view, "fuzz", b.data, &err) == 0)
			must(rs_expression_passes(&e, values));
		else
			must(b.len > RS_EXPRESSION_BYTES);
	}
	rs_buf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct rs_value values[NR_COLUMNS] = { { .known = false } };
	struct rs_error err = { 0 };
	struct rs_expression e;
	char *text = malloc(len + 1);
	size_t text_len;

	must(text != NULL);
	memcpy(text, data, len);
	text[len] = '\0';
	text_len = strlen(text);
	if (text_len < len)
		make_row((const uint8_t *)text + text_len + 1, len - text_len - 1, values);
	if (rs_expression_parse(&e, &view, "fuzz", text, &err) < 0)
		check_error(text, &e, &err);
	else
		check_answer(text, values, rs_expression_passes(&e, values));
	check_written(values);
	free(text);
	return 0;
}
