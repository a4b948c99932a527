// SPDX-License-Identifier: GPL-2.0-or-later
/* icicle.c - the layout of a flame graph: which frame has which columns, the outermost in the first line */
#include "tui/flame/icicle.h"

#include <stdlib.h>

#include "base/vector.h"

#define ICICLE_EPSILON 1e-9 /* sums of shares are not exact */

/* What a layout is made of. */
struct icicle_frame {
	struct rs_icicle *ic;
	const struct rs_frame_tree *tree;
	const struct rs_frame_node *zoomed;
	int width;
};

static int icicle_column(const struct icicle_frame *f, double at)
{
	return (int)((at - f->zoomed->at) / f->zoomed->size * f->width + ICICLE_EPSILON);
}

static bool icicle_begin_line(struct rs_icicle *ic)
{
	size_t *line = RS_VECTOR_ADD(&ic->lines, &ic->nr_lines, &ic->lines_room);

	if (line)
		*line = ic->nr;
	return line;
}

static bool icicle_add(struct rs_icicle *ic, const struct rs_icicle_cell *cell)
{
	struct rs_icicle_cell *new = RS_VECTOR_ADD(&ic->cells, &ic->nr, &ic->room);

	if (!new)
		return false;
	*new = *cell;
	new->line = (uint32_t)ic->nr_lines - 1;
	return true;
}

/* The callers of the zoomed frame, and itself. */
static bool icicle_add_callers(const struct icicle_frame *f, uint32_t node)
{
	const struct rs_frame_node *n = rs_frame_tree_node(f->tree, node);

	for (uint32_t depth = 0; depth <= n->depth; depth++) {
		uint32_t caller = node;

		while (rs_frame_tree_node(f->tree, caller)->depth > depth)
			caller = rs_frame_tree_node(f->tree, caller)->caller;
		if (!icicle_begin_line(f->ic) || !icicle_add(f->ic,
			&(struct rs_icicle_cell){ .node = caller, .width = f->width }))
			return false;
	}
	return true;
}

/*
 * What is left of a frame's children, from the i-th on, is narrow. It needs a column, if need be the last one
 * of the sibling before it.
 */
static bool icicle_add_merged(const struct icicle_frame *f, const struct rs_icicle_cell *caller, uint32_t i,
			      size_t siblings)
{
	const struct rs_frame_node *n = rs_frame_tree_node(f->tree, caller->node),
				   *first = rs_frame_tree_node(f->tree,
							       rs_frame_tree_child(f->tree, caller->node, i)),
				   *last = rs_frame_tree_node(
					   f->tree, rs_frame_tree_child(f->tree, caller->node, n->nr - 1));
	struct rs_icicle_cell cell = { .node = caller->node, .nr_merged = n->nr - i, .first_merged = i,
				       .x = icicle_column(f, first->at) };
	int end = caller->x + caller->width;
	struct rs_icicle_cell *before = f->ic->nr > siblings ? &f->ic->cells[f->ic->nr - 1] : NULL;

	cell.width = icicle_column(f, last->at + last->size) - cell.x;
	cell.width = cell.width > 0 ? cell.width : 1;
	if (cell.x + cell.width > end) {
		if (!before || before->width < 2)
			return true;
		before->width--;
		cell.x = end - 1;
		cell.width = 1;
	}
	return icicle_add(f->ic, &cell);
}

static bool icicle_add_children(const struct icicle_frame *f, struct rs_icicle_cell caller)
{
	const struct rs_frame_node *n = rs_frame_tree_node(f->tree, caller.node);
	size_t siblings = f->ic->nr;

	for (uint32_t i = 0; i < n->nr; i++) {
		struct rs_icicle_cell cell = { .node = rs_frame_tree_child(f->tree, caller.node, i) };
		const struct rs_frame_node *child = rs_frame_tree_node(f->tree, cell.node);

		if (child->size / f->zoomed->size * f->width < 1 - ICICLE_EPSILON)
			return icicle_add_merged(f, &caller, i, siblings);
		cell.x = icicle_column(f, child->at);
		cell.width = icicle_column(f, child->at + child->size) - cell.x;
		if (!icicle_add(f->ic, &cell))
			return false;
	}
	return true;
}

static bool icicle_add_lines(const struct icicle_frame *f)
{
	struct rs_icicle *ic = f->ic;

	for (size_t from = ic->nr - 1, to = ic->nr; from < to; from = to, to = ic->nr) {
		if (!icicle_begin_line(ic))
			return false;
		for (size_t i = from; i < to; i++)
			if (!ic->cells[i].nr_merged && !icicle_add_children(f, ic->cells[i]))
				return false;
	}
	return true; /* the last line is empty: it is the end of the others */
}

bool rs_icicle_make(struct rs_icicle *ic, const struct rs_frame_tree *tree, uint32_t zoomed, int width)
{
	struct icicle_frame f = { ic, tree, rs_frame_tree_node(tree, zoomed), width };

	ic->nr = ic->nr_lines = 0;
	ic->zoomed = zoomed;
	if (width < 1 || !f.zoomed->size)
		return true;
	if (icicle_add_callers(&f, zoomed) && icicle_add_lines(&f)) {
		ic->nr_lines--;
		return true;
	}
	ic->nr = ic->nr_lines = 0;
	return false;
}

void rs_icicle_done(struct rs_icicle *ic)
{
	free(ic->cells);
	free(ic->lines);
	*ic = (struct rs_icicle){ .nr = 0 };
}

size_t rs_icicle_first(const struct rs_icicle *ic, size_t line)
{
	return line < ic->nr_lines ? ic->lines[line] : ic->nr;
}

size_t rs_icicle_at(const struct rs_icicle *ic, size_t line, int x)
{
	for (size_t i = rs_icicle_first(ic, line); i < rs_icicle_first(ic, line + 1); i++)
		if (x >= ic->cells[i].x && x < ic->cells[i].x + ic->cells[i].width)
			return i;
	return SIZE_MAX;
}

/* SIZE_MAX: not among the cells of its line. */
static size_t icicle_find_shown(const struct rs_icicle *ic, const struct rs_frame_node *n, uint32_t node)
{
	size_t merged = SIZE_MAX;

	for (size_t i = rs_icicle_first(ic, n->depth); i < rs_icicle_first(ic, n->depth + 1); i++) {
		if (!ic->cells[i].nr_merged && ic->cells[i].node == node)
			return i;
		if (ic->cells[i].nr_merged && ic->cells[i].node == n->caller)
			merged = i;
	}
	return merged;
}

size_t rs_icicle_find(const struct rs_icicle *ic, const struct rs_frame_tree *tree, uint32_t node)
{
	for (;; node = rs_frame_tree_node(tree, node)->caller) {
		size_t found = icicle_find_shown(ic, rs_frame_tree_node(tree, node), node);

		if (found != SIZE_MAX || node == RS_FRAME_ROOT)
			return found;
	}
}

size_t rs_icicle_step(const struct rs_icicle *ic, size_t at, enum rs_icicle_step step)
{
	const struct rs_icicle_cell *cell = &ic->cells[at];
	size_t first = rs_icicle_first(ic, cell->line), end = rs_icicle_first(ic, cell->line + 1),
	       found = SIZE_MAX;

	switch (step) {
	case RS_ICICLE_OUTWARD:
		found = cell->line ? rs_icicle_at(ic, cell->line - 1, cell->x) : SIZE_MAX;
		break;
	case RS_ICICLE_INWARD: /* the first one below it, which is the heaviest */
		for (found = end; found < rs_icicle_first(ic, cell->line + 2); found++)
			if (ic->cells[found].x >= cell->x)
				break;
		if (found == rs_icicle_first(ic, cell->line + 2) ||
		    ic->cells[found].x >= cell->x + cell->width)
			found = SIZE_MAX;
		break;
	case RS_ICICLE_LEFT:
		found = at > first ? at - 1 : SIZE_MAX;
		break;
	case RS_ICICLE_RIGHT:
		found = at + 1 < end ? at + 1 : SIZE_MAX;
		break;
	}
	return found == SIZE_MAX ? at : found;
}
