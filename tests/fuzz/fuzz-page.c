// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-page.c - the page walker on any bytes: never outside of the page, always to an end
 *
 * Input: a byte whose lowest bits choose the layout (1: longs of 4 bytes, 2:
 * big-endian), then the page. With bit 2 set the rest is header_page's text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decode/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void parse_layout(const uint8_t *text, size_t len, unsigned int long_bytes, bool big)
{
	struct rs_page_layout l;

	if (rs_page_layout_parse(&l, (const char *)text, len, long_bytes, big) == 0) {
		must(l.long_bytes == 4 || l.long_bytes == 8);
		must(l.commit_offset >= 8 && l.data_offset >= l.commit_offset + l.long_bytes);
	}
}

static void walk(const uint8_t *page, size_t len, unsigned int long_bytes, bool big)
{
	struct rs_page_layout l;
	const uint8_t *last = page;
	struct rs_page_cursor c;
	uint32_t sum = 0;

	must(rs_page_layout_parse(&l, "", 0, long_bytes, big) == 0);
	rs_page_load(&c, &l, page, len);
	while (rs_page_next(&c)) {
		must(c.record >= last && c.len_bytes > 0 && c.len_bytes <= (size_t)(page + len - c.record));
		for (uint32_t i = 0; i < c.len_bytes; i++)
			sum += c.record[i];
		last = c.record + c.len_bytes;
	}
	must(sum == 0 || last != page);
	must(c.fault < RS_PAGE_NR_FAULTS && rs_page_fault_name(c.fault));
	must(c.at <= c.end && c.end <= page + len);
	must(!rs_page_next(&c));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	uint8_t *copy;

	if (!len)
		return 0;
	copy = malloc(len > 1 ? len - 1 : 1); /* of just its size: ASan sees any byte too many */
	must(copy != NULL);
	memcpy(copy, data + 1, len - 1);
	(data[0] & 4 ? parse_layout : walk)(copy, len - 1, data[0] & 1 ? 4 : 8, data[0] & 2);
	free(copy);
	return 0;
}
