/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-sides.h - whose rows the sides of a comparison have: where the time went, calls, and what is named */
#ifndef RS_CLI_SHOW_SHOW_SIDES_H
#define RS_CLI_SHOW_SHOW_SIDES_H

#include "cli/command.h"
#include "compare/process.h"

struct rs_show_sides {
	struct rs_side_asked asked[RS_PROCESS_NR_VIEWS + RS_MAX_VIEWS];
	struct rs_view_ref views[RS_PROCESS_NR_VIEWS + RS_MAX_VIEWS]; /* the same */
	size_t nr;
};

/* By --view and --by; -1: err is set. */
int rs_show_sides_choose(struct rs_show_sides *sides, const struct rs_options *opt, struct rs_error *err);

#endif
