// SPDX-License-Identifier: GPL-2.0-or-later
/* test-mouse - reports of terminals: what they say, and what is none */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tui/toolkit/mouse.h"

/* Feeds text after the introducer. Returns what the last character gave. */
static enum rs_mouse_step feed(bool sgr, const char *text, struct rs_mouse_report *r)
{
	struct rs_mouse_parser p;
	enum rs_mouse_step step = RS_MOUSE_MORE;

	rs_mouse_begin(&p, sgr);
	for (; *text; text++) {
		ck_assert_int_eq(step, RS_MOUSE_MORE);
		step = rs_mouse_feed(&p, (unsigned char)*text, r);
	}
	ck_assert_int_eq(p.in == RS_MOUSE_IDLE, step != RS_MOUSE_MORE);
	return step;
}

static void check_report(bool sgr, const char *text, unsigned int button, int y, int x, const char *flags)
{
	struct rs_mouse_report r;

	ck_assert_int_eq(feed(sgr, text, &r), RS_MOUSE_DONE);
	ck_assert_uint_eq(r.button, button);
	ck_assert_int_eq(r.y, y);
	ck_assert_int_eq(r.x, x);
	ck_assert_int_eq(r.released, strchr(flags, 'r') != NULL);
	ck_assert_int_eq(r.motion, strchr(flags, 'm') != NULL);
	ck_assert_int_eq(r.ctrl, strchr(flags, 'c') != NULL);
}

START_TEST(reports_of_xterm)
{
	check_report(true, "0;50;7M", 0, 6, 49, "");
	check_report(true, "0;50;7m", 0, 6, 49, "r");
	check_report(true, "32;51;7M", 0, 6, 50, "m");   /* the first button is down */
	check_report(true, "35;51;7M", 3, 6, 50, "m");   /* none is */
	check_report(true, "64;1;1M", 64, 0, 0, "");
	check_report(true, "81;1;1M", 65, 0, 0, "c");    /* Ctrl and the wheel down */
	check_report(true, "4;2;3M", 0, 2, 1, "");       /* Shift is not told apart */
	check_report(true, "0;400;300M", 0, 299, 399, "");
}
END_TEST

START_TEST(reports_of_terminals_without_sgr)
{
	check_report(false, " *&", 0, 5, 9, "");
	check_report(false, "#*&", 3, 5, 9, "r");
	check_report(false, "`*&", 64, 5, 9, "");
	check_report(false, "q*&", 65, 5, 9, "c");
}
END_TEST

START_TEST(what_is_no_report)
{
	static const char *const bad[] = {
		"M", "m", ";", "0M", "0;M", "0;1M", "0;1;M", "0;0;1M", "0;1;0M", "0;1;1;", "123456", "-", "0;-", "0;1;1x",
		"0;1;1 ", "\033", "0;1;\033", "q",
	};
	struct rs_mouse_report r;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(feed(true, bad[i], &r) == RS_MOUSE_DROPPED, "'%s'", bad[i]);
	ck_assert_int_eq(feed(false, "\033", &r), RS_MOUSE_DROPPED);
	ck_assert_int_eq(feed(false, "  ", &r), RS_MOUSE_DROPPED); /* column 0 */
	ck_assert_int_eq(feed(true, "0;1;1", &r), RS_MOUSE_MORE);
}
END_TEST

/* Whatever comes: a report has a place on a screen, and a parser that is idle is not fed. */
START_TEST(any_characters)
{
	static const char likely[] = "0123456789;;;MmM \033<[";
	struct rs_mouse_parser p = { .in = RS_MOUSE_IDLE };
	struct rs_mouse_report r;
	unsigned int nr_reports = 0;

	srand48(1);
	for (int i = 0; i < 1000000; i++) {
		uint32_t ch = lrand48() % 8 ? (uint32_t)likely[(size_t)lrand48() % (sizeof likely - 1)] : (uint32_t)mrand48();

		if (p.in == RS_MOUSE_IDLE)
			rs_mouse_begin(&p, lrand48() % 2);
		if (rs_mouse_feed(&p, ch, &r) != RS_MOUSE_DONE)
			continue;
		nr_reports++;
		ck_assert(r.y >= 0 && r.x >= 0 && r.y < 0x110000 && r.x < 0x110000);
	}
	ck_assert_uint_gt(nr_reports, 1000);
}
END_TEST

Suite *rs_suite_mouse(void)
{
	Suite *s = suite_create("mouse");
	TCase *t = tcase_create("mouse");

	tcase_add_test(t, reports_of_xterm);
	tcase_add_test(t, reports_of_terminals_without_sgr);
	tcase_add_test(t, what_is_no_report);
	tcase_add_test(t, any_characters);
	suite_add_tcase(s, t);
	return s;
}
