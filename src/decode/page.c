// SPDX-License-Identifier: GPL-2.0-or-later
/* page.c - page headers, their layout, and the slow path of the page walker: see page.h */
#include "decode/page.h"

#include <string.h>

#include "base/buf.h"
#include "base/time-limit.h"
#include "source/source.h"

#define PAGE_COMMIT_MISSED (1u << 31) /* RB_MISSED_EVENTS */
#define PAGE_COMMIT_STORED (1u << 30) /* RB_MISSED_STORED */

#define PAGE_TS_SHIFT 27
#define TS_MASK  ((1u << PAGE_TS_SHIFT) - 1)
#define ABS_BITS 59 /* of an absolute time stamp: 27 in its head, 32 after it */
#define ABS_MASK ((1ull << ABS_BITS) - 1)

#define HOST_IS_BIG (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

enum entry_type {
	TYPE_LONG_DATA = 0,
	TYPE_PADDING = 29,
	TYPE_TIME_EXTEND = 30,
	TYPE_TIME_STAMP = 31,
};

static const char *const fault_names[RS_PAGE_NR_FAULTS] = {
	[RS_PAGE_OK] = "no fault",
	[RS_PAGE_SHORT] = "a page is shorter than its header",
	[RS_PAGE_COMMIT] = "a page's header says more data than the page has",
	[RS_PAGE_RECORD_LENGTH] = "a record's length cannot be true",
	[RS_PAGE_RECORD_CUT] = "a record runs past the page's end",
	[RS_PAGE_EXTEND_CUT] = "a time extend or time stamp runs past the page's end",
	[RS_PAGE_TIME] = "a page's time is later than any clock's",
};

const char *rs_page_fault_name(enum rs_page_fault fault)
{
	return (unsigned int)fault < RS_PAGE_NR_FAULTS ? fault_names[fault] : "an unknown fault";
}

static uint32_t page_read_u32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return swap ? __builtin_bswap32(v) : v;
}

static uint64_t page_read_u64(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return swap ? __builtin_bswap64(v) : v;
}

static uint64_t page_read_long(const uint8_t *p, unsigned int long_bytes, bool swap)
{
	return long_bytes == 8 ? page_read_u64(p, swap) : page_read_u32(p, swap);
}

/* ---- the layout, from header_page ---- */

/*
 * commit has the size of the kernel's long. The file's long_bytes is that of the program that recorded, 4 for
 * a 32-bit program on a 64-bit kernel: so header_page takes precedence.
 */
int rs_page_layout_parse(struct rs_page_layout *layout, const char *text, size_t len,
			 unsigned int long_bytes, bool big_endian)
{
	const struct rs_text header = { text, len };
	unsigned int stamp = 0, stamp_bytes = 8, commit = 8, commit_bytes = long_bytes, data = 8 + long_bytes,
		     data_bytes;

	if (len && (rs_source_header_field(header, "timestamp", &stamp, &stamp_bytes) < 0 ||
		    rs_source_header_field(header, "commit", &commit, &commit_bytes) <= 0 ||
		    rs_source_header_field(header, "data", &data, &data_bytes) <= 0))
		return -1;
	if (stamp != 0 || stamp_bytes != 8 || commit < 8 || (commit_bytes != 4 && commit_bytes != 8) ||
	    data < commit + commit_bytes)
		return -1;
	*layout = (struct rs_page_layout){
		.long_bytes = (uint8_t)commit_bytes, .big_endian = big_endian,
		.commit_offset = (uint16_t)commit, .data_offset = (uint16_t)data,
	};
	return 0;
}

int rs_page_layout_of(struct rs_page_layout *layout, const struct rs_trace_info *info, struct rs_error *err)
{
	if (rs_page_layout_parse(layout, info->header_page.data, info->header_page.len, info->long_bytes,
				 info->big_endian) < 0)
		return rs_fail(
			err, "cannot read the pages: header_page makes no sense (is the recording damaged?)");
	return 0;
}

/* ---- the page ---- */

/*
 * The kernel writes the count only if the page has room for it (ring_buffer_read_page), and -1 if it does not
 * know the count: in both cases the number of lost events is unknown.
 */
static void page_load_lost(struct rs_page_cursor *c, const struct rs_page_layout *layout, uint32_t commit,
			   const uint8_t *page_end)
{
	uint64_t nr, long_max = layout->long_bytes == 8 ? INT64_MAX : INT32_MAX;

	c->lost = commit & PAGE_COMMIT_MISSED;
	if (!c->lost || !(commit & PAGE_COMMIT_STORED) || page_end - c->end < layout->long_bytes)
		return;
	nr = page_read_long(c->end, layout->long_bytes, c->swap);
	c->lost_counted = nr > 0 && nr <= long_max;
	c->nr_lost = c->lost_counted ? nr : 0;
}

/* Leaves c->at at the fault, so that a message can give the offset and a second call stops there again. */
static bool page_stop(struct rs_page_cursor *c, enum rs_page_fault fault)
{
	c->fault = fault;
	return false;
}

/* The deltas of a page's records, at most 2^27 ns each, are added without a check: they cannot overflow. */
static bool page_set_time(struct rs_page_cursor *c, uint64_t ts_ns)
{
	if (ts_ns > RS_MAX_TIME_NS)
		return page_stop(c, RS_PAGE_TIME);
	c->ts_ns = ts_ns;
	return true;
}

bool rs_page_load(struct rs_page_cursor *c, const struct rs_page_layout *layout, const uint8_t *page,
		  size_t len_bytes)
{
	uint32_t commit, size;

	*c = (struct rs_page_cursor){ .at = page, .end = page, .swap = layout->big_endian != HOST_IS_BIG };
	if (len_bytes < layout->data_offset) {
		c->fault = RS_PAGE_SHORT;
		return false;
	}
	/*
	 * The flags are ints in the kernel: bit 31, added to a 64-bit commit, also sets all bits above. No
	 * kernel sets bits 20 to 29: they count as size, as in the kernel, and the check below refuses them.
	 */
	commit = (uint32_t)page_read_long(page + layout->commit_offset, layout->long_bytes, c->swap);
	size = commit & ~(PAGE_COMMIT_MISSED | PAGE_COMMIT_STORED);
	if (size > len_bytes - layout->data_offset) {
		c->fault = RS_PAGE_COMMIT;
		return false;
	}
	if (!page_set_time(c, page_read_u64(page, c->swap)))
		return false;
	c->at = page + layout->data_offset;
	c->end = c->at + size;
	page_load_lost(c, layout, commit, page + len_bytes);
	return true;
}

void rs_page_put_number(const struct rs_page_layout *layout, uint8_t *at, uint64_t v, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		at[layout->big_endian ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

void rs_page_add_number(const struct rs_page_layout *layout, struct rs_buf *out, uint64_t v,
			unsigned int bytes)
{
	uint8_t number[sizeof v];

	rs_page_put_number(layout, number, v, bytes);
	rs_buf_add(out, number, bytes);
}

size_t rs_page_put_header(const struct rs_page_layout *layout, uint8_t *page, size_t page_bytes,
			  uint64_t ts_ns, size_t len_bytes, const struct rs_page_cursor *loss)
{
	size_t len = layout->data_offset + len_bytes;
	bool counted = loss->lost_counted && len + layout->long_bytes <= page_bytes;

	memset(page, 0, layout->data_offset);
	rs_page_put_number(layout, page, ts_ns, sizeof ts_ns);
	rs_page_put_number(layout, page + layout->commit_offset,
			   len_bytes | (loss->lost ? PAGE_COMMIT_MISSED : 0) |
				   (counted ? PAGE_COMMIT_STORED : 0),
			   layout->long_bytes);
	if (counted)
		rs_page_put_number(layout, page + len, loss->nr_lost, layout->long_bytes);
	return len + (counted ? layout->long_bytes : 0);
}

/* ---- entries ---- */

/*
 * An absolute time stamp lacks the upper 5 bits, which only some clocks use ("tai" does).
 * Takes them from the previous time stamp, plus one if the lower 59 bits have wrapped, as
 * the kernel's rb_fix_abs_ts() does.
 */
static uint64_t page_absolute_ts(uint64_t abs, uint64_t before)
{
	if (before & ~ABS_MASK) {
		abs |= before & ~ABS_MASK;
		if (abs < before)
			abs += 1ull << ABS_BITS;
	}
	return abs;
}

static bool page_read_record(struct rs_page_cursor *c, const uint8_t *record, uint32_t len, uint32_t delta)
{
	if ((size_t)(c->end - record) < len)
		return page_stop(c, RS_PAGE_RECORD_CUT);
	c->ts_ns += delta;
	c->record = record;
	c->len_bytes = len;
	c->at = record + len;
	return true;
}

/*
 * The u32 length includes itself. The kernel writes multiples of 4. Other writers pad an odd length; the
 * record then includes the padding.
 */
static bool page_take_long_record(struct rs_page_cursor *c, uint32_t second, uint32_t delta)
{
	if (second <= 4)
		return page_stop(c, RS_PAGE_RECORD_LENGTH);
	return page_read_record(c, c->at + 8, (second - 4 + 3) & ~3u, delta);
}

/*
 * A discarded event, or the unused end of the page. The length includes itself. The delta
 * counts too: the next event's delta is relative to the discarded one. (A discarded event
 * with delta 0 gets delta 1, because 0 would end the page: the rest of that page is then
 * 1 ns late, as in kbuffer. The two cases cannot be distinguished.)
 */
static bool page_skip_padding(struct rs_page_cursor *c, uint32_t second, uint32_t delta)
{
	if (second < 4 || second % 4)
		return page_stop(c, RS_PAGE_RECORD_LENGTH);
	if ((size_t)(c->end - c->at) - 4 < second)
		return page_stop(c, RS_PAGE_RECORD_CUT);
	c->ts_ns += delta;
	c->at += 4 + (size_t)second;
	return true;
}

static bool page_skip_time(struct rs_page_cursor *c, uint32_t type, uint32_t second, uint32_t delta)
{
	uint64_t time = ((uint64_t)second << PAGE_TS_SHIFT) + delta;

	if (!page_set_time(c, type == TYPE_TIME_EXTEND ? c->ts_ns + time : page_absolute_ts(time, c->ts_ns)))
		return false;
	c->at += 8;
	return true;
}

static enum rs_page_fault page_cut_fault(uint32_t type)
{
	return type == TYPE_TIME_EXTEND || type == TYPE_TIME_STAMP ? RS_PAGE_EXTEND_CUT : RS_PAGE_RECORD_CUT;
}

/* Each iteration consumes at least 8 bytes, or ends the loop. */
bool rs_page_next_slow(struct rs_page_cursor *c)
{
	bool big = c->swap != HOST_IS_BIG;

	while (c->at < c->end) {
		size_t left = (size_t)(c->end - c->at);
		uint32_t head, type, delta, second;

		if (left < 4)
			return page_stop(c, RS_PAGE_RECORD_CUT);
		head = page_read_u32(c->at, c->swap);
		type = big ? head >> PAGE_TS_SHIFT : head & 31;
		delta = big ? head & TS_MASK : head >> 5;
		if (type > TYPE_LONG_DATA && type < TYPE_PADDING)
			return page_read_record(c, c->at + 4, type * 4, delta);
		if (type == TYPE_PADDING && !delta)
			return page_stop(c, RS_PAGE_OK);
		if (left < 8)
			return page_stop(c, page_cut_fault(type));
		second = page_read_u32(c->at + 4, c->swap);
		if (type == TYPE_LONG_DATA)
			return page_take_long_record(c, second, delta);
		if (type == TYPE_PADDING ? !page_skip_padding(c, second, delta) :
					   !page_skip_time(c, type, second, delta))
			return false;
	}
	return false;
}
