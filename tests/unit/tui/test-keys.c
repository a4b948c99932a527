// SPDX-License-Identifier: GPL-2.0-or-later
/* test-keys - a letter means one thing on all screens; its case says what it acts on */
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"

/* A row of any table, with the letter that it is looked at for. */
struct use {
	uint32_t key;
	const char *label, *where;
	unsigned int flags;
	bool opens_screen;
};

struct uses {
	struct use at[1024];
	size_t nr;
};

/* What two tables may disagree about, and why. */
static const struct exception {
	uint32_t key;
	const char *where, *label, *reason;
} exceptions[] = {
	{ 'd', "the timeline", "Pan right", "w a s d zoom and pan, as in games and in Perfetto" },
	{ 'a', "the timeline", "Pan left", "likewise" },
	{ '<', "the timeline", "Path back", "to the left: in a table to its column, here along the path" },
	{ '>', "the timeline", "Path on", "to the right: likewise" },
	{ 'x', "why", "What if", "takes a culprit out; who woke the task is in its tree" },
	{ '?', "this help", "Help", "again: back" },
	{ 0 },
};

/* Letters that are no matter of the selection, nor of a screen, since all that page or step use them so. */
static const char lower_of_screen[] = "bhilmnoqruwsyze", upper_of_selection[] = "WAHI";

static bool is_excepted(const struct use *u)
{
	for (const struct exception *e = exceptions; e->key; e++)
		if (e->key == u->key && !strcmp(e->where, u->where) && !strcmp(e->label, u->label))
			return true;
	return false;
}

static void add_rows(struct uses *to, const struct rs_key *rows, const char *where)
{
	for (; rows->help; rows++) {
		ck_assert_msg(rows->label && *rows->label, "%s: '%s' has no label", where, rows->help);
		for (size_t i = 0; i < sizeof rows->keys / sizeof *rows->keys && rows->keys[i]; i++)
			if (rows->keys[i] > ' ' && rows->keys[i] < 0x7f && to->nr < sizeof to->at / sizeof *to->at)
				to->at[to->nr++] = (struct use){ rows->keys[i], rows->label, where, rows->flags, false };
	}
}

static void add_all(struct uses *to)
{
	for (const struct rs_key_table *t = rs_key_tables; t->keys; t++)
		if (!t->types)
			add_rows(to, t->keys, t->title);
	add_rows(to, rs_app_keys, "everywhere");
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		to->at[to->nr++] = (struct use){ s->key, s->label, "everywhere", RS_KEY_SELECTION, true };
}

START_TEST(a_letter_means_one_thing)
{
	static struct uses all;
	unsigned int nr_bad = 0;

	all.nr = 0;
	add_all(&all);
	for (size_t i = 0; i < all.nr; i++)
		for (size_t j = i + 1; j < all.nr; j++) {
			const struct use *a = &all.at[i], *b = &all.at[j];

			if (a->key != b->key || is_excepted(a) || is_excepted(b) || !strcmp(a->label, b->label))
				continue;
			printf("%c: '%s' of %s, '%s' of %s\n", (int)a->key, a->label, a->where, b->label, b->where);
			nr_bad++;
		}
	ck_assert_uint_eq(nr_bad, 0);
}
END_TEST

/* An exception that no table needs any more goes. */
START_TEST(each_exception_is_there)
{
	static struct uses all;

	all.nr = 0;
	add_all(&all);
	for (const struct exception *e = exceptions; e->key; e++) {
		size_t nr = 0;

		for (size_t i = 0; i < all.nr; i++)
			nr += is_excepted(&all.at[i]) && all.at[i].key == e->key && !strcmp(all.at[i].label, e->label);
		ck_assert_msg(nr, "%c: no table has it as '%s'", (int)e->key, e->label);
	}
}
END_TEST

START_TEST(case_says_what_it_acts_on)
{
	static struct uses all;

	all.nr = 0;
	add_all(&all);
	for (size_t i = 0; i < all.nr; i++) {
		const struct use *u = &all.at[i];
		bool selection = u->flags & (RS_KEY_SELECTION | RS_KEY_CURSOR);

		if (u->key > 'z' || !isalpha((int)u->key))
			continue;
		if (islower((int)u->key))
			ck_assert_msg(selection || strchr(lower_of_screen, (int)u->key), "%c '%s' of %s: on the screen",
				      (int)u->key, u->label, u->where);
		else
			ck_assert_msg(!(u->flags & RS_KEY_SELECTION) || strchr(upper_of_selection, (int)u->key),
				      "%c '%s' of %s: on the selection", (int)u->key, u->label, u->where);
	}
}
END_TEST

/* Twice in one table: the second row would never be found. */
START_TEST(no_key_is_twice_in_a_table)
{
	for (const struct rs_key_table *t = rs_key_tables; t->keys; t++)
		for (const struct rs_key *row = t->keys; row->help; row++)
			for (size_t i = 0; i < sizeof row->keys / sizeof *row->keys && row->keys[i]; i++)
				ck_assert_msg(rs_keys_find(t->keys, row->keys[i]) == row, "%s: '%s' is not found", t->title,
					      row->label);
}
END_TEST

Suite *rs_suite_keys(void)
{
	Suite *s = suite_create("keys");
	TCase *t = tcase_create("keys");

	tcase_add_test(t, a_letter_means_one_thing);
	tcase_add_test(t, each_exception_is_there);
	tcase_add_test(t, case_says_what_it_acts_on);
	tcase_add_test(t, no_key_is_twice_in_a_table);
	suite_add_tcase(s, t);
	return s;
}
