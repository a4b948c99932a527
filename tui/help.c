// SPDX-License-Identifier: GPL-2.0-or-later
/* help.c - what the keys do here, made from the key tables, and what the screen says of itself */
#include <stdlib.h>
#include <string.h>

#include "tui/app.h"
#include "tui/keytable.h"
#include "tui/list.h"
#include "tui/table.h"

struct help {
	struct rs_screen screen; /* first */
	struct rs_buf text;      /* lines; a leading \1 makes a heading */
	struct rs_list list;     /* over lines: .top counts alone */
};

static void put_row(const struct rs_key *row, struct rs_buf *out)
{
	struct rs_buf names = RS_BUF_INIT;

	rs_key_names(row, &names);
	rs_buf_printf(out, "%-12s %s\n", names.data, row->help);
	rs_buf_done(&names);
}

static void put_rows(const char *heading, const struct rs_key *rows, struct rs_buf *out)
{
	rs_buf_printf(out, "\1%s\n", heading);
	for (; rows && rows->help; rows++)
		put_row(rows, out);
}

static void put_screens(struct rs_buf *out)
{
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		if (s->key)
			put_row(&(struct rs_key){ { s->key }, 0, NULL, s->help }, out);
}

static void put_help(struct rs_screen *of, struct rs_buf *out)
{
	put_rows("This screen", of->ops->keys, out);
	rs_buf_putc(out, '\n');
	put_rows("Everywhere", rs_app_keys, out);
	put_screens(out);
	if (!of->ops->help)
		return;
	rs_buf_puts(out, "\n\1What is shown\n");
	of->ops->help(of, out);
}

static void put_section(const char *heading, const struct rs_key *rows, struct rs_buf *out)
{
	struct rs_buf names = RS_BUF_INIT;

	rs_buf_printf(out, "\n%s:\n", heading);
	for (; rows->help; rows++) {
		rs_buf_clear(&names);
		rs_key_names(rows, &names);
		rs_buf_printf(out, "  %-26s  %s\n", names.data, rows->help);
	}
	rs_buf_done(&names);
}

void rs_tui_keys(struct rs_buf *out)
{
	put_section("keys everywhere", rs_app_keys, out);
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		if (s->key)
			rs_buf_printf(out, "  %-26c  %s\n", (int)s->key, s->help);
	put_section("keys in tables", rs_table_keys, out);
}

static const char *line_at(const struct help *h, size_t nr)
{
	const char *at = h->text.data;

	while (nr-- && (at = strchr(at, '\n')))
		at++;
	return at && *at ? at : NULL;
}

static void draw_line(struct rs_canvas *c, struct rs_area area, int y, const char *text)
{
	char line[512];
	size_t len = strcspn(text, "\n");
	bool heading = *text == '\1';

	text += heading;
	len -= heading;
	if (len >= sizeof line)
		len = sizeof line - 1;
	memcpy(line, text, len);
	line[len] = '\0';
	rs_put(c, area.y + y, area.x + 1, area.width - 1, heading ? RS_LOOK_HEADING : RS_LOOK_TEXT, line);
}

static void draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct help *h = (struct help *)s;
	size_t nr = 0;

	for (const char *at = h->text.data; (at = strchr(at, '\n')); at++)
		nr++;
	rs_list_fit(&h->list, nr, (size_t)area.height);
	for (int y = 0; y < area.height; y++) {
		const char *line = line_at(h, h->list.top + (size_t)y);

		if (line)
			draw_line(c, area, y, line);
	}
}

/* There is no cursor: the arrows scroll. */
static bool on_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct help *h = (struct help *)s;
	long by = key->key == RS_KEY_UP || key->key == 'k' ? -1 : key->key == RS_KEY_DOWN || key->key == 'j' ? 1 : 0;

	if (by)
		rs_list_scroll(&h->list, by);
	else if (key->key == RS_KEY_PAGE_DOWN || key->key == ' ')
		rs_list_scroll(&h->list, (long)h->list.height - 1);
	else if (key->key == RS_KEY_PAGE_UP)
		rs_list_scroll(&h->list, 1 - (long)h->list.height);
	else if (!rs_list_key(&h->list, key->key))
		return false;
	return true;
}

enum { CLOSE = 1 };

static const struct rs_key help_keys[] = {
	{ { 'q', '?', RS_KEY_F1 }, CLOSE, "Back", "back to where the help was called" },
	{ .help = NULL },
};

static bool act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	rs_app_pop(s->app);
	return true;
}

static void title(struct rs_screen *s, struct rs_buf *out)
{
	rs_buf_puts(out, "help");
}

static void free_help(struct rs_screen *s)
{
	struct help *h = (struct help *)s;

	rs_buf_done(&h->text);
	free(h);
}

static const struct rs_screen_ops ops = {
	.name = "help", .keys = help_keys, .draw = draw, .act = act, .key = on_key, .title = title, .free = free_help,
};

struct rs_screen *rs_help_new(struct rs_app *app, struct rs_screen *of)
{
	struct help *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->screen = (struct rs_screen){ &ops, app };
	h->text = (struct rs_buf)RS_BUF_INIT;
	put_help(of, &h->text);
	return &h->screen;
}
