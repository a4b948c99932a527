/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h - numbers into text, eight digits at a time
 *
 * Inline and without a branch for each digit: rows and exports are made of little else. Each returns where
 * the text ends. The place must hold RS_UNIT_TEXT bytes: up to seven behind the text are written, too.
 */
#ifndef RS_BASE_DIGITS_H
#define RS_BASE_DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define RS_EACH_BYTE(b) ((b) * 0x0101010101010101ull)

/*
 * Eight decimal digits, a byte each, the first one in the lowest byte: pairs of four, then of two, are split
 * at once.
 */
static inline uint64_t rs_eight_digits(uint32_t v)
{
	uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t high = (fours * 10486 >> 20) & 0x0000007f0000007full; /* / 100, right up to 9999 */
	uint64_t twos = high | (fours - high * 100) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000full;    /* / 10, right up to 99 */

	return tens | (twos - tens * 10) << 8;
}

static inline void rs_store_digits(char *to, uint64_t digits)
{
	uint64_t text = htole64(digits);

	memcpy(to, &text, sizeof text);
}

/* Below 100,000,000, without leading zeros. */
static inline char *rs_put_few(char *to, uint32_t v)
{
	uint64_t digits = rs_eight_digits(v);
	/* of 0 the last digit stays */
	unsigned int nr_zeros = (unsigned int)__builtin_ctzll(digits | 1ull << 56) / 8;

	rs_store_digits(to, (digits | RS_EACH_BYTE('0')) >> 8 * nr_zeros);
	return to + 8 - nr_zeros;
}

static inline char *rs_put_eight(char *to, uint32_t v)
{
	rs_store_digits(to, rs_eight_digits(v) | RS_EACH_BYTE('0'));
	return to + 8;
}

static inline char *rs_put_digits(char *to, uint64_t v)
{
	const uint64_t e8 = 100000000, e16 = e8 * e8;

	if (v < 10) { /* many are: results of calls, the microseconds that they took */
		*to = (char)('0' + v);
		return to + 1;
	}
	if (v < e8)
		return rs_put_few(to, (uint32_t)v);
	if (v >= e16) {
		to = rs_put_few(to, (uint32_t)(v / e16));
		v %= e16;
		to = rs_put_eight(to, (uint32_t)(v / e8));
	} else {
		to = rs_put_few(to, (uint32_t)(v / e8));
	}
	return rs_put_eight(to, (uint32_t)(v % e8));
}

/* Thousandths, all three decimals: 1500 is "1.500", of ns the microseconds. */
static inline char *rs_put_thousandths(char *to, uint64_t v)
{
	uint32_t rest = (uint32_t)(v % 1000);

	to = rs_put_digits(to, v / 1000);
	to[0] = '.';
	to[1] = (char)('0' + rest / 100);
	to[2] = (char)('0' + rest / 10 % 10);
	to[3] = (char)('0' + rest % 10);
	return to + 4;
}

/* Eight hexadecimal digits, the first one in the lowest byte. */
static inline uint64_t rs_eight_hex(uint32_t v)
{
	uint64_t x = v, above_9;

	x = (x | x << 16) & 0x0000ffff0000ffffull;
	x = (x | x << 8) & 0x00ff00ff00ff00ffull;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
	x = __builtin_bswap64(x);
	above_9 = (x + RS_EACH_BYTE(6)) >> 4 & RS_EACH_BYTE(1);
	return x + RS_EACH_BYTE('0') + above_9 * ('a' - '0' - 10);
}

/* The other way: eight digits as the kernel writes them, 0 to 9 and a to f. False: not all of them are. */
static inline bool rs_read_eight_hex(const char *text, uint32_t *v)
{
	uint64_t x, nibbles;

	memcpy(&x, text, sizeof x);
	x = le64toh(x);
	nibbles = (x & RS_EACH_BYTE(15)) + (x >> 6 & RS_EACH_BYTE(1)) * 9;
	if (nibbles & RS_EACH_BYTE(0xf0) ||
	    nibbles + RS_EACH_BYTE('0') +
			    ((nibbles + RS_EACH_BYTE(6)) >> 4 & RS_EACH_BYTE(1)) * ('a' - '0' - 10) !=
		    x)
		return false;
	/* the first digit is in the lowest byte, and counts most */
	nibbles = (nibbles << 4 | nibbles >> 8) & 0x00ff00ff00ff00ffull;
	nibbles = (nibbles << 8 | nibbles >> 16) & 0x0000ffff0000ffffull;
	*v = (uint32_t)(nibbles << 16 | nibbles >> 32);
	return true;
}

/* "0x1f" */
static inline char *rs_put_0x(char *to, uint64_t v)
{
	unsigned int nr = v ? (67 - (unsigned int)__builtin_clzll(v)) / 4 : 1;

	v <<= 64 - 4 * nr;
	to[0] = '0';
	to[1] = 'x';
	rs_store_digits(to + 2, rs_eight_hex((uint32_t)(v >> 32)));
	if (nr > 8)
		rs_store_digits(to + 10, rs_eight_hex((uint32_t)v));
	return to + 2 + nr;
}

#endif
