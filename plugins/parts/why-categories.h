/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why-categories.h - the time of threads by its categories, side by side: the view waterfall */
#ifndef RS_PLUGINS_PARTS_WHY_CATEGORIES_H
#define RS_PLUGINS_PARTS_WHY_CATEGORIES_H

#include "ringside/plugin.h"

/* A column of the view waterfall each. */
struct rs_why_categories {
	uint64_t ns[RS_NR_CATEGORIES];
};

/* Of a view whose rows are struct rs_why_categories. */
extern const struct rs_column rs_why_categories_columns[];

/* of: NULL: there was no memory for the row. */
void rs_why_categories_add(struct rs_why_categories *of, const struct rs_culprit *k);

#endif
