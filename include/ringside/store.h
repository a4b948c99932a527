/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - rows of measures by key, grouped by the columns of --by
 *
 * An analysis declares the measures of a row and updates them. The engine finds the row of a key, bounds the
 * number of rows, merges rows by the columns of --by, and resets them at the end of an interval.
 *
 *	struct call_row { struct rs_hist latency; uint64_t errors; };
 *
 *	static const struct rs_measure call_measures[] = {
 *		{ RS_MEASURE_LATENCY, offsetof(struct call_row, latency) },
 *		{ RS_MEASURE_SUM, offsetof(struct call_row, errors) },
 *		{ 0 },
 *	};
 *	static const struct rs_store stores[] = {
 *		{ .row_bytes = sizeof(struct call_row), .measures = call_measures, .of_tasks = true,
 *			.max_rows = 65536 },
 *		{ 0 },
 *	};
 *	...
 *	row = rs_store_row(c, 0, call->task, (uint64_t)call->nr, 0);
 *	if (row)
 *		rs_latency_add(c, &row->latency, call->enter_ns, call->exit_ns, call->in_flight);
 *
 * A column says what it shows of a group of rows: see .aspect and .key in struct rs_column. The rows of a
 * view whose .store is set follow from that: the view needs no function.
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
struct rs_unseen;
struct rs_query;

#define RS_KEY_FORGOTTEN UINT64_MAX /* null in every column */

/* A new row is zeroed, and its histograms are initialized. */
enum rs_measure_kind {
	RS_MEASURE_LATENCY = 1, /* struct rs_hist */
	RS_MEASURE_SUM,         /* uint64_t: saturates instead of wrapping */
	RS_MEASURE_MAX,         /* uint64_t */
	RS_MEASURE_PEAK,        /* struct rs_peak */
	RS_MEASURE_TOP,         /* struct rs_top */
	RS_MEASURE_OTHER,       /* merged by .merge; owns no memory */
};

/* The longest of many latencies: its length, its start, and what it was. */
struct rs_peak {
	uint64_t len_ns, at_ns;
	const void *of;            /* the analysis' own: must outlive the session's rows; may be NULL */
	bool known;                /* false: nothing was added */
};

static inline void rs_peak_merge(struct rs_peak *into, const struct rs_peak *from)
{
	if (from->known && (!into->known || from->len_ns > into->len_ns))
		*into = *from;
}

static inline void rs_peak_add(struct rs_peak *peak, uint64_t at_ns, uint64_t len_ns, const void *of)
{
	rs_peak_merge(peak, &(struct rs_peak){ len_ns, at_ns, of, true });
}

/*
 * The task that came most often, in a few places.
 *
 *	struct rs_top wakers = { 0 };
 *	rs_top_add(&wakers, tid, comm);
 *	v[TOP_WAKER] = rs_s(rs_top_text(&wakers, buf, sizeof buf));  // "comm/tid", "<irq>" for tid 0; NULL:
 *	                                                             // none came
 *
 * Exact while no more than RS_TOP_PLACES came; then who came least gives its place, and its count, to
 * the new one: a task that came more often than once in RS_TOP_PLACES is still among them.
 */
#define RS_TOP_PLACES 4

struct rs_top {
	struct {
		uint64_t nr;           /* 0: the place is free */
		int32_t tid;
		char comm[RS_COMM_LEN]; /* "" unknown */
	} at[RS_TOP_PLACES];
};

/* comm: RS_COMM_LEN bytes, as a task's; NULL unknown */
void rs_top_add(struct rs_top *top, int32_t tid, const char *comm);
void rs_top_merge(struct rs_top *into, const struct rs_top *from);
/* Returns who came most often; NULL: an interrupt, or a name that is not known. */
const char *rs_top_first(const struct rs_top *top, int32_t *tid);
const char *rs_top_text(const struct rs_top *top, char *buf, size_t size_bytes);

struct rs_measure {
	enum rs_measure_kind kind;
	size_t offset_bytes;
	void (*merge)(void *into, const void *from); /* of RS_MEASURE_OTHER; both point to the measure */
	/* of RS_MEASURE_OTHER; of a SUM, more than 8 for several in a row. Of others 0 */
	size_t size_bytes;
};

/*
 * The sums from member `first` to member `last` of a row, both included: uint64_t, with nothing else between
 * them.
 */
#define RS_MEASURE_SUMS(row, first, last) \
	{ RS_MEASURE_SUM, offsetof(row, first), .size_bytes = offsetof(row, last) - offsetof(row, \
		first) + sizeof(uint64_t) }

/*
 * An array of them ends with one whose .row_bytes is 0. A row belongs to a task (.in_task, .of_tasks) or has
 * none. An exec by a thread moves the rows of that thread to its leader; the rows of an evicted task stay,
 * without a task.
 */
struct rs_store {
	size_t row_bytes;
	const struct rs_measure *measures; /* ends with a kind of 0 */
	/*
	 * One row for each task, without keys: the first bytes of what rs_task_data returns, so no search
	 * finds it. At most one store of an analysis.
	 */
	bool in_task;
	bool of_tasks;             /* rows have keys and belong to a task */
	bool stays_with_thread;    /* an exec leaves the rows where they are */
	/* a reset keeps the row: it resets the measures, and leaves its other bytes */
	bool keeps_rows;
	/* with more rows, one that was not used lately is added to the evicted total */
	uint32_t max_rows;
	/*
	 * bit n: the evicted total has a row for each key n; a key without its bit becomes RS_KEY_FORGOTTEN
	 */
	unsigned int kept_keys;
	/*
	 * Returns the first key, corrected by what is known now; called when rows are grouped. NULL: use the
	 * key as it is.
	 */
	uint64_t (*resolve_key)(const struct rs_task *t, uint64_t key0);
	/* the first key is a stack (stack.h), which stays known as long as the row */
	bool key0_is_stack;
	/*
	 * Rows that divide those of this store by stack, where it cannot (.in_task): views show both together
	 * under --by stack, and only this store otherwise. .complete of this one must then leave out what
	 * they have. NULL: none.
	 */
	const struct rs_store *by_stack;
	/*
	 * .in_task: views show each task that a sched event named, even if its measures are empty, and that
	 * did not end before the last reset. False: only rows with measures.
	 */
	bool by_states;
	/*
	 * Completes a copy of the row with data of the engine, of /proc, or that depends on the current time:
	 * called for each row of a view, and before the row of a task is evicted (then q is NULL). t is NULL
	 * for rows without a task. May be NULL.
	 */
	void (*complete)(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row);
};

/* The engine's cache of rows that were found lately, indexed by the lowest bits of their keys. */
struct rs_store_recent {
	uint64_t key0, key1;
	void *measures;            /* NULL: none */
};

#define RS_STORE_RECENT 4u

struct rs_store_access {
	size_t task_offset;        /* of the recent rows in each task; 0: rows are not of tasks */
	struct rs_store_recent *no_task;
};

void *rs_store_find(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0, uint64_t key1);
/* See rs_store_row_of_stack. */
void *rs_store_find_of_stack(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0,
			     uint64_t key1, uint32_t stack);

/* Returns the row after `after` of those without a task, oldest first; NULL begins and ends. */
void *rs_store_next(struct rs_ctx *c, unsigned int store, void *after);

/* Likewise of the rows of a task, for a store that is .of_tasks; *key0 gets the first key. */
void *rs_store_next_of(struct rs_ctx *c, unsigned int store, const struct rs_task *t, void *after,
		       uint64_t *key0);

/*
 * rs_store_row(c, store, t, key0, key1) - returns the row of that task (NULL: without a task) and these keys,
 * zeroed and
 * histograms begun when it is new. NULL: out of memory, which is counted as an eviction. It lives until the
 * next call. Defined in plugin.h, because it accesses the context.
 *
 * rs_store_row_of_stack(c, store, t, key0, key1, stack) - likewise, and divides such rows by the stack of the
 * event that began what is
 * measured: for RS_BY_STACK_COLUMN. stack 0: none was recorded, so it is the same row.
 */

/* A group of merged rows, for a column's .cell. */
struct rs_group {
	const void *row;           /* the measures of all of them */
	uint64_t keys[2];          /* of the first */
	uint32_t stack;            /* likewise; 0: none */
	unsigned int one_key;      /* bit n: all of them have this key n */
	/* of the first; NULL: the row has none, it was evicted, or only /proc has shown it */
	const struct rs_task *task;
	const char *comm;          /* of the first, as the row shows it; "" unknown */
	int32_t pid;               /* likewise; 0 unknown */
	const struct rs_query *query;
	const struct rs_grouping *grouping;
};

bool rs_group_is_by(const struct rs_group *g, const char *column); /* rows are kept apart by that column */

/*
 * Returns the percentage that the group's time in a latency is of all rows of its task, as the rows are by
 * comm, pid or tid; of all rows, if they are not. measure_bytes: of that one latency, in each call.
 */
struct rs_value rs_group_share(const struct rs_group *g, size_t measure_bytes);

/*
 * For .add_in_flight: returns the measures of the group that such a row belongs to, to be added to. NULL: no
 * memory.
 */
void *rs_grouping_row(struct rs_grouping *g, const struct rs_task *t, uint64_t key0, uint64_t key1,
		      uint32_t stack);
/* Likewise, for a task that only /proc has shown. */
void *rs_grouping_unseen(struct rs_grouping *g, const struct rs_unseen *u);

/* The cell of a store whose first key is an address: "0x7f..." */
struct rs_value rs_show_address(struct rs_ctx *c, const struct rs_group *g, char *buf);

/*
 * The control group of the row's task. A column that groups by it: .key = RS_KEY_1, .by_cell = true, .cell =
 * rs_show_cgroup, of an analysis with .samples = RS_SAMPLE_CGROUPS.
 */
struct rs_value rs_show_cgroup(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_CGROUP_COLUMN \
	{ "cgroup", "CGROUP", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 24, \
	  "its control group, under --by cgroup", .key = RS_KEY_1, \
	  .by_cell = true, .cell = rs_show_cgroup }

/*
 * Where the stacks of events were recorded: "futex_wait < do_futex < main", of an analysis that .uses_stacks,
 * and whose rows are divided by stack (rs_store_row_of_stack).
 */
struct rs_value rs_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_BY_STACK_COLUMN(show) \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_OF_STACKS | RS_COLUMN_IF_KNOWN, 24, \
	  "under --by stack, where stacks were recorded (--stacks): the function, and its callers", \
	  .key = RS_KEY_STACK, .by_cell = true, .cell = (show) }

/*
 * Of a stream, its last: shown where --stacks records them, or --columns names it. Its value is that of
 * rs_stack_value.
 */
#define RS_STREAM_STACK_COLUMN \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_OF_STACKS | RS_COLUMN_IF_KNOWN, 0, \
	  "where it was begun, where stacks were recorded (--stacks): the function, and its callers" }

/* Key columns of tasks. */
#define RS_GROUP_BY_COLUMNS \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, \
	  "name of the process, or of the thread under --by tid", .key = RS_KEY_COMM }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID }, \
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID }

/*
 * For .findings: calls fn with each row of the n-th view as it is without --by (with .also_by, the finer
 * rows), and with the length of the interval; not at all if the interval cannot be judged (rs_judged_ns).
 */
typedef void rs_store_group_fn(struct rs_ctx *c, const struct rs_group *group, uint64_t interval_ns);
void rs_store_for_each_group(struct rs_ctx *c, unsigned int view, rs_store_group_fn *fn);

#endif
