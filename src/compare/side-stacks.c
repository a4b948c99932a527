// SPDX-License-Identifier: GPL-2.0-or-later
/* side-stacks - the stacks of both sides of a comparison, as one tree of frames */
#include "compare/side-stacks.h"

#include <string.h>

int rs_side_stacks_init(struct rs_side_stacks *stacks, const char *view, struct rs_error *err)
{
	memset(stacks, 0, sizeof *stacks);
	if (!rs_requirements_find_view(view, &stacks->ref, err))
		return -1;
	if (!rs_stack_rows_find(stacks->ref.view, &stacks->columns))
		return rs_fail_usage(err, "%s: its rows are no stacks, of which a flame graph could be made",
				     view);
	stacks->tree = rs_frame_tree_new();
	return stacks->tree ? 0 : rs_fail(err, "cannot compare: out of memory");
}

void rs_side_stacks_done(struct rs_side_stacks *stacks)
{
	rs_frame_tree_free(stacks->tree);
	stacks->tree = NULL;
}

struct stacks_sink {
	struct rs_sink sink;        /* first */
	struct rs_side_stacks *to;
	enum rs_frame_side side;
};

static void stacks_take_row(struct rs_sink *sink, const struct rs_value *values)
{
	const struct stacks_sink *from = (const struct stacks_sink *)sink;

	from->to->is_time |= rs_stack_rows_is_time(&from->to->columns, values);
	rs_stack_rows_add(from->to->tree, &from->to->columns, NULL, values, from->side);
}

void rs_side_stacks_add(struct rs_side_stacks *stacks, struct rs_session *s, enum rs_frame_side side)
{
	static const struct rs_query query; /* by default by process, which is the outermost frame */
	struct stacks_sink sink = { .sink.row = stacks_take_row, .to = stacks, .side = side };

	if (rs_session_rows(s, &stacks->ref, &query, &sink.sink) < 0)
		stacks->failed = true;
}

bool rs_side_stacks_finish(struct rs_side_stacks *stacks)
{
	const struct rs_frame_node *root;

	if (!rs_frame_tree_finish(stacks->tree))
		stacks->failed = true;
	if (stacks->failed)
		return false;
	root = rs_frame_tree_node(stacks->tree, RS_FRAME_ROOT);
	return root->total[RS_FRAME_SHOWN] && root->total[RS_FRAME_BEFORE];
}
