// SPDX-License-Identifier: GPL-2.0-or-later
/* html-page - what any page of ours has: the nonce of its scripts, flame graphs in frames */
#include "export/html/html-page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool rs_html_page_make_nonce(char nonce[RS_HTML_NONCE])
{
	uint64_t random[2];

	if (getrandom(random, sizeof random, 0) != sizeof random)
		return false;
	snprintf(nonce, RS_HTML_NONCE, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	return true;
}

/* In an attribute with single quotes: most of the picture's quotes stay as they are. */
static void html_page_put_attribute(struct rs_buf *out, const char *s, size_t len)
{
	for (const char *end = s + len; s < end; s++) {
		if (*s == '&')
			rs_buf_puts(out, "&amp;");
		else if (*s == '\'')
			rs_buf_puts(out, "&#39;");
		else
			rs_buf_putc(out, *s);
	}
}

/*
 * In a frame of its own: the ids and the script of several would not go together. Names in it are escaped:
 * "<script" is its own.
 */
void rs_html_page_put_flame(struct rs_buf *out, const struct rs_buf *svg, const char *title,
			    const char *nonce)
{
	const char *height = svg->len ? strstr(svg->data, "height=\"") : NULL;
	const char *script = svg->len ? strstr(svg->data, "<script>") : NULL;
	const char *begin = svg->len ? strstr(svg->data, "<svg") : NULL;

	if (!height || !begin || !script)
		return;
	rs_buf_printf(out,
		      "<h3>%s</h3><iframe class=\"flame\" sandbox=\"allow-scripts allow-modals\" "
		      "title=\"flame graph\" style=\"height:%dpx\" srcdoc='"
		      "<!DOCTYPE html><style>body{margin:0}</style>",
		      title, atoi(height + 8) + 4);
	html_page_put_attribute(out, begin, (size_t)(script - begin));
	rs_buf_printf(out, "<script nonce=\"%s\">", nonce);
	html_page_put_attribute(out, script + strlen("<script>"), strlen(script + strlen("<script>")));
	rs_buf_puts(out, "'></iframe>\n");
	out->failed |= svg->failed;
}
