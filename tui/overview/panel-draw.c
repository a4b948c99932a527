// SPDX-License-Identifier: GPL-2.0-or-later
/* panel-draw.c - draws the rows of a panel: columns, then a bar, or what a task lost, and its history */
#include "tui/overview/panel.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "tui/overview/panel-pain.h"
#include "tui/toolkit/chart.h"

#define WORDS 34          /* width of the text for the largest parts */
#define LEAST_WORDS 14    /* "preempted 100%" */
#define SHORT_WORDS 16    /* beside what is known of a process */
#define HEX_DIGITS 12     /* of a container's number */
#define LEAST_STRIP 6
#define WHAT_BYTES 240
#define PAIN_WORDS 20     /* "lock 52% (audit-log)" */

static int panel_draw_columns_width(const struct rs_panel_widget *p)
{
	int width = 0;

	for (unsigned int i = 0; i < p->grid.shown.nr; i++)
		width += p->grid.widths[p->grid.shown.at[i]] + 1;
	return width;
}

/*
 * Of a task: half of the room, a cell for each sample at most. The words of its pain come first, then its
 * history, then what is known of it.
 */
static int panel_draw_history_width(const struct rs_panel_widget *p, int left, int what_width)
{
	int room = left - RS_PANEL_PAIN_COLUMNS - PAIN_WORDS - (what_width ? what_width + 1 : 0),
	    width = room < left / 2 ? room : left / 2 < RS_STRIP_SAMPLES ? left / 2 : RS_STRIP_SAMPLES;

	return !p->strip.now || width < LEAST_STRIP ? 0 : width;
}

/*
 * "postgresql", "docker-3f2a90b1c4d7": the last part of the path, without what all units and containers have.
 */
static void panel_draw_put_unit(const char *cgroup, char *unit, size_t size)
{
	const char *last = strrchr(cgroup, '/'), *name = last ? last + 1 : cgroup, *dot = strrchr(name, '.');
	size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name), hex = 0;

	while (hex < len && strspn(name + hex, "0123456789abcdef") <= HEX_DIGITS)
		hex++;
	snprintf(unit, size, "%.*s", (int)(hex < len ? hex + HEX_DIGITS : len), name);
}

/* Without the folder of its program. */
static const char *panel_draw_cmdline(const char *cmdline)
{
	const char *slash = memrchr(cmdline, '/', strcspn(cmdline, " "));

	return slash ? slash + 1 : cmdline;
}

/* "postgresql: postgres -D /data": what is known of a single process. */
static void panel_draw_put_what(const struct rs_panel_widget *p, size_t row, char *what, size_t size)
{
	const struct rs_value *cgroup = rs_panel_rows_cell(p, row, "cgroup"),
			      *cmdline = rs_grid_folded_nr(&p->grid, row) == 1 ?
						 rs_panel_rows_cell(p, row, "cmdline") :
						 NULL;
	const char *command = cmdline ? panel_draw_cmdline(cmdline->s) : "";
	char unit[72] = "";

	if (cgroup && cgroup->s[strspn(cgroup->s, "/")])
		panel_draw_put_unit(cgroup->s, unit, sizeof unit);
	snprintf(what, size, "%s%s%s", unit, *unit && *command ? ": " : "", command);
}

/* Returns the columns for it, if there is room and anything is known; else 0. */
static int panel_draw_what_width(const struct rs_panel_widget *p, int left, size_t nr_rows)
{
	char what[WHAT_BYTES];

	for (size_t row = 0; left > 2 * WORDS && row < nr_rows && row < p->grid.nr; row++) {
		panel_draw_put_what(p, row, what, sizeof what);
		if (*what)
			return rs_panel_rows_are_tasks(p) ? left / 4 : left / 3;
	}
	return 0;
}

struct panel_draw_row {
	const struct rs_panel_widget *panel;
	size_t row;
};

static const char *panel_draw_culprit(const void *arg, enum rs_category category)
{
	const struct panel_draw_row *of = arg;
	const struct rs_value *pid = rs_panel_rows_cell(of->panel, of->row, "pid"),
			      *comm = rs_panel_rows_cell(of->panel, of->row, "comm");

	return rs_pains_culprit(&of->panel->widget.machine->pains, pid ? (int64_t)pid->u : 0,
				comm ? comm->s : "", category);
}

/*
 * Of a row of several processes: how many of them a finding says to be victims, if not all, and what share of
 * their time it is; then the one with the slowest wait.
 */
static void panel_draw_put_fold(const struct rs_panel_widget *p, size_t row, char *text, size_t size)
{
	const struct rs_value *comm = rs_panel_rows_cell(p, row, "comm");
	uint64_t nr = rs_grid_folded_nr(&p->grid, row);
	const struct rs_pain *pain =
		nr > 1 && comm ? rs_pains_find(&p->widget.machine->pains, 0, comm->s) : NULL;
	char wait[RS_SCREEN_TEXT];
	int used = 0;

	*text = '\0';
	if (pain && pain->nr_victims < nr && pain->milli)
		used = snprintf(text, size, "%u of them %u%%  ", pain->nr_victims,
				(pain->milli > 1000 ? 1000 : pain->milli + 5) / 10);
	if (pain && pain->slowest_tid)
		snprintf(text + used, size - (size_t)used, "slowest %s (%d)",
			 rs_screen_duration(pain->slowest_ns, wait), pain->slowest_tid);
}

/* A percentage, what it was lost to, what is known of the process, and its history. */
static void panel_draw_task(const struct rs_panel_widget *p, struct rs_canvas *c, struct rs_area line,
				   size_t row, int what_width)
{
	int x = line.x + panel_draw_columns_width(p), left = line.x + line.width - x;
	uint64_t id = rs_grid_identity(&p->grid, row);
	int strip = rs_strip_is_known(&p->strip, id) ? panel_draw_history_width(p, left, what_width) : 0,
	    pain = left - strip - (strip ? 1 : 0);
	struct rs_ink_task task = rs_panel_rows_ink_task(p, row);
	struct rs_split split = rs_panel_rows_split(p, row);
	char what[WHAT_BYTES], fold[80];
	const struct rs_panel_pain_words words = { panel_draw_culprit, &(struct panel_draw_row){ p, row },
						   fold };

	panel_draw_put_fold(p, row, fold, sizeof fold);
	if (what_width) {
		pain -= what_width + 1;
		panel_draw_put_what(p, row, what, sizeof what);
		rs_put_cut(c, line.y, x + pain + 1, what_width, RS_STYLE_DIM, what);
	}
	rs_panel_pain_draw(&split, &task, &words, c, (struct rs_area){ line.y, x, 1, pain });
	if (strip)
		rs_strip_draw(&p->strip, id, &task, c,
			      (struct rs_area){ line.y, line.x + line.width - strip, 1, strip });
}

/* "12 quiet: rcu_preempt, ksoftirqd/0 ..." */
static void panel_draw_quiet(const struct rs_panel_widget *p, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf text = RS_BUF_INIT;
	int comm = rs_column_named(&p->of->view, p->by_unit ? "unit" : "comm");
	char name[RS_UNIT_TEXT + 2];
	uint64_t nr = 0;

	for (size_t row = p->nr_loud; row < p->grid.nr; row++)
		nr += rs_grid_folded_nr(&p->grid, row);
	rs_buf_printf(&text, "%llu quiet", (unsigned long long)nr);
	for (size_t row = p->nr_loud; comm >= 0 && row < p->grid.nr && text.len < 400; row++)
		rs_buf_printf(&text, "%s%s", row == p->nr_loud ? ": " : ", ",
			      rs_grid_text(&p->grid, &p->widget.app->style, row, (unsigned int)comm, name));
	rs_put_cut(c, line.y, line.x, line.width, RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

/* One bar, of the row's history, else of its parts; the words for the largest, and what is known of it. */
static void panel_draw_bar(const struct rs_panel_widget *p, struct rs_canvas *c, struct rs_area line,
			   size_t row, int what_width)
{
	int x = line.x + panel_draw_columns_width(p), left = line.x + line.width - x, bar;
	int words = what_width             ? SHORT_WORDS :
		    left > 2 * WORDS       ? WORDS :
		    left < 2 * LEAST_WORDS ? 0 :
		    left / 3 < LEAST_WORDS ? LEAST_WORDS :
					     left / 3;
	struct rs_ink_task task = rs_panel_rows_ink_task(p, row);
	struct rs_split split = rs_panel_rows_split(p, row);
	uint64_t id = rs_grid_identity(&p->grid, row);
	char what[WHAT_BYTES];

	if (left < 3)
		return;
	line.width -= what_width ? what_width + 1 : 0;
	bar = line.x + line.width - x - words - (words ? 1 : 0);
	if (rs_strip_is_known(&p->strip, id) && bar >= LEAST_STRIP)
		rs_strip_draw(&p->strip, id, &task, c, (struct rs_area){ line.y, x, 1, bar });
	else
		rs_chart_draw_split(&split, &task, c, (struct rs_area){ line.y, x, 1, bar });
	if (words)
		rs_chart_put_split(&split, c, line.y, line.x + line.width - words, words);
	if (!what_width)
		return;
	panel_draw_put_what(p, row, what, sizeof what);
	rs_put_cut(c, line.y, line.x + line.width + 1, what_width, RS_STYLE_DIM, what);
}

void rs_panel_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	bool bars = p->of->view.panel->kind == RS_PANEL_SPLIT;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = selected,
				       .ascii = rs_canvas_ascii(c) };
	struct rs_area rows = area;
	int what_width = 0;

	rs_grid_measure(&p->grid, 0, (size_t)area.height, &style);
	if (bars) {
		int columns = panel_draw_columns_width(p);

		what_width = panel_draw_what_width(p, area.width - columns, (size_t)area.height);
		rows.width = columns < area.width ? columns : area.width;
	}
	if (rs_panel_rows_are_tasks(p) && rows.height > (int)p->nr_loud)
		rows.height = (int)p->nr_loud;
	rs_grid_draw_rows(&p->grid, c, rows, 0, &style);
	for (int y = 0; bars && y < area.height && (size_t)y < widget->nr_rows; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };

		if (rs_panel_rows_is_quiet(p, (size_t)y)) {
			panel_draw_quiet(p, c, line);
			if (y == selected)
				rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
		} else if (rs_panel_rows_are_tasks(p)) {
			panel_draw_task(p, c, line, (size_t)y, what_width);
		} else {
			panel_draw_bar(p, c, line, (size_t)y, what_width);
		}
	}
}

/* Explains the letters of the bars, and the percentages after them. */
static void panel_draw_legend(const struct rs_panel_widget *p, struct rs_canvas *c, struct rs_area line,
			      int used)
{
	int columns = panel_draw_columns_width(p), x = line.x + (columns > used ? columns : used),
	    end = line.x + line.width;
	const char *base = "% of its time";

	for (unsigned int i = 0; i < p->nr_parts; i++) {
		const struct rs_cause_row *cause = rs_cause_row(p->parts[i].cause);
		char letter[2] = { cause->letter };

		if (letter[0] == ' ')
			continue;
		if (x + 2 + (int)strlen(cause->word) > end) { /* no partial word */
			if (x < end)
				rs_put_glyph(c, line.y, x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
			return;
		}
		x += rs_put(c, line.y, x, end - x,
			    rs_canvas_cell_style(c, RS_STYLE_CAUSE + p->parts[i].cause), letter);
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_DIM, " %s  ", cause->word);
	}
	if (x + (int)strlen(base) > end)
		base = "% time";
	if (x + (int)strlen(base) <= end)
		rs_put(c, line.y, x, end - x, RS_STYLE_DIM, base);
}

/* Above the percentage, its words and the history. */
static void panel_draw_headings(const struct rs_panel_widget *p, struct rs_canvas *c,
				struct rs_area line)
{
	int x = line.x + panel_draw_columns_width(p), left = line.x + line.width - x;
	int strip = panel_draw_history_width(p, line.x + p->widget.width - x, 0),
	    history = line.x + p->widget.width - strip;
	const char *word = p->strip_to_ns ? "HISTORY" : "LAST MINUTE", *base = "PAIN OF WHAT, % OF ITS TIME";
	int room = strip ? history - x : left;

	if (left > RS_PANEL_PAIN_COLUMNS + 7)
		rs_put(c, line.y, x, left, RS_STYLE_HEADING,
		       room > (int)strlen(base) ? base : "PAIN OF WHAT");
	if (strip && history + (int)strlen(word) < line.x + line.width)
		rs_put(c, line.y, history, (int)strlen(word), RS_STYLE_HEADING, word);
}

/* Draws the headings after the title, which replaces the first one; for bars, the legend. */
void rs_panel_draw_aside(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = -1,
				       .ascii = rs_canvas_ascii(c) };

	bool bars = p->of->view.panel->kind == RS_PANEL_SPLIT;
	struct rs_area headings = line;

	rs_grid_measure(&p->grid, 0, p->grid.nr, &style);
	if (bars && panel_draw_columns_width(p) < line.width)
		headings.width = panel_draw_columns_width(p);
	rs_grid_draw_heading(&p->grid, c, headings, &style);
	rs_canvas_fill(c, (struct rs_area){ line.y, line.x, 1, used - 1 }, RS_STYLE_TEXT);
	if (rs_panel_rows_are_tasks(p))
		panel_draw_headings(p, c, line);
	else if (bars)
		panel_draw_legend(p, c, line, used);
}

int rs_panel_draw_headings_width(struct rs_widget *widget, struct rs_canvas *c)
{
	struct rs_panel_widget *p = (struct rs_panel_widget *)widget;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = -1,
				       .ascii = rs_canvas_ascii(c) };

	rs_grid_measure(&p->grid, 0, p->grid.nr, &style);
	return panel_draw_columns_width(p);
}
