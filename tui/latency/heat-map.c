// SPDX-License-Identifier: GPL-2.0-or-later
/* heat-map.c - a heat map, time by latency: the number of spans in each cell, as color and shade */
#include <stdio.h>

#include "tui/app/key-tables.h"
#include "tui/latency/latency.h"

#define LABEL_WIDTH 9
#define NR_HEATS (RS_STYLE_HEAT_LAST - RS_STYLE_HEAT + 1)

struct heat {
	struct rs_latency_screen latency; /* first */
	bool beside_histogram;   /* the breadcrumb already names the spans */
	bool is_panel;           /* of another screen: without a cursor */
	unsigned int columns;    /* columns that fit; 0: not drawn yet */
	struct rs_axis axis;     /* of the answer */
	size_t nr_rows;          /* of the answer, beginning with the shortest latencies */
	uint64_t most;
	unsigned int at_row, at_column; /* the cursor: line from the bottom, column */
	unsigned int lines, group; /* visible lines; rows that share a line */
};

static const struct rs_heat_row *heat_row(const struct heat *h, size_t row)
{
	return &((const struct rs_latencies_reply *)h->latency.question.answer)->rows[row];
}

/* Columns missing from the answer are empty. */
static uint64_t count_in(const struct heat *h, size_t row, unsigned int column)
{
	const struct rs_heat_row *r = heat_row(h, row);

	return column < r->nr_counts && column < h->axis.nr_cells ? r->counts[column] : 0;
}

/* Moves the cursor to the slowest spans, the latest column of the last row. */
static void to_slowest(struct heat *h)
{
	h->at_row = UINT32_MAX;
	h->at_column = h->axis.nr_cells ? h->axis.nr_cells - 1 : 0;
	while (h->nr_rows && h->at_column && !count_in(h, h->nr_rows - 1, h->at_column))
		h->at_column--;
}

static void heat_on_answer(void *screen, const struct rs_reply *reply)
{
	struct heat *h = screen;
	const struct rs_latencies_reply *heat = reply->message;

	if (h->is_panel ? !heat : rs_app_refused(h->latency.screen.app, reply))
		return;
	h->axis.from_ns = heat->from_ns;
	h->axis.cell_ns = heat->cell_ns;
	h->nr_rows = heat->cell_ns ? heat->nr_rows : 0;
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

/* ---- cells ---- */

/* Lines count from the bottom; a line has `group` rows. */
static uint64_t count_at(const struct heat *h, unsigned int line, unsigned int column)
{
	uint64_t nr = 0;

	for (unsigned int r = line * h->group; r < (line + 1) * h->group && r < h->nr_rows; r++)
		nr += count_in(h, r, column);
	return nr;
}

static unsigned int heat_bit_length(uint64_t v)
{
	return v ? 64 - (unsigned int)__builtin_clzll(v) : 0;
}

/* Returns 0 to NR_HEATS - 1, by powers of two, so that one span beside ten thousand stays visible. */
static unsigned int heat_of(uint64_t nr, uint64_t most)
{
	return heat_bit_length(most) > 1
		? (heat_bit_length(nr) - 1) * (NR_HEATS - 1) / (heat_bit_length(most) - 1) : NR_HEATS - 1;
}

/* ---- drawing ---- */

static void heat_fit_width(struct heat *h, struct rs_area area)
{
	struct rs_latency_screen *s = &h->latency;
	unsigned int columns = area.width > LABEL_WIDTH + 1 ? (unsigned int)(area.width - LABEL_WIDTH) : 1;
	unsigned int lines = area.height > 3 ? (unsigned int)area.height - 2 : 1;

	if (columns != h->columns) {
		h->columns = columns < 1000 ? columns : 1000;
		s->asked_ns = 0;
		heat_ask(&s->screen);
	}
	if (!s->question.answer)
		h->nr_rows = 0;
	h->group = h->nr_rows ? (h->nr_rows + lines - 1) / lines : 1;
	h->lines = (h->nr_rows + h->group - 1) / h->group;
	h->most = 0;
	for (unsigned int line = 0; line < h->lines; line++)
		for (unsigned int i = 0; i < h->axis.nr_cells; i++) {
			uint64_t nr = count_at(h, line, i);

			h->most = nr > h->most ? nr : h->most;
		}
	if (h->at_row >= h->lines)
		h->at_row = h->lines ? h->lines - 1 : 0;
	if (h->at_column >= h->axis.nr_cells)
		h->at_column = h->axis.nr_cells ? h->axis.nr_cells - 1 : 0;
}

static void heat_draw_line(const struct heat *h, struct rs_canvas *c, int y, int x, unsigned int line)
{
	char text[RS_SCREEN_TEXT];

	rs_put_right(c, y, x, LABEL_WIDTH - 1,
		     line == h->at_row && !h->is_panel ? RS_STYLE_BOLD : RS_STYLE_DIM,
		     rs_screen_duration(heat_row(h, line * h->group)->from_ns, text));
	for (unsigned int i = 0; i < h->axis.nr_cells; i++) {
		uint64_t nr = count_at(h, line, i);
		unsigned int heat = nr ? heat_of(nr, h->most) : 0;

		if (nr)
			rs_put_glyph(c, y, x + LABEL_WIDTH + (int)i,
				     rs_canvas_cell_style(c, RS_STYLE_HEAT + heat),
				     RS_GLYPH_SHADE + 1 + heat * 4 / NR_HEATS);
	}
	if (line == h->at_row && !h->is_panel)
		rs_canvas_set_style(c, (struct rs_area){ y, x + LABEL_WIDTH + (int)h->at_column, 1, 1 },
				    RS_STYLE_SELECTED);
}

/* Returns the durations of the cursor's line, and the time of its cell. */
static struct rs_slowest_range heat_cell_range(const struct heat *h)
{
	unsigned int last = (h->at_row + 1) * h->group - 1;
	uint64_t from_ns = h->axis.from_ns + h->axis.cell_ns * h->at_column;

	return (struct rs_slowest_range){ heat_row(h, h->at_row * h->group)->from_ns,
					  heat_row(h, last < h->nr_rows ? last : h->nr_rows - 1)->to_ns,
					  from_ns, from_ns + h->axis.cell_ns };
}

static void heat_draw_cursor_text(const struct heat *h, struct rs_canvas *c, struct rs_area line)
{
	struct rs_slowest_range range = heat_cell_range(h);
	struct rs_buf text = RS_BUF_INIT;
	char from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT];

	if (!h->is_panel) {
		rs_buf_printf(&text, "%llu of %s to %s   ",
			      (unsigned long long)count_at(h, h->at_row, h->at_column),
			      rs_screen_duration(range.min_ns, from), rs_screen_duration(range.max_ns, to));
		rs_app_moment(h->latency.screen.app, range.from_ns, &text);
		rs_buf_puts(&text, "   ");
	}
	rs_buf_printf(&text, "%s a cell, %llu at most", rs_screen_duration(h->axis.cell_ns, from),
		      (unsigned long long)h->most);
	rs_put(c, line.y, line.x, line.width, h->is_panel ? RS_STYLE_DIM : RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

static void heat_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct heat *h = (struct heat *)s;

	heat_fit_width(h, area);
	if (!h->nr_rows) {
		rs_latency_screen_draw_empty(&h->latency, c, area, "no spans ended in this time");
		return;
	}
	rs_app_draw_axis(s->app, c,
			 (struct rs_area){ area.y, area.x + LABEL_WIDTH, 1, (int)h->axis.nr_cells },
			 &h->axis, rs_client_hello_reply(s->machine->client)->begin_ns);
	if (!h->is_panel)
		rs_put_glyph(c, area.y, area.x + LABEL_WIDTH + (int)h->at_column, RS_STYLE_KEY,
			     RS_GLYPH_DOWN);
	for (unsigned int line = 0; line < h->lines; line++)
		heat_draw_line(h, c, area.y + (int)(h->lines - line), area.x, line);
	heat_draw_cursor_text(h, c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width });
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, LEFT, RIGHT, HISTOGRAM };

const struct rs_key rs_heat_map_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Spans", "the spans in this cell, the longest first", RS_KEY_SELECTION },
	{ { RS_KEY_UP, 'k' }, UP, "Up", "longer ones", RS_KEY_CURSOR },
	{ { RS_KEY_DOWN, 'j' }, DOWN, "Down", "shorter ones", RS_KEY_CURSOR },
	{ { RS_KEY_LEFT }, LEFT, "Left", "earlier", RS_KEY_CURSOR },
	{ { RS_KEY_RIGHT }, RIGHT, "Right", "later", RS_KEY_CURSOR },
	{ { 'h' }, HISTOGRAM, "Histogram", "the same without time" },
	RS_LATENCY_KEYS
};

static void open_cell(struct heat *h)
{
	struct rs_app *app = h->latency.screen.app;
	struct rs_slowest_range range;

	if (!h->nr_rows)
		return;
	if (!count_at(h, h->at_row, h->at_column)) {
		rs_app_say(app, RS_STYLE_TEXT, "no spans in this cell");
		return;
	}
	range = heat_cell_range(h);
	rs_app_push(app, rs_slowest_new(app, &h->latency.of, &range));
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
	long line = (long)h->lines - event->y, column = event->x - LABEL_WIDTH;

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
	int cpu;

	*out = (struct rs_screen_selection){ .column = -1 };
	rs_selection_add_task(&out->keys, NULL, of->pid, of->tid);
	if (sscanf(of->track, "cpu:%d", &cpu) == 1)
		rs_selection_add_cpu(&out->keys, cpu);
	if (h->nr_rows && h->at_row < h->lines) {
		out->from_ns = heat_cell_range(h).from_ns;
		out->to_ns = heat_cell_range(h).to_ns;
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
	.help_text = "Time from left to right, length from below: each cell is darker and hotter the more "
		     "spans of "
		     "that length ended then, by powers of two.\nLive it is the last half minute; } and { "
		     "make that longer and shorter.\n",
	.free = rs_latency_screen_free,
};

struct rs_screen *rs_heat_map_new(struct rs_app *app, const struct rs_latency_of *of, bool beside_histogram)
{
	struct heat *h = rs_latency_screen_new(app, &ops, sizeof *h, of, heat_on_answer);

	if (!h)
		return NULL;
	h->group = 1;
	h->beside_histogram = beside_histogram;
	return &h->latency.screen;
}

struct rs_screen *rs_heat_map_new_panel(struct rs_app *app, const struct rs_latency_of *of)
{
	struct rs_screen *s = rs_heat_map_new(app, of, false);

	if (s)
		((struct heat *)s)->is_panel = true;
	return s;
}

struct rs_screen *rs_heat_map_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_latency_of of;

	return rs_latency_of_selection(app, selection, &of) ? rs_heat_map_new(app, &of, false) : NULL;
}
