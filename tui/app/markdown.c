// SPDX-License-Identifier: GPL-2.0-or-later
/* markdown.c - what is seen as Markdown, for a ticket */
#include "tui/app/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "tui/app/app.h"

#define MARKDOWN_CODE "    " /* a block that no text can end, as ``` would */

void rs_markdown_text(struct rs_buf *out, const char *text)
{
	struct rs_buf shown = RS_BUF_INIT;

	rs_escape_text(&shown, text);
	for (const char *at = shown.data; at && *at; at++) {
		if (strchr("\\`*_|<>[]", *at))
			rs_buf_putc(out, '\\');
		rs_buf_putc(out, *at);
	}
	rs_buf_done(&shown);
}

static void markdown_put_option(const char *option, const char *value, struct rs_buf *out)
{
	if (!value || !*value)
		return;
	rs_buf_printf(out, " %s ", option);
	rs_escape_word(out, value);
}

/* Times of the trace clock: they mean the same in each recording of it. */
static void markdown_put_moment(const char *option, uint64_t ts_ns, struct rs_buf *out)
{
	rs_buf_printf(out, " %s @%" PRIu64 ".%09" PRIu64, option, ts_ns / 1000000000, ts_ns % 1000000000);
}

static void markdown_put_number(const char *option, int64_t number, struct rs_buf *out)
{
	rs_buf_printf(out, " %s %" PRId64, option, number);
}

void rs_markdown_rows_command(const struct rs_markdown_rows *rows, struct rs_buf *out)
{
	struct rs_buf line = RS_BUF_INIT;

	rs_buf_printf(&line, "ringside %s", rows->view);
	markdown_put_option("-i", rs_client_hello_reply(rows->machine->client)->path, &line);
	if (rows->tid)
		markdown_put_number("-t", rows->tid, &line);
	else if (rows->pid)
		markdown_put_number("-p", rows->pid, &line);
	if (rows->cpu >= 0)
		markdown_put_number("-C", rows->cpu, &line);
	markdown_put_option("--where", rows->where, &line);
	markdown_put_option("--by", rows->by, &line);
	markdown_put_option("-s", rows->sort, &line);
	if (rows->to_ns) {
		markdown_put_moment("--from", rows->from_ns, &line);
		markdown_put_moment("--to", rows->to_ns, &line);
	}
	rs_buf_puts(out, "\n" MARKDOWN_CODE);
	rs_escape_text(out, line.data);
	rs_buf_puts(out, "\n");
	rs_buf_done(&line);
}

void rs_markdown_command(const struct rs_app *app, const char *view, const char *where, const char *by,
			 const char *sort, struct rs_buf *out)
{
	struct rs_markdown_rows rows = { .machine = app->machine, .view = view, .where = where, .by = by,
					 .sort = sort, .cpu = -1 };

	if (!app->time.now) {
		rows.from_ns = app->time.from_ns;
		rows.to_ns = app->time.to_ns;
	}
	rs_markdown_rows_command(&rows, out);
}

void rs_markdown_finding(const struct rs_app *app, const struct rs_wire_finding *f, struct rs_buf *out)
{
	rs_buf_puts(out, "**");
	rs_markdown_text(out, f->text ? f->text : "");
	rs_buf_puts(out, "**\n");
	if (f->advice && *f->advice) {
		rs_buf_puts(out, "\nTry: ");
		rs_markdown_text(out, f->advice);
		rs_buf_puts(out, "\n");
	}
	for (size_t i = 0; i < f->nr_evidence; i++)
		rs_markdown_command(app, f->evidence[i].view, f->evidence[i].where, f->evidence[i].by,
				    f->evidence[i].sort, out);
	if (!f->nr_evidence && f->view && *f->view)
		rs_markdown_command(app, f->view, f->where, NULL, NULL, out);
}

/* The lines of the screen without header and footer; those of the canvas are escaped. */
static void markdown_put_seen(const struct rs_app *app, struct rs_buf *out)
{
	struct rs_buf text = RS_BUF_INIT;
	const char *line;

	rs_canvas_text(app->shown, &text);
	line = text.data;
	for (int y = 0; line && *line && y < app->area.y + app->area.height; y++) {
		size_t len = strcspn(line, "\n");

		if (y >= app->area.y && len)
			rs_buf_printf(out, MARKDOWN_CODE "%.*s\n", (int)len, line);
		else if (y >= app->area.y)
			rs_buf_puts(out, "\n");
		line += len + (line[len] == '\n');
	}
	rs_buf_done(&text);
}

static void markdown_put_title(struct rs_screen *s, struct rs_buf *out)
{
	struct rs_buf title = RS_BUF_INIT;

	if (s->ops->title)
		s->ops->title(s, &title);
	else
		rs_buf_puts(&title, s->ops->name);
	rs_buf_puts(out, "**");
	rs_markdown_text(out, title.data ? title.data : "");
	rs_buf_puts(out, "**\n\n");
	rs_buf_done(&title);
}

void rs_markdown_seen(struct rs_screen *s, struct rs_buf *out)
{
	if (!s->app->shown)
		return;
	markdown_put_title(s, out);
	markdown_put_seen(s->app, out);
}

void rs_markdown_copy_screen(struct rs_app *app)
{
	struct rs_screen *top = rs_app_top(app);
	struct rs_buf text = RS_BUF_INIT;

	if (top->ops->copy)
		top->ops->copy(top, &text);
	else
		rs_markdown_seen(top, &text);
	if (!text.failed && text.len)
		rs_app_copy(app, text.data);
	else
		rs_app_say(app, RS_STYLE_WARN, "nothing to copy yet");
	rs_buf_done(&text);
}
