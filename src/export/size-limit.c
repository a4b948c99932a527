// SPDX-License-Identifier: GPL-2.0-or-later
/* size-limit - which events a file of limited size has */
#include "export/size-limit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/units.h"

#define SIZE_LIMIT_KINDS 96u
#define SIZE_LIMIT_SUB_BITS 2               /* four durations to a power of two */
#define SIZE_LIMIT_NR_DURATIONS (1u + (64u << SIZE_LIMIT_SUB_BITS))
#define SIZE_LIMIT_SPARE 50u /* a fiftieth of the file: numbers in it differ from those that were measured \
			      */

struct size_limit_kind {
	const char *name;
	uint64_t nr[SIZE_LIMIT_NR_DURATIONS], bytes[SIZE_LIMIT_NR_DURATIONS]; /* measured */
	unsigned int least;                 /* shorter lengths are left out */
	uint64_t keeps, of;                 /* of the length `least` that many of so many are written */
	uint64_t nr_least;                  /* of that length, so far */
	uint64_t nr_written, nr_left_out;
};

struct rs_size_limit {
	uint64_t max_bytes;
	bool is_fit, drops;
	unsigned int nr_kinds;
	struct size_limit_kind kinds[SIZE_LIMIT_KINDS]; /* those beyond share the last one */
};

struct rs_size_limit *rs_size_limit_new(uint64_t max_bytes)
{
	struct rs_size_limit *l = calloc(1, sizeof *l);

	if (l)
		l->max_bytes = max_bytes;
	return l;
}

void rs_size_limit_free(struct rs_size_limit *l)
{
	free(l);
}

static unsigned int size_limit_length(uint64_t len_ns)
{
	unsigned int power;

	if (!len_ns)
		return 0;
	power = 63 - (unsigned int)__builtin_clzll(len_ns);
	return 1 + (power << SIZE_LIMIT_SUB_BITS) +
	       (unsigned int)((power >= SIZE_LIMIT_SUB_BITS ? len_ns >> (power - SIZE_LIMIT_SUB_BITS) :
							      len_ns << (SIZE_LIMIT_SUB_BITS - power)) &
			      ((1u << SIZE_LIMIT_SUB_BITS) - 1));
}

static uint64_t size_limit_least_ns(unsigned int length)
{
	unsigned int power = length ? (length - 1) >> SIZE_LIMIT_SUB_BITS : 0,
		     part = length ? (length - 1) & ((1u << SIZE_LIMIT_SUB_BITS) - 1) : 0;

	return length ? (uint64_t)(((__uint128_t)((1u << SIZE_LIMIT_SUB_BITS) + part) << power) >>
				   SIZE_LIMIT_SUB_BITS) :
			0;
}

static struct size_limit_kind *size_limit_kind(struct rs_size_limit *l, const char *name)
{
	for (unsigned int i = 0; i < l->nr_kinds; i++)
		if (l->kinds[i].name == name || !strcmp(l->kinds[i].name, name))
			return &l->kinds[i];
	if (l->nr_kinds == SIZE_LIMIT_KINDS)
		return &l->kinds[SIZE_LIMIT_KINDS - 1];
	l->kinds[l->nr_kinds].name = name;
	return &l->kinds[l->nr_kinds++];
}

/* Spread evenly: the n-th is written where n * keeps / of passes a whole number. */
static bool size_limit_takes_least(struct size_limit_kind *k)
{
	uint64_t n = k->nr_least++;

	return (uint64_t)((__uint128_t)(n + 1) * k->keeps / k->of) !=
	       (uint64_t)((__uint128_t)n * k->keeps / k->of);
}

bool rs_size_limit_takes(struct rs_size_limit *l, const char *kind, uint64_t len_ns)
{
	unsigned int length = size_limit_length(len_ns);
	struct size_limit_kind *k;
	bool takes;

	if (!l->drops)
		return true;
	k = size_limit_kind(l, kind);
	takes = length > k->least || (length == k->least && (!k->of || size_limit_takes_least(k)));
	k->nr_written += takes;
	k->nr_left_out += !takes;
	return takes;
}

void rs_size_limit_wrote(struct rs_size_limit *l, const char *kind, uint64_t len_ns, uint64_t bytes)
{
	unsigned int length = size_limit_length(len_ns);
	struct size_limit_kind *k;

	if (l->is_fit)
		return;
	k = size_limit_kind(l, kind);
	k->nr[length]++;
	k->bytes[length] += bytes;
}

static uint64_t size_limit_bytes(const struct size_limit_kind *k)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < SIZE_LIMIT_NR_DURATIONS; i++)
		sum += k->bytes[i];
	return sum;
}

/* Finds the shortest length of which some fit, when the longest come first. */
static void size_limit_fit_kind(struct size_limit_kind *k, uint64_t room)
{
	unsigned int i = SIZE_LIMIT_NR_DURATIONS;

	while (i-- > 0) {
		k->least = i;
		if (k->bytes[i] > room)
			break;
		room -= k->bytes[i];
	}
	if (!k->bytes[k->least])
		return;
	k->of = k->nr[k->least];
	k->keeps = k->bytes[k->least] > room ? (uint64_t)((__uint128_t)k->of * room / k->bytes[k->least]) :
					       k->of;
}

int rs_size_limit_fit(struct rs_size_limit *l, uint64_t total_bytes, struct rs_error *err)
{
	uint64_t target = l->max_bytes - l->max_bytes / SIZE_LIMIT_SPARE, measured = 0, fixed;

	l->is_fit = true;
	if (total_bytes <= l->max_bytes)
		return 0;
	for (unsigned int i = 0; i < l->nr_kinds; i++)
		measured += size_limit_bytes(&l->kinds[i]);
	fixed = total_bytes - measured;
	if (fixed >= target)
		return rs_fail_usage(err,
				     "--max-size: names, stacks and the like alone take %" PRIu64
				     " kB (narrow it with -p, -a, --from and --to)",
				     fixed / 1000);
	l->drops = true;
	for (unsigned int i = 0; i < l->nr_kinds; i++)
		size_limit_fit_kind(&l->kinds[i], (uint64_t)((__uint128_t)size_limit_bytes(&l->kinds[i]) *
							     (target - fixed) / measured));
	return 0;
}

bool rs_size_limit_drops(const struct rs_size_limit *l)
{
	return l->drops;
}

void rs_size_limit_leave_out(struct rs_size_limit *l, const char *kind)
{
	size_limit_kind(l, kind)->nr_left_out++;
}

void rs_size_limit_put(const struct rs_size_limit *l, struct rs_json *j)
{
	rs_json_open(j, '{');
	for (unsigned int i = 0; i < l->nr_kinds; i++) {
		const struct size_limit_kind *k = &l->kinds[i];

		if (!k->nr_left_out)
			continue;
		rs_json_key(j, k->name);
		rs_json_open(j, '{');
		rs_json_put_u64(j, "written", k->nr_written);
		rs_json_put_u64(j, "left_out", k->nr_left_out);
		if (k->least)
			rs_json_put_u64(j, "shorter_than_ns", size_limit_least_ns(k->least + 1));
		rs_json_close(j, '}');
	}
	rs_json_close(j, '}');
}

void rs_size_limit_say(const struct rs_size_limit *l, struct rs_buf *out)
{
	for (unsigned int i = 0; i < l->nr_kinds; i++) {
		const struct size_limit_kind *k = &l->kinds[i];
		char least[RS_UNIT_TEXT + 1] = "";

		if (!k->nr_left_out)
			continue;
		least[rs_units_put_duration(least, size_limit_least_ns(k->least + 1), RS_UNIT_AUTO, -1)] =
			'\0';
		rs_buf_printf(out, "%s%" PRIu64 " of %" PRIu64 " %s", out->len ? ", " : "", k->nr_left_out,
			      k->nr_left_out + k->nr_written, k->name);
		if (k->least)
			rs_buf_printf(out, " (shorter than %s)", least);
	}
}
