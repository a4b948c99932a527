// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/units.h"
#include "view/columns.h"

static void add_glob(struct rs_filter *f, const struct rs_view *view, const char *name, const char *pattern)
{
	int column = pattern ? rs_column_named(view, name) : -1;

	if (column < 0)
		return;
	f->globs[f->nr_globs].column = (unsigned int)column;
	f->globs[f->nr_globs++].pattern = pattern;
}

void rs_filter_default(struct rs_filter *f, const struct rs_view *view)
{
	struct rs_error none = { 0 };

	rs_filter_init(f, view, &(struct rs_formatter_options){ 0 }, &none);
}

int rs_filter_init(struct rs_filter *f, const struct rs_view *view, const struct rs_formatter_options *opt,
		   struct rs_error *err)
{
	*f = (struct rs_filter){ .latency = -1, .error = -1 };
	if (opt->min_known || view->default_min_ns) {
		f->min_ns = opt->min_known ? opt->min_ns : view->default_min_ns;
		f->latency = rs_column_of_latency(view);
	}
	if (opt->failed_only)
		f->error = rs_column_named(view, "errno");
	add_glob(f, view, "dev", opt->dev);
	add_glob(f, view, "type", opt->type);
	add_glob(f, view, "syscall", opt->syscall);
	return opt->where ? rs_expression_parse(&f->where, view, "--where", opt->where, err) : 0;
}

static bool filter_matches(const struct rs_column *column, const struct rs_value *value, const char *pattern)
{
	char number[RS_UNIT_TEXT + 1];

	/* a null key means that rows were merged: the view has filtered what went in */
	if (!value->known)
		return column->flags & RS_COLUMN_KEY;
	if (column->type == RS_TYPE_TEXT)
		return rs_pattern_matches(pattern, value->s);
	number[rs_units_put_u64(number, value->u)] = '\0';
	return rs_pattern_matches(pattern, number);
}

/* An unknown latency never passes -m. */
static bool is_long(const struct rs_column *column, const struct rs_value *value, uint64_t min_ns)
{
	return value->known && (!(column->flags & RS_COLUMN_SIGNED) || value->i >= 0) && value->u >= min_ns;
}

int rs_filter_refusing(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values)
{
	for (unsigned int i = 0; i < f->nr_globs; i++)
		if (!filter_matches(&view->columns[f->globs[i].column], &values[f->globs[i].column], f->globs[i].pattern))
			return (int)f->globs[i].column;
	return -1;
}

bool rs_filter_passes(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values)
{
	if (f->latency >= 0 && !is_long(&view->columns[f->latency], &values[f->latency], f->min_ns))
		return false;
	if (f->error >= 0 && !values[f->error].known)
		return false;
	if (rs_filter_refusing(f, view, values) >= 0)
		return false;
	return rs_expression_passes(&f->where, values);
}
