/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - measures by key: what an analysis adds up, grouped as the user asks
 *
 * An analysis declares the measures of a row, and feeds them. The engine finds the row of a key, keeps their number
 * bounded, merges them by the columns of --by, and forgets them at the end of an interval.
 *
 *	struct call_row { struct rs_hist latency; uint64_t errors; };
 *
 *	static const struct rs_measure call_measures[] = {
 *		{ RS_MEASURE_LATENCY, offsetof(struct call_row, latency) },
 *		{ RS_MEASURE_SUM, offsetof(struct call_row, errors) },
 *		{ 0 },
 *	};
 *	static const struct rs_store stores[] = {
 *		{ .row_bytes = sizeof(struct call_row), .measures = call_measures, .of_tasks = true, .most_rows = 65536 },
 *		{ 0 },
 *	};
 *	...
 *	row = rs_store_row(c, 0, call->task, (uint64_t)call->nr, 0);
 *	if (row)
 *		rs_latency_add(c, &row->latency, call->enter_ns, call->exit_ns, call->in_flight);
 *
 * A column says what it shows of a group of rows: see .aspect and .key in struct rs_column. The rows of a view whose
 * .store is set follow from that: it needs no function of its own.
 */
#ifndef RINGSIDE_STORE_H
#define RINGSIDE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist.h"
#include "table.h"
#include "task.h"

struct rs_ctx;
struct rs_finding_sink;

#define RS_KEY_FORGOTTEN UINT64_MAX /* null in every column */

enum rs_measure_kind {
	RS_MEASURE_LATENCY = 1, /* struct rs_hist; the others are uint64_t */
	RS_MEASURE_SUM,         /* stays at its largest value rather than wrap */
	RS_MEASURE_MAX,
	RS_MEASURE_OTHER,       /* merged by .merge; zeroed when it begins, owns no memory */
};

struct rs_measure {
	enum rs_measure_kind kind;
	size_t offset_bytes;
	void (*merge)(void *into, const void *from); /* of RS_MEASURE_OTHER: both point to the measure */
};

/* Ends with one whose .row_bytes is 0. */
struct rs_store {
	size_t row_bytes;
	const struct rs_measure *measures; /* ends with a kind of 0 */
	bool of_tasks;             /* rows are a task's: an exec by a thread takes them to its leader; of an evicted task they
	                              are nobody's */
	bool stays_with_thread;    /* but an exec leaves them where they are */
	uint32_t most_rows;        /* then a row that was not used lately goes into the evicted total */
	unsigned int evicted_keys; /* bit n: rows of the evicted total are kept apart by key n; the other becomes RS_KEY_FORGOTTEN */
	/* The key as it is known by now, when rows are grouped; NULL: as it was given */
	uint64_t (*settle)(const struct rs_task *t, uint64_t key0);
};

/* The engine's: a row that was asked for lately, by its keys' lowest bits. Most calls ask for the same few again. */
struct rs_store_recent {
	uint64_t key0, key1;
	void *measures;            /* NULL: none */
};

#define RS_STORE_RECENT 4u

struct rs_store_access {
	size_t task_offset;        /* of the recent rows in each task; 0: rows are not of tasks */
	struct rs_store_recent *nobody;
};

void *rs_store_find(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0, uint64_t key1);

/*
 * rs_store_row(c, store, t, key0, key1) - the measures of the row of that task (NULL: of nobody) and these keys, zeroed and
 * histograms begun when it is new. NULL: out of memory, which is counted as an eviction. It lives until the next call.
 * In plugin.h, for it looks into the context.
 */

/* Rows that merged, as a column's .cell sees them. */
struct rs_group {
	const void *row;           /* the measures of all of them */
	uint64_t keys[2];          /* of the first */
	unsigned int one_key;      /* bit n: all of them have this key n */
	const struct rs_task *task; /* of the first; NULL: nobody's, or evicted */
	const struct rs_grouping *grouping;
};

bool rs_group_is_by(const struct rs_group *g, const char *column); /* rows are kept apart by that column */

/* For rows that are not over: the measures of the group that such a row belongs to, to be added to. NULL: no memory. */
void *rs_grouping_row(struct rs_grouping *g, const struct rs_task *t, uint64_t key0, uint64_t key1);

/*
 * For .findings: judge is asked of each group of the view's rows as the view has them without --by, with the length of the
 * interval; of none where nothing can be said of it (rs_judged_ns).
 */
typedef void rs_store_judge_fn(struct rs_ctx *c, const struct rs_group *group, uint64_t interval_ns, struct rs_finding_sink *out);
void rs_store_judge(struct rs_ctx *c, const struct rs_view *view, struct rs_finding_sink *out, rs_store_judge_fn *judge);

#endif
