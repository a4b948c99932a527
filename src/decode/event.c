// SPDX-License-Identifier: GPL-2.0-or-later
/* event - the fields of an event that need more than a load: of any size, and texts */
#include "ringside/event.h"

uint64_t rs_u64_any(const struct rs_event *ev, const struct rs_field *f)
{
	const uint8_t *p = ev->data + f->offset_bytes;
	bool swap = f->flags & RS_FIELD_SWAP, is_signed = f->flags & RS_FIELD_SIGNED;

	switch (f->size_bytes) {
	case 8: {
		uint64_t v;

		memcpy(&v, p, 8);
		return swap ? __builtin_bswap64(v) : v;
	}
	case 4: {
		uint32_t v;

		memcpy(&v, p, 4);
		v = swap ? __builtin_bswap32(v) : v;
		return is_signed ? (uint64_t)(int64_t)(int32_t)v : v;
	}
	case 2: {
		uint16_t v;

		memcpy(&v, p, 2);
		v = swap ? __builtin_bswap16(v) : v;
		return is_signed ? (uint64_t)(int64_t)(int16_t)v : v;
	}
	case 1:
		return is_signed ? (uint64_t)(int64_t)(int8_t)*p : *p;
	default:
		return 0;
	}
}

/*
 * A __data_loc word: the length in the high half, the offset from the record's begin in the low half. Both
 * are untrusted, so both are checked.
 */
static const uint8_t *event_dynamic(const struct rs_event *ev, const struct rs_field *f, size_t *len)
{
	struct rs_field word_field = *f;
	uint32_t word, offset;

	word_field.flags &= (uint16_t)~RS_FIELD_SIGNED;
	word = (uint32_t)rs_u64(ev, &word_field);
	offset = word & 0xffff;
	*len = word >> 16;
	if (offset > ev->len_bytes || *len > ev->len_bytes - offset)
		*len = 0;
	return ev->data + offset;
}

size_t rs_str(const struct rs_event *ev, const struct rs_field *f, char *buf, size_t size_bytes)
{
	const uint8_t *p = ev->data + f->offset_bytes;
	size_t len = f->size_bytes;

	buf[0] = '\0';
	if (!rs_has(f))
		return 0;
	if (f->flags & RS_FIELD_DYNAMIC)
		p = event_dynamic(ev, f, &len);
	len = strnlen((const char *)p, len);
	if (len >= size_bytes)
		len = size_bytes - 1;
	memcpy(buf, p, len);
	buf[len] = '\0';
	return len;
}
