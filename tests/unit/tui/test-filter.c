// SPDX-License-Identifier: GPL-2.0-or-later
/* test-filter - one filter for all screens: short forms, terms, what screens ask, how it goes away */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

static const struct reply replies[] = {
	REPLY("rows", "\"view\":\"work\"",
	      "\"from_ns\":109000000000,\"to_ns\":110000000000,\"interval\":1,\"of\":5,\"total\":3,"
	      "\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"],[\"shell a\",8,8,1000,null,\"reads\"],[\"cc\",9,10,0,12,null]]"),
	REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
	REPLY("tracks", NULL, "\"tracks\":[]"),
	REPLY("kinds", NULL, "\"kinds\":[{\"kind\":1,\"cause\":null,\"count\":5,\"total_ns\":12500}]"),
	{ 0 },
};

START_TEST(short_forms)
{
	static const struct { const char *typed, *term; } forms[] = {
		{ "cart", "comm ~ cart" },
		{ "  cart ", "comm ~ cart" },
		{ "Web Content", "comm ~ \"Web Content\"" },
		{ "kworker/0:1*", "comm ~ kworker/0:1*" },
		{ "4711", "pid == 4711" },
		{ "4711x", "comm ~ 4711x" },
		{ "-", "comm ~ \"-\"" },
		{ ">1ms", "latency > 1ms" },
		{ ">= 2us", "latency >= 2us" },
		{ "<5", "latency < 5" },
		{ "comm ~ cart", "comm ~ cart" },
		{ "user=www", "user=www" },
		{ "a\\b", "comm ~ \"a\\\\b\"" },
		{ "\x1b[31m", "comm ~ \"\\x1b[31m\"" },
		{ "\xC3\xA9l\xC3\xA8ve", "comm ~ \"\xC3\xA9l\xC3\xA8ve\"" },
		/* of a name the kernel has 15 bytes; 15 are whole, the 16th is not in it, nor half of a character */
		{ "fifteen-bytes-x", "comm ~ fifteen-bytes-x" },
		{ "fifteen-bytes-xy", "comm ~ fifteen-bytes-x" },
		{ "fourteen-bytes\xC3\xA9", "comm ~ fourteen-bytes" },
	};
	char term[RS_APP_FILTER_BYTES], too_big[RS_APP_FILTER_BYTES + 2];

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		ck_assert(rs_app_filter_expand(forms[i].typed, term));
		ck_assert_str_eq(term, forms[i].term);
	}
	ck_assert(!rs_app_filter_expand("", term));
	ck_assert(!rs_app_filter_expand("  ", term));
	memset(too_big, '(', sizeof too_big - 1);
	too_big[sizeof too_big - 1] = '\0';
	ck_assert(!rs_app_filter_expand(too_big, term));
	ck_assert(rs_app_filter_expand(too_big + 2, term));
}
END_TEST

static void filter(struct stage *s, const char *text)
{
	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, text);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
}

/* A term each, as far as && joins whole terms. */
START_TEST(terms)
{
	static const struct { const char *typed, *terms[3]; } texts[] = {
		{ "sh && pid > 3", { "comm ~ sh", "pid > 3" } },
		{ "sh&&7&&>1ms", { "comm ~ sh", "pid == 7", "latency > 1ms" } },
		{ "comm == \"a && b\" && 7", { "comm == \"a && b\"", "pid == 7" } },
		{ "(pid == 7 && calls > 1)", { "(pid == 7 && calls > 1)" } },
		{ "pid == 7 && calls > 1 || pid == 8", { "pid == 7 && calls > 1 || pid == 8" } },
		{ "pid == 7 && (calls > 1 || pid == 8)", { "pid == 7", "(calls > 1 || pid == 8)" } },
		{ "sh && sh", { "comm ~ sh" } },
	};
	struct stage *s = rs_stage_new(14, 100, "work", replies);
	const struct rs_app_filter *f = &rs_stage_app(s)->filter;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		unsigned int nr = 0;

		filter(s, texts[i].typed);
		for (; nr < 3 && texts[i].terms[nr]; nr++)
			ck_assert_str_eq(f->terms[nr], texts[i].terms[nr]);
		ck_assert_uint_eq(f->nr, nr);
		rs_stage_keys(s, KEYS('|'));
		ck_assert_uint_eq(f->nr, 0);
	}
	rs_stage_free(s);
}
END_TEST

/* A wrong filter is not sent: the prompt stays, the cursor is at the mistake, and what is typed corrects it. */
START_TEST(a_wrong_filter)
{
	static const struct { const char *typed; size_t at; const char *why; } wrong[] = {
		{ "sh && cals > 2", 6, " ! work has no column 'cals' (did you mean 'calls'?)" },
		{ "sh && ", 6, " ! a comparison is missing (such as cart, 4711, >1ms, dev == 8,0)" },
		{ "calls ~ 2", 6, " ! calls is a number: == != < <= > or >=, not ~" },
		{ "comm == \"sh", 8, " ! this quote is not closed" },
		{ ">soon", 0, " ! run_ns is compared with a duration (such as 250us or 1.5s; a bare number is ns), not 'soon'" },
	};
	struct stage *s = rs_stage_new(14, 100, "work", replies);

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		rs_stage_asked(s);
		filter(s, wrong[i].typed);
		check_not_asked(s, "where");
		check_screen(s, 12, wrong[i].why);
		ck_assert_uint_eq(rs_stage_app(s)->prompt.cursor, wrong[i].at);
		ck_assert_uint_eq(rs_stage_app(s)->filter.nr, 0);
		rs_stage_keys(s, KEYS(RS_KEY_ESCAPE));
	}
	filter(s, "sh && cals > 2");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_RIGHT, RS_KEY_RIGHT, 'l'));
	check_screen(s, 12, "filter: sh && calls > 2");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"where\":\"(comm ~ sh) && (calls > 2)\"");
	rs_stage_free(s);
}
END_TEST

/* It is of all screens: a term that another screen has no column for is dim there, and not asked. */
START_TEST(on_all_screens)
{
	struct stage *s = rs_stage_new(14, 100, "work", replies);
	const char *head;

	filter(s, "sh && calls > 2");
	check_asked(s, "\"view\":\"work\",\"where\":\"(comm ~ sh) && (calls > 2)\"");
	head = strstr(rs_stage_text(s), "comm ~ sh x  calls > 2 x  live");
	ck_assert_ptr_nonnull(head);
	ck_assert_int_eq(rs_stage_style(s, 0, (int)(head - rs_stage_text(s))), RS_STYLE_KEY);
	ck_assert_int_eq(rs_stage_style(s, 0, (int)(head - rs_stage_text(s)) + 13), RS_STYLE_KEY);
	rs_stage_keys(s, KEYS(RS_KEY_F1 + 1, 'l', 'o', 'g', RS_KEY_ENTER));
	check_asked(s, "\"view\":\"log\",\"where\":\"comm ~ sh\"");
	head = strstr(rs_stage_text(s), "comm ~ sh x  calls > 2 x  live");
	ck_assert_ptr_nonnull(head);
	ck_assert_int_eq(rs_stage_style(s, 0, (int)(head - rs_stage_text(s))), RS_STYLE_KEY);
	ck_assert_int_eq(rs_stage_style(s, 0, (int)(head - rs_stage_text(s)) + 13), RS_STYLE_DIM);
	rs_stage_free(s);
}
END_TEST

/* The engine filters what is no rows, too. The timeline asks for tracks anew, not for a length that tracks do not have. */
START_TEST(tracks_and_spans)
{
	struct stage *s = rs_stage_new(14, 100, "timeline", replies);
	const char *asked;

	rs_stage_asked(s);
	filter(s, "sh && >1ms");
	asked = strstr(rs_stage_asked(s), "\"op\":\"tracks\"");
	ck_assert_ptr_nonnull(asked);
	ck_assert_ptr_nonnull(strstr(asked, "\"where\":\"comm ~ sh\""));
	rs_stage_free(s);
	s = rs_stage_new(14, 100, "heat", replies);
	filter(s, "sh && >1ms");
	asked = rs_stage_asked(s);
	ck_assert_ptr_nonnull(strstr(asked, "\"op\":\"kinds\",\"where\":\"(comm ~ sh) && (latency > 1ms)\""));
	ck_assert_ptr_nonnull(strstr(asked, "\"as\":\"heat\""));
	asked = strstr(asked, "\"op\":\"latencies\"");
	ck_assert_ptr_nonnull(asked);
	ck_assert_ptr_nonnull(strstr(asked, "\"where\":\"(comm ~ sh) && (latency > 1ms)\""));
	rs_stage_keys(s, KEYS('|'));
	check_not_asked(s, "where");
	rs_stage_free(s);
}
END_TEST

/* Details of a task are of that task, also where the filter names another: such as its culprit. */
START_TEST(not_of_the_task_of_a_screen)
{
	struct stage *s = rs_stage_new(14, 100, "work", replies);

	filter(s, "comm ~ shell && calls > 2");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"view\":\"work\",\"where\":\"(pid == 7 && what == \\\"waits\\\") && (calls > 2)\"");
	check_not_asked(s, "shell");
	rs_stage_free(s);
}
END_TEST

START_TEST(taken_away)
{
	struct stage *s = rs_stage_new(14, 100, "work", replies);
	const struct rs_app_filter *f = &rs_stage_app(s)->filter;
	const char *close;

	filter(s, "sh && calls > 2 && 7");
	ck_assert_uint_eq(f->nr, 3);
	close = strstr(rs_stage_text(s), " > 2 x");
	rs_stage_mouse(s, RS_KEY_MOUSE, 0, (int)(close + 5 - rs_stage_text(s)));
	ck_assert_uint_eq(f->nr, 2);
	ck_assert_str_eq(f->terms[1], "pid == 7");
	check_asked(s, "\"where\":\"(comm ~ sh) && (pid == 7)\"");
	rs_stage_keys(s, KEYS('\\', 'x', RS_KEY_BACKSPACE)); /* that was a letter */
	ck_assert_uint_eq(f->nr, 2);
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE));
	ck_assert_uint_eq(f->nr, 1);
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_BACKSPACE, RS_KEY_ESCAPE)); /* one more than there are */
	ck_assert_uint_eq(f->nr, 0);
	filter(s, "sh");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('|'));
	check_not_asked(s, "where");
	rs_stage_free(s);
}
END_TEST

/* Columns, operators that the column takes, and values that the engine has seen, with quotes where they need them. */
START_TEST(completed)
{
	struct stage *s = rs_stage_new(14, 100, "work", replies);
	struct rs_prompt *p = &rs_stage_app(s)->prompt;

	rs_stage_keys(s, KEYS('\\'));
	check_screen(s, 11, " comm  pid  tid  run_ns  calls  what  latency", "filter:");
	rs_stage_keys(s, KEYS('c', 'o', RS_KEY_TAB));
	ck_assert_str_eq(p->text, "comm ");
	check_screen(s, 11, " ~  ==  !=  !~");
	rs_stage_keys(s, KEYS('~', ' ', 's', RS_KEY_TAB)); /* sh; "shell a" begins with a quote */
	ck_assert_str_eq(p->text, "comm ~ sh");
	rs_stage_keys(s, KEYS('u' & 0x1f));
	rs_stage_type(s, "comm ~ \"");
	rs_stage_keys(s, KEYS(RS_KEY_TAB));
	ck_assert_str_eq(p->text, "comm ~ \"shell a\"");
	rs_stage_keys(s, KEYS('u' & 0x1f));
	rs_stage_type(s, "calls ");
	check_screen(s, 11, " ==  >  <  >=  <=  !=");
	rs_stage_keys(s, KEYS('u' & 0x1f, 'c', 'c', RS_KEY_TAB, RS_KEY_ENTER)); /* a name alone */
	ck_assert_str_eq(rs_stage_app(s)->filter.terms[0], "comm ~ cc");
	rs_stage_free(s);
}
END_TEST

/* A narrow terminal counts them: the way and the time are not lost over them. */
START_TEST(many_on_a_narrow_terminal)
{
	struct stage *s = rs_stage_new(14, 60, "work", replies);

	filter(s, "sh && calls > 2 && pid != 5 && tid != 6");
	check_screen(s, 0, " work                           4 filters  live 10.000000 s");
	for (int i = 0; i < 10; i++) {
		char text[8] = { 'x', (char)('0' + i), '\0' };

		filter(s, text);
	}
	ck_assert_uint_eq(rs_stage_app(s)->filter.nr, RS_APP_FILTER_TERMS);
	ck_assert(rs_stage_app(s)->prompt.open);
	rs_stage_free(s);
}
END_TEST

/* A row in sight is selected while its letters are typed; of what is not in sight, the table has it. */
START_TEST(searched_on_the_overview)
{
	static const struct reply panels[] = {
		REPLY("rows", "\"view\":\"works\"",
		      "\"of\":2,\"total\":2,\"rows\":[[\"sh\",7,null,1500000,3,\"waits\"],[\"make\",8,9,1000,null,\"reads\"]]"),
		REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 30, 80, panels);
	struct rs_screen *top = rs_app_top(rs_stage_app(s));
	struct rs_screen_selection selection;

	rs_stage_keys(s, KEYS('/', 'm', 'a'));
	ck_assert(top->ops->selection(top, &selection));
	ck_assert_int_eq(rs_selection_number(&selection.keys, "pid"), 8);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	ck_assert_ptr_eq(rs_app_top(rs_stage_app(s)), top);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('/', 'z', 'z', RS_KEY_ENTER));
	check_asked(s, "\"where\":\"comm ~ \\\"zz\\\"\"");
	check_way(s, "overview > procs", "all of the file");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_filter(void)
{
	Suite *s = suite_create("filter");
	TCase *t = tcase_create("filter");

	tcase_add_test(t, short_forms);
	tcase_add_test(t, terms);
	tcase_add_test(t, a_wrong_filter);
	tcase_add_test(t, on_all_screens);
	tcase_add_test(t, tracks_and_spans);
	tcase_add_test(t, not_of_the_task_of_a_screen);
	tcase_add_test(t, taken_away);
	tcase_add_test(t, completed);
	tcase_add_test(t, many_on_a_narrow_terminal);
	tcase_add_test(t, searched_on_the_overview);
	suite_add_tcase(s, t);
	return s;
}
