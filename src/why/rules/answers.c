// SPDX-License-Identifier: GPL-2.0-or-later
/* answers - rule: who sends requests, and waits until its time-out for answers that do not come */
#include <stdio.h>
#include <string.h>

#include "why/blame.h"
#include "ringside/plugin.h"

#define ANSWERS_LEAST 33333           /* of a thread's time, in thousandths of a percent */
#define ANSWERS_LEAST_NR 2            /* requests: one that is not answered is no rule */
#define ANSWERS_MOST_NAMES 32         /* of programs whose processes live for a moment */

static const struct rs_rule rules[] = {
	{ "no-answer", "a process sends requests, and waits until its time-out for answers that do not come",
	  10 * ANSWERS_LEAST, "ms/s", "waits",
	  "see whether who should answer is there, and gets the requests (ss -p, tcpdump)",
	  .says = { "for {what}", "{call/a poll} ends by its time-out, {often}" },
	  .view = "offcpu", .where = "pid == {sender}",
	  .evidence = RS_LIST(rs_evidence,
			      { "syscall-latency", NULL, "pid == {sender}", "pid,syscall" },
			      { "offcpu", "-total_ns", "pid == {sender}" }) },
	{ 0 },
};

static const struct rs_sentence of_reader = {
	"for {what}", "{culprit} {^gets} what {~it} {~sends}, but {call/a poll} ends by its time-out, {often}"
};

/* Of a thread, since the last reset: a reset does not come by all tasks. */
struct answers_task {
	uint64_t since_ns;
	uint64_t nr_timeouts, timeouts_ns; /* polls that ended by their time-out, after a request */
	uint64_t nr_answers;               /* and that found something then */
	int64_t call;                      /* the last of the former */
	uint64_t nr_connects;              /* of the former, after a connect that had not ended */
	/* 1 + the descriptor of the request since the last poll; 0: there was none */
	uint64_t asked;
	bool has_address;                  /* a datagram to an address */
	bool is_connect;                   /* it was no request but a connect */
	bool is_doubtful;                  /* some of the polls tell no descriptor */
};

/* A thread, or the processes of a name that live for a moment. */
struct answers_case {
	const struct rs_task *task;
	unsigned int nr_processes;
	struct answers_task of;
};

static struct answers_task *answers_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	struct answers_task *of = rs_task_data(c, t);

	if (of->since_ns != rs_since_ns(c))
		*of = (struct answers_task){ .since_ns = rs_since_ns(c) };
	return of;
}

/* One that does not block: it returns, and who waits for it polls. */
static void answers_on_connect(struct answers_task *t, const struct rs_call *call)
{
	enum { E_IN_PROGRESS = 115 }; /* asm-generic/errno.h, see syscalls.c */

	t->asked = call->args && call->ret == -E_IN_PROGRESS ? (uint64_t)(uint32_t)call->args[0] + 1 : 0;
	t->is_connect = t->asked;
	t->has_address = false;
}

/* What a window system is sent, by sendmsg, is no request. */
static void answers_on_send(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	t->is_connect = false;
	t->asked = call->args && rs_call_is(c, call->nr, RS_CLASS_ADDRESS) ?
			   (uint64_t)(uint32_t)call->args[0] + 1 :
			   0;
	t->has_address = t->asked && call->args[4];
}

/* Of a process that lives for a moment: to ask is all that it does, as getent(1) for a name. */
static bool answers_is_brief(struct rs_ctx *c, const struct rs_task *t)
{
	return t->birth_ns && t->birth_ns >= rs_since_ns(c);
}

/*
 * Is it likely to wait for the answer? The descriptors that are polled are not known, but for select's
 * largest: a heartbeat is sent on another, or to nobody in particular. Who sleeps in poll asks for no
 * descriptor; an event loop (epoll) waits for whatever comes.
 */
static bool answers_is_waited_for(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	if (!call->args || !call->args[0])
		return false;
	if (rs_call_is(c, call->nr, RS_CLASS_POLL)) {
		bool is_known = t->has_address || t->is_connect;

		if (call->args[1] != 1 || (!is_known && !answers_is_brief(c, call->task)))
			return false;
		t->is_doubtful |= !is_known;
		return true;
	}
	if (!rs_call_is(c, call->nr, RS_CLASS_SELECT))
		return false;
	return t->has_address ? call->args[0] >= t->asked : call->args[0] == t->asked;
}

static void answers_on_poll(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	t->nr_answers += call->ret > 0;
	if (!call->ret && answers_is_waited_for(c, t, call)) {
		t->nr_timeouts++;
		t->timeouts_ns += rs_part_ns(rs_since_ns(c), call->enter_ns, call->exit_ns);
		t->nr_connects += t->is_connect;
		t->call = call->nr;
	}
	t->asked = 0;
}

/* Another that it asks then may answer: failover.c tells of that. */
static void answers_on_receive(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	if (!call->args || t->asked != (uint64_t)(uint32_t)call->args[0] + 1 ||
	    !rs_call_is(c, call->nr, RS_CLASS_READ | RS_CLASS_RECEIVE))
		return;
	t->nr_answers++;
	t->asked = 0;
}

/* Of polls only one after a request counts, and most programs send none. */
static void answers_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct answers_task *t = rs_task_data(c, call->task);
	bool is_wait = call->kind == RS_CALL_IDLE || call->kind == RS_CALL_PLAIN;

	if ((is_wait && !t->asked) || call->discarded || !call->ret_known) /* most calls */
		return;
	t = answers_task_of(c, call->task);
	if (call->kind == RS_CALL_CONNECT)
		answers_on_connect(t, call);
	else if (call->kind == RS_CALL_SEND && call->ret >= 0)
		answers_on_send(c, t, call);
	else if (call->kind == RS_CALL_IDLE && t->asked && call->ret >= 0)
		answers_on_poll(c, t, call);
	else if (call->kind == RS_CALL_PLAIN && t->asked && call->ret > 0)
		answers_on_receive(c, t, call);
	rs_watch_calls(c, call->task, t->asked);
}

#define ANSWERS_READS (RS_PART_BIT(READ_WRITE) | RS_PART_BIT(SOCKET))

/* Who waits for what that process sends; NULL: nobody, or somebody on another machine. */
static const struct rs_blame *answers_reader(struct rs_ctx *c, const char *comm, uint64_t nr)
{
	size_t nr_names;
	const struct rs_blame *list = rs_blame_list(c, &nr_names);

	for (size_t i = 0; i < nr_names; i++)
		for (unsigned int j = 0; j < list[i].nr && strcmp(list[i].comm, comm) != 0; j++) {
			const struct rs_blame_entry *e = &list[i].at[j];

			if (((ANSWERS_READS | RS_PART_BIT(POLL)) >> e->part & 1) &&
			    e->kind == RS_CULPRIT_TASK && !strcmp(e->comm, comm) && e->nr >= nr / 2)
				return &list[i];
		}
	return NULL;
}

/*
 * How often a process waited in a call that reads: for an answer that came, after which it polls for whatever
 * comes.
 */
static uint64_t answers_nr_reads(struct rs_ctx *c, const char *comm)
{
	const struct rs_blame *b = rs_blame_find(c, comm);
	uint64_t nr = 0;

	for (unsigned int i = 0; b && i < b->nr; i++)
		nr += (ANSWERS_READS >> b->at[i].part & 1) &&
				      !rs_call_is(c, b->at[i].call, RS_CLASS_WRITE | RS_CLASS_SEND) ?
			      b->at[i].nr :
			      0;
	return nr;
}

/*
 * What the processes of that name did, or waited for, in all: their time that the sentence says the share of.
 */
static uint64_t answers_of_ns(struct rs_ctx *c, const char *comm)
{
	const struct rs_blame *b = rs_blame_find(c, comm);
	uint64_t ns = b ? rs_blame_busy_ns(b) : 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct answers_task *of = rs_task_data(c, t);

		if (of->nr_timeouts && of->since_ns == rs_since_ns(c) &&
		    !strcmp(rs_task_process_comm(c, t), comm))
			ns += of->timeouts_ns;
	}
	return ns;
}

static void answers_report(struct rs_ctx *c, const struct answers_case *k, uint64_t interval_ns)
{
	const struct answers_task *of = &k->of;
	const struct rs_task *t = k->task;
	const char *comm = rs_task_process_comm(c, t);
	const struct rs_blame *reader = answers_reader(c, comm, of->nr_timeouts);
	const struct rs_slot slots[] = {
		{ "what", RS_SLOT_TEXT,
		  rs_s(of->nr_connects > of->nr_timeouts / 2 ? "connections that are not accepted" :
							       "answers that do not come") },
		{ "call", RS_SLOT_CALL, rs_i(of->call) },
		{ "often", RS_SLOT_RATE,
		  rs_u((of->nr_timeouts * 1000000000 + interval_ns / 2) / interval_ns) },
		{ "sender", RS_SLOT_LEVEL, rs_i(t->pid ? t->pid : t->tid) },
		{ 0 },
	};

	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .says = reader ? &of_reader : NULL, .slots = slots,
		.cost_ns = of->timeouts_ns, .of_ns = answers_of_ns(c, comm), .of_name = true,
		.victim = comm, .victim_pid = t->pid, .nr_victims = k->nr_processes,
		.culprit = reader ? reader->comm : comm, .culprit_pid = reader ? reader->pid : t->pid,
		.confidence = RS_INFERRED,
	});
}

static void answers_judge(struct rs_ctx *c, const struct answers_case *k, uint64_t interval_ns)
{
	const struct answers_task *of = &k->of;

	if (of->nr_timeouts >= ANSWERS_LEAST_NR && of->nr_answers <= of->nr_timeouts / 4 &&
	    (k->nr_processes > 1 || !of->is_doubtful) &&
	    rs_milli(of->timeouts_ns, interval_ns, 100).u >= ANSWERS_LEAST &&
	    answers_nr_reads(c, rs_task_process_comm(c, k->task)) <= of->nr_timeouts / 4)
		answers_report(c, k, interval_ns);
}

/*
 * Processes that live for a moment are one by their name: each has no more than a request or two. Returns how
 * many there are.
 */
static size_t answers_add_brief(struct rs_ctx *c, struct answers_case *cases, size_t nr,
				const struct rs_task *t, const struct answers_task *of)
{
	size_t i = 0;

	while (i < nr && strcmp(rs_task_process_comm(c, cases[i].task), rs_task_process_comm(c, t)) != 0)
		i++;
	if (i == ANSWERS_MOST_NAMES)
		return nr;
	if (i == nr)
		cases[nr++] = (struct answers_case){ .of.call = of->call };
	cases[i].task = t;
	cases[i].nr_processes++;
	cases[i].of.nr_timeouts += of->nr_timeouts;
	cases[i].of.timeouts_ns += of->timeouts_ns;
	cases[i].of.nr_answers += of->nr_answers;
	cases[i].of.nr_connects += of->nr_connects;
	cases[i].of.is_doubtful |= of->is_doubtful;
	return nr;
}

static void answers_put_findings(struct rs_ctx *c)
{
	/* without wakings it is unknown who waits for what others send */
	uint64_t interval_ns = rs_wakings_are_recorded(c) ? rs_judged_ns(c) : 0;
	struct answers_case brief[ANSWERS_MOST_NAMES];
	size_t nr = 0;

	for (struct rs_task *t = interval_ns ? rs_task_next(c, NULL) : NULL; t; t = rs_task_next(c, t)) {
		const struct answers_task *of = rs_task_data(c, t);

		if (!of->nr_timeouts || of->since_ns != rs_since_ns(c) || !rs_shown(c, t))
			continue;
		if (answers_is_brief(c, t))
			nr = answers_add_brief(c, brief, nr, t, of);
		else
			answers_judge(c, &(struct answers_case){ t, 1, *of }, interval_ns);
	}
	for (size_t i = 0; i < nr; i++)
		answers_judge(c, &brief[i], interval_ns);
}

const struct rs_analysis rs_analysis_answers = {
	.abi = RS_ABI,
	.name = "answers",
	.summary = "who waits for answers that do not come",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = answers_on_call,
					    .kinds = 1 << RS_CALL_SEND | 1 << RS_CALL_CONNECT,
					    .watched_kinds = 1 << RS_CALL_IDLE | 1 << RS_CALL_PLAIN,
					    .if_recorded = true }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.task_size = sizeof(struct answers_task),
	.rules = rules,
	.findings = answers_put_findings,
};
