// SPDX-License-Identifier: GPL-2.0-or-later
/* slowest.c - lists the slowest spans; Enter opens one on the timeline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "tui/latency/latency.h"
#include "tui/timeline/timeline-screen.h"

#define MAX_SPANS 200

struct slowest {
	struct rs_screen screen; /* first */
	struct rs_latency_of of;
	struct rs_slowest_range range;
	bool asked;
	const struct rs_latencies_reply *answer;
	struct rs_list list;
};

static void slowest_on_answer(void *arg, const struct rs_reply *reply)
{
	struct slowest *l = arg;

	l->asked = false;
	if (rs_app_refused(l->screen.app, reply))
		return;
	l->answer = rs_client_keep(l->screen.machine->client, reply);
	rs_list_fit(&l->list, l->answer->nr_spans, l->list.height);
	rs_app_redraw(l->screen.app);
}

/* Asks only once: the user goes through the list row by row, so it must not change. */
static void slowest_ask(struct rs_screen *s)
{
	struct slowest *l = (struct slowest *)s;
	struct rs_latency_question q;

	if (l->asked || l->answer)
		return;
	rs_latency_ask(&l->of, RS_LATENCIES_SLOWEST, &q);
	q.request.time = l->range.to_ns ? (struct rs_asked_time){ rs_u(l->range.from_ns), rs_u(l->range.to_ns) } :
			 rs_latency_asked_time(s->app, &l->of);
	q.request.limit = MAX_SPANS;
	q.request.min_ns = l->range.min_ns;
	q.request.max_ns = l->range.max_ns;
	l->asked = rs_client_ask(s->machine->client, "latencies", &q.request, slowest_on_answer, l) != 0;
}

static void draw_one(const struct slowest *l, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct rs_wire_span *s = &l->answer->spans[at];
	enum rs_style_id style_id = at == l->list.at ? RS_STYLE_SELECTED : RS_STYLE_TEXT;
	struct rs_buf text = RS_BUF_INIT;
	char length[48];

	rs_axis_length(s->end_ns - s->start_ns, length);
	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_put_right(c, line.y, line.x, 9, style_id, length);
	rs_app_moment(l->screen.app, s->start_ns, &text);
	rs_put_right(c, line.y, line.x + 10, 18, style_id, text.data);
	rs_buf_clear(&text);
	if (s->tid)
		rs_buf_printf(&text, "%s %lld", s->comm ? s->comm : "-", (long long)s->tid);
	else
		rs_buf_puts(&text, "-");
	rs_put(c, line.y, line.x + 30, 24, style_id, text.data);
	rs_put_format(c, line.y, line.x + 55, line.width - 55, style_id, "%s%s%s", s->label ? s->label : "", s->on ? " on " : "", s->on ? s->on : "");
	rs_buf_done(&text);
}

static void slowest_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct slowest *l = (struct slowest *)s;
	int height = area.height > 1 ? area.height - 1 : 1;

	rs_list_fit(&l->list, l->list.nr, (size_t)height);
	rs_put_padded(c, area.y, area.x, area.width, RS_STYLE_HEADING, "");
	rs_put(c, area.y, area.x, area.width, RS_STYLE_HEADING,
	       "   LENGTH              BEGAN  THREAD                   WHAT");
	if (!l->list.nr)
		rs_put(c, area.y + 1, area.x + 2, area.width - 2, RS_STYLE_DIM,
		       l->answer ? "no longer in the window" : "...");
	for (size_t i = l->list.top; i < l->list.nr && i < l->list.top + (size_t)height; i++)
		draw_one(l, c, (struct rs_area){ area.y + 1 + (int)(i - l->list.top), area.x, 1, area.width }, i);
}

/* ---- keys ---- */

enum { OPEN = 1, DETAILS };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER, 't' }, OPEN, "Timeline", "that moment on the timeline" },
	{ { 'i' }, DETAILS, "Task", "details of its task" },
	{ .help = NULL },
};

static bool slowest_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct slowest *l = (const struct slowest *)s;
	const struct rs_wire_span *at = l->list.at < l->list.nr ? &l->answer->spans[l->list.at] : NULL;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (at && (at->pid || at->tid))
		rs_selection_add_task(&out->keys, at->comm ? at->comm : "", at->pid, at->tid);
	return out->keys.nr > 0;
}

static bool slowest_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct slowest *l = (struct slowest *)s;
	const struct rs_wire_span *at;
	struct rs_screen_selection of;

	(void)key;
	if (l->list.at >= l->list.nr)
		return true;
	at = &l->answer->spans[l->list.at];
	if (action == OPEN)
		rs_app_push(s->app, rs_timeline_open_at(s->app, at->track, at->shape, at->kind, at->start_ns,
							at->end_ns, at->pid));
	else if (slowest_get_selection(s, &of))
		rs_app_push(s->app, rs_details_new(s->app, &of));
	return true;
}

static bool slowest_handle_key(struct rs_screen *s, const struct rs_key_event *event)
{
	struct slowest *l = (struct slowest *)s;

	if (event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE) {
		if (event->y >= 1 && (size_t)(event->y - 1) + l->list.top < l->list.nr)
			rs_list_to(&l->list, (size_t)(event->y - 1) + l->list.top);
		if (event->key == RS_KEY_MOUSE_DOUBLE)
			slowest_run_action(s, OPEN, event);
	} else if (!rs_list_key(&l->list, event->key)) {
		return false;
	}
	rs_app_redraw(s->app);
	return true;
}

static void slowest_put_title(struct rs_screen *s, struct rs_buf *out)
{
	(void)s;
	rs_buf_puts(out, "longest");
}

static void slowest_free_screen(struct rs_screen *s)
{
	rs_message_drop(((struct slowest *)s)->answer);
	free(s);
}

static const struct rs_screen_ops ops = {
	.name = "longest", .keys = keys, .ask = slowest_ask, .draw = slowest_draw, .act = slowest_run_action,
	.key = slowest_handle_key, .title = slowest_put_title,
	.selection = slowest_get_selection, .free = slowest_free_screen,
};

struct rs_screen *rs_slowest_new(struct rs_app *app, const struct rs_latency_of *of,
				 const struct rs_slowest_range *range)
{
	struct slowest *l = calloc(1, sizeof *l);

	if (!l) {
		rs_app_say(app, RS_STYLE_BAD, "out of memory");
		return NULL;
	}
	l->screen = rs_app_screen_of(app, &ops);
	l->of = *of;
	l->range = *range;
	return &l->screen;
}
