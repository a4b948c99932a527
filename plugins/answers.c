// SPDX-License-Identifier: GPL-2.0-or-later
/* answers - findings: who sends requests, and waits until its time-out for answers that do not come */
#include <stdio.h>

#include "ringside/blame.h"
#include "ringside/plugin.h"

#define ANSWERS_LEAST 33333           /* of a thread's time, in thousandths of a percent */
#define ANSWERS_LEAST_NR 2            /* requests: one that is not answered is no rule */

static const struct rs_rule rules[] = {
	{ "no-answer", "a process sends requests, and waits until its time-out for answers that do not come", ANSWERS_LEAST, "%", "waits",
	  "see whether who should answer is there, and gets the requests (ss -p, tcpdump)" },
	{ 0 },
};

/* Of a thread, since the last reset: a reset does not come by all tasks. */
struct answers_task {
	uint64_t since_ns;
	uint64_t nr_timeouts, timeouts_ns; /* polls that ended by their time-out, after a request */
	uint64_t nr_answers;               /* and that found something then */
	int64_t call;                      /* the last of the former */
	uint64_t asked;                    /* 1 + the descriptor of the request since the last poll; 0: there was none */
	bool has_address;                  /* a datagram to an address */
};

/* The last call that sent something: names are not compared for each. */
struct answers {
	int64_t call;                      /* 1 + its number; 0: there was none */
	bool is_sendto;
};

static bool answers_is_sendto(struct rs_ctx *c, int64_t call)
{
	struct answers *s = c->state;

	if (s->call != call + 1)
		*s = (struct answers){ call + 1, rs_call_is_one_of(c, call, "sendto") };
	return s->is_sendto;
}

static struct answers_task *answers_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	struct answers_task *of = rs_task_data(c, t);

	if (of->since_ns != rs_since_ns(c))
		*of = (struct answers_task){ .since_ns = rs_since_ns(c) };
	return of;
}

/* What a window system is sent, by sendmsg, is no request. */
static void answers_on_send(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	t->asked = call->args && answers_is_sendto(c, call->nr) ? (uint64_t)(uint32_t)call->args[0] + 1 : 0;
	t->has_address = t->asked && call->args[4];
}

/*
 * Is it likely to wait for the answer? The descriptors that are polled are not known, but for select's largest: a heartbeat is sent on
 * another, or to nobody in particular. Who sleeps in poll asks for no descriptor; an event loop (epoll) waits for whatever comes.
 */
static bool answers_is_waited_for(struct rs_ctx *c, const struct answers_task *t, const struct rs_call *call)
{
	if (!call->args || !call->args[0])
		return false;
	if (rs_call_is_one_of(c, call->nr, "poll,ppoll,ppoll_time64"))
		return t->has_address && call->args[1] == 1;
	if (!rs_call_is_one_of(c, call->nr, "select,_newselect,pselect6,pselect6_time64"))
		return false;
	return t->has_address ? call->args[0] >= t->asked : call->args[0] == t->asked;
}

static void answers_on_poll(struct rs_ctx *c, struct answers_task *t, const struct rs_call *call)
{
	t->nr_answers += call->ret > 0;
	if (!call->ret && answers_is_waited_for(c, t, call)) {
		t->nr_timeouts++;
		t->timeouts_ns += rs_part_ns(rs_since_ns(c), call->enter_ns, call->exit_ns);
		t->call = call->nr;
	}
	t->asked = 0;
}

/* Of polls only one after a request counts, and most programs send none. */
static void answers_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct answers_task *t;

	if (call->ret < 0 || call->discarded || !call->ret_known)
		return;
	t = answers_task_of(c, call->task);
	if (rs_call_kind(c, call->nr, call->args) == RS_CALL_SEND)
		answers_on_send(c, t, call);
	else if (t->asked)
		answers_on_poll(c, t, call);
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

			if (((ANSWERS_READS | RS_PART_BIT(POLL)) >> e->part & 1) && e->kind == RS_CULPRIT_TASK && !strcmp(e->comm, comm) && e->nr >= nr / 2)
				return &list[i];
		}
	return NULL;
}

/* How often a process waited in a call that reads: for an answer that came, after which it polls for whatever comes. */
static uint64_t answers_nr_reads(struct rs_ctx *c, const char *comm)
{
	const struct rs_blame *b = rs_blame_find(c, comm);
	uint64_t nr = 0;

	for (unsigned int i = 0; b && i < b->nr; i++)
		nr += (ANSWERS_READS >> b->at[i].part & 1) && !rs_call_is_one_of(c, b->at[i].call, "write,writev,send,sendto,sendmsg,sendmmsg") ? b->at[i].nr : 0;
	return nr;
}

static void answers_report(struct rs_ctx *c, const struct rs_task *t, const struct answers_task *of, uint64_t interval_ns)
{
	const char *comm = rs_task_process_comm(c, t), *call = rs_syscall_name(c, of->call);
	const struct rs_blame *reader = answers_reader(c, comm, of->nr_timeouts);
	char how[160], where[32];
	const struct rs_evidence evidence[] = { { "syscall-latency", NULL, where, "pid,syscall" }, { "offcpu", NULL, where, NULL }, { 0 } };

	snprintf(how, sizeof how, "%s%s ends by its time-out, %u times a second", reader ? "* gets what " RS_VICTIM "it " RS_VICTIM "sends, but " : "", call ? call : "a poll",
		 (unsigned int)((of->nr_timeouts * 1000000000 + interval_ns / 2) / interval_ns));
	snprintf(where, sizeof where, "pid == %d", t->pid);
	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .cost_ns = of->timeouts_ns, .of_ns = interval_ns, .victim = comm, .victim_pid = t->pid, .cause = "for answers that do not come",
		.how = how, .culprit = reader ? reader->comm : comm, .culprit_pid = reader ? reader->pid : t->pid, .confidence = RS_INFERRED,
		.measured = rs_milli(of->timeouts_ns, interval_ns, 100).u, .view = "offcpu", .where = where, .evidence = evidence,
	});
}

static void answers_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);

	for (struct rs_task *t = interval_ns ? rs_task_next(c, NULL) : NULL; t; t = rs_task_next(c, t)) {
		const struct answers_task *of = rs_task_data(c, t);

		if (of->nr_timeouts >= ANSWERS_LEAST_NR && of->since_ns == rs_since_ns(c) && of->nr_answers <= of->nr_timeouts / 4 && rs_shown(c, t) &&
		    rs_milli(of->timeouts_ns, interval_ns, 100).u >= ANSWERS_LEAST && answers_nr_reads(c, rs_task_process_comm(c, t)) <= of->nr_timeouts / 4)
			answers_report(c, t, of, interval_ns);
	}
}

const struct rs_analysis rs_analysis_answers = {
	.abi = RS_ABI,
	.name = "answers",
	.summary = "who waits for answers that do not come",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = answers_on_call, .kinds = 1 << RS_CALL_IDLE | 1 << RS_CALL_SEND, .if_recorded = true }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct answers),
	.task_size = sizeof(struct answers_task),
	.rules = rules,
	.findings = answers_put_findings,
};
