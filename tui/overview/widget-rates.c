// SPDX-License-Identifier: GPL-2.0-or-later
/* widget-rates.c - shows the rates of calls, requests and switches, and their last minute */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/toolkit/app.h"
#include "tui/overview/widget.h"

#define RATES_WIDGET_ROWS 12
#define SAMPLES 60

struct rate {
	char name[24];
	uint64_t samples[SAMPLES];   /* indexed by the number of the sample */
};

struct rates {
	struct rs_widget widget;  /* first */
	struct rate rows[RATES_WIDGET_ROWS];
	size_t nr;
	uint64_t nr_samples, interval;
};

static struct rate *rates_widget_find_rate(struct rates *r, const char *name)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->rows[i].name, name))
			return &r->rows[i];
	if (r->nr == RATES_WIDGET_ROWS)
		return NULL;
	snprintf(r->rows[r->nr].name, sizeof r->rows[r->nr].name, "%s", name);
	return &r->rows[r->nr++];
}

static void rates_widget_add(struct rates *r, const char *name, uint64_t per_s)
{
	struct rate *rate = rates_widget_find_rate(r, name);

	if (rate)
		rate->samples[r->nr_samples % SAMPLES] = per_s;
}

/* Sends no request: the app's state has the rates. Each interval gives one sample. */
static void rates_widget_ask(struct rs_widget *widget)
{
	struct rates *r = (struct rates *)widget;
	const struct rs_state_reply *state = rs_app_state(widget->app);

	if (!state || !state->interval || state->interval == r->interval)
		return;
	r->interval = state->interval;
	if (state->events_per_s.known)
		rates_widget_add(r, "events", state->events_per_s.u);
	for (size_t i = 0; i < state->nr_rates; i++)
		rates_widget_add(r, state->rates[i].name, state->rates[i].per_s);
	r->nr_samples++;
}

/* Rates are current: they are hidden for a time range, which would be another time. */
static size_t rates_widget_count_rows(struct rs_widget *widget)
{
	bool is_range = !rs_app_time(widget->app)->now && !rs_app_paused(widget->app);

	return is_range ? 0 : ((struct rates *)widget)->nr;
}

static uint64_t rates_widget_sample(const struct rates *r, const struct rate *rate, int back)
{
	return (uint64_t)back < r->nr_samples && back < SAMPLES ? rate->samples[(r->nr_samples - 1 - (uint64_t)back) % SAMPLES] : 0;
}

static void draw_rate(const struct rates *r, const struct rate *rate, struct rs_canvas *c, struct rs_area line)
{
	char text[RS_UNIT_TEXT + 1];
	int spark = line.width - 25 < SAMPLES ? line.width - 25 : SAMPLES;
	uint64_t most = 1;

	rs_put_padded(c, line.y, line.x, 11, RS_STYLE_TEXT, rate->name);
	text[rs_units_put_grouped(text, rates_widget_sample(r, rate, 0))] = '\0';
	rs_put_right(c, line.y, line.x + 11, 11, RS_STYLE_BOLD, text);
	rs_put(c, line.y, line.x + 22, 2, RS_STYLE_DIM, "/s");
	for (int i = 0; i < spark; i++)
		if (rates_widget_sample(r, rate, i) > most)
			most = rates_widget_sample(r, rate, i);
	for (int i = 0; i < spark; i++)
		rs_put_glyph(c, line.y, line.x + 25 + spark - 1 - i, RS_STYLE_RUN,
			     RS_GLYPH_SPARK + (unsigned int)(((unsigned __int128)rates_widget_sample(r, rate, i) * 8 + most - 1) / most));
}

static void rates_widget_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct rates *r = (struct rates *)widget;

	(void)selected;
	for (int y = 0; y < area.height && (size_t)y < r->nr; y++)
		draw_rate(r, &r->rows[y], c, (struct rs_area){ area.y + y, area.x, 1, area.width });
}

static const struct rs_widget_ops ops = { .ask = rates_widget_ask, .nr_rows = rates_widget_count_rows,
					 .draw = rates_widget_draw };

struct rs_widget *rs_widget_rates_new(struct rs_tui_machine *machine)
{
	struct rates *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	r->widget = (struct rs_widget){ .ops = &ops, .app = machine->app, .machine = machine, .title = "Rates, and the last minute", .place = 3, .least = 3, .most = RATES_WIDGET_ROWS };
	return &r->widget;
}
