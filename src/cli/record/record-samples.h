/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-samples.h - samples of the CPUs, mappings and symbols of a recording
 *
 *	rs_record_samples_init(&r, source);
 *	rs_record_samples_page(&r, page);              // each page: stacks of its events
 *	rs_record_samples_take(&r, writer, &err);      // now and then, while it records
 *	rs_record_samples_take_last(&r, writer, &err); // when sampling has stopped
 *	rs_record_samples_end(&r, &tail);              // finds the symbols
 *	rs_record_samples_done(&r);                    // after the tail was written
 *
 * The files of programs are opened when they are mapped, and their symbols are read at the end: a program may
 * end, or be removed, while it is recorded.
 */
#ifndef RS_CLI_RECORD_RECORD_SAMPLES_H
#define RS_CLI_RECORD_RECORD_SAMPLES_H

#include "base/buf.h"
#include "decode/sample-merge.h"
#include "recording/tracedat-writer.h"
#include "stacks/page-stacks.h"
#include "stacks/stack-builder.h"

struct rs_record_samples {
	struct rs_sample_source *source;   /* NULL: the CPUs are not sampled */
	struct rs_sample_merge *merge;
	struct rs_stack_builder *builder;
	struct rs_page_stacks stacks;
	struct rs_sample_info info;        /* what the file says of them */
	struct rs_buf mappings, symbols;
	struct rs_tracedat_part parts[2];
	uint8_t record[65536];             /* a record's size is 16 bits */
};

/* When the source has begun: its mappings are known. Returns -1 without memory. */
int rs_record_samples_init(struct rs_record_samples *r, struct rs_source *source, struct rs_error *err);
void rs_record_samples_page(struct rs_record_samples *r, const struct rs_page *page);
int rs_record_samples_take(struct rs_record_samples *r, struct rs_tracedat_writer *w, struct rs_error *err);
int rs_record_samples_take_last(struct rs_record_samples *r, struct rs_tracedat_writer *w,
				struct rs_error *err);
void rs_record_samples_end(struct rs_record_samples *r, struct rs_tracedat_tail *tail);
void rs_record_samples_done(struct rs_record_samples *r);

#endif
