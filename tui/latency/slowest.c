// SPDX-License-Identifier: GPL-2.0-or-later
/* slowest.c - the longest spans, one by one: from here to the timeline */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "rpc/wire.h"
#include "tui/latency/latency.h"
#include "tui/timeline/timeline-screen.h"

#define MAX_SPANS 200

struct slowest_slow {
	char track[RS_TL_NAME], label[72], comm[40], on[40];
	enum rs_span_shape lane;
	unsigned int kind;
	uint64_t start_ns, end_ns;
	int64_t pid, tid;
};

struct slowest {
	struct rs_screen screen; /* first */
	struct rs_latency_of of;
	struct rs_slowest_range range;
	bool asked, answered;
	struct slowest_slow spans[MAX_SPANS];
	struct rs_list list;
};

static bool slowest_read_slowest(const cJSON *json, struct slowest_slow *s)
{
	const char *track = rs_wire_text_of(json, "track"), *lane = rs_wire_text_of(json, "lane");
	uint64_t pid, tid, kind;

	if (!track || strlen(track) >= sizeof s->track || !lane || !rs_wire_u64_of(json, "start_ns", 0, &s->start_ns) ||
	    !rs_wire_u64_of(json, "end_ns", 0, &s->end_ns) || s->end_ns < s->start_ns ||
	    !rs_wire_u64_of(json, "kind", 0, &kind) || kind > UINT16_MAX ||
	    !rs_wire_u64_of(json, "pid", 0, &pid) || !rs_wire_u64_of(json, "tid", 0, &tid))
		return false;
	rs_copy(s->track, sizeof s->track, track);
	rs_copy(s->label, sizeof s->label, rs_wire_text_of(json, "label"));
	rs_copy(s->comm, sizeof s->comm, rs_wire_text_of(json, "comm"));
	rs_copy(s->on, sizeof s->on, rs_wire_text_of(json, "on"));
	s->lane = !strcmp(lane, "state") ? RS_SPAN_STATE : !strcmp(lane, "async") ? RS_SPAN_ASYNC : RS_SPAN_SLICE;
	s->kind = (unsigned int)kind;
	s->pid = (int64_t)pid;
	s->tid = (int64_t)tid;
	return true;
}

static void slowest_on_answer(void *arg, const cJSON *reply)
{
	struct slowest *l = arg;
	const cJSON *at;
	size_t nr = 0;

	l->asked = false;
	if (rs_app_refused(l->screen.app, reply))
		return;
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(reply, "spans"))
		if (nr < MAX_SPANS && slowest_read_slowest(at, &l->spans[nr]))
			nr++;
	rs_list_fit(&l->list, nr, l->list.height);
	l->answered = true;
	rs_app_redraw(l->screen.app);
}

/* What is listed stays: a list of moments is looked through one by one. */
static void slowest_ask(struct rs_screen *s)
{
	struct slowest *l = (struct slowest *)s;
	struct rs_json *j;

	if (l->asked || l->answered)
		return;
	j = rs_client_begin(s->machine->client, "lengths");
	rs_latency_put(&l->of, j);
	if (l->range.to_ns) {
		rs_json_key(j, "from_ns");
		rs_wire_u64(j, l->range.from_ns);
		rs_json_key(j, "to_ns");
		rs_wire_u64(j, l->range.to_ns);
	} else {
		rs_latency_put_time(s->app, &l->of, j);
	}
	rs_json_put_str(j, "as", "slowest");
	rs_json_put_u64(j, "limit", MAX_SPANS);
	rs_json_key(j, "min_ns");
	rs_wire_u64(j, l->range.min_ns);
	rs_json_key(j, "max_ns");
	rs_wire_u64(j, l->range.max_ns);
	l->asked = rs_client_send(s->machine->client, -1, slowest_on_answer, l) != 0;
}

static void draw_one(const struct slowest *l, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct slowest_slow *s = &l->spans[at];
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
		rs_buf_printf(&text, "%s %lld", *s->comm ? s->comm : "-", (long long)s->tid);
	else
		rs_buf_puts(&text, "-");
	rs_put(c, line.y, line.x + 30, 24, style_id, text.data);
	rs_put_format(c, line.y, line.x + 55, line.width - 55, style_id, "%s%s%s", s->label, *s->on ? " on " : "", s->on);
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
		       l->answered ? "none is kept any more" : "...");
	for (size_t i = l->list.top; i < l->list.nr && i < l->list.top + (size_t)height; i++)
		draw_one(l, c, (struct rs_area){ area.y + 1 + (int)(i - l->list.top), area.x, 1, area.width }, i);
}

/* ---- keys ---- */

enum { OPEN = 1, ABOUT };

static const struct rs_key keys[] = {
	{ { RS_KEY_ENTER, 't' }, OPEN, "Timeline", "that moment on the timeline" },
	{ { 'i' }, ABOUT, "Task", "all that is known about its task" },
	{ .help = NULL },
};

static bool slowest_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct slowest *l = (const struct slowest *)s;
	const struct slowest_slow *at = l->list.at < l->list.nr ? &l->spans[l->list.at] : NULL;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (at && (at->pid || at->tid))
		rs_selection_add_task(&out->keys, at->comm, at->pid, at->tid);
	return out->keys.nr > 0;
}

static bool slowest_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct slowest *l = (struct slowest *)s;
	const struct slowest_slow *at = &l->spans[l->list.at];
	struct rs_screen_selection of;

	(void)key;
	if (l->list.at >= l->list.nr)
		return true;
	if (action == OPEN)
		rs_app_push(s->app, rs_timeline_open_at(s->app, at->track, at->lane, at->kind, at->start_ns,
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
