/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - merges the records of all CPUs in time order
 *
 * Of equal times the lower CPU comes first. A live CPU without a record now holds the others
 * back at its watermark: the time up to which all of its events have been read.
 *
 *	struct rs_batch batch;
 *	while (rs_merge_next_batch(m, &batch))          // of one CPU
 *		do
 *			use(batch.cpu, batch.cursor->record, batch.cursor->ts_ns);
 *		while (rs_merge_next_record(m, &batch));
 */
#ifndef RS_DECODE_MERGE_H
#define RS_DECODE_MERGE_H

#include "decode/page.h"
#include "ringside/task.h"
#include "source/source.h"

struct rs_merge_stats {
	uint64_t bad_pages;
	uint64_t bad_by_fault[RS_PAGE_NR_FAULTS];
};

struct rs_merge;

/* Records of one CPU that come before those of all others: up to the next CPU's record, or the watermark. */
struct rs_batch {
	struct rs_page_cursor *cursor; /* is on a record */
	uint16_t cpu;
	uint64_t until_ns;             /* the batch's records have ts_ns <= until_ns */
};

/*
 * on_gap is called when the merge reaches the start of a gap: after the last record before it
 * and before any later record. It may be NULL.
 */
struct rs_merge *rs_merge_new(struct rs_source *source, void (*on_gap)(void *arg, const struct rs_gap *gap),
			      void *arg, struct rs_error *err);
void rs_merge_free(struct rs_merge *m);

/*
 * Returns false if there is no record now (live), or at the end: see rs_merge_ended. *err is the source's
 * first error.
 */
bool rs_merge_next_batch(struct rs_merge *m, struct rs_batch *batch, struct rs_error *err);
bool rs_merge_ended(const struct rs_merge *m);
/* Live, after rs_merge_next_batch returned false: all events up to this time have been read. 0: not known. */
uint64_t rs_merge_known_ns(const struct rs_merge *m);
const struct rs_merge_stats *rs_merge_stats(const struct rs_merge *m);

/* Loads the CPU's next page, if there is one now; the last record before it was at last_ns. */
void rs_merge_refill(struct rs_merge *m, uint16_t cpu, uint64_t last_ns);

/*
 * Goes to the batch's next record. Returns false at its end. A batch ends with its page at the latest,
 * because a pause may begin after it.
 */
static inline bool rs_merge_next_record(struct rs_merge *m, struct rs_batch *batch)
{
	struct rs_page_cursor *c = batch->cursor;
	uint64_t last_ns = c->ts_ns; /* the end of a page may advance the cursor's time without a record */

	if (__builtin_expect(!rs_page_next(c), 0)) {
		rs_merge_refill(m, batch->cpu, last_ns);
		return false;
	}
	return c->ts_ns <= batch->until_ns;
}

#endif
