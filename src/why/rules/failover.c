// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * failover - rule: who waits until its time-out for one that does not answer, then asks another, which
 * does, over and over
 */
#include <stdio.h>
#include <string.h>

#include "why/blame.h"
#include "ringside/task.h"
#include "ringside/plugin.h"

#define FAILOVER_LEAST 33333          /* of a thread's time, in thousandths of a percent */
#define FAILOVER_LEAST_NR 3           /* times: one that does not answer once is no rule */
#define FAILOVER_LEAST_NS 1000000     /* of a wait: a call that does not block returns at once */
#define FAILOVER_MOST_TRIES 3         /* before it asks another */
#define FAILOVER_MOST_CASES 32        /* threads, and names of processes that live for a moment */

static const struct rs_rule rules[] = {
	{ "failover",
	  "a process waits until its time-out for one that does not answer, and asks another then, over and "
	  "over",
	  10 * FAILOVER_LEAST, "ms/s", "waits", "see why the first does not answer, or ask the other first",
	  .says = { "for {what} descriptor {fd}{ (|file|)} that {fails}",
		    "{call/a call} ends by its time-out of {time_out}, {times} times in {seconds} s, and "
		    "{~it} "
		    "{~asks} another then, which answers (failover)" },
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "syscall-latency", NULL, "pid == {pid}", "pid,syscall" },
			      { "offcpu", NULL, "pid == {pid}" }) },
	{ 0 },
};

/* What it waited for in vain, and asked another for then. */
struct failover_sum {
	uint64_t nr, ns;
	/* time-outs that it did not ask another after, or that one did not answer either */
	uint64_t nr_in_vain;
	uint64_t nr_connects;       /* of nr: they waited for a connection */
	uint64_t least_ns;          /* the shortest time-out */
	int64_t call;               /* the last that ended by its time-out */
	uint64_t file;              /* of its descriptor; 0: unknown */
	uint32_t fd;
};

/* Of a thread, since the last reset: a reset does not come by all tasks. */
struct failover_task {
	uint64_t since_ns;
	/* 1 + the descriptor of the request that is not answered yet; 0: there is none */
	uint64_t asked, asked_file;
	bool is_connect;            /* it is a connect */
	bool is_other;              /* and goes to another than the one that did not answer */
	/* 1 + the descriptor of that one; 0: none; and when the wait for it began */
	uint64_t silent, from_ns;
	struct failover_sum wait;   /* of the time-outs since then */
	struct failover_sum sum;
};

struct failover_case {
	const struct rs_task *task;
	unsigned int nr_processes;
	struct failover_sum sum;
};

static struct failover_task *failover_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	struct failover_task *of = rs_task_data(c, t);

	if (of->since_ns != rs_since_ns(c))
		*of = (struct failover_task){ .since_ns = rs_since_ns(c) };
	return of;
}

static void failover_add(struct failover_sum *to, const struct failover_sum *from)
{
	to->least_ns = !to->least_ns || (from->least_ns && from->least_ns < to->least_ns) ? from->least_ns :
											    to->least_ns;
	to->nr += from->nr;
	to->ns += from->ns;
	to->nr_in_vain += from->nr_in_vain;
	to->nr_connects += from->nr_connects;
	if (from->nr) {
		to->call = from->call;
		to->file = from->file;
		to->fd = from->fd;
	}
}

/* It gave up, or went on with the same one. */
static void failover_forget(struct failover_task *t)
{
	t->sum.nr_in_vain += t->wait.nr;
	t->wait = (struct failover_sum){ 0 };
	t->silent = t->asked = 0;
	t->is_other = false;
}

static void failover_on_time_out(struct rs_ctx *c, struct failover_task *t, const struct rs_call *call,
				 uint64_t descriptor)
{
	uint64_t ns = call->exit_ns - call->enter_ns;

	if (ns < FAILOVER_LEAST_NS)
		return;
	if (!t->silent) {
		t->silent = descriptor;
		t->from_ns = call->enter_ns;
	}
	failover_add(&t->wait, &(struct failover_sum){ .nr = 1,
						       .ns = rs_part_ns(rs_since_ns(c), call->enter_ns,
							       call->exit_ns), .nr_connects = t->is_connect,
						       .least_ns = ns, .call = call->nr,
						       .file = t->asked_file,
						       .fd = (uint32_t)(t->silent - 1) });
	t->asked = 0;
	t->is_other = false;
	if (t->wait.nr > FAILOVER_MOST_TRIES)
		failover_forget(t);
}

static void failover_on_answer(struct rs_ctx *c, struct failover_task *t)
{
	if (t->silent && t->is_other && !rs_discarded(c, t->from_ns, rs_last_event_ns(c))) {
		t->wait.nr_connects = t->wait.nr_connects == t->wait.nr;
		t->wait.nr = 1;
		failover_add(&t->sum, &t->wait);
		t->wait = (struct failover_sum){ 0 };
	}
	failover_forget(t);
}

/*
 * A connect of the descriptor that did not answer is of another socket, or at least another try: its number
 * was closed and is free again.
 */
static void failover_on_request(struct rs_ctx *c, struct failover_task *t, const struct rs_call *call,
				bool is_connect)
{
	uint64_t descriptor = call->args ? (uint64_t)(uint32_t)call->args[0] + 1 : 0;

	if (is_connect)
		t->is_other = t->silent;
	else if (t->asked != descriptor || !t->is_connect)
		t->is_other = t->silent &&
			      (t->silent != descriptor || (t->is_other && t->asked == descriptor));
	t->asked = descriptor;
	t->asked_file = rs_call_file(c, call);
	t->is_connect = is_connect;
}

static void failover_on_connect(struct rs_ctx *c, struct failover_task *t, const struct rs_call *call)
{
	enum { E_IN_PROGRESS = 115 }; /* asm-generic/errno.h, see syscalls.c */
	bool is_late = call->exit_ns - call->enter_ns >= FAILOVER_LEAST_NS;

	if (!call->args || (call->ret && call->ret != -E_IN_PROGRESS && !rs_call_timed_out(c, call)))
		return;
	failover_on_request(c, t, call, true);
	if (rs_call_timed_out(c, call) || (call->ret && is_late)) /* EINPROGRESS, of SO_SNDTIMEO */
		failover_on_time_out(c, t, call, t->asked);
	else if (!call->ret && t->wait.nr_connects)
		failover_on_answer(c, t);
}

/*
 * Of poll, one descriptor alone, which is most likely the one that was asked on; select tells the largest,
 * which Perl rounds up. Who polls many has a loop of events.
 */
static bool failover_is_poll_of_it(struct rs_ctx *c, const struct failover_task *t,
				   const struct rs_call *call)
{
	enum { PERL = 8 };

	if (rs_call_is(c, call->nr, RS_CLASS_POLL))
		return call->args[1] == 1;
	return (call->args[0] == t->asked || call->args[0] == (t->asked + PERL - 1) / PERL * PERL) &&
	       rs_call_is(c, call->nr, RS_CLASS_SELECT);
}

static void failover_on_poll(struct rs_ctx *c, struct failover_task *t, const struct rs_call *call)
{
	if (!failover_is_poll_of_it(c, t, call))
		return;
	if (!call->ret)
		failover_on_time_out(c, t, call, t->asked);
	else if (call->ret > 0 && t->is_connect && t->wait.nr_connects)
		failover_on_answer(c, t);
}

static void failover_on_receive(struct rs_ctx *c, struct failover_task *t, const struct rs_call *call)
{
	enum { E_AGAIN = 11 };

	if (t->asked != (uint64_t)(uint32_t)call->args[0] + 1 ||
	    !rs_call_is(c, call->nr, RS_CLASS_READ | RS_CLASS_RECEIVE))
		return;
	if (call->ret > 0)
		failover_on_answer(c, t);
	else if (call->ret == -E_AGAIN || rs_call_timed_out(c, call))
		failover_on_time_out(c, t, call, t->asked);
}

static void failover_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct failover_task *t = rs_task_data(c, call->task);
	bool is_wait = call->kind == RS_CALL_IDLE || call->kind == RS_CALL_PLAIN;

	if ((is_wait && !t->asked) || call->discarded || !call->ret_known || !call->args) /* most calls */
		return;
	t = failover_task_of(c, call->task);
	if (call->kind == RS_CALL_CONNECT)
		failover_on_connect(c, t, call);
	else if (call->kind == RS_CALL_SEND && call->ret >= 0)
		failover_on_request(c, t, call, false);
	else if (t->asked && call->kind == RS_CALL_IDLE)
		failover_on_poll(c, t, call);
	else if (t->asked && call->kind == RS_CALL_PLAIN)
		failover_on_receive(c, t, call);
	rs_watch_calls(c, call->task, t->asked);
}

/* ---- findings ---- */

static void failover_say_time(uint64_t ns, char *buf, size_t size_bytes)
{
	if (ns >= 10000000000)
		snprintf(buf, size_bytes, "%u s", (unsigned int)(ns / 1000000000));
	else
		snprintf(buf, size_bytes, "%u ms", (unsigned int)(ns / 1000000));
}

/*
 * What the processes of that name did, or waited for, in all: their time that the sentence says the share of.
 */
static uint64_t failover_of_ns(struct rs_ctx *c, const char *comm)
{
	const struct rs_blame *b = rs_blame_find(c, comm);
	uint64_t ns = b ? rs_blame_busy_ns(b) : 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct failover_task *of = rs_task_data(c, t);

		if (of->sum.nr && of->since_ns == rs_since_ns(c) && !strcmp(rs_task_process_comm(c, t), comm))
			ns += of->sum.ns;
	}
	return ns;
}

static void failover_judge(struct rs_ctx *c, const struct failover_case *k, uint64_t interval_ns)
{
	const struct failover_sum *of = &k->sum;
	const char *comm = rs_task_process_comm(c, k->task);
	bool is_connect = of->nr_connects > of->nr / 2;
	char time_out[24];

	if (of->nr < FAILOVER_LEAST_NR || of->nr_in_vain > of->nr / 4 ||
	    rs_milli(of->ns, interval_ns, 100).u < FAILOVER_LEAST)
		return;
	failover_say_time(of->least_ns, time_out, sizeof time_out);

	const struct rs_slot slots[] = {
		{ "what", RS_SLOT_TEXT, rs_s(is_connect ? "connections of" : "answers on") },
		{ "fd", RS_SLOT_NUMBER, rs_u(of->fd) },
		{ "file", RS_SLOT_FILE, rs_s(of->file ? rs_file_path(c, of->file) : NULL) },
		{ "fails", RS_SLOT_TEXT, rs_s(is_connect ? "are not accepted" : "do not come") },
		{ "call", RS_SLOT_CALL, rs_i(of->call) },
		{ "time_out", RS_SLOT_TEXT, rs_s(time_out) },
		{ "times", RS_SLOT_NUMBER, rs_u(of->nr) },
		{ "seconds", RS_SLOT_NUMBER, rs_u((interval_ns + 500000000) / 1000000000) },
		{ 0 },
	};

	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .slots = slots, .cost_ns = of->ns, .of_ns = failover_of_ns(c, comm),
		.of_name = true, .victim = comm, .victim_pid = k->task->pid, .nr_victims = k->nr_processes,
		.culprit = comm, .culprit_pid = k->task->pid, .confidence = RS_INFERRED,
	});
}

/*
 * Processes that live for a moment are one by their name, as each asks once. Returns how many cases there
 * are.
 */
static size_t failover_add_case(struct rs_ctx *c, struct failover_case *cases, size_t nr,
				const struct rs_task *t, const struct failover_sum *sum)
{
	bool is_brief = t->birth_ns && t->birth_ns >= rs_since_ns(c);
	size_t i = 0;

	while (i < nr &&
	       (!is_brief || strcmp(rs_task_process_comm(c, cases[i].task), rs_task_process_comm(c, t)) != 0))
		i++;
	if (i == FAILOVER_MOST_CASES)
		return nr;
	if (i == nr)
		cases[nr++] = (struct failover_case){ .task = t };
	cases[i].nr_processes++;
	failover_add(&cases[i].sum, sum);
	return nr;
}

static void failover_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	struct failover_case cases[FAILOVER_MOST_CASES];
	size_t nr = 0;

	for (struct rs_task *t = interval_ns ? rs_task_next(c, NULL) : NULL; t; t = rs_task_next(c, t)) {
		const struct failover_task *of = rs_task_data(c, t);

		if (of->since_ns == rs_since_ns(c) && of->sum.nr)
			nr = failover_add_case(c, cases, nr, t, &of->sum);
	}
	for (size_t i = 0; i < nr; i++)
		failover_judge(c, &cases[i], interval_ns);
}

const struct rs_analysis rs_analysis_failover = {
	.abi = RS_ABI,
	.name = "failover",
	.summary = "who waits for one that does not answer before it asks another",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = failover_on_call, .if_recorded = true,
					    .kinds = 1 << RS_CALL_SEND | 1 << RS_CALL_CONNECT,
					    .watched_kinds = 1 << RS_CALL_IDLE | 1 << RS_CALL_PLAIN }),
	.requires_states = true,
	.requires_blame = true,
	.uses_files = true,
	.task_size = sizeof(struct failover_task),
	.rules = rules,
	.findings = failover_put_findings,
};
