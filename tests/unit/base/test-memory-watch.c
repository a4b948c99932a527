// SPDX-License-Identifier: GPL-2.0-or-later
/* test-memory-watch - an allocation that fails is counted, told of once, and never leaves a shortened answer */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory-watch.h"
#include "service/jobs.h"

/* More than there can be. Volatile: the compiler would warn of it, or know the result. */
static volatile size_t too_much = SIZE_MAX / 2;

static void fail_to_allocate(void)
{
	void *volatile memory = malloc(too_much);

	ck_assert_ptr_null(memory);
}

START_TEST(each_failure_is_counted)
{
	uint64_t before = rs_memory_failures();
	struct rs_buf b = RS_BUF_INIT;

	ck_assert(!rs_memory_failed());
	fail_to_allocate();
	ck_assert_ptr_null(calloc(too_much, 1));
	ck_assert_ptr_null(realloc(NULL, too_much));
	ck_assert(!rs_buf_reserve(&b, too_much - 2)); /* by whatever way it asks */
	ck_assert_uint_eq(rs_memory_failures() - before, 4);
	ck_assert(rs_memory_failed());
}
END_TEST

START_TEST(what_was_told_is_told_no_more)
{
	struct rs_error err = { 0 };

	fail_to_allocate();
	ck_assert(rs_memory_failures_unreported());
	ck_assert_int_eq(rs_memory_check("report", &err), -1);
	ck_assert_str_eq(err.text, "report: out of memory: the result is not whole (free memory, or ask for less)");
	ck_assert_int_eq(err.status, RS_FAILED);
	rs_memory_reported();
	ck_assert(!rs_memory_failures_unreported());
	ck_assert(!rs_memory_failed());
	ck_assert_int_eq(rs_memory_check("report", &(struct rs_error){ 0 }), 0);
}
END_TEST

/* What is missing was taken for wrong usage: the reason is added, and usage it was not. */
START_TEST(another_error_gets_its_reason)
{
	struct rs_error err = { 0 };

	rs_fail_usage(&err, "unknown view 'sched'");
	fail_to_allocate();
	ck_assert_int_eq(rs_memory_check("report", &err), -1);
	ck_assert_str_eq(err.text, "unknown view 'sched': out of memory");
	ck_assert_int_eq(err.status, RS_FAILED);
}
END_TEST

START_TEST(a_librarys_failure_shows_in_errno)
{
	errno = ENOENT;
	ck_assert(!rs_memory_library_failed());
	ck_assert(!rs_memory_failed());
	errno = ENOMEM;
	ck_assert(rs_memory_library_failed());
	ck_assert(rs_memory_failed());
}
END_TEST

static int half_an_answer(struct rs_job *job, struct rs_error *err)
{
	rs_json_put_u64(&job->reply, "rows", 1);
	fail_to_allocate(); /* the second row */
	return 0;
}

START_TEST(a_shortened_answer_is_refused)
{
	static const struct rs_op op = { .name = "half", .run = half_an_answer };
	struct rs_job *job = rs_job_new(&op, NULL, NULL);

	job->id = 7;
	ck_assert(rs_job_run(job));
	ck_assert_str_eq(job->text.data, "{\"id\":7,\"ok\":false,\"code\":\"memory\",\"error\":\"out of memory: the answer "
					 "would not be whole (free memory, or ask for less)\"}");
	ck_assert(!rs_memory_failed()); /* the client knows: nothing is left to be told at the end */
	rs_job_free(job);
}
END_TEST

Suite *rs_suite_memory_watch(void)
{
	Suite *s = suite_create("memory-watch");
	TCase *t = tcase_create("memory-watch");

	tcase_add_test(t, each_failure_is_counted);
	tcase_add_test(t, what_was_told_is_told_no_more);
	tcase_add_test(t, another_error_gets_its_reason);
	tcase_add_test(t, a_librarys_failure_shows_in_errno);
	tcase_add_test(t, a_shortened_answer_is_refused);
	suite_add_tcase(s, t);
	return s;
}
