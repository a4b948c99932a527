/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-diff.h - what changed between two sides, as sentences and a table: text or JSON */
#ifndef RS_CLI_SHOW_SHOW_DIFF_H
#define RS_CLI_SHOW_SHOW_DIFF_H

#include "cli/options/options.h"
#include "compare/change.h"
#include "compare/process.h"

struct rs_show_diff {
	const struct rs_options *opt, *b_opt; /* of the command, and of side B */
	const struct rs_side *a, *b;
	const char *name_a, *name_b;
	struct rs_process_list processes;
	struct rs_change_list *changes; /* of the views from RS_SHOW_DIFF_OWN on */
	size_t nr_changes;
};

/* The first views of both sides are for the sentences: where the time went, and calls as work. */
#define RS_SHOW_DIFF_OWN 2u

void rs_show_diff_put(const struct rs_show_diff *diff, struct rs_buf *out, struct rs_error *err);

#endif
