/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side-stacks.h - the stacks of both sides of a comparison, as one tree of frames, for a flame graph of their
 * difference
 *
 *	rs_side_stacks_init(&stacks, "profile-stacks", &err);
 *	rs_side_take_stacks(a, &stacks, true); // a is what is compared with
 *	rs_side_take_stacks(b, &stacks, false);
 *	... the sides measure ...
 *	if (rs_side_stacks_finish(&stacks))      // else there are none on both, or no memory
 *		... stacks.tree ...
 *	rs_side_stacks_done(&stacks);
 *
 * Whole stacks do not fit into the keys of rows; and they are compared as shares of all, not one by one.
 */
#ifndef RS_COMPARE_SIDE_STACKS_H
#define RS_COMPARE_SIDE_STACKS_H

#include "engine/session.h"
#include "view/stack-rows.h"

struct rs_side_stacks {
	struct rs_view_ref ref;
	struct rs_stack_columns columns;
	struct rs_frame_tree *tree;
	bool is_time, failed;
};

/* -1: err is set: the view's rows are no stacks, or there is none of that name. */
int rs_side_stacks_init(struct rs_side_stacks *stacks, const char *view, struct rs_error *err);
void rs_side_stacks_done(struct rs_side_stacks *stacks);
/* What the session has of its interval. */
void rs_side_stacks_add(struct rs_side_stacks *stacks, struct rs_session *s, enum rs_frame_side side);
/* False: one side has none, which is no difference; or .failed, no memory. */
bool rs_side_stacks_finish(struct rs_side_stacks *stacks);

#endif
