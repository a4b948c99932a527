// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window-source - a time range of a window, as a source of pages
 *
 * Pages are copied out: what is handed out holds until the CPU's next page is
 * asked for, whatever is added to the window in the meantime.
 */
#include <stdlib.h>
#include <string.h>

#include "source/window-parts.h"

#define WINDOW_SOURCE_COMMIT_MISSED (1u << 31) /* RB_MISSED_EVENTS: events were lost before this page */
#define COMMIT_OFFSET 8          /* behind the time, on every kernel; see decode/page.h */

struct reader {
	uint64_t place;        /* of the page handed out last; before that: of the first one; 0: none yet */
	uint64_t nr;           /* the number that the next page must have */
	bool begun, ended;
	bool beyond;           /* the one behind to_ns has been handed out */
	uint8_t *copy;
};

struct window_source {
	struct rs_source source;
	struct rs_source *of;
	struct rs_window *w;
	uint64_t from_ns, to_ns;
	bool torn;             /* overwritten pages are a gap and no error */
	bool follows;          /* more may come: there is no end */
	struct reader readers[];
};

/* Where the page with from_ns is, or where the CPU's pages begin. Of two that begin then, the first may end then. */
static uint64_t first_place(const struct window_source *ws, unsigned int cpu)
{
	uint64_t place = ws->from_ns ? rs_window_find(ws->w, cpu, ws->from_ns - 1) : 0;

	return place ? place : ws->w->cpus[cpu].head[0];
}

/* 0: there is none, as far as the window has come. It may be another one than the one that is due: then that one is overwritten. */
static uint64_t window_source_next_place(const struct window_source *ws, unsigned int cpu)
{
	const struct reader *r = &ws->readers[cpu];

	if (!r->place || r->place < ws->w->first) /* this page is overwritten; the next one may exist */
		return ws->w->cpus[cpu].head[0];
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
	uint32_t commit, flag = info->big_endian ? htobe32(WINDOW_SOURCE_COMMIT_MISSED)
		: htole32(WINDOW_SOURCE_COMMIT_MISSED);

	if (len_bytes < at + sizeof commit)
		return;
	memcpy(&commit, page + at, sizeof commit);
	commit |= flag;
	memcpy(page + at, &commit, sizeof commit);
}

static enum rs_next window_source_read_page(struct window_source *ws, unsigned int cpu, struct rs_page *page,
					    bool *moved_on)
{
	struct reader *reader = &ws->readers[cpu];
	uint64_t place = window_source_next_place(ws, cpu);
	bool expired = has_expired(ws, cpu, place);
	const struct rs_window_record *r;

	*moved_on = expired && !ws->torn;
	if (!place || *moved_on || reader->beyond)
		return RS_NEXT_END;
	r = rs_window_at(ws->w, place);
	reader->beyond = r->begin_ns >= ws->to_ns;
	memcpy(reader->copy, rs_window_bytes(r), r->len_bytes);
	if (!ws->follows && !reader->begun && r->nr > 1 && r->begin_ns > ws->from_ns) /* the pages before it were overwritten before this reader began */
		expired = ws->torn;
	if (expired)
		mark_lost(&ws->source.info, reader->copy, r->len_bytes);
	reader->begun = true;
	reader->place = place;
	reader->nr = r->nr + 1;
	*page = (struct rs_page){ .data = reader->copy, .len_bytes = r->len_bytes, .empty_at_ns = r->empty_at_ns };
	return RS_NEXT_PAGE;
}

static enum rs_next window_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
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
	next = window_source_read_page(ws, cpu, page, &moved_on);
	pthread_mutex_unlock(&ws->w->lock);
	if (next != RS_NEXT_PAGE && ws->follows)
		return RS_NEXT_NONE;
	reader->ended = next != RS_NEXT_PAGE;
	if (!moved_on)
		return next;
	rs_fail(err, "CPU %u: the window has overwritten the pages that were to be read"
		" (choose a later stretch or a larger window)", cpu);
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
	if (next || place)
		last = rs_window_at(w, next ? next : place)->nr;
	pthread_mutex_unlock(&w->lock);
	return last >= ws->readers[cpu].nr ? last - ws->readers[cpu].nr + 1 : 0;
}

static int window_symbols_fd(struct rs_source *s)
{
	struct rs_source *of = ((struct window_source *)s)->of;

	return of->ops->symbols_fd ? of->ops->symbols_fd(of) : -1;
}

static void window_close(struct rs_source *s)
{
	struct window_source *ws = (struct window_source *)s;

	for (unsigned int i = 0; i < ws->w->nr_cpus; i++)
		free(ws->readers[i].copy);
	free(ws);
}

/* The pauses since the first page: one before it has no events on either side. */
static void window_source_copy_pauses(struct window_source *ws, uint64_t begin_ns)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(&ws->of->pauses, &at, &pause))
		if (pause.on_ns > begin_ns)
			rs_pauses_add(&ws->source.pauses, pause.off_ns, pause.on_ns);
}

/* At once for all CPUs, not when a CPU is first read: pages that are overwritten in between are then a known loss.
 * Returns the first time. */
static uint64_t window_source_find_begin(struct window_source *ws)
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

void rs_window_tear(struct rs_source *again)
{
	((struct window_source *)again)->torn = true;
}

void rs_window_follow(struct rs_source *again)
{
	((struct window_source *)again)->torn = ((struct window_source *)again)->follows = true;
}

struct rs_source *rs_window_open(struct rs_window *w, struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
				 struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = window_next, .left = window_left, .symbols_fd = window_symbols_fd, .close = window_close,
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
	ws->source.info.gauges = NULL; /* from the begin of the capture: their state at the end of this range is unknown */
	ws->of = of;
	ws->w = w;
	ws->from_ns = from_ns;
	ws->to_ns = to_ns;
	pthread_mutex_lock(&w->lock);
	begin_ns = window_source_find_begin(ws);
	pthread_mutex_unlock(&w->lock);
	window_source_copy_pauses(ws, begin_ns);
	return &ws->source;
}
