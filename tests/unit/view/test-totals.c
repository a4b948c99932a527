// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-totals - what is summed is what can be summed: columns by their flag, rows once
 */
#include <check.h>
#include <string.h>

#include "engine/session.h"
#include "view/totals.h"

enum { SYSCALL, CALLS, TOTAL, MAX, DELTA };

static const struct rs_column columns[] = {
	[SYSCALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_PART, 0, "" },
	[CALLS] = { "calls", "CALLS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 0, "" },
	[TOTAL] = { "total_ns", "TOTAL", RS_TYPE_DURATION, 0, RS_COLUMN_SUM, 0, "" },
	[MAX] = { "max_ns", "MAX", RS_TYPE_DURATION, 0, RS_COLUMN_LATENCY, 0, "" },
	[DELTA] = { "delta", "DELTA", RS_TYPE_BYTES, 0, RS_COLUMN_SUM | RS_COLUMN_SIGNED, 0, "" },
	{ 0 },
};

static const struct rs_view view = { .name = "v", .summary = "", .kind = RS_VIEW_TABLE, .columns = columns };

static struct rs_totals totals;

static void set_up(void)
{
	rs_totals_init(&totals, &view);
}

static void add(const char *syscall, uint64_t calls, struct rs_value total, struct rs_value delta)
{
	rs_totals_add(&totals, (const struct rs_value[]){ rs_s(syscall), rs_u(calls), total, rs_u(1000), delta });
}

static void check(unsigned int column, struct rs_value expected)
{
	struct rs_value got = rs_totals_get(&totals, column);

	ck_assert_int_eq(got.known, expected.known);
	if (expected.known)
		ck_assert_uint_eq(got.u, expected.u);
}

START_TEST(sums)
{
	add("read", 3, rs_u(100), rs_i(-500));
	add("write", 4, rs_u(200), rs_i(200));
	check(SYSCALL, rs_null());
	check(CALLS, rs_u(7));
	check(TOTAL, rs_u(300));
	check(MAX, rs_null());
	check(DELTA, rs_i(-300));
}
END_TEST

START_TEST(nothing_is_0_and_the_unknown_is_null)
{
	check(CALLS, rs_u(0));
	check(MAX, rs_null());
	add("read", 3, rs_null(), rs_null());
	check(TOTAL, rs_null());
	add("write", 4, rs_u(200), rs_null());
	check(CALLS, rs_u(7));
	check(TOTAL, rs_u(200));
	check(DELTA, rs_null());
}
END_TEST

/* A row for the process, and one for each of its calls: the first is the sum of the others. */
START_TEST(a_row_that_sums_up_others)
{
	add(NULL, 7, rs_u(300), rs_null());
	check(CALLS, rs_u(7));
	check(DELTA, rs_null());
	add("read", 3, rs_u(100), rs_i(1));
	add("write", 4, rs_u(200), rs_i(1));
	check(CALLS, rs_u(7));
	check(TOTAL, rs_u(300));
	check(DELTA, rs_i(2));
	add(NULL, 90, rs_u(9000), rs_null());
	check(CALLS, rs_u(7));
}
END_TEST

START_TEST(rows_that_are_all_merged)
{
	add(NULL, 7, rs_u(300), rs_null());
	add(NULL, 3, rs_u(100), rs_i(5));
	check(CALLS, rs_u(10));
	check(TOTAL, rs_u(400));
	check(DELTA, rs_i(5));
}
END_TEST

START_TEST(beyond_64_bits)
{
	add("read", 1, rs_u(UINT64_MAX), rs_i(INT64_MIN));
	check(TOTAL, rs_u(UINT64_MAX));
	check(DELTA, rs_i(INT64_MIN));
	add("read", 1, rs_u(1), rs_i(-1));
	check(TOTAL, rs_null());
	check(DELTA, rs_null());
	check(CALLS, rs_u(2));
}
END_TEST

static bool says(const char *name, const char *part)
{
	return strstr(name, part) != NULL;
}

/* By their names: what is an average, a quantile, a maximum or an age is no sum, and a total is one. */
static void check_column(const char *view_name, const struct rs_column *c)
{
	bool is_sum = c->flags & RS_COLUMN_SUM;

	if (is_sum)
		ck_assert_msg(c->type == RS_TYPE_COUNT || c->type == RS_TYPE_DURATION || c->type == RS_TYPE_BYTES,
			      "%s.%s has a type without a sum", view_name, c->name);
	if (says(c->name, "avg") || says(c->name, "max") || says(c->name, "min") || says(c->name, "p99") ||
	    says(c->name, "p95") || says(c->name, "p50") || says(c->name, "pct") || says(c->name, "worst"))
		ck_assert_msg(!is_sum, "%s.%s is no sum", view_name, c->name);
	if (says(c->name, "total_ns") || !strcmp(c->name, "count") || !strcmp(c->name, "in_flight"))
		ck_assert_msg(is_sum || !strcmp(view_name, "irqs"), "%s.%s can be summed", view_name, c->name);
}

/* One part at most, for rs_totals asks of one. An irq that interrupts a softirq is in the total_ns of both. */
START_TEST(columns_of_all_views)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_view *v = (*a)->views; v && v->name; v++) {
			unsigned int nr_parts = 0;

			for (const struct rs_column *c = v->columns; c->name; c++) {
				check_column(v->name, c);
				nr_parts += !!(c->flags & RS_COLUMN_PART);
			}
			ck_assert_msg(nr_parts <= 1, "%s", v->name);
		}
}
END_TEST

Suite *rs_suite_totals(void);
Suite *rs_suite_totals(void)
{
	Suite *s = suite_create("totals");
	TCase *t = tcase_create("totals");

	tcase_add_checked_fixture(t, set_up, NULL);
	tcase_add_test(t, sums);
	tcase_add_test(t, nothing_is_0_and_the_unknown_is_null);
	tcase_add_test(t, a_row_that_sums_up_others);
	tcase_add_test(t, rows_that_are_all_merged);
	tcase_add_test(t, beyond_64_bits);
	tcase_add_test(t, columns_of_all_views);
	suite_add_tcase(s, t);
	return s;
}
