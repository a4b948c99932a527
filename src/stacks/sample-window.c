// SPDX-License-Identifier: GPL-2.0-or-later
/* sample-window - the latest records of a sample source, to be read again */
#include "stacks/sample-window.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "source/perf/sample-chunks.h"
#include "source/window-pins.h"
#include "stacks/stack-builder.h"

#define SAMPLE_CHUNK_BYTES (256u << 10)
#define SAMPLE_WINDOW_PART 8            /* of the bytes of the pages' window */
#define SAMPLE_PINNED_PART 2            /* of the chunks: half */
#define LEAST_CHUNKS 16u

struct sample_window_chunk {
	struct sample_window_chunk *next;
	_Atomic unsigned int nr_users;      /* the window, and readers */
	uint64_t first_ns, last_ns;
	bool of_mappings;                   /* what is left of chunks that were evicted behind a pinned one */
	size_t len_bytes;                   /* what is behind it is written later */
	uint8_t data[];
};

struct rs_sample_window {
	/* held while the list, or the last chunk's length, changes or is read */
	pthread_mutex_t lock;
	const struct rs_window *pages;
	struct sample_window_chunk *first, *last;
	size_t nr, max;
	struct rs_sample_info info;
	struct rs_sample_source *nothing;   /* that the mappings were of at first; it has no records */
	struct rs_stack_builder *before;    /* the mappings before the first chunk */
};

/* What a source over the window holds. */
struct sample_window_reader {
	struct rs_initial_mapping *mappings;
	size_t nr_chunks;
	struct sample_window_chunk *chunks[];
};

struct rs_sample_window *rs_sample_window_new(const struct rs_sample_source *of,
					      const struct rs_trace_info *info,
					      const struct rs_window *window, struct rs_symbolizer *names)
{
	struct rs_sample_window *w = calloc(1, sizeof *w);
	struct rs_window_stats pages;

	if (!w)
		return NULL;
	rs_window_stats(window, &pages);
	pthread_mutex_init(&w->lock, NULL);
	w->pages = window;
	w->max = pages.size_bytes / SAMPLE_WINDOW_PART / SAMPLE_CHUNK_BYTES;
	w->max = w->max < LEAST_CHUNKS ? LEAST_CHUNKS : w->max;
	w->info = of->info;
	w->info.local = false;
	w->info.symbolizer = names;
	w->nothing = rs_sample_chunks_open(&w->info, NULL, 0, NULL, NULL);
	w->before = w->nothing ? rs_stack_builder_new(w->nothing, info, 0) : NULL;
	if (w->before)
		return w;
	rs_sample_window_free(w);
	return NULL;
}

static void sample_window_drop(struct sample_window_chunk *chunk)
{
	if (atomic_fetch_sub(&chunk->nr_users, 1) == 1)
		free(chunk);
}

void rs_sample_window_free(struct rs_sample_window *w)
{
	struct sample_window_chunk *chunk;

	if (!w)
		return;
	while ((chunk = w->first)) {
		w->first = chunk->next;
		sample_window_drop(chunk);
	}
	rs_stack_builder_free(w->before);
	if (w->nothing)
		w->nothing->ops->close(w->nothing);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

/* ---- adding ---- */

static struct sample_window_chunk *sample_window_new_chunk(size_t size_bytes)
{
	struct sample_window_chunk *chunk = malloc(sizeof *chunk + size_bytes);

	if (chunk) {
		*chunk = (struct sample_window_chunk){ .next = NULL };
		atomic_init(&chunk->nr_users, 1);
	}
	return chunk;
}

/* Calls f for each record of a chunk. */
static void sample_window_each(const struct rs_sample_window *w, const struct sample_window_chunk *chunk,
			       void (*f)(void *arg, const struct rs_sample_event *ev), void *arg)
{
	const struct rs_sample_chunk records = { chunk->data, chunk->len_bytes };
	struct rs_sample_source *source = rs_sample_chunks_open(&w->info, &records, 1, NULL, NULL);
	struct rs_sample_record record;
	struct rs_sample_event ev;

	while (source && source->ops->next(source, 0, &record))
		if (rs_sample_record_read(&w->info, &record, &ev))
			f(arg, &ev);
	if (source)
		source->ops->close(source);
}

static void sample_window_follow(void *builder, const struct rs_sample_event *ev)
{
	rs_stack_builder_follow(builder, ev);
}

/* With the lock. Readers go on with the chunk, and with the mappings that they have copied. */
static void sample_window_evict_first(struct rs_sample_window *w)
{
	struct sample_window_chunk *chunk = w->first;

	sample_window_each(w, chunk, sample_window_follow, w->before);
	w->first = chunk->next;
	w->nr--;
	sample_window_drop(chunk);
}

/* Copies what changes the mappings of processes, as far as there is room. */
static void sample_window_keep(void *to, const struct rs_sample_event *ev)
{
	struct sample_window_chunk *kept = to;

	if (ev->kind < RS_SAMPLE_MMAP || ev->kind > RS_SAMPLE_EXIT ||
	    kept->len_bytes + ev->record.len_bytes > SAMPLE_CHUNK_BYTES)
		return;
	memcpy(kept->data + kept->len_bytes, ev->record.data, ev->record.len_bytes);
	kept->len_bytes += ev->record.len_bytes;
	kept->last_ns = ev->ts_ns;
}

/*
 * With the lock. Evicts one behind a pinned one: the records of its mappings, for the chunks after it, stay
 * in one chunk with those of its predecessors. Without memory, or room, their addresses have no name.
 */
static void sample_window_evict_inner(struct rs_sample_window *w, struct sample_window_chunk *before,
				      struct sample_window_chunk *chunk)
{
	struct sample_window_chunk *kept = before->of_mappings ? before :
								 sample_window_new_chunk(SAMPLE_CHUNK_BYTES);

	if (kept && kept != before) {
		kept->of_mappings = true;
		kept->first_ns = kept->last_ns = chunk->first_ns;
		before->next = kept;
		w->nr++;
	}
	if (kept)
		sample_window_each(w, chunk, sample_window_keep, kept);
	(kept ? kept : before)->next = chunk->next;
	w->nr--;
	sample_window_drop(chunk);
}

/* With the lock: the oldest that is not pinned, or, if pins have more than their part, the oldest. */
static void sample_window_evict(struct rs_sample_window *w)
{
	struct sample_window_chunk *before = NULL, *chunk = w->first;
	size_t nr_pinned = 0;

	for (; chunk != w->last && nr_pinned <= w->max / SAMPLE_PINNED_PART; chunk = chunk->next) {
		if (!(chunk->of_mappings && before) &&
		    !rs_window_pins_touch(w->pages, chunk->first_ns, chunk->last_ns))
			break;
		nr_pinned++;
		before = chunk;
	}
	if (before && chunk != w->last && nr_pinned <= w->max / SAMPLE_PINNED_PART)
		sample_window_evict_inner(w, before, chunk);
	else
		sample_window_evict_first(w);
}

/* With the lock: begins a chunk, and evicts those that are too many, or older than the pages. */
static bool sample_window_add_chunk(struct rs_sample_window *w, uint64_t first_ns)
{
	struct sample_window_chunk *chunk = sample_window_new_chunk(SAMPLE_CHUNK_BYTES);
	uint64_t oldest_ns = rs_window_pins_oldest_ns(w->pages);

	if (!chunk)
		return false;
	chunk->first_ns = first_ns;
	while (w->first && (w->nr >= w->max || w->first->last_ns < oldest_ns))
		sample_window_evict(w);
	*(w->first ? &w->last->next : &w->first) = chunk;
	w->last = chunk;
	w->nr++;
	return true;
}

void rs_sample_window_add(struct rs_sample_window *w, const struct rs_sample_event *ev)
{
	size_t len = ev->record.len_bytes;

	pthread_mutex_lock(&w->lock);
	if ((w->first && w->last->len_bytes + len <= SAMPLE_CHUNK_BYTES) ||
	    sample_window_add_chunk(w, ev->ts_ns)) {
		uint8_t *at = w->last->data + w->last->len_bytes;

		memcpy(at, ev->record.data, len);
		rs_sample_record_set_time(&w->info, at, len, ev->ts_ns);
		w->last->len_bytes += len;
		w->last->last_ns = ev->ts_ns;
	}
	pthread_mutex_unlock(&w->lock);
}

/* ---- reading ---- */

static void sample_window_release(void *arg)
{
	struct sample_window_reader *r = arg;

	for (size_t i = 0; i < r->nr_chunks; i++)
		sample_window_drop(r->chunks[i]);
	free(r->mappings);
	free(r);
}

struct rs_sample_source *rs_sample_window_open(struct rs_sample_window *w)
{
	struct rs_sample_info info = w->info;
	struct sample_window_reader *r;
	struct rs_sample_chunk *records;
	struct rs_sample_source *source;

	pthread_mutex_lock(&w->lock);
	r = calloc(1, sizeof *r + w->nr * sizeof r->chunks[0]);
	records = calloc(w->nr + 1, sizeof *records);
	for (struct sample_window_chunk *chunk = w->first; r && records && chunk; chunk = chunk->next) {
		atomic_fetch_add(&chunk->nr_users, 1);
		records[r->nr_chunks] = (struct rs_sample_chunk){ chunk->data, chunk->len_bytes };
		r->chunks[r->nr_chunks++] = chunk;
	}
	info.nr_mappings = 0;
	if (r && records)
		rs_stack_builder_list_mappings(w->before, &r->mappings, &info.nr_mappings);
	pthread_mutex_unlock(&w->lock);
	if (!r || !records) {
		free(r);
		free(records);
		return NULL;
	}
	info.mappings = r->mappings;
	source = rs_sample_chunks_open(&info, records, r->nr_chunks, sample_window_release, r);
	free(records);
	return source;
}
