// SPDX-License-Identifier: GPL-2.0-or-later
/* test-behind - buffers that are written while the next is filled: all of them, in order, and failures are told */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/async-writer.h"

struct taken {
	struct rs_buf all;
	unsigned int nr, fail_at; /* 0: never */
	bool slow, says;
};

static int take(void *arg, struct rs_buf *b, struct rs_error *err)
{
	struct taken *t = arg;

	if (t->slow)
		usleep(1000);
	if (++t->nr == t->fail_at)
		return t->says ? rs_fail(err, "no more") : -1;
	rs_buf_add(&t->all, b->data, b->len);
	rs_buf_clear(b);
	return 0;
}

/* Puts "0\n", "1\n", ... a number each; how many until it was said to be in vain. */
static int put_numbers(struct rs_async_writer *w, struct rs_buf *b, int nr)
{
	for (int i = 0; i < nr; i++) {
		rs_buf_printf(b, "%d\n", i);
		if (!rs_async_writer_put(w, b))
			return i;
		ck_assert_uint_eq(b->len, 0);
		ck_assert_uint_gt(b->size, 100);
	}
	return nr;
}

START_TEST(all_in_order)
{
	struct taken t = { .all = RS_BUF_INIT, .slow = _i };
	struct rs_buf b = RS_BUF_INIT, expected = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_async_writer *w = rs_async_writer_new(take, &t, 100, &err);

	ck_assert_int_eq(put_numbers(w, &b, 200), 200);
	ck_assert_int_eq(rs_async_writer_end(w, &err), 0);
	for (int i = 0; i < 200; i++)
		rs_buf_printf(&expected, "%d\n", i);
	ck_assert_str_eq(t.all.data, expected.data);
	rs_buf_done(&b);
	rs_buf_done(&expected);
	rs_buf_done(&t.all);
}
END_TEST

/* The third write fails: the rest is dropped, which who fills learns; with an error, or without where the reader left. */
START_TEST(a_failure_is_told)
{
	struct taken t = { .all = RS_BUF_INIT, .fail_at = 3, .says = _i };
	struct rs_buf b = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_async_writer *w = rs_async_writer_new(take, &t, 100, &err);

	ck_assert_int_lt(put_numbers(w, &b, 100), 100);
	ck_assert_int_eq(rs_async_writer_end(w, &err), -1);
	ck_assert_str_eq(t.all.data, "0\n1\n");
	ck_assert_uint_eq(t.nr, 3);
	ck_assert_str_eq(err.text, _i ? "no more" : "");
	rs_buf_done(&b);
	rs_buf_done(&t.all);
}
END_TEST

START_TEST(the_first_error_counts)
{
	struct taken t = { .all = RS_BUF_INIT, .fail_at = 1, .says = true };
	struct rs_buf b = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_async_writer *w = rs_async_writer_new(take, &t, 100, &err);

	put_numbers(w, &b, 1);
	rs_fail(&err, "before");
	ck_assert_int_eq(rs_async_writer_end(w, &err), -1);
	ck_assert_str_eq(err.text, "before");
	rs_buf_done(&b);
	rs_buf_done(&t.all);
}
END_TEST

START_TEST(nothing_at_all)
{
	struct taken t = { .all = RS_BUF_INIT };
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_async_writer_end(rs_async_writer_new(take, &t, 100, &err), &err), 0);
	ck_assert_uint_eq(t.nr, 0);
	ck_assert_int_eq(rs_async_writer_end(NULL, &err), 0);
}
END_TEST

Suite *rs_suite_behind(void);
Suite *rs_suite_behind(void)
{
	Suite *s = suite_create("behind");
	TCase *t = tcase_create("behind");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, all_in_order, 0, 2);
	tcase_add_loop_test(t, a_failure_is_told, 0, 2);
	tcase_add_test(t, the_first_error_counts);
	tcase_add_test(t, nothing_at_all);
	suite_add_tcase(s, t);
	return s;
}
