// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <string.h>

#include "base/nearest.h"

static const char *const names[] = {"record", "report",          "runqlat",  "runqslower",
				    "sched",  "syscall-latency", "syscalls", "type", NULL};

static const struct {
	const char *word, *nearest;
} rows[] = {
	{ "recrod", "record" },           /* two neighbours swapped */
	{ "repotr", "report" },
	{ "recrd", "record" },            /* one missing */
	{ "shed", "sched" },
	{ "scched", "sched" },            /* one too many */
	{ "runqlas", "runqlat" },         /* one wrong */
	{ "SCHED", "sched" },
	{ "syscall", "syscalls" },        /* not syscall-latency: less is to be added */
	{ "syscall-", "syscall-latency" },
	{ "runqslo", "runqslower" },      /* the beginning of a name */
	{ "xyzzy", NULL },
	{ "tyep", "type" },
	{ "nope", NULL },                 /* half of it is wrong */
	{ "make", NULL },
	{ "a", NULL },
	{ "", NULL },
};

START_TEST(slips)
{
	const char *near = rs_nearest(rows[_i].word, names);

	if (rows[_i].nearest)
		ck_assert_str_eq(near ? near : "(none)", rows[_i].nearest);
	else
		ck_assert_ptr_null(near);
}
END_TEST

START_TEST(a_word_of_any_length)
{
	char word[4096];

	memset(word, 'r', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	ck_assert_ptr_null(rs_nearest(word, names));
	word[64] = '\0';
	ck_assert_ptr_null(rs_nearest(word, names));
}
END_TEST

Suite *rs_suite_nearest(void);
Suite *rs_suite_nearest(void)
{
	Suite *s = suite_create("nearest");
	TCase *t = tcase_create("nearest");

	tcase_add_loop_test(t, slips, 0, sizeof rows / sizeof *rows);
	tcase_add_test(t, a_word_of_any_length);
	suite_add_tcase(s, t);
	return s;
}
