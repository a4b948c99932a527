/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - walks the records of one sub-buffer page, or names what is wrong with it
 *
 * A pure function of its bytes: no kernel, no file, no allocation. Layout, as
 * include/linux/ring_buffer.h and kernel/trace/ring_buffer.c have it:
 *
 *	u64 time stamp | long commit | data...
 *	commit: the bytes of data (low 20 bits); bit 31: events were lost before
 *	this page; bit 30: how many follows the data, as a long, where it fits.
 *
 * Each entry of the data begins with a u32: type_len in 5 bits (the low ones in
 * little-endian, the high ones in big-endian), time delta in the other 27:
 *
 *	0        data record, a u32 length (itself included) follows
 *	1..28    data record of type_len * 4 bytes
 *	29       padding: delta 0 means the page ends here, else a u32 length follows
 *	30       time extend: a u32 with the delta's higher bits follows
 *	31       absolute time stamp: a u32 with the higher bits follows (59 bits in all)
 */
#ifndef RS_DECODE_PAGE_H
#define RS_DECODE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_buf;

enum rs_page_fault {
	RS_PAGE_OK = 0,
	RS_PAGE_SHORT,          /* shorter than its own header */
	RS_PAGE_COMMIT,         /* commit is larger than the page */
	RS_PAGE_RECORD_LENGTH,  /* a record's length is 0 or inconsistent */
	RS_PAGE_RECORD_CUT,     /* a record runs past the end of the data */
	RS_PAGE_EXTEND_CUT,     /* a time extend or stamp runs past the end */
	/* its time, or that of a time extend or stamp, is later than RS_MAX_TIME_NS */
	RS_PAGE_TIME,
	RS_PAGE_NR_FAULTS,
};

const char *rs_page_fault_name(enum rs_page_fault fault); /* "a record runs past the page's end" */

/* How the pages of a trace are laid out; fixed for the whole trace. */
struct rs_page_layout {
	uint8_t long_bytes;     /* 4 or 8: size of commit */
	bool big_endian;
	uint16_t commit_offset; /* from header_page */
	uint16_t data_offset;
};

/*
 * rs_page_layout_parse - reads the layout from header_page's text; an empty text gives the layout of kernels
 * since 2009
 *
 * Returns 0, or -1 if the text is inconsistent.
 */
int rs_page_layout_parse(struct rs_page_layout *layout, const char *text, size_t len,
			 unsigned int long_bytes, bool big_endian);
struct rs_trace_info;
struct rs_error;
/* The same for a source's pages; -1 with err set. */
int rs_page_layout_of(struct rs_page_layout *layout, const struct rs_trace_info *info, struct rs_error *err);

/* Writes a number in the trace's byte order. */
void rs_page_put_number(const struct rs_page_layout *layout, uint8_t *at, uint64_t v, unsigned int bytes);
/* Likewise, at the end of a buffer. */
void rs_page_add_number(const struct rs_page_layout *layout, struct rs_buf *out, uint64_t v,
			unsigned int bytes);

/* A position in a page; after rs_page_load it is before the first record. */
struct rs_page_cursor {
	const uint8_t *at, *end;  /* unread entries */
	const uint8_t *record;    /* after rs_page_next: the record and its length */
	uint32_t len_bytes;
	uint64_t ts_ns;
	bool swap;                /* entries are of the other byte order */
	enum rs_page_fault fault; /* why rs_page_next returned false; OK: the end */
	bool lost;                /* events were lost before this page */
	bool lost_counted;
	uint64_t nr_lost;
};

/* Starts at a page. Returns false with .fault set if its header is malformed. */
bool rs_page_load(struct rs_page_cursor *c, const struct rs_page_layout *layout, const uint8_t *page,
		  size_t len_bytes);

/*
 * Writes the header of a page that has len_bytes of entries behind it, and behind them the number of events
 * that were lost before it, by loss, if it is known and page_bytes have room. Returns the page's length.
 */
size_t rs_page_put_header(const struct rs_page_layout *layout, uint8_t *page, size_t page_bytes,
			  uint64_t ts_ns, size_t len_bytes, const struct rs_page_cursor *loss);

/*
 * Goes to the next data record. Returns false at the end of the page, or where it is malformed: see .fault.
 */
static inline bool rs_page_next(struct rs_page_cursor *c);

/* The slow path of rs_page_next: all other entries. */
bool rs_page_next_slow(struct rs_page_cursor *c);

static inline bool rs_page_next(struct rs_page_cursor *c)
{
	uint32_t head, len;

	if (__builtin_expect(!c->swap && c->end - c->at >= 4, 1)) {
		__builtin_memcpy(&head, c->at, 4);
		len = (head & 31) * 4;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		if (__builtin_expect(len - 4 < 28 * 4 && (size_t)(c->end - c->at) >= 4 + (size_t)len, 1)) {
			c->ts_ns += head >> 5;
			c->record = c->at + 4;
			c->len_bytes = len;
			c->at += 4 + len;
			return true;
		}
#endif
	}
	return rs_page_next_slow(c);
}

#endif
