/* SPDX-License-Identifier: GPL-2.0-or-later */
/* namesakes.h - processes of one name told as one, as those that live for a moment are */
#ifndef RS_WHY_NAMESAKES_H
#define RS_WHY_NAMESAKES_H

#include <string.h>

#include "ringside/plugin.h"

/* Was the task created in the interval? */
static inline bool rs_namesakes_is_brief(struct rs_ctx *c, const struct rs_task *t)
{
	return t->birth_ns && t->birth_ns >= rs_since_ns(c);
}

/*
 * Returns the place of a name among nr structs that begin with a `const char *`, their name; nr: none has it.
 */
static inline size_t rs_namesakes_find(const void *structs, size_t nr, size_t size_bytes, const char *name)
{
	const char *at = structs;
	size_t i = 0;

	while (i < nr && strcmp(*(const char *const *)(const void *)(at + i * size_bytes), name) != 0)
		i++;
	return i;
}

#endif
