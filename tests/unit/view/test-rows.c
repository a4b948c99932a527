// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of rows: by the sort columns, null last; equal rows of a table by their keys, of a stream as they came. */
#include <check.h>
#include <stdio.h>

#include "view/rows.h"

static const struct rs_column columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "name" },
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 0, "process" },
	{ "calls", "CALLS", RS_TYPE_COUNT, 0, 0, 0, "calls" },
	{ 0 },
};
static char text[200];

/* The pids in the order that `calls`, descending, gives them; limit 0: all. */
static const char *sorted(enum rs_view_kind kind, size_t limit, bool sorts)
{
	const struct rs_view view = { .name = "rows", .kind = kind, .columns = columns };
	const struct rs_sort sort = { .nr = sorts, .keys = { { 2, true } } };
	struct rs_rows *rows = rs_rows_new(&view, &sort, limit, 1 << 20);
	size_t len = 0;

	rs_rows_add(rows, (const struct rs_value[]){ rs_s("b"), rs_u(4), rs_u(7) });
	rs_rows_add(rows, (const struct rs_value[]){ rs_s("b"), rs_u(3), rs_u(7) });
	rs_rows_add(rows, (const struct rs_value[]){ rs_s("a"), rs_u(9), rs_u(7) });
	rs_rows_add(rows, (const struct rs_value[]){ rs_s("b"), rs_null(), rs_u(7) });
	rs_rows_add(rows, (const struct rs_value[]){ rs_s("z"), rs_u(1), rs_u(8) });
	rs_rows_add(rows, (const struct rs_value[]){ rs_s("a"), rs_u(2), rs_null() });
	text[0] = '\0';
	for (size_t i = 0, nr = rs_rows_sort(rows); i < nr; i++) {
		const struct rs_value *pid = &rs_rows_get(rows, i)[1];

		len += (size_t)snprintf(text + len, sizeof text - len, "%s%lld", i ? " " : "", pid->known ? (long long)pid->u : -1);
	}
	rs_rows_free(rows);
	return text;
}

START_TEST(ties_of_a_table_go_by_the_keys)
{
	ck_assert_str_eq(sorted(RS_VIEW_TABLE, 0, true), "1 9 -1 3 4 2");
}
END_TEST

/* Of four equal rows those that the limit keeps are the first of that order, not of their coming. */
START_TEST(limit_keeps_the_first)
{
	ck_assert_str_eq(sorted(RS_VIEW_TABLE, 3, true), "1 9 -1");
}
END_TEST

START_TEST(ties_of_a_stream_stay_as_they_came)
{
	ck_assert_str_eq(sorted(RS_VIEW_STREAM, 0, true), "1 4 3 9 -1 2");
}
END_TEST

START_TEST(without_sort_rows_stay_as_they_came)
{
	ck_assert_str_eq(sorted(RS_VIEW_TABLE, 0, false), "4 3 9 -1 1 2");
}
END_TEST

Suite *rs_suite_rows(void)
{
	Suite *s = suite_create("rows");
	TCase *c = tcase_create("order");

	tcase_add_test(c, ties_of_a_table_go_by_the_keys);
	tcase_add_test(c, limit_keeps_the_first);
	tcase_add_test(c, ties_of_a_stream_stay_as_they_came);
	tcase_add_test(c, without_sort_rows_stay_as_they_came);
	suite_add_tcase(s, c);
	return s;
}
