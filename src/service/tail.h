/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tail.h - the last rows of a stream, for requests that come later
 *
 * A sink: each row takes the place of the oldest one, in memory that stays.
 */
#ifndef RS_SERVICE_TAIL_H
#define RS_SERVICE_TAIL_H

#include "view/columns.h"

struct rs_tail {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	struct rs_filter filter;  /* what the view leaves out by default */
	size_t nr_columns, nr_rows;
	uint64_t nr_came;         /* rows that ever came */
	uint64_t limit;           /* of nr_came: beyond it the sink refuses rows; 0: none */
	struct tail_row *rows;
	struct rs_value *values;  /* of all rows */
};

struct rs_tail *rs_tail_new(const struct rs_view *view, size_t nr_rows); /* NULL: no memory */
void rs_tail_free(struct rs_tail *t);
/*
 * After so many more rows the sink says that it wants none, until this is called again: of a stream of every
 * event a second's first rows cost little, all of them more than the machine may have. For rows without a
 * latency.
 */
void rs_tail_limit(struct rs_tail *t, uint64_t nr_rows);
/* The i-th of those kept, the oldest first; NULL: no more. Valid until the next row. */
const struct rs_value *rs_tail_row(const struct rs_tail *t, size_t i);

#endif
