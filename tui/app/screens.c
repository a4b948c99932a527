// SPDX-License-Identifier: GPL-2.0-or-later
/* screens.c - the kinds of screens */
#include "tui/app/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"

const struct rs_screen_row rs_screens[] = {
	{ "overview", 'o', "Overview", "the overview: what goes on, and what is stuck", true,
	  rs_overview_new },
	{ "incidents", 'i', "Incidents", "findings over time: when each began, how often it came", true,
	  rs_incidents_screen_open },
	{ "fired", 'I', "Fired", "conditions of the daemon that fired: when, what it was, what was kept",
	  true, rs_fired_screen_open, .rare = true },
	{ "timeline", 't', "Timeline", "timeline of the selected process, else of CPUs, disks and threads",
	  false, rs_timeline_open },
	{ "details", 'd', "Details", "the selected row in all views that know it", false, rs_details_open,
	  true },
	{ "histogram", 'h', "Histogram", "latency distribution of the selected column", false,
	  rs_latency_histogram_open },
	{ "why", 'W', "Why",
	  "where the time of the selected wait went, as a tree; of a process, its slowest call or wait",
	  false, rs_why_open_selection },
	{ "heat", 'H', "Heat map", "the same over time: a heat map", false, rs_heat_map_open },
	{ "flame", 'f', "Flame",
	  "flame graph of the selected process, CPU or time: which code ran, and what it waited for", false,
	  rs_flame_open },
	{ "antagonists", 'A', "Culprits", "what took the CPU, the disk, locks from the selected process",
	  false, rs_why_table_open_antagonists },
	{ .name = NULL },
};

const struct rs_screen_row *rs_screen_row(const char *name)
{
	for (const struct rs_screen_row *row = rs_screens; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

void *rs_screen_new(struct rs_app *app, const struct rs_screen_ops *ops, size_t bytes)
{
	struct rs_screen *s = calloc(1, bytes);

	if (s)
		*s = (struct rs_screen){ .ops = ops, .app = app, .machine = app->machine };
	else
		rs_app_say(app, RS_STYLE_BAD, "out of memory");
	return s;
}

const char *rs_screen_duration(uint64_t ns, char *text)
{
	text[rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1)] = '\0';
	return text;
}

const char *rs_screen_grouped(uint64_t v, char *text)
{
	text[rs_units_put_grouped(text, v)] = '\0';
	return text;
}

size_t rs_screens_nr(void)
{
	size_t nr = 0;

	while (rs_screens[nr].name)
		nr++;
	return nr;
}
