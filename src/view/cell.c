// SPDX-License-Identifier: GPL-2.0-or-later
/* cell - a value as people read it: what text and the screens share */
#include "view/cell.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* Headings under which a known tool prints fewer decimals than ringside usually does. */
static int cell_decimals(const struct rs_column *c)
{
	static const struct {
		const char *heading;
		int decimals;
	} known[] = {
		{ "LATms", 2 },   /* iosnoop */
		{ "LAT(ms)", 2 }, /* biosnoop, fileslower */
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (!strcmp(rs_column_heading(c), known[i].heading))
			return known[i].decimals;
	return -1;
}

/* The length of "RUN(ms)" or "LATms" without the unit at its end. */
static size_t heading_len(const char *heading)
{
	static const char *const units[] = { "(ms)", "(us)", "(ns)", "(s)", "ms", "us" };
	size_t len = strlen(heading);

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		size_t n = strlen(units[i]);

		if (len > n && !strcmp(heading + len - n, units[i]))
			return len - n;
	}
	return len;
}

const char *rs_cell_heading(const struct rs_cell_style *style, const struct rs_column *c, char *to)
{
	const char *heading = rs_column_heading(c);

	if (!style->counts || (c->type != RS_TYPE_TIME && c->type != RS_TYPE_DURATION))
		return heading;
	snprintf(to, RS_HEADING_BYTES, "%.*s(%s)", (int)heading_len(heading), heading, style->counts);
	return to;
}

size_t rs_cell_time(const struct rs_cell_style *style, uint64_t ts_ns, char *to)
{
	if (style->counts && style->time == RS_TIME_BOOT)
		return rs_units_put_u64(to, ts_ns);
	if (style->counts)
		return rs_units_put_i64(to, (int64_t)(ts_ns - style->begin_ns));
	switch (style->time) {
	case RS_TIME_BOOT:
		return rs_units_put_seconds(to, ts_ns);
	case RS_TIME_WALL:
		return rs_units_put_wall(to, ts_ns, style->realtime_offset_ns);
	default:
		return rs_units_put_seconds_since(to, ts_ns, style->begin_ns);
	}
}

size_t rs_cell_number(const struct rs_cell_style *style, const struct rs_column *c,
		      const struct rs_value *value, char *to)
{
	uint64_t v = value->u;
	size_t sign = 0;

	if (!value->known) {
		*to = '-';
		return 1;
	}
	if (c->flags & RS_COLUMN_SIGNED && value->i < 0) {
		*to++ = '-';
		v = -v;
		sign = 1;
	}
	switch (c->type) {
	case RS_TYPE_TIME:
		return sign + rs_cell_time(style, v, to);
	case RS_TYPE_DURATION:
		return sign + (style->counts ? rs_units_put_u64(to, v) :
					       rs_units_put_duration(to, v, c->unit, cell_decimals(c)));
	case RS_TYPE_BYTES:
		return sign + rs_units_put_bytes(to, v);
	case RS_TYPE_MILLI:
		return sign + rs_units_put_fixed(to, v / 10 + (v % 10 >= 5), 2);
	default:
		return sign + rs_units_put_u64(to, v);
	}
}

bool rs_cell_column_is_comm(const struct rs_column *c)
{
	size_t len = strlen(c->name);

	return len >= 4 && !strcmp(c->name + len - 4, "comm") && c->width;
}
