// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat-trailer - reads the trailer of a recording, see trailer.h, into what is known of its machine */
#include "recording/tracedat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time-limit.h"
#include "source/live/cgroup-counts.h"

#define MAX_TRAILER_BYTES (64u << 20)
/* The reader takes 64 bytes for each value; no machine has a list of tasks with more values than this. */
#define MAX_VALUES (4u << 20)

static void trailer_add_pauses(struct rs_tracedat *td, const struct rs_trailer *t)
{
	for (size_t i = 0; i < t->nr_pauses; i++) {
		struct rs_pause pause = { .off_ns = t->pauses[i].off_ns, .on_ns = t->pauses[i].on_ns };

		if (t->pauses[i].what)
			snprintf(pause.what, sizeof pause.what, "%s", t->pauses[i].what);
		rs_pauses_put(&td->source.pauses, &pause);
	}
}

static bool trailer_add_tasks(struct rs_tracedat *td, const struct rs_trailer *t)
{
	for (size_t i = 0; i < t->nr_tasks; i++) {
		const struct rs_trailer_task *task = &t->tasks[i];
		struct rs_initial_task *initial = rs_tracedat_add_initial_task(td);

		if (!initial)
			return false;
		*initial = (struct rs_initial_task){
			.ts_ns = task->ts_ns, .tid = (int32_t)task->tid, .pid = (int32_t)task->pid,
			.ppid = (int32_t)task->ppid,
			.kernel_thread = task->kernel_thread, .start_ns = task->start_ns,
		};
		rs_copy(initial->comm, sizeof initial->comm, task->comm);
	}
	return true;
}

static bool trailer_add_disks(struct rs_tracedat *td, const struct rs_trailer *t)
{
	td->disks = calloc(t->nr_disks + 1, sizeof *td->disks);
	for (; td->disks && td->source.info.nr_disks < t->nr_disks; td->source.info.nr_disks++) {
		struct rs_disk *disk = &td->disks[td->source.info.nr_disks];

		disk->dev = t->disks[td->source.info.nr_disks].number;
		rs_copy(disk->name, sizeof disk->name, t->disks[td->source.info.nr_disks].name);
		for (size_t i = 0; i < t->nr_mounts; i++)
			if (t->mounts[i].number == disk->dev)
				rs_copy(disk->mount, sizeof disk->mount, t->mounts[i].name);
	}
	return td->disks;
}

static bool trailer_add_stacked(struct rs_tracedat *td, const struct rs_trailer *t)
{
	td->stacked = calloc(t->nr_stacked + 1, sizeof *td->stacked);
	for (size_t i = 0; td->stacked && i < t->nr_stacked; i++) {
		td->stacked[i] = (struct rs_stacked_disk){ .above = t->stacked[i].above,
							   .below = t->stacked[i].below };
		rs_copy(td->stacked[i].label, sizeof td->stacked[i].label, t->stacked[i].label);
		td->source.info.nr_stacked++;
	}
	return td->stacked;
}

static bool trailer_add_cpu_power(struct rs_tracedat *td, const struct rs_trailer *t)
{
	td->idle_states = calloc(t->nr_idle_states + 1, sizeof *td->idle_states);
	td->cpu_speeds = calloc(t->nr_cpu_speeds + 1, sizeof *td->cpu_speeds);
	if (!td->idle_states || !td->cpu_speeds)
		return false;
	for (size_t i = 0; i < t->nr_idle_states; i++) {
		const struct rs_trailer_idle_state *of = &t->idle_states[i];

		td->idle_states[i] = (struct rs_idle_state){ of->cpu, of->state, of->exit_us,
							     of->residency_us, "" };
		rs_copy(td->idle_states[i].name, sizeof td->idle_states->name, of->name);
	}
	td->source.info.nr_idle_states = t->nr_idle_states;
	for (size_t i = 0; i < t->nr_cpu_speeds; i++)
		td->cpu_speeds[i] = t->cpu_speeds[i];
	td->source.info.nr_cpu_speeds = t->nr_cpu_speeds;
	return true;
}

static int trailer_compare_read(const void *a, const void *b)
{
	const struct rs_fd_path *x = a, *y = b;

	return (x->read_ns > y->read_ns) - (x->read_ns < y->read_ns);
}

static bool trailer_add_fds(struct rs_tracedat *td, const struct rs_trailer *t)
{
	size_t *nr = &td->source.info.nr_fd_paths;

	td->fd_paths = calloc(t->nr_fds + 1, sizeof *td->fd_paths);
	for (; td->fd_paths && *nr < t->nr_fds; ++*nr) {
		td->fd_paths[*nr] = t->fds[*nr];
		td->fd_paths[*nr].path = t->fds[*nr].path ? strdup(t->fds[*nr].path) : NULL;
	}
	if (td->fd_paths && *nr)
		qsort(td->fd_paths, *nr, sizeof *td->fd_paths, trailer_compare_read);
	return td->fd_paths;
}

static bool trailer_add_fd_sockets(struct rs_tracedat *td, const struct rs_trailer *t)
{
	for (size_t i = 0; i < t->nr_fd_sockets; i++)
		if (!rs_fd_socket_list_add(&td->fd_sockets, &t->fd_sockets[i]))
			return false;
	rs_fd_socket_list_sort(&td->fd_sockets);
	return true;
}

static bool trailer_add_args(struct rs_tracedat *td, const struct rs_trailer *t)
{
	struct rs_process_args_table *table = rs_process_args_new(false);

	td->source.info.args = table;
	for (size_t i = 0; table && i < t->nr_args; i++) {
		struct rs_process_args row = { .pid = (int32_t)t->args[i].pid, .read_ns = t->args[i].read_ns,
					       .text = t->args[i].text };

		rs_copy(row.comm, sizeof row.comm, t->args[i].comm);
		rs_process_args_add(table, &row);
	}
	return table;
}

/* Which path a process has: sorted by pid. */
struct trailer_place {
	int32_t pid;
	char *const *paths;      /* of its group, and of each controller */
};

static int trailer_compare_place(const void *a, const void *b)
{
	const struct trailer_place *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

#define TRAILER_PATHS (1 + RS_NR_CGROUP_CONTROLLERS) /* of each group in td->cgroups */

static void trailer_copy_paths(struct rs_tracedat *td, const struct rs_trailer_cgroup *group)
{
	td->cgroups[td->nr_cgroups++] = strdup(group->path);
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		td->cgroups[td->nr_cgroups++] = group->of[i] ? strdup(group->of[i]) : NULL;
}

static void trailer_set_paths(struct rs_initial_task *task, const struct trailer_place *place)
{
	task->cgroup = place ? place->paths[0] : NULL;
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		task->cgroup_of[i] = place ? place->paths[1 + i] : NULL;
}

/* After the tasks: the threads of a process are where it is. */
static bool trailer_add_cgroups(struct rs_tracedat *td, const struct rs_trailer *t)
{
	struct trailer_place *places;
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_cgroups; i++)
		nr += t->cgroups[i].nr_pids;
	places = calloc(nr + 1, sizeof *places);
	td->cgroups = calloc(TRAILER_PATHS * t->nr_cgroups + 1, sizeof *td->cgroups);
	nr = 0;
	for (const struct rs_trailer_cgroup *group = t->cgroups;
	     places && td->cgroups && group < t->cgroups + t->nr_cgroups; group++) {
		char *const *paths = td->cgroups + td->nr_cgroups;

		trailer_copy_paths(td, group);
		for (size_t i = 0; i < group->nr_pids; i++)
			places[nr++] = (struct trailer_place){ group->pids[i], paths };
	}
	if (nr)
		qsort(places, nr, sizeof *places, trailer_compare_place);
	for (struct rs_initial_task *task = td->snapshot;
	     nr && td->nr_initial && task < td->snapshot + td->nr_initial; task++)
		trailer_set_paths(task, bsearch(&(struct trailer_place){ .pid = task->pid }, places, nr,
						sizeof *places, trailer_compare_place));
	free(places);
	return td->cgroups;
}

static bool trailer_add_cgroup_counts(struct rs_tracedat *td, const struct rs_trailer *t)
{
	size_t *nr = &td->source.info.nr_cgroup_rows;

	td->source.info.cgroup_rows = td->cgroup_rows = calloc(t->nr_cgroup_counts + 1,
							       sizeof *td->cgroup_rows);
	for (; td->cgroup_rows && *nr < t->nr_cgroup_counts; ++*nr) {
		td->cgroup_rows[*nr] = t->cgroup_counts[*nr];
		td->cgroup_rows[*nr].path = strdup(t->cgroup_counts[*nr].path);
		if (!td->cgroup_rows[*nr].path)
			return false;
	}
	return td->cgroup_rows;
}

static const char *trailer_group_path(const struct rs_tracedat *td, const char *path)
{
	/* a recorder has no more; a file says anything */
	for (size_t i = 0; i < td->source.info.nr_cgroup_rows && i < RS_CGROUP_COUNTS_MAX; i++)
		if (!strcmp(td->cgroup_rows[i].path, path))
			return td->cgroup_rows[i].path;
	return NULL;
}

/* Those of groups that have counts; what is not in order of time ends it. */
static bool trailer_add_pressure(struct rs_tracedat *td, const struct rs_trailer *t)
{
	size_t *nr = &td->source.info.nr_pressure;
	uint64_t last_ns = 0;

	td->source.info.pressure = td->pressure = calloc(t->nr_pressure + 1, sizeof *td->pressure);
	for (size_t i = 0; td->pressure && i < t->nr_pressure && t->pressure[i].ts_ns >= last_ns; i++) {
		const char *path = trailer_group_path(td, t->pressure[i].path);

		last_ns = t->pressure[i].ts_ns;
		if (!path)
			continue;
		td->pressure[*nr] = t->pressure[i];
		td->pressure[(*nr)++].path = path;
	}
	return td->pressure;
}

static bool trailer_add_command(struct rs_tracedat *td, const struct rs_trailer_name *command)
{
	if (!command)
		return true;
	td->command = strdup(command->name);
	td->source.info.command_pid = (int32_t)command->number;
	td->source.info.command = td->command;
	return td->command;
}

static int trailer_compare_tid(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static int trailer_compare_time(const void *a, const void *b)
{
	const struct rs_initial_task *x = a, *y = b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static bool trailer_has(const int32_t *tids, size_t nr, int32_t tid)
{
	return nr && bsearch(&tid, tids, nr, sizeof *tids, trailer_compare_tid);
}

/* A tid that is not in the initial task snapshot is skipped: its name is unknown. */
static void trailer_mark_tasks(struct rs_tracedat *td, const struct rs_trailer *t)
{
	const struct { int32_t *tids; size_t nr; } lists[] = {
		{ t->self, t->nr_self }, { t->compat, t->nr_compat },
		{ t->compat_unknown, t->nr_compat_unknown },
	};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i].nr)
			qsort(lists[i].tids, lists[i].nr, sizeof *lists[i].tids, trailer_compare_tid);
	if (!td->nr_initial)
		return;
	for (struct rs_initial_task *task = td->snapshot; task < td->snapshot + td->nr_initial; task++) {
		task->self = trailer_has(t->self, t->nr_self, task->tid);
		if (!t->compat || trailer_has(t->compat_unknown, t->nr_compat_unknown, task->tid))
			continue;
		task->abi = trailer_has(t->compat, t->nr_compat, task->tid) ? RS_ABI_COMPAT : RS_ABI_NATIVE;
	}
	qsort(td->snapshot, td->nr_initial, sizeof *td->snapshot, trailer_compare_time);
}

static void trailer_note_warnings(struct rs_tracedat *td, const char *at)
{
	for (const char *line = at; line && *line; line = *at ? at + 1 : at) {
		at = strchrnul(line, '\n');
		rs_tracedat_note(td, "%.*s", (int)(at - line < 500 ? at - line : 500), line);
	}
}

/* Returns what is wrong with it, or NULL. */
static const char *trailer_apply(struct rs_tracedat *td, const struct rs_trailer *t)
{
	struct rs_trace_info *info = &td->source.info;

	if (t->version != RS_TRAILER_VERSION)
		return "its version is not known here";
	if (t->realtime_offset_ns.known && !rs_time_offset_is_valid(t->realtime_offset_ns.i))
		return "its time of day is later than any clock's";
	if (t->command && (!t->command->number || t->command->number > INT32_MAX))
		return "its command is no process";
	info->realtime_offset_known |= t->realtime_offset_ns.known;
	if (t->realtime_offset_ns.known)
		info->realtime_offset_ns = t->realtime_offset_ns.i;
	trailer_add_pauses(td, t);
	for (size_t i = 0; i < t->nr_calls; i++)
		if (!rs_call_params_add(&td->call_params, t->calls[i].name, t->calls[i].params))
			return "no memory";
	if (!trailer_add_command(td, t->command) || !trailer_add_tasks(td, t) || !trailer_add_disks(td, t) ||
	    !trailer_add_stacked(td, t) || !trailer_add_cpu_power(td, t) || !trailer_add_fds(td, t) ||
	    !trailer_add_fd_sockets(td, t) || !trailer_add_args(td, t) || !trailer_add_cgroups(td, t) ||
	    !trailer_add_cgroup_counts(td, t) || !trailer_add_pressure(td, t))
		return "no memory";
	if (t->containers && !(td->containers = strdup(t->containers)))
		return "no memory";
	info->containers = td->containers;
	trailer_mark_tasks(td, t);
	trailer_note_warnings(td, t->warnings);
	return NULL;
}

void rs_tracedat_read_trailer(struct rs_tracedat *td)
{
	struct rs_bytes b = { .data = td->map, .len = td->map_bytes };
	const struct rs_trailer *trailer = NULL;
	struct rs_frame_message *f = NULL;
	struct rs_error err = { 0 };
	uint64_t len, nr_values = 0;
	const char *wrong, *text;

	if (td->map_bytes < 16 || memcmp(td->map + td->map_bytes - 8, RS_TRAILER_MAGIC, 8)) {
		if (td->has_trailer)
			rs_tracedat_note(td, "ringside's own part at the file's end is missing, the file is "
					     "cut off: names and times of day may be missing");
		return;
	}
	b.at = td->map_bytes - 16;
	len = rs_bytes_u64(&b);
	if (len > td->map_bytes - 16 || len > MAX_TRAILER_BYTES)
		len = 0;
	text = (const char *)td->map + td->map_bytes - 16 - len;
	for (size_t i = 0; i < len; i++)
		nr_values += text[i] == ',';
	if (nr_values <= MAX_VALUES && len && (f = rs_message_parse(text, len, &err)))
		trailer = rs_message_read(f, &rs_trailer_message, &err);
	if (trailer)
		wrong = trailer_apply(td, trailer);
	else
		wrong = !len ? "an impossible length" : nr_values > MAX_VALUES ? "too many values" : err.text;
	if (!wrong)
		rs_tracedat_read_samples(td, trailer->sections, trailer->nr_sections, trailer->sampled,
					 td->map_bytes - 16 - len);
	else
		rs_tracedat_note(td,
				 "ringside's own part at the file's end is bad (%s): names and times of day "
				 "may be missing",
				 wrong);
	rs_message_free(f);
}
