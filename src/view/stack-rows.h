/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack-rows.h - views whose rows are weighed stacks: of them flame graphs and folded stacks are made */
#ifndef RS_VIEW_STACK_ROWS_H
#define RS_VIEW_STACK_ROWS_H

#include "model/frame-tree.h"
#include "ringside/table.h"

/* Their columns; -1: the view has no such column. */
struct rs_stack_columns {
	int comm, stack, modules, cause;
	int self;                /* for folded stacks: a number, of any unit */
	int time;                /* waited: the first that the view is sorted by */
};

/* False: the rows of this view are no stacks. */
bool rs_stack_rows_find(const struct rs_view *view, struct rs_stack_columns *columns);
/* Returns true if the row's weight is a time, in ns; else it is a number: of samples, of faults. */
bool rs_stack_rows_is_time(const struct rs_stack_columns *columns, const struct rs_value *values);
/*
 * The process, if rows are by comm, is the outermost frame. stacks: of numbers in rows, the same for all of a
 * tree; NULL: they have texts.
 */
void rs_stack_rows_add(struct rs_frame_tree *tree, const struct rs_stack_columns *columns,
		       const struct rs_named_stacks *stacks, const struct rs_value *values,
		       enum rs_frame_side side);

#endif
