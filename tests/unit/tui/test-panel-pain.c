// SPDX-License-Identifier: GPL-2.0-or-later
/* test-panel-pain - what a row of the overview lost, the order that it gives, and its words */
#include <check.h>
#include <string.h>

#include "tui/overview/panel-pain.h"

/* Of 1000 it ran 450, waited 200 for a CPU, 300 in futex(2), and 50 are not known. */
static const struct rs_split half = { .nr = 4, .parts = { { RS_CAUSE_RUN, 450 }, { RS_CAUSE_DELAY, 200 },
							   { RS_CAUSE_FUTEX, 300 }, { RS_CAUSE_NOT_SEEN, 50 } } };

/* A wait for a CPU costs always, a futex if a finding says so: 200 and 500 thousandths. */
START_TEST(only_what_cost)
{
	const struct rs_ink_task none = { .pains = 0 }, lock = { .pains = 1u << RS_CATEGORY_LOCK },
				 own = { .own = true };
	const struct rs_split nothing = { .nr = 1, .parts = { { RS_CAUSE_RUN, 0 } } };

	ck_assert_uint_eq(rs_panel_pain_of(&half, &none), 200);
	ck_assert_uint_eq(rs_panel_pain_of(&half, &lock), 500);
	ck_assert_uint_eq(rs_panel_pain_of(&half, &own), 0);
	ck_assert_uint_eq(rs_panel_pain_of(&nothing, &none), UINT32_MAX);
}
END_TEST

/* The largest first, equal ones as they come; less than a hundredth, and what is not known, last. */
START_TEST(in_order)
{
	const uint32_t pains[] = { 5, 300, UINT32_MAX, 700, 300, 9, 10 };
	uint16_t order[7];
	const uint16_t expected[] = { 3, 1, 4, 6, 0, 2, 5 };

	ck_assert_uint_eq(rs_panel_pain_sort(pains, 7, order), 4);
	ck_assert_int_eq(memcmp(order, expected, sizeof order), 0);
	ck_assert_uint_eq(rs_panel_pain_sort(pains, 0, order), 0);
}
END_TEST

static const char *culprit_of(const void *arg, enum rs_category category)
{
	return category == RS_CATEGORY_LOCK ? "audit" : "";
}

/* A sleep by its own choice, which a finding is about, is no wait for a peer. */
START_TEST(own_sleep)
{
	const struct rs_ink_task sleeps = { .pains = 1u << RS_CATEGORY_SLEEP };
	const struct rs_split idle = { .nr = 2, .parts = { { RS_CAUSE_RUN, 20 }, { RS_CAUSE_IDLE, 980 } } };
	const struct rs_panel_pain_words words = { culprit_of };
	struct rs_canvas *c = rs_canvas_new(1, 44, true);
	struct rs_buf text = RS_BUF_INIT;

	rs_panel_pain_draw(&idle, &sleeps, &words, c, (struct rs_area){ 0, 0, 1, 44 });
	rs_canvas_text(c, &text);
	ck_assert_str_eq(text.data, " 98% sleep 98%\n");
	rs_buf_done(&text);
	rs_canvas_free(c);
}
END_TEST

/* By category, the largest first, with whose it is where a finding says; what does not fit is left out. */
START_TEST(as_words)
{
	const struct rs_ink_task lock = { .pains = 1u << RS_CATEGORY_LOCK }, none = { .pains = 0 };
	struct rs_canvas *c = rs_canvas_new(5, 44, true);
	struct rs_buf text = RS_BUF_INIT;
	const struct rs_panel_pain_words words = { culprit_of }, more = { culprit_of, NULL, "2 more" };
	const struct rs_split quiet = { .nr = 1, .parts = { { RS_CAUSE_RUN, 1000 } } };

	rs_panel_pain_draw(&half, &lock, &words, c, (struct rs_area){ 0, 0, 1, 44 });
	rs_panel_pain_draw(&half, &lock, &words, c, (struct rs_area){ 1, 0, 1, 24 });
	rs_panel_pain_draw(&quiet, &none, &words, c, (struct rs_area){ 2, 0, 1, 40 });
	rs_panel_pain_draw(&half, &lock, &more, c, (struct rs_area){ 3, 0, 1, 44 });
	rs_panel_pain_draw(&half, &lock, &more, c, (struct rs_area){ 4, 0, 1, 43 });
	rs_canvas_text(c, &text);
	ck_assert_str_eq(text.data, " 50% lock 30% (audit)  run queue 20%\n 50% lock 30% (audit)\n   - runs 100%\n"
				    " 50% lock 30% (audit)  run queue 20%  2 more\n 50% lock 30% (audit)  run queue 20%\n");
	rs_buf_done(&text);
	rs_canvas_free(c);
}
END_TEST

Suite *rs_suite_panel_pain(void)
{
	Suite *s = suite_create("panel-pain");
	TCase *t = tcase_create("panel-pain");

	tcase_add_test(t, only_what_cost);
	tcase_add_test(t, in_order);
	tcase_add_test(t, own_sleep);
	tcase_add_test(t, as_words);
	suite_add_tcase(s, t);
	return s;
}
