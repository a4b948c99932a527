// SPDX-License-Identifier: GPL-2.0-or-later
/* tail - the last rows of a stream, for requests that come later */
#include "service/tail.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct tail_row {
	struct rs_value *values;
	struct rs_buf text;       /* what their strings point into */
};

/* Strings are put one after the other, and found again when the buffer no longer moves. */
static void tail_store_row(const struct rs_tail *t, struct tail_row *row, const struct rs_value *values)
{
	const char *at;

	memcpy(row->values, values, t->nr_columns * sizeof *values);
	rs_buf_clear(&row->text);
	for (size_t i = 0; i < t->nr_columns; i++)
		if (t->view->columns[i].type == RS_TYPE_TEXT && values[i].known)
			rs_buf_add(&row->text, values[i].s, strlen(values[i].s) + 1);
	at = row->text.data;
	for (size_t i = 0; i < t->nr_columns; i++) {
		if (t->view->columns[i].type != RS_TYPE_TEXT || !values[i].known)
			continue;
		row->values[i].s = row->text.failed ? "" : at;
		at += row->text.failed ? 0 : strlen(at) + 1;
	}
	row->text.failed = false;
}

static void tail_accept_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct rs_tail *t = (struct rs_tail *)(void *)sink;

	if (rs_filter_passes(&t->filter, t->view, values))
		tail_store_row(t, &t->rows[t->nr_came++ % t->nr_rows], values);
	if (t->limit && t->nr_came >= t->limit)
		t->sink.least_ns = 1; /* more than the rows without a latency have: rs_row_is_shown says no */
}

void rs_tail_limit(struct rs_tail *t, uint64_t nr_rows)
{
	t->limit = t->nr_came + nr_rows;
	t->sink.least_ns = 0;
}

struct rs_tail *rs_tail_new(const struct rs_view *view, size_t nr_rows)
{
	struct rs_tail *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	*t = (struct rs_tail){ .sink.row = tail_accept_row, .view = view, .nr_rows = nr_rows };
	rs_filter_default(&t->filter, view);
	while (view->columns[t->nr_columns].name)
		t->nr_columns++;
	t->rows = calloc(nr_rows, sizeof *t->rows);
	t->values = calloc(nr_rows, t->nr_columns * sizeof *t->values);
	if (!t->rows || !t->values) {
		rs_tail_free(t);
		return NULL;
	}
	for (size_t i = 0; i < nr_rows; i++)
		t->rows[i] = (struct tail_row){ .values = t->values + i * t->nr_columns,
						.text = RS_BUF_INIT };
	return t;
}

void rs_tail_free(struct rs_tail *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->rows && i < t->nr_rows; i++)
		rs_buf_done(&t->rows[i].text);
	free(t->rows);
	free(t->values);
	free(t);
}

const struct rs_value *rs_tail_row(const struct rs_tail *t, size_t i)
{
	uint64_t first = t->nr_came > t->nr_rows ? t->nr_came - t->nr_rows : 0;

	return first + i < t->nr_came ? t->rows[(first + i) % t->nr_rows].values : NULL;
}
