/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page-builder.h - ring-buffer pages for tests, written entry by entry in any byte order and word size
 *
 *	struct built_page p = page_build(&layout, 1000, entries, 0);
 *	... p.bytes, p.len: a heap block of just that size, so that ASan sees one byte too many
 *	free(p.bytes);
 */
#ifndef RS_TESTS_PAGE_BUILDER_H
#define RS_TESTS_PAGE_BUILDER_H

#include "decode/page.h"

/* One entry: a head, perhaps a second word, then a body; the body begins with the entry's number as a u32. */
struct entry {
	uint8_t nr_words;     /* 1 or 2; 0 ends a list */
	uint8_t type;
	uint32_t delta, second;
	uint32_t body_bytes;
};

#define DATA(delta, bytes)      { 1, (bytes) / 4, delta, 0, bytes }
#define LONG(delta, bytes)      { 2, 0, delta, (bytes) + 4, bytes }
#define PADDING(delta, bytes)   { 2, 29, delta, (bytes) + 4, bytes }
#define PAGE_ENDS               { 1, 29, 0, 0, 0 }
#define EXTEND(upper, lower)    { 2, 30, lower, upper, 0 }
#define STAMP(upper, lower)     { 2, 31, lower, upper, 0 }

struct built_page {
	uint8_t *bytes;
	size_t len;
};

/* The layouts that there are: little-endian 64 and 32 bits, big-endian 64 and 32 bits. */
#define NR_LAYOUTS 4
struct rs_page_layout page_layout(int which);

/* flags: bits to set in commit beside the size. */
struct built_page page_build(const struct rs_page_layout *layout, uint64_t ts_ns, const struct entry *entries,
			     uint64_t flags);

void page_put_long(const struct rs_page_layout *layout, uint8_t *at, uint64_t v);
void page_put_u32(const struct rs_page_layout *layout, uint8_t *at, uint32_t v);
uint32_t page_get_u32(const struct rs_page_layout *layout, const uint8_t *at);

/* Numbers for mutations, the same in each run. */
uint32_t page_random(uint64_t *state);
/* Spoils a page somewhere: bits, words, sizes, lengths that nearly fit. */
void page_mutate(const struct rs_page_layout *layout, uint8_t *bytes, size_t len, uint64_t *state);

#endif
