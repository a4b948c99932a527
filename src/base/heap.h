/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - a binary heap in a plain array: its first item comes before all others
 *
 *	static bool is_before(const void *a, const void *b, const void *arg);
 *
 *	heap[nr++] = item;       RS_HEAP_UP(heap, nr, is_before, arg);          // push
 *	heap[0] = item;          RS_HEAP_DOWN(heap, nr, is_before, arg);        // replace the first
 *	heap[0] = heap[--nr];    RS_HEAP_DOWN(heap, nr, is_before, arg);        // remove the first
 *
 * The functions are inlined, and the order with them: each use costs what code written out for it would. To
 * keep the n largest of many, order the smallest first, and replace it by whatever is larger.
 */
#ifndef RS_BASE_HEAP_H
#define RS_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The largest item that a heap takes, in bytes. */
#define RS_HEAP_MAX_ITEM_BYTES 128

/* Does the item at a come before the one at b? arg is the caller's. */
typedef bool rs_heap_before(const void *a, const void *b, const void *arg);

static inline __attribute__((always_inline)) void rs_heap_swap(void *a, void *b, size_t item_bytes)
{
	unsigned char item[RS_HEAP_MAX_ITEM_BYTES];

	memcpy(item, a, item_bytes);
	memmove(a, b, item_bytes);
	memcpy(b, item, item_bytes);
}

/* The last of nr items was added: moves it up to its place. */
static inline __attribute__((always_inline)) void rs_heap_up(void *items, size_t nr, size_t item_bytes,
							     rs_heap_before *is_before, const void *arg)
{
	char *heap = (char *)items;
	size_t parent;

	for (size_t at = nr - 1; at; at = parent) {
		parent = (at - 1) / 2;
		if (!is_before(heap + at * item_bytes, heap + parent * item_bytes, arg))
			return;
		rs_heap_swap(heap + at * item_bytes, heap + parent * item_bytes, item_bytes);
	}
}

/* The first of nr items was replaced: moves it down to its place. nr may be 0. */
static inline __attribute__((always_inline)) void rs_heap_down(void *items, size_t nr, size_t item_bytes,
							       rs_heap_before *is_before, const void *arg)
{
	char *heap = (char *)items;
	size_t child;

	for (size_t at = 0; (child = 2 * at + 1) < nr; at = child) {
		if (child + 1 < nr &&
		    is_before(heap + (child + 1) * item_bytes, heap + child * item_bytes, arg))
			child++;
		if (!is_before(heap + child * item_bytes, heap + at * item_bytes, arg))
			return;
		rs_heap_swap(heap + at * item_bytes, heap + child * item_bytes, item_bytes);
	}
}

/* heap: an array of any type. */
#define RS_HEAP_UP(heap, nr, is_before, arg) rs_heap_up((heap), (nr), sizeof *(heap), (is_before), (arg))
#define RS_HEAP_DOWN(heap, nr, is_before, arg) rs_heap_down((heap), (nr), sizeof *(heap), (is_before), (arg))

#endif
