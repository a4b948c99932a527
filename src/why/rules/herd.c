// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * herd - rule: who is woken together with many others for what one of them gets, and sleeps again at once
 */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"

#define HERD_LEAST 1000000            /* wake-ups in vain a second, in thousandths */
#define HERD_LEAST_TASKS 4            /* that one event wakes */
#define HERD_LEAST_EVENTS 10
#define HERD_BURST_NS 100000          /* from one waking of an event to the next */
#define HERD_VAIN_NS 50000            /* on a CPU, until it sleeps again: it has looked, and found nothing */
#define HERD_WORK_NS 100000           /* likewise: it has found something; in between nothing tells */
#define HERD_SLOTS 64                 /* wakers at work, by tid */
#define HERD_MOST 16                  /* herds */

#define HERD_CAUSE "{rate} times a second in vain, in {call}"
#define HERD_HOW \
	"{woken} at a time, of which {vain} find nothing, take {us} us on a CPU each and sleep again"

static const struct rs_rule rules[] = {
	{ "herd",
	  "many are woken by one event for one of them that gets it, and sleep again at once, over and over",
	  HERD_LEAST, "/s", "wakes",
	  "wake one alone: EPOLLEXCLUSIVE or SO_REUSEPORT instead of a shared descriptor, "
	  "pthread_cond_signal instead of broadcast",
	  .says = { HERD_CAUSE, "{culprit} {^wakes} " HERD_HOW },
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "offcpu", NULL, "pid == {pid}" },
			      { "syscall-latency", NULL, "pid == {pid}", "pid,syscall" },
			      { "sched", NULL, "pid == {pid}" }),
	  .found =
		"One task or interrupt wakes several threads of one name that wait in the same call, "
		"one of them gets something, and the others sleep again at once: at least {least} in "
		"vain.",
	  .wrong =
		"A broadcast after which each thread has to look at a condition of its own looks alike. "
		"Nothing is reported where wakings or system calls were not recorded." },
	{ 0 },
};

static const struct rs_sentence by_thread = { HERD_CAUSE, "its thread {culprit} wakes " HERD_HOW },
				by_interrupt = { HERD_CAUSE, "an interrupt wakes " HERD_HOW };

/*
 * Wakings by one task, or by interrupts, shortly after one another, of processes of one name that wait in one
 * call.
 */
struct herd_event {
	uint64_t number;            /* of all; 0: none */
	uint64_t last_ns, vain_ns;
	int64_t call;               /* -1: not known yet */
	int32_t pid, waker_tid;     /* of the first that it woke; waker_tid 0: interrupts */
	unsigned int nr, nr_known, nr_vain, nr_got; /* nr_known: these sleep again */
};

struct herd {
	char comm[RS_COMM_LEN];
	int32_t pid, waker_tid;
	int64_t call;
	uint64_t nr_events, nr_woken, nr_vain, nr_got, vain_ns;
	uint64_t nr_others;         /* events that woke as many, of which several had something to do */
};

struct herds {
	uint64_t since_ns, number;
	struct herd_event events[HERD_SLOTS];
	struct herd at[HERD_MOST];
	unsigned int nr;
};

/* Of a thread, from when it is woken until it waits in such a call again. */
struct herd_task {
	uint64_t event;             /* its number; 0: none */
	uint64_t run_ns;
	int32_t waker_tid;
	bool has_worked;            /* a call that is not about waiting returned something */
};

static struct herds *herds_of(struct rs_ctx *c)
{
	struct herds *s = c->state;

	if (s->since_ns != rs_since_ns(c))
		*s = (struct herds){ .since_ns = rs_since_ns(c), .number = s->number };
	return s;
}

static struct herd_event *herd_slot(struct herds *s, int32_t waker_tid)
{
	return &s->events[(uint32_t)waker_tid % HERD_SLOTS];
}

static bool herd_is_call(int64_t a, int64_t b)
{
	return a == b || a < 0 || b < 0;
}

static struct herd *herd_find(struct rs_ctx *c, struct herds *s, const struct herd_event *e)
{
	const char *comm = rs_api_process_comm(c, e->pid);
	unsigned int i = 0;

	if (!comm)
		return NULL;
	while (i < s->nr && (!herd_is_call(s->at[i].call, e->call) || s->at[i].waker_tid != e->waker_tid ||
			     strcmp(s->at[i].comm, comm) != 0))
		i++;
	if (i == HERD_MOST)
		return NULL;
	if (i == s->nr) {
		s->at[s->nr++] = (struct herd){ .pid = e->pid, .waker_tid = e->waker_tid, .call = e->call };
		snprintf(s->at[i].comm, sizeof s->at[i].comm, "%.*s", RS_COMM_LEN - 1, comm);
	}
	return &s->at[i];
}

/* An event counts where one gets something, and where it is known of each what it did. */
static void herd_end_event(struct rs_ctx *c, struct herds *s, struct herd_event *e)
{
	struct herd *h = e->number && e->nr >= HERD_LEAST_TASKS && e->nr_known == e->nr ? herd_find(c, s, e) :
											  NULL;

	e->number = 0;
	if (!h)
		return;
	if (e->nr_got > 1 || e->nr_vain < e->nr - e->nr / 4) {
		h->nr_others++;
		return;
	}
	h->call = h->call < 0 ? e->call : h->call;
	h->nr_events++;
	h->nr_woken += e->nr;
	h->nr_vain += e->nr_vain;
	h->nr_got += e->nr_got;
	h->vain_ns += e->vain_ns;
}

/*
 * A wait for whatever comes, or for a condition; not one for time to pass, nor for a lock. Who sleeps in no
 * call that is known is in one since before the recording: epoll_wait sleeps again without a return where
 * what it was woken for is gone.
 */
static bool herd_is_wait(struct rs_ctx *c, const struct rs_task *t)
{
	enum rs_call_kind kind = t->syscall < 0 ? RS_CALL_PLAIN :
						  rs_call_kind(c, t->syscall, t->syscall_args);

	if (t->syscall < 0)
		return !t->kernel_thread;
	if (kind == RS_CALL_FUTEX_WAIT)
		return !rs_futex_is_lock(t->syscall_args);
	return kind == RS_CALL_IDLE && !rs_call_is(c, t->syscall, RS_CLASS_SLEEP | RS_CLASS_PAUSE);
}

/* Of one process, or of processes of one name. */
static bool herd_is_of(struct rs_ctx *c, const struct herd_event *e, const struct rs_task *t)
{
	const char *comm = e->pid == t->pid ? NULL : rs_api_process_comm(c, e->pid);

	return e->pid == t->pid || (comm && !strcmp(comm, rs_task_process_comm(c, t)));
}

static void herd_on_woken(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct herd_task *d = rs_task_data(c, iv->task);
	struct herds *s = herds_of(c);
	const struct rs_task *t = iv->task;
	struct herd_event *e;

	d->event = 0;
	if (iv->waker_tid < 0 || iv->with_delay || !herd_is_wait(c, t))
		return;
	e = herd_slot(s, iv->waker_tid);
	if (!e->number || e->waker_tid != iv->waker_tid || iv->to_ns - e->last_ns > HERD_BURST_NS ||
	    !herd_is_call(e->call, t->syscall) || !herd_is_of(c, e, t)) {
		herd_end_event(c, s, e);
		*e = (struct herd_event){ .number = ++s->number, .call = t->syscall,
					  .waker_tid = iv->waker_tid, .pid = t->pid };
	}
	e->call = e->call < 0 ? t->syscall : e->call;
	e->last_ns = iv->to_ns;
	e->nr++;
	*d = (struct herd_task){ .event = e->number, .waker_tid = iv->waker_tid };
	rs_watch_calls(c, t, true);
}

/* It leaves its CPU. Where it waits as before, it is known what it was woken for. */
static void herd_on_run(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct herd_task *d = rs_task_data(c, iv->task);
	struct herd_event *e;

	if (!d->event)
		return;
	d->run_ns += iv->to_ns - iv->from_ns;
	if (iv->letter != 'S' || !herd_is_wait(c, iv->task))
		return;
	e = herd_slot(herds_of(c), d->waker_tid);
	if (e->number == d->event && !iv->inferred && !iv->discarded) {
		bool has_worked = d->has_worked || d->run_ns > HERD_WORK_NS ||
				  !herd_is_call(iv->task->syscall, e->call);
		bool is_vain = !has_worked && d->run_ns <= HERD_VAIN_NS;

		e->nr_known++;
		e->nr_vain += is_vain;
		e->nr_got += has_worked;
		e->vain_ns += is_vain ? d->run_ns : 0;
	}
	d->event = 0;
}

static void herd_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (!iv->task || iv->in_flight)
		return;
	if (iv->kind == RS_RUN)
		herd_on_run(c, iv);
	else if (iv->discarded)
		((struct herd_task *)rs_task_data(c, iv->task))->event = 0;
	else if (iv->letter == 'S')
		herd_on_woken(c, iv);
}

/* What a wait returns, or a call on a lock, is no work: an unlock returns how many it woke. */
static void herd_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct herd_task *d = rs_task_data(c, call->task);

	if (d->event && !d->has_worked && call->ret > 0 && call->ret_known &&
	    !rs_call_is(c, call->nr, RS_CLASS_FUTEX))
		d->has_worked = true;
	if (!d->event || d->has_worked)
		rs_watch_calls(c, call->task, false);
}

/* ---- findings ---- */

static void herd_judge(struct rs_ctx *c, const struct herd *h, uint64_t interval_ns)
{
	const struct rs_task *waker = h->waker_tid ? rs_task_find(c, h->waker_tid) : NULL;
	uint64_t rate = rs_milli(h->nr_vain * 1000000000, interval_ns, 1).u;
	bool is_thread = waker && waker->pid == h->pid;
	struct rs_finding f = { .rule = rules, .says = !waker ? &by_interrupt : is_thread ? &by_thread : NULL,
				.cost_ns = h->vain_ns, .victim = h->comm, .victim_pid = h->pid,
				.measured = rate };

	if (rate < HERD_LEAST || h->nr_events < HERD_LEAST_EVENTS || h->nr_others > h->nr_events / 4 ||
	    h->nr_got < h->nr_events / 2 || !rs_syscall_name(c, h->call))
		return;
	f.culprit = is_thread ? waker->comm : waker ? rs_task_process_comm(c, waker) : NULL;
	f.culprit_pid = is_thread ? waker->tid : waker ? waker->pid : 0;
	f.slots = RS_LIST(rs_slot, { "rate", RS_SLOT_NUMBER, rs_u(rate / 1000) },
			  { "call", RS_SLOT_CALL, rs_i(h->call) },
			  { "woken", RS_SLOT_NUMBER, rs_u((h->nr_woken + h->nr_events / 2) / h->nr_events) },
			  { "vain", RS_SLOT_NUMBER, rs_u((h->nr_vain + h->nr_events / 2) / h->nr_events) },
			  { "us", RS_SLOT_NUMBER, rs_u(h->vain_ns / h->nr_vain / 1000) });
	rs_report_finding(c, &f);
}

static void herd_put_findings(struct rs_ctx *c)
{
	/* without wakings nobody is known to wake many; without calls nobody to have found nothing */
	uint64_t interval_ns = rs_wakings_are_recorded(c) && rs_absence_is_known(c, RS_EVENTS_CALLS) ?
				       rs_judged_ns(c) :
				       0;
	struct herds *s = herds_of(c);

	for (unsigned int i = 0; i < HERD_SLOTS && interval_ns; i++)
		if (s->events[i].nr_known == s->events[i].nr)
			herd_end_event(c, s, &s->events[i]);
	for (unsigned int i = 0; i < s->nr && interval_ns; i++)
		herd_judge(c, &s->at[i], interval_ns);
}

const struct rs_analysis rs_analysis_herd = {
	.abi = RS_ABI,
	.name = "herd",
	.summary = "who is woken with many others for what one of them gets",
	.callbacks = RS_LIST(
		rs_callback,
		{ RS_ON_INTERVAL, .interval = herd_on_interval, .kinds = 1 << RS_RUN | 1 << RS_BLOCKED },
		{ RS_ON_CALL, .call = herd_on_call, .if_recorded = true,
		  .watched_kinds = 1 << RS_CALL_PLAIN | 1 << RS_CALL_WRITE | 1 << RS_CALL_SEND |
				   1 << RS_CALL_FORK | 1 << RS_CALL_EXEC | 1 << RS_CALL_CONNECT }),
	.requires_states = true,
	.state_size = sizeof(struct herds),
	.task_size = sizeof(struct herd_task),
	.rules = rules,
	.findings = herd_put_findings,
};
