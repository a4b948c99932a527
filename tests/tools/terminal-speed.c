// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-speed - what a frame of 200x50 costs: CPU time to draw it and put it on a terminal
 *
 *	terminal-speed [FRAMES]
 *
 * "full": every cell differs from the frame before. "table": a table of which a third of the numbers changed.
 * "unchanged": drawn anew, and nothing to be put. "flame": a flame graph of 4,000 stacks, summed up anew, zoomed in and out. The
 * terminal is a pty that a child reads.
 */
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tui/app/app.h"
#include "tui/flame/flame.h"
#include "tui/toolkit/terminal.h"

#define HEIGHT 50
#define WIDTH 200

static double cpu_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static void full(struct rs_canvas *c, int frame)
{
	rs_canvas_clear(c);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x += 20)
			rs_put_format(c, y, x, 20, (enum rs_style_id)((x / 20 + y + frame) % RS_NR_STYLES),
				      "%c%018d%c",
				      'a' + frame % 26, frame * 7919 + y * 104729 + x, 'A' + frame % 26);
}

static void table(struct rs_canvas *c, int frame)
{
	rs_canvas_clear(c);
	rs_put_padded(c, 0, 0, WIDTH, RS_STYLE_HEADING, "COMM");
	for (int y = 1; y < HEIGHT; y++) {
		rs_put_padded(c, y, 0, 16, RS_STYLE_TEXT, "postgres");
		for (int x = 16; x + 12 < WIDTH - 20; x += 12)
			rs_put_format(c, y, x, 11, RS_STYLE_TEXT, "%11d", (y + x) % 3 ? y * x
				      : y * x + frame * 31);
		for (int x = WIDTH - 20; x < WIDTH; x++)
			rs_put_glyph(c, y, x, RS_STYLE_RUN, (unsigned int)(RS_GLYPH_SPARK + (x + y) % 9));
	}
	rs_canvas_set_style(c, (struct rs_area){ 7, 0, 1, WIDTH }, RS_STYLE_SELECTED);
}

/* 24 levels; stacks part from each other in the outer 12, two ways each. */
static void make_flame(struct rs_frame_tree *tree)
{
	char stack[1024];

	for (unsigned int i = 0; i < 4000; i++) {
		int len = 0;

		for (unsigned int level = 0; level < 24; level++)
			len += snprintf(stack + len, sizeof stack - (size_t)len, "%sfunction_%u_%u", level ? ";" : "", level, level < 12 ? i >> (12 - level) : i);
		rs_frame_tree_add_stack(tree, &(struct rs_frame_stack){ .text = stack, .weight = 1 + i % 17 });
	}
}

static void flame(struct rs_canvas *c, int frame)
{
	static const struct rs_flame_kind on_cpu = { "on-CPU", NULL, "sample" };
	static struct rs_app app;
	static struct rs_flame screen = { .screen.app = &app, .kinds = { &on_cpu }, .shown = { true } };
	struct rs_flame_panel *p = &screen.panels[0];

	if (!p->tree) {
		p->flame = &screen;
		p->tree = rs_frame_tree_new();
		p->to_ns = 1;
		make_flame(p->tree);
	}
	rs_frame_tree_finish(p->tree);
	p->zoomed = frame % 2 ? 0 : rs_frame_tree_node(p->tree, rs_frame_tree_child(p->tree, rs_frame_tree_child(p->tree, RS_FRAME_ROOT, 0), 0))->identity;
	rs_canvas_clear(c);
	rs_flame_draw(&screen.screen, c, (struct rs_area){ 0, 0, HEIGHT, WIDTH });
}

static double measure(struct rs_terminal *t, struct rs_canvas *c, void (*draw)(struct rs_canvas *, int), int frames,
		      int step)
{
	double begin;

	draw(c, 0);
	rs_terminal_put(t, c);
	begin = cpu_ms();
	for (int i = 1; i <= frames; i++) {
		draw(c, i * step);
		rs_terminal_put(t, c);
	}
	return (cpu_ms() - begin) / frames;
}

/* Standard input and output become a pty; a child takes what is written. */
static int use_pty(void)
{
	struct winsize size = { .ws_row = HEIGHT, .ws_col = WIDTH };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	char bytes[65536];

	if (master < 0 || grantpt(master) || unlockpt(master))
		return -1;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size))
		return -1;
	if (!fork()) {
		close(slave);
		while (read(master, bytes, sizeof bytes) > 0)
			;
		_exit(0);
	}
	close(master);
	dup2(slave, STDIN_FILENO);
	dup2(slave, STDOUT_FILENO);
	close(slave);
	return 0;
}

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : 200;
	struct rs_terminal_options options = { 0 };
	struct rs_error err = { 0 };
	double ms[5] = { 0 };
	struct rs_terminal *t;
	struct rs_canvas *c;

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TERM", "xterm-256color", 1);
	if (frames < 1 || use_pty() < 0)
		return 1;
	t = rs_terminal_open(&options, &err);
	if (!t) {
		fprintf(stderr, "terminal-speed: %s\n", err.text);
		return 1;
	}
	c = rs_canvas_new(HEIGHT, WIDTH, false);
	ms[0] = measure(t, c, full, frames, 1);
	ms[1] = measure(t, c, table, frames, 1);
	ms[2] = measure(t, c, table, frames, 0);
	ms[3] = measure(t, c, full, frames, 0);
	ms[4] = measure(t, c, flame, frames, 1);
	rs_terminal_close(t);
	rs_canvas_free(c);
	fprintf(stderr, "full %.3f ms, table %.3f ms, unchanged table %.3f ms, unchanged full %.3f ms, flame %.3f ms\n", ms[0], ms[1],
		ms[2], ms[3], ms[4]);
	return 0;
}
