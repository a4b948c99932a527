/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting-rows.h - the settings that the command palette offers: "theme light", "refresh 2s" */
#ifndef RS_TUI_APP_SETTING_ROWS_H
#define RS_TUI_APP_SETTING_ROWS_H

#include "tui/app/app.h"

#define RS_SETTING_VALUES 4

struct rs_setting_row {
	const char *name, *help;       /* help: one line, no full stop */
	const char *values[RS_SETTING_VALUES]; /* ends with NULL; none: any text, which set checks */
	/* Returns the present value, or writes it to text, which has RS_SCREEN_TEXT bytes. */
	const char *(*get)(const struct rs_app *app, char *text);
	void (*set)(struct rs_app *app, const char *value); /* in the app and in the settings; says so */
};

/* Ends with a NULL name. */
extern const struct rs_setting_row rs_setting_rows[];
/* Sets the value after the present one; the name is of a row with values. */
void rs_setting_rows_next(struct rs_app *app, const char *name);
/* Takes the values from the settings file, and from the options, which win. */
void rs_setting_rows_read(struct rs_app *app);

#endif
