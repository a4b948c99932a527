// SPDX-License-Identifier: GPL-2.0-or-later
/* test-map - what was added is found, what was removed is not, and growth that fails loses nothing */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "base/map.h"

#define NR 5000u

struct entry {
	uint64_t key;
	struct rs_map_node node; /* not the first member */
};

static struct entry entries[NR];
static volatile size_t too_many = SIZE_MAX / 4;

static struct entry *find(const struct rs_map *m, uint64_t key)
{
	return RS_MAP_ENTRY(rs_map_find(m, rs_hash_u64(key)), struct entry, node);
}

static void fill(struct rs_map *m)
{
	ck_assert(rs_map_init(m, 0));
	for (uint64_t i = 0; i < NR; i++) {
		entries[i].key = i << 20; /* only high bits differ: as addresses of pages */
		rs_map_add(m, &entries[i].node, rs_hash_u64(entries[i].key));
	}
}

START_TEST(each_entry_is_found_by_its_key)
{
	struct rs_map m;

	fill(&m);
	ck_assert_uint_eq(m.nr, NR);
	ck_assert_uint_eq(m.nr_buckets, 8192);
	for (uint64_t i = 0; i < NR; i++)
		ck_assert_ptr_eq(find(&m, i << 20), &entries[i]);
	ck_assert_ptr_null(find(&m, 1));
	rs_map_done(&m);
}
END_TEST

START_TEST(removed_entries_are_not_found_and_others_stay)
{
	struct rs_map m;

	fill(&m);
	for (uint64_t i = 0; i < NR; i += 2)
		rs_map_remove(&m, &entries[i].node);
	ck_assert_uint_eq(m.nr, NR / 2);
	for (uint64_t i = 0; i < NR; i++)
		ck_assert_ptr_eq(find(&m, i << 20), i % 2 ? &entries[i] : NULL);
	rs_map_done(&m);
}
END_TEST

START_TEST(keys_hash_over_the_buckets)
{
	size_t slowest = 0;
	struct rs_map m;

	fill(&m);
	for (size_t i = 0; i < m.nr_buckets; i++) {
		size_t len = 0;

		for (struct rs_map_node *n = m.buckets[i]; n; n = n->chain)
			len++;
		slowest = len > slowest ? len : slowest;
	}
	ck_assert_uint_le(slowest, 8); /* at random, 5000 in 8192: 7 or less in 999 of 1000 tables */
	rs_map_done(&m);
}
END_TEST

START_TEST(entries_of_one_hash_stay_apart_the_last_first)
{
	struct rs_map_node *n;
	struct rs_map m;

	ck_assert(rs_map_init(&m, 0));
	for (unsigned int i = 0; i < 100; i++) {
		entries[i].key = i;
		rs_map_add(&m, &entries[i].node, i < 3 ? 7 : 7 + 16 * (uint64_t)i); /* all in one bucket of 16 */
	}
	n = rs_map_find(&m, 7);
	for (unsigned int i = 3; i--; n = rs_map_find_next(n))
		ck_assert_uint_eq(RS_MAP_ENTRY(n, struct entry, node)->key, i);
	ck_assert_ptr_null(n);
	rs_map_done(&m);
}
END_TEST

START_TEST(growth_that_fails_changes_nothing)
{
	struct rs_map m;

	fill(&m);
	errno = 0;
	ck_assert(!rs_map_reserve(&m, too_many));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_uint_eq(m.nr_buckets, 8192);
	for (uint64_t i = 0; i < NR; i++)
		ck_assert_ptr_eq(find(&m, i << 20), &entries[i]);
	rs_map_done(&m);
	ck_assert(!rs_map_init(&m, too_many));
	rs_map_done(&m);
}
END_TEST

/* 9 entries that found no memory for more than 4 buckets, as after a failed rs_map_reserve in rs_map_add. */
START_TEST(a_map_that_could_not_grow_works_and_grows_later)
{
	struct rs_map_node *few[4] = { NULL };
	struct rs_map m = { few, 4, 0 };

	for (unsigned int i = 0; i < 9; i++) {
		entries[i].key = i;
		m.nr = i < 4 ? i : 5; /* not a power of two: it does not try */
		rs_map_add(&m, &entries[i].node, rs_hash_u64(i));
	}
	for (unsigned int i = 0; i < 9; i++)
		ck_assert_ptr_eq(find(&m, i), &entries[i]);
	m.buckets = malloc(sizeof few);
	ck_assert_ptr_nonnull(m.buckets);
	for (unsigned int i = 0; i < 4; i++)
		m.buckets[i] = few[i];
	m.nr = 16;
	entries[9].key = 9;
	rs_map_add(&m, &entries[9].node, rs_hash_u64(9));
	ck_assert_uint_eq(m.nr_buckets, 32);
	for (unsigned int i = 0; i < 10; i++)
		ck_assert_ptr_eq(find(&m, i), &entries[i]);
	rs_map_done(&m);
}
END_TEST

START_TEST(hashes)
{
	ck_assert_uint_ne(rs_hash_pair(1, 2), rs_hash_pair(2, 1));
	ck_assert_uint_ne(rs_hash_bytes("ab", 2), rs_hash_bytes("ba", 2));
	ck_assert_uint_ne(rs_hash_bytes("\0", 1), rs_hash_bytes("\0\0", 2));
	ck_assert_uint_ne(rs_hash_u64(UINT64_C(1) << 63), rs_hash_u64(UINT64_C(1) << 62));
}
END_TEST

Suite *rs_suite_map(void)
{
	Suite *s = suite_create("map");
	TCase *t = tcase_create("map");

	tcase_add_test(t, each_entry_is_found_by_its_key);
	tcase_add_test(t, removed_entries_are_not_found_and_others_stay);
	tcase_add_test(t, keys_hash_over_the_buckets);
	tcase_add_test(t, entries_of_one_hash_stay_apart_the_last_first);
	tcase_add_test(t, growth_that_fails_changes_nothing);
	tcase_add_test(t, a_map_that_could_not_grow_works_and_grows_later);
	tcase_add_test(t, hashes);
	suite_add_tcase(s, t);
	return s;
}
