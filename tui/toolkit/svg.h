/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg.h - a canvas as SVG: for documents, from the screen that is there
 */
#ifndef RS_TUI_SVG_H
#define RS_TUI_SVG_H

#include "base/buf.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/theme.h"

/* title: read out where the picture cannot be seen. Whole XML text; out->failed where memory ran out. */
void rs_svg_draw(const struct rs_canvas *c, enum rs_theme theme, const char *title, struct rs_buf *out);

#endif
