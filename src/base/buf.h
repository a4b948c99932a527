/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buf.h - a growing byte buffer
 *
 *	struct rs_buf b = RS_BUF_INIT;
 *	rs_buf_printf(&b, "%d", 42);
 *	write(fd, b.data, b.len);
 *	rs_buf_done(&b);
 *
 * data is always terminated by a NUL that len does not count. When memory runs
 * out the buffer keeps what it has and `failed` is set: check it once at the end.
 */
#ifndef RS_BASE_BUF_H
#define RS_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct rs_buf {
	char *data;
	size_t len, size;
	bool failed;
};

#define RS_BUF_INIT { .data = (char *)"", .len = 0, .size = 0, .failed = false }

void rs_buf_done(struct rs_buf *b);
void rs_buf_clear(struct rs_buf *b); /* keeps the memory */
bool rs_buf_reserve(struct rs_buf *b, size_t more_bytes);
void rs_buf_add_slow(struct rs_buf *b, const void *bytes, size_t len);
void rs_buf_pad(struct rs_buf *b, char c, size_t times);
void rs_buf_printf(struct rs_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Inline: rows and exports are made of many short pieces. Where there is room, a piece of known
 * length is a store or two.
 */
static inline void rs_buf_add(struct rs_buf *b, const void *bytes, size_t len)
{
	if (!len || len >= b->size - b->len) { /* with len 0 bytes may be NULL */
		rs_buf_add_slow(b, bytes, len);
		return;
	}
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

/*
 * Room for so many bytes, for a caller that makes a line of many pieces in place; NULL: no memory. Pass the
 * end of what was written to rs_buf_wrote.
 */
static inline char *rs_buf_room(struct rs_buf *b, size_t bytes)
{
	if (bytes >= b->size - b->len && !rs_buf_reserve(b, bytes))
		return NULL;
	return b->data + b->len;
}

static inline void rs_buf_wrote(struct rs_buf *b, char *end)
{
	b->len = (size_t)(end - b->data);
	*end = '\0';
}

static inline void rs_buf_puts(struct rs_buf *b, const char *s)
{
	rs_buf_add(b, s, strlen(s));
}

static inline void rs_buf_putc(struct rs_buf *b, char c)
{
	rs_buf_add(b, &c, 1);
}

/* Copies a text into an array: cut if it is too long, always terminated; NULL is "". */
static inline void rs_copy(char *to, size_t size_bytes, const char *from)
{
	size_t len = from ? strnlen(from, size_bytes - 1) : 0;

	if (len)
		memcpy(to, from, len);
	to[len] = '\0';
}

#endif
