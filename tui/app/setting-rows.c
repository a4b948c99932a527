// SPDX-License-Identifier: GPL-2.0-or-later
/* setting-rows.c - the settings that the command palette offers, and the file keeps */
#include "tui/app/setting-rows.h"

#include <string.h>

#include "base/units.h"

#define SETTING_MS 1000000ull
#define SETTING_REFRESH_MS 1000
#define SETTING_MIN_REFRESH_MS 100
#define SETTING_MAX_REFRESH_MS 60000

/* ---- one row each ---- */

static void setting_keep(struct rs_app *app, const char *name, const char *value)
{
	rs_settings_set_text(&app->settings, name, value);
	rs_app_save_settings(app);
	rs_app_say(app, RS_STYLE_TEXT, "%s: %s", name, value);
}

static const char *setting_theme(const struct rs_app *app, char *text)
{
	return rs_theme_name(app->theme);
}

static void setting_set_theme(struct rs_app *app, const char *value)
{
	rs_theme_find(value, &app->theme);
	setting_keep(app, "theme", value);
}

static const char *setting_letters(const struct rs_app *app, char *text)
{
	return app->letters ? "on" : "off";
}

static void setting_set_letters(struct rs_app *app, const char *value)
{
	app->letters = !strcmp(value, "on");
	setting_keep(app, "letters", value);
}

static const char *setting_mouse(const struct rs_app *app, char *text)
{
	return app->no_mouse ? "off" : "on";
}

static void setting_set_mouse(struct rs_app *app, const char *value)
{
	app->no_mouse = !strcmp(value, "off");
	setting_keep(app, "mouse", value);
}

static const char *setting_refresh(const struct rs_app *app, char *text)
{
	return rs_screen_duration(app->refresh_ms * SETTING_MS, text);
}

static void setting_set_refresh(struct rs_app *app, const char *value)
{
	char text[RS_SCREEN_TEXT];
	uint64_t ns;

	if (rs_units_parse_duration(value, "s", &ns) != RS_PARSE_OK ||
	    ns < SETTING_MIN_REFRESH_MS * SETTING_MS || ns > SETTING_MAX_REFRESH_MS * SETTING_MS) {
		rs_app_say(app, RS_STYLE_WARN, "refresh: '%.40s' is no time from 100ms to 60s", value);
		return;
	}
	app->refresh_ms = ns / SETTING_MS;
	rs_settings_set_refresh_ms(&app->settings, app->refresh_ms);
	rs_app_save_settings(app);
	rs_app_say(app, RS_STYLE_TEXT, "refreshed every %s at most", setting_refresh(app, text));
}

const struct rs_setting_row rs_setting_rows[] = {
	{ "theme", "the colors: for a dark terminal, for a light one, none (mono)",
	  { "dark", "light", "mono" }, setting_theme, setting_set_theme },
	{ "letters", "bars and heat maps of letters and shades, with colors too", { "on", "off" },
	  setting_letters, setting_set_letters },
	{ "mouse", "off: the terminal selects text with it", { "on", "off" }, setting_mouse,
	  setting_set_mouse },
	{ "refresh", "how often the screens ask for news at most, 100ms to 60s: refresh 2s", { NULL },
	  setting_refresh, setting_set_refresh },
	{ .name = NULL },
};

/* ---- all rows ---- */

static const struct rs_setting_row *setting_find(const char *name)
{
	const struct rs_setting_row *row = rs_setting_rows;

	while (row->name && strcmp(row->name, name))
		row++;
	return row;
}

void rs_setting_rows_next(struct rs_app *app, const char *name)
{
	const struct rs_setting_row *row = setting_find(name);
	char text[RS_SCREEN_TEXT];
	unsigned int at = 0;

	while (row->values[at] && strcmp(row->values[at], row->get(app, text)))
		at++;
	row->set(app, row->values[at] && row->values[at + 1] ? row->values[at + 1] : row->values[0]);
}

void rs_setting_rows_read(struct rs_app *app)
{
	const char *theme = app->opt->theme ? app->opt->theme : rs_settings_text(&app->settings, "theme");
	const char *mouse = rs_settings_text(&app->settings, "mouse");
	const char *letters = rs_settings_text(&app->settings, "letters");

	app->refresh_ms = app->opt->refresh_ns / SETTING_MS;
	if (!app->refresh_ms)
		app->refresh_ms = rs_settings_refresh_ms(&app->settings, SETTING_REFRESH_MS);
	if (theme)
		rs_theme_find(theme, &app->theme);
	app->no_mouse = app->opt->no_mouse || (mouse && !strcmp(mouse, "off"));
	app->letters = app->opt->letters || (letters && !strcmp(letters, "on"));
}
