// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-footer.c - the last line: the keys of the screen, as far as they fit
 *
 * Help and the way out come first, then what acts on the selection, what acts on the screen, the other
 * screens, and what works everywhere. The key of what does nothing now is dim.
 */
#include <string.h>

#include "tui/app/app.h"

#define FOOTER_ALWAYS 2  /* the first rows of the app's table: help, back */
#define FOOTER_MACHINE 1 /* the row after them, which needs several machines */
#define FOOTER_HIDDEN (RS_KEY_RARE | RS_KEY_CURSOR)

struct footer_pen {
	struct rs_app *app;
	struct rs_canvas *c;
	int y, x, width;
	bool full;
};

static void footer_put_key(struct footer_pen *p, uint32_t key, const char *label, bool can)
{
	struct rs_buf name = RS_BUF_INIT;
	bool ascii = rs_canvas_ascii(p->c);
	int width;

	rs_keys_name(key, &name);
	width = rs_put_text_columns(name.data, ascii) + 1 + rs_put_text_columns(label, ascii) + 2;
	p->full = p->full || p->x + width > p->width + 1; /* the last one needs no blanks after it */
	if (!p->full) {
		rs_app_click_add(p->app,
				 (struct rs_click){ .y = p->y, .x = p->x, .width = width - 2, .key = key });
		p->x += rs_put(p->c, p->y, p->x, p->width, can ? RS_STYLE_KEY : RS_STYLE_DIM, name.data) + 1;
		p->x += rs_put(p->c, p->y, p->x, p->width, RS_STYLE_DIM, label) + 2;
	}
	rs_buf_done(&name);
}

/* Puts the screen's own rows: those with RS_KEY_SELECTION, or the others. */
static void footer_put_screen(struct footer_pen *p, const struct rs_screen *top, unsigned int selection)
{
	for (const struct rs_key *row = top->ops->keys; row && row->help; row++)
		if (row->label && !(row->flags & FOOTER_HIDDEN) &&
		    (row->flags & RS_KEY_SELECTION) == selection)
			footer_put_key(p, row->keys[0], row->label,
				       !top->ops->can || top->ops->can(top, row->action));
}

/* Puts rows of the app whose keys reach it from that screen. */
static void footer_put_app(struct footer_pen *p, unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to && rs_app_keys[i].help; i++) {
		const struct rs_key *row = &rs_app_keys[i];
		bool quits = row->action == RS_APP_CLOSE && p->app->nr_stack == 1;

		if (!(row->flags & FOOTER_HIDDEN) && rs_app_gets_key(p->app, row->keys[0]))
			footer_put_key(p, row->keys[0], quits ? "Quit" : row->label,
				       rs_app_can(p->app, row->action));
	}
}

/* The first screen comes last: q leads there, too. */
static void footer_put_screens(struct footer_pen *p, const struct rs_screen *top)
{
	size_t nr = rs_screens_nr();

	for (size_t i = 1; i <= nr; i++) {
		const struct rs_screen_row *row = &rs_screens[i % nr];

		if (row->key && row->label && !row->rare && strcmp(row->name, top->ops->name) &&
		    rs_app_gets_key(p->app, row->key))
			footer_put_key(p, row->key, row->label, rs_app_can_open(p->app, row));
	}
}

void rs_app_footer_draw(struct rs_app *app, struct rs_canvas *c, int y)
{
	struct footer_pen p = { app, c, y, 1, rs_canvas_area(c).width, false };
	const struct rs_screen *top = rs_app_top(app);
	unsigned int first = FOOTER_ALWAYS + (app->nr_all > 1 ? FOOTER_MACHINE : 0);

	footer_put_app(&p, 0, first);
	footer_put_screen(&p, top, RS_KEY_SELECTION);
	footer_put_screen(&p, top, 0);
	footer_put_screens(&p, top);
	footer_put_app(&p, FOOTER_ALWAYS + FOOTER_MACHINE, UINT32_MAX);
}
