// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-seek - a time range of a trace.dat: the pages between two times, without reading those before
 *
 * Pages of one CPU follow each other in time, and each begins with its own. Plain
 * data is searched by halves in place. Of packed data the chunks' heads are walked
 * (8 bytes in some 40 KiB), and the chunks that the search looks at are unpacked.
 * A damaged file's times may go back: then the search ends somewhere, and no more.
 */
#include "source/tracedat.h"

#include <stdlib.h>
#include <string.h>

static uint64_t time_at(const struct rs_tracedat *td, const uint8_t *page)
{
	uint64_t ts_ns;

	memcpy(&ts_ns, page, sizeof ts_ns);
	return td->big_endian ? be64toh(ts_ns) : le64toh(ts_ns);
}

/* How many of nr items, in the order of time, begin before at_ns; begins_before tells for one item. */
struct tracedat_seek_search {
	struct rs_tracedat *td;
	struct rs_tracedat_cpu *c;
	const uint64_t *chunks;   /* where each begins; NULL: plain */
	uint64_t at_ns;
};

static bool plain_is_before(const struct tracedat_seek_search *s, uint64_t i)
{
	uint64_t at = s->c->begin + i * s->td->source.info.page_bytes;

	return s->c->end - at >= sizeof(uint64_t) && time_at(s->td, s->td->map + at) < s->at_ns;
}

/* A chunk that cannot be unpacked counts as later: the reading meets it and says so. */
static bool chunk_is_before(const struct tracedat_seek_search *s, uint64_t i)
{
	struct rs_tracedat_cpu *c = s->c;
	uint64_t ignored;

	return !rs_tracedat_load_chunk(s->td, c, s->chunks[i], &ignored) && c->chunk_len >= sizeof(uint64_t) &&
	       time_at(s->td, c->chunk) < s->at_ns;
}

static uint64_t nr_before(const struct tracedat_seek_search *s, uint64_t nr)
{
	uint64_t lo = 0, hi = nr;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (s->chunks ? chunk_is_before(s, mid) : plain_is_before(s, mid))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* From the last page that begins before from_ns to the first that begins at to_ns or later: that one, too. */
static void seek_plain(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint64_t from_ns, uint64_t to_ns)
{
	struct tracedat_seek_search s = { .td = td, .c = c, .at_ns = from_ns };
	uint64_t page_bytes = td->source.info.page_bytes;
	uint64_t nr = (c->end - c->begin + page_bytes - 1) / page_bytes;
	uint64_t first = nr_before(&s, nr), last;

	s.at_ns = to_ns;
	last = nr_before(&s, nr);
	c->at = c->kept_from = c->begin + (first ? first - 1 : 0) * page_bytes;
	if (last < nr && (last + 1) * page_bytes < c->end - c->begin)
		c->end = c->begin + (last + 1) * page_bytes;
}

/* Where the chunks begin, and behind the last of them where it ends; the caller frees. NULL: no memory. */
static uint64_t *list_chunks(struct rs_tracedat *td, const struct rs_tracedat_cpu *c, uint64_t *nr)
{
	struct rs_bytes b = { .data = td->map + c->begin, .len = c->end - c->begin, .big_endian = td->big_endian };
	uint64_t most = rs_bytes_left(&b) / 8, *at;

	if (most > c->chunks_left)
		most = c->chunks_left;
	at = malloc((most + 1) * sizeof *at);
	rs_bytes_u32(&b);
	*nr = 0;
	while (at && *nr < most) {
		uint64_t begin = c->begin + b.at;
		uint32_t packed_len = rs_bytes_u32(&b);

		rs_bytes_u32(&b);
		rs_bytes_take(&b, packed_len);
		if (b.failed)
			break;
		at[(*nr)++] = begin;
		at[*nr] = c->begin + b.at;
	}
	return at;
}

static uint64_t unpacked_pages(const struct rs_tracedat *td, const struct rs_tracedat_cpu *c, uint64_t at)
{
	struct rs_bytes b = { .data = td->map + at, .len = c->end - at, .big_endian = td->big_endian };
	uint64_t page_bytes = td->source.info.page_bytes;

	rs_bytes_u32(&b);
	return (rs_bytes_u32(&b) + page_bytes - 1) / page_bytes;
}

/* In whole chunks. What follows the last good one is left to the reading, which says what is wrong with it. */
static int seek_packed(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t nr, first, last, *chunks = list_chunks(td, c, &nr);
	struct tracedat_seek_search s = { .td = td, .c = c, .chunks = chunks, .at_ns = from_ns };

	if (!chunks)
		return -1;
	first = nr_before(&s, nr);
	first -= first > 0;
	s.at_ns = to_ns;
	last = nr_before(&s, nr);
	if (nr) {
		c->at = c->kept_from = chunks[first];
		c->chunks_left -= (uint32_t)first;
	}
	if (last < nr) {
		c->end = chunks[last + 1];
		c->chunks_left = (uint32_t)(last + 1 - first);
	}
	for (uint64_t i = first; i < nr && chunks[i] < c->end; i++)
		c->pages_left += unpacked_pages(td, c, chunks[i]);
	c->chunk_len = c->chunk_at = 0; /* what the search has unpacked */
	free(chunks);
	return 0;
}

int rs_tracedat_seek(struct rs_source *source, uint64_t from_ns, uint64_t to_ns, struct rs_error *err)
{
	struct rs_tracedat *td = (struct rs_tracedat *)source;

	td->all_bytes = td->done_bytes = 0;
	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++) {
		struct rs_tracedat_cpu *c = &td->cpus[cpu];

		if (c->end == c->begin)
			continue;
		if (!td->packed)
			seek_plain(td, c, from_ns, to_ns);
		else if (seek_packed(td, c, from_ns, to_ns) < 0)
			return rs_tracedat_no_memory(td, err);
		td->all_bytes += c->end - c->at;
	}
	return 0;
}

uint64_t rs_tracedat_left(struct rs_source *source, unsigned int cpu)
{
	struct rs_tracedat *td = (struct rs_tracedat *)source;
	uint64_t page_bytes = source->info.page_bytes;
	const struct rs_tracedat_cpu *c;

	if (cpu >= source->info.nr_cpus)
		return 0;
	c = &td->cpus[cpu];
	return td->packed ? c->pages_left : (c->end - c->at + page_bytes - 1) / page_bytes;
}
