/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * range.h - the time range that is asked about, and how far the session is: see range.c
 */
#ifndef RS_ENGINE_RANGE_H
#define RS_ENGINE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct rs_quality;
struct rs_session;

/* The counts of the data quality at the start of the time range. */
struct rs_range_counts {
	uint64_t events, unmatched, discarded, inferred, evicted, late, bad_pages, bad_records;
};

/* All times are in the trace clock. */
struct rs_range {
	/* when session_advance_time is called next: first event, --from, --to */
	uint64_t next_check_ns;
	uint64_t step_from_ns, step_due_ns; /* the current step, see rs_session_config; due 0: none yet */
	uint64_t begin_ns;              /* of the trace: its first event, or the first hit of a probe */
	bool begun, ended, muted, cut;  /* muted: before --from; cut: an event after --to came */
	struct rs_range_counts before;
};

/* The time range begins with the current event; it ends now. */
void rs_range_begin(struct rs_session *s);
void rs_range_end(struct rs_session *s);
/* Subtracts the counts before the range from the data quality. */
void rs_range_quality(const struct rs_session *s, struct rs_quality *quality);

#endif
