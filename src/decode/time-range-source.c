// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/time-range-source.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page.h"

#define RANGE_SOURCE_COMMIT_MISSED (1u << 31) /* see decode/page.c */
#define RANGE_SOURCE_COMMIT_STORED (1u << 30)

struct range_source_cpu_cursor {
	uint8_t *copy;          /* of a trimmed page */
	struct rs_page page;    /* the first one */
	bool has_page, ended;
	bool failed;            /* at its begin, by cut.begin_error */
};

struct range_source {
	struct rs_source source;
	struct rs_source *of;
	struct rs_page_layout layout;
	uint64_t from_ns, to_ns;
	struct rs_error begin_error;
	struct range_source_cpu_cursor cursors[];
};

static struct range_source *cut_of(struct rs_source *s)
{
	return (struct range_source *)s;
}

/* ---- a shorter page ---- */

static void range_source_put_number(const struct range_source *range_source, uint8_t *at, uint64_t v,
				    unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		at[range_source->layout.big_endian ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

/*
 * Copies entries [from, to) of a page, or of the copy itself; times count from ts_ns. loss: the events lost before
 * the page; their number follows the entries, as in the kernel's own pages.
 */
static bool copy_entries(const struct range_source *range_source, struct range_source_cpu_cursor *cpu_cursor, const uint8_t *from, const uint8_t *to, uint64_t ts_ns,
			 const struct rs_page_cursor *loss, struct rs_page *page)
{
	const struct rs_page_layout *l = &range_source->layout;
	size_t len = (size_t)(to - from), head = l->data_offset;
	bool counted = loss->lost_counted &&
		head + len + l->long_bytes <= range_source->source.info.page_bytes;

	if (!cpu_cursor->copy && !(cpu_cursor->copy = malloc(range_source->source.info.page_bytes)))
		return false;
	memmove(cpu_cursor->copy + head, from, len);
	memset(cpu_cursor->copy, 0, head);
	range_source_put_number(range_source, cpu_cursor->copy, ts_ns, sizeof ts_ns);
	range_source_put_number(range_source, cpu_cursor->copy + l->commit_offset, len | (loss->lost ? RANGE_SOURCE_COMMIT_MISSED : 0) | (counted ? RANGE_SOURCE_COMMIT_STORED : 0),
				l->long_bytes);
	if (counted)
		range_source_put_number(range_source, cpu_cursor->copy + head + len, loss->nr_lost,
					l->long_bytes);
	page->data = cpu_cursor->copy;
	page->len_bytes = head + len + (counted ? l->long_bytes : 0);
	return true;
}

/* ---- the begin ---- */

enum range_source_place { BEFORE, WITHIN, NO_MEMORY };

/* If a page is malformed, what follows the fault is lost, on whichever side of the begin it was. */
static enum range_source_place cut_begin(const struct range_source *range_source,
					 struct range_source_cpu_cursor *cpu_cursor,
					 struct rs_page *page)
{
	static const struct rs_page_cursor nothing, something = { .lost = true };
	struct rs_page_cursor c, before;
	bool whole = true;

	if (!rs_page_load(&c, &range_source->layout, page->data, page->len_bytes))
		return WITHIN; /* for the reader to count */
	for (before = c; rs_page_next(&c); before = c, whole = false) {
		if (c.ts_ns < range_source->from_ns)
			continue;
		if (whole)
			return WITHIN;
		return copy_entries(range_source, cpu_cursor, before.at, c.end, before.ts_ns, &nothing, page) ? WITHIN : NO_MEMORY;
	}
	if (!c.fault)
		return BEFORE;
	return copy_entries(range_source, cpu_cursor, c.end, c.end, range_source->from_ns, &something, page)
		? WITHIN : NO_MEMORY;
}

/* Returns false without memory. A page that cannot be read is reported when its CPU is read. */
static bool find_first(struct range_source *range_source, unsigned int cpu)
{
	struct range_source_cpu_cursor *cpu_cursor = &range_source->cursors[cpu];
	enum rs_next next = RS_NEXT_PAGE;
	enum range_source_place place = BEFORE;

	while (place == BEFORE && next == RS_NEXT_PAGE) {
		next = range_source->of->ops->next(range_source->of, cpu, &cpu_cursor->page,
						   &range_source->begin_error);
		if (next == RS_NEXT_PAGE)
			place = cut_begin(range_source, cpu_cursor, &cpu_cursor->page);
	}
	cpu_cursor->has_page = place == WITHIN;
	cpu_cursor->ended = place != WITHIN;
	cpu_cursor->failed = next == RS_NEXT_ERROR;
	return place != NO_MEMORY;
}

/* ---- the end ---- */

/* Returns false if nothing of it remains. */
static bool cut_end(const struct range_source *range_source, struct range_source_cpu_cursor *cpu_cursor,
		    struct rs_page *page)
{
	struct rs_page_cursor c, before;
	uint64_t begin_ns;

	if (!rs_page_load(&c, &range_source->layout, page->data, page->len_bytes))
		return true;
	begin_ns = c.ts_ns;
	for (before = c; rs_page_next(&c); before = c)
		if (c.ts_ns > range_source->to_ns)
			break;
	if (c.ts_ns <= range_source->to_ns)
		return true;
	cpu_cursor->ended = true;
	if (before.at == page->data + range_source->layout.data_offset)
		return false;
	return copy_entries(range_source, cpu_cursor, page->data + range_source->layout.data_offset,
			    before.at, begin_ns, &c, page);
}

/* ---- as a source ---- */

static enum rs_next cut_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	struct range_source *range_source = cut_of(s);
	struct range_source_cpu_cursor *cpu_cursor = &range_source->cursors[cpu];

	if (cpu_cursor->failed) {
		cpu_cursor->failed = false;
		*err = range_source->begin_error;
		return RS_NEXT_ERROR;
	}
	if (cpu_cursor->has_page) {
		cpu_cursor->has_page = false;
		*page = cpu_cursor->page;
	} else {
		enum rs_next next = cpu_cursor->ended ? RS_NEXT_END
			: range_source->of->ops->next(range_source->of, cpu, page, err);

		if (next != RS_NEXT_PAGE)
			return next;
	}
	return range_source->to_ns == UINT64_MAX || cut_end(range_source, cpu_cursor, page) ? RS_NEXT_PAGE
		: RS_NEXT_END;
}

static uint64_t cut_left(struct rs_source *s, unsigned int cpu)
{
	struct range_source *range_source = cut_of(s);
	const struct range_source_cpu_cursor *cpu_cursor = &range_source->cursors[cpu];

	return cpu_cursor->has_page + (cpu_cursor->ended || !range_source->of->ops->left ? 0
				       : range_source->of->ops->left(range_source->of, cpu));
}

static void cut_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes)
{
	struct range_source *range_source = cut_of(s);

	*done_bytes = *all_bytes = 0;
	if (range_source->of->ops->progress)
		range_source->of->ops->progress(range_source->of, done_bytes, all_bytes);
}

static int cut_symbols_fd(struct rs_source *s)
{
	struct rs_source *of = cut_of(s)->of;

	return of->ops->symbols_fd ? of->ops->symbols_fd(of) : -1;
}

static void cut_close(struct rs_source *s)
{
	struct range_source *range_source = cut_of(s);

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		free(range_source->cursors[cpu].copy);
	range_source->of->ops->close(range_source->of);
	free(range_source);
}

static void range_source_copy_pauses(struct range_source *range_source)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(&range_source->of->pauses, &at, &pause))
		if (pause.on_ns > range_source->from_ns && pause.off_ns <= range_source->to_ns)
			rs_pauses_add(&range_source->source.pauses, pause.off_ns, pause.on_ns);
}

struct rs_source *rs_time_range_source_open(struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
					    struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = cut_next, .left = cut_left, .progress = cut_progress, .symbols_fd = cut_symbols_fd,
		.close = cut_close,
	};
	const struct rs_trace_info *info = &of->info;
	struct range_source *range_source = calloc(1,
						   sizeof *range_source + info->nr_cpus * sizeof range_source->cursors[0]);

	if (!range_source) {
		rs_fail(err, "cannot read a stretch: out of memory");
		of->ops->close(of);
		return NULL;
	}
	range_source->source = (struct rs_source){ .ops = &ops, .info = *info };
	range_source->of = of;
	range_source->from_ns = from_ns;
	range_source->to_ns = to_ns;
	range_source_copy_pauses(range_source);
	if (rs_page_layout_of(&range_source->layout, info, err) < 0) {
		cut_close(&range_source->source);
		return NULL;
	}
	for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++) {
		if (find_first(range_source, cpu))
			continue;
		rs_fail(err, "cannot read a stretch: out of memory");
		cut_close(&range_source->source);
		return NULL;
	}
	return &range_source->source;
}
