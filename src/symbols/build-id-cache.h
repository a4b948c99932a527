/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build-id-cache.h - files that perf record has copied to ~/.debug, by their build-id */
#ifndef RS_SYMBOLS_BUILD_ID_CACHE_H
#define RS_SYMBOLS_BUILD_ID_CACHE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Opens what the user's cache has of a build-id: "elf", a program or library, or "kallsyms", of a kernel. The
 * caller closes it, and does not trust it. -1: it has none.
 */
int rs_build_id_cache_open(const uint8_t *id, size_t len_bytes, const char *name);

#endif
