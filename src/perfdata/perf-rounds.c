// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-rounds - puts the records of a perf.data in the order of time */
#include "perfdata/perf-rounds.h"

#include <stdlib.h>

#include "base/vector.h"

#define ROUNDS_LEAST_BYTES (1u << 20)   /* sorting less is not worth it */
#define ROUNDS_MAX_BYTES \
	(256u << 20) /* two rounds of 256 CPUs with rings of 512 KiB; more is in no order that perf writes \
		      */

void rs_perf_rounds_init(struct rs_perf_rounds *q)
{
	*q = (struct rs_perf_rounds){ .bytes = RS_BUF_INIT, .due_bytes = ROUNDS_LEAST_BYTES };
}

void rs_perf_rounds_done(struct rs_perf_rounds *q)
{
	free(q->items);
	rs_buf_done(&q->bytes);
}

bool rs_perf_rounds_add(struct rs_perf_rounds *q, uint64_t ts_ns, uint32_t event,
			const struct rs_sample_record *record)
{
	struct rs_perf_item *item = RS_VECTOR_ADD(&q->items, &q->nr, &q->room);

	if (!item)
		return false;
	*item = (struct rs_perf_item){ ts_ns, q->nr_added++, q->bytes.len, event,
				       (uint16_t)record->len_bytes };
	rs_buf_add(&q->bytes, record->data, record->len_bytes);
	if (ts_ns > q->round_ns)
		q->round_ns = ts_ns;
	return !q->bytes.failed;
}

void rs_perf_rounds_end(struct rs_perf_rounds *q)
{
	q->due_ns = q->round_ns;
}

static int rounds_compare(const void *a, const void *b)
{
	const struct rs_perf_item *x = a, *y = b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

bool rs_perf_rounds_sort(struct rs_perf_rounds *q, bool all)
{
	bool is_full = q->bytes.len >= ROUNDS_MAX_BYTES;

	if (!all && !is_full && q->bytes.len < q->due_bytes)
		return false;
	if (q->nr)
		qsort(q->items, q->nr, sizeof *q->items, rounds_compare);
	if (is_full)
		q->nr_due = q->nr / 2;
	while (q->nr_due < q->nr && (all || q->items[q->nr_due].ts_ns <= q->due_ns))
		q->nr_due++;
	/* where little was due, sorting again soon would make many small steps */
	q->due_bytes = 2 * q->bytes.len;
	if (q->nr_due > q->nr / 2)
		q->due_bytes = ROUNDS_LEAST_BYTES;
	return q->nr_due;
}

/* Those that were not due move to the front; so do their bytes. */
static void rounds_drop_returned(struct rs_perf_rounds *q)
{
	struct rs_buf bytes = RS_BUF_INIT;

	for (size_t i = q->next; i < q->nr; i++) {
		struct rs_perf_item *item = &q->items[i - q->next];
		size_t at = bytes.len;

		rs_buf_add(&bytes, q->bytes.data + q->items[i].at, q->items[i].len_bytes);
		*item = q->items[i];
		item->at = at;
	}
	bytes.failed |= q->bytes.failed;
	rs_buf_done(&q->bytes);
	q->bytes = bytes;
	q->nr -= q->next;
	q->next = q->nr_due = 0;
	if (q->due_bytes < bytes.len + ROUNDS_LEAST_BYTES)
		q->due_bytes = bytes.len + ROUNDS_LEAST_BYTES;
}

const struct rs_perf_item *rs_perf_rounds_next(struct rs_perf_rounds *q)
{
	if (q->next < q->nr_due)
		return &q->items[q->next++];
	if (q->next)
		rounds_drop_returned(q);
	return NULL;
}
