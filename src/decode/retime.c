// SPDX-License-Identifier: GPL-2.0-or-later
/* retime - a recording's pages with the times of the clock that it shares with others */
#include "decode/retime.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page-writer.h"
#include "source/time-map.h"

#define SLACK_NS 1000000u             /* neighboring samples may disagree by this, in a search by time */

struct retime {
	struct rs_source source;
	struct rs_source *of;
	const struct rs_time_map *map;
	struct rs_page_layout layout;
	uint8_t *pages[];        /* of each CPU, when first needed */
};

static struct retime *retime_of(struct rs_source *s)
{
	return (struct retime *)s;
}

/*
 * A time that is too late need not be so late as the map has it: the page is cut within that time extend or
 * stamp.
 */
static size_t retime_fault_bytes(const struct rs_page_cursor *c)
{
	return c->fault == RS_PAGE_TIME ? sizeof(uint32_t) : (size_t)(c->end - c->at);
}

/*
 * A record of 4 bytes takes 8 in a page, and at most 8 more with a time stamp before it: twice the page is
 * always enough.
 */
static void retime_rewrite(const struct retime *r, unsigned int cpu, struct rs_page *page)
{
	struct rs_page_writer w;
	struct rs_page_cursor c, loss;

	if (!rs_page_load(&c, &r->layout, page->data, page->len_bytes))
		return; /* for the reader to count */
	loss = c;
	rs_page_writer_begin(&w, &r->layout, r->pages[cpu], rs_time_map_apply(r->map, cpu, c.ts_ns));
	while (rs_page_next(&c))
		rs_page_writer_record(&w, c.record, c.len_bytes, rs_time_map_apply(r->map, cpu, c.ts_ns));
	if (c.fault) /* copied as it is: the reader meets the malformation and counts it */
		rs_page_writer_bytes(&w, c.at, retime_fault_bytes(&c));
	page->data = w.page;
	page->len_bytes = rs_page_put_header(&r->layout, w.page, r->source.info.page_bytes + sizeof(uint64_t),
					     w.begin_ns, rs_page_writer_len(&w), &loss);
}

static enum rs_next retime_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
				struct rs_error *err)
{
	struct retime *r = retime_of(s);
	enum rs_next next = r->of->ops->next(r->of, cpu, page, err);

	if (next != RS_NEXT_PAGE)
		return next;
	/* the number of lost events may follow a full page */
	if (!r->pages[cpu] && !(r->pages[cpu] = malloc(s->info.page_bytes + sizeof(uint64_t)))) {
		rs_fail(err, "cannot convert the times of CPU %u: out of memory", cpu);
		return RS_NEXT_ERROR;
	}
	retime_rewrite(r, cpu, page);
	return RS_NEXT_PAGE;
}

/*
 * Each CPU has its own offset: seeks the widest range of all; the source may return more pages than
 * requested.
 */
static int retime_seek(struct rs_source *s, uint64_t from_ns, uint64_t to_ns, struct rs_error *err)
{
	struct retime *r = retime_of(s);
	uint64_t from = UINT64_MAX, to = 0;

	from_ns -= from_ns < SLACK_NS ? from_ns : SLACK_NS;
	to_ns = to_ns > UINT64_MAX - SLACK_NS ? UINT64_MAX : to_ns + SLACK_NS;
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		uint64_t begin = rs_time_map_back(r->map, cpu, from_ns),
			 end = rs_time_map_back(r->map, cpu, to_ns);

		from = begin < from ? begin : from;
		to = end > to ? end : to;
	}
	return r->of->ops->seek(r->of, from, to, err);
}

static struct rs_source *retime_again(const struct rs_source *s, struct rs_error *err)
{
	const struct rs_source *of = ((const struct retime *)s)->of;
	struct rs_source *again = of->ops->again(of, err);

	return again ? rs_retime(again, err) : NULL;
}

static void retime_rewind(struct rs_source *s)
{
	struct rs_source *of = retime_of(s)->of;

	of->ops->rewind(of);
}

static uint64_t retime_left(struct rs_source *s, unsigned int cpu)
{
	struct rs_source *of = retime_of(s)->of;

	return of->ops->left(of, cpu);
}

static void retime_progress(struct rs_source *s, uint64_t *done_bytes, uint64_t *all_bytes)
{
	struct rs_source *of = retime_of(s)->of;

	of->ops->progress(of, done_bytes, all_bytes);
}

static void retime_close(struct rs_source *s)
{
	struct retime *r = retime_of(s);

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		free(r->pages[cpu]);
	r->of->ops->close(r->of);
	free(r);
}

static void retime_copy_pauses(struct retime *r)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(&r->of->pauses, &at, &pause)) {
		pause.off_ns = rs_time_map_apply(r->map, 0, pause.off_ns);
		pause.on_ns = rs_time_map_apply(r->map, 0, pause.on_ns);
		rs_pauses_put(&r->source.pauses, &pause);
	}
}

struct rs_source *rs_retime(struct rs_source *of, struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = retime_next, .seek = retime_seek, .again = retime_again,
		.rewind = retime_rewind, .left = retime_left, .progress = retime_progress,
		.close = retime_close,
	};
	const struct rs_trace_info *info = &of->info;
	struct retime *r;

	if (!info->time_map)
		return of;
	r = calloc(1, sizeof *r + info->nr_cpus * sizeof r->pages[0]);
	if (!r) {
		rs_fail(err, "cannot convert a recording's times: out of memory");
		of->ops->close(of);
		return NULL;
	}
	r->source = (struct rs_source){ .ops = &ops, .info = *info, .samples = of->samples,
					.no_samples = of->no_samples };
	r->source.info.page_bytes *= 2;
	r->source.info.time_map = NULL;
	r->of = of;
	r->map = info->time_map;
	retime_copy_pauses(r);
	if (rs_page_layout_of(&r->layout, info, err) < 0) {
		retime_close(&r->source);
		return NULL;
	}
	return &r->source;
}
