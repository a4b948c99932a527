// SPDX-License-Identifier: GPL-2.0-or-later
/* test-selection - the wait that a row is about: when it was, and whose, by the flags of its columns */
#include <check.h>

#include "tui/app/screen.h"

enum { COMM, PID, TID, FIRST, SECOND, NR };

/* A row of process 10 with two columns of times. */
static bool select_row(int64_t tid, unsigned int first_flag, uint64_t first, unsigned int second_flag, uint64_t second,
		       struct rs_screen_selection *out)
{
	static struct rs_column columns[NR + 1] = {
		[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "" }, [PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 0, "" },
		[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 0, "" }, [FIRST] = { "a", "A", RS_TYPE_TIME, 0, 0, 0, "" },
		[SECOND] = { "b", "B", RS_TYPE_DURATION, 0, 0, 0, "" },
	};
	static const struct rs_catalogue_view view = { .view = { .name = "v", .kind = RS_VIEW_STREAM, .columns = columns } };
	static struct rs_value values[NR];

	columns[FIRST].flags = first_flag;
	columns[SECOND].flags = second_flag;
	values[COMM] = rs_s("p");
	values[PID] = rs_u(10);
	values[TID] = rs_u_if(tid, (uint64_t)tid);
	values[FIRST] = rs_u_if(first, first);
	values[SECOND] = rs_u_if(second, second);
	*out = (struct rs_screen_selection){ .view = &view, .values = values };
	rs_selection_add(&out->keys, &view.view, values);
	rs_selection_add_wait(out);
	return out->is_wait;
}

START_TEST(of_a_row)
{
	struct rs_screen_selection of;

	/* two of begin, end and length */
	ck_assert(select_row(10, RS_COLUMN_BEGIN, 1000, RS_COLUMN_END, 1500, &of));
	ck_assert(of.from_ns == 1000 && of.to_ns == 1500 && rs_selection_thread(&of.keys) == 10);
	ck_assert(select_row(10, RS_COLUMN_BEGIN, 1000, RS_COLUMN_LENGTH, 300, &of));
	ck_assert(of.from_ns == 1000 && of.to_ns == 1300);
	ck_assert(select_row(10, RS_COLUMN_END, 1000, RS_COLUMN_LENGTH | RS_COLUMN_LATENCY, 300, &of));
	ck_assert(of.from_ns == 700 && of.to_ns == 1000);
	/* a thread that is not the first */
	ck_assert(select_row(12, RS_COLUMN_BEGIN, 1000, RS_COLUMN_END, 1500, &of));
	ck_assert_int_eq(rs_selection_thread(&of.keys), 12);
	ck_assert_int_eq(rs_selection_number(&of.keys, "pid"), 10);
}
END_TEST

START_TEST(of_no_thread_or_time)
{
	struct rs_screen_selection of;

	/* of a process: the time, but no wait */
	ck_assert(!select_row(0, RS_COLUMN_BEGIN, 1000, RS_COLUMN_END, 1500, &of));
	ck_assert(of.from_ns == 1000 && of.to_ns == 1500);
	ck_assert(!select_row(10, RS_COLUMN_BEGIN, 1000, 0, 300, &of) && !of.to_ns);
	ck_assert(!select_row(10, RS_COLUMN_BEGIN, 1000, RS_COLUMN_END, 0, &of) && !of.to_ns);
	/* no time: it ends as it begins, or before */
	ck_assert(!select_row(10, RS_COLUMN_BEGIN, 1000, RS_COLUMN_END, 1000, &of));
	ck_assert(!select_row(10, RS_COLUMN_END, 1000, RS_COLUMN_LENGTH, 0, &of));
}
END_TEST

Suite *rs_suite_selection(void);
Suite *rs_suite_selection(void)
{
	Suite *s = suite_create("selection");
	TCase *t = tcase_create("selection");

	tcase_add_test(t, of_a_row);
	tcase_add_test(t, of_no_thread_or_time);
	suite_add_tcase(s, t);
	return s;
}
