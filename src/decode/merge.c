// SPDX-License-Identifier: GPL-2.0-or-later
/* merge - merges the records of all CPUs in time order */
#include "decode/merge.h"

#include <stdlib.h>

/* The state of a CPU's cursor. */
enum cursor_state {
	CURSOR_READY,  /* it is on a record, and in the heap */
	CURSOR_EMPTY,  /* live: no record now */
	CURSOR_ENDED,
};

struct merge_cpu_cursor {
	struct rs_page_cursor cursor;
	enum cursor_state state;
	uint16_t cpu;
	uint64_t last_ns;      /* of its last record */
	uint64_t watermark_ns; /* while CURSOR_EMPTY */
	bool lost;             /* in a gap: no record has come since */
	bool lost_counted;
	uint64_t nr_lost, lost_from_ns;
};

/* A cursor that is on a record, and the record's time: the heap is ordered without access to the cursors. */
struct merge_head {
	uint64_t ts_ns;
	struct merge_cpu_cursor *cpu_cursor;     /* addresses are in CPU order */
};

struct rs_merge {
	struct rs_source *source;
	struct rs_page_layout layout;
	void (*on_gap)(void *arg, const struct rs_gap *gap);
	void *arg;
	struct merge_cpu_cursor *cursors;
	unsigned int nr_cursors;
	struct merge_head *heap;     /* cursors that are CURSOR_READY, the earliest first */
	unsigned int nr_heap;
	bool top_is_stale;     /* the batch has advanced heap[0]'s cursor */
	struct rs_pauses_cursor paused;
	uint64_t until_ns;     /* least watermark of the CPUs without a record */
	uint64_t check_ns;      /* time of the next check of those CPUs and of pauses */
	struct rs_merge_stats stats;
	struct rs_error err;
};

struct rs_merge *rs_merge_new(struct rs_source *source, void (*on_gap)(void *arg, const struct rs_gap *gap),
			      void *arg, struct rs_error *err)
{
	const struct rs_trace_info *info = &source->info;
	struct rs_merge *m = calloc(1, sizeof *m);

	if (m) {
		m->nr_cursors = info->nr_cpus;
		m->cursors = calloc(info->nr_cpus + 1, sizeof *m->cursors);
		m->heap = calloc(info->nr_cpus + 1, sizeof *m->heap);
	}
	if (!m || !m->cursors || !m->heap) {
		rs_fail(err, "cannot merge the CPUs: out of memory");
		goto failed;
	}
	m->source = source;
	m->on_gap = on_gap;
	m->arg = arg;
	if (rs_page_layout_of(&m->layout, info, err) < 0) {
		goto failed;
	}
	for (unsigned int i = 0; i < m->nr_cursors; i++) {
		m->cursors[i].state = CURSOR_EMPTY;
		m->cursors[i].cpu = (uint16_t)i;
	}
	return m;
failed:
	rs_merge_free(m);
	return NULL;
}

void rs_merge_free(struct rs_merge *m)
{
	if (!m)
		return;
	free(m->cursors);
	free(m->heap);
	free(m);
}

static inline bool merge_is_before(const struct merge_head *a, const struct merge_head *b)
{
	return a->ts_ns < b->ts_ns || (a->ts_ns == b->ts_ns && a->cpu_cursor < b->cpu_cursor);
}

/*
 * Not base/heap.h, which swaps: here the head stays in registers until its place is found, once a batch of
 * events.
 */
static __attribute__((noinline)) void merge_sift_down(struct merge_head *heap, unsigned int nr,
						      struct merge_head head)
{
	unsigned int at = 0, child;

	for (; (child = 2 * at + 1) < nr; at = child) {
		if (child + 1 < nr && merge_is_before(&heap[child + 1], &heap[child]))
			child++;
		if (merge_is_before(&head, &heap[child]))
			break;
		/* word by word, as it was stored and will be read: a pair would have to wait for both */
		heap[at].ts_ns = heap[child].ts_ns;
		heap[at].cpu_cursor = heap[child].cpu_cursor;
	}
	heap[at] = head;
}

static void merge_heap_push(struct rs_merge *m, struct merge_cpu_cursor *cpu_cursor)
{
	struct merge_head head = { cpu_cursor->cursor.ts_ns, cpu_cursor };
	unsigned int at = m->nr_heap++;

	for (; at && merge_is_before(&head, &m->heap[(at - 1) / 2]); at = (at - 1) / 2)
		m->heap[at] = m->heap[(at - 1) / 2];
	m->heap[at] = head;
}

/* The rest of a malformed page is lost: a gap with an unknown number of events. */
static void merge_lose_page_rest(struct rs_merge *m, struct merge_cpu_cursor *cpu_cursor,
				 enum rs_page_fault fault)
{
	m->stats.bad_pages++;
	m->stats.bad_by_fault[fault]++;
	cpu_cursor->lost = true;
	cpu_cursor->lost_counted = false;
	cpu_cursor->lost_from_ns = cpu_cursor->last_ns;
}

static void merge_page_lost(struct merge_cpu_cursor *cpu_cursor, const struct rs_page *page)
{
	const struct rs_page_cursor *c = &cpu_cursor->cursor;

	if (!c->lost)
		return;
	if (!cpu_cursor->lost) {
		cpu_cursor->lost_counted = true;
		cpu_cursor->nr_lost = 0;
		/* the events were lost after the reader found the CPU's buffer empty */
		cpu_cursor->lost_from_ns = page->empty_at_ns > cpu_cursor->last_ns ? page->empty_at_ns
			: cpu_cursor->last_ns;
	}
	cpu_cursor->lost = true;
	cpu_cursor->lost_counted &= c->lost_counted;
	/* from the file: it may be any number */
	if (__builtin_add_overflow(cpu_cursor->nr_lost, c->nr_lost, &cpu_cursor->nr_lost))
		cpu_cursor->nr_lost = UINT64_MAX;
}

/* The first record after a gap ends it. */
static void merge_gap_ends(struct rs_merge *m, uint16_t cpu)
{
	struct merge_cpu_cursor *cpu_cursor = &m->cursors[cpu];
	struct rs_gap gap = {
		.cpu = cpu,
		.from_ns = cpu_cursor->lost_from_ns,
		.to_ns = cpu_cursor->cursor.ts_ns,
		.nr_lost = cpu_cursor->lost_counted ? cpu_cursor->nr_lost : 0,
	};

	cpu_cursor->lost = false;
	if (gap.from_ns > gap.to_ns)
		gap.from_ns = gap.to_ns;
	if (m->on_gap)
		m->on_gap(m->arg, &gap);
}

/* Goes to the CPU's next record, loading as many pages as needed. */
static bool merge_next_record(struct rs_merge *m, uint16_t cpu)
{
	struct merge_cpu_cursor *cpu_cursor = &m->cursors[cpu];
	struct rs_page page = { 0 };

	for (;;) {
		uint64_t watermark = m->source->ops->watermark_ns ?
					     m->source->ops->watermark_ns(m->source, cpu) :
					     UINT64_MAX;
		enum rs_next next;

		if (cpu_cursor->cursor.fault) {
			merge_lose_page_rest(m, cpu_cursor, cpu_cursor->cursor.fault);
			cpu_cursor->cursor.fault = RS_PAGE_OK;
		}
		next = rs_source_next(m->source, cpu, &page, &m->err);
		if (next != RS_NEXT_PAGE) {
			cpu_cursor->state = next == RS_NEXT_NONE ? CURSOR_EMPTY : CURSOR_ENDED;
			/*
			 * The watermark was loaded before `next`, so no page that came in between is missed.
			 * The events of a CPU are in order: a CPU whose buffer is never empty, because of the
			 * reader's own system calls, is known up to its last event.
			 */
			cpu_cursor->watermark_ns = watermark > cpu_cursor->last_ns ? watermark
				: cpu_cursor->last_ns;
			return false;
		}
		if (!rs_page_load(&cpu_cursor->cursor, &m->layout, page.data, page.len_bytes))
			continue;
		merge_page_lost(cpu_cursor, &page);
		if (rs_page_next(&cpu_cursor->cursor))
			break;
	}
	if (cpu_cursor->lost)
		merge_gap_ends(m, cpu);
	return true;
}

/* Returns the start of the next pause that was not reported; UINT64_MAX, later than every record: none. */
static uint64_t merge_next_pause_ns(const struct rs_merge *m)
{
	struct rs_pauses_cursor at = m->paused;
	struct rs_pause pause;

	return rs_pauses_next(&m->source->pauses, &at, &pause) ? pause.off_ns : UINT64_MAX;
}

/* Tracing was off on every CPU: a gap for each, with an unknown number of lost events. */
static void merge_notify_pause(struct rs_merge *m)
{
	struct rs_pause pause;
	struct rs_gap gap;

	if (!rs_pauses_next(&m->source->pauses, &m->paused, &pause))
		return;
	gap = (struct rs_gap){ .from_ns = pause.off_ns, .to_ns = pause.on_ns };
	for (unsigned int cpu = 0; m->on_gap && cpu < m->nr_cursors; cpu++) {
		gap.cpu = (uint16_t)cpu;
		m->on_gap(m->arg, &gap);
	}
}

/*
 * Called for each page, not for each batch: a pause is added before tracing is on again, so the first event
 * after it is on a page that is loaded later. After an error the next batch must check at once.
 */
static void merge_set_check(struct rs_merge *m)
{
	uint64_t pause_ns = merge_next_pause_ns(m);

	m->check_ns = m->until_ns < pause_ns ? m->until_ns : pause_ns - (pause_ns > 0);
	if (m->err.status)
		m->check_ns = 0;
}

void rs_merge_refill(struct rs_merge *m, uint16_t cpu, uint64_t last_ns)
{
	struct merge_cpu_cursor *cpu_cursor = &m->cursors[cpu];

	cpu_cursor->last_ns = last_ns;
	/* a CPU without a record holds the others back from now on */
	if (!merge_next_record(m, cpu) && cpu_cursor->state == CURSOR_EMPTY &&
	    cpu_cursor->watermark_ns < m->until_ns)
		m->until_ns = cpu_cursor->watermark_ns;
	merge_set_check(m);
}

/*
 * Polls the CPUs without a record again, and sets until_ns to their least watermark. Called only when that
 * time is reached, because it visits all CPUs.
 */
static void merge_poll_empty(struct rs_merge *m)
{
	m->until_ns = UINT64_MAX;
	for (struct merge_cpu_cursor *cpu_cursor = m->cursors; cpu_cursor < m->cursors + m->nr_cursors;
	     cpu_cursor++) {
		if (cpu_cursor->state != CURSOR_EMPTY)
			continue;
		if (merge_next_record(m, cpu_cursor->cpu)) {
			cpu_cursor->state = CURSOR_READY;
			merge_heap_push(m, cpu_cursor);
		} else if (cpu_cursor->state == CURSOR_EMPTY && cpu_cursor->watermark_ns < m->until_ns) {
			m->until_ns = cpu_cursor->watermark_ns;
		}
	}
}

/* The batch has advanced the first cursor: moves it to its place in the heap, or removes it. */
static inline void merge_restore_top(struct rs_merge *m)
{
	struct merge_head top;

	if (!m->top_is_stale)
		return;
	m->top_is_stale = false;
	top = (struct merge_head){ m->heap[0].cpu_cursor->cursor.ts_ns, m->heap[0].cpu_cursor };
	if (__builtin_expect(top.cpu_cursor->state != CURSOR_READY, 0))
		top = m->heap[--m->nr_heap];
	if (m->nr_heap)
		merge_sift_down(m->heap, m->nr_heap, top);
}

/*
 * Returns the time up to which the first cursor's records come before those of next; of equal times the lower
 * CPU comes first.
 */
static inline uint64_t merge_batch_end_ns(const struct merge_head *next, const struct merge_cpu_cursor *top)
{
	return next->ts_ns - (next->cpu_cursor < top && next->ts_ns);
}

static inline uint64_t merge_second_ns(const struct rs_merge *m, const struct merge_cpu_cursor *top)
{
	uint64_t until = m->nr_heap > 1 ? merge_batch_end_ns(&m->heap[1], top) : UINT64_MAX;
	uint64_t third = m->nr_heap > 2 ? merge_batch_end_ns(&m->heap[2], top) : UINT64_MAX;

	return third < until ? third : until;
}

static inline bool merge_nothing_ready(const struct rs_merge *m)
{
	return !m->nr_heap || m->heap[0].ts_ns > m->until_ns;
}

/* The slow path: polls empty CPUs, reports pauses and errors. Returns false if there is no record. */
static __attribute__((noinline)) bool merge_poll_sources(struct rs_merge *m, struct rs_error *err)
{
	if (merge_nothing_ready(m))
		merge_poll_empty(m);
	if (m->err.status && err && !err->status)
		*err = m->err;
	if (merge_nothing_ready(m))
		return false;
	while (merge_next_pause_ns(m) <= m->heap[0].ts_ns)
		merge_notify_pause(m);
	merge_set_check(m);
	return true;
}

/*
 * A fast path for two CPUs: swaps them if the second is earlier by now. With two busy CPUs that happens for
 * every second event. Returns false if the checks above are needed.
 */
static inline bool merge_swap_two(struct rs_merge *m, struct rs_batch *batch)
{
	struct merge_head *heap = m->heap;
	struct merge_cpu_cursor *was = heap[0].cpu_cursor, *now = heap[1].cpu_cursor;
	uint64_t was_ns, now_ns = heap[1].ts_ns, until_ns;

	if (m->nr_heap != 2 || now_ns > m->check_ns || was->state != CURSOR_READY)
		return false;
	was_ns = was->cursor.ts_ns;
	if (was_ns <= now_ns || !m->top_is_stale)
		return false;
	heap[0].ts_ns = now_ns; /* word by word: see merge_sift_down */
	heap[0].cpu_cursor = now;
	heap[1].ts_ns = was_ns;
	heap[1].cpu_cursor = was;
	until_ns = was_ns - (was < now);
	batch->cpu = now->cpu;
	batch->cursor = &now->cursor;
	batch->until_ns = until_ns < m->check_ns ? until_ns : m->check_ns;
	return true;
}

bool rs_merge_next_batch(struct rs_merge *m, struct rs_batch *batch, struct rs_error *err)
{
	uint64_t until_ns;
	struct merge_head top;

	if (merge_swap_two(m, batch))
		return true;
	merge_restore_top(m);
	if (__builtin_expect(!m->nr_heap || m->heap[0].ts_ns > m->check_ns, 0) && !merge_poll_sources(m, err))
		return false;
	top = m->heap[0];
	until_ns = merge_second_ns(m, top.cpu_cursor);
	until_ns = until_ns < m->check_ns ? until_ns : m->check_ns;
	batch->cpu = top.cpu_cursor->cpu;
	batch->cursor = &top.cpu_cursor->cursor;
	/* equal to the second: this one record comes first */
	batch->until_ns = until_ns > top.ts_ns ? until_ns : top.ts_ns;
	m->top_is_stale = true;
	return true;
}

bool rs_merge_ended(const struct rs_merge *m)
{
	for (unsigned int i = 0; i < m->nr_cursors; i++)
		if (m->cursors[i].state != CURSOR_ENDED)
			return false;
	return true;
}

uint64_t rs_merge_known_ns(const struct rs_merge *m)
{
	return merge_nothing_ready(m) && m->until_ns != UINT64_MAX ? m->until_ns : 0;
}

const struct rs_merge_stats *rs_merge_stats(const struct rs_merge *m)
{
	return &m->stats;
}
