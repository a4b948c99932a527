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

/* By meaning; the theme says how each looks. Colour is never the only sign. */
enum rs_look {
	RS_LOOK_TEXT, RS_LOOK_DIM, RS_LOOK_BOLD, RS_LOOK_TITLE, RS_LOOK_HEADING, RS_LOOK_SORTED, RS_LOOK_KEY,
	RS_LOOK_SELECTED, RS_LOOK_MARKED, RS_LOOK_GOOD, RS_LOOK_WARN, RS_LOOK_BAD,
	/* what a task or a CPU is in */
	RS_LOOK_RUN, RS_LOOK_RUNNABLE, RS_LOOK_PREEMPTED, RS_LOOK_IRQ, RS_LOOK_DISK, RS_LOOK_LOCK, RS_LOOK_FUTEX,
	RS_LOOK_MEMORY, RS_LOOK_BLOCKED, RS_LOOK_SLEEP, RS_LOOK_IDLE, RS_LOOK_UNKNOWN,
	/* of a heat map, coldest first */
	RS_LOOK_HEAT, RS_LOOK_HEAT_LAST = RS_LOOK_HEAT + 7,
	RS_LOOK_SLICE, RS_LOOK_SLICE_LAST = RS_LOOK_SLICE + 5, /* slices beside each other, told apart */
	RS_NR_LOOKS,
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
int rs_put(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *text);       /* cut at width */
int rs_put_cut(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *text);   /* and says so: "…" */
int rs_put_padded(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *text); /* and blanks */
int rs_put_right(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *text);
int rs_putf(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
void rs_put_glyph(struct rs_canvas *c, int y, int x, enum rs_look look, unsigned int glyph);
void rs_canvas_fill(struct rs_canvas *c, struct rs_area area, enum rs_look look);  /* blanks */
void rs_canvas_set_style(struct rs_canvas *c, struct rs_area area, enum rs_look look);  /* leaves the text */

/* The columns that text takes when it is put. */
int rs_put_text_columns(const char *text, bool ascii);

/* Lines without blanks at their ends, each with a newline. */
void rs_canvas_text(const struct rs_canvas *c, struct rs_buf *out);

#endif
