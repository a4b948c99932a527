// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window-source - a stretch of a window, handed out as a file's pages are
 *
 * Pages are copied out: what is handed out holds until the CPU's next page is
 * asked for, whatever is added to the window in the meantime.
 */
#include <stdlib.h>
#include <string.h>

#include "source/window-parts.h"

struct reader {
	uint64_t place;        /* of the page handed out last; 0: none yet */
	uint64_t nr;           /* its number */
	bool ended;
	uint8_t *copy;
};

struct window_source {
	struct rs_source source;
	struct rs_window *w;
	uint64_t from_ns, to_ns;
	struct reader readers[];
};

/* Where the page with from_ns is, or where the CPU's pages begin. */
static uint64_t first_place(const struct window_source *ws, unsigned int cpu)
{
	uint64_t place = rs_window_find(ws->w, cpu, ws->from_ns);

	return place ? place : ws->w->cpus[cpu].head[0];
}

/* 0: there are no more, or (false) they have gone. */
static bool next_place(const struct window_source *ws, unsigned int cpu, uint64_t *place)
{
	const struct reader *r = &ws->readers[cpu];

	if (!r->nr) {
		*place = first_place(ws, cpu);
		return true;
	}
	if (r->place >= ws->w->first) {
		*place = rs_window_at(ws->w, r->place)->next[0];
		return true;
	}
	*place = ws->w->cpus[cpu].head[0]; /* the page itself has gone; the one behind it may be there */
	return *place ? rs_window_at(ws->w, *place)->nr == r->nr + 1 : ws->w->cpus[cpu].nr == r->nr;
}

static enum rs_next hand_out(struct window_source *ws, struct reader *reader, uint64_t place, struct rs_page *page,
			     struct rs_error *err)
{
	const struct rs_window_record *r = rs_window_at(ws->w, place);

	if (!reader->copy)
		reader->copy = malloc(ws->w->page_bytes);
	if (!reader->copy) {
		reader->ended = true;
		rs_fail(err, "cannot read the window: out of memory");
		return RS_NEXT_ERROR;
	}
	memcpy(reader->copy, rs_window_bytes(r), r->len_bytes);
	reader->place = place;
	reader->nr = r->nr;
	*page = (struct rs_page){ .data = reader->copy, .len_bytes = r->len_bytes, .empty_at_ns = r->empty_at_ns };
	return RS_NEXT_PAGE;
}

static enum rs_next window_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	struct window_source *ws = (struct window_source *)s;
	struct reader *reader = &ws->readers[cpu];
	uint64_t place;

	if (reader->ended)
		return RS_NEXT_END;
	if (!next_place(ws, cpu, &place)) {
		reader->ended = true;
		rs_fail(err, "CPU %u: the window has moved on over what was to be read"
			" (choose a later stretch or a larger window)", cpu);
		return RS_NEXT_ERROR;
	}
	if (place && rs_window_at(ws->w, place)->begin_ns < ws->to_ns)
		return hand_out(ws, reader, place, page, err);
	reader->ended = true;
	return RS_NEXT_END;
}

static void window_close(struct rs_source *s)
{
	struct window_source *ws = (struct window_source *)s;

	for (unsigned int i = 0; i < ws->w->nr_cpus; i++)
		free(ws->readers[i].copy);
	free(ws);
}

/* The pauses since the first page: one before it has no events on either side. */
static void copy_pauses(struct window_source *ws, const struct rs_pauses *from)
{
	unsigned int nr = atomic_load_explicit(&from->nr, memory_order_acquire);
	uint64_t begin_ns = UINT64_MAX;

	for (unsigned int cpu = 0; cpu < ws->w->nr_cpus; cpu++) {
		uint64_t place = first_place(ws, cpu);

		if (place && rs_window_at(ws->w, place)->begin_ns < begin_ns)
			begin_ns = rs_window_at(ws->w, place)->begin_ns;
	}
	for (unsigned int i = 0; i < nr; i++)
		if (from->list[i].on_ns > begin_ns)
			rs_source_pause(&ws->source, from->list[i].off_ns, from->list[i].on_ns);
}

struct rs_source *rs_window_open(struct rs_window *w, const struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
				 struct rs_error *err)
{
	static const struct rs_source_ops ops = { .next = window_next, .close = window_close };
	struct window_source *ws = calloc(1, sizeof *ws + w->nr_cpus * sizeof ws->readers[0]);

	if (!ws) {
		rs_fail(err, "cannot read the window: out of memory");
		return NULL;
	}
	ws->source.ops = &ops;
	ws->source.info = of->info;
	ws->source.info.live = false;
	ws->w = w;
	ws->from_ns = from_ns;
	ws->to_ns = to_ns;
	copy_pauses(ws, &of->pauses);
	return &ws->source;
}
