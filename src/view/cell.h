/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cell.h - a value as people read it: what text and the screens share
 */
#ifndef RS_VIEW_CELL_H
#define RS_VIEW_CELL_H

#include "ringside/table.h"

/* How moments are shown; JSON and CSV always have the trace clock. */
enum rs_time_mode { RS_TIME_REL, RS_TIME_BOOT, RS_TIME_WALL };

struct rs_cell_style {
	enum rs_time_mode time;
	uint64_t begin_ns;          /* for RS_TIME_REL */
	int64_t realtime_offset_ns; /* for RS_TIME_WALL */
	const char *counts;         /* what the clock counts if not time: "cycles"; NULL: ns */
};

#define RS_HEADING_BYTES 64

/* A column's heading, at most RS_HEADING_BYTES with its NUL; "RUN(cycles)" if the clock counts cycles. */
const char *rs_cell_heading(const struct rs_cell_style *style, const struct rs_column *c, char *to);
/* A moment in the style's form; at most RS_UNIT_TEXT bytes, without a NUL. */
size_t rs_cell_time(const struct rs_cell_style *style, uint64_t ts_ns, char *to);
/*
 * A number, not of RS_TYPE_TEXT, without padding; "-" if unknown; at most RS_UNIT_TEXT + 1 bytes, without a
 * NUL.
 */
size_t rs_cell_number(const struct rs_cell_style *style, const struct rs_column *c,
		      const struct rs_value *value, char *to);

static inline const char *rs_column_heading(const struct rs_column *c)
{
	return c->heading ? c->heading : c->name;
}

static inline bool rs_column_is_left(const struct rs_column *c)
{
	return c->type == RS_TYPE_TEXT || c->flags & RS_COLUMN_LEFT;
}

/* "comm", "prev_comm": 16 bytes of the kernel, cut to the column's width as other tools do. */
bool rs_cell_column_is_comm(const struct rs_column *c);

#endif
