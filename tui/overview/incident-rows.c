// SPDX-License-Identifier: GPL-2.0-or-later
/* incident-rows.c - what a row that shows an incident selects, and what Enter opens on it */
#include "tui/overview/incident-rows.h"

bool rs_incident_rows_select(const struct rs_wire_incident *i, struct rs_screen_selection *out)
{
	const struct rs_wire_finding *f = i ? i->finding : NULL;
	int64_t pid = f && f->nr_victim_pids ? f->victim_pids[0] : 0;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (!f)
		return false;
	if (i->slowest && rs_selection_set_wait(out, f->victim, pid, i->slowest->tid, i->slowest->from_ns,
						i->slowest->to_ns))
		return true;
	rs_selection_add_task(&out->keys, f->victim ? f->victim : "-", pid, 0);
	return pid > 0;
}

struct rs_screen *rs_incident_rows_open(struct rs_app *app, const struct rs_wire_incident *i)
{
	struct rs_screen_selection wait;

	if (rs_incident_rows_select(i, &wait) && wait.is_wait)
		return rs_why_open_wait(app, &wait, i->finding);
	return rs_details_new_evidence(app, i->finding);
}
