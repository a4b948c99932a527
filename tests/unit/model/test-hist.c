// SPDX-License-Identifier: GPL-2.0-or-later
/* test-hist.c - histograms: exact where they promise it, within 1/128 elsewhere */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/hist.h"

static struct rs_hist h;

static void set_up(void)
{
	rs_hist_init(&h);
}

static void tear_down(void)
{
	rs_hist_done(&h);
}

static uint64_t random_u64(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

START_TEST(empty_has_no_numbers)
{
	ck_assert_uint_eq(h.nr, 0);
	ck_assert_uint_eq(h.sum, 0);
	ck_assert_uint_eq(h.max, 0);
	ck_assert_uint_eq(h.min, UINT64_MAX);
}
END_TEST

START_TEST(below_128_every_quantile_is_exact)
{
	for (uint64_t v = 100; v > 0; v--)
		rs_hist_add(&h, v);
	ck_assert_uint_eq(rs_hist_quantile(&h, 0), 1);
	ck_assert_uint_eq(rs_hist_quantile(&h, 10), 1);
	ck_assert_uint_eq(rs_hist_quantile(&h, 11), 2);   /* rank ceil(1.1) = 2 */
	ck_assert_uint_eq(rs_hist_quantile(&h, 500), 50);
	ck_assert_uint_eq(rs_hist_quantile(&h, 990), 99);
	ck_assert_uint_eq(rs_hist_quantile(&h, 991), 100);
	ck_assert_uint_eq(rs_hist_quantile(&h, 1000), 100);
	ck_assert_uint_eq(h.sum, 5050);
}
END_TEST

START_TEST(one_value_is_each_of_its_quantiles)
{
	rs_hist_add(&h, 1234567891);
	for (unsigned int pm = 0; pm <= 1000; pm++)
		ck_assert_uint_eq(rs_hist_quantile(&h, pm), 1234567891);
}
END_TEST

START_TEST(median_of_an_even_number_is_the_lower)
{
	rs_hist_add(&h, 10);
	rs_hist_add(&h, 20);
	ck_assert_uint_eq(rs_hist_quantile(&h, 500), 10);
	ck_assert_uint_eq(rs_hist_quantile(&h, 501), 20);
}
END_TEST

/* Each bucket's first and last value, from the smallest to 2^64 - 1: off by at most 1/128. */
START_TEST(every_bucket_keeps_its_error)
{
	for (unsigned int bit = 0; bit < 64; bit++)
		for (uint64_t sub = 0; sub < 64; sub++) {
			uint64_t from = (1ull << bit) + (bit >= 6 ? sub << (bit - 6) : 0);
			uint64_t edges[2] = { from, from + (bit >= 6 ? (1ull << (bit - 6)) - 1 : 0) };

			for (int e = 0; e < 2; e++) {
				uint64_t got, off;

				rs_hist_clear(&h);
				for (unsigned int i = 0; i < RS_HIST_FEW; i++)
					rs_hist_add(&h, i % 2 ? UINT64_MAX : 0);
				rs_hist_add(&h, edges[e]); /* rank 33 of 65 */
				ck_assert_ptr_nonnull(h.group);
				got = rs_hist_quantile(&h, 500);
				off = got > edges[e] ? got - edges[e] : edges[e] - got;
				ck_assert_msg(off <= edges[e] / 128, "%lu is reported as %lu", edges[e], got);
			}
		}
}
END_TEST

START_TEST(quantiles_of_many_equal_sorting)
{
	enum { NR = 20001 };
	static uint64_t v[NR];

	for (int i = 0; i < NR; i++) {
		v[i] = random_u64() >> (random_u64() % 64);
		rs_hist_add(&h, v[i]);
	}
	qsort(v, NR, sizeof *v, by_value);
	for (unsigned int pm = 1; pm <= 1000; pm++) {
		uint64_t expected = v[(NR * (uint64_t)pm + 999) / 1000 - 1], got = rs_hist_quantile(&h, pm);
		uint64_t off = got > expected ? got - expected : expected - got;

		ck_assert_msg(off <= expected / 128, "per mille %u: %lu for %lu", pm, got, expected);
	}
	ck_assert_uint_eq(h.min, v[0]);
	ck_assert_uint_eq(h.max, v[NR - 1]);
}
END_TEST

/* Whoever looks after each value sees what one sees who looks at the end: also of what is in no bucket yet. */
START_TEST(looking_changes_nothing)
{
	struct rs_hist looked_at;

	rs_hist_init(&looked_at);
	for (unsigned int i = 0; i < 5 * RS_HIST_FEW + 7; i++) {
		uint64_t v = random_u64() >> (random_u64() % 64);

		rs_hist_add(&h, v);
		rs_hist_add(&looked_at, v);
		ck_assert_uint_ge(rs_hist_quantile(&looked_at, 500), looked_at.min);
		if (i % RS_HIST_FEW != 5)
			continue;
		for (unsigned int pm = 0; pm <= 1000; pm += 50) {
			struct rs_hist copy;

			rs_hist_init(&copy);
			rs_hist_merge(&copy, &h); /* h itself stays unread */
			ck_assert_uint_eq(rs_hist_quantile(&looked_at, pm), rs_hist_quantile(&copy, pm));
			rs_hist_done(&copy);
		}
	}
	for (unsigned int pm = 0; pm <= 1000; pm++)
		ck_assert_uint_eq(rs_hist_quantile(&looked_at, pm), rs_hist_quantile(&h, pm));
	ck_assert_uint_eq(looked_at.nr_dropped, 0);
	rs_hist_done(&looked_at);
}
END_TEST

START_TEST(quantile_stays_within_min_and_max)
{
	for (unsigned int i = 0; i <= RS_HIST_FEW; i++)
		rs_hist_add(&h, 1000001); /* its bucket's middle is above */
	ck_assert_uint_eq(rs_hist_quantile(&h, 500), 1000001);
}
END_TEST

START_TEST(merge_equals_adding_all)
{
	struct rs_hist a, b;

	rs_hist_init(&a);
	rs_hist_init(&b);
	for (int i = 0; i < 5000; i++) {
		uint64_t v = random_u64() >> (random_u64() % 60 + 4);

		rs_hist_add(&h, v);
		rs_hist_add(i % 3 ? &a : &b, v);
	}
	rs_hist_merge(&a, &b);
	ck_assert_uint_eq(a.nr, h.nr);
	ck_assert_uint_eq(a.sum, h.sum);
	ck_assert_uint_eq(a.min, h.min);
	ck_assert_uint_eq(a.max, h.max);
	for (unsigned int pm = 0; pm <= 1000; pm++)
		ck_assert_uint_eq(rs_hist_quantile(&a, pm), rs_hist_quantile(&h, pm));
	rs_hist_done(&a);
	rs_hist_done(&b);
}
END_TEST

START_TEST(merging_an_empty_one_changes_nothing)
{
	struct rs_hist empty;

	rs_hist_init(&empty);
	rs_hist_add(&h, 7);
	rs_hist_merge(&h, &empty);
	ck_assert_uint_eq(h.nr, 1);
	ck_assert_uint_eq(h.min, 7);
	ck_assert_uint_eq(h.max, 7);
	rs_hist_merge(&empty, &h);
	ck_assert_uint_eq(rs_hist_quantile(&empty, 500), 7);
	rs_hist_done(&empty);
}
END_TEST

/* One more than are kept as they are: from here on there are buckets. */
static void add_more_than_few(uint64_t value)
{
	for (unsigned int i = 0; i <= RS_HIST_FEW; i++)
		rs_hist_add(&h, value);
	ck_assert_ptr_nonnull(h.group);
}

/* The same values, as they are and in buckets: the ends, the ranks and the picture agree. */
START_TEST(few_values_are_exact_and_buckets_near)
{
	struct rs_hist few;
	uint64_t exact, near;

	rs_hist_init(&few);
	for (unsigned int i = 0; i < RS_HIST_FEW; i++)
		rs_hist_add(&few, 1000003 + 7919ull * i);
	ck_assert_ptr_null(few.group);
	ck_assert_uint_eq(rs_hist_quantile(&few, 500), 1000003 + 7919ull * 31); /* rank 32 of 64 */
	rs_hist_merge(&h, &few);
	rs_hist_add(&h, 1000003);
	ck_assert_ptr_nonnull(h.group);
	ck_assert_uint_eq(h.nr, RS_HIST_FEW + 1);
	ck_assert_uint_eq(h.sum, few.sum + 1000003);
	exact = rs_hist_quantile(&few, 500);
	near = rs_hist_quantile(&h, 500); /* one rank further down, too */
	ck_assert_uint_le(near > exact ? near - exact : exact - near, 1250000 / 128 + 7919);
	rs_hist_merge(&few, &h);
	ck_assert_uint_eq(few.nr, 2 * RS_HIST_FEW + 1);
	rs_hist_done(&few);
}
END_TEST

START_TEST(clear_forgets_the_values_and_keeps_the_memory)
{
	uint32_t *group;

	add_more_than_few(100000); /* 2^16 <= 100000 < 2^17: group 16 - 5 */
	group = h.group[11];
	ck_assert_ptr_nonnull(group);
	rs_hist_clear(&h);
	ck_assert_uint_eq(h.nr, 0);
	ck_assert_uint_eq(h.min, UINT64_MAX);
	ck_assert_ptr_eq(h.group[11], group);
	rs_hist_add(&h, 5);
	ck_assert_uint_eq(rs_hist_quantile(&h, 990), 5);
}
END_TEST

/* What finds no room is said, the rest keeps its ranks. */
START_TEST(a_full_counter_is_counted_as_dropped)
{
	struct rs_hist more;

	add_more_than_few(3);
	h.group[0][3] = UINT32_MAX;
	h.nr = UINT32_MAX;
	rs_hist_add(&h, 3);
	rs_hist_add(&h, 9);
	ck_assert_uint_eq(h.nr, (uint64_t)UINT32_MAX + 2);
	ck_assert_uint_eq(rs_hist_quantile(&h, 1000), 9);
	ck_assert_uint_eq(h.nr_dropped, 1); /* known once it was read */
	ck_assert_uint_eq(h.group[0][3], UINT32_MAX);

	rs_hist_init(&more);
	for (int i = 0; i < 4; i++)
		rs_hist_add(&more, 3);
	rs_hist_merge(&h, &more);
	ck_assert_uint_eq(rs_hist_quantile(&h, 1000), 9);
	ck_assert_uint_eq(h.nr_dropped, 5);
	ck_assert_uint_eq(h.nr, (uint64_t)UINT32_MAX + 6);
	rs_hist_done(&more);
}
END_TEST

/* As out of memory leaves them: one value kept of three, and none of two. */
START_TEST(what_was_dropped_is_not_read)
{
	struct rs_hist none = { .nr = 2, .nr_dropped = 2, .sum = 900, .min = 400, .max = 500 };

	rs_hist_add(&h, 7);
	h.nr += 2;
	h.nr_dropped += 2;
	ck_assert_uint_eq(rs_hist_quantile(&h, 500), 7);
	ck_assert_uint_eq(rs_hist_quantile(&none, 500), 500);
	rs_hist_merge(&h, &none);
	ck_assert_uint_eq(h.nr, 5);
	ck_assert_uint_eq(h.nr_dropped, 4);
	ck_assert_uint_eq(h.sum, 907);
	ck_assert_uint_eq(h.max, 500);
	ck_assert_uint_eq(rs_hist_quantile(&h, 990), 7);
}
END_TEST

START_TEST(ranks_of_huge_counts_do_not_overflow)
{
	add_more_than_few(1);
	for (int s = 0; s < 64; s++)
		h.group[0][s] = UINT32_MAX;
	h.nr = 64ull * UINT32_MAX;
	h.max = 63;
	ck_assert_uint_eq(rs_hist_quantile(&h, 500), 31);
	ck_assert_uint_eq(rs_hist_quantile(&h, 999), 63);
}
END_TEST

START_TEST(sum_stays_at_its_end)
{
	rs_hist_add(&h, UINT64_MAX);
	rs_hist_add(&h, 2);
	ck_assert_uint_eq(h.sum, UINT64_MAX);
	ck_assert_uint_eq(h.max, UINT64_MAX);
	ck_assert_uint_eq(h.min, 2);
}
END_TEST

/* ---- log2 ---- */

static char picture[4096];
static uint64_t times;

static void draw(void *arg, uint64_t from, uint64_t to, uint64_t nr)
{
	size_t len = strlen(picture);

	ck_assert_uint_eq(nr % times, 0);
	snprintf(picture + len, sizeof picture - len, "%lu-%lu:%lu ", from, to, nr / times);
}

static const struct log2_case {
	uint64_t values[8];
	int nr;
	const char *rows;
} log2_cases[] = {
	{ { 0 }, 0, "" },
	{ { 0 }, 1, "0-1:1 " },
	{ { 0, 1, 2, 3, 4 }, 5, "0-1:1 1-2:1 2-4:2 4-8:1 " },
	{ { 63, 64, 127, 128 }, 4, "32-64:1 64-128:2 128-256:1 " },
	{ { 16, 200, 255 }, 3, "16-32:1 32-64:0 64-128:0 128-256:2 " },
	{ { 1ull << 62, 1ull << 63, UINT64_MAX }, 3,
	  "4611686018427387904-9223372036854775808:1 9223372036854775808-18446744073709551615:2 " },
};

/* Each value once, kept as it is, and so often that they are in buckets. */
START_TEST(log2_rows)
{
	const struct log2_case *c = &log2_cases[_i / 2];

	times = _i % 2 ? RS_HIST_FEW + 7 : 1;
	for (uint64_t i = 0; i < (uint64_t)c->nr * times; i++)
		rs_hist_add(&h, c->values[i / times]);
	picture[0] = '\0';
	rs_hist_log2(&h, draw, NULL);
	ck_assert_str_eq(picture, c->rows);
}
END_TEST

Suite *rs_suite_hist(void);
Suite *rs_suite_hist(void)
{
	Suite *s = suite_create("hist");
	TCase *t = tcase_create("values");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, empty_has_no_numbers);
	tcase_add_test(t, below_128_every_quantile_is_exact);
	tcase_add_test(t, one_value_is_each_of_its_quantiles);
	tcase_add_test(t, median_of_an_even_number_is_the_lower);
	tcase_add_test(t, every_bucket_keeps_its_error);
	tcase_add_test(t, quantiles_of_many_equal_sorting);
	tcase_add_test(t, looking_changes_nothing);
	tcase_add_test(t, quantile_stays_within_min_and_max);
	tcase_add_test(t, merge_equals_adding_all);
	tcase_add_test(t, merging_an_empty_one_changes_nothing);
	tcase_add_test(t, few_values_are_exact_and_buckets_near);
	tcase_add_test(t, clear_forgets_the_values_and_keeps_the_memory);
	tcase_add_test(t, a_full_counter_is_counted_as_dropped);
	tcase_add_test(t, what_was_dropped_is_not_read);
	tcase_add_test(t, ranks_of_huge_counts_do_not_overflow);
	tcase_add_test(t, sum_stays_at_its_end);
	tcase_add_loop_test(t, log2_rows, 0, 2 * sizeof log2_cases / sizeof *log2_cases);
	suite_add_tcase(s, t);
	return s;
}
