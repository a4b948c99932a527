// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rows.c - a heap with the row that sorts last at its root: a row that is not among the
 * first is refused by one comparison and never copied
 */
#include "view/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/vector.h"
#include "model/named-stacks.h"
#include "view/totals.h"

struct rows_row {
	uint64_t seq;             /* order of arrival: makes the sort stable */
	uint64_t nr;              /* rows merged into it */
	size_t bytes;
	struct rs_value values[]; /* then the strings' bytes */
};

struct rs_rows {
	const struct rs_view *view;
	const struct rs_named_stacks *stacks;
	struct rs_sort sort;
	unsigned int nr_columns;
	bool newest_first, breaks_ties;
	size_t limit, max_bytes, bytes;
	uint64_t nr_added, nr_dropped;
	struct rows_row **heap;
	size_t nr, size;
};

struct rs_rows *rs_rows_new(const struct rs_view *view, const struct rs_sort *sort, size_t limit,
			    size_t max_bytes)
{
	struct rs_rows *rows = calloc(1, sizeof *rows);

	if (!rows)
		return NULL;
	rows->view = view;
	rows->sort = *sort;
	rows->nr_columns = rs_columns_nr(view);
	rows->limit = limit ? limit : SIZE_MAX;
	rows->max_bytes = max_bytes;
	rows->breaks_ties = sort->nr && view->kind == RS_VIEW_TABLE;
	return rows;
}

void rs_rows_set_stacks(struct rs_rows *rows, const struct rs_named_stacks *stacks)
{
	rows->stacks = stacks;
}

void rs_rows_newest_first(struct rs_rows *rows)
{
	rows->newest_first = true;
}

void rs_rows_clear(struct rs_rows *rows)
{
	while (rows->nr)
		free(rows->heap[--rows->nr]);
	rows->bytes = 0;
	rows->nr_added = rows->nr_dropped = 0;
}

void rs_rows_free(struct rs_rows *rows)
{
	if (!rows)
		return;
	rs_rows_clear(rows);
	free(rows->heap);
	free(rows);
}

/* ---- order ---- */

static int compare_texts(const struct rs_rows *rows, const struct rs_column *c, const struct rs_value *a,
			 const struct rs_value *b)
{
	return a->stack ? rs_named_stacks_compare(rows->stacks, a->stack, b->stack, c->of_modules) :
			  strcmp(a->s, b->s);
}

static int compare_values(const struct rs_rows *rows, const struct rs_column *c, const struct rs_value *a,
			  const struct rs_value *b)
{
	if (c->type == RS_TYPE_TEXT)
		return compare_texts(rows, c, a, b);
	if (c->flags & RS_COLUMN_SIGNED)
		return (a->i > b->i) - (a->i < b->i);
	return (a->u > b->u) - (a->u < b->u);
}

/* Null sorts last, ascending or descending. */
static int rows_compare_column(const struct rs_rows *rows, const struct rs_sort_key *key,
			       const struct rs_value *a, const struct rs_value *b)
{
	const struct rs_value *va = &a[key->column], *vb = &b[key->column];

	if (!va->known || !vb->known)
		return vb->known - va->known;
	return compare_values(rows, &rows->view->columns[key->column], va, vb) * (key->descends ? -1 : 1);
}

/*
 * Equal rows of a sorted table are ordered by their keys, not by where an analysis stores them. Null comes
 * first: a row that sums up others is above them.
 */
static int rows_compare_keys(const struct rs_rows *rows, const struct rs_value *a, const struct rs_value *b)
{
	int order = 0;

	for (unsigned int i = 0;
	     !order && rows->breaks_ties && !rows->view->keeps_order && i < rows->nr_columns; i++)
		if (!(rows->view->columns[i].flags & RS_COLUMN_KEY) && !rows->view->columns[i].key)
			continue;
		else if (a[i].known && b[i].known)
			order = compare_values(rows, &rows->view->columns[i], &a[i], &b[i]);
		else
			order = a[i].known - b[i].known;
	return order;
}

/* Less than 0: a comes before b. Never 0 for two rows. */
static int rows_compare(const struct rs_rows *rows, const struct rs_value *a, uint64_t seq_a,
			const struct rs_value *b, uint64_t seq_b)
{
	int order = 0;

	for (unsigned int i = 0; !order && i < rows->sort.nr; i++)
		order = rows_compare_column(rows, &rows->sort.keys[i], a, b);
	if (!order)
		order = rows_compare_keys(rows, a, b);
	if (order)
		return order;
	return (seq_a < seq_b) != rows->newest_first ? -1 : 1;
}

/* ---- the heap: its first row comes after all others ---- */

static bool rows_comes_after(const void *a, const void *b, const void *rows)
{
	const struct rows_row *x = *(struct rows_row *const *)a, *y = *(struct rows_row *const *)b;

	return rows_compare(rows, x->values, x->seq, y->values, y->seq) > 0;
}

static void rows_drop_last(struct rs_rows *rows)
{
	struct rows_row *last = rows->heap[0];

	rows->heap[0] = rows->heap[--rows->nr];
	RS_HEAP_DOWN(rows->heap, rows->nr, rows_comes_after, rows);
	rows->bytes -= last->bytes;
	free(last);
}

/* ---- rows ---- */

static bool rows_is_text(const struct rs_rows *rows, unsigned int column, const struct rs_value *value)
{
	return rows->view->columns[column].type == RS_TYPE_TEXT && value->known;
}

static struct rows_row *rows_copy_row(const struct rs_rows *rows, const struct rs_value *values)
{
	size_t values_bytes = rows->nr_columns * sizeof *values,
	bytes = sizeof(struct rows_row) + values_bytes;
	struct rows_row *row;
	char *text;

	for (unsigned int i = 0; i < rows->nr_columns; i++)
		if (rows_is_text(rows, i, &values[i]))
			bytes += strlen(values[i].s) + 1;
	row = malloc(bytes);
	if (!row)
		return NULL;
	row->bytes = bytes;
	memcpy(row->values, values, values_bytes);
	text = (char *)(row->values + rows->nr_columns);
	for (unsigned int i = 0; i < rows->nr_columns; i++) {
		if (!rows_is_text(rows, i, &values[i]))
			continue;
		row->values[i].s = text;
		text = stpcpy(text, values[i].s) + 1;
	}
	return row;
}

static bool rows_add_of(struct rs_rows *rows, const struct rs_value *values, uint64_t nr)
{
	uint64_t seq = rows->nr_added++;
	struct rows_row *row;

	if (rows->nr == rows->limit) {
		if (rows_compare(rows, values, seq, rows->heap[0]->values, rows->heap[0]->seq) > 0)
			return true;
		rows_drop_last(rows);
	}
	if (!RS_VECTOR_RESERVE(&rows->heap, &rows->size, rows->nr + 1))
		return false;
	row = rows_copy_row(rows, values);
	if (!row)
		return false;
	row->seq = seq;
	row->nr = nr;
	rows->heap[rows->nr++] = row;
	rows->bytes += row->bytes;
	RS_HEAP_UP(rows->heap, rows->nr, rows_comes_after, rows);
	while (rows->bytes > rows->max_bytes && rows->nr > 1) {
		rows_drop_last(rows);
		rows->nr_dropped++;
	}
	return true;
}

bool rs_rows_add(struct rs_rows *rows, const struct rs_value *values)
{
	return rows_add_of(rows, values, 1);
}

uint64_t rs_rows_least(const struct rs_rows *rows, unsigned int column)
{
	const struct rs_sort_key *key = rows->sort.keys;
	const struct rs_value *last;

	if (!rows->sort.nr || key->column != column || !key->descends || rows->nr < rows->limit)
		return 0;
	last = &rows->heap[0]->values[column];
	/* an equal one came later: it is refused too, unless other columns decide */
	return last->known && last->u < UINT64_MAX ? last->u + (rows->sort.nr == 1 && !rows->breaks_ties) : 0;
}

static int last_first(const void *a, const void *b, void *arg)
{
	const struct rows_row *ra = *(struct rows_row *const *)a, *rb = *(struct rows_row *const *)b;

	return rows_compare(arg, rb->values, rb->seq, ra->values, ra->seq);
}

/* Sorted backwards it is still a heap: more rows may be added. */
size_t rs_rows_sort(struct rs_rows *rows)
{
	if (rows->nr > 1)
		qsort_r(rows->heap, rows->nr, sizeof(*rows->heap), last_first, rows);
	return rows->nr;
}

const struct rs_value *rs_rows_get(const struct rs_rows *rows, size_t i)
{
	return rows->heap[rows->nr - 1 - i]->values;
}

uint64_t rs_rows_nr_of(const struct rs_rows *rows, size_t i)
{
	return rows->heap[rows->nr - 1 - i]->nr;
}

uint64_t rs_rows_nr_added(const struct rs_rows *rows)
{
	return rows->nr_added;
}

uint64_t rs_rows_nr_dropped(const struct rs_rows *rows)
{
	return rows->nr_dropped;
}

/* ---- folding rows of one name ---- */

static bool fold_add_sums(const struct rs_rows *from, size_t begin, size_t end, unsigned int name,
			  struct rs_rows *to)
{
	const struct rs_column *columns = from->view->columns;
	struct rs_value row[RS_MAX_COLUMNS];
	struct rs_totals sums;

	rs_totals_init(&sums, from->view);
	for (size_t i = begin; i < end; i++)
		rs_totals_add(&sums, rs_rows_get(from, i));
	for (unsigned int i = 0; i < from->nr_columns; i++)
		row[i] = columns[i].flags & RS_COLUMN_SUM ? rs_totals_get(&sums, i) : rs_null();
	row[name] = rs_rows_get(from, begin)[name];
	return rows_add_of(to, row, end - begin);
}

/* Rows from `begin` on, before `end`, have one name. An unknown name is one of its own. */
static bool fold_name(const struct rs_rows *from, size_t begin, size_t end, unsigned int name,
		      struct rs_rows *to)
{
	if (end - begin >= RS_ROWS_FOLD_LEAST)
		return fold_add_sums(from, begin, end, name, to);
	for (size_t i = begin; i < end; i++)
		if (!rs_rows_add(to, rs_rows_get(from, i)))
			return false;
	return true;
}

bool rs_rows_fold(struct rs_rows *from, struct rs_rows *to)
{
	unsigned int column = from->sort.keys->column;
	size_t nr = rs_rows_sort(from), end;

	for (size_t begin = 0; begin < nr; begin = end) {
		const struct rs_value *name = &rs_rows_get(from, begin)[column], *next;

		for (end = begin + 1; end < nr; end++) {
			next = &rs_rows_get(from, end)[column];
			if (!name->known || !next->known || strcmp(name->s, next->s) != 0)
				break;
		}
		if (!fold_name(from, begin, end, column, to))
			return false;
	}
	return true;
}
