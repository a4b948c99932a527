/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg.h - writes a canvas as SVG, for documents
 */
#ifndef RS_TUI_SVG_H
#define RS_TUI_SVG_H

#include "base/buf.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/theme.h"

/* title: the text for screen readers. Writes a whole XML document; sets out->failed without memory. */
void rs_svg_draw(const struct rs_canvas *c, enum rs_theme theme, const char *title, struct rs_buf *out);

#endif
