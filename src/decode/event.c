// SPDX-License-Identifier: GPL-2.0-or-later
#include "ringside/event.h"

/*
 * A __data_loc word: length in the high half, offset from the record's begin in
 * the low half. Both come from the recording, so both are checked.
 */
static const uint8_t *dynamic(const struct rs_event *ev, const struct rs_field *f, size_t *len)
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
		p = dynamic(ev, f, &len);
	len = strnlen((const char *)p, len);
	if (len >= size_bytes)
		len = size_bytes - 1;
	memcpy(buf, p, len);
	buf[len] = '\0';
	return len;
}
