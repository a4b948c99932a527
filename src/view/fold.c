// SPDX-License-Identifier: GPL-2.0-or-later
/* fold.c - collects all rows, sorted by name, so that rows of one name are adjacent */
#include "view/fold.h"

#include <stdlib.h>
#include <string.h>

#include "view/totals.h"

struct rs_fold {
	const struct rs_view *view;
	unsigned int by, inst;
	struct rs_rows *all;
};

struct rs_fold *rs_fold_new(const struct rs_view *view, unsigned int by, unsigned int inst, size_t max_bytes)
{
	const struct rs_sort sort = { .nr = 1, .keys = { { (uint8_t)by, false } } };
	struct rs_fold *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->view = view;
	f->by = by;
	f->inst = inst;
	f->all = rs_rows_new(view, &sort, 0, max_bytes);
	if (f->all)
		return f;
	free(f);
	return NULL;
}

void rs_fold_free(struct rs_fold *f)
{
	if (!f)
		return;
	rs_rows_free(f->all);
	free(f);
}

bool rs_fold_add(struct rs_fold *f, const struct rs_value *values)
{
	return rs_rows_add(f->all, values);
}

static bool is_short(const struct rs_fold *f, const struct rs_value *row, uint64_t short_ns)
{
	return row[f->by].known && row[f->inst].known && row[f->inst].u < short_ns;
}

static bool fold_add_sums(const struct rs_fold *f, const struct rs_totals *sums, const char *name, uint64_t nr, struct rs_rows *rows)
{
	struct rs_value row[RS_MAX_COLUMNS];

	for (unsigned int i = 0; f->view->columns[i].name; i++)
		row[i] = f->view->columns[i].flags & RS_COLUMN_SUM ? rs_totals_get(sums, i) : rs_null();
	row[f->by] = rs_s(name);
	return rs_rows_add_of(rows, row, nr);
}

/* Rows from `from` on, before `to`, are of one name. */
static bool fold_name(const struct rs_fold *f, size_t from, size_t to, uint64_t short_ns, struct rs_rows *rows)
{
	struct rs_totals sums;
	uint64_t nr = 0;
	bool folds;

	for (size_t i = from; i < to; i++)
		nr += is_short(f, rs_rows_get(f->all, i), short_ns);
	folds = nr >= RS_FOLD_LEAST;
	rs_totals_init(&sums, f->view);
	for (size_t i = from; i < to; i++) {
		const struct rs_value *row = rs_rows_get(f->all, i);

		if (folds && is_short(f, row, short_ns))
			rs_totals_add(&sums, row);
		else if (!rs_rows_add(rows, row))
			return false;
	}
	return !folds || fold_add_sums(f, &sums, rs_rows_get(f->all, from)[f->by].s, nr, rows);
}

static bool is_same(const struct rs_value *a, const struct rs_value *b)
{
	return a->known && b->known && !strcmp(a->s, b->s);
}

bool rs_fold_end(struct rs_fold *f, uint64_t short_ns, struct rs_rows *rows)
{
	size_t nr = rs_rows_sort(f->all), to;

	for (size_t from = 0; from < nr; from = to) {
		for (to = from + 1; to < nr && is_same(&rs_rows_get(f->all, from)[f->by], &rs_rows_get(f->all, to)[f->by]); to++)
			;
		if (!fold_name(f, from, to, short_ns, rows))
			return false;
	}
	return true;
}
