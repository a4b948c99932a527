// SPDX-License-Identifier: GPL-2.0-or-later
/* test-moment - moments as people type them, in the trace clock */
#include <check.h>
#include <stdlib.h>
#include <time.h>

#include "base/moment.h"

#define S 1000000000ull

Suite *rs_suite_moment(void);

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* From 23:59:50 on 2023-11-14 UTC for half a minute; the trace clock is at 100 s then. */
#define WALL_S 1700006390ll
static const struct rs_moment_clock midnight = {
	.begin_ns = 100 * S, .end_ns = 130 * S, .has_wall = true, .wall_offset_ns = (WALL_S - 100) * (int64_t)S,
};

static uint64_t resolved(const char *text, const struct rs_moment_clock *clock)
{
	struct rs_moment m;
	uint64_t ts_ns;

	ck_assert_msg(rs_moment_parse(text, "s", &m), "%s", text);
	ck_assert_msg(rs_moment_resolve(&m, clock, &ts_ns) == RS_MOMENT_OK, "%s", text);
	return ts_ns;
}

START_TEST(each_kind)
{
	static const struct { const char *text; uint64_t ts_ns; } moments[] = {
		{ "0", 100 * S }, { "1.5", 101 * S + S / 2 }, { "250ms", 100 * S + S / 4 },
		{ "-10s", 120 * S }, { "-1.5", 128 * S + S / 2 }, { "-1h", 0 },
		{ "@12.5", 12 * S + S / 2 }, { "@99ns", 99 },
		/* of day: within what there is, on whichever side of midnight */
		{ "23:59:55", 105 * S }, { "00:00:05.25", 115 * S + S / 4 }, { "00:00", 110 * S },
		/* of day: else the nearest */
		{ "23:59:00", 50 * S }, { "00:01", 170 * S },
		{ "2023-11-14 23:59:55", 105 * S }, { "2023-11-15T00:00:05.5", 115 * S + S / 2 }, { "2023-11-15", 110 * S },
		{ "2023-11-14 23:59:55Z", 105 * S },
	};

	set_zone("UTC");
	for (size_t i = 0; i < sizeof moments / sizeof *moments; i++)
		ck_assert_msg(resolved(moments[i].text, &midnight) == moments[i].ts_ns, "%s is %llu", moments[i].text,
			      (unsigned long long)resolved(moments[i].text, &midnight));
}
END_TEST

/* The same moments an hour west of Greenwich; Z is UTC wherever one is. */
START_TEST(zones)
{
	set_zone("XXX1");
	ck_assert_uint_eq(resolved("22:59:55", &midnight), 105 * S);
	ck_assert_uint_eq(resolved("2023-11-14 22:59:55", &midnight), 105 * S);
	ck_assert_uint_eq(resolved("2023-11-14T23:59:55Z", &midnight), 105 * S);
	set_zone("UTC");
}
END_TEST

/* Of a capture of three days a time of day is the last one. */
START_TEST(days)
{
	struct rs_moment_clock clock = midnight;

	set_zone("UTC");
	clock.end_ns = clock.begin_ns + 3 * 86400 * S;
	ck_assert_uint_eq(resolved("23:59:55", &clock), 105 * S + 2 * 86400 * S);
	ck_assert_uint_eq(resolved("2023-11-14 23:59:55", &clock), 105 * S);
}
END_TEST

START_TEST(without_a_wall_clock)
{
	struct rs_moment_clock clock = midnight;
	struct rs_moment m;
	uint64_t ts_ns;

	clock.has_wall = false;
	ck_assert(rs_moment_parse("14:03:10", "s", &m));
	ck_assert_int_eq(rs_moment_resolve(&m, &clock, &ts_ns), RS_MOMENT_NO_WALL);
	ck_assert(rs_moment_parse("2023-11-14", "s", &m));
	ck_assert_int_eq(rs_moment_resolve(&m, &clock, &ts_ns), RS_MOMENT_NO_WALL);
	ck_assert_uint_eq(resolved("-10s", &clock), 120 * S);
	/* before the trace clock's zero */
	ck_assert(rs_moment_parse("1970-01-02", "s", &m));
	ck_assert_int_eq(rs_moment_resolve(&m, &midnight, &ts_ns), RS_MOMENT_TOO_FAR);
}
END_TEST

START_TEST(no_moments)
{
	static const char *const bad[] = {
		"", "x", "-", "@", "12:", "25:00", "12:60", "12:00:60", "1:2:3:4", "12:00x", "2023-13-01", "2023-11-14 25:00",
		"2023-11-14x", "1969-12-31", "2023-11", "99999999999999", "1e9", "--1",
	};
	struct rs_moment m;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(!rs_moment_parse(bad[i], "s", &m), "'%s'", bad[i]);
}
END_TEST

Suite *rs_suite_moment(void)
{
	Suite *s = suite_create("moment");
	TCase *t = tcase_create("moment");

	tcase_add_test(t, each_kind);
	tcase_add_test(t, zones);
	tcase_add_test(t, days);
	tcase_add_test(t, without_a_wall_clock);
	tcase_add_test(t, no_moments);
	suite_add_tcase(s, t);
	return s;
}
