// SPDX-License-Identifier: GPL-2.0-or-later
/* buf - a growing byte buffer */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rs_buf_done(struct rs_buf *b)
{
	if (b->size)
		free(b->data);
	*b = (struct rs_buf)RS_BUF_INIT;
}

void rs_buf_clear(struct rs_buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->size)
		b->data[0] = '\0';
}

bool rs_buf_reserve(struct rs_buf *b, size_t more_bytes)
{
	size_t need, size = b->size ? b->size : 256;
	char *data;

	if (__builtin_add_overflow(b->len, more_bytes, &need) || need > SIZE_MAX / 2 - 1)
		goto failed;
	if (need < b->size)
		return true;
	while (size <= need)
		size *= 2;
	data = realloc(b->size ? b->data : NULL, size);
	if (!data)
		goto failed;
	data[b->len] = '\0';
	b->data = data;
	b->size = size;
	return true;
failed:
	b->failed = true;
	return false;
}

void rs_buf_add_slow(struct rs_buf *b, const void *bytes, size_t len)
{
	if (!len || !rs_buf_reserve(b, len))
		return;
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void rs_buf_pad(struct rs_buf *b, char c, size_t times)
{
	if (!times || !rs_buf_reserve(b, times))
		return;
	memset(b->data + b->len, c, times);
	b->len += times;
	b->data[b->len] = '\0';
}

void rs_buf_printf(struct rs_buf *b, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len <= 0 || !rs_buf_reserve(b, (size_t)len))
		return;
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)len;
}
