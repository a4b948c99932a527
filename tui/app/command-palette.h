/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command-palette.h - the command palette: what the keys do, screens, views and settings, by a few letters
 *
 * Its lines come from the key tables of the top screen and of the app, rs_screens, the catalogue and
 * rs_setting_rows: what is added there is found here.
 */
#ifndef RS_TUI_APP_COMMAND_PALETTE_H
#define RS_TUI_APP_COMMAND_PALETTE_H

#include "tui/app/screen.h"

/* For the top screen. Returns NULL without memory. */
struct rs_screen *rs_command_palette_new(struct rs_app *app);

#endif
