// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/screens.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/toolkit/app.h"

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
