// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * strace - system calls as lines in the format of strace -f -tt -T
 *
 *	[pid  4242] 14:03:07.123456 read(3</etc/passwd>, 0x7ffd1c2b3a40, 4096) = 4096 <0.000012>
 *
 * A call is a line as it returns. Where a call of another task comes in between, it is two: "read(3, 0x7ff..,
 * 4096 <unfinished ...>" as the other's comes, and "<... read resumed>) = 4096 <1.200012>".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"

#define STRACE_LINE_BYTES 1024

/* The call whose line is not written yet: the last one that began. */
struct strace {
	int32_t tid;                 /* 0: there is none */
	uint32_t inst;
	uint64_t last_ns;            /* of the last line: none goes back */
};

struct strace_task {
	uint64_t unfinished_ns;      /* begin of the call of which the first half is written; 0: none */
};

enum { COMM, PID, TID, AT, SYSCALL, RET, ERRNO, LAT, PREFIX, LINE, NR_COLUMNS };

static const struct rs_column columns[] = {
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[AT] = { "time_ns", "TIME", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 0,
		 "when the call began; of a line that says resumed when it returned" },
	[SYSCALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16,
		      "its name in the recording's architecture" },
	[RET] = { "ret", "RET", RS_TYPE_ID, 0, RS_COLUMN_SIGNED, 15,
		  "what it returned; null: it has not, or from a signal" },
	[ERRNO] = { "errno", "ERRNO", RS_TYPE_ID, 0, 0, 5, "the error, where it returned one" },
	[LAT] = { "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11,
		  "from sys_enter to sys_exit; null: it has not returned" },
	[PREFIX] = { "prefix", "PREFIX", RS_TYPE_TEXT, 0, 0, 0,
		     "the thread as strace -f has it: [pid 4242]" },
	[LINE] = { "line", "LINE", RS_TYPE_TEXT, 0, 0, 0,
		   "the call in strace's format, without the time; what a pointer points to is not "
		   "recorded" },
	{ 0 },
};

static struct strace_task *strace_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

/* ---- lines ---- */

static struct rs_value strace_errno(const struct rs_call *call)
{
	return rs_u_if(!call->in_flight && call->ret_known && call->ret >= -4095 && call->ret <= -1,
		       -(uint64_t)call->ret);
}

/* Errors that no program sees: the kernel repeats the call, or makes EINTR of them. */
static const struct strace_restart {
	int error;
	const char *text;
} restarts[] = {
	{ 512, "ERESTARTSYS (To be restarted if SA_RESTART is set)" },
	{ 513, "ERESTARTNOINTR (To be restarted)" },
	{ 514, "ERESTARTNOHAND (To be restarted if no handler)" },
	{ 516, "ERESTART_RESTARTBLOCK (Interrupted by signal)" },
	{ 0, NULL },
};

/* "3", "-1 ENOENT (No such file or directory)", "0x7f1200000000", "?" */
static void strace_put_result(const struct rs_ctx *c, const struct rs_call *call, char *buf,
			      size_t size_bytes)
{
	const struct rs_value error = strace_errno(call);
	const char *name = error.known ? strerrorname_np((int)error.u) : NULL;

	for (const struct strace_restart *r = restarts; error.known && r->text; r++)
		if (error.u == (uint64_t)r->error) {
			snprintf(buf, size_bytes, "? %s", r->text);
			return;
		}
	if (!call->ret_known)
		snprintf(buf, size_bytes, "?");
	else if (name)
		snprintf(buf, size_bytes, "-1 %s (%s)", name, strerrordesc_np((int)error.u));
	else if (error.known)
		snprintf(buf, size_bytes, "-1 (errno %" PRIu64 ")", error.u);
	else if (rs_call_is(c, call->nr, RS_CLASS_MAP) && call->ret)
		snprintf(buf, size_bytes, "0x%" PRIx64, (uint64_t)call->ret);
	else
		snprintf(buf, size_bytes, "%" PRId64, call->ret);
}

static void strace_emit(struct rs_ctx *c, const struct rs_call *call, const char *name, uint64_t at_ns,
			const char *line)
{
	const struct rs_task *t = call->task;
	bool has_returned = !call->in_flight;
	char prefix[24];

	((struct strace *)c->state)->last_ns = at_ns;
	snprintf(prefix, sizeof prefix, "[pid %5d]", t->tid);
	rs_emit(c, 0, (struct rs_value[NR_COLUMNS]){
		[COMM] = rs_s(t->comm),
		[PID] = rs_u_if(t->pid, (uint64_t)t->pid),
		[TID] = rs_u((uint64_t)t->tid),
		[AT] = rs_u(at_ns),
		[SYSCALL] = rs_s(name),
		[RET] = has_returned && call->ret_known ? rs_i(call->ret) : rs_null(),
		[ERRNO] = strace_errno(call),
		[LAT] = rs_u_if(has_returned, call->exit_ns - call->enter_ns),
		[PREFIX] = rs_s(prefix),
		[LINE] = rs_s(line),
	});
}

/* Only halves of lines that are shown as a whole would be told: -x, -m. */
static bool strace_shows_halves(struct rs_ctx *c)
{
	return rs_row_is_shown(c, 0, 0) && rs_cell_is_shown(c, &columns[ERRNO], rs_null());
}

static bool strace_is_shown(struct rs_ctx *c, const struct rs_task *t, const char *name)
{
	return rs_has_subscriber(c, 0) && rs_shown(c, t) &&
	       rs_cell_is_shown(c, &columns[SYSCALL], rs_s(name));
}

static void strace_put_unfinished(struct rs_ctx *c, const struct rs_call *call)
{
	char line[STRACE_LINE_BYTES], room[32];
	const char *name = rs_call_name(c, call->nr, room, sizeof room), *text = rs_call_text(c, name, call);

	snprintf(line, sizeof line, "%.*s <unfinished ...>", (int)strlen(text) - 1, text);
	strace_task_of(c, call->task)->unfinished_ns = call->enter_ns;
	strace_emit(c, call, name, call->enter_ns, line);
}

/* Before a line of t comes: the first half of the line of whoever is in a call. t NULL: the trace ends. */
static void strace_interrupt(struct rs_ctx *c, const struct rs_task *t)
{
	struct strace *s = c->state;
	struct rs_task *open = s->tid ? rs_task_find(c, s->tid) : NULL;
	struct rs_call call;

	if (open && open == t && open->inst == s->inst)
		return;
	s->tid = 0;
	if (open && open->inst == s->inst && rs_task_call(c, open, &call) && call.enter_ns >= s->last_ns)
		strace_put_unfinished(c, &call);
}

/* ---- begins and ends ---- */

/* It never returns. The other threads that exit_group(2) ends have no line of theirs. */
static bool strace_put_exit(struct rs_ctx *c, const struct rs_call *call, const char *name)
{
	char line[STRACE_LINE_BYTES];

	if (strcmp(name, "exit") != 0 && strcmp(name, "exit_group") != 0)
		return false;
	snprintf(line, sizeof line, "%s = ?", rs_call_text(c, name, call));
	strace_emit(c, call, name, call->enter_ns, line);
	snprintf(line, sizeof line, "+++ exited with %u +++", (unsigned int)call->args[0] & 0xff);
	strace_emit(c, call, name, call->enter_ns, line);
	return true;
}

static void strace_on_enter(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct strace *s = c->state;
	struct rs_task *t = ev->task;
	const char *name;
	char room[32];

	if (!t || t->syscall < 0 || !rs_has_subscriber(c, 0))
		return;
	name = rs_call_name(c, t->syscall, room, sizeof room);
	if (!strace_is_shown(c, t, name) || !strace_shows_halves(c))
		return;
	strace_interrupt(c, NULL);
	if (strace_put_exit(c, &(struct rs_call){ .task = t, .nr = t->syscall, .args = t->syscall_args,
						  .enter_ns = ev->ts_ns, .in_flight = true }, name))
		return;
	s->tid = t->tid;
	s->inst = t->inst;
}

static void strace_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct strace *s = c->state;
	struct strace_task *own = strace_task_of(c, call->task);
	bool is_resumed = own->unfinished_ns && own->unfinished_ns == call->enter_ns;
	char line[STRACE_LINE_BYTES], room[32], result[128];
	uint64_t us = (call->exit_ns - call->enter_ns) / 1000;
	const char *name = rs_call_name(c, call->nr, room, sizeof room);

	if (call->discarded || call->in_flight || !strace_is_shown(c, call->task, name))
		return;
	strace_interrupt(c, call->task);
	s->tid = 0;
	/* also one whose begin was not told: that of an exit that returned all the same */
	is_resumed |= call->enter_ns < s->last_ns;
	own->unfinished_ns = 0;
	strace_put_result(c, call, result, sizeof result);
	if (is_resumed)
		snprintf(line, sizeof line, "<... %s resumed>) = %s <%" PRIu64 ".%06" PRIu64 ">", name,
			 result, us / 1000000, us % 1000000);
	else
		snprintf(line, sizeof line, "%.800s = %s <%" PRIu64 ".%06" PRIu64 ">",
			 rs_call_text(c, name, call), result, us / 1000000, us % 1000000);
	strace_emit(c, call, name, is_resumed ? call->exit_ns : call->enter_ns, line);
}

static void strace_end(struct rs_ctx *c, uint64_t end_ns)
{
	if (rs_has_subscriber(c, 0))
		strace_interrupt(c, NULL);
}

const struct rs_analysis rs_analysis_strace = {
	.abi = RS_ABI,
	.name = "strace",
	.summary = "system calls as lines in the format of strace",
	.by_name = true,
	.requirements = RS_LIST(rs_requirement,
		{ "raw_syscalls", "sys_enter", RS_OPTIONAL, RS_BY_TASK, strace_on_enter, { NULL } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = strace_on_call }),
	.views = RS_LIST(rs_view,
		{ .name = "strace", .topic = RS_TOPIC_CALLS,
		  .summary = "system calls in the format of strace -f -tt -T, as they return",
		  .kind = RS_VIEW_STREAM, .columns = columns, .options = "syscall,failed", .by_name = true,
		  .is_lines = true, .text_columns = "prefix,time_ns,line" }),
	.uses_files = true,
	.state_size = sizeof(struct strace),
	.task_size = sizeof(struct strace_task),
	.end = strace_end,
};
