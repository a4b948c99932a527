// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - the loop: the terminal's keys, the engine's answers, and the time that passes */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "tui/app.h"
#include "tui/terminal.h"

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct loop {
	struct rs_app *app;
	struct rs_terminal *terminal;
	struct rs_canvas *canvas;
};

static void take_keys(struct loop *l)
{
	enum rs_theme theme = l->app->theme;
	struct rs_key_event key;

	while (!l->app->quit && rs_terminal_key(l->terminal, &key)) {
		if (key.key == RS_KEY_RESIZE) {
			struct rs_area area = rs_terminal_area(l->terminal);

			rs_canvas_resize(l->canvas, area.height, area.width);
			l->app->shown = NULL; /* empty until it is drawn */
		}
		rs_app_key(l->app, &key);
	}
	if (l->app->theme != theme)
		rs_terminal_theme(l->terminal, l->app->theme);
}

static int timeout_ms(uint64_t ns)
{
	return ns / 1000000 > 1000 ? 1000 : (int)((ns + 999999) / 1000000);
}

/* One turn; -1: the engine has gone. */
static int turn(struct loop *l, struct rs_error *err)
{
	struct rs_client *client = l->app->client;
	uint64_t now = now_ns(), wait = rs_app_tick(l->app, now), draw = rs_app_draw_due(l->app, now);
	struct pollfd fds[2];

	if (!draw) {
		rs_app_draw(l->app, l->canvas);
		rs_terminal_put(l->terminal, l->canvas);
		l->app->last_draw = now;
	} else if (draw < wait) {
		wait = draw;
	}
	fds[0] = (struct pollfd){ .fd = rs_terminal_fd(l->terminal), .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = rs_client_fd(client), .events = rs_client_events(client) };
	if (poll(fds, 2, timeout_ms(wait)) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	take_keys(l);
	return rs_client_read(client, err);
}

/* The engine takes a moment to turn its events on: until then there is something to see. */
static void draw_waiting(struct loop *l)
{
	rs_put(l->canvas, 0, 1, 60, RS_LOOK_TITLE, "ringside");
	rs_put(l->canvas, 0, 11, 60, RS_LOOK_DIM, "the engine begins");
	rs_terminal_put(l->terminal, l->canvas);
}

static int open_terminal(struct loop *l, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct rs_terminal_options options = { .theme = RS_THEME_DARK, .ascii = opt->ascii };
	struct rs_area area;

	l->terminal = rs_terminal_open(&options, err);
	if (!l->terminal)
		return -1;
	area = rs_terminal_area(l->terminal);
	l->canvas = rs_canvas_new(area.height, area.width, rs_terminal_ascii(l->terminal));
	return l->canvas ? 0 : rs_fail(err, "no memory for the screen");
}

static int loop(struct loop *l, struct rs_error *err)
{
	int bad;

	l->app->dirty = true;
	do {
		bad = turn(l, err);
	} while (!bad && !l->app->quit && !rs_terminal_ended(l->terminal));
	l->app->shown = NULL;
	return bad;
}

/* A client that comes without having said hello says it here, when the first picture is there. */
static struct rs_app *begin(struct rs_client *client, const struct rs_tui_options *opt, struct rs_error *err)
{
	if (!rs_client_about(client) && rs_client_hello(client, "tui", err) < 0)
		return NULL;
	return rs_app_new(client, opt, err);
}

static int run_on_terminal(struct rs_client *client, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct loop l = { 0 };
	int bad = -1;

	if (open_terminal(&l, opt, err) == 0) {
		draw_waiting(&l);
		l.app = begin(client, opt, err);
	}
	if (l.app) {
		rs_terminal_theme(l.terminal, l.app->theme);
		bad = loop(&l, err);
	}
	if (l.terminal && rs_terminal_ended(l.terminal)) { /* Ctrl-C ends the engine, too, maybe before us */
		*err = (struct rs_error){ 0 };
		bad = 0;
	}
	rs_terminal_close(l.terminal);
	rs_app_free(l.app);
	rs_canvas_free(l.canvas);
	return bad;
}

int rs_tui_run(struct rs_client *client, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct rs_app *app;
	int bad;

	if (!opt->batch)
		return run_on_terminal(client, opt, err);
	app = begin(client, opt, err);
	if (!app)
		return -1;
	bad = rs_batch_run(app, err);
	rs_app_free(app);
	return bad;
}
