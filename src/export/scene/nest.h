/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest.h - makes the slices of a thread nest strictly, for any input
 *
 * Readers require any two slices of a thread to be disjoint or nested:
 * some drop a slice that overlaps by 1 ns, others draw another's end wrongly.
 * Slices come in the order of their ends, so it is enough to remember the outermost
 * ones written so far: a new one contains them, follows them, or begins within one; in the
 * last case its begin moves to that one's end. Of many disjoint ones the oldest are
 * merged, which may move a begin too far but never lets two overlap.
 */
#ifndef RS_EXPORT_NEST_H
#define RS_EXPORT_NEST_H

#include <stdint.h>

#define RS_NEST_OUTER 6

struct rs_nest {
	struct { uint64_t start_ns, end_ns; } outer[RS_NEST_OUTER]; /* disjoint, in order */
	unsigned int nr;
};

/*
 * Returns where the slice [start_ns, end_ns] may begin, and remembers it. Ends must not decrease;
 * for a slice that breaks this end_ns is returned: nothing is left of it.
 */
uint64_t rs_nest_add(struct rs_nest *n, uint64_t start_ns, uint64_t end_ns);

#endif
