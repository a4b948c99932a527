// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * overview.c - what is seen first: blocks, each with its own question, in one column or two
 *
 * Which views have a panel here they declare themselves; no block knows an analysis.
 */
#include <stdlib.h>

#include "tui/app.h"
#include "tui/block.h"

#define MAX_BLOCKS 32
#define TWO_COLUMNS 120   /* from this width on */

struct place {
	struct rs_block *block;
	struct rs_area area;     /* of its rows; height 0: there is no room, or nothing to show */
};

struct overview {
	struct rs_screen screen; /* first */
	struct place places[MAX_BLOCKS];
	unsigned int nr;
	unsigned int at;         /* which block is selected */
	size_t row;              /* and which of its rows */
	uint64_t identity;       /* of that row; 0: none */
	bool otherwise;          /* no panel has anything: in their place are those that are shown otherwise */
	bool chosen;             /* the user has been here: until then it is the first of all, whichever answer comes first */
};

/* ---- asking ---- */

static void ask(struct rs_screen *s)
{
	struct overview *o = (struct overview *)s;

	for (unsigned int i = 0; i < o->nr; i++)
		if (!o->places[i].block->asked)
			o->places[i].block->ops->ask(o->places[i].block);
}

/* ---- where blocks are ---- */

/* Until all have answered nobody knows. */
static bool no_panel_has_data(const struct overview *o)
{
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_block *b = o->places[i].block;

		if (b->ops->has_data && !b->otherwise && (!b->answered || b->ops->has_data(b)))
			return false;
	}
	return true;
}

static size_t rows_of(const struct overview *o, const struct place *p)
{
	size_t nr = p->block->ops->nr_rows(p->block);

	if (p->block->ops->has_data && p->block->otherwise != o->otherwise)
		return 0;
	return p->block->most && nr > p->block->most ? p->block->most : nr;
}

static bool in_column(const struct place *p, int columns, bool left)
{
	return columns == 1 || p->block->left == left;
}

/* Each block gets the least that makes sense, in order, while there is room; returns what is left. */
static int share_least(struct overview *o, int columns, bool left, int height)
{
	for (unsigned int i = 0; i < o->nr; i++) {
		struct place *p = &o->places[i];
		size_t rows = rows_of(o, p);
		int need;

		if (!in_column(p, columns, left))
			continue;
		if (rows > p->block->least)
			rows = p->block->least;
		need = rows ? (int)rows + 1 : 0;
		p->area.height = need && need <= height ? (int)rows : 0;
		height -= p->area.height ? need : 0;
	}
	return height;
}

/* What is left goes to those that have more, a line each in turn. */
static void share_rest(struct overview *o, int columns, bool left, int height)
{
	bool any = true;

	while (height > 0 && any) {
		any = false;
		for (unsigned int i = 0; i < o->nr && height > 0; i++) {
			struct place *p = &o->places[i];

			if (!in_column(p, columns, left) || !p->area.height || (size_t)p->area.height >= rows_of(o, p))
				continue;
			p->area.height++;
			height--;
			any = true;
		}
	}
}

static void put_column(struct overview *o, int columns, bool left, struct rs_area area)
{
	int y = area.y, rest = share_least(o, columns, left, area.height), nr = 0;

	for (unsigned int i = 0; i < o->nr; i++)
		nr += in_column(&o->places[i], columns, left) && o->places[i].area.height;
	share_rest(o, columns, left, rest - nr + 1); /* a blank line between two, if there is room */
	rest = area.height;
	for (unsigned int i = 0; i < o->nr; i++)
		if (in_column(&o->places[i], columns, left) && o->places[i].area.height)
			rest -= o->places[i].area.height + 1;
	for (unsigned int i = 0; i < o->nr; i++) {
		struct place *p = &o->places[i];

		if (!in_column(p, columns, left))
			continue;
		p->area.y = y + 1;
		p->area.x = area.x;
		p->area.width = area.width;
		if (p->area.height)
			y += p->area.height + 1 + (rest >= nr - 1);
	}
}

static void lay_out(struct overview *o, struct rs_area area)
{
	struct rs_area left = area, right = area;

	o->otherwise = no_panel_has_data(o);
	if (area.width < TWO_COLUMNS) {
		put_column(o, 1, true, area);
		return;
	}
	left.width = area.width * 11 / 20;
	right.x = area.x + left.width + 1;
	right.width = area.width - left.width - 1;
	put_column(o, 2, true, left);
	put_column(o, 2, false, right);
}

/* ---- the selection ---- */

/* It stays on its row wherever that has gone, and among what there is. */
static void keep_selection(struct overview *o)
{
	struct place *p;
	struct rs_block *b;

	if (!o->chosen) {
		o->at = 0;
		o->row = 0;
		o->identity = 0;
	}
	p = &o->places[o->at];
	b = p->block;
	for (unsigned int i = 0; !p->area.height && i < o->nr; i++) {
		o->at = (o->at + 1) % o->nr;
		o->row = 0;
		o->identity = 0;
		p = &o->places[o->at];
		b = p->block;
	}
	for (size_t row = 0; b->ops->identity && o->identity && row < (size_t)p->area.height; row++)
		if (b->ops->identity(b, row) == o->identity)
			o->row = row;
	if (o->row >= (size_t)p->area.height)
		o->row = p->area.height ? (size_t)p->area.height - 1 : 0;
	o->identity = b->ops->identity ? b->ops->identity(b, o->row) : 0;
}

static void select_row(struct overview *o, unsigned int at, size_t row)
{
	struct rs_block *b = o->places[at].block;

	o->chosen = true;
	o->at = at;
	o->row = row;
	o->identity = b->ops->identity ? b->ops->identity(b, row) : 0;
	rs_app_redraw(o->screen.app);
}

static void next_block(struct overview *o, int by, bool last_row)
{
	unsigned int at = o->at;

	for (unsigned int i = 0; i < o->nr; i++) {
		at = (at + o->nr + (unsigned int)by) % o->nr;
		if (o->places[at].area.height) {
			select_row(o, at, last_row ? (size_t)o->places[at].area.height - 1 : 0);
			return;
		}
	}
}

static void move(struct overview *o, int by)
{
	long row = (long)o->row + by;

	if (row < 0 || row >= o->places[o->at].area.height)
		next_block(o, by, by < 0);
	else
		select_row(o, o->at, (size_t)row);
}

/* ---- drawing ---- */

static void draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct overview *o = (struct overview *)s;
	bool any = false;

	lay_out(o, area);
	keep_selection(o);
	for (unsigned int i = 0; i < o->nr; i++) {
		struct place *p = &o->places[i];
		struct rs_area line = { p->area.y - 1, p->area.x, 1, p->area.width };

		if (!p->area.height)
			continue;
		any = true;
		if (p->block->ops->aside)
			p->block->ops->aside(p->block, c, line, rs_text_columns(p->block->title, true) + 2);
		rs_put(c, line.y, line.x, line.width, RS_LOOK_TITLE, p->block->title);
		p->block->ops->draw(p->block, c, p->area, i == o->at ? (long)o->row : -1);
	}
	if (!any)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_LOOK_DIM, "waiting for the first numbers");
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, NEXT, BACK };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, OPEN, "Open", "all about the selected row; of a sentence: where it is from" },
	{ { RS_KEY_DOWN, 'j', RS_KEY_WHEEL_DOWN }, DOWN, NULL, "the next row" },
	{ { RS_KEY_UP, 'k', RS_KEY_WHEEL_UP }, UP, NULL, "the row before" },
	{ { RS_KEY_TAB, '\t' }, NEXT, "Next", "the next block" },
	{ { RS_KEY_BACK_TAB }, BACK, NULL, "the block before" },
	{ .help = NULL },
};

static void open_row(struct overview *o)
{
	struct rs_block *b = o->places[o->at].block;
	struct rs_subject subject;

	if (!o->places[o->at].area.height)
		return;
	if (b->ops->open)
		rs_app_push(o->screen.app, b->ops->open(b, o->row));
	else if (b->ops->subject && b->ops->subject(b, o->row, &subject))
		rs_app_push(o->screen.app, rs_about_new(o->screen.app, &subject));
}

static bool act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct overview *o = (struct overview *)s;

	(void)key;
	if (action == OPEN)
		open_row(o);
	else if (action == UP || action == DOWN)
		move(o, action == UP ? -1 : 1);
	else
		next_block(o, action == NEXT ? 1 : -1, false);
	return true;
}

static bool on_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct overview *o = (struct overview *)s;

	if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	for (unsigned int i = 0; i < o->nr; i++) {
		const struct rs_area *area = &o->places[i].area;
		int y = key->y + o->screen.app->area.y - area->y;

		if (y >= 0 && y < area->height && key->x >= area->x && key->x < area->x + area->width)
			select_row(o, i, (size_t)y);
	}
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		open_row(o);
	return true;
}

static bool subject(struct rs_screen *s, struct rs_subject *out)
{
	struct overview *o = (struct overview *)s;
	struct rs_block *b = o->places[o->at].block;

	return o->places[o->at].area.height && b->ops->subject && b->ops->subject(b, o->row, out);
}

static void free_block(struct rs_block *b)
{
	free(b);
}

static void free_overview(struct rs_screen *s)
{
	struct overview *o = (struct overview *)s;

	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_block *b = o->places[i].block;

		rs_client_forget(rs_app_client(s->app), b);
		(b->ops->free ? b->ops->free : free_block)(b);
	}
	free(o);
}

static const struct rs_screen_ops ops = {
	.name = "overview", .keys = keys, .ask = ask, .draw = draw, .act = act, .key = on_key, .subject = subject,
	.free = free_overview,
};

static void add(struct overview *o, struct rs_block *b)
{
	unsigned int at = o->nr;

	if (!b || o->nr == MAX_BLOCKS)
		return;
	while (at && (o->places[at - 1].block->left < b->left ||
		      (o->places[at - 1].block->left == b->left && o->places[at - 1].block->place > b->place))) {
		o->places[at] = o->places[at - 1];
		at--;
	}
	o->places[at] = (struct place){ .block = b };
	o->nr++;
}

struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_subject *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	struct overview *o = calloc(1, sizeof *o);

	(void)of;
	if (!o)
		return NULL;
	o->screen = (struct rs_screen){ &ops, app };
	add(o, rs_block_findings_new(app));
	for (size_t i = 0; i < c->nr_views; i++)
		if (c->views[i].view.panel && !c->views[i].why_off)
			add(o, rs_block_panel_new(app, &c->views[i]));
	add(o, rs_block_open_new(app));
	add(o, rs_block_worst_new(app));
	if (app->live)
		add(o, rs_block_rates_new(app));
	if (o->nr)
		return &o->screen;
	free(o);
	return NULL;
}
