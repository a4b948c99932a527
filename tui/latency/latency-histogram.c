// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-histogram.c - the latency distribution of a kind of spans: a bar for each power of two */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/latency/latency.h"

#define HEAD_LINES 2

struct histogram {
	struct rs_screen screen; /* first */
	struct rs_latency_of of;
	bool asked;
	uint64_t asked_ns;
	const struct rs_latencies_reply *answer; /* the last answer */
	struct rs_list list;
};

static const char *const names[5] = { "avg", "p50", "p95", "p99", "max" };

/* ---- asking ---- */

static void histogram_on_answer(void *arg, const struct rs_reply *reply)
{
	struct histogram *h = arg;
	const struct rs_latencies_reply *before = h->answer;

	h->asked = false;
	if (rs_app_refused(h->screen.app, reply))
		return;
	h->answer = rs_client_keep(h->screen.machine->client, reply);
	rs_list_fit(&h->list, h->answer->nr_buckets, h->list.height);
	if (!before && h->answer->nr_buckets) /* the user looks for the slowest first */
		rs_list_to(&h->list, h->answer->nr_buckets - 1);
	rs_message_drop(before);
	rs_app_redraw(h->screen.app);
}

static void histogram_ask(struct rs_screen *s)
{
	struct histogram *h = (struct histogram *)s;
	struct rs_latency_question q;

	if (h->asked || !rs_latency_is_due(s->app, &h->of, &h->asked_ns))
		return;
	rs_latency_ask(&h->of, RS_LATENCIES_HISTOGRAM, &q);
	q.request.time = rs_latency_asked_time(s->app, &h->of);
	h->asked = rs_client_ask(s->machine->client, "latencies", &q.request, histogram_on_answer, h) != 0;
}

/* ---- drawing ---- */

static void draw_numbers(const struct histogram *h, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_latencies_reply *a = h->answer;
	const struct rs_value numbers[5] = { a->avg_ns, a->p50_ns, a->p95_ns, a->p99_ns, a->max_ns };
	struct rs_buf text = RS_BUF_INIT;
	char length[48];

	rs_buf_printf(&text, "%llu", (unsigned long long)a->count);
	for (int i = 0; i < 5 && a->count; i++)
		if (numbers[i].known) {
			rs_axis_length(numbers[i].u, length);
			rs_buf_printf(&text, "   %s %s", names[i], length);
		}
	rs_put(c, area.y, area.x + 2, area.width - 2, RS_STYLE_BOLD, text.data);
	rs_buf_done(&text);
}

static void histogram_draw_bar(struct rs_canvas *c, int y, int x, int width, uint64_t nr, uint64_t most)
{
	uint64_t eighths = most ? (uint64_t)((unsigned __int128)nr * (uint64_t)width * 8 / most) : 0;

	if (nr && !eighths)
		eighths = 1;
	for (int i = 0; i < width && eighths; i++) {
		rs_put_glyph(c, y, x + i, RS_STYLE_SLEEP, RS_GLYPH_BAR + (eighths > 8 ? 8 : (unsigned int)eighths));
		eighths -= eighths > 8 ? 8 : eighths;
	}
}

static void histogram_draw_bucket(const struct histogram *h, struct rs_canvas *c, struct rs_area line, size_t at, uint64_t most)
{
	const struct rs_wire_bucket *b = &h->answer->buckets[at];
	enum rs_style_id style_id = at == h->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	char from[48], to[48], text[128];

	rs_axis_length(b->from_ns, from);
	rs_axis_length(b->to_ns, to);
	snprintf(text, sizeof text, "%8s .. %-8s %10llu ", from, to, (unsigned long long)b->count);
	rs_put_padded(c, line.y, line.x, 33, style_id, text);
	histogram_draw_bar(c, line.y, line.x + 34, line.width - 35, b->count, most);
}

static void histogram_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct histogram *h = (struct histogram *)s;
	uint64_t most = 0;
	int height = area.height > HEAD_LINES + 1 ? area.height - HEAD_LINES : 1;

	rs_list_fit(&h->list, h->list.nr, (size_t)height);
	if (!h->answer || !h->list.nr) {
		rs_put(c, area.y + 1, area.x + 2, area.width - 2, RS_STYLE_DIM,
		       h->answer ? "no spans ended in this time" : "...");
		return;
	}
	draw_numbers(h, c, area);
	for (size_t i = 0; i < h->list.nr; i++)
		most = h->answer->buckets[i].count > most ? h->answer->buckets[i].count : most;
	for (size_t i = h->list.top; i < h->list.nr && i < h->list.top + (size_t)height; i++)
		histogram_draw_bucket(h, c, (struct rs_area){ area.y + HEAD_LINES + (int)(i - h->list.top), area.x, 1, area.width },
				      i, most);
}

/* ---- keys ---- */

enum { OPEN = 1, HEAT, ALL, KIND, SHORTER, LONGER };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Spans", "the longest spans in this bar" },
	{ { 'a' }, ALL, "Longest", "the longest of all" },
	{ { 'H' }, HEAT, "Heat map", "the same over time" },
	{ { RS_KEY_TAB }, KIND, "Kind", "another kind of span" },
	{ { '{' }, SHORTER, NULL, "live: half as much of the past" },
	{ { '}' }, LONGER, NULL, "live: twice as much, up to the whole window" },
	{ .help = NULL },
};

static bool histogram_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct histogram *h = (struct histogram *)s;
	struct rs_slowest_range range = { .max_ns = UINT64_MAX };

	(void)key;
	switch (action) {
	case OPEN:
		if (!h->list.nr)
			return true;
		range.min_ns = h->answer->buckets[h->list.at].from_ns;
		range.max_ns = h->answer->buckets[h->list.at].to_ns;
		/* fall through */
	case ALL:
		rs_app_push(s->app, rs_slowest_new(s->app, &h->of, &range));
		return true;
	case HEAT:
		rs_app_push(s->app, rs_heat_map_new(s->app, &h->of, true));
		return true;
	case KIND:
		if (rs_latency_next_kind(s->app, &h->of)) {
			rs_message_drop(h->answer);
			h->answer = NULL;
			h->list.nr = 0;
			h->asked_ns = 0;
			rs_app_refresh(s->app);
		}
		return true;
	case SHORTER: case LONGER:
		if (!rs_latency_zoom(s->app, &h->of, action == LONGER))
			return false;
		h->asked_ns = 0;
		rs_app_refresh(s->app);
		return true;
	}
	return false;
}

static bool histogram_handle_key(struct rs_screen *s, const struct rs_key_event *event)
{
	struct histogram *h = (struct histogram *)s;

	if (event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE) {
		if (event->y >= HEAD_LINES && (size_t)(event->y - HEAD_LINES) + h->list.top < h->list.nr)
			rs_list_to(&h->list, (size_t)(event->y - HEAD_LINES) + h->list.top);
	} else if (!rs_list_key(&h->list, event->key)) {
		return false;
	}
	rs_app_redraw(s->app);
	return true;
}

static void histogram_put_title(struct rs_screen *s, struct rs_buf *out)
{
	rs_latency_title(&((struct histogram *)s)->of, out);
	rs_latency_put_range(s->app, &((struct histogram *)s)->of, out);
}

static void histogram_put_help(struct rs_screen *s, struct rs_buf *out)
{
	(void)s;
	rs_buf_puts(out, "A bar for each power of two, and the quantiles of what ended in the time that is shown "
		    "(live: in the last half minute; } and { make that longer and shorter). What is still open is in none.\n");
}

static void histogram_free_screen(struct rs_screen *s)
{
	rs_message_drop(((struct histogram *)s)->answer);
	free(s);
}

static const struct rs_screen_ops ops = {
	.name = "histogram", .keys = keys, .ask = histogram_ask, .draw = histogram_draw,
	.act = histogram_run_action, .key = histogram_handle_key, .title = histogram_put_title,
	.help = histogram_put_help, .free = histogram_free_screen,
};

struct rs_screen *rs_latency_histogram_new(struct rs_app *app, const struct rs_latency_of *of)
{
	struct histogram *h = calloc(1, sizeof *h);

	if (!h) {
		rs_app_say(app, RS_STYLE_BAD, "out of memory");
		return NULL;
	}
	h->screen = rs_app_screen_of(app, &ops);
	h->of = *of;
	return &h->screen;
}

struct rs_screen *rs_latency_histogram_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_latency_of of;

	return rs_latency_of_selection(app, selection, &of) ? rs_latency_histogram_new(app, &of) : NULL;
}
