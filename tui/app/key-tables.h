/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key-tables.h - the key tables of all screens, for the manual and for the test of this rule:
 *
 * A letter means one thing. Two rows with the same letter have the same label, in whichever tables they
 * are. Lower case acts on what is selected, upper case on the screen; w a s d move the timeline. The
 * few exceptions, each with its reason, are in tests/unit/tui/test-keys.c. A screen without a row here
 * fails the tests that show it.
 */
#ifndef RS_TUI_APP_KEY_TABLES_H
#define RS_TUI_APP_KEY_TABLES_H

#include "tui/toolkit/keys.h"

struct rs_key_table {
	const char *title;       /* "the timeline": for the manual */
	const struct rs_key *keys;
	bool types;              /* letters are text there */
};

/* Ends with NULL keys. */
extern const struct rs_key_table rs_key_tables[];

extern const struct rs_key rs_overview_keys[];
extern const struct rs_key rs_details_keys[];
extern const struct rs_key rs_incidents_keys[];
extern const struct rs_key rs_fired_keys[];
extern const struct rs_key rs_compare_keys[];
extern const struct rs_key rs_table_keys[];
extern const struct rs_key rs_timeline_keys[];
extern const struct rs_key rs_why_keys[];
extern const struct rs_key rs_histogram_keys[];
extern const struct rs_key rs_heat_map_keys[];
extern const struct rs_key rs_slowest_keys[];
extern const struct rs_key rs_flame_keys[];
extern const struct rs_key rs_menu_keys[];
extern const struct rs_key rs_menu_check_keys[];
extern const struct rs_key rs_help_keys[];

#endif
