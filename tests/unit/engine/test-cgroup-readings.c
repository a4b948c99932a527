// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroup-readings - what control groups counted at about the begin and the end of a time range */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"
#include "source/window-pins.h"

#define S 1000000000ull

static struct rs_session *session;
static struct rs_window *window;
static struct rs_cgroup_list rows;

static void read_counts(uint64_t ts_ns, size_t nr, uint64_t throttled_ns)
{
	struct rs_cgroup_growth *g = &rs_cgroups_of(session)->growth;

	g->groups.nr = nr;
	for (size_t i = 0; i < nr; i++)
		g->groups.row[i].end.value[RS_CGROUP_THROTTLED_NS] = rs_u(throttled_ns);
	g->groups.row[0].end.value[RS_CGROUP_CPU_PRESSURE_NS] = rs_u(throttled_ns);
	rs_cgroup_readings_add(g, window, ts_ns);
}

static void setup(void)
{
	static char all[] = "/", box[] = "/box";
	static struct rs_cgroup_row groups[] = { { .path = all }, { .path = box } };

	session = calloc(1, sizeof *session);
	ck_assert_ptr_nonnull(session);
	rs_observer_set(session, RS_OBSERVER_CGROUPS, calloc(1, sizeof(struct rs_cgroups)));
	rs_cgroups_of(session)->growth.groups.row = groups;
	read_counts(2 * S, 1, 100);
	read_counts(4 * S, 1, 150);
	read_counts(5 * S, 1, 170); /* too soon after the one before */
	read_counts(6 * S, 2, 400);
	read_counts(8 * S, 2, 900);
}

static void teardown(void)
{
	rs_cgroup_counts_done(&rows);
	rs_cgroup_readings_done(&rs_cgroups_of(session)->growth);
	free(rs_cgroups_of(session));
	free(session);
	rs_window_free(window);
	window = NULL;
}

#define THROTTLED(row, when) (row).when.value[RS_CGROUP_THROTTLED_NS]

static void check_row(size_t i, uint64_t from_ns, uint64_t to_ns, uint64_t begin, uint64_t end, bool is_around)
{
	rs_cgroup_counts_done(&rows);
	ck_assert_int_eq(rs_cgroup_readings_rows(session, from_ns, to_ns, &rows), 0);
	ck_assert_uint_eq(rows.nr, 2);
	ck_assert_uint_eq(THROTTLED(rows.row[i], begin).u, begin);
	ck_assert_uint_eq(THROTTLED(rows.row[i], end).u, end);
	ck_assert_int_eq(rows.row[i].is_around, is_around);
}

START_TEST(inside_or_around)
{
	check_row(0, 3 * S, 7 * S, 150, 400, false);
	check_row(0, 2 * S, 99 * S, 100, 900, false);
	check_row(0, 0, UINT64_MAX, 100, 900, false);
	check_row(0, 4 * S + 1, 5 * S, 150, 400, true);
	check_row(0, 3 * S, 5 * S, 100, 400, true); /* one reading inside tells no growth */
}
END_TEST

/* /box was not known before 6 s: of a range that began before, from there on. */
START_TEST(a_later_group)
{
	check_row(1, 0, UINT64_MAX, 400, 900, false);
	rs_cgroup_counts_done(&rows);
	ck_assert_int_eq(rs_cgroup_readings_rows(session, 3 * S, 7 * S, &rows), 0);
	ck_assert(!THROTTLED(rows.row[1], begin).known && !THROTTLED(rows.row[1], end).known);
}
END_TEST

static void check_pressure(uint64_t from_ns, uint64_t to_ns, const char *expected)
{
	struct rs_pressure_list list = { 0 };
	char text[256] = "";

	rs_cgroup_counts_done(&rows);
	ck_assert_int_eq(rs_cgroup_readings_rows(session, from_ns, to_ns, &rows), 0);
	ck_assert_int_eq(rs_cgroup_readings_pressure(session, from_ns, to_ns, &rows, &list), 0);
	for (size_t i = 0; i < list.nr; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%llu %s %llu, ", (unsigned long long)(list.row[i].ts_ns / S), list.row[i].path,
			 (unsigned long long)list.row[i].ns[0].u);
	ck_assert_str_eq(text, expected);
	free(list.row);
}

/* Those in the range and around it; of a group that did not change none but the first. */
START_TEST(pressure)
{
	check_pressure(0, UINT64_MAX, "2 / 100, 4 / 150, 6 / 400, 6 /box 0, 8 / 900, ");
	check_pressure(5 * S, 7 * S, "4 / 150, 6 / 400, 6 /box 0, 8 / 900, ");
	check_pressure(4 * S, 6 * S, "4 / 150, 6 / 400, 6 /box 0, ");
	check_pressure(9 * S, 10 * S, "8 / 900, 8 /box 0, ");
}
END_TEST

/* The ring has the latest 128 of 204, from the 77th on. */
START_TEST(a_long_session)
{
	for (uint64_t i = 5; i <= 204; i++)
		read_counts(i * 2 * S, 2, i * 1000);
	check_row(0, 0, UINT64_MAX, 77000, 204000, false);
}
END_TEST

/* What was pinned of 3 s to 7 s stays: the first and the last reading in it; of 4 s to 5 s those around it. */
START_TEST(a_pinned_time)
{
	const struct rs_trace_info info = { .nr_cpus = 1, .page_bytes = 4096 };
	struct rs_window_pin pin = { .client = 1, .from_ns = 3 * S, .to_ns = 7 * S };
	struct rs_error err = { 0 };

	window = rs_window_new(&info, 1 << 20, 0, &err);
	ck_assert_ptr_nonnull(window);
	for (uint64_t ts_ns = 3 * S; ts_ns <= 8 * S; ts_ns += S) {
		uint64_t page[8] = { ts_ns }; /* a page begins with its time */

		ck_assert(rs_window_add(window, 0, &(struct rs_page){ .data = (uint8_t *)page, .len_bytes = sizeof page }));
	}
	ck_assert_msg(rs_window_pins_set(window, &pin, &err) == 0, "%s", err.text);
	for (uint64_t i = 5; i <= 204; i++)
		read_counts(i * 2 * S, 2, i * 1000);
	check_row(0, 3 * S, 7 * S, 150, 400, false);
	check_row(0, 4 * S + 1, 5 * S, 150, 400, true);
	check_row(0, 0, UINT64_MAX, 100, 204000, false);
	rs_window_pins_clear(window, 1); /* from now on the oldest go first */
	for (uint64_t i = 205; i <= 405; i++)
		read_counts(i * 2 * S, 2, i * 1000);
	check_row(0, 0, UINT64_MAX, 278000, 405000, false);
}
END_TEST

Suite *rs_suite_cgroup_readings(void)
{
	Suite *s = suite_create("cgroup-readings");
	TCase *t = tcase_create("readings");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, inside_or_around);
	tcase_add_test(t, a_later_group);
	tcase_add_test(t, pressure);
	tcase_add_test(t, a_long_session);
	tcase_add_test(t, a_pinned_time);
	suite_add_tcase(s, t);
	return s;
}
