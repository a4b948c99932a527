/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample-merge.h - the records of all rings of a sample source in the order of time
 *
 *	if (event_ns >= rs_sample_merge_due_ns(m))              // else there is nothing before that time
 *		while (rs_sample_merge_next(m, event_ns, &ev))
 *			use(&ev);
 */
#ifndef RS_DECODE_SAMPLE_MERGE_H
#define RS_DECODE_SAMPLE_MERGE_H

#include "decode/sample-record.h"

struct rs_sample_merge;

/* NULL: no memory. */
struct rs_sample_merge *rs_sample_merge_new(struct rs_sample_source *source);
void rs_sample_merge_free(struct rs_sample_merge *m);
/*
 * Returns the next record that is not later than until_ns, its time in the trace clock; valid until the next
 * call. False: none. A record that comes late is returned as soon as it is found.
 */
bool rs_sample_merge_next(struct rs_sample_merge *m, uint64_t until_ns, struct rs_sample_event *ev);
/* Returns the time before which there is no record. */
uint64_t rs_sample_merge_due_ns(const struct rs_sample_merge *m);
uint64_t rs_sample_merge_nr_bad(const struct rs_sample_merge *m); /* malformed records, which were skipped */

#endif
