// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(const char *text, size_t len, const char *expected)
{
	char terminated[RS_UNIT_TEXT + 1];

	ck_assert_uint_le(len, RS_UNIT_TEXT);
	memcpy(terminated, text, len);
	terminated[len] = '\0';
	ck_assert_str_eq(terminated, expected);
}

static const struct {
	uint64_t ns;
	enum rs_unit unit;
	int decimals;
	const char *expected;
} durations[] = {
	{ 0, RS_UNIT_AUTO, -1, "0ns" },
	{ 999, RS_UNIT_AUTO, -1, "999ns" },
	{ 1000, RS_UNIT_AUTO, -1, "1.00us" },
	{ 1004, RS_UNIT_AUTO, -1, "1.00us" },
	{ 1005, RS_UNIT_AUTO, -1, "1.01us" },
	{ 9994, RS_UNIT_AUTO, -1, "9.99us" },
	{ 9995, RS_UNIT_AUTO, -1, "10.0us" },
	{ 12345, RS_UNIT_AUTO, -1, "12.3us" },
	{ 99949, RS_UNIT_AUTO, -1, "99.9us" },
	{ 99950, RS_UNIT_AUTO, -1, "100us" },
	{ 999499, RS_UNIT_AUTO, -1, "999us" },
	{ 999500, RS_UNIT_AUTO, -1, "1.00ms" },
	{ 4510000, RS_UNIT_AUTO, -1, "4.51ms" },
	{ 999500000, RS_UNIT_AUTO, -1, "1.00s" },
	{ 59994999999, RS_UNIT_AUTO, -1, "60.0s" },
	{ 999500000000, RS_UNIT_AUTO, -1, "1000s" },
	{ UINT64_MAX, RS_UNIT_AUTO, -1, "18446744074s" },
	{ 0, RS_UNIT_MS, 2, "0.00" },
	{ 999, RS_UNIT_MS, -1, "0.001" },
	{ 499, RS_UNIT_MS, -1, "0.000" },
	{ 500, RS_UNIT_MS, -1, "0.001" },
	{ 1000, RS_UNIT_MS, -1, "0.001" },
	{ 12345678, RS_UNIT_MS, -1, "12.346" },
	{ 12345678, RS_UNIT_MS, 2, "12.35" },
	{ 12345678, RS_UNIT_MS, 9, "12.345678" },
	{ 12345678, RS_UNIT_US, -1, "12345.7" },
	{ 12345678, RS_UNIT_US, 0, "12346" },
	{ 12345678, RS_UNIT_US, 3, "12345.678" },
	{ 12345678, RS_UNIT_S, -1, "0.012346" },
	{ 12345678, RS_UNIT_S, 9, "0.012345678" },
	{ UINT64_MAX, RS_UNIT_S, 0, "18446744074" },
	{ UINT64_MAX, RS_UNIT_MS, 2, "18446744073709.55" },
	{ UINT64_MAX, RS_UNIT_US, 3, "18446744073709551.615" },
};

START_TEST(duration)
{
	char text[RS_UNIT_TEXT];

	check(text, rs_units_put_duration(text, durations[_i].ns, durations[_i].unit, durations[_i].decimals),
	      durations[_i].expected);
}
END_TEST

static const struct {
	uint64_t nr_bytes;
	const char *expected;
} sizes[] = {
	{ 0, "0B" },
	{ 999, "999B" },
	{ 1000, "1000B" },
	{ 1023, "1023B" },
	{ 1024, "1.00KiB" },
	{ 10234, "9.99KiB" },
	{ 10235, "10.0KiB" },
	{ 102348, "99.9KiB" },
	{ 102349, "100KiB" },
	{ 1048063, "1023KiB" },
	{ 1048064, "1.00MiB" },
	{ 5ull << 30, "5.00GiB" },
	{ 3ull << 59, "1.50EiB" },
	{ UINT64_MAX, "16.0EiB" },
};

START_TEST(bytes)
{
	char text[RS_UNIT_TEXT];

	check(text, rs_units_put_bytes(text, sizes[_i].nr_bytes), sizes[_i].expected);
}
END_TEST

START_TEST(sizes_in_sentences)
{
	char text[RS_UNIT_TEXT];

	check(text, rs_units_put_size(text, 0), "0 B");
	check(text, rs_units_put_size(text, 1023), "1023 B");
	check(text, rs_units_put_size(text, 64ull << 20), "64 MiB");
	check(text, rs_units_put_size(text, (64ull << 20) - 1), "63.9 MiB");
	check(text, rs_units_put_size(text, 3ull << 29), "1.5 GiB");
	check(text, rs_units_put_size(text, UINT64_MAX), "15.9 EiB");
}
END_TEST

START_TEST(steps_of_an_axis)
{
	ck_assert_uint_eq(rs_units_round_step(0, 1), 1);
	ck_assert_uint_eq(rs_units_round_step(2, 1), 2);
	ck_assert_uint_eq(rs_units_round_step(3, 1), 5);
	ck_assert_uint_eq(rs_units_round_step(10, 1), 10);
	ck_assert_uint_eq(rs_units_round_step(11, 1), 20);
	ck_assert_uint_eq(rs_units_round_step(1000001, 1), 2000000);
	ck_assert_uint_eq(rs_units_round_step(7, 1000), 1000);
	ck_assert_uint_eq(rs_units_round_step(20001, 1000), 50000);
	ck_assert_uint_eq(rs_units_round_step(UINT64_MAX / 10, 1), 2000000000000000000u);
}
END_TEST

START_TEST(plain_numbers)
{
	char text[RS_UNIT_TEXT];

	check(text, rs_units_put_u64(text, 0), "0");
	check(text, rs_units_put_u64(text, 1000), "1000");
	check(text, rs_units_put_u64(text, UINT64_MAX), "18446744073709551615");
	check(text, rs_units_put_i64(text, INT64_MIN), "-9223372036854775808");
	check(text, rs_units_put_i64(text, 7), "7");
	check(text, rs_units_put_fixed(text, 5, 3), "0.005");
	check(text, rs_units_put_fixed(text, UINT64_MAX, 18), "18.446744073709551615");
	check(text, rs_units_put_milli(text, 100), "0.1");
	check(text, rs_units_put_milli(text, 100000), "100");
	check(text, rs_units_put_grouped(text, 0), "0");
	check(text, rs_units_put_grouped(text, 999), "999");
	check(text, rs_units_put_grouped(text, 1000), "1,000");
	check(text, rs_units_put_grouped(text, UINT64_MAX), "18,446,744,073,709,551,615");
}
END_TEST

static void check_as_printed(uint64_t v)
{
	char text[RS_UNIT_TEXT], expected[RS_UNIT_TEXT];

	snprintf(expected, sizeof expected, "%llu", (unsigned long long)v);
	check(text, rs_units_put_u64(text, v), expected);
	snprintf(expected, sizeof expected, "0x%llx", (unsigned long long)v);
	check(text, rs_units_put_hex(text, v), expected);
	snprintf(expected, sizeof expected, "%llu.%03u", (unsigned long long)(v / 1000), (unsigned int)(v % 1000));
	check(text, rs_units_put_fixed(text, v, 3), expected);
}

/* Around each power of ten and of two, where a digit comes or a group of eight ends, and all of four digits. */
START_TEST(as_the_library_prints_them)
{
	uint64_t power = 1;

	for (int digits = 0; digits < 20; digits++, power *= 10)
		for (uint64_t by = 0; by < 3; by++) {
			check_as_printed(power - by);
			check_as_printed(power + by);
			check_as_printed(power * 9 + by);
		}
	for (int bit = 0; bit < 64; bit++)
		for (uint64_t by = 0; by < 3; by++)
			check_as_printed((1ull << bit) - by);
	for (uint64_t v = 0; v < 10000; v++) {
		check_as_printed(v);
		check_as_printed(v * 10000 + 9999 - v);
	}
	srand48(1);
	for (int i = 0; i < 10000; i++)
		check_as_printed((uint64_t)mrand48() << 32 >> (i % 64) ^ (uint64_t)lrand48() >> (i % 32));
}
END_TEST

START_TEST(moments)
{
	char text[RS_UNIT_TEXT];

	check(text, rs_units_put_seconds(text, 0), "0.000000");
	check(text, rs_units_put_seconds(text, 999), "0.000000");
	check(text, rs_units_put_seconds(text, 1999999999), "1.999999");
	check(text, rs_units_put_seconds(text, UINT64_MAX), "18446744073.709551");
	check(text, rs_units_put_seconds_since(text, 5000002000, 5000000000), "0.000002");
	check(text, rs_units_put_seconds_since(text, 5000000000, 5000001000), "-0.000001");
	check(text, rs_units_put_seconds_since(text, 0, UINT64_MAX), "-18446744073.709551");
}
END_TEST

START_TEST(wall_clock)
{
	const int64_t offset_ns = 1700000000000000000; /* 2023-11-14 22:13:20 UTC */
	char text[RS_UNIT_TEXT];

	setenv("TZ", "UTC0", 1);
	tzset();
	check(text, rs_units_put_wall(text, 0, offset_ns), "22:13:20.000000");
	check(text, rs_units_put_wall(text, 39999999999, offset_ns), "22:13:59.999999");
	check(text, rs_units_put_wall(text, 40000000000, offset_ns), "22:14:00.000000");
	check(text, rs_units_put_wall(text, 40000001000, offset_ns), "22:14:00.000001");
	check(text, rs_units_put_wall(text, 5000000, -4000000), "00:00:00.001000");
	check(text, rs_units_put_wall(text, 5, -6), "-");
	check(text, rs_units_put_wall(text, UINT64_MAX, 0), "-");
	check(text, rs_units_put_wall(text, 1, INT64_MAX), "-");
}
END_TEST

static const struct {
	const char *text, *default_unit;
	enum rs_parse expected;
	uint64_t ns;
} inputs[] = {
	{ "10ms", "s", RS_PARSE_OK, 10000000 },
	{ "1.5s", "ms", RS_PARSE_OK, 1500000000 },
	{ "250us", "s", RS_PARSE_OK, 250000 },
	{ "250\xc2\xb5s", "s", RS_PARSE_OK, 250000 },
	{ "3", "ms", RS_PARSE_OK, 3000000 },
	{ "3", "s", RS_PARSE_OK, 3000000000 },
	{ "0", "s", RS_PARSE_OK, 0 },
	{ ".5", "s", RS_PARSE_OK, 500000000 },
	{ "5.", "s", RS_PARSE_OK, 5000000000 },
	{ "7ns", "s", RS_PARSE_OK, 7 },
	{ "1.9ns", "s", RS_PARSE_OK, 1 },
	{ "1.0000000019s", "s", RS_PARSE_OK, 1000000001 },
	{ "2min", "s", RS_PARSE_OK, 120000000000 },
	{ "0.5h", "s", RS_PARSE_OK, 1800000000000 },
	{ "18446744073709551615ns", "s", RS_PARSE_OK, UINT64_MAX },
	{ "18446744073709551616ns", "s", RS_PARSE_RANGE, 0 },
	{ "18446744073.709551615", "s", RS_PARSE_OK, UINT64_MAX },
	{ "18446744073.709551616", "s", RS_PARSE_RANGE, 0 },
	{ "99999999999999999999999999999999999h", "s", RS_PARSE_RANGE, 0 },
	{ "", "s", RS_PARSE_BAD, 0 },
	{ ".", "s", RS_PARSE_BAD, 0 },
	{ "ms", "s", RS_PARSE_BAD, 0 },
	{ "-1", "s", RS_PARSE_BAD, 0 },
	{ "+1", "s", RS_PARSE_BAD, 0 },
	{ " 1", "s", RS_PARSE_BAD, 0 },
	{ "1 s", "s", RS_PARSE_BAD, 0 },
	{ "1m", "s", RS_PARSE_BAD, 0 },
	{ "1.5.2", "s", RS_PARSE_BAD, 0 },
	{ "1e3", "s", RS_PARSE_BAD, 0 },
	{ "nan", "s", RS_PARSE_BAD, 0 },
};

START_TEST(parsing)
{
	uint64_t ns = 42;

	ck_assert_int_eq(rs_units_parse_duration(inputs[_i].text, inputs[_i].default_unit, &ns),
			 inputs[_i].expected);
	ck_assert_uint_eq(ns, inputs[_i].expected == RS_PARSE_OK ? inputs[_i].ns : 42);
}
END_TEST

static const struct {
	const char *text;
	enum rs_type type;
	enum rs_parse expected;
	uint64_t value;
} values[] = {
	{ "1ms", RS_TYPE_DURATION, RS_PARSE_OK, 1000000 },
	{ "1.5s", RS_TYPE_TIME, RS_PARSE_OK, 1500000000 },
	{ "1000", RS_TYPE_DURATION, RS_PARSE_OK, 1000 },    /* ns: the base unit */
	{ "1.5", RS_TYPE_DURATION, RS_PARSE_BAD, 0 },       /* meant ms, most likely */
	{ "1.5ns", RS_TYPE_DURATION, RS_PARSE_BAD, 0 },
	{ "4KiB", RS_TYPE_BYTES, RS_PARSE_OK, 4096 },
	{ "1.5KiB", RS_TYPE_BYTES, RS_PARSE_OK, 1536 },
	{ "0.1KiB", RS_TYPE_BYTES, RS_PARSE_OK, 102 },
	{ "7B", RS_TYPE_BYTES, RS_PARSE_OK, 7 },
	{ "4KB", RS_TYPE_BYTES, RS_PARSE_BAD, 0 },
	{ "4KiB", RS_TYPE_COUNT, RS_PARSE_OK, 4096 },       /* iosnoop's BYTES is a count */
	{ "15EiB", RS_TYPE_BYTES, RS_PARSE_OK, 15ull << 60 },
	{ "16EiB", RS_TYPE_BYTES, RS_PARSE_RANGE, 0 },
	{ "15.999999999999999999999999999999EiB", RS_TYPE_BYTES, RS_PARSE_OK,
	  (15ull << 60) + 1152921504606846974 },
	{ "4ms", RS_TYPE_BYTES, RS_PARSE_BAD, 0 },
	{ "4KiB", RS_TYPE_DURATION, RS_PARSE_BAD, 0 },
	{ "99.5%", RS_TYPE_MILLI, RS_PARSE_OK, 99500 },
	{ "99.5", RS_TYPE_MILLI, RS_PARSE_OK, 99500 },
	{ "0.0019", RS_TYPE_MILLI, RS_PARSE_OK, 1 },
	{ "42", RS_TYPE_ID, RS_PARSE_OK, 42 },
	{ "42%", RS_TYPE_ID, RS_PARSE_BAD, 0 },
	{ "4KiB", RS_TYPE_ID, RS_PARSE_BAD, 0 },
	{ "42.", RS_TYPE_ID, RS_PARSE_BAD, 0 },
	{ "18446744073709551615", RS_TYPE_ID, RS_PARSE_OK, UINT64_MAX },
	{ "18446744073709551616", RS_TYPE_ID, RS_PARSE_RANGE, 0 },
	{ "18446744073709551615.9", RS_TYPE_MILLI, RS_PARSE_RANGE, 0 },
	{ "", RS_TYPE_ID, RS_PARSE_BAD, 0 },
	{ ".", RS_TYPE_MILLI, RS_PARSE_BAD, 0 },
	{ "%", RS_TYPE_MILLI, RS_PARSE_BAD, 0 },
	{ "-1", RS_TYPE_ID, RS_PARSE_BAD, 0 },
};

START_TEST(parsing_by_type)
{
	uint64_t value = 42;

	ck_assert_int_eq(rs_units_parse_value(values[_i].text, values[_i].type, &value), values[_i].expected);
	ck_assert_uint_eq(value, values[_i].expected == RS_PARSE_OK ? values[_i].value : 42);
}
END_TEST

Suite *rs_suite_units(void);
Suite *rs_suite_units(void)
{
	Suite *s = suite_create("units");
	TCase *t = tcase_create("units");

	tcase_add_loop_test(t, duration, 0, sizeof durations / sizeof durations[0]);
	tcase_add_loop_test(t, bytes, 0, sizeof sizes / sizeof sizes[0]);
	tcase_add_test(t, sizes_in_sentences);
	tcase_add_test(t, steps_of_an_axis);
	tcase_add_test(t, plain_numbers);
	tcase_add_test(t, as_the_library_prints_them);
	tcase_add_test(t, moments);
	tcase_add_test(t, wall_clock);
	tcase_add_loop_test(t, parsing, 0, sizeof inputs / sizeof inputs[0]);
	tcase_add_loop_test(t, parsing_by_type, 0, sizeof values / sizeof values[0]);
	suite_add_tcase(s, t);
	return s;
}
