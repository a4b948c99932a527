/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recurring.h - slow waits of one kind that come again and again: how many, and whether at regular times
 *
 * See slow-waits.h for what a kind is. Waits that overlap, as of several threads that wait for one
 * lock, are one. The period is that of base/period.h.
 */
#ifndef RS_WHY_RECURRING_H
#define RS_WHY_RECURRING_H

#include "why/slow-waits.h"

#define RS_RECURRING_KINDS 32

struct rs_ctx;

struct rs_recurring {
	const struct rs_slow_wait *slowest, *culprit; /* culprit: the last one that has one; NULL: none has */
	uint64_t first_ns, last_to_ns; /* begin of the first, end of the last */
	uint64_t sum_ns;             /* that they took */
	uint64_t period_ns;          /* 0: too few, or irregular */
	unsigned int nr;
};

struct rs_recurring_list {
	struct rs_recurring at[RS_RECURRING_KINDS];
	unsigned int nr;             /* more kinds are left out */
	uint64_t from_ns, now_ns;    /* what began before from_ns is not judged; now: of the last event */
	bool is_window;              /* of the last most_ns of a session that is reset */
};

/*
 * Collects the waits of class LOST that took least_ns or more. Of a session that is reset, as live,
 * those of the last most_ns. Valid until the session goes on.
 */
void rs_recurring_collect(const struct rs_ctx *c, uint64_t least_ns, uint64_t most_ns,
			  struct rs_recurring_list *out);

#endif
