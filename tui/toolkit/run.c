// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - the main loop: keys of the terminal, answers of the engine, timers */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "tui/toolkit/reconnect.h"
#include "tui/toolkit/app.h"
#include "tui/toolkit/start.h"
#include "tui/toolkit/terminal.h"
#include "base/monotonic.h"

struct loop {
	struct rs_app *app;
	struct rs_terminal *terminal;
	struct rs_canvas *canvas;
	struct rs_reconnect again;
};

static void take_key(struct loop *l, const struct rs_key_event *key)
{
	if (key->key == RS_KEY_RESIZE) {
		struct rs_area area = rs_terminal_area(l->terminal);

		rs_canvas_resize(l->canvas, area.height, area.width);
		l->app->shown = NULL; /* empty until the first frame */
	}
	rs_app_key(l->app, key);
}

static void take_keys(struct loop *l)
{
	enum rs_theme theme = l->app->theme;
	struct rs_key_event key;

	while (!l->app->quit && rs_terminal_key(l->terminal, &key))
		take_key(l, &key);
	if (l->app->theme != theme)
		rs_terminal_theme(l->terminal, l->app->theme);
}

static int timeout_ms(uint64_t ns)
{
	return ns / 1000000 > 1000 ? 1000 : (int)((ns + 999999) / 1000000);
}

/* Returns -1 if the engine has ended and does not come back. */
static int take_answers(struct loop *l, struct rs_error *err)
{
	if (l->app->lost)
		return rs_reconnect_tick(&l->again, l->app, rs_monotonic_ns(), err);
	if (rs_machine_set_read(l->app, err) == 0)
		return 0;
	if (!rs_reconnect_lose(&l->again, l->app))
		return -1;
	*err = (struct rs_error){ 0 };
	return 0;
}

static int run_wait_and_handle(struct loop *l, struct rs_error *err)
{
	uint64_t now = rs_monotonic_ns(), wait = rs_app_tick(l->app, now), draw = rs_app_draw_due(l->app, now);
	struct pollfd fds[RS_TUI_MAX_MACHINES + 2];
	nfds_t nr = 0;

	if (!draw) {
		rs_app_draw(l->app, l->canvas);
		rs_terminal_put(l->terminal, l->canvas);
		l->app->last_draw = now;
	} else if (draw < wait) {
		wait = draw;
	}
	fds[nr++] = (struct pollfd){ .fd = rs_terminal_fd(l->terminal), .events = POLLIN };
	if (l->again.fresh)
		fds[nr++] = (struct pollfd){ .fd = rs_client_fd(l->again.fresh), .events = rs_client_events(l->again.fresh) };
	nr += rs_machine_set_watch(l->app, fds + nr);
	if (poll(fds, nr, timeout_ms(wait)) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	take_keys(l);
	return take_answers(l, err);
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

static int loop(struct loop *l, const struct rs_start *start, struct rs_error *err)
{
	int bad;

	rs_terminal_theme(l->terminal, l->app->theme);
	l->app->dirty = true;
	for (unsigned int i = 0; i < start->nr_keys && !l->app->quit; i++)
		take_key(l, &start->keys[i]);
	do {
		bad = run_wait_and_handle(l, err);
	} while (!bad && !l->app->quit && !rs_terminal_ended(l->terminal));
	l->app->shown = NULL;
	rs_reconnect_done(&l->again);
	return bad;
}

/* Runs from the first answer of the engine until the user quits. */
static int run_loop(struct loop *l, struct rs_start *start, const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
		    struct rs_error *err)
{
	int bad = rs_start_wait(start, engine, err);

	if (bad)
		return bad > 0 ? 0 : -1;
	l->app = rs_app_new(engine, opt, err);
	if (!l->app)
		return -1;
	bad = loop(l, start, err);
	rs_app_free(l->app);
	return bad;
}

static void run_free_clients(const struct rs_tui_engine *engine)
{
	for (unsigned int i = 0; i < engine->nr; i++)
		rs_client_free(engine->clients[i]);
}

static int run_on_terminal(const struct rs_tui_engine *engine, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct loop l = { .again = { .connect = engine->again, .arg = engine->arg } };
	struct rs_start start = { .nr_keys = 0 };
	int bad = open_terminal(&l, opt, err);

	if (!bad) {
		start.terminal = l.terminal;
		start.canvas = l.canvas;
		bad = run_loop(&l, &start, engine, opt, err);
	}
	run_free_clients(engine);
	if (start.terminal && rs_terminal_ended(l.terminal)) { /* Ctrl-C ends the engine too, maybe before this process */
		*err = (struct rs_error){ 0 };
		bad = 0;
	}
	if (start.terminal)
		rs_start_end(&start, engine);
	rs_terminal_close(l.terminal);
	rs_canvas_free(l.canvas);
	return bad;
}

static int run_batch(const struct rs_tui_engine *engine, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct rs_app *app = NULL;
	int bad = 0;

	for (unsigned int i = 0; i < engine->nr && !bad; i++)
		if (!rs_client_hello_reply(engine->clients[i]))
			bad = rs_client_hello(engine->clients[i], "tui", err);
	if (!bad)
		app = rs_app_new(engine, opt, err);
	bad = app ? rs_batch_run(app, err) : -1;
	rs_app_free(app);
	run_free_clients(engine);
	return bad;
}

int rs_run_screens(const struct rs_tui_engine *engine, const struct rs_tui_options *opt, struct rs_error *err)
{
	return opt->batch ? run_batch(engine, opt, err) : run_on_terminal(engine, opt, err);
}
