// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * batch.c - prints the screen as text, one frame for each interval, like top -b
 *
 * A frame is printed when all of its requests have been answered.
 */
#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/toolkit/app.h"
#include "tui/toolkit/svg.h"
#include "base/monotonic.h"

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
	return rs_canvas_new(side_of("LINES", size.ws_row, HEIGHT), side_of("COLUMNS", size.ws_col, WIDTH), ascii);
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

static int wait(struct rs_app *app, struct rs_error *err)
{
	uint64_t ns = rs_app_tick(app, rs_monotonic_ns());
	struct pollfd fds[RS_TUI_MAX_MACHINES];

	if (poll(fds, rs_machine_set_watch(app, fds), (int)(ns / 1000000) + 1) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	return rs_machine_set_read(app, err);
}

int rs_batch_run(struct rs_app *app, struct rs_error *err)
{
	uint64_t nr = app->live ? app->opt->nr : 1, printed_interval = 0;
	struct rs_canvas *c = make_canvas(app);

	if (!c)
		return rs_fail(err, "no memory for the screen");
	rs_app_draw(app, c); /* the first draw tells a screen how many rows it can ask for */
	for (uint64_t i = 0; !nr || i < nr; i++) {
		while (!is_ready(app, printed_interval))
			if (wait(app, err) < 0)
				goto failed;
		if (!batch_print(app, c, !i, i + 1 == nr || app->ended, err) || app->ended)
			break;
		printed_interval = app->interval;
	}
failed:
	app->shown = NULL;
	rs_canvas_free(c);
	return err->status == RS_OK ? 0 : -1;
}
