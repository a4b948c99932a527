// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-names.c - names and order of processes and threads, written behind what was drawn of them; and what
 * comes at the end: critical paths, findings
 */
#include "export/chrome/chrome.h"

#include <stdio.h>

#include "model/finding-list.h"

/* The order of a machine's processes: findings, CPUs, pressure, disks and connections before real ones. */
enum {
	SORT_FINDINGS = -5, SORT_CPUS = -4, SORT_PRESSURE = -3, SORT_DISKS = -2, SORT_CONNECTIONS = -1,
	SORT_TASKS = 0,
	NR_SORTS = 6
};

/* With several machines the machine's name comes first, and its processes are adjacent. */
static void names_put_process(struct rs_chrome *ch, uint32_t pid, const char *name, const char *cmdline,
			      int sort)
{
	char text[128];

	if (ch->nr_machines > 1)
		snprintf(text, sizeof text, "%.60s: %.60s", ch->machine_name, name);
	rs_chrome_name(ch, "process_name", pid, pid, ch->nr_machines > 1 ? text : name);
	if (ch->nr_machines > 1 || cmdline)
		rs_chrome_label(ch, pid, ch->nr_machines > 1 ? ch->machine_name : NULL, cmdline);
	if (sort != SORT_TASKS || ch->nr_machines > 1)
		rs_chrome_sort_index(ch, "process_sort_index", pid, pid, sort + (int)ch->machine * NR_SORTS);
}

static const char *names_comm(const struct rs_task *t)
{
	return t->comm[0] ? t->comm : t->exited ? "[exited]" : "[unknown]";
}

/* A process has the name of its first thread, which need not be drawn. */
static void names_put_process_of(struct rs_chrome *ch, const struct rs_task *t,
				 const struct rs_chrome_track *at)
{
	struct rs_task *leader = t->pid && at->pid != at->tid ? rs_task_find(ch->scene.c, t->pid) : NULL;
	struct rs_chrome_task *d = leader ? rs_scene_task_own(&ch->scene, leader) : NULL;

	if (!leader)
		names_put_process(ch, at->pid, names_comm(t), rs_task_cmdline(ch->scene.c, t), SORT_TASKS);
	else if (!d->seen && !d->process_is_named)
		names_put_process(ch, at->pid, names_comm(leader), rs_task_cmdline(ch->scene.c, leader),
				  SORT_TASKS);
	if (leader)
		d->process_is_named = true;
}

static void names_put_task(struct rs_chrome *ch, const struct rs_task *t, struct rs_chrome_task *d)
{
	const struct rs_chrome_track *at = rs_chrome_task_track(ch, t, d);
	char name[96];

	rs_source_vcpu_name(ch->scene.info, t->tid, names_comm(t), name, sizeof name);
	rs_chrome_name(ch, "thread_name", at->pid, at->tid, name);
	names_put_process_of(ch, t, at);
	if (at->pid == at->tid) /* the main thread is above the others */
		rs_chrome_sort_index(ch, "thread_sort_index", at->pid, at->tid, -1);
}

void rs_chrome_name_task(struct rs_scene *s, const struct rs_scene_track *at)
{
	struct rs_chrome_task *d = at->own;

	if (d->seen)
		names_put_task(rs_chrome_of(s), at->task, d);
}

static void names_put_disks(struct rs_chrome *ch)
{
	const struct rs_scene_places *disks = &ch->scene.places[RS_TRACK_DISK];

	for (unsigned int i = 0; i < disks->nr; i++)
		names_put_process(ch, rs_chrome_place_pid(ch, RS_TRACK_DISK, i), disks->at[i].name,
				  NULL, SORT_DISKS);
}

static void names_put_connections(struct rs_chrome *ch)
{
	const struct rs_scene_places *of = &ch->scene.places[RS_TRACK_CONNECTION];
	uint32_t pid = rs_chrome_place_pid(ch, RS_TRACK_CONNECTION, 0);

	if (of->nr)
		names_put_process(ch, pid, "connections", NULL, SORT_CONNECTIONS);
	for (unsigned int i = 0; i < of->nr; i++)
		rs_chrome_name(ch, "thread_name", pid, pid + 1 + i, of->at[i].name);
}

void rs_chrome_name_tracks(struct rs_chrome *ch)
{
	uint32_t cpus = ch->cpus_track.pid;
	char text[64];

	names_put_process(ch, cpus, "CPUs", NULL, SORT_CPUS);
	for (unsigned int cpu = 0; cpu < ch->scene.nr_cpus; cpu++) {
		snprintf(text, sizeof text, "CPU %u", cpu);
		rs_chrome_name(ch, "thread_name", cpus, cpus + cpu, text);
	}
	names_put_disks(ch);
	names_put_connections(ch);
	if (ch->pressure_track.len)
		names_put_process(ch, ch->pressure_track.pid, "pressure", NULL, SORT_PRESSURE);
}

/* ---- critical paths ---- */

static struct rs_chrome_track names_link_track(const struct rs_chrome *ch, const struct rs_chain_link *link)
{
	uint32_t tid = rs_chrome_instance(ch, link->tid, link->inst);
	struct rs_chrome_track at;

	rs_chrome_track_set(&at, link->pid ? rs_chrome_instance(ch, link->pid, link->pid_inst) : tid, tid);
	return at;
}

/* A critical path leads to tasks of which a filter has left out all else. */
static void names_put_link(struct rs_chrome *ch, const struct rs_chain_link *link,
			   const struct rs_chrome_track *at)
{
	struct rs_task *t = rs_task_find(ch->scene.c, link->tid);
	struct rs_chrome_task *d = t && t->inst == link->inst ? rs_scene_task_own(&ch->scene, t) : NULL;

	if (d && !d->seen) {
		names_put_task(ch, t, d);
	} else if (!d) { /* it is not known any more */
		rs_chrome_name(ch, "thread_name", at->pid, at->tid, link->comm);
		names_put_process(ch, at->pid, link->process, NULL, SORT_TASKS);
	}
}

void rs_chrome_put_path(struct rs_scene *s, const struct rs_path_slice *slice)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	struct rs_chrome_track at = names_link_track(ch, slice->link);

	names_put_link(ch, slice->link, &at);
	rs_chrome_link(ch, &at, slice->from_ns, slice->to_ns, slice->name, slice->path, slice->number,
		       slice->text);
}

void rs_chrome_put_path_flow(struct rs_scene *s, const struct rs_path_slice *slice, bool begins, bool ends)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	struct rs_chrome_track at = names_link_track(ch, slice->link);

	ch->next_id += begins;
	if (!begins || !ends)
		rs_chrome_path_flow(ch, begins ? 's' : ends ? 'f' : 't', &at, slice->to_ns - 1);
}

/* ---- findings ---- */

static uint32_t names_findings_pid(const struct rs_chrome *ch)
{
	return RS_CHROME_FINDINGS + ch->machine * RS_CHROME_MACHINE_FINDINGS;
}

void rs_chrome_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	uint32_t pid = names_findings_pid(ch);
	struct rs_chrome_track at;

	if (nr >= RS_CHROME_MACHINE_FINDINGS)
		return;
	rs_chrome_track_set(&at, pid, pid + nr);
	rs_chrome_finding(ch, &at, rs_scene_finding_ns(s, f), s->end_ns, f);
	rs_chrome_name(ch, "thread_name", pid, pid + nr, f->rule->name);
}

void rs_chrome_end_findings(struct rs_scene *s, unsigned int nr, const struct rs_finding_list *list)
{
	if (nr)
		names_put_process(rs_chrome_of(s), names_findings_pid(rs_chrome_of(s)), "findings",
				  NULL, SORT_FINDINGS);
}
