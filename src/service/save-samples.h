/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save-samples.h - the samples of a time range as parts of a recording, in memory
 *
 *	rs_save_samples_make(&samples, source, from_ns, to_ns);
 *	rs_save_samples_put(&samples, &tail);
 *	... the tail is written ...
 *	rs_save_samples_done(&samples);
 */
#ifndef RS_SERVICE_SAVE_SAMPLES_H
#define RS_SERVICE_SAVE_SAMPLES_H

#include "base/buf.h"
#include "recording/tracedat-writer.h"
#include "source/perf/samples.h"
#include "stacks/page-stacks.h"

struct rs_save_samples {
	const bool *cpus;
	unsigned int nr_cpus;
	struct rs_sample_info info;
	struct rs_stack_builder *builder;
	struct rs_page_stacks stacks;
	struct rs_buf records, mappings, symbols;
	struct rs_tracedat_part parts[3];
};

/*
 * The source may have none. cpus: of these alone; NULL: all. to_ns: 0: no end. What there is no memory for is
 * left out.
 */
void rs_save_samples_make(struct rs_save_samples *s, struct rs_source *source, const bool *cpus,
			  uint64_t from_ns, uint64_t to_ns);
/* Each page that is saved: stacks of its events. */
void rs_save_samples_page(struct rs_save_samples *s, const struct rs_page *page);
/* After the last page: finds the symbols. */
void rs_save_samples_put(struct rs_save_samples *s, struct rs_tracedat_tail *tail);
void rs_save_samples_done(struct rs_save_samples *s);

#endif
