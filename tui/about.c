// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * about.c - all that is known about a row: a panel for each view that has what the row is named by, filtered by it
 *
 * A process has its threads, calls, waits, requests and locks this way, a CPU its interrupts: no view is named here.
 * Panels without rows are one line at the end. They ask in turn, a few at a time: a server has other clients.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/wire.h"
#include "tui/app.h"
#include "tui/grid.h"
#include "tui/spread.h"
#include "tui/table.h"

#define MAX_PANELS 64
#define AT_ONCE 6         /* questions that are open */
#define ROWS 20           /* asked for; seen: what there is room for */
#define MIN_ROWS 3
#define MAX_BARS 10

struct about;

struct panel {
	struct about *about;
	const struct rs_catalogue_view *of;
	struct rs_grid grid;
	bool asked;
	char refused[200];       /* why there are no rows; "": there are */
	int y, height;           /* in the picture of all panels */
};

struct about {
	struct rs_screen screen; /* first */
	struct rs_subject_keys keys;
	struct rs_spread spread; /* of the spans that the row sums up: above the panels */
	struct panel *panels;
	unsigned int nr, at;     /* at: which has the keys */
	unsigned int next;       /* to ask in this round */
	int top;                 /* first line in sight */
};

/* ---- asking ---- */

static void got_panel(void *arg, const cJSON *reply);

static bool ask(struct panel *p)
{
	struct rs_app *app = p->about->screen.app;
	struct rs_buf where = RS_BUF_INIT, sort = RS_BUF_INIT, by = RS_BUF_INIT;
	struct rs_json *j = rs_client_begin(rs_app_client(app), "rows");

	rs_json_key(j, "view");
	rs_json_str(j, p->of->view.name);
	rs_subject_where(&p->about->keys, &p->of->view, &where);
	rs_json_key(j, "where");
	rs_json_str(j, where.data);
	rs_grid_sort_text(&p->grid, &sort);
	if (sort.len) {
		rs_json_key(j, "sort");
		rs_json_str(j, sort.data);
	}
	if (rs_subject_by(&p->about->keys, &p->of->view, &by))
		rs_put_by(j, by.data);
	rs_json_key(j, "limit");
	rs_json_u64(j, p->of->view.kind == RS_VIEW_HIST ? 500 : ROWS);
	rs_app_put_time(app, j);
	p->asked = rs_client_send(rs_app_client(app), -1, got_panel, p) != 0;
	rs_buf_done(&where);
	rs_buf_done(&sort);
	rs_buf_done(&by);
	return p->asked;
}

static void ask_on(struct about *a)
{
	unsigned int nr_asked = 0;

	for (unsigned int i = 0; i < a->nr; i++)
		nr_asked += a->panels[i].asked;
	while (a->next < a->nr && nr_asked < AT_ONCE) {
		struct panel *p = &a->panels[a->next++];

		if (!p->asked && !ask(p))
			return;
		nr_asked++;
	}
}

static void got_panel(void *arg, const cJSON *reply)
{
	struct panel *p = arg;
	struct about *a = p->about;
	const char *why = rs_wire_text_of(reply, "error");

	p->asked = false;
	*p->refused = '\0';
	if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reply, "ok")))
		snprintf(p->refused, sizeof p->refused, "%s", why ? why : "refused");
	else if (!rs_grid_read(&p->grid, reply))
		snprintf(p->refused, sizeof p->refused, "%s: an answer that is none", p->of->view.name);
	else if (p->grid.from_known)
		rs_app_note_rows(a->screen.app, reply, p->grid.from_ns, p->grid.to_ns);
	rs_app_redraw(a->screen.app);
	ask_on(a);
}

static void ask_all(struct rs_screen *s)
{
	struct about *a = (struct about *)s;

	rs_spread_ask(&a->spread);
	if (a->next >= a->nr || !a->nr)
		a->next = 0;
	ask_on(a);
}

/* ---- where panels are ---- */

static bool is_empty(const struct panel *p)
{
	return *p->refused || !p->grid.nr;
}

static bool is_answered(const struct panel *p)
{
	return *p->refused || p->grid.answered;
}

static int lines_of(const struct panel *p, int most_rows)
{
	if (p->of->view.kind == RS_VIEW_HIST) {
		int lines = (int)rs_bars_lines(&p->grid);

		return 1 + (lines < MAX_BARS ? lines : MAX_BARS);
	}
	return 2 + ((int)p->grid.nr < most_rows ? (int)p->grid.nr : most_rows);
}

/* What is left of a tall screen goes to the rows. Returns how many lines all take. */
static int lay_out(struct about *a, int height, int width)
{
	int nr = 0, most, y = rs_spread_lines(&a->spread, width);

	height -= y;
	y += y > 0;
	for (unsigned int i = 0; i < a->nr; i++)
		nr += !is_empty(&a->panels[i]);
	most = nr ? height / nr - 3 : MIN_ROWS;
	if (most < MIN_ROWS)
		most = MIN_ROWS;
	for (unsigned int i = 0; i < a->nr; i++) {
		struct panel *p = &a->panels[i];

		p->y = y;
		p->height = is_empty(p) ? 0 : lines_of(p, most);
		y += p->height ? p->height + 1 : 0;
	}
	return y;
}

static void move(struct about *a, int by)
{
	for (unsigned int at = a->at + (unsigned int)by; at < a->nr; at += (unsigned int)by)
		if (!is_empty(&a->panels[at])) {
			a->at = at;
			return;
		}
}

/* ---- drawing ---- */

static void draw_rows(struct panel *p, struct rs_canvas *c, struct rs_area area)
{
	struct rs_app *app = p->about->screen.app;
	struct rs_grid_look look = {
		.style = *rs_app_style(app), .selected = -1, .ascii = rs_canvas_ascii(c),
	};
	struct rs_area rows = { area.y + 1, area.x, area.height - 1, area.width };

	if (p->of->view.kind == RS_VIEW_HIST) {
		rs_bars_draw(&p->grid, &look.style, c, area, 0);
		return;
	}
	/* Of a log the newest rows are last. */
	size_t height = (size_t)rows.height;
	size_t top = p->of->view.kind == RS_VIEW_STREAM && p->grid.nr > height ? p->grid.nr - height : 0;

	rs_grid_measure(&p->grid, top, (size_t)rows.height, &look);
	rs_grid_draw_heading(&p->grid, c, (struct rs_area){ area.y, area.x, 1, area.width }, &look);
	rs_grid_draw_rows(&p->grid, c, rows, top, &look);
}

static void draw_panel(struct panel *p, struct rs_canvas *c, struct rs_area area, bool at)
{
	const struct rs_view *view = &p->of->view;
	int x = area.x + 1;

	if (at)
		rs_put_glyph(c, area.y, area.x, RS_LOOK_KEY, RS_GLYPH_CURSOR);
	x += rs_put(c, area.y, x, area.width - 1, at ? RS_LOOK_SELECTED : RS_LOOK_TITLE, view->name);
	if (view->kind != RS_VIEW_HIST)
		x += rs_putf(c, area.y, x, area.x + area.width - x, RS_LOOK_TEXT, "  %llu %s",
			     (unsigned long long)p->grid.nr_total, p->grid.nr_total == 1 ? "row" : "rows");
	rs_putf(c, area.y, x, area.x + area.width - x, RS_LOOK_DIM, "  %s", view->summary ? view->summary : "");
	if (area.height > 1)
		draw_rows(p, c, (struct rs_area){ area.y + 1, area.x, area.height - 1, area.width });
}

/* Panels that are partly above what is in sight are left out, those partly below are cut. */
static void draw_panels(struct about *a, struct rs_canvas *c, struct rs_area area)
{
	for (unsigned int i = 0; i < a->nr; i++) {
		struct panel *p = &a->panels[i];
		int y = p->y - a->top, height = p->height;

		if (!height || y < 0 || y >= area.height)
			continue;
		if (y + height > area.height)
			height = area.height - y;
		draw_panel(p, c, (struct rs_area){ area.y + y, area.x, height, area.width }, i == a->at);
	}
}

/* Under the panels: which views have nothing, and the first that was refused, with the reason. */
static void draw_rest(struct about *a, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf names = RS_BUF_INIT;
	const char *refused = NULL;
	bool waits = false;

	for (unsigned int i = 0; i < a->nr; i++) {
		const struct panel *p = &a->panels[i];

		if (*p->refused)
			refused = refused ? refused : p->refused;
		else if (!p->grid.answered)
			waits = true;
		else if (!p->grid.nr)
			rs_buf_printf(&names, "%s%s", names.len ? ", " : "", p->of->view.name);
	}
	if (names.len)
		rs_putf(c, line.y++, line.x + 1, line.width - 1, RS_LOOK_DIM, "nothing in %s", names.data);
	else if (waits)
		rs_put(c, line.y++, line.x + 1, line.width - 1, RS_LOOK_DIM, "waiting");
	if (refused)
		rs_putf(c, line.y, line.x + 1, line.width - 1, RS_LOOK_BAD, "! %s", refused);
	rs_buf_done(&names);
}

static void draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct about *a = (struct about *)s;
	int all = lay_out(a, area.height, area.width), last = all + 1 - area.height;
	int spread = rs_spread_lines(&a->spread, area.width);
	struct rs_area top = { area.y, area.x, spread < area.height ? spread : area.height, area.width };
	const struct panel *at;

	/* Where answers come in another order the first view stays selected, as long as it may have rows. */
	if (a->nr && is_empty(&a->panels[a->at]) && is_answered(&a->panels[a->at])) {
		move(a, 1);
		if (is_empty(&a->panels[a->at]))
			move(a, -1);
	}
	at = a->nr ? &a->panels[a->at] : NULL;
	if (at && at->y + at->height > a->top + area.height)
		a->top = at->y + at->height - area.height;
	if (at && at->y < a->top)
		a->top = at->y;
	if (at && at->y == spread + (spread > 0) && at->y + at->height <= area.height)
		a->top = 0; /* the first panel: with what is above it */
	if (a->top > last)
		a->top = last > 0 ? last : 0;
	if (spread && !a->top)
		rs_spread_draw(&a->spread, c, top);
	draw_panels(a, c, area);
	if (all - a->top < area.height)
		draw_rest(a, c, (struct rs_area){ area.y + all - a->top, area.x, 1, area.width });
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, FIRST, LAST };

static const struct rs_key about_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Open", "this view as a table, filtered as it is here" },
	{ { RS_KEY_DOWN, RS_KEY_TAB, 'j' }, DOWN, "Next", "the next view" },
	{ { RS_KEY_UP, RS_KEY_BACK_TAB, 'k' }, UP, NULL, "the view before" },
	{ { RS_KEY_HOME, 'g' }, FIRST, NULL, "the first view" },
	{ { RS_KEY_END, 'G' }, LAST, NULL, "the last view" },
	{ .help = NULL },
};

static void open_panel(struct about *a)
{
	struct panel *p = a->nr ? &a->panels[a->at] : NULL;

	if (!p || is_empty(p))
		return;
	rs_app_push(a->screen.app, rs_table_new(a->screen.app, p->of, &a->keys, NULL));
}

static bool act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct about *a = (struct about *)s;
	unsigned int nr = action == FIRST || action == LAST ? a->nr : 1;

	if (action == OPEN)
		open_panel(a);
	else
		while (nr--)
			move(a, action == UP || action == FIRST ? -1 : 1);
	rs_app_redraw(s->app);
	return true;
}

static bool on_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct about *a = (struct about *)s;

	if (key->key == RS_KEY_WHEEL_UP || key->key == RS_KEY_PAGE_UP)
		move(a, -1);
	else if (key->key == RS_KEY_WHEEL_DOWN || key->key == RS_KEY_PAGE_DOWN)
		move(a, 1);
	else if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	for (unsigned int i = 0; i < a->nr && key->key <= RS_KEY_MOUSE_DOUBLE && key->key >= RS_KEY_MOUSE; i++)
		if (!is_empty(&a->panels[i]) && key->y + a->top >= a->panels[i].y &&
		    key->y + a->top < a->panels[i].y + a->panels[i].height)
			a->at = i;
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		open_panel(a);
	return true;
}

static void title(struct rs_screen *s, struct rs_buf *out)
{
	rs_subject_title(&((struct about *)s)->keys, out);
}

static bool subject(struct rs_screen *s, struct rs_subject *out)
{
	struct about *a = (struct about *)s;

	*out = (struct rs_subject){ .view = a->nr ? a->panels[a->at].of : NULL, .column = -1 };
	rs_subject_copy(&out->keys, &a->keys);
	return true;
}

static void free_about(struct rs_screen *s)
{
	struct about *a = (struct about *)s;

	for (unsigned int i = 0; i < a->nr; i++) {
		rs_client_forget(rs_app_client(s->app), &a->panels[i]);
		rs_grid_done(&a->panels[i].grid);
	}
	rs_spread_done(&a->spread);
	free(a->panels);
	free(a);
}

static const struct rs_screen_ops ops = {
	.name = "about", .keys = about_keys, .ask = ask_all, .draw = draw, .act = act, .key = on_key, .title = title,
	.subject = subject, .free = free_about,
};

static void add_panel(struct about *a, const struct rs_catalogue_view *v)
{
	struct rs_buf where = RS_BUF_INIT;

	if (!v->why_off && a->nr < MAX_PANELS && rs_subject_where(&a->keys, &v->view, &where)) {
		struct panel *p = &a->panels[a->nr++];

		p->about = a;
		p->of = v;
		rs_grid_init(&p->grid, &v->view);
		if (v->view.kind == RS_VIEW_STREAM)
			p->grid.sort.nr = 0;
	}
	rs_buf_done(&where);
}

/* The view that one comes from is first: it has the row itself. */
struct rs_screen *rs_about_new(struct rs_app *app, const struct rs_subject *subject)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	struct about *a = calloc(1, sizeof *a);

	if (a)
		a->panels = calloc(MAX_PANELS, sizeof *a->panels);
	if (!a || !a->panels) {
		free(a);
		return NULL;
	}
	a->screen = (struct rs_screen){ &ops, app };
	rs_subject_copy(&a->keys, &subject->keys);
	rs_spread_init(&a->spread, app, subject);
	if (subject->view)
		add_panel(a, subject->view);
	for (size_t i = 0; i < c->nr_views; i++)
		if (&c->views[i] != subject->view)
			add_panel(a, &c->views[i]);
	return &a->screen;
}
