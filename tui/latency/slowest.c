// SPDX-License-Identifier: GPL-2.0-or-later
/* slowest.c - lists the slowest spans; Enter opens one on the timeline: a wait with who takes part in it */
#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/latency/latency.h"

#define MAX_SPANS 200

struct slowest {
	struct rs_latency_screen latency; /* first */
	struct rs_slowest_range range;
};

static void slowest_on_answer(void *screen, const struct rs_reply *reply)
{
	struct rs_latency_screen *s = screen;

	if (!rs_app_refused(s->screen.app, reply))
		rs_list_fit(&s->list, ((const struct rs_latencies_reply *)reply->message)->nr_spans,
			    s->list.height);
}

/* Asks only once: the user goes through the list row by row, so it must not change. */
static void slowest_ask(struct rs_screen *screen)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;
	const struct rs_slowest_range *range = &((struct slowest *)s)->range;
	struct rs_latency_question q;

	if (s->question.answer && s->filter_changes == screen->app->filter.changes)
		return;
	rs_latency_ask(&s->of, RS_LATENCIES_SLOWEST, &q);
	q.request.time = range->to_ns ? (struct rs_asked_time){ rs_u(range->from_ns), rs_u(range->to_ns) } :
			 rs_latency_asked_time(screen->app, &s->of);
	q.request.limit = MAX_SPANS;
	q.request.min_ns = range->min_ns;
	q.request.max_ns = range->max_ns;
	rs_latency_screen_send(s, &q.request);
}

static const struct rs_wire_span *slowest_span(const struct rs_latency_screen *s, size_t at)
{
	return at < s->list.nr ? &((const struct rs_latencies_reply *)s->question.answer)->spans[at] : NULL;
}

static void draw_one(const struct rs_latency_screen *l, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct rs_wire_span *s = slowest_span(l, at);
	enum rs_style_id style_id = at == l->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	struct rs_buf text = RS_BUF_INIT;
	char length[RS_SCREEN_TEXT + 2] = ">=";

	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_screen_duration(s->end_ns - s->start_ns, length + 2);
	rs_put_right(c, line.y, line.x, 9, style_id, s->longer ? length : length + 2);
	rs_app_moment(l->screen.app, s->start_ns, &text);
	rs_put_right(c, line.y, line.x + 10, 18, style_id, text.data);
	if (s->tid)
		rs_put_format(c, line.y, line.x + 30, 24, style_id, "%s %lld", s->comm ? s->comm : "-",
			      (long long)s->tid);
	else
		rs_put(c, line.y, line.x + 30, 24, style_id, "-");
	rs_put_format(c, line.y, line.x + 55, line.width - 55, style_id, "%s%s%s", s->label ? s->label : "",
		      s->on ? " on " : "", s->on ? s->on : "");
	rs_buf_done(&text);
}

static void slowest_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;
	int height = area.height > 1 ? area.height - 1 : 1;

	rs_list_fit(&s->list, s->list.nr, (size_t)height);
	rs_put_padded(c, area.y, area.x, area.width, RS_STYLE_HEADING,
		      "   LENGTH              BEGAN  THREAD                   WHAT");
	if (!s->list.nr)
		rs_latency_screen_draw_empty(s, c, area, "no longer in the window");
	for (size_t i = s->list.top; i < s->list.nr && i < s->list.top + (size_t)height; i++)
		draw_one(s, c, (struct rs_area){ area.y + 1 + (int)(i - s->list.top), area.x, 1, area.width },
			 i);
}

/* ---- keys ---- */

enum { OPEN = 1 };

const struct rs_key rs_slowest_keys[] = {
	{ { RS_KEY_ENTER, 't' }, OPEN, "Timeline", "this one on the timeline, with all that take part in it",
	  RS_KEY_SELECTION },
	{ .help = NULL },
};

/* A request or an interrupt names a task, too, that did not wait for all of it. */
static bool slowest_is_of_task(const struct rs_screen *screen, const struct rs_wire_span *at)
{
	const struct rs_catalogue_kind *kind =
		rs_catalogue_kind(rs_client_catalogue(screen->machine->client), at->kind);

	return kind && kind->track == RS_TRACK_TASK;
}

static bool slowest_get_selection(struct rs_screen *screen, struct rs_screen_selection *out)
{
	const struct rs_latency_screen *s = (const struct rs_latency_screen *)screen;
	const struct rs_wire_span *at = slowest_span(s, s->list.at);

	*out = (struct rs_screen_selection){ .column = -1 };
	if (at && slowest_is_of_task(screen, at) &&
	    rs_selection_set_wait(out, at->comm, at->pid, at->tid, at->start_ns, at->end_ns))
		return true;
	if (at)
		rs_selection_add_task(&out->keys, at->comm, at->pid, at->tid);
	return out->keys.nr > 0;
}

static bool slowest_run_action(struct rs_screen *screen, int action, const struct rs_key_event *key)
{
	const struct rs_latency_screen *s = (const struct rs_latency_screen *)screen;
	const struct rs_wire_span *at = slowest_span(s, s->list.at);
	struct rs_screen_selection of;

	if (slowest_get_selection(screen, &of) && of.is_wait)
		rs_app_push(screen->app, rs_timeline_open(screen->app, &of));
	else if (at)
		rs_app_push(screen->app, rs_timeline_open_at(screen->app, at->track, at->shape, at->kind,
							     at->start_ns, at->end_ns, at->pid));
	return true;
}

static bool slowest_handle_key(struct rs_screen *s, const struct rs_key_event *event)
{
	bool known = rs_latency_screen_key((struct rs_latency_screen *)s, event, 1);

	if (event->key == RS_KEY_MOUSE_DOUBLE)
		slowest_run_action(s, OPEN, event);
	return known;
}

static const struct rs_screen_ops ops = {
	.name = "longest",
	.keys = rs_slowest_keys,
	.ask = slowest_ask,
	.draw = slowest_draw,
	.act = slowest_run_action,
	.key = slowest_handle_key,
	.selection = slowest_get_selection,
	.filtered = rs_latency_screen_filtered,
	.free = rs_latency_screen_free,
};

struct rs_screen *rs_slowest_new(struct rs_app *app, const struct rs_latency_of *of,
				 const struct rs_slowest_range *range)
{
	struct slowest *s = rs_latency_screen_new(app, &ops, sizeof *s, of, slowest_on_answer);

	if (s)
		s->range = *range;
	return s ? &s->latency.screen : NULL;
}
