// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/deflate.h"

#include <endian.h>
#include <zlib.h>

#define DEFLATE_SLOTS 8192u      /* places by the hash of what they begin with: a power of two */
#define DEFLATE_MIN 4u           /* shorter matches are not looked for */
#define DEFLATE_MAX 258u
#define DEFLATE_WINDOW 32768u
#define DEFLATE_END 256u         /* the symbol of the block's end */

struct deflate_bits {
	unsigned char *p;
	uint64_t bits;
	unsigned int nr;         /* fewer than 8 between two symbols */
};

/* Up to 48 bits, the first one lowest. */
static inline void deflate_put(struct deflate_bits *b, uint64_t bits, unsigned int nr)
{
	uint64_t word;

	b->bits |= bits << b->nr;
	b->nr += nr;
	word = htole64(b->bits);
	memcpy(b->p, &word, sizeof word);
	b->p += b->nr / 8;
	b->bits >>= b->nr / 8 * 8;
	b->nr %= 8;
}

/* A Huffman code begins with its highest bit. */
static uint32_t deflate_reverse(uint32_t code, unsigned int nr)
{
	uint32_t reversed = 0;

	for (; nr--; code >>= 1)
		reversed = reversed << 1 | (code & 1);
	return reversed;
}

struct deflate_code { uint16_t bits, nr; };

/* Codes of literals, and of lengths with their extra bits. */
static struct deflate_code deflate_literals[DEFLATE_END + 1], deflate_of_length[DEFLATE_MAX + 1];

/* RFC 1951, 3.2.6 */
static struct deflate_code deflate_fixed(unsigned int symbol)
{
	if (symbol < 144)
		return (struct deflate_code){ (uint16_t)deflate_reverse(0x30 + symbol, 8), 8 };
	if (symbol < 256)
		return (struct deflate_code){ (uint16_t)deflate_reverse(0x190 + symbol - 144, 9), 9 };
	if (symbol < 280)
		return (struct deflate_code){ (uint16_t)deflate_reverse(symbol - 256, 7), 7 };
	return (struct deflate_code){ (uint16_t)deflate_reverse(0xc0 + symbol - 280, 8), 8 };
}

/* RFC 1951, 3.2.5: four lengths share the number of their extra bits, from 11 on. */
static struct deflate_code deflate_length(unsigned int len)
{
	unsigned int v = len - 3, extra = v < 8 ? 0 : 29u - (unsigned int)__builtin_clz(v);
	unsigned int symbol = len == DEFLATE_MAX ? 285 : 257 + (v < 8 ? v : 4 * extra + (v >> extra));
	struct deflate_code code = deflate_fixed(symbol);

	if (len == DEFLATE_MAX)
		return code;
	return (struct deflate_code){ (uint16_t)(code.bits | (v & ((1u << extra) - 1)) << code.nr), (uint16_t)(code.nr + extra) };
}

static void __attribute__((constructor)) deflate_make_codes(void)
{
	for (unsigned int i = 0; i <= DEFLATE_END; i++)
		deflate_literals[i] = deflate_fixed(i);
	for (unsigned int i = 3; i <= DEFLATE_MAX; i++)
		deflate_of_length[i] = deflate_length(i);
}

/* A distance: five bits, two of which share the number of their extra bits, from 5 on. */
static inline void deflate_put_distance(struct deflate_bits *b, unsigned int distance)
{
	static const uint8_t reversed[32] = { 0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30, 1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31 };
	unsigned int v = distance - 1, extra = v < 4 ? 0 : 30u - (unsigned int)__builtin_clz(v);
	unsigned int symbol = v < 4 ? v : 2 * extra + (v >> extra);

	deflate_put(b, reversed[symbol] | (uint64_t)(v & ((1u << extra) - 1)) << 5, 5 + extra);
}

static inline uint32_t deflate_load(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* The first DEFLATE_MIN bytes are equal. */
static inline unsigned int deflate_match(const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
	size_t most = (size_t)(end - b) < DEFLATE_MAX ? (size_t)(end - b) : DEFLATE_MAX;
	unsigned int len = DEFLATE_MIN;
	uint64_t x, y;

	for (; len + sizeof x <= most; len += sizeof x) {
		memcpy(&x, a + len, sizeof x);
		memcpy(&y, b + len, sizeof y);
		if (x != y)
			return len + (unsigned int)__builtin_ctzll(htole64(x ^ y)) / 8;
	}
	while (len < most && a[len] == b[len])
		len++;
	return len;
}

/* Where the bytes at p were seen last, if they may be a match; NULL: they were not. Remembers p. */
static inline const unsigned char *deflate_find(uint32_t *slots, const unsigned char *data, const unsigned char *p)
{
	uint32_t v = deflate_load(p), *slot = &slots[v * 2654435761u >> 19];
	const unsigned char *before = data + *slot;

	*slot = (uint32_t)(p - data);
	return before < p && (size_t)(p - before) <= DEFLATE_WINDOW && deflate_load(before) == v ? before : NULL;
}

static const unsigned char *deflate_put_match(struct deflate_bits *b, const unsigned char *before, const unsigned char *p,
					      const unsigned char *end)
{
	unsigned int nr = deflate_match(before, p, end);

	deflate_put(b, deflate_of_length[nr].bits, deflate_of_length[nr].nr);
	deflate_put_distance(b, (unsigned int)(p - before));
	return p + nr;
}

static inline void deflate_put_literal(struct deflate_bits *b, unsigned char c)
{
	deflate_put(b, deflate_literals[c].bits, deflate_literals[c].nr);
}

/* Two places at once: most bytes that are no match are followed by another one. */
static void deflate_block(struct deflate_bits *b, const unsigned char *data, size_t len)
{
	const unsigned char *p = data, *end = data + len, *before;
	uint32_t slots[DEFLATE_SLOTS] = { 0 }; /* the first byte is never looked for, so that it need not be told from none */

	while (end - p > DEFLATE_MIN) {
		const struct deflate_code *first = &deflate_literals[p[0]], *second = &deflate_literals[p[1]];

		before = deflate_find(slots, data, p);
		if (before) {
			p = deflate_put_match(b, before, p, end);
			continue;
		}
		before = deflate_find(slots, data, p + 1);
		if (before) {
			deflate_put_literal(b, *p);
			p = deflate_put_match(b, before, p + 1, end);
			continue;
		}
		deflate_put(b, first->bits | (uint64_t)second->bits << first->nr, first->nr + second->nr);
		p += 2;
	}
	for (; p < end; p++)
		deflate_put_literal(b, *p);
}

void rs_deflate(struct rs_buf *out, const void *data, size_t len)
{
	/* a literal takes nine bits at most */
	char *p = rs_buf_room(out, len + len / 8 + 64);
	struct deflate_bits b = { (unsigned char *)p + 2, 0, 0 };
	uint32_t sum = htobe32((uint32_t)adler32_z(1, data, len));

	if (!p)
		return;
	p[0] = 0x78;
	p[1] = 0x01;
	deflate_put(&b, 1 | 1 << 1, 3); /* the last block, fixed codes */
	deflate_block(&b, data, len);
	deflate_put(&b, deflate_literals[DEFLATE_END].bits, deflate_literals[DEFLATE_END].nr);
	deflate_put(&b, 0, (8 - b.nr) % 8);
	memcpy(b.p, &sum, sizeof sum);
	rs_buf_wrote(out, (char *)b.p + sizeof sum);
}
