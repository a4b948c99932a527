// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - the main loop: keys of the terminal, answers of the engine, timers; or prints the screen as text,
 * one frame for each interval, like top -b
 *
 * It holds the terminal before the first screen and after the last, while the engine starts or ends, so that
 * the shell does not get the keys typed meanwhile. If a daemon restarts, the screens keep their data, and
 * continue with the new one.
 */
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/app/app.h"
#include "tui/toolkit/svg.h"
#include "tui/toolkit/terminal.h"
#include "base/monotonic.h"

#define START_KEYS 32

struct reconnect {
	/* returns a socket, or -1: not there yet. NULL: it does not come back */
	int (*connect)(void *arg, unsigned int machine);
	void *arg;
	const struct rs_tui_machine *machine; /* whose it is */
	struct rs_client *fresh;      /* "hello" sent, answer pending */
	uint64_t next_ns;             /* CLOCK_MONOTONIC: time of the next try */
};

struct loop {
	const struct rs_tui_engine *engine;
	struct rs_app *app;
	struct rs_terminal *terminal;
	struct rs_canvas *canvas;
	struct reconnect again;
	/* typed before the first screen, and for it */
	struct rs_key_event keys[START_KEYS];
	unsigned int nr_keys;
};

/* ---- before the first screen, and after the last ---- */

#define BUSY_MS 2000      /* a machine that is not overloaded answers within this time */
#define START_BATCH_MS 100

static void start_draw(struct loop *s, const char *what, int64_t since_ms)
{
	bool busy = rs_monotonic_ms() - since_ms >= BUSY_MS;

	rs_canvas_clear(s->canvas);
	rs_put(s->canvas, 0, 1, 60, RS_STYLE_TITLE, "ringside");
	rs_put_format(s->canvas, 0, 11, 60, RS_STYLE_DIM, "%s%s", what, busy ? ", the machine is busy" : "");
	if (busy)
		rs_put(s->canvas, 2, 1, 60, RS_STYLE_DIM, "q: leave. Other keys are for the first screen");
	rs_terminal_put(s->terminal, s->canvas);
}

static void start_resize(struct loop *s)
{
	struct rs_area area = rs_terminal_area(s->terminal);

	rs_canvas_resize(s->canvas, area.height, area.width);
}

/* Returns true if the user quits. */
static bool start_take_keys(struct loop *s, bool keep)
{
	struct rs_key_event key;

	while (rs_terminal_key(s->terminal, &key)) {
		if (key.key == RS_KEY_RESIZE)
			start_resize(s);
		else if (keep && (key.key == 'q' || key.key == 'Q' || key.key == RS_KEY_F1 + 9))
			return true;
		else if (keep && s->nr_keys < START_KEYS)
			s->keys[s->nr_keys++] = key;
	}
	return rs_terminal_ended(s->terminal) != 0;
}

/* client NULL: polls only the terminal. */
static int start_poll(struct loop *s, struct rs_client *client)
{
	struct pollfd fds[2] = {
		{ .fd = rs_terminal_fd(s->terminal), .events = POLLIN },
		{ .fd = client ? rs_client_fd(client) : -1, .events = client ? rs_client_events(client) : 0 },
	};

	return poll(fds, 2, START_BATCH_MS) < 0 && errno != EINTR ? -1 : 0;
}

static int start_wait_for(struct loop *s, struct rs_client *client, int64_t since_ms, struct rs_error *err)
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

/*
 * Waits until the engines have answered. Returns 1 if the user quits, -1 with err. Returns at once if all
 * clients have answered "hello".
 */
static int start_wait(struct loop *s, const struct rs_tui_engine *engine, struct rs_error *err)
{
	int64_t since_ms = rs_monotonic_ms();
	int bad = 0;

	for (unsigned int i = 0; i < engine->nr && !bad; i++)
		bad = start_wait_for(s, engine->clients[i], since_ms, err);
	return bad;
}

/* Waits until the engine has ended, after its client was freed. */
static void start_end(struct loop *s, const struct rs_tui_engine *engine)
{
	int64_t since_ms = rs_monotonic_ms();

	while (engine->has_ended && !engine->has_ended(engine->arg)) {
		if (rs_monotonic_ms() - since_ms >= BUSY_MS)
			start_draw(s, "ending", since_ms);
		if (poll(&(struct pollfd){ .fd = rs_terminal_fd(s->terminal), .events = POLLIN }, 1,
			 START_BATCH_MS / 10) < 0 && errno != EINTR)
			return;
		start_take_keys(s, false);
	}
}

/* ---- a daemon that restarts ---- */

#define TRY_NS 500000000ull

/* Handles the end of the app's client. Returns false if it does not come back. */
static bool reconnect_lose(struct reconnect *a, struct rs_app *app)
{
	if (!a->connect)
		return false;
	rs_client_lose(app->machine->client);
	app->lost = app->machine->lost = true;
	app->dirty = true;
	a->next_ns = 0;
	return true;
}

static void reconnect_done(struct reconnect *a)
{
	rs_client_free(a->fresh);
	a->fresh = NULL;
}

static void again_connect(struct reconnect *a, const struct rs_app *app)
{
	struct rs_error ignored = { 0 };
	int fd = a->connect(a->arg, rs_machine_set_host(app));

	if (fd < 0)
		return;
	a->fresh = rs_client_new(fd, &ignored);
	if (a->fresh && rs_client_hello_begin(a->fresh, "tui", &ignored) < 0)
		reconnect_done(a);
}

/* Screens point into the catalogue of the old daemon. If the new one offers other views, they close first. */
static int again_use(struct reconnect *a, struct rs_app *app, struct rs_error *err)
{
	struct rs_client *fresh = a->fresh;
	bool alike = rs_client_is_alike(app->machine->client, fresh);

	a->fresh = NULL;
	if (!alike)
		rs_app_stack_free(app);
	rs_client_become(app->machine->client, fresh);
	app->lost = app->machine->lost = false;
	rs_app_reset_state(app);
	if (!alike && rs_app_push_first(app, err) < 0)
		return -1;
	rs_app_say(app, RS_STYLE_WARN, "%s%s",
		   app->is_remote ? "connected again" :
				    "the daemon has begun anew: what it had before is gone",
		   alike ? "" : ", and it offers other views");
	return 0;
}

/* A daemon that refuses or closes at once counts as absent: the user sees the message until it returns. */
static int again_wait(struct reconnect *a, struct rs_app *app, struct rs_error *err)
{
	struct rs_error failed = { 0 };

	if (rs_client_read(a->fresh, &failed) < 0) {
		reconnect_done(a);
		return 0;
	}
	if (!rs_client_hello_answered(a->fresh))
		return 0;
	if (rs_client_hello_end(a->fresh, &failed) < 0) {
		reconnect_done(a);
		return 0;
	}
	return again_use(a, app, err);
}

/* Called about ten times a second. Returns -1 with err if the new daemon cannot be used. */
static int reconnect_tick(struct reconnect *a, struct rs_app *app, uint64_t now_ns, struct rs_error *err)
{
	if (!app->lost)
		return 0;
	if (a->machine != app->machine) { /* another host is shown now */
		reconnect_done(a);
		a->machine = app->machine;
		a->next_ns = 0;
	}
	if (!a->fresh && now_ns >= a->next_ns) {
		again_connect(a, app);
		a->next_ns = now_ns + TRY_NS;
	}
	return a->fresh ? again_wait(a, app, err) : 0;
}

/* ---- the loop ---- */

static void take_key(struct loop *l, const struct rs_key_event *key)
{
	if (key->key == RS_KEY_RESIZE) {
		start_resize(l);
		l->app->shown = NULL; /* empty until the first frame */
	}
	rs_app_key(l->app, key);
}

static void run_show_file(void *arg)
{
	struct loop *l = arg;
	struct rs_error err = { 0 };

	if (l->engine->open_file(l->engine->arg, l->app->opens.data, &err) < 0)
		rs_app_say(l->app, RS_STYLE_BAD, "%s", err.text);
}

static void run_open_file(struct loop *l)
{
	rs_terminal_lend(l->terminal, run_show_file, l);
	rs_buf_clear(&l->app->opens);
	start_resize(l); /* the terminal may have another size by now */
	l->app->shown = NULL;
	l->app->dirty = l->app->by_key = true;
}

static void take_keys(struct loop *l)
{
	enum rs_theme theme = l->app->theme;
	struct rs_key_event key;

	while (!l->app->quit && rs_terminal_key(l->terminal, &key))
		take_key(l, &key);
	rs_terminal_mouse(l->terminal, !l->app->no_mouse);
	if (l->app->theme != theme)
		rs_terminal_theme(l->terminal, l->app->theme);
	if (l->app->copied.len)
		rs_terminal_copy(l->terminal, l->app->copied.data);
	rs_buf_clear(&l->app->copied);
	if (l->app->opens.len)
		run_open_file(l);
}

static int timeout_ms(uint64_t ns)
{
	return ns / 1000000 > 1000 ? 1000 : (int)((ns + 999999) / 1000000);
}

/* Returns -1 if the engine has ended and does not come back. */
static int take_answers(struct loop *l, struct rs_error *err)
{
	rs_machine_set_read_hidden(l->app);
	if (l->app->lost)
		return reconnect_tick(&l->again, l->app, rs_monotonic_ns(), err);
	if (rs_machine_set_read(l->app, err) == 0)
		return 0;
	if (!reconnect_lose(&l->again, l->app))
		return -1;
	*err = (struct rs_error){ 0 };
	return 0;
}

static int run_wait_and_handle(struct loop *l, struct rs_error *err)
{
	uint64_t now = rs_monotonic_ns(), wait = rs_app_tick(l->app, now),
		 draw = rs_app_draw_due(l->app, now);
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
		fds[nr++] = (struct pollfd){ .fd = rs_client_fd(l->again.fresh),
					     .events = rs_client_events(l->again.fresh) };
	nr += rs_machine_set_watch(l->app, fds + nr);
	if (poll(fds, nr, timeout_ms(wait)) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	take_keys(l);
	return take_answers(l, err);
}

static int open_terminal(struct loop *l, const struct rs_tui_options *opt, struct rs_error *err)
{
	struct rs_terminal_options options = { .theme = RS_THEME_DARK, .ascii = opt->ascii,
						.no_mouse = opt->no_mouse };
	struct rs_area area;

	l->terminal = rs_terminal_open(&options, err);
	if (!l->terminal)
		return -1;
	area = rs_terminal_area(l->terminal);
	l->canvas = rs_canvas_new(area.height, area.width, rs_terminal_ascii(l->terminal));
	if (!l->canvas)
		return rs_fail(err, "no memory for the screen");
	return 0;
}

static int loop(struct loop *l, struct rs_error *err)
{
	int bad;

	rs_terminal_theme(l->terminal, l->app->theme);
	rs_terminal_mouse(l->terminal, !l->app->no_mouse);
	l->app->dirty = true;
	for (unsigned int i = 0; i < l->nr_keys && !l->app->quit; i++)
		take_key(l, &l->keys[i]);
	do {
		bad = run_wait_and_handle(l, err);
	} while (!bad && !l->app->quit && !rs_terminal_ended(l->terminal));
	l->app->shown = NULL;
	reconnect_done(&l->again);
	return bad;
}

/* Runs from the first answer of the engine until the user quits. */
static int run_loop(struct loop *l, const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
		    struct rs_error *err)
{
	int bad = start_wait(l, engine, err);

	if (bad)
		return bad > 0 ? 0 : -1;
	l->app = rs_app_new(engine, opt, err);
	if (!l->app)
		return -1;
	bad = loop(l, err);
	rs_app_free(l->app);
	return bad;
}

static void run_free_clients(const struct rs_tui_engine *engine)
{
	for (unsigned int i = 0; i < engine->nr; i++)
		rs_client_free(engine->clients[i]);
}

static int run_on_terminal(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
			   struct rs_error *err)
{
	struct loop l = { .engine = engine, .again = { .connect = engine->again, .arg = engine->arg } };
	int bad = open_terminal(&l, opt, err);

	if (!bad)
		bad = run_loop(&l, engine, opt, err);
	run_free_clients(engine);
	/* Ctrl-C ends the engine too, maybe before this process */
	if (l.canvas && rs_terminal_ended(l.terminal)) {
		*err = (struct rs_error){ 0 };
		bad = 0;
	}
	if (l.canvas)
		start_end(&l, engine);
	rs_terminal_close(l.terminal);
	rs_canvas_free(l.canvas);
	return bad;
}

/* ---- without a terminal: a frame is printed when all of its requests have been answered ---- */

#define HEIGHT 50
#define WIDTH 120
#define MAX_SIDE 1000

static int side_of(const char *variable, int terminal, int otherwise)
{
	const char *text = getenv(variable);
	long v = text ? strtol(text, NULL, 10) : 0;

	if (v > 0 && v <= MAX_SIDE)
		return (int)v;
	return terminal > 0 && terminal <= MAX_SIDE ? terminal : otherwise;
}

static struct rs_canvas *make_canvas(const struct rs_app *app)
{
	struct winsize size = { 0 };
	bool ascii = app->opt->ascii || strcmp(nl_langinfo(CODESET), "UTF-8");

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	return rs_canvas_new(side_of("LINES", size.ws_row, HEIGHT), side_of("COLUMNS", size.ws_col, WIDTH),
			     ascii);
}

/* Writes a frame as text. As a picture, only the last frame is written. */
static void put_frame(struct rs_app *app, struct rs_canvas *c, bool first, bool last, struct rs_buf *text)
{
	rs_app_draw(app, c);
	if (app->opt->svg) {
		if (last)
			rs_svg_draw(c, app->theme, "the screen of ringside", text);
		return;
	}
	if (!first)
		rs_buf_putc(text, '\n');
	rs_canvas_text(c, text);
}

/* Returns false if standard output takes no more. A closed pipe is not an error. */
static bool batch_print(struct rs_app *app, struct rs_canvas *c, bool first, bool last, struct rs_error *err)
{
	struct rs_buf text = RS_BUF_INIT;
	size_t done = 0;
	ssize_t nr = 1;

	put_frame(app, c, first, last, &text);
	while (done < text.len &&
	       ((nr = write(STDOUT_FILENO, text.data + done, text.len - done)) > 0 || errno == EINTR))
		done += nr > 0 ? (size_t)nr : 0;
	if (nr <= 0 && errno != EPIPE)
		rs_fail(err, "cannot write the screen: %s", strerror(errno));
	rs_buf_done(&text);
	return nr > 0;
}

static bool is_ready(const struct rs_app *app, uint64_t printed_interval)
{
	if (!app->machine->state || app->loading || app->ask_due || rs_machine_set_nr_open(app))
		return false;
	if (!app->time.now)
		return true;
	if (!app->live)
		return app->events == app->asked_events;
	return app->asked_interval == app->interval && (app->interval > printed_interval || app->ended);
}

static int batch_wait(struct rs_app *app, struct rs_error *err)
{
	uint64_t ns = rs_app_tick(app, rs_monotonic_ns());
	struct pollfd fds[RS_TUI_MAX_MACHINES];

	if (poll(fds, rs_machine_set_watch(app, fds), (int)(ns / 1000000) + 1) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	rs_machine_set_read_hidden(app);
	return rs_machine_set_read(app, err);
}

/* Draws a frame. Returns true if it led to another question, whose answer it lacks. */
static bool batch_draw(struct rs_app *app, struct rs_canvas *c)
{
	rs_app_draw(app, c);
	app->pane.next_ns = 0; /* no key is held down */
	rs_app_pane_tick(app, rs_monotonic_ns());
	return rs_machine_set_nr_open(app);
}

static int batch_run(struct rs_app *app, struct rs_error *err)
{
	uint64_t nr = app->live ? app->opt->nr : 1, printed_interval = 0;
	struct rs_canvas *c = make_canvas(app);

	if (!c)
		return rs_fail(err, "no memory for the screen");
	rs_app_draw(app, c); /* the first draw tells a screen how many rows it can ask for */
	for (uint64_t i = 0; !nr || i < nr; i++) {
		do {
			while (!is_ready(app, printed_interval))
				if (batch_wait(app, err) < 0)
					goto failed;
		} while (batch_draw(app, c));
		if (!batch_print(app, c, !i, i + 1 == nr || app->ended, err) || app->ended)
			break;
		printed_interval = app->interval;
	}
failed:
	app->shown = NULL;
	rs_canvas_free(c);
	return err->status == RS_OK ? 0 : -1;
}

static int run_batch(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
		     struct rs_error *err)
{
	struct rs_app *app = NULL;
	int bad = 0;

	for (unsigned int i = 0; i < engine->nr && !bad; i++)
		if (!rs_client_hello_reply(engine->clients[i]))
			bad = rs_client_hello(engine->clients[i], "tui", err);
	if (!bad)
		app = rs_app_new(engine, opt, err);
	bad = app ? batch_run(app, err) : -1;
	rs_app_free(app);
	run_free_clients(engine);
	return bad;
}

int rs_run_screens(const struct rs_tui_engine *engine, const struct rs_tui_options *opt, struct rs_error *err)
{
	return opt->batch ? run_batch(engine, opt, err) : run_on_terminal(engine, opt, err);
}
