// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * time-range-source - a source without the events before a time, and on request without those after another
 */
#include "decode/time-range-source.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page.h"

struct range_cpu {
	uint8_t *copy;          /* of a trimmed page */
	struct rs_page page;    /* the first one */
	bool has_page, ended;
	bool failed;            /* at its begin, by begin_error */
};

struct range_source {
	struct rs_source source;
	struct rs_source *of;
	struct rs_page_layout layout;
	uint64_t from_ns, to_ns;
	struct rs_error begin_error;
	struct range_cpu cpus[];
};

static struct range_source *range_of(struct rs_source *s)
{
	return (struct range_source *)s;
}

/* ---- a shorter page ---- */

/*
 * Copies entries [from, to) of a page, or of the copy itself; times count from ts_ns. loss: the events lost
 * before the page.
 */
static bool copy_entries(const struct range_source *r, struct range_cpu *c, const uint8_t *from,
			 const uint8_t *to, uint64_t ts_ns, const struct rs_page_cursor *loss,
			 struct rs_page *page)
{
	size_t len = (size_t)(to - from), page_bytes = r->source.info.page_bytes;

	if (!c->copy && !(c->copy = malloc(page_bytes)))
		return false;
	memmove(c->copy + r->layout.data_offset, from, len);
	page->data = c->copy;
	page->len_bytes = rs_page_put_header(&r->layout, c->copy, page_bytes, ts_ns, len, loss);
	return true;
}

/* ---- the begin ---- */

enum range_place { BEFORE, WITHIN, NO_MEMORY };

/* If a page is malformed, what follows the fault is lost, on whichever side of the begin it was. */
static enum range_place trim_begin(const struct range_source *r, struct range_cpu *c, struct rs_page *page)
{
	static const struct rs_page_cursor nothing, something = { .lost = true };
	struct rs_page_cursor at, before;
	bool whole = true;

	if (!rs_page_load(&at, &r->layout, page->data, page->len_bytes))
		return WITHIN; /* for the reader to count */
	for (before = at; rs_page_next(&at); before = at, whole = false) {
		if (at.ts_ns < r->from_ns)
			continue;
		if (whole)
			return WITHIN;
		return copy_entries(r, c, before.at, at.end, before.ts_ns, &nothing, page) ? WITHIN :
											     NO_MEMORY;
	}
	if (!at.fault)
		return BEFORE;
	return copy_entries(r, c, at.end, at.end, r->from_ns, &something, page) ? WITHIN : NO_MEMORY;
}

/* Returns false without memory. A page that cannot be read is reported when its CPU is read. */
static bool find_first(struct range_source *r, unsigned int cpu)
{
	struct range_cpu *c = &r->cpus[cpu];
	enum range_place place = BEFORE;
	enum rs_next next = RS_NEXT_PAGE;

	while (place == BEFORE && next == RS_NEXT_PAGE) {
		next = r->of->ops->next(r->of, cpu, &c->page, &r->begin_error);
		if (next == RS_NEXT_PAGE)
			place = trim_begin(r, c, &c->page);
	}
	c->has_page = place == WITHIN;
	c->ended = place != WITHIN;
	c->failed = next == RS_NEXT_ERROR;
	return place != NO_MEMORY;
}

/* ---- the end ---- */

/* Returns false if nothing of it remains. */
static bool trim_end(const struct range_source *r, struct range_cpu *c, struct rs_page *page)
{
	const uint8_t *entries = page->data + r->layout.data_offset;
	struct rs_page_cursor at, before;
	uint64_t begin_ns;

	if (!rs_page_load(&at, &r->layout, page->data, page->len_bytes))
		return true;
	begin_ns = at.ts_ns;
	for (before = at; rs_page_next(&at); before = at)
		if (at.ts_ns > r->to_ns)
			break;
	if (at.ts_ns <= r->to_ns)
		return true;
	c->ended = true;
	return before.at != entries && copy_entries(r, c, entries, before.at, begin_ns, &at, page);
}

/* ---- as a source ---- */

static enum rs_next range_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			       struct rs_error *err)
{
	struct range_source *r = range_of(s);
	struct range_cpu *c = &r->cpus[cpu];
	enum rs_next next = RS_NEXT_PAGE;

	if (c->failed) {
		c->failed = false;
		*err = r->begin_error;
		return RS_NEXT_ERROR;
	}
	if (c->has_page)
		*page = c->page;
	else
		next = c->ended ? RS_NEXT_END : r->of->ops->next(r->of, cpu, page, err);
	c->has_page = false;
	if (next != RS_NEXT_PAGE || r->to_ns == UINT64_MAX)
		return next;
	return trim_end(r, c, page) ? RS_NEXT_PAGE : RS_NEXT_END;
}

static uint64_t range_left(struct rs_source *s, unsigned int cpu)
{
	struct range_source *r = range_of(s);
	const struct range_cpu *c = &r->cpus[cpu];

	return c->has_page + (c->ended || !r->of->ops->left ? 0 : r->of->ops->left(r->of, cpu));
}

static void range_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes)
{
	struct rs_source *of = range_of(s)->of;

	*done_bytes = *all_bytes = 0;
	if (of->ops->progress)
		of->ops->progress(of, done_bytes, all_bytes);
}

static void range_close(struct rs_source *s)
{
	struct range_source *r = range_of(s);

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		free(r->cpus[cpu].copy);
	r->of->ops->close(r->of);
	free(r);
}

static bool range_find_begin(struct range_source *r, struct rs_error *err)
{
	if (rs_page_layout_of(&r->layout, &r->of->info, err) < 0)
		return false;
	for (unsigned int cpu = 0; cpu < r->of->info.nr_cpus; cpu++)
		if (!find_first(r, cpu)) {
			rs_fail(err, "cannot read a time range: out of memory");
			return false;
		}
	return true;
}

struct rs_source *rs_time_range_source_open(struct rs_source *of, uint64_t from_ns, uint64_t to_ns,
					    struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = range_next, .left = range_left, .progress = range_progress, .close = range_close,
	};
	struct range_source *r = calloc(1, sizeof *r + of->info.nr_cpus * sizeof r->cpus[0]);

	if (!r) {
		rs_fail(err, "cannot read a time range: out of memory");
		of->ops->close(of);
		return NULL;
	}
	r->source = (struct rs_source){ .ops = &ops, .info = of->info, .samples = of->samples,
					.no_samples = of->no_samples };
	r->of = of;
	r->from_ns = from_ns;
	r->to_ns = to_ns;
	rs_pauses_copy(&r->source.pauses, &of->pauses, from_ns, to_ns);
	if (range_find_begin(r, err))
		return &r->source;
	range_close(&r->source);
	return NULL;
}
