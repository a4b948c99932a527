// SPDX-License-Identifier: GPL-2.0-or-later
/* show-warn - what is said beside the rows: why there are none, what they leave out */
#include "cli/command.h"
#include "cli/out.h"
#include "cli/show/show-view.h"

/*
 * A view of counts of control groups alone: where there are none, why. Several views are told of by
 * themselves.
 */
static void show_warn_cgroups(struct rs_show *show)
{
	const struct rs_analysis *a = show->nr_shown == 1 ? show->shown->ref.analysis : NULL;

	if (!a || !(a->samples & RS_SAMPLE_CGROUPS) || a->stores || a->requirements || !show->session ||
	    rs_cgroup_growth_is_known(show->session))
		return;
	if (show->opt->input)
		rs_out_warn("%s: this recording has no counts of control groups (ringside record makes them, "
			    "where version 2 is mounted)",
			    show->shown->ref.view->name);
	else
		rs_out_warn("%s: no counts of control groups of version 2 (is it mounted? mount -t cgroup2 "
			    "none /sys/fs/cgroup)",
			    show->shown->ref.view->name);
}

static void show_warn_no_tasks(struct rs_show *show)
{
	const struct rs_view *view = show->shown->ref.view;

	if (show->nr_shown == 1 && view->tasks_view && show->opt->cgroup && rs_command_is_machine_wide(view))
		rs_out_warn("%s: a row is of no task, so --cgroup leaves none out (%s --cgroup has rows of "
			    "tasks)",
			    view->name, view->tasks_view);
}

void rs_show_warn(struct rs_show *show)
{
	show_warn_cgroups(show);
	show_warn_no_tasks(show);
	rs_out_aside(&show->aside, show->opt->left_out);
	rs_out_warn("%s", show->warnings.data);
	if (show->session && !rs_session_selects_any(show->session))
		rs_out_warn("no task was seen that passes %s", show->opt->filters);
}
