/* SPDX-License-Identifier: GPL-2.0-or-later */
/* copy.h - copies a text into an array: cut where it is too long, always terminated; NULL is "" */
#ifndef RS_BASE_COPY_H
#define RS_BASE_COPY_H

#include <string.h>

static inline void rs_copy(char *to, size_t size_bytes, const char *from)
{
	size_t len = from ? strnlen(from, size_bytes - 1) : 0;

	if (len)
		memcpy(to, from, len);
	to[len] = '\0';
}

#endif
