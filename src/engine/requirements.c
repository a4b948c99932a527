// SPDX-License-Identifier: GPL-2.0-or-later
/* requirements - what the analyses of a session require of the kernel: the plan is made from it */
#include <stdio.h>

#include "base/nearest.h"
#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/session.h"
#include "tracefs/tracefs.h"

struct requirements_list {
	struct rs_event_requirement *needs;
	size_t nr, max;
};

static void requirements_add(struct requirements_list *l, const struct rs_requirement *w,
			     enum rs_requirement_kind need,
			     const struct rs_analysis *a)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->needs[i].name, w->name) && !strcmp(l->needs[i].system, w->system)) {
			if (need == RS_REQUIRED)
				l->needs[i].need = RS_REQUIRED;
			if (w->by == RS_BY_ANYONE)
				l->needs[i].by = RS_BY_ANYONE;
			return;
		}
	if (l->nr < l->max)
		l->needs[l->nr++] = (struct rs_event_requirement){
			w->system, w->name, need, w->by, a, false
		};
}

/* spare: `by` works without these events, though the part of the engine that requires them does not. */
static void requirements_add_requirements(struct requirements_list *l, const struct rs_analysis *wanted,
					  const struct rs_analysis *by, bool spare)
{
	for (const struct rs_requirement *w = wanted->requirements; w && w->name; w++)
		if (w->need != RS_PASSIVE && w->need != RS_NAMED)
			requirements_add(l, w, spare && w->need == RS_REQUIRED ? RS_OPTIONAL : w->need, by);
}

/*
 * An event of a single system call makes the kernel look at every call once more (35 ns of each were
 * measured), and where all calls are recorded it tells nothing new.
 */
static void leave_single_calls_out(struct requirements_list *l)
{
	bool all_calls = false;
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		all_calls |= !strcmp(l->needs[i].system, "raw_syscalls") &&
			     !strcmp(l->needs[i].name, "sys_exit");
	for (size_t i = 0; i < l->nr; i++)
		if (!all_calls || l->needs[i].need == RS_REQUIRED ||
		    strcmp(l->needs[i].system, "syscalls") != 0)
			l->needs[nr++] = l->needs[i];
	l->nr = nr;
}

/* With the begins of all calls, for analyses that follow files, or show names. */
static void requirements_ask_names(struct requirements_list *l, const struct rs_session_config *config)
{
	enum rs_call_names names = RS_CALL_NAMES_NONE;

	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		if (config->analyses[i]->requires_names)
			names = RS_CALL_NAMES_ALL;
		else if (config->analyses[i]->requires_files && !names)
			names = RS_CALL_NAMES_OPEN;
	}
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->needs[i].system, "raw_syscalls") && !strcmp(l->needs[i].name, "sys_enter"))
			l->needs[i].with_names = names;
		else
			l->needs[i].with_names = RS_CALL_NAMES_NONE;
}

size_t rs_requirements_list(const struct rs_session_config *config, struct rs_event_requirement *needs,
			    size_t max)
{
	struct requirements_list l = { needs, 0, max };

	requirements_add_requirements(&l, rs_engine_parts[RS_ENGINE_TASKS], NULL, false);
	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		const struct rs_analysis *a = config->analyses[i];

		for (int part = RS_ENGINE_STATES; part < RS_NR_ENGINE_PARTS; part++)
			if (rs_bind_part_requested(config, a, part))
				requirements_add_requirements(&l, rs_engine_parts[part], a,
							      !rs_bind_part_required(a, part));
		requirements_add_requirements(&l, a, a, false);
	}
	leave_single_calls_out(&l);
	requirements_ask_names(&l, config);
	return l.nr;
}

bool rs_requirements_find_view(const char *name, struct rs_view_ref *ref, struct rs_error *err)
{
	const char *names[256] = { NULL }, *near;
	size_t nr = 0;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (unsigned int i = 0; (*a)->views && (*a)->views[i].name; i++) {
			if (rs_view_is_called(&(*a)->views[i], name)) {
				*ref = (struct rs_view_ref){ *a, &(*a)->views[i], i };
				return true;
			}
			if (nr < 255)
				names[nr++] = (*a)->views[i].name;
		}
	near = rs_nearest(name, names);
	if (near)
		rs_fail_usage(err, "unknown view '%s': did you mean '%s'?", name, near);
	else
		rs_fail_usage(err, "unknown view '%s' (\"ringside list views\" names them)", name);
	return false;
}

bool rs_requirements_on_demand(const struct rs_analysis *a)
{
	return a->by_name && a->requires_history;
}

/*
 * A kernel has one or the other: before 5.16 writeback's events report that a task was throttled for memory.
 */
static const struct {
	const char *system, *name, *other_system, *other;
} replaced[] = {
	{ "vmscan", "mm_vmscan_throttled", "writeback", "writeback_congestion_wait" },
	{ "writeback", "writeback_congestion_wait", "vmscan", "mm_vmscan_throttled" },
	{ "writeback", "writeback_wait_iff_congested", "vmscan", "mm_vmscan_throttled" },
};

bool rs_requirement_is_replaced(const char *tracefs, const struct rs_event_requirement *need)
{
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
		if (!strcmp(replaced[i].name, need->name) && !strcmp(replaced[i].system, need->system))
			return rs_tracefs_has_event(tracefs, replaced[i].other_system, replaced[i].other);
	return false;
}
