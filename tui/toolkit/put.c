// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * put.c - writes text into cells: escaped, cut by columns; wide characters and combining marks stay whole
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "tui/toolkit/canvas-parts.h"

/* The place of the next character. Left of the canvas and above it nothing is written, but columns count. */
struct put_pen {
	struct rs_cell *row;  /* NULL: outside the canvas */
	struct rs_cell *last; /* the cell that a combining mark joins; NULL: none yet, or outside */
	int x, end;           /* end: the first column after the text's area */
	bool utf8;
	enum rs_style_id style_id;
};

static void put_cell(struct put_pen *p, const char *bytes, size_t len, int width)
{
	p->last = NULL;
	if (p->row && p->x >= 0) {
		p->last = p->row + p->x;
		rs_cell_set(p->last, 0, p->style_id);
		memcpy(p->last->text, bytes, len);
		p->last->width = (uint8_t)width;
		if (width == 2)
			p->last[1] = (struct rs_cell){ .style_id = (uint8_t)p->style_id };
	} else if (p->row && p->x + width > 0) {
		/* the second half of a character that begins left of the canvas */
		rs_cell_set(p->row, ' ', p->style_id);
	}
	p->x += width;
}

/* Drops marks that exceed a cell: a name may have thousands of them. */
static void combine(struct put_pen *p, const struct rs_shown *mark)
{
	size_t len;

	if (!p->last)
		return;
	len = strlen(p->last->text);
	if (len + mark->len < sizeof p->last->text)
		memcpy(p->last->text + len, mark->bytes, mark->len);
}

/* Returns false if it does not fit whole. */
static bool put_shown(struct put_pen *p, const struct rs_shown *shown, bool first)
{
	if (!shown->width) {
		if (first) {
			if (p->x >= p->end)
				return false;
			put_cell(p, " ", 1, 1); /* the cell before it does not belong to this text */
		}
		combine(p, shown);
		return true;
	}
	if (p->end - p->x < (int)shown->width)
		return false;
	if (shown->width <= 2 && (unsigned char)shown->bytes[0] >= 0x80) {
		put_cell(p, shown->bytes, shown->len, (int)shown->width);
	} else {
		for (size_t i = 0; i < shown->len; i++) /* an escape sequence */
			put_cell(p, shown->bytes + i, 1, 1);
	}
	return true;
}

static bool plain(char ch)
{
	return ch >= 0x20 && ch < 0x7F;
}

/* Fast path: copies ASCII straight into the cells. Returns the number of bytes. */
static size_t put_plain(struct put_pen *p, const char *text)
{
	struct rs_cell *row = p->row;
	size_t nr = 0;
	int x = p->x;

	for (; x < p->end && plain(text[nr]); nr++, x++)
		if (row && x >= 0)
			rs_cell_set(row + x, text[nr], p->style_id);
	if (nr)
		p->last = row && x > 0 ? row + x - 1 : NULL;
	p->x = x;
	return nr;
}

static void put_text(struct put_pen *p, const char *text)
{
	const char *s = text;
	struct rs_shown shown;
	size_t nr;

	for (;;) {
		s += put_plain(p, s);
		if (!*s || plain(*s))
			return;
		nr = rs_escape_next(s, strnlen(s, 4), p->utf8, &shown);
		if (!put_shown(p, &shown, s == text))
			return;
		s += nr;
	}
}

static struct put_pen pen_at(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id)
{
	int64_t end = (int64_t)x + (width > 0 ? width : 0);
	bool inside = y >= 0 && y < c->height && x < c->width;

	if (end > c->width)
		end = x < c->width ? c->width : x;
	return (struct put_pen){
		.row = inside ? rs_canvas_row(c, y) : NULL,
		.x = x,
		.end = (int)end,
		.utf8 = !c->ascii,
		.style_id = style_id,
	};
}

static void put_blanks(struct put_pen *p, int end)
{
	if (p->x < 0)
		p->x = end < 0 ? end : 0;
	if (p->row && p->x < end)
		rs_cells_fill(p->row + p->x, end - p->x, ' ', p->style_id);
	if (p->x < end)
		p->x = end;
}

static int put_bytes(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id,
		     const char *text, int before, bool pad)
{
	struct put_pen p = pen_at(c, y, x, width, style_id);
	int left = x > 0 ? x : 0;

	if (p.row && p.end > left)
		rs_row_begin_write(p.row, left);
	if (before)
		put_blanks(&p, p.end - x < before ? p.end : x + before);
	put_text(&p, text);
	if (pad)
		put_blanks(&p, p.end);
	if (p.row && p.x > left)
		rs_row_end_write(p.row, p.x, c->width);
	return p.x - x;
}

int rs_put(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text)
{
	return put_bytes(c, y, x, width, style_id, text, 0, false);
}

int rs_put_cut(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text)
{
	int used;

	if (width < 2 || rs_put_text_columns(text, c->ascii) <= width)
		return put_bytes(c, y, x, width, style_id, text, 0, false);
	used = put_bytes(c, y, x, width - 1, style_id, text, 0, false);
	rs_put_glyph(c, y, x + used, style_id, RS_GLYPH_ELLIPSIS);
	return used + 1;
}

int rs_put_padded(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text)
{
	return put_bytes(c, y, x, width, style_id, text, 0, true);
}

int rs_put_right(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text)
{
	int columns = rs_put_text_columns(text, c->ascii);

	return put_bytes(c, y, x, width, style_id, text, columns < width ? width - columns : 0, true);
}

int rs_put_format(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *format,
		  ...)
{
	char text[1024], *longer = NULL;
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	if (len >= (int)sizeof text) { /* too long for the buffer: a cut here could split a character */
		va_start(ap, format);
		len = vasprintf(&longer, format, ap);
		va_end(ap);
	}
	if (len < 0)
		return 0;
	len = rs_put(c, y, x, width, style_id, longer ? longer : text);
	free(longer);
	return len;
}

/* ---- glyphs: what pictures consist of, each one column wide, and their ASCII substitutes ---- */

static const struct {
	const char *utf8, *ascii;
} glyphs[RS_NR_GLYPHS] = {
	[RS_GLYPH_BAR] = { " ", " " }, { "▏", "." }, { "▎", "." }, { "▍", "." }, { "▌", ":" },
	{ "▋", ":" }, { "▊", ":" }, { "▉", "|" }, { "█", "#" },
	[RS_GLYPH_SPARK] = { " ", " " }, { "▁", "_" }, { "▂", "." }, { "▃", "." }, { "▄", "-" },
	{ "▅", "-" }, { "▆", "=" }, { "▇", "*" }, { "█", "#" },
	[RS_GLYPH_SHADE] = { " ", " " }, { "░", "." }, { "▒", ":" }, { "▓", "+" }, { "█", "#" },
	[RS_GLYPH_HLINE] = { "─", "-" },
	[RS_GLYPH_VLINE] = { "│", "|" },
	[RS_GLYPH_UP] = { "▲", "^" },
	[RS_GLYPH_DOWN] = { "▼", "v" },
	[RS_GLYPH_LEFT] = { "◀", "<" },
	[RS_GLYPH_RIGHT] = { "▶", ">" },
	[RS_GLYPH_ELLIPSIS] = { "…", "~" },
	[RS_GLYPH_DOT] = { "·", "." },
	[RS_GLYPH_CURSOR] = { "▸", ">" },
	[RS_GLYPH_CRUMB] = { "›", ">" },
	[RS_GLYPH_CLOSE] = { "×", "x" },
};

const char *rs_put_glyph_text(unsigned int glyph, bool ascii)
{
	if (glyph >= RS_NR_GLYPHS)
		return " ";
	return ascii ? glyphs[glyph].ascii : glyphs[glyph].utf8;
}

void rs_put_glyph(struct rs_canvas *c, int y, int x, enum rs_style_id style_id, unsigned int glyph)
{
	const char *text = rs_put_glyph_text(glyph, c->ascii); /* valid, and one column wide */
	struct put_pen p = pen_at(c, y, x, 1, style_id);

	if (!p.row || x < 0)
		return;
	rs_row_begin_write(p.row, x);
	put_cell(&p, text, strlen(text), 1);
	rs_row_end_write(p.row, p.x, c->width);
}

int rs_put_text_columns(const char *text, bool ascii)
{
	struct put_pen p = { .end = INT32_MAX, .utf8 = !ascii && rs_escape_locale_is_utf8() };

	put_text(&p, text);
	return p.x;
}

size_t rs_put_fit_words(const char *text, size_t len, int width, bool ascii)
{
	char piece[512];
	size_t taken = 0;

	for (size_t i = 1; i <= len; i++) {
		if (i < len && (text[i] != ' ' || text[i - 1] == ' '))
			continue;
		snprintf(piece, sizeof piece, "%.*s", (int)i, text);
		if (taken && rs_put_text_columns(piece, ascii) > width)
			break;
		taken = i;
	}
	return taken;
}

int rs_put_wrapped(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id, const char *text)
{
	int lines = 0;

	while (*text && area.width > 0 && lines < area.height) {
		size_t len = rs_put_fit_words(text, strlen(text), area.width, true);

		if (c)
			rs_put_format(c, area.y + lines, area.x, area.width, style_id, "%.*s", (int)len,
				      text);
		lines++;
		text += len;
		while (*text == ' ')
			text++;
	}
	return lines;
}
