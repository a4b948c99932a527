// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/warnings.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"

/* Several views of one file would repeat the same warning. */
static bool was_said(const char *note, size_t len)
{
	static struct rs_buf said = RS_BUF_INIT; /* each between two newlines */
	struct rs_buf key = RS_BUF_INIT;
	bool known;

	rs_buf_putc(&key, '\n');
	rs_buf_add(&key, note, len);
	rs_buf_putc(&key, '\n');
	known = strstr(said.data, key.data);
	if (!known)
		rs_buf_add(&said, key.data, key.len);
	rs_buf_done(&key);
	return known;
}

void rs_warnings_print(const char *warnings)
{
	struct rs_buf b = RS_BUF_INIT, line = RS_BUF_INIT;

	for (const char *at = warnings; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (was_said(at, strcspn(at, "\n")))
			continue;
		rs_buf_clear(&line);
		rs_buf_add(&line, at, strcspn(at, "\n"));
		rs_buf_puts(&b, "ringside: note: ");
		rs_escape_text(&b, line.data);
		rs_buf_putc(&b, '\n');
	}
	if (b.len)
		fputs(b.data, stderr);
	rs_buf_done(&line);
	rs_buf_done(&b);
}

void rs_warnings_print_aside(struct rs_buf *aside)
{
	if (aside->len)
		fputs(aside->data, stderr);
	rs_buf_clear(aside);
}
