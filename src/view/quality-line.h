/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quality-line.h - how far the numbers can be believed, in one line: the same words in text and on every screen */
#ifndef RS_VIEW_QUALITY_LINE_H
#define RS_VIEW_QUALITY_LINE_H

#include "base/buf.h"
#include "model/quality.h"

/* "# " first, newline last. The kernel's name is the file's word: escaped. */
void rs_quality_line(struct rs_buf *out, const struct rs_quality *quality);

#endif
