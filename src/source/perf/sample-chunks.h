/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample-chunks.h - samples that are in memory: one ring, whose records are in chunks, in the order of time
 *
 * Of a recording, or of a daemon's window.
 */
#ifndef RS_SOURCE_PERF_SAMPLE_CHUNKS_H
#define RS_SOURCE_PERF_SAMPLE_CHUNKS_H

#include "source/perf/samples.h"

/* Whole records. */
struct rs_sample_chunk {
	const uint8_t *data;
	size_t len_bytes;
};

/*
 * Copies info and the list of chunks, not what they point to. release: called with arg when the source is
 * closed, or cannot be made; may be NULL. NULL: no memory.
 */
struct rs_sample_source *rs_sample_chunks_open(const struct rs_sample_info *info,
					       const struct rs_sample_chunk *chunks, size_t nr,
					       void (*release)(void *arg), void *arg);

#endif
