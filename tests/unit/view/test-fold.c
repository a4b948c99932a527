// SPDX-License-Identifier: GPL-2.0-or-later
/* test-fold - four rows of one name or more as one, with the sums; the others stay as they are */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "view/rows.h"

static const struct rs_column columns[] = {
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 8, "" }, { "pid", "PID", RS_TYPE_ID, 0, 0, 5, "" },
	{ "life_ns", "LIFE", RS_TYPE_DURATION, 0, RS_COLUMN_SUM, 8, "" }, { "calls", "CALLS", RS_TYPE_COUNT, 0, 0, 8, "" }, { 0 },
};
static const struct rs_view view = { .name = "tasks", .kind = RS_VIEW_TABLE, .columns = columns };
static char text[1000];

static void add(struct rs_rows *f, const char *comm, uint64_t pid, uint64_t lifetime_ns)
{
	ck_assert(rs_rows_add(f, (const struct rs_value[]){ rs_s(comm), rs_u(pid), lifetime_ns ? rs_u(lifetime_ns) : rs_null(), rs_u(1) }));
}

/* In the order of their lives, the longest first: "comm pid life calls xN", -1 what is not known. */
static const char *folded(struct rs_rows *f)
{
	struct rs_rows *rows = rs_rows_new(&view, &(struct rs_sort){ .nr = 1, .keys = { { 2, true } } }, 0, 1 << 20);
	size_t len = 0;

	ck_assert(rs_rows_fold(f, rows));
	for (size_t i = 0, nr = rs_rows_sort(rows); i < nr; i++) {
		const struct rs_value *v = rs_rows_get(rows, i);

		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %lld %lld %lld x%llu", i ? ", " : "", v[0].known ? v[0].s : "-",
					v[1].known ? (long long)v[1].u : -1, v[2].known ? (long long)v[2].u : -1,
					v[3].known ? (long long)v[3].u : -1, (unsigned long long)rs_rows_nr_of(rows, i));
	}
	rs_rows_free(rows);
	rs_rows_free(f);
	return text;
}

/* Twenty of "true" among others: one row, of which calls, that cannot be summed, and the process are not known. */
START_TEST(twenty)
{
	struct rs_rows *f = rs_rows_new(&view, &(struct rs_sort){ .nr = 1 }, 0, 1 << 20);

	add(f, "sh", 7, 900);
	for (uint64_t i = 0; i < 20; i++)
		add(f, "true", 100 + i, 10);
	add(f, "make", 8, 20);
	ck_assert_str_eq(folded(f), "sh 7 900 1 x1, true -1 200 -1 x20, make 8 20 1 x1");
}
END_TEST

/* Three are rows of their own, four are one, however long they lived; what is not known adds nothing. */
START_TEST(from_four_on)
{
	struct rs_rows *f = rs_rows_new(&view, &(struct rs_sort){ .nr = 1 }, 0, 1 << 20);

	for (uint64_t i = 0; i < 3; i++)
		add(f, "cc", 10 + i, 40 + i);
	add(f, "ld", 20, 500);
	add(f, "ld", 21, 1);
	add(f, "ld", 22, 2);
	add(f, "ld", 23, 0);
	ck_assert_str_eq(folded(f), "ld -1 503 -1 x4, cc 12 42 1 x1, cc 11 41 1 x1, cc 10 40 1 x1");
}
END_TEST

/* Rows without a name are not of one name, however many there are. */
START_TEST(without_a_name)
{
	struct rs_rows *f = rs_rows_new(&view, &(struct rs_sort){ .nr = 1 }, 0, 1 << 20);

	for (uint64_t i = 0; i < 4; i++)
		ck_assert(rs_rows_add(f, (const struct rs_value[]){ rs_null(), rs_u(i + 1), rs_u(9 - i), rs_u(1) }));
	ck_assert_str_eq(folded(f), "- 1 9 1 x1, - 2 8 1 x1, - 3 7 1 x1, - 4 6 1 x1");
}
END_TEST

Suite *rs_suite_fold(void)
{
	Suite *s = suite_create("fold");
	TCase *t = tcase_create("fold");

	tcase_add_test(t, twenty);
	tcase_add_test(t, from_four_on);
	tcase_add_test(t, without_a_name);
	suite_add_tcase(s, t);
	return s;
}
