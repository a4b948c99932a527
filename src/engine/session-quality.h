/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session-quality.h - what a session counts for the data quality beside the matchers and states
 */
#ifndef RS_ENGINE_SESSION_QUALITY_H
#define RS_ENGINE_SESSION_QUALITY_H

#include <stdint.h>

#include "engine/match/matcher.h"
#include "engine/session.h"
#include "model/gap-log.h"
#include "ringside/plugin.h"

struct rs_range_counts;
struct rs_session;

/* The session owns the arrays: one number for each CPU. */
struct rs_quality_counts {
	uint64_t nr_events;             /* handled, up to the last batch */
	uint64_t nr_late, nr_bad_records;
	uint64_t counted[RS_NR_COUNTED]; /* by analyses: rs_count */
	uint64_t gaps_ns;               /* since the last reset, of all CPUs */
	uint64_t nr_gaps, nr_gaps_uncounted, *lost_by_cpu, *uncounted_by_cpu;
	/* what is in flight, or discarded while it was, when that was summed over all tasks */
	struct rs_match_open open;
	struct rs_session_stamp open_at;
	struct rs_gap_log gap_log;      /* never reset */
	char changed[512];              /* see session-quality.c */
};

/* Returns the counts of the data quality, without what is in flight; .events is not set. */
struct rs_range_counts rs_session_counts(const struct rs_session *s);
void rs_session_log_quality(struct rs_session *s); /* --debug match */

#endif
