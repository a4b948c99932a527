// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-pane.c - beside a screen on a wide terminal: the details of what is selected there
 *
 * Each selection is asked about once, when it has not changed for a moment: a key that is held down passes
 * over rows without a request. Live the wait that a row stands for is another with each interval; the pane
 * then follows it every few seconds only, so that it can be read.
 */
#include "tui/app/app-pane.h"

#include <string.h>

#include "tui/app/app.h"

#define PANE_FROM_COLUMNS 160
#define PANE_FROM_LINES 40
#define PANE_REST_NS 150000000ull       /* after a change of the selection */
#define PANE_STAYS_NS 5000000000ull     /* live */

static bool pane_is_same_key(const struct rs_selection_key *a, const struct rs_selection_key *b)
{
	bool is_text = a->column->type == RS_TYPE_TEXT;

	return a->column == b->column && (is_text ? !strcmp(a->text, b->text) : a->value.u == b->value.u);
}

/* with_time: of the same time, too */
static bool pane_is_same(const struct rs_screen_selection *a, const struct rs_screen_selection *b,
			 bool with_time)
{
	if (a->keys.nr != b->keys.nr || a->is_wait != b->is_wait || a->category != b->category ||
	    a->view != b->view)
		return false;
	for (unsigned int i = 0; i < a->keys.nr; i++)
		if (!pane_is_same_key(&a->keys.keys[i], &b->keys.keys[i]))
			return false;
	return !with_time || (a->from_ns == b->from_ns && a->to_ns == b->to_ns);
}

void rs_app_pane_close(struct rs_app *app, const struct rs_screen *of)
{
	struct rs_app_pane *pane = &app->pane;

	if (of && pane->of != of)
		return;
	if (pane->screen)
		rs_app_stack_close(app, pane->screen);
	*pane = (struct rs_app_pane){ .has_room = pane->has_room };
}

void rs_app_pane_ask(struct rs_app *app)
{
	struct rs_screen *s = app->pane.screen;

	if (s && app->pane.of == rs_app_top(app) && s->ops->ask)
		s->ops->ask(s);
}

static void pane_show(struct rs_app *app, struct rs_screen *top, const struct rs_screen_selection *selection)
{
	struct rs_tui_machine *machine = app->machine;

	rs_app_pane_close(app, NULL);
	app->pane.of = top;
	app->pane.is_selected = selection;
	if (selection) {
		app->pane.selection = *selection;
		app->pane.selection.values = NULL; /* valid during the call */
		app->pane.screen = top->ops->detail(top);
		rs_machine_set_use(app, machine);
		rs_app_pane_ask(app);
	}
	rs_app_redraw(app);
}

uint64_t rs_app_pane_tick(struct rs_app *app, uint64_t now_ns)
{
	struct rs_app_pane *pane = &app->pane;
	struct rs_screen *top = rs_app_top(app);
	struct rs_screen_selection selection;
	bool has_any, is_row, is_live = app->live && app->time.now;

	if (!pane->has_room || !top || !top->ops->detail || !top->ops->selection)
		return UINT64_MAX;
	has_any = top->ops->selection(top, &selection);
	is_row = pane->of == top && has_any == pane->is_selected &&
		 (!has_any || pane_is_same(&selection, &pane->selection, false));
	if (is_row && (!has_any || pane_is_same(&selection, &pane->selection, true))) {
		pane->next_ns = now_ns + (is_live ? PANE_STAYS_NS : PANE_REST_NS);
		return UINT64_MAX;
	}
	if (!is_row && pane->next_ns > now_ns + PANE_REST_NS)
		pane->next_ns = now_ns + PANE_REST_NS;
	if (pane->next_ns > now_ns)
		return pane->next_ns - now_ns;
	pane_show(app, top, has_any ? &selection : NULL);
	pane->next_ns = now_ns + (is_live ? PANE_STAYS_NS : PANE_REST_NS);
	return UINT64_MAX;
}

static void pane_put_title(struct rs_screen *s, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf title = RS_BUF_INIT;

	if (s->ops->title)
		s->ops->title(s, &title);
	else
		rs_buf_puts(&title, s->ops->name);
	rs_put_padded(c, line.y, line.x, line.width, RS_STYLE_HEADING, title.data);
	rs_buf_done(&title);
}

int rs_app_pane_draw(struct rs_app *app, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area all = rs_canvas_area(c);
	struct rs_screen *top = rs_app_top(app), *s = app->pane.screen;
	int width = area.width * 2 / 5;

	app->pane.has_room = all.width >= PANE_FROM_COLUMNS && all.height >= PANE_FROM_LINES && top &&
			     top->ops->detail;
	if (!app->pane.has_room)
		return 0;
	area.x += area.width - width;
	for (int y = area.y; y < area.y + area.height; y++)
		rs_put_glyph(c, y, area.x, RS_STYLE_DIM, RS_GLYPH_VLINE);
	area.x += 2;
	area.width = width - 2;
	if (s && app->pane.of == top) {
		pane_put_title(s, c, (struct rs_area){ area.y, area.x, 1, area.width });
		s->ops->draw(s, c, (struct rs_area){ area.y + 1, area.x, area.height - 1, area.width });
	}
	return width;
}
