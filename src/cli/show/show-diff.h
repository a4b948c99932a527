/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-diff.h - what changed between two sides, as sentences and a table: text or JSON */
#ifndef RS_CLI_SHOW_SHOW_DIFF_H
#define RS_CLI_SHOW_SHOW_DIFF_H

#include "cli/options/options.h"
#include "compare/side.h"

struct rs_show_sides;

struct rs_show_pair {
	const struct rs_options *opt, *b_opt; /* of the command, and of side B */
	struct rs_side *a, *b;                /* of the views of rs_show_sides_choose */
	const char *name_a, *name_b;
	struct rs_show_sides *sides;          /* their stacks; NULL: none, as of a baseline */
};

/*
 * Aligns the names of both sides, compares, prints, and judges by --fail-on: err is RS_CHECK_FAILED where it
 * finds what that names.
 */
void rs_show_diff(const struct rs_show_pair *pair, struct rs_error *err);
/* show-diff-svg.c: writes the stacks of both as a flame graph, with the difference as color. */
void rs_show_diff_svg(const struct rs_show_pair *pair, struct rs_error *err);

#endif
