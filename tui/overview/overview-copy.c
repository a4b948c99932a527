// SPDX-License-Identifier: GPL-2.0-or-later
/* overview-copy.c - what the first screen puts on the clipboard */
#include "tui/app/markdown.h"
#include "tui/overview/overview.h"

/* A finding, where one is selected; else all that is seen. */
void rs_overview_copy(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_overview *o = (const struct rs_overview *)s;

	if (!o->nr || !rs_widget_copy(o->places[o->at].widget, o->row, out))
		rs_markdown_seen(s, out);
}
