// SPDX-License-Identifier: GPL-2.0-or-later
/* help-screen.c - shows the keys, made from the key tables, and the help of the screen */
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/toolkit/list.h"

struct help {
	struct rs_screen screen; /* first */
	struct rs_buf text;      /* lines; a leading \1 makes a heading */
	struct rs_list list;     /* over lines; only .top is used */
};

/* before: what the line begins with; the names of the keys take so many columns. */
static void help_screen_put_row(const struct rs_key *row, const char *before, int columns, struct rs_buf *out)
{
	struct rs_buf names = RS_BUF_INIT;

	rs_keys_names(row, &names);
	rs_buf_printf(out, "%s%-*s %s\n", before, columns, names.data, row->help);
	rs_buf_done(&names);
}

static void help_screen_put_rows(const struct rs_key *rows, const char *before, int columns,
				 struct rs_buf *out)
{
	for (; rows && rows->help; rows++)
		help_screen_put_row(rows, before, columns, out);
}

static void put_screens(const char *before, int columns, struct rs_buf *out)
{
	for (const struct rs_screen_row *s = rs_screens; s->name; s++)
		if (s->key)
			help_screen_put_row(&(struct rs_key){ { s->key }, 0, NULL, s->help }, before, columns,
					    out);
}

static void put_help(struct rs_screen *of, struct rs_buf *out)
{
	rs_buf_puts(out, "\1This screen\n");
	help_screen_put_rows(of->ops->keys, "", 12, out);
	rs_buf_puts(out, "\n\1Everywhere\n");
	help_screen_put_rows(rs_app_keys, "", 12, out);
	put_screens("", 12, out);
	if (of->ops->help_text || of->ops->help)
		rs_buf_puts(out, "\n\1What is shown\n");
	if (of->ops->help_text)
		rs_buf_puts(out, of->ops->help_text);
	else if (of->ops->help)
		of->ops->help(of, out);
	rs_buf_puts(out, "\n\1What is traced\n");
	rs_app_header_help(of->app, out);
}

void rs_help_screen_keys(struct rs_buf *out)
{
	rs_buf_puts(out, "\nkeys everywhere:\n");
	help_screen_put_rows(rs_app_keys, "  ", 27, out);
	put_screens("  ", 27, out);
	for (const struct rs_key_table *t = rs_key_tables; t->keys; t++) {
		rs_buf_printf(out, "\nkeys of %s:\n", t->title);
		help_screen_put_rows(t->keys, "  ", 27, out);
	}
}

/* ---- wrap lines to the width of the screen ---- */

struct pieces {
	const char *line;        /* the rest of the line */
	size_t done;             /* bytes done */
	int width;
	bool ascii;
};

struct piece {
	const char *text;
	size_t len;
	int indent;
	bool heading;
};

/* Returns the indentation of continued lines: the last column of the line. */
static int hang_of(const char *line, size_t len, int width)
{
	int at = 0;

	for (size_t i = 2; i < len; i++)
		if (line[i] != ' ' && line[i - 1] == ' ' && line[i - 2] == ' ')
			at = (int)i;
	return at < width / 2 ? at : width / 2;
}

static bool help_screen_next_piece(struct pieces *p, struct piece *to)
{
	const char *line = p->line;
	size_t len = strcspn(line, "\n");

	if (!*line)
		return false;
	to->heading = *line == '\1';
	line += to->heading;
	len -= to->heading;
	to->indent = p->done ? hang_of(line, len, p->width) : 0;
	to->text = line + p->done;
	to->len = rs_put_fit_words(to->text, len - p->done, p->width - to->indent, p->ascii);
	p->done += to->len;
	while (p->done < len && line[p->done] == ' ')
		p->done++;
	if (p->done == len) {
		p->line = line + len + (line[len] == '\n');
		p->done = 0;
	}
	return true;
}

static void help_screen_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct help *h = (struct help *)s;
	struct pieces p = { .line = h->text.data, .width = area.width - 1, .ascii = rs_canvas_ascii(c) },
	again = p;
	struct piece piece;
	size_t nr = 0;

	while (help_screen_next_piece(&p, &piece))
		nr++;
	rs_list_fit(&h->list, nr, (size_t)area.height);
	for (nr = 0; nr < h->list.top + (size_t)area.height && help_screen_next_piece(&again, &piece); nr++)
		if (nr >= h->list.top)
			rs_put_format(c, area.y + (int)(nr - h->list.top), area.x + 1 + piece.indent,
				      area.width - 1 - piece.indent,
				      piece.heading ? RS_STYLE_HEADING : RS_STYLE_TEXT, "%.*s",
				      (int)piece.len, piece.text);
}

/* Without a cursor, the arrow keys scroll. */
static bool help_screen_handle_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct help *h = (struct help *)s;
	long by = key->key == RS_KEY_UP || key->key == 'k'   ? -1 :
		  key->key == RS_KEY_DOWN || key->key == 'j' ? 1 :
							       0;

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

const struct rs_key rs_help_keys[] = {
	{ { '?', RS_KEY_F1 }, CLOSE, "Help", "back to where the help was called" },
	{ .help = NULL },
};

static bool help_screen_run_action(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	rs_app_pop(s->app);
	return true;
}

static void free_help(struct rs_screen *s)
{
	struct help *h = (struct help *)s;

	rs_buf_done(&h->text);
	free(h);
}

static const struct rs_screen_ops ops = {
	.name = "help", .keys = rs_help_keys, .draw = help_screen_draw, .act = help_screen_run_action,
	.key = help_screen_handle_key, .free = free_help,
};

struct rs_screen *rs_help_screen_new(struct rs_app *app, struct rs_screen *of)
{
	struct help *h = rs_screen_new(app, &ops, sizeof *h);

	if (!h)
		return NULL;
	h->text = (struct rs_buf)RS_BUF_INIT;
	put_help(of, &h->text);
	return &h->screen;
}
