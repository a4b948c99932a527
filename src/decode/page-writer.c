// SPDX-License-Identifier: GPL-2.0-or-later
/* page-writer - writes records into a page, as the kernel does */
#include "decode/page-writer.h"

#include <string.h>

#define WRITER_TS_SHIFT 27
#define MAX_DELTA ((1ull << WRITER_TS_SHIFT) - 1)
#define MAX_SHORT_BYTES (28u * 4)
#define TYPE_TIME_EXTEND 30u
#define TYPE_TIME_STAMP 31u
#define MAX_STAMP ((1ull << 59) - 1)  /* for later ones a step back cannot be detected */

void rs_page_writer_begin(struct rs_page_writer *w, const struct rs_page_layout *layout, uint8_t *page,
			  uint64_t ts_ns)
{
	*w = (struct rs_page_writer){ .layout = layout, .page = page, .at = layout->data_offset,
				      .begin_ns = ts_ns, .ts_ns = ts_ns };
}

static void page_writer_word(struct rs_page_writer *w, uint32_t v)
{
	rs_page_put_number(w->layout, w->page + w->at, v, sizeof v);
	w->at += sizeof v;
}

/* An entry's first word: the bits of its parts differ by byte order. */
static void page_writer_head(struct rs_page_writer *w, uint32_t type, uint32_t delta)
{
	page_writer_word(w, w->layout->big_endian ? type << WRITER_TS_SHIFT | delta : delta << 5 | type);
}

/* Advances the page's time so far that the record's own delta reaches ts_ns; returns that delta. */
static uint32_t page_writer_approach(struct rs_page_writer *w, uint64_t ts_ns)
{
	uint64_t delta = ts_ns - w->ts_ns;

	if (ts_ns < w->ts_ns && ts_ns <= MAX_STAMP && w->ts_ns <= MAX_STAMP) {
		/* times of one CPU may step back a little: an absolute time can, a delta cannot */
		page_writer_head(w, TYPE_TIME_STAMP, (uint32_t)(ts_ns & MAX_DELTA));
		page_writer_word(w, (uint32_t)(ts_ns >> WRITER_TS_SHIFT));
		delta = 0;
	} else if (ts_ns < w->ts_ns) {
		return 0;
	} else if (delta > MAX_DELTA) {
		if (delta > MAX_STAMP)
			delta = MAX_STAMP;
		page_writer_head(w, TYPE_TIME_EXTEND, (uint32_t)(delta & MAX_DELTA));
		page_writer_word(w, (uint32_t)(delta >> WRITER_TS_SHIFT));
		w->ts_ns += delta;
		return 0;
	}
	w->ts_ns = ts_ns;
	return (uint32_t)delta;
}

void rs_page_writer_record(struct rs_page_writer *w, const uint8_t *record, uint32_t len_bytes,
			   uint64_t ts_ns)
{
	uint32_t delta = page_writer_approach(w, ts_ns), filled = (len_bytes + 3) & ~3u;

	if (filled && filled <= MAX_SHORT_BYTES) {
		page_writer_head(w, filled / 4, delta);
	} else {
		page_writer_head(w, 0, delta);
		page_writer_word(w, filled + 4);
	}
	rs_page_writer_bytes(w, record, len_bytes);
	memset(w->page + w->at, 0, filled - len_bytes);
	w->at += filled - len_bytes;
}

void rs_page_writer_bytes(struct rs_page_writer *w, const uint8_t *bytes, size_t len)
{
	memcpy(w->page + w->at, bytes, len);
	w->at += len;
}
