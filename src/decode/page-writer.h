/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page-writer.h - writes records into a page, as the kernel does
 *
 *	struct rs_page_writer w;
 *	rs_page_writer_begin(&w, &layout, page, ts_ns);
 *	rs_page_writer_record(&w, record, len_bytes, ts_ns);   // takes at most RS_PAGE_RECORD_ROOM(len_bytes)
 *	rs_page_put_header(&layout, page, page_bytes, w.begin_ns, rs_page_writer_len(&w), &loss);
 */
#ifndef RS_DECODE_PAGE_WRITER_H
#define RS_DECODE_PAGE_WRITER_H

#include "decode/page.h"

struct rs_page_writer {
	const struct rs_page_layout *layout;
	uint8_t *page;
	size_t at;
	uint64_t begin_ns, ts_ns;    /* ts_ns: of the last entry */
};

/* A time extend, two words of header, and what fills the last word. */
#define RS_PAGE_RECORD_ROOM(len_bytes) ((size_t)(len_bytes) + 8 + 8 + 3)

void rs_page_writer_begin(struct rs_page_writer *w, const struct rs_page_layout *layout, uint8_t *page,
			  uint64_t ts_ns);
void rs_page_writer_record(struct rs_page_writer *w, const uint8_t *record, uint32_t len_bytes,
			   uint64_t ts_ns);
/* Bytes as they are. */
void rs_page_writer_bytes(struct rs_page_writer *w, const uint8_t *bytes, size_t len);

static inline size_t rs_page_writer_len(const struct rs_page_writer *w)
{
	return w->at - w->layout->data_offset;
}

#endif
