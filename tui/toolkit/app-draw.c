// SPDX-License-Identifier: GPL-2.0-or-later
/* app-draw.c - draws a whole frame: header, quality line, top screen, message or prompt, footer */
#include "tui/toolkit/app.h"

static void draw_too_small(struct rs_canvas *c, struct rs_area all)
{
	rs_put_format(c, all.height / 2, 0, all.width, RS_STYLE_TEXT, "%dx%d: too small (%dx%d)", all.width, all.height,
		      RS_TUI_MIN_WIDTH, RS_TUI_MIN_HEIGHT);
}

/* The prompt or the message covers the last line of the screen. */
static void draw_said(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	if (app->prompt.open) {
		rs_prompt_draw(&app->prompt, c, line);
	} else if (*app->said) {
		rs_canvas_fill(c, line, app->said_style);
		rs_put(c, line.y, line.x + 1, line.width - 1, app->said_style, app->said);
	}
}

void rs_app_draw(struct rs_app *app, struct rs_canvas *c)
{
	struct rs_area all = rs_canvas_area(c);
	struct rs_screen *top = rs_app_top(app);
	int y;

	rs_canvas_clear(c);
	app->dirty = app->by_key = false;
	app->nr_clicks = 0;
	app->shown = c;
	if (all.height < RS_TUI_MIN_HEIGHT || all.width < RS_TUI_MIN_WIDTH) {
		draw_too_small(c, all);
		return;
	}
	y = rs_header_draw(app, c);
	rs_quality_draw(app, c, y++);
	app->area = (struct rs_area){ y, 0, all.height - y - 1, all.width };
	if (top)
		top->ops->draw(top, c, app->area);
	draw_said(app, c, (struct rs_area){ all.height - 2, 0, 1, all.width });
	rs_footer_draw(app, c, all.height - 1);
}
