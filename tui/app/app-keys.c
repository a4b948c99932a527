// SPDX-License-Identifier: GPL-2.0-or-later
/* app-keys.c - the keys that work on every screen */
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/command-palette.h"
#include "tui/app/key-tables.h"
#include "tui/app/markdown.h"
#include "tui/app/setting-rows.h"

const struct rs_key rs_app_keys[] = {
	{ { '?', RS_KEY_F1 }, RS_APP_HELP, "Help", "keys and columns of this screen" },
	{ { 'q' }, RS_APP_CLOSE, "Back", "close this screen; the first one: quit" },
	{ { 'M' }, RS_APP_MACHINE, "Machine",
	  "the next machine, where several hosts, or recordings of a host and its guests, are shown" },
	{ { ':' }, RS_APP_PALETTE, "Commands",
	  "keys, screens, views and settings by a few letters: runq, theme light, refresh 2s" },
	{ { RS_KEY_F1 + 1, 'V' }, RS_APP_PICK, "Views", "the list of views and screens" },
	{ { RS_KEY_BACKSPACE, RS_CTRL('h'), RS_KEY_ESCAPE }, RS_APP_BACK, "Back",
	  "to the previous screen", RS_KEY_RARE },
	{ { '\\', RS_KEY_F1 + 3 }, RS_APP_FILTER, "Filter",
	  "filter all screens: cart, 4711, >1ms, dev == 8,0; Backspace removes the last one" },
	{ { '|' }, RS_APP_UNFILTER, "No filter",
	  "remove all filters; a click on the cross behind one in the header removes that", RS_KEY_RARE },
	{ { ' ' }, RS_APP_PAUSE, "Pause", "freeze and pin what is shown; capture continues; again: live" },
	{ { '[' }, RS_APP_EARLIER, "Earlier", "the previous time range" },
	{ { ']' }, RS_APP_LATER, "Later", "the next time range; after the last one: live", RS_KEY_RARE },
	{ { '{' }, RS_APP_SHORTER, "Shorter", "half the range", RS_KEY_RARE },
	{ { '}' }, RS_APP_LONGER, "Longer", "twice the range; live: the last two intervals", RS_KEY_RARE },
	{ { 'b' }, RS_APP_JUMP, "Go to time",
	  "go to a time: 12.5 since the start, -10s before now, 14:03:07, @ of the trace clock",
	  RS_KEY_RARE },
	{ { 'l' }, RS_APP_LIVE, "Live", "live again; of a file: all of it", RS_KEY_RARE },
	{ { 'e' }, RS_APP_SAVE, "Save", "a wait, the time shown, what is pinned, or all, to a file" },
	{ { 'y' }, RS_APP_COPY, "Copy",
	  "what is seen as Markdown to the clipboard of the terminal, with the command that prints the same",
	  RS_KEY_SELECTION },
	{ { 'P' }, RS_APP_DUMP, "Print", "this screen as text to a file", RS_KEY_RARE },
	{ { 'z' }, RS_APP_CLOCK, "Clock", "times since the begin, of the trace clock, by the wall clock",
	  RS_KEY_RARE },
	{ { RS_CTRL('t') }, RS_APP_THEME, "Colors", "colors for a dark terminal, for a light one, none",
	  RS_KEY_RARE },
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
	case RS_APP_FILTER:
		rs_app_filter_prompt(app);
		break;
	case RS_APP_UNFILTER:
		rs_app_filter_clear(app);
		break;
	case RS_APP_HELP:
		rs_app_push(app, rs_help_screen_new(app, rs_app_top(app)));
		break;
	case RS_APP_PICK:
		rs_app_push(app, rs_picker_new(app));
		break;
	case RS_APP_PALETTE:
		rs_app_push(app, rs_command_palette_new(app));
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
		rs_save_ranges_begin(app);
		break;
	case RS_APP_DUMP:
		rs_save_dialog_dump(app);
		break;
	case RS_APP_COPY:
		rs_markdown_copy_screen(app);
		break;
	case RS_APP_CLOCK:
		rs_app_time_next_clock(app);
		break;
	case RS_APP_THEME:
		rs_setting_rows_next(app, "theme");
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
		return app->nr_all > 1;
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

/* For one release a key that has moved says where to. of: the keys of the screen; NULL: on all. */
static const struct {
	uint32_t key;
	const struct rs_key *of;
	const char *now;
} moved_keys[] = {
	{ 's', rs_table_keys, "S sorts now" },
	{ 'c', rs_table_keys, "C has the columns now" },
	{ 'w', rs_flame_keys, "K shows other kinds of waits now" },
	{ 'x', rs_flame_keys, "X shows on-CPU, off-CPU, or both now" },
	{ 'a', rs_histogram_keys, "0 lists the longest of all now" },
	{ 'v', NULL, "V lists the views now, as F2 does" },
	{ '+', NULL, ":refresh 500ms sets how often the screens are refreshed" },
	{ '-', NULL, ":refresh 2s sets how often the screens are refreshed" },
};

static void say_where_it_moved(struct rs_app *app, uint32_t key)
{
	const struct rs_key *of = rs_app_top(app)->ops->keys;

	for (size_t i = 0; i < sizeof moved_keys / sizeof *moved_keys; i++)
		if (moved_keys[i].key == key &&
		    (!moved_keys[i].of || moved_keys[i].of == of))
			rs_app_say(app, RS_STYLE_TEXT, "%s", moved_keys[i].now);
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
	say_where_it_moved(app, key->key);
}

void rs_app_key(struct rs_app *app, const struct rs_key_event *key)
{
	struct rs_key_event there = *key;
	bool mouse = rs_keys_is_mouse(key->key);

	app->dirty = app->by_key = true;
	if (key->key == RS_KEY_RESIZE)
		return;
	if (key->key != RS_KEY_MOUSE_UP) /* of a click, which may have said something */
		*app->said = '\0';
	if (app->prompt.open) {
		if (!mouse)
			rs_prompt_key(&app->prompt, key->key);
		return;
	}
	there.y -= app->area.y;
	there.x -= app->area.x;
	if (mouse && (there.y < 0 || there.y >= app->area.height)) {
		if (key->key == RS_KEY_MOUSE || key->key == RS_KEY_MOUSE_DOUBLE)
			rs_app_click(app, key->y, key->x);
		return;
	}
	if (mouse && there.x >= app->area.width) /* the pane: it takes none */
		return;
	if (!screen_takes(rs_app_top(app), &there))
		app_takes(app, key);
}
