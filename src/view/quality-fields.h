/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality-fields.h - the members of the data quality, a row each: JSON and CSV have the same keys from here
 */
#ifndef RS_VIEW_QUALITY_FIELDS_H
#define RS_VIEW_QUALITY_FIELDS_H

#include <stddef.h>

#include "model/quality.h"

enum rs_quality_kind {
	RS_QUALITY_TEXT = 1,     /* null where it is not known */
	RS_QUALITY_FILTERS,      /* text; "" where there are none */
	RS_QUALITY_COUNT,
	RS_QUALITY_TIME,         /* null where there was no event */
	RS_QUALITY_REALTIME,     /* signed; null where it is not known */
	RS_QUALITY_LOST,         /* null where nothing of what was lost was counted */
	RS_QUALITY_LOST_BY_CPU,  /* a list of these */
};

struct rs_quality_field {
	const char *key;
	enum rs_quality_kind kind;
	size_t offset;         /* in struct rs_quality; of RS_QUALITY_LOST and _BY_CPU none */
};

/* Where the numbers come from, and the counts; each ends with a NULL key. */
extern const struct rs_quality_field rs_quality_source_fields[], rs_quality_count_fields[];

static inline bool rs_quality_is_text(const struct rs_quality_field *f)
{
	return f->kind == RS_QUALITY_TEXT || f->kind == RS_QUALITY_FILTERS;
}

/* NULL: not known. */
static inline const char *rs_quality_text(const struct rs_quality *t, const struct rs_quality_field *f)
{
	const char *text = *(const char *const *)((const char *)t + f->offset);

	return text || f->kind == RS_QUALITY_TEXT ? text : "";
}

static inline uint64_t rs_quality_number(const struct rs_quality *t, const struct rs_quality_field *f)
{
	return f->kind == RS_QUALITY_LOST ? rs_quality_lost(t)
		: *(const uint64_t *)((const char *)t + f->offset);
}

/* Of a number: is it known? */
static inline bool rs_quality_is_known(const struct rs_quality *t, const struct rs_quality_field *f)
{
	switch (f->kind) {
	case RS_QUALITY_TIME: return t->events > 0;
	case RS_QUALITY_REALTIME: return t->realtime_offset_known;
	case RS_QUALITY_LOST: return rs_quality_lost(t) || !t->gaps_uncounted;
	default: return true;
	}
}

#endif
