// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/window-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory-large.h"

#define ALIGN_BYTES 8
#define MIN_PAGES 4

static size_t record_bytes(unsigned int nr_levels, size_t len_bytes)
{
	size_t bytes = sizeof(struct rs_window_record) + nr_levels * sizeof(uint64_t) + len_bytes;

	return (bytes + ALIGN_BYTES - 1) & ~(size_t)(ALIGN_BYTES - 1);
}

struct rs_window *rs_window_new(const struct rs_trace_info *info, size_t size_bytes, uint64_t age_ns,
				struct rs_error *err)
{
	size_t least = MIN_PAGES * record_bytes(RS_WINDOW_LEVELS, info->page_bytes);
	struct rs_window *w;

	size_bytes &= ~(size_t)(ALIGN_BYTES - 1);
	if (size_bytes < least) {
		rs_fail_usage(err, "a window of %zu bytes is too small for pages of %zu (%zu is the least)", size_bytes,
			      info->page_bytes, least);
		return NULL;
	}
	w = calloc(1, sizeof *w);
	if (w)
		w->cpus = calloc(info->nr_cpus, sizeof *w->cpus);
	if (!w || !w->cpus)
		rs_fail(err, "cannot keep a window: out of memory");
	else
		w->ring = rs_memory_take(size_bytes, "a window of raw pages", err);
	if (!w || !w->ring) {
		rs_window_free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	w->nr_cpus = info->nr_cpus;
	w->page_bytes = info->page_bytes;
	w->big_endian = info->big_endian;
	w->age_ns = age_ns;
	w->stats.size_bytes = size_bytes;
	w->first = w->end = size_bytes; /* not 0, and at the ring's begin */
	return w;
}

void rs_window_free(struct rs_window *w)
{
	if (!w)
		return;
	if (w->ring) {
		rs_memory_give(w->ring, w->stats.size_bytes);
		pthread_mutex_destroy(&w->lock);
	}
	free(w->cpus);
	free(w);
}

/* A page begins with its time, on every kernel and in its byte order. */
static uint64_t time_of(const struct rs_window *w, const struct rs_page *page)
{
	uint64_t ts_ns;

	memcpy(&ts_ns, page->data, sizeof ts_ns);
	return w->big_endian ? be64toh(ts_ns) : le64toh(ts_ns);
}

static void evict_first(struct rs_window *w)
{
	const struct rs_window_record *r = rs_window_at(w, w->first);
	struct rs_window_cpu *c = &w->cpus[r->cpu];
	uint64_t whole_ns = r->next[0] ? rs_window_at(w, r->next[0])->begin_ns : w->latest_ns;

	for (unsigned int i = 0; i < r->nr_levels; i++) {
		c->head[i] = r->next[i];
		if (!r->next[i])
			c->tail[i] = 0;
	}
	if (whole_ns > w->stats.whole_after_ns)
		w->stats.whole_after_ns = whole_ns;
	w->stats.nr_evicted++;
	w->first += r->all_bytes;
	if (w->first == w->skip_from)
		w->first = w->skip_to;
}

/* The oldest page goes when the one after it is too old, too: its last event is not known. */
static void expire(struct rs_window *w)
{
	while (w->age_ns && w->latest_ns > w->age_ns && w->first != w->end) {
		uint64_t next = rs_window_at(w, w->first)->next[0];

		if (!next || rs_window_at(w, next)->begin_ns >= w->latest_ns - w->age_ns)
			return;
		evict_first(w);
	}
}

/* Room for a record in one piece, the oldest ones gone for it. */
static uint64_t window_make_room(struct rs_window *w, size_t bytes)
{
	uint64_t size = w->stats.size_bytes, place = w->end;

	if (place % size + bytes > size)
		place += size - place % size;
	while (w->first != w->end && w->first + size < place + bytes)
		evict_first(w);
	if (w->first == w->end)
		w->first = place;
	if (place != w->end) {
		w->skip_from = w->end;
		w->skip_to = place;
	}
	w->end = place + bytes;
	return place;
}

/* One in four is a level higher; by its number, so that it is even. */
static unsigned int levels_of(uint64_t nr)
{
	unsigned int levels = 1 + (unsigned int)__builtin_ctzll(nr) / 2;

	return levels < RS_WINDOW_LEVELS ? levels : RS_WINDOW_LEVELS;
}

static void link_last(struct rs_window *w, struct rs_window_cpu *c, uint64_t place)
{
	struct rs_window_record *r = rs_window_at(w, place);

	for (unsigned int i = 0; i < r->nr_levels; i++) {
		r->next[i] = 0;
		if (c->tail[i])
			rs_window_at(w, c->tail[i])->next[i] = place;
		else
			c->head[i] = place;
		c->tail[i] = place;
	}
}

static void window_add(struct rs_window *w, unsigned int cpu, const struct rs_page *page)
{
	struct rs_window_cpu *c = &w->cpus[cpu];
	struct rs_window_record *r;
	unsigned int levels;
	uint64_t place;
	size_t bytes;

	levels = levels_of(++c->nr);
	bytes = record_bytes(levels, page->len_bytes);
	place = window_make_room(w, bytes);
	r = rs_window_at(w, place);
	*r = (struct rs_window_record){
		.begin_ns = time_of(w, page), .empty_at_ns = page->empty_at_ns, .nr = c->nr, .cpu = cpu,
		.len_bytes = (uint32_t)page->len_bytes, .all_bytes = (uint32_t)bytes, .nr_levels = levels,
	};
	memcpy(&r->next[levels], page->data, page->len_bytes);
	if (r->begin_ns < c->last_begin_ns)
		r->begin_ns = c->last_begin_ns;
	c->last_begin_ns = r->begin_ns;
	if (r->begin_ns > w->latest_ns)
		w->latest_ns = r->begin_ns;
	link_last(w, c, place);
	w->stats.nr_added++;
	expire(w);
}

bool rs_window_add(struct rs_window *w, unsigned int cpu, const struct rs_page *page)
{
	bool good = cpu < w->nr_cpus && page->len_bytes >= sizeof(uint64_t) && page->len_bytes <= w->page_bytes;

	pthread_mutex_lock(&w->lock);
	if (good)
		window_add(w, cpu, page);
	else
		w->stats.nr_refused++;
	pthread_mutex_unlock(&w->lock);
	return good;
}

uint64_t rs_window_find(const struct rs_window *w, unsigned int cpu, uint64_t at_ns)
{
	uint64_t found = 0;

	for (unsigned int i = RS_WINDOW_LEVELS; i--;) {
		uint64_t next = found ? rs_window_at(w, found)->next[i] : w->cpus[cpu].head[i];

		while (next && rs_window_at(w, next)->begin_ns <= at_ns) {
			found = next;
			next = rs_window_at(w, found)->next[i];
		}
	}
	return found;
}

void rs_window_stats(const struct rs_window *w, struct rs_window_stats *stats)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&w->lock;

	pthread_mutex_lock(lock);
	*stats = w->stats;
	stats->latest_ns = w->latest_ns;
	pthread_mutex_unlock(lock);
}
