// SPDX-License-Identifier: GPL-2.0-or-later
/* page-builder.c - see page-builder.h */
#include "page-builder.h"

#include <stdlib.h>
#include <string.h>

static void put(uint8_t *at, uint64_t v, unsigned int bytes, bool big)
{
	for (unsigned int i = 0; i < bytes; i++)
		at[big ? bytes - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

void page_put_u32(const struct rs_page_layout *layout, uint8_t *at, uint32_t v)
{
	put(at, v, 4, layout->big_endian);
}

void page_put_long(const struct rs_page_layout *layout, uint8_t *at, uint64_t v)
{
	put(at, v, layout->long_bytes, layout->big_endian);
}

uint32_t page_get_u32(const struct rs_page_layout *layout, const uint8_t *at)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v |= (uint32_t)at[layout->big_endian ? 3 - i : i] << (8 * i);
	return v;
}

struct rs_page_layout page_layout(int which)
{
	uint8_t long_bytes = which & 1 ? 4 : 8;

	return (struct rs_page_layout){ .long_bytes = long_bytes, .big_endian = which & 2, .commit_offset = 8,
					.data_offset = (uint16_t)(8 + long_bytes) };
}

static size_t entry_bytes(const struct entry *e)
{
	return e->nr_words * 4 + e->body_bytes;
}

static void put_entry(const struct rs_page_layout *layout, uint8_t *at, const struct entry *e,
		      uint32_t number)
{
	uint32_t head = layout->big_endian ? (uint32_t)e->type << 27 | e->delta : e->delta << 5 | e->type;

	page_put_u32(layout, at, head);
	if (e->nr_words > 1)
		page_put_u32(layout, at + 4, e->second);
	if (e->body_bytes >= 4)
		page_put_u32(layout, at + e->nr_words * 4, number);
}

struct built_page page_build(const struct rs_page_layout *layout, uint64_t ts_ns, const struct entry *entries,
			     uint64_t flags)
{
	struct built_page p = { .len = layout->data_offset };
	uint32_t number = 0;
	uint8_t *at;

	for (const struct entry *e = entries; e->nr_words; e++)
		p.len += entry_bytes(e);
	p.bytes = calloc(1, p.len);
	if (!p.bytes)
		abort();
	put(p.bytes, ts_ns, 8, layout->big_endian);
	page_put_long(layout, p.bytes + layout->commit_offset, (p.len - layout->data_offset) | flags);
	at = p.bytes + layout->data_offset;
	for (const struct entry *e = entries; e->nr_words; at += entry_bytes(e), e++)
		put_entry(layout, at, e, number++);
	return p;
}

uint32_t page_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return (uint32_t)(x >> 16);
}

/* Words that are right for one entry and wrong for another are what finds faults, not noise alone. */
void page_mutate(const struct rs_page_layout *layout, uint8_t *bytes, size_t len, uint64_t *state)
{
	static const uint32_t evil[] = { 0, 1, 3, 4, 5, 8, 29, 30, 31, 29 | 1 << 5, 0x7fffffff, 0x80000000,
					 0xfffffffb, 0xffffffff, 0xfffff, 0x100000, 0xe8000001, 0xf0000000,
					 0xf8000000 };
	uint32_t was;
	size_t word = len >= 4 ? page_random(state) % (len / 4) * 4 : 0;

	if (len < 4)
		return;
	was = page_get_u32(layout, bytes + word);
	switch (page_random(state) % 6) {
	case 0:
		bytes[page_random(state) % len] ^= (uint8_t)(1u << page_random(state) % 8);
		break;
	case 1:
		page_put_u32(layout, bytes + word, evil[page_random(state) % (sizeof evil / sizeof *evil)]);
		break;
	case 2:
		page_put_u32(layout, bytes + word, page_random(state));
		break;
	case 3:
		page_put_u32(layout, bytes + word, was + page_random(state) % 17 - 8);
		break;
	case 4: /* the time in its header */
		if (len >= layout->data_offset)
			rs_page_put_number(layout, bytes, (uint64_t)page_random(state) << page_random(state) % 33, sizeof(uint64_t));
		break;
	default:
		if (len >= layout->data_offset)
			page_put_long(layout, bytes + layout->commit_offset,
				      page_random(state) % (2 * len) | (page_random(state) % 4ull) << 30);
	}
}
