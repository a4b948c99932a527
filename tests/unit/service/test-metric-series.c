// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/metric-series.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void metric_label(void *arg, char text[RS_METRIC_LABEL])
{
	snprintf(text, RS_METRIC_LABEL, "%s", (const char *)arg);
}

static void metric_add(struct rs_metric_set *set, char letter, uint64_t len_ns)
{
	char name[2] = { letter, '\0' };

	rs_metric_series_add(set, (uint64_t)letter, len_ns, metric_label, name);
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
	unsigned int bucket; /* RS_METRIC_BUCKETS: none */
} bounds[] = {
	{ 0, 0 }, { 1, 0 }, { 1000, 0 }, { 1001, 1 }, { 4000, 1 }, { 4001, 2 }, { 16000, 2 }, { 16001, 3 }, { 1024000, 5 }, { 1024001, 6 },
	{ 16777216000, 12 }, { 16777216001, RS_METRIC_BUCKETS }, { UINT64_MAX, RS_METRIC_BUCKETS },
};

/* A bound belongs to its bucket. */
START_TEST(test_metric_bounds)
{
	struct rs_metric_hist hist = { .nr_all = 0 };

	rs_metric_series_count(&hist, bounds[_i].len_ns);
	for (unsigned int i = 0; i < RS_METRIC_BUCKETS; i++)
		ck_assert_uint_eq(hist.nr[i], i == bounds[_i].bucket);
	ck_assert_uint_eq(hist.nr_all, 1);
	ck_assert_uint_eq(hist.sum_ns, bounds[_i].len_ns);
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
	tcase_add_test(tc, test_metric_series_moves);
	tcase_add_test(tc, test_metric_age);
	suite_add_tcase(suite, tc);
	return suite;
}
