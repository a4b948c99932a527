// SPDX-License-Identifier: GPL-2.0-or-later
/* test-option-words - options of a command line as words for another ringside, and for a shell */
#include <check.h>
#include <string.h>

#include "cli/options/option-words.h"

static const struct {
	const char *names, *words[8];
	const char *quoted;
} rows[] = {
	{ "pid", { "tui", "-p", "1,2", "--own" }, " '--pid=1,2'" },
	{ "pid", { "tui", "-p1,2" }, " '--pid=1,2'" },
	{ "pid,quiet", { "record", "-qp7", "-d", "3" }, " '--quiet' '--pid=7'" },
	{ "pid", { "tui", "--pid=5" }, " '--pid=5'" },
	{ "pid", { "tui", "--pid", "5", "--comm", "--pid" }, " '--pid=5'" },
	/* a value of its own only where it is attached */
	{ "stacks,own", { "tui", "--stacks", "--own" }, " '--stacks' '--own'" },
	{ "stacks", { "tui", "--stacks=block" }, " '--stacks=block'" },
	{ "comm", { "tui", "-c", "it's" }, " '--comm=it'\\''s'" },
	/* the command, whatever its words look like */
	{ "pid,COMMAND", { "record", "-o", "x", "--", "ls", "-p", "1" }, " '--' 'ls' '-p' '1'" },
	{ "pid,COMMAND", { "record", "-p1", "ls", "--", "-p" }, " '--pid=1' '--' 'ls' '--' '-p'" },
	{ "pid", { "record", "--", "ls", "-p", "1" }, "" },
	{ "pid", { "tui" }, "" },
	/* the last word: its value is missing, which its parser refuses */
	{ "pid", { "tui", "-p" }, " '--pid'" },
};

START_TEST(picked)
{
	struct rs_buf words = RS_BUF_INIT, quoted = RS_BUF_INIT;

	rs_option_words_pick((char *const *)rows[_i].words, rows[_i].names, &words);
	rs_option_words_quote(&words, &quoted);
	ck_assert_str_eq(quoted.data, rows[_i].quoted);
	rs_buf_done(&words);
	rs_buf_done(&quoted);
}
END_TEST

Suite *rs_suite_option_words(void);
Suite *rs_suite_option_words(void)
{
	Suite *s = suite_create("option-words");
	TCase *t = tcase_create("option-words");

	tcase_add_loop_test(t, picked, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, t);
	return s;
}
