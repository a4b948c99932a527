/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top.h - the task that came most often, in a few places
 *
 *	struct rs_top wakers = { 0 };
 *	rs_top_add(&wakers, tid, comm);
 *	v[TOP_WAKER] = rs_s(rs_top_text(&wakers, buf, sizeof buf));  // "comm/tid", "<irq>" for tid 0; NULL: nobody
 *
 * Exact while no more than RS_TOP_PLACES came; then who came least gives its place, and its count, to
 * the new one: whoever came more often than once in RS_TOP_PLACES is still among them.
 */
#ifndef RINGSIDE_TOP_H
#define RINGSIDE_TOP_H

#include "event.h"

#define RS_TOP_PLACES 4

struct rs_top {
	struct {
		uint64_t nr;           /* 0: the place is free */
		int32_t tid;
		char comm[RS_COMM_LEN]; /* "" unknown */
	} at[RS_TOP_PLACES];
};

/* comm: RS_COMM_LEN bytes, as a task's; NULL unknown */
void rs_top_add(struct rs_top *top, int32_t tid, const char *comm);
void rs_top_merge(struct rs_top *into, const struct rs_top *from);
const char *rs_top_text(const struct rs_top *top, char *buf, size_t size_bytes);

#endif
