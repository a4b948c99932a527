/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canvas.h - a frame as cells of text and style: screens draw here, without a terminal
 *
 * The terminal writes the cells that changed; --batch, the dump key and the tests write them as text. Text is
 * escaped, cut and padded by the columns that it takes on a terminal: a wide character or a combining mark is
 * written whole or not at all. A string never exceeds its width.
 */
#ifndef RS_TUI_CANVAS_H
#define RS_TUI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "ringside/wait.h"

/* Of the colors of a heat map: RS_HEAT_COLORS categories have their own. */
#define RS_HEAT_LIGHTS 4
#define RS_HEAT_HUES 2
#define RS_HEAT_COLORS (RS_CATEGORY_PEER + 1)

/* Named by meaning; the theme assigns colors and attributes. Color is never the only sign. */
enum rs_style_id {
	RS_STYLE_TEXT,
	RS_STYLE_DIM,
	RS_STYLE_BOLD,
	RS_STYLE_TITLE,
	RS_STYLE_HEADING,
	RS_STYLE_SORTED,
	RS_STYLE_KEY,
	RS_STYLE_SELECTED,
	RS_STYLE_PATH,
	RS_STYLE_MARKED,
	RS_STYLE_GOOD,
	RS_STYLE_WARN,
	RS_STYLE_BAD,
	RS_STYLE_CAUSE,
	RS_STYLE_CAUSE_LAST = RS_STYLE_CAUSE + RS_NR_CAUSES -
			      1, /* for a state or a cause: ringside/wait.h */
	RS_STYLE_RUN = RS_STYLE_CAUSE + RS_CAUSE_RUN,
	RS_STYLE_SLEEP = RS_STYLE_CAUSE + RS_CAUSE_SLEEP,
	/* for a heat map: see rs_heat_style */
	RS_STYLE_HEAT = RS_STYLE_CAUSE_LAST + 1,
	RS_STYLE_HEAT_LAST = RS_STYLE_HEAT + RS_HEAT_LIGHTS * (1 + RS_HEAT_HUES * RS_HEAT_COLORS) - 1,
	RS_STYLE_QUIET, /* what may have cost, see rs_cause_ink: of any cause */
	RS_STYLE_SLICE,
	RS_STYLE_SLICE_LAST = RS_STYLE_SLICE + 5, /* to tell neighboring slices apart */
	/* the same as CAUSE to QUIET, as a cell of that color: see rs_canvas_cell_style */
	RS_STYLE_CELL,
	RS_STYLE_CELL_LAST = RS_STYLE_CELL + RS_STYLE_QUIET - RS_STYLE_CAUSE,
	RS_STYLE_FRAME,
	RS_STYLE_FRAME_LAST = RS_STYLE_FRAME + RS_NR_CAUSES - 1, /* a text in a cell of a state or cause */
	RS_STYLE_ON_PATH, /* likewise, of the critical path */
	RS_STYLE_ON_PATH_LAST = RS_STYLE_ON_PATH + RS_NR_CAUSES - 1,
	RS_STYLE_MORE,
	RS_STYLE_LESS = RS_STYLE_MORE + 3,
	RS_STYLE_LESS_LAST = RS_STYLE_LESS + 2, /* than before, the least first */
	RS_NR_STYLES,
};

/* Drawn as UTF-8, or as ASCII if the terminal cannot. */
enum rs_glyph {
	RS_GLYPH_BAR, /* + n eighths, 0 to 8: " ▏▎▍▌▋▊▉█"; ASCII " ...:::|#" */
	RS_GLYPH_SPARK = RS_GLYPH_BAR + 9,   /* + n, 0 to 8: " ▁▂▃▄▅▆▇█"; ASCII " _..--=*#" */
	RS_GLYPH_SHADE = RS_GLYPH_SPARK + 9, /* + n, 0 to 4: " ░▒▓█"; ASCII " .:+#" */
	RS_GLYPH_HLINE = RS_GLYPH_SHADE + 5,
	RS_GLYPH_VLINE,
	RS_GLYPH_UP,
	RS_GLYPH_DOWN,
	RS_GLYPH_LEFT,
	RS_GLYPH_RIGHT,
	RS_GLYPH_ELLIPSIS,
	RS_GLYPH_DOT,
	RS_GLYPH_CURSOR,
	RS_GLYPH_CRUMB, /* between the words of a breadcrumb */
	RS_GLYPH_CLOSE, /* a click on it removes what is before it */
	RS_NR_GLYPHS,
};

struct rs_canvas;

struct rs_area { int y, x, height, width; };

struct rs_canvas *rs_canvas_new(int height, int width, bool ascii);  /* NULL: no memory */
void rs_canvas_free(struct rs_canvas *c);
/* clears it; false: no memory, canvas unchanged */
bool rs_canvas_resize(struct rs_canvas *c, int height, int width);
void rs_canvas_clear(struct rs_canvas *c);
struct rs_area rs_canvas_area(const struct rs_canvas *c);
bool rs_canvas_ascii(const struct rs_canvas *c);
void rs_canvas_set_letters(struct rs_canvas *c, bool letters);
/*
 * Returns the style for a letter or a shade in a bar: with 256 colors its cell is filled with its color, so
 * that the letter is invisible there; it is still in the text of the canvas. With letters set: the same
 * style.
 */
enum rs_style_id rs_canvas_cell_style(const struct rs_canvas *c, enum rs_style_id style_id);

/* Text outside the canvas is cut off. Each function returns the number of columns that it took. */
/* cuts at width */
int rs_put(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);
/* cuts, and marks the cut with "…" */
int rs_put_cut(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);
/* fills up with blanks */
int rs_put_padded(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);
int rs_put_right(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *text);
int rs_put_format(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *format,
		  ...)
	__attribute__((format(printf, 6, 7)));
void rs_put_glyph(struct rs_canvas *c, int y, int x, enum rs_style_id style_id, unsigned int glyph);
void rs_canvas_fill(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id);  /* with blanks */
void rs_canvas_set_style(struct rs_canvas *c, struct rs_area area,
			 enum rs_style_id style_id);  /* keeps the text */

/* Returns the number of columns that text takes. */
int rs_put_text_columns(const char *text, bool ascii);
/* Returns the length of as many words of text as fit into a line, at least of one. */
size_t rs_put_fit_words(const char *text, size_t len, int width, bool ascii);
/* Wraps text between words, in at most area.height lines; returns their number. c NULL: only counts them. */
int rs_put_wrapped(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id, const char *text);

/* Writes the canvas as lines, without trailing blanks. */
void rs_canvas_text(const struct rs_canvas *c, struct rs_buf *out);

#endif
