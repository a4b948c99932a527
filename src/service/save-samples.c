// SPDX-License-Identifier: GPL-2.0-or-later
/* save-samples - the samples of a time range as parts of a recording, in memory */
#include "service/save-samples.h"

#include "decode/sample-merge.h"
#include "recording/initial-mappings.h"
#include "stacks/stack-builder.h"

/* Samples before the begin are left out, but not what changes the mappings. */
static void save_samples_take(struct rs_save_samples *s, struct rs_sample_merge *merge,
			      struct rs_stack_builder *b, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_sample_event ev;

	while (rs_sample_merge_next(merge, to_ns, &ev)) {
		bool is_sample = ev.kind == RS_SAMPLE_OF_CPU || ev.kind == RS_SAMPLE_PROBE;

		rs_stack_builder_follow(b, &ev);
		if (is_sample && (ev.ts_ns < from_ns || (s->cpus && ev.cpu < s->nr_cpus && !s->cpus[ev.cpu])))
			continue;
		rs_buf_add(&s->records, ev.record.data, ev.record.len_bytes);
		if (!is_sample)
			continue;
		s->info.nr_samples++;
		rs_stack_builder_add_functions(b, &ev);
	}
}

void rs_save_samples_make(struct rs_save_samples *s, struct rs_source *source, const bool *cpus,
			  uint64_t from_ns, uint64_t to_ns)
{
	struct rs_sample_source *samples = source->samples;
	struct rs_sample_merge *merge = samples ? rs_sample_merge_new(samples) : NULL;

	*s = (struct rs_save_samples){
		.records = RS_BUF_INIT, .mappings = RS_BUF_INIT, .symbols = RS_BUF_INIT, .cpus = cpus,
		.nr_cpus = source->info.nr_cpus };
	s->builder = samples ? rs_stack_builder_new(samples, &source->info, 0) : NULL;
	rs_page_stacks_init(&s->stacks, &source->info, s->builder);
	if (merge && s->builder) {
		s->info = samples->info;
		s->info.nr_samples = s->info.nr_lost = 0; /* what was lost has records */
		save_samples_take(s, merge, s->builder, from_ns, to_ns ? to_ns : UINT64_MAX);
		rs_initial_mappings_put(&s->mappings, samples->info.mappings, samples->info.nr_mappings);
	}
	rs_sample_merge_free(merge);
}

void rs_save_samples_page(struct rs_save_samples *s, const struct rs_page *page)
{
	rs_page_stacks_take(&s->stacks, page->data, page->len_bytes);
}

static void save_samples_add_part(struct rs_save_samples *s, struct rs_tracedat_tail *tail, const char *name,
				  const struct rs_buf *part)
{
	if (!part->failed)
		s->parts[tail->nr_parts++] = (struct rs_tracedat_part){ name, part->data, part->len };
}

void rs_save_samples_put(struct rs_save_samples *s, struct rs_tracedat_tail *tail)
{
	if (!s->info.sample_type)
		return;
	rs_stack_builder_put_symbols(s->builder, &s->symbols);
	tail->samples = &s->info;
	tail->parts = s->parts;
	save_samples_add_part(s, tail, "samples", &s->records);
	save_samples_add_part(s, tail, "mappings", &s->mappings);
	save_samples_add_part(s, tail, "symbols", &s->symbols);
}

void rs_save_samples_done(struct rs_save_samples *s)
{
	rs_stack_builder_free(s->builder);
	rs_buf_done(&s->records);
	rs_buf_done(&s->mappings);
	rs_buf_done(&s->symbols);
}
