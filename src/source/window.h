/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - holds the latest raw pages, so that a time range can be read again
 *
 *	struct rs_window *w = rs_window_new(&source->info, 64 << 20, 0, &err);
 *	source->window = w;                          // pages that the engine reads are copied
 *	... later ...
 *	struct rs_source *again = rs_window_open(w, source, from_ns, to_ns, RS_WINDOW_LOSS_FAILS, &err);
 *	... a session over it, as over a file; again->ops->close(again) ...
 *	rs_window_free(w);
 *
 * Pages of all CPUs are copied into one ring in the order of arrival; the oldest is
 * overwritten first. All memory is allocated at the start.
 * One thread adds pages. Other threads may read time ranges at the same time, one thread
 * for each. The adding thread waits at most for the copy of one page.
 */
#ifndef RS_SOURCE_WINDOW_H
#define RS_SOURCE_WINDOW_H

#include "source/source.h"

struct rs_window;

/*
 * rs_window_new - size_bytes: memory of the ring, at least four pages.
 * age_ns: pages that are older than the latest page by more than that are removed; 0: no limit.
 */
struct rs_window *rs_window_new(const struct rs_trace_info *info, size_t size_bytes, uint64_t age_ns,
				struct rs_error *err);
void rs_window_free(struct rs_window *w); /* after the sources over it */

/* Returns false, and counts it as refused, if there is no such CPU or the length is not that of a page. */
bool rs_window_add(struct rs_window *w, unsigned int cpu, const struct rs_page *page);

/* What a source over a window does if the next page has been overwritten. */
enum rs_window_loss {
	RS_WINDOW_LOSS_FAILS,  /* the CPU ends with an error */
	RS_WINDOW_LOSS_IS_GAP, /* it flags the page after it, as the kernel flags lost events */
	/* the same, and it has no end: next returns RS_NEXT_NONE if there is no page now */
	RS_WINDOW_FOLLOWS,
};

/*
 * rs_window_open - opens the pages with events of from_ns <= t < to_ns, and a few before and after, as a
 * source. Each CPU also has the page after to_ns, if there is one, so that the reader knows that it reached
 * to_ns. `of` is the source that the pages came from; it describes them and must outlive the result. Returns
 * NULL without memory.
 */
struct rs_source *rs_window_open(struct rs_window *w, struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
				 enum rs_window_loss loss, struct rs_error *err);
struct rs_window_stats {
	uint64_t nr_added, nr_refused, nr_evicted;
	/* all pages with events after this time are in the window; 0: no page was evicted */
	uint64_t whole_after_ns;
	uint64_t latest_ns;      /* start of the latest page */
	size_t size_bytes;
};
/* Any thread. */
void rs_window_stats(const struct rs_window *w, struct rs_window_stats *stats);

#endif
