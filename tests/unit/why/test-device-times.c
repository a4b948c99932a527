// SPDX-License-Identifier: GPL-2.0-or-later
/* test-device-times - how long requests take by themselves: a quarter of a type takes less */
#include <check.h>
#include <string.h>

#include "why/device-times.h"

static void add(struct rs_device_times *times, uint32_t dev, const char *rwbs, uint64_t ns)
{
	struct rs_request r = { .dev = dev, .issue_ns = 1000, .complete_ns = 1000 + ns };

	strcpy(r.rwbs, rwbs);
	rs_device_times_add(times, &r);
}

/* Reads take 100 to 499 us, each as often: a quarter less than 200. Writes, and another disk, are apart. */
START_TEST(a_quarter_takes_less)
{
	struct rs_device_times times = { .nr = 0 };

	for (unsigned int i = 0; i < 4000; i++) {
		add(&times, 8, "R", 100000 + (i * 167) % 400 * 1000);
		add(&times, 8, "WS", 9000000);
	}
	ck_assert_uint_ge(rs_device_times_ns(&times, 8, rs_rwbs_key("R")), 180000);
	ck_assert_uint_le(rs_device_times_ns(&times, 8, rs_rwbs_key("R")), 220000);
	ck_assert_uint_ge(rs_device_times_ns(&times, 8, rs_rwbs_key("WS")), 8900000);
	ck_assert_uint_eq(rs_device_times_ns(&times, 16, rs_rwbs_key("R")), 0);
}
END_TEST

START_TEST(too_few)
{
	struct rs_device_times times = { .nr = 0 };

	for (unsigned int i = 0; i < 19; i++)
		add(&times, 8, "R", 100000);
	ck_assert_uint_eq(rs_device_times_ns(&times, 8, rs_rwbs_key("R")), 0);
	add(&times, 8, "R", 100000);
	ck_assert_uint_gt(rs_device_times_ns(&times, 8, rs_rwbs_key("R")), 90000);
}
END_TEST

Suite *rs_suite_device_times(void)
{
	Suite *s = suite_create("device-times");
	TCase *t = tcase_create("device-times");

	tcase_add_test(t, a_quarter_takes_less);
	tcase_add_test(t, too_few);
	suite_add_tcase(s, t);
	return s;
}
