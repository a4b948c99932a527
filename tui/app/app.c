// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app.c - decides when screens ask the engine, and when a frame is drawn
 *
 * The app asks for the state often while news may come, because the answer is small. The top screen asks
 * only if the state has news; hidden screens never ask. Answers cause at most ten frames a second, a key
 * causes one at once.
 */
#include "tui/app/app.h"
#include "tui/app/setting-rows.h"
#include "base/nearest.h"
#include "base/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APP_MS 1000000ull
#define DRAW_NS (100 * APP_MS)
#define DRAW_KEY_NS (20 * APP_MS)     /* while a key is held down */
#define STATE_NS (250 * APP_MS)
#define STATE_SLOW_NS (4 * STATE_NS)
#define STATE_LOADING_NS (50 * APP_MS)
#define STATE_FIRST_NS (100 * APP_MS) /* until the first data */
#define APP_MAX_OPEN 24               /* of 32: leaves some for requests of the user */

/* ---- services ---- */

void rs_app_redraw(struct rs_app *app)
{
	app->dirty = true;
}

void rs_app_refresh(struct rs_app *app)
{
	app->ask_due = true;
	app->dirty = true;
}

void rs_app_say(struct rs_app *app, enum rs_style_id style_id, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(app->said, sizeof app->said, format, ap);
	va_end(ap);
	app->said_style = style_id;
	app->dirty = true;
}

void rs_app_prompt(struct rs_app *app, const char *question, const char *preset,
		   void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text),
		   void *arg)
{
	rs_prompt_open(&app->prompt, question, preset, done, typed, arg);
	app->prompt_of = rs_app_top(app);
	app->dirty = true;
}

void rs_app_prompt_refuse(struct rs_app *app, size_t at, const char *format, ...)
{
	char why[sizeof app->prompt.why];
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, sizeof why, format, ap);
	va_end(ap);
	rs_prompt_refuse(&app->prompt, at, why);
	app->dirty = true;
}

void rs_app_copy(struct rs_app *app, const char *text)
{
	rs_buf_clear(&app->copied);
	rs_buf_puts(&app->copied, text);
	rs_app_say(app, RS_STYLE_TEXT,
		   "copied to the clipboard of the terminal (OSC 52), %zu bytes of Markdown",
		   app->copied.len);
}

void rs_app_open_file(struct rs_app *app, const char *path)
{
	size_t len = strlen(path);

	if (app->is_remote)
		rs_app_say(app, RS_STYLE_TEXT, "the recording is on that machine: %s", path);
	else if (!app->can_open_files || len < 4 || strcmp(path + len - 4, ".dat"))
		rs_app_say(app, RS_STYLE_TEXT, "it was kept as %s", path);
	else
		rs_buf_puts(&app->opens, path);
}

bool rs_app_refused(struct rs_app *app, const struct rs_reply *reply)
{
	if (!reply->message)
		rs_app_say(app, RS_STYLE_BAD, "%s", reply->error);
	return !reply->message;
}

void rs_app_save_settings(struct rs_app *app)
{
	struct rs_error err = { 0 };

	if (rs_settings_write(&app->settings, &err) < 0)
		rs_app_say(app, RS_STYLE_WARN, "%s", err.text);
}

void rs_app_note_quality(struct rs_app *app, const struct rs_counts *quality)
{
	size_t nr = quality ? quality->nr_lost_by_cpu : 0;

	free(app->range_lost);
	app->range_lost = malloc((nr + 1) * sizeof *app->range_lost);
	app->has_range_quality = quality && app->range_lost;
	if (!app->has_range_quality)
		return;
	app->range_quality = *quality;
	app->range_quality.lost_by_cpu = nr ? memcpy(app->range_lost, quality->lost_by_cpu,
						     nr * sizeof *app->range_lost) :
					      NULL;
}

void rs_app_note_rows(struct rs_app *app, const struct rs_rows_reply *rows)
{
	if (!rows->from_ns.known || !rows->to_ns.known)
		return;
	if (app->time.now) {
		app->shown_from_ns = rows->from_ns.u;
		app->shown_to_ns = rows->to_ns.u;
		return;
	}
	/* an answer about the time that was shown before */
	if (rows->from_ns.u >= app->time.to_ns || rows->to_ns.u <= app->time.from_ns)
		return;
	app->range_from_ns = rows->from_ns.u;
	rs_app_note_quality(app, rows->quality);
}

/* ---- the state ---- */

static bool has_news(const struct rs_app *app)
{
	if (!app->time.now)
		return false;
	return app->interval != app->asked_interval || (!app->live && app->events != app->asked_events);
}

/* Sums up all machines: from the oldest event to the newest; the trace goes on while one machine does. */
static void add_state(struct rs_app *app, const struct rs_state_reply *state)
{
	uint64_t oldest_ns = state->oldest_ns.known ? state->oldest_ns.u :
			     state->counts.from_ns.known ? state->counts.from_ns.u : app->begin_ns;

	app->oldest_ns = oldest_ns < app->oldest_ns ? oldest_ns : app->oldest_ns;
	app->now_ns = state->now_ns.u > app->now_ns ? state->now_ns.u : app->now_ns;
	app->events += state->counts.quality.events;
	app->interval = state->interval;
	app->lost_to_ns = state->lost_to_ns.known ? state->lost_to_ns.u : UINT64_MAX;
	app->loading |= state->loading != NULL;
	app->ended &= state->ended;
}

static void add_states(struct rs_app *app)
{
	bool was_loading = app->loading, had_ended = app->ended;

	app->oldest_ns = UINT64_MAX;
	app->events = 0;
	app->loading = false;
	app->ended = true;
	for (unsigned int i = 0; i < app->nr_machines; i++)
		if (app->machines[i].state)
			add_state(app, app->machines[i].state);
		else
			app->loading = true;
	/* the wait for the file is over: what was asked meanwhile may lack its end */
	if (was_loading && !app->loading)
		app->ask_due = true;
	if (app->ended && !had_ended && app->opt->all_at_end)
		rs_app_time_all(app);
	app->dirty = true;
}

static void got_state(void *arg, const struct rs_reply *reply)
{
	struct rs_tui_machine *machine = arg;

	machine->state_asked = false;
	if (rs_app_refused(machine->app, reply))
		return;
	rs_message_drop(machine->state);
	machine->state = rs_client_keep(machine->client, reply);
	if (machine == machine->app->machine && machine->state)
		rs_app_pin_note_state(machine->app, machine->state);
	add_states(machine->app);
}

static uint64_t refresh_ns(const struct rs_app *app)
{
	return app->refresh_ms * APP_MS;
}

static uint64_t state_ns(const struct rs_app *app)
{
	if (!app->machine->state || (app->live && !app->interval))
		return STATE_FIRST_NS;
	if (app->loading)
		return STATE_LOADING_NS;
	return app->live ? STATE_NS : STATE_SLOW_NS;
}

static bool is_state_asked(const struct rs_app *app)
{
	bool asked = false;

	for (unsigned int i = 0; i < app->nr_machines; i++)
		asked |= app->machines[i].state_asked;
	return asked;
}

static void ask_state(struct rs_app *app, uint64_t now_ns)
{
	for (struct rs_tui_machine *m = app->machines; m < app->machines + app->nr_machines; m++)
		m->state_asked = rs_client_ask(m->client, "state", NULL, got_state, m) != 0;
	app->next_state = now_ns + state_ns(app);
}

/*
 * Returns a time slightly shorter than the refresh; otherwise an interval that ends a moment early would be
 * shown one refresh late. A file that is loading changes all the time. A request from before the first data
 * is repeated at once.
 */
static uint64_t ask_again_ns(const struct rs_app *app)
{
	if (!app->machine->state)
		return STATE_FIRST_NS;
	return app->loading ? refresh_ns(app) / 4 : refresh_ns(app) - refresh_ns(app) / 8;
}

/* Live, news come once in an interval: the state is not asked for before the next may be there. */
static void delay_state(struct rs_app *app, uint64_t now_ns)
{
	uint64_t most_ns = now_ns + STATE_SLOW_NS,
		 next_ns = app->next_ask < most_ns ? app->next_ask : most_ns;

	if (app->live && !app->loading && app->next_state < next_ns)
		app->next_state = next_ns;
}

static void ask_top(struct rs_app *app, uint64_t now_ns)
{
	struct rs_screen *top = rs_app_top(app);
	bool is_news = app->interval && has_news(app); /* else a key, and many of them delay nothing */

	app->ask_due = false;
	app->asked_interval = app->interval;
	app->asked_events = app->events;
	app->next_ask = now_ns + ask_again_ns(app);
	if (is_news)
		delay_state(app, now_ns);
	if (top && top->ops->ask)
		top->ops->ask(top);
	rs_app_pane_ask(app);
}

uint64_t rs_app_tick(struct rs_app *app, uint64_t now_ns)
{
	uint64_t next, pane_ns;

	rs_app_stack_free_closed(app);
	if (app->lost)
		return 100 * APP_MS;
	if (!is_state_asked(app) && now_ns >= app->next_state)
		ask_state(app, now_ns);
	if (has_news(app) && now_ns >= app->next_ask)
		app->ask_due = true;
	if (app->ask_due && rs_machine_set_nr_open(app) < APP_MAX_OPEN)
		ask_top(app, now_ns);
	pane_ns = rs_app_pane_tick(app, now_ns);
	next = is_state_asked(app) ? now_ns + 1000 * APP_MS : app->next_state;
	if (has_news(app) && app->next_ask < next)
		next = app->next_ask;
	next = next > now_ns ? next - now_ns : APP_MS;
	return pane_ns < next ? pane_ns : next;
}

uint64_t rs_app_draw_due(const struct rs_app *app, uint64_t now_ns)
{
	uint64_t due = app->last_draw + (app->by_key ? DRAW_KEY_NS : DRAW_NS);

	if (!app->dirty)
		return UINT64_MAX;
	return due > now_ns ? due - now_ns : 0;
}

/* ---- begin and end ---- */

static void read_hello(struct rs_app *app)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);

	app->live = !hello->source || strcmp(hello->source, "file");
	app->interval_ns = hello->interval_ns.known ? hello->interval_ns.u : 1000 * APP_MS;
	app->begin_ns = hello->begin_ns;
	app->has_wall = hello->realtime_offset_ns.known;
	app->realtime_offset_ns = hello->realtime_offset_ns.i;
	app->style.begin_ns = app->begin_ns;
	app->style.realtime_offset_ns = app->realtime_offset_ns;
	app->style.counts = hello->unit && strcmp(hello->unit, "ns") ? hello->unit : NULL;
	if (app->style.counts)
		rs_units_count_cycles();
}

static void read_settings(struct rs_app *app)
{
	struct rs_error err = { 0 };
	const char *time;

	if (app->opt->no_settings)
		rs_settings_none(&app->settings);
	else if (!rs_settings_read(&app->settings, NULL, &err))
		rs_app_say(app, RS_STYLE_WARN, "%s", err.text);
	rs_setting_rows_read(app);
	time = rs_settings_text(&app->settings, "time");
	if (time && !strcmp(time, "wall") && app->has_wall)
		app->style.time = RS_TIME_WALL;
	else if (time && !strcmp(time, "boot"))
		app->style.time = RS_TIME_BOOT;
}

static const struct rs_catalogue_view *first_view(const struct rs_catalogue *c)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (!c->views[i].why_off && c->views[i].view.kind == RS_VIEW_TABLE)
			return &c->views[i];
	return c->nr_views ? &c->views[0] : NULL;
}

/* Returns the screen or view whose name is closest to a misspelled name; NULL: no name is close. */
static const char *nearest_screen(const struct rs_catalogue *c, const char *name)
{
	const char **names = calloc(rs_screens_nr() + c->nr_views + 1, sizeof *names), *near;
	size_t nr = 0;

	if (!names)
		return NULL;
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		names[nr++] = row->name;
	for (size_t i = 0; i < c->nr_views; i++)
		names[nr++] = c->views[i].view.name;
	near = rs_nearest(name, names);
	free(names);
	return near;
}

static int fail_no_screen(const struct rs_catalogue *c, const char *name, struct rs_error *err)
{
	const char *near = nearest_screen(c, name);

	return rs_fail_usage(err, "no screen and no view has the name '%.40s' (%s%s%s)", name,
			     near ? "did you mean '" :
				    "see --screen in 'ringside help tui', and 'ringside list views'",
			     near ? near : "", near ? "'?" : "");
}

/*
 * Opens the screen or view that the options name. Default: the first row of rs_screens; if it cannot open, a
 * table.
 */
int rs_app_push_first(struct rs_app *app, struct rs_error *err)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	const char *name = app->opt->screen;
	const struct rs_screen_row *row = name ? rs_screen_row(name) : &rs_screens[0];
	const struct rs_catalogue_view *view = name ? rs_catalogue_view(c, name) : NULL;
	struct rs_screen *s = NULL;
	struct rs_error why = { 0 };
	size_t at;

	if (name && !row && !view)
		return fail_no_screen(c, name, err);
	if (view && !row)
		s = rs_table_new(app, view, NULL, NULL);
	else if (row && row->name)
		s = row->open(app, NULL);
	if (!s && name)
		return rs_fail(err, "%s", *app->said ? app->said : "the screen cannot be shown");
	if (!s && first_view(c))
		s = rs_table_new(app, first_view(c), NULL, NULL);
	if (!s)
		return rs_fail(err, "%s", *app->said ? app->said : "the engine has no view to show");
	rs_app_push(app, s);
	if (app->opt->where && rs_app_filter_add(app, app->opt->where, &at, &why) < 0)
		return rs_fail_usage(err, "--where: at %zu: %s", at + 1, why.text);
	return 0;
}

void rs_app_reset_state(struct rs_app *app)
{
	read_hello(app);
	rs_app_note_quality(app, NULL);
	rs_message_drop(app->machine->state);
	app->machine->state = NULL;
	rs_fired_forget(app->machine);
	app->machine->state_asked = app->paused = app->loading = app->ended = false;
	app->now_ns = app->oldest_ns = app->events = app->interval = app->asked_interval = app->asked_events =
		0;
	app->shown_from_ns = app->shown_to_ns = 0;
	app->pin = (struct rs_app_pin){ 0 }; /* the former server's */
	app->compared = (struct rs_shown_time){ 0 };
	app->next_state = app->next_ask = 0;
	rs_app_time_live(app);
}

struct rs_app *rs_app_new(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
			  struct rs_error *err)
{
	struct rs_app *app = calloc(1, sizeof *app);

	if (!app || !rs_machine_set_init(app, engine)) {
		free(app);
		rs_fail(err, "out of memory");
		return NULL;
	}
	app->opt = opt;
	app->is_remote = engine->is_remote;
	app->can_open_files = engine->open_file;
	app->time.now = true;
	read_hello(app);
	read_settings(app);
	if (rs_app_push_first(app, err) < 0) {
		rs_app_free(app);
		return NULL;
	}
	return app;
}

void rs_app_free(struct rs_app *app)
{
	if (!app)
		return;
	rs_app_stack_free(app);
	rs_machine_set_forget(app, app);
	for (unsigned int i = 0; i < app->nr_all; i++)
		rs_client_forget(app->all[i].client, &app->all[i]);
	rs_save_dialog_end(app);
	rs_filter_words_done(app);
	rs_settings_done(&app->settings);
	rs_buf_done(&app->copied);
	rs_buf_done(&app->opens);
	free(app->range_lost);
	rs_machine_set_done(app);
	free(app);
}
