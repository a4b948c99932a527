// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/tracedat-stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/tracedat-parts.h"

#define TRACEDAT_STREAM_NAMES_BYTES_MAX (1u << 20)
#define KALLSYMS_BYTES_MAX (64u << 20) /* a kernel's are some 5 to 20 MB */
#define PIECE_BYTES (64u << 10)

/*
 * Reads with pread: a session may read the same descriptor. In memory, because the length is written first and a
 * module that is loaded meanwhile changes it.
 */
static void put_kallsyms(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	size_t size_at = out->len, begin;
	struct rs_buf size = RS_BUF_INIT;
	ssize_t n = 1;

	rs_tracedat_put_u32(out, head->info, 0);
	begin = out->len;
	if (head->kallsyms_fd < 0)
		rs_buf_add(out, head->info->kallsyms.data, head->info->kallsyms.len);
	while (head->kallsyms_fd >= 0 && n > 0 && out->len - begin < KALLSYMS_BYTES_MAX && rs_buf_reserve(out, PIECE_BYTES)) {
		n = pread(head->kallsyms_fd, out->data + out->len, PIECE_BYTES, (off_t)(out->len - begin));
		out->len += n > 0 ? (size_t)n : 0;
	}
	if (out->failed)
		return;
	rs_tracedat_put_u32(&size, head->info, (uint32_t)(out->len - begin));
	memcpy(out->data + size_at, size.data, size.len);
	rs_buf_done(&size);
}

static void put_names(struct rs_buf *out, const struct rs_tracedat_stream *s)
{
	const struct rs_trace_info *info = s->head.info;
	struct rs_tracedat_names names;
	struct rs_buf text = RS_BUF_INIT;

	rs_tracedat_names_init(&names, info);
	rs_tracedat_names_add_initial(&names, info->snapshot, info->nr_initial, 0);
	rs_tracedat_names_add_initial(&names, s->tail.tasks, s->tail.nr_tasks, UINT64_MAX);
	rs_tracedat_names_put(&names, &text, TRACEDAT_STREAM_NAMES_BYTES_MAX);
	rs_tracedat_names_done(&names);
	rs_tracedat_put_u64(out, info, text.len);
	rs_buf_add(out, text.data, text.len);
	out->failed |= text.failed;
	rs_buf_done(&text);
}

/* Writes the table of the CPUs' pages, and pads up to the first page. */
static void put_table(struct rs_buf *out, const struct rs_tracedat_stream *s)
{
	const struct rs_trace_info *info = s->head.info;
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
	return s->write(s->arg, out->data, out->len, err);
}

int rs_tracedat_stream_begin(struct rs_tracedat_stream *s, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret;

	rs_tracedat_put_formats(&out, &s->head);
	put_kallsyms(&out, &s->head);
	rs_tracedat_put_printk(&out, &s->head);
	put_names(&out, s);
	rs_tracedat_put_options(&out, &s->head, &s->tail);
	put_table(&out, s);
	s->page = malloc(s->head.info->page_bytes);
	out.failed |= !s->page;
	ret = tracedat_stream_write_out(s, &out, err);
	rs_buf_done(&out);
	return ret;
}

int rs_tracedat_stream_page(struct rs_tracedat_stream *s, const void *page, size_t len_bytes, struct rs_error *err)
{
	size_t page_bytes = s->head.info->page_bytes;

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

	rs_tracedat_put_u64(&head, s->head.info, ts_ns);
	if (head.failed)
		rs_fail(err, "cannot write a trace.dat: out of memory");
	else
		ret = rs_tracedat_stream_page(s, head.data, head.len, err);
	rs_buf_done(&head);
	return ret;
}

int rs_tracedat_stream_end(struct rs_tracedat_stream *s, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	int ret = -1;

	rs_tracedat_put_trailer(&out, s->head.info, s->tail.lost_by_cpu, s->tail.pauses);
	if (err->status == RS_OK)
		ret = tracedat_stream_write_out(s, &out, err);
	rs_buf_done(&out);
	free(s->page);
	s->page = NULL;
	return ret;
}
