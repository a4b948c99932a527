/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - rows that are stored, sorted and limited
 *
 *	struct rs_rows *rows = rs_rows_new(view, &sort, 10);   // the first ten by that order
 *	rs_rows_add(rows, values);                             // copies, strings too
 *	for (size_t i = 0; i < rs_rows_sort(rows); i++)
 *		use(rs_rows_get(rows, i));
 *	rs_rows_free(rows);
 *
 * Memory is bounded by the limit, and without one by RS_ROWS_BYTES: the rows that
 * sort last are dropped first, and counted. Nulls sort last, ascending or descending;
 * equal rows stay in the order of arrival.
 */
#ifndef RS_VIEW_ROWS_H
#define RS_VIEW_ROWS_H

#include "view/columns.h"

#define RS_ROWS_BYTES (256u << 20)

struct rs_rows;

/* limit 0: none. NULL: no memory. */
struct rs_rows *rs_rows_new(const struct rs_view *view, const struct rs_sort *sort, size_t limit,
			    size_t max_bytes);
void rs_rows_free(struct rs_rows *rows);
/* Call before a row: values have numbers of stacks in it, which sort as their texts. May be NULL. */
void rs_rows_set_stacks(struct rs_rows *rows, const struct rs_named_stacks *stacks);
/* Call before the first row: equal rows, or all without an order, are returned newest first. */
void rs_rows_newest_first(struct rs_rows *rows);
void rs_rows_clear(struct rs_rows *rows);
/* False: out of memory, the row is not stored. */
bool rs_rows_add(struct rs_rows *rows, const struct rs_value *values);
/* A row with a smaller value in this column, and not null, would be refused; 0 if the order does not tell. */
uint64_t rs_rows_least(const struct rs_rows *rows, unsigned int column);
/* Sorts; returns how many rows are stored. The order holds until the next rs_rows_add. */
size_t rs_rows_sort(struct rs_rows *rows);
const struct rs_value *rs_rows_get(const struct rs_rows *rows, size_t i);
uint64_t rs_rows_nr_added(const struct rs_rows *rows);
/* Rows dropped for max_bytes; those beyond the limit are not counted. */
uint64_t rs_rows_nr_dropped(const struct rs_rows *rows);

#define RS_ROWS_FOLD_LEAST 4 /* fewer rows of one name stay as they are */

/*
 * Adds to `to` the rows of `from`, which are in the order of one column of text, a name: those of one name as
 * one row, "true x312", with the name and the sums of columns that can be summed, if there are at least
 * RS_ROWS_FOLD_LEAST of them. False: out of memory.
 */
bool rs_rows_fold(struct rs_rows *from, struct rs_rows *to);
/* How many rows were folded into this one; 1: it is one of `from`. */
uint64_t rs_rows_nr_of(const struct rs_rows *rows, size_t i);

#endif
