/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quality-fields.h - one row for each member of the data quality: the keys of JSON and CSV
 */
#ifndef RS_VIEW_QUALITY_FIELDS_H
#define RS_VIEW_QUALITY_FIELDS_H

#include <stddef.h>

#include "model/quality.h"

enum rs_quality_kind {
	RS_QUALITY_TEXT = 1,     /* null if unknown */
	RS_QUALITY_FILTERS,      /* text; "" if there are none */
	RS_QUALITY_COUNT,
	RS_QUALITY_TIME,         /* null without events */
	RS_QUALITY_REALTIME,     /* signed; null if unknown */
	RS_QUALITY_LOST,         /* null if the kernel counted none of the lost events */
	RS_QUALITY_LOST_BY_CPU,  /* a list of these */
};

struct rs_quality_field {
	const char *key;
	enum rs_quality_kind kind;
	size_t offset;         /* in struct rs_quality; unused by RS_QUALITY_LOST and _BY_CPU */
};

/* The source of the numbers, and the counts; each ends with a NULL key. */
extern const struct rs_quality_field rs_quality_source_fields[], rs_quality_count_fields[];

static inline bool rs_quality_is_text(const struct rs_quality_field *f)
{
	return f->kind == RS_QUALITY_TEXT || f->kind == RS_QUALITY_FILTERS;
}

/* NULL: unknown. */
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

/* Returns whether a number is known. */
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
