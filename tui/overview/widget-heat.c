// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-heat.c - latencies over time of what hurts most: of the spans that the evidence of the worst finding
 * is about, else of run-queue waits; drawn by the heat map's screen
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
	struct rs_latency_of of;
	struct rs_screen *map;    /* NULL: not asked yet */
	uint64_t since_ns;        /* time of the last event when it was made */
	char title[160];
};

static bool heat_widget_has_kind(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return true;
	return false;
}

/*
 * Takes the spans from the view of the finding, if it declares any by kind, of all tasks: culprits have them,
 * too.
 */
static void heat_widget_find(const struct heat_widget *w, const struct rs_catalogue *c,
			     struct rs_latency_of *of)
{
	const struct rs_wire_finding *f = rs_widget_finding(w->findings, 0);
	const struct rs_catalogue_view *v = f && f->view ? rs_catalogue_view(c, f->view) : NULL;
	const struct rs_screen_selection selection = { .view = v, .column = -1 };

	if (v && v->view.latencies && v->view.latencies->kind &&
	    heat_widget_has_kind(c, v->view.latencies->kind))
		rs_latency_of_selection(w->widget.app, &selection, of);
	else
		rs_latency_of_waits(c, of);
}

/* Makes another map when other spans hurt most. The map asks once it knows its width. */
static void heat_widget_follow(struct heat_widget *w)
{
	struct rs_widget *widget = &w->widget;
	struct rs_latency_of of = { .nr_labels = 0 };
	struct rs_buf title = RS_BUF_INIT;

	if (w->map && *w->of.kind && widget->app->live &&
	    widget->app->now_ns < w->since_ns + HEAT_WIDGET_STAYS_NS)
		return;
	heat_widget_find(w, rs_client_catalogue(widget->machine->client), &of);
	widget->nr_rows = *of.kind ? HEAT_WIDGET_ROWS : 0;
	rs_buf_puts(&title, "Over time: ");
	rs_latency_title(&of, &title);
	if (*of.kind && (!w->map || strncmp(w->title, title.data, sizeof w->title - 1) != 0)) {
		if (w->map)
			w->map->ops->free(w->map);
		w->of = of;
		w->since_ns = widget->app->now_ns;
		w->map = rs_heat_map_new_panel(widget->app, &of);
		rs_copy(w->title, sizeof w->title, title.data);
		widget->title = w->title;
	}
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
	return rs_heat_map_new(widget->app, &((struct heat_widget *)widget)->of, false);
}

static void heat_widget_free(struct rs_widget *widget)
{
	struct heat_widget *w = (struct heat_widget *)widget;

	if (w->map)
		w->map->ops->free(w->map);
}

static const struct rs_widget_ops heat_ops = {
	.ask = heat_widget_ask, .nr_all = heat_widget_nr_all, .draw = heat_widget_draw,
	.open = heat_widget_open, .free = heat_widget_free,
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
