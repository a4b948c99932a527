/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - numbers as people write and read them, by integer arithmetic alone
 *
 *	char text[RS_UNIT_TEXT];
 *	size_t len = rs_units_put_duration(text, 12345, RS_UNIT_AUTO, -1);  // "12.3us"
 *
 * rs_put_* write at most RS_UNIT_TEXT bytes, without a NUL, and return how many:
 * they are called for each cell of each row.
 */
#ifndef RS_BASE_UNITS_H
#define RS_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "ringside/table.h"

#define RS_UNIT_TEXT 40

size_t rs_units_put_u64(char *to, uint64_t v);
size_t rs_units_put_i64(char *to, int64_t v);
size_t rs_units_put_hex(char *to, uint64_t v); /* "0x1f" */
/* v counts 10^-decimals: (12345, 3) is "12.345"; decimals at most 18. */
size_t rs_units_put_fixed(char *to, uint64_t v, unsigned int decimals);
/* Thousandths as the shortest decimal: 1500 is "1.5", 2000 is "2". */
size_t rs_units_put_milli(char *to, uint64_t thousandths);
/* With commas: "1,234,567". */
size_t rs_units_put_grouped(char *to, uint64_t v);

/*
 * rs_units_put_duration - AUTO: three digits and the unit ("999ns", "12.3us", "4.51ms").
 * Else the number alone, rounded to `decimals`; negative: 6 for S, 3 for MS, 1 for US.
 */
size_t rs_units_put_duration(char *to, uint64_t ns, enum rs_unit unit, int decimals);
/*
 * From now on AUTO writes "999c", "12.3kc", "4.51Mc": the recording that this program shows has a clock of
 * cycles. For a program that shows but one: before its first output.
 */
void rs_units_count_cycles(void);
/* "512B", "4.00KiB", "1.91GiB". */
size_t rs_units_put_bytes(char *to, uint64_t nr_bytes);
size_t rs_units_put_size(char *to, uint64_t nr_bytes); /* for a sentence: "512 B", "64 MiB", "1.5 GiB" */
/*
 * Returns the smallest of first, 2, 5, 10, 20 ... times first that is not less than wanted, which is at most
 * UINT64_MAX / 10: the step of an axis.
 */
uint64_t rs_units_round_step(uint64_t wanted, uint64_t first);

/*
 * Moments, cut to microseconds and not rounded, so that none is shown in the
 * next second before it comes.
 */
size_t rs_units_put_seconds(char *to, uint64_t ns);                         /* "12.345678" */
size_t rs_units_put_seconds_since(char *to, uint64_t ns, uint64_t begin_ns); /* "-0.000001" where before it */
/* Local time "13:59:59.123456" of ns + offset_ns since 1970; "-" where that is no time. */
size_t rs_units_put_wall(char *to, uint64_t ns, int64_t offset_ns);

enum rs_parse { RS_PARSE_OK = 0, RS_PARSE_BAD = -1, RS_PARSE_RANGE = -2 };

/*
 * rs_units_parse_duration - "10ms", "1.5s", "250us", "2min", or a bare number of default_unit
 * ("ms"). What is finer than a nanosecond is dropped. Units: ns us ms s min h; no
 * "m", which half the tools take for minutes and the other half for milli.
 * RS_PARSE_RANGE: more than 2^64 ns. *ns is set on success only.
 */
enum rs_parse rs_units_parse_duration(const char *text, const char *default_unit, uint64_t *ns);
/*
 * rs_units_parse_value - a number as a column of that type has it, no text: "1ms", "4KiB",
 "99.5%". A bare one
 * is in the base unit, as in JSON: ns, bytes. What cannot be had in part ("1.5" bytes) is RS_PARSE_BAD.
 */
enum rs_parse rs_units_parse_value(const char *text, enum rs_type type, uint64_t *value);

#endif
