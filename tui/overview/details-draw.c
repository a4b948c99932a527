// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details-draw.c - places and draws the panels; above them the sentence and the latencies, below them the
 * views without rows
 */
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/bars.h"
#include "tui/overview/details.h"

#define MIN_ROWS 3
#define DETAILS_DRAW_MAX_BARS 10

#define MOST_SENTENCE 16 /* lines */

/* Returns the lines above the panels: the sentence, or the latencies of the row's spans. */
static int lines_above(const struct rs_details *d, int width)
{
	if (*d->sentence)
		return rs_put_wrapped(NULL, (struct rs_area){ 0, 1, MOST_SENTENCE, width - 1 }, RS_STYLE_BOLD,
				      d->sentence);
	return rs_latency_panel_lines(&d->latency, width);
}

static void draw_above(const struct rs_details *d, struct rs_canvas *c, struct rs_area area)
{
	if (*d->sentence)
		rs_put_wrapped(c, (struct rs_area){ area.y, area.x + 1, MOST_SENTENCE, area.width - 1 },
			       RS_STYLE_BOLD, d->sentence);
	else
		rs_latency_panel_draw(&d->latency, c, area);
}

static int lines_of(const struct rs_details_panel *p, int max_rows)
{
	if (p->of->view.kind == RS_VIEW_HIST) {
		int lines = (int)rs_bars_lines(&p->grid);

		return 1 + (lines < DETAILS_DRAW_MAX_BARS ? lines : DETAILS_DRAW_MAX_BARS);
	}
	if (p->of->view.by_name && max_rows > MIN_ROWS)
		max_rows = MIN_ROWS;
	return 2 + ((int)p->grid.nr < max_rows ? (int)p->grid.nr : max_rows);
}

/* Gives spare lines of a tall screen to the panels. Returns the lines that all of them take. */
static int details_draw_layout(struct rs_details *d, int height, int width)
{
	int nr = 0, most, y = lines_above(d, width);

	height -= y;
	y += y > 0;
	for (unsigned int i = 0; i < d->nr; i++)
		nr += !rs_details_is_empty(&d->panels[i]);
	most = nr ? height / nr - 3 : MIN_ROWS;
	if (most < MIN_ROWS)
		most = MIN_ROWS;
	for (unsigned int i = 0; i < d->nr; i++) {
		struct rs_details_panel *p = &d->panels[i];

		p->y = y;
		p->height = rs_details_is_empty(p) ? 0 : lines_of(p, most);
		y += p->height ? p->height + 1 : 0;
	}
	return y;
}

/* ---- drawing ---- */

static void details_draw_rows(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area area)
{
	struct rs_app *app = p->details->screen.app;
	struct rs_grid_style style = {
		.cell = app->style, .selected = -1, .ascii = rs_canvas_ascii(c),
	};
	struct rs_area rows = { area.y + 1, area.x, area.height - 1, area.width };

	if (p->of->view.kind == RS_VIEW_HIST) {
		rs_bars_draw(&p->grid, &style.cell, c, area, 0);
		return;
	}
	/* A log shows its newest rows, the last ones. */
	size_t height = (size_t)rows.height;
	size_t top = p->of->view.kind == RS_VIEW_STREAM && p->grid.nr > height ? p->grid.nr - height : 0;

	rs_grid_measure(&p->grid, top, (size_t)rows.height, &style);
	rs_grid_draw_heading(&p->grid, c, (struct rs_area){ area.y, area.x, 1, area.width }, &style);
	rs_grid_draw_rows(&p->grid, c, rows, top, &style);
}

static void draw_panel(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area area, bool at)
{
	const struct rs_view *view = &p->of->view;
	struct rs_buf range = RS_BUF_INIT;
	int x = area.x + 1;

	if (at)
		rs_put_glyph(c, area.y, area.x, RS_STYLE_KEY, RS_GLYPH_CURSOR);
	x += rs_put(c, area.y, x, area.width - 1, at ? RS_STYLE_SELECTED : RS_STYLE_TITLE, view->name);
	if (view->kind != RS_VIEW_HIST)
		x += rs_put_format(c, area.y, x, area.x + area.width - x, RS_STYLE_TEXT, "  %llu %s",
				   (unsigned long long)p->grid.nr_total, p->grid.nr_total == 1 ? "row"
					   : "rows");
	rs_app_time_put_grid_range(p->details->screen.app, &p->grid, &range);
	if (range.len)
		x += rs_put_format(c, area.y, x, area.x + area.width - x, RS_STYLE_DIM, "  %s", range.data);
	rs_buf_done(&range);
	rs_put_format(c, area.y, x, area.x + area.width - x, RS_STYLE_DIM, "  %s",
		      *p->details->sentence && *p->where ? p->where :
		      view->summary                      ? view->summary :
							   "");
	if (area.height > 1)
		details_draw_rows(p, c, (struct rs_area){ area.y + 1, area.x, area.height - 1, area.width });
}

/* Panels that begin above the screen are skipped; those that end below it are cut. */
static void draw_panels(struct rs_details *d, struct rs_canvas *c, struct rs_area area)
{
	for (unsigned int i = 0; i < d->nr; i++) {
		struct rs_details_panel *p = &d->panels[i];
		int y = p->y - d->top, height = p->height;

		if (!height || y < 0 || y >= area.height)
			continue;
		if (y + height > area.height)
			height = area.height - y;
		draw_panel(p, c, (struct rs_area){ area.y + y, area.x, height, area.width }, i == d->at);
	}
}

/* Lists the views without rows, and the first error with its reason. */
static void draw_rest(struct rs_details *d, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf names = RS_BUF_INIT;
	const char *refused = NULL;
	bool waits = false;

	for (unsigned int i = 0; i < d->nr; i++) {
		const struct rs_details_panel *p = &d->panels[i];

		if (*p->refused)
			refused = refused ? refused : p->refused;
		else if (!p->grid.answered || (p->question.asked && !p->grid.nr))
			waits = true; /* another time range may have some */
		else if (!p->grid.nr)
			rs_buf_printf(&names, "%s%s", names.len ? ", " : "", p->of->view.name);
	}
	if (d->ended_state == RS_DETAILS_UNKNOWN)
		rs_put(c, line.y++, line.x + 1, line.width - 1, RS_STYLE_WARN,
		       "it has ended, and the window has nothing of it any more");
	if (waits)
		rs_put(c, line.y++, line.x + 1, line.width - 1, RS_STYLE_DIM, "reading ...");
	if (names.len)
		rs_put_format(c, line.y++, line.x + 1, line.width - 1, RS_STYLE_DIM, "no rows in %s",
			      names.data);
	if (refused)
		rs_put_format(c, line.y, line.x + 1, line.width - 1, RS_STYLE_BAD, "! %s", refused);
	rs_buf_done(&names);
}

void rs_details_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_details *d = (struct rs_details *)s;
	int all = details_draw_layout(d, area.height, area.width), last = all + 1 - area.height;
	int above = lines_above(d, area.width);
	struct rs_area top = { area.y, area.x, above < area.height ? above : area.height, area.width };
	const struct rs_details_panel *at;

	/* If answers arrive in another order, the first view stays selected while it may have rows. */
	if (d->nr && rs_details_is_empty(&d->panels[d->at]) && rs_details_is_answered(&d->panels[d->at])) {
		rs_details_move(d, 1);
		if (rs_details_is_empty(&d->panels[d->at]))
			rs_details_move(d, -1);
	}
	at = d->nr ? &d->panels[d->at] : NULL;
	if (at && at->y + at->height > d->top + area.height)
		d->top = at->y + at->height - area.height;
	if (at && at->y < d->top)
		d->top = at->y;
	if (at && at->y == above + (above > 0) && at->y + at->height <= area.height)
		d->top = 0; /* the first panel: show the lines above it too */
	if (d->top > last)
		d->top = last > 0 ? last : 0;
	if (above && !d->top)
		draw_above(d, c, top);
	draw_panels(d, c, area);
	if (all - d->top < area.height)
		draw_rest(d, c, (struct rs_area){ area.y + all - d->top, area.x, 1, area.width });
}
