// SPDX-License-Identifier: GPL-2.0-or-later
/* chrome-names.c - names and order of processes and threads, written behind what was drawn of them */
#include "export/chrome/chrome.h"

#include <stdio.h>

/* The order of a machine's processes: findings, CPUs and disks before real ones. */
enum { SORT_FINDINGS = -3, SORT_CPUS = -2, SORT_DISKS = -1, SORT_TASKS = 0, NR_SORTS = 4 };

/* With several machines the machine's name comes first, and its processes are adjacent. */
static void names_put_process(struct rs_chrome *ch, uint32_t pid, const char *name, int sort)
{
	char text[128];

	if (ch->nr_machines > 1)
		snprintf(text, sizeof text, "%.60s: %.60s", ch->machine_name, name);
	rs_chrome_name(ch, "process_name", pid, pid, ch->nr_machines > 1 ? text : name);
	if (ch->nr_machines > 1)
		rs_chrome_name(ch, "process_labels", pid, pid, ch->machine_name);
	if (sort != SORT_TASKS || ch->nr_machines > 1)
		rs_chrome_sort_index(ch, "process_sort_index", pid, pid, sort + (int)ch->machine * NR_SORTS);
}

static const char *names_comm(const struct rs_task *t)
{
	return t->comm[0] ? t->comm : t->exited ? "[exited]" : "[unknown]";
}

/* A process has the name of its first thread, which need not be drawn. */
static void names_put_process_of(struct rs_ctx *c, struct rs_chrome *ch, const struct rs_task *t,
				 const struct rs_chrome_track *at)
{
	struct rs_task *leader = t->pid && at->pid != at->tid ? rs_task_find(c, t->pid) : NULL;
	struct rs_chrome_task *d = leader ? rs_task_data(c, leader) : NULL;

	if (!leader)
		names_put_process(ch, at->pid, names_comm(t), SORT_TASKS);
	else if (!d->seen && !d->process_is_named)
		names_put_process(ch, at->pid, names_comm(leader), SORT_TASKS);
	if (leader)
		d->process_is_named = true;
}

void rs_chrome_name_task(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	const struct rs_chrome_task *d = rs_task_data(c, t);
	const struct rs_chrome_track *at;
	char name[96];

	if (!d->seen)
		return;
	at = rs_chrome_task_track(c, t);
	rs_source_vcpu_name(ch->info, t->tid, names_comm(t), name, sizeof name);
	rs_chrome_name(ch, "thread_name", at->pid, at->tid, name);
	names_put_process_of(c, ch, t, at);
	if (at->pid == at->tid) /* the main thread is above the others */
		rs_chrome_sort_index(ch, "thread_sort_index", at->pid, at->tid, -1);
}

/* A critical path leads to tasks of which a filter has left out all else. */
void rs_chrome_name_link(struct rs_ctx *c, const struct rs_chain_link *link)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_task *t = rs_task_find(c, link->tid);
	struct rs_chrome_task *d = t && t->inst == link->inst ? rs_task_data(c, t) : NULL;
	struct rs_chrome_track at;

	if (d && !d->seen) {
		d->seen = true;
		rs_chrome_name_task(c, t);
	} else if (!d) { /* it is not known any more */
		rs_chrome_track_link(ch, link, &at);
		rs_chrome_name(ch, "thread_name", at.pid, at.tid, link->comm);
		names_put_process(ch, at.pid, link->process, SORT_TASKS);
	}
}

void rs_chrome_name_findings(struct rs_chrome *ch, uint32_t pid)
{
	names_put_process(ch, pid, "findings", SORT_FINDINGS);
}

void rs_chrome_name_tracks(struct rs_chrome *ch)
{
	uint32_t cpus = ch->cpus_track.pid;
	char text[64];

	names_put_process(ch, cpus, "CPUs", SORT_CPUS);
	for (unsigned int cpu = 0; cpu < ch->nr_cpus; cpu++) {
		snprintf(text, sizeof text, "CPU %u", cpu);
		rs_chrome_name(ch, "thread_name", cpus, cpus + cpu, text);
	}
	for (unsigned int i = 0; i < ch->nr_disks; i++) {
		uint32_t dev = ch->disks[i].dev;
		const char *name = NULL;

		for (size_t k = 0; k < ch->info->nr_disks; k++)
			if (ch->info->disks[k].dev == dev)
				name = ch->info->disks[k].name;
		snprintf(text, sizeof text, "disk %u,%u%s%.32s", dev >> 20, dev & 0xfffff, name ? " " : "",
			 name ? name : "");
		names_put_process(ch, ch->disks[i].track.pid, text, SORT_DISKS);
	}
}
