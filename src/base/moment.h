/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moment.h - parses a point in time as people type it, and converts it to the trace clock
 *
 *	12.5, 250ms            since the begin of what there is
 *	-10s, -1.5             before its end
 *	@123.456               of the trace clock itself
 *	14:03, 14:03:07.25     time of day, local: the one nearest to what there is
 *	2026-11-22 14:03:07    a date, local, with T or a blank between; with Z at its end UTC
 *
 *	struct rs_moment m;
 *	if (rs_moment_parse("14:03:07", "s", &m))
 *		rs_moment_resolve(&m, &clock, &ts_ns);
 */
#ifndef RS_BASE_MOMENT_H
#define RS_BASE_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

enum rs_moment_kind {
	RS_MOMENT_NONE,
	RS_MOMENT_AFTER_BEGIN,
	RS_MOMENT_BEFORE_END,
	RS_MOMENT_CLOCK,
	RS_MOMENT_OF_DAY,    /* ns since midnight */
	RS_MOMENT_DATE,      /* ns since 1970 */
};

struct rs_moment {
	enum rs_moment_kind kind;
	uint64_t ns;
};

/* The range of the data, in the trace clock. */
struct rs_moment_clock {
	uint64_t begin_ns, end_ns;
	bool has_wall;
	int64_t wall_offset_ns;  /* CLOCK_REALTIME minus the trace clock */
};

enum rs_moment_result {
	RS_MOMENT_OK,
	RS_MOMENT_NO_WALL,       /* the data does not say what time of day it was */
	RS_MOMENT_TOO_FAR,       /* no such clock goes that far, or it is before its zero */
};

/* clock_unit: of a bare number after "@". False: no moment. */
bool rs_moment_parse(const char *text, const char *clock_unit, struct rs_moment *m);
enum rs_moment_result rs_moment_resolve(const struct rs_moment *m, const struct rs_moment_clock *clock,
					uint64_t *ts_ns);

/* To resolve it, the end of what there is has to be known. */
static inline bool rs_moment_needs_end(const struct rs_moment *m)
{
	return m->kind == RS_MOMENT_BEFORE_END || m->kind == RS_MOMENT_OF_DAY;
}

#endif
