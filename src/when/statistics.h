/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - a histogram as a row: its keys, how many there were, their quantiles */
#ifndef RS_WHEN_STATISTICS_H
#define RS_WHEN_STATISTICS_H

#include "ringside/hist.h"
#include "ringside/table.h"

/* The columns of such rows, which end with a NULL name; the caller frees them. NULL: no memory. */
struct rs_column *rs_statistics_columns(const struct rs_view *hist);
/*
 * Fills the row from a group's: keys, the first nr_keys values. Those of a column whose bit is not in used
 * are null, for quantiles cost.
 */
void rs_statistics_fill(const struct rs_view *hist, const struct rs_value *group, const struct rs_hist *of,
			uint64_t used, struct rs_value *row);

#endif
