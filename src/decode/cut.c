// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/cut.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page.h"

#define COMMIT_MISSED (1u << 31) /* see decode/page.c */
#define COMMIT_STORED (1u << 30)

struct lane {
	uint8_t *copy;          /* of a page that is cut */
	struct rs_page page;    /* the first one */
	bool has_page, ended;
	bool failed;            /* at its begin, by cut.begin_error */
};

struct cut {
	struct rs_source source;
	struct rs_source *of;
	struct rs_page_layout layout;
	uint64_t from_ns, to_ns;
	struct rs_error begin_error;
	struct lane lanes[];
};

static struct cut *cut_of(struct rs_source *s)
{
	return (struct cut *)s;
}

/* ---- a shorter page ---- */

static void range_source_put_number(const struct cut *cut, uint8_t *at, uint64_t v, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		at[cut->layout.big_endian ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

/*
 * Entries [from, to) of a page, or of the copy itself, the first of them to be counted from ts_ns. loss: what was lost
 * before the page; how many stands behind the entries, as in the kernel's own.
 */
static bool copy_entries(const struct cut *cut, struct lane *lane, const uint8_t *from, const uint8_t *to, uint64_t ts_ns,
			 const struct rs_page_cursor *loss, struct rs_page *page)
{
	const struct rs_page_layout *l = &cut->layout;
	size_t len = (size_t)(to - from), head = l->data_offset;
	bool counted = loss->lost_counted && head + len + l->long_bytes <= cut->source.info.page_bytes;

	if (!lane->copy && !(lane->copy = malloc(cut->source.info.page_bytes)))
		return false;
	memmove(lane->copy + head, from, len);
	memset(lane->copy, 0, head);
	range_source_put_number(cut, lane->copy, ts_ns, sizeof ts_ns);
	range_source_put_number(cut, lane->copy + l->commit_offset, len | (loss->lost ? COMMIT_MISSED : 0) | (counted ? COMMIT_STORED : 0),
				l->long_bytes);
	if (counted)
		range_source_put_number(cut, lane->copy + head + len, loss->nr_lost, l->long_bytes);
	page->data = lane->copy;
	page->len_bytes = head + len + (counted ? l->long_bytes : 0);
	return true;
}

/* ---- the begin ---- */

enum place { BEFORE, WITHIN, NO_MEMORY };

/* Of a page that is not to be read to its end, what follows the fault is lost, wherever it was. */
static enum place cut_begin(const struct cut *cut, struct lane *lane, struct rs_page *page)
{
	static const struct rs_page_cursor nothing, something = { .lost = true };
	struct rs_page_cursor c, before;
	bool whole = true;

	if (!rs_page_load(&c, &cut->layout, page->data, page->len_bytes))
		return WITHIN; /* for the reader to count */
	for (before = c; rs_page_next(&c); before = c, whole = false) {
		if (c.ts_ns < cut->from_ns)
			continue;
		if (whole)
			return WITHIN;
		return copy_entries(cut, lane, before.at, c.end, before.ts_ns, &nothing, page) ? WITHIN : NO_MEMORY;
	}
	if (!c.fault)
		return BEFORE;
	return copy_entries(cut, lane, c.end, c.end, cut->from_ns, &something, page) ? WITHIN : NO_MEMORY;
}

/* False: no memory. A page that cannot be had is told where the CPU is asked for it. */
static bool find_first(struct cut *cut, unsigned int cpu)
{
	struct lane *lane = &cut->lanes[cpu];
	enum rs_next next = RS_NEXT_PAGE;
	enum place place = BEFORE;

	while (place == BEFORE && next == RS_NEXT_PAGE) {
		next = cut->of->ops->next(cut->of, cpu, &lane->page, &cut->begin_error);
		if (next == RS_NEXT_PAGE)
			place = cut_begin(cut, lane, &lane->page);
	}
	lane->has_page = place == WITHIN;
	lane->ended = place != WITHIN;
	lane->failed = next == RS_NEXT_ERROR;
	return place != NO_MEMORY;
}

/* ---- the end ---- */

/* False: nothing of it is left. */
static bool cut_end(const struct cut *cut, struct lane *lane, struct rs_page *page)
{
	struct rs_page_cursor c, before;
	uint64_t begin_ns;

	if (!rs_page_load(&c, &cut->layout, page->data, page->len_bytes))
		return true;
	begin_ns = c.ts_ns;
	for (before = c; rs_page_next(&c); before = c)
		if (c.ts_ns > cut->to_ns)
			break;
	if (c.ts_ns <= cut->to_ns)
		return true;
	lane->ended = true;
	if (before.at == page->data + cut->layout.data_offset)
		return false;
	return copy_entries(cut, lane, page->data + cut->layout.data_offset, before.at, begin_ns, &c, page);
}

/* ---- as a source ---- */

static enum rs_next cut_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	struct cut *cut = cut_of(s);
	struct lane *lane = &cut->lanes[cpu];

	if (lane->failed) {
		lane->failed = false;
		*err = cut->begin_error;
		return RS_NEXT_ERROR;
	}
	if (lane->has_page) {
		lane->has_page = false;
		*page = lane->page;
	} else {
		enum rs_next next = lane->ended ? RS_NEXT_END : cut->of->ops->next(cut->of, cpu, page, err);

		if (next != RS_NEXT_PAGE)
			return next;
	}
	return cut->to_ns == UINT64_MAX || cut_end(cut, lane, page) ? RS_NEXT_PAGE : RS_NEXT_END;
}

static uint64_t cut_left(struct rs_source *s, unsigned int cpu)
{
	struct cut *cut = cut_of(s);
	const struct lane *lane = &cut->lanes[cpu];

	return lane->has_page + (lane->ended || !cut->of->ops->left ? 0 : cut->of->ops->left(cut->of, cpu));
}

static void cut_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes)
{
	struct cut *cut = cut_of(s);

	*done_bytes = *all_bytes = 0;
	if (cut->of->ops->progress)
		cut->of->ops->progress(cut->of, done_bytes, all_bytes);
}

static int cut_symbols_fd(struct rs_source *s)
{
	struct rs_source *of = cut_of(s)->of;

	return of->ops->symbols_fd ? of->ops->symbols_fd(of) : -1;
}

static void cut_close(struct rs_source *s)
{
	struct cut *cut = cut_of(s);

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		free(cut->lanes[cpu].copy);
	cut->of->ops->close(cut->of);
	free(cut);
}

static void range_source_copy_pauses(struct cut *cut)
{
	const struct rs_pauses *p = &cut->of->pauses;
	unsigned int nr = atomic_load_explicit(&p->nr, memory_order_acquire);

	for (unsigned int i = 0; i < nr; i++)
		if (p->list[i].on_ns > cut->from_ns && p->list[i].off_ns <= cut->to_ns)
			rs_source_pause(&cut->source, p->list[i].off_ns, p->list[i].on_ns);
}

struct rs_source *rs_time_range_source_open(struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
					    struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = cut_next, .left = cut_left, .progress = cut_progress, .symbols_fd = cut_symbols_fd,
		.close = cut_close,
	};
	const struct rs_trace_info *info = &of->info;
	struct cut *cut = calloc(1, sizeof *cut + info->nr_cpus * sizeof cut->lanes[0]);

	if (!cut) {
		rs_fail(err, "cannot read a stretch: out of memory");
		of->ops->close(of);
		return NULL;
	}
	cut->source = (struct rs_source){ .ops = &ops, .info = *info };
	cut->of = of;
	cut->from_ns = from_ns;
	cut->to_ns = to_ns;
	range_source_copy_pauses(cut);
	if (rs_page_layout_parse(&cut->layout, info->header_page.data, info->header_page.len, info->long_bytes,
				 info->big_endian) < 0) {
		rs_fail(err, "cannot read the pages: header_page makes no sense (is the recording damaged?)");
		cut_close(&cut->source);
		return NULL;
	}
	for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++) {
		if (find_first(cut, cpu))
			continue;
		rs_fail(err, "cannot read a stretch: out of memory");
		cut_close(&cut->source);
		return NULL;
	}
	return &cut->source;
}
