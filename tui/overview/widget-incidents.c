// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-incidents.c - what the last minute had, and this second has not: the verdict judges a second,
 * and a stall every five is in one of five
 */
#include "base/buf.h"
#include "tui/app/app.h"
#include "tui/overview/incident-rows.h"
#include "tui/overview/widget.h"

#define INCIDENTS_ROWS 3
#define INCIDENTS_LATELY_NS 60000000000u

struct incidents_widget {
	struct rs_widget widget;   /* first */
	bool has_regular;
	size_t regular;            /* place of the one that the verdict begins with */
	size_t at[INCIDENTS_ROWS]; /* places in the answer: the most costly first */
};

static const struct rs_wire_incident *incidents_of_row(const struct rs_widget *widget, size_t row)
{
	const struct incidents_widget *w = (const struct incidents_widget *)widget;
	const struct rs_incidents_reply *a = widget->question.answer;

	return a && row < widget->nr_rows && w->at[row] < a->nr_incidents ? &a->incidents[w->at[row]] : NULL;
}

static uint64_t incidents_cost_ns(const struct rs_wire_incident *i)
{
	return i->lost_ns.known ? i->lost_ns.u : i->finding->cost_ns;
}

static bool incidents_is_lately(const struct rs_wire_incident *i, uint64_t now_ns)
{
	return i->end_ns + INCIDENTS_LATELY_NS >= now_ns;
}

/* What comes at regular times first: on a busy machine waits for a CPU cost more, and hide it. */
static bool incidents_comes_before(const struct rs_wire_incident *a, const struct rs_wire_incident *b)
{
	if (a->period_ns.known != b->period_ns.known)
		return a->period_ns.known;
	return incidents_cost_ns(a) > incidents_cost_ns(b);
}

/*
 * What comes at regular times, the costliest: the verdict of a second has it in one of a few, so that it is
 * said there as long as it may come again, whether this second has it or not.
 */
static void incidents_find_regular(struct incidents_widget *w, const struct rs_incidents_reply *a)
{
	w->has_regular = false;
	for (size_t n = 0; n < a->nr_incidents; n++)
		if (a->incidents[n].period_ns.known && incidents_is_lately(&a->incidents[n], a->to_ns.u) &&
		    (!w->has_regular ||
		     incidents_comes_before(&a->incidents[n], &a->incidents[w->regular]))) {
			w->has_regular = true;
			w->regular = n;
		}
}

const struct rs_wire_incident *rs_widget_incidents_regular(const struct rs_widget *widget,
							   uint64_t *now_ns)
{
	const struct incidents_widget *w = (const struct incidents_widget *)widget;
	const struct rs_incidents_reply *a = widget->question.answer;

	if (!a || !w->has_regular || !widget->app->live || !widget->app->time.now)
		return NULL;
	*now_ns = a->to_ns.u;
	return &a->incidents[w->regular];
}

static void incidents_insert(struct incidents_widget *w, const struct rs_incidents_reply *a, size_t n)
{
	size_t row = w->widget.nr_rows;

	while (row && incidents_comes_before(&a->incidents[n], &a->incidents[w->at[row - 1]]))
		row--;
	if (row == INCIDENTS_ROWS)
		return;
	if (w->widget.nr_rows < INCIDENTS_ROWS)
		w->widget.nr_rows++;
	for (size_t i = w->widget.nr_rows - 1; i > row; i--)
		w->at[i] = w->at[i - 1];
	w->at[row] = n;
}

static void incidents_answered(struct rs_widget *widget, const void *message)
{
	struct incidents_widget *w = (struct incidents_widget *)widget;
	const struct rs_incidents_reply *a = message;

	w->has_regular = false;
	if (!a->to_ns.known || !widget->app->time.now)
		return;
	incidents_find_regular(w, a);
	for (size_t n = 0; n < a->nr_incidents; n++) /* those that go on are in the verdict */
		if (!a->incidents[n].is_open && !(w->has_regular && n == w->regular) &&
		    incidents_is_lately(&a->incidents[n], a->to_ns.u))
			incidents_insert(w, a, n);
}

static void incidents_ask(struct rs_widget *widget)
{
	if (widget->app->live && widget->app->time.now)
		rs_incident_rows_ask(widget->app, &widget->question);
	else
		widget->nr_rows = 0;
}

static void incidents_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row)
{
	const struct rs_wire_incident *i = incidents_of_row(widget, row);
	const struct rs_incidents_reply *a = widget->question.answer;

	if (i)
		rs_incident_rows_draw(i, a->to_ns.u, c, line);
}

static bool incidents_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	return rs_incident_rows_select(incidents_of_row(widget, row), out);
}

static struct rs_screen *incidents_open_row(struct rs_widget *widget, size_t row)
{
	const struct rs_wire_incident *i = incidents_of_row(widget, row);

	return i ? rs_incident_rows_open(widget->app, i) : NULL;
}

static uint64_t incidents_identity(struct rs_widget *widget, size_t row)
{
	const struct rs_wire_incident *i = incidents_of_row(widget, row);

	return i ? i->number : 0;
}

static const char incidents_help_text[] =
	"Last minute: findings of the last 60 s that the last second does not have: how long ago the last "
	"wait ended, how often it came, and its period where it is regular; the costliest that is begins the "
	"verdict instead. i lists all of them\n\n";

static const struct rs_widget_ops incidents_ops = {
	.ask = incidents_ask, .answered = incidents_answered, .draw_row = incidents_draw_row,
	.selection = incidents_selection, .identity = incidents_identity, .open = incidents_open_row,
	.help_text = incidents_help_text,
};

struct rs_widget *rs_widget_incidents_new(struct rs_tui_machine *machine)
{
	return rs_widget_new(machine, sizeof(struct incidents_widget), &(struct rs_widget){
		.ops = &incidents_ops, .title = "Last minute", .place = 0, .left = true, .wide = true,
		.least = 2, .most = INCIDENTS_ROWS });
}
