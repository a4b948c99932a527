// SPDX-License-Identifier: GPL-2.0-or-later
/* files - reads, writes and syncs by file: how long they took, and what of that was a wait for a disk */
#include <string.h>

#include "ringside/plugin.h"

/* Calls of one task on one file. */
struct file_row {
	struct rs_hist lat;
	uint64_t reads, writes, syncs, read_bytes, write_bytes;
	uint64_t disk_calls, disk_ns; /* calls that waited for a disk, and how long */
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct file_row), .of_tasks = true, .max_rows = 1 << 18, .kept_keys = 1,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct file_row, lat) },
		RS_MEASURE_SUMS(struct file_row, reads, disk_ns)) },
	{ 0 },
};

enum { VIEW_FILELAT, VIEW_FILESLOWER };

/* How long the task has waited for disks in its call. */
struct task_disk {
	uint64_t enter_ns, wait_ns;
};

static void files_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct task_disk *d;

	if (w->cause != RS_CAUSE_DISK || iv->discarded || iv->task->syscall < 0 ||
	    iv->from_ns < iv->task->syscall_enter_ns)
		return;
	d = rs_task_data(c, iv->task);
	if (d->enter_ns != iv->task->syscall_enter_ns)
		*d = (struct task_disk){ .enter_ns = iv->task->syscall_enter_ns };
	d->wait_ns += iv->to_ns - iv->from_ns;
}

static uint64_t files_disk_ns(struct rs_ctx *c, const struct rs_call *call)
{
	const struct task_disk *d = rs_task_data(c, call->task);

	return d->enter_ns == call->enter_ns ? d->wait_ns : 0;
}

/* ---- what a path is of ---- */

static bool files_is_file(const char *path)
{
	const char *kind = rs_file_kind(path);

	return kind && !strcmp(kind, "file");
}

/* All sockets are one row, and all pipes: their numbers say nothing to people. */
static struct rs_value files_show_path(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const char *path = rs_file_path(c, g->keys[0]), *kind = rs_file_kind(path);

	return rs_s(kind && (!strcmp(kind, "socket") || !strcmp(kind, "pipe")) ? kind : path);
}

static struct rs_value files_show_kind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_file_kind(rs_file_path(c, g->keys[0])));
}

/* ---- fileslower: each slow call ---- */

enum { END, S_COMM, S_PID, S_TID, OP, BYTES, LAT, DISK, PATH, NR_STREAM_COLUMNS };

static const struct rs_column stream_columns[] = {
	[END] = { "end_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "the call returned" },
	[S_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	[S_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[S_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the thread" },
	[OP] = { "op", "D", RS_TYPE_TEXT, 0, 0, 1, "R read, W write, S sync" },
	[BYTES] = { "bytes", "BYTES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
		    "read or written; null for a sync and for an error" },
	[LAT] = { "lat_ns", "LAT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 9,
		  "from the call's begin to its return" },
	[DISK] = { "disk_ns", "DISK(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "of that, the wait for a disk",
		   .if_recorded = "sched:sched_switch" },
	[PATH] = { "path", "FILENAME", RS_TYPE_TEXT, 0, 0, 0,
		   "the file; null: unknown when the call returned" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

/*
 * A descriptor that is not looked up yet may be a socket's: it is shown only if the call could have been on a
 * file alone.
 */
static void files_emit(struct rs_ctx *c, const struct rs_call *call, enum rs_file_op op, uint64_t file,
		       uint64_t disk_ns)
{
	static const char *const ops[] = {
		[RS_FILE_READ] = "R", [RS_FILE_WRITE] = "W", [RS_FILE_SYNC] = "S"
	};
	const char *path = rs_file_path(c, file);
	struct rs_value v[NR_STREAM_COLUMNS];

	if (path ? !files_is_file(path) : op != RS_FILE_SYNC && !disk_ns)
		return;
	v[END] = rs_u(call->exit_ns);
	v[S_COMM] = rs_s(call->task->comm);
	v[S_PID] = rs_u_if(call->task->pid, (uint64_t)call->task->pid);
	v[S_TID] = rs_u((uint64_t)call->task->tid);
	v[OP] = rs_s(ops[op]);
	v[BYTES] = rs_u_if(op != RS_FILE_SYNC && call->ret >= 0, (uint64_t)call->ret);
	v[LAT] = rs_u(call->exit_ns - call->enter_ns);
	v[DISK] = rs_u_if(rs_event_is_recorded(c, "sched", "sched_switch"), disk_ns);
	v[PATH] = rs_s(path);
	rs_emit(c, VIEW_FILESLOWER, v);
}

static void files_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	enum rs_file_op op = rs_call_file_op(c, call->nr);
	uint64_t file, disk_ns, bytes = call->ret_known && call->ret > 0 ? (uint64_t)call->ret : 0;
	struct file_row *row;

	if (!op || call->discarded || !rs_shown(c, call->task))
		return;
	file = rs_call_file(c, call);
	disk_ns = files_disk_ns(c, call);
	if (!call->in_flight && rs_row_is_shown(c, VIEW_FILESLOWER, call->exit_ns - call->enter_ns))
		files_emit(c, call, op, file, disk_ns);
	row = rs_store_row(c, 0, call->task, file, 0);
	if (!row)
		return;
	rs_latency_add(c, &row->lat, call->enter_ns, call->exit_ns, call->in_flight);
	row->reads += op == RS_FILE_READ;
	row->writes += op == RS_FILE_WRITE;
	row->syncs += op == RS_FILE_SYNC;
	row->read_bytes += op == RS_FILE_READ ? bytes : 0;
	row->write_bytes += op == RS_FILE_WRITE ? bytes : 0;
	row->disk_calls += disk_ns > 0;
	row->disk_ns += disk_ns;
}

/* ---- filelat: by file ---- */

#define FILES_LATENCY .measure_bytes = offsetof(struct file_row, lat), .aspect
#define FILES_SUM(member) .measure_bytes = offsetof(struct file_row, member), .aspect = RS_VALUE
#define IF_SWITCHES .if_recorded = "sched:sched_switch"

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "path", "FILE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "the file, or socket, pipe: all of them; null: unknown", .key = RS_KEY_0, .by_cell = true,
	  .cell = files_show_path },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, 0, 6,
	  "file, device, kernel (of /proc, /sys), socket, pipe, other; null: unknown", .key = RS_KEY_0,
	  .by_cell = true,
	  .cell = files_show_kind, .follows = "path" },
	{ "reads", "READS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "calls that read it", FILES_SUM(reads) },
	{ "writes", "WRITES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "calls that wrote it", FILES_SUM(writes) },
	{ "syncs", "SYNCS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6, "fsync, fdatasync, sync_file_range, syncfs",
	  FILES_SUM(syncs) },
	{ "read_bytes", "READ", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "what the reads returned",
	  FILES_SUM(read_bytes) },
	{ "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "what the writes returned",
	  FILES_SUM(write_bytes) },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "wall time in these calls", FILES_LATENCY = RS_TOTAL },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "half of the calls took at most this",
	  FILES_LATENCY = RS_P50 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took at most this",
	  FILES_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  FILES_LATENCY = RS_MAX },
	{ "disk_calls", "ONDISK", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7,
	  "calls that waited for a disk; the others had it from the cache", FILES_SUM(disk_calls),
	  IF_SWITCHES },
	{ "disk_ns", "DISK(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "the part of the total that waited for a disk", FILES_SUM(disk_ns), IF_SWITCHES },
	{ 0 },
};

const struct rs_analysis rs_analysis_files = {
	.abi = RS_ABI,
	.name = "files",
	.summary = "reads, writes and syncs by file, from disk or from the cache",
	.by_name = true,
	.requires_files = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = files_on_call },
			     { RS_ON_WAIT, .wait = files_on_wait }),
	.views = RS_LIST(rs_view,
			 { .name = "filelat", .topic = RS_TOPIC_FILES,
			   .summary = "reads, writes and syncs by file, from disk or from the cache",
			   .kind = RS_VIEW_TABLE,
			   .columns = columns,
			   .sort = "-total_ns",
			   .options = "by",
			   .store = stores,
			   .by = "path",
			   .text_columns = "reads,writes,syncs,read_bytes,write_bytes,total_ns,p50_ns,p99_ns,"
					   "max_ns,disk_calls,disk_ns,path",
			   .latencies = RS_LIST(rs_latencies, { "total_ns,p50_ns,p99_ns,max_ns,disk_ns",
								.kind = "syscall" }) },
			 { .name = "fileslower", .topic = RS_TOPIC_FILES,
			   .summary = "calls on files that took long",
			   .kind = RS_VIEW_STREAM,
			   .columns = stream_columns,
			   .default_min_ns = 10000000,
			   .text_columns = "end_ns,comm,tid,op,bytes,lat_ns,path",
			   .latencies = RS_LIST(rs_latencies, { "lat_ns", .kind = "syscall" }) }),
	.stores = stores,
	.task_size = sizeof(struct task_disk),
};
