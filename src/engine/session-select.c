// SPDX-License-Identifier: GPL-2.0-or-later
/* session-select - the tasks whose work is shown: -p, -t, -c, --cgroup, -C; ringside's own are hidden */
#include "engine/session-select.h"

#include "engine/cgroups/cgroups.h"
#include "engine/internal.h"

#include <fnmatch.h>
#include <stdlib.h>

static bool select_is_listed(const int32_t *list, size_t nr, int32_t id)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == id)
			return true;
	return false;
}

static bool select_has_ids(const struct rs_selection *sel)
{
	return sel->nr_pids || sel->nr_tids || sel->command;
}

bool rs_session_select_narrows(const struct rs_selection *sel)
{
	return select_has_ids(sel) || sel->comm_glob || sel->cgroup_glob;
}

/* -p, -t and -- COMMAND: a child of a selected task is selected, too, as with set_event_pid's event-fork. */
static bool select_compare_id(const struct rs_selection *sel, const struct rs_task_instance *inst)
{
	const struct rs_task *t = &inst->task;

	/* if the process is not known, a listed tid is its first thread */
	int32_t pid = t->pid ? t->pid : t->tid;

	if (!select_has_ids(sel) || inst->followed)
		return true;
	return select_is_listed(sel->tids, sel->nr_tids, t->tid) ||
	       select_is_listed(sel->pids, sel->nr_pids, pid) || (sel->command && sel->command == pid);
}

bool rs_session_select_follows(const struct rs_session *s, const struct rs_task_instance *parent)
{
	const struct rs_selection *sel = &s->config.selection;

	return select_has_ids(sel) && !sel->no_children && select_compare_id(sel, parent);
}

void rs_session_select(struct rs_session *s, struct rs_task_instance *inst)
{
	const struct rs_selection *sel = &s->config.selection;
	struct rs_task *t = &inst->task;

	t->selected = (sel->self || !t->self) && select_compare_id(sel, inst) &&
		      (!sel->comm_glob || fnmatch(sel->comm_glob, t->comm, 0) == 0) &&
		      (!sel->cgroup_glob || rs_cgroups_match(s, sel->cgroup_glob, t->cgroup));
}

bool rs_session_selects_any(const struct rs_session *s)
{
	bool any = !rs_session_select_narrows(&s->config.selection);

	for (const struct rs_task_instance *inst = s->tasks.oldest; inst && !any; inst = inst->next)
		any = inst->task.selected;
	return any;
}

int rs_session_select_cpus(const char *list, bool *shown, unsigned int nr, struct rs_error *err)
{
	const char *p = list;

	for (unsigned int i = 0; i < nr; i++)
		shown[i] = !list;
	while (p && *p) {
		char *end;
		unsigned long from = strtoul(p, &end, 10), to = from;

		if (end == p || *p == '-' || *p == '+')
			goto bad;
		if (*end == '-') {
			p = end + 1;
			to = strtoul(p, &end, 10);
			if (end == p)
				goto bad;
		}
		if (to < from || from >= nr || (*end && *end != ','))
			goto bad;
		for (unsigned long i = from; i <= to && i < nr; i++)
			shown[i] = true;
		p = *end ? end + 1 : end;
	}
	return 0;
bad:
	return rs_fail_usage(err, "cannot use the CPU list '%s': write it as 0,2-3 with CPUs from 0 to %u",
			     list, nr - 1);
}
