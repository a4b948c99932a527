// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-put.c - writes the cells that changed on a canvas to the terminal
 *
 * Compares rows with the terminal's content before ncurses sees them: an unchanged frame costs ncurses nothing.
 */
#include "tui/toolkit/terminal-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* ---- styles ---- */

static attr_t attributes(struct rs_style style)
{
	return (style.attrs & RS_ATTR_BOLD ? WA_BOLD : 0) | (style.attrs & RS_ATTR_DIM ? WA_DIM : 0) |
	       (style.attrs & RS_ATTR_UNDERLINE ? WA_UNDERLINE : 0) |
	       (style.attrs & RS_ATTR_REVERSE ? WA_REVERSE : 0);
}

/* NO_COLOR (no-color.org) turns off colors, not bold and underlined. */
static enum rs_depth depth_of_terminal(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors() || start_color() != OK)
		return RS_DEPTH_MONO;
	if (COLORS >= 256 && COLOR_PAIRS > RS_NR_STYLES)
		return RS_DEPTH_256;
	return COLORS >= 8 && COLOR_PAIRS > RS_NR_STYLES ? RS_DEPTH_8 : RS_DEPTH_MONO;
}

/* Without default colors of the terminal, uses white on black. */
static short terminal_put_default_color(short colour, bool own, short otherwise)
{
	return colour < 0 && !own ? otherwise : colour;
}

void rs_terminal_styles(struct rs_terminal *t)
{
	bool own;

	t->depth = t->options.theme == RS_THEME_MONO ? RS_DEPTH_MONO : depth_of_terminal();
	own = t->depth != RS_DEPTH_MONO && use_default_colors() == OK;
	for (short style_id = 0; style_id < RS_NR_STYLES; style_id++) {
		struct rs_style style = rs_theme_style(t->options.theme, t->depth,
						       (enum rs_style_id)style_id);
		short pair = 0;

		if (t->depth != RS_DEPTH_MONO && (style.fg >= 0 || style.bg >= 0)) {
			pair = (short)(style_id + 1);
			init_pair(pair, terminal_put_default_color(style.fg, own, COLOR_WHITE),
				  terminal_put_default_color(style.bg, own, COLOR_BLACK));
		}
		setcchar(&t->blank[style_id], L" ", attributes(style), pair, NULL);
	}
}

void rs_terminal_theme(struct rs_terminal *t, enum rs_theme theme)
{
	t->options.theme = theme;
	rs_terminal_styles(t);
	t->repaint = true;
}

/* ---- cells ---- */

/* The canvas wrote the cell, so its UTF-8 is valid. */
static cchar_t cchar_of(const struct rs_terminal *t, const struct rs_cell *cell)
{
	cchar_t out = t->blank[cell->style_id];
	size_t len, i = 0, nr = 0;
	uint32_t code;

	if (!cell->text[1]) { /* nearly all cells */
		out.chars[0] = (wchar_t)cell->text[0];
		return out;
	}
	len = strlen(cell->text);
	while (i < len && nr < CCHARW_MAX) {
		i += rs_escape_utf8_next(cell->text + i, len - i, &code);
		out.chars[nr++] = (wchar_t)code;
	}
	return out;
}

/*
 * Writes from the first cell that differs to the last. It never begins inside a wide character, because second halves
 * differ only if first ones do. If it ends inside one, ncurses writes both halves.
 */
static void terminal_put_row(struct rs_terminal *t, const struct rs_cell *row, struct rs_cell *shown, int y,
			     int width)
{
	int from = 0, end = width, nr = 0;

	while (from < width && !memcmp(row + from, shown + from, sizeof *row))
		from++;
	while (end > from && !memcmp(row + end - 1, shown + end - 1, sizeof *row))
		end--;
	for (int x = from; x < end; x++)
		if (row[x].width)
			t->run[nr++] = cchar_of(t, row + x);
	mvwadd_wchnstr(stdscr, y, from, t->run, nr);
	memcpy(shown + from, row + from, (size_t)(end - from) * sizeof *row);
}

static bool terminal_put_rows(struct rs_terminal *t, const struct rs_canvas *c)
{
	int height = c->height < t->shown->height ? c->height : t->shown->height;
	int width = c->width < t->shown->width ? c->width : t->shown->width;
	bool changed = false;

	for (int y = 0; y < height; y++) {
		const struct rs_cell *row = rs_canvas_row(c, y);
		struct rs_cell *shown = rs_canvas_row(t->shown, y);

		if (!memcmp(row, shown, (size_t)width * sizeof *row))
			continue;
		terminal_put_row(t, row, shown, y, width);
		changed = true;
	}
	return changed;
}

void rs_terminal_put(struct rs_terminal *t, const struct rs_canvas *c)
{
	bool changed;

	if (t->repaint) {
		rs_canvas_clear(t->shown);
		werase(stdscr);
		clearok(curscr, TRUE);
	}
	changed = terminal_put_rows(t, c);
	if (!changed && !t->repaint)
		return;
	t->repaint = false;
	wrefresh(stdscr);
}
