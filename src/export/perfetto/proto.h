/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proto.h - writes protobuf messages in place, into memory that has room for them
 *
 *	char *at;
 *
 *	p = at = rs_proto_open(p, 11);          // a message as field 11
 *	p = rs_proto_uint(p, 9, 1);
 *	p = rs_proto_close(at, p);              // back-patches its length
 *
 * Each returns where the output ends. Fields are constants, so that a tag is a store or two. A message is
 * opened with a length of one byte; a longer one is moved when it is closed: nearly all are short.
 */
#ifndef RS_EXPORT_PERFETTO_PROTO_H
#define RS_EXPORT_PERFETTO_PROTO_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RS_PROTO_NUMBER 12    /* bytes that a field with a number takes at most, its tag included */
#define RS_PROTO_MESSAGE 8    /* and of a message, beside its content */
/* Of a text: an invalid byte becomes three. */
#define RS_PROTO_TEXT(len) (3 * (len) + RS_PROTO_MESSAGE)

enum rs_proto_wire { RS_PROTO_VARINT = 0, RS_PROTO_FIXED64 = 1, RS_PROTO_BYTES = 2 };

/* Times have seven bytes: up to eight are made at once. Eight are stored in any case. */
static inline char *rs_proto_varint(char *p, uint64_t v)
{
	uint64_t bytes = v;
	unsigned int nr;

	if (v < 0x80) {
		*p = (char)v;
		return p + 1;
	}
	for (; v >> 56; bytes = v >>= 7)
		*p++ = (char)(v | 0x80);
	bytes = (bytes & 0x00fffffff0000000u) << 4 | (bytes & 0x000000000fffffffu);
	bytes = (bytes & 0x0fffc0000fffc000u) << 2 | (bytes & 0x00003fff00003fffu);
	bytes = (bytes & 0x3f803f803f803f80u) << 1 | (bytes & 0x007f007f007f007fu);
	nr = (unsigned int)(70 - __builtin_clzll(v | 1)) / 7;
	bytes = htole64(bytes | (0x8080808080808080u & ((1ull << 8 * (nr - 1)) - 1)));
	memcpy(p, &bytes, sizeof bytes);
	return p + nr;
}

static inline char *rs_proto_tag(char *p, unsigned int field, enum rs_proto_wire wire)
{
	return rs_proto_varint(p, field << 3 | wire);
}

static inline char *rs_proto_uint(char *p, unsigned int field, uint64_t v)
{
	return rs_proto_varint(rs_proto_tag(p, field, RS_PROTO_VARINT), v);
}

/* int32 and int64: a negative number takes ten bytes. */
static inline char *rs_proto_int(char *p, unsigned int field, int64_t v)
{
	return rs_proto_uint(p, field, (uint64_t)v);
}

static inline char *rs_proto_fixed64(char *p, unsigned int field, uint64_t v)
{
	uint64_t little = htole64(v);

	p = rs_proto_tag(p, field, RS_PROTO_FIXED64);
	memcpy(p, &little, sizeof little);
	return p + sizeof little;
}

/* Returns where the message's content begins: pass it to rs_proto_close. */
static inline char *rs_proto_open(char *p, unsigned int field)
{
	return rs_proto_tag(p, field, RS_PROTO_BYTES) + 1;
}

/* Of a content of 128 bytes or more. */
char *rs_proto_close_long(char *content, char *end);

static inline char *rs_proto_close(char *content, char *end)
{
	if (end - content >= 0x80)
		return rs_proto_close_long(content, end);
	content[-1] = (char)(end - content);
	return end;
}

static inline char *rs_proto_bytes(char *p, unsigned int field, const void *bytes, size_t len)
{
	p = rs_proto_varint(rs_proto_tag(p, field, RS_PROTO_BYTES), len);
	memcpy(p, bytes, len);
	return p + len;
}

/* A string: bytes that are not valid UTF-8 become U+FFFD. */
char *rs_proto_text(char *p, unsigned int field, const char *text, size_t len);

#endif
