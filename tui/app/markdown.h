/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * markdown.h - what is seen as Markdown, for a ticket: escaped, with the command that prints the same
 *
 * Names are chosen by users of the machine: no character of one ends a cell or a code block, or reaches the
 * terminal that pastes it as a control.
 */
#ifndef RS_TUI_APP_MARKDOWN_H
#define RS_TUI_APP_MARKDOWN_H

#include "tui/app/screen.h"

/* A text outside of code. */
void rs_markdown_text(struct rs_buf *out, const char *text);
/* The command that prints these rows, as a code block. Of where, by and sort "" or NULL is left out. */
void rs_markdown_command(const struct rs_app *app, const char *view, const char *where, const char *by,
			 const char *sort, struct rs_buf *out);
/* Rows of a view, of a thread, a process or a CPU, in a time range. */
struct rs_markdown_rows {
	const struct rs_tui_machine *machine;
	const char *view, *where, *by, *sort; /* "" or NULL: left out */
	int64_t pid, tid;        /* 0: of all */
	int64_t cpu;             /* -1: of all */
	uint64_t from_ns, to_ns; /* to_ns 0: all of it */
};
/* The command that prints these. */
void rs_markdown_rows_command(const struct rs_markdown_rows *rows, struct rs_buf *out);
/* A finding: its sentence, what to try, and for each of its tables the command that prints it. */
void rs_markdown_finding(const struct rs_app *app, const struct rs_wire_finding *f, struct rs_buf *out);
/* What is seen of a screen without header and footer, below its title; nothing before it was drawn. */
void rs_markdown_seen(struct rs_screen *s, struct rs_buf *out);
/* The top screen, by its op, else as it is seen; to the clipboard of the terminal. */
void rs_markdown_copy_screen(struct rs_app *app);

#endif
