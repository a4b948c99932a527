// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-histogram.c - the latency distribution of a kind of spans: a bar for each power of two */
#include <stdio.h>

#include "tui/latency/latency.h"
#include "tui/toolkit/bars.h"

#define HEAD_LINES 2

static const char *const names[5] = { "avg", "p50", "p95", "p99", "max" };

static void histogram_on_answer(void *screen, const struct rs_reply *reply)
{
	struct rs_latency_screen *s = screen;
	const struct rs_latencies_reply *a = reply->message;

	if (rs_app_refused(s->screen.app, reply))
		return;
	rs_list_fit(&s->list, a->nr_buckets, s->list.height);
	if (s->question.is_first && a->nr_buckets) /* the user looks for the slowest first */
		rs_list_to(&s->list, a->nr_buckets - 1);
}

static void histogram_ask(struct rs_screen *s)
{
	rs_latency_screen_ask((struct rs_latency_screen *)s, RS_LATENCIES_HISTOGRAM, 0);
}

/* ---- drawing ---- */

static void draw_numbers(const struct rs_latencies_reply *a, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_value numbers[5] = { a->avg_ns, a->p50_ns, a->p95_ns, a->p99_ns, a->max_ns };
	struct rs_buf text = RS_BUF_INIT;
	char length[RS_SCREEN_TEXT];

	rs_buf_printf(&text, "%llu", (unsigned long long)a->count);
	for (int i = 0; i < 5 && a->count; i++)
		if (numbers[i].known)
			rs_buf_printf(&text, "   %s %s", names[i], rs_screen_duration(numbers[i].u, length));
	rs_put(c, area.y, area.x + 2, area.width - 2, RS_STYLE_BOLD, text.data);
	rs_buf_done(&text);
}

static void histogram_draw_bucket(const struct rs_latency_screen *s, struct rs_canvas *c, struct rs_area line, size_t at, uint64_t most)
{
	const struct rs_wire_bucket *b = &((const struct rs_latencies_reply *)s->question.answer)->buckets[at];
	char from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT], text[128];

	snprintf(text, sizeof text, "%8s .. %-8s %10llu ", rs_screen_duration(b->from_ns, from), rs_screen_duration(b->to_ns, to),
		 (unsigned long long)b->count);
	rs_put_padded(c, line.y, line.x, 33, at == s->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT, text);
	rs_bars_put(c, (struct rs_area){ line.y, line.x + 34, 1, line.width - 35 }, RS_STYLE_SLEEP, b->count, most);
}

static void histogram_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;
	const struct rs_latencies_reply *a = s->question.answer;
	int height = area.height > HEAD_LINES + 1 ? area.height - HEAD_LINES : 1;
	uint64_t most = 1;

	rs_list_fit(&s->list, s->list.nr, (size_t)height);
	if (!s->list.nr) {
		rs_latency_screen_draw_empty(s, c, area, "no spans ended in this time");
		return;
	}
	draw_numbers(a, c, area);
	for (size_t i = 0; i < s->list.nr; i++)
		most = a->buckets[i].count > most ? a->buckets[i].count : most;
	for (size_t i = s->list.top; i < s->list.nr && i < s->list.top + (size_t)height; i++)
		histogram_draw_bucket(s, c, (struct rs_area){ area.y + HEAD_LINES + (int)(i - s->list.top), area.x, 1, area.width },
				      i, most);
}

/* ---- keys ---- */

enum { OPEN = 1, HEAT, ALL };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Spans", "the longest spans in this bar" },
	{ { 'a' }, ALL, "Longest", "the longest of all" },
	{ { 'H' }, HEAT, "Heat map", "the same over time" },
	RS_LATENCY_KEYS
};

static bool histogram_run_action(struct rs_screen *screen, int action, const struct rs_key_event *key)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;
	const struct rs_latencies_reply *a = s->question.answer;
	struct rs_slowest_range range = { .max_ns = UINT64_MAX };

	if (action >= RS_LATENCY_KIND)
		return rs_latency_screen_act(s, action);
	if (action == OPEN && !s->list.nr)
		return true;
	if (action == OPEN)
		range = (struct rs_slowest_range){ a->buckets[s->list.at].from_ns, a->buckets[s->list.at].to_ns, 0, 0 };
	rs_app_push(screen->app, action == HEAT ? rs_heat_map_new(screen->app, &s->of, true) : rs_slowest_new(screen->app, &s->of, &range));
	return true;
}

static bool histogram_handle_key(struct rs_screen *s, const struct rs_key_event *event)
{
	return rs_latency_screen_key((struct rs_latency_screen *)s, event, HEAD_LINES);
}

static void histogram_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_latency_of *of = &((struct rs_latency_screen *)s)->of;

	rs_latency_title(of, out);
	rs_latency_put_range(s->app, of, out);
}

static const struct rs_screen_ops ops = {
	.name = "histogram", .keys = keys, .ask = histogram_ask, .draw = histogram_draw,
	.act = histogram_run_action, .key = histogram_handle_key, .title = histogram_put_title, .free = rs_latency_screen_free,
	.help_text = "A bar for each power of two, and the quantiles of what ended in the time that is shown "
		 "(live: in the last half minute; } and { make that longer and shorter). What is still open is in none.\n",
};

struct rs_screen *rs_latency_histogram_new(struct rs_app *app, const struct rs_latency_of *of)
{
	return rs_latency_screen_new(app, &ops, sizeof(struct rs_latency_screen), of, histogram_on_answer);
}

struct rs_screen *rs_latency_histogram_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_latency_of of;

	return rs_latency_of_selection(app, selection, &of) ? rs_latency_histogram_new(app, &of) : NULL;
}
