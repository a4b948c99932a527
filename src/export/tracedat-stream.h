/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-stream.h - a trace.dat of version 6 in one go, to where nothing is written twice: a pipe, say
 *
 *	rs_tracedat_stream_begin(&s, &err);
 *	for each CPU: s.nr_pages[cpu] times rs_tracedat_stream_page(&s, page, len, &err);
 *	rs_tracedat_stream_end(&s, &err);
 *
 * The format says where each CPU's pages lie before it has the first: so their numbers are known before, and who has
 * fewer pages in the end than was said brings empty ones (rs_tracedat_stream_blank). What ringside's own trailer
 * says is as in tracedat-writer.h.
 */
#ifndef RS_EXPORT_TRACEDAT_STREAM_H
#define RS_EXPORT_TRACEDAT_STREAM_H

#include "export/tracedat-writer.h"

struct rs_tracedat_stream {
	struct rs_tracedat_head head;   /* .info->seeds: who lived at the begin */
	struct rs_tracedat_tail tail;   /* .tasks: who came later */
	const uint64_t *nr_pages;       /* of each CPU */
	int (*write)(void *arg, const void *data, size_t len_bytes, struct rs_error *err);
	void *arg;
	uint8_t *page;                  /* its own from here on */
};

/* Each 0, or -1 with err. After begin comes end, whatever happens: it frees. */
int rs_tracedat_stream_begin(struct rs_tracedat_stream *s, struct rs_error *err);
int rs_tracedat_stream_page(struct rs_tracedat_stream *s, const void *page, size_t len_bytes, struct rs_error *err);
/* A page of no events, at that time. */
int rs_tracedat_stream_blank(struct rs_tracedat_stream *s, uint64_t ts_ns, struct rs_error *err);
int rs_tracedat_stream_end(struct rs_tracedat_stream *s, struct rs_error *err);

#endif
