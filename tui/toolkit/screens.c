// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/screens.h"

#include <string.h>

const struct rs_screen_row rs_screens[] = {
	{ "overview", 'o', NULL, "the overview: what goes on, and what is stuck", true, rs_overview_new },
	{ "timeline", 't', "Timeline", "timeline of the selected process, else of CPUs, disks and threads", false, rs_timeline_open },
	{ "histogram", 'h', "Histogram", "latency distribution of the selected column", false, rs_latency_histogram_open },
	{ "heat", 'H', NULL, "the same over time: a heat map", false, rs_heat_map_open },
	{ .name = NULL },
};

const struct rs_screen_row *rs_screen_row(const char *name)
{
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}
