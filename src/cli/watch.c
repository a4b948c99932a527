// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/watch.h"


#include "base/monotonic.h"

void rs_watch_begin(struct rs_watched *w, struct rs_source *source, bool quiet)
{
	w->source = source;
	rs_progress_init(&w->line, quiet || !source->ops->progress);
	w->begin_ns = rs_monotonic_ns();
}

void rs_watch(struct rs_watched *w, uint64_t nr_events)
{
	uint64_t done = 0, all = 0, spent_ms, left_ms;

	if (!rs_progress_due(&w->line))
		return;
	spent_ms = (rs_monotonic_ns() - w->begin_ns) / 1000000;
	w->source->ops->progress(w->source, &done, &all);
	left_ms = done && done < all ? (uint64_t)((double)spent_ms / done * (all - done)) : 0;
	rs_progress_show(&w->line, "%3u %%  %llu of %llu MB  %.1f M events/s  %llu s left",
			 (unsigned int)(all ? done * 100.0 / all : 100), (unsigned long long)done / 1000000,
			 (unsigned long long)all / 1000000, nr_events / 1000.0 / (spent_ms ? spent_ms : 1),
			 (unsigned long long)(left_ms + 999) / 1000);
}

void rs_watch_end(struct rs_watched *w)
{
	rs_progress_done(&w->line);
}
