// SPDX-License-Identifier: GPL-2.0-or-later
/* dist-svg - two latency distributions over each other, as a picture */
#include "compare/dist-svg.h"

#include <math.h>

#include "base/units.h"

enum { WIDTH = 640, HEIGHT = 110, AXIS = 18, PER_DOUBLING = 4, MOST_BINS = 64 * PER_DOUBLING };

/* Of both sides: from the first bin that has a value to the last. */
struct dist_bins {
	double shares[2][MOST_BINS];
	unsigned int first, last;
	double highest;
};

static unsigned int dist_bin(uint64_t value)
{
	double bin = value ? floor(log2((double)value) * PER_DOUBLING) : 0;

	return bin < 0 ? 0 : bin < MOST_BINS - 1 ? (unsigned int)bin : MOST_BINS - 1;
}

static void dist_fill(struct dist_bins *bins, const struct rs_dist *d, unsigned int side)
{
	for (size_t i = 0; i < d->nr_points; i++) {
		unsigned int bin = dist_bin(d->points[i].value);
		double *share = &bins->shares[side][bin];

		*share += d->points[i].nr / (double)d->nr;
		bins->first = bin < bins->first ? bin : bins->first;
		bins->last = bin > bins->last ? bin : bins->last;
		bins->highest = *share > bins->highest ? *share : bins->highest;
	}
}

static double dist_x(const struct dist_bins *bins, double bin)
{
	return (bin - bins->first) * WIDTH / (bins->last + 1 - bins->first);
}

static double dist_x_of(const struct dist_bins *bins, double value)
{
	return dist_x(bins, value > 1 ? log2(value) * PER_DOUBLING : 0);
}

static void dist_put_steps(struct rs_buf *out, const struct dist_bins *bins, unsigned int side)
{
	rs_buf_printf(out, "<path class=\"%s\" d=\"M0 %d", side ? "db" : "da", HEIGHT);
	for (unsigned int bin = bins->first; bin <= bins->last; bin++)
		rs_buf_printf(out, "V%dH%d",
			      (int)(HEIGHT - bins->shares[side][bin] / bins->highest * (HEIGHT - 8) + 0.5),
			      (int)(dist_x(bins, bin + 1) + 0.5));
	rs_buf_printf(out, "V%dZ\"/>\n", HEIGHT);
}

static void dist_put_mark(struct rs_buf *out, const struct dist_bins *bins, const struct rs_dist *d,
			  unsigned int side, unsigned int per_mille)
{
	int x = (int)(dist_x_of(bins, rs_dist_quantile(d, per_mille, 0).value) + 0.5);

	rs_buf_printf(out, "<path class=\"%s mark\" d=\"M%d 0V%d\"/>\n", side ? "db" : "da", x, HEIGHT);
}

/* At powers of ten. */
static void dist_put_axis(struct rs_buf *out, const struct dist_bins *bins)
{
	uint64_t value = 1;

	for (int i = 0; i < 19; i++, value *= 10) {
		double x = dist_x_of(bins, (double)value);
		char text[RS_UNIT_TEXT];

		if (x < 0 || x > WIDTH - 30)
			continue;
		rs_buf_printf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\">", (int)(x + 0.5), HEIGHT + 13);
		rs_buf_add(out, text, rs_units_put_duration(text, value, RS_UNIT_AUTO, 0));
		rs_buf_puts(out, "</text>\n");
	}
}

void rs_dist_svg_put(struct rs_buf *out, const struct rs_dist *a, const struct rs_dist *b)
{
	struct dist_bins bins = { .first = MOST_BINS };

	dist_fill(&bins, a, 0);
	dist_fill(&bins, b, 1);
	if (bins.first == MOST_BINS)
		return;
	rs_buf_printf(out, "<svg class=\"dist\" viewBox=\"0 0 %d %d\" role=\"img\">\n", WIDTH, HEIGHT + AXIS);
	for (unsigned int side = 0; side < 2; side++)
		if ((side ? b : a)->nr)
			dist_put_steps(out, &bins, side);
	for (unsigned int side = 0; side < 2; side++)
		if ((side ? b : a)->nr) {
			dist_put_mark(out, &bins, side ? b : a, side, 500);
			dist_put_mark(out, &bins, side ? b : a, side, 990);
		}
	dist_put_axis(out, &bins);
	rs_buf_puts(out, "</svg>\n");
}
