// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-frame.c - draws a whole frame: header, top screen, message or prompt, footer; and handles clicks
 * outside of the screen's area: on a key of the footer, on a word of the header
 */
#include "tui/app/app.h"

/* ---- clicks ---- */

void rs_app_click_add(struct rs_app *app, struct rs_click click)
{
	if (app->nr_clicks < RS_MAX_CLICKS)
		app->clicks[app->nr_clicks++] = click;
}

void rs_app_click(struct rs_app *app, int y, int x)
{
	for (unsigned int i = 0; i < app->nr_clicks; i++) {
		const struct rs_click click = app->clicks[i];

		if (y != click.y || x < click.x || x >= click.x + click.width)
			continue;
		if (click.key)
			rs_app_key(app, &(struct rs_key_event){ .key = click.key });
		else if (click.term)
			rs_app_filter_remove(app, click.term - 1);
		else
			rs_app_pop_to(app, click.crumb);
		return;
	}
}

/* ---- the frame ---- */

static void draw_too_small(struct rs_canvas *c, struct rs_area all)
{
	rs_put_format(c, all.height / 2, 0, all.width, RS_STYLE_TEXT, "%dx%d: too small (%dx%d)", all.width,
		      all.height, RS_TUI_MIN_WIDTH, RS_TUI_MIN_HEIGHT);
}

/* The prompt or the message covers the last lines of the screen. */
static void draw_said(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	if (app->prompt.open) {
		rs_prompt_draw(&app->prompt, c, (struct rs_area){ line.y - 2, line.x, 3, line.width });
	} else if (*app->said) {
		rs_canvas_fill(c, line, app->said_style);
		rs_put(c, line.y, line.x + 1, line.width - 1, app->said_style, app->said);
	}
}

void rs_app_draw(struct rs_app *app, struct rs_canvas *c)
{
	struct rs_area all = rs_canvas_area(c);
	struct rs_screen *top = rs_app_top(app);
	int y, lines;

	rs_canvas_clear(c);
	rs_canvas_set_letters(c, app->letters);
	app->dirty = app->by_key = false;
	app->nr_clicks = 0;
	app->shown = c;
	if (all.height < RS_TUI_MIN_HEIGHT || all.width < RS_TUI_MIN_WIDTH) {
		draw_too_small(c, all);
		return;
	}
	y = rs_app_header_draw(app, c);
	lines = rs_tour_draw(app, c, all.height - 1);
	app->area = (struct rs_area){ y, 0, all.height - y - 1 - lines, all.width };
	app->area.width -= rs_app_pane_draw(app, c, app->area);
	if (top)
		top->ops->draw(top, c, app->area);
	draw_said(app, c, (struct rs_area){ y + app->area.height - 1, 0, 1, all.width });
	rs_app_footer_draw(app, c, all.height - 1);
}
