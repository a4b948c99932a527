/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-pages.h - collects records of tracepoints in pages of their CPU, as the kernel's ring buffer has them
 */
#ifndef RS_PERFDATA_PERF_PAGES_H
#define RS_PERFDATA_PERF_PAGES_H

#include "decode/page-writer.h"
#include "recording/producer/producer.h"

#define RS_PERF_PAGE_BYTES 16384u    /* perf's records of tracepoints have at most 8 KiB */

struct rs_perf_pages {
	const struct rs_page_layout *layout;
	struct rs_producer *to;
	struct perf_pages_cpu *cpus;
	unsigned int nr_cpus;
	uint64_t nr_left_out;        /* records of no CPU that exists, or too long */
};

/* Returns false without memory; rs_perf_pages_done in any case. */
bool rs_perf_pages_init(struct rs_perf_pages *p, const struct rs_page_layout *layout,
			struct rs_producer *to, unsigned int nr_cpus);
void rs_perf_pages_done(struct rs_perf_pages *p);
/* 0, or -1 with err set. Records of a CPU come in the order of time. */
int rs_perf_pages_record(struct rs_perf_pages *p, uint32_t cpu, const uint8_t *record, uint32_t len_bytes,
			 uint64_t ts_ns, struct rs_error *err);
/* Records were lost on a CPU before the next one. */
int rs_perf_pages_lost(struct rs_perf_pages *p, uint32_t cpu, uint64_t nr, struct rs_error *err);
int rs_perf_pages_end(struct rs_perf_pages *p, struct rs_error *err);

#endif
