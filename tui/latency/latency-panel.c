// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/latency/latency-panel.h"

#include <stdio.h>

#include "base/units.h"
#include "tui/toolkit/app.h"
#include "tui/toolkit/bars.h"

#define LATENCY_PANEL_BESIDE 100        /* from this width on the slowest spans are beside the histogram */
#define LATENCY_PANEL_MAX_BARS 12

void rs_latency_panel_init(struct rs_latency_panel *s, struct rs_app *app,
			   const struct rs_screen_selection *selection)
{
	struct rs_buf what = RS_BUF_INIT;

	*s = (struct rs_latency_panel){ .app = app, .machine = app->machine };
	rs_latency_of_row(rs_client_catalogue(rs_app_client(app)), selection, &s->of, &what);
	snprintf(s->what, sizeof s->what, "%s", what.data);
	rs_buf_done(&what);
}

void rs_latency_panel_done(struct rs_latency_panel *s)
{
	rs_client_forget(s->machine->client, s);
	rs_message_drop(s->histogram);
	rs_message_drop(s->slowest);
}

/* ---- asking ---- */

/* Replaces the last answer. */
static bool latency_panel_keep(struct rs_latency_panel *s, const struct rs_reply *reply, const struct rs_latencies_reply **to)
{
	s->nr_asked--;
	rs_app_redraw(s->app);
	if (!reply->message)
		return false;
	rs_message_drop(*to);
	*to = rs_client_keep(s->machine->client, reply);
	return true;
}

static void got_histogram(void *arg, const struct rs_reply *reply)
{
	struct rs_latency_panel *s = arg;

	if (latency_panel_keep(s, reply, &s->histogram))
		s->nr_buckets = (unsigned int)s->histogram->nr_buckets;
}

static void got_slowest(void *arg, const struct rs_reply *reply)
{
	struct rs_latency_panel *s = arg;

	if (latency_panel_keep(s, reply, &s->slowest))
		s->nr_slowest = s->slowest->nr_spans < RS_LATENCY_DIST_SLOWEST ? (unsigned int)s->slowest->nr_spans : RS_LATENCY_DIST_SLOWEST;
}

static void ask_as(struct rs_latency_panel *s, enum rs_latencies_as as, rs_client_reply *got)
{
	struct rs_latency_question q;

	rs_latency_ask(&s->of, as, &q);
	q.request.limit = RS_LATENCY_DIST_SLOWEST;
	q.request.time = s->to_ns ? (struct rs_asked_time){ rs_u(s->from_ns), rs_u(s->to_ns) } : rs_app_asked_time(s->app);
	s->nr_asked += rs_client_ask(s->machine->client, "latencies", &q.request, got, s) != 0;
}

void rs_latency_panel_ask(struct rs_latency_panel *s, uint64_t from_ns, uint64_t to_ns)
{
	if (!*s->of.kind || s->nr_asked)
		return;
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	ask_as(s, RS_LATENCIES_HISTOGRAM, got_histogram);
	ask_as(s, RS_LATENCIES_SLOWEST, got_slowest);
}

/* ---- drawing ---- */

/* The buckets to draw: from the first to the last that is not empty; `merged` of them share a bar. */
struct latency_panel_range { unsigned int first, last, merged; };

static struct latency_panel_range latency_panel_range_of(const struct rs_latency_panel *s)
{
	struct latency_panel_range r = { 0, s->nr_buckets, 1 };

	while (r.last && !s->histogram->buckets[r.last - 1].count)
		r.last--;
	while (r.first < r.last && !s->histogram->buckets[r.first].count)
		r.first++;
	r.merged += (r.last - r.first) / (LATENCY_PANEL_MAX_BARS + 1);
	return r;
}

static int nr_bars(const struct rs_latency_panel *s)
{
	struct latency_panel_range r = latency_panel_range_of(s);

	return (int)((r.last - r.first + r.merged - 1) / r.merged);
}

static struct rs_wire_bucket bar_at(const struct rs_latency_panel *s,
					 const struct latency_panel_range *r, int at)
{
	unsigned int from = r->first + (unsigned int)at * r->merged, to = from + r->merged;
	struct rs_wire_bucket bar = s->histogram->buckets[from];

	for (unsigned int i = from + 1; i < to && i < r->last; i++) {
		bar.to_ns = s->histogram->buckets[i].to_ns;
		bar.count += s->histogram->buckets[i].count;
	}
	return bar;
}

int rs_latency_panel_lines(const struct rs_latency_panel *s, int width)
{
	int bars = nr_bars(s), slow = (int)s->nr_slowest + (s->nr_slowest > 0);

	if (!*s->of.kind || !s->histogram || !s->histogram->count)
		return 0;
	return 1 + (width >= LATENCY_PANEL_BESIDE ? bars > slow ? bars : slow : bars + slow);
}

static const char *duration(char *text, uint64_t ns)
{
	text[rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1)] = '\0';
	return text;
}

static void draw_head(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area line)
{
	const struct {
		const char *name;
		struct rs_value ns;
	} sums[] = {
		{ "avg", s->histogram->avg_ns }, { "p50", s->histogram->p50_ns }, { "p95", s->histogram->p95_ns },
		{ "p99", s->histogram->p99_ns }, { "max", s->histogram->max_ns },
	};
	struct rs_buf time = RS_BUF_INIT;
	uint64_t from_ns = s->from_ns, to_ns = s->to_ns;
	char text[RS_UNIT_TEXT + 1];
	int x = line.x + 1, end = line.x + line.width;

	x += rs_put(c, line.y, x, end - x, RS_STYLE_TITLE, s->what);
	text[rs_units_put_grouped(text, s->histogram->count)] = '\0';
	if (!to_ns)
		rs_app_time_bounds(s->app, &s->app->time, &from_ns, &to_ns);
	rs_app_time_put_range(s->app, from_ns, to_ns, &time);
	x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, "  %s%s%s", text, time.len ? " in " : "", time.len ? time.data : "");
	rs_buf_done(&time);
	for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, "  %s %s", sums[i].name,
				   sums[i].ns.known ? duration(text, sums[i].ns.u) : "-");
}

static void latency_panel_draw_bars(const struct rs_latency_panel *s, struct rs_canvas *c,
				    struct rs_area area)
{
	char from[RS_UNIT_TEXT + 1], to[RS_UNIT_TEXT + 1];
	struct latency_panel_range r = latency_panel_range_of(s);
	int nr = nr_bars(s);
	uint64_t most = 1;

	for (int i = 0; i < nr; i++)
		if (bar_at(s, &r, i).count > most)
			most = bar_at(s, &r, i).count;
	for (int i = 0; i < nr && i < area.height; i++) {
		struct rs_wire_bucket bar = bar_at(s, &r, i);
		int y = area.y + i;

		rs_put_format(c, y, area.x + 1, area.width - 1, RS_STYLE_TEXT, "%7s to %7s %8llu", duration(from, bar.from_ns),
			      duration(to, bar.to_ns), (unsigned long long)bar.count);
		if (area.width > 30)
			rs_bars_put(c, (struct rs_area){ y, area.x + 29, 1, area.width - 30 }, bar.count, most);
	}
}

static void draw_slowest(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area)
{
	char len[RS_UNIT_TEXT + 1];
	struct rs_buf when = RS_BUF_INIT;

	if (area.height > 0 && s->nr_slowest)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_HEADING, "slowest, and when");
	for (unsigned int i = 0; i < s->nr_slowest && (int)i + 1 < area.height; i++) {
		const struct rs_wire_span *slow = &s->slowest->spans[i];
		int y = area.y + 1 + (int)i, x = area.x + 1, end = area.x + area.width;

		rs_buf_clear(&when);
		rs_app_moment(s->app, slow->start_ns, &when);
		x += rs_put_right(c, y, x, 7, RS_STYLE_BOLD, duration(len, slow->end_ns - slow->start_ns)) + 1;
		x += rs_put_format(c, y, x, end - x, RS_STYLE_TEXT, " at %s  %s", when.data, slow->comm ? slow->comm : "");
		if (slow->tid)
			x += rs_put_format(c, y, x, end - x, RS_STYLE_TEXT, " (%lld)", (long long)slow->tid);
		rs_put_format(c, y, x, end - x, RS_STYLE_DIM, "  %s", slow->label ? slow->label : "");
	}
	rs_buf_done(&when);
}

void rs_latency_panel_draw(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_area left = { area.y + 1, area.x, area.height - 1, area.width }, right = left;

	draw_head(s, c, (struct rs_area){ area.y, area.x, 1, area.width });
	if (area.width >= LATENCY_PANEL_BESIDE) {
		left.width = area.width / 2;
		right.x += left.width;
		right.width -= left.width;
	} else {
		int bars = nr_bars(s);

		right.y += bars;
		right.height -= bars;
		if (left.height > bars)
			left.height = bars;
	}
	latency_panel_draw_bars(s, c, left);
	draw_slowest(s, c, right);
}
