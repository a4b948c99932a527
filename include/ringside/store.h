/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - rows of measures by key, grouped by the columns of --by; memory that is not freed
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

/*
 * ---- who has most of something, in a few places ----
 *
 *	struct rs_frequent places[8] = { { 0 } };
 *	rs_frequent_add(places, 8, 0, pid, 0, ns);
 *
 * Who has more than one in nr of all that is added keeps a place, whoever comes; its sum is at most what it
 * had, and by no more than one in nr of all below it (Misra and Gries).
 */

struct rs_frequent {
	uint64_t key0, key1;
	uint64_t sum;              /* 0: the place is free */
	uint64_t nr;               /* additions since it has the place */
};

/*
 * Adds to the sum of these keys. The search begins at places[first % nr], where they are likely to be.
 * Returns their place, where .nr is 1 if they just took it; NULL: all places are taken by those that have
 * more, of which one loses as much.
 */
static inline struct rs_frequent *rs_frequent_add(struct rs_frequent *places, unsigned int nr,
						  unsigned int first, uint64_t key0, uint64_t key1,
						  uint64_t sum)
{
	struct rs_frequent *p, *least = &places[first % nr];

	for (unsigned int i = first % nr, n = 0; n < nr; n++, i = i + 1 < nr ? i + 1 : 0) {
		p = &places[i];
		if (p->sum && p->key0 == key0 && p->key1 == key1) {
			p->sum += sum;
			p->nr++;
			return p;
		}
		least = p->sum < least->sum ? p : least;
	}
	if (least->sum > sum) {
		least->sum -= sum;
		return NULL;
	}
	*least = (struct rs_frequent){ key0, key1, sum, 1 };
	return least;
}

/* ---- measures, and stores of them ---- */

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
	uint64_t kept_bits;        /* of key 0, if the total has rows for it; 0: all */
	/*
	 * Returns the first key, corrected by what is known now; called when rows are grouped. NULL: use the
	 * key as it is.
	 */
	uint64_t (*resolve_key)(const struct rs_task *t, uint64_t key0);
	/* the first key is a stack (sample.h), which stays known as long as the row */
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

/* nr in this interval for each second of it; null where it has no length. The second one is RS_TYPE_MILLI. */
struct rs_value rs_per_second(const struct rs_ctx *c, uint64_t nr);
struct rs_value rs_milli_per_second(const struct rs_ctx *c, uint64_t nr);

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
 * The control group of a row's task, and what people call it (rs_cgroup_names); null where the tasks of
 * the row differ, or it is unknown. The engine fills them in: also in a stream, of the task of its column
 * `tid`, else `pid`, where they are the last columns, behind all values that rs_emit is given.
 */
#define RS_CGROUP_COLUMNS(flags, cgroup_flags) \
	{ "cgroup", "CGROUP", RS_TYPE_TEXT, 0, (flags) | (cgroup_flags), 24, \
	  "its control group; null unknown, and where they differ", .key = RS_KEY_CGROUP }, \
	{ "unit", "UNIT", RS_TYPE_TEXT, 0, (flags) | RS_COLUMN_ON_REQUEST, 24, \
	  "its control group as people know it: service, container, pod", .key = RS_KEY_UNIT }, \
	{ "slice", "SLICE", RS_TYPE_TEXT, 0, (flags) | RS_COLUMN_ON_REQUEST, 16, \
	  "the slice of systemd that it is in, the nearest", .key = RS_KEY_SLICE }, \
	{ "container", "CONTAINER", RS_TYPE_TEXT, 0, (flags) | RS_COLUMN_ON_REQUEST, 16, \
	  "the container that it is in: its name where it is known, else its short id", \
	  .key = RS_KEY_CONTAINER }, \
	{ "pod", "POD", RS_TYPE_TEXT, 0, (flags) | RS_COLUMN_ON_REQUEST, 36, \
	  "the pod of Kubernetes that it is in: namespace/name where they are known, else its uid", \
	  .key = RS_KEY_POD }

/* The command line of the row's process, where it is of one: that of rs_task_cmdline. */
struct rs_value rs_show_cmdline(struct rs_ctx *c, const struct rs_group *g, char *buf);
/* When the process, or under --by tid the thread, began. */
struct rs_value rs_show_start(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_CMDLINE_COLUMNS \
	{ "start_ns", "START", RS_TYPE_TIME, RS_UNIT_S, 0, 14, \
	  "when the process began, or under --by tid the thread; to 10 ms if that was before the capture", \
	  .cell = rs_show_start }, \
	{ "cmdline", "COMMAND", RS_TYPE_TEXT, 0, RS_COLUMN_IF_KNOWN, 0, \
	  "the command line of the process; null unknown, and of several", .cell = rs_show_cmdline }

/*
 * The value of such a column, RS_KEY_CGROUP to RS_KEY_POD, of whose group has that path; NULL: it is unknown.
 * buf: RS_CELL_TEXT_BYTES, where a name is made
 */
struct rs_value rs_cgroup_value(const struct rs_ctx *c, const char *path, enum rs_column_key key, char *buf);

#define RS_STREAM_CGROUP_COLUMNS RS_CGROUP_COLUMNS(0, RS_COLUMN_ON_REQUEST)

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
#define RS_TASK_COLUMNS \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, \
	  "name of the process, or of the thread under --by tid", .key = RS_KEY_COMM }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "process (thread group)", .key = RS_KEY_PID }, \
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "thread", .key = RS_KEY_TID }

#define RS_GROUP_BY_COLUMNS RS_TASK_COLUMNS, RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_ON_REQUEST)

/*
 * For .findings: calls fn with each row of the n-th view as it is without --by (with .also_by, the finer
 * rows), and with the length of the interval; not at all if the interval cannot be judged (rs_judged_ns).
 */
typedef void rs_store_group_fn(struct rs_ctx *c, const struct rs_group *group, uint64_t interval_ns);
void rs_store_for_each_group(struct rs_ctx *c, unsigned int view, rs_store_group_fn *fn);
/* Likewise, called by such a function: with each of the rows that g is one of, which are grouped already. */
void rs_group_for_each(struct rs_ctx *c, const struct rs_group *g, rs_store_group_fn *fn,
		       uint64_t interval_ns);

/*
 * ---- memory that is allocated and not freed ----
 *
 * Blocks by their address, and rows by the stack that allocated them.
 *
 * An analysis has one store of such rows, and its state begins with the blocks:
 *
 *	struct heap { struct rs_blocks *blocks; };
 *	static const struct rs_store stores[] = { RS_BLOCKS_STORE(struct rs_blocks_row, untracked), { 0 } };
 *	...
 *	rs_blocks_add(c, pid, stack, TYPE_MALLOC, &(struct rs_block){ .addr = addr, .bytes = 64,
 *		.ts_ns = hit->ts_ns });
 *	...
 *	if (rs_blocks_take(c, 0, addr, &block))
 *		rs_blocks_freed(c, &block);
 *
 * What lives outlasts intervals. It is unknown in all rows once events were lost: the free of any block may
 * be among them.
 */

#define RS_BLOCKS_OLD_NS 10000000000u   /* where the user says nothing (--older) */
#define RS_BLOCKS_MAX_SITES 65536u
#define RS_BLOCKS_EARLIER 31            /* the second key of frees whose allocation was not seen */

struct rs_blocks;

struct rs_block {
	uint64_t addr, bytes, ts_ns; /* addr 0: it is not known, so it cannot be told when it is freed */
	int32_t space;               /* of addresses: what lies at one address in two spaces are two blocks */
	uint32_t site;               /* which row it is of: rs_blocks_add sets it */
};

/*
 * The first member of a row; .site is behind the measures. What it has now, .live to .oldest_ns, is filled in
 * when rows are shown (.untracked, too).
 */
struct rs_blocks_row {
	uint32_t site;               /* 1 + its number; 0: none. No interval ends it */
	uint64_t oldest_ns;
	uint64_t allocs, alloc_bytes, frees, free_bytes;
	/* sites: 0 of frees whose allocation was not seen */
	uint64_t sites, live, live_bytes, old, old_bytes;
	uint64_t untracked;          /* allocations whose free cannot be told */
};

/* row: begins with a struct rs_blocks_row; last: its last sum, all from .allocs on are. */
#define RS_BLOCKS_STORE(row, last) \
	{ .row_bytes = sizeof(row), .of_tasks = true, .stays_with_thread = true, .keeps_rows = true, \
	  .max_rows = RS_BLOCKS_MAX_SITES, \
	  .key0_is_stack = true, .complete = rs_blocks_complete, \
	  .measures = RS_LIST(rs_measure, \
		{ RS_MEASURE_SUM, offsetof(struct rs_blocks_row, allocs), \
		  .size_bytes = offsetof(row, last) + sizeof(uint64_t) - offsetof(struct rs_blocks_row, \
			  allocs) }, \
		{ RS_MEASURE_MAX, offsetof(struct rs_blocks_row, oldest_ns) }) }

/* Valid as long as the session. NULL: no memory */
struct rs_blocks *rs_blocks_new(struct rs_ctx *c);
/*
 * Counts an allocation in the row of that process and these keys, and remembers the block. One that is there
 * already was freed unseen. Returns the row, to count what else is in it; NULL: no memory.
 */
void *rs_blocks_add(struct rs_ctx *c, int32_t pid, uint64_t key0, uint64_t key1,
		    const struct rs_block *block);
/* Takes a block away, before it is freed or moved. False: its allocation was not seen. */
bool rs_blocks_take(struct rs_ctx *c, int32_t space, uint64_t addr, struct rs_block *taken);
/* The block that was taken is freed: counts it in its row. */
void rs_blocks_freed(struct rs_ctx *c, const struct rs_block *taken);
/* A part of it, or all, goes on to live, there. Where another block lies by now it is dropped, uncounted. */
void rs_blocks_keep(struct rs_ctx *c, const struct rs_block *taken, uint64_t addr, uint64_t bytes);
/*
 * Counts the free of a block whose allocation was not seen: in a row without a stack, of RS_BLOCKS_EARLIER.
 */
void rs_blocks_count_earlier(struct rs_ctx *c, int32_t pid);
/* Events were lost: what lives is unknown from here on. */
void rs_blocks_lost(struct rs_ctx *c);

/* Of the store: fills in what lives. */
void rs_blocks_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row);

/* ---- columns ---- */

/* False: hits were lost, or addresses are not known. */
bool rs_blocks_live_is_known(const struct rs_ctx *c, const struct rs_group *g);
struct rs_value rs_blocks_show_live(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_live_bytes(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_growth(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_old(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_old_bytes(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_oldest(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_rate(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_bytes_rate(struct rs_ctx *c, const struct rs_group *g, char *buf);
/* A weight for flame graphs: the bytes that live; those that were allocated where that is not known. */
struct rs_value rs_blocks_show_weight(struct rs_ctx *c, const struct rs_group *g, char *buf);
/*
 * Of the first key: the innermost function that allocates for no other, its module, it and its callers, all,
 * the modules of these.
 */
struct rs_value rs_blocks_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_callers(struct rs_ctx *c, const struct rs_group *g, char *buf);
struct rs_value rs_blocks_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf);
uint32_t rs_blocks_stack(const struct rs_ctx *c, const struct rs_group *g);
struct rs_value rs_blocks_show_modules(struct rs_ctx *c, const struct rs_group *g, char *buf);

#define RS_BLOCKS_SUM(member) .measure_bytes = offsetof(struct rs_blocks_row, member), .aspect = RS_VALUE
#define RS_BLOCKS_KEY_0 .key = RS_KEY_0, .by_cell = true, .cell

#define RS_BLOCKS_FUNCTION_COLUMNS \
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, \
	  "that called it; [unknown]: no symbol covers the address", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_function }, \
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, \
	  "program or library that has the function", RS_BLOCKS_KEY_0 = rs_blocks_show_module, \
	  .follows = "function" }, \
	{ "callers", "FUNCTION < CALLERS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, \
	  "the function and its callers, innermost first", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_callers }
#define RS_BLOCKS_STACK_COLUMNS \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 0, \
	  "functions, outermost first", RS_BLOCKS_KEY_0 = rs_blocks_show_stack, \
	  .stack = rs_blocks_stack }, \
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, \
	  "modules of these functions, in the same order", \
	  RS_BLOCKS_KEY_0 = rs_blocks_show_modules, .stack = rs_blocks_stack, .of_modules = true, \
	  .follows = "stack" }
#define RS_BLOCKS_COLUMNS \
	{ "allocs", "ALLOCS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "allocations", RS_BLOCKS_SUM(allocs) }, \
	{ "alloc_bytes", "BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "their bytes", \
	  RS_BLOCKS_SUM(alloc_bytes) }, \
	{ "allocs_per_s", "ALLOCS/s", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "allocations a second", \
	  .cell = rs_blocks_show_rate }, \
	{ "bytes_per_s", "BYTES/s", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "bytes a second", \
	  .cell = rs_blocks_show_bytes_rate }, \
	{ "frees", "FREES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "of what it allocated; of earlier, of what it had before", RS_BLOCKS_SUM(frees) }, \
	{ "live", "BLOCKS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "allocations that are not freed; null where that is not known: hits were lost, posix_memalign", \
	  .cell = rs_blocks_show_live }, \
	{ "live_bytes", "LIVE", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, "the bytes of these", \
	  .cell = rs_blocks_show_live_bytes }, \
	{ "growth_bytes", "GROWTH", RS_TYPE_BYTES, 0, RS_COLUMN_SIGNED | RS_COLUMN_SUM, 10, \
	  "by how much that grew in this time, or shrank", .cell = rs_blocks_show_growth }, \
	{ "old", "OLD", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, \
	  "of these, not freed for 10 s or more (--older)", .cell = rs_blocks_show_old }, \
	{ "old_bytes", "OLD BYTES", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, \
	  "bytes that were not freed for 10 s or more (--older)", \
	  .cell = rs_blocks_show_old_bytes }, \
	{ "oldest_ns", "OLDEST(s)", RS_TYPE_DURATION, RS_UNIT_S, 0, 10, \
	  "age of the oldest that is not freed", \
	  .cell = rs_blocks_show_oldest }
#define RS_BLOCKS_WEIGHT_COLUMN \
	{ "self", "WEIGHT", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 10, \
	  "bytes that live; those that were allocated where that is not known", \
	  .cell = rs_blocks_show_weight }

#endif
