// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-heat.c - latencies over time of what hurts most: of the waits that the costliest finding is about,
 * else of those that cost most; drawn by the heat map's screen
 */
#include <string.h>

#include "tui/app/app.h"
#include "tui/latency/latency.h"
#include "tui/overview/widget.h"

#define HEAT_WIDGET_ROWS 26 /* a line for each power of two of a duration, the axis and the text below */
#define HEAT_WIDGET_LEAST_ROWS 14
#define HEAT_WIDGET_STAYS_NS \
	10000000000ull /* a live map does not change with each interval's worst finding */

struct heat_widget {
	struct rs_widget widget;  /* first */
	const struct rs_widget *findings;
	enum rs_category category; /* that the finding names */
	struct rs_screen *map;    /* NULL: not asked yet */
	uint64_t since_ns;        /* time of the last event when it was made */
};

/* Of all tasks, culprits have them, too. Without a finding, or of a finding about no wait: what cost most. */
static enum rs_category heat_widget_category(const struct heat_widget *w)
{
	const struct rs_wire_finding *f = rs_widget_finding(w->findings, 0);

	return f ? rs_category_find(f->category) : RS_CATEGORY_RUN;
}

/* Makes another map when other waits hurt most. The map asks once it knows its width. */
static void heat_widget_follow(struct heat_widget *w)
{
	struct rs_widget *widget = &w->widget;
	const struct rs_latency_of of = { .category = heat_widget_category(w) };
	bool stays;
	struct rs_latency_of waits = { .nr_labels = 0 }; /* of tasks: an engine without them has no map */

	/* the first finding may come after the first map */
	stays = widget->app->live && w->category != RS_CATEGORY_RUN &&
		widget->app->now_ns < w->since_ns + HEAT_WIDGET_STAYS_NS;
	if (w->map && (stays || of.category == w->category))
		return;
	rs_latency_of_waits(rs_client_catalogue(widget->machine->client), &waits);
	widget->nr_rows = *waits.kind || of.category != RS_CATEGORY_RUN ? HEAT_WIDGET_ROWS : 0;
	if (!widget->nr_rows)
		return;
	if (w->map)
		w->map->ops->free(w->map);
	w->category = of.category;
	w->since_ns = widget->app->now_ns;
	w->map = rs_heat_map_new_panel(widget->app, &of);
}

/* "Over time  run queue": which waits, once that is known. */
static void heat_widget_put_kind(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used)
{
	const struct heat_widget *w = (const struct heat_widget *)widget;
	struct rs_buf title = RS_BUF_INIT;

	if (!w->map || !*rs_latency_screen_of(w->map)->kind)
		return;
	rs_latency_title(rs_latency_screen_of(w->map), &title);
	rs_put_cut(c, line.y, line.x + used, line.width - used, RS_STYLE_BOLD, title.data);
	rs_buf_done(&title);
}

static void heat_widget_ask(struct rs_widget *widget)
{
	struct heat_widget *w = (struct heat_widget *)widget;

	heat_widget_follow(w);
	if (w->map)
		w->map->ops->ask(w->map);
}

static void heat_widget_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area,
			     long selected)
{
	struct heat_widget *w = (struct heat_widget *)widget;

	heat_widget_follow(w);
	if (w->map)
		w->map->ops->draw(w->map, c, area);
	if (selected >= 0)
		rs_put_glyph(c, area.y, area.x, RS_STYLE_KEY, RS_GLYPH_CURSOR);
}

static uint64_t heat_widget_nr_all(struct rs_widget *widget)
{
	return 0; /* no rows are hidden: the map fits itself into its lines */
}

static struct rs_screen *heat_widget_open(struct rs_widget *widget, size_t row)
{
	const struct heat_widget *w = (const struct heat_widget *)widget;

	return w->map ? rs_heat_map_new(widget->app, rs_latency_screen_of(w->map), false) : NULL;
}

static void heat_widget_free(struct rs_widget *widget)
{
	struct heat_widget *w = (struct heat_widget *)widget;

	if (w->map)
		w->map->ops->free(w->map);
}

static const char heat_widget_help_text[] =
	"Over time: waits of the kind of the first finding, by when they ended and how long they took; a "
	"row is a range of durations, a column a piece of the time. A color: above the median of the kind; "
	"bright: most time together. H: the same as a screen, for other kinds, too\n\n";

static const struct rs_widget_ops heat_ops = {
	.ask = heat_widget_ask, .aside = heat_widget_put_kind, .nr_all = heat_widget_nr_all,
	.draw = heat_widget_draw,
	.open = heat_widget_open, .free = heat_widget_free, .help_text = heat_widget_help_text,
};

struct rs_widget *rs_widget_heat_new(struct rs_tui_machine *machine, const struct rs_widget *findings)
{
	struct heat_widget *w = rs_widget_new(machine, sizeof *w, &(struct rs_widget){
		.ops = &heat_ops, .title = "Over time", .place = 0, .whole = true,
		.least = HEAT_WIDGET_LEAST_ROWS, .most = HEAT_WIDGET_ROWS });

	if (!w)
		return NULL;
	w->findings = findings;
	return &w->widget;
}
