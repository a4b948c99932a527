// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * canvas.c - creates, clears, fills and reads back rows of cells
 *
 * put.c writes and cuts text.
 */
#include <stdlib.h>

#include "base/escape.h"
#include "tui/toolkit/canvas-parts.h"

/* No screen is larger than this: a larger size is wrong, and would only take memory. */
#define CANVAS_MOST_ROWS 2000
#define CANVAS_MOST_COLUMNS 4000

static int canvas_clamp(int64_t n, int64_t least, int64_t most)
{
	return (int)(n < least ? least : n > most ? most : n);
}

struct rs_canvas *rs_canvas_new(int height, int width, bool ascii)
{
	struct rs_canvas *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->ascii = ascii || !rs_escape_locale_is_utf8();
	if (!rs_canvas_resize(c, height, width)) {
		free(c);
		return NULL;
	}
	return c;
}

void rs_canvas_free(struct rs_canvas *c)
{
	if (!c)
		return;
	free(c->cells);
	free(c);
}

bool rs_canvas_resize(struct rs_canvas *c, int height, int width)
{
	struct rs_cell *cells;

	height = canvas_clamp(height, 0, CANVAS_MOST_ROWS);
	width = canvas_clamp(width, 0, CANVAS_MOST_COLUMNS);
	/* + 1: malloc(0) may return NULL */
	cells = malloc(((size_t)height * (size_t)width + 1) * sizeof *cells);
	if (!cells)
		return false;
	free(c->cells);
	c->cells = cells;
	c->height = height;
	c->width = width;
	rs_canvas_clear(c);
	return true;
}

void rs_canvas_clear(struct rs_canvas *c)
{
	rs_cells_fill(c->cells, c->height * c->width, ' ', RS_STYLE_TEXT);
}

struct rs_area rs_canvas_area(const struct rs_canvas *c)
{
	return (struct rs_area){ .height = c->height, .width = c->width };
}

bool rs_canvas_ascii(const struct rs_canvas *c)
{
	return c->ascii;
}

void rs_canvas_set_letters(struct rs_canvas *c, bool letters)
{
	c->letters = letters;
}

enum rs_style_id rs_canvas_cell_style(const struct rs_canvas *c, enum rs_style_id style_id)
{
	return c->letters ? style_id : style_id - RS_STYLE_CAUSE + RS_STYLE_CELL;
}

/* Clips an area to the canvas. An area outside becomes empty. */
static struct rs_area clip(const struct rs_canvas *c, struct rs_area area)
{
	int y = canvas_clamp(area.y, 0, c->height), x = canvas_clamp(area.x, 0, c->width);
	int end_y = canvas_clamp((int64_t)area.y + area.height, y, c->height);
	int end_x = canvas_clamp((int64_t)area.x + area.width, x, c->width);

	return (struct rs_area){ y, x, end_y - y, end_x - x };
}

void rs_canvas_fill(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id)
{
	struct rs_cell *row;

	area = clip(c, area);
	if (!area.width)
		return;
	for (int y = area.y; y < area.y + area.height; y++) {
		row = rs_canvas_row(c, y);
		rs_row_begin_write(row, area.x);
		rs_cells_fill(row + area.x, area.width, ' ', style_id);
		rs_row_end_write(row, area.x + area.width, c->width);
	}
}

/* Both cells of a wide character have the style of the first. */
static void style_row(struct rs_cell *row, int x, int end, int width, enum rs_style_id style_id)
{
	if (x < end && x > 0 && !row[x].width)
		x++;
	for (; x < end; x++)
		row[x].style_id = (uint8_t)style_id;
	if (x > 0 && x < width && !row[x].width)
		row[x].style_id = row[x - 1].style_id;
}

void rs_canvas_set_style(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id)
{
	area = clip(c, area);
	if (!area.width)
		return;
	for (int y = area.y; y < area.y + area.height; y++)
		style_row(rs_canvas_row(c, y), area.x, area.x + area.width, c->width, style_id);
}

static void row_text(const struct rs_cell *row, int width, struct rs_buf *out)
{
	while (width && row[width - 1].width == 1 && !strcmp(row[width - 1].text, " "))
		width--;
	for (int x = 0; x < width; x++)
		rs_buf_puts(out, row[x].text);
	rs_buf_putc(out, '\n');
}

void rs_canvas_text(const struct rs_canvas *c, struct rs_buf *out)
{
	for (int y = 0; y < c->height; y++)
		row_text(rs_canvas_row(c, y), c->width, out);
}
