/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-table.h - the rows of the analyses' stores (ringside/store.h): find by key, evict, forget
 */
#ifndef RS_ENGINE_STORE_TABLE_H
#define RS_ENGINE_STORE_TABLE_H

#include "ringside/plugin.h"

struct rs_store_row {
	struct rs_store_row *chain;        /* of its bucket, or of the free ones */
	struct rs_store_row *older, *newer; /* of all, in the order in which they began */
	struct rs_store_row *before, *after; /* of its owner, likewise */
	struct rs_store_owner *owner;
	struct rs_task *task;              /* NULL: it has none, or was evicted */
	uint64_t keys[2];
	bool used;                         /* found again since the search for one to evict has passed it */
	_Alignas(max_align_t) unsigned char measures[];
};

/* The rows of a task (kept in its bytes), those without a task, or the evicted ones. rs_store_row reads .recent. */
struct rs_store_owner {
	struct rs_store_recent recent[RS_STORE_RECENT];
	struct rs_store_row *first, *last;
};

struct rs_store_rows {
	const struct rs_store *store;
	const struct rs_store_access *access; /* where rs_store_row finds the recent rows */
	struct rs_store_row **buckets;
	uint32_t nr_buckets, nr_rows;      /* evicted ones apart */
	struct rs_store_row *oldest, *newest, *hand; /* hand: where the search for one to evict goes on */
	struct rs_store_row *free;
	struct rs_store_owner nobody, evicted;
};

/* Bytes of each task: for the stores whose rows have keys; and what rs_task_data returns, with a store's row in it. */
size_t rs_store_task_bytes(const struct rs_analysis *a);
size_t rs_store_task_data_bytes(const struct rs_analysis *a);
/* The stores of c's analysis; task_offset: of these bytes. 0, or -1 without memory. */
int rs_store_begin(struct rs_ctx *c, const struct rs_analysis *a, size_t task_offset);
void rs_store_done(struct rs_ctx *c);
void rs_store_reset(struct rs_ctx *c); /* an interval begins: forgets all rows, or what they measured */

void rs_store_task_begin(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_evict(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_end(struct rs_ctx *c, struct rs_task *t);
void rs_store_task_reassign(struct rs_ctx *c, struct rs_task *from, struct rs_task *to);

/* Adds measures, which may be anybody's, to others of the same store. */
void rs_store_measures_init(const struct rs_store *store, void *measures);
void rs_store_measures_merge(const struct rs_store *store, void *into, const void *from);
void rs_store_measures_done(const struct rs_store *store, void *measures);
bool rs_store_measures_are_empty(const struct rs_store *store, const void *measures);

static inline struct rs_store_owner *rs_store_owner_of(const struct rs_store_rows *s, struct rs_task *t)
{
	return (struct rs_store_owner *)(void *)((char *)t + s->access->task_offset);
}

/* The row of a store that is .in_task. */
static inline void *rs_store_in_task(const struct rs_store_rows *s, struct rs_task *t)
{
	return (char *)t + s->access->task_offset;
}

/* The first key as it is known by now of the row's task. */
static inline uint64_t rs_store_resolve_key(const struct rs_store *store, const struct rs_store_row *row)
{
	return store->resolve_key && row->task ? store->resolve_key(row->task, row->keys[0]) : row->keys[0];
}

/* store-rows.c: the rows of a view whose .store is set. 0, or -ENOMEM: some are missing */
int rs_store_view_rows(struct rs_ctx *c, const struct rs_view *view, const struct rs_query *q, struct rs_sink *out);

#endif
