// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat-write-trailer - writes ringside's own data behind the sections of a trace.dat: see trailer.h */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/vector.h"
#include "recording/tracedat-parts.h"
#include "recording/trailer.h"
#include "source/perf/samples.h"

#define MAX_LISTS 20

/* The lists that are made for a trailer; freed together when it is written. */
struct lists {
	void *at[MAX_LISTS];
	unsigned int nr;
	bool failed;
};

static void *lists_add(struct lists *l, size_t nr, size_t bytes)
{
	void *at = l->nr < MAX_LISTS ? calloc(nr + 1, bytes) : NULL;

	if (at)
		l->at[l->nr++] = at;
	l->failed |= !at;
	return at;
}

/* ---- tasks ---- */

static void trailer_fill_tasks(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	struct rs_trailer_task *tasks = lists_add(l, info->nr_initial, sizeof *tasks);

	for (size_t i = 0; tasks && i < info->nr_initial; i++) {
		const struct rs_initial_task *of = &info->snapshot[i];

		tasks[i] = (struct rs_trailer_task){ .ts_ns = of->ts_ns, .tid = (uint32_t)of->tid,
						     .pid = (uint32_t)of->pid, .comm = of->comm,
						     .kernel_thread = of->kernel_thread,
						     .ppid = (uint32_t)of->ppid,
						     .start_ns = of->start_ns };
	}
	t->tasks = tasks;
	t->nr_tasks = tasks ? info->nr_initial : 0;
}

/* Threads by their ABI; -1: ringside's own. */
static int32_t *trailer_fill_tids(struct lists *l, const struct rs_trace_info *info, int abi, size_t *nr)
{
	int32_t *tids = lists_add(l, info->nr_initial, sizeof *tids);

	*nr = 0;
	for (size_t i = 0; tids && i < info->nr_initial; i++) {
		const struct rs_initial_task *of = &info->snapshot[i];

		if (abi < 0 ? of->self : (int)of->abi == abi && !of->kernel_thread)
			tids[(*nr)++] = of->tid;
	}
	return tids;
}

/* If it was determined: threads in neither list are 64-bit. */
static void trailer_fill_abis(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	bool known = false;

	for (size_t i = 0; i < info->nr_initial && !known; i++)
		known = info->snapshot[i].abi != RS_ABI_UNKNOWN;
	if (!known)
		return;
	t->compat = trailer_fill_tids(l, info, RS_ABI_COMPAT, &t->nr_compat);
	t->compat_unknown = trailer_fill_tids(l, info, RS_ABI_UNKNOWN, &t->nr_compat_unknown);
}

/* Copies, since a live table changes meanwhile. */
struct trailer_args {
	struct rs_trailer_args *args;
	char *pool;              /* of names and texts */
	size_t nr, room, used;
};

static const char *trailer_copy_text(struct trailer_args *to, const char *text)
{
	char *copy = to->pool + to->used;

	to->used += strlen(text) + 1;
	return memcpy(copy, text, strlen(text) + 1);
}

static void trailer_copy_args(void *arg, const struct rs_process_args *row)
{
	struct trailer_args *to = arg;

	if (to->nr == to->room)
		return;
	to->args[to->nr++] = (struct rs_trailer_args){
		.pid = (uint32_t)row->pid, .comm = trailer_copy_text(to, row->comm),
		.text = trailer_copy_text(to, row->text), .read_ns = row->read_ns,
	};
}

static void trailer_fill_args(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	size_t nr = rs_process_args_nr(info->args);
	struct trailer_args to = { .room = nr };

	if (!nr)
		return;
	to.args = lists_add(l, nr, sizeof *to.args);
	to.pool = lists_add(l, RS_PROCESS_ARGS_TEXT_BYTES + nr * RS_COMM_LEN, 1);
	if (to.args && to.pool)
		rs_process_args_each(info->args, trailer_copy_args, &to);
	t->args = to.args;
	t->nr_args = to.nr;
}

/* ---- control groups ---- */

static bool trailer_is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool trailer_is_in(const struct rs_initial_task *task, const struct rs_trailer_cgroup *group)
{
	bool same = trailer_is_same(task->cgroup, group->path);

	for (int i = 0; same && i < RS_NR_CGROUP_CONTROLLERS; i++)
		same = trailer_is_same(task->cgroup_of[i], group->of[i]);
	return same;
}

/* A group for each run of processes that are in one, as /proc lists them. */
static void trailer_fill_cgroups(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	struct rs_trailer_cgroup *groups = lists_add(l, info->nr_initial, sizeof *groups), *group = NULL;
	int32_t *pids = lists_add(l, info->nr_initial, sizeof *pids);

	for (const struct rs_initial_task *of = info->snapshot;
	     groups && pids && of < info->snapshot + info->nr_initial; of++) {
		if (!of->cgroup || of->tid != of->pid)
			continue;
		if (!group || !trailer_is_in(of, group)) {
			group = &groups[t->nr_cgroups++];
			*group = (struct rs_trailer_cgroup){ .path = of->cgroup, .pids = pids };
			memcpy(group->of, of->cgroup_of, sizeof group->of);
		}
		*pids++ = of->pid;
		group->nr_pids++;
	}
	t->cgroups = t->nr_cgroups ? groups : NULL;
}

/* Not those that only hold the others. */
static void trailer_fill_cgroup_counts(struct lists *l, struct rs_trailer *t,
				       const struct rs_trace_info *info)
{
	struct rs_cgroup_row *rows = info->nr_cgroup_rows ? lists_add(l, info->nr_cgroup_rows, sizeof *rows) :
							    NULL;

	for (size_t i = 0; rows && i < info->nr_cgroup_rows; i++)
		if (!info->cgroup_rows[i].is_around)
			rows[t->nr_cgroup_counts++] = info->cgroup_rows[i];
	t->cgroup_counts = rows;
}

/* ---- disks ---- */

static void trailer_fill_disks(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	struct rs_trailer_name *disks = lists_add(l, info->nr_disks, sizeof *disks),
			       *mounts = lists_add(l, info->nr_disks, sizeof *mounts);

	for (size_t i = 0; disks && mounts && i < info->nr_disks; i++) {
		const struct rs_disk *disk = &info->disks[i];

		disks[t->nr_disks++] = (struct rs_trailer_name){ disk->dev, disk->name };
		if (disk->mount[0])
			mounts[t->nr_mounts++] = (struct rs_trailer_name){ disk->dev, disk->mount };
	}
	t->disks = disks;
	t->mounts = t->nr_mounts ? mounts : NULL;
}

static void trailer_fill_stacked(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	struct rs_trailer_stacked *stacked = info->nr_stacked ?
						     lists_add(l, info->nr_stacked, sizeof *stacked) :
						     NULL;

	for (; stacked && t->nr_stacked < info->nr_stacked; t->nr_stacked++) {
		const struct rs_stacked_disk *of = &info->stacked[t->nr_stacked];

		stacked[t->nr_stacked] = (struct rs_trailer_stacked){ of->above, of->below, of->label };
	}
	t->stacked = stacked;
}

/* ---- CPUs ---- */

static void trailer_fill_idle_states(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info)
{
	struct rs_trailer_idle_state *rows =
		info->nr_idle_states ? lists_add(l, info->nr_idle_states, sizeof *rows) : NULL;

	for (; rows && t->nr_idle_states < info->nr_idle_states; t->nr_idle_states++) {
		const struct rs_idle_state *of = &info->idle_states[t->nr_idle_states];

		rows[t->nr_idle_states] = (struct rs_trailer_idle_state){
			of->cpu, of->state, of->exit_us, of->residency_us, of->name
		};
	}
	t->idle_states = rows;
}

/* ---- what was lost, and sampled ---- */

static void trailer_fill_lost(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info,
			      const uint64_t *lost_by_cpu)
{
	struct rs_value *lost = lists_add(l, info->nr_cpus, sizeof *lost);

	for (; lost && lost_by_cpu && t->nr_lost_by_cpu < info->nr_cpus; t->nr_lost_by_cpu++)
		lost[t->nr_lost_by_cpu] = rs_u_if(lost_by_cpu[t->nr_lost_by_cpu] != RS_LOST_UNKNOWN,
						  lost_by_cpu[t->nr_lost_by_cpu]);
	t->lost_by_cpu = lost;
}

/* Its reason is stored beside each pause. */
static void trailer_fill_pauses(struct lists *l, struct rs_trailer *t, struct rs_pauses *pauses)
{
	enum { MOST = RS_MAX_PAUSES + 1 }; /* and the extension of the last */
	struct rs_trailer_pause *rows = lists_add(l, MOST, sizeof *rows);
	struct rs_pause *of = lists_add(l, MOST, sizeof *of);
	struct rs_pauses_cursor at = { 0 };

	for (; rows && of && pauses && t->nr_pauses < MOST && rs_pauses_next(pauses, &at, of); of++)
		rows[t->nr_pauses++] = (struct rs_trailer_pause){ of->off_ns, of->on_ns,
								  *of->what ? of->what : NULL };
	t->pauses = rows;
}

/* "cycles,instructions" */
static void trailer_put_counters(struct rs_buf *names, const struct rs_sample_info *info)
{
	for (unsigned int i = 0; i < info->nr_counters; i++)
		rs_buf_printf(names, "%s%s", i ? "," : "", rs_pmu_counters_name(info->counters[i]));
}

static struct rs_tracedat_sampled trailer_sampled(const struct rs_sample_info *info,
						  const struct rs_buf *counters)
{
	return (struct rs_tracedat_sampled){
		.event = info->event, .hz = info->hz, .sample_type = info->sample_type,
		.read_format = info->nr_counters ? info->read_format : 0,
		.counters = info->nr_counters ? counters->data : NULL, .samples = info->nr_samples,
		.lost = info->nr_lost,
		.by_build_id = info->by_build_id,
		.jitted_from_ns = info->jitted_to_ns ? (uint64_t)info->jitted_from_ns : 0,
		.jitted_to_ns = (uint64_t)info->jitted_to_ns,
		.jitted_owner = info->jitted_to_ns ? info->jitted_owner : 0,
	};
}

void rs_tracedat_places_add(struct rs_tracedat_places *places, const struct rs_tracedat_part *part,
			    uint64_t offset)
{
	if (places->nr < RS_TRACEDAT_MAX_PARTS)
		places->row[places->nr++] = (struct rs_tracedat_section){
			part->name, offset, part->len_bytes, (uint32_t)crc32_z(0, part->data, part->len_bytes)
		};
}

/* ---- the whole ---- */

static void trailer_fill(struct lists *l, struct rs_trailer *t, const struct rs_trace_info *info,
			 const struct rs_tracedat_tail *tail)
{
	*t = (struct rs_trailer){
		.version = RS_TRAILER_VERSION, .realtime_offset_ns = { .known = info->realtime_offset_known,
			.i = info->realtime_offset_ns },
		.calls = info->nr_call_params ? info->call_params : NULL, .nr_calls = info->nr_call_params,
		.fds = info->nr_fd_paths ? info->fd_paths : NULL, .nr_fds = info->nr_fd_paths,
		.fd_sockets = info->nr_fd_sockets ? info->fd_sockets : NULL,
		.nr_fd_sockets = info->nr_fd_sockets,
		.cpu_speeds = info->nr_cpu_speeds ? info->cpu_speeds : NULL,
		.nr_cpu_speeds = info->nr_cpu_speeds,
		.containers = info->containers,
		.warnings = tail->warnings && *tail->warnings ? tail->warnings : NULL,
	};
	t->self = trailer_fill_tids(l, info, -1, &t->nr_self);
	trailer_fill_tasks(l, t, info);
	trailer_fill_abis(l, t, info);
	trailer_fill_disks(l, t, info);
	trailer_fill_stacked(l, t, info);
	trailer_fill_idle_states(l, t, info);
	trailer_fill_args(l, t, info);
	trailer_fill_cgroups(l, t, info);
	trailer_fill_cgroup_counts(l, t, info);
	t->pressure = info->pressure;
	t->nr_pressure = info->nr_pressure;
	trailer_fill_lost(l, t, info, tail->lost_by_cpu);
	trailer_fill_pauses(l, t, tail->pauses);
}

static void trailer_put(struct rs_buf *out, const struct rs_trailer *t)
{
	size_t begin = out->len;
	uint8_t length[8];
	struct rs_json j;

	rs_json_init(&j, out);
	rs_message_put(&j, &rs_trailer_message, t);
	for (int i = 0; i < 8; i++)
		length[i] = (uint8_t)((uint64_t)(out->len - begin) >> 8 * i);
	rs_buf_add(out, length, sizeof length);
	rs_buf_add(out, RS_TRAILER_MAGIC, strlen(RS_TRAILER_MAGIC));
}

void rs_tracedat_put_trailer(struct rs_buf *out, const struct rs_trace_info *info,
			     const struct rs_tracedat_tail *tail, const struct rs_tracedat_places *places)
{
	struct rs_trailer_name command = { (uint32_t)info->command_pid, info->command ? info->command : "" };
	struct rs_tracedat_sampled sampled;
	struct rs_buf counters = RS_BUF_INIT;
	struct lists lists = { .nr = 0 };
	struct rs_trailer t;

	trailer_fill(&lists, &t, info, tail);
	t.command = info->command_pid > 0 ? &command : NULL;
	t.sections = places->nr ? places->row : NULL;
	t.nr_sections = places->nr;
	if (tail->samples) {
		trailer_put_counters(&counters, tail->samples);
		sampled = trailer_sampled(tail->samples, &counters);
		t.sampled = &sampled;
	}
	trailer_put(out, &t);
	out->failed |= lists.failed || counters.failed;
	rs_buf_done(&counters);
	while (lists.nr)
		free(lists.at[--lists.nr]);
}
