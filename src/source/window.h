/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - keeps the latest raw pages, so that a time range can be read again
 *
 *	struct rs_window *w = rs_window_new(&source->info, 64 << 20, 0, &err);
 *	source->window = w;                          // what the engine reads is kept, too
 *	... later ...
 *	struct rs_source *again = rs_window_open(w, source, from_ns, to_ns, &err);
 *	... a session over it, as over a file; again->ops->close(again) ...
 *	rs_window_free(w);
 *
 * Pages are copied into one ring, as long as they are, in the order in which they
 * come: the oldest of all CPUs goes first. All memory is taken at the start.
 * One thread adds, and asks for single pages; others may read stretches meanwhile, each
 * stretch by one thread. The adding thread waits for a reader's copy of one page at most.
 */
#ifndef RS_SOURCE_WINDOW_H
#define RS_SOURCE_WINDOW_H

#include "source/source.h"

struct rs_window;

/*
 * rs_window_new - size_bytes: all that it takes, but a few words a CPU; room for four pages at least.
 * age_ns: what is older than that, before the latest page, goes; 0 any age.
 */
struct rs_window *rs_window_new(const struct rs_trace_info *info, size_t size_bytes, uint64_t age_ns,
				struct rs_error *err);
void rs_window_free(struct rs_window *w); /* after the sources over it */

/* False: refused (no such CPU, no page's length), and counted so. */
bool rs_window_add(struct rs_window *w, unsigned int cpu, const struct rs_page *page);

/*
 * rs_window_open - the pages with events of from_ns <= t < to_ns, and a few before and after, unchanged:
 * of each CPU also the next one, if it is there, so that the reader sees that it reached to_ns.
 * `of`, whose pages they are, says how to read them, and must outlive this. Where the window has moved on
 * over what was to be read next, the CPU ends with an error. NULL: no memory.
 */
struct rs_source *rs_window_open(struct rs_window *w, struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
				 struct rs_error *err);
/*
 * Before the first page: pages that the window overwrites are lost to the reader, which is no error: the next page that is
 * still there says that events were lost before it, as the kernel marks that.
 */
void rs_window_tear(struct rs_source *again);

/*
 * Before the first page: it has no end. Where nothing is there now RS_NEXT_NONE is said, and what is overtaken is torn as
 * by rs_window_tear.
 */
void rs_window_follow(struct rs_source *again);

struct rs_window_stats {
	uint64_t nr_added, nr_refused, nr_evicted;
	uint64_t whole_after_ns; /* every page with an event after that is there; 0: none has gone */
	uint64_t latest_ns;      /* when the latest page begins */
	size_t size_bytes;
};
/* Any thread. */
void rs_window_stats(const struct rs_window *w, struct rs_window_stats *stats);

#endif
