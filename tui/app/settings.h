/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.h - the user's settings: $XDG_CONFIG_HOME/ringside/settings.json
 *
 * A malformed file causes one message and is not used; the first change renames it to settings.json.bad.
 * Unknown members are kept: a newer ringside may have written them.
 */
#ifndef RS_TUI_APP_SETTINGS_H
#define RS_TUI_APP_SETTINGS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "view/cell.h"

struct rs_settings {
	char *path;             /* NULL: no place to store them */
	cJSON *root;            /* always an object */
	bool broken;            /* the file is malformed: do not overwrite it */
};

/*
 * Returns false with err if the file is malformed; the settings are the defaults then. path NULL: the default
 * path.
 */
bool rs_settings_read(struct rs_settings *s, const char *path, struct rs_error *err);
/* Uses no file, now and later. */
void rs_settings_none(struct rs_settings *s);
void rs_settings_done(struct rs_settings *s);
int rs_settings_write(struct rs_settings *s, struct rs_error *err);

/* what: "columns", "sort". Returns NULL if it is not set. */
const char *rs_settings_of_view(const struct rs_settings *s, const char *view, const char *what);
void rs_settings_set_view(struct rs_settings *s, const char *view, const char *what, const char *text);
const char *rs_settings_text(const struct rs_settings *s, const char *name);
void rs_settings_set_text(struct rs_settings *s, const char *name, const char *text);
/* Returns ms; `otherwise` if it is not set or not in 100 to 60000. */
uint64_t rs_settings_refresh_ms(const struct rs_settings *s, uint64_t otherwise);
void rs_settings_set_refresh_ms(struct rs_settings *s, uint64_t ms);

#endif
