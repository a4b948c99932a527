/* SPDX-License-Identifier: GPL-2.0-or-later */
/* html-style.h - the colors of causes as CSS, of a page and of any other picture that browsers draw */
#ifndef RS_EXPORT_HTML_HTML_STYLE_H
#define RS_EXPORT_HTML_HTML_STYLE_H

#include "base/buf.h"
#include "ringside/wait.h"

/* The colors of causes, for dark and light: .c-run { ... } */
void rs_html_style_put_causes(struct rs_buf *out);
/* The class of a cause: "run", "otherd". Causes of one color may share it. */
void rs_html_style_put_cause(struct rs_buf *out, enum rs_cause cause);

#endif
