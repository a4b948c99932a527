// SPDX-License-Identifier: GPL-2.0-or-later
/* test-named-stacks - stacks by names: each once, in the order of their texts, and copied below a frame of another table */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "model/named-stacks.h"

static struct rs_named_stacks *stacks;
static char buf[2][64];

static void setup(void)
{
	stacks = rs_named_stacks_new(RS_STACKS_MAX);
	ck_assert_ptr_nonnull(stacks);
}

static void teardown(void)
{
	rs_named_stacks_free(stacks);
}

/* Valid until the next one of the same kind. */
static const char *text(const struct rs_named_stacks *s, uint32_t stack, bool of_modules)
{
	return rs_named_stacks_put(s, stack, of_modules, buf[of_modules], sizeof buf[0]);
}

START_TEST(each_is_there_once)
{
	uint32_t outer = rs_named_stacks_add(stacks, RS_STACK_ROOT, "main", "prog"),
		 inner = rs_named_stacks_add(stacks, outer, "read", "libc.so");

	ck_assert_uint_eq(rs_named_stacks_add(stacks, outer, "read", "libc.so"), inner);
	ck_assert_uint_ne(rs_named_stacks_add(stacks, outer, "read", "other.so"), inner);
	ck_assert_uint_eq(rs_named_stacks_caller(stacks, inner), outer);
	ck_assert_str_eq(text(stacks, inner, false), "main;read");
	ck_assert_str_eq(text(stacks, inner, true), "prog;libc.so");
	ck_assert_str_eq(text(stacks, RS_STACK_ROOT, false), "");
	ck_assert(!rs_named_stacks_failed(stacks));
}
END_TEST

/* A text of 10 bytes has no room for main: what is outermost is left out. */
START_TEST(texts_are_cut_outermost)
{
	uint32_t stack = rs_named_stacks_add(stacks, rs_named_stacks_add(stacks, RS_STACK_ROOT, "main", ""), "a;read", "");
	char few[11];

	ck_assert_str_eq(text(stacks, stack, false), "main;a:read");
	ck_assert_str_eq(rs_named_stacks_put(stacks, stack, false, few, sizeof few), "a:read");
}
END_TEST

/* Names around the ; that separates them: blank and ! are less, < is more. */
START_TEST(order_is_that_of_the_texts)
{
	static const char *const names[] = { "a", "a b", "a!", "a<", "ab", "b" };
	uint32_t all[400] = { RS_STACK_ROOT };
	size_t nr = 1;

	for (size_t caller = 0; nr < 400; caller++)
		for (size_t i = 0; i < 6 && nr < 400; i++)
			all[nr++] = rs_named_stacks_add(stacks, all[caller], names[i], names[(caller + i) % 3]);
	for (size_t a = 0; a < nr; a++)
		for (size_t b = 0; b < nr; b++)
			for (int of_modules = 0; of_modules < 2; of_modules++) {
				char other[64];
				int order = rs_named_stacks_compare(stacks, all[a], all[b], of_modules), expected;

				strcpy(other, text(stacks, all[b], of_modules));
				expected = strcmp(text(stacks, all[a], of_modules), other);
				ck_assert_msg((order > 0) - (order < 0) == (expected > 0) - (expected < 0), "%s, %s: %d",
					      text(stacks, all[a], of_modules), other, order);
			}
}
END_TEST

START_TEST(copies_stand_below_frames)
{
	struct rs_named_stacks *to = rs_named_stacks_new(RS_STACKS_MAX);
	struct rs_named_copy copy = { 0 };
	uint32_t outer = rs_named_stacks_add(stacks, RS_STACK_ROOT, "main", "prog"),
		 inner = rs_named_stacks_add(stacks, outer, "read", "prog"), sh, ls, copied;

	sh = rs_named_stacks_add(to, RS_STACK_ROOT, "sh", "");
	ls = rs_named_stacks_add(to, RS_STACK_ROOT, "ls", "");
	copied = rs_named_stacks_copy(to, &copy, stacks, sh, inner);
	ck_assert_str_eq(text(to, copied, false), "sh;main;read");
	ck_assert_str_eq(text(to, copied, true), ";prog;prog");
	ck_assert_uint_eq(rs_named_stacks_copy(to, &copy, stacks, sh, inner), copied);
	ck_assert_uint_eq(rs_named_stacks_copy(to, &copy, stacks, sh, outer), rs_named_stacks_caller(to, copied));
	ck_assert_str_eq(text(to, rs_named_stacks_copy(to, &copy, stacks, ls, inner), false), "ls;main;read");
	ck_assert_uint_eq(rs_named_stacks_copy(to, &copy, stacks, sh, inner), copied);
	ck_assert_uint_eq(rs_named_stacks_copy(to, &copy, stacks, sh, RS_STACK_ROOT), sh);
	/* what came since */
	inner = rs_named_stacks_add(stacks, inner, "wait", "[kernel]");
	ck_assert_str_eq(text(to, rs_named_stacks_copy(to, &copy, stacks, ls, inner), false), "ls;main;read;wait");
	rs_named_stacks_copy_done(&copy);
	rs_named_stacks_free(to);
}
END_TEST

/* Of three numbers one is a frame's. */
START_TEST(a_full_table_cuts)
{
	struct rs_named_stacks *few = rs_named_stacks_new(3);
	uint32_t first = rs_named_stacks_add(few, RS_STACK_ROOT, "main", "");

	ck_assert_uint_eq(rs_named_stacks_add(few, first, "read", ""), RS_STACK_OTHERS);
	ck_assert_uint_eq(rs_named_stacks_add(few, RS_STACK_OTHERS, "main", ""), RS_STACK_OTHERS);
	ck_assert_uint_eq(rs_named_stacks_add(few, RS_STACK_ROOT, "main", ""), first);
	ck_assert(!rs_named_stacks_failed(few));
	rs_named_stacks_free(few);
}
END_TEST

Suite *rs_suite_named_stacks(void);
Suite *rs_suite_named_stacks(void)
{
	Suite *s = suite_create("named-stacks");
	TCase *t = tcase_create("named-stacks");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, each_is_there_once);
	tcase_add_test(t, texts_are_cut_outermost);
	tcase_add_test(t, order_is_that_of_the_texts);
	tcase_add_test(t, copies_stand_below_frames);
	tcase_add_test(t, a_full_table_cuts);
	suite_add_tcase(s, t);
	return s;
}
