// SPDX-License-Identifier: GPL-2.0-or-later
/* store-show - shows a group of rows: its cells, or the histogram of its latencies */
#include <inttypes.h>
#include <stdio.h>

#include "engine/internal.h"
#include "engine/store/store-grouping.h"
#include "engine/store/store-table.h"

static uint64_t store_key_of(const struct rs_column *column, const struct rs_group *row)
{
	return column->key == RS_KEY_STACK ? row->stack : row->keys[column->key - RS_KEY_0];
}

bool rs_store_show_key_is_null(const struct rs_column *column, const struct rs_group *row)
{
	return store_key_of(column, row) == (column->key == RS_KEY_STACK ? 0 : RS_KEY_FORGOTTEN);
}

struct rs_value rs_store_show_key(struct rs_ctx *c, const struct rs_column *column,
				      const struct rs_group *row, char *buf)
{
	if (rs_store_show_key_is_null(column, row))
		return rs_null();
	return column->cell ? column->cell(c, row, buf) : rs_u(store_key_of(column, row));
}

/* Its number in the table of who takes the rows, and its text only where that is read, too. */
static struct rs_value store_stack_cell(struct rs_grouping *g, unsigned int i, const struct rs_group *group,
					char *buf)
{
	const struct rs_column *column = &g->view->columns[i];
	bool is_text = g->out->texts >> i & 1;
	struct rs_value value = is_text ? rs_store_show_key(g->c, column, group, buf) : rs_null();

	if (rs_store_show_key_is_null(column, group))
		return value;
	value.stack = rs_stack_names_add(&g->names, g->c, column->stack(g->c, group), g->out->stacks);
	g->no_memory |= g->names.no_memory;
	if (!is_text && value.stack) {
		value.s = "";
		value.known = true;
	}
	return value;
}

static struct rs_value store_cell(struct rs_grouping *g, unsigned int i, const struct rs_group *group,
				  char *buf)
{
	const struct rs_column *column = &g->view->columns[i];

	if (column->key >= RS_KEY_0 && column->stack && g->out->stacks)
		return store_stack_cell(g, i, group, buf);
	if (column->key >= RS_KEY_0)
		return rs_store_show_key(g->c, column, group, buf);
	if (column->cell)
		return column->cell(g->c, group, buf);
	return rs_store_measure_value(column, (const char *)group->row + column->measure_bytes, buf);
}

/* bufs: of each column, and behind them of the names of the control group */
static void store_values(struct rs_grouping *g, const struct rs_store_group *group,
			 struct rs_value *values, char (*bufs)[RS_CELL_TEXT_BYTES])
{
	struct rs_value task[RS_STORE_TASK_COLUMNS];

	rs_store_task_values(&g->by.task, g->c, &group->task, &bufs[RS_MAX_COLUMNS], task);
	for (unsigned int i = 0; g->view->columns[i].name; i++) {
		const struct rs_column *column = &g->view->columns[i];

		if (column->key && column->key <= RS_KEY_POD)
			values[i] = task[column->key - RS_KEY_COMM];
		else if (column->key && !g->by.is_key[i] && !rs_group_is_by(&group->group, column->follows))
			values[i] = rs_null();
		else if (!column->key && g->out->unread >> i & 1)
			values[i] = rs_null();
		else
			values[i] = store_cell(g, i, &group->group, bufs[i]);
		if (g->by.is_unrecorded[i] && !values[i].u)
			values[i] = rs_null();
	}
}

/* "comm = x, pid = 3", "" where all is merged. */
static void store_label(const struct rs_view *view, const struct rs_value *values, char *buf,
			size_t size_bytes)
{
	const char *between = "";
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; view->columns[i].key && len < size_bytes; i++) {
		const struct rs_column *column = &view->columns[i];

		if (!values[i].known)
			continue;
		if (column->type == RS_TYPE_TEXT)
			len += (size_t)snprintf(buf + len, size_bytes - len, "%s%s = %s", between,
						column->name, values[i].s);
		else
			len += (size_t)snprintf(buf + len, size_bytes - len, "%s%s = %" PRIu64, between,
						column->name, values[i].u);
		between = ", ";
	}
}

static void store_show_hist(const struct rs_grouping *g, const struct rs_store_group *group,
			    struct rs_value *values, struct rs_sink *out)
{
	const struct rs_view *view = g->view;
	const struct rs_hist *hist;
	unsigned int at = 0;
	char label[320];

	while (view->columns[at].key)
		at++;
	hist = (const void *)((const char *)group->group.row + (view->measure_bytes ?
									view->measure_bytes(g->query) :
									view->columns[at].measure_bytes));
	if (rs_hist_is_empty(hist))
		return;
	if (view->label)
		view->label(values, label, sizeof label);
	else
		store_label(view, values, label, sizeof label);
	rs_log2_rows(out, values, at, hist, label);
}

void rs_store_show_group(struct rs_grouping *g, const struct rs_store_group *group, struct rs_sink *out)
{
	struct rs_value values[RS_MAX_COLUMNS];
	char bufs[RS_MAX_COLUMNS + RS_STORE_TASK_NAMES][RS_CELL_TEXT_BYTES];

	store_values(g, group, values, bufs);
	if (out->measures)
		out->measures(out, values, group->group.row);
	else if (g->view->kind == RS_VIEW_HIST)
		store_show_hist(g, group, values, out);
	else
		out->row(out, values);
}
