/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample-window.h - the latest records of a sample source, beside a window's pages, so that a time range can
 * be read again
 *
 *	w = rs_sample_window_new(source, info, window);
 *	rs_sample_window_add(w, &ev);                       // each record, in the order of time
 *	... other threads:
 *	again = rs_sample_window_open(w);                   // all records that it has by now
 *	... a session over it; again->ops->close(again) ...
 *	rs_sample_window_free(w);                           // after these sources
 *
 * Records are in chunks, which never change: a reader holds those that it reads. The oldest chunk is evicted
 * first; what its records change in the mappings of processes is kept. Chunks of a time that a client has
 * pinned (source/window-pins.h) stay, if they are at most half of all: the latest half of them does.
 */
#ifndef RS_STACKS_SAMPLE_WINDOW_H
#define RS_STACKS_SAMPLE_WINDOW_H

#include "decode/sample-record.h"
#include "source/window.h"

struct rs_sample_window;
struct rs_symbolizer;

/*
 * names: names the addresses of all sources over the window; it outlives them, as `of`, info and window do.
 * NULL: no memory.
 */
struct rs_sample_window *rs_sample_window_new(const struct rs_sample_source *of,
					      const struct rs_trace_info *info,
					      const struct rs_window *window, struct rs_symbolizer *names);
void rs_sample_window_free(struct rs_sample_window *w);
/* Without memory the record is left out. */
void rs_sample_window_add(struct rs_sample_window *w, const struct rs_sample_event *ev);
/* Any thread. NULL: no memory. */
struct rs_sample_source *rs_sample_window_open(struct rs_sample_window *w);

#endif
