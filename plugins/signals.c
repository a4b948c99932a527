// SPDX-License-Identifier: GPL-2.0-or-later
/* signals - who sends which signal to whom, and findings: who dies of one, where, and why */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/plugin.h"

#define SIGNALS_DEATHS 64    /* of one interval; more of them are no news */
#define SIGNALS_PENDING 16   /* tasks about which a death's circumstances are known; a power of 2 */
#define SIGNALS_PLACE_NS 1000000000

/* Of siginfo's si_code, as the kernel has them. */
enum { CODE_KILL = 0, CODE_KERNEL = 128 };

/* "segfault at 0 ip 401428 ... in libz.so.1[12a4,...": where the kernel says that it happened. */
struct signals_place {
	uint64_t ts_ns;            /* 0: unknown */
	uint64_t address, ip, offset;
	uint64_t error;            /* of x86: 2 a write, 16 an instruction */
	bool has_address, has_offset;
	char module[32];
};

struct signals_death {
	int32_t tid;               /* 0: unused */
	int32_t pid, sender_pid;   /* 0: unknown */
	char comm[RS_COMM_LEN], sender[RS_COMM_LEN];
	int signal, code;
	bool is_oom;
	uint64_t ts_ns;
	struct signals_place place;
};

struct signals_state {
	unsigned int nr_deaths;
	struct signals_death deaths[SIGNALS_DEATHS];
	struct signals_death pending[SIGNALS_PENDING]; /* by tid */
};

/* ---- in words ---- */

/*
 * Signals that tell a fault of the program that gets them, and of which it dies if it does not handle them.
 */
static const struct { int signal, code; const char *why; } faults[] = {
	{ SIGSEGV, 1, "an address that is not mapped" },
	{ SIGSEGV, 2, "an address that it may not access so" },
	{ SIGSEGV, CODE_KERNEL, "an address that cannot be one" }, { SIGSEGV, 0, "an address" },
	{ SIGBUS, 1, "an address that is not aligned" },
	{ SIGBUS, 2, "memory behind the end of a mapped file" },
	{ SIGBUS, 4, "memory that is broken" }, { SIGBUS, 5, "memory that is broken" },
	{ SIGBUS, 0, "an address" },
	{ SIGFPE, 1, "divides by zero" }, { SIGFPE, 0, "makes an arithmetic error" },
	{ SIGILL, 0, "runs an illegal instruction" }, { SIGTRAP, 0, "runs into a breakpoint" },
	{ SIGABRT, 0, "aborts" },
	{ SIGSYS, 0, "makes a system call that its seccomp filter forbids" },
	{ SIGXCPU, 0, "uses more CPU time than its limit (RLIMIT_CPU)" },
	{ SIGXFSZ, 0, "writes a larger file than its limit (RLIMIT_FSIZE)" },
};

/* Returns what the kernel tells of it; NULL: no such signal. */
static const char *signals_why(int signal, int code)
{
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (faults[i].signal == signal && (!faults[i].code || faults[i].code == code))
			return faults[i].why;
	return NULL;
}

static const char *signals_name(int signal, char *buf, size_t size_bytes)
{
	const char *name = sigabbrev_np(signal);

	snprintf(buf, size_bytes, name ? "SIG%s" : "signal %.0s%d", name ? name : "", signal);
	return buf;
}

static const char *signals_how_sent(int code)
{
	static const struct { int code; const char *how; } how[] = {
		{ CODE_KILL, "kill" }, { CODE_KERNEL, "kernel" }, { -1, "sigqueue" }, { -2, "timer" },
		{ -3, "mqueue" }, { -4, "aio" }, { -5, "sigio" },
		{ -6, "tgkill" },
	};

	for (size_t i = 0; i < sizeof how / sizeof *how; i++)
		if (how[i].code == code)
			return how[i].how;
	return code > 0 ? "kernel" : NULL;
}

/*
 * "reads 0x0, an address that is not mapped, at libz.so.1+0x12a4 (ip 0x7f..)": of a fault that the kernel
 * found.
 */
static void signals_put_fault(const struct signals_death *d, char *buf, size_t size_bytes)
{
	const struct signals_place *p = &d->place;
	const char *why = signals_why(d->signal, d->code);
	bool touches = d->signal == SIGSEGV || d->signal == SIGBUS;
	size_t n = 0;

	if (!touches)
		n = (size_t)snprintf(buf, size_bytes, "%s", why);
	else if (p->ts_ns && p->has_address)
		n = (size_t)snprintf(buf, size_bytes, "%s 0x%" PRIx64 ", %s,",
				     p->error & 16 ? "jumps to" :
				     p->error & 2  ? "writes to" :
						     "reads",
				     p->address, why);
	else
		n = (size_t)snprintf(buf, size_bytes, "touches %s", why);
	if (!p->ts_ns || n >= size_bytes)
		return;
	if (p->has_offset)
		snprintf(buf + n, size_bytes - n, " at %s+0x%" PRIx64 " (ip 0x%" PRIx64 ")", p->module,
			 p->offset, p->ip);
	else
		snprintf(buf + n, size_bytes - n, " at ip 0x%" PRIx64 "%s%s", p->ip,
			 p->module[0] ? " in " : "", p->module);
}

/* ---- where it happened: the kernel's message about it ---- */

static bool signals_read_hex(const char *text, const char *before, uint64_t *value)
{
	const char *at = strstr(text, before);
	char *end;

	if (!at)
		return false;
	at += strlen(before);
	*value = strtoull(at, &end, 16);
	return end > at;
}

/*
 * " in NAME[OFFSET,BASE+SIZE]", or " in NAME[BASE+SIZE]" before Linux 6.4.
 */
static void signals_read_module(const char *text, struct signals_place *place)
{
	const char *in = strstr(text, " in "), *open = in ? strchr(in, '[') : NULL;
	uint64_t base;
	char *end;

	if (!open)
		return;
	snprintf(place->module, sizeof place->module, "%.*s", (int)(open - in - 4), in + 4);
	place->offset = strtoull(open + 1, &end, 16);
	base = *end == ',' ? strtoull(end + 1, &end, 16) : 0;
	place->has_offset = base && *end == '+';
}

/* The architecture's text of a fault; of x86. Returns false for all other messages. */
static bool signals_read_place(const char *text, struct signals_place *place)
{
	const char *at = strstr(text, "]: segfault at "), *trap = strncmp(text, "traps: ", 7) ? NULL : text;

	*place = (struct signals_place){ 0 };
	if (at)
		place->has_address = signals_read_hex(at, "segfault at ", &place->address);
	if ((!at && !trap) || !signals_read_hex(at ? at : trap, at ? " ip " : " ip:", &place->ip))
		return false;
	signals_read_hex(at ? at : trap, at ? " error " : " error:", &place->error);
	signals_read_module(at ? at : trap, place);
	return true;
}

/* ---- events ---- */

static struct signals_death *signals_pending(struct rs_ctx *c, int32_t tid)
{
	struct signals_death *d = &((struct signals_state *)c->state)
					   ->pending[(uint32_t)tid & (SIGNALS_PENDING - 1)];

	if (d->tid != tid)
		*d = (struct signals_death){ .tid = tid };
	return d;
}

/* Written by the task that has the fault, before it gets the signal. */
static void signals_on_message(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct signals_place place;
	struct signals_death *d;
	char text[256];

	if (!ev->task || !rs_str(ev, f, text, sizeof text))
		return;
	if (!strncmp(text, " in ", 4)) { /* the line goes on */
		d = signals_pending(c, ev->tid);
		if (d->place.ts_ns && !d->place.module[0])
			signals_read_module(text, &d->place);
	} else if (signals_read_place(text, &place)) {
		place.ts_ns = ev->ts_ns;
		signals_pending(c, ev->tid)->place = place;
	}
}

static void signals_add_death(struct rs_ctx *c, const struct rs_task *t, const struct signals_death *d)
{
	struct signals_state *s = c->state;
	struct signals_death *to = &s->deaths[s->nr_deaths];
	int32_t pid = t->pid ? t->pid : t->tid;

	if (s->nr_deaths == SIGNALS_DEATHS)
		return;
	for (unsigned int i = 0; i < s->nr_deaths; i++)
		if (s->deaths[i].pid == pid && s->deaths[i].signal == d->signal)
			return;
	*to = *d;
	to->pid = pid;
	snprintf(to->comm, sizeof to->comm, "%s", rs_task_process_comm(c, t));
	s->nr_deaths++;
}

enum { GENERATE_SIG, GENERATE_CODE, GENERATE_PID, GENERATE_COMM, GENERATE_RESULT };
enum { TIME, COMM, PID, TID, SIGNAL, TO, TO_TID, VIA, RESULT, REASON, NR_COLUMNS };

static void signals_emit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			 const struct signals_death *d)
{
	static const char *const results[] = { "sent", "ignored", "pending", "lost", "sent" };
	uint64_t result = rs_u64(ev, &f[GENERATE_RESULT]);
	struct rs_value v[NR_COLUMNS] = { [TIME] = rs_u(ev->ts_ns) };
	char name[16], to[RS_COMM_LEN], reason[RS_CELL_TEXT_BYTES];
	const struct rs_task *t = ev->task, *target = rs_task_find(c, d->tid);

	if (!(t && rs_shown(c, t)) && !(target && rs_shown(c, target)))
		return;
	rs_str(ev, &f[GENERATE_COMM], to, sizeof to);
	if (t) {
		v[COMM] = rs_s(t->comm);
		v[PID] = rs_u_if(t->pid, (uint64_t)t->pid);
		v[TID] = rs_u((uint64_t)t->tid);
	}
	v[SIGNAL] = rs_s(signals_name(d->signal, name, sizeof name));
	v[TO] = rs_s(to);
	v[TO_TID] = rs_u((uint64_t)d->tid);
	v[VIA] = rs_s(signals_how_sent(d->code));
	v[RESULT] = rs_s(result < sizeof results / sizeof *results ? results[result] : NULL);
	if (d->code > 0 && signals_why(d->signal, d->code)) {
		signals_put_fault(d, reason, sizeof reason);
		v[REASON] = rs_s(reason);
	}
	rs_emit(c, 0, v);
}

/* Fires in the context of who sends it. */
static void signals_on_generate(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	int signal = (int)rs_i64(ev, &f[GENERATE_SIG]), code = (int)rs_i64(ev, &f[GENERATE_CODE]);
	struct signals_death *d, other;

	if (!signals_why(signal, code)) {
		other = (struct signals_death){ .tid = (int32_t)rs_i64(ev, &f[GENERATE_PID]),
						.signal = signal, .code = code };
		d = &other;
	} else {
		d = signals_pending(c, (int32_t)rs_i64(ev, &f[GENERATE_PID]));
		d->signal = signal;
		d->code = code;
		d->ts_ns = ev->ts_ns;
		d->sender_pid = ev->task ? ev->task->pid : 0;
		snprintf(d->sender, sizeof d->sender, "%s",
			 ev->task ? rs_task_process_comm(c, ev->task) : "");
		if (ev->ts_ns - d->place.ts_ns > SIGNALS_PLACE_NS || code <= 0)
			d->place.ts_ns = 0; /* of an earlier fault */
	}
	if (rs_row_is_shown(c, 0, 0))
		signals_emit(c, ev, f, d);
}

enum { DELIVER_SIG, DELIVER_HANDLER };

/* It is about to be handled, or, without a handler, to end the process. */
static void signals_on_deliver(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct signals_state *s = c->state;
	int signal = (int)rs_i64(ev, &f[DELIVER_SIG]);
	struct signals_death death = { .tid = ev->tid, .signal = signal, .code = CODE_KERNEL,
				       .ts_ns = ev->ts_ns };
	int32_t tids[] = { ev->tid, ev->task ? ev->task->pid : 0 };

	if (!ev->task || rs_u64(ev, &f[DELIVER_HANDLER]) || !signals_why(signal, 0))
		return;
	for (unsigned int i = 0; i < 2; i++) {
		const struct signals_death *d = &s->pending[(uint32_t)tids[i] & (SIGNALS_PENDING - 1)];

		if (tids[i] && d->tid == tids[i] && d->signal == signal) {
			death = *d;
			break;
		}
	}
	signals_add_death(c, ev->task, &death);
}

static void signals_on_oom(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_task *t = rs_task_get(c, (int32_t)rs_i64(ev, f));

	if (t)
		signals_add_death(c, t, &(struct signals_death){ .tid = t->tid, .signal = SIGKILL,
			.is_oom = true, .ts_ns = ev->ts_ns });
}

/* ---- what is wrong ---- */

enum { CRASH, OOM_KILL };

static const struct rs_rule rules[] = {
	[CRASH] = { "crash", "a process dies of a signal that tells a fault (SIGSEGV, SIGABRT)", 1000,
		    "signals", "dies",
		    "find the line (addr2line -f -e PROGRAM OFFSET), or run it under a debugger",
		    .says = { "of {signal}", "{~it} {~fault}" }, .view = "signals",
		    .where = "to_tid == {tid}",
	  .found = "A signal that tells a fault is delivered to a process that has no handler for it.",
	  .wrong =
		"A test that expects the crash, or a program that ends itself by abort(3), dies as "
		"planned." },
	[OOM_KILL] = { "oom-kill", "the kernel ends a process because there is no memory left", 1000,
		       "signals", "dies",
		       "give its cgroup or the machine more memory, or let it need less",
		       .says = { "of {signal}",
				 "memory is used up, in {~its} cgroup or at all (out of memory)" },
		       /* any thread of it is marked; the signal goes to the process */
		       .view = "signals", .where = "to_tid == {pid} || to_tid == {tid}",
	  .found = "The kernel marks a process as the victim of the OOM killer (oom:mark_victim).",
	  .wrong =
		"The victim is the process with the highest score, not always the one whose memory "
		"grew: compare the GROWTH of others in the view memory." },
	{ 0 },
};

static const struct rs_sentence by_another = { "of {signal}", "{culprit} {^sends} it" },
				by_itself = { "of {signal}", "{~it} {~sends} that to {~itself}{ (|abort|)}" };

/* When the next process of that name began, which does its work anew; 0: there is none. */
static uint64_t signals_restart_ns(struct rs_ctx *c, const struct signals_death *d)
{
	uint64_t first_ns = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (t->birth_ns > d->ts_ns && (!t->pid || t->tid == t->pid) &&
		    (!first_ns || t->birth_ns < first_ns) && !strcmp(rs_task_process_comm(c, t), d->comm))
			first_ns = t->birth_ns;
	return first_ns;
}

/*
 * What a death costs: what the process did is lost, and what the next one would have done until it begins;
 * without one, all of it.
 */
static uint64_t signals_cost_ns(struct rs_ctx *c, const struct signals_death *d)
{
	uint64_t restart_ns = signals_restart_ns(c, d), since_ns = rs_since_ns(c),
		 now_ns = rs_last_event_ns(c);
	const struct rs_task *t = rs_task_find(c, d->pid);
	uint64_t birth_ns = t && t->birth_ns > since_ns && t->birth_ns < d->ts_ns ? t->birth_ns : since_ns;

	return restart_ns ? restart_ns - birth_ns : now_ns - since_ns;
}

static void signals_judge(struct rs_ctx *c, const struct signals_death *d)
{
	bool by_other = !d->is_oom && d->code <= 0 && d->sender_pid && d->sender_pid != d->pid;
	char name[16], fault[RS_CELL_TEXT_BYTES];

	fault[0] = '\0';
	if (!d->is_oom && d->code > 0)
		signals_put_fault(d, fault, sizeof fault);

	const struct rs_slot slots[] = {
		{ "signal", RS_SLOT_NAME, rs_s(signals_name(d->signal, name, sizeof name)) },
		{ "abort", RS_SLOT_TEXT, rs_s(d->signal == SIGABRT ? "abort, a failed assertion" : NULL) },
		{ "fault", RS_SLOT_TEXT, rs_s(fault) },
		{ "tid", RS_SLOT_LEVEL, rs_i(d->tid) },
		{ 0 },
	};

	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[d->is_oom ? OOM_KILL : CRASH], .slots = slots,
		.says = d->is_oom ? NULL : by_other ? &by_another : d->code <= 0 ? &by_itself : NULL,
		.victim = d->comm, .victim_pid = d->pid, .cost_ns = signals_cost_ns(c, d),
		.culprit = by_other ? d->sender : d->comm, .culprit_pid = by_other ? d->sender_pid : d->pid,
		.measured = 1000, .since_ns = d->ts_ns,
	});
}

static void signals_put_findings(struct rs_ctx *c)
{
	const struct signals_state *s = c->state;

	for (unsigned int i = 0; i < s->nr_deaths; i++)
		signals_judge(c, &s->deaths[i]);
}

static void signals_reset(struct rs_ctx *c)
{
	((struct signals_state *)c->state)->nr_deaths = 0;
}

static const struct rs_column columns[] = {
	[TIME] = { "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it was sent" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16,
		   "the task that sent it, or in whose context the kernel did; null: an idle CPU's" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the task" },
	[SIGNAL] = { "signal", "SIGNAL", RS_TYPE_TEXT, 0, 0, 9, "its name" },
	[TO] = { "to_comm", "TO", RS_TYPE_TEXT, 0, 0, 16, "the task that it is sent to" },
	[TO_TID] = { "to_tid", "TO TID", RS_TYPE_ID, 0, 0, 7,
		     "its thread; a signal to a process has that of one of its threads" },
	[VIA] = { "via", "VIA", RS_TYPE_TEXT, 0, 0, 8,
		  "kill, tgkill (abort, pthread_kill), sigqueue, timer, kernel (a fault, a child's end, a "
		  "limit)" },
	[RESULT] = { "result", "RESULT", RS_TYPE_TEXT, 0, 0, 7,
		     "sent, ignored, pending (it was already), lost" },
	[REASON] = { "reason", "REASON", RS_TYPE_TEXT, 0, 0, 6,
		     "of a fault: what the program did, and where if the kernel said it" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

const struct rs_analysis rs_analysis_signals = {
	.abi = RS_ABI,
	.name = "signals",
	.summary = "signals that are sent, and processes that die of one",
	.requirements = RS_LIST(rs_requirement,
		{ "signal", "signal_generate", RS_REQUIRED, RS_BY_ANYONE, signals_on_generate,
		  { "sig", "code", "pid", "comm", "result" } },
		{ "signal", "signal_deliver", RS_OPTIONAL, RS_BY_TASK, signals_on_deliver,
		  { "sig", "sa_handler" } },
		{ "printk", "console", RS_OPTIONAL, RS_BY_TASK, signals_on_message, { "msg" } },
		{ "oom", "mark_victim", RS_OPTIONAL, RS_BY_ANYONE, signals_on_oom, { "pid" } }),
	.views = RS_LIST(rs_view,
		{ .name = "signals", .topic = RS_TOPIC_CALLS,
		  .summary = "each signal: who sent it to whom, and why",
		  .kind = RS_VIEW_STREAM, .columns = columns }),
	.state_size = sizeof(struct signals_state),
	.reset = signals_reset,
	.rules = rules,
	.findings = signals_put_findings,
};
