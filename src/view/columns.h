/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - which of a view's columns the user means: --columns, -s, and filters by name
 */
#ifndef RS_VIEW_COLUMNS_H
#define RS_VIEW_COLUMNS_H

#include "base/error.h"
#include "view/expression.h"
#include "view/formatter.h"

/* Columns as indices into a view's, in the order of showing. */
struct rs_columns {
	unsigned int nr;
	uint8_t at[RS_MAX_COLUMNS];
};

#define RS_MAX_SORT_KEYS 4

struct rs_sort_key {
	uint8_t column;
	bool descends;
};

struct rs_sort {
	unsigned int nr;
	struct rs_sort_key keys[RS_MAX_SORT_KEYS];
};

/* How many columns a view has; the printer refuses more than RS_MAX_COLUMNS. */
unsigned int rs_columns_nr(const struct rs_view *view);
/* -1: none of that name. */
int rs_column_named(const struct rs_view *view, const char *name);
/* One of those that text shows where nobody chose. */
bool rs_column_is_default(const struct rs_view *view, const char *name);
/* The column that a misspelt name most likely meant; of a heading, which is what people see, its. NULL: none. */
const char *rs_column_near(const struct rs_view *view, const char *word);
/* -1: none. */
int rs_column_of_latency(const struct rs_view *view);

/* list: "comm,pid"; NULL: all. */
int rs_columns_parse(const struct rs_view *view, const char *list, struct rs_columns *columns,
		     struct rs_error *err);

/* One bit for each column that the row knows. */
uint32_t rs_columns_known(const struct rs_view *view, const struct rs_value *values);
/* Takes out those that are shown by default only where they are known (RS_COLUMN_IF_KNOWN), and are not in `known`. */
void rs_columns_drop_unknown(const struct rs_view *view, uint32_t known, struct rs_columns *columns);
/* list: "-total_ns,comm"; NULL: none. */
int rs_columns_parse_sort(const struct rs_view *view, const char *list, struct rs_sort *sort,
			  struct rs_error *err);

/* What -m, --dev, --type, --syscall, -x and --where leave of the rows. */
struct rs_filter {
	int latency, error;        /* columns, -1: not filtered by */
	uint64_t min_ns;
	unsigned int nr_globs;
	struct {
		unsigned int column;
		const char *pattern;
	} globs[3];
	struct rs_expression where;
};

static inline bool rs_filter_refuses(const struct rs_filter *f)
{
	return f->latency >= 0 || f->error >= 0 || f->nr_globs || f->where.nr_nodes;
}
int rs_filter_init(struct rs_filter *f, const struct rs_view *view, const struct rs_formatter_options *opt,
		   struct rs_error *err);
/* What holds where nobody asked for anything: the view's default_min_ns. */
void rs_filter_default(struct rs_filter *f, const struct rs_view *view);
bool rs_filter_passes(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values);
/* The first column whose pattern does not fit; -1: they all do. */
int rs_filter_refusing(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values);

#endif
