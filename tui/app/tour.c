// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tour.c - a guided tour: a few lines above the footer say what is seen on the screen on top, and which key
 * goes on
 *
 * The step is that of the screen on top, so whoever presses other keys, or goes back, is never out of step.
 */
#include <string.h>

#include "tui/app/app.h"

#define TOUR_MAX_LINES 4
#define TOUR_LEAST_HEIGHT 16 /* of the terminal: below, the screen needs the room */

static const char tour_elsewhere[] = "This screen is not part of the tour. Backspace leads back to it.";

/* Returns the number of the step, from 1; 0: the screen is not part of the tour. */
static unsigned int tour_find(const struct rs_app *app, unsigned int *nr_steps)
{
	const struct rs_tour_step *steps = app->opt->tour;
	const char *name = rs_app_top(app)->ops->name;
	unsigned int found = 0;

	for (*nr_steps = 0; steps[*nr_steps].text; ++*nr_steps)
		if (!found && !strcmp(steps[*nr_steps].screen, name))
			found = *nr_steps + 1;
	return found;
}

int rs_tour_draw(const struct rs_app *app, struct rs_canvas *c, int bottom)
{
	struct rs_area area = { bottom, 1, TOUR_MAX_LINES, rs_canvas_area(c).width - 2 };
	unsigned int nr_steps, step;
	const char *text;
	int lines;

	if (!app->opt->tour || !rs_app_top(app) || rs_canvas_area(c).height < TOUR_LEAST_HEIGHT)
		return 0;
	step = tour_find(app, &nr_steps);
	text = step ? app->opt->tour[step - 1].text : tour_elsewhere;
	lines = rs_put_wrapped(NULL, area, RS_STYLE_TEXT, text);
	area.y = bottom - lines;
	rs_canvas_fill(c, (struct rs_area){ area.y - 1, 0, 1, area.width + 2 }, RS_STYLE_SELECTED);
	if (step)
		rs_put_format(c, area.y - 1, 1, area.width, RS_STYLE_SELECTED, "Tour: step %u of %u", step,
			      nr_steps);
	else
		rs_put(c, area.y - 1, 1, area.width, RS_STYLE_SELECTED, "Tour");
	rs_put_wrapped(c, area, RS_STYLE_TEXT, text);
	return lines + 1;
}
