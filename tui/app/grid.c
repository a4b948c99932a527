// SPDX-License-Identifier: GPL-2.0-or-later
/* grid.c - checks and draws the rows of an answer; texts stay in the answer */
#include "tui/app/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

#define GRID_MAX_ROWS 1000000 /* an answer has at most 16 MiB */

void rs_grid_init(struct rs_grid *g, const struct rs_view *view)
{
	struct rs_error err = { 0 };

	*g = (struct rs_grid){ .view = view, .absent = -1, .stand_in = -1, .fold_by = -1 };
	g->nr_columns = rs_columns_nr(view);
	if (rs_columns_parse(view, view->text_columns, &g->shown, &err) < 0)
		rs_columns_parse(view, NULL, &g->shown, &err);
	g->shows_default = true;
	if (rs_columns_parse_sort(view, view->sort, &g->sort, &err) < 0)
		g->sort.nr = 0;
}

void rs_grid_done(struct rs_grid *g)
{
	free(g->values);
	g->values = NULL;
	g->nr = g->size = 0;
}

/* ---- reading ---- */

static bool grid_reserve(struct rs_grid *g, size_t nr)
{
	struct rs_value *values;

	if (nr > GRID_MAX_ROWS)
		return false;
	if (nr <= g->size)
		return true;
	values = realloc(g->values, nr * g->nr_columns * sizeof *values);
	if (!values)
		return false;
	g->values = values;
	g->size = nr;
	return true;
}

static size_t grid_place(const struct rs_grid *g, size_t at)
{
	return g->order && at < g->nr ? g->order[at] : at;
}

uint64_t rs_grid_folded_nr(const struct rs_grid *g, size_t at)
{
	at = grid_place(g, at);
	return at < g->nr_folded ? g->folded[at] : 1;
}

static bool read_row(const struct rs_grid *g, const struct rs_wire_row *row, struct rs_value *to)
{
	if (row->nr_cells < g->nr_columns)
		return false;
	for (unsigned int i = 0; i < g->nr_columns; i++)
		if (!rs_protocol_value(&row->cells[i], &g->view->columns[i], &to[i]))
			return false;
	return true;
}

static bool read_rows(struct rs_grid *g, const struct rs_rows_reply *reply)
{
	if (!grid_reserve(g, reply->nr_rows))
		return false;
	for (size_t i = 0; i < reply->nr_rows; i++)
		if (!read_row(g, &reply->rows[i], g->values + i * g->nr_columns))
			return false;
	g->nr = reply->nr_rows;
	return true;
}

/* Only numbers have totals. */
static void read_totals(struct rs_grid *g, const struct rs_rows_reply *reply)
{
	g->has_totals = reply->nr_totals;
	for (unsigned int i = 0; i < g->nr_columns; i++)
		if (i >= reply->nr_totals || g->view->columns[i].type == RS_TYPE_TEXT ||
		    !rs_protocol_value(&reply->totals[i], &g->view->columns[i], &g->totals[i]))
			g->totals[i] = rs_null();
}

static void grid_note_known_columns(struct rs_grid *g)
{
	g->known = 0;
	for (size_t i = 0; i < g->nr; i++)
		g->known |= rs_columns_known(g->view, g->values + i * g->nr_columns);
}

bool rs_grid_read(struct rs_grid *g, const struct rs_rows_reply *reply)
{
	g->order = NULL;
	if (!read_rows(g, reply)) {
		g->nr = g->nr_folded = 0; /* the old rows are partly overwritten */
		return false;
	}
	grid_note_known_columns(g);
	read_totals(g, reply);
	g->from_known = reply->from_ns.known && reply->to_ns.known;
	g->from_ns = reply->from_ns.u;
	g->to_ns = reply->to_ns.u;
	g->nr_total = reply->nr_total.known ? reply->nr_total.u : g->nr;
	g->nr_unfiltered = reply->nr_of.known ? reply->nr_of.u : g->nr_total;
	g->folded = reply->folded;
	g->nr_folded = g->fold_by >= 0 ? reply->nr_folded : 0;
	g->answered = true;
	return true;
}

/* ---- rows ---- */

const struct rs_value *rs_grid_row(const struct rs_grid *g, size_t at)
{
	return at < g->nr ? g->values + grid_place(g, at) * g->nr_columns : NULL;
}

const struct rs_value *rs_grid_cell(const struct rs_grid *g, size_t at, unsigned int column)
{
	return rs_grid_row(g, at) + column;
}

const struct rs_value *rs_grid_cell_named(const struct rs_grid *g, size_t at, const char *column)
{
	static const struct rs_value unknown;
	int i = rs_column_named(g->view, column);

	return i < 0 ? &unknown : rs_grid_cell(g, at, (unsigned int)i);
}

static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * 0x100000001B3u;
	return hash;
}

/*
 * Returns true if the column identifies a row. In a table: texts and ids. In a stream, whose rows never
 * change: all columns. A task's name changes at an exec, so it counts only in rows without a number.
 */
static bool grid_identifies_row(const struct rs_grid *g, const struct rs_column *c, bool numbered)
{
	if (g->view->kind == RS_VIEW_STREAM)
		return true;
	if (rs_cell_column_is_comm(c))
		return !numbered && (c->flags & RS_COLUMN_KEY || c == g->view->columns);
	return c->type == RS_TYPE_ID || c->flags & RS_COLUMN_KEY ||
	       (c->type == RS_TYPE_TEXT && c == g->view->columns);
}

static bool has_number(const struct rs_grid *g, const struct rs_value *row)
{
	for (unsigned int i = 0; i < g->nr_columns; i++)
		if (g->view->columns[i].type == RS_TYPE_ID && row[i].known)
			return true;
	return false;
}

uint64_t rs_grid_identity(const struct rs_grid *g, size_t at)
{
	const struct rs_value *row = rs_grid_row(g, at);
	bool numbered = row && has_number(g, row);
	uint64_t hash = 0xCBF29CE484222325u;

	for (unsigned int i = 0; row && i < g->nr_columns; i++) {
		if (!grid_identifies_row(g, &g->view->columns[i], numbered))
			continue;
		hash = add_to_hash(hash, &row[i].known, 1);
		if (row[i].known && g->view->columns[i].type == RS_TYPE_TEXT)
			hash = add_to_hash(hash, row[i].s, strlen(row[i].s));
		else if (row[i].known)
			hash = add_to_hash(hash, &row[i].u, sizeof row[i].u);
	}
	return hash;
}

void rs_grid_sort_text(const struct rs_grid *g, struct rs_buf *out)
{
	for (unsigned int i = 0; i < g->sort.nr; i++)
		rs_buf_printf(out, "%s%s%s", i ? "," : "", g->sort.keys[i].descends ? "-" : "",
			      g->view->columns[g->sort.keys[i].column].name);
}

void rs_grid_columns_text(const struct rs_grid *g, struct rs_buf *out)
{
	for (unsigned int i = 0; i < g->shown.nr; i++)
		rs_buf_printf(out, "%s%s", i ? "," : "", g->view->columns[g->shown.at[i]].name);
}

#define FOLDED_COLUMNS 16 /* width of a column with task names */

/* Writes "true x312". Cuts the name, never the number. */
static const char *grid_folded_text(char *text, const char *name, uint64_t nr)
{
	char number[24];
	int digits = snprintf(number, sizeof number, " x%llu", (unsigned long long)nr);

	sprintf(text, "%.*s%s", FOLDED_COLUMNS - digits, name, number);
	return text;
}

const char *rs_grid_text(const struct rs_grid *g, const struct rs_cell_style *style, size_t row,
			 unsigned int column, char *buf)
{
	const struct rs_value *value = row == SIZE_MAX ? &g->totals[column] : rs_grid_cell(g, row, column);
	const struct rs_column *c = &g->view->columns[column];

	if (!value->known && (int)column == g->absent && g->stand_in >= 0 && row != SIZE_MAX)
		value = rs_grid_cell(g, row, (unsigned int)g->stand_in);

	if (c->type == RS_TYPE_TEXT && !value->known)
		return "-";
	if (c->type == RS_TYPE_TEXT)
		return (int)column == g->fold_by && rs_grid_folded_nr(g, row) > 1 ?
			       grid_folded_text(buf, value->s, rs_grid_folded_nr(g, row)) :
			       value->s;
	buf[rs_cell_number(style, c, value, buf)] = '\0';
	return buf;
}

bool rs_grid_row_contains(const struct rs_grid *g, const struct rs_cell_style *style, size_t row,
			  const char *text)
{
	char buf[RS_UNIT_TEXT + 2];

	for (unsigned int i = 0; i < g->shown.nr; i++)
		if (strcasestr(rs_grid_text(g, style, row, g->shown.at[i], buf), text))
			return true;
	return false;
}

/* ---- drawing ---- */

#define GRID_MAX_GROWN 48 /* as in text output */

static void grid_grow(struct rs_grid *g, unsigned int column, int width)
{
	if (g->view->columns[column].type == RS_TYPE_TEXT && width > GRID_MAX_GROWN)
		width = GRID_MAX_GROWN;
	if (width > g->widths[column])
		g->widths[column] = width;
}

/* Hides RS_COLUMN_IF_KNOWN columns without values, as text output does, again for each answer. */
static void grid_hide_unknown_columns(struct rs_grid *g)
{
	struct rs_error ignored = { 0 };

	if (g->shows_default && g->nr &&
	    rs_columns_parse(g->view, g->view->text_columns, &g->shown, &ignored) == 0)
		rs_columns_drop(g->view, RS_COLUMN_IF_KNOWN, g->known, &g->shown);
}

void rs_grid_measure(struct rs_grid *g, size_t top, size_t nr, const struct rs_grid_style *style)
{
	char buf[RS_UNIT_TEXT + 2], heading[RS_HEADING_BYTES];

	grid_hide_unknown_columns(g);
	for (unsigned int i = 0; i < g->shown.nr; i++) {
		unsigned int column = g->shown.at[i];
		const struct rs_column *c = &g->view->columns[column];

		grid_grow(g, column, c->width);
		grid_grow(g, column, rs_put_text_columns(rs_cell_heading(&style->cell, c, heading),
							 style->ascii));
		for (size_t row = top; row < top + nr && row < g->nr && !rs_cell_column_is_comm(c); row++)
			grid_grow(g, column,
				  rs_put_text_columns(rs_grid_text(g, &style->cell, row, column, buf),
						      style->ascii));
		if (g->has_totals && g->totals[column].known)
			grid_grow(g, column,
				  rs_put_text_columns(rs_grid_text(g, &style->cell, SIZE_MAX, column, buf),
						      style->ascii));
	}
}

/* ---- where not all columns fit ---- */

#define GRID_LEAST_TEXT 16 /* a last text that is cut to less says nothing: "rings" of 24 commands */

/* Returns the columns of the first nr of those shown, with the blanks between them. */
static int grid_width_of(const struct rs_grid *g, unsigned int nr)
{
	int width = -1;

	for (unsigned int i = 0; i < nr && i < g->shown.nr; i++)
		width += g->widths[g->shown.at[i]] + 1;
	return width < 0 ? 0 : width;
}

static void grid_drop_empty(struct rs_grid *g)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < g->shown.nr; i++)
		if (!i || g->known >> g->shown.at[i] & 1)
			g->shown.at[nr++] = g->shown.at[i];
	g->shown.nr = nr;
}

static void grid_drop_cut_text(struct rs_grid *g, int width)
{
	unsigned int last = g->shown.nr - 1;
	int left = width - grid_width_of(g, last) - 1, need = g->widths[g->shown.at[last]];

	if (last && g->view->columns[g->shown.at[last]].type == RS_TYPE_TEXT && left < need &&
	    left < GRID_LEAST_TEXT)
		g->shown.nr--;
}

/* Moves the column that the rows are sorted by to the last place where it, and its arrow, are in sight. */
static void grid_move_sorted(struct rs_grid *g, int width)
{
	unsigned int at = 0, to;
	uint8_t column = g->sort.nr ? (uint8_t)g->sort.keys[0].column : 0;

	while (at < g->shown.nr && g->shown.at[at] != column)
		at++;
	if (!g->sort.nr || at == g->shown.nr || grid_width_of(g, at + 1) < width)
		return;
	for (to = at; to > 1 && grid_width_of(g, to) + 1 + g->widths[column] >= width; to--)
		;
	memmove(&g->shown.at[to + 1], &g->shown.at[to], at - to);
	g->shown.at[to] = column;
}

void rs_grid_fit(struct rs_grid *g, int width)
{
	/* of a log the next rows may have it: its columns do not jump */
	if (!g->shows_default || !g->nr || g->view->kind != RS_VIEW_TABLE)
		return;
	if (grid_width_of(g, g->shown.nr) > width)
		grid_drop_empty(g);
	if (grid_width_of(g, g->shown.nr) > width)
		grid_drop_cut_text(g, width);
	if (grid_width_of(g, g->shown.nr) > width)
		grid_move_sorted(g, width);
}

static void grid_put_cell_text(struct rs_grid *g, struct rs_canvas *c, int y, int x, int width,
			       unsigned int column, bool last, enum rs_style_id style_id, const char *text)
{
	if (rs_column_is_left(&g->view->columns[column]))
		rs_put(c, y, x,
		       last                      ? width :
		       g->widths[column] < width ? g->widths[column] :
						   width,
		       style_id, text);
	else if (g->widths[column] <= width)
		rs_put_right(c, y, x, g->widths[column], style_id, text);
	else /* a truncated number would read as another number */
		rs_put_glyph(c, y, x + width - 1, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
}

struct grid_place { int x, left; unsigned int at; bool last; };

unsigned int rs_grid_leftmost(const struct rs_grid *g, unsigned int first)
{
	for (unsigned int i = 0; i < first && i < g->shown.nr; i++)
		if (rs_cell_column_is_comm(&g->view->columns[g->shown.at[i]]))
			return i;
	return first;
}

/* Moves to the next shown column that has room in the line. */
static bool grid_next_place(const struct rs_grid *g, struct rs_area line, unsigned int first,
			    struct grid_place *p)
{
	if (p->left < 0) {
		*p = (struct grid_place){ .x = line.x, .left = line.width, .at = rs_grid_leftmost(g, first) };
	} else {
		int used = g->widths[g->shown.at[p->at]] + 1;

		p->x += used;
		p->left -= used;
		p->at = p->at < first ? first : p->at + 1;
	}
	p->last = p->at + 1 == g->shown.nr;
	return p->at < g->shown.nr && p->left > 0;
}

#define PLACE_BEGIN ((struct grid_place){ .left = -1 })

static int sorted_by(const struct rs_grid *g, unsigned int column)
{
	if (!g->sort.nr || g->sort.keys[0].column != column)
		return 0;
	return g->sort.keys[0].descends ? -1 : 1;
}

static bool grid_has_arrow(const struct rs_grid *g, const struct grid_place *p)
{
	return p->left > g->widths[g->shown.at[p->at]];
}

bool rs_grid_shows_sort(const struct rs_grid *g, unsigned int first, int width)
{
	struct rs_area line = { 0, 0, 1, width };

	for (struct grid_place p = PLACE_BEGIN; grid_next_place(g, line, first, &p);)
		if (sorted_by(g, g->shown.at[p.at]))
			return grid_has_arrow(g, &p);
	return !g->sort.nr;
}

void rs_grid_draw_heading(struct rs_grid *g, struct rs_canvas *c, struct rs_area line,
			  const struct rs_grid_style *style)
{
	char heading[RS_HEADING_BYTES];

	rs_canvas_fill(c, line, RS_STYLE_HEADING);
	for (struct grid_place p = PLACE_BEGIN; grid_next_place(g, line, style->first, &p);) {
		unsigned int column = g->shown.at[p.at];
		int sorted = sorted_by(g, column);
		enum rs_style_id style_id = sorted ? RS_STYLE_SORTED : RS_STYLE_HEADING;

		grid_put_cell_text(g, c, line.y, p.x, p.left, column, p.last, style_id,
				   rs_cell_heading(&style->cell, &g->view->columns[column], heading));
		/* in the blank after it, because color must not be the only sign */
		if (sorted && grid_has_arrow(g, &p))
			rs_put_glyph(c, line.y, p.x + g->widths[column], style_id,
				     sorted < 0 ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	}
}

static void grid_draw_row(struct rs_grid *g, struct rs_canvas *c, struct rs_area line,
			  size_t at, const struct rs_grid_style *style)
{
	bool totals = at == SIZE_MAX;
	const struct rs_value *row = totals ? g->totals : rs_grid_row(g, at);
	char buf[RS_UNIT_TEXT + 2];

	for (struct grid_place p = PLACE_BEGIN; grid_next_place(g, line, style->first, &p);) {
		unsigned int column = g->shown.at[p.at];
		const char *text = rs_grid_text(g, &style->cell, at, column, buf);
		enum rs_style_id style_id = totals ? RS_STYLE_BOLD : row[column].known ? RS_STYLE_TEXT
			: RS_STYLE_DIM;

		if (totals && !row[column].known)
			continue;
		if (style->mark && strcasestr(text, style->mark))
			style_id = RS_STYLE_MARKED;
		grid_put_cell_text(g, c, line.y, p.x, p.left, column, p.last, style_id, text);
	}
}

void rs_grid_draw_rows(struct rs_grid *g, struct rs_canvas *c, struct rs_area area, size_t top,
		       const struct rs_grid_style *style)
{
	for (int y = 0; y < area.height && top + (size_t)y < g->nr; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };
		bool selected = style->selected >= 0 && top + (size_t)y == (size_t)style->selected;

		grid_draw_row(g, c, line, top + (size_t)y, style);
		if (selected)
			rs_canvas_set_style(c, line, style->dim_selected ? RS_STYLE_BOLD
					    : RS_STYLE_SELECTED);
	}
}

void rs_grid_draw_totals(struct rs_grid *g, struct rs_canvas *c, struct rs_area line,
			 const struct rs_grid_style *style)
{
	if (g->has_totals)
		grid_draw_row(g, c, line, SIZE_MAX, style);
}

int rs_grid_column_at(const struct rs_grid *g, unsigned int first, int x)
{
	struct rs_area line = { 0, 0, 1, x + 1 };

	for (struct grid_place p = PLACE_BEGIN; grid_next_place(g, line, first, &p);)
		if (x >= p.x && (p.last || x <= p.x + g->widths[g->shown.at[p.at]]))
			return (int)p.at;
	return -1;
}
