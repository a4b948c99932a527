// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details.c - all about a row: a panel for each view that has the columns that identify the row, filtered by
 * them; or the evidence of a finding: the views that the analysis names, the cause first
 *
 * This shows the threads, calls, waits, requests and locks of a process, or the interrupts of a CPU: no view
 * is named here. Panels without rows share one line at the end. Panels ask a few at a time, because the
 * engine may have other clients.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/overview/details.h"

#define MAX_PANELS 64
#define MAX_EVIDENCE 6
#define AT_ONCE 6         /* requests without an answer */
#define DETAILS_ROWS 20           /* rows of a request; fewer are visible */

/* ---- asking ---- */

/* Live, the tables show the last whole interval; the distribution above them must too. */
static bool details_is_live_now(const struct rs_details *d)
{
	return d->screen.app->live && d->screen.app->time.now;
}

static struct rs_asked_time details_time(const struct rs_details *d)
{
	if (d->ended_state == RS_DETAILS_ENDED && d->screen.app->time.now)
		return (struct rs_asked_time){ rs_u(d->from_ns), rs_u(d->to_ns) };
	return rs_app_asked_time(d->screen.app);
}

static bool details_ask(struct rs_details_panel *p)
{
	struct rs_buf sort = RS_BUF_INIT, where = RS_BUF_INIT;
	struct rs_table_by by;

	rs_table_screen_split_by(p->by, &by);
	if (!*p->details->sentence) /* the evidence of a finding is what it is */
		rs_app_filter_where(p->details->screen.app, &p->of->view, &p->details->keys, p->where,
				    &where);
	else
		rs_buf_puts(&where, p->where);
	rs_grid_sort_text(&p->grid, &sort);
	rs_question_ask(&p->question, "rows", &(struct rs_rows_request){
		.view = p->of->view.name, .where = where.len ? where.data : NULL,
		.sort = sort.len ? sort.data : NULL,
		.by = by.nr ? by.list : NULL, .nr_by = by.nr,
		.limit = p->of->view.kind == RS_VIEW_HIST ? 500 : DETAILS_ROWS,
		.time = details_time(p->details),
	});
	rs_buf_done(&sort);
	rs_buf_done(&where);
	return p->question.asked;
}

bool rs_details_is_empty(const struct rs_details_panel *p)
{
	return *p->refused || !p->grid.nr;
}

bool rs_details_is_answered(const struct rs_details_panel *p)
{
	return *p->refused || p->grid.answered;
}

static bool all_answered(const struct rs_details *d)
{
	for (unsigned int i = 0; i < d->nr; i++)
		if (!rs_details_is_answered(&d->panels[i]))
			return false;
	return true;
}

static void ask_on(struct rs_details *d)
{
	unsigned int nr_asked = 0;

	for (unsigned int i = 0; i < d->nr; i++)
		nr_asked += d->panels[i].question.asked;
	while (d->next < d->nr && nr_asked < AT_ONCE) {
		struct rs_details_panel *p = &d->panels[d->next++];

		if (!p->question.asked && !details_ask(p))
			return;
		nr_asked++;
	}
}

/*
 * ---- a task that has ended: shows its panels for the last time range that the window has, from the first to
 * the last span of its track ----
 */

#define MOST_NS 10000000000ull /* at most this long before its end: each panel reads all these pages */

static void ended_ask(struct rs_details *d, const char *op, const void *request, rs_client_reply *got)
{
	if (!rs_client_ask(d->screen.machine->client, op, request, got, d))
		d->ended_state = RS_DETAILS_UNKNOWN;
}

/* Starts from no span: asks for the first span, or with back for the last. */
static void ended_step(struct rs_details *d, bool back, rs_client_reply *got)
{
	ended_ask(d, "step", &(struct rs_step_request){ .track = d->track, .back = back }, got);
}

static const struct rs_wire_span *span_of(const struct rs_reply *reply)
{
	const struct rs_span_reply *step = reply->message;

	return step ? step->span : NULL;
}

static void got_first(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;

	d->ended_state = RS_DETAILS_UNKNOWN;
	rs_app_redraw(d->screen.app);
	if (!span_of(reply) || !span_of(reply)->start_ns || span_of(reply)->start_ns >= d->to_ns)
		return;
	d->from_ns = span_of(reply)->start_ns;
	if (d->to_ns - d->from_ns > MOST_NS)
		d->from_ns = d->to_ns - MOST_NS;
	d->ended_state = RS_DETAILS_ENDED;
	d->next = 0; /* all panels, starting with the first */
	ask_on(d);
}

static void got_last(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;

	if (span_of(reply) && span_of(reply)->end_ns) {
		d->to_ns = span_of(reply)->end_ns + 1; /* include events at its end */
		ended_step(d, false, got_first);
	} else {
		d->ended_state = RS_DETAILS_UNKNOWN;
	}
	rs_app_redraw(d->screen.app);
}

/* Uses the track of the selected thread, or else of the process's first thread. */
static void details_ended_on_tracks(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;
	int64_t tid = rs_selection_number(&d->keys, "tid"), pid = rs_selection_number(&d->keys, "pid");
	const struct rs_tracks_reply *tracks = reply->message;

	*d->track = '\0';
	for (size_t i = 0; tracks && i < tracks->nr_tracks; i++)
		if (!*d->track || tracks->tracks[i].tid == (tid > 0 ? tid : pid))
			rs_copy(d->track, sizeof d->track, tracks->tracks[i].track);
	if (*d->track)
		ended_step(d, true, got_last);
	else
		d->ended_state = RS_DETAILS_UNKNOWN;
	rs_app_redraw(d->screen.app);
}

static void ended_find(struct rs_details *d)
{
	int64_t tid = rs_selection_number(&d->keys, "tid"), pid = rs_selection_number(&d->keys, "pid");

	for (unsigned int i = 0; i < d->nr; i++)
		if (!rs_details_is_empty(&d->panels[i]))
			return;
	if (*d->sentence || !d->screen.app->live || !d->screen.app->time.now || (pid <= 0 && tid <= 0))
		return;
	d->ended_state = RS_DETAILS_TRIES;
	ended_ask(d, "tracks", &(struct rs_tracks_request){
		.of = rs_u(RS_TRACK_TASK), .pid = pid > 0 ? (int32_t)pid : 0,
		.tid = pid > 0 ? 0 : (int32_t)tid,
	}, details_ended_on_tracks);
}

/* ---- answers ---- */

/* Returns true if more answers may come, so that the selection must follow them. */
static bool details_select_last(struct rs_details *d)
{
	for (unsigned int i = d->at + 1; i < d->nr; i++)
		if (!rs_details_is_empty(&d->panels[i]))
			d->at = i;
	return !d->answered;
}

static void got_panel(void *arg, const struct rs_reply *reply)
{
	struct rs_details_panel *p = arg;
	struct rs_details *d = p->details;

	*p->refused = '\0';
	if (!reply->message)
		snprintf(p->refused, sizeof p->refused, "%s", reply->error);
	else if (!rs_grid_read(&p->grid, reply->message))
		snprintf(p->refused, sizeof p->refused, "%s: malformed answer", p->of->view.name);
	else if (d->ended_state != RS_DETAILS_ENDED)
		rs_app_note_rows(d->screen.app, reply->message);
	if (details_is_live_now(d) && d->ended_state != RS_DETAILS_ENDED && p == d->panels &&
	    p->grid.from_known)
		rs_latency_panel_ask(&d->latency, p->grid.from_ns, p->grid.to_ns);
	if (d->to_last)
		details_select_last(d);
	ask_on(d);
	if (!d->answered && all_answered(d)) {
		d->answered = true;
		ended_find(d);
	}
}

/* An ended time range never changes. */
static void ask_all(struct rs_screen *s)
{
	struct rs_details *d = (struct rs_details *)s;

	if (d->ended_state == RS_DETAILS_ENDED && s->app->time.now)
		return;
	if (!details_is_live_now(d))
		rs_latency_panel_ask(&d->latency, 0, 0);
	if (d->next >= d->nr || !d->nr)
		d->next = 0;
	ask_on(d);
}

void rs_details_move(struct rs_details *d, int by)
{
	d->to_last = false;
	for (unsigned int at = d->at + (unsigned int)by; at < d->nr; at += (unsigned int)by)
		if (!rs_details_is_empty(&d->panels[at])) {
			d->at = at;
			return;
		}
}

/* ---- keys ---- */

enum { OPEN = 1, UP, DOWN, FIRST, LAST };

const struct rs_key rs_details_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Open", "this view as a table, filtered as it is here", RS_KEY_SELECTION },
	{ { RS_KEY_DOWN, RS_KEY_TAB, 'j' }, DOWN, "Down", "the next view", RS_KEY_CURSOR },
	{ { RS_KEY_UP, RS_KEY_BACK_TAB, 'k' }, UP, "Up", "the view before", RS_KEY_CURSOR },
	{ { RS_KEY_HOME, 'g' }, FIRST, "First", "the first view", RS_KEY_CURSOR },
	{ { RS_KEY_END, 'G' }, LAST, "Last", "the last view", RS_KEY_CURSOR },
	{ .help = NULL },
};

static void open_panel(struct rs_details *d)
{
	struct rs_details_panel *p = d->nr ? &d->panels[d->at] : NULL;

	if (!p || rs_details_is_empty(p))
		return;
	if (!*d->sentence) {
		rs_app_push(d->screen.app, rs_table_new(d->screen.app, p->of, &d->keys, NULL));
		return;
	}
	rs_app_push(d->screen.app, rs_table_new_as(d->screen.app, p->of, p->where, p->by, &p->grid.sort));
}

static bool details_can(const struct rs_screen *s, int action)
{
	const struct rs_details *d = (const struct rs_details *)s;

	return action != OPEN || (d->nr && !rs_details_is_empty(&d->panels[d->at]));
}

static bool details_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_details *d = (struct rs_details *)s;
	unsigned int nr = action == FIRST ? d->nr : 1;

	if (action == OPEN)
		open_panel(d);
	else if (action == LAST)
		d->to_last = details_select_last(d);
	else
		while (nr--)
			rs_details_move(d, action == UP || action == FIRST ? -1 : 1);
	rs_app_redraw(s->app);
	return true;
}

static bool details_handle_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct rs_details *d = (struct rs_details *)s;

	if (key->key == RS_KEY_WHEEL_UP || key->key == RS_KEY_PAGE_UP)
		rs_details_move(d, -1);
	else if (key->key == RS_KEY_WHEEL_DOWN || key->key == RS_KEY_PAGE_DOWN)
		rs_details_move(d, 1);
	else if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE)
		return false;
	for (unsigned int i = 0; i < d->nr && key->key <= RS_KEY_MOUSE_DOUBLE && key->key >= RS_KEY_MOUSE;
	     i++)
		if (!rs_details_is_empty(&d->panels[i]) && key->y + d->top >= d->panels[i].y &&
		    key->y + d->top < d->panels[i].y + d->panels[i].height)
			d->at = i;
	if (key->key == RS_KEY_MOUSE_DOUBLE)
		open_panel(d);
	return true;
}

static void details_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_details *d = (const struct rs_details *)s;

	if (*d->sentence)
		rs_buf_puts(out, "why");
	else
		rs_selection_title(&d->keys, out);
	if (d->ended_state == RS_DETAILS_ENDED)
		rs_buf_puts(out, ", ended");
}

static bool details_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	struct rs_details *d = (struct rs_details *)s;

	*out = (struct rs_screen_selection){ .view = d->nr ? d->panels[d->at].of : NULL, .column = -1 };
	out->keys = d->keys;
	return d->keys.nr > 0;
}

static void details_free_screen(struct rs_screen *s)
{
	struct rs_details *d = (struct rs_details *)s;

	for (unsigned int i = 0; i < d->nr; i++) {
		rs_question_done(&d->panels[i].question);
		rs_grid_done(&d->panels[i].grid);
	}
	rs_latency_panel_done(&d->latency);
	free(d->panels);
	free(d);
}

static const struct rs_view *details_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	struct rs_details *d = (struct rs_details *)s;

	*given = &d->keys;
	return *d->sentence || !d->nr ? NULL : &d->panels[d->at].of->view;
}

static const struct rs_screen_ops ops = {
	.filtered = details_filtered,
	.name = "about", .keys = rs_details_keys, .ask = ask_all, .draw = rs_details_draw,
	.act = details_run_action, .can = details_can, .key = details_handle_key, .title = details_put_title,
	.selection = details_get_selection, .free = details_free_screen,
};

/*
 * Returns NULL if there are too many panels, or if the view is off, or has a key of its own since it is slow.
 */
static struct rs_details_panel *add_panel(struct rs_details *d, const struct rs_catalogue_view *v)
{
	struct rs_details_panel *p = &d->panels[d->nr];

	if (v->why_off || v->on_demand || d->nr == MAX_PANELS)
		return NULL;
	d->nr++;
	p->details = d;
	p->question = (struct rs_question){ .machine = d->screen.machine, .answered = got_panel, .of = p };
	p->of = v;
	rs_grid_init(&p->grid, &v->view);
	if (v->view.kind == RS_VIEW_STREAM)
		p->grid.sort.nr = 0;
	return p;
}

/* Adds a view that has the columns that identify the row. */
static void details_add_others(struct rs_details *d, const struct rs_catalogue_view *v)
{
	struct rs_buf where = RS_BUF_INIT, by = RS_BUF_INIT;
	struct rs_details_panel *p;

	if (rs_selection_where(&d->keys, &v->view, &where) && where.len < sizeof p->where &&
	    (p = add_panel(d, v))) {
		rs_copy(p->where, sizeof p->where, where.data);
		if (rs_selection_by(&d->keys, &v->view, &by))
			rs_copy(p->by, sizeof p->by, by.data);
	}
	rs_buf_done(&where);
	rs_buf_done(&by);
}

static struct rs_details *details_new_screen(struct rs_app *app)
{
	struct rs_details *d = rs_screen_new(app, &ops, sizeof *d);

	if (d && !(d->panels = calloc(MAX_PANELS, sizeof *d->panels))) {
		free(d);
		return NULL;
	}
	return d;
}

/* The view of the selected row comes first: it contains the row itself. */
struct rs_screen *rs_details_new(struct rs_app *app, const struct rs_screen_selection *selection)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	struct rs_details *d = details_new_screen(app);

	if (!d)
		return NULL;
	d->keys = selection->keys;
	rs_latency_panel_init(&d->latency, app, selection);
	if (selection->view)
		details_add_others(d, selection->view);
	/* lists of single events come last: the other views summarize them */
	for (int by_name = 0; by_name <= 1; by_name++)
		for (size_t i = 0; i < c->nr_views; i++)
			if (&c->views[i] != selection->view && c->views[i].view.by_name == by_name)
				details_add_others(d, &c->views[i]);
	return &d->screen;
}

struct rs_screen *rs_details_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	if (selection && selection->keys.nr)
		return rs_details_new(app, selection);
	rs_app_say(app, RS_STYLE_WARN, "nothing is selected that other views know");
	return NULL;
}

/* ---- the evidence of a finding ---- */

static void add_evidence(struct rs_details *d, const struct rs_finding_evidence *why)
{
	const struct rs_catalogue *c = rs_client_catalogue(d->screen.machine->client);
	const struct rs_catalogue_view *v = why->view ? rs_catalogue_view(c, why->view) : NULL;
	struct rs_details_panel *p = v ? add_panel(d, v) : NULL;
	struct rs_error ignored = { 0 };
	struct rs_sort sort;
	long long pid;

	if (!p)
		return;
	rs_copy(p->where, sizeof p->where, why->where);
	rs_copy(p->by, sizeof p->by, why->by);
	if (why->sort && *why->sort && rs_columns_parse_sort(&v->view, why->sort, &sort, &ignored) == 0)
		p->grid.sort = sort;
	if (!d->keys.nr && sscanf(p->where, "pid == %lld", &pid) == 1) /* the process for the timeline */
		rs_selection_add_task(&d->keys, NULL, pid, 0);
}

struct rs_screen *rs_details_new_evidence(struct rs_app *app, const struct rs_wire_finding *finding)
{
	struct rs_details *d = details_new_screen(app);

	if (!d)
		return NULL;
	snprintf(d->sentence, sizeof d->sentence, "%s%s%s", finding->text, finding->code ? "; " : "",
		 finding->code ? finding->code : "");
	rs_latency_panel_init(&d->latency, app, &(struct rs_screen_selection){ .column = -1 });
	for (size_t i = 0; i < finding->nr_evidence && i < MAX_EVIDENCE; i++)
		add_evidence(d, &finding->evidence[i]);
	if (!finding->nr_evidence)
		add_evidence(d, &(struct rs_finding_evidence){ .view = finding->view,
			.where = finding->where });
	return &d->screen;
}
