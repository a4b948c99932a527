// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/retime.h"

#include <stdlib.h>
#include <string.h>

#include "decode/page.h"
#include "source/time-map.h"

#define RETIME_TS_SHIFT 27
#define MAX_DELTA ((1ull << RETIME_TS_SHIFT) - 1)
#define MAX_SHORT_BYTES (28u * 4)
#define TYPE_TIME_EXTEND 30u
#define TYPE_TIME_STAMP 31u
#define MAX_STAMP ((1ull << 59) - 1)  /* for later ones a step back cannot be detected */
#define SLACK_NS 1000000u             /* neighboring samples may disagree by this, in a search by time */

struct retime {
	struct rs_source source;
	struct rs_source *of;
	const struct rs_time_map *map;
	struct rs_page_layout layout;
	uint8_t *pages[];        /* of each CPU, when first needed */
};

/* The page being written. */
struct writer {
	const struct retime *r;
	uint8_t *page;
	size_t at;
	uint64_t ts_ns;          /* of the last entry */
};

static struct retime *retime_of(struct rs_source *s)
{
	return (struct retime *)s;
}

static void retime_put_word(struct writer *w, uint32_t v)
{
	rs_page_put_number(&w->r->layout, w->page + w->at, v, sizeof v);
	w->at += sizeof v;
}

/* An entry's first word: the bits of its parts differ by byte order. */
static void retime_put_head(struct writer *w, uint32_t type, uint32_t delta)
{
	retime_put_word(w, w->r->layout.big_endian ? type << RETIME_TS_SHIFT | delta : delta << 5 | type);
}

/* Advances the page's time so far that the record's own delta reaches ts_ns; returns that delta. */
static uint32_t retime_approach(struct writer *w, uint64_t ts_ns)
{
	uint64_t delta = ts_ns - w->ts_ns;

	if (ts_ns < w->ts_ns && ts_ns <= MAX_STAMP && w->ts_ns <= MAX_STAMP) {
		/* samples of one CPU may step back a little: an absolute time can, a delta cannot */
		retime_put_head(w, TYPE_TIME_STAMP, (uint32_t)(ts_ns & MAX_DELTA));
		retime_put_word(w, (uint32_t)(ts_ns >> RETIME_TS_SHIFT));
		delta = 0;
	} else if (ts_ns < w->ts_ns) {
		return 0;
	} else if (delta > MAX_DELTA) {
		if (delta > MAX_STAMP)
			delta = MAX_STAMP;
		retime_put_head(w, TYPE_TIME_EXTEND, (uint32_t)(delta & MAX_DELTA));
		retime_put_word(w, (uint32_t)(delta >> RETIME_TS_SHIFT));
		w->ts_ns += delta;
		return 0;
	}
	w->ts_ns = ts_ns;
	return (uint32_t)delta;
}

/*
 * A record of 4 bytes takes 8 in a page, and at most 8 more with a time stamp before it: twice the page is always
 * enough.
 */
static void retime_put_record(struct writer *w, const struct rs_page_cursor *c, uint64_t ts_ns)
{
	uint32_t delta = retime_approach(w, ts_ns);

	if (c->len_bytes <= MAX_SHORT_BYTES && c->len_bytes % 4 == 0) {
		retime_put_head(w, c->len_bytes / 4, delta);
	} else {
		retime_put_head(w, 0, delta);
		retime_put_word(w, c->len_bytes + 4);
	}
	memcpy(w->page + w->at, c->record, c->len_bytes);
	w->at += c->len_bytes;
}

/* What follows a malformation is copied as it is: the reader meets and counts it. */
static void retime_put_rest(struct writer *w, const struct rs_page_cursor *c)
{
	size_t len = (size_t)(c->end - c->at);

	memcpy(w->page + w->at, c->at, len);
	w->at += len;
}

static void retime_rewrite(const struct retime *r, unsigned int cpu, struct rs_page *page)
{
	struct writer w = { .r = r, .page = r->pages[cpu], .at = r->layout.data_offset };
	struct rs_page_cursor c, loss;
	uint64_t begin_ns;

	if (!rs_page_load(&c, &r->layout, page->data, page->len_bytes))
		return; /* for the reader to count */
	loss = c;
	begin_ns = w.ts_ns = rs_time_map_apply(r->map, cpu, c.ts_ns);
	while (rs_page_next(&c))
		retime_put_record(&w, &c, rs_time_map_apply(r->map, cpu, c.ts_ns));
	if (c.fault)
		retime_put_rest(&w, &c);
	page->data = w.page;
	page->len_bytes = rs_page_put_header(&r->layout, w.page, r->source.info.page_bytes + sizeof(uint64_t), begin_ns,
					     w.at - r->layout.data_offset, &loss);
}

static enum rs_next retime_next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
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

/* Each CPU has its own offset: seeks the widest range of all; the source may return more pages than requested. */
static int retime_seek(struct rs_source *s, uint64_t from_ns, uint64_t to_ns, struct rs_error *err)
{
	struct retime *r = retime_of(s);
	uint64_t from = UINT64_MAX, to = 0;

	from_ns -= from_ns < SLACK_NS ? from_ns : SLACK_NS;
	to_ns = to_ns > UINT64_MAX - SLACK_NS ? UINT64_MAX : to_ns + SLACK_NS;
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		uint64_t begin = rs_time_map_back(r->map, cpu, from_ns), end = rs_time_map_back(r->map, cpu, to_ns);

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

	while (rs_pauses_next(&r->of->pauses, &at, &pause))
		rs_pauses_add(&r->source.pauses, rs_time_map_apply(r->map, 0, pause.off_ns),
			      rs_time_map_apply(r->map, 0, pause.on_ns));
}

struct rs_source *rs_retime(struct rs_source *of, struct rs_error *err)
{
	static const struct rs_source_ops ops = {
		.next = retime_next, .seek = retime_seek, .again = retime_again, .left = retime_left,
		.progress = retime_progress, .close = retime_close,
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
	r->source = (struct rs_source){ .ops = &ops, .info = *info };
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
