/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.h - merges rows of short-lived processes of one name: "true x312"
 *
 *	struct rs_fold *f = rs_fold_new(view, by, life);       // columns: the name, the lifetime
 *	rs_fold_add(f, values);                                // each row
 *	rs_fold_end(f, short_ns, rows);                        // to rows: merged ones and others
 *	... rs_rows_nr_of(rows, i) is the number of rows merged
 */
#ifndef RS_VIEW_FOLD_H
#define RS_VIEW_FOLD_H

#include "view/rows.h"

#define RS_FOLD_LEAST 5    /* fewer rows stay as they are */

struct rs_fold;

/* Columns of the view, of text and of RS_TYPE_DURATION. NULL: no memory. */
struct rs_fold *rs_fold_new(const struct rs_view *view, unsigned int by, unsigned int inst, size_t max_bytes);
void rs_fold_free(struct rs_fold *f);
bool rs_fold_add(struct rs_fold *f, const struct rs_value *values);
/*
 * Merges rows with a lifetime below short_ns where a name has at least RS_FOLD_LEAST of them: the result has the name
 * and the sums of columns that can be summed. False: out of memory.
 */
bool rs_fold_end(struct rs_fold *f, uint64_t short_ns, struct rs_rows *rows);

#endif
