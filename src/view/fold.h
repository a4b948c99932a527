/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - rows of short-lived processes of one name become one: "true", of 312
 *
 *	struct rs_fold *f = rs_fold_new(view, by, life);       // columns: the name, how long it was there
 *	rs_fold_add(f, values);                                // each row
 *	rs_fold_end(f, short_ns, rows);                        // to rows: folded, and those that are not
 *	... rs_rows_nr_of(rows, i) says how many are in a row
 */
#ifndef RS_VIEW_FOLD_H
#define RS_VIEW_FOLD_H

#include "view/rows.h"

#define RS_FOLD_LEAST 5    /* fewer are rows of their own */

struct rs_fold;

/* Columns of the view, of text and of RS_TYPE_DURATION. NULL: no memory. */
struct rs_fold *rs_fold_new(const struct rs_view *view, unsigned int by, unsigned int inst, size_t max_bytes);
void rs_fold_free(struct rs_fold *f);
bool rs_fold_add(struct rs_fold *f, const struct rs_value *values);
/*
 * Rows with less than short_ns in the life's column, RS_FOLD_LEAST or more of a name, go into one: its name, the sums of
 * what can be summed, and nothing else. False: no memory for all of them.
 */
bool rs_fold_end(struct rs_fold *f, uint64_t short_ns, struct rs_rows *rows);

#endif
