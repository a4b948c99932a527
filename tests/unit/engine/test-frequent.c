// SPDX-License-Identifier: GPL-2.0-or-later
/* test-frequent - who has most of something, in a few places */
#include <check.h>

#include "ringside/store.h"

static struct rs_frequent places[3];

static uint64_t sum_of(uint64_t key0, uint64_t key1)
{
	for (int i = 0; i < 3; i++)
		if (places[i].sum && places[i].key0 == key0 && places[i].key1 == key1)
			return places[i].sum;
	return 0;
}

START_TEST(exact_while_there_is_room)
{
	const struct rs_frequent *p = rs_frequent_add(places, 3, 7, 1, 0, 5);

	ck_assert_ptr_eq(p, &places[1]); /* 7 % 3 */
	ck_assert_uint_eq(p->nr, 1);
	ck_assert_uint_eq(rs_frequent_add(places, 3, 2, 1, 0, 6)->nr, 2);
	rs_frequent_add(places, 3, 0, 1, 9, 7);
	ck_assert_uint_eq(sum_of(1, 0), 11);
	ck_assert_uint_eq(sum_of(1, 9), 7);
}
END_TEST

/* 11, 7 and 4 are there. Who has 3 takes no place, and the least loses as much: 1; who has 2 then takes it. */
START_TEST(the_least_makes_room)
{
	rs_frequent_add(places, 3, 0, 1, 0, 11);
	rs_frequent_add(places, 3, 0, 2, 0, 7);
	rs_frequent_add(places, 3, 0, 3, 0, 4);
	ck_assert_ptr_null(rs_frequent_add(places, 3, 0, 4, 0, 3));
	ck_assert_uint_eq(sum_of(3, 0), 1);
	ck_assert_uint_eq(rs_frequent_add(places, 3, 0, 5, 0, 2)->nr, 1);
	ck_assert_uint_eq(sum_of(5, 0), 2);
	ck_assert_uint_eq(sum_of(3, 0), 0);
	ck_assert_uint_eq(sum_of(1, 0), 11);
}
END_TEST

static void setup(void)
{
	for (int i = 0; i < 3; i++)
		places[i] = (struct rs_frequent){ 0 };
}

Suite *rs_suite_frequent(void)
{
	Suite *s = suite_create("frequent");
	TCase *t = tcase_create("frequent");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, exact_while_there_is_room);
	tcase_add_test(t, the_least_makes_room);
	suite_add_tcase(s, t);
	return s;
}
