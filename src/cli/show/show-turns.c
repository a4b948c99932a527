// SPDX-License-Identifier: GPL-2.0-or-later
/* show-turns - two commands that run in turn, each run a block of its side */
#include "cli/show/show-turns.h"

#include <string.h>

#include "cli/show/show-recorded.h"

/* As a shell would have it: "make -j2" in quotes is a line, and a name alone is a program. */
static void turns_set(char *argv[RS_MAX_LIST + 1], char **words, size_t nr)
{
	static char shell[] = "sh", option[] = "-c";
	size_t first = 0;

	if (nr == 1 && strpbrk(words[0], " \t;|&<>$")) {
		argv[first++] = shell;
		argv[first++] = option;
	}
	memcpy(argv + first, words, nr * sizeof *argv);
	argv[first + nr] = NULL;
}

int rs_show_turns_divide(const struct rs_options *opt, struct rs_show_turns *turns, struct rs_error *err)
{
	size_t nr_old = 0, nr_new = 0;

	while (opt->command[nr_old] && strcmp(opt->command[nr_old], "--") != 0)
		nr_old++;
	while (opt->command[nr_old] && opt->command[nr_old + 1 + nr_new])
		nr_new++;
	if (!nr_old || !nr_new)
		return rs_fail_usage(err, "diff: name two commands: -- OLD -- NEW");
	if (nr_old > RS_MAX_LIST - 2 || nr_new > RS_MAX_LIST - 2)
		return rs_fail_usage(err,
				     "diff: a command has more than %d words (give it as one, in quotes)",
				     RS_MAX_LIST - 2);
	turns_set(turns->old, opt->command, nr_old);
	turns_set(turns->new, opt->command + nr_old + 1, nr_new);
	return 0;
}

static void turns_run_one(const struct rs_view_ref *views, size_t nr_views, struct rs_options *of,
			  char *const command[], struct rs_error *err)
{
	of->of_command = true;
	if (err->status == RS_OK)
		rs_show_recorded(views, nr_views, of, command, err);
}

void rs_show_turns_run(const struct rs_show_turns *turns, const struct rs_view_ref *views, size_t nr_views,
		       struct rs_options *of_a, struct rs_options *of_b, struct rs_error *err)
{
	uint64_t nr = of_a->nr_rows ? of_a->nr_rows : RS_SHOW_TURNS;

	of_a->side->of_runs = of_b->side->of_runs = true;
	of_a->command = of_b->command = NULL;
	for (uint64_t i = 0; i < 2 * nr; i++) {
		bool is_new = (i + i / 2) % 2;

		turns_run_one(views, nr_views, is_new ? of_b : of_a, is_new ? turns->new : turns->old, err);
	}
}
