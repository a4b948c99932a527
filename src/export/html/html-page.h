/* SPDX-License-Identifier: GPL-2.0-or-later */
/* html-page.h - what any page of ours has: its style, the nonce of its scripts, flame graphs in frames */
#ifndef RS_EXPORT_HTML_HTML_PAGE_H
#define RS_EXPORT_HTML_HTML_PAGE_H

#include "base/buf.h"

#define RS_HTML_NONCE 33 /* bytes, with the end */

/* page.css, which the build embeds */
extern const char rs_page_css[];

/* By which the page's policy knows its own scripts. False: the kernel has no random numbers. */
bool rs_html_page_make_nonce(char nonce[RS_HTML_NONCE]);
/* svg: what rs_flame_svg_put wrote, with its script. */
void rs_html_page_put_flame(struct rs_buf *out, const struct rs_buf *svg, const char *title,
			    const char *nonce);

#endif
