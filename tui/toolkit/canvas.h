/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - what a frame looks like, cell by cell: screens draw here and know no terminal
 *
 * The terminal puts the cells that changed; a dump, --batch and the tests write them as text.
 * Text is escaped, cut and padded by the columns it takes on a terminal: wide and combining
 * characters come out whole or not at all. A string never leaves its width.
 */
#ifndef RS_TUI_CANVAS_H
#define RS_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "ringside/cause.h"

/* By meaning; the theme says how each looks. Colour is never the only sign. */
enum rs_style_id {
	RS_STYLE_TEXT, RS_STYLE_DIM, RS_STYLE_BOLD, RS_STYLE_TITLE, RS_STYLE_HEADING, RS_STYLE_SORTED,
	RS_STYLE_KEY,
	RS_STYLE_SELECTED, RS_STYLE_MARKED, RS_STYLE_GOOD, RS_STYLE_WARN, RS_STYLE_BAD,
	RS_STYLE_CAUSE, RS_STYLE_CAUSE_LAST = RS_STYLE_CAUSE + RS_NR_CAUSES - 1, /* of a state or cause: ringside/cause.h */
	RS_STYLE_RUN = RS_STYLE_CAUSE + RS_CAUSE_RUN, RS_STYLE_SLEEP = RS_STYLE_CAUSE + RS_CAUSE_SLEEP,
	/* of a heat map, coldest first */
	RS_STYLE_HEAT = RS_STYLE_CAUSE_LAST + 1, RS_STYLE_HEAT_LAST = RS_STYLE_HEAT + 7,
	RS_STYLE_SLICE, RS_STYLE_SLICE_LAST = RS_STYLE_SLICE + 5, /* slices beside each other, told apart */
	RS_NR_STYLES,
};

/* Drawn as UTF-8, or as ASCII where the terminal cannot. */
enum rs_glyph {
	RS_GLYPH_BAR,                              /* + n eighths, 0 to 8: " ▏▎▍▌▋▊▉█"; ASCII " ...:::|#" */
	RS_GLYPH_SPARK = RS_GLYPH_BAR + 9,         /* + n, 0 to 8: " ▁▂▃▄▅▆▇█"; ASCII " _..--=*#" */
	RS_GLYPH_SHADE = RS_GLYPH_SPARK + 9,       /* + n, 0 to 4: " ░▒▓█"; ASCII " .:+#" */
	RS_GLYPH_HLINE = RS_GLYPH_SHADE + 5, RS_GLYPH_VLINE, RS_GLYPH_UP, RS_GLYPH_DOWN, RS_GLYPH_LEFT, RS_GLYPH_RIGHT,
	RS_GLYPH_ELLIPSIS, RS_GLYPH_DOT, RS_GLYPH_CURSOR, RS_GLYPH_CRUMB /* between the words of a breadcrumb */,
	RS_NR_GLYPHS,
};

struct rs_canvas;

struct rs_area { int y, x, height, width; };

struct rs_canvas *rs_canvas_new(int height, int width, bool ascii);  /* NULL: no memory */
void rs_canvas_free(struct rs_canvas *c);
bool rs_canvas_resize(struct rs_canvas *c, int height, int width);   /* empties it; false: no memory, as it was */
void rs_canvas_clear(struct rs_canvas *c);
struct rs_area rs_canvas_area(const struct rs_canvas *c);
bool rs_canvas_ascii(const struct rs_canvas *c);

/* Places outside the canvas are cut off, never written. Each returns the columns that it took. */
int rs_put(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);       /* cut at width */
int rs_put_cut(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);   /* and says so: "…" */
int rs_put_padded(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text); /* and blanks */
int rs_put_right(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);
int rs_put_format(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *format,
		  ...)
	__attribute__((format(printf, 6, 7)));
void rs_put_glyph(struct rs_canvas *c, int y, int x, enum rs_style_id style_id, unsigned int glyph);
void rs_canvas_fill(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id);  /* blanks */
void rs_canvas_set_style(struct rs_canvas *c, struct rs_area area,
			 enum rs_style_id style_id);  /* leaves the text */

/* The columns that text takes when it is put. */
int rs_put_text_columns(const char *text, bool ascii);

/* Lines without blanks at their ends, each with a newline. */
void rs_canvas_text(const struct rs_canvas *c, struct rs_buf *out);

#endif
