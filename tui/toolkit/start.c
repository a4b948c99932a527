// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/start.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/monotonic.h"

#define BUSY_MS 2000      /* a machine that is not overloaded answers within this time */
#define START_BATCH_MS 100

static void start_draw(struct rs_start *s, const char *what, int64_t since_ms)
{
	bool busy = rs_monotonic_ms() - since_ms >= BUSY_MS;

	rs_canvas_clear(s->canvas);
	rs_put(s->canvas, 0, 1, 60, RS_STYLE_TITLE, "ringside");
	rs_put_format(s->canvas, 0, 11, 60, RS_STYLE_DIM, "%s%s", what, busy ? ", the machine is busy" : "");
	if (busy)
		rs_put(s->canvas, 2, 1, 60, RS_STYLE_DIM, "q: leave. Other keys are for the first screen");
	rs_terminal_put(s->terminal, s->canvas);
}

static void start_resize(struct rs_start *s)
{
	struct rs_area area = rs_terminal_area(s->terminal);

	rs_canvas_resize(s->canvas, area.height, area.width);
}

/* Returns true if the user quits. */
static bool start_take_keys(struct rs_start *s, bool keep)
{
	struct rs_key_event key;

	while (rs_terminal_key(s->terminal, &key)) {
		if (key.key == RS_KEY_RESIZE)
			start_resize(s);
		else if (keep && (key.key == 'q' || key.key == RS_KEY_F1 + 9))
			return true;
		else if (keep && s->nr_keys < RS_START_KEYS)
			s->keys[s->nr_keys++] = key;
	}
	return rs_terminal_ended(s->terminal) != 0;
}

/* client NULL: polls only the terminal. */
static int start_poll(struct rs_start *s, struct rs_client *client)
{
	struct pollfd fds[2] = {
		{ .fd = rs_terminal_fd(s->terminal), .events = POLLIN },
		{ .fd = client ? rs_client_fd(client) : -1, .events = client ? rs_client_events(client) : 0 },
	};

	return poll(fds, 2, START_BATCH_MS) < 0 && errno != EINTR ? -1 : 0;
}

static int start_wait_for(struct rs_start *s, struct rs_client *client, int64_t since_ms, struct rs_error *err)
{
	if (rs_client_hello_reply(client))
		return 0;
	if (rs_client_hello_begin(client, "tui", err) < 0)
		return -1;
	while (!rs_client_hello_answered(client)) {
		start_draw(s, "starting", since_ms);
		if (start_poll(s, client) < 0)
			return rs_fail(err, "poll: %s", strerror(errno));
		if (start_take_keys(s, true))
			return 1;
		if (rs_client_read(client, err) < 0)
			return -1;
	}
	return rs_client_hello_end(client, err);
}

int rs_start_wait(struct rs_start *s, const struct rs_tui_engine *engine, struct rs_error *err)
{
	int64_t since_ms = rs_monotonic_ms();
	int bad = 0;

	for (unsigned int i = 0; i < engine->nr && !bad; i++)
		bad = start_wait_for(s, engine->clients[i], since_ms, err);
	return bad;
}

void rs_start_end(struct rs_start *s, const struct rs_tui_engine *engine)
{
	int64_t since_ms = rs_monotonic_ms();

	while (engine->has_ended && !engine->has_ended(engine->arg)) {
		if (rs_monotonic_ms() - since_ms >= BUSY_MS)
			start_draw(s, "ending", since_ms);
		if (poll(&(struct pollfd){ .fd = rs_terminal_fd(s->terminal), .events = POLLIN }, 1, START_BATCH_MS / 10) < 0 && errno != EINTR)
			return;
		start_take_keys(s, false);
	}
}
