/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * initial-mappings.h - the mappings that existed when sampling began, as a recording saves them
 *
 * Numbers are little-endian:
 *
 *	u32 mappings | u32 bytes of text | text: paths, each ends with NUL
 *	of each mapping: i32 pid | u32 path (offset in the text) | u64 start | u64 end | u64 offset |
 *		u64 inode |
 *			 u8 length of the build-id | 20 bytes of it | 3 bytes 0
 */
#ifndef RS_RECORDING_INITIAL_MAPPINGS_H
#define RS_RECORDING_INITIAL_MAPPINGS_H

#include "source/perf/samples.h"

struct rs_buf;

/* Without memory out->failed is set. */
void rs_initial_mappings_put(struct rs_buf *out, const struct rs_initial_mapping *mappings, size_t nr);
/*
 * data is untrusted. The caller frees the array; its paths point into data. Returns false if it is malformed,
 * or there is no memory.
 */
bool rs_initial_mappings_read(const uint8_t *data, size_t len, struct rs_initial_mapping **mappings,
			      size_t *nr);

#endif
