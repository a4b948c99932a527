// SPDX-License-Identifier: GPL-2.0-or-later
/* test-error.c - errors that the caller owns, and the growing buffer */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"

START_TEST(an_error_has_its_text_and_status)
{
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_fail(&err, "%s: %d bytes", "trace.dat", 7), -1);
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_str_eq(err.text, "trace.dat: 7 bytes");
}
END_TEST

START_TEST(wrong_usage_has_its_own_status)
{
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_fail_usage(&err, "-n: not a number"), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_str_eq(err.text, "-n: not a number");
}
END_TEST

START_TEST(the_first_error_stays)
{
	struct rs_error err = { 0 };

	rs_fail_usage(&err, "first");
	ck_assert_int_eq(rs_fail(&err, "second"), -1);
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_str_eq(err.text, "first");
}
END_TEST

START_TEST(nobody_need_ask_for_the_error)
{
	ck_assert_int_eq(rs_fail(NULL, "%s", "unheard"), -1);
	ck_assert_int_eq(rs_fail_usage(NULL, "%s", "unheard"), -1);
}
END_TEST

START_TEST(a_long_text_is_cut_and_terminated)
{
	struct rs_error err = { 0 };
	char name[2 * sizeof err.text];

	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	rs_fail(&err, "%s", name);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
END_TEST

/* ---- buf ---- */

static struct rs_buf b;

static void set_up(void)
{
	b = (struct rs_buf)RS_BUF_INIT;
}

static void tear_down(void)
{
	rs_buf_done(&b);
}

START_TEST(an_empty_buffer_is_a_string)
{
	ck_assert_str_eq(b.data, "");
	rs_buf_clear(&b);
	rs_buf_done(&b);
	ck_assert_str_eq(b.data, "");
	ck_assert_uint_eq(b.len, 0);
}
END_TEST

START_TEST(what_is_added_stands_in_order)
{
	rs_buf_puts(&b, "one");
	rs_buf_putc(&b, ' ');
	rs_buf_add(&b, "two three", 3);
	rs_buf_pad(&b, '.', 3);
	rs_buf_printf(&b, "%d%s", 42, "!");
	rs_buf_puts(&b, "");
	rs_buf_pad(&b, 'x', 0);
	ck_assert_str_eq(b.data, "one two...42!");
	ck_assert_uint_eq(b.len, 13);
	ck_assert(!b.failed);
}
END_TEST

START_TEST(bytes_of_0_are_kept)
{
	rs_buf_add(&b, "a\0b", 3);
	ck_assert_uint_eq(b.len, 3);
	ck_assert_mem_eq(b.data, "a\0b", 4);
}
END_TEST

/* Each length up to beyond two doublings, byte by byte: always terminated. */
START_TEST(it_grows_and_stays_terminated)
{
	for (size_t n = 1; n <= 1100; n++) {
		rs_buf_putc(&b, (char)('a' + n % 26));
		ck_assert_uint_eq(b.len, n);
		ck_assert_uint_lt(b.len, b.size);
		ck_assert_int_eq(b.data[n], '\0');
	}
	for (size_t n = 1; n <= 1100; n++)
		ck_assert_int_eq(b.data[n - 1], (char)('a' + n % 26));
}
END_TEST

/* A printf that ends exactly at, just before and just behind the first 256 bytes. */
START_TEST(printf_at_the_edge)
{
	for (int n = 253; n <= 259; n++) {
		rs_buf_clear(&b);
		rs_buf_printf(&b, "%*d", n, 7);
		ck_assert_uint_eq(b.len, (size_t)n);
		ck_assert_uint_eq(strlen(b.data), (size_t)n);
		ck_assert_int_eq(b.data[n - 1], '7');
	}
}
END_TEST

START_TEST(clear_keeps_the_memory)
{
	const char *data;

	rs_buf_pad(&b, 'x', 1000);
	data = b.data;
	rs_buf_clear(&b);
	ck_assert_str_eq(b.data, "");
	rs_buf_pad(&b, 'y', 1000);
	ck_assert_ptr_eq(b.data, data);
	ck_assert_uint_eq(b.len, 1000);
}
END_TEST

/* Reserving is enough: as many bytes as were asked for then fit, with the NUL, without moving. */
START_TEST(reserved_bytes_do_not_move)
{
	const char *data;

	ck_assert(rs_buf_reserve(&b, 256));
	data = b.data;
	ck_assert_str_eq(b.data, "");
	rs_buf_pad(&b, 'x', 256);
	ck_assert_ptr_eq(b.data, data);
}
END_TEST

#if defined(__has_feature)
#define ASAN (__has_feature(address_sanitizer))
#elif defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#else
#define ASAN 0
#endif

/* The last one is refused by realloc, at which ASan would end the program. */
static const size_t too_much[] = { SIZE_MAX, SIZE_MAX - 2, SIZE_MAX / 2, SIZE_MAX / 4 };
#define NR_TOO_MUCH ((int)(sizeof too_much / sizeof *too_much) - ASAN)

START_TEST(what_does_not_fit_fails_and_keeps_the_rest)
{
	rs_buf_puts(&b, "kept");
	ck_assert(!rs_buf_reserve(&b, too_much[_i]));
	ck_assert(b.failed);
	ck_assert_str_eq(b.data, "kept");
	rs_buf_puts(&b, " too");
	ck_assert_str_eq(b.data, "kept too");
	ck_assert(b.failed); /* asked once, at the end */
	rs_buf_clear(&b);
	ck_assert(!b.failed);
}
END_TEST

Suite *rs_suite_error(void);
Suite *rs_suite_error(void)
{
	Suite *s = suite_create("error");
	TCase *t = tcase_create("error"), *tb = tcase_create("buf");

	tcase_add_test(t, an_error_has_its_text_and_status);
	tcase_add_test(t, wrong_usage_has_its_own_status);
	tcase_add_test(t, the_first_error_stays);
	tcase_add_test(t, nobody_need_ask_for_the_error);
	tcase_add_test(t, a_long_text_is_cut_and_terminated);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(tb, set_up, tear_down);
	tcase_add_test(tb, an_empty_buffer_is_a_string);
	tcase_add_test(tb, what_is_added_stands_in_order);
	tcase_add_test(tb, bytes_of_0_are_kept);
	tcase_add_test(tb, it_grows_and_stays_terminated);
	tcase_add_test(tb, printf_at_the_edge);
	tcase_add_test(tb, clear_keeps_the_memory);
	tcase_add_test(tb, reserved_bytes_do_not_move);
	tcase_add_loop_test(tb, what_does_not_fit_fails_and_keeps_the_rest, 0, NR_TOO_MUCH);
	suite_add_tcase(s, tb);
	return s;
}
