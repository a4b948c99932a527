/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - hash functions for maps: of a number, of two, of bytes
 *
 * All bits of a result are usable: take as many as there are buckets from the low end (hash & (nr_buckets -
 * 1)). Results are the same in every run, but not in every version: do not store them in a file.
 */
#ifndef RINGSIDE_HASH_H
#define RINGSIDE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* One to one: two numbers with the same hash are the same number. */
static inline uint64_t rs_hash_u64(uint64_t v)
{
	v *= UINT64_C(0x9e3779b97f4a7c15);
	return v ^ v >> 32;
}

static inline uint64_t rs_hash_pair(uint64_t a, uint64_t b)
{
	return rs_hash_u64(a ^ rs_hash_u64(b) << 1);
}

/* FNV-1a */
static inline uint64_t rs_hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (len--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

#endif
