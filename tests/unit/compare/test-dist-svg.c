// SPDX-License-Identifier: GPL-2.0-or-later
/* test-dist-svg - two distributions as a picture: heights by shares, whatever the number of values, and marks */
#include <check.h>
#include <string.h>

#include "compare/dist-svg.h"

/* Two bins of 4 a doubling, from 1024 and 1218 on: half of A in each, a quarter and three quarters of B. The highest is 102 of 110. */
START_TEST(shares)
{
	static const struct rs_side_point of_a[] = { { 1024, 5, 0 }, { 1300, 5, 0 } }, of_b[] = { { 1024, 100, 0 }, { 1300, 300, 0 } };
	const struct rs_dist a = { of_a, 2, 10, 1 }, b = { of_b, 2, 400, 1 };
	struct rs_buf out = RS_BUF_INIT;

	rs_dist_svg_put(&out, &a, &b);
	ck_assert_msg(strstr(out.data, "<path class=\"da\" d=\"M0 110V42H320V42H640V110Z\"/>") != NULL, "%s", out.data);
	ck_assert_msg(strstr(out.data, "<path class=\"db\" d=\"M0 110V76H320V8H640V110Z\"/>") != NULL, "%s", out.data);
	ck_assert_msg(strstr(out.data, "<path class=\"db mark\"") != NULL, "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

/* Nothing, one side alone, and the ends of what there is. */
START_TEST(odd_ones)
{
	static const struct rs_side_point ends[] = { { 0, 1, 0 }, { UINT64_MAX, 1, 0 } };
	const struct rs_dist none = { .nr_blocks = 1 }, both = { ends, 2, 2, 1 };
	struct rs_buf out = RS_BUF_INIT;

	rs_dist_svg_put(&out, &none, &none);
	ck_assert_uint_eq(out.len, 0);
	rs_dist_svg_put(&out, &none, &both);
	ck_assert_msg(strstr(out.data, "class=\"db\"") && !strstr(out.data, "class=\"da") && strstr(out.data, "</svg>"), "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

Suite *rs_suite_dist_svg(void);
Suite *rs_suite_dist_svg(void)
{
	Suite *s = suite_create("dist-svg");
	TCase *t = tcase_create("dist-svg");

	tcase_add_test(t, shares);
	tcase_add_test(t, odd_ones);
	suite_add_tcase(s, t);
	return s;
}
