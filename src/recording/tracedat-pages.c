// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-pages - the CPUs' data of a trace.dat, page by page, from the begin or of a time range
 *
 * Plain data is handed out in place. Packed data is a u32 number of chunks and
 * then the chunks, each with two u32 (packed size, unpacked size) before it; a
 * chunk holds whole pages. One chunk of each CPU is unpacked at a time.
 */
#include "recording/tracedat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Mapped pages are given back in steps: large against the cost of madvise, small against memory. */
#define STEP_BYTES (1u << 20)

int rs_tracedat_set_page_bytes(struct rs_tracedat *td, uint64_t page_bytes, uint64_t at, struct rs_error *err)
{
	/* Sub-buffers are a power of two of the kernel's pages, at most its largest allocation of 4 MiB. */
	if (page_bytes < 4096 || page_bytes > 4u << 20 || (page_bytes & (page_bytes - 1)))
		return rs_fail(err, "cannot read '%s': a page size of %" PRIu64 " at byte %" PRIu64
			       " (the file is damaged)", td->shown_path, page_bytes, at);
	td->source.info.page_bytes = (size_t)page_bytes;
	return 0;
}

int rs_tracedat_set_nr_cpus(struct rs_tracedat *td, uint64_t nr_cpus, uint64_t at, struct rs_error *err)
{
	if (nr_cpus > RS_TRACEDAT_MAX_CPUS)
		return rs_fail(err,
			       "cannot read '%s': %" PRIu64 " CPUs at byte %" PRIu64 ", at most %u can be"
			       " (the file is damaged)",
			       td->shown_path, nr_cpus, at, RS_TRACEDAT_MAX_CPUS);
	/* A buffer in which no CPU has data still is a trace: of one CPU without events. */
	if (!nr_cpus)
		nr_cpus = 1;
	td->cpus = calloc(nr_cpus, sizeof *td->cpus);
	if (!td->cpus)
		return rs_tracedat_no_memory(td, err);
	td->source.info.nr_cpus = (unsigned int)nr_cpus;
	return 0;
}

/*
 * How many of a CPU's chunks are whole in the file; *end: where the last of them ends. Only their heads are
 * read. What is behind a chunk of no size is not known: the reading meets it and says so.
 */
static uint32_t whole_chunks(struct rs_bytes b, uint32_t nr, uint64_t *end)
{
	uint32_t whole = 0;

	while (whole < nr) {
		uint32_t packed_len = rs_bytes_u32(&b);

		rs_bytes_u32(&b);
		rs_bytes_take(&b, packed_len);
		if (b.failed)
			break;
		whole = packed_len ? whole + 1 : nr;
		*end = packed_len ? b.at : b.len;
	}
	return whole;
}

/*
 * How many bytes a CPU's chunks take. Writers do not agree on what the size in the file counts: trace-cmd 3.2
 * counts all, 3.1 all but the number of chunks, others the packed bytes alone. So only the chunks themselves
 * say where they end; but where even the largest of these fits into the file nothing is missing, and they
 * need not be walked.
 */
static uint64_t chunks_size(struct rs_tracedat *td, unsigned int cpu, uint64_t begin, uint64_t size,
			    uint64_t there)
{
	struct rs_tracedat_cpu *c = &td->cpus[cpu];
	struct rs_bytes b = rs_tracedat_bytes(td, begin);
	uint32_t nr = rs_bytes_u32(&b), whole;
	uint64_t most, end = b.at;

	c->chunks_left = nr;
	if (!__builtin_add_overflow(size, 4 + 8 * (uint64_t)nr, &most) && most <= there)
		return most;
	whole = whole_chunks(b, nr, &end);
	if (!b.failed && whole == nr)
		return end - begin;
	c->cut = true;
	if (b.failed)
		rs_tracedat_note(td, "CPU %u: its data is missing, the file is cut off", cpu);
	else
		rs_tracedat_note(td, "CPU %u: the last %u of its %u chunks are missing, the file is cut off",
				 cpu, nr - whole, nr);
	return there;
}

static uint64_t plain_size(struct rs_tracedat *td, unsigned int cpu, uint64_t size, uint64_t there)
{
	if (size <= there)
		return size;
	rs_tracedat_note(
		td, "CPU %u: the last %" PRIu64 " of its %" PRIu64 " bytes are missing, the file is cut off",
		cpu, size - there, size);
	td->cpus[cpu].cut = true;
	return there;
}

void rs_tracedat_set_cpu(struct rs_tracedat *td, unsigned int cpu, uint64_t begin, uint64_t size)
{
	struct rs_tracedat_cpu *c = &td->cpus[cpu];
	uint64_t there = begin < td->map_bytes ? td->map_bytes - begin : 0;

	if (!size)
		return;
	c->least_end = begin + (size < there ? size : there);
	size = td->packed ? chunks_size(td, cpu, begin, size, there) : plain_size(td, cpu, size, there);
	c->begin = c->at = c->kept_from = size ? begin : 0;
	c->end = c->begin + size;
	td->all_bytes += size;
	if (td->packed && size >= 4) {
		c->at += 4;
		td->done_bytes += 4;
	}
}

static int tracedat_pages_compare_begin(const void *a, const void *b)
{
	const struct rs_tracedat_cpu *x = *(const struct rs_tracedat_cpu *const *)a,
				     *y = *(const struct rs_tracedat_cpu *const *)b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The data of a CPU ends where that of the next one in the file begins, or before. */
static int tracedat_pages_check_pair(struct rs_tracedat *td, struct rs_tracedat_cpu *c,
				     const struct rs_tracedat_cpu *next, struct rs_error *err)
{
	char what[80];

	if (c->least_end > next->begin) {
		snprintf(what, sizeof what, "data that CPU %td and CPU %td share,", c - td->cpus,
			 next - td->cpus);
		return rs_tracedat_damaged(td, next->begin, what, err);
	}
	if (c->end > next->begin) { /* of chunks only the most that they can take is known */
		td->all_bytes -= c->end - next->begin;
		c->end = next->begin;
	}
	return 0;
}

/* Without this a file of a megabyte could have 60,000 times as much to read. */
int rs_tracedat_check_cpus(struct rs_tracedat *td, struct rs_error *err)
{
	unsigned int nr_cpus = td->source.info.nr_cpus, nr = 0;
	struct rs_tracedat_cpu **by_begin = calloc(nr_cpus, sizeof(struct rs_tracedat_cpu *));
	int ret = 0;

	if (!by_begin)
		return rs_tracedat_no_memory(td, err);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		if (td->cpus[cpu].end > td->cpus[cpu].begin)
			by_begin[nr++] = &td->cpus[cpu];
	qsort(by_begin, nr, sizeof(struct rs_tracedat_cpu *), tracedat_pages_compare_begin);
	for (unsigned int i = 0; i + 1 < nr && ret == 0; i++)
		ret = tracedat_pages_check_pair(td, by_begin[i], by_begin[i + 1], err);
	free(by_begin);
	return ret;
}

static struct rs_map_range range(const struct rs_tracedat *td, uint64_t from, uint64_t to)
{
	return (struct rs_map_range){ td->map + from, to > from ? to - from : 0 };
}

/*
 * The next step is mapped by the map-ahead thread, if it has begun it, otherwise here. Then that thread is
 * asked to map the step after it, and to unmap what has been read.
 */
static void step_on(struct rs_tracedat *td, struct rs_tracedat_cpu *c)
{
	uint64_t mask = ~((uint64_t)sysconf(_SC_PAGESIZE) - 1), at = c->at & mask;
	uint64_t next = at + STEP_BYTES < c->end ? at + STEP_BYTES : c->end;
	uint64_t after = next + STEP_BYTES < c->end ? next + STEP_BYTES : c->end;
	uint64_t far = after + STEP_BYTES < c->end ? after + STEP_BYTES : c->end;
	unsigned int cpu = (unsigned int)(c - td->cpus);
	struct rs_map_ahead_step step;

	if (!td->ahead)
		td->ahead = rs_map_ahead_new(td->source.info.nr_cpus);
	if (rs_map_ahead_take_back(td->ahead, cpu, &step))
		rs_map_ahead_step(&step);
	if (c->asked_at != at)
		rs_map_ahead_step(&(struct rs_map_ahead_step){ .next = range(td, at, next),
			.after = range(td, next & mask, after) });
	step = (struct rs_map_ahead_step){
		.passed = range(td, c->kept_from & mask, at), .next = range(td, next & mask, after),
		.after = range(td, after & mask, far),
	};
	if (td->ahead)
		rs_map_ahead_ask(td->ahead, cpu, &step);
	else
		rs_map_ahead_step(&step);
	c->asked_at = next & mask;
	c->kept_from = c->at;
}

static void advance(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint64_t bytes)
{
	if (c->at - c->kept_from >= STEP_BYTES)
		step_on(td, c);
	c->at += bytes;
	td->done_bytes += bytes;
}

static enum rs_next next_plain(struct rs_tracedat *td, struct rs_tracedat_cpu *c, struct rs_page *page)
{
	uint64_t len = c->end - c->at, page_bytes = td->source.info.page_bytes;

	if (!len)
		return RS_NEXT_END;
	if (len > page_bytes)
		len = page_bytes;
	page->data = td->map + c->at;
	page->len_bytes = (size_t)len;
	advance(td, c, len);
	return RS_NEXT_PAGE;
}

static void free_chunk(struct rs_tracedat *td, struct rs_tracedat_cpu *c)
{
	td->chunks_bytes -= c->chunk_size;
	free(c->chunk);
	c->chunk = NULL;
	c->chunk_size = c->chunk_len = c->chunk_at = 0;
}

static enum rs_next end_cpu(struct rs_tracedat *td, struct rs_tracedat_cpu *c, enum rs_next why)
{
	td->done_bytes += c->end - c->at;
	c->at = c->end;
	c->chunks_left = 0;
	free_chunk(td, c);
	return why;
}

static enum rs_next bad_chunk(struct rs_tracedat *td, struct rs_tracedat_cpu *c, const char *why,
			      struct rs_error *err)
{
	rs_fail(err, "cannot read '%s': CPU %u: %s at byte %" PRIu64 " (the file is damaged)", td->shown_path,
		(unsigned int)(c - td->cpus), why, c->at);
	return end_cpu(td, c, RS_NEXT_ERROR);
}

static bool room_for_chunk(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint32_t len)
{
	uint8_t *chunk;

	if (len <= c->chunk_size)
		return true;
	if (td->chunks_bytes - c->chunk_size + len > RS_TRACEDAT_MAX_CHUNKS_BYTES)
		return false;
	chunk = realloc(c->chunk, len);
	if (!chunk)
		return false;
	td->chunks_bytes += len - c->chunk_size;
	c->chunk = chunk;
	c->chunk_size = len;
	return true;
}

static const char beyond_end[] = "a chunk that runs past its data's end";

/* Unpacks the chunk at that byte of the file, where it takes *file_bytes; or says why it cannot. */
static const char *load_chunk(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint64_t at,
			      uint64_t *file_bytes)
{
	struct rs_bytes b = { .data = td->map + at, .len = c->end - at, .big_endian = td->big_endian };
	uint64_t max = (uint64_t)RS_TRACEDAT_MAX_CHUNK_PAGES * td->source.info.page_bytes;
	uint32_t packed_len = rs_bytes_u32(&b), len = rs_bytes_u32(&b);
	const uint8_t *packed = rs_bytes_take(&b, packed_len);
	const char *why;

	if (b.failed)
		return beyond_end;
	if (!len || len > max)
		return "a chunk with an impossible size";
	if (!room_for_chunk(td, c, len))
		return "a chunk for which there is no memory";
	c->chunk_len = c->chunk_at = 0;
	why = rs_tracedat_unpack(td, packed, packed_len, c->chunk, len);
	if (why)
		return why;
	c->chunk_len = len;
	*file_bytes = b.at;
	return NULL;
}

/* PAGE: a chunk is there. A chunk that the file's end cuts is left out: that was noted at the start. */
static enum rs_next next_chunk(struct rs_tracedat *td, struct rs_tracedat_cpu *c, struct rs_error *err)
{
	uint64_t bytes;
	const char *why;

	if (!c->chunks_left)
		return end_cpu(td, c, RS_NEXT_END);
	why = load_chunk(td, c, c->at, &bytes);
	if (why == beyond_end && c->cut)
		return end_cpu(td, c, RS_NEXT_END);
	if (why)
		return bad_chunk(td, c, why, err);
	c->chunks_left--;
	advance(td, c, bytes);
	return RS_NEXT_PAGE;
}

static enum rs_next next_packed(struct rs_tracedat *td, struct rs_tracedat_cpu *c, struct rs_page *page,
				struct rs_error *err)
{
	uint64_t page_bytes = td->source.info.page_bytes;
	uint32_t len;

	if (c->chunk_at == c->chunk_len) {
		enum rs_next next = next_chunk(td, c, err);

		if (next != RS_NEXT_PAGE)
			return next;
	}
	len = c->chunk_len - c->chunk_at;
	if (len > page_bytes)
		len = (uint32_t)page_bytes;
	page->data = c->chunk + c->chunk_at;
	page->len_bytes = len;
	c->chunk_at += len;
	c->pages_left -= c->pages_left > 0;
	return RS_NEXT_PAGE;
}

enum rs_next rs_tracedat_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			      struct rs_error *err)
{
	struct rs_tracedat *td = (struct rs_tracedat *)s;

	if (cpu >= s->info.nr_cpus)
		return RS_NEXT_END;
	page->empty_at_ns = 0;
	if (td->packed)
		return next_packed(td, &td->cpus[cpu], page, err);
	return next_plain(td, &td->cpus[cpu], page);
}

static void rewind_chunks(struct rs_tracedat *td, struct rs_tracedat_cpu *c)
{
	struct rs_bytes b = rs_tracedat_bytes(td, c->begin);

	c->chunks_left = rs_bytes_u32(&b);
	c->chunk_len = c->chunk_at = 0;
	if (c->end - c->begin >= 4) {
		c->at += 4;
		td->done_bytes += 4;
	}
}

void rs_tracedat_rewind(struct rs_source *s)
{
	struct rs_tracedat *td = (struct rs_tracedat *)s;

	td->done_bytes = 0;
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		struct rs_tracedat_cpu *c = &td->cpus[cpu];

		if (c->end == c->begin)
			continue;
		c->at = c->kept_from = c->begin;
		c->asked_at = 0;
		if (td->packed)
			rewind_chunks(td, c);
	}
}

void rs_tracedat_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes)
{
	struct rs_tracedat *td = (struct rs_tracedat *)s;

	*done_bytes = td->done_bytes;
	*all_bytes = td->all_bytes;
}

/*
 * ---- a time range: the pages between two times, without reading those before ----
 *
 * Pages of one CPU follow each other in time, and each begins with its own. Plain data is searched by halves
 * in place. Of packed data the chunks' heads are walked (8 bytes in some 40 KiB), and the chunks that the
 * search looks at are unpacked. The times of a damaged file may go back: then the search ends somewhere.
 */

static uint64_t page_time(const struct rs_tracedat *td, const uint8_t *page)
{
	struct rs_bytes b = { .data = page, .len = sizeof(uint64_t), .big_endian = td->big_endian };

	return rs_bytes_u64(&b);
}

struct search {
	struct rs_tracedat *td;
	struct rs_tracedat_cpu *c;
	const uint64_t *chunks;   /* where each begins; NULL: plain */
	uint64_t at_ns;
};

static bool plain_is_before(const struct search *s, uint64_t i)
{
	uint64_t at = s->c->begin + i * s->td->source.info.page_bytes;

	return s->c->end - at >= sizeof(uint64_t) && page_time(s->td, s->td->map + at) < s->at_ns;
}

/* A chunk that cannot be unpacked counts as later: the reading meets it and says so. */
static bool chunk_is_before(const struct search *s, uint64_t i)
{
	struct rs_tracedat_cpu *c = s->c;
	uint64_t ignored;

	return !load_chunk(s->td, c, s->chunks[i], &ignored) && c->chunk_len >= sizeof(uint64_t) &&
	       page_time(s->td, c->chunk) < s->at_ns;
}

/* How many of nr pages or chunks, which are in the order of time, begin before at_ns. */
static uint64_t nr_before(const struct search *s, uint64_t nr)
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
	struct search s = { .td = td, .c = c, .at_ns = from_ns };
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
	struct rs_bytes b = { .data = td->map + c->begin, .len = c->end - c->begin,
			      .big_endian = td->big_endian };
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

/*
 * In whole chunks. What follows the last good one is left to the reading, which says what is wrong with it.
 */
static int seek_packed(struct rs_tracedat *td, struct rs_tracedat_cpu *c, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t nr, first, last, *chunks = list_chunks(td, c, &nr);
	struct search s = { .td = td, .c = c, .chunks = chunks, .at_ns = from_ns };

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

void rs_tracedat_pages_done(struct rs_tracedat *td)
{
	rs_map_ahead_free(td->ahead);
	for (unsigned int cpu = 0; td->cpus && cpu < td->source.info.nr_cpus; cpu++)
		free(td->cpus[cpu].chunk);
	free(td->cpus);
}
