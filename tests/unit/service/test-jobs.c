// SPDX-License-Identifier: GPL-2.0-or-later
/* test-jobs - in which order the engine takes requests: nobody keeps others from saying hello by asking much */
#include <check.h>
#include <string.h>

#include "service/jobs.h"

#define NR_RANGES 200

static struct rs_job_list list;

static struct rs_job job_of(const char *op, uint32_t id)
{
	struct rs_job job = { .op = rs_job_find_op(op), .id = id };

	ck_assert_ptr_nonnull(job.op);
	return job;
}

static void put_all(struct rs_job *jobs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		rs_jobs_put(&list, &jobs[i]);
}

static void check_next(const char *op, uint32_t id)
{
	const struct rs_job *job = rs_jobs_take(&list);

	ck_assert_ptr_nonnull(job);
	ck_assert_str_eq(job->op->name, op);
	ck_assert_uint_eq(job->id, id);
}

/* 200 time ranges wait; then hello, status, state and trace come. They are next, in this order, and the ranges keep theirs. */
START_TEST(hello_and_status_never_wait_behind_ranges)
{
	struct rs_job ranges[NR_RANGES], late = job_of("rows", 1000);
	struct rs_job quick[] = { job_of("hello", 1), job_of("status", 2), job_of("state", 3), job_of("trace", 4) };

	rs_jobs_init(&list);
	for (uint32_t i = 0; i < NR_RANGES; i++)
		ranges[i] = job_of("rows", i);
	put_all(ranges, NR_RANGES);
	put_all(quick, 2);
	check_next("hello", 1);
	put_all(quick + 2, 2);
	put_all(&late, 1);
	check_next("status", 2);
	check_next("state", 3);
	check_next("trace", 4);
	for (uint32_t i = 0; i < NR_RANGES; i++)
		check_next("rows", i);
	check_next("rows", 1000);
	ck_assert_ptr_null(rs_jobs_take(&list));
	rs_jobs_done(&list);
}
END_TEST

/* The list's end moves with what is put in front of nothing. */
START_TEST(quick_ones_alone_keep_their_order)
{
	struct rs_job quick[] = { job_of("hello", 1), job_of("hello", 2) }, range = job_of("rows", 3);

	rs_jobs_init(&list);
	put_all(quick, 2);
	put_all(&range, 1);
	check_next("hello", 1);
	check_next("hello", 2);
	check_next("rows", 3);
	ck_assert_ptr_null(rs_jobs_take(&list));
	put_all(&range, 1);
	check_next("rows", 3);
	rs_jobs_done(&list);
}
END_TEST

Suite *rs_suite_jobs(void)
{
	Suite *s = suite_create("jobs");
	TCase *t = tcase_create("jobs");

	tcase_add_test(t, hello_and_status_never_wait_behind_ranges);
	tcase_add_test(t, quick_ones_alone_keep_their_order);
	suite_add_tcase(s, t);
	return s;
}
