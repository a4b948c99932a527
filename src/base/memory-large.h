/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory-large.h - large memory, allocated and touched at the start
 *
 * The first touch of a page costs more than writing to it, and memory that was promised may not exist: both
 * must happen before the first event.
 */
#ifndef RS_BASE_MEMORY_LARGE_H
#define RS_BASE_MEMORY_LARGE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Zeroed, touched, aligned to a page; NULL: err says that `what` cannot be kept. Free it with rs_memory_give.
 */
void *rs_memory_take(size_t size_bytes, const char *what, struct rs_error *err);
void rs_memory_give(void *memory, size_t size_bytes); /* memory may be NULL */

#endif
