/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quality-line.h - the data quality in one line, the same in text and on every screen */
#ifndef RS_VIEW_QUALITY_LINE_H
#define RS_VIEW_QUALITY_LINE_H

#include "base/buf.h"
#include "model/quality.h"

/* Begins with "# ", ends with a newline. The kernel's name comes from the file and is escaped. */
void rs_quality_line(struct rs_buf *out, const struct rs_quality *quality);

#endif
