// SPDX-License-Identifier: GPL-2.0-or-later
/* side-merge - what was measured later, as more blocks of a side */
#include "compare/side-merge.h"

#include <string.h>

#include "base/vector.h"

static bool merge_points(struct rs_side_row *to, const struct rs_side_row *from, uint32_t first_block)
{
	if (!RS_VECTOR_RESERVE(&to->points, &to->room, to->nr_points + from->nr_points))
		return false;
	for (size_t i = 0; i < from->nr_points; i++) {
		to->points[to->nr_points] = from->points[i];
		to->points[to->nr_points++].block += first_block;
	}
	return true;
}

static bool merge_row(struct rs_side *to, struct rs_side_view *view, const struct rs_side *side,
		      const struct rs_side_row *from)
{
	struct rs_side_row *row = rs_side_get_row(to, view, from->key, from->key_bytes);

	if (!row)
		return !to->failed; /* there is no room, which the side says */
	row->nr += from->nr;
	if (__builtin_add_overflow(row->sum, from->sum, &row->sum))
		row->sum = UINT64_MAX;
	memcpy(row->block_nr + to->nr_blocks, from->block_nr, side->nr_blocks * sizeof *row->block_nr);
	memcpy(row->block_sum + to->nr_blocks, from->block_sum, side->nr_blocks * sizeof *row->block_sum);
	return merge_points(row, from, to->nr_blocks);
}

static void merge_blocks(struct rs_side *to, const struct rs_side *from)
{
	memcpy(to->block_ns + to->nr_blocks, from->block_ns, from->nr_blocks * sizeof *to->block_ns);
	memcpy(to->block_steps + to->nr_blocks, from->block_steps, from->nr_blocks * sizeof *to->block_steps);
	to->nr_blocks += from->nr_blocks;
	to->len_ns += from->len_ns;
	to->lost_ns += from->lost_ns;
	to->nr_left_out += from->nr_left_out;
}

bool rs_side_merge(struct rs_side *to, struct rs_side *from)
{
	while (to->nr_blocks + from->nr_blocks > RS_SIDE_MAX_BLOCKS)
		rs_side_halve(to->nr_blocks >= from->nr_blocks ? to : from);
	for (size_t i = 0; i < to->nr_views; i++)
		for (size_t r = 0; r < from->views[i].nr_rows; r++)
			if (!merge_row(to, &to->views[i], from, from->views[i].rows[r]))
				return false;
	merge_blocks(to, from);
	return true;
}
