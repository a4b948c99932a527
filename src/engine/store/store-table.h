/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-table.h - the rows of the stores of analyses (ringside/store.h): find a row by its key, evict, reset
 */
#ifndef RS_ENGINE_STORE_STORE_TABLE_H
#define RS_ENGINE_STORE_STORE_TABLE_H

#include "base/map.h"
#include "ringside/plugin.h"

struct rs_store_row {
	struct rs_map_node node;           /* by owner and keys */
	struct rs_store_row *older, *newer; /* list of all rows, by age; .newer chains the free ones */
	struct rs_store_row *before, *after; /* list of its owner's rows, likewise */
	struct rs_store_owner *owner;
	struct rs_task *task;              /* NULL: the row has no task, or the task was evicted */
	uint64_t keys[2];
	uint32_t stack;                    /* 0: not divided by stack */
	/* found since the eviction clock's hand has passed it (second chance) */
	bool used;
	_Alignas(max_align_t) unsigned char measures[];
};

/*
 * Owns rows: a task (stored in its bytes), `no_task` for rows without a task, or `evicted`. rs_store_row
 * reads .recent.
 */
struct rs_store_owner {
	struct rs_store_recent recent[RS_STORE_RECENT];
	struct rs_store_row *first, *last;
};

struct rs_store_rows {
	const struct rs_store *store;
	const struct rs_store_access *access; /* where rs_store_row finds the recent rows */
	struct rs_map by_key;
	uint32_t nr_rows;                  /* without those of `evicted` */
	struct rs_store_row *oldest, *newest, *hand; /* hand: of the eviction clock */
	struct rs_store_row *free;
	struct rs_store_owner no_task, evicted;
};

/* Bytes in each task: for stores with keys; for rs_task_data, which includes the row of an .in_task store. */
size_t rs_store_task_bytes(const struct rs_analysis *a);
size_t rs_store_task_data_bytes(const struct rs_analysis *a);
/* Makes the stores of an analysis; task_offset is that of rs_store_task_bytes. 0, or -1 without memory. */
int rs_store_begin(struct rs_ctx *c, const struct rs_analysis *a, size_t task_offset);
void rs_store_done(struct rs_ctx *c);
void rs_store_reset(struct rs_ctx *c); /* an interval begins: removes all rows, or resets their measures */

/* Calls fn with the stack of each row that has one. */
void rs_store_for_each_stack(const struct rs_ctx *c, void (*fn)(void *arg, uint32_t stack), void *arg);

void rs_store_task_begin(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_evict(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_end(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_reassign(struct rs_ctx *c, struct rs_task *from, struct rs_task *to);

/* The measures of a row, or of a group of rows: set to zero, add to others of the same store, free. */
void rs_store_measures_init(const struct rs_store *store, void *measures);
void rs_store_measures_merge(const struct rs_store *store, void *into, const void *from);
void rs_store_measures_done(const struct rs_store *store, void *measures);
bool rs_store_measures_are_empty(const struct rs_store *store, const void *measures);

/* store-cells.c: what a column shows of its measure; text into buf, of RS_CELL_TEXT_BYTES */
struct rs_value rs_store_measure_value(const struct rs_column *column, const void *measure, char *buf);

static inline struct rs_store_owner *rs_store_owner_of(const struct rs_store_rows *s, struct rs_task *t)
{
	return (struct rs_store_owner *)(void *)((char *)t + s->access->task_offset);
}

/* The row of a store that is .in_task. */
static inline void *rs_store_in_task(const struct rs_store_rows *s, struct rs_task *t)
{
	return (char *)t + s->access->task_offset;
}

/* Of a store that is .by_states: a sched event named the task, and it did not end before the last reset. */
static inline bool rs_store_has_row(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_has_states(c, t) && !rs_task_ended_before(c, t);
}

/* Returns the row's first key, corrected by what is known of its task by now. */
static inline uint64_t rs_store_resolve_key(const struct rs_store *store, const struct rs_store_row *row)
{
	return store->resolve_key && row->task ? store->resolve_key(row->task, row->keys[0]) : row->keys[0];
}

/* store-rows.c: the rows of a view whose .store is set. 0, or -ENOMEM: some are missing */
int rs_store_view_rows(struct rs_ctx *c, const struct rs_view *view, const struct rs_query *q,
		       struct rs_sink *out);

#endif
