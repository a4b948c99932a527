/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-sides.h - whose rows the sides of a comparison have: where the time went, calls, and what is named */
#ifndef RS_CLI_SHOW_SHOW_SIDES_H
#define RS_CLI_SHOW_SHOW_SIDES_H

#include "cli/command.h"
#include "compare/process.h"
#include "compare/side-stacks.h"

struct rs_show_sides {
	struct rs_side_asked asked[RS_PROCESS_NR_VIEWS + RS_MAX_VIEWS];
	size_t nr, nr_views;
	/* the same, and those of stacks */
	struct rs_view_ref views[RS_PROCESS_NR_VIEWS + RS_MAX_VIEWS + RS_SIDE_STACKS];
	struct rs_side_stacks stacks[RS_SIDE_STACKS]; /* for flame graphs: of both sides */
	unsigned int nr_stacks;
};

/* By --view and --by; -1: err is set. */
int rs_show_sides_choose(struct rs_show_sides *sides, const struct rs_options *opt, struct rs_error *err);
/* The views of stacks with these names, too. -1: err is set. rs_show_sides_done frees them. */
int rs_show_sides_add_stacks(struct rs_show_sides *sides, const char *names, struct rs_error *err);
/* Both sides fill them. */
void rs_show_sides_take_stacks(struct rs_show_sides *sides, struct rs_side *a, struct rs_side *b);
void rs_show_sides_done(struct rs_show_sides *sides);

#endif
