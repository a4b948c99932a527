// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/size-limit.h"

#include <check.h>
#include <string.h>

#include "base/buf.h"

/* 100 events of each length, of 10 bytes each: 1 us, 2 us, 4 us, 8 us; 4000 bytes. */
#define EACH 100

static unsigned int write_calls(struct rs_size_limit *l, uint64_t len_ns, char *taken)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < EACH; i++) {
		taken[i] = '.';
		if (!rs_size_limit_takes(l, "syscall", len_ns))
			continue;
		rs_size_limit_wrote(l, "syscall", len_ns, 10);
		taken[i] = '#';
		nr++;
	}
	return nr;
}

static void write_all(struct rs_size_limit *l, unsigned int nr[4], char *taken)
{
	for (unsigned int i = 0; i < 4; i++)
		nr[i] = write_calls(l, 1000u << i, taken + i * (size_t)EACH);
}

/* Measures all_bytes, and writes within the limit. */
static void write_within(struct rs_size_limit *l, uint64_t all_bytes, unsigned int nr[4], char *taken)
{
	struct rs_error err = { 0 };

	write_all(l, nr, taken);
	ck_assert_uint_eq(nr[0], EACH); /* all, while it measures */
	ck_assert_int_eq(rs_size_limit_fit(l, all_bytes, &err), 0);
	write_all(l, nr, taken);
}

/*
 * Of 4000 bytes and 1000 fixed ones 3062 may be written, 3000 less the fiftieth that is spare: 2001 bytes of events. These
 * are the 100 of 8 us, the 100 of 4 us, and none of 2 us, for the last byte is no event.
 */
START_TEST(test_size_keeps_largest)
{
	struct rs_size_limit *l = rs_size_limit_new(3062);
	struct rs_buf said = RS_BUF_INIT;
	unsigned int nr[4];
	char taken[4 * EACH];

	write_within(l, 5000, nr, taken);
	ck_assert(rs_size_limit_drops(l));
	ck_assert_uint_eq(nr[0], 0);
	ck_assert_uint_eq(nr[1], 0);
	ck_assert_uint_eq(nr[2], EACH);
	ck_assert_uint_eq(nr[3], EACH);
	rs_size_limit_say(l, &said);
	ck_assert_str_eq(said.data, "200 of 400 syscall (shorter than 2.05us)");
	rs_buf_done(&said);
	rs_size_limit_free(l);
}
END_TEST

/* Room for 250 events: of those of 2 us every second one stays, over the whole time. */
START_TEST(test_size_is_even_over_time)
{
	struct rs_size_limit *l = rs_size_limit_new(3572); /* less 71: 3501 */
	unsigned int nr[4];
	char taken[4 * EACH];

	write_within(l, 5000, nr, taken);
	ck_assert_uint_eq(nr[0], 0);
	ck_assert_uint_eq(nr[1], 50);
	ck_assert_uint_eq(nr[2] + nr[3], 2 * EACH);
	for (unsigned int i = 0; i < EACH; i += 2)
		ck_assert_mem_eq(taken + EACH + i, ".#", 2);
	rs_size_limit_free(l);
}
END_TEST

/* Two kinds of 4000 and 400 bytes keep the same part: the small one is not lost to the large one. */
START_TEST(test_each_kind_keeps_its_part)
{
	struct rs_size_limit *l = rs_size_limit_new(2245); /* less 44: 2201, half of 4400 */
	struct rs_error err = { 0 };
	unsigned int nr[4], nr_events = 0;
	char taken[4 * EACH];

	for (unsigned int pass = 0; pass < 2; pass++) {
		write_all(l, nr, taken);
		for (unsigned int i = 0; i < 40; i++)
			if (rs_size_limit_takes(l, "event", 0)) {
				rs_size_limit_wrote(l, "event", 0, 10);
				nr_events += pass;
			}
		if (!pass)
			ck_assert_int_eq(rs_size_limit_fit(l, 4400, &err), 0);
	}
	ck_assert_uint_eq(nr_events, 20);
	ck_assert_uint_eq(nr[0] + nr[1] + nr[2] + nr[3], 200);
	rs_size_limit_free(l);
}
END_TEST

START_TEST(test_fits_already)
{
	struct rs_size_limit *l = rs_size_limit_new(5000);
	unsigned int nr[4];
	char taken[4 * EACH];

	write_within(l, 5000, nr, taken);
	ck_assert(!rs_size_limit_drops(l));
	ck_assert_uint_eq(nr[0], EACH);
	rs_size_limit_free(l);
}
END_TEST

START_TEST(test_fixed_part_is_too_large)
{
	struct rs_size_limit *l = rs_size_limit_new(4096);
	struct rs_error err = { 0 };
	unsigned int nr[4];
	char taken[4 * EACH];

	write_all(l, nr, taken);
	ck_assert_int_eq(rs_size_limit_fit(l, 4000 + 9000, &err), -1);
	ck_assert_str_eq(err.text, "--max-size: names, stacks and the like alone take 9 kB (narrow it with -p, -a, --from and --to)");
	rs_size_limit_free(l);
}
END_TEST

Suite *rs_suite_size_limit(void);
Suite *rs_suite_size_limit(void)
{
	Suite *suite = suite_create("size-limit");
	TCase *tc = tcase_create("size-limit");

	tcase_add_test(tc, test_size_keeps_largest);
	tcase_add_test(tc, test_size_is_even_over_time);
	tcase_add_test(tc, test_each_kind_keeps_its_part);
	tcase_add_test(tc, test_fits_already);
	tcase_add_test(tc, test_fixed_part_is_too_large);
	suite_add_tcase(suite, tc);
	return suite;
}
