// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-trailer - the trailer of ringside's own recordings, behind the last byte that trace-cmd reads
 *
 *	JSON | u64 its length, little-endian | "RNGSIDE1"
 *
 * The JSON is an object with the members of struct trailer. Members that it does not list are skipped: newer versions
 * may write more. Numbers may be strings of digits: a JSON number is exact up to 2^53 only.
 */
#include "source/tracedat.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/message.h"
#include "base/time-limit.h"
#include "source/cgroup-counts.h"

#define MAX_TRAILER_BYTES (64u << 20)
/* The reader takes 64 bytes for each value; no machine has a list of tasks with more values than this. */
#define MAX_VALUES (4u << 20)
#define MAX_CALLS 4096
#define MAX_FDS (1u << 16)
#define TRAILER_MAX_SECTIONS 64
#define MAX_CGROUPS (1u << 16)

/* A command by its pid, a disk by its dev_t. */
struct trailer_name {
	uint32_t number;
	const char *name;
};

RS_MESSAGE(trailer_name)
	{ "number", RS_NUMBER, RS_AT(number), .required = true },
	{ "name", RS_STRING, RS_AT(name), .required = true },
RS_MESSAGE_END(trailer_name, RS_TUPLE_OF, NULL)

struct trailer_task {
	uint64_t ts_ns;
	uint32_t tid, pid;
	const char *comm;
	uint32_t kernel_thread, ppid;
};

RS_MESSAGE(trailer_task)
	{ "ts_ns", RS_NUMBER, RS_AT(ts_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "tid", RS_NUMBER, RS_AT(tid), .most = INT32_MAX, .required = true },
	{ "pid", RS_NUMBER, RS_AT(pid), .most = INT32_MAX, .required = true },
	{ "comm", RS_STRING, RS_AT(comm), .required = true },
	{ "kernel_thread", RS_NUMBER, RS_AT(kernel_thread), .most = 1, .required = true },
	{ "ppid", RS_NUMBER, RS_AT(ppid), .most = INT32_MAX },
RS_MESSAGE_END(trailer_task, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_call_params)
	{ "name", RS_STRING, RS_AT(name), .required = true },
	{ "params", RS_STRING, RS_AT(params), .required = true },
RS_MESSAGE_END(rs_call_params, RS_TUPLE_OF, NULL)

/* The kernel gives no longer one. */
static bool trailer_path_is_valid(const void *message)
{
	return strnlen(((const struct rs_fd_path *)message)->path, PATH_MAX) < PATH_MAX;
}

RS_MESSAGE(rs_fd_path)
	{ "read_ns", RS_NUMBER, RS_AT(read_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "tid", RS_NUMBER, RS_AT(tid), .most = INT32_MAX, .required = true },
	{ "fd", RS_NUMBER, RS_AT(fd), .most = INT32_MAX, .required = true },
	{ "path", RS_STRING, RS_AT(path), .required = true },
RS_MESSAGE_END(rs_fd_path, RS_TUPLE_OF, trailer_path_is_valid)

/* The begin of a command line is enough to know a process by. */
#define MAX_ARGS_BYTES 4096u

struct trailer_args {
	uint32_t pid;
	const char *comm, *text;
};

RS_MESSAGE(trailer_args)
	{ "pid", RS_NUMBER, RS_AT(pid), .most = INT32_MAX, .required = true },
	{ "comm", RS_STRING, RS_AT(comm), .required = true },
	{ "text", RS_STRING, RS_AT(text), .required = true },
RS_MESSAGE_END(trailer_args, RS_TUPLE_OF, NULL)

struct trailer_stacked {
	uint32_t above, below;
	const char *label;
};

RS_MESSAGE(trailer_stacked)
	{ "above", RS_NUMBER, RS_AT(above), .required = true },
	{ "below", RS_NUMBER, RS_AT(below), .required = true },
	{ "label", RS_STRING, RS_AT(label), .required = true },
RS_MESSAGE_END(trailer_stacked, RS_TUPLE_OF, NULL)

/* The processes of a control group; several may name the same one. */
struct trailer_cgroup {
	const char *path;
	int32_t *pids;
	size_t nr_pids;
	const char *of[RS_NR_CGROUP_CONTROLLERS]; /* NULL: the same path */
};

RS_MESSAGE(trailer_cgroup)
	{ "path", RS_STRING, RS_AT(path), .required = true },
	{ "pids", RS_LIST, RS_AT(pids), .of = &rs_message_i32, .required = true },
	{ "cpu", RS_STRING, RS_AT(of[RS_CGROUP_CPU]) },
	{ "memory", RS_STRING, RS_AT(of[RS_CGROUP_MEMORY]) },
	{ "io", RS_STRING, RS_AT(of[RS_CGROUP_IO]) },
RS_MESSAGE_END(trailer_cgroup, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_tracedat_section)
	{ "name", RS_STRING, RS_AT(name), .required = true },
	{ "offset", RS_NUMBER, RS_AT(offset), .required = true },
	{ "bytes", RS_NUMBER, RS_AT(bytes), .required = true },
	{ "crc", RS_NUMBER, RS_AT(crc), .required = true },
RS_MESSAGE_END(rs_tracedat_section, RS_TUPLE_OF, NULL)

RS_MESSAGE(rs_tracedat_sampled)
	{ "event", RS_STRING, RS_AT(event), .required = true },
	{ "hz", RS_NUMBER, RS_AT(hz), .required = true },
	{ "sample_type", RS_NUMBER, RS_AT(sample_type), .required = true },
	{ "read_format", RS_NUMBER, RS_AT(read_format) },
	{ "counters", RS_STRING, RS_AT(counters) },
	{ "samples", RS_NUMBER, RS_AT(samples), .required = true },
	{ "lost", RS_NUMBER, RS_AT(lost), .required = true },
	{ "by_build_id", RS_BOOL, RS_AT(by_build_id) },
	{ "jitted_from_ns", RS_NUMBER, RS_AT(jitted_from_ns), .most = RS_MAX_TIME_NS },
	{ "jitted_to_ns", RS_NUMBER, RS_AT(jitted_to_ns), .most = RS_MAX_TIME_NS },
	{ "jitted_owner", RS_NUMBER, RS_AT(jitted_owner), .most = UINT32_MAX },
RS_MESSAGE_END(rs_tracedat_sampled, RS_OBJECT_OF, NULL)

/* what: see struct rs_pause; a recording of an older version lacks it. */
struct trailer_pause {
	uint64_t off_ns, on_ns;
	const char *what;
};

static bool trailer_pause_is_valid(const void *message)
{
	const struct trailer_pause *pause = message;

	return pause->on_ns >= pause->off_ns;
}

RS_MESSAGE(trailer_pause)
	{ "off_ns", RS_NUMBER, RS_AT(off_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "on_ns", RS_NUMBER, RS_AT(on_ns), .most = RS_MAX_TIME_NS, .required = true },
	{ "what", RS_STRING, RS_AT(what) },
RS_MESSAGE_END(trailer_pause, RS_TUPLE_OF, trailer_pause_is_valid)

/* compat: threads of 32-bit programs; compat_unknown: threads whose program is not known. Without compat it is unknown of all. */
struct trailer {
	uint64_t version;
	struct rs_value realtime_offset_ns;
	const struct trailer_name *command;
	int32_t *self;           /* the recorder's own threads */
	size_t nr_self;
	const struct trailer_task *tasks;
	size_t nr_tasks;
	int32_t *compat;
	size_t nr_compat;
	int32_t *compat_unknown;
	size_t nr_compat_unknown;
	const struct rs_call_params *calls;
	size_t nr_calls;
	const struct trailer_name *disks;
	size_t nr_disks;
	const struct trailer_name *mounts;
	size_t nr_mounts;
	const struct trailer_stacked *stacked;
	size_t nr_stacked;
	const struct rs_fd_path *fds;
	size_t nr_fds;
	const struct trailer_args *args;
	size_t nr_args;
	const struct trailer_cgroup *cgroups;
	size_t nr_cgroups;
	const struct rs_cgroup_row *cgroup_counts;
	size_t nr_cgroup_counts;
	const struct trailer_pause *pauses;
	size_t nr_pauses;
	const char *warnings;    /* lines */
	const struct rs_tracedat_sampled *sampled;
	const struct rs_tracedat_section *sections;
	size_t nr_sections;
};

RS_MESSAGE(trailer)
	{ "version", RS_NUMBER, RS_AT(version), .required = true },
	{ "realtime_offset_ns", RS_MAYBE_SIGNED, RS_AT(realtime_offset_ns) },
	{ "command", RS_OBJECT, RS_AT(command), .of = &trailer_name_message },
	{ "self", RS_LIST, RS_AT(self), .of = &rs_message_i32 },
	{ "tasks", RS_LIST, RS_AT(tasks), .of = &trailer_task_message },
	{ "compat", RS_LIST, RS_AT(compat), .of = &rs_message_i32 },
	{ "compat_unknown", RS_LIST, RS_AT(compat_unknown), .of = &rs_message_i32 },
	{ "calls", RS_LIST, RS_AT(calls), .of = &rs_call_params_message, .most = MAX_CALLS },
	{ "disks", RS_LIST, RS_AT(disks), .of = &trailer_name_message },
	{ "mounts", RS_LIST, RS_AT(mounts), .of = &trailer_name_message },
	{ "stacked", RS_LIST, RS_AT(stacked), .of = &trailer_stacked_message },
	{ "fds", RS_LIST, RS_AT(fds), .of = &rs_fd_path_message, .most = MAX_FDS },
	{ "args", RS_LIST, RS_AT(args), .of = &trailer_args_message, .most = MAX_FDS },
	{ "cgroups", RS_LIST, RS_AT(cgroups), .of = &trailer_cgroup_message, .most = MAX_CGROUPS },
	{ "cgroup_counts", RS_LIST, RS_AT(cgroup_counts), .of = &rs_cgroup_row_message, .most = MAX_CGROUPS },
	{ "pauses", RS_LIST, RS_AT(pauses), .of = &trailer_pause_message },
	{ "warnings", RS_STRING, RS_AT(warnings) },
	{ "sampled", RS_OBJECT, RS_AT(sampled), .of = &rs_tracedat_sampled_message },
	{ "sections", RS_LIST, RS_AT(sections), .of = &rs_tracedat_section_message, .most = TRAILER_MAX_SECTIONS },
RS_MESSAGE_END(trailer, RS_OBJECT_OF, NULL)

static void trailer_add_pauses(struct rs_tracedat *td, const struct trailer *t)
{
	for (size_t i = 0; i < t->nr_pauses; i++) {
		struct rs_pause pause = { .off_ns = t->pauses[i].off_ns, .on_ns = t->pauses[i].on_ns };

		if (t->pauses[i].what)
			snprintf(pause.what, sizeof pause.what, "%s", t->pauses[i].what);
		rs_pauses_put(&td->source.pauses, &pause);
	}
}

static bool trailer_add_tasks(struct rs_tracedat *td, const struct trailer *t)
{
	for (size_t i = 0; i < t->nr_tasks; i++) {
		const struct trailer_task *task = &t->tasks[i];
		struct rs_initial_task *initial = rs_tracedat_add_initial_task(td);

		if (!initial)
			return false;
		*initial = (struct rs_initial_task){
			.ts_ns = task->ts_ns, .tid = (int32_t)task->tid, .pid = (int32_t)task->pid, .ppid = (int32_t)task->ppid,
			.kernel_thread = task->kernel_thread,
		};
		rs_copy(initial->comm, sizeof initial->comm, task->comm);
	}
	return true;
}

static bool trailer_add_disks(struct rs_tracedat *td, const struct trailer *t)
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

static bool trailer_add_stacked(struct rs_tracedat *td, const struct trailer *t)
{
	td->stacked = calloc(t->nr_stacked + 1, sizeof *td->stacked);
	for (size_t i = 0; td->stacked && i < t->nr_stacked; i++) {
		td->stacked[i] = (struct rs_stacked_disk){ .above = t->stacked[i].above, .below = t->stacked[i].below };
		rs_copy(td->stacked[i].label, sizeof td->stacked[i].label, t->stacked[i].label);
		td->source.info.nr_stacked++;
	}
	return td->stacked;
}

static int trailer_compare_read(const void *a, const void *b)
{
	const struct rs_fd_path *x = a, *y = b;

	return (x->read_ns > y->read_ns) - (x->read_ns < y->read_ns);
}

static bool trailer_add_fds(struct rs_tracedat *td, const struct trailer *t)
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

static bool trailer_add_args(struct rs_tracedat *td, const struct trailer *t)
{
	td->source.info.args = td->args = calloc(t->nr_args + 1, sizeof *td->args);
	for (size_t i = 0; td->args && i < t->nr_args; i++) {
		struct rs_process_args *a = &td->args[td->source.info.nr_args++];

		a->pid = (int32_t)t->args[i].pid;
		rs_copy(a->comm, sizeof a->comm, t->args[i].comm);
		a->text = strndup(t->args[i].text, MAX_ARGS_BYTES);
	}
	return td->args;
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

static void trailer_copy_paths(struct rs_tracedat *td, const struct trailer_cgroup *group)
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
static bool trailer_add_cgroups(struct rs_tracedat *td, const struct trailer *t)
{
	struct trailer_place *places;
	size_t nr = 0;

	for (size_t i = 0; i < t->nr_cgroups; i++)
		nr += t->cgroups[i].nr_pids;
	places = calloc(nr + 1, sizeof *places);
	td->cgroups = calloc(TRAILER_PATHS * t->nr_cgroups + 1, sizeof *td->cgroups);
	nr = 0;
	for (const struct trailer_cgroup *group = t->cgroups; places && td->cgroups && group < t->cgroups + t->nr_cgroups; group++) {
		char *const *paths = td->cgroups + td->nr_cgroups;

		trailer_copy_paths(td, group);
		for (size_t i = 0; i < group->nr_pids; i++)
			places[nr++] = (struct trailer_place){ group->pids[i], paths };
	}
	if (nr)
		qsort(places, nr, sizeof *places, trailer_compare_place);
	for (struct rs_initial_task *task = td->snapshot; nr && td->nr_initial && task < td->snapshot + td->nr_initial; task++)
		trailer_set_paths(task, bsearch(&(struct trailer_place){ .pid = task->pid }, places, nr, sizeof *places, trailer_compare_place));
	free(places);
	return td->cgroups;
}

static bool trailer_add_cgroup_counts(struct rs_tracedat *td, const struct trailer *t)
{
	size_t *nr = &td->source.info.nr_cgroup_rows;

	td->source.info.cgroup_rows = td->cgroup_rows = calloc(t->nr_cgroup_counts + 1, sizeof *td->cgroup_rows);
	for (; td->cgroup_rows && *nr < t->nr_cgroup_counts; ++*nr) {
		td->cgroup_rows[*nr] = t->cgroup_counts[*nr];
		td->cgroup_rows[*nr].path = strdup(t->cgroup_counts[*nr].path);
		if (!td->cgroup_rows[*nr].path)
			return false;
	}
	return td->cgroup_rows;
}

static bool trailer_add_command(struct rs_tracedat *td, const struct trailer_name *command)
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
static void trailer_mark_tasks(struct rs_tracedat *td, const struct trailer *t)
{
	const struct { int32_t *tids; size_t nr; } lists[] = {
		{ t->self, t->nr_self }, { t->compat, t->nr_compat }, { t->compat_unknown, t->nr_compat_unknown },
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
static const char *trailer_apply(struct rs_tracedat *td, const struct trailer *t)
{
	struct rs_trace_info *info = &td->source.info;

	if (t->version != 1)
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
	if (!trailer_add_command(td, t->command) || !trailer_add_tasks(td, t) || !trailer_add_disks(td, t) || !trailer_add_stacked(td, t) || !trailer_add_fds(td, t) || !trailer_add_args(td, t) ||
	    !trailer_add_cgroups(td, t) || !trailer_add_cgroup_counts(td, t))
		return "no memory";
	trailer_mark_tasks(td, t);
	trailer_note_warnings(td, t->warnings);
	return NULL;
}

void rs_tracedat_read_trailer(struct rs_tracedat *td)
{
	struct rs_bytes b = { .data = td->map, .len = td->map_bytes };
	const struct trailer *trailer = NULL;
	struct rs_frame_message *f = NULL;
	struct rs_error err = { 0 };
	uint64_t len, nr_values = 0;
	const char *wrong, *text;

	if (td->map_bytes < 16 || memcmp(td->map + td->map_bytes - 8, "RNGSIDE1", 8)) {
		if (td->has_trailer)
			rs_tracedat_note(td, "ringside's own part at the file's end is missing, the file is cut off: names and times of day may be missing");
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
		trailer = rs_message_read(f, &trailer_message, &err);
	if (trailer)
		wrong = trailer_apply(td, trailer);
	else
		wrong = !len ? "an impossible length" : nr_values > MAX_VALUES ? "too many values" : err.text;
	if (!wrong)
		rs_tracedat_read_samples(td, trailer->sections, trailer->nr_sections, trailer->sampled, td->map_bytes - 16 - len);
	else
		rs_tracedat_note(td, "ringside's own part at the file's end is bad (%s): names and times of day may be missing", wrong);
	rs_message_free(f);
}
