/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals.h - sums of the columns with RS_COLUMN_SUM, over rows as they come
 *
 *	rs_totals_init(&t, view);
 *	rs_totals_add(&t, values);                  // each row that is shown, or would be without a limit
 *	struct rs_value sum = rs_totals_get(&t, i); // null if no row knows column i, or it has no sum
 *
 * Some views have rows that sum up other rows (RS_COLUMN_PART): those are skipped if the others
 * are present. Unknown values are not in the sum.
 */
#ifndef RS_VIEW_TOTALS_H
#define RS_VIEW_TOTALS_H

#include "ringside/table.h"

/* The total of whole rows, or of parts. */
struct rs_column_total {
	uint64_t sum;          /* SIGNED: two's complement */
	uint64_t nr;           /* rows in which it is known */
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
/* 0 without rows; null also if the sum exceeds 64 bits. */
struct rs_value rs_totals_get(const struct rs_totals *t, unsigned int column);

#endif
