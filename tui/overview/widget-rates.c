// SPDX-License-Identifier: GPL-2.0-or-later
/* widget-rates.c - shows the rates of calls, requests and switches, and their last minute */
#include <string.h>

#include "base/copy.h"
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

static void rates_widget_add(struct rates *r, const char *name, uint64_t per_s)
{
	size_t i = 0;

	while (i < r->nr && strcmp(r->rows[i].name, name))
		i++;
	if (i == RATES_WIDGET_ROWS)
		return;
	if (i == r->nr)
		rs_copy(r->rows[r->nr++].name, sizeof r->rows[i].name, name);
	r->rows[i].samples[r->nr_samples % SAMPLES] = per_s;
}

/* Sends no request: the app's state has the rates. Each interval gives one sample. */
static void rates_widget_ask(struct rs_widget *widget)
{
	struct rates *r = (struct rates *)widget;
	const struct rs_state_reply *state = rs_app_state(widget->app);
	bool is_range = !rs_app_time(widget->app)->now && !rs_app_paused(widget->app);

	/* rates are current: hidden for a time range, which would be another time */
	widget->nr_rows = is_range ? 0 : r->nr;
	if (!state || !state->interval || state->interval == r->interval)
		return;
	r->interval = state->interval;
	if (state->events_per_s.known)
		rates_widget_add(r, "events", state->events_per_s.u);
	for (size_t i = 0; i < state->nr_rates; i++)
		rates_widget_add(r, state->rates[i].name, state->rates[i].per_s);
	r->nr_samples++;
	widget->nr_rows = is_range ? 0 : r->nr;
}

static uint64_t rates_widget_sample(const struct rates *r, const struct rate *rate, int back)
{
	return (uint64_t)back < r->nr_samples && back < SAMPLES ? rate->samples[(r->nr_samples - 1 - (uint64_t)back) % SAMPLES] : 0;
}

static void rates_widget_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row)
{
	const struct rates *r = (const struct rates *)widget;
	const struct rate *rate = &r->rows[row];
	int spark = line.width - 25 < SAMPLES ? line.width - 25 : SAMPLES;
	char text[RS_SCREEN_TEXT];
	uint64_t most = 1;

	rs_put_padded(c, line.y, line.x, 11, RS_STYLE_TEXT, rate->name);
	rs_put_right(c, line.y, line.x + 11, 11, RS_STYLE_BOLD, rs_screen_grouped(rates_widget_sample(r, rate, 0), text));
	rs_put(c, line.y, line.x + 22, 2, RS_STYLE_DIM, "/s");
	for (int i = 0; i < spark; i++)
		if (rates_widget_sample(r, rate, i) > most)
			most = rates_widget_sample(r, rate, i);
	for (int i = 0; i < spark; i++)
		rs_put_glyph(c, line.y, line.x + 25 + spark - 1 - i, RS_STYLE_RUN,
			     RS_GLYPH_SPARK + (unsigned int)(((unsigned __int128)rates_widget_sample(r, rate, i) * 8 + most - 1) / most));
}

static const struct rs_widget_ops ops = { .ask = rates_widget_ask, .draw_row = rates_widget_draw_row };

struct rs_widget *rs_widget_rates_new(struct rs_tui_machine *machine)
{
	return rs_widget_new(machine, sizeof(struct rates), &(struct rs_widget){
		.ops = &ops, .title = "Rates, and the last minute", .place = 3, .least = 3, .most = RATES_WIDGET_ROWS });
}
