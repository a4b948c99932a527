// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * opensnoop - calls that open a file by its name, and calls that ask for its attributes
 *
 * A call's event has the address of the name alone. Probes of the kernel read the name as the call begins:
 * see rs_call_path. Without them, the path of a descriptor is looked up while it is open: its row, and those
 * behind it, wait for that a moment.
 */
#include "ringside/plugin.h"

enum { END, COMM, PID, TID, SYSCALL, FD, ERRNO, LAT, PATH, NR_COLUMNS };

#define OPENSNOOP_COLUMNS(fd_help) \
	[END] = { "end_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "the call returned" }, \
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" }, \
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" }, \
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the thread" }, \
	[SYSCALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 10, "the system call" }, \
	[FD] = { "fd", "FD", RS_TYPE_ID, 0, 0, 4, fd_help }, \
	[ERRNO] = { "errno", "ERR", RS_TYPE_ID, 0, 0, 3, "the error, where it returned one" }, \
	[LAT] = { "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, \
		  9, "from the call's begin to its return" }, \
	[PATH] = { "path", "PATH", RS_TYPE_TEXT, 0, 0, 0, \
		   "the name that it was given, or the path of the descriptor; null: unknown" }, \
	RS_STREAM_CGROUP_COLUMNS, \
	{ 0 }

static const struct rs_column open_columns[] = {
	OPENSNOOP_COLUMNS("the descriptor that it returned; null: it failed"),
};
static const struct rs_column stat_columns[] = {
	OPENSNOOP_COLUMNS("the folder that a relative name begins at; null: the working directory, or none"),
};

enum { VIEW_OPENSNOOP, VIEW_STATSNOOP };

/* Names of calls are compared once each: of most the answer is that they are none of these. */
enum opensnoop_op {
	OPENSNOOP_UNASKED,
	OPENSNOOP_OTHER,
	OPENSNOOP_OPENS,
	OPENSNOOP_STATS,
	OPENSNOOP_STATS_AT /* below a folder */
};

static const struct { const char *call; enum opensnoop_op op; } opensnoop_calls[] = {
	{ "open", OPENSNOOP_OPENS }, { "openat", OPENSNOOP_OPENS }, { "openat2", OPENSNOOP_OPENS },
	{ "creat", OPENSNOOP_OPENS },
	{ "stat", OPENSNOOP_STATS }, { "lstat", OPENSNOOP_STATS }, { "stat64", OPENSNOOP_STATS },
	{ "lstat64", OPENSNOOP_STATS }, { "newfstatat", OPENSNOOP_STATS_AT },
	{ "fstatat64", OPENSNOOP_STATS_AT }, { "statx", OPENSNOOP_STATS_AT },
};

#define OPENSNOOP_CALLS 1024

#define OPENSNOOP_HELD 1024u
#define OPENSNOOP_HOLD_NS 200000000u

/* A call that has returned. */
struct opensnoop_held {
	char comm[RS_COMM_LEN];
	int32_t pid, tid, dir;
	int64_t nr, ret;
	uint64_t enter_ns, exit_ns;
	uint64_t file;           /* of the descriptor that it returned; 0: unknown, or none */
	enum opensnoop_op op;
	bool ret_known;
};

struct opensnoop {
	uint8_t ops[2][OPENSNOOP_CALLS]; /* enum opensnoop_op, by number; [1]: of 32-bit programs */
	struct opensnoop_held held[OPENSNOOP_HELD];
	uint64_t nr_held, nr_asked, nr_emitted;
};

static enum opensnoop_op opensnoop_find(struct rs_ctx *c, int64_t nr)
{
	const char *name = rs_syscall_name(c, nr);

	for (size_t i = 0; name && i < sizeof opensnoop_calls / sizeof *opensnoop_calls; i++)
		if (!strcmp(opensnoop_calls[i].call, name))
			return opensnoop_calls[i].op;
	return OPENSNOOP_OTHER;
}

static enum opensnoop_op opensnoop_op_of(struct rs_ctx *c, int64_t nr)
{
	struct opensnoop *o = c->state;
	int64_t number = rs_call_number(nr);
	uint8_t *op;

	if (number < 0 || number >= OPENSNOOP_CALLS || nr & RS_CALL_DOUBTFUL)
		return opensnoop_find(c, nr);
	op = &o->ops[nr & RS_CALL_COMPAT ? 1 : 0][number];
	if (!*op)
		*op = opensnoop_find(c, nr);
	return *op;
}

/* ---- rows ---- */

#define OPENSNOOP_MAX_ERRNO 4095

static bool opensnoop_failed(const struct opensnoop_held *h)
{
	return h->ret_known && h->ret < 0 && h->ret >= -OPENSNOOP_MAX_ERRNO;
}

static bool opensnoop_has_fd(const struct opensnoop_held *h)
{
	return h->op == OPENSNOOP_OPENS && h->ret_known && h->ret >= 0 && h->ret <= INT32_MAX;
}

static unsigned int opensnoop_view(enum opensnoop_op op)
{
	return op == OPENSNOOP_OPENS ? VIEW_OPENSNOOP : VIEW_STATSNOOP;
}

static void opensnoop_emit(struct rs_ctx *c, const struct opensnoop_held *h, const char *path)
{
	struct rs_value v[NR_COLUMNS];

	v[END] = rs_u(h->exit_ns);
	v[COMM] = rs_s(h->comm);
	v[PID] = rs_u_if(h->pid, (uint64_t)h->pid);
	v[TID] = rs_u((uint64_t)h->tid);
	v[SYSCALL] = rs_s(rs_syscall_name(c, h->nr));
	if (h->op == OPENSNOOP_OPENS)
		v[FD] = rs_u_if(opensnoop_has_fd(h), (uint64_t)h->ret);
	else
		v[FD] = rs_u_if(h->op == OPENSNOOP_STATS_AT && h->dir >= 0, (uint64_t)h->dir);
	v[ERRNO] = rs_u_if(opensnoop_failed(h), (uint64_t)-h->ret);
	v[LAT] = rs_u(h->exit_ns - h->enter_ns);
	v[PATH] = rs_s(path);
	rs_emit(c, opensnoop_view(h->op), v);
}

/* Of the descriptor now, which may be another file's than it was. */
static uint64_t opensnoop_file(struct rs_ctx *c, const struct opensnoop_held *h)
{
	const struct rs_task *t = opensnoop_has_fd(h) ? rs_task_find(c, h->tid) : NULL;

	return t ? rs_fd_file(c, t, (int32_t)h->ret) : 0;
}

/* In their order, but none before its path has been looked up, or that takes too long. */
static void opensnoop_emit_held(struct rs_ctx *c, uint64_t now_ns)
{
	struct opensnoop *o = c->state;

	/* the engine knows the descriptor from the next event on */
	for (; o->nr_asked < o->nr_held; o->nr_asked++)
		o->held[o->nr_asked % OPENSNOOP_HELD].file =
			opensnoop_file(c, &o->held[o->nr_asked % OPENSNOOP_HELD]);
	if (o->nr_emitted < o->nr_held) /* takes replies that have come with this event */
		opensnoop_file(c, &o->held[o->nr_emitted % OPENSNOOP_HELD]);
	for (; o->nr_emitted < o->nr_held; o->nr_emitted++) {
		const struct opensnoop_held *h = &o->held[o->nr_emitted % OPENSNOOP_HELD];
		const char *path = h->file ? rs_file_path(c, h->file) : NULL;

		if (h->file && !path && o->nr_held - o->nr_emitted < OPENSNOOP_HELD &&
		    now_ns - h->exit_ns < OPENSNOOP_HOLD_NS)
			return;
		opensnoop_emit(c, h, path);
	}
}

static void opensnoop_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	enum opensnoop_op op = opensnoop_op_of(c, call->nr);
	struct opensnoop *o = c->state;
	struct opensnoop_held h;
	const char *path;

	opensnoop_emit_held(c, call->exit_ns);
	if (op == OPENSNOOP_OTHER || call->discarded || call->in_flight || !rs_shown(c, call->task) ||
	    !rs_row_is_shown(c, opensnoop_view(op), call->exit_ns - call->enter_ns))
		return;
	h = (struct opensnoop_held){ .pid = call->task->pid, .tid = call->task->tid, .op = op,
				     .dir = (int32_t)call->args[0], .nr = call->nr, .ret = call->ret,
				     .ret_known = call->ret_known, .enter_ns = call->enter_ns,
				     .exit_ns = call->exit_ns };
	memcpy(h.comm, call->task->comm, sizeof h.comm);
	path = rs_call_path(c, call);
	if (!path && (o->nr_emitted < o->nr_held || opensnoop_has_fd(&h))) {
		o->held[o->nr_held++ % OPENSNOOP_HELD] = h;
		return;
	}
	opensnoop_emit_held(c, UINT64_MAX);
	opensnoop_emit(c, &h, path);
}

static void opensnoop_end(struct rs_ctx *c, uint64_t end_ns)
{
	opensnoop_emit_held(c, UINT64_MAX);
}

const struct rs_analysis rs_analysis_opensnoop = {
	.abi = RS_ABI,
	.name = "opensnoop",
	.summary = "files that are opened, and files whose attributes are asked for, by name",
	.by_name = true,
	.requires_names = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = opensnoop_on_call }),
	.views = RS_LIST(rs_view,
			 [VIEW_OPENSNOOP] = { .name = "opensnoop", .topic = RS_TOPIC_FILES,
			   .summary = "each call that opens a file: its name, the descriptor or the error",
			   .kind = RS_VIEW_STREAM,
			   .columns = open_columns,
			   .options = "failed",
			   .text_columns = "pid,comm,fd,errno,path",
			   .by_name = true },
			 [VIEW_STATSNOOP] = { .name = "statsnoop", .topic = RS_TOPIC_FILES,
			   .summary = "each call that asks for a file's attributes: its name, the error",
			   .kind = RS_VIEW_STREAM,
			   .columns = stat_columns,
			   .options = "failed",
			   .text_columns = "pid,comm,fd,errno,path",
			   .by_name = true }),
	.state_size = sizeof(struct opensnoop),
	.end = opensnoop_end,
};
