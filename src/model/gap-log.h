/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gap-log.h - when events were lost: the last gaps, in bounded memory
 *
 * Gaps are added in the order of their begin; those that overlap the one before are one. What is older than
 * the oldest that is left counts as lost: nobody knows any more.
 */
#ifndef RS_MODEL_GAP_LOG_H
#define RS_MODEL_GAP_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_GAP_LOG_MAX 1024

struct rs_gap_log {
	struct {
		uint64_t from_ns, to_ns;
	} at[RS_GAP_LOG_MAX];     /* a ring: .nr from .first on */
	size_t first, nr;
	uint64_t dropped_to_ns;   /* the latest end of those that were dropped; 0: none was */
};

/* An empty log is all zero. */
void rs_gap_log_add(struct rs_gap_log *log, uint64_t from_ns, uint64_t to_ns);
/* Were events lost in from_ns <= t < to_ns? */
bool rs_gap_log_has(const struct rs_gap_log *log, uint64_t from_ns, uint64_t to_ns);

#endif
