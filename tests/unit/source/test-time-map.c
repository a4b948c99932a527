// SPDX-License-Identifier: GPL-2.0-or-later
/* test-time-map - from a guest's cycles to the nanoseconds of its host, computed by hand */
#include <check.h>
#include <stdlib.h>

#include "source/time-map.h"

static struct rs_time_sample three[] = { { 1000, 10, 1, 0 }, { 2000, 30, 1, 0 }, { 4000, -70, 1, 0 } };
static struct rs_time_sample one[] = { { 1000, 10, 9, 0 } };
static struct rs_time_sample scaled[] = { { 0, 5, 3, 1 }, { 100, 7, 3, 1 } };
static struct rs_time_sample far[] = { { 0, 0, 1, 0 }, { UINT64_MAX, INT64_MAX, 1, 0 } };

static const struct {
	struct rs_time_samples cpu;
	bool interpolates;
	uint32_t mult, shift;
	int64_t add_ns;
	uint64_t ts, expected;
} maps[] = {
	{ { NULL, 0 }, false, 0, 0, 0, 123, 123 },
	/* 5 * 3 / 2, rounded down; then + 100 */
	{ { NULL, 0 }, false, 3, 1, 0, 5, 7 },
	{ { NULL, 0 }, false, 3, 1, 100, 5, 107 },
	{ { NULL, 0 }, false, 0, 0, -100, 5, 0 },
	/* a factor of 1/4 of a time that a product of 64 bits has no room for */
	{ { NULL, 0 }, false, 1u << 31, 33, 0, 1ull << 60, 1ull << 58 },
	/* one sample: its offset, and not its scaling */
	{ { one, 1 }, true, 0, 0, 0, 5000, 5010 },
	{ { one, 1 }, true, 2, 0, 1, 5000, 10021 },
	/* between the first two: 10 + (500 * 20 + 500) / 1000 = 10 + 10; at them: + (0 + 500) / 1000 = 0, and 30 */
	{ { three, 3 }, true, 0, 0, 0, 1500, 1520 },
	{ { three, 3 }, true, 0, 0, 0, 1000, 1010 },
	{ { three, 3 }, true, 0, 0, 0, 2000, 2030 },
	/* between the last two: 30 + (1000 * -100 + 1000) / 2000 = 30 - 49, for a quotient is cut towards 0 */
	{ { three, 3 }, true, 0, 0, 0, 3000, 2981 },
	/* on beyond the last: 30 + (3000 * -100 + 1000) / 2000 = 30 - 149; before the first: 10 + (-500 * 20 + 500) / 1000 = 10 - 9 */
	{ { three, 3 }, true, 0, 0, 0, 5000, 4881 },
	{ { three, 3 }, true, 0, 0, 0, 500, 501 },
	/* no line: that of the sample before; beyond the last the one before it, as trace-cmd has it */
	{ { three, 3 }, false, 0, 0, 0, 1999, 2009 },
	{ { three, 3 }, false, 0, 0, 0, 2000, 2030 },
	{ { three, 3 }, false, 0, 0, 0, 9000, 9030 },
	{ { three, 3 }, false, 0, 0, 0, 500, 510 },
	/* 50 * 3 / 2 + 5 + (50 * 2 + 50) / 100 = 75 + 6 */
	{ { scaled, 2 }, true, 0, 0, 0, 50, 81 },
	{ { far, 2 }, true, 0, 0, 0, UINT64_MAX, UINT64_MAX },
};

START_TEST(time_is_mapped)
{
	struct rs_time_map map = {
		.interpolates = maps[_i].interpolates, .mult = maps[_i].mult, .shift = maps[_i].shift, .add_ns = maps[_i].add_ns,
	};
	struct rs_time_samples cpu = maps[_i].cpu;

	map.cpus = &cpu;
	map.nr_cpus = 1;
	ck_assert_uint_eq(rs_time_map_apply(&map, 0, maps[_i].ts), maps[_i].expected);
	ck_assert_int_eq(rs_time_map_does_anything(&map), cpu.nr || map.mult || map.add_ns);
}
END_TEST

START_TEST(a_cpu_that_was_not_measured)
{
	struct rs_time_samples cpu = { one, 1 };
	const struct rs_time_map map = { .cpus = &cpu, .nr_cpus = 1, .mult = 2, .add_ns = 1 };

	ck_assert_uint_eq(rs_time_map_apply(&map, 1, 100), 201);
}
END_TEST

/* 1970 + 29 = 1999, for 10 + (970 * 20 + 500) / 1000 = 29; 1971 + 29 = 2000 is the first. */
START_TEST(back)
{
	struct rs_time_samples cpu = { three, 3 };
	const struct rs_time_map map = { .cpus = &cpu, .nr_cpus = 1, .interpolates = true };
	uint64_t ts = rs_time_map_back(&map, 0, 2000);

	ck_assert_uint_eq(rs_time_map_apply(&map, 0, ts), 2000);
	ck_assert_uint_lt(rs_time_map_apply(&map, 0, ts - 1), 2000);
	ck_assert_uint_eq(ts, 1971);
}
END_TEST

START_TEST(samples_in_order)
{
	struct rs_time_sample at[] = { { 5, 1, 1, 0 }, { 3, 2, 1, 0 }, { 5, 1, 1, 0 }, { 4, 3, 1, 0 } };
	struct rs_time_samples s = { at, 4 };

	rs_time_map_sort_samples(&s);
	ck_assert_uint_eq(s.nr, 3);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_uint_eq(s.at[i].time, 3 + i);
}
END_TEST

Suite *rs_suite_time_map(void)
{
	Suite *s = suite_create("time-map");
	TCase *t = tcase_create("time-map");

	tcase_add_loop_test(t, time_is_mapped, 0, sizeof maps / sizeof *maps);
	tcase_add_test(t, a_cpu_that_was_not_measured);
	tcase_add_test(t, back);
	tcase_add_test(t, samples_in_order);
	suite_add_tcase(s, t);
	return s;
}
