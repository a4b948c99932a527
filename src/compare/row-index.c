// SPDX-License-Identifier: GPL-2.0-or-later
/* row-index - the rows of a view of a side by the text of one of its keys */
#include "compare/row-index.h"

#include <stdlib.h>
#include <string.h>

static int row_index_compare(const void *x, const void *y, void *key)
{
	const struct rs_side_row *a = *(struct rs_side_row *const *)x, *b = *(struct rs_side_row *const *)y;
	int order = strcmp(rs_side_key(a, *(unsigned int *)key), rs_side_key(b, *(unsigned int *)key));
	size_t least = a->key_bytes < b->key_bytes ? a->key_bytes : b->key_bytes;

	/* of one text by all of the key, so that the order does not depend on that of events */
	return order ? order : memcmp(a->key, b->key, least);
}

bool rs_row_index_init(struct rs_row_index *index, const struct rs_side_view *view, unsigned int key)
{
	*index = (struct rs_row_index){ .rows = calloc(view->nr_rows + 1, sizeof *index->rows), .key = key };
	if (!index->rows)
		return false;
	index->nr = view->nr_rows;
	if (index->nr) {
		memcpy(index->rows, view->rows, index->nr * sizeof *index->rows);
		qsort_r(index->rows, index->nr, sizeof *index->rows, row_index_compare, &key);
	}
	return true;
}

void rs_row_index_done(struct rs_row_index *index)
{
	free(index->rows);
	*index = (struct rs_row_index){ 0 };
}

struct rs_side_rows rs_row_index_at(const struct rs_row_index *index, size_t at)
{
	const char *text = rs_side_key(index->rows[at], index->key);
	size_t end = at + 1;

	while (end < index->nr && !strcmp(rs_side_key(index->rows[end], index->key), text))
		end++;
	return (struct rs_side_rows){ index->rows + at, end - at };
}

struct rs_side_rows rs_row_index_find(const struct rs_row_index *index, const char *text)
{
	size_t low = 0, high = index->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(rs_side_key(index->rows[middle], index->key), text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == index->nr || strcmp(rs_side_key(index->rows[low], index->key), text) != 0)
		return (struct rs_side_rows){ 0 };
	return rs_row_index_at(index, low);
}

bool rs_row_index_has(const struct rs_row_index *index, const char *text)
{
	return rs_row_index_find(index, text).nr;
}
