/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-counts.h - the counts in samples of a group: perf record -e '{cycles,instructions}:S'
 */
#ifndef RS_PERFDATA_PERF_COUNTS_H
#define RS_PERFDATA_PERF_COUNTS_H

#include "decode/sample-record.h"
#include "perfdata/perf-header.h"

/* What each sample is rewritten with, in this order: the event that is shown is the first. */
struct rs_perf_counts {
	unsigned int nr;                 /* 0: its samples have no counts */
	uint8_t counters[RS_MAX_GROUP];  /* enum rs_counter */
};

/* of: the event that is shown; NULL: none. */
void rs_perf_counts_init(struct rs_perf_counts *c, const struct rs_perf_header *h,
			 const struct rs_perf_event *of);
/* Reads the counts of a sample of an event. Without one of them counts->nr is 0. */
void rs_perf_counts_read(const struct rs_perf_counts *c, struct rs_perf_header *h,
			 const struct rs_perf_event *e, const struct rs_sample_event *ev,
			 struct rs_sample_counts *counts);

#endif
