/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - which columns of a view the user named: --columns, -s, and filters by name
 */
#ifndef RS_VIEW_COLUMNS_H
#define RS_VIEW_COLUMNS_H

#include "base/error.h"
#include "view/expression.h"
#include "view/formatter.h"

/* Columns as indices into the view's, in display order. */
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
/* -1: no column of that name. */
int rs_column_named(const struct rs_view *view, const char *name);
/* True if text shows it without --columns. */
bool rs_column_is_default(const struct rs_view *view, const char *name);
#define RS_COLUMN_UNKNOWN_BYTES 320
/* Writes "sched has no column 'p99' (did you mean ...?)"; returns text. */
const char *rs_column_unknown(const struct rs_view *view, const char *name, size_t len,
			      char text[RS_COLUMN_UNKNOWN_BYTES]);
/* -1: none. */
int rs_column_of_latency(const struct rs_view *view);

/* list: "comm,pid"; NULL: all but those of RS_COLUMN_ON_REQUEST. */
int rs_columns_parse(const struct rs_view *view, const char *list, struct rs_columns *columns,
		     struct rs_error *err);

/* Puts the keys of by ("comm,cgroup") that are not among the columns before them. by NULL: none. */
void rs_columns_add_keys(const struct rs_view *view, const char *by, struct rs_columns *columns);

/* One bit for each column that the row knows. */
uint64_t rs_columns_known(const struct rs_view *view, const struct rs_value *values);
/* Removes columns with the flag that are not in `known`. */
void rs_columns_drop(const struct rs_view *view, unsigned int flags, uint64_t known,
		     struct rs_columns *columns);
/* list: "-total_ns,comm"; NULL: none. */
int rs_columns_parse_sort(const struct rs_view *view, const char *list, struct rs_sort *sort,
			  struct rs_error *err);

/* Which rows the options show: all terms but those that a store judges (rs_column_merges), and --where. */
struct rs_filter {
	struct rs_terms terms;
	bool has_patterns;         /* also where the store judges them */
	bool has_least;            /* -m is among them, as: */
	uint64_t least_ns;
	struct rs_expression where;
};

static inline bool rs_filter_refuses(const struct rs_filter *f)
{
	return f->terms.nr || f->where.nr_nodes;
}
int rs_filter_init(struct rs_filter *f, const struct rs_view *view, const struct rs_formatter_options *opt,
		   struct rs_error *err);
/* The filter without options: the view's default_min_ns. */
void rs_filter_default(struct rs_filter *f, const struct rs_view *view);
bool rs_filter_passes(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values);
/* One bit for each column that it reads. */
uint64_t rs_filter_columns(const struct rs_filter *f, const struct rs_view *view);
/* The first column whose pattern does not match; -1: all match. */
int rs_filter_refusing(const struct rs_filter *f, const struct rs_view *view, const struct rs_value *values);

#endif
