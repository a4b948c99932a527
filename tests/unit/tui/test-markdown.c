// SPDX-License-Identifier: GPL-2.0-or-later
/* test-markdown - what is copied: escaped, with the command that prints the same */
#include <check.h>
#include <string.h>

#include "tui-stage.h"
#include "tui/app/markdown.h"

/* The name of the first ends a cell and a code span, holds an escape sequence and a line end. */
static const struct reply hostile[] = {
	REPLY("rows", "\"view\":\"work\"",
	      "\"of\":2,\"total\":2,\"rows\":[[\"a|b`\\u001b[2J\",7,null,1500000,3,\"x\\ny\"],"
	      "[\"make\",8,9,1000,null,\"reads\"]]"),
	REPLY("rows", "\"view\":\"log\"", "\"of\":0,\"total\":0,\"rows\":[]"),
	{ 0 },
};

START_TEST(a_table_and_its_command)
{
	struct stage *s = rs_stage_new(14, 64, "work", hostile);

	rs_stage_keys(s, KEYS('y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data,
			 "| COMM | PID | RUN(ms) | CALLS | WHAT |\n"
			 "| --- | ---: | ---: | ---: | --- |\n"
			 "| a\\|b\\`\\\\x1B\\[2J | 7 | 1.500 | 3 | x\\\\x0Ay |\n"
			 "| make | 8 | 0.001 | - | reads |\n"
			 "\n    ringside work -s -run_ns\n");
	check_screen(s, 12, " copied to the clipboard of the terminal (OSC 52), 184 bytes of");
	rs_stage_free(s);
}
END_TEST

/* Of a time range and a filter, quoted for a shell. */
START_TEST(the_command_says_what_is_shown)
{
	struct stage *s = rs_stage_new(14, 64, "work", hostile);
	const char *command;

	rs_stage_keys(s, KEYS('\\'));
	rs_stage_type(s, "comm ~ 'ma'");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER, '[', 'y'));
	command = strstr(rs_stage_app(s)->copied.data, "\n    ringside work ");
	ck_assert_ptr_nonnull(command);
	ck_assert_ptr_nonnull(strstr(command, " --where 'comm ~ '\\''ma'\\''' "));
	ck_assert_msg(strstr(command, " --from @109.000000000 --to @110.000000000\n"), "%s", command);
	rs_stage_free(s);
}
END_TEST

/* Of the overview the finding that is selected; the commands are those of its tables. A row that is none: what is seen. */
START_TEST(a_finding)
{
	static const struct reply found[] = {
		REPLY("findings", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"findings\":[{\"weight\":800,"
		      "\"text\":\"s*h (7) waits 80 %\",\"advice\":\"write less\\nor `later`\",\"view\":\"log\",\"evidence\":["
		      "{\"view\":\"log\",\"where\":\"pid == 7\"},{\"view\":\"work\",\"sort\":\"-calls\",\"by\":\"what\"}]}]"),
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,null,1500000,3,null]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 80, found);

	rs_stage_text(s);
	rs_stage_keys(s, KEYS('y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data,
			 "**s\\*h (7) waits 80 %**\n"
			 "\nTry: write less\\\\x0Aor \\`later\\`\n"
			 "\n    ringside log --where 'pid == 7'\n"
			 "\n    ringside work --by what -s -calls\n");
	rs_stage_free(s);
}
END_TEST

/* A screen without an op of its own: its text, as it is seen, without header and footer. */
START_TEST(a_screen_as_it_is_seen)
{
	struct stage *s = rs_stage_new(14, 64, "work", hostile);

	rs_stage_keys(s, KEYS('?'));
	rs_stage_text(s);
	rs_stage_keys(s, KEYS('y'));
	ck_assert(!strncmp(rs_stage_app(s)->copied.data, "**help**\n\n     This screen\n", 26));
	ck_assert_ptr_null(strstr(rs_stage_app(s)->copied.data, "q Back"));
	rs_stage_free(s);
}
END_TEST

START_TEST(text_outside_of_code)
{
	struct rs_buf out = RS_BUF_INIT;

	rs_markdown_text(&out, "a*b_c`d|e<f>[g]\\h\n\x1b");
	ck_assert_str_eq(out.data, "a\\*b\\_c\\`d\\|e\\<f\\>\\[g\\]\\\\h\\\\x0A\\\\x1B");
	rs_buf_done(&out);
}
END_TEST

Suite *rs_suite_markdown(void)
{
	Suite *s = suite_create("markdown");
	TCase *t = tcase_create("markdown");

	tcase_add_test(t, a_table_and_its_command);
	tcase_add_test(t, a_finding);
	tcase_add_test(t, the_command_says_what_is_shown);
	tcase_add_test(t, a_screen_as_it_is_seen);
	tcase_add_test(t, text_outside_of_code);
	suite_add_tcase(s, t);
	return s;
}
