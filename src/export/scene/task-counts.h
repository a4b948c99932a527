/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task-counts.h - how many instants of a kind a task had so far, for a counter: of kinds that are .many
 *
 *	struct task { struct rs_task_counts counts; ... };      // with each task, all 0 at first
 *
 *	at = rs_task_counts_add(&t->counts, kind, ts_ns);       // not NULL: write at->nr, since at->ts_ns
 *	while ((at = rs_task_counts_end(&t->counts)))           // at its end: what is not written yet
 *		write likewise
 *
 * A count is written when the last one was written a millisecond ago: a compiler has a fault every few
 * microseconds.
 */
#ifndef RS_EXPORT_TASK_COUNTS_H
#define RS_EXPORT_TASK_COUNTS_H

#include <stddef.h>

#include "ringside/span.h"

#define RS_TASK_COUNTS 4
#define RS_TASK_COUNTS_EVERY_NS 1000000

struct rs_task_counts {
	struct rs_task_count {
		const struct rs_span_kind *kind; /* NULL: none from here on */
		uint64_t nr, ts_ns, written_ns, track; /* ts_ns: of the last one; track: the exporter's */
		bool pending;
	} of[RS_TASK_COUNTS];
};

static inline struct rs_task_count *rs_task_counts_write(struct rs_task_count *at)
{
	at->written_ns = at->ts_ns;
	at->pending = false;
	return at;
}

/* NULL also for a kind beyond the table. */
static inline struct rs_task_count *rs_task_counts_add(struct rs_task_counts *t,
						       const struct rs_span_kind *kind, uint64_t ts_ns)
{
	struct rs_task_count *at = t->of;

	while (at < t->of + RS_TASK_COUNTS && at->kind && at->kind != kind)
		at++;
	if (at == t->of + RS_TASK_COUNTS)
		return NULL;
	at->kind = kind;
	at->nr++;
	at->ts_ns = ts_ns;
	at->pending = true;
	if (at->nr > 1 && ts_ns - at->written_ns < RS_TASK_COUNTS_EVERY_NS)
		return NULL;
	return rs_task_counts_write(at);
}

static inline struct rs_task_count *rs_task_counts_end(struct rs_task_counts *t)
{
	for (struct rs_task_count *at = t->of; at < t->of + RS_TASK_COUNTS && at->kind; at++)
		if (at->pending)
			return rs_task_counts_write(at);
	return NULL;
}

#endif
