// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-styles.c - draws runs: states by shade and letter, slices by their names; and the legend */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/timeline-screen.h"

static enum rs_cause timeline_cause_of(uint32_t state)
{
	return rs_cause_of_state(rs_state_of(state), rs_state_cause(state));
}

static void put_mark(struct rs_canvas *c, int y, int x, enum rs_cause cause)
{
	static const struct { char mark; unsigned int glyph; } glyphs[] = {
		{ '#', RS_GLYPH_SHADE + 4 }, { '+', RS_GLYPH_SHADE + 3 }, { ':', RS_GLYPH_SHADE + 2 },
		{ '-', RS_GLYPH_HLINE }, { '.', RS_GLYPH_DOT },
	};
	char mark = rs_cause_row(cause)->mark;

	for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
		if (glyphs[i].mark == mark) {
			rs_put_glyph(c, y, x, RS_STYLE_CAUSE + cause, glyphs[i].glyph);
			return;
		}
	rs_put(c, y, x, 1, RS_STYLE_CAUSE + cause, (char[]){ mark, '\0' });
}

/* A name has the same style in every row and every answer. */
static enum rs_style_id slice_style(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label && *label != '/'; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return RS_STYLE_SLICE + (hash >> 13) % (RS_STYLE_SLICE_LAST - RS_STYLE_SLICE + 1);
}

void rs_timeline_draw_state(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		put_mark(c, y, x + i, timeline_cause_of(run->state));
}

/* Writes "cc1/4242", or only the name. Returns false if neither fits: a cut name would read as another name. */
static bool put_name(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id, const char *label, int *used)
{
	char name[72];
	const char *slash = strrchr(label, '/');

	snprintf(name, sizeof name, "%s", label);
	*used = rs_put_text_columns(name, rs_canvas_ascii(c));
	if (*used > width && slash && slash > label) {
		name[slash - label] = '\0';
		*used = rs_put_text_columns(name, rs_canvas_ascii(c));
	}
	if (*used > width)
		return false;
	rs_put(c, y, x, width, style_id, name);
	return true;
}

/* Low coverage of the cells is drawn as shades. Otherwise the name, if it fits, and a line to the end. */
void rs_timeline_draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run, const char *label)
{
	enum rs_style_id style_id = slice_style(label);
	int used = 0;

	if (run->eighths < 4 && run->nr > 1) {
		for (int i = 0; i < width; i++)
			rs_put_glyph(c, y, x + i, RS_STYLE_DIM, RS_GLYPH_SHADE + 1u + run->eighths / 2u);
		return;
	}
	if (!put_name(c, y, x, width, style_id, label, &used)) {
		rs_put_glyph(c, y, x, style_id, width > 1 ? RS_GLYPH_VLINE : RS_GLYPH_HLINE); /* the start of the next one */
		used = 1;
	}
	for (int i = used; i < width; i++)
		rs_put_glyph(c, y, x + i, style_id, RS_GLYPH_HLINE);
}

void rs_timeline_draw_instant(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		rs_put(c, y, x + i, 1, RS_STYLE_MARKED, run->nr > 9 ? "*" : run->nr > 1 ? "+" : "'");
}

/* ---- the legend ---- */

static bool put_entry(struct rs_canvas *c, struct rs_area line, int *x, enum rs_cause cause)
{
	const char *legend = rs_cause_row(cause)->legend;

	if (*x + 2 + (int)strlen(legend) > line.x + line.width) { /* no partial word */
		if (*x < line.x + line.width)
			rs_put_glyph(c, line.y, *x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
		return false;
	}
	put_mark(c, line.y, *x, cause);
	*x += 2;
	*x += rs_put(c, line.y, *x, line.x + line.width - *x, RS_STYLE_DIM, legend) + 2;
	return true;
}

void rs_timeline_draw_legend(struct rs_canvas *c, struct rs_area line)
{
	int x = line.x;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++)
		if (rs_cause_row(cause)->legend && !put_entry(c, line, &x, cause))
			return;
}
