// SPDX-License-Identifier: GPL-2.0-or-later
/* overview-layout.c - places the widgets: in one column, or in two with full-width widgets above them */
#include "tui/app/app.h"
#include "tui/overview/overview.h"

#define TWO_COLUMNS 120   /* from this width on, unless a pane is the second */

/* Unknown until all panels have answered. */
static bool no_panel_has_data(const struct rs_overview *o)
{
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_widget *widget = o->places[i].widget;

		if (widget->ops->has_data && !widget->otherwise &&
		    (!widget->answered || widget->ops->has_data(widget)))
			return false;
	}
	return true;
}

static size_t rows_of(const struct rs_overview *o, const struct rs_overview_place *p)
{
	size_t nr = p->widget->nr_rows;

	if (p->widget->ops->has_data && p->widget->otherwise != o->otherwise)
		return 0;
	return p->widget->most && nr > p->widget->most ? p->widget->most : nr;
}

enum column { ALL, OVER, LEFT, RIGHT };

static bool in_column(const struct rs_overview_place *p, enum column column)
{
	return column == ALL || column == (p->widget->wide ? OVER : p->widget->left ? LEFT : RIGHT);
}

#define SHORT_SCREEN 14          /* on fewer lines the minimum is 2: some of each */

/* Gives each widget its minimum, in order, while there is room. Returns the lines left. */
static int share_least(struct rs_overview *o, enum column column, int height)
{
	bool is_short = height < SHORT_SCREEN;

	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_overview_place *p = &o->places[i];
		size_t rows = rows_of(o, p);
		int need;

		if (!in_column(p, column))
			continue;
		if (rows > p->widget->least)
			rows = p->widget->least;
		if (is_short && rows > 2)
			rows = 2;
		need = rows ? (int)rows + 1 : 0;
		p->area.height = need && need <= height ? (int)rows : 0;
		height -= p->area.height ? need : 0;
	}
	return height;
}

/* Gives the remaining lines to widgets with more rows, one line each in turn. */
static void share_rest(struct rs_overview *o, enum column column, int height)
{
	bool any = true;

	while (height > 0 && any) {
		any = false;
		for (unsigned int i = 0; i < o->nr && height > 0; i++) {
			struct rs_overview_place *p = &o->places[i];

			if (!in_column(p, column) || !p->area.height ||
			    (size_t)p->area.height >= rows_of(o, p))
				continue;
			p->area.height++;
			height--;
			any = true;
		}
	}
}

/* Returns the number of lines used. */
static int put_column(struct rs_overview *o, enum column column, struct rs_area area)
{
	int y = area.y, rest = share_least(o, column, area.height), nr = 0;

	for (unsigned int i = 0; i < o->nr; i++)
		nr += in_column(&o->places[i], column) && o->places[i].area.height;
	share_rest(o, column, rest - nr + 1); /* a blank line between widgets, if there is room */
	rest = area.height;
	for (unsigned int i = 0; i < o->nr; i++)
		if (in_column(&o->places[i], column) && o->places[i].area.height)
			rest -= o->places[i].area.height + 1;
	for (unsigned int i = 0; i < o->nr; i++) {
		struct rs_overview_place *p = &o->places[i];

		if (!in_column(p, column))
			continue;
		p->area.y = y + 1;
		p->area.x = area.x;
		p->area.width = area.width;
		if (p->area.height)
			y += p->area.height + 1 + (rest >= nr - 1);
	}
	return y - area.y;
}

void rs_overview_arrange(struct rs_overview *o, struct rs_area area)
{
	struct rs_area left = area, right = area;
	int over;

	o->otherwise = no_panel_has_data(o);
	if (area.width < TWO_COLUMNS || o->screen.app->pane.has_room) {
		put_column(o, ALL, area);
		return;
	}
	over = put_column(o, OVER, (struct rs_area){ area.y, area.x, area.height / 3, area.width });
	left.y = right.y = area.y + over;
	left.height = right.height = area.height - over;
	left.width = area.width * 11 / 20;
	right.x = area.x + left.width + 1;
	right.width = area.width - left.width - 1;
	put_column(o, LEFT, left);
	put_column(o, RIGHT, right);
}
