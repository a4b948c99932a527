// SPDX-License-Identifier: GPL-2.0-or-later
/* proto - writes protobuf messages in place, into memory that has room for them */
#include "export/perfetto/proto.h"

#include <stdbool.h>

#include "base/escape.h"

char *rs_proto_close_long(char *content, char *end)
{
	size_t len = (size_t)(end - content);
	char length[RS_PROTO_NUMBER];
	size_t more = (size_t)(rs_proto_varint(length, len) - length) - 1;

	memmove(content + more, content, len);
	memcpy(content - 1, length, more + 1);
	return end + more;
}

static bool proto_is_ascii(const char *text, size_t len)
{
	unsigned char any = 0;

	for (size_t i = 0; i < len; i++)
		any |= (unsigned char)text[i];
	return any < 0x80;
}

char *rs_proto_text(char *p, unsigned int field, const char *text, size_t len)
{
	char *at = p = rs_proto_open(p, field);

	if (proto_is_ascii(text, len)) {
		memcpy(p, text, len);
		return rs_proto_close(at, p + len);
	}
	while (len) {
		uint32_t code;
		size_t nr = rs_escape_utf8_next(text, len, &code);
		bool is_valid = code != 0xFFFD || nr == 3;

		memcpy(p, is_valid ? text : "\xef\xbf\xbd", is_valid ? nr : 3);
		p += is_valid ? nr : 3;
		text += nr;
		len -= nr;
	}
	return rs_proto_close(at, p);
}
