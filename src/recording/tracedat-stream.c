// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat-stream - a trace.dat in one pass, for outputs that cannot seek */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/tracedat-parts.h"

static void stream_put_names(struct rs_buf *out, const struct rs_trace_info *info,
			     const struct rs_tracedat_tail *tail)
{
	struct rs_tracedat_names names;

	rs_tracedat_names_init(&names, info);
	rs_tracedat_names_add_initial(&names, info->snapshot, info->nr_initial, 0);
	rs_tracedat_names_add_initial(&names, tail->tasks, tail->nr_tasks, UINT64_MAX);
	rs_tracedat_names_put(&names, info, out, TRACEDAT_NAMES_BYTES_MAX);
	rs_tracedat_names_done(&names);
}

/* Writes the table of the CPUs' pages, and pads up to the first page. */
static void stream_put_table(struct rs_buf *out, const struct rs_tracedat_stream *s)
{
	const struct rs_trace_info *info = s->info;
	size_t align = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t at = out->len + (uint64_t)info->nr_cpus * 16;

	align = align > info->page_bytes ? align : info->page_bytes;
	at = (at + align - 1) / align * align;
	for (uint64_t cpu = 0, next = at; cpu < info->nr_cpus; cpu++) {
		rs_tracedat_put_u64(out, info, next);
		rs_tracedat_put_u64(out, info, s->nr_pages[cpu] * info->page_bytes);
		next += s->nr_pages[cpu] * info->page_bytes;
	}
	if (!out->failed)
		rs_buf_pad(out, '\0', at - out->len);
}

static int tracedat_stream_write_out(struct rs_tracedat_stream *s, const struct rs_buf *out,
				     struct rs_error *err)
{
	if (out->failed)
		return rs_fail(err, "cannot write a trace.dat: out of memory");
	s->at += out->len;
	return s->write(s->arg, out->data, out->len, err);
}

int rs_tracedat_stream_begin(struct rs_tracedat_stream *s, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret;

	s->info = head->info;
	s->samples = (struct rs_buf)RS_BUF_INIT;
	rs_tracedat_put_head(&out, head);
	stream_put_names(&out, s->info, tail);
	rs_tracedat_put_options(&out, head, tail);
	stream_put_table(&out, s);
	s->page = malloc(s->info->page_bytes);
	out.failed |= !s->page;
	ret = tracedat_stream_write_out(s, &out, err);
	rs_buf_done(&out);
	return ret;
}

int rs_tracedat_stream_page(struct rs_tracedat_stream *s, const void *page, size_t len_bytes,
			    struct rs_error *err)
{
	size_t page_bytes = s->info->page_bytes;

	s->at += page_bytes;
	if (len_bytes == page_bytes)
		return s->write(s->arg, page, page_bytes, err);
	memcpy(s->page, page, len_bytes);
	memset(s->page + len_bytes, 0, page_bytes - len_bytes);
	return s->write(s->arg, s->page, page_bytes, err);
}

int rs_tracedat_stream_blank(struct rs_tracedat_stream *s, uint64_t ts_ns, struct rs_error *err)
{
	struct rs_buf head = RS_BUF_INIT;
	int ret = -1;

	rs_tracedat_put_u64(&head, s->info, ts_ns);
	if (head.failed)
		rs_fail(err, "cannot write a trace.dat: out of memory");
	else
		ret = rs_tracedat_stream_page(s, head.data, head.len, err);
	rs_buf_done(&head);
	return ret;
}

void rs_tracedat_stream_samples(struct rs_tracedat_stream *s, const void *records, size_t len_bytes)
{
	rs_buf_add(&s->samples, records, len_bytes);
}

static void stream_put_part(const struct rs_tracedat_stream *s, const struct rs_tracedat_part *part,
			    struct rs_tracedat_places *places, struct rs_buf *out)
{
	rs_tracedat_places_add(places, part, s->at + out->len);
	rs_buf_add(out, part->data, part->len_bytes);
}

int rs_tracedat_stream_finish(struct rs_tracedat_stream *s, const struct rs_tracedat_tail *tail,
			      struct rs_error *err)
{
	struct rs_tracedat_places places = { .nr = 0 };
	struct rs_buf out = RS_BUF_INIT;
	int ret;

	if (tail->samples && !s->samples.failed)
		stream_put_part(s, &(struct rs_tracedat_part){ "samples", s->samples.data, s->samples.len },
				&places, &out);
	for (size_t i = 0; i < tail->nr_parts; i++)
		stream_put_part(s, &tail->parts[i], &places, &out);
	rs_tracedat_put_trailer(&out, s->info, tail, &places);
	ret = tracedat_stream_write_out(s, &out, err);
	rs_buf_done(&out);
	return ret;
}

void rs_tracedat_stream_done(struct rs_tracedat_stream *s)
{
	free(s->page);
	rs_buf_done(&s->samples);
}
