// SPDX-License-Identifier: GPL-2.0-or-later
/* units - numbers as people write and read them, by integer arithmetic alone */
#include "base/units.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/digits.h"

#define NSEC_PER_SEC 1000000000ull

static const uint64_t power_of_10[19] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000, 1000000000000000000,
};

/* ---- plain numbers ---- */

size_t rs_units_put_u64(char *to, uint64_t v)
{
	return (size_t)(rs_put_digits(to, v) - to);
}

size_t rs_units_put_hex(char *to, uint64_t v)
{
	return (size_t)(rs_put_0x(to, v) - to);
}

size_t rs_units_put_i64(char *to, int64_t v)
{
	if (v >= 0)
		return rs_units_put_u64(to, (uint64_t)v);
	*to = '-';
	return 1 + rs_units_put_u64(to + 1, -(uint64_t)v);
}

size_t rs_units_put_fixed(char *to, uint64_t v, unsigned int decimals)
{
	uint64_t fraction;
	size_t len;

	if (decimals == 3) /* the usual case: a division by a constant */
		return (size_t)(rs_put_thousandths(to, v) - to);
	len = rs_units_put_u64(to, v / power_of_10[decimals]);
	fraction = v % power_of_10[decimals];
	if (!decimals)
		return len;
	to[len] = '.';
	for (unsigned int i = decimals; i; i--) {
		to[len + i] = '0' + fraction % 10;
		fraction /= 10;
	}
	return len + 1 + decimals;
}

size_t rs_units_put_milli(char *to, uint64_t thousandths)
{
	size_t len = rs_units_put_fixed(to, thousandths, 3);

	while (to[len - 1] == '0')
		len--;
	return to[len - 1] == '.' ? len - 1 : len;
}

size_t rs_units_put_grouped(char *to, uint64_t v)
{
	char digits[20];
	size_t nr = rs_units_put_u64(digits, v), len = 0;

	for (size_t i = 0; i < nr; i++) {
		if (i && (nr - i) % 3 == 0)
			to[len++] = ',';
		to[len++] = digits[i];
	}
	return len;
}

/* ---- durations and sizes ---- */

/* v / step to the nearest, half up; v + step / 2 could overflow. */
static uint64_t rounded(uint64_t v, uint64_t step)
{
	return v / step + (v % step >= step - step / 2);
}

/* Decimals that make three digits of a number whose whole part is this. */
static unsigned int units_decimals(uint64_t whole)
{
	return whole < 10 ? 2 : whole < 100 ? 1 : 0;
}

static size_t put_with_unit(char *to, uint64_t v, unsigned int decimals, const char *unit)
{
	size_t len = rs_units_put_fixed(to, v, decimals), unit_len = strlen(unit);

	memcpy(to + len, unit, unit_len);
	return len + unit_len;
}

static bool counts_cycles;

void rs_units_count_cycles(void)
{
	counts_cycles = true;
}

/*
 * Puts v, which counts 10^-decimals of names[i], with three digits and the unit. Rounding may have made a
 * fourth digit, or one more of the unit than the next larger one has: 9.996us is 10.0us, 999.6us is 1.00ms.
 */
static size_t put_three_digits(char *to, uint64_t v, unsigned int decimals, uint64_t next,
			       const char *const *names, size_t i)
{
	if (v == 1000 && decimals)
		return put_with_unit(to, 100, decimals - 1, names[i]);
	if (v == next && !decimals && names[i + 1])
		return put_with_unit(to, 100, 2, names[i + 1]);
	return put_with_unit(to, v, decimals, names[i]);
}

static size_t put_duration_auto(char *to, uint64_t ns)
{
	static const uint64_t each[] = { 1, 1000, 1000000, NSEC_PER_SEC };
	static const char *const units[] = { "ns", "us", "ms", "s", NULL }, *const counted[] = { "c", "kc",
												 "Mc", "Gc",
												 NULL };
	const char *const *names = counts_cycles ? counted : units;
	unsigned int i = 0, decimals;

	if (ns < 1000)
		return put_with_unit(to, ns, 0, names[0]);
	while (i < 3 && ns >= each[i + 1])
		i++;
	decimals = units_decimals(ns / each[i]);
	return put_three_digits(to, rounded(ns, each[i] / power_of_10[decimals]), decimals, 1000, names, i);
}

size_t rs_units_put_duration(char *to, uint64_t ns, enum rs_unit unit, int decimals)
{
	static const struct {
		unsigned int digits, decimals; /* how many decimals reach down to 1 ns, and the usual */
	} units[] = { [RS_UNIT_S] = { 9, 6 }, [RS_UNIT_MS] = { 6, 3 }, [RS_UNIT_US] = { 3, 1 } };
	unsigned int nr;

	if (unit == RS_UNIT_AUTO)
		return put_duration_auto(to, ns);
	nr = decimals < 0 ? units[unit].decimals : (unsigned int)decimals;
	if (nr > units[unit].digits)
		nr = units[unit].digits;
	return rs_units_put_fixed(to, rounded(ns, power_of_10[units[unit].digits - nr]), nr);
}

static const char *const size_names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL };

/* The index of the largest of these units that goes into a size. */
static unsigned int units_of_size(uint64_t nr_bytes)
{
	unsigned int i = 0;

	while (size_names[i + 1] && nr_bytes >> (10 * (i + 1)))
		i++;
	return i;
}

size_t rs_units_put_size(char *to, uint64_t nr_bytes)
{
	unsigned int i = units_of_size(nr_bytes);
	uint64_t tenths = i ? (nr_bytes >> (10 * (i - 1))) % 1024 * 10 / 1024 : 0;
	size_t len = rs_units_put_milli(to, (nr_bytes >> (10 * i)) * 1000 + tenths * 100);
	size_t unit_len = strlen(size_names[i]);

	to[len++] = ' ';
	memcpy(to + len, size_names[i], unit_len);
	return len + unit_len;
}

size_t rs_units_put_bytes(char *to, uint64_t nr_bytes)
{
	unsigned int i = units_of_size(nr_bytes), shift, decimals;
	uint64_t whole, rest, v;

	if (!i)
		return put_with_unit(to, nr_bytes, 0, size_names[0]);
	shift = 10 * i;
	whole = nr_bytes >> shift;
	rest = nr_bytes & ((1ull << shift) - 1);
	/* Twenty bits of the rest are enough for two decimals, and more would overflow below. */
	if (shift > 20) {
		rest >>= shift - 20;
		shift = 20;
	}
	decimals = units_decimals(whole);
	v = whole * power_of_10[decimals] + ((rest * power_of_10[decimals] + (1ull << (shift - 1))) >> shift);
	return put_three_digits(to, v, decimals, 1024, size_names, i);
}

uint64_t rs_units_round_step(uint64_t wanted, uint64_t first)
{
	uint64_t step = first;

	while (step * 10 < wanted)
		step *= 10;
	return wanted <= step     ? step :
	       wanted <= 2 * step ? 2 * step :
	       wanted <= 5 * step ? 5 * step :
				    10 * step;
}

/* ---- moments ---- */

size_t rs_units_put_seconds(char *to, uint64_t ns)
{
	return rs_units_put_fixed(to, ns / 1000, 6);
}

size_t rs_units_put_seconds_since(char *to, uint64_t ns, uint64_t begin_ns)
{
	if (ns >= begin_ns)
		return rs_units_put_seconds(to, ns - begin_ns);
	*to = '-';
	return 1 + rs_units_put_seconds(to + 1, begin_ns - ns);
}

/* "HH:MM:SS" of a second. localtime_r takes a lock and walks the zone's rules: once a second is enough. */
static bool units_clock_of(int64_t second, char hms[8])
{
	static _Thread_local struct {
		int64_t second;
		bool known;
		char hms[8];
	} last;

	if (!last.known || last.second != second) {
		time_t t = (time_t)second;
		struct tm tm;

		if (t != second || !localtime_r(&t, &tm))
			return false;
		for (int i = 0; i < 3; i++) {
			int v = i == 0 ? tm.tm_hour : i == 1 ? tm.tm_min : tm.tm_sec;

			last.hms[3 * i] = '0' + v / 10;
			last.hms[3 * i + 1] = '0' + v % 10;
			if (i < 2)
				last.hms[3 * i + 2] = ':';
		}
		last.second = second;
		last.known = true;
	}
	memcpy(hms, last.hms, sizeof last.hms);
	return true;
}

size_t rs_units_put_wall(char *to, uint64_t ns, int64_t offset_ns)
{
	uint64_t micros;
	int64_t wall_ns;

	/* offset_ns is negative only where the machine's date lies before its boot */
	if (__builtin_add_overflow(ns, offset_ns, &wall_ns) || wall_ns < 0 ||
	    !units_clock_of(wall_ns / (int64_t)NSEC_PER_SEC, to)) {
		*to = '-';
		return 1;
	}
	micros = (uint64_t)wall_ns % NSEC_PER_SEC / 1000;
	to[8] = '.';
	for (int i = 6; i; i--) {
		to[8 + i] = '0' + micros % 10;
		micros /= 10;
	}
	return 15;
}

/* ---- parsing ---- */

struct unit {
	const char *name;
	uint64_t each;
};

static const struct unit times[] = {
	{ "ns", 1 }, { "us", 1000 }, { "\xc2\xb5s", 1000 }, { "ms", 1000000 }, { "s", NSEC_PER_SEC },
	{ "sec", NSEC_PER_SEC }, { "min", 60 * NSEC_PER_SEC }, { "h", 3600 * NSEC_PER_SEC }, { NULL, 0 },
};

/* KB may mean 1000 or 1024 bytes: it is refused. */
static const struct unit sizes[] = {
	{ "B", 1 }, { "KiB", 1ull << 10 }, { "MiB", 1ull << 20 }, { "GiB", 1ull << 30 },
	{ "TiB", 1ull << 40 },
	{ "PiB", 1ull << 50 }, { "EiB", 1ull << 60 }, { "", 1 }, { NULL, 0 },
};

static const struct unit thousandths[] = { { "", 1000 }, { "%", 1000 }, { NULL, 0 } };
static const struct unit ids[] = { { "", 1 }, { NULL, 0 } };

static uint64_t unit_named(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcmp(name, units->name))
			return units->each;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct decimal {
	size_t nr_whole, nr_fraction;
	const char *whole, *fraction, *unit;
};

static struct decimal take_apart(const char *text)
{
	struct decimal d = { .whole = text };

	while (is_digit(text[d.nr_whole]))
		d.nr_whole++;
	d.unit = text + d.nr_whole;
	if (*d.unit == '.') {
		d.fraction = ++d.unit;
		while (is_digit(*d.unit))
			d.unit++;
		d.nr_fraction = (size_t)(d.unit - d.fraction);
	}
	return d;
}

/* Digits beyond the 18th of a fraction are finer than any unit here tells. */
static uint64_t units_part_of(uint64_t each, const struct decimal *d)
{
	uint64_t part = 0, whole = 1;

	for (size_t i = 0; i < d->nr_fraction && i < 18; i++, whole *= 10)
		part = part * 10 + (uint64_t)(d->fraction[i] - '0');
	return (uint64_t)((unsigned __int128)each * part / whole);
}

static enum rs_parse units_value_of(const struct decimal *d, uint64_t each, uint64_t *to)
{
	uint64_t value = 0;
	bool overflow = false;

	for (size_t i = 0; i < d->nr_whole; i++)
		overflow |= __builtin_mul_overflow(value, 10u, &value) ||
			    __builtin_add_overflow(value, (uint64_t)(d->whole[i] - '0'), &value);
	overflow |= __builtin_mul_overflow(value, each, &value);
	overflow |= __builtin_add_overflow(value, units_part_of(each, d), &value);
	if (overflow)
		return RS_PARSE_RANGE;
	*to = value;
	return RS_PARSE_OK;
}

enum rs_parse rs_units_parse_duration(const char *text, const char *default_unit, uint64_t *ns)
{
	struct decimal d = take_apart(text);
	uint64_t each = unit_named(times, *d.unit ? d.unit : default_unit);

	if (!each || !(d.nr_whole + d.nr_fraction))
		return RS_PARSE_BAD;
	return units_value_of(&d, each, ns);
}

enum rs_parse rs_units_parse_value(const char *text, enum rs_type type, uint64_t *value)
{
	static const struct unit *const units[] = {
		[RS_TYPE_COUNT] = sizes, [RS_TYPE_BYTES] = sizes, [RS_TYPE_ID] = ids, [RS_TYPE_TIME] = times,
		[RS_TYPE_DURATION] = times, [RS_TYPE_MILLI] = thousandths,
	};
	bool is_time = type == RS_TYPE_TIME || type == RS_TYPE_DURATION;
	struct decimal d = take_apart(text);
	uint64_t each = is_time && !*d.unit ? 1 : unit_named(units[type], d.unit);

	if (!each || !(d.nr_whole + d.nr_fraction) || (each == 1 && d.fraction))
		return RS_PARSE_BAD;
	return units_value_of(&d, each, value);
}
