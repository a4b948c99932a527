// SPDX-License-Identifier: GPL-2.0-or-later
/* record-samples - samples of the CPUs, mappings and symbols of a recording */
#include "cli/record/record-samples.h"

#include <string.h>

#include "recording/initial-mappings.h"

int rs_record_samples_init(struct rs_record_samples *r, struct rs_source *source, struct rs_error *err)
{
	r->mappings = r->symbols = (struct rs_buf)RS_BUF_INIT;
	r->source = source->samples;
	if (!r->source)
		return 0;
	r->info = r->source->info;
	r->merge = rs_sample_merge_new(r->source);
	r->builder = rs_stack_builder_new(r->source, &source->info, 0);
	if (!r->merge || !r->builder)
		return rs_fail(err, "cannot record samples: out of memory");
	rs_page_stacks_init(&r->stacks, &source->info, r->builder);
	return 0;
}

void rs_record_samples_page(struct rs_record_samples *r, const struct rs_page *page)
{
	rs_page_stacks_take(&r->stacks, page->data, page->len_bytes);
}

/* Writes records up to a time, with times in the trace clock. */
static int record_samples_take(struct rs_record_samples *r, struct rs_tracedat_writer *w, uint64_t until_ns,
			       struct rs_error *err)
{
	struct rs_sample_event ev;

	while (rs_sample_merge_next(r->merge, until_ns, &ev)) {
		memcpy(r->record, ev.record.data, ev.record.len_bytes);
		rs_sample_record_set_time(&r->info, r->record, ev.record.len_bytes, ev.ts_ns);
		if (rs_tracedat_writer_samples(w, r->record, ev.record.len_bytes, err) < 0)
			return -1;
		r->info.nr_samples += ev.kind == RS_SAMPLE_OF_CPU || ev.kind == RS_SAMPLE_PROBE;
		if (ev.kind == RS_SAMPLE_OF_CPU || ev.kind == RS_SAMPLE_PROBE)
			rs_stack_builder_add_functions(r->builder, &ev);
		else
			rs_stack_builder_follow(r->builder, &ev);
	}
	rs_stack_builder_take_files(r->builder);
	return 0;
}

int rs_record_samples_take(struct rs_record_samples *r, struct rs_tracedat_writer *w, struct rs_error *err)
{
	return r->source ? record_samples_take(r, w, r->source->ops->known_ns(r->source), err) : 0;
}

int rs_record_samples_take_last(struct rs_record_samples *r, struct rs_tracedat_writer *w,
				struct rs_error *err)
{
	return r->source ? record_samples_take(r, w, UINT64_MAX, err) : 0;
}

/* Without memory the part is left out. */
static void record_samples_add_part(struct rs_record_samples *r, struct rs_tracedat_tail *tail,
				    const char *name, const struct rs_buf *part)
{
	if (!part->failed)
		r->parts[tail->nr_parts++] = (struct rs_tracedat_part){ name, part->data, part->len };
}

void rs_record_samples_end(struct rs_record_samples *r, struct rs_tracedat_tail *tail)
{
	if (!r->source)
		return;
	if (r->source->ops->nr_lost)
		r->info.nr_lost = r->source->ops->nr_lost(r->source);
	rs_initial_mappings_put(&r->mappings, r->info.mappings, r->info.nr_mappings);
	rs_stack_builder_put_symbols(r->builder, &r->symbols);
	tail->samples = &r->info;
	tail->parts = r->parts;
	record_samples_add_part(r, tail, "mappings", &r->mappings);
	record_samples_add_part(r, tail, "symbols", &r->symbols);
}

void rs_record_samples_done(struct rs_record_samples *r)
{
	rs_sample_merge_free(r->merge);
	rs_stack_builder_free(r->builder);
	rs_buf_done(&r->mappings);
	rs_buf_done(&r->symbols);
}
