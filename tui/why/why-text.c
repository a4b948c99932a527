// SPDX-License-Identifier: GPL-2.0-or-later
/* why-text.c - a wait as Markdown, for a ticket: the finding, the tree, and the command that prints it */
#include "tui/why/why-screen.h"

#include <string.h>

#include "base/escape.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"

static void why_text_put_tree(const struct rs_why_screen *w, struct rs_buf *out)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_puts(out, "```\n");
	for (size_t i = 0; i < w->nodes.nr; i++)
		rs_buf_printf(out, "%9s  %s\n", rs_screen_duration(w->nodes.at[i].ns, length),
			      w->nodes.at[i].text);
	rs_buf_puts(out, "```\n");
}

static const char *why_text_view(const struct rs_why_screen *w)
{
	const struct rs_catalogue *c = rs_client_catalogue(w->screen.machine->client);

	return rs_catalogue_view_of(c, RS_ROLE_WAIT_TREE)->view.name;
}

static void why_text_put_command(const struct rs_why_screen *w, struct rs_buf *out)
{
	const struct rs_why_node *wait = rs_why_wait(w);

	rs_markdown_rows_command(&(struct rs_markdown_rows){ .machine = w->screen.machine, .cpu = -1,
				 .view = why_text_view(w), .tid = wait->tid,
				 .from_ns = wait->from_ns, .to_ns = wait->to_ns }, out);
}

static void why_text_put(const struct rs_why_screen *w, struct rs_buf *out)
{
	struct rs_buf heading = RS_BUF_INIT;

	rs_why_put_heading(w, &heading);
	if (*w->finding.text)
		rs_buf_printf(out, "**%s**\n\n", w->finding.text);
	rs_buf_printf(out, "%s\n\n", heading.data ? heading.data : "");
	why_text_put_tree(w, out);
	if (*w->finding.advice)
		rs_buf_printf(out, "\nTry: %s\n", w->finding.advice);
	rs_buf_done(&heading);
}

/* Names are chosen by users of the machine: a line end is all that a paste may have of control characters. */
void rs_why_put_markdown(const struct rs_why_screen *w, struct rs_buf *out)
{
	struct rs_buf text = RS_BUF_INIT;

	if (!rs_why_wait(w))
		return;
	why_text_put(w, &text);
	for (char *line = text.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		rs_escape_text(out, line);
		rs_buf_puts(out, "\n");
	}
	why_text_put_command(w, out);
	rs_buf_done(&text);
}
