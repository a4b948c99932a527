// SPDX-License-Identifier: GPL-2.0-or-later
/* footer.c - draws the keys of the screen, cut to the width: help and quit come first */
#include "tui/toolkit/app.h"
#include "tui/toolkit/keytable.h"

#define FOOTER_ALWAYS 2       /* the first rows of the app's table: help, quit */
#define OF_MACHINES 1  /* the row that needs several machines */

struct footer_pen {
	struct rs_app *app;
	struct rs_canvas *c;
	int y, x, width;
	bool full;
};

static void footer_put_label(struct footer_pen *p, uint32_t key, const char *label)
{
	struct rs_buf name = RS_BUF_INIT;
	bool ascii = rs_canvas_ascii(p->c);
	int width;

	rs_keytable_name(key, &name);
	width = rs_put_text_columns(name.data, ascii) + 1 + rs_put_text_columns(label, ascii) + 2;
	p->full = p->full || p->x + width > p->width + 1; /* the last one needs no blanks after it */
	if (!p->full) {
		rs_clicks_add_key(p->app, p->y, p->x, width - 2, key);
		p->x += rs_put(p->c, p->y, p->x, p->width, RS_STYLE_KEY, name.data) + 1;
		p->x += rs_put(p->c, p->y, p->x, p->width, RS_STYLE_DIM, label) + 2;
	}
	rs_buf_done(&name);
}

/* Returns true if the top screen leaves the key to the app. */
static bool reaches_app(const struct rs_screen *top, uint32_t key)
{
	return !rs_keytable_find(top->ops->keys, key) && !(top->ops->types && rs_keytable_is_text(key));
}

/* With top: puts the rows of the app whose keys reach it from that screen. Without: puts the screen's own rows. */
static void footer_put_rows(struct footer_pen *p, const struct rs_key *rows, unsigned int from,
			    unsigned int to,
			    const struct rs_screen *top)
{
	for (unsigned int i = 0; rows && rows[i].help && i < to; i++)
		if (i >= from && rows[i].label && (!top || reaches_app(top, rows[i].keys[0])))
			footer_put_label(p, rows[i].keys[0], rows[i].label);
}

void rs_footer_draw(struct rs_app *app, struct rs_canvas *c, int y)
{
	struct footer_pen p = { app, c, y, 1, rs_canvas_area(c).width, false };
	const struct rs_screen *top = rs_app_top(app);

	footer_put_rows(&p, rs_app_keys, 0, FOOTER_ALWAYS + (app->nr_machines > 1 ? OF_MACHINES : 0), top);
	footer_put_rows(&p, top->ops->keys, 0, UINT32_MAX, NULL);
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		if (s->key && s->label && reaches_app(top, s->key))
			footer_put_label(&p, s->key, s->label);
	footer_put_rows(&p, rs_app_keys, FOOTER_ALWAYS + OF_MACHINES, UINT32_MAX, top);
}
