/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - the sums of the columns that have RS_COLUMN_SUM, over rows as they come
 *
 *	rs_totals_init(&t, view);
 *	rs_totals_add(&t, values);                  // each row that is shown, or would be but for a limit
 *	struct rs_value sum = rs_totals_get(&t, i); // null where no row knows column i, or it has no sum
 *
 * Some views have rows that sum up others among them (RS_COLUMN_PART): those are left out where the others
 * are there. What is not known in some rows is not in the sum: nr_unknown says of how many rows that is.
 */
#ifndef RS_VIEW_TOTALS_H
#define RS_VIEW_TOTALS_H

#include "ringside/table.h"

/* Of one kind of rows, whole or parts. */
struct rs_column_total {
	uint64_t sum;          /* SIGNED: two's complement */
	uint64_t nr;           /* rows where it is known */
	bool too_large;
};

struct rs_totals {
	const struct rs_view *view;
	int part;              /* the column of RS_COLUMN_PART; -1 none */
	uint64_t nr_rows, nr_parts;
	struct rs_column_total wholes[RS_MAX_COLUMNS], parts[RS_MAX_COLUMNS];
};

void rs_totals_init(struct rs_totals *t, const struct rs_view *view);
void rs_totals_add(struct rs_totals *t, const struct rs_value *values);
/* Of no rows 0; null also where the sum is beyond 64 bits. */
struct rs_value rs_totals_get(const struct rs_totals *t, unsigned int column);

#endif
