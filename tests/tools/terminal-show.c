// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-show - a canvas on the terminal as the TUI puts it; keys are shown, and some end it in bad ways
 *
 *	terminal-show [ascii] [mouse] | terminal-show svg THEME
 *
 *	q quits, e exits beneath us, g faults, o faults in a stack that is full, A aborts, H hangs, c shows the cursor,
 *	t changes the theme.
 */
#include <poll.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/toolkit/svg.h"
#include "tui/toolkit/terminal.h"

static volatile int zero;

static int overflow(int n)
{
	volatile char much[4096];

	much[0] = (char)n;
	return zero ? n : overflow(n + 1) + much[zero];
}

static void all_glyphs(struct rs_canvas *c, int y)
{
	for (int g = 0; g < RS_NR_GLYPHS; g++)
		rs_put_glyph(c, y, 2 + g, (enum rs_style_id)(g % RS_NR_STYLES), (unsigned int)g);
}

static void draw(struct rs_canvas *c, const struct rs_key_event *key, int nr)
{
	struct rs_area all = rs_canvas_area(c);

	rs_canvas_clear(c);
	rs_put_padded(c, 0, 0, all.width, RS_STYLE_TITLE, "");
	rs_put_format(c, 0, 1, all.width, RS_STYLE_TITLE, "show %dx%d key %d: 0x%x at %d,%d", all.height, all.width, nr,
		      key->key, key->y, key->x);
	rs_put_format(c, 1, 2 + nr / 2 % 3, all.width, RS_STYLE_WARN, "wide %s combining e\xcc\x81. escaped \x1b[2J \xff",
		      nr % 2 ? "\xe5\xad\x97\xe6\xbc\xa2" : "\xe6\xbc\xa2\xe5\xad\x97");
	all_glyphs(c, 2);
	for (int style = 0; style < RS_NR_STYLES; style++)
		rs_put_format(c, 3 + style / 8, 2 + style % 8 * 9, 8, (enum rs_style_id)style, "style %-3d",
			      style);
	rs_put_right(c, all.height - 1, 0, all.width, RS_STYLE_SELECTED, "the end");
}

static bool act(struct rs_terminal *t, uint32_t key)
{
	static enum rs_theme theme;

	if (key == 'g')
		*(volatile int *)(uintptr_t)zero = 1;
	if (key == 'o')
		exit(overflow(0));
	if (key == 'A')
		abort();
	if (key == 'e')
		exit(3);
	while (key == 'H')
		pause();
	if (key == 't')
		rs_terminal_theme(t, ++theme % RS_NR_THEMES);
	return key != 'q';
}

static int run(struct rs_terminal *t, struct rs_canvas *c)
{
	struct pollfd pfd = { .fd = rs_terminal_fd(t), .events = POLLIN };
	struct rs_key_event key = { 0 };
	int nr = 0;

	for (;;) {
		struct rs_area area = rs_terminal_area(t);

		if (rs_canvas_area(c).height != area.height || rs_canvas_area(c).width != area.width)
			rs_canvas_resize(c, area.height, area.width);
		draw(c, &key, nr);
		rs_terminal_put(t, c);
		poll(&pfd, 1, -1);
		while (rs_terminal_key(t, &key)) {
			nr++;
			if (!act(t, key.key))
				return 0;
		}
		if (rs_terminal_ended(t))
			return rs_terminal_ended(t);
	}
}

static int picture(const char *name)
{
	struct rs_canvas *c = rs_canvas_new(14, 100, false);
	struct rs_buf out = RS_BUF_INIT;
	enum rs_theme theme;

	if (!c || !rs_theme_find(name, &theme))
		return 1;
	draw(c, &(struct rs_key_event){ 0 }, 0);
	rs_svg_draw(c, theme, "terminal-show", &out);
	fputs(out.data, stdout);
	rs_buf_done(&out);
	rs_canvas_free(c);
	return 0;
}

int main(int argc, char **argv)
{
	struct rs_terminal_options options = { .no_mouse = true };
	struct rs_error err = { 0 };
	struct rs_terminal *t;
	struct rs_canvas *c;
	int sig;

	setlocale(LC_CTYPE, "");
	if (argc == 3 && !strcmp(argv[1], "svg"))
		return picture(argv[2]);
	for (int i = 1; i < argc; i++) {
		options.ascii |= !strcmp(argv[i], "ascii");
		options.no_mouse &= strcmp(argv[i], "mouse") != 0;
	}
	t = rs_terminal_open(&options, &err);
	if (!t) {
		fprintf(stderr, "terminal-show: %s\n", err.text);
		return 1;
	}
	c = rs_canvas_new(0, 0, rs_terminal_ascii(t));
	sig = run(t, c);
	rs_terminal_close(t);
	rs_canvas_free(c);
	if (sig == SIGTERM || sig == SIGHUP)
		raise(sig);
	return 0;
}
