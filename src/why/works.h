/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * works.h - the works of the kernel's workqueues: who queued them, and who executes them
 */
#ifndef RS_WHY_WORKS_H
#define RS_WHY_WORKS_H

#include "why/history.h"

struct rs_works;

struct rs_work {
	uint64_t addr, function;
	uint64_t begin_ns, end_ns;  /* executed; end_ns UINT64_MAX: still */
	uint64_t before;            /* number of the one before in the same bucket, see works.c */
	/*
	 * up to the queueing at .to_ns the worker had nothing of it to do: .of, woken by who queued it;
	 * .to_ns 0: that was not seen
	 */
	struct rs_segment queued;
};

/*
 * Returns the work by which the worker ended that wait: it executed it then, or had just done so. Of who
 * waits for a work in flush_work that work, not the barrier behind it. NULL: none, or unknown. Valid until
 * the session goes on.
 */
const struct rs_work *rs_works_of_wait(struct rs_ctx *c, const struct rs_segment *wait);

#endif
