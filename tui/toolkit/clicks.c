// SPDX-License-Identifier: GPL-2.0-or-later
/* clicks.c - handles clicks outside of the screen's area: on a key of the footer, on a word of the breadcrumb */
#include "tui/toolkit/app.h"

static struct rs_click *clicks_add(struct rs_app *app, int y, int x, int width)
{
	struct rs_click *click = &app->clicks[app->nr_clicks];

	if (app->nr_clicks == RS_MAX_CLICKS)
		return NULL;
	app->nr_clicks++;
	*click = (struct rs_click){ .y = y, .x = x, .width = width };
	return click;
}

void rs_clicks_add_key(struct rs_app *app, int y, int x, int width, uint32_t key)
{
	struct rs_click *click = clicks_add(app, y, x, width);

	if (click)
		click->key = key;
}

void rs_clicks_add_crumb(struct rs_app *app, int y, int x, int width, unsigned int at)
{
	struct rs_click *click = clicks_add(app, y, x, width);

	if (click)
		click->crumb = at;
}

void rs_clicks_handle(struct rs_app *app, int y, int x)
{
	for (unsigned int i = 0; i < app->nr_clicks; i++) {
		const struct rs_click click = app->clicks[i];

		if (y != click.y || x < click.x || x >= click.x + click.width)
			continue;
		if (click.key)
			rs_app_key(app, &(struct rs_key_event){ .key = click.key });
		else
			rs_app_pop_to(app, click.crumb);
		return;
	}
}
