/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-samples.h - writes samples and mappings of a perf.data as records of RS_SAMPLE_RECORD_TYPE, in its
 * byte order
 *
 * A file may have several events, with other members in each; readers of a recording know one layout.
 */
#ifndef RS_PERFDATA_PERF_SAMPLES_H
#define RS_PERFDATA_PERF_SAMPLES_H

#include "base/buf.h"
#include "decode/page.h"
#include "decode/sample-record.h"
#include "perfdata/perf-header.h"

struct rs_perf_samples {
	const struct rs_page_layout *layout; /* for the byte order */
	struct rs_buf out;                   /* the caller takes them from here */
	uint64_t nr_samples, nr_lost;
};

void rs_perf_samples_init(struct rs_perf_samples *s, const struct rs_page_layout *layout);
void rs_perf_samples_done(struct rs_perf_samples *s);
/* misc: of the record, which says where the CPU was. counts: NULL: no sample has any. */
void rs_perf_samples_sample(struct rs_perf_samples *s, const struct rs_sample_event *ev,
			    const struct rs_sample_counts *counts, uint16_t misc);
/* id: of the file; NULL: as the record has it. */
void rs_perf_samples_mmap(struct rs_perf_samples *s, const struct rs_sample_event *ev,
			  const struct rs_perf_build_id *id);
void rs_perf_samples_task(struct rs_perf_samples *s, const struct rs_sample_event *ev); /* fork, exec */
void rs_perf_samples_lost(struct rs_perf_samples *s, const struct rs_sample_event *ev);

#endif
