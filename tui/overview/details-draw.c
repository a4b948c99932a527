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

/* Of the process that the screen is about, as one of its panels has it; NULL: of none, or unknown. */
static const char *details_draw_cmdline(const struct rs_details *d)
{
	if (rs_selection_number(&d->keys, "pid") <= 0)
		return NULL;
	for (unsigned int i = 0; i < d->nr; i++) {
		const struct rs_details_panel *p = &d->panels[i];

		for (size_t row = 0; row < p->grid.nr && !rs_details_is_empty(p); row++) {
			const struct rs_value *v = rs_grid_cell_named(&p->grid, row, "cmdline");

			if (v->known)
				return v->s;
		}
	}
	return NULL;
}

/* Returns the lines above the panels: the sentence, or the command line and the latencies. */
static int lines_above(const struct rs_details *d, int width)
{
	if (*d->sentence)
		return rs_put_wrapped(NULL, (struct rs_area){ 0, 1, MOST_SENTENCE, width - 1 }, RS_STYLE_BOLD,
				      d->sentence);
	return !!details_draw_cmdline(d) + rs_latency_panel_lines(&d->latency, width);
}

static void draw_above(const struct rs_details *d, struct rs_canvas *c, struct rs_area area)
{
	const char *cmdline = details_draw_cmdline(d);

	if (*d->sentence) {
		rs_put_wrapped(c, (struct rs_area){ area.y, area.x + 1, MOST_SENTENCE, area.width - 1 },
			       RS_STYLE_BOLD, d->sentence);
		return;
	}
	if (cmdline && area.height > 0) {
		rs_put(c, area.y++, area.x + 1, area.width - 1, RS_STYLE_DIM, cmdline);
		area.height--;
	}
	rs_latency_panel_draw(&d->latency, c, area);
}

/* A log shows its newest rows, the last ones. */
static size_t details_draw_top(const struct rs_details_panel *p, size_t nr_rows)
{
	return p->of->view.kind == RS_VIEW_STREAM && p->grid.nr > nr_rows ? p->grid.nr - nr_rows : 0;
}

static struct rs_grid_style details_draw_style(const struct rs_details_panel *p, bool ascii)
{
	return (struct rs_grid_style){
		.cell = p->details->screen.app->style, .selected = -1, .ascii = ascii,
	};
}

/* "7 rows  all 1.01s, 7 threads" */
static void details_draw_put_counts(const struct rs_details_panel *p, struct rs_buf *out)
{
	size_t len;

	if (p->of->view.kind != RS_VIEW_HIST)
		rs_buf_printf(out, "%llu %s  ", (unsigned long long)p->grid.nr_total,
			      p->grid.nr_total == 1 ? "row" : "rows");
	len = out->len;
	rs_app_time_put_grid_range(p->details->screen.app, &p->grid, out);
	if (out->len > len)
		rs_buf_puts(out, "  ");
}

/* The filter of a finding's evidence is a part of what it says; of others the summary is known. */
static const char *details_draw_where(const struct rs_details_panel *p)
{
	return *p->details->sentence && *p->where ? p->where : "";
}

static int details_draw_headings_width(const struct rs_grid *g)
{
	int width = 0;

	for (unsigned int i = 0; i < g->shown.nr; i++)
		width += g->widths[g->shown.at[i]] + 1;
	return width;
}

/* As on the overview: the name in the place of the first heading, if that is of a text and as wide. */
static bool details_draw_fits_one_line(const struct rs_details_panel *p, int width, bool ascii)
{
	const struct rs_grid *g = &p->grid;
	struct rs_buf counts = RS_BUF_INIT;
	int need = details_draw_headings_width(g) + 1;
	bool fits;

	if (!g->shown.nr || !rs_column_is_left(&g->view->columns[g->shown.at[0]]) ||
	    rs_put_text_columns(g->view->name, ascii) + 1 > g->widths[g->shown.at[0]])
		return false;
	details_draw_put_counts(p, &counts);
	rs_buf_puts(&counts, details_draw_where(p));
	fits = need + rs_put_text_columns(counts.data, ascii) <= width; /* at least the number of rows */
	rs_buf_done(&counts);
	return fits;
}

static int lines_of(struct rs_details_panel *p, int max_rows, int width, bool ascii)
{
	struct rs_grid_style style = details_draw_style(p, ascii);
	int nr_rows;

	if (p->of->view.kind == RS_VIEW_HIST) {
		int lines = (int)rs_bars_lines(&p->grid);

		return 1 + (lines < DETAILS_DRAW_MAX_BARS ? lines : DETAILS_DRAW_MAX_BARS);
	}
	if (p->of->view.by_name && max_rows > MIN_ROWS)
		max_rows = MIN_ROWS;
	nr_rows = (int)p->grid.nr < max_rows ? (int)p->grid.nr : max_rows;
	rs_grid_measure(&p->grid, details_draw_top(p, (size_t)nr_rows), (size_t)nr_rows, &style);
	if (!rs_grid_shows_sort(&p->grid, 0, width))
		rs_grid_fit(&p->grid, width);
	p->one_line = details_draw_fits_one_line(p, width, ascii);
	return (p->one_line ? 1 : 2) + nr_rows;
}

/* Gives spare lines of a tall screen to the panels. Returns the lines that all of them take. */
static int details_draw_layout(struct rs_details *d, int height, int width, bool ascii)
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
		p->height = rs_details_is_empty(p) ? 0 : lines_of(p, most, width, ascii);
		y += p->height ? p->height + 1 : 0;
	}
	return y;
}

/* ---- drawing ---- */

/* Below the line of headings, which the name and the counts may share. */
static void details_draw_rows(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area area)
{
	struct rs_grid_style style = details_draw_style(p, rs_canvas_ascii(c));

	if (area.height <= 0)
		return;
	if (p->of->view.kind == RS_VIEW_HIST)
		rs_bars_draw(&p->grid, &style.cell, c, area, 0);
	else
		rs_grid_draw_rows(&p->grid, c, area, details_draw_top(p, (size_t)area.height), &style);
}

/* The name, the counts, after the headings on one line with them, and what there is to say of the view. */
static void details_draw_title(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area line, bool at)
{
	const struct rs_view *view = &p->of->view;
	const char *where = details_draw_where(p), *base = view->base ? view->base : "";
	int x = line.x + 1, end = line.x + line.width;
	struct rs_buf counts = RS_BUF_INIT;

	if (at)
		rs_put_glyph(c, line.y, line.x, RS_STYLE_KEY, RS_GLYPH_CURSOR);
	x += rs_put(c, line.y, x, end - x, at ? RS_STYLE_SELECTED : RS_STYLE_TITLE, view->name) + 2;
	if (p->one_line)
		x = line.x + details_draw_headings_width(&p->grid) + 1;
	details_draw_put_counts(p, &counts);
	if (counts.len)
		x += rs_put(c, line.y, x, end - x, RS_STYLE_DIM, counts.data);
	rs_buf_done(&counts);
	if (*base && rs_put_text_columns(base, true) <= end - x)
		x += rs_put(c, line.y, x, end - x, RS_STYLE_TEXT, base) + 2;
	if (*where || (view->summary && end - x >= RS_TABLE_LEAST_SUMMARY))
		rs_put(c, line.y, x, end - x, RS_STYLE_DIM, *where ? where : view->summary);
}

static void details_draw_headings(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area line)
{
	struct rs_grid_style style = details_draw_style(p, rs_canvas_ascii(c));
	struct rs_area first = { line.y, line.x, 1, p->grid.widths[p->grid.shown.at[0]] };

	rs_grid_draw_heading(&p->grid, c, line, &style);
	if (p->one_line)
		rs_canvas_fill(c, first, RS_STYLE_TEXT);
}

static void draw_panel(struct rs_details_panel *p, struct rs_canvas *c, struct rs_area area, bool at)
{
	struct rs_area line = { area.y, area.x, 1, area.width };
	bool has_headings = p->of->view.kind != RS_VIEW_HIST && p->grid.shown.nr;
	int above = has_headings && !p->one_line ? 2 : 1;

	if (has_headings && p->one_line)
		details_draw_headings(p, c, line);
	details_draw_title(p, c, line, at);
	line.y++;
	if (has_headings && !p->one_line && area.height > 1)
		details_draw_headings(p, c, line);
	details_draw_rows(p, c, (struct rs_area){ area.y + above, area.x, area.height - above, area.width });
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
	int all = details_draw_layout(d, area.height, area.width, rs_canvas_ascii(c));
	int last = all + 1 - area.height;
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
