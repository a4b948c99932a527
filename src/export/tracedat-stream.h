/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-stream.h - writes a trace.dat of version 6 in one pass, for outputs that cannot seek: a pipe
 *
 *	rs_tracedat_stream_begin(&s, &err);
 *	for each CPU: s.nr_pages[cpu] times rs_tracedat_stream_page(&s, page, len, &err);
 *	rs_tracedat_stream_end(&s, &err);
 *
 * The format has the position of each CPU's pages before the first page, so the numbers of pages must be known
 * before; a CPU with fewer pages in the end is padded with empty ones (rs_tracedat_stream_blank). The trailer is that
 * of tracedat-writer.h.
 */
#ifndef RS_EXPORT_TRACEDAT_STREAM_H
#define RS_EXPORT_TRACEDAT_STREAM_H

#include "export/tracedat-writer.h"

struct rs_tracedat_stream {
	struct rs_tracedat_head head;   /* .info: with the tasks of the begin */
	struct rs_tracedat_tail tail;   /* .tasks: later ones */
	const uint64_t *nr_pages;       /* of each CPU */
	int (*write)(void *arg, const void *data, size_t len_bytes, struct rs_error *err);
	void *arg;
	uint8_t *page;                  /* private */
};

/* Each returns 0, or -1 with err. Call end after begin in any case: it frees. */
int rs_tracedat_stream_begin(struct rs_tracedat_stream *s, struct rs_error *err);
int rs_tracedat_stream_page(struct rs_tracedat_stream *s, const void *page, size_t len_bytes, struct rs_error *err);
/* An empty page with that time. */
int rs_tracedat_stream_blank(struct rs_tracedat_stream *s, uint64_t ts_ns, struct rs_error *err);
int rs_tracedat_stream_end(struct rs_tracedat_stream *s, struct rs_error *err);

#endif
