// SPDX-License-Identifier: GPL-2.0-or-later
/* moment - parses a point in time as people type it, and converts it to the trace clock */
#include "base/moment.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/units.h"

#define SECOND 1000000000ull
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define MOMENT_DAY (24 * HOUR)
#define MAX_DAYS 400 /* that a time of day is looked for: no recording is longer */

/* ---- reading ---- */

/* "14:03", "14:03:07.25"; *end: what follows it. */
static bool moment_time_of_day(const char *text, uint64_t *ns_of_day, const char **end)
{
	unsigned int hours, minutes;
	uint64_t seconds_ns = 0;
	char seconds[40];
	int len = 0;
	size_t nr;

	if (sscanf(text, "%2u:%2u%n", &hours, &minutes, &len) != 2 || !len || hours > 23 || minutes > 59)
		return false;
	*end = text + len;
	if (**end == ':') {
		nr = strspn(*end + 1, "0123456789.");
		if (!nr || nr >= sizeof seconds)
			return false;
		snprintf(seconds, sizeof seconds, "%.*s", (int)nr, *end + 1);
		if (rs_units_parse_duration(seconds, "s", &seconds_ns) != RS_PARSE_OK || seconds_ns >= MINUTE)
			return false;
		*end += 1 + nr;
	}
	*ns_of_day = hours * HOUR + minutes * MINUTE + seconds_ns;
	return true;
}

/*
 * Seconds since 1970; false: before that. Clock changes within the day (daylight saving) are taken into
 * account.
 */
static bool moment_date_ns(struct tm day, uint64_t ns_of_day, bool utc, uint64_t *ns)
{
	time_t s;

	day.tm_hour = (int)(ns_of_day / HOUR);
	day.tm_min = (int)(ns_of_day / MINUTE % 60);
	day.tm_sec = (int)(ns_of_day / SECOND % 60);
	day.tm_isdst = -1;
	s = utc ? timegm(&day) : mktime(&day);
	if (s < 0 || (uint64_t)s > UINT64_MAX / SECOND - 1)
		return false;
	*ns = (uint64_t)s * SECOND + ns_of_day % SECOND;
	return true;
}

/* "2026-11-22", "2026-11-22 14:03:07.5", "2026-11-22T14:03Z" */
static bool moment_date(const char *text, struct rs_moment *m)
{
	unsigned int year, month, day;
	uint64_t ns_of_day = 0;
	const char *end;
	struct tm tm;
	int len = 0;

	if (sscanf(text, "%4u-%2u-%2u%n", &year, &month, &day, &len) != 3 || !len || year < 1970 ||
	    month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	end = text + len;
	if ((*end == ' ' || *end == 'T') && !moment_time_of_day(end + 1, &ns_of_day, &end))
		return false;
	if (strcmp(end, "") && strcmp(end, "Z"))
		return false;
	tm = (struct tm){ .tm_year = (int)year - 1900, .tm_mon = (int)month - 1, .tm_mday = (int)day };
	m->kind = RS_MOMENT_DATE;
	return moment_date_ns(tm, ns_of_day, *end == 'Z', &m->ns);
}

static bool moment_number(const char *text, const char *unit, enum rs_moment_kind kind, struct rs_moment *m)
{
	m->kind = kind;
	return rs_units_parse_duration(text, unit, &m->ns) == RS_PARSE_OK;
}

static bool moment_is_date(const char *text)
{
	return strspn(text, "0123456789") == 4 && text[4] == '-';
}

bool rs_moment_parse(const char *text, const char *clock_unit, struct rs_moment *m)
{
	const char *end;

	*m = (struct rs_moment){ RS_MOMENT_NONE, 0 };
	if (moment_is_date(text))
		return moment_date(text, m);
	if (strchr(text, ':')) {
		m->kind = RS_MOMENT_OF_DAY;
		return moment_time_of_day(text, &m->ns, &end) && !*end;
	}
	if (*text == '@')
		return moment_number(text + 1, clock_unit, RS_MOMENT_CLOCK, m);
	if (*text == '-')
		return moment_number(text + 1, "s", RS_MOMENT_BEFORE_END, m);
	return moment_number(text, "s", RS_MOMENT_AFTER_BEGIN, m);
}

/* ---- in the trace clock ---- */

static bool moment_of_wall(uint64_t wall_ns, const struct rs_moment_clock *clock, uint64_t *ts_ns)
{
	__int128 ts = (__int128)wall_ns - clock->wall_offset_ns;

	*ts_ns = (uint64_t)ts;
	return ts >= 0 && ts <= UINT64_MAX;
}

static uint64_t moment_distance(const struct rs_moment_clock *clock, uint64_t ts_ns)
{
	return ts_ns < clock->begin_ns ? clock->begin_ns - ts_ns :
	       ts_ns > clock->end_ns   ? ts_ns - clock->end_ns :
					 0;
}

/* The one within what there is, the last of several; else the nearest to it. */
static bool moment_nearest_day(uint64_t ns_of_day, const struct rs_moment_clock *clock, uint64_t *ts_ns)
{
	time_t s = (time_t)(((__int128)clock->end_ns + clock->wall_offset_ns) / (__int128)SECOND);
	uint64_t nr_days = (clock->end_ns - clock->begin_ns) / MOMENT_DAY + 2, at_ns, wall_ns;
	bool found = false;
	struct tm day;

	if (!localtime_r(&s, &day))
		return false;
	day.tm_mday++; /* mktime normalizes the day of the month */
	for (uint64_t i = 0; i <= nr_days && i < MAX_DAYS; i++, day.tm_mday--) {
		if (!moment_date_ns(day, ns_of_day, false, &wall_ns) ||
		    !moment_of_wall(wall_ns, clock, &at_ns))
			continue;
		if (!found || moment_distance(clock, at_ns) < moment_distance(clock, *ts_ns))
			*ts_ns = at_ns;
		found = true;
	}
	return found;
}

enum rs_moment_result rs_moment_resolve(const struct rs_moment *m, const struct rs_moment_clock *clock,
					uint64_t *ts_ns)
{
	bool ok = true;

	if (!clock->has_wall && (m->kind == RS_MOMENT_OF_DAY || m->kind == RS_MOMENT_DATE))
		return RS_MOMENT_NO_WALL;
	switch (m->kind) {
	case RS_MOMENT_AFTER_BEGIN:
		ok = !__builtin_add_overflow(clock->begin_ns, m->ns, ts_ns);
		break;
	case RS_MOMENT_BEFORE_END:
		*ts_ns = clock->end_ns > m->ns ? clock->end_ns - m->ns : 0;
		break;
	case RS_MOMENT_OF_DAY:
		ok = moment_nearest_day(m->ns, clock, ts_ns);
		break;
	case RS_MOMENT_DATE:
		ok = moment_of_wall(m->ns, clock, ts_ns);
		break;
	default:
		*ts_ns = m->ns;
	}
	return ok ? RS_MOMENT_OK : RS_MOMENT_TOO_FAR;
}
