// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist-picture.c - a distribution as a picture in bcc's style, and its summary in one line
 */
#include "base/units.h"
#include "view/printer.h"

#define BAR_WIDTH 40

static void hist_picture_put_number(struct rs_buf *out, uint64_t v, int width)
{
	rs_buf_printf(out, "%*llu", width, (unsigned long long)v);
}

/* Rounds down: only the largest bucket has a full bar. */
static unsigned int bar_of(uint64_t nr, uint64_t max)
{
	if (max > UINT64_MAX / BAR_WIDTH) {
		nr /= BAR_WIDTH;
		max /= BAR_WIDTH;
	}
	return (unsigned int)(nr * BAR_WIDTH / max);
}

void rs_hist_picture_draw(struct rs_buf *out, const char *unit_name, uint64_t unit_ns,
			  const struct rs_bucket *buckets, unsigned int nr)
{
	uint64_t max = 1;

	for (unsigned int i = 0; i < nr; i++)
		if (buckets[i].nr > max)
			max = buckets[i].nr;
	rs_buf_printf(out, "     %-19s : count     distribution\n", unit_name);
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int bar = bar_of(buckets[i].nr, max);

		hist_picture_put_number(out, buckets[i].from / unit_ns, 10);
		rs_buf_puts(out, " -> ");
		hist_picture_put_number(out, (buckets[i].to - 1) / unit_ns, -10);
		rs_buf_puts(out, " : ");
		hist_picture_put_number(out, buckets[i].nr, -8);
		rs_buf_puts(out, " |");
		rs_buf_pad(out, '*', bar);
		rs_buf_pad(out, ' ', BAR_WIDTH - bar);
		rs_buf_puts(out, "|\n");
	}
}

/* 0 and 1 share a bucket, as in bcc's pictures; then [2, 4), [4, 8) ... */
static unsigned int power_of(uint64_t v)
{
	return v < 2 ? 0 : 63 - (unsigned int)__builtin_clzll(v);
}

static struct rs_bucket hist_picture_bucket_of(unsigned int power, uint64_t unit_ns, uint64_t nr)
{
	struct rs_bucket b = { .from = power ? (1ull << power) * unit_ns : 0, .nr = nr };

	if (power >= 63 || __builtin_mul_overflow(2ull << power, unit_ns, &b.to))
		b.to = UINT64_MAX;
	return b;
}

struct tally {
	uint64_t unit_ns, counts[RS_MAX_BUCKETS];
};

static void hist_picture_count(void *arg, uint64_t value, uint64_t nr)
{
	struct tally *tally = arg;

	tally->counts[power_of(value / tally->unit_ns)] += nr;
}

unsigned int rs_hist_picture_buckets(const struct rs_hist *hist, uint64_t unit_ns,
				     struct rs_bucket buckets[RS_MAX_BUCKETS])
{
	struct tally tally = { .unit_ns = unit_ns };
	unsigned int first = 0, last = RS_MAX_BUCKETS, nr = 0;

	rs_hist_each(hist, hist_picture_count, &tally);
	while (first < RS_MAX_BUCKETS && !tally.counts[first])
		first++;
	while (last > first && !tally.counts[last - 1])
		last--;
	for (unsigned int power = first; power < last; power++)
		buckets[nr++] = hist_picture_bucket_of(power, unit_ns, tally.counts[power]);
	return nr;
}

/* ---- in one line ---- */

static void hist_picture_put_item(struct rs_buf *out, const char *name, bool known, uint64_t ns,
				  const char *counts)
{
	char text[RS_UNIT_TEXT];

	rs_buf_printf(out, "  %s ", name);
	if (known && counts)
		rs_buf_printf(out, "%llu %s", (unsigned long long)ns, counts);
	else if (known)
		rs_buf_add(out, text, rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1));
	else
		rs_buf_putc(out, '-');
}

void rs_hist_picture_line(struct rs_buf *out, const struct rs_hist *hist, const char *counts)
{
	static const struct {
		const char *name;
		unsigned int per_mille;
	} quantiles[] = { { "p50", 500 }, { "p95", 950 }, { "p99", 990 } };
	bool known = hist->nr > 0;
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, "count ");
	rs_buf_add(out, text, rs_units_put_grouped(text, hist->nr));
	hist_picture_put_item(out, "avg", known, known ? hist->sum / hist->nr : 0, counts);
	for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
		hist_picture_put_item(out, quantiles[i].name, known,
				      known ? rs_hist_quantile(hist, quantiles[i].per_mille) : 0, counts);
	hist_picture_put_item(out, "max", known, hist->max, counts);
}
