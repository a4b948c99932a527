// SPDX-License-Identifier: GPL-2.0-or-later
/* perfetto-tracks.c - packets, tracks, and the process tree */
#include "export/perfetto.h"

#include <stdio.h>
#include <string.h>

#include "export/perfetto-fields.h"
#include "export/proto.h"

/* ---- packets ---- */

char *rs_perfetto_open_untimed(struct rs_perfetto *pf, size_t bytes)
{
	char *p = rs_buf_room(pf->out, RS_PERFETTO_ROOM + bytes);

	if (!p) /* the buffer has failed: this is reported as out of memory */
		return NULL;
	pf->nr_packets++;
	p = rs_proto_open(p, PF_TRACE_PACKET);
	pf->packet = (size_t)(p - pf->out->data);
	p = rs_proto_uint(p, PF_PACKET_SEQUENCE_ID, pf->machine + 1);
	return pf->machine ? rs_proto_uint(p, PF_PACKET_MACHINE_ID, pf->machine) : p;
}

char *rs_perfetto_open(struct rs_perfetto *pf, uint64_t ts_ns, size_t bytes)
{
	char *p = rs_perfetto_open_untimed(pf, bytes);

	return p ? rs_proto_uint(p, PF_PACKET_TIMESTAMP, ts_ns) : NULL;
}

void rs_perfetto_close(struct rs_perfetto *pf, char *p)
{
	rs_buf_wrote(pf->out, rs_proto_close(pf->out->data + pf->packet, p));
}

/* ---- tracks ---- */

/* Numbers of threads are odd and follow from the thread; all others are even. Machines share them. */
uint64_t rs_perfetto_thread_uuid(const struct rs_perfetto *pf, int32_t tid, uint32_t inst)
{
	return ((uint64_t)pf->machine << 56 | (uint64_t)(inst & 0xffffffu) << 32 | (uint32_t)tid) << 1 | 1;
}

static uint64_t tracks_next_uuid(struct rs_perfetto *pf)
{
	pf->next_uuid += 2;
	return pf->next_uuid;
}

static char *tracks_open(struct rs_perfetto *pf, uint64_t uuid, uint64_t parent, const char *name)
{
	char *p = rs_perfetto_open(pf, pf->begin_ns, 2 * RS_PROTO_TEXT(strlen(name)));

	if (!p)
		return NULL;
	p = rs_proto_open(p, PF_PACKET_TRACK_DESCRIPTOR);
	pf->nested = (size_t)(p - pf->out->data);
	p = rs_proto_uint(p, PF_TRACK_UUID, uuid);
	if (parent)
		p = rs_proto_uint(p, PF_TRACK_PARENT_UUID, parent);
	return p;
}

static void tracks_close(struct rs_perfetto *pf, char *p)
{
	rs_perfetto_close(pf, rs_proto_close(pf->out->data + pf->nested, p));
}

uint64_t rs_perfetto_add_track(struct rs_perfetto *pf, uint64_t parent, const char *name)
{
	uint64_t uuid = tracks_next_uuid(pf);
	char *p = tracks_open(pf, uuid, parent, name);

	if (p)
		tracks_close(pf, rs_proto_text(p, PF_TRACK_NAME, name, strlen(name)));
	return uuid;
}

uint64_t rs_perfetto_add_counter(struct rs_perfetto *pf, uint64_t parent, const char *name, unsigned int unit)
{
	uint64_t uuid = tracks_next_uuid(pf);
	char *p = tracks_open(pf, uuid, parent, name), *counter;

	if (!p)
		return uuid;
	p = rs_proto_text(p, PF_TRACK_NAME, name, strlen(name));
	p = counter = rs_proto_open(p, PF_TRACK_COUNTER);
	if (unit)
		p = rs_proto_uint(p, PF_COUNTER_UNIT, unit);
	tracks_close(pf, rs_proto_close(counter, p));
	return uuid;
}

/* Readers require a process: a thread whose process is unknown is one of its own. */
void rs_perfetto_put_thread(struct rs_perfetto *pf, uint64_t uuid, int32_t pid, int32_t tid, const char *name)
{
	char *p = tracks_open(pf, uuid, 0, name), *thread;

	if (!p)
		return;
	p = thread = rs_proto_open(p, PF_TRACK_THREAD);
	p = rs_proto_uint(p, PF_TRACK_THREAD_PID, (uint32_t)(pid ? pid : tid));
	p = rs_proto_uint(p, PF_TRACK_THREAD_TID, (uint32_t)tid);
	p = rs_proto_text(p, PF_TRACK_THREAD_NAME, name, strlen(name));
	tracks_close(pf, rs_proto_close(thread, p));
}

uint64_t rs_perfetto_task_track(struct rs_perfetto *pf, struct rs_task *t)
{
	struct rs_perfetto_task *d = rs_task_data(pf->subscriber_ctx, t);
	uint64_t uuid = rs_perfetto_thread_uuid(pf, t->tid, t->inst);
	char name[96];

	if (d->has_track)
		return uuid;
	d->has_track = true;
	rs_source_vcpu_name(pf->info, t->tid, t->comm, name, sizeof name);
	rs_perfetto_put_thread(pf, uuid, t->pid, t->tid, name);
	return uuid;
}

uint64_t rs_perfetto_add_group(struct rs_perfetto *pf, const char *name)
{
	char text[160];

	snprintf(text, sizeof text, "%.60s%s%.80s", pf->machine_name ? pf->machine_name : "", pf->machine_name ? ": " : "", name);
	return rs_perfetto_add_track(pf, 0, text);
}

uint64_t rs_perfetto_cpu_track(struct rs_perfetto *pf, unsigned int cpu)
{
	char name[32];

	if (!pf->cpus_uuid)
		pf->cpus_uuid = rs_perfetto_add_group(pf, "CPUs");
	if (!pf->cpus[cpu].uuid) {
		snprintf(name, sizeof name, "CPU %u", cpu);
		pf->cpus[cpu].uuid = rs_perfetto_add_track(pf, pf->cpus_uuid, name);
	}
	return pf->cpus[cpu].uuid;
}

/* Devices are few, and those beyond the table share the last entry. */
unsigned int rs_perfetto_disk(struct rs_perfetto *pf, uint32_t dev)
{
	const char *name = NULL;
	char text[64];

	for (unsigned int i = 0; i < pf->nr_disks; i++)
		if (pf->disks[i].dev == dev)
			return i;
	if (pf->nr_disks == RS_PERFETTO_MAX_DISKS)
		return RS_PERFETTO_MAX_DISKS - 1;
	for (size_t k = 0; k < pf->info->nr_disks; k++)
		if (pf->info->disks[k].dev == dev)
			name = pf->info->disks[k].name;
	snprintf(text, sizeof text, "disk %u,%u%s%.32s", dev >> 20, dev & 0xfffff, name ? " " : "", name ? name : "");
	pf->disks[pf->nr_disks] = (struct rs_perfetto_disk){ .dev = dev, .uuid = rs_perfetto_add_group(pf, text) };
	return pf->nr_disks++;
}

/* ---- the process tree ---- */

static char *tracks_put_process(char *p, int32_t pid, int32_t ppid, bool kernel_thread, const char *args, const char *comm)
{
	char *process;

	p = process = rs_proto_open(p, PF_TREE_PROCESSES);
	p = rs_proto_uint(p, PF_PROCESS_PID, (uint32_t)pid);
	if (ppid)
		p = rs_proto_uint(p, PF_PROCESS_PPID, (uint32_t)ppid);
	p = rs_proto_text(p, PF_PROCESS_CMDLINE, args ? args : comm, strlen(args ? args : comm));
	if (kernel_thread)
		p = rs_proto_uint(p, PF_PROCESS_IS_KTHREAD, 1);
	if (!args)
		p = rs_proto_uint(p, PF_PROCESS_CMDLINE_IS_COMM, 1);
	return rs_proto_close(process, p);
}

static char *tracks_put_thread(char *p, int32_t pid, int32_t tid, const char *comm)
{
	char *thread;

	p = thread = rs_proto_open(p, PF_TREE_THREADS);
	p = rs_proto_uint(p, PF_THREAD_TID, (uint32_t)tid);
	p = rs_proto_text(p, PF_THREAD_NAME, comm, strlen(comm));
	p = rs_proto_uint(p, PF_THREAD_TGID, (uint32_t)pid);
	return rs_proto_close(thread, p);
}

static void tracks_put_tree(struct rs_perfetto *pf, uint64_t ts_ns, const struct rs_initial_task *t)
{
	const char *args = t->pid == t->tid ? rs_source_args(pf->info, t->pid, t->comm) : NULL;
	char *p = rs_perfetto_open(pf, ts_ns, RS_PROTO_TEXT((args ? strlen(args) : 0) + 2 * RS_COMM_LEN)), *tree;

	if (!p)
		return;
	p = tree = rs_proto_open(p, PF_PACKET_PROCESS_TREE);
	if (t->pid == t->tid)
		p = tracks_put_process(p, t->pid, t->ppid, t->kernel_thread, args, t->comm);
	p = tracks_put_thread(p, t->pid, t->tid, t->comm);
	rs_perfetto_close(pf, rs_proto_close(tree, p));
}

void rs_perfetto_list_task(struct rs_perfetto *pf, struct rs_perfetto_task *d, const struct rs_task *t, uint64_t ts_ns)
{
	struct rs_initial_task row = { .tid = t->tid, .pid = t->pid, .ppid = t->ppid, .kernel_thread = t->kernel_thread };
	struct rs_task *leader;

	if (!t->pid || (d->is_listed && d->listed_pid == t->pid))
		return;
	leader = t->pid != t->tid ? rs_task_find(pf->subscriber_ctx, t->pid) : NULL;
	d->is_listed = true;
	d->listed_pid = t->pid;
	if (leader) /* the process has its name, and it need not be drawn */
		rs_perfetto_list_task(pf, rs_task_data(pf->subscriber_ctx, leader), leader, ts_ns);
	rs_copy(row.comm, sizeof row.comm, t->comm);
	tracks_put_tree(pf, ts_ns, &row);
}

void rs_perfetto_put_snapshot(struct rs_perfetto *pf)
{
	for (size_t i = 0; i < pf->info->nr_initial; i++) {
		const struct rs_initial_task *t = &pf->info->snapshot[i];

		if (t->pid > 0 && t->tid > 0)
			tracks_put_tree(pf, pf->begin_ns, t);
	}
}
