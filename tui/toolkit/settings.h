/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h - what the user chose, kept: $XDG_CONFIG_HOME/ringside/settings.json
 *
 * A file that cannot be read as what it should be is said once and not used; the first change puts it aside
 * as settings.json.bad. Members that are not known are kept: a newer ringside may have written them.
 */
#ifndef RS_TUI_SETTINGS_H
#define RS_TUI_SETTINGS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "view/cell.h"

struct rs_settings {
	char *path;             /* NULL: there is no place for them */
	cJSON *root;            /* an object, always */
	bool broken;            /* the file is not ours to write over */
};

/* False: err says what is wrong with the file; the settings are the defaults then. path NULL: where they belong. */
bool rs_settings_read(struct rs_settings *s, const char *path, struct rs_error *err);
/* No file, neither now nor later. */
void rs_settings_none(struct rs_settings *s);
void rs_settings_done(struct rs_settings *s);
int rs_settings_write(struct rs_settings *s, struct rs_error *err);

/* what: "columns", "sort". NULL: not chosen. */
const char *rs_settings_of_view(const struct rs_settings *s, const char *view, const char *what);
void rs_settings_set_view(struct rs_settings *s, const char *view, const char *what, const char *text);
const char *rs_settings_text(const struct rs_settings *s, const char *name);
void rs_settings_set_text(struct rs_settings *s, const char *name, const char *text);
/* In ms; `otherwise` where there is none, or one out of 100 to 60000. */
uint64_t rs_settings_refresh_ms(const struct rs_settings *s, uint64_t otherwise);
void rs_settings_set_refresh_ms(struct rs_settings *s, uint64_t ms);

#endif
