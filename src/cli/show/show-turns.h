/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-turns.h - two commands that run in turn, each run a block of its side: old, new, new, old, old ...
 *
 * So both see the machine in the same states: what else it does, and its caches, warm and cold.
 */
#ifndef RS_CLI_SHOW_SHOW_TURNS_H
#define RS_CLI_SHOW_SHOW_TURNS_H

#include "cli/options/options.h"
#include "compare/side.h"

#define RS_SHOW_TURNS 10u /* runs of each, where -n says nothing else */

struct rs_show_turns {
	char *old[RS_MAX_LIST + 1], *new[RS_MAX_LIST + 1]; /* argv, each ends with NULL */
};

/*
 * Divides opt->command, "OLD... -- NEW...", or refuses it. One word with blanks is a line for the shell.
 */
int rs_show_turns_divide(const struct rs_options *opt, struct rs_show_turns *turns, struct rs_error *err);

/* Runs each opt->nr_rows times, into these sides. of_a, of_b: their options. */
void rs_show_turns_run(const struct rs_show_turns *turns, const struct rs_view_ref *views, size_t nr_views,
		       struct rs_options *of_a, struct rs_options *of_b, struct rs_error *err);

#endif
