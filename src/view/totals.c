// SPDX-License-Identifier: GPL-2.0-or-later
/* totals - sums of the columns with RS_COLUMN_SUM, over rows as they come */
#include "view/totals.h"

void rs_totals_init(struct rs_totals *t, const struct rs_view *view)
{
	*t = (struct rs_totals){ .view = view, .part = -1 };
	for (int i = 0; i < RS_MAX_COLUMNS && view->columns[i].name; i++)
		if (view->columns[i].flags & RS_COLUMN_PART)
			t->part = i;
}

static void totals_add(struct rs_column_total *total, bool is_signed, const struct rs_value *value)
{
	int64_t sum;

	if (!value->known)
		return;
	total->nr++;
	if (is_signed) {
		total->too_large |= __builtin_add_overflow((int64_t)total->sum, value->i, &sum);
		total->sum = (uint64_t)sum;
	} else {
		total->too_large |= __builtin_add_overflow(total->sum, value->u, &total->sum);
	}
}

void rs_totals_add(struct rs_totals *t, const struct rs_value *values)
{
	bool is_part = t->part >= 0 && values[t->part].known;
	struct rs_column_total *totals = is_part ? t->parts : t->wholes;

	t->nr_rows++;
	t->nr_parts += is_part;
	for (unsigned int i = 0; i < RS_MAX_COLUMNS && t->view->columns[i].name; i++)
		if (t->view->columns[i].flags & RS_COLUMN_SUM)
			totals_add(&totals[i], t->view->columns[i].flags & RS_COLUMN_SIGNED, &values[i]);
}

struct rs_value rs_totals_get(const struct rs_totals *t, unsigned int column)
{
	const struct rs_column_total *total = t->nr_parts ? &t->parts[column] : &t->wholes[column];

	if (!(t->view->columns[column].flags & RS_COLUMN_SUM) || total->too_large ||
	    (t->nr_rows && !total->nr))
		return rs_null();
	return rs_u(total->sum);
}
