// SPDX-License-Identifier: GPL-2.0-or-later
/* test-breadcrumb - how one came here: it does not grow by going to and fro, and a click goes back along it */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

static const struct reply rows[] = {
	REPLY("rows", "\"view\":\"works\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
	REPLY("tracks", NULL, "\"tracks\":[]"),
	{ 0 },
};

/* o and t on a screen of their own stay there; from elsewhere o goes back to the overview, and t brings the timeline along. */
START_TEST(to_and_fro)
{
	struct stage *s = rs_stage_new_overview(true, 14, 80, rows);

	rs_stage_keys(s, KEYS('o', 'o', 't', 't', 't'));
	check_way(s, "overview > threads of sh (7)", "all of the file");
	rs_stage_keys(s, KEYS('o'));
	check_way(s, "overview", "all of the file");
	rs_stage_keys(s, KEYS('t', 'o', RS_KEY_ENTER));
	check_way(s, "overview > sh (7)", "all of the file");
	rs_stage_keys(s, KEYS('t', 'V', RS_KEY_ENTER)); /* the first of the list: the overview */
	check_way(s, "overview", "all of the file");
	rs_stage_free(s);
}
END_TEST

/* Another process's timeline takes the place of the one before, wherever that lies. */
START_TEST(one_timeline)
{
	struct stage *s = rs_stage_new_overview(true, 14, 80, rows);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER, 't'));
	check_way(s, "overview > sh (7) > threads of sh (7)", "all of the file");
	rs_stage_keys(s, KEYS('V'));
	rs_stage_type(s, "works");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, 't'));
	check_way(s, "overview > sh (7) > works > threads of sh (7)", "all of the file");
	rs_stage_free(s);
}
END_TEST

/* The column of a word of the header. */
static int word_at(struct stage *s, const char *word)
{
	const char *text = rs_stage_text(s), *at = strstr(text, word);

	ck_assert_ptr_nonnull(at);
	return (int)(at - text);
}

/* A word of the breadcrumb goes there, a word of the footer is its key; between them nothing is. */
START_TEST(clicked)
{
	struct stage *s = rs_stage_new_overview(true, 14, 80, rows);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER, RS_KEY_ENTER));
	check_way(s, "overview > sh (7) > works", "all of the file");
	rs_stage_mouse(s, RS_KEY_MOUSE, 0, word_at(s, "overview") + 9); /* the blank behind "overview" */
	check_way(s, "overview > sh (7) > works", "all of the file");
	rs_stage_mouse(s, RS_KEY_MOUSE, 0, word_at(s, "sh (7)"));
	check_way(s, "overview > sh (7)", "all of the file");
	rs_stage_mouse(s, RS_KEY_MOUSE, 13, 3); /* "? Help" */
	check_way(s, "overview > sh (7) > help", "all of the file");
	rs_stage_mouse(s, RS_KEY_MOUSE, 0, word_at(s, "overview"));
	check_way(s, "overview", "all of the file");
	ck_assert(!rs_stage_app(s)->quit);
	rs_stage_mouse(s, RS_KEY_MOUSE, 13, 9); /* "q Quit" */
	ck_assert(rs_stage_app(s)->quit);
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_breadcrumb(void)
{
	Suite *s = suite_create("breadcrumb");
	TCase *t = tcase_create("breadcrumb");

	tcase_add_test(t, to_and_fro);
	tcase_add_test(t, one_timeline);
	tcase_add_test(t, clicked);
	suite_add_tcase(s, t);
	return s;
}
