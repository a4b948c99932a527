// SPDX-License-Identifier: GPL-2.0-or-later
/* producer - makes a recording: what record, save, export and the conversion of a perf.data have in common */
#include "recording/producer/producer.h"

#include <stdlib.h>
#include <string.h>

#include "decode/sample-merge.h"
#include "recording/initial-mappings.h"
#include "stacks/page-stacks.h"
#include "stacks/stack-builder.h"

struct rs_producer_samples {
	struct rs_sample_source *source;
	unsigned int nr_cpus;
	struct rs_sample_merge *merge;
	struct rs_stack_builder *builder;
	struct rs_page_stacks stacks;
	struct rs_sample_info info;        /* what the recording says of them */
	struct rs_buf mappings, symbols;
	struct rs_tracedat_part parts[2];
	uint8_t record[65536];             /* a record's size is 16 bits */
};

/* ---- the samples of a source ---- */

static void producer_free_samples(struct rs_producer_samples *s)
{
	if (!s)
		return;
	rs_sample_merge_free(s->merge);
	rs_stack_builder_free(s->builder);
	rs_buf_done(&s->mappings);
	rs_buf_done(&s->symbols);
	free(s);
}

/* NULL: no memory. */
static struct rs_producer_samples *producer_new_samples(struct rs_source *source)
{
	struct rs_producer_samples *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->source = source->samples;
	s->nr_cpus = source->info.nr_cpus;
	s->mappings = s->symbols = (struct rs_buf)RS_BUF_INIT;
	s->merge = rs_sample_merge_new(s->source);
	s->builder = rs_stack_builder_new(s->source, &source->info, 0);
	if (!s->merge || !s->builder) {
		producer_free_samples(s);
		return NULL;
	}
	s->info = s->source->info;
	s->info.nr_samples = s->info.nr_lost = 0;
	rs_page_stacks_init(&s->stacks, &source->info, s->builder);
	return s;
}

/*
 * In the trace clock. Of the other byte order are those of a file alone, which has them in that clock. What
 * changes the mappings is written whenever and wherever it was.
 */
static int producer_take_record(struct rs_producer *p, const struct rs_sample_event *ev, struct rs_error *err)
{
	bool is_sample = ev->kind == RS_SAMPLE_OF_CPU || ev->kind == RS_SAMPLE_PROBE;
	struct rs_producer_samples *s = p->samples;
	size_t len = ev->record.len_bytes;

	if (is_sample && (ev->ts_ns < p->from_ns || (p->cpus && ev->cpu < s->nr_cpus && !p->cpus[ev->cpu])))
		return 0;
	s->info.nr_samples += is_sample;
	if (is_sample)
		rs_stack_builder_add_functions(s->builder, ev);
	else
		rs_stack_builder_follow(s->builder, ev);
	memcpy(s->record, ev->record.data, len);
	if (!s->info.swaps)
		rs_sample_record_set_time(&s->info, s->record, len, ev->ts_ns);
	return rs_producer_add_samples(p, s->record, len, err);
}

int rs_producer_take_samples(struct rs_producer *p, uint64_t until_ns, struct rs_error *err)
{
	struct rs_sample_event ev;

	if (!p->samples)
		return 0;
	while (rs_sample_merge_next(p->samples->merge, until_ns, &ev))
		if (producer_take_record(p, &ev, err) < 0)
			return -1;
	rs_stack_builder_take_files(p->samples->builder);
	return 0;
}

/* Without memory the part is left out. */
static void producer_add_part(struct rs_producer *p, const char *name, const struct rs_buf *part)
{
	if (!part->failed)
		p->samples->parts[p->tail.nr_parts++] =
			(struct rs_tracedat_part){ name, part->data, part->len };
}

static void producer_end_samples(struct rs_producer *p, struct rs_producer_samples *s)
{
	/* live, the kernel counts what it had no room for; in a recording, records say what was lost */
	if (s->source->ops->start && s->source->ops->nr_lost)
		s->info.nr_lost = s->source->ops->nr_lost(s->source);
	rs_initial_mappings_put(&s->mappings, s->info.mappings, s->info.nr_mappings);
	rs_stack_builder_put_symbols(s->builder, &s->symbols);
	p->tail.samples = &s->info;
	p->tail.parts = s->parts;
	p->tail.nr_parts = 0;
	producer_add_part(p, "mappings", &s->mappings);
	producer_add_part(p, "symbols", &s->symbols);
}

/* ---- the way from begin to end ---- */

static int producer_put_head(struct rs_producer *p, struct rs_error *err)
{
	return p->writer ? rs_tracedat_writer_begin(p->writer, &p->head, err) :
			   rs_tracedat_stream_begin(p->stream, &p->head, &p->tail, err);
}

int rs_producer_begin(struct rs_producer *p, struct rs_source *source, struct rs_error *err)
{
	p->begun = producer_put_head(p, err) == 0;
	if (!p->begun || !source || !source->samples)
		return p->begun ? 0 : -1;
	p->samples = producer_new_samples(source);
	return p->samples ? 0 : rs_fail(err, "cannot record samples: out of memory");
}

int rs_producer_page(struct rs_producer *p, unsigned int cpu, const void *page, size_t len_bytes,
		     struct rs_error *err)
{
	if (p->samples)
		rs_page_stacks_take(&p->samples->stacks, page, len_bytes);
	return p->writer ? rs_tracedat_writer_page(p->writer, cpu, page, len_bytes, err) :
			   rs_tracedat_stream_page(p->stream, page, len_bytes, err);
}

int rs_producer_add_samples(struct rs_producer *p, const void *records, size_t len_bytes,
			    struct rs_error *err)
{
	if (p->writer)
		return rs_tracedat_writer_samples(p->writer, records, len_bytes, err);
	rs_tracedat_stream_samples(p->stream, records, len_bytes);
	return 0;
}

int rs_producer_finish(struct rs_producer *p, struct rs_error *err)
{
	if (p->samples)
		producer_end_samples(p, p->samples);
	return p->writer ? rs_tracedat_writer_finish(p->writer, &p->tail, err) :
			   rs_tracedat_stream_finish(p->stream, &p->tail, err);
}

void rs_producer_done(struct rs_producer *p)
{
	producer_free_samples(p->samples);
	p->samples = NULL;
}
