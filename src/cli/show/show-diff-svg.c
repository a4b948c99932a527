// SPDX-License-Identifier: GPL-2.0-or-later
/* show-diff-svg - the stacks of two sides as one flame graph: what takes more of the time, and less */
#include "cli/out.h"
#include "cli/show/show-diff.h"
#include "cli/show/show-sides.h"
#include "view/flame-svg.h"

void rs_show_diff_svg(const struct rs_show_pair *pair, struct rs_error *err)
{
	struct rs_side_stacks *stacks = &pair->sides->stacks[0];
	struct rs_buf out = RS_BUF_INIT, title = RS_BUF_INIT;
	struct rs_flame_svg svg;

	if (rs_side_stacks_finish(stacks)) {
		rs_buf_printf(&title, "%s: %s (A) and %s (B)", stacks->ref.view->summary, pair->name_a,
			      pair->name_b);
		svg = (struct rs_flame_svg){ .tree = stacks->tree, .title = title.data ? title.data : "",
					     .is_time = stacks->is_time, .is_difference = true };
		rs_flame_svg_put(&out, &svg);
	} else if (err->status == RS_OK) {
		rs_fail(err, "%s", stacks->failed ? "cannot compare: out of memory" :
						    "one side has no stacks (see record --samples)");
	}
	rs_out_end(&out, err);
	rs_buf_done(&title);
}
