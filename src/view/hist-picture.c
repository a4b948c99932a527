// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist-picture.c - a distribution as a picture in bcc's style, and its summary in one line
 */
#include <inttypes.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

#define BAR_WIDTH 40

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

		rs_buf_printf(out, "%10" PRIu64 " -> %-10" PRIu64 " : %-8" PRIu64 " |",
			      buckets[i].from / unit_ns, (buckets[i].to - 1) / unit_ns, buckets[i].nr);
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

/* ---- quantiles ---- */

const struct rs_column rs_hist_picture_columns[] = {
	{ "label", NULL, RS_TYPE_TEXT }, { "count", NULL, RS_TYPE_COUNT },
	{ "avg_ns", "avg", RS_TYPE_DURATION },
	{ "p50_ns", "p50", RS_TYPE_DURATION }, { "p95_ns", "p95", RS_TYPE_DURATION },
	{ "p99_ns", "p99", RS_TYPE_DURATION },
	{ "max_ns", "max", RS_TYPE_DURATION }, { .name = NULL },
};

void rs_hist_picture_values(const struct rs_hist *h, const char *label,
			    struct rs_value values[RS_HIST_COLUMNS])
{
	static const unsigned int per_mille[] = { 500, 950, 990 };
	bool known = h->nr > 0;

	*values++ = (struct rs_value){ .s = label, .known = true };
	*values++ = rs_u(h->nr);
	*values++ = rs_u_if(known, known ? h->sum / h->nr : 0);
	for (size_t i = 0; i < sizeof per_mille / sizeof *per_mille; i++)
		*values++ = rs_u_if(known, known ? rs_hist_quantile(h, per_mille[i]) : 0);
	*values = rs_u_if(known, h->max);
}

void rs_hist_picture_line(struct rs_buf *out, const char *label, const struct rs_hist *hist,
			  const char *counts)
{
	struct rs_value values[RS_HIST_COLUMNS];
	char text[RS_UNIT_TEXT];

	rs_hist_picture_values(hist, label, values);
	rs_escape_text(out, label);
	rs_buf_puts(out, *label ? ": count " : "count ");
	rs_buf_add(out, text, rs_units_put_grouped(text, hist->nr));
	for (unsigned int i = 2; i < RS_HIST_COLUMNS; i++) {
		rs_buf_printf(out, "  %s ", rs_hist_picture_columns[i].heading);
		if (!values[i].known)
			rs_buf_putc(out, '-');
		else if (counts)
			rs_buf_printf(out, "%llu %s", (unsigned long long)values[i].u, counts);
		else
			rs_buf_add(out, text, rs_units_put_duration(text, values[i].u, RS_UNIT_AUTO, -1));
	}
	rs_buf_putc(out, '\n');
}
