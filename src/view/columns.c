// SPDX-License-Identifier: GPL-2.0-or-later
/* columns - which columns of a view the user named: --columns, -s, and filters by name */
#include "view/columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/comma-list.h"
#include "base/escape.h"
#include "base/nearest.h"

unsigned int rs_columns_nr(const struct rs_view *view)
{
	unsigned int nr = 0;

	while (view->columns[nr].name)
		nr++;
	return nr;
}

static int columns_find(const struct rs_view *view, const char *name, size_t len)
{
	for (int i = 0; view->columns[i].name; i++)
		if (!strncmp(view->columns[i].name, name, len) && !view->columns[i].name[len])
			return i;
	return -1;
}

int rs_column_named(const struct rs_view *view, const char *name)
{
	return columns_find(view, name, strlen(name));
}

int rs_column_of_latency(const struct rs_view *view)
{
	for (int i = 0; view->columns[i].name; i++)
		if (view->columns[i].flags & RS_COLUMN_LATENCY)
			return i;
	return -1;
}

/* The column that a misspelt name, or a heading, most likely means. NULL: none. */
static const char *columns_near(const struct rs_view *view, const char *word)
{
	const char *names[RS_MAX_COLUMNS + 1] = { NULL }, *near;

	for (unsigned int i = 0; i < RS_MAX_COLUMNS && view->columns[i].name; i++) {
		names[i] = view->columns[i].name;
		if (view->columns[i].heading && !strcasecmp(view->columns[i].heading, word))
			return names[i];
	}
	near = rs_nearest(word, names);
	/* "p99", which several columns may contain */
	for (unsigned int i = 0; !near && names[i] && strlen(word) >= 3; i++)
		near = strcasestr(names[i], word) ? names[i] : NULL;
	return near;
}

const char *rs_column_unknown(const struct rs_view *view, const char *name, size_t len,
			      char text[RS_COLUMN_UNKNOWN_BYTES])
{
	char word[41];
	const char *near;

	snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
	near = columns_near(view, word);
	snprintf(text, RS_COLUMN_UNKNOWN_BYTES, "%.100s has no column '%s' (%s%.100s%s)", view->name, word,
		 near ? "did you mean '" : "", near ? near : "--columns help lists them", near ? "'?" : "");
	return text;
}

int rs_columns_parse(const struct rs_view *view, const char *list, struct rs_columns *columns,
		     struct rs_error *err)
{
	char unknown[RS_COLUMN_UNKNOWN_BYTES];
	uint64_t seen = 0;

	columns->nr = 0;
	for (unsigned int i = 0; !list && view->columns[i].name; i++)
		if (!(view->columns[i].flags & RS_COLUMN_ON_REQUEST))
			columns->at[columns->nr++] = i;
	for (const char *name = list, *end; name; name = *end ? end + 1 : NULL) {
		int column;

		end = strchrnul(name, ',');
		column = columns_find(view, name, end - name);
		if (column < 0)
			return rs_fail_usage(err, "--columns: %s",
					     rs_column_unknown(view, name, (size_t)(end - name), unknown));
		/* readers disagree on a key that occurs twice in a JSON object */
		if (seen >> column & 1)
			return rs_fail_usage(err, "--columns: '%s' is there twice",
					     view->columns[column].name);
		seen |= 1ull << column;
		columns->at[columns->nr++] = column;
	}
	return 0;
}

static bool columns_has(const struct rs_columns *columns, int column)
{
	for (unsigned int i = 0; i < columns->nr; i++)
		if (columns->at[i] == column)
			return true;
	return false;
}

void rs_columns_add_keys(const struct rs_view *view, const char *by, struct rs_columns *columns)
{
	unsigned int nr = 0;

	for (const char *name = by, *end; name && *name; name = *end ? end + 1 : NULL) {
		int column;

		end = strchrnul(name, ',');
		column = columns_find(view, name, end - name);
		if (column < 0 || !(view->columns[column].flags & RS_COLUMN_KEY) ||
		    columns_has(columns, column) || columns->nr == RS_MAX_COLUMNS)
			continue;
		memmove(&columns->at[nr + 1], &columns->at[nr], columns->nr++ - nr);
		columns->at[nr++] = column;
	}
}

uint64_t rs_columns_known(const struct rs_view *view, const struct rs_value *values)
{
	uint64_t known = 0;

	for (unsigned int i = 0; view->columns[i].name; i++)
		known |= (uint64_t)values[i].known << i;
	return known;
}

void rs_columns_drop(const struct rs_view *view, unsigned int flags, uint64_t known,
		     struct rs_columns *columns)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < columns->nr; i++) {
		uint8_t at = columns->at[i];

		if (!(view->columns[at].flags & flags) || known >> at & 1)
			columns->at[nr++] = at;
	}
	columns->nr = nr;
}

int rs_columns_parse_sort(const struct rs_view *view, const char *list, struct rs_sort *sort,
			  struct rs_error *err)
{
	char unknown[RS_COLUMN_UNKNOWN_BYTES];

	sort->nr = 0;
	for (const char *name = list, *end; name; name = *end ? end + 1 : NULL) {
		bool descends = *name == '-';
		int column;

		name += descends;
		end = strchrnul(name, ',');
		column = columns_find(view, name, end - name);
		if (column < 0)
			return rs_fail_usage(err, "-s: %s",
					     rs_column_unknown(view, name, (size_t)(end - name), unknown));
		if (sort->nr == RS_MAX_SORT_KEYS)
			return rs_fail_usage(err, "-s: '%.60s' names more than %d columns", list,
					     RS_MAX_SORT_KEYS);
		sort->keys[sort->nr++] = (struct rs_sort_key){ column, descends };
	}
	return 0;
}

bool rs_column_is_default(const struct rs_view *view, const char *name)
{
	int column = rs_column_named(view, name);

	return view->text_columns ? rs_comma_list_has(view->text_columns, name) :
				    column >= 0 && !(view->columns[column].flags & RS_COLUMN_ON_REQUEST);
}

void rs_columns_list(const struct rs_view *view, struct rs_buf *out)
{
	size_t name_width = 4, heading_width = 7;

	for (const struct rs_column *c = view->columns; c->name; c++) {
		if (strlen(c->name) > name_width)
			name_width = strlen(c->name);
		if (c->heading && strlen(c->heading) > heading_width)
			heading_width = strlen(c->heading);
	}
	rs_buf_printf(out, "  %-*s  %-*s  HELP (*: shown by default)\n", (int)name_width, "NAME",
		      (int)heading_width, "HEADING");
	for (const struct rs_column *c = view->columns; c->name; c++)
		rs_buf_printf(out, "%c %-*s  %-*s  %s\n", rs_column_is_default(view, c->name) ? '*' : ' ',
			      (int)name_width, c->name, (int)heading_width, c->heading ? c->heading : "",
			      c->help ? c->help : "");
}
