// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/metric-series.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void metric_add(struct rs_metric_set *set, char letter, uint64_t len_ns)
{
	char name[2] = { letter, '\0' };
	struct rs_latency_sum sum = { .nr = 0 };

	rs_latency_sum_add(&sum, len_ns);
	rs_metric_series_add(set, name, &sum);
}

static const struct rs_metric_series *metric_of(const struct rs_metric_set *set, char letter)
{
	for (unsigned int i = 0; i < set->nr; i++)
		if (set->at[i].label[0] == letter)
			return &set->at[i];
	return NULL;
}

static const struct {
	uint64_t len_ns;
	unsigned int bound, bucket; /* RS_LATENCY_BOUNDS: above all */
} bounds[] = {
	{ 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 1 }, { 511, 0, 8 }, { 512, 0, 9 }, { 1000, 0, 9 }, { 1001, 1, 9 }, { 1023, 1, 9 }, { 1024, 1, 10 }, { 4000, 1, 11 },
	{ 4001, 2, 11 }, { 16000, 2, 13 }, { 16001, 3, 13 }, { 1024000, 5, 19 }, { 1024001, 6, 19 }, { 16777216000, 12, 33 },
	{ 16777216001, RS_LATENCY_BOUNDS, 33 }, { 1ull << 34, RS_LATENCY_BOUNDS, 34 }, { 1ull << 35, RS_LATENCY_BOUNDS, 35 },
	{ UINT64_MAX, RS_LATENCY_BOUNDS, 63 },
};

/* A bound belongs to what is below it, a power of two to what is above; beside the latency all others are there, too. */
START_TEST(test_metric_bounds)
{
	struct rs_latency_sum one = { .nr = 0 }, all = { .nr = 0 };
	struct rs_metric_hist hist = { .nr_all = 0 };
	uint64_t nr[RS_LATENCY_BOUNDS + 1] = { 0 };

	rs_latency_sum_add(&one, bounds[_i].len_ns);
	for (unsigned int i = 0; i < RS_LATENCY_BUCKETS; i++)
		ck_assert_uint_eq(one.buckets[i], i == bounds[_i].bucket);
	for (unsigned int i = 0; i < RS_LATENCY_BOUNDS; i++)
		ck_assert_uint_eq(rs_latency_sum_within(&one, i), i == bounds[_i].bound);
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds - 1; i++) {
		rs_latency_sum_add(&all, bounds[i].len_ns);
		nr[bounds[i].bound]++;
	}
	rs_metric_series_count(&hist, &all);
	rs_metric_series_count(&hist, &one);
	nr[bounds[_i].bound]++;
	ck_assert_mem_eq(hist.nr, nr, sizeof hist.nr);
	ck_assert_uint_eq(hist.nr_all, sizeof bounds / sizeof *bounds);
	ck_assert_uint_eq(one.sum_ns, bounds[_i].len_ns);
	ck_assert_uint_eq(one.max_ns, bounds[_i].len_ns);
}
END_TEST

/* Ten have a series each; the eleventh is one of the rest, and nothing is counted twice. */
START_TEST(test_metric_rest)
{
	struct rs_metric_set *set = calloc(1, sizeof *set);

	for (char c = 'a'; c <= 'k'; c++)
		metric_add(set, c, 1000);
	ck_assert_uint_eq(set->nr, 10);
	ck_assert_ptr_nonnull(metric_of(set, 'j'));
	ck_assert_ptr_null(metric_of(set, 'k'));
	ck_assert_uint_eq(set->rest.nr_all, 1);
	ck_assert_uint_eq(set->rest.sum_ns, 1000);
	free(set);
}
END_TEST

/* What has no name already is one of the rest: no series has its label. */
START_TEST(test_metric_others)
{
	struct rs_metric_set *set = calloc(1, sizeof *set);
	struct rs_latency_sum sum = { .nr = 3, .sum_ns = 70 };

	rs_metric_series_add(set, "(others)", &sum);
	ck_assert_uint_eq(set->nr, 0);
	ck_assert_uint_eq(set->rest.nr_all, 3);
	ck_assert_uint_eq(set->rest.sum_ns, 70);
	free(set);
}
END_TEST

/*
 * a has 5000 ns, b to j 10000; x has to have more than twice the least. With 11000 it has: it takes a's series, which begins
 * at what comes now. What it had in the rest stays there.
 */
START_TEST(test_metric_series_moves)
{
	struct rs_metric_set *set = calloc(1, sizeof *set);

	for (char c = 'a'; c <= 'j'; c++)
		metric_add(set, c, c == 'a' ? 5000 : 10000);
	metric_add(set, 'x', 10000);
	ck_assert_ptr_null(metric_of(set, 'x'));
	metric_add(set, 'x', 2000);
	ck_assert_ptr_nonnull(metric_of(set, 'x'));
	ck_assert_ptr_null(metric_of(set, 'a'));
	ck_assert_uint_eq(metric_of(set, 'x')->hist.nr_all, 1);
	ck_assert_uint_eq(metric_of(set, 'x')->hist.sum_ns, 2000);
	ck_assert_uint_eq(set->rest.nr_all, 1);
	ck_assert_uint_eq(set->rest.sum_ns, 10000);
	free(set);
}
END_TEST

/* An hour of silence: who has nothing any more loses its series to who has little. */
START_TEST(test_metric_age)
{
	struct rs_metric_set *set = calloc(1, sizeof *set);

	for (char c = 'a'; c <= 'j'; c++)
		metric_add(set, c, 1000000000);
	metric_add(set, 'x', 1000);
	ck_assert_ptr_null(metric_of(set, 'x'));
	for (unsigned int minute = 0; minute < 60; minute++)
		rs_metric_series_age(set);
	metric_add(set, 'x', 1000);
	ck_assert_ptr_nonnull(metric_of(set, 'x'));
	free(set);
}
END_TEST

Suite *rs_suite_metric_series(void);
Suite *rs_suite_metric_series(void)
{
	Suite *suite = suite_create("metric-series");
	TCase *tc = tcase_create("metric-series");

	tcase_add_loop_test(tc, test_metric_bounds, 0, sizeof bounds / sizeof *bounds);
	tcase_add_test(tc, test_metric_rest);
	tcase_add_test(tc, test_metric_others);
	tcase_add_test(tc, test_metric_series_moves);
	tcase_add_test(tc, test_metric_age);
	suite_add_tcase(suite, tc);
	return suite;
}
