// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-rows - views whose rows are weighed stacks: of them flame graphs and folded stacks are made */
#include "view/stack-rows.h"

#include "view/columns.h"

bool rs_stack_rows_find(const struct rs_view *view, struct rs_stack_columns *columns)
{
	struct rs_error ignored = { 0 };
	struct rs_sort sort = { .nr = 0 };

	*columns = (struct rs_stack_columns){
		.comm = rs_column_named(view, "comm"), .stack = rs_column_named(view, "stack"),
		.modules = rs_column_named(view, "modules"),
		.cause = rs_column_named(view, "cause"), .self = rs_column_named(view, "self"), .time = -1,
	};
	if (view->kind != RS_VIEW_TABLE || columns->stack < 0 || columns->self < 0 ||
	    rs_columns_parse_sort(view, view->sort, &sort, &ignored) < 0)
		return false;
	if (sort.nr && view->columns[sort.keys[0].column].type == RS_TYPE_DURATION)
		columns->time = sort.keys[0].column;
	return true;
}

static const char *stack_rows_text(const struct rs_value *values, int column)
{
	return column >= 0 && values[column].known ? values[column].s : NULL;
}

/* Faults and events take no time: they count. */
bool rs_stack_rows_is_time(const struct rs_stack_columns *at, const struct rs_value *values)
{
	return at->time >= 0 && values[at->time].u;
}

/* Where rows are by modules alone, that of the one frame that is shown. */
static const char *stack_rows_modules(const struct rs_named_stacks *stacks, const struct rs_value *values,
				      int column)
{
	uint32_t stack = column >= 0 ? values[column].stack : 0, caller;

	if (!stack)
		return stack_rows_text(values, column);
	while ((caller = rs_named_stacks_caller(stacks, stack)))
		stack = caller;
	return rs_named_stacks_module(stacks, stack);
}

void rs_stack_rows_add(struct rs_frame_tree *tree, const struct rs_stack_columns *at,
		       const struct rs_named_stacks *stacks, const struct rs_value *values,
		       enum rs_frame_side side)
{
	const char *text = stack_rows_text(values, at->stack);
	struct rs_frame_stack stack = {
		.outer = stack_rows_text(values, at->comm), .stacks = stacks,
		.stack = values[at->stack].stack, .text = text ? text : "[unknown]",
		.cause = stack_rows_text(values, at->cause),
		.side = side, .weight = values[rs_stack_rows_is_time(at, values) ? at->time : at->self].u,
	};

	if (!stack.stack)
		stack.modules = stack_rows_modules(stacks, values, at->modules);
	rs_frame_tree_add_stack(tree, &stack);
}
