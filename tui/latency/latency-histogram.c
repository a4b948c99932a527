// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency-histogram.c - the latency distribution of a kind of spans, a bar for each power of two: as a
 * screen, and as a panel of the details
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/toolkit/chart.h"
#include "tui/app/markdown.h"
#include "tui/latency/latency-command.h"

#define HEAD_LINES 2

struct latency_sum {
	const char *name;
	struct rs_value ns;
};

#define NR_SUMS 5

static void latency_sums(const struct rs_latencies_reply *a, struct latency_sum sums[NR_SUMS])
{
	const struct latency_sum all[NR_SUMS] = {
		{ "avg", a->avg_ns }, { "p50", a->p50_ns }, { "p95", a->p95_ns }, { "p99", a->p99_ns },
		{ "max", a->max_ns },
	};

	memcpy(sums, all, sizeof all);
}

/* ---- the screen ---- */

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

/* "1234   avg 1.2ms   p50 ..." */
static void histogram_put_numbers(const struct rs_latencies_reply *a, struct rs_buf *out)
{
	struct latency_sum sums[NR_SUMS];
	char length[RS_SCREEN_TEXT];

	latency_sums(a, sums);
	rs_buf_printf(out, "%llu", (unsigned long long)a->count);
	for (int i = 0; i < NR_SUMS && a->count; i++)
		if (sums[i].ns.known)
			rs_buf_printf(out, "   %s %s", sums[i].name,
				      rs_screen_duration(sums[i].ns.u, length));
}

/* Below the kinds: how many of this one, and how long. */
static void draw_numbers(const struct rs_latencies_reply *a, struct rs_canvas *c, struct rs_area area)
{
	struct rs_buf text = RS_BUF_INIT;

	histogram_put_numbers(a, &text);
	rs_put(c, area.y, area.x + 2, area.width - 2, RS_STYLE_BOLD, text.data);
	rs_buf_done(&text);
}

static void histogram_draw_bucket(const struct rs_latency_screen *s, struct rs_canvas *c, struct rs_area line,
				  size_t at, uint64_t most)
{
	const struct rs_wire_bucket *b = &((const struct rs_latencies_reply *)s->question.answer)
						  ->buckets[at];
	char from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT], text[128];

	snprintf(text, sizeof text, "%8s .. %-8s %10llu ", rs_screen_duration(b->from_ns, from),
		 rs_screen_duration(b->to_ns, to), (unsigned long long)b->count);
	rs_put_padded(c, line.y, line.x, 33, at == s->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT, text);
	rs_chart_bars_put(c, (struct rs_area){ line.y, line.x + 34, 1, line.width - 35 }, RS_STYLE_SLEEP,
			  b->count, most);
}

static void histogram_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;
	const struct rs_latencies_reply *a = s->question.answer;
	int height = area.height > HEAD_LINES + 1 ? area.height - HEAD_LINES : 1;
	uint64_t most = 1;

	rs_list_fit(&s->list, s->list.nr, (size_t)height);
	rs_latency_screen_draw_kinds(s, c, (struct rs_area){ area.y, area.x, 1, area.width });
	if (!s->list.nr) {
		rs_latency_screen_draw_empty(s, c, area, "no spans ended in this time");
		return;
	}
	draw_numbers(a, c, (struct rs_area){ area.y + 1, area.x, 1, area.width });
	for (size_t i = 0; i < s->list.nr; i++)
		most = a->buckets[i].count > most ? a->buckets[i].count : most;
	for (size_t i = s->list.top; i < s->list.nr && i < s->list.top + (size_t)height; i++)
		histogram_draw_bucket(s, c,
				      (struct rs_area){ area.y + HEAD_LINES + (int)(i - s->list.top), area.x,
							1, area.width },
				      i, most);
}

/* ---- keys ---- */

enum { OPEN = 1, HEAT, ALL };

const struct rs_key rs_histogram_keys[] = {
	{ { RS_KEY_ENTER }, OPEN, "Spans", "the longest spans in this bar", RS_KEY_SELECTION },
	{ { '0' }, ALL, "All", "the longest of all" },
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
		range = (struct rs_slowest_range){ a->buckets[s->list.at].from_ns,
						   a->buckets[s->list.at].to_ns, 0, 0 };
	rs_app_push(screen->app, action == HEAT ? rs_heat_map_new(screen->app, &s->of, true) :
						  rs_slowest_new(screen->app, &s->of, &range));
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

/* All buckets, the sums of them, and the command that prints the distribution. */
static void histogram_copy(struct rs_screen *screen, struct rs_buf *out)
{
	const struct rs_latency_screen *s = (const struct rs_latency_screen *)screen;
	const struct rs_latencies_reply *a = s->question.answer;
	struct rs_asked_time time = rs_latency_asked_time(screen->app, &s->of);
	char from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT];
	struct rs_buf title = RS_BUF_INIT;

	if (!a || !a->nr_buckets)
		return;
	histogram_put_title(screen, &title);
	rs_buf_puts(out, "**");
	rs_markdown_text(out, title.data ? title.data : "");
	rs_buf_puts(out, "**\n\n| FROM | TO | COUNT |\n| ---: | ---: | ---: |\n");
	for (size_t i = 0; i < a->nr_buckets; i++)
		rs_buf_printf(out, "| %s | %s | %llu |\n", rs_screen_duration(a->buckets[i].from_ns, from),
			      rs_screen_duration(a->buckets[i].to_ns, to),
			      (unsigned long long)a->buckets[i].count);
	rs_buf_puts(out, "\n");
	histogram_put_numbers(a, out);
	rs_buf_puts(out, "\n");
	rs_latency_put_command(screen->machine, &s->of, &time, false, out);
	rs_buf_done(&title);
}

static const struct rs_screen_ops ops = {
	.name = "histogram",
	.copy = histogram_copy,
	.keys = rs_histogram_keys,
	.ask = histogram_ask,
	.draw = histogram_draw,
	.act = histogram_run_action,
	.key = histogram_handle_key,
	.title = histogram_put_title,
	.filtered = rs_latency_screen_filtered,
	.free = rs_latency_screen_free,
	.help_text = "The first line has the kinds of spans that there are, and how many; Tab goes "
		     "through them, what cost most first.\n"
		     "A bar for each power of two, and the quantiles of what ended in the time that is shown "
		     "(live: in the last half minute; } and { make that longer and shorter). What is still "
		     "open is in none.\n",
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

/* ---- the panel of the details ---- */

#define LATENCY_PANEL_BESIDE 100        /* from this width on the slowest spans are beside the histogram */
#define LATENCY_PANEL_MAX_BARS 12

#define LATENCY_PANEL_SLOWEST 10

static const struct rs_latencies_reply no_spans;

void rs_latency_panel_init(struct rs_latency_panel *s, struct rs_app *app,
			   const struct rs_screen_selection *selection)
{
	const struct rs_question question = { .machine = app->machine };
	struct rs_buf what = RS_BUF_INIT;

	*s = (struct rs_latency_panel){ .app = app, .histogram = question, .slowest = question };
	rs_latency_of_row(rs_client_catalogue(app->machine->client), selection, &s->of, &what);
	snprintf(s->what, sizeof s->what, "%s", what.data);
	rs_buf_done(&what);
}

void rs_latency_panel_done(struct rs_latency_panel *s)
{
	rs_question_done(&s->histogram);
	rs_question_done(&s->slowest);
}

static const struct rs_latencies_reply *answer_of(const struct rs_question *q)
{
	return q->answer ? q->answer : &no_spans;
}

static int nr_slowest(const struct rs_latency_panel *s)
{
	size_t nr = answer_of(&s->slowest)->nr_spans;

	return (int)(nr < LATENCY_PANEL_SLOWEST ? nr : LATENCY_PANEL_SLOWEST);
}

static void ask_as(struct rs_latency_panel *s, struct rs_question *question, enum rs_latencies_as as)
{
	struct rs_latency_question q;

	rs_latency_ask(&s->of, as, &q);
	q.request.limit = LATENCY_PANEL_SLOWEST;
	q.request.time = s->to_ns ? (struct rs_asked_time){ rs_u(s->from_ns), rs_u(s->to_ns) } :
				    rs_app_asked_time(s->app);
	rs_question_ask(question, "latencies", &q.request);
}

void rs_latency_panel_ask(struct rs_latency_panel *s, uint64_t from_ns, uint64_t to_ns)
{
	if (!*s->of.kind || s->histogram.asked || s->slowest.asked)
		return;
	s->from_ns = from_ns;
	s->to_ns = to_ns;
	ask_as(s, &s->histogram, RS_LATENCIES_HISTOGRAM);
	ask_as(s, &s->slowest, RS_LATENCIES_SLOWEST);
}

/* ---- drawing ---- */

/* The buckets to draw: from the first to the last that is not empty; `merged` of them share a bar. */
struct latency_panel_range { unsigned int first, last, merged; };

static struct latency_panel_range latency_panel_range_of(const struct rs_latency_panel *s)
{
	const struct rs_latencies_reply *a = answer_of(&s->histogram);
	struct latency_panel_range r = { 0, (unsigned int)a->nr_buckets, 1 };

	while (r.last && !a->buckets[r.last - 1].count)
		r.last--;
	while (r.first < r.last && !a->buckets[r.first].count)
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
	const struct rs_wire_bucket *buckets = answer_of(&s->histogram)->buckets;
	struct rs_wire_bucket bar = buckets[from];

	for (unsigned int i = from + 1; i < to && i < r->last; i++) {
		bar.to_ns = buckets[i].to_ns;
		bar.count += buckets[i].count;
	}
	return bar;
}

int rs_latency_panel_lines(const struct rs_latency_panel *s, int width)
{
	int bars = nr_bars(s), slow = nr_slowest(s) + (nr_slowest(s) > 0);

	if (!*s->of.kind || !answer_of(&s->histogram)->count)
		return 0;
	return 1 + (width >= LATENCY_PANEL_BESIDE ? bars > slow ? bars : slow : bars + slow);
}

static void draw_head(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_latencies_reply *a = answer_of(&s->histogram);
	struct latency_sum sums[NR_SUMS];
	struct rs_buf time = RS_BUF_INIT;
	uint64_t from_ns = s->from_ns, to_ns = s->to_ns;
	char text[RS_SCREEN_TEXT];
	int x = line.x + 1, end = line.x + line.width;

	x += rs_put(c, line.y, x, end - x, RS_STYLE_TITLE, s->what);
	if (!to_ns)
		rs_app_time_bounds(s->app, &s->app->time, &from_ns, &to_ns);
	rs_app_time_put_range(s->app, from_ns, to_ns, &time);
	x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, "  %s%s%s",
			   rs_screen_grouped(a->count, text), time.len ? " in " : "",
			   time.len ? time.data : "");
	rs_buf_done(&time);
	latency_sums(a, sums);
	for (int i = 0; i < NR_SUMS; i++)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_TEXT, "  %s %s", sums[i].name,
				   sums[i].ns.known ? rs_screen_duration(sums[i].ns.u, text) : "-");
}

static void latency_panel_draw_bars(const struct rs_latency_panel *s, struct rs_canvas *c,
				    struct rs_area area)
{
	char from[RS_SCREEN_TEXT], to[RS_SCREEN_TEXT];
	struct latency_panel_range r = latency_panel_range_of(s);
	int nr = nr_bars(s);
	uint64_t most = 1;

	for (int i = 0; i < nr; i++)
		if (bar_at(s, &r, i).count > most)
			most = bar_at(s, &r, i).count;
	for (int i = 0; i < nr && i < area.height; i++) {
		struct rs_wire_bucket bar = bar_at(s, &r, i);
		int y = area.y + i;

		rs_put_format(c, y, area.x + 1, area.width - 1, RS_STYLE_TEXT, "%7s to %7s %8llu",
			      rs_screen_duration(bar.from_ns, from), rs_screen_duration(bar.to_ns, to),
			      (unsigned long long)bar.count);
		if (area.width > 30)
			rs_chart_bars_put(c, (struct rs_area){ y, area.x + 29, 1, area.width - 30 },
					  RS_STYLE_RUN, bar.count, most);
	}
}

static void draw_slowest(const struct rs_latency_panel *s, struct rs_canvas *c, struct rs_area area)
{
	char len[RS_SCREEN_TEXT];
	struct rs_buf when = RS_BUF_INIT;
	int nr = nr_slowest(s);

	if (area.height > 0 && nr)
		rs_put(c, area.y, area.x + 1, area.width - 1, RS_STYLE_HEADING, "slowest, and when");
	for (int i = 0; i < nr && i + 1 < area.height; i++) {
		const struct rs_wire_span *slow = &answer_of(&s->slowest)->spans[i];
		int y = area.y + 1 + i, x = area.x + 1, end = area.x + area.width;

		rs_buf_clear(&when);
		rs_app_moment(s->app, slow->start_ns, &when);
		x += rs_put_right(c, y, x, 7, RS_STYLE_BOLD,
				  rs_screen_duration(slow->end_ns - slow->start_ns, len)) +
		     1;
		x += rs_put_format(c, y, x, end - x, RS_STYLE_TEXT, " at %s  %s", when.data,
				   slow->comm ? slow->comm : "");
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
