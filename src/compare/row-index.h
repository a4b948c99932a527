/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row-index.h - the rows of a view of a side by the text of one of its keys
 *
 *	struct rs_row_index index;
 *
 *	if (!rs_row_index_init(&index, &side->views[0], 0))
 *		... no memory ...
 *	struct rs_side_rows rows = rs_row_index_find(&index, "nginx");
 *	rs_row_index_done(&index);
 *
 * It does not follow the side: rows that are added later are not in it.
 */
#ifndef RS_COMPARE_ROW_INDEX_H
#define RS_COMPARE_ROW_INDEX_H

#include "compare/side.h"

struct rs_side_rows {
	struct rs_side_row *const *at;
	size_t nr;
};

struct rs_row_index {
	struct rs_side_row **rows;  /* those of one text stand together, in the order of texts */
	size_t nr;
	unsigned int key;
};

/* key: its number. False: no memory; the index is empty then. */
bool rs_row_index_init(struct rs_row_index *index, const struct rs_side_view *view, unsigned int key);
void rs_row_index_done(struct rs_row_index *index);
/* Of that text; none: .nr is 0. */
struct rs_side_rows rs_row_index_find(const struct rs_row_index *index, const char *text);
bool rs_row_index_has(const struct rs_row_index *index, const char *text);
/* Those of one text from place `at` on: the next text begins behind them. */
struct rs_side_rows rs_row_index_at(const struct rs_row_index *index, size_t at);

#endif
