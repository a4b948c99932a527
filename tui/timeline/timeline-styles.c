// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-styles.c - how a run of cells looks: states by shade and letter, slices by their names; and the legend of it */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/timeline-screen.h"

struct timeline_style {
	enum rs_style_id style_id;
	char letter;
	unsigned int glyph;       /* where there is no letter */
	const char *means;        /* in the legend; NULL: another row stands for it */
};

static const struct timeline_style causes[RS_NR_CAUSES] = {
	[RS_CAUSE_UNKNOWN] = { RS_STYLE_SLEEP, 0, RS_GLYPH_HLINE, NULL },
	[RS_CAUSE_DISK] = { RS_STYLE_DISK, 'D', 0, "disk" },
	[RS_CAUSE_LOCK] = { RS_STYLE_LOCK, 'L', 0, "kernel lock" },
	[RS_CAUSE_FUTEX] = { RS_STYLE_FUTEX, 'F', 0, "futex" },
	[RS_CAUSE_RECLAIM] = { RS_STYLE_MEMORY, 'M', 0, "memory" },
	[RS_CAUSE_OTHER_D] = { RS_STYLE_BLOCKED, 'B', 0, "blocked" },
	[RS_CAUSE_SLEEP] = { RS_STYLE_SLEEP, 0, RS_GLYPH_HLINE, "sleeps" },
	[RS_CAUSE_IDLE] = { RS_STYLE_IDLE, 0, RS_GLYPH_DOT, "until something comes" },
};

static const struct timeline_style runs = { RS_STYLE_RUN, 0, RS_GLYPH_SHADE + 4, "runs" };
static const struct timeline_style waits = { RS_STYLE_RUNNABLE, 0, RS_GLYPH_SHADE + 3, "waits for a CPU" };
static const struct timeline_style preempted = { RS_STYLE_PREEMPTED, 0, RS_GLYPH_SHADE + 2, "preempted" };
static const struct timeline_style unknown = { RS_STYLE_UNKNOWN, '?', 0, "not known" };

static const struct timeline_style *look_of(uint32_t state)
{
	enum rs_cause cause = rs_state_cause(state);

	switch (rs_state_of(state)) {
	case RS_RUN:
		return &runs;
	case RS_DELAY:
		return &waits;
	case RS_PREEMPTED:
		return &preempted;
	case RS_BLOCKED:
		return &causes[cause < RS_NR_CAUSES && causes[cause].style_id ? cause : RS_CAUSE_UNKNOWN];
	default:
		return &unknown;
	}
}

static void put_style(struct rs_canvas *c, int y, int x, const struct timeline_style *l)
{
	if (l->letter)
		rs_put(c, y, x, 1, l->style_id, (char[]){ l->letter, '\0' });
	else
		rs_put_glyph(c, y, x, l->style_id, l->glyph);
}

/* The same name has the same look in every row and every answer. */
static enum rs_style_id slice_look(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label && *label != '/'; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return RS_STYLE_SLICE + (hash >> 13) % (RS_STYLE_SLICE_LAST - RS_STYLE_SLICE + 1);
}

void rs_timeline_draw_state(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		put_style(c, y, x + i, look_of(run->state));
}

/* "cc1/4242", or without the number; false: there is room for neither, and half a name is another name. */
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

/* Little of the cells is taken: shades, the lighter the less. Else the name where it fits, and a line to its end. */
void rs_timeline_draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run, const char *label)
{
	enum rs_style_id style_id = slice_look(label);
	int used = 0;

	if (run->eighths < 4 && run->nr > 1) {
		for (int i = 0; i < width; i++)
			rs_put_glyph(c, y, x + i, RS_STYLE_DIM, RS_GLYPH_SHADE + 1u + run->eighths / 2u);
		return;
	}
	if (!put_name(c, y, x, width, style_id, label, &used)) {
		rs_put_glyph(c, y, x, style_id, width > 1 ? RS_GLYPH_VLINE : RS_GLYPH_HLINE); /* where the next one begins */
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

static bool put_entry(struct rs_canvas *c, struct rs_area line, int *x, const struct timeline_style *l)
{
	if (*x + 2 + (int)strlen(l->means) > line.x + line.width) { /* half a word is none */
		if (*x < line.x + line.width)
			rs_put_glyph(c, line.y, *x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
		return false;
	}
	put_style(c, line.y, *x, l);
	*x += 2;
	*x += rs_put(c, line.y, *x, line.x + line.width - *x, RS_STYLE_DIM, l->means) + 2;
	return true;
}

void rs_timeline_draw_legend(struct rs_canvas *c, struct rs_area line)
{
	const struct timeline_style *const first[] = { &runs, &waits, &preempted };
	int x = line.x;

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		if (!put_entry(c, line, &x, first[i]))
			return;
	for (size_t i = 0; i < RS_NR_CAUSES; i++)
		if (causes[i].means && !put_entry(c, line, &x, &causes[i]))
			return;
	put_entry(c, line, &x, &unknown);
}
