// SPDX-License-Identifier: GPL-2.0-or-later
/* hist.c - log-linear histograms: see hist.h for the buckets and their error */
#include "ringside/hist.h"
#include "ringside/table.h"

#include <stdlib.h>
#include <string.h>

struct hist_place {
	unsigned int group, sub;
};

/* Group 0 holds 0..63, group g the power of two that begins at 64 << (g - 1), in steps of 1 << (g - 1). */
static inline unsigned int group_shift(unsigned int group)
{
	return group - (group > 0);
}

static inline struct hist_place hist_find_place(uint64_t value)
{
	unsigned int msb = 63 - (unsigned int)__builtin_clzll(value | (RS_HIST_SUB - 1));
	unsigned int group = msb - (RS_HIST_SUB_BITS - 1);

	return (struct hist_place){ group, (unsigned int)(value >> group_shift(group)) & (RS_HIST_SUB - 1) };
}

/* The bucket's middle; a bucket of one value is that value. */
static uint64_t middle_of(unsigned int group, unsigned int sub)
{
	unsigned int shift = group_shift(group);
	uint64_t from = (uint64_t)(sub + (group ? RS_HIST_SUB : 0)) << shift;

	return from + ((1ull << shift) >> 1);
}

void rs_hist_init(struct rs_hist *h)
{
	memset(h, 0, sizeof *h);
	h->min = UINT64_MAX;
}

void rs_hist_done(struct rs_hist *h)
{
	for (unsigned int g = 0; h->group && g < RS_HIST_GROUPS; g++)
		free(h->group[g]);
	free(h->group);
	free(h->few);
	rs_hist_init(h);
}

void rs_hist_clear(struct rs_hist *h)
{
	for (unsigned int g = 0; h->group && g < RS_HIST_GROUPS; g++)
		if (h->group[g])
			memset(h->group[g], 0, RS_HIST_SUB * sizeof *h->group[g]);
	h->nr = h->sum = h->max = h->nr_dropped = h->nr_few = 0;
	h->begun_more = h->inside_more = 0;
	h->min = UINT64_MAX;
}

/* Times from a hostile file can add up past 2^64: the sum then saturates, it does not wrap. */
static inline uint64_t add_to_end(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline int64_t add_signed(int64_t a, int64_t b)
{
	int64_t sum;

	return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

static uint32_t *new_group(struct rs_hist *h, unsigned int group)
{
	return h->group[group] = calloc(RS_HIST_SUB, sizeof *h->group[group]);
}

/* The first value of its power of two, or a count that no longer fits the counter. */
static __attribute__((noinline)) void count_rare(struct rs_hist *h, struct hist_place p)
{
	uint32_t *group = h->group[p.group];

	if (!group)
		group = new_group(h, p.group);
	if (group && group[p.sub] < UINT32_MAX)
		group[p.sub]++;
	else
		h->nr_dropped++;
}

static inline void count_in_bucket(struct rs_hist *h, uint64_t value)
{
	struct hist_place p = hist_find_place(value);
	uint32_t *group = h->group[p.group];

	if (__builtin_expect(group && group[p.sub] < UINT32_MAX, 1))
		group[p.sub]++;
	else
		count_rare(h, p);
}

/* Converts exact values to buckets. Returns false without memory for them; the values stay. */
static bool spill(struct rs_hist *h)
{
	if (!h->group)
		h->group = calloc(RS_HIST_GROUPS, sizeof *h->group);
	if (!h->group)
		return false;
	for (uint32_t i = 0; i < h->nr_few; i++)
		count_in_bucket(h, h->few[i]);
	h->nr_few = 0;
	return true;
}

/* Call before reading buckets. The contents do not change, so the histogram is const to callers. */
static void hist_spill_pending(const struct rs_hist *h)
{
	if (h->group && h->nr_few)
		spill((struct rs_hist *)(uintptr_t)h);
}

/*
 * Doubles from 4 on, not from 16 as base/vector.h: there are many histograms with few values. Once a value
 * was dropped the capacity stays, so that the stored values do not change.
 */
static bool hist_grow(struct rs_hist *h)
{
	uint32_t room = h->room ? 2 * h->room : 4;
	uint64_t *few = h->nr_dropped ? NULL : realloc(h->few, room * sizeof *few);

	if (!few)
		return false;
	h->few = few;
	h->room = room;
	return true;
}

static __attribute__((noinline)) void count_full(struct rs_hist *h, uint64_t value)
{
	if (h->room < RS_HIST_FEW && !h->group && hist_grow(h))
		h->few[h->nr_few++] = value;
	else if (spill(h))
		count_in_bucket(h, value);
	else
		h->nr_dropped++;
}

static inline void hist_count(struct rs_hist *h, uint64_t value)
{
	if (__builtin_expect(h->nr_few < h->room, 1))
		h->few[h->nr_few++] = value;
	else
		count_full(h, value);
	h->nr++;
}

/* The parts that are exact even without memory to count the values. */
static inline void add_exact(struct rs_hist *h, uint64_t sum, uint64_t min, uint64_t max)
{
	h->sum = add_to_end(h->sum, sum);
	if (min < h->min)
		h->min = min;
	if (max > h->max)
		h->max = max;
}

void rs_hist_add(struct rs_hist *h, uint64_t value)
{
	hist_count(h, value);
	add_exact(h, value, value, value);
}

void rs_hist_add_in_flight(struct rs_hist *h, uint64_t inside, bool begun)
{
	h->begun_more += begun;
	h->inside_more = add_signed(h->inside_more, (int64_t)(inside < INT64_MAX ? inside : INT64_MAX));
}

void rs_hist_add_part(struct rs_hist *h, uint64_t value, uint64_t inside, bool begun)
{
	hist_count(h, value);
	add_exact(h, value, value, value);
	h->begun_more -= !begun;
	h->inside_more = add_signed(h->inside_more,
				    -(int64_t)(value - inside < INT64_MAX ? value - inside : INT64_MAX));
}

static uint64_t group_count(const uint32_t *group)
{
	uint64_t nr = 0;

	for (unsigned int s = 0; group && s < RS_HIST_SUB; s++)
		nr += group[s];
	return nr;
}

/* Counters whose sum cannot overflow are added without checking each. */
static void merge_group(struct rs_hist *into, unsigned int g, const uint32_t *from, bool may_fill)
{
	uint32_t *to = into->group[g];

	if (!to)
		to = new_group(into, g);
	if (!to) {
		into->nr_dropped += group_count(from);
		return;
	}
	for (unsigned int s = 0; !may_fill && s < RS_HIST_SUB; s++)
		to[s] += from[s];
	for (unsigned int s = 0; may_fill && s < RS_HIST_SUB; s++) {
		uint32_t room = UINT32_MAX - to[s], take = from[s] < room ? from[s] : room;

		to[s] += take;
		into->nr_dropped += from[s] - take;
	}
}

/* Without memory for buckets all of from's are dropped. */
static void merge_buckets(struct rs_hist *into, const struct rs_hist *from)
{
	uint64_t nr = from->nr - from->nr_dropped - from->nr_few;
	bool may_fill = nr > UINT32_MAX || into->nr > UINT32_MAX - nr;

	into->nr += nr;
	if (!spill(into)) {
		into->nr_dropped += nr;
		return;
	}
	for (unsigned int g = 0; g < RS_HIST_GROUPS; g++)
		if (from->group[g])
			merge_group(into, g, from->group[g], may_fill);
}

void rs_hist_merge(struct rs_hist *into, const struct rs_hist *from)
{
	if (from->group)
		merge_buckets(into, from);
	for (uint32_t i = 0; i < from->nr_few; i++)
		hist_count(into, from->few[i]);
	into->nr += from->nr_dropped;
	into->nr_dropped += from->nr_dropped;
	add_exact(into, from->sum, from->min, from->max);
	into->begun_more += from->begun_more;
	into->inside_more = add_signed(into->inside_more, from->inside_more);
}

static uint64_t clamp(uint64_t v, uint64_t min, uint64_t max)
{
	return v < min ? min : v > max ? max : v;
}

/* Few, and sorted in place: the next quantile finds them in order. */
static uint64_t value_of_few(const struct rs_hist *h, uint64_t rank)
{
	for (uint32_t i = 1; i < h->nr_few; i++) {
		uint64_t value = h->few[i];
		uint32_t at = i;

		for (; at && h->few[at - 1] > value; at--)
			h->few[at] = h->few[at - 1];
		h->few[at] = value;
	}
	return h->few[rank - 1];
}

/* The rank-th smallest, rank from 1, to its bucket. */
static uint64_t value_at(const struct rs_hist *h, uint64_t rank)
{
	if (!h->group)
		return value_of_few(h, rank);
	for (unsigned int g = 0; g < RS_HIST_GROUPS; g++) {
		uint64_t nr = group_count(h->group[g]);

		if (rank > nr) {
			rank -= nr;
			continue;
		}
		for (unsigned int s = 0; s < RS_HIST_SUB; s++) {
			if (rank <= h->group[g][s])
				return middle_of(g, s);
			rank -= h->group[g][s];
		}
	}
	return h->max;
}

uint64_t rs_hist_quantile(const struct rs_hist *h, unsigned int per_mille)
{
	uint64_t nr, rank;

	hist_spill_pending(h);
	nr = h->nr - h->nr_dropped;
	if (!nr)
		return h->max; /* nothing could be counted: this is the one rank that is known */
	if (per_mille > 1000)
		per_mille = 1000;
	/* ceil(nr * per_mille / 1000), in parts that cannot overflow */
	rank = nr / 1000 * per_mille + (nr % 1000 * per_mille + 999) / 1000;
	/* The ends are known exactly: then a single value is its own median. */
	if (rank <= 1 && !h->nr_dropped)
		return h->min;
	if (rank == nr && !h->nr_dropped)
		return h->max;
	return clamp(value_at(h, rank ? rank : 1), h->min, h->max);
}

/* The power of two below value; 0 has a row of its own, [0, 1). */
static unsigned int log2_row(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

void rs_hist_each(const struct rs_hist *h, void (*each)(void *arg, uint64_t value, uint64_t nr), void *arg)
{
	hist_spill_pending(h);
	for (uint32_t i = 0; i < h->nr_few; i++)
		each(arg, h->few[i], 1);
	for (unsigned int g = 0; h->group && g < RS_HIST_GROUPS; g++)
		for (unsigned int s = 0; h->group[g] && s < RS_HIST_SUB; s++)
			if (h->group[g][s])
				each(arg, clamp(middle_of(g, s), h->min, h->max), h->group[g][s]);
}

/* A bucket lies within one power of two, and so does its middle. */
static void hist_count_row(void *arg, uint64_t value, uint64_t nr)
{
	uint64_t *rows = arg;

	rows[log2_row(value)] += nr;
}

/* Row n > 0 is [1 << (n - 1), 1 << n). */
void rs_hist_log2(const struct rs_hist *h, void (*row)(void *arg, uint64_t from, uint64_t to, uint64_t nr),
		  void *arg)
{
	uint64_t rows[65] = { 0 };

	rs_hist_each(h, hist_count_row, rows);
	for (unsigned int n = log2_row(h->min); h->nr && n <= log2_row(h->max); n++)
		row(arg, n ? 1ull << (n - 1) : 0, n < 64 ? 1ull << n : UINT64_MAX, rows[n]);
}

/* ---- as the rows of a view ---- */

struct log2_rows {
	struct rs_sink *out;
	struct rs_value *values;
	unsigned int at;
};

static void log2_on_row(void *arg, uint64_t from, uint64_t to, uint64_t nr)
{
	struct log2_rows *r = arg;

	r->values[r->at] = rs_u(from);
	r->values[r->at + 1] = rs_u(to);
	r->values[r->at + 2] = rs_u(nr);
	r->out->row(r->out, r->values);
}

void rs_log2_rows(struct rs_sink *out, struct rs_value *values, unsigned int at, const struct rs_hist *hist,
		  const char *label)
{
	struct log2_rows r = { out, values, at };

	rs_hist_log2(hist, log2_on_row, &r);
	if (out->hist)
		out->hist(out, label, hist);
}
