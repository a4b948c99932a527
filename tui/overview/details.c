// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details.c - all that is known about a row: a panel for each view that has what the row is named by, filtered by it; or
 * the evidence of a sentence: the views that the analysis names, the cause first
 *
 * A process has its threads, calls, waits, requests and locks this way, a CPU its interrupts: no view is named here.
 * Panels without rows are one line at the end. They ask in turn, a few at a time: a server has other clients.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "tui/overview/details.h"
#include "tui/toolkit/app.h"

#define MAX_PANELS 64
#define AT_ONCE 6         /* questions that are open */
#define DETAILS_ROWS 20           /* asked for; seen: what there is room for */

/* ---- asking ---- */

static void got_panel(void *arg, const struct rs_reply *reply);

/* Live, the tables are of the last whole second: so is the distribution above them. */
static bool details_is_live_now(const struct rs_details *a)
{
	return a->screen.app->live && rs_app_time(a->screen.app)->now;
}

static struct rs_asked_time details_time(const struct rs_details *a)
{
	if (a->past == RS_DETAILS_ENDED && rs_app_time(a->screen.app)->now)
		return (struct rs_asked_time){ rs_u(a->from_ns), rs_u(a->to_ns) };
	return rs_app_asked_time(a->screen.app);
}

static bool details_ask(struct rs_details_panel *p)
{
	struct rs_buf sort = RS_BUF_INIT;
	struct rs_table_by by;

	rs_table_screen_split_by(p->by, &by);
	rs_grid_sort_text(&p->grid, &sort);
	p->asked = rs_client_ask(p->details->screen.machine->client, "rows", &(struct rs_rows_request){
		.view = p->of->view.name, .where = *p->where ? p->where : NULL, .sort = sort.len ? sort.data : NULL,
		.by = by.nr ? by.list : NULL, .nr_by = by.nr, .limit = p->of->view.kind == RS_VIEW_HIST ? 500 : DETAILS_ROWS,
		.time = details_time(p->details),
	}, got_panel, p) != 0;
	rs_buf_done(&sort);
	return p->asked;
}

bool rs_details_is_empty(const struct rs_details_panel *p)
{
	return *p->refused || !p->grid.nr;
}

bool rs_details_is_answered(const struct rs_details_panel *p)
{
	return *p->refused || p->grid.answered;
}

static bool all_answered(const struct rs_details *a)
{
	for (unsigned int i = 0; i < a->nr; i++)
		if (!rs_details_is_answered(&a->panels[i]))
			return false;
	return true;
}

static void ask_on(struct rs_details *a)
{
	unsigned int nr_asked = 0;

	for (unsigned int i = 0; i < a->nr; i++)
		nr_asked += a->panels[i].asked;
	while (a->next < a->nr && nr_asked < AT_ONCE) {
		struct rs_details_panel *p = &a->panels[a->next++];

		if (!p->asked && !details_ask(p))
			return;
		nr_asked++;
	}
}

/* Returns true: more answers may come, so the selection follows them. */
static bool details_select_last(struct rs_details *a)
{
	for (unsigned int i = a->at + 1; i < a->nr; i++)
		if (!rs_details_is_empty(&a->panels[i]))
			a->at = i;
	return !a->answered;
}

static void got_panel(void *arg, const struct rs_reply *reply)
{
	struct rs_details_panel *p = arg;
	struct rs_details *a = p->details;

	p->asked = false;
	*p->refused = '\0';
	if (!reply->message)
		snprintf(p->refused, sizeof p->refused, "%s", reply->error);
	else if (!rs_grid_read(&p->grid, reply->message))
		snprintf(p->refused, sizeof p->refused, "%s: an answer that is none", p->of->view.name);
	else if (a->past != RS_DETAILS_ENDED)
		rs_app_note_rows(a->screen.app, reply->message);
	if (details_is_live_now(a) && a->past != RS_DETAILS_ENDED && p == a->panels && p->grid.from_known)
		rs_latency_panel_ask(&a->spread, p->grid.from_ns, p->grid.to_ns);
	if (a->to_last)
		details_select_last(a);
	rs_app_redraw(a->screen.app);
	ask_on(a);
	if (!a->answered && all_answered(a)) {
		a->answered = true;
		rs_details_ended_find(a);
	}
}

void rs_details_ask_again(struct rs_details *a)
{
	a->next = 0;
	ask_on(a);
}

/* What has ended does not change. */
static void ask_all(struct rs_screen *s)
{
	struct rs_details *a = (struct rs_details *)s;

	if (a->past == RS_DETAILS_ENDED && rs_app_time(s->app)->now)
		return;
	if (!details_is_live_now(a))
		rs_latency_panel_ask(&a->spread, 0, 0);
	if (a->next >= a->nr || !a->nr)
		a->next = 0;
	ask_on(a);
}

void rs_details_move(struct rs_details *a, int by)
{
	a->to_last = false;
	for (unsigned int at = a->at + (unsigned int)by; at < a->nr; at += (unsigned int)by)
		if (!rs_details_is_empty(&a->panels[at])) {
			a->at = at;
			return;
		}
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

static void open_panel(struct rs_details *a)
{
	struct rs_details_panel *p = a->nr ? &a->panels[a->at] : NULL;

	if (!p || rs_details_is_empty(p))
		return;
	if (!*a->sentence) {
		rs_app_push(a->screen.app, rs_table_new(a->screen.app, p->of, &a->keys, NULL));
		return;
	}
	rs_app_push(a->screen.app, rs_table_new_as(a->screen.app, p->of, p->where, p->by, &p->grid.sort));
}

static bool details_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_details *a = (struct rs_details *)s;
	unsigned int nr = action == FIRST ? a->nr : 1;

	if (action == OPEN)
		open_panel(a);
	else if (action == LAST)
		a->to_last = details_select_last(a);
	else
		while (nr--)
			rs_details_move(a, action == UP || action == FIRST ? -1 : 1);
	rs_app_redraw(s->app);
	return true;
}

static bool details_handle_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct rs_details *a = (struct rs_details *)s;

	if (key->key == RS_KEY_WHEEL_UP || key->key == RS_KEY_PAGE_UP)
		rs_details_move(a, -1);
	else if (key->key == RS_KEY_WHEEL_DOWN || key->key == RS_KEY_PAGE_DOWN)
		rs_details_move(a, 1);
	else if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	for (unsigned int i = 0; i < a->nr && key->key <= RS_KEY_MOUSE_DOUBLE && key->key >= RS_KEY_MOUSE; i++)
		if (!rs_details_is_empty(&a->panels[i]) && key->y + a->top >= a->panels[i].y &&
		    key->y + a->top < a->panels[i].y + a->panels[i].height)
			a->at = i;
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		open_panel(a);
	return true;
}

static void details_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_details *a = (const struct rs_details *)s;

	if (*a->sentence)
		rs_buf_puts(out, "why");
	else
		rs_selection_title(&a->keys, out);
	if (a->past == RS_DETAILS_ENDED)
		rs_buf_puts(out, ", ended");
}

static bool details_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_details *a = (struct rs_details *)s;

	*out = (struct rs_screen_selection){ .view = a->nr ? a->panels[a->at].of : NULL, .column = -1 };
	rs_selection_copy(&out->keys, &a->keys);
	return a->keys.nr > 0;
}

static void free_about(struct rs_screen *s)
{
	struct rs_details *a = (struct rs_details *)s;

	for (unsigned int i = 0; i < a->nr; i++) {
		rs_client_forget(s->machine->client, &a->panels[i]);
		rs_grid_done(&a->panels[i].grid);
	}
	rs_latency_panel_done(&a->spread);
	free(a->panels);
	free(a);
}

static const struct rs_screen_ops ops = {
	.name = "about", .keys = about_keys, .ask = ask_all, .draw = rs_details_draw, .act = details_run_action, .key = details_handle_key, .title = details_put_title,
	.selection = details_get_selection, .free = free_about,
};

/* NULL: there are too many, or that view is not to be had. */
static struct rs_details_panel *add_panel(struct rs_details *a, const struct rs_catalogue_view *v)
{
	struct rs_details_panel *p = &a->panels[a->nr];

	if (v->why_off || a->nr == MAX_PANELS)
		return NULL;
	a->nr++;
	p->details = a;
	p->of = v;
	rs_grid_init(&p->grid, &v->view);
	if (v->view.kind == RS_VIEW_STREAM)
		p->grid.sort.nr = 0;
	return p;
}

/* A view that has what the row is named by. */
static void add_about(struct rs_details *a, const struct rs_catalogue_view *v)
{
	struct rs_buf where = RS_BUF_INIT, by = RS_BUF_INIT;
	struct rs_details_panel *p;

	if (rs_selection_where(&a->keys, &v->view, &where) && where.len < sizeof p->where && (p = add_panel(a, v))) {
		rs_copy(p->where, sizeof p->where, where.data);
		if (rs_selection_by(&a->keys, &v->view, &by))
			rs_copy(p->by, sizeof p->by, by.data);
	}
	rs_buf_done(&where);
	rs_buf_done(&by);
}

static struct rs_details *new_about(struct rs_app *app)
{
	struct rs_details *a = calloc(1, sizeof *a);

	if (a)
		a->panels = calloc(MAX_PANELS, sizeof *a->panels);
	if (!a || !a->panels) {
		free(a);
		return NULL;
	}
	a->screen = rs_app_screen_of(app, &ops);
	return a;
}

/* The view that one comes from is first: it has the row itself. */
struct rs_screen *rs_details_new(struct rs_app *app, const struct rs_screen_selection *selection)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	struct rs_details *a = new_about(app);

	if (!a)
		return NULL;
	rs_selection_copy(&a->keys, &selection->keys);
	rs_latency_panel_init(&a->spread, app, selection);
	if (selection->view)
		add_about(a, selection->view);
	for (int by_name = 0; by_name <= 1; by_name++) /* the lists of every event last: the others sum them up */
		for (size_t i = 0; i < c->nr_views; i++)
			if (&c->views[i] != selection->view && c->views[i].view.by_name == by_name)
				add_about(a, &c->views[i]);
	return &a->screen;
}

/* ---- the evidence of a sentence ---- */

static void add_evidence(struct rs_details *a, const struct rs_why *why)
{
	const struct rs_catalogue_view *v = rs_catalogue_view(rs_client_catalogue(a->screen.machine->client), why->view);
	struct rs_details_panel *p = v ? add_panel(a, v) : NULL;
	struct rs_error ignored = { 0 };
	struct rs_sort sort;
	long long pid;

	if (!p)
		return;
	rs_copy(p->where, sizeof p->where, why->where);
	rs_copy(p->by, sizeof p->by, why->by);
	if (*why->sort && rs_columns_parse_sort(&v->view, why->sort, &sort, &ignored) == 0)
		p->grid.sort = sort;
	if (!a->keys.nr && sscanf(why->where, "pid == %lld", &pid) == 1) /* whose timeline it is */
		rs_selection_add_task(&a->keys, NULL, pid, 0);
}

struct rs_screen *rs_details_new_evidence(struct rs_app *app, const char *sentence, const struct rs_why *why, size_t nr)
{
	struct rs_details *a = new_about(app);

	if (!a)
		return NULL;
	rs_copy(a->sentence, sizeof a->sentence, sentence);
	rs_latency_panel_init(&a->spread, app, &(struct rs_screen_selection){ .column = -1 });
	for (size_t i = 0; i < nr; i++)
		add_evidence(a, &why[i]);
	return &a->screen;
}
