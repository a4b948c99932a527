// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-time.c - the time that the screens show: now, or a time range that the engine reads again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/moment.h"
#include "base/units.h"
#include "tui/app/app.h"
#include "tui/toolkit/chart.h"

#define S 1000000000ull
#define MIN_STEP_NS 1000000ull

struct rs_asked_time rs_app_asked_time(const struct rs_app *app)
{
	return app->time.now ? (struct rs_asked_time){ .to_ns = rs_null() } :
	       (struct rs_asked_time){ rs_u(app->time.from_ns), rs_u(app->time.to_ns) };
}

static void got_quality(void *arg, const struct rs_reply *reply)
{
	struct rs_app *app = arg;
	const struct rs_rows_reply *rows = reply->message;

	if (!app->time.now && rows && rows->to_ns.known && rows->to_ns.u == app->time.to_ns)
		rs_app_note_rows(app, rows);
	rs_app_redraw(app);
}

/*
 * The answer with a table's rows has the data quality of their time: for screens that ask no rows. Until it
 * comes, nothing is known of it.
 */
static void ask_quality(struct rs_app *app)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	size_t i = 0;

	rs_app_note_quality(app, NULL);
	while (i < c->nr_views && (c->views[i].why_off || c->views[i].view.kind != RS_VIEW_TABLE))
		i++;
	if (i < c->nr_views)
		rs_client_ask(app->machine->client, "rows", &(struct rs_rows_request){
			.view = c->views[i].view.name, .limit = 1, .time = rs_app_asked_time(app) },
			got_quality, app);
}

/* Only where something was lost somewhere it matters whether it was in the time that is shown. */
static bool app_time_has_loss(const struct rs_app *app)
{
	const struct rs_state_reply *state = app->machine->state;
	const struct rs_counts *counts = state ? &state->counts : NULL;

	return counts && (!counts->lost.known || counts->lost.u || counts->quality.discarded);
}

void rs_app_show_time(struct rs_app *app, const struct rs_shown_time *time)
{
	app->time = *time;
	app->paused = false;
	if (app->time.now)
		rs_app_pin_end(app);
	app->range_from_ns = 0;
	rs_app_note_quality(app, NULL);
	if (!time->now && app_time_has_loss(app))
		ask_quality(app);
	rs_app_refresh(app);
}

void rs_app_moment(const struct rs_app *app, uint64_t ts_ns, struct rs_buf *out)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_cell_time(&app->style, ts_ns, text));
	if (app->style.time != RS_TIME_WALL && !app->style.counts)
		rs_buf_puts(out, " s");
}

static void app_time_put_moment(const void *app, uint64_t ts_ns, struct rs_buf *out)
{
	rs_app_moment(app, ts_ns, out);
}

void rs_app_draw_axis(const struct rs_app *app, struct rs_canvas *c, struct rs_area line,
		      const struct rs_axis *axis, uint64_t origin_ns)
{
	rs_chart_axis_draw(c, line, axis, origin_ns, app_time_put_moment, app);
}

static uint64_t app_time_oldest(const struct rs_app *app)
{
	uint64_t oldest_ns = rs_app_pin_oldest_ns(app);

	return oldest_ns > app->begin_ns || !app->begin_ns ? oldest_ns : app->begin_ns;
}

/*
 * Uses the range of the answer, not the requested one: until the next answer comes, the rows are of the
 * former range.
 */
void rs_app_time_put_range(const struct rs_app *app, uint64_t from_ns, uint64_t to_ns, struct rs_buf *out)
{
	bool to_now = to_ns + app->interval_ns * 5 / 2 >= app->now_ns;
	bool last = app->live && !app->paused && to_now;
	bool all = !app->live && from_ns <= app_time_oldest(app) && to_ns >= app->now_ns;
	char length[RS_SCREEN_TEXT];

	if (to_ns <= from_ns)
		return;
	rs_buf_printf(out, "%s%s",
		      last ? "last " :
		      all  ? "all " :
			     "",
		      rs_screen_duration(to_ns - from_ns, length));
	if (last || all)
		return;
	rs_buf_puts(out, " from ");
	rs_app_moment(app, from_ns, out);
}

/* Sums over threads exceed the time range: of how many they are, where the view counts them. */
static void app_time_put_threads(const struct rs_grid *g, struct rs_buf *out)
{
	int column = rs_column_named(g->view, "threads");
	char text[RS_SCREEN_TEXT];

	if (column < 0 || !g->has_totals || !g->totals[column].known)
		return;
	rs_buf_printf(out, ", %s thread%s", rs_screen_grouped(g->totals[column].u, text),
		      g->totals[column].u == 1 ? "" : "s");
}

void rs_app_time_put_grid_range(const struct rs_app *app, const struct rs_grid *g, struct rs_buf *out)
{
	if (!g->answered || !g->from_known)
		return;
	if (g->view->kind == RS_VIEW_STREAM && app->live && app->time.now)
		rs_buf_puts(out, "latest");
	else
		rs_app_time_put_range(app, g->from_ns, g->to_ns, out);
	if (g->view->base)
		app_time_put_threads(g, out);
}

void rs_app_time_bounds(const struct rs_app *app, const struct rs_shown_time *time, uint64_t *from_ns,
			uint64_t *to_ns)
{
	*from_ns = time->now ? app_time_oldest(app) : time->from_ns;
	*to_ns = time->now ? app->now_ns : time->to_ns;
}

/* ---- moving ---- */

/* Of the data that there is, what is shown now: live the last interval, of a file all of it. */
static void app_time_seen(const struct rs_app *app, uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = app_time_oldest(app);
	*to_ns = app->now_ns > *from_ns ? app->now_ns : *from_ns;
	if (!app->time.now) {
		*from_ns = app->time.from_ns;
		*to_ns = app->time.to_ns;
	} else if (app->live && app->shown_to_ns > app->shown_from_ns) {
		*from_ns = app->shown_from_ns;
		*to_ns = app->shown_to_ns;
	} else if (app->live) {
		*from_ns = *to_ns - *from_ns > app->interval_ns ? *to_ns - app->interval_ns : *from_ns;
	}
}

/* Steps are as wide as what is shown: of all of a file a twentieth, rounded to 1, 2 or 5. */
static uint64_t step_of(const struct rs_app *app)
{
	uint64_t from_ns, to_ns;

	app_time_seen(app, &from_ns, &to_ns);
	if (!app->time.now || (app->live && to_ns > from_ns))
		return to_ns - from_ns;
	return rs_units_round_step(to_ns > from_ns ? (to_ns - from_ns) / 20 : S, MIN_STEP_NS);
}

/*
 * Moves the begin of a range to where there is data: of the window, or of what is pinned. Between the two it
 * has expired.
 */
static uint64_t app_time_nearest(struct rs_app *app, uint64_t from_ns, uint64_t width_ns)
{
	const struct rs_app_pin *pin = &app->pin;
	uint64_t last_ns = pin->to_ns > pin->from_ns + width_ns ? pin->to_ns - width_ns : pin->from_ns;

	if (!pin->known || pin->from_ns >= app->oldest_ns || from_ns >= app->oldest_ns)
		return from_ns < app->oldest_ns ? app->oldest_ns : from_ns;
	if (from_ns < pin->from_ns)
		return pin->from_ns;
	if (from_ns <= last_ns)
		return from_ns;
	rs_app_say(app, RS_STYLE_WARN, "what is between the pinned time and the window has expired");
	return from_ns - last_ns < app->oldest_ns - from_ns ? last_ns : app->oldest_ns;
}

static void app_time_say_not_pinned(struct rs_app *app, uint64_t from_ns, uint64_t to_ns)
{
	if (app->pin.known && !*app->said && !rs_app_pin_has(app, from_ns, to_ns))
		rs_app_say(app, RS_STYLE_WARN, "not pinned: this time expires as the window moves on");
}

static void app_time_show_range(struct rs_app *app, uint64_t from_ns, uint64_t width_ns)
{
	uint64_t last = app->now_ns > width_ns ? app->now_ns - width_ns : 0;

	if (from_ns > last)
		from_ns = last;
	from_ns = app_time_nearest(app, from_ns, width_ns);
	if (from_ns < app->begin_ns)
		from_ns = app->begin_ns;
	app_time_say_not_pinned(app, from_ns, from_ns + width_ns);
	rs_app_show_time(app, &(struct rs_shown_time){ .from_ns = from_ns, .to_ns = from_ns + width_ns });
}

void rs_app_time_step(struct rs_app *app, int by)
{
	uint64_t width = step_of(app), from;

	if (!app->now_ns) {
		rs_app_say(app, RS_STYLE_WARN, "nothing has come yet");
		return;
	}
	if (app->time.now && by > 0) {
		rs_app_say(app, RS_STYLE_WARN, app->live ? "this is now" : "this is all of the file");
		return;
	}
	if (app->time.now)
		from = app->live && app->shown_to_ns ? app->shown_from_ns : app->now_ns;
	else
		from = app->time.from_ns;
	if (by < 0) {
		app_time_show_range(app, from > width ? from - width : 0, width);
	} else if (app->live && from + width >= app->now_ns) {
		rs_app_time_live(app);
	} else {
		app_time_show_range(app, from + width, width);
	}
}

/* With the same end: live, the last two intervals, then four; all screens show that. */
void rs_app_time_width(struct rs_app *app, bool longer)
{
	uint64_t oldest = app_time_oldest(app), all = app->now_ns > oldest ? app->now_ns - oldest : 0;
	uint64_t from, to, width;

	app_time_seen(app, &from, &to);
	width = to - from;
	if (!width || (!longer && width < 2 * MIN_STEP_NS))
		return;
	if (longer && width >= all) {
		rs_app_say(app, RS_STYLE_WARN, "this is all that there is");
		return;
	}
	width = !longer ? width / 2 : width < all / 2 ? width * 2 : all;
	app_time_show_range(app, to > width ? to - width : 0, width);
}

void rs_app_time_live(struct rs_app *app)
{
	rs_app_show_time(app, &(struct rs_shown_time){ .now = true });
}

void rs_app_time_all(struct rs_app *app)
{
	struct rs_shown_time all = { 0 };

	rs_app_time_bounds(app, &app->time, &all.from_ns, &all.to_ns);
	if (app->time.now && all.to_ns > all.from_ns)
		rs_app_show_time(app, &all);
}

/*
 * Pauses on the rows that are shown: sends no request for rows, so that no number changes. Later requests ask
 * for the time range that was shown.
 */
void rs_app_time_pause(struct rs_app *app)
{
	uint64_t to = app->shown_to_ns ? app->shown_to_ns : app->now_ns;
	uint64_t from = app->shown_to_ns ? app->shown_from_ns : to > app->interval_ns ? to - app->interval_ns
		: 0;

	if (!app->time.now) {
		rs_app_time_live(app);
	} else if (!app->live && !app->loading) {
		rs_app_say(app, RS_STYLE_WARN, "a file cannot be paused ([ and ] step through it)");
	} else {
		app->time = (struct rs_shown_time){ .from_ns = from, .to_ns = to };
		app->paused = true;
		app->dirty = true;
		rs_app_pin_begin(app);
		ask_quality(app);
	}
}

/* ---- parse a moment ---- */

bool rs_app_time_parse(const struct rs_app *app, const char *text, uint64_t *ts_ns)
{
	const struct rs_moment_clock clock = {
		.begin_ns = app->begin_ns, .end_ns = app->now_ns, .has_wall = app->has_wall,
		.wall_offset_ns = app->realtime_offset_ns,
	};
	struct rs_moment m;

	while (*text == ' ')
		text++;
	return rs_moment_parse(text, "ns", &m) && rs_moment_resolve(&m, &clock, ts_ns) == RS_MOMENT_OK;
}

static void got_jump(void *arg, const char *text)
{
	struct rs_app *app = arg;
	uint64_t at, width = step_of(app);

	if (!text || !*text)
		return;
	if (!rs_app_time_parse(app, text, &at)) {
		rs_app_prompt_refuse(app, strlen(text),
				     "'%.60s' is no time (12.5, -10s, 14:03:07, @123456789)", text);
		return;
	}
	if (at < app_time_oldest(app) || at > app->now_ns) {
		struct rs_buf from = RS_BUF_INIT, to = RS_BUF_INIT;

		rs_app_moment(app, app_time_oldest(app), &from);
		rs_app_moment(app, app->now_ns, &to);
		rs_app_say(app, RS_STYLE_WARN, "there is %s to %s", from.data, to.data);
		rs_buf_done(&from);
		rs_buf_done(&to);
	}
	app_time_show_range(app, at, width);
}

void rs_app_time_jump(struct rs_app *app)
{
	rs_app_prompt(app, "go to time:", "", got_jump, NULL, app);
}

void rs_app_time_next_clock(struct rs_app *app)
{
	static const char *const names[] = { "rel", "boot", "wall" };
	static const char *const says[] = {
		"times since the begin", "times of the trace clock", "times by the wall clock",
	};
	enum rs_time_mode *mode = &app->style.time;

	*mode = *mode == RS_TIME_WALL ? RS_TIME_REL : *mode + 1;
	if (*mode == RS_TIME_WALL && !app->has_wall)
		*mode = RS_TIME_REL;
	rs_app_say(app, RS_STYLE_TEXT, "%s", says[*mode]);
	rs_settings_set_text(&app->settings, "time", names[*mode]);
	rs_app_save_settings(app);
}
