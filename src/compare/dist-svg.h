/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dist-svg.h - two latency distributions over each other, as a picture
 *
 * The axis is logarithmic, four bins to each doubling; the height is the share of all values of that side, so
 * that sides of different length compare. Marks: the median and the 99th percentile of each.
 */
#ifndef RS_COMPARE_DIST_SVG_H
#define RS_COMPARE_DIST_SVG_H

#include "base/buf.h"
#include "compare/dist.h"

/* Classes .da and .db, which have the colors, are the page's. Nothing where both are empty. */
void rs_dist_svg_put(struct rs_buf *out, const struct rs_dist *a, const struct rs_dist *b);

#endif
