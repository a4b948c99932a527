/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - how much work a process did on each side, so that sides of different length and load compare
 *
 * A process that serves twice as many requests makes twice as many of each of its calls. So the median of the
 * ratios of counts is the ratio of work: a call that is new, gone or more frequent moves it little (the same
 * idea as the size factors of DESeq: Anders and Huber, Genome Biology 11, 2010). Each call counts by the
 * logarithm of its number, and where there are calls that came in every block, these alone: what a program
 * does once when it begins says nothing of its work. The unit is then one of the calls that have that ratio,
 * the least frequent: usually one for each request.
 */
#ifndef RS_COMPARE_WORKLOAD_H
#define RS_COMPARE_WORKLOAD_H

#include "compare/row-index.h"

struct rs_workload {
	const char *call;           /* the unit; NULL: there is none, and work is counted in seconds */
	double a[RS_SIDE_MAX_BLOCKS], b[RS_SIDE_MAX_BLOCKS]; /* units in each block */
	double all_a, all_b;
	bool is_mixed;              /* calls do not agree on the ratio: it does other work */
	bool lacks_per;             /* it hardly makes the call that was asked for, on one side at least */
};

/* The unit of sides whose blocks are runs of a command, and of a side's seconds. */
#define RS_WORKLOAD_RUN "run"
#define RS_WORKLOAD_SECOND "second"
#define RS_WORKLOAD_LEAST_CALLS 20u /* on each side: fewer say nothing */

/*
 * view: the place of the calls in both sides, by comm and syscall. calls_a: those of the process on side a.
 * per: the call that is the unit, "second", or NULL to find it. Of who does not make that call on both sides
 * work is counted in seconds.
 */
void rs_workload_find(const struct rs_side *a, const struct rs_side *b, size_t view,
		      struct rs_side_rows calls_a, const char *per, struct rs_workload *work);

#endif
