/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality-line.h - the data quality: as a row for JSON and CSV; in one line, the same in text and on every
 * screen
 */
#ifndef RS_VIEW_QUALITY_LINE_H
#define RS_VIEW_QUALITY_LINE_H

#include "base/buf.h"
#include "model/quality.h"
#include "ringside/table.h"

/*
 * The keys of _meta, and what a column has. The one with RS_COLUMN_PART is a list instead: lost_by_cpu
 * of each CPU, null where rs_quality_lost_unknown.
 */
extern const struct rs_column rs_quality_line_columns[];
struct rs_value rs_quality_line_value(const struct rs_quality *quality, const struct rs_column *column);

/* Begins with "# ", ends with a newline. The kernel's name comes from the file and is escaped. */
void rs_quality_line(struct rs_buf *out, const struct rs_quality *quality);

#endif
