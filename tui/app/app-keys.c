// SPDX-License-Identifier: GPL-2.0-or-later
/* app-keys.c - the keys that work on every screen */
#include "tui/app/app.h"

const struct rs_key rs_app_keys[] = {
	{ { '?', RS_KEY_F1 }, RS_APP_HELP, "Help", "keys and columns of this screen" },
	{ { 'q' }, RS_APP_CLOSE, "Back", "close this screen; the first one: quit" },
	{ { 'M' }, RS_APP_MACHINE, "Machine",
	  "the next machine, where recordings of a host and its guests are shown" },
	{ { RS_KEY_F1 + 1, 'V' }, RS_APP_PICK, "Views", "the list of views and screens" },
	{ { RS_KEY_BACKSPACE, RS_CTRL('h'), RS_KEY_ESCAPE }, RS_APP_BACK, "Back",
	  "to the previous screen", RS_KEY_RARE },
	{ { ' ' }, RS_APP_PAUSE, "Pause", "freeze the display while capture continues; again: live" },
	{ { '[' }, RS_APP_EARLIER, "Earlier", "the previous time range" },
	{ { ']' }, RS_APP_LATER, "Later", "the next time range; after the last one: live", RS_KEY_RARE },
	{ { '{' }, RS_APP_SHORTER, "Shorter", "half the range", RS_KEY_RARE },
	{ { '}' }, RS_APP_LONGER, "Longer", "twice the range", RS_KEY_RARE },
	{ { 'b' }, RS_APP_JUMP, "Go to time",
	  "go to a time: 12.5 since the start, -10s before now, 14:03:07, @ of the trace clock",
	  RS_KEY_RARE },
	{ { 'l' }, RS_APP_LIVE, "Live", "live again; of a file: all of it", RS_KEY_RARE },
	{ { 'e' }, RS_APP_SAVE, "Save", "the time shown, or all there is, to a file" },
	{ { 'P' }, RS_APP_DUMP, "Print", "this screen as text to a file", RS_KEY_RARE },
	{ { 'z' }, RS_APP_CLOCK, "Clock", "times since the begin, of the trace clock, by the wall clock",
	  RS_KEY_RARE },
	{ { RS_CTRL('t') }, RS_APP_THEME, "Colors", "colours for a dark terminal, for a light one, none",
	  RS_KEY_RARE },
	{ { '-', '_' }, RS_APP_SLOWER, "Slower", "refresh less often", RS_KEY_RARE },
	{ { '+', '=' }, RS_APP_FASTER, "Faster", "refresh more often", RS_KEY_RARE },
	/* the terminal handles it and reports a resize; this row is only for the help */
	{ { RS_CTRL('l') }, 0, "Redraw", "redraw the screen, over output of another program", RS_KEY_CURSOR },
	{ { 'Q', RS_KEY_F1 + 9 }, RS_APP_QUIT, "Quit", "leave, from any screen", RS_KEY_RARE },
	{ .help = NULL },
};

static void open_screen(struct rs_app *app, const struct rs_screen_row *row)
{
	struct rs_screen *top = rs_app_top(app);
	struct rs_screen_selection selection = { .column = -1 };
	bool any = top->ops->selection && top->ops->selection(top, &selection);

	rs_app_open_row(app, row, any ? &selection : NULL);
}

static void change_refresh(struct rs_app *app, bool faster)
{
	uint64_t ms = faster ? app->refresh_ms / 2 : app->refresh_ms * 2;

	if (ms < 250 || ms > 16000)
		return;
	app->refresh_ms = ms;
	rs_settings_set_refresh_ms(&app->settings, ms);
	rs_app_save_settings(app);
	rs_app_say(app, RS_STYLE_TEXT, "refreshed every %llu.%02llu s at most", (unsigned long long)ms / 1000,
		   (unsigned long long)ms % 1000 / 10);
}

static void change_theme(struct rs_app *app)
{
	app->theme = (app->theme + 1) % RS_NR_THEMES;
	rs_settings_set_text(&app->settings, "theme", rs_theme_name(app->theme));
	rs_app_save_settings(app);
	rs_app_say(app, RS_STYLE_TEXT, "colours: %s", rs_theme_name(app->theme));
}

static void obey(struct rs_app *app, int action)
{
	switch (action) {
	case RS_APP_QUIT:
		app->quit = true;
		break;
	case RS_APP_CLOSE:
		if (app->nr_stack == 1)
			app->quit = true;
		rs_app_pop(app);
		break;
	case RS_APP_BACK:
		rs_app_pop(app);
		break;
	case RS_APP_HELP:
		rs_app_push(app, rs_help_screen_new(app, rs_app_top(app)));
		break;
	case RS_APP_PICK:
		rs_app_push(app, rs_picker_new(app));
		break;
	case RS_APP_PAUSE:
		rs_app_time_pause(app);
		break;
	case RS_APP_EARLIER: case RS_APP_LATER:
		rs_app_time_step(app, action == RS_APP_EARLIER ? -1 : 1);
		break;
	case RS_APP_SHORTER: case RS_APP_LONGER:
		rs_app_time_width(app, action == RS_APP_LONGER);
		break;
	case RS_APP_JUMP:
		rs_app_time_jump(app);
		break;
	case RS_APP_LIVE:
		rs_app_time_live(app);
		break;
	case RS_APP_SAVE:
		rs_save_dialog_begin(app);
		break;
	case RS_APP_DUMP:
		rs_save_dialog_dump(app);
		break;
	case RS_APP_CLOCK:
		rs_app_time_next_clock(app);
		break;
	case RS_APP_FASTER: case RS_APP_SLOWER:
		change_refresh(app, action == RS_APP_FASTER);
		break;
	case RS_APP_THEME:
		change_theme(app);
		break;
	case RS_APP_MACHINE:
		rs_app_stack_next_machine(app);
		break;
	}
}

bool rs_app_can(const struct rs_app *app, int action)
{
	bool is_file = !app->live;

	switch (action) {
	case RS_APP_MACHINE:
		return app->nr_machines > 1;
	case RS_APP_BACK:
		return app->nr_stack > 1;
	case RS_APP_LIVE:
		return !app->time.now || app->paused;
	case RS_APP_LATER:
		return !app->time.now;
	case RS_APP_PAUSE:
		return !is_file && !app->ended;
	}
	return true;
}

bool rs_app_can_open(const struct rs_app *app, const struct rs_screen_row *row)
{
	struct rs_screen *top = rs_app_top(app);
	struct rs_screen_selection selection = { .column = -1 };

	return !row->selects ||
	       (top->ops->selection && top->ops->selection(top, &selection) && selection.keys.nr);
}

bool rs_app_gets_key(const struct rs_app *app, uint32_t key)
{
	const struct rs_screen *top = rs_app_top(app);

	return !rs_keys_find(top->ops->keys, key) && !(top->ops->types && rs_keys_is_text(key));
}

static bool screen_takes(struct rs_screen *top, const struct rs_key_event *key)
{
	const struct rs_key *row = rs_keys_find(top->ops->keys, key->key);

	if (row && top->ops->act && top->ops->act(top, row->action, key))
		return true;
	return !row && top->ops->key && top->ops->key(top, key);
}

static void app_takes(struct rs_app *app, const struct rs_key_event *key)
{
	const struct rs_key *row = rs_keys_find(rs_app_keys, key->key);

	if (row) {
		obey(app, row->action);
		return;
	}
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		if (s->key && s->key == key->key) {
			open_screen(app, s);
			return;
		}
}

void rs_app_key(struct rs_app *app, const struct rs_key_event *key)
{
	struct rs_key_event there = *key;
	bool mouse = key->key == RS_KEY_MOUSE || key->key == RS_KEY_MOUSE_DOUBLE;

	app->dirty = app->by_key = true;
	if (key->key == RS_KEY_RESIZE)
		return;
	*app->said = '\0';
	if (app->prompt.open) {
		if (!mouse)
			rs_prompt_key(&app->prompt, key->key);
		return;
	}
	there.y -= app->area.y;
	there.x -= app->area.x;
	if (mouse && (there.y < 0 || there.y >= app->area.height)) {
		rs_app_click(app, key->y, key->x);
		return;
	}
	if (!screen_takes(rs_app_top(app), &there))
		app_takes(app, key);
}
