// SPDX-License-Identifier: GPL-2.0-or-later
/* key-tables.c - the key tables of all screens */
#include "tui/app/key-tables.h"

const struct rs_key_table rs_key_tables[] = {
	{ "the overview", rs_overview_keys, false },
	{ "details", rs_details_keys, false },
	{ "tables", rs_table_keys, false },
	{ "the timeline", rs_timeline_keys, false },
	{ "why", rs_why_keys, false },
	{ "histograms", rs_histogram_keys, false },
	{ "heat maps", rs_heat_map_keys, false },
	{ "the incidents", rs_incidents_keys, false },
	{ "what fired", rs_fired_keys, false },
	{ "comparisons", rs_compare_keys, false },
	{ "lists of the slowest", rs_slowest_keys, false },
	{ "flame graphs", rs_flame_keys, false },
	{ "lists to choose from", rs_menu_keys, true },
	{ "the list of columns", rs_menu_check_keys, true },
	{ "this help", rs_help_keys, false },
	{ .keys = NULL },
};
