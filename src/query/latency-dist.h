/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency-dist.h - latencies of the spans of a kind: a histogram, a heat map, or the slowest spans
 *
 *	struct rs_latency_dist *l = rs_latency_dist_new(timelines, &ask, &err);
 *	while (rs_latency_dist_go(l, 200000))  // spans to read before others may run
 *		;
 *	... l->hist, l->heat, l->slowest ...
 *	rs_latency_dist_free(l);
 *
 * A span belongs to the time in which it ends.
 */
#ifndef RS_QUERY_LATENCY_DIST_H
#define RS_QUERY_LATENCY_DIST_H

#include "query/span-walk.h"
#include "query/track-cells.h"
#include "ringside/hist.h"

#define RS_MAX_SLOWEST 1000
#define RS_LATENCY_DIST_LABELS 16
#define RS_HEAT_ROWS 100 /* 0, then two for each power of two: [2^k, 1.5 * 2^k), [1.5 * 2^k, 2^(k+1)) */

enum rs_latency_dist_as { RS_LATENCY_DIST_HISTOGRAM, RS_LATENCY_DIST_HEAT, RS_LATENCY_DIST_SLOWEST };

typedef bool rs_latency_dist_passes(const void *where, const struct rs_track_ref *ref,
				    const struct rs_timeline_span *span);

struct rs_latency_panel_ask {
	unsigned int kind;        /* its number */
	const char *labels[RS_LATENCY_DIST_LABELS]; /* any of these names or patterns */
	unsigned int nr_labels;   /* 0: all */
	int32_t pid, tid;         /* 0 all */
	bool one_track;
	struct rs_track_ref track;
	uint64_t from_ns, to_ns;
	enum rs_latency_dist_as as;
	unsigned int columns;     /* of a heat map, at most RS_MAX_CELLS */
	size_t limit;             /* of the longest, at most RS_MAX_SLOWEST */
	uint64_t min_ns, max_ns;  /* of length, max_ns exclusive; all: 0, UINT64_MAX */
	/* Which of these spans; called with `where`. NULL: all */
	rs_latency_dist_passes *passes;
	const void *where;
};

struct rs_slowest_span {
	struct rs_track_ref ref;
	enum rs_span_shape shape;
	struct rs_timeline_span span;
};

struct rs_heat_cell {
	uint64_t ns;                /* the sum of these durations; UINT64_MAX: that or more */
	uint32_t count;
};

struct rs_latency_dist {
	struct rs_latency_panel_ask ask;
	struct rs_hist hist;                      /* of all requested spans, but for the slowest */
	struct rs_cells cells;                    /* columns of the heat map */
	struct rs_heat_cell *heat;                /* RS_HEAT_ROWS rows of .cells.nr cells */
	struct rs_slowest_span *slowest;             /* slowest first, when it is done */
	size_t nr_slowest;
	/* progress */
	struct rs_timelines *timelines;
	const struct rs_span_kind *kind;
	struct rs_span_walk walk;
	uint64_t min_ns;                          /* shorter ones are not looked at */
	struct rs_known_style *known;              /* which arguments pass */
};

/* Returns NULL with err. */
struct rs_latency_dist *rs_latency_dist_new(struct rs_timelines *t, const struct rs_latency_panel_ask *ask,
					    struct rs_error *err);
/* spans of all kinds on the tracks in that time: O(tracks log n) */
uint64_t rs_latency_dist_nr(const struct rs_latency_dist *l);
bool rs_latency_dist_go(struct rs_latency_dist *l, uint64_t nr_spans); /* false: it is done */
void rs_latency_dist_free(struct rs_latency_dist *l);

/* The row of a heat map, and its durations: to_ns is exclusive. */
unsigned int rs_latency_dist_heat_row(uint64_t duration_ns);
void rs_latency_dist_heat_bounds(unsigned int row, uint64_t *from_ns, uint64_t *to_ns);

#define RS_SLOWEST_LEAST_NS 10000     /* shorter ones are not worth a line */
#define RS_SLOWEST_MOST 50            /* of each kind */

/*
 * Finds the longest spans of each kind that is worth it (rs_span_kind.slowest) and that end within the time:
 * by kind, longest first, `limit` of each. budget: the number of spans to read; the longest are found first.
 * passes: which of them, called with `where`; NULL: all. NULL: none, or no memory.
 */
struct rs_slowest_span *rs_latency_dist_find_slowest(struct rs_timelines *t, uint64_t from_ns, uint64_t to_ns,
						     size_t limit, uint64_t budget,
						     rs_latency_dist_passes *passes, const void *where,
						     size_t *nr);

#endif
