// SPDX-License-Identifier: GPL-2.0-or-later
/* sample-chunks - samples that are in memory: one ring, whose records are in chunks, in the order of time */
#include "source/perf/sample-chunks.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

struct sample_chunks {
	struct rs_sample_source source; /* first */
	void (*release)(void *arg);
	void *arg;
	size_t nr, at, at_byte;         /* the next record: of which chunk, and where in it */
	struct rs_sample_chunk chunks[];
};

/* Returns the size of the next record; 0: what follows in this chunk is no record. */
static size_t chunks_record_bytes(const struct sample_chunks *s, const struct rs_sample_chunk *chunk)
{
	struct perf_event_header header;
	size_t left = chunk->len_bytes - s->at_byte;

	if (left < sizeof header)
		return 0;
	memcpy(&header, chunk->data + s->at_byte, sizeof header);
	header.size = s->source.info.swaps ? __builtin_bswap16(header.size) : header.size;
	return header.size >= sizeof header && header.size <= left ? header.size : 0;
}

/* The rest of a chunk that is no record is one record without bytes, for the reader to count. */
static bool chunks_next(struct rs_sample_source *source, unsigned int ring, struct rs_sample_record *record)
{
	struct sample_chunks *s = (struct sample_chunks *)source;
	const struct rs_sample_chunk *chunk;

	for (; s->at < s->nr && s->at_byte == s->chunks[s->at].len_bytes; s->at_byte = 0)
		s->at++;
	if (s->at == s->nr)
		return false;
	chunk = &s->chunks[s->at];
	*record = (struct rs_sample_record){ chunk->data + s->at_byte, chunks_record_bytes(s, chunk) };
	s->at_byte = record->len_bytes ? s->at_byte + record->len_bytes : chunk->len_bytes;
	return true;
}

static uint64_t chunks_known_ns(struct rs_sample_source *source)
{
	return UINT64_MAX;
}

static int64_t chunks_offset_ns(struct rs_sample_source *source)
{
	return 0;
}

static uint64_t chunks_nr_lost(struct rs_sample_source *source)
{
	return source->info.nr_lost;
}

static void chunks_close(struct rs_sample_source *source)
{
	struct sample_chunks *s = (struct sample_chunks *)source;

	if (s->release)
		s->release(s->arg);
	free(s);
}

struct rs_sample_source *rs_sample_chunks_open(const struct rs_sample_info *info,
					       const struct rs_sample_chunk *chunks, size_t nr,
					       void (*release)(void *arg), void *arg)
{
	static const struct rs_sample_ops ops = {
		.next = chunks_next, .known_ns = chunks_known_ns, .offset_ns = chunks_offset_ns,
		.nr_lost = chunks_nr_lost, .close = chunks_close,
	};
	struct sample_chunks *s = calloc(1, sizeof *s + nr * sizeof s->chunks[0]);

	if (!s) {
		if (release)
			release(arg);
		return NULL;
	}
	s->source = (struct rs_sample_source){ &ops, *info };
	s->source.info.nr_rings = 1;
	s->release = release;
	s->arg = arg;
	s->nr = nr;
	if (nr)
		memcpy(s->chunks, chunks, nr * sizeof *chunks);
	return &s->source;
}
