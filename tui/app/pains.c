// SPDX-License-Identifier: GPL-2.0-or-later
/* pains.c - whose waits cost, by the findings of the time that is shown */
#include "tui/app/pains.h"

#include <stdio.h>
#include <string.h>

#include "base/own-name.h"
#include "tui/app/app.h"

static void pains_add(struct rs_pains *pains, const struct rs_wire_finding *f, int32_t pid)
{
	enum rs_category category = rs_category_find(f->category);
	struct rs_pain *at = pains->at;

	while (at < pains->at + pains->nr && at->pid != pid)
		at++;
	if (at == pains->at + RS_MAX_PAINS)
		return;
	if (at == pains->at + pains->nr) { /* the costliest comes first */
		*at = (struct rs_pain){ .pid = pid, .nr_victims = f->nr_victims };
		if (f->lost_ns.known && f->of_ns.known && f->of_ns.u)
			at->milli = (uint32_t)rs_milli(f->lost_ns.u, f->of_ns.u, 1).u;
		if (f->slowest && f->slowest->to_ns > f->slowest->from_ns) {
			at->slowest_tid = f->slowest->tid;
			at->slowest_ns = f->slowest->to_ns - f->slowest->from_ns;
		}
		snprintf(at->name, sizeof at->name, "%s", f->victim ? f->victim : "");
		pains->nr++;
	}
	at->categories |= 1u << category;
	if (!*at->culprits[category] && f->culprit)
		rs_copy(at->culprits[category], sizeof at->culprits[category], f->culprit);
}

void rs_pains_read(struct rs_pains *pains, const struct rs_findings_reply *from)
{
	pains->nr = 0;
	pains->nr_read++;
	for (const struct rs_wire_finding *f = from->findings; f < from->findings + from->nr_findings; f++)
		for (size_t i = 0; f->category && i < f->nr_victim_pids; i++)
			pains_add(pains, f, f->victim_pids[i]);
}

static void pains_got(void *arg, const struct rs_reply *reply)
{
	struct rs_tui_machine *machine = arg;

	machine->pains.asked = false;
	if (!reply->message) /* it may be too long ago: the waits of no task are known to cost */
		return;
	rs_pains_read(&machine->pains, reply->message);
	rs_app_redraw(machine->app);
}

void rs_pains_ask(struct rs_tui_machine *machine)
{
	const struct rs_app *app = machine->app;
	const struct rs_shown_time *time = &app->time, *of = &machine->pains.of_time;
	bool is_same = time->now ? of->now && machine->pains.of_events == app->events :
				   !of->now && of->from_ns == time->from_ns && of->to_ns == time->to_ns;

	if (machine->pains.asked || (machine->pains.is_known && is_same))
		return;
	machine->pains.of_time = *time;
	machine->pains.of_events = app->events;
	machine->pains.is_known = true;
	machine->pains.asked = rs_client_ask(machine->client, "findings",
					     &(struct rs_findings_request){ rs_app_asked_time(app) },
					     pains_got, machine) != 0;
}

static bool pains_is_of(const struct rs_pain *pain, int64_t pid, const char *name)
{
	return pid ? pain->pid == pid : !strcmp(pain->name, name);
}

const struct rs_pain *rs_pains_find(const struct rs_pains *pains, int64_t pid, const char *name)
{
	for (const struct rs_pain *at = pains->at; at < pains->at + pains->nr; at++)
		if (pains_is_of(at, pid, name))
			return at;
	return NULL;
}

struct rs_ink_task rs_pains_of(const struct rs_pains *pains, int64_t pid, const char *name)
{
	struct rs_ink_task task = { .own = rs_own_name(name) };

	for (const struct rs_pain *at = pains->at; at < pains->at + pains->nr; at++)
		if (pains_is_of(at, pid, name))
			task.pains |= at->categories;
	return task;
}

bool rs_pains_is_healthy(const struct rs_pains *pains, int64_t pid, const char *name, const char *cause)
{
	struct rs_ink_task task = rs_pains_of(pains, pid, name);
	enum rs_cause_rank rank;
	enum rs_cause of;

	if (task.own || !cause || !rs_cause_find(cause, &of))
		return task.own;
	rank = rs_cause_row(of)->rank;
	return (rank == RS_RANK_CHOICE || rank == RS_RANK_IDLE) &&
	       rs_cause_ink(of, &task, NULL) != RS_INK_FULL;
}

const char *rs_pains_culprit(const struct rs_pains *pains, int64_t pid, const char *name,
			     enum rs_category category)
{
	for (const struct rs_pain *at = pains->at; at < pains->at + pains->nr; at++)
		if (pains_is_of(at, pid, name) && *at->culprits[category])
			return at->culprits[category];
	return "";
}
