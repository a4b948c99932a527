// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * svg.c - writes a canvas as SVG
 *
 * Fonts differ in width, and in how they draw bars. So each run of text is stretched to its columns, and
 * bars, shades and lines are drawn as rectangles, which touch.
 */
#include "tui/toolkit/svg.h"

#include "base/escape.h"
#include "tui/toolkit/canvas-parts.h"

enum { CELL_WIDTH = 9, CELL_HEIGHT = 19, BASELINE = 14, FONT_SIZE = 15, MARGIN = 10 };

struct picture {
	const struct rs_canvas *c;
	enum rs_theme theme;
	struct rs_buf *out;
};

struct colours {
	uint32_t ink, paper;
	bool own_paper; /* the terminal's background: not drawn */
};

static struct colours colours_of(const struct picture *p, uint8_t style_id)
{
	struct rs_style s = rs_theme_style(p->theme, RS_DEPTH_256, (enum rs_style_id)style_id);
	struct colours out = {
		.ink = rs_theme_ink_rgb(p->theme, s.fg),
		.paper = rs_theme_paper_rgb(p->theme, s.bg),
		.own_paper = s.bg < 0,
	};

	if (s.attrs & RS_ATTR_REVERSE)
		out = (struct colours){ .ink = out.paper, .paper = out.ink };
	return out;
}

/* ---- pieces ---- */

/* A rectangle in eighths of a cell, from the cell's upper left corner. */
struct svg_part {
	int x, y, width, height, percent; /* percent: opacity */
};

static void put_part(struct picture *p, int y, int x, int cells, struct svg_part part, uint32_t rgb)
{
	double left = MARGIN + CELL_WIDTH * (x + part.x / 8.0),
	       top = MARGIN + CELL_HEIGHT * (y + part.y / 8.0);
	double width = CELL_WIDTH * (part.width == 8 ? cells : part.width / 8.0);

	rs_buf_printf(p->out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"", left, top,
		      width, CELL_HEIGHT * part.height / 8.0, rgb);
	if (part.percent < 100)
		rs_buf_printf(p->out, " fill-opacity=\"0.%02d\"", part.percent);
	rs_buf_puts(p->out, "/>\n");
}

/* Returns true if the glyph is drawn as a rectangle, not written as text. */
static bool svg_part_of(const char *text, struct svg_part *part)
{
	uint32_t code;

	if (!text[1])
		return false;
	rs_escape_utf8_next(text, strlen(text), &code);
	*part = (struct svg_part){ 0, 0, 8, 8, 100 };
	if (code >= 0x2581 && code <= 0x2588) { /* lower eighths; the last one is a full block */
		part->height = (int)(code - 0x2580);
		part->y = 8 - part->height;
	} else if (code >= 0x2589 && code <= 0x258F) { /* left eighths, from seven down */
		part->width = (int)(0x2590 - code);
	} else if (code >= 0x2591 && code <= 0x2593) {
		part->percent = 25 * (int)(code - 0x2590);
	} else if (code == 0x2500) {
		part->y = 4;
		part->height = 1;
	} else if (code == 0x2502) {
		part->x = 4;
		part->width = 1;
	} else {
		return false;
	}
	return true;
}

/* ---- rows ---- */

static void put_papers(struct picture *p, int y)
{
	const struct rs_cell *row = rs_canvas_row(p->c, y);
	struct svg_part whole = { 0, 0, 8, 8, 100 };

	for (int x = 0, end; x < p->c->width; x = end) {
		struct colours colours = colours_of(p, row[x].style_id);

		for (end = x + 1; end < p->c->width && row[end].style_id == row[x].style_id; end++)
			;
		if (!colours.own_paper)
			put_part(p, y, x, end - x, whole, colours.paper);
	}
}

/*
 * Returns the end of a piece that starts at x: repeated glyphs, or letters of one style with single blanks.
 */
static int piece_end(const struct rs_cell *row, int x, int width, bool drawn)
{
	struct svg_part part;
	int end = x + row[x].width;

	if (drawn || row[x].width != 1)
		while (drawn && end < width && !memcmp(row + end, row + x, sizeof *row))
			end++;
	else
		while (end < width && row[end].width == 1 && row[end].style_id == row[x].style_id &&
		       !svg_part_of(row[end].text, &part) &&
		       (strcmp(row[end].text, " ") != 0 || strcmp(row[end - 1].text, " ") != 0))
			end++;
	while (end > x + 1 && !strcmp(row[end - 1].text, " "))
		end--;
	return end;
}

static void put_letters(struct picture *p, int y, int x, int end)
{
	const struct rs_cell *row = rs_canvas_row(p->c, y);
	struct rs_style style = rs_theme_style(p->theme, RS_DEPTH_256, (enum rs_style_id)row[x].style_id);

	rs_buf_printf(p->out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s%s>",
		      MARGIN + x * CELL_WIDTH, MARGIN + y * CELL_HEIGHT + BASELINE, (end - x) * CELL_WIDTH,
		      colours_of(p, row[x].style_id).ink,
		      style.attrs & RS_ATTR_BOLD ? " font-weight=\"bold\"" : "",
		      style.attrs & RS_ATTR_DIM ? " fill-opacity=\"0.6\"" : "",
		      style.attrs & RS_ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (; x < end; x++)
		rs_escape_xml(p->out, row[x].text);
	rs_buf_puts(p->out, "</text>\n");
}

static void put_inks(struct picture *p, int y)
{
	const struct rs_cell *row = rs_canvas_row(p->c, y);
	int end;

	for (int x = 0; x < p->c->width; x = end) {
		struct svg_part part;
		bool drawn = svg_part_of(row[x].text, &part);

		end = x + 1;
		if (!row[x].width || !strcmp(row[x].text, " "))
			continue;
		/* a glyph that does not fill its cell stands alone */
		end = drawn && part.width < 8 ? end : piece_end(row, x, p->c->width, drawn);
		if (drawn)
			put_part(p, y, x, end - x, part, colours_of(p, row[x].style_id).ink);
		else
			put_letters(p, y, x, end);
	}
}

void rs_svg_draw(const struct rs_canvas *c, enum rs_theme theme, const char *title, struct rs_buf *out)
{
	struct picture p = { c, theme, out };
	int width = c->width * CELL_WIDTH + 2 * MARGIN, height = c->height * CELL_HEIGHT + 2 * MARGIN;

	rs_buf_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"role=\"img\" font-size=\"%d\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, "
		"Consolas, monospace\">\n<title>",
		width, height, width, height, FONT_SIZE);
	rs_escape_xml(out, title);
	rs_buf_printf(
		out,
		"</title>\n<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#%06x\" stroke=\"#80808060\"/>\n",
		width, height, rs_theme_paper_rgb(theme, -1));
	for (int y = 0; y < c->height; y++) {
		put_papers(&p, y);
		put_inks(&p, y);
	}
	rs_buf_puts(out, "</svg>\n");
}
