// SPDX-License-Identifier: GPL-2.0-or-later
/* When the kernel's buffers grow, and to what. */
#include <check.h>

#include "service/control.h"

Suite *rs_suite_growth(void);

START_TEST(twice_as_large_for_each_second_of_loss)
{
	struct rs_growth g;

	rs_control_growth_init(&g, 1408, 2, 8 << 20); /* 4096 KiB a CPU */
	ck_assert_uint_eq(rs_control_growth_next(&g, 0, 0), 0);
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 0), 2816);
	g.kib = 2816;
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 0), 0);
	ck_assert_uint_eq(rs_control_growth_next(&g, 6, 0), 4096); /* and no more than that */
	g.kib = 4096;
	ck_assert_uint_eq(rs_control_growth_next(&g, 7, 0), 0);
	ck_assert_uint_eq(g.begun_kib, 1408);
}
END_TEST

START_TEST(not_where_the_analysis_is_behind)
{
	struct rs_growth g;

	rs_control_growth_init(&g, 1408, 2, 8 << 20);
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 1), 0);
	ck_assert(g.behind);
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 2), 0); /* full, but nothing was lost of it */
	ck_assert(g.behind);
	ck_assert_uint_eq(rs_control_growth_next(&g, 6, 2), 2816);
	ck_assert(!g.behind);
}
END_TEST

START_TEST(not_beyond_what_it_may_nor_below_what_it_has)
{
	struct rs_growth g;

	rs_control_growth_init(&g, 1408, 2, 0);
	ck_assert_uint_eq(g.most_kib, 1408);
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 0), 0);
	rs_control_growth_init(&g, 0, 2, 8 << 20); /* the kernel does not say how large they are */
	ck_assert_uint_eq(rs_control_growth_next(&g, 5, 0), 0);
}
END_TEST

Suite *rs_suite_growth(void)
{
	Suite *s = suite_create("growth");
	TCase *t = tcase_create("growth");

	tcase_add_test(t, twice_as_large_for_each_second_of_loss);
	tcase_add_test(t, not_where_the_analysis_is_behind);
	tcase_add_test(t, not_beyond_what_it_may_nor_below_what_it_has);
	suite_add_tcase(s, t);
	return s;
}
