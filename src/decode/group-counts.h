/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * group-counts.h - how much the events of a group have counted since its last sample, on its CPU
 *
 * The counts in a sample only grow. What they grew by since the one before is charged to the task that was
 * sampled, though others may have run in between: with many samples the shares are right. The growth is not
 * known after lost samples, where the group had to leave the PMU to others in between, and where a count
 * became less.
 */
#ifndef RS_DECODE_GROUP_COUNTS_H
#define RS_DECODE_GROUP_COUNTS_H

#include "decode/sample-record.h"

struct rs_group_counts;

struct rs_group_counts *rs_group_counts_new(void); /* NULL: no memory */
void rs_group_counts_free(struct rs_group_counts *g);
/*
 * To be called with each sample, in the order of time. Fills in what is known of growth, and returns that:
 * bits 1 << RS_COUNTER_...
 */
unsigned int rs_group_counts_add(struct rs_group_counts *g, const struct rs_sample_info *info,
				 const struct rs_sample_event *ev, uint64_t growth[RS_NR_COUNTERS]);
/* Samples of this CPU were lost; UINT32_MAX: of any. */
void rs_group_counts_lost(struct rs_group_counts *g, uint32_t cpu);

#endif
