// SPDX-License-Identifier: GPL-2.0-or-later
/* filter - which rows of a view are shown: by terms, by a least latency, by --where */
#include "view/columns.h"

static void filter_add(struct rs_filter *f, const struct rs_term *term)
{
	f->has_patterns |= term->patterns != NULL;
	if (rs_column_merges(term->column) || f->terms.nr == RS_MAX_TERMS)
		return;
	if (term->column->flags & RS_COLUMN_LATENCY) {
		f->has_least = true;
		f->least_ns = term->least;
	}
	f->terms.at[f->terms.nr++] = *term;
}

void rs_filter_default(struct rs_filter *f, const struct rs_view *view)
{
	struct rs_error none = { 0 };

	rs_filter_init(f, view, &(struct rs_formatter_options){ 0 }, &none);
}

int rs_filter_init(struct rs_filter *f, const struct rs_view *view, const struct rs_formatter_options *opt,
		   struct rs_error *err)
{
	int latency = rs_column_of_latency(view);

	*f = (struct rs_filter){ .least_ns = 0 };
	for (unsigned int i = 0; opt->terms && i < opt->terms->nr; i++)
		filter_add(f, &opt->terms->at[i]);
	if (latency >= 0 && view->default_min_ns && !f->has_least)
		filter_add(f, &(struct rs_term){ &view->columns[latency], NULL, view->default_min_ns });
	return opt->where ? rs_expression_parse(&f->where, view, "--where", opt->where, err) : 0;
}

static bool filter_term_holds(const struct rs_term *term, const struct rs_view *view,
			      const struct rs_value *values)
{
	return rs_term_holds(term, values[term->column - view->columns]);
}

int rs_filter_refusing(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values)
{
	for (unsigned int i = 0; i < f->terms.nr; i++)
		if (f->terms.at[i].patterns && !filter_term_holds(&f->terms.at[i], view, values))
			return (int)(f->terms.at[i].column - view->columns);
	return -1;
}

uint64_t rs_filter_columns(const struct rs_filter *f, const struct rs_view *view)
{
	uint64_t columns = f->where.nr_nodes ? f->where.used : 0;

	for (unsigned int i = 0; i < f->terms.nr; i++)
		columns |= 1ull << (f->terms.at[i].column - view->columns);
	return columns;
}

bool rs_filter_passes(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values)
{
	for (unsigned int i = 0; i < f->terms.nr; i++)
		if (!filter_term_holds(&f->terms.at[i], view, values))
			return false;
	return rs_expression_passes(&f->where, values);
}
