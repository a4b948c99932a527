// SPDX-License-Identifier: GPL-2.0-or-later
/* vector - arrays that grow */
#include "base/vector.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VECTOR_FIRST_ROOM 16u

bool rs_vector_reserve(void *items, size_t *room, size_t nr, size_t item_bytes)
{
	size_t new_room = *room ? *room : VECTOR_FIRST_ROOM;
	void *array;

	if (nr <= *room)
		return true;
	while (new_room < nr && new_room <= SIZE_MAX / 2)
		new_room *= 2;
	if (new_room < nr)
		new_room = nr;
	/* through memcpy: the caller's pointer is of another type */
	memcpy(&array, items, sizeof array);
	array = reallocarray(array, new_room, item_bytes);
	if (!array)
		return false;
	memcpy(items, &array, sizeof array);
	*room = new_room;
	return true;
}

bool rs_vector_reserve_zero(void *items, size_t *room, size_t nr, size_t item_bytes)
{
	size_t before = *room;
	char *array;

	if (!rs_vector_reserve(items, room, nr, item_bytes))
		return false;
	memcpy(&array, items, sizeof array);
	if (*room > before)
		memset(array + before * item_bytes, 0, (*room - before) * item_bytes);
	return true;
}

bool rs_vector_grow(void *items, size_t nr, size_t *room, size_t item_bytes)
{
	if (nr == SIZE_MAX) {
		errno = ENOMEM;
		return false;
	}
	return rs_vector_reserve(items, room, nr + 1, item_bytes);
}
