// SPDX-License-Identifier: GPL-2.0-or-later
/* window - holds the latest raw pages, so that a time range can be read again */
#include "source/window-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory-large.h"
#include "source/perf/samples.h"

#define MIN_PAGES 4
#define COMMIT_MISSED (1u << 31) /* RB_MISSED_EVENTS: events were lost before this page */
#define COMMIT_OFFSET 8          /* after the time, on every kernel; see decode/page.h */

struct rs_window *rs_window_new(const struct rs_trace_info *info, size_t size_bytes, uint64_t age_ns,
				struct rs_error *err)
{
	size_t least = MIN_PAGES * rs_window_record_bytes(RS_WINDOW_LEVELS, info->page_bytes);
	struct rs_window *w;

	size_bytes &= ~(size_t)(RS_WINDOW_ALIGN_BYTES - 1);
	if (size_bytes < least) {
		rs_fail_usage(err, "a window of %zu bytes is too small for pages of %zu (%zu is the least)",
			      size_bytes, info->page_bytes, least);
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

/* Of all records of its CPU before it only pinned ones are left. */
static void window_unlink(struct rs_window *w, struct rs_window_cpu *c, const struct rs_window_record *r)
{
	for (unsigned int i = 0; i < r->nr_levels; i++) {
		if (c->held[i])
			rs_window_at(w, c->held[i])->next[i] = r->next[i];
		else
			c->head[i] = r->next[i];
		if (!r->next[i])
			c->tail[i] = c->held[i];
	}
	w->stats.nr_evicted++;
}

static void window_hold(const struct rs_window *w, struct rs_window_cpu *c, uint64_t place)
{
	for (unsigned int i = 0; i < rs_window_at(w, place)->nr_levels; i++)
		c->held[i] = place;
}

static void window_next_first(struct rs_window *w)
{
	do
		w->first += (uint64_t)rs_window_at(w, w->first)->walk.words * RS_WINDOW_ALIGN_BYTES;
	while (w->first != w->end && rs_window_at(w, w->first)->walk.cpu == RS_WINDOW_FILLER);
}

/* Evicts the oldest record, or passes it by: a pinned one stays where it is. */
static void window_pass_first(struct rs_window *w)
{
	const struct rs_window_record *r = rs_window_at(w, w->first);
	struct rs_window_cpu *c = &w->cpus[r->walk.cpu];
	uint64_t whole_ns = r->next[0] ? rs_window_at(w, r->next[0])->begin_ns : w->latest_ns;

	if (rs_window_pins_hold(w, w->first))
		window_hold(w, c, w->first);
	else
		window_unlink(w, c, r);
	if (whole_ns > w->stats.whole_after_ns)
		w->stats.whole_after_ns = whole_ns;
	window_next_first(w);
}

/*
 * Evicts the oldest page once the page after it is too old as well: until then its last event may be young
 * enough.
 */
static void expire(struct rs_window *w)
{
	while (w->age_ns && w->latest_ns > w->age_ns && w->first != w->end) {
		uint64_t next = rs_window_at(w, w->first)->next[0];

		if (!next || rs_window_at(w, next)->begin_ns >= w->latest_ns - w->age_ns)
			return;
		window_pass_first(w);
	}
}

/* Returns the first place behind all records where one fits: in one piece, and in no pin's way. */
static uint64_t window_find_room(const struct rs_window *w, size_t bytes)
{
	uint64_t size = w->stats.size_bytes, place = w->end, before;

	do {
		before = place;
		if (place % size + bytes > size)
			place += size - place % size;
		place = rs_window_pins_skip(w, place, bytes);
	} while (place != before);
	return place;
}

/* Evicts the oldest records until there is room. Returns the new one's place. */
static uint64_t window_make_room(struct rs_window *w, size_t bytes)
{
	uint64_t place = window_find_room(w, bytes);

	while (w->first != w->end && w->first + w->stats.size_bytes < place + bytes)
		window_pass_first(w);
	if (w->first == w->end)
		w->first = place;
	else if (place != w->end)
		rs_window_at(w, w->end)->walk = (struct rs_window_walk){
			RS_WINDOW_FILLER, (place - w->end) / RS_WINDOW_ALIGN_BYTES,
		};
	w->end = place + bytes;
	return place;
}

/* One record in four is a level higher. By its number, so that they are spread evenly. */
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
	bytes = rs_window_record_bytes(levels, page->len_bytes);
	place = window_make_room(w, bytes);
	r = rs_window_at(w, place);
	*r = (struct rs_window_record){
		.walk = { cpu, bytes / RS_WINDOW_ALIGN_BYTES },
		.begin_ns = time_of(w, page), .empty_at_ns = page->empty_at_ns, .nr = c->nr,
		.len_bytes = (uint32_t)page->len_bytes, .nr_levels = levels,
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
	bool good = cpu < w->nr_cpus && page->len_bytes >= sizeof(uint64_t) &&
		    page->len_bytes <= w->page_bytes;

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

/*
 * ---- a time range of it, as a source: pages are copied, so that they stay valid whatever is added meanwhile
 * ----
 */

struct reader {
	uint64_t place;        /* of the last page; before the first read: of the first page; 0: none yet */
	uint64_t nr;           /* the number that the next page must have */
	bool begun, ended;
	bool beyond;           /* the page after to_ns has been read */
	uint8_t *copy;
};

struct window_source {
	struct rs_source source;
	struct rs_source *of;
	struct rs_window *w;
	uint64_t from_ns, to_ns;
	enum rs_window_loss loss;
	struct reader readers[];
};

/*
 * Returns the place of the page with from_ns, or of the CPU's first page. Of two pages that begin at from_ns
 * the one before them is meant: its last event may be at from_ns.
 */
static uint64_t first_place(const struct window_source *ws, unsigned int cpu)
{
	uint64_t place = ws->from_ns ? rs_window_find(ws->w, cpu, ws->from_ns - 1) : 0;

	return place ? place : ws->w->cpus[cpu].head[0];
}

/* Returns the place of the CPU's first record with that number or a later one; 0: there is none yet. */
static uint64_t find_number(const struct rs_window *w, unsigned int cpu, uint64_t nr)
{
	uint64_t found = 0, next = 0;

	for (unsigned int i = RS_WINDOW_LEVELS; i--;) {
		next = found ? rs_window_at(w, found)->next[i] : w->cpus[cpu].head[i];
		while (next && rs_window_at(w, next)->nr < nr) {
			found = next;
			next = rs_window_at(w, found)->next[i];
		}
	}
	return next;
}

static bool window_has(const struct rs_window *w, uint64_t place)
{
	return place && (place >= w->first || rs_window_pins_hold(w, place));
}

/*
 * Returns the place of the next page in the window, 0 if there is none yet. If it is not the page that is
 * due, that one was overwritten.
 */
static uint64_t next_place(const struct window_source *ws, unsigned int cpu)
{
	const struct reader *r = &ws->readers[cpu];

	if (!window_has(ws->w, r->place)) /* this page is overwritten; the next one may exist */
		return find_number(ws->w, cpu, r->nr);
	return r->begun ? rs_window_at(ws->w, r->place)->next[0] : r->place;
}

static bool has_expired(const struct window_source *ws, unsigned int cpu, uint64_t place)
{
	const struct reader *r = &ws->readers[cpu];

	return place ? rs_window_at(ws->w, place)->nr != r->nr : ws->w->cpus[cpu].nr >= r->nr;
}

/* The low half of commit, which is a long of 4 or 8 bytes in the kernel's order. */
static void mark_lost(const struct rs_trace_info *info, uint8_t *page, size_t len_bytes)
{
	size_t at = COMMIT_OFFSET + (info->big_endian && info->long_bytes == 8 ? 4 : 0);
	uint32_t commit, flag = info->big_endian ? htobe32(COMMIT_MISSED) : htole32(COMMIT_MISSED);

	if (len_bytes < at + sizeof commit)
		return;
	memcpy(&commit, page + at, sizeof commit);
	commit |= flag;
	memcpy(page + at, &commit, sizeof commit);
}

/* All pages with events of a pinned range are there: what was overwritten before this page is later. */
static bool is_behind_pinned(const struct window_source *ws, uint64_t place)
{
	return ws->loss != RS_WINDOW_FOLLOWS && rs_window_at(ws->w, place)->begin_ns >= ws->to_ns &&
	       rs_window_pins_cover(ws->w, ws->from_ns, ws->to_ns - 1);
}

static enum rs_next read_page(struct window_source *ws, unsigned int cpu, struct rs_page *page,
					    bool *moved_on)
{
	struct reader *reader = &ws->readers[cpu];
	uint64_t place = next_place(ws, cpu);
	bool expired = has_expired(ws, cpu, place);
	const struct rs_window_record *r;

	if (place && expired && is_behind_pinned(ws, place))
		return RS_NEXT_END;
	*moved_on = expired && ws->loss == RS_WINDOW_LOSS_FAILS;
	if (!place || *moved_on || reader->beyond)
		return RS_NEXT_END;
	r = rs_window_at(ws->w, place);
	reader->beyond = r->begin_ns >= ws->to_ns;
	memcpy(reader->copy, rs_window_bytes(r), r->len_bytes);
	/* the pages before it were overwritten before this reader began */
	if (ws->loss != RS_WINDOW_FOLLOWS && !reader->begun && r->nr > 1 && r->begin_ns > ws->from_ns)
		expired = ws->loss == RS_WINDOW_LOSS_IS_GAP;
	if (expired)
		mark_lost(&ws->source.info, reader->copy, r->len_bytes);
	reader->begun = true;
	reader->place = place;
	reader->nr = r->nr + 1;
	*page = (struct rs_page){ .data = reader->copy, .len_bytes = r->len_bytes,
				  .empty_at_ns = r->empty_at_ns };
	return RS_NEXT_PAGE;
}

static enum rs_next window_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
				struct rs_error *err)
{
	struct window_source *ws = (struct window_source *)s;
	struct reader *reader = &ws->readers[cpu];
	bool moved_on = false;
	enum rs_next next;

	if (reader->ended)
		return RS_NEXT_END;
	if (!reader->copy && !(reader->copy = malloc(ws->w->page_bytes))) {
		reader->ended = true;
		rs_fail(err, "cannot read the window: out of memory");
		return RS_NEXT_ERROR;
	}
	pthread_mutex_lock(&ws->w->lock);
	next = read_page(ws, cpu, page, &moved_on);
	pthread_mutex_unlock(&ws->w->lock);
	if (next != RS_NEXT_PAGE && ws->loss == RS_WINDOW_FOLLOWS)
		return RS_NEXT_NONE;
	reader->ended = next != RS_NEXT_PAGE;
	if (!moved_on)
		return next;
	rs_fail(err, "CPU %u: the window has overwritten the pages that were to be read"
		" (choose a later time range or a larger window)", cpu);
	return RS_NEXT_ERROR;
}

static uint64_t window_left(struct rs_source *s, unsigned int cpu)
{
	struct window_source *ws = (struct window_source *)s;
	struct rs_window *w = ws->w;
	uint64_t place, last = 0, next;

	pthread_mutex_lock(&w->lock);
	place = ws->to_ns ? rs_window_find(w, cpu, ws->to_ns - 1) : 0;
	next = place ? rs_window_at(w, place)->next[0] : w->cpus[cpu].head[0];
	if (next && place && rs_window_at(w, next)->nr != rs_window_at(w, place)->nr + 1)
		next = 0; /* place is pinned, and what came after it is overwritten */
	if (next || place)
		last = rs_window_at(w, next ? next : place)->nr;
	pthread_mutex_unlock(&w->lock);
	return last >= ws->readers[cpu].nr ? last - ws->readers[cpu].nr + 1 : 0;
}

static void window_close(struct rs_source *s)
{
	struct window_source *ws = (struct window_source *)s;

	for (unsigned int i = 0; i < ws->w->nr_cpus; i++)
		free(ws->readers[i].copy);
	if (s->samples)
		s->samples->ops->close(s->samples);
	free(ws);
}

/*
 * Finds the first page of every CPU, before any is read: pages that are overwritten in between are then a
 * known loss. Returns the earliest time.
 */
static uint64_t window_find_begin(struct window_source *ws)
{
	uint64_t begin_ns = UINT64_MAX;

	for (unsigned int cpu = 0; cpu < ws->w->nr_cpus; cpu++) {
		struct reader *r = &ws->readers[cpu];
		const struct rs_window_record *record;

		r->place = first_place(ws, cpu);
		r->nr = ws->w->cpus[cpu].nr + 1;
		if (!r->place)
			continue;
		record = rs_window_at(ws->w, r->place);
		r->nr = record->nr;
		if (record->begin_ns < begin_ns)
			begin_ns = record->begin_ns;
	}
	return begin_ns;
}

struct rs_source *rs_window_open(struct rs_window *w, struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
				 enum rs_window_loss loss, struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = window_next, .left = window_left, .close = window_close,
	};
	struct window_source *ws = calloc(1, sizeof *ws + w->nr_cpus * sizeof ws->readers[0]);
	uint64_t begin_ns;

	if (!ws) {
		rs_fail(err, "cannot read the window: out of memory");
		return NULL;
	}
	ws->source.ops = &ops;
	ws->source.info = of->info;
	ws->source.info.of_live = of->info.live;
	ws->source.info.live = false;
	/* read when the capture began: their values at the end of this range are unknown */
	ws->source.info.gauges = NULL;
	ws->of = of;
	ws->w = w;
	ws->from_ns = from_ns;
	ws->to_ns = to_ns;
	ws->loss = loss;
	pthread_mutex_lock(&w->lock);
	begin_ns = window_find_begin(ws);
	pthread_mutex_unlock(&w->lock);
	/* earlier ones have no events on either side */
	rs_pauses_copy(&ws->source.pauses, &of->pauses, begin_ns, UINT64_MAX);
	return &ws->source;
}
