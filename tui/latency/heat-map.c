// SPDX-License-Identifier: GPL-2.0-or-later
/* heat-map.c - a heat map, time by latency: the time that the spans of each cell took together, as light */
#include <stdio.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/latency/latency.h"
#include "tui/toolkit/heat.h"

#define HEAT_LABEL_WIDTH 9
#define HEAT_LEAST_NS 10000 /* rows that end by then share the lowest line: nobody waits that long for them */
#define HEAT_TOP 2          /* lines above the map: kinds and the axis; of a panel, the axis */
#define HEAT_LOST "?"       /* in the time of an empty cell events were lost */
#define HEAT_BOTTOM 2       /* and below: the cell of the cursor, and what the colors mean */

struct heat {
	struct rs_latency_screen latency; /* first */
	bool beside_histogram;   /* the breadcrumb already names the spans */
	unsigned int columns;    /* columns that fit; 0: not drawn yet */
	struct rs_axis axis;     /* of the answer */
	size_t nr_short;         /* rows of the lowest line; 0: it has as many as the others */
	uint64_t most_ns;        /* of a cell */
	uint64_t median_ns;      /* of all spans; 0: unknown */
	unsigned int at_row, at_column; /* the cursor: line from the bottom, column */
	unsigned int lines, group; /* of the last frame: visible lines; rows that share a line */
	struct rs_question slowest; /* of the cursor's cell */
	struct rs_slowest_range slowest_of; /* what was asked for */
};

/* Rows of the answer, the shortest latencies first. It may be gone, or another than the last frame's. */
static size_t heat_nr_rows(const struct heat *h)
{
	const struct rs_latencies_reply *reply = h->latency.question.answer;

	return reply && h->axis.cell_ns ? reply->nr_rows : 0;
}

static const struct rs_heat_row *heat_row(const struct heat *h, size_t row)
{
	return &((const struct rs_latencies_reply *)h->latency.question.answer)->rows[row];
}

struct heat_sum {
	uint64_t count, ns;
};

/* Columns missing from the answer are empty. */
static void heat_add_cell(const struct heat *h, size_t row, unsigned int column, struct heat_sum *sum)
{
	const struct rs_heat_row *r = heat_row(h, row);

	if (column >= r->nr_counts || column >= h->axis.nr_cells)
		return;
	sum->count += r->counts[column];
	if (__builtin_add_overflow(sum->ns, r->sums_ns[column], &sum->ns))
		sum->ns = UINT64_MAX;
}

/* Were events lost in the time of that column? Spans of that time may be missing. */
static bool heat_is_lost(const struct heat *h, unsigned int column)
{
	const struct rs_latencies_reply *reply = h->latency.question.answer;

	for (size_t i = 0; reply && i < reply->nr_lost; i++)
		if (reply->lost[i] == column)
			return true;
	return false;
}

/* ---- lines: they count from the bottom ---- */

static size_t heat_first_row(const struct heat *h, unsigned int line)
{
	if (!h->nr_short)
		return (size_t)line * h->group;
	return line ? h->nr_short + (size_t)(line - 1) * h->group : 0;
}

static size_t heat_end_row(const struct heat *h, unsigned int line)
{
	size_t end = heat_first_row(h, line + 1);

	return end < heat_nr_rows(h) ? end : heat_nr_rows(h);
}

static struct heat_sum heat_at(const struct heat *h, unsigned int line, unsigned int column)
{
	struct heat_sum sum = { 0 };

	for (size_t row = heat_first_row(h, line); row < heat_end_row(h, line); row++)
		heat_add_cell(h, row, column, &sum);
	return sum;
}

static int heat_top(const struct heat *h)
{
	return h->latency.is_panel ? HEAT_TOP - 1 : HEAT_TOP;
}

static int heat_bottom(const struct heat *h)
{
	return h->latency.is_panel ? HEAT_BOTTOM - 1 : HEAT_BOTTOM;
}

/* ---- asking ---- */

/*
 * Gives the durations of the cursor's line, and the time of its cell. Returns false if the answer has no such
 * line: the next frame fits the cursor to it, and keys and answers may come before that.
 */
static bool heat_cell_range(const struct heat *h, struct rs_slowest_range *range)
{
	uint64_t from_ns = h->axis.from_ns + h->axis.cell_ns * h->at_column;
	size_t first = heat_first_row(h, h->at_row);

	if (first >= heat_nr_rows(h))
		return false;
	*range = (struct rs_slowest_range){ heat_row(h, first)->from_ns,
					    heat_row(h, heat_end_row(h, h->at_row) - 1)->to_ns,
					    from_ns, from_ns + h->axis.cell_ns };
	return true;
}

static bool heat_is_of(const struct rs_slowest_range *a, const struct rs_slowest_range *b)
{
	return a->min_ns == b->min_ns && a->max_ns == b->max_ns && a->from_ns == b->from_ns &&
	       a->to_ns == b->to_ns;
}

/* The slowest span of the cursor's cell, and whose it is: when the cursor rests there. */
static void heat_ask_slowest(struct heat *h)
{
	struct rs_slowest_range range;
	struct rs_latency_question q;

	if (h->latency.is_panel || h->slowest.asked || !heat_cell_range(h, &range))
		return;
	if (heat_is_of(&range, &h->slowest_of) || !heat_at(h, h->at_row, h->at_column).count)
		return;
	h->slowest_of = range;
	rs_question_drop(&h->slowest);
	rs_latency_ask(&h->latency.of, RS_LATENCIES_SLOWEST, &q);
	q.request.time = (struct rs_asked_time){ rs_u(range.from_ns), rs_u(range.to_ns) };
	q.request.limit = 1;
	q.request.min_ns = range.min_ns;
	q.request.max_ns = range.max_ns;
	rs_question_ask(&h->slowest, "latencies", &q.request);
}

static void heat_got_slowest(void *screen, const struct rs_reply *reply)
{
	struct heat *h = screen;

	heat_ask_slowest(h); /* the cursor may be elsewhere by now */
	rs_app_redraw(h->latency.screen.app);
}

/* Moves the cursor to the slowest spans, the latest column of the last row. */
static void to_slowest(struct heat *h)
{
	struct heat_sum sum = { 0 };

	h->at_row = UINT32_MAX;
	h->at_column = h->axis.nr_cells ? h->axis.nr_cells - 1 : 0;
	while (heat_nr_rows(h) && h->at_column) {
		heat_add_cell(h, heat_nr_rows(h) - 1, h->at_column, &sum);
		if (sum.count)
			return;
		h->at_column--;
	}
}

/* Rows of up to 10 us share a line, unless there is nothing else. */
static size_t heat_nr_short(const struct rs_latencies_reply *heat)
{
	size_t nr = 0;

	while (nr < heat->nr_rows && heat->rows[nr].to_ns <= HEAT_LEAST_NS)
		nr++;
	return nr < heat->nr_rows ? nr : 0;
}

static void heat_on_answer(void *screen, const struct rs_reply *reply)
{
	struct heat *h = screen;
	const struct rs_latencies_reply *heat = reply->message;

	if (h->latency.is_panel ? !heat : rs_app_refused(h->latency.screen.app, reply))
		return;
	h->axis.from_ns = heat->from_ns;
	h->axis.cell_ns = heat->cell_ns;
	h->nr_short = heat_nr_rows(h) ? heat_nr_short(heat) : 0;
	h->median_ns = heat->p50_ns.known ? heat->p50_ns.u : 0;
	h->slowest_of = (struct rs_slowest_range){ 0 };
	if (h->latency.question.is_first)
		to_slowest(h);
}

static void heat_ask(struct rs_screen *s)
{
	struct heat *h = (struct heat *)s;

	if (!h->columns)
		return;
	if (!h->latency.question.asked)
		h->axis.nr_cells = h->columns;
	rs_latency_screen_ask(&h->latency, RS_LATENCIES_HEAT, h->columns);
}

/* ---- drawing ---- */

/* As many rows share a line as have to; those that are short share one anyway. */
static void heat_fit_lines(struct heat *h, unsigned int lines)
{
	size_t rows = heat_nr_rows(h) - h->nr_short;
	unsigned int room = lines - (h->nr_short && lines > 1);

	h->group = rows ? (unsigned int)((rows + room - 1) / room) : 1;
	h->lines = (unsigned int)((rows + h->group - 1) / h->group) + (h->nr_short > 0);
	h->most_ns = 0;
	for (unsigned int line = 0; line < h->lines; line++)
		for (unsigned int i = 0; i < h->axis.nr_cells; i++) {
			uint64_t ns = heat_at(h, line, i).ns;

			h->most_ns = ns > h->most_ns ? ns : h->most_ns;
		}
	if (h->at_row >= h->lines)
		h->at_row = h->lines ? h->lines - 1 : 0;
	if (h->at_column >= h->axis.nr_cells)
		h->at_column = h->axis.nr_cells ? h->axis.nr_cells - 1 : 0;
}

static void heat_fit(struct heat *h, struct rs_area area)
{
	struct rs_latency_screen *s = &h->latency;
	unsigned int columns = area.width > HEAT_LABEL_WIDTH + 1 ?
				       (unsigned int)(area.width - HEAT_LABEL_WIDTH) : 1;
	int around = heat_top(h) + heat_bottom(h);

	if (columns != h->columns) {
		h->columns = columns < 1000 ? columns : 1000;
		s->asked_ns = 0;
		heat_ask(&s->screen);
	}
	if (!s->question.answer)
		h->nr_short = 0;
	heat_fit_lines(h, area.height > around ? (unsigned int)(area.height - around) : 1);
	heat_ask_slowest(h);
}

static void heat_draw_label(const struct heat *h, struct rs_canvas *c, int y, int x, unsigned int line)
{
	bool is_short = h->nr_short && !line;
	uint64_t ns = heat_row(h, is_short ? h->nr_short : heat_first_row(h, line))->from_ns;
	char text[RS_SCREEN_TEXT], label[RS_SCREEN_TEXT + 1];

	snprintf(label, sizeof label, "%s%s", is_short ? "<" : "", rs_screen_duration(ns, text));
	rs_put_right(c, y, x, HEAT_LABEL_WIDTH - 1,
		     line == h->at_row && !h->latency.is_panel ? RS_STYLE_BOLD : RS_STYLE_DIM, label);
}

/* Brackets: a cursor of a color would look like data. */
static void heat_draw_cursor(const struct heat *h, struct rs_canvas *c, int y, int x)
{
	rs_put(c, y, x - 1, 1, RS_STYLE_KEY, "[");
	if (h->at_column + 1 < h->axis.nr_cells)
		rs_put(c, y, x + 1, 1, RS_STYLE_KEY, "]");
}

static void heat_draw_line(const struct heat *h, struct rs_canvas *c, int y, int x, unsigned int line)
{
	uint64_t from_ns = heat_row(h, heat_first_row(h, line))->from_ns;
	unsigned int hue = rs_heat_hue(from_ns, h->median_ns);
	enum rs_category category = h->latency.of.category;

	heat_draw_label(h, c, y, x, line);
	x += HEAT_LABEL_WIDTH;
	for (unsigned int i = 0; i < h->axis.nr_cells; i++) {
		struct heat_sum sum = heat_at(h, line, i);
		unsigned int light = rs_heat_light(sum.ns, h->most_ns);

		if (sum.count)
			rs_put_glyph(c, y, x + (int)i,
				     rs_canvas_cell_style(c, rs_heat_style(category, hue, light)),
				     rs_heat_glyph(light));
		else if (heat_is_lost(h, i))
			rs_put(c, y, x + (int)i, 1, RS_STYLE_DIM, HEAT_LOST);
	}
	if (line == h->at_row && !h->latency.is_panel)
		heat_draw_cursor(h, c, y, x + (int)h->at_column);
}

static void heat_put_slowest(const struct heat *h, const struct rs_slowest_range *range, struct rs_buf *out)
{
	const struct rs_latencies_reply *reply = h->slowest.answer;
	const struct rs_wire_span *span =
		reply && reply->nr_spans && heat_is_of(range, &h->slowest_of) ? reply->spans : NULL;
	char length[RS_SCREEN_TEXT];

	if (!span)
		return;
	rs_buf_printf(out, ", slowest %s", rs_screen_duration(span->end_ns - span->start_ns, length));
	if (span->comm && span->tid)
		rs_buf_printf(out, " %s (%lld)", span->comm, (long long)span->tid);
	else if (span->on)
		rs_buf_printf(out, " %s", span->on);
}

/* "16 spans of 67.1ms to 101ms: 1.20s together, slowest 99.1ms trader (383)   2.789 s" */
static void heat_draw_cursor_text(const struct heat *h, struct rs_canvas *c, struct rs_area line)
{
	struct rs_slowest_range range;
	struct heat_sum sum = heat_at(h, h->at_row, h->at_column);
	struct rs_buf text = RS_BUF_INIT;
	char count[RS_SCREEN_TEXT], from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT];

	if (!heat_cell_range(h, &range))
		return;
	rs_buf_printf(&text, "%s of %s to %s", rs_screen_grouped(sum.count, count),
		      rs_screen_duration(range.min_ns, from), rs_screen_duration(range.max_ns, to));
	if (sum.count) {
		rs_buf_printf(&text, ": %s together", rs_screen_duration(sum.ns, from));
		heat_put_slowest(h, &range, &text);
	}
	rs_buf_puts(&text, heat_is_lost(h, h->at_column) ? "   events were lost   " : "   ");
	rs_app_moment(h->latency.screen.app, range.from_ns, &text);
	rs_put(c, line.y, line.x, line.width, RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

static bool heat_has_lost(const struct heat *h)
{
	const struct rs_latencies_reply *reply = h->latency.question.answer;

	return reply && reply->nr_lost;
}

/* What the colors mean, and of which values. */
static void heat_draw_legend(const struct heat *h, struct rs_canvas *c, struct rs_area line)
{
	char median[RS_SCREEN_TEXT], most[RS_SCREEN_TEXT], cell[RS_SCREEN_TEXT];

	rs_put_format(c, line.y, line.x, line.width, RS_STYLE_DIM,
		      "%scolor: above the median %s   bright: most time together, up to %s   %s a cell",
		      heat_has_lost(h) ? HEAT_LOST " events were lost   " : "",
		      h->median_ns ? rs_screen_duration(h->median_ns, median) : "-",
		      rs_screen_duration(h->most_ns, most), rs_screen_duration(h->axis.cell_ns, cell));
}

static void heat_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct heat *h = (struct heat *)s;
	struct rs_area first = { area.y, area.x, 1, area.width }, last = first;
	int axis_y = area.y + heat_top(h) - 1;

	last.y += area.height - 1;
	heat_fit(h, area);
	if (!h->latency.is_panel)
		rs_latency_screen_draw_kinds(&h->latency, c, first);
	if (!heat_nr_rows(h)) {
		rs_latency_screen_draw_empty(&h->latency, c, area, "no spans ended in this time");
		return;
	}
	rs_app_draw_axis(s->app, c,
			 (struct rs_area){ axis_y, area.x + HEAT_LABEL_WIDTH, 1, (int)h->axis.nr_cells },
			 &h->axis, rs_client_hello_reply(s->machine->client)->begin_ns);
	if (!h->latency.is_panel)
		rs_put_glyph(c, axis_y, area.x + HEAT_LABEL_WIDTH + (int)h->at_column, RS_STYLE_KEY,
			     RS_GLYPH_DOWN);
	for (unsigned int line = 0; line < h->lines; line++)
		heat_draw_line(h, c, axis_y + (int)(h->lines - line), area.x, line);
	heat_draw_legend(h, c, last);
	last.y--;
	if (!h->latency.is_panel)
		heat_draw_cursor_text(h, c, last);
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, LEFT, RIGHT, HISTOGRAM, ZOOM_IN, ZOOM_OUT, ALL };

const struct rs_key rs_heat_map_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Spans", "the spans in this cell, the longest first", RS_KEY_SELECTION },
	{ { RS_KEY_UP, 'k' }, UP, "Up", "longer ones", RS_KEY_CURSOR },
	{ { RS_KEY_DOWN, 'j' }, DOWN, "Down", "shorter ones", RS_KEY_CURSOR },
	{ { RS_KEY_LEFT }, LEFT, "Left", "earlier", RS_KEY_CURSOR },
	{ { RS_KEY_RIGHT }, RIGHT, "Right", "later", RS_KEY_CURSOR },
	{ { 'h' }, HISTOGRAM, "Histogram", "the same without time" },
	{ { '+', '=' }, ZOOM_IN, "Zoom", "zoom in, at the cursor; Ctrl and the wheel, at the mouse" },
	{ { '-', '_' }, ZOOM_OUT, "Zoom out", "zoom out", RS_KEY_RARE },
	{ { '0' }, ALL, "All", "all of the time again" },
	RS_LATENCY_KEYS
};

static void open_cell(struct heat *h)
{
	struct rs_app *app = h->latency.screen.app;
	struct rs_slowest_range range;

	if (!heat_cell_range(h, &range))
		return;
	if (!heat_at(h, h->at_row, h->at_column).count) {
		rs_app_say(app, RS_STYLE_TEXT, "no spans in this cell");
		return;
	}
	rs_app_push(app, rs_slowest_new(app, &h->latency.of, &range));
}

static void heat_ask_anew(struct heat *h)
{
	h->latency.asked_ns = 0;
	rs_app_refresh(h->latency.screen.app);
}

static void heat_zoom(struct heat *h, unsigned int column, bool in)
{
	if (!h->axis.cell_ns || column >= h->axis.nr_cells) /* without rows, too: zooms out again */
		return;
	rs_latency_zoom(h->latency.screen.app, &h->latency.of, &h->axis,
			h->axis.from_ns + h->axis.cell_ns * column + h->axis.cell_ns / 2, in);
	heat_ask_anew(h);
}

static bool heat_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct heat *h = (struct heat *)s;

	switch (action) {
	case OPEN:
		open_cell(h);
		return true;
	case UP:
		h->at_row += h->at_row + 1 < h->lines;
		break;
	case DOWN:
		h->at_row -= h->at_row > 0;
		break;
	case LEFT:
		h->at_column -= h->at_column > 0;
		break;
	case RIGHT:
		h->at_column += h->at_column + 1 < h->axis.nr_cells;
		break;
	case ZOOM_IN: case ZOOM_OUT:
		heat_zoom(h, h->at_column, action == ZOOM_IN);
		return true;
	case ALL:
		if (rs_latency_unzoom(&h->latency.of))
			heat_ask_anew(h);
		return true;
	case HISTOGRAM:
		rs_app_push(s->app, rs_latency_histogram_new(s->app, &h->latency.of));
		return true;
	default:
		return rs_latency_screen_act(&h->latency, action);
	}
	rs_app_redraw(s->app);
	return true;
}

static bool heat_handle_key(struct rs_screen *s, const struct rs_key_event *event)
{
	struct heat *h = (struct heat *)s;
	long line = (long)h->lines + HEAT_TOP - 1 - event->y, column = event->x - HEAT_LABEL_WIDTH;

	if (event->key == RS_KEY_ZOOM_IN || event->key == RS_KEY_ZOOM_OUT) {
		if (column >= 0)
			heat_zoom(h, (unsigned int)column, event->key == RS_KEY_ZOOM_IN);
		return true;
	}
	if (event->key != RS_KEY_MOUSE && event->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	if (line >= 0 && line < (long)h->lines && column >= 0 && column < (long)h->axis.nr_cells) {
		bool again = (unsigned int)line == h->at_row && (unsigned int)column == h->at_column;

		h->at_row = (unsigned int)line;
		h->at_column = (unsigned int)column;
		if (again || event->key == RS_KEY_MOUSE_DOUBLE)
			open_cell(h);
	}
	rs_app_redraw(s->app);
	return true;
}

/* Whose spans they are, and the time of the cell. */
static bool heat_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct heat *h = (const struct heat *)s;
	const struct rs_latency_of *of = &h->latency.of;
	struct rs_slowest_range range;
	int cpu;

	*out = (struct rs_screen_selection){ .column = -1 };
	rs_selection_add_task(&out->keys, NULL, of->pid, of->tid);
	if (sscanf(of->track, "cpu:%d", &cpu) == 1)
		rs_selection_add_cpu(&out->keys, cpu);
	if (heat_cell_range(h, &range)) {
		out->from_ns = range.from_ns;
		out->to_ns = range.to_ns;
	}
	return out->keys.nr || out->to_ns;
}

static void heat_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct heat *h = (const struct heat *)s;

	if (!h->beside_histogram)
		rs_latency_title(&h->latency.of, out);
	rs_buf_puts(out, h->beside_histogram ? "over time" : " over time");
	rs_latency_put_range(s->app, &h->latency.of, out);
}

static void heat_free(struct rs_screen *s)
{
	rs_question_done(&((struct heat *)s)->slowest);
	rs_latency_screen_free(s);
}

static const struct rs_screen_ops ops = {
	.name = "heat",
	.keys = rs_heat_map_keys,
	.ask = heat_ask,
	.draw = heat_draw,
	.act = heat_run_action,
	.key = heat_handle_key,
	.title = heat_put_title,
	.selection = heat_get_selection,
	.filtered = rs_latency_screen_filtered,
	.help_text = "Time from left to right, length from below. A cell is bright for the time that its "
		     "spans took together, not for their number: a quarter of it is one step darker.\n"
		     "Up to the median of all spans a cell is grey: so it usually goes. Above, it has "
		     "the color of what such spans wait for, from eight times the median on in full.\n"
		     "The first line has the kinds of spans that there are, and how many; Tab goes "
		     "through them, what cost most first. Live it is the last half minute; } and { make "
		     "that longer and shorter. Ctrl and the wheel zoom the time; 0 ends that.\n"
		     "An empty cell with a ? is of a time when events were lost.\n",
	.free = heat_free,
};

struct rs_screen *rs_heat_map_new(struct rs_app *app, const struct rs_latency_of *of, bool beside_histogram)
{
	struct heat *h = rs_latency_screen_new(app, &ops, sizeof *h, of, heat_on_answer);

	if (!h)
		return NULL;
	h->group = 1;
	h->slowest = (struct rs_question){ .machine = app->machine, .answered = heat_got_slowest, .of = h };
	h->beside_histogram = beside_histogram;
	return &h->latency.screen;
}

struct rs_screen *rs_heat_map_new_panel(struct rs_app *app, const struct rs_latency_of *of)
{
	struct rs_screen *s = rs_heat_map_new(app, of, false);

	if (s)
		((struct heat *)s)->latency.is_panel = true;
	return s;
}

struct rs_screen *rs_heat_map_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_latency_of of;

	return rs_latency_of_selection(app, selection, &of) ? rs_heat_map_new(app, &of, false) : NULL;
}
