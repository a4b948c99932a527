// SPDX-License-Identifier: GPL-2.0-or-later
/* test-vector - an array grows, keeps its items, and refuses sizes that overflow or that there is no memory for */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "base/vector.h"

struct item {
	uint64_t number, more;
};

struct list {
	struct item *items;
	size_t nr, room;
};

static volatile size_t too_many = SIZE_MAX / 2 / sizeof(struct item);

static void fill(struct list *l, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct item *item = RS_VECTOR_ADD(&l->items, &l->nr, &l->room);

		ck_assert_ptr_nonnull(item);
		*item = (struct item){ i, ~i };
	}
}

static void check_items(const struct list *l, size_t nr)
{
	ck_assert_uint_eq(l->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_uint_eq(l->items[i].number, i);
		ck_assert_uint_eq(l->items[i].more, ~i);
	}
}

START_TEST(items_stay_while_the_array_doubles)
{
	struct list l = { NULL, 0, 0 };

	fill(&l, 16);
	ck_assert_uint_eq(l.room, 16);
	fill(&l, 0);
	for (size_t i = 16; i < 1000; i++)
		*RS_VECTOR_ADD(&l.items, &l.nr, &l.room) = (struct item){ i, ~i };
	check_items(&l, 1000);
	ck_assert_uint_eq(l.room, 1024);
	free(l.items);
}
END_TEST

START_TEST(room_for_many_at_once)
{
	struct list l = { NULL, 0, 0 };

	ck_assert(RS_VECTOR_RESERVE(&l.items, &l.room, 0));
	ck_assert_ptr_null(l.items);
	ck_assert(RS_VECTOR_RESERVE(&l.items, &l.room, 100));
	ck_assert_uint_eq(l.room, 128);
	ck_assert(RS_VECTOR_RESERVE(&l.items, &l.room, 3)); /* it never shrinks */
	ck_assert_uint_eq(l.room, 128);
	free(l.items);
}
END_TEST

static void check_refused(struct list *l, size_t nr)
{
	const struct list before = *l;

	errno = 0;
	ck_assert(!RS_VECTOR_RESERVE(&l->items, &l->room, nr));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_ptr_eq(l->items, before.items);
	ck_assert_uint_eq(l->room, before.room);
}

START_TEST(what_cannot_be_had_changes_nothing)
{
	struct list l = { NULL, 0, 0 };

	check_refused(&l, too_many);
	fill(&l, 5);
	check_refused(&l, too_many);                            /* more than there is memory */
	check_refused(&l, SIZE_MAX / sizeof(struct item) + 2);  /* bytes would overflow to a few */
	check_refused(&l, SIZE_MAX / 2 + 2);                    /* so would doubling */
	check_refused(&l, SIZE_MAX);
	check_items(&l, 5);
	free(l.items);
}
END_TEST

START_TEST(a_count_does_not_wrap)
{
	struct list l = { NULL, SIZE_MAX, SIZE_MAX };

	errno = 0;
	ck_assert_ptr_null(RS_VECTOR_ADD(&l.items, &l.nr, &l.room));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_uint_eq(l.nr, SIZE_MAX);
	l = (struct list){ NULL, too_many, 0 };
	ck_assert_ptr_null(RS_VECTOR_ADD(&l.items, &l.nr, &l.room));
	ck_assert_uint_eq(l.nr, too_many);
}
END_TEST

Suite *rs_suite_vector(void)
{
	Suite *s = suite_create("vector");
	TCase *t = tcase_create("vector");

	tcase_add_test(t, items_stay_while_the_array_doubles);
	tcase_add_test(t, room_for_many_at_once);
	tcase_add_test(t, what_cannot_be_had_changes_nothing);
	tcase_add_test(t, a_count_does_not_wrap);
	suite_add_tcase(s, t);
	return s;
}
