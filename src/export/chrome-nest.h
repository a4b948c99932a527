/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chrome-nest.h - slices of one thread that nest strictly, whatever the input says
 *
 * Readers of Chrome JSON want each two slices of a thread apart or one inside the
 * other: one that overlaps by 1 ns is dropped by some, and draws another's end wrongly in
 * others. Slices come in the order of their ends. So it is enough to know the outermost
 * ones that were written: a new one holds them, stands behind them, or begins within one:
 * then its begin is moved to that one's end. Of many that stand apart the oldest are
 * remembered as one, which may move a begin too far, but never lets two overlap.
 */
#ifndef RS_EXPORT_CHROME_NEST_H
#define RS_EXPORT_CHROME_NEST_H

#include <stdint.h>

#define RS_CHROME_NEST 6

struct rs_chrome_nest {
	struct { uint64_t start_ns, end_ns; } outer[RS_CHROME_NEST]; /* apart, in order */
	unsigned int nr;
};

/*
 * Where the slice [start_ns, end_ns] may begin; remembers it. end_ns is not before that
 * of any slice before; one that is has nothing left: it is then returned as its start.
 */
uint64_t rs_chrome_nest_add(struct rs_chrome_nest *n, uint64_t start_ns, uint64_t end_ns);

#endif
