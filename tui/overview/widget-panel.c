// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-panel.c - draws a view as its panel declaration asks: a bar for each row, or its first rows
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/overview/command-line.h"
#include "tui/overview/strip.h"
#include "tui/overview/panel-pain.h"
#include "tui/overview/widget.h"
#include "tui/app/grid.h"
#include "tui/toolkit/chart.h"

#define PANEL_WIDGET_ROWS 64
#define PANEL_WIDGET_MOST_ROWS 40      /* unless the panel asks for all rows */
#define LEAST_ROWS 5      /* on a terminal of 24 lines the processes that matter are visible */
#define WORDS 34          /* width of the text for the largest parts */
#define LEAST_WORDS 14    /* "preempted 100%" */
#define SHORT_WORDS 16    /* beside what is known of a process */
#define HEX_DIGITS 12     /* of a container's number */
#define LEAST_STRIP 6
#define PAIN_WORDS 20     /* "lock 52% (audit-log)" */
#define TRACK_NAME 32

struct panel_widget {
	struct rs_widget widget;  /* first */
	const struct rs_catalogue_view *of;
	struct rs_grid grid;
	struct rs_strip strip;    /* of each row: live the last minute, else the time range */
	struct rs_question spans; /* for the latter, of this time: */
	uint64_t strip_from_ns, strip_to_ns;
	unsigned int nr_parts;
	struct { unsigned int column; enum rs_cause cause; } parts[RS_MAX_PARTS];
	/* of tasks, by what they lost: the first nr_loud rows of the order lost something, the others share a
	 * line */
	uint16_t order[PANEL_WIDGET_ROWS];
	size_t nr_loud;
	unsigned int nr_read;     /* of the findings that the order is by, see struct rs_pains */
};

/* Rows of tasks have pain; those of CPUs are busy or not. */
static bool panel_widget_is_of_tasks(const struct panel_widget *p)
{
	return p->nr_parts && p->grid.absent >= 0;
}

/* Returns true for the line of those that lost nothing. */
static bool panel_widget_is_quiet(const struct panel_widget *p, size_t row)
{
	return panel_widget_is_of_tasks(p) && row >= p->nr_loud;
}

/* A null part counts as 0. */
static struct rs_split split_of(const struct panel_widget *p, size_t row)
{
	struct rs_split split = { .nr = p->nr_parts };

	for (unsigned int i = 0; i < p->nr_parts; i++) {
		const struct rs_value *v = rs_grid_cell(&p->grid, row, p->parts[i].column);

		split.parts[i].cause = p->parts[i].cause;
		split.parts[i].ns = v->known ? v->u : 0;
	}
	return split;
}

static const struct rs_value *panel_widget_cell(const struct panel_widget *p, size_t row, const char *name)
{
	int column = rs_column_named(&p->of->view, name);
	const struct rs_value *v = column >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)column) : NULL;

	return v && v->known ? v : NULL;
}

/* A row of several processes is known by their name. */
static struct rs_ink_task panel_widget_ink_task(const struct panel_widget *p, size_t row)
{
	const struct rs_value *pid = panel_widget_cell(p, row, "pid"),
			      *comm = panel_widget_cell(p, row, "comm");
	bool is_one = rs_grid_folded_nr(&p->grid, row) == 1;

	return rs_pains_of(&p->widget.machine->pains, is_one && pid ? (int64_t)pid->u : 0,
			   comm ? comm->s : "");
}

/* ---- the order of tasks: by what they lost ---- */

#define PANEL_WIDGET_LEAST_LOUD 5u /* rows that are shown even if they lost nothing */

static void panel_widget_sort(struct panel_widget *p)
{
	uint32_t pains[PANEL_WIDGET_ROWS];
	size_t nr = p->grid.nr < PANEL_WIDGET_ROWS ? p->grid.nr : PANEL_WIDGET_ROWS;

	p->grid.order = NULL;
	p->nr_read = p->widget.machine->pains.nr_read;
	for (size_t row = 0; row < nr; row++) {
		struct rs_ink_task task = panel_widget_ink_task(p, row);
		struct rs_split split = split_of(p, row);

		pains[row] = rs_panel_pain_of(&split, &task);
		if (pains[row] < RS_PANEL_PAIN_LEAST && rs_panel_pain_is_busy(&split))
			pains[row] = RS_PANEL_PAIN_LEAST;
		if (task.pains && pains[row] != UINT32_MAX) /* victims of findings come first */
			pains[row] += 1000;
	}
	p->nr_loud = rs_panel_pain_sort(pains, nr, p->order);
	p->grid.nr = nr;
	p->grid.order = p->order;
	if (p->nr_loud < PANEL_WIDGET_LEAST_LOUD)
		p->nr_loud = nr < PANEL_WIDGET_LEAST_LOUD ? nr : PANEL_WIDGET_LEAST_LOUD;
	p->widget.nr_rows = p->nr_loud + (p->nr_loud < nr);
}

/* Only the current interval: a time range of the past is no part of the last minute. */
static void panel_widget_add_strips(struct panel_widget *p, uint64_t interval)
{
	for (size_t row = 0; p->nr_parts && row < p->grid.nr && row < RS_STRIP_ROWS; row++) {
		struct rs_split split = split_of(p, row);

		rs_strip_add(&p->strip, interval, rs_grid_identity(&p->grid, row), &split);
	}
}

/* ---- strips of a time range: from the tracks of its rows ---- */

/* Writes the track of a row: of its CPU, or its thread; "": neither. */
static void panel_widget_put_track(const struct panel_widget *p, size_t row, char track[TRACK_NAME])
{
	int cpu = rs_column_named(&p->of->view, "cpu"), tid = rs_column_named(&p->of->view, "tid"),
	    column = cpu >= 0 ? cpu : tid;
	const struct rs_value *v = column >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)column) : NULL;

	*track = '\0';
	if (v && !v->known && cpu < 0) /* of a process its first thread */
		v = p->grid.absent >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)p->grid.absent) : NULL;
	if (v && v->known && rs_grid_folded_nr(&p->grid, row) == 1)
		snprintf(track, TRACK_NAME, cpu >= 0 ? "cpu:%llu" : "task:%llu.0", (unsigned long long)v->u);
}

static void panel_widget_read_strip(struct panel_widget *p, size_t row, const struct rs_spans_track *track,
				    bool of_task)
{
	uint8_t causes[RS_STRIP_SAMPLES];

	memset(causes, RS_CAUSE_IDLE, sizeof causes);
	for (const struct rs_spans_row *r = track->rows; r < track->rows + track->nr_rows; r++)
		for (const struct rs_wire_run *run = r->runs;
		     r->shape == RS_SPAN_STATE && !r->depth && run < r->runs + r->nr_runs; run++)
			for (uint32_t cell = run->from; cell < run->to && cell < RS_STRIP_SAMPLES; cell++)
				causes[cell] = (uint8_t)(of_task ? rs_cause_of_state(
									   rs_state_of(run->state),
									   rs_state_cause(run->state)) :
								   RS_CAUSE_RUN);
	rs_strip_set(&p->strip, rs_grid_identity(&p->grid, row), causes);
}

/* The rows may be others by now. */
static void panel_widget_on_spans(void *of, const struct rs_reply *reply)
{
	struct panel_widget *p = of;
	const struct rs_spans_reply *spans = reply->message;
	size_t nr_rows = p->grid.nr < RS_STRIP_ROWS ? p->grid.nr : RS_STRIP_ROWS;
	char of_row[RS_STRIP_ROWS][TRACK_NAME];

	rs_strip_clear(&p->strip);
	for (size_t row = 0; row < nr_rows; row++)
		panel_widget_put_track(p, row, of_row[row]);
	for (size_t i = 0; spans && i < spans->nr_tracks; i++)
		for (size_t row = 0; row < nr_rows; row++)
			if (*of_row[row] && !strcmp(of_row[row], spans->tracks[i].track))
				panel_widget_read_strip(p, row, &spans->tracks[i], *of_row[row] == 't');
}

/* Asks once for each time range, and again while a file is loaded. */
static void panel_widget_ask_strips(struct panel_widget *p)
{
	char tracks[PANEL_WIDGET_ROWS][TRACK_NAME];
	const char *names[PANEL_WIDGET_ROWS];
	const struct rs_widget *widget = &p->widget;
	size_t nr = 0;

	if (!p->nr_parts || widget->to_ns <= widget->from_ns ||
	    (p->strip_from_ns == widget->from_ns && p->strip_to_ns == widget->to_ns))
		return;
	for (size_t row = 0; row < p->grid.nr && nr < PANEL_WIDGET_ROWS; row++) {
		panel_widget_put_track(p, row, tracks[nr]);
		names[nr] = tracks[nr];
		nr += *tracks[nr] != '\0';
	}
	if (!nr || p->spans.asked)
		return;
	p->strip_from_ns = widget->from_ns;
	p->strip_to_ns = widget->to_ns;
	rs_question_ask(&p->spans, "spans", &(struct rs_spans_request){
		.tracks = names, .nr_tracks = nr, .time = { rs_u(widget->from_ns), rs_u(widget->to_ns) },
		.cells = RS_STRIP_SAMPLES });
}

static void panel_widget_answered(struct rs_widget *widget, const void *message)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	const struct rs_rows_reply *rows = message;

	rs_widget_note_time(widget, rows->from_ns, rows->to_ns);
	if (rs_grid_read(&p->grid, rows))
		rs_app_note_rows(widget->app, rows);
	widget->nr_rows = p->grid.nr;
	if (panel_widget_is_of_tasks(p))
		panel_widget_sort(p);
	if (!widget->app->live || !widget->app->time.now) {
		panel_widget_ask_strips(p);
		return;
	}
	if (p->strip_to_ns)
		rs_strip_clear(&p->strip);
	p->strip_from_ns = p->strip_to_ns = 0;
	panel_widget_add_strips(p, rows->interval);
}

static void panel_widget_ask(struct rs_widget *widget)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	const struct rs_panel *panel = p->of->view.panel;
	const struct rs_rows_fold fold = { panel->fold_by, panel->fold_lifetime };

	rs_question_ask(&widget->question, "rows", &(struct rs_rows_request){
		.view = p->of->view.name, .sort = panel->sort, .fold = p->grid.fold_by >= 0 ? &fold : NULL,
		.limit = PANEL_WIDGET_ROWS,
		.time = rs_app_asked_time(widget->app),
	});
}

static bool has_data(struct rs_widget *widget)
{
	const struct panel_widget *p = (const struct panel_widget *)widget;

	if (p->of->view.panel->kind != RS_PANEL_SPLIT)
		return widget->nr_rows > 0;
	for (size_t row = 0; row < p->grid.nr; row++) {
		struct rs_split split = split_of(p, row);

		for (unsigned int i = 0; i < split.nr; i++)
			if (split.parts[i].ns && split.parts[i].cause != RS_CAUSE_NOT_SEEN)
				return true;
	}
	return false;
}

static int columns_width(const struct panel_widget *p)
{
	int width = 0;

	for (unsigned int i = 0; i < p->grid.shown.nr; i++)
		width += p->grid.widths[p->grid.shown.at[i]] + 1;
	return width;
}

/* Half of the room, a cell for each sample at most. */
static int panel_widget_history_width(const struct panel_widget *p, int left)
{
	int room = left - RS_PANEL_PAIN_COLUMNS - PAIN_WORDS,
	    width = room < left / 2 ? room : left / 2 < RS_STRIP_SAMPLES ? left / 2 : RS_STRIP_SAMPLES;

	return !p->strip.now || width < LEAST_STRIP ? 0 : width;
}

/* A fifth of the room, where there is enough. */
static int panel_widget_strip_width(const struct panel_widget *p, int left)
{
	int width = left / 5 < RS_STRIP_SAMPLES ? left / 5 : RS_STRIP_SAMPLES;

	return !p->strip.now ? 0 : width < LEAST_STRIP ? 0 : width;
}

/*
 * "postgresql", "docker-3f2a90b1c4d7": the last part of the path, without what all units and containers have.
 */
static void panel_widget_put_unit(const char *cgroup, char *unit, size_t size)
{
	const char *last = strrchr(cgroup, '/'), *name = last ? last + 1 : cgroup, *dot = strrchr(name, '.');
	size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name), hex = 0;

	while (hex < len && strspn(name + hex, "0123456789abcdef") <= HEX_DIGITS)
		hex++;
	snprintf(unit, size, "%.*s", (int)(hex < len ? hex + HEX_DIGITS : len), name);
}

/* "postgresql: postgres -D /data": what is known of a single process. */
static void panel_widget_put_what(const struct panel_widget *p, size_t row, char *what, size_t size)
{
	const struct rs_value *cgroup = panel_widget_cell(p, row, "cgroup"),
			      *pid = panel_widget_cell(p, row, "pid"),
			      *comm = panel_widget_cell(p, row, "comm");
	char unit[72] = "", command[RS_COMMAND_LINE] = "";

	if (cgroup && cgroup->s[strspn(cgroup->s, "/")])
		panel_widget_put_unit(cgroup->s, unit, sizeof unit);
	if (p->widget.app->opt->process_args &&
	    (p->widget.app->live || p->widget.app->opt->args_are_recorded) && pid && comm &&
	    rs_grid_folded_nr(&p->grid, row) == 1)
		rs_command_line_get(p->widget.app->opt->process_args, (int32_t)pid->u, comm->s, command);
	snprintf(what, size, "%s%s%s", unit, *unit && *command ? ": " : "", command);
}

/* Returns the columns for it, if there is room and anything is known; else 0. */
static int panel_widget_what_width(const struct panel_widget *p, int left, size_t nr_rows)
{
	char what[2 * RS_COMMAND_LINE];

	for (size_t row = 0; left > 2 * WORDS && row < nr_rows && row < p->grid.nr; row++) {
		panel_widget_put_what(p, row, what, sizeof what);
		if (*what)
			return left / 3;
	}
	return 0;
}

struct panel_widget_row {
	const struct panel_widget *panel;
	size_t row;
};

static const char *panel_widget_culprit(const void *arg, enum rs_category category)
{
	const struct panel_widget_row *of = arg;
	const struct rs_value *pid = panel_widget_cell(of->panel, of->row, "pid"),
			      *comm = panel_widget_cell(of->panel, of->row, "comm");

	return rs_pains_culprit(&of->panel->widget.machine->pains, pid ? (int64_t)pid->u : 0,
				comm ? comm->s : "", category);
}

/* A percentage, what it was lost to, what is known of the process, and its history. */
static void panel_widget_draw_task(const struct panel_widget *p, struct rs_canvas *c, struct rs_area line,
				   size_t row, int what_width)
{
	int x = line.x + columns_width(p), left = line.x + line.width - x;
	int strip = panel_widget_history_width(p, left), pain = left - strip - (strip ? 1 : 0);
	struct rs_ink_task task = panel_widget_ink_task(p, row);
	struct rs_split split = split_of(p, row);
	char what[2 * RS_COMMAND_LINE];

	if (what_width) {
		pain -= what_width + 1;
		panel_widget_put_what(p, row, what, sizeof what);
		rs_put_cut(c, line.y, x + pain + 1, what_width, RS_STYLE_DIM, what);
	}
	rs_panel_pain_draw(&split, &task, panel_widget_culprit, &(struct panel_widget_row){ p, row }, c,
			   (struct rs_area){ line.y, x, 1, pain });
	if (strip)
		rs_strip_draw(&p->strip, rs_grid_identity(&p->grid, row), &task, c,
			      (struct rs_area){ line.y, line.x + line.width - strip, 1, strip });
}

/* "12 quiet: rcu_preempt, ksoftirqd/0 ..." */
static void panel_widget_draw_quiet(const struct panel_widget *p, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf text = RS_BUF_INIT;
	int comm = rs_column_named(&p->of->view, "comm");

	rs_buf_printf(&text, "%llu quiet", (unsigned long long)(p->grid.nr - p->nr_loud));
	for (size_t row = p->nr_loud; comm >= 0 && row < p->grid.nr && text.len < 400; row++) {
		const struct rs_value *name = rs_grid_cell(&p->grid, row, (unsigned int)comm);

		rs_buf_printf(&text, "%s%s", row == p->nr_loud ? ": " : ", ", name->known ? name->s : "-");
	}
	rs_put_cut(c, line.y, line.x, line.width, RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

/* The bar, the strip, the words for the largest parts, and what is known of the process. */
static void panel_widget_draw_bar(const struct panel_widget *p, struct rs_canvas *c, struct rs_area line,
				  size_t row, int what_width)
{
	int x = line.x + columns_width(p), left = line.x + line.width - x;
	int strip = panel_widget_strip_width(p, left), bar;
	int words = what_width             ? SHORT_WORDS :
		    left > 2 * WORDS       ? WORDS :
		    left < 2 * LEAST_WORDS ? 0 :
		    left / 3 < LEAST_WORDS ? LEAST_WORDS :
					     left / 3;
	struct rs_ink_task task = panel_widget_ink_task(p, row);
	struct rs_split split = split_of(p, row);
	char what[2 * RS_COMMAND_LINE];

	if (left < 3)
		return;
	line.width -= what_width ? what_width + 1 : 0;
	bar = line.x + line.width - x - words - (words ? 1 : 0) - strip - (strip ? 1 : 0);
	rs_chart_draw_split(&split, &task, c, (struct rs_area){ line.y, x, 1, bar });
	rs_strip_draw(&p->strip, rs_grid_identity(&p->grid, row), &task, c,
		      (struct rs_area){ line.y, x + bar + 1, 1, strip });
	if (words)
		rs_chart_put_split(&split, c, line.y, line.x + line.width - words, words);
	if (!what_width)
		return;
	panel_widget_put_what(p, row, what, sizeof what);
	rs_put_cut(c, line.y, line.x + line.width + 1, what_width, RS_STYLE_DIM, what);
}

static void panel_widget_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area,
			      long selected)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	bool bars = p->of->view.panel->kind == RS_PANEL_SPLIT;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = selected,
				       .ascii = rs_canvas_ascii(c) };
	struct rs_area rows = area;
	int what_width = 0;

	if (panel_widget_is_of_tasks(p) && p->nr_read != widget->machine->pains.nr_read) {
		panel_widget_sort(p);
		rs_app_redraw(widget->app);
	}
	rs_grid_measure(&p->grid, 0, (size_t)area.height, &style);
	if (bars)
		what_width = panel_widget_what_width(p, area.width - columns_width(p), (size_t)area.height);
	if (bars)
		rows.width = columns_width(p) < area.width ? columns_width(p) : area.width;
	if (panel_widget_is_of_tasks(p) && rows.height > (int)p->nr_loud)
		rows.height = (int)p->nr_loud;
	rs_grid_draw_rows(&p->grid, c, rows, 0, &style);
	for (int y = 0; bars && y < area.height && (size_t)y < widget->nr_rows; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };

		if (panel_widget_is_quiet(p, (size_t)y)) {
			panel_widget_draw_quiet(p, c, line);
			if (y == selected)
				rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
		} else if (panel_widget_is_of_tasks(p)) {
			panel_widget_draw_task(p, c, line, (size_t)y, what_width);
		} else {
			panel_widget_draw_bar(p, c, line, (size_t)y, what_width);
		}
	}
}

/* Explains the letters of the bars. */
static void draw_legend(const struct panel_widget *p, struct rs_canvas *c, struct rs_area line, int used)
{
	int x = line.x + (columns_width(p) > used ? columns_width(p) : used), end = line.x + line.width;

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
}

/* Draws the headings after the title, which replaces the first one; for bars, draws the legend. */
/* Above the percentage, its words and the history. */
static void panel_widget_draw_headings(const struct panel_widget *p, struct rs_canvas *c, struct rs_area line)
{
	int x = line.x + columns_width(p), left = line.x + line.width - x;

	if (left > RS_PANEL_PAIN_COLUMNS + 7)
		rs_put(c, line.y, x, left, RS_STYLE_HEADING, "PAIN OF WHAT");
}

static void aside(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = -1,
				       .ascii = rs_canvas_ascii(c) };

	bool bars = p->of->view.panel->kind == RS_PANEL_SPLIT;
	struct rs_area headings = line;

	rs_grid_measure(&p->grid, 0, p->grid.nr, &style);
	if (bars && columns_width(p) < line.width)
		headings.width = columns_width(p);
	rs_grid_draw_heading(&p->grid, c, headings, &style);
	rs_canvas_fill(c, (struct rs_area){ line.y, line.x, 1, used - 1 }, RS_STYLE_TEXT);
	if (panel_widget_is_of_tasks(p))
		panel_widget_draw_headings(p, c, line);
	else if (bars)
		draw_legend(p, c, line, used);
}

static int headings_width(struct rs_widget *widget, struct rs_canvas *c)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	struct rs_grid_style style = { .cell = widget->app->style, .selected = -1,
				       .ascii = rs_canvas_ascii(c) };

	rs_grid_measure(&p->grid, 0, p->grid.nr, &style);
	return columns_width(p);
}

static uint64_t nr_all(struct rs_widget *widget)
{
	const struct rs_grid *g = &((struct panel_widget *)widget)->grid;
	uint64_t nr = g->nr_total;

	if (panel_widget_is_of_tasks((struct panel_widget *)widget))
		return widget->nr_rows;

	for (size_t i = 0; i < g->nr; i++)
		nr -= rs_grid_folded_nr(g, i) - 1;
	return nr;
}

/* "CPUs: each CPU ..." and its columns; then the letters of its bars. */
static void panel_widget_put_help(struct rs_widget *widget, struct rs_buf *out)
{
	struct panel_widget *p = (struct panel_widget *)widget;

	rs_buf_printf(out, "%s: %s\n", widget->title, p->of->view.summary ? p->of->view.summary : "");
	for (unsigned int i = 0; i < p->grid.shown.nr; i++) {
		const struct rs_column *c = &p->of->view.columns[p->grid.shown.at[i]];

		rs_buf_printf(out, "  %-10s %s\n", rs_column_heading(c), c->help ? c->help : "");
	}
	for (unsigned int i = 0; i < p->nr_parts; i++)
		rs_buf_printf(out, "  %c %-10s  %s\n", rs_cause_row(p->parts[i].cause)->letter,
			      rs_cause_row(p->parts[i].cause)->word,
			      p->of->view.columns[p->parts[i].column].help);
	rs_buf_putc(out, '\n');
}

static bool panel_widget_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	struct panel_widget *p = (struct panel_widget *)widget;

	*out = (struct rs_screen_selection){ .view = p->of, .values = rs_grid_row(&p->grid, row),
					     .column = -1 };
	if (panel_widget_is_quiet(p, row)) {
		out->values = NULL;
		return false;
	}
	if (!out->values) /* the rows of the next interval may be fewer */
		return false;
	if (rs_grid_folded_nr(&p->grid, row) > 1)
		rs_selection_add_task(&out->keys,
				      rs_grid_cell(&p->grid, row, (unsigned int)p->grid.fold_by)->s, 0, 0);
	else
		rs_selection_add(&out->keys, &p->of->view, out->values);
	return true;
}

/* A row that sums up many rows opens them as a table; a process, its slowest call or wait. */
static struct rs_screen *panel_widget_open(struct rs_widget *widget, size_t row)
{
	struct panel_widget *p = (struct panel_widget *)widget;
	struct rs_screen_selection of;

	if (!panel_widget_get_selection(widget, row, &of)) /* the quiet: all rows as a table */
		return rs_table_new(widget->app, p->of, NULL, NULL);
	if (rs_grid_folded_nr(&p->grid, row) > 1)
		return rs_table_new(widget->app, p->of, &of.keys, NULL);
	if (rs_selection_number(&of.keys, "pid") > 0 && rs_why_is_known(widget->app))
		return rs_why_open_selection(widget->app, &of);
	return rs_details_new(widget->app, &of);
}

static uint64_t identity(struct rs_widget *widget, size_t row)
{
	const struct panel_widget *p = (const struct panel_widget *)widget;

	return panel_widget_is_quiet(p, row) ? 1 : rs_grid_identity(&p->grid, row);
}

static void panel_widget_free(struct rs_widget *widget)
{
	rs_question_done(&((struct panel_widget *)widget)->spans);
	rs_grid_done(&((struct panel_widget *)widget)->grid);
}

static const struct rs_widget_ops ops = {
	.ask = panel_widget_ask, .answered = panel_widget_answered, .nr_all = nr_all,
	.help = panel_widget_put_help, .draw = panel_widget_draw, .aside = aside,
	.headings_width = headings_width, .selection = panel_widget_get_selection, .open = panel_widget_open,
	.identity = identity, .has_data = has_data, .free = panel_widget_free,
};

/* Sorts the parts for drawing: by rank, then in the order of the view. */
static void find_parts(struct panel_widget *p)
{
	for (enum rs_cause_rank rank = 0; rank <= RS_RANK_UNKNOWN; rank++)
		for (const struct rs_part *part = p->of->view.panel->parts; part && part->column; part++) {
			int column = rs_column_named(&p->of->view, part->column);

			if (column < 0 || rs_cause_row(part->cause)->rank != rank ||
			    p->nr_parts == RS_MAX_PARTS)
				continue;
			p->parts[p->nr_parts].column = (unsigned int)column;
			p->parts[p->nr_parts++].cause = part->cause;
		}
}

struct rs_widget *rs_widget_panel_new(struct rs_tui_machine *machine, const struct rs_catalogue_view *view)
{
	const struct rs_panel *panel = view->view.panel;
	struct panel_widget *p = rs_widget_new(machine, sizeof *p, &(struct rs_widget){
		.ops = &ops, .title = panel->title, .place = panel->place, .left = true,
		.otherwise = panel->otherwise, .least = panel->otherwise ? 1 : LEAST_ROWS,
		.most = panel->every ? 0 : PANEL_WIDGET_MOST_ROWS,
	});
	struct rs_error ignored = { 0 };

	if (!p)
		return NULL;
	p->of = view;
	p->spans = (struct rs_question){ .machine = machine, .answered = panel_widget_on_spans, .of = p };
	rs_grid_init(&p->grid, &view->view);
	rs_columns_parse(&view->view, panel->columns, &p->grid.shown, &ignored);
	p->grid.shows_default = false;
	/* a recording may not tell processes, but it has threads */
	p->grid.absent = rs_column_named(&view->view, "pid");
	p->grid.stand_in = rs_column_named(&view->view, "tid");
	find_parts(p);
	if (panel->fold_by && panel->fold_lifetime)
		p->grid.fold_by = rs_column_named(&view->view, panel->fold_by);
	if (p->grid.fold_by >= 0 && view->view.columns[p->grid.fold_by].type != RS_TYPE_TEXT)
		p->grid.fold_by = -1;
	return &p->widget;
}
