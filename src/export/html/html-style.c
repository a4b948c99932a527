// SPDX-License-Identifier: GPL-2.0-or-later
/* html-style.c - the colors of causes, for a light and a dark page: what page.css cannot know */
#include <ctype.h>
#include <inttypes.h>

#include "base/palette.h"
#include "export/html/html-style.h"

void rs_html_style_put_cause(struct rs_buf *out, enum rs_cause cause)
{
	for (const char *name = rs_cause_row(cause)->name; *name; name++)
		if (isalnum((unsigned char)*name))
			rs_buf_putc(out, (char)tolower((unsigned char)*name));
}

/* What has no color is the ground itself. */
static void style_put_causes(struct rs_buf *out, bool dark)
{
	for (enum rs_cause cause = RS_CAUSE_UNKNOWN; cause < RS_NR_CAUSES; cause++) {
		const struct rs_cause_row *row = rs_cause_row(cause);

		if (row->of_parts)
			continue;
		rs_buf_puts(out, ".c-");
		rs_html_style_put_cause(out, cause);
		if (row->rank == RS_RANK_IDLE)
			rs_buf_puts(out, "{background:transparent;fill:none}");
		else
			rs_buf_printf(out, "{background:#%06" PRIx32 ";fill:#%06" PRIx32 "}",
				      rs_palette_rgb(dark ? row->dark : row->light),
				      rs_palette_rgb(dark ? row->dark : row->light));
	}
}

void rs_html_style_put_causes(struct rs_buf *out)
{
	style_put_causes(out, false);
	rs_buf_puts(out, "\n@media(prefers-color-scheme:dark){");
	style_put_causes(out, true);
	rs_buf_puts(out, "}\n");
}
