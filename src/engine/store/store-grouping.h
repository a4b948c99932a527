/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store-grouping.h - rows of a store on their way to those of a view: by which columns, in which groups */
#ifndef RS_ENGINE_STORE_STORE_GROUPING_H
#define RS_ENGINE_STORE_STORE_GROUPING_H

#include "engine/store/stack-names.h"
#include "engine/store/store-task.h"
#include "model/group.h"

/* The columns to group by, and those without recorded data. */
struct rs_store_by {
	struct rs_store_by_task task;         /* comm, pid, tid, cgroup ... */
	bool is_key[RS_MAX_COLUMNS];      /* by column of the view, including those of tasks */
	uint8_t keys[RS_MAX_COLUMNS];     /* the columns that are keys, but for those of tasks */
	unsigned int nr_keys;
	bool is_unrecorded[RS_MAX_COLUMNS];
	unsigned int one_key;             /* bit n: rows are grouped by key n itself */
	bool stack;                       /* and by stack */
};

struct rs_grouping {
	struct rs_ctx *c;
	const struct rs_store *store;
	const struct rs_view *view;
	const struct rs_query *query;
	struct rs_store_by by;
	struct rs_groups *groups;
	struct rs_groups *totals;         /* by task: see rs_group_share. NULL: not asked for yet */
	struct rs_stack_names names;      /* of columns with a .stack */
	const struct rs_sink *out;        /* who takes the rows; NULL: findings */
	void *copy;                       /* copy of a row, for .complete and .as_caller */
	uint64_t nr_expanded;               /* rows that .expand was called for */
	bool no_memory;
};

struct rs_store_group {
	struct rs_store_task task;
	/* .row: the measures of its row if it has only one, as most groups; else `measures` */
	struct rs_group group;
	bool begun;
	uint64_t expanded;                /* the last of these rows that was added */
	void *measures;                   /* its own; NULL: it has none */
};

/* What a column shows of the key of a row; null where that was forgotten. buf: RS_CELL_TEXT_BYTES */
struct rs_value rs_store_show_key(struct rs_ctx *c, const struct rs_column *column,
				  const struct rs_group *row, char *buf);
bool rs_store_show_key_is_null(const struct rs_column *column, const struct rs_group *row);

/* Gives the group to out: as a row, its measures, or its histogram. */
void rs_store_show_group(struct rs_grouping *g, const struct rs_store_group *group, struct rs_sink *out);

#endif
