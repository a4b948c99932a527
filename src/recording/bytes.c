// SPDX-License-Identifier: GPL-2.0-or-later
/* bytes - a bounded cursor over bytes in the file's byte order */
#include "recording/bytes.h"

#include <stddef.h>
#include <string.h>

uint64_t rs_bytes_left(const struct rs_bytes *b)
{
	return b->failed ? 0 : b->len - b->at;
}

uint64_t rs_bytes_where(const struct rs_bytes *b)
{
	return b->unpacked ? b->origin : b->origin + b->at;
}

static const uint8_t *bytes_fail(struct rs_bytes *b)
{
	if (!b->failed)
		b->failed_at = rs_bytes_where(b);
	b->failed = true;
	return NULL;
}

const uint8_t *rs_bytes_take(struct rs_bytes *b, uint64_t len)
{
	if (b->failed || len > rs_bytes_left(b))
		return bytes_fail(b);
	b->at += len;
	return b->data + (b->at - len);
}

static uint64_t bytes_read_number(struct rs_bytes *b, unsigned int len)
{
	const uint8_t *data = rs_bytes_take(b, len);
	uint64_t v = 0;

	for (unsigned int i = 0; data && i < len; i++)
		v = v << 8 | data[b->big_endian ? i : len - 1 - i];
	return v;
}

uint8_t rs_bytes_u8(struct rs_bytes *b)
{
	return (uint8_t)bytes_read_number(b, 1);
}

uint16_t rs_bytes_u16(struct rs_bytes *b)
{
	return (uint16_t)bytes_read_number(b, 2);
}

uint32_t rs_bytes_u32(struct rs_bytes *b)
{
	return (uint32_t)bytes_read_number(b, 4);
}

uint64_t rs_bytes_u64(struct rs_bytes *b)
{
	return bytes_read_number(b, 8);
}

const char *rs_bytes_string(struct rs_bytes *b)
{
	const uint8_t *start, *nul;

	if (b->failed)
		return NULL;
	start = b->data + b->at;
	nul = memchr(start, '\0', rs_bytes_left(b));
	if (!nul)
		return (const char *)bytes_fail(b);
	b->at += (uint64_t)(nul - start) + 1;
	return (const char *)start;
}

struct rs_bytes rs_bytes_sub(struct rs_bytes *b, uint64_t len)
{
	struct rs_bytes sub = *b;

	if (!b->unpacked)
		sub.origin += b->at;
	sub.at = 0;
	sub.len = 0;
	sub.data = rs_bytes_take(b, len);
	if (sub.data)
		sub.len = len;
	else
		bytes_fail(&sub);
	return sub;
}
