// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-looks.c - how a run of cells looks: states by shade and letter, slices by their names; and the legend of it */
#include <stdio.h>
#include <string.h>

#include "tui/timeline.h"

struct tl_look {
	enum rs_look look;
	char letter;
	unsigned int glyph;       /* where there is no letter */
	const char *means;        /* in the legend; NULL: another row stands for it */
};

static const struct tl_look causes[RS_NR_CAUSES] = {
	[RS_CAUSE_UNKNOWN] = { RS_LOOK_SLEEP, 0, RS_GLYPH_HLINE, NULL },
	[RS_CAUSE_DISK] = { RS_LOOK_DISK, 'D', 0, "disk" },
	[RS_CAUSE_LOCK] = { RS_LOOK_LOCK, 'L', 0, "kernel lock" },
	[RS_CAUSE_FUTEX] = { RS_LOOK_FUTEX, 'F', 0, "futex" },
	[RS_CAUSE_RECLAIM] = { RS_LOOK_MEMORY, 'M', 0, "memory" },
	[RS_CAUSE_OTHER_D] = { RS_LOOK_BLOCKED, 'B', 0, "blocked" },
	[RS_CAUSE_SLEEP] = { RS_LOOK_SLEEP, 0, RS_GLYPH_HLINE, "sleeps" },
	[RS_CAUSE_IDLE] = { RS_LOOK_IDLE, 0, RS_GLYPH_DOT, "until something comes" },
};

static const struct tl_look runs = { RS_LOOK_RUN, 0, RS_GLYPH_SHADE + 4, "runs" };
static const struct tl_look waits = { RS_LOOK_RUNNABLE, 0, RS_GLYPH_SHADE + 3, "waits for a CPU" };
static const struct tl_look preempted = { RS_LOOK_PREEMPTED, 0, RS_GLYPH_SHADE + 2, "preempted" };
static const struct tl_look unknown = { RS_LOOK_UNKNOWN, '?', 0, "not known" };

static const struct tl_look *look_of(uint32_t state)
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
		return &causes[cause < RS_NR_CAUSES && causes[cause].look ? cause : RS_CAUSE_UNKNOWN];
	default:
		return &unknown;
	}
}

static void put_look(struct rs_canvas *c, int y, int x, const struct tl_look *l)
{
	if (l->letter)
		rs_put(c, y, x, 1, l->look, (char[]){ l->letter, '\0' });
	else
		rs_put_glyph(c, y, x, l->look, l->glyph);
}

/* The same name has the same look in every row and every answer. */
static enum rs_look slice_look(const char *label)
{
	uint32_t hash = 2166136261u;

	for (; *label && *label != '/'; label++)
		hash = (hash ^ (unsigned char)*label) * 16777619u;
	return RS_LOOK_SLICE + (hash >> 13) % (RS_LOOK_SLICE_LAST - RS_LOOK_SLICE + 1);
}

void rs_timeline_draw_state(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		put_look(c, y, x + i, look_of(run->state));
}

/* "cc1/4242", or without the number; false: there is room for neither, and half a name is another name. */
static bool put_name(struct rs_canvas *c, int y, int x, int width, enum rs_look look, const char *label, int *used)
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
	rs_put(c, y, x, width, look, name);
	return true;
}

/* Little of the cells is taken: shades, the lighter the less. Else the name where it fits, and a line to its end. */
void rs_timeline_draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run, const char *label)
{
	enum rs_look look = slice_look(label);
	int used = 0;

	if (run->eighths < 4 && run->nr > 1) {
		for (int i = 0; i < width; i++)
			rs_put_glyph(c, y, x + i, RS_LOOK_DIM, RS_GLYPH_SHADE + 1u + run->eighths / 2u);
		return;
	}
	if (!put_name(c, y, x, width, look, label, &used)) {
		rs_put_glyph(c, y, x, look, width > 1 ? RS_GLYPH_VLINE : RS_GLYPH_HLINE); /* where the next one begins */
		used = 1;
	}
	for (int i = used; i < width; i++)
		rs_put_glyph(c, y, x + i, look, RS_GLYPH_HLINE);
}

void rs_timeline_draw_instant(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run)
{
	for (int i = 0; i < width; i++)
		rs_put(c, y, x + i, 1, RS_LOOK_MARKED, run->nr > 9 ? "*" : run->nr > 1 ? "+" : "'");
}

/* ---- the legend ---- */

static bool put_entry(struct rs_canvas *c, struct rs_area line, int *x, const struct tl_look *l)
{
	if (*x + 2 + (int)strlen(l->means) > line.x + line.width) { /* half a word is none */
		if (*x < line.x + line.width)
			rs_put_glyph(c, line.y, *x, RS_LOOK_DIM, RS_GLYPH_ELLIPSIS);
		return false;
	}
	put_look(c, line.y, *x, l);
	*x += 2;
	*x += rs_put(c, line.y, *x, line.x + line.width - *x, RS_LOOK_DIM, l->means) + 2;
	return true;
}

void rs_timeline_draw_legend(struct rs_canvas *c, struct rs_area line)
{
	const struct tl_look *const first[] = { &runs, &waits, &preempted };
	int x = line.x;

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		if (!put_entry(c, line, &x, first[i]))
			return;
	for (size_t i = 0; i < RS_NR_CAUSES; i++)
		if (causes[i].means && !put_entry(c, line, &x, &causes[i]))
			return;
	put_entry(c, line, &x, &unknown);
}
