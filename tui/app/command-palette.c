// SPDX-License-Identifier: GPL-2.0-or-later
/* command-palette.c - the command palette: what the keys do, screens, views and settings, by a few letters */
#include "tui/app/command-palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/menu.h"
#include "tui/app/picker.h"
#include "tui/app/setting-rows.h"

/* What a line does: the first of these that is set. */
struct palette_command {
	uint32_t key;                  /* as if it were pressed */
	const struct rs_setting_row *setting;
	const char *value;             /* of the setting; NULL: the words after its name */
	const struct rs_catalogue_view *view;
};

struct palette {
	struct rs_app *app;
	size_t nr, size;
	struct palette_command *commands;
	struct rs_menu_line *lines;
};

/* Returns the line, to be filled in; NULL: no memory, and the palette lacks what comes after. */
static struct rs_menu_line *palette_add(struct palette *p, const struct palette_command *command)
{
	if (p->nr == p->size) {
		size_t size = p->size ? 2 * p->size : 64;
		struct palette_command *commands = realloc(p->commands, size * sizeof *commands);
		struct rs_menu_line *lines;

		p->commands = commands ? commands : p->commands;
		lines = commands ? realloc(p->lines, size * sizeof *lines) : NULL;
		if (!lines)
			return NULL;
		p->lines = lines;
		p->size = size;
	}
	p->commands[p->nr] = *command;
	p->lines[p->nr] = (struct rs_menu_line){ .id = p->nr };
	return &p->lines[p->nr++];
}

/* ---- the lines ---- */

static void palette_add_key(struct palette *p, uint32_t key, const char *name, const char *help,
			    const char *group, bool can)
{
	struct rs_menu_line *l = palette_add(p, &(struct palette_command){ .key = key });
	struct rs_buf text = RS_BUF_INIT;

	if (!l)
		return;
	rs_keys_name(key, &text);
	snprintf(l->name, sizeof l->name, "%s", name);
	snprintf(l->heading, sizeof l->heading, "%s", text.len ? text.data : "");
	l->help = help;
	l->group = group;
	l->empty = !can;
	rs_buf_done(&text);
}

static void palette_add_keys(struct palette *p)
{
	const struct rs_screen *top = rs_app_top(p->app);

	for (const struct rs_key *row = top->ops->keys; row && row->help; row++)
		if (row->label && !(row->flags & RS_KEY_CURSOR))
			palette_add_key(p, row->keys[0], row->label, row->help, "this screen",
					!top->ops->can || top->ops->can(top, row->action));
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		if (row->key && rs_app_gets_key(p->app, row->key))
			palette_add_key(p, row->key, row->name, row->help, "screens",
					rs_app_can_open(p->app, row));
	for (const struct rs_key *row = rs_app_keys; row->help; row++)
		if (row->action != RS_APP_PALETTE && !(row->flags & RS_KEY_CURSOR) &&
		    rs_app_gets_key(p->app, row->keys[0]))
			palette_add_key(p, row->keys[0], row->label, row->help, "everywhere",
					rs_app_can(p->app, row->action));
}

static void palette_add_settings(struct palette *p)
{
	char text[RS_SCREEN_TEXT];

	for (const struct rs_setting_row *row = rs_setting_rows; row->name; row++)
		for (unsigned int i = 0; !i || row->values[i]; i++) {
			const char *value = row->values[i], *now = row->get(p->app, text);
			struct rs_menu_line *l =
				palette_add(p, &(struct palette_command){ .setting = row, .value = value });

			if (!l)
				return;
			snprintf(l->name, sizeof l->name, "%s%s%s", row->name, value ? " " : "",
				 value ? value : "");
			/* a blank keeps its column */
			snprintf(l->heading, sizeof l->heading, "%s",
				 !value ? now : !strcmp(value, now) ? "now" : " ");
			l->help = row->help;
			l->group = "settings";
			l->takes_text = !value;
			if (!value)
				break;
		}
}

static void palette_add_views(struct palette *p)
{
	const struct rs_catalogue *c = rs_client_catalogue(p->app->machine->client);

	for (size_t i = 0; i < c->nr_views; i++) {
		struct rs_menu_line *l =
			palette_add(p, &(struct palette_command){ .view = &c->views[i] });

		if (l)
			*l = rs_picker_view_line(&c->views[i], p->nr - 1);
	}
}

/* ---- what they do ---- */

static void palette_on_text(void *arg, const char *text)
{
	struct rs_app *app = arg;

	if (text && *text)
		rs_setting_rows[app->palette_setting].set(app, text);
}

/* The menu has closed: the screen that it was opened on is the top one again. */
static void palette_run(void *arg, size_t id, const char *text)
{
	struct palette *p = arg;
	const struct palette_command *c = &p->commands[id];
	struct rs_app *app = p->app;
	char now[RS_SCREEN_TEXT], question[RS_SCREEN_TEXT];

	if (c->key) {
		rs_app_key(app, &(struct rs_key_event){ .key = c->key });
	} else if (c->view) {
		rs_app_push(app, rs_table_new(app, c->view, NULL, NULL));
	} else if (c->value || *text) {
		c->setting->set(app, c->value ? c->value : text);
	} else {
		app->palette_setting = (unsigned int)(c->setting - rs_setting_rows);
		snprintf(question, sizeof question, "%s:", c->setting->name);
		rs_app_prompt(app, question, c->setting->get(app, now), palette_on_text, NULL, app);
	}
}

static void palette_free(void *arg)
{
	struct palette *p = arg;

	free(p->commands);
	free(p->lines);
	free(p);
}

struct rs_screen *rs_command_palette_new(struct rs_app *app)
{
	struct palette *p = calloc(1, sizeof *p);
	struct rs_menu menu = { .title = "commands", .name = "commands", .run = palette_run, .arg = p,
				.free = palette_free };
	struct rs_screen *s = NULL;

	if (!p)
		return NULL;
	p->app = app;
	palette_add_keys(p);
	palette_add_settings(p);
	palette_add_views(p);
	s = rs_menu_new(app, &menu, p->lines, p->nr);
	if (!s)
		palette_free(p);
	return s;
}
