/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vector.h - arrays that grow
 *
 *	struct list { struct row *rows; size_t nr_rows, rows_room; };   // all zero at first; free(rows) at
 *	                                                                // the end
 *
 *	struct row *row = RS_VECTOR_ADD(&list->rows, &list->nr_rows, &list->rows_room);
 *
 *	if (!row)
 *		return -ENOMEM;
 *	*row = ...;
 *
 * The array, the number of items and the room are members of the caller's own struct, so that everything that
 * reads the array reads it plainly. Items move when the array grows: do not keep their addresses.
 */
#ifndef RS_BASE_VECTOR_H
#define RS_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * items: the address of the array's pointer; *room: how many items of item_bytes it has room for. Afterwards
 * there is room for nr, and usually for more, so that adding n items one by one takes n steps. False with
 * errno ENOMEM where memory or size_t ends: nothing has changed then.
 */
bool rs_vector_reserve(void *items, size_t *room, size_t nr, size_t item_bytes);
/* Likewise; the new room is zero: of an array that is indexed by a number and has no count. */
bool rs_vector_reserve_zero(void *items, size_t *room, size_t nr, size_t item_bytes);

/* rs_vector_add where there is no room left for an item after the first nr. */
bool rs_vector_grow(void *items, size_t nr, size_t *room, size_t item_bytes);

/* Makes room for one more item and counts it: its address, with undefined contents. NULL as above. */
static inline void *rs_vector_add(void *items, size_t *nr, size_t *room, size_t item_bytes)
{
	char *array;

	if (*nr >= *room && !rs_vector_grow(items, *nr, room, item_bytes))
		return NULL;
	memcpy(&array, items, sizeof array); /* the caller's pointer is of another type */
	return array + (*nr)++ * item_bytes;
}

/* The same with the item's size and type from the array. */
#define RS_VECTOR_RESERVE(items, room, nr) rs_vector_reserve((items), (room), (nr), sizeof **(items))
#define RS_VECTOR_RESERVE_ZERO(items, room, nr) \
	rs_vector_reserve_zero((items), (room), (nr), sizeof **(items))
#define RS_VECTOR_ADD(items, nr, room) \
	((__typeof__(*(items)))rs_vector_add((items), (nr), (room), sizeof **(items)))

#endif
