// SPDX-License-Identifier: GPL-2.0-or-later
/* show-sides - whose rows the sides of a comparison have: where the time went, calls, and what is named */
#include "cli/show/show-sides.h"

#include "cli/options/config.h"
#include "compare/side-views.h"

static int sides_add_named(struct rs_show_sides *sides, const char *names, const char *by,
			   struct rs_error *err)
{
	struct rs_view_ref named[RS_MAX_VIEWS];
	size_t nr = rs_config_find_views(names, named, RS_MAX_VIEWS, err);

	if (by && nr > 1)
		return rs_fail_usage(err, "--by needs one --view");
	for (size_t i = 0; i < nr; i++)
		sides->asked[sides->nr++] = (struct rs_side_asked){ named[i], by };
	return nr ? 0 : -1;
}

int rs_show_sides_choose(struct rs_show_sides *sides, const struct rs_options *opt, struct rs_error *err)
{
	if (opt->by && !opt->view)
		return rs_fail_usage(err, "--by needs one --view");
	if (rs_side_views_add_process(sides->asked, &sides->nr, err) < 0 ||
	    (opt->view && sides_add_named(sides, opt->view, opt->by, err) < 0))
		return -1;
	if (!opt->view)
		rs_side_views_add_default(sides->asked, &sides->nr);
	for (size_t i = 0; i < sides->nr; i++)
		sides->views[i] = sides->asked[i].ref;
	sides->nr_views = sides->nr;
	return 0;
}

int rs_show_sides_add_stacks(struct rs_show_sides *sides, const char *names, struct rs_error *err)
{
	struct rs_view_ref named[RS_MAX_VIEWS];
	size_t nr = rs_config_find_views(names, named, RS_MAX_VIEWS, err);

	if (nr > RS_SIDE_STACKS)
		return rs_fail_usage(err, "diff: at most %u views of stacks at once", RS_SIDE_STACKS);
	for (size_t i = 0; i < nr; i++) {
		struct rs_side_stacks *stacks = &sides->stacks[sides->nr_stacks];

		if (rs_side_stacks_init(stacks, named[i].view->name, err) < 0)
			return -1;
		sides->views[sides->nr_views++] = stacks->ref;
		sides->nr_stacks++;
	}
	return nr ? 0 : -1;
}

void rs_show_sides_take_stacks(struct rs_show_sides *sides, struct rs_side *a, struct rs_side *b)
{
	for (unsigned int i = 0; i < sides->nr_stacks; i++) {
		rs_side_take_stacks(a, &sides->stacks[i], true);
		rs_side_take_stacks(b, &sides->stacks[i], false);
	}
}

void rs_show_sides_done(struct rs_show_sides *sides)
{
	for (unsigned int i = 0; i < sides->nr_stacks; i++)
		rs_side_stacks_done(&sides->stacks[i]);
	sides->nr_stacks = 0;
}
