// SPDX-License-Identifier: GPL-2.0-or-later
/* test-prompt - a line that is typed: refused with a reason, completed by Tab */
#include <check.h>
#include <string.h>

#include "tui/toolkit/keys.h"
#include "tui/toolkit/prompt.h"

static struct rs_prompt prompt;
static char taken[RS_PROMPT_BYTES];
static unsigned int nr_taken;

static void press(const char *text)
{
	for (; *text; text++)
		rs_prompt_key(&prompt, (unsigned char)*text == '\t' ? RS_KEY_TAB : (unsigned char)*text);
}

static const char *const names[] = { "comm", "command", "cgroup", "pid", "\xC3\xA9l\xC3\xA8ve", "\xC3\xA8ve", NULL };

static void complete(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words)
{
	(void)arg;
	words->from = cursor;
	words->after = " ";
	while (words->from && text[words->from - 1] != ' ')
		words->from--;
	for (const char *const *name = names; *name; name++)
		rs_prompt_words_add(words, text, cursor, *name);
}

/* Refuses all but "right", with the cursor at the third byte. */
static void done(void *arg, const char *text)
{
	(void)arg;
	nr_taken++;
	strcpy(taken, text ? text : "(canceled)");
	if (text && strcmp(text, "right"))
		rs_prompt_refuse(&prompt, 2, "it is wrong");
}

static void open_prompt(void)
{
	memset(&prompt, 0, sizeof prompt);
	nr_taken = 0;
	rs_prompt_open(&prompt, "what:", "", done, NULL, NULL);
}

START_TEST(a_wrong_text_stays)
{
	open_prompt();
	press("wrong\n");
	ck_assert(prompt.open);
	ck_assert_str_eq(prompt.why, "it is wrong");
	ck_assert_str_eq(prompt.text, "wrong");
	ck_assert_uint_eq(prompt.cursor, 2);
	press("x"); /* the reason is of the text that it was */
	ck_assert_str_eq(prompt.why, "");
	ck_assert_str_eq(prompt.text, "wrxong");
	rs_prompt_key(&prompt, RS_CTRL('u'));
	rs_prompt_key(&prompt, RS_CTRL('k'));
	press("right\n");
	ck_assert(!prompt.open);
	ck_assert_uint_eq(nr_taken, 2);
	open_prompt();
	press("wrong\n");
	rs_prompt_key(&prompt, RS_KEY_ESCAPE);
	ck_assert(!prompt.open);
	ck_assert_str_eq(taken, "(canceled)");
}
END_TEST

/* The cursor is never within a character: é is two bytes, and the third byte of "xé" is its second. */
START_TEST(a_mistake_within_a_character)
{
	open_prompt();
	press("x");
	rs_prompt_key(&prompt, 0xE9);
	press("y\n");
	ck_assert_uint_eq(prompt.cursor, 1);
}
END_TEST

START_TEST(tab_completes)
{
	open_prompt();
	rs_prompt_set_complete(&prompt, complete);
	ck_assert_uint_eq(prompt.words.nr, 6);
	press("p\t");
	ck_assert_str_eq(prompt.text, "pid ");
	press("c"); /* three begin so, and have no more in common */
	ck_assert_uint_eq(prompt.words.nr, 3);
	press("\t");
	ck_assert_str_eq(prompt.text, "pid comm");
	press("\t");
	ck_assert_str_eq(prompt.text, "pid command");
	press("\t\t");
	ck_assert_str_eq(prompt.text, "pid comm");
	rs_prompt_key(&prompt, RS_KEY_BACK_TAB);
	ck_assert_str_eq(prompt.text, "pid cgroup");
	rs_prompt_key(&prompt, RS_CTRL('u'));
	press("CO\t"); /* what they have in common, as they have it */
	ck_assert_str_eq(prompt.text, "comm");
	press("z\t");
	ck_assert_str_eq(prompt.text, "commz");
}
END_TEST

static void complete_accents(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words)
{
	(void)arg;
	words->from = 0;
	for (size_t i = 4; names[i]; i++)
		rs_prompt_words_add(words, text, cursor, names[i]);
}

/* They begin with the same byte, and have no character in common. */
START_TEST(tab_keeps_characters_whole)
{
	open_prompt();
	rs_prompt_set_complete(&prompt, complete_accents);
	ck_assert_uint_eq(prompt.words.nr, 2);
	press("\t");
	ck_assert_str_eq(prompt.text, "\xC3\xA9l\xC3\xA8ve");
	rs_prompt_key(&prompt, RS_CTRL('u'));
	rs_prompt_key(&prompt, 0xE8);
	press("\t");
	ck_assert_str_eq(prompt.text, "\xC3\xA8ve");
}
END_TEST

START_TEST(what_does_not_fit_is_not_put)
{
	open_prompt();
	rs_prompt_set_complete(&prompt, complete);
	for (int i = 0; i < RS_PROMPT_BYTES - 4; i++)
		press(" ");
	press("pi\t");
	ck_assert_uint_eq(prompt.len, RS_PROMPT_BYTES - 2);
	ck_assert_uint_eq(strlen(prompt.text), prompt.len);
}
END_TEST

Suite *rs_suite_prompt(void)
{
	Suite *s = suite_create("prompt");
	TCase *t = tcase_create("prompt");

	tcase_add_test(t, a_wrong_text_stays);
	tcase_add_test(t, a_mistake_within_a_character);
	tcase_add_test(t, tab_completes);
	tcase_add_test(t, tab_keeps_characters_whole);
	tcase_add_test(t, what_does_not_fit_is_not_put);
	suite_add_tcase(s, t);
	return s;
}
