// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table-screen.c - a view as a screen: asks for its rows, draws them, keeps the selection on its row
 *
 * The engine sorts, filters and limits rows: of 10,000 tasks it sends only those that the screen shows. When
 * rows move, the user's selection follows its row; it does not stay on its line.
 */
#include "tui/table/table-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/bars.h"
#include "tui/app/key-tables.h"

#define TABLE_SCREEN_ROWS 500          /* of the first request: more than a screen has lines */
#define LOG_ROWS 1000     /* the last rows of a stream */
#define TABLE_SCREEN_MAX_ROWS 100000   /* the engine's limit */

static size_t table_screen_limit(const struct rs_table *t)
{
	size_t need = t->list.top + 2 * t->list.height;

	if (t->of->view.kind == RS_VIEW_STREAM)
		return LOG_ROWS;
	if (t->everything)
		return TABLE_SCREEN_MAX_ROWS;
	return need > TABLE_SCREEN_ROWS ? need : TABLE_SCREEN_ROWS;
}

/* ---- requests ---- */

/* Writes what the table is of: the keys of the selection, and the filter that it was opened with. */
static void table_screen_put_own_where(const struct rs_table *t, struct rs_buf *out)
{
	struct rs_buf keys = RS_BUF_INIT;
	bool any = rs_selection_where(&t->keys, &t->of->view, &keys);

	if (any && *t->where)
		rs_buf_printf(out, "(%s) && (%s)", keys.data, t->where);
	else
		rs_buf_puts(out, any ? keys.data : t->where);
	rs_buf_done(&keys);
}

void rs_table_screen_put_where(const struct rs_table *t, struct rs_buf *out)
{
	struct rs_buf own = RS_BUF_INIT;

	table_screen_put_own_where(t, &own);
	rs_app_filter_where(t->screen.app, &t->of->view, &t->keys, own.data, out);
	rs_buf_done(&own);
}

void rs_table_screen_split_by(const char *by, struct rs_table_by *to)
{
	char *rest = to->names;

	snprintf(to->names, sizeof to->names, "%s", by);
	to->nr = 0;
	for (char *name; to->nr < RS_MAX_BY && (name = strsep(&rest, ", "));)
		if (*name)
			to->list[to->nr++] = name;
}

/* The wait that others are compared with may have begun before the time that is shown. */
static struct rs_asked_time table_screen_time(const struct rs_table *t)
{
	const struct rs_app *app = t->screen.app;
	struct rs_asked_time time = rs_app_asked_time(app);

	if (!t->alike_to.tid)
		return time;
	if (app->time.now)
		return (struct rs_asked_time){ rs_u(app->oldest_ns), rs_u(app->now_ns) };
	time.from_ns.u = t->alike_to.from_ns < time.from_ns.u ? t->alike_to.from_ns : time.from_ns.u;
	time.to_ns.u = t->alike_to.to_ns > time.to_ns.u ? t->alike_to.to_ns : time.to_ns.u;
	return time;
}

static void table_screen_send_request(struct rs_table *t)
{
	struct rs_buf where = RS_BUF_INIT, sort = RS_BUF_INIT;
	struct rs_table_by by;

	rs_table_screen_split_by(t->by, &by);
	rs_table_screen_put_where(t, &where);
	rs_grid_sort_text(&t->grid, &sort);
	rs_question_ask(&t->question, "rows", &(struct rs_rows_request){
		.view = t->of->view.name, .where = where.len ? where.data : NULL,
		.sort = sort.len ? sort.data : NULL,
		.by = by.nr ? by.list : NULL, .nr_by = by.nr, .limit = table_screen_limit(t),
		.time = table_screen_time(t), .wait = t->alike_to.tid ? &t->alike_to : NULL,
	});
	rs_buf_done(&where);
	rs_buf_done(&sort);
}

void rs_table_ask(struct rs_screen *s)
{
	struct rs_table *t = (struct rs_table *)s;

	if (t->frozen && t->grid.answered)
		return;
	t->ask_again = t->question.asked;
	if (!t->ask_again)
		table_screen_send_request(t);
}

/* ---- answers ---- */

bool rs_table_follows_end(const struct rs_table *t)
{
	return t->of->view.kind == RS_VIEW_STREAM && !t->grid.sort.nr && t->list.at + 1 >= t->list.nr;
}

/* Tries the current line first: most rows do not move. */
static bool table_screen_find(const struct rs_table *t, uint64_t identity, size_t *at)
{
	if (t->list.at < t->grid.nr && rs_grid_identity(&t->grid, t->list.at) == identity) {
		*at = t->list.at;
		return true;
	}
	for (size_t i = 0; i < t->grid.nr; i++)
		if (rs_grid_identity(&t->grid, i) == identity) {
			*at = i;
			return true;
		}
	return false;
}

/* In a stream the selected row scrolls with the others: keeps both the row and its line. */
static void table_screen_restore_selection(struct rs_table *t, bool stick)
{
	size_t at = t->list.at, line = t->list.at - t->list.top;

	if (t->of->view.kind == RS_VIEW_HIST) {
		rs_list_fit(&t->list, rs_bars_lines(&t->grid), t->list.height);
		return;
	}
	if (stick)
		at = t->grid.nr ? t->grid.nr - 1 : 0;
	else if (t->selected && !t->by_line)
		table_screen_find(t, t->identity, &at);
	t->list.at = at;
	if (t->of->view.kind == RS_VIEW_STREAM && !stick)
		t->list.top = at > line ? at - line : 0;
	rs_list_fit(&t->list, t->grid.nr, t->list.height);
}

static void got_rows(void *arg, const struct rs_reply *reply)
{
	struct rs_table *t = arg;
	bool stick = !t->grid.answered || rs_table_follows_end(t);

	stick = stick && t->of->view.kind == RS_VIEW_STREAM && !t->grid.sort.nr;
	if (!reply->message) {
		snprintf(t->refused, sizeof t->refused, "%s", reply->error);
	} else if (!rs_grid_read(&t->grid, reply->message)) {
		snprintf(t->refused, sizeof t->refused, "%s: malformed answer", t->of->view.name);
	} else {
		*t->refused = '\0';
		rs_app_note_rows(t->screen.app, reply->message);
		table_screen_restore_selection(t, stick);
		if (t->searching)
			rs_table_search(t, 1, true);
	}
	if (t->ask_again)
		rs_table_ask(&t->screen);
}

/* ---- drawing ---- */

int rs_table_heading_y(const struct rs_table *t)
{
	return *t->refused ? 2 : 1;
}

/*
 * "first 1,000 of 2,300 rows", "28 of 868 rows": the rows that are shown, or that pass the filter, and their
 * total.
 */
static void table_screen_put_rows(const struct rs_table *t, struct rs_buf *out)
{
	const struct rs_grid *g = &t->grid;
	bool cut = g->nr < g->nr_total && t->of->view.kind != RS_VIEW_HIST,
	     filtered = g->nr_unfiltered != g->nr_total;
	uint64_t of = filtered && !cut ? g->nr_unfiltered : g->nr_total;
	char text[RS_SCREEN_TEXT];

	if (cut) {
		rs_buf_puts(out, t->of->view.kind == RS_VIEW_STREAM ? "last " : "first ");
		rs_buf_puts(out, rs_screen_grouped(g->nr, text));
		rs_buf_puts(out, " of ");
	} else if (filtered) {
		rs_buf_puts(out, rs_screen_grouped(g->nr_total, text));
		rs_buf_puts(out, " of ");
	}
	rs_buf_puts(out, rs_screen_grouped(of, text));
	rs_buf_puts(out, of == 1 ? " row " : " rows ");
	if (cut && filtered) {
		rs_buf_puts(out, "(");
		rs_buf_puts(out, rs_screen_grouped(g->nr_unfiltered, text));
		rs_buf_puts(out, " without filter) ");
	}
}

static void put_counts(const struct rs_table *t, struct rs_buf *out)
{
	struct rs_buf range = RS_BUF_INIT;
	char text[RS_SCREEN_TEXT];

	if (t->frozen)
		rs_buf_puts(out, "FROZEN  ");
	if (t->by_line)
		rs_buf_puts(out, "by line  ");
	if (t->grid.answered && t->of->view.kind != RS_VIEW_HIST &&
	    t->list.top + t->list.height < t->grid.nr) {
		rs_buf_puts(out, rs_screen_grouped(t->grid.nr - t->list.top - t->list.height, text));
		rs_buf_puts(out, " below  ");
	}
	if (!t->grid.answered) {
		rs_buf_puts(out, "waiting ");
		return;
	}
	table_screen_put_rows(t, out);
	rs_app_time_put_grid_range(t->screen.app, &t->grid, &range);
	if (range.len)
		rs_buf_printf(out, " %s ", range.data);
	rs_buf_done(&range);
}

/*
 * If no visible heading has the arrow, puts "sorted by ..." at the right. Returns the column where it begins.
 */
static int draw_sort(const struct rs_table *t, struct rs_canvas *c, int y, int x, int end)
{
	const struct rs_grid *g = &t->grid;
	const char *heading;
	int width;

	if (!g->answered || t->of->view.kind == RS_VIEW_HIST ||
	    rs_grid_shows_sort(g, t->first, rs_canvas_area(c).width))
		return end;
	heading = rs_column_heading(&t->of->view.columns[g->sort.keys[0].column]);
	width = (int)strlen("sorted by ") + rs_put_text_columns(heading, rs_canvas_ascii(c)) + 3;
	if (width > end - x)
		return end;
	rs_put_format(c, y, end - width, width, RS_STYLE_TEXT, "sorted by %s", heading);
	rs_put_glyph(c, y, end - 3, RS_STYLE_TEXT, g->sort.keys[0].descends ? RS_GLYPH_DOWN : RS_GLYPH_UP);
	return end - width;
}

static void draw_info(const struct rs_table *t, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf counts = RS_BUF_INIT, where = RS_BUF_INIT;
	int x = line.x + 1, right, end;

	put_counts(t, &counts);
	table_screen_put_own_where(t, &where);
	right = rs_put_text_columns(counts.data, true);
	rs_put(c, line.y, line.x + line.width - right, right, t->frozen ? RS_STYLE_WARN : RS_STYLE_DIM,
	       counts.data);
	end = draw_sort(t, c, line.y, x + rs_put_text_columns(t->of->view.name, true) + 1,
			line.x + line.width - right) -
	      1;
	x += rs_put(c, line.y, x, end - x, RS_STYLE_TITLE, t->of->view.name);
	if (*t->by)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, " by %s", t->by);
	if (where.len)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_KEY, "  where %s", where.data);
	if (t->of->view.base && end - x >= rs_put_text_columns(t->of->view.base, true) + 2)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, "  %s", t->of->view.base);
	if (!where.len && t->of->view.summary && end - x >= RS_TABLE_LEAST_SUMMARY)
		rs_put_format(c, line.y, x, end - x, RS_STYLE_DIM, "  %s", t->of->view.summary);
	rs_buf_done(&counts);
	rs_buf_done(&where);
}

static bool has_totals(const struct rs_table *t)
{
	if (!t->totals || !t->grid.has_totals)
		return false;
	for (unsigned int i = 0; i < t->grid.shown.nr; i++)
		if (t->grid.totals[t->grid.shown.at[i]].known)
			return true;
	return false;
}

static void table_screen_nothing(const struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	const char *why = t->grid.nr_unfiltered ? "no row passes the filter" : "nothing yet";

	if (!t->screen.app->time.now && !t->grid.nr_unfiltered)
		why = "no rows in this time";
	if (t->grid.answered && area.height > 0)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_DIM, why);
}

/* Labels the line of totals in its first column, unless that has a total. */
static void draw_totals(struct rs_table *t, struct rs_canvas *c, struct rs_area line,
			const struct rs_grid_style *style)
{
	unsigned int first = t->grid.shown.at[rs_grid_leftmost(&t->grid, style->first)];
	int width = t->grid.widths[first];

	rs_grid_draw_totals(&t->grid, c, line, style);
	if (!t->grid.totals[first].known)
		rs_put(c, line.y, line.x, width, RS_STYLE_BOLD, width < 5 ? "sum" : "total");
}

static void draw_grid(struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	bool totals = has_totals(t) && area.height > 4;
	struct rs_area rows = { area.y + 1, area.x, area.height - 1 - totals, area.width };
	struct rs_grid_style style = {
		.cell = t->screen.app->style, .first = t->first, .selected = (long)t->list.at,
		.ascii = rs_canvas_ascii(c), .mark = *t->mark ? t->mark : NULL,
	};
	bool stick = rs_table_follows_end(t);

	if (rows.height < 0)
		rows.height = 0;
	rs_list_fit(&t->list, t->grid.nr, (size_t)rows.height);
	if (stick)
		rs_list_to(&t->list, t->grid.nr ? t->grid.nr - 1 : 0);
	style.selected = (long)t->list.at;
	rs_grid_measure(&t->grid, t->list.top, t->list.height, &style);
	rs_grid_fit(&t->grid, area.width);
	rs_grid_draw_heading(&t->grid, c, (struct rs_area){ area.y, area.x, 1, area.width }, &style);
	rs_grid_draw_rows(&t->grid, c, rows, t->list.top, &style);
	if (!t->grid.nr)
		table_screen_nothing(t, c, rows);
	if (totals)
		draw_totals(t, c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width },
			    &style);
}

static void table_screen_bars(struct rs_table *t, struct rs_canvas *c, struct rs_area area)
{
	rs_list_fit(&t->list, rs_bars_lines(&t->grid), (size_t)area.height);
	rs_bars_draw(&t->grid, &t->screen.app->style, c, area, t->list.top);
	if (!t->grid.nr)
		table_screen_nothing(t, c, area);
}

static void table_screen_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_table *t = (struct rs_table *)s;
	int heading = rs_table_heading_y(t);
	struct rs_area rest = { area.y + heading, area.x, area.height - heading, area.width };

	if (*t->refused)
		rs_put_format(c, area.y + 1, area.x + 1, area.width - 1, RS_STYLE_BAD, "! %s", t->refused);
	if (rest.height > 0 && t->of->view.kind == RS_VIEW_HIST)
		table_screen_bars(t, c, rest);
	else if (rest.height > 0)
		draw_grid(t, c, rest);
	/* after the grid, which determines the visible rows */
	draw_info(t, c, (struct rs_area){ area.y, area.x, 1, area.width });
}

/* ---- screen ops ---- */

static void table_screen_put_title(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_buf_puts(out, t->of->view.name);
}

static void table_screen_put_help(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_buf_printf(out, "%s: %s\n", t->of->view.name, t->of->view.summary ? t->of->view.summary : "");
	if (t->of->view.base)
		rs_buf_printf(out, "%s\n", t->of->view.base);
	rs_buf_puts(out, "\n");
	for (const struct rs_column *c = t->of->view.columns; c->name; c++)
		rs_buf_printf(out, "%-16s %-20s %s\n", rs_column_heading(c), c->name, c->help ? c->help : "");
	rs_buf_puts(out,
		    "\nA filter compares columns by their second names: comm ~ post && p99_ns > 1ms\n"
		    "Alone: cart is comm ~ cart, 4711 is pid == 4711, >1ms is latency > 1ms\n"
		    "== != < <= > >=, ~ (has in it, or fits a pattern with * and ?), !~, &&, ||, !, ( )\n"
		    "Units: ns us ms s, B KiB MiB GiB; - is what is not known\n");
}

static bool table_screen_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_table *t = (struct rs_table *)s;

	*out = (struct rs_screen_selection){ .view = t->of,
					     .column = t->grid.sort.nr ? t->grid.sort.keys[0].column : -1 };
	out->keys = t->keys;
	if (t->of->view.kind == RS_VIEW_HIST)
		return out->keys.nr > 0;
	out->values = rs_grid_row(&t->grid, t->list.at);
	if (out->values)
		rs_selection_add(&out->keys, &t->of->view, out->values);
	rs_selection_add_wait(out);
	return out->values || out->keys.nr;
}

static struct rs_screen *table_screen_open_detail(struct rs_screen *s)
{
	struct rs_screen_selection selection;

	return table_screen_get_selection(s, &selection) && selection.keys.nr ?
		       rs_table_open_selected(s->app, &selection) :
		       NULL;
}

static const struct rs_view *table_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	struct rs_table *t = (struct rs_table *)s;

	*given = &t->keys;
	return &t->of->view;
}

static void free_table(struct rs_screen *s)
{
	struct rs_table *t = (struct rs_table *)s;

	rs_question_done(&t->question);
	rs_grid_done(&t->grid);
	free(t);
}

/* Opens the view on the current machine, with the same filter, grouping and sort order. */
static struct rs_screen *table_reopen(struct rs_screen *s)
{
	const struct rs_table *t = (const struct rs_table *)s;
	const struct rs_catalogue_view *view = rs_catalogue_view(rs_client_catalogue(s->app->machine->client),
								 t->of->view.name);

	return t->keys.nr || !view ? NULL :
				     rs_table_new_as(s->app, view, t->where, t->by, &t->grid.sort);
}

static const struct rs_screen_ops ops = {
	.name = "table", .keys = rs_table_keys, .ask = rs_table_ask, .draw = table_screen_draw,
	.act = rs_table_act, .can = rs_table_can, .copy = rs_table_copy,
	.key = rs_table_key, .title = table_screen_put_title, .help = table_screen_put_help,
	.selection = table_screen_get_selection, .detail = table_screen_open_detail,
	.filtered = table_filtered,
	.reopen = table_reopen, .free = free_table,
};

static void group_by_keys(struct rs_table *t)
{
	struct rs_buf by = RS_BUF_INIT;

	if (rs_selection_by(&t->keys, &t->of->view, &by))
		snprintf(t->by, sizeof t->by, "%s", by.data);
	rs_buf_done(&by);
}

/* Ignores settings whose columns no longer exist in the view. */
static void use_settings(struct rs_table *t)
{
	struct rs_settings *s = &t->screen.app->settings;
	const char *name = t->of->view.name;
	const char *columns = rs_settings_of_view(s, name, "columns"),
		   *sort = rs_settings_of_view(s, name, "sort");
	struct rs_error err = { 0 };
	struct rs_columns shown;
	struct rs_sort by;

	if (columns && rs_columns_parse(&t->of->view, columns, &shown, &err) == 0 && shown.nr) {
		t->grid.shown = shown;
		t->grid.shows_default = false;
	}
	if (sort && rs_columns_parse_sort(&t->of->view, sort, &by, &err) == 0)
		t->grid.sort = by;
}

struct rs_screen *rs_table_new(struct rs_app *app, const struct rs_catalogue_view *view,
			       const struct rs_selection_keys *keys, const char *where)
{
	struct rs_table *t;

	if (view->why_off) {
		rs_app_say(app, RS_STYLE_WARN, "%s: %s", view->view.name, view->why_off);
		return NULL;
	}
	t = rs_screen_new(app, &ops, sizeof *t);
	if (!t)
		return NULL;
	t->question = (struct rs_question){ .machine = app->machine, .answered = got_rows, .of = t,
					    .pauses = true };
	t->of = view;
	t->totals = true;
	rs_grid_init(&t->grid, &view->view);
	if (view->view.kind == RS_VIEW_STREAM)
		t->grid.sort.nr = 0; /* a stream stays in order of arrival */
	if (keys)
		t->keys = *keys;
	group_by_keys(t);
	snprintf(t->where, sizeof t->where, "%s", where ? where : "");
	use_settings(t);
	return &t->screen;
}

struct rs_screen *rs_table_new_as(struct rs_app *app, const struct rs_catalogue_view *view, const char *where,
				  const char *by, const struct rs_sort *sort)
{
	struct rs_table *t = (struct rs_table *)rs_table_new(app, view, NULL, where);

	if (!t)
		return NULL;
	snprintf(t->by, sizeof t->by, "%s", by);
	t->grid.sort = *sort;
	return &t->screen;
}

struct rs_screen *rs_table_new_alike(struct rs_app *app, const struct rs_wire_wait *wait)
{
	const struct rs_catalogue_view *view = rs_catalogue_view_of(rs_client_catalogue(app->machine->client),
								    RS_ROLE_ALIKE);
	struct rs_table *t = view ? (struct rs_table *)rs_table_new(app, view, NULL, NULL) : NULL;

	if (!view)
		rs_app_say(app, RS_STYLE_WARN, "this engine does not search for waits of the same shape");
	if (!t)
		return NULL;
	t->alike_to = *wait;
	t->frozen = true; /* all of the time is read for it: once */
	return &t->screen;
}
