// SPDX-License-Identifier: GPL-2.0-or-later
/* test-heap - items leave in order, whatever their size; the largest of many are kept */
#include <check.h>
#include <stdlib.h>

#include "base/heap.h"

#define NR 1000u

struct large {
	unsigned int at;
	char more[RS_HEAP_MAX_ITEM_BYTES - sizeof(unsigned int)];
};

static bool is_less(const void *a, const void *b, const void *arg)
{
	const unsigned int *x = a, *y = b;

	return *x < *y;
}

/* Items are indices into arg. */
static bool has_less(const void *a, const void *b, const void *arg)
{
	const unsigned int *numbers = arg;

	return numbers[((const struct large *)a)->at] < numbers[((const struct large *)b)->at];
}

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16 & 0xff; /* many are equal */
}

START_TEST(numbers_leave_in_order)
{
	unsigned int heap[NR], sum = 0, left = 0, last = 0, state = 1;
	size_t nr = 0;

	while (nr < NR) {
		sum += heap[nr] = next_random(&state);
		nr++;
		RS_HEAP_UP(heap, nr, is_less, NULL);
	}
	while (nr) {
		ck_assert_uint_le(last, heap[0]);
		left += last = heap[0];
		heap[0] = heap[--nr];
		RS_HEAP_DOWN(heap, nr, is_less, NULL);
	}
	ck_assert_uint_eq(left, sum);
}
END_TEST

START_TEST(large_items_are_ordered_by_what_arg_says)
{
	static struct large heap[NR];
	unsigned int numbers[NR], last = 0, state = 2;
	size_t nr = 0;

	for (unsigned int i = 0; i < NR; i++) {
		numbers[i] = next_random(&state);
		heap[nr] = (struct large){ i, { (char)i } };
		nr++;
		RS_HEAP_UP(heap, nr, has_less, numbers);
	}
	while (nr) {
		ck_assert_uint_le(last, numbers[heap[0].at]);
		ck_assert_int_eq(heap[0].more[0], (char)heap[0].at); /* moved as a whole */
		last = numbers[heap[0].at];
		heap[0] = heap[--nr];
		RS_HEAP_DOWN(heap, nr, has_less, numbers);
	}
}
END_TEST

/* Of 5 1 4 1 3 9 2 6 the three largest are 5, 9 and 6: the smallest of them stands first. */
START_TEST(the_largest_of_many)
{
	static const unsigned int numbers[] = { 5, 1, 4, 1, 3, 9, 2, 6 };
	unsigned int heap[3];
	size_t nr = 0;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (nr < 3) {
			heap[nr++] = numbers[i];
			RS_HEAP_UP(heap, nr, is_less, NULL);
		} else if (numbers[i] > heap[0]) {
			heap[0] = numbers[i];
			RS_HEAP_DOWN(heap, nr, is_less, NULL);
		}
	}
	ck_assert_uint_eq(heap[0], 5);
	ck_assert_uint_eq(heap[1] + heap[2], 9 + 6);
}
END_TEST

START_TEST(no_item_and_one)
{
	unsigned int heap[1] = { 7 };

	RS_HEAP_DOWN(heap, 0, is_less, NULL);
	RS_HEAP_DOWN(heap, 1, is_less, NULL);
	RS_HEAP_UP(heap, 1, is_less, NULL);
	ck_assert_uint_eq(heap[0], 7);
}
END_TEST

Suite *rs_suite_heap(void)
{
	Suite *s = suite_create("heap");
	TCase *t = tcase_create("heap");

	tcase_add_test(t, numbers_leave_in_order);
	tcase_add_test(t, large_items_are_ordered_by_what_arg_says);
	tcase_add_test(t, the_largest_of_many);
	tcase_add_test(t, no_item_and_one);
	suite_add_tcase(s, t);
	return s;
}
