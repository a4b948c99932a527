/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trust-fields.h - the members of the data quality, a row each: JSON and CSV have the same keys from here
 */
#ifndef RS_VIEW_TRUST_FIELDS_H
#define RS_VIEW_TRUST_FIELDS_H

#include <stddef.h>

#include "model/trust.h"

enum rs_trust_kind {
	RS_TRUST_TEXT = 1,     /* null where it is not known */
	RS_TRUST_FILTERS,      /* text; "" where there are none */
	RS_TRUST_COUNT,
	RS_TRUST_TIME,         /* null where there was no event */
	RS_TRUST_REALTIME,     /* signed; null where it is not known */
	RS_TRUST_LOST,         /* null where nothing of what was lost was counted */
	RS_TRUST_LOST_BY_CPU,  /* a list of these */
};

struct rs_trust_field {
	const char *key;
	enum rs_trust_kind kind;
	size_t offset;         /* in struct rs_trust; of RS_TRUST_LOST and _BY_CPU none */
};

/* Where the numbers come from, and the counts; each ends with a NULL key. */
extern const struct rs_trust_field rs_trust_source_fields[], rs_trust_count_fields[];

static inline bool rs_trust_is_text(const struct rs_trust_field *f)
{
	return f->kind == RS_TRUST_TEXT || f->kind == RS_TRUST_FILTERS;
}

/* NULL: not known. */
static inline const char *rs_trust_text(const struct rs_trust *t, const struct rs_trust_field *f)
{
	const char *text = *(const char *const *)((const char *)t + f->offset);

	return text || f->kind == RS_TRUST_TEXT ? text : "";
}

static inline uint64_t rs_trust_number(const struct rs_trust *t, const struct rs_trust_field *f)
{
	return f->kind == RS_TRUST_LOST ? rs_quality_lost(t)
		: *(const uint64_t *)((const char *)t + f->offset);
}

/* Of a number: is it known? */
static inline bool rs_trust_is_known(const struct rs_trust *t, const struct rs_trust_field *f)
{
	switch (f->kind) {
	case RS_TRUST_TIME: return t->events > 0;
	case RS_TRUST_REALTIME: return t->realtime_offset_known;
	case RS_TRUST_LOST: return rs_quality_lost(t) || !t->gaps_uncounted;
	default: return true;
	}
}

#endif
