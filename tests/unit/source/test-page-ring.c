// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "source/live/page-ring.h"

#define PAGE 64

static void init(struct rs_page_ring *h, uint32_t nr_slots, uint32_t nr_cpus)
{
	ck_assert_int_eq(rs_page_ring_init(h, (size_t)nr_slots * PAGE, PAGE, nr_cpus), 0);
	ck_assert_uint_eq(h->nr_slots, nr_slots);
}

START_TEST(pages_come_in_order)
{
	struct rs_page_ring h;
	uint32_t slot;

	init(&h, 8, 1);
	for (uint32_t i = 0; i < 5; i++) {
		slot = rs_page_ring_reserve(&h, 0);
		*rs_page_ring_page(&h, slot) = (uint8_t)i;
		rs_page_ring_push(&h, slot, PAGE - i, 100 + i);
	}
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert(rs_page_ring_pop(&h, &slot));
		ck_assert_uint_eq(*rs_page_ring_page(&h, slot), i);
		ck_assert_uint_eq(h.slot[slot].len_bytes, PAGE - i);
		ck_assert_uint_eq(h.slot[slot].empty_at_ns, 100 + i);
	}
	ck_assert(!rs_page_ring_pop(&h, &slot));
	ck_assert_uint_eq(h.nr_peak, 5);
	rs_page_ring_done(&h);
}
END_TEST

/* One that keeps up uses one page of memory, however many pass. */
START_TEST(memory_is_used_again)
{
	struct rs_page_ring h;
	uint32_t slot, first = RS_NO_SLOT;

	init(&h, 1000, 1);
	for (int i = 0; i < 5000; i++) {
		slot = rs_page_ring_reserve(&h, 0);
		first = i ? first : slot;
		ck_assert_uint_eq(slot, first);
		rs_page_ring_push(&h, slot, PAGE, 0);
		ck_assert(rs_page_ring_pop(&h, &slot));
		rs_page_ring_return(&h, slot);
	}
	ck_assert_uint_eq(h.nr_peak, 1);
	rs_page_ring_done(&h);
}
END_TEST

/* CPU 0 fills the store; CPU 1, which has nothing out, still gets its page through, one at a time. */
START_TEST(a_quiet_cpu_gets_through)
{
	struct rs_page_ring h;
	uint32_t slot, nr = 0;

	init(&h, 10, 2);
	while (rs_page_ring_reserve(&h, 0) != RS_NO_SLOT)
		nr++;
	ck_assert_uint_eq(nr, 10 - 2);
	for (int i = 0; i < 3; i++) {
		slot = rs_page_ring_reserve(&h, 1);
		ck_assert_uint_ne(slot, RS_NO_SLOT);
		ck_assert_uint_eq(rs_page_ring_reserve(&h, 1), RS_NO_SLOT);
		ck_assert_uint_eq(rs_page_ring_reserve(&h, 0), RS_NO_SLOT);
		rs_page_ring_push(&h, slot, PAGE, 0);
		ck_assert(rs_page_ring_pop(&h, &slot));
		rs_page_ring_return(&h, slot);
	}
	/* An attempt that found nothing to read takes nothing. */
	slot = rs_page_ring_reserve(&h, 1);
	rs_page_ring_unreserve(&h, slot);
	ck_assert_uint_eq(rs_page_ring_reserve(&h, 1), slot);
	rs_page_ring_done(&h);
}
END_TEST

START_TEST(too_small_a_store)
{
	struct rs_page_ring h;

	ck_assert_int_eq(rs_page_ring_init(&h, 0, PAGE, 8), 0);
	ck_assert_uint_eq(h.nr_slots, 16);
	rs_page_ring_done(&h);
	ck_assert_int_eq(rs_page_ring_init(&h, SIZE_MAX, PAGE, 1), -1);
}
END_TEST

#define NR_PASSED 300000

static void *push_all(void *arg)
{
	struct rs_page_ring *h = arg;

	for (uint32_t i = 0; i < NR_PASSED; i++) {
		uint32_t slot;

		while ((slot = rs_page_ring_reserve(h, i & 1)) == RS_NO_SLOT)
			sched_yield();
		memcpy(rs_page_ring_page(h, slot), &i, sizeof i);
		rs_page_ring_push(h, slot, PAGE, i);
	}
	return NULL;
}

/* Two threads, a store much smaller than what passes: each page whole, once, in order. For SAN=thread too. */
START_TEST(two_threads)
{
	struct rs_page_ring h;
	pthread_t reader;

	init(&h, 16, 2);
	pthread_create(&reader, NULL, push_all, &h);
	for (uint32_t i = 0; i < NR_PASSED; i++) {
		uint32_t slot, got;

		while (!rs_page_ring_pop(&h, &slot))
			sched_yield();
		memcpy(&got, rs_page_ring_page(&h, slot), sizeof got);
		ck_assert_uint_eq(got, i);
		ck_assert_uint_eq(h.slot[slot].empty_at_ns, i);
		rs_page_ring_return(&h, slot);
	}
	pthread_join(reader, NULL);
	rs_page_ring_done(&h);
}
END_TEST

Suite *rs_suite_page_ring(void)
{
	Suite *s = suite_create("page-ring");
	TCase *t = tcase_create("store");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, pages_come_in_order);
	tcase_add_test(t, memory_is_used_again);
	tcase_add_test(t, a_quiet_cpu_gets_through);
	tcase_add_test(t, too_small_a_store);
	tcase_add_test(t, two_threads);
	suite_add_tcase(s, t);
	return s;
}
