// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * herd - rule: who is woken together with many others for what one of them gets, and sleeps again at once
 */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"
#include "why/blame.h"

#define HERD_LEAST 1000000            /* wake-ups in vain a second, in thousandths */
#define HERD_LEAST_LOST 200000        /* or what they lose to one another, in ms a second, in thousandths */
#define HERD_LEAST_TASKS 4            /* that one event wakes */
#define HERD_LEAST_EVENTS 10
#define HERD_BURST_NS 100000          /* from one waking of an event to the next */
#define HERD_VAIN_NS 50000            /* on a CPU, until it sleeps again: it has looked, and found nothing */
#define HERD_WORK_NS 100000           /* likewise: it has found something; in between nothing tells */
#define HERD_MOST_GET(nr) ((nr) < 16 ? 1 : (nr) / 8) /* of those woken: more are a queue of work */
#define HERD_SLOTS 64                 /* wakers at work, by tid */
#define HERD_EVENTS 256               /* of which not all that were woken sleep again yet */
#define HERD_MOST 16                  /* herds */

#define HERD_CAUSE "{rate} times a second in vain, in {call} (a thundering herd)"
#define HERD_HOW \
	"{woken} at a time, of which {vain} find nothing, take {us} us on a CPU each and sleep again"

static const struct rs_rule rules[] = {
	{ "herd",
	  "a thundering herd: one event wakes many, one of them gets it, and the others sleep again at once",
	  HERD_LEAST, "/s", "wakes",
	  "wake one alone: EPOLLEXCLUSIVE or SO_REUSEPORT instead of a shared descriptor, "
	  "pthread_cond_signal instead of broadcast",
	  .says = { HERD_CAUSE, "{culprit} {^wakes} " HERD_HOW },
	  .explains_waits = true,
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "offcpu", NULL, "pid == {pid}" },
			      { "syscall-latency", NULL, "pid == {pid}", "pid,syscall" },
			      { "sched", NULL, "pid == {pid}" }),
	  .found =
		"One task or interrupt wakes several threads of one name that wait in the same call, "
		"one of them, or one in eight, gets something, and the others sleep again at once: at least "
		"{least} in vain, or so that they lose 200 ms/s to one another. What they wait for a CPU "
		"meanwhile, or for a lock that each takes to look, is not told again.",
	  .wrong =
		"A broadcast after which each thread has to look at a condition of its own looks alike. "
		"Nothing is reported where wakings or system calls were not recorded." },
	{ 0 },
};

static const struct rs_sentence by_thread = { HERD_CAUSE, "its thread {culprit} wakes " HERD_HOW },
				by_interrupt = { HERD_CAUSE, "an interrupt wakes " HERD_HOW },
				by_several = { HERD_CAUSE, "events wake " HERD_HOW };

/*
 * Wakings by one task, or by interrupts, shortly after one another, of processes of one name that wait in one
 * call.
 */
struct herd_event {
	uint64_t number;            /* of all; 0: none */
	uint64_t last_ns;
	uint64_t vain_ns;           /* on a CPU, of those that find nothing */
	uint64_t lost_ns;           /* of these, from their waking until they sleep again */
	int64_t call;               /* -1: not known yet */
	int32_t pid, waker_tid;     /* of the first that it woke; waker_tid 0: interrupts */
	unsigned int nr, nr_known, nr_vain, nr_got; /* nr_known: these sleep again */
};

struct herd {
	char comm[RS_COMM_LEN];
	uint32_t program;           /* that it interprets, see rs_blame_program */
	int32_t pid;
	int32_t waker_tid;          /* of most events, if .surplus is more than half of them */
	uint64_t surplus;
	int64_t call;
	uint64_t nr_events, nr_woken, nr_vain, nr_got, vain_ns, lost_ns;
	uint64_t nr_others;         /* events that woke as many, of which several had something to do */
};

struct herds {
	uint64_t since_ns, number;
	uint64_t last[HERD_SLOTS];  /* by waker: the number of its event */
	struct herd_event events[HERD_EVENTS]; /* by number: a later one has the place of one long ago */
	struct herd at[HERD_MOST];
	unsigned int nr;
};

/* Of a thread, from when it is woken until it waits in such a call again. */
struct herd_task {
	uint64_t event;             /* its number; 0: none */
	uint64_t woken_ns, run_ns;
	uint64_t awake_ns;          /* on a CPU since it last slept, for a lock on its way */
	uint64_t most_ns;           /* of these */
	bool has_worked;            /* a call that is not about waiting returned something */
};

static struct herds *herds_of(struct rs_ctx *c)
{
	struct herds *s = c->state;

	if (s->since_ns != rs_since_ns(c))
		*s = (struct herds){ .since_ns = rs_since_ns(c), .number = s->number };
	return s;
}

/* NULL: it has ended, or was before the last reset. */
static struct herd_event *herd_event_of(struct herds *s, uint64_t number)
{
	struct herd_event *e = &s->events[number % HERD_EVENTS];

	return number && e->number == number ? e : NULL;
}

static bool herd_is_call(int64_t a, int64_t b)
{
	return a == b || a < 0 || b < 0;
}

static struct herd *herd_find(struct rs_ctx *c, struct herds *s, const struct herd_event *e)
{
	const char *comm = rs_api_process_comm(c, e->pid);
	uint32_t program = rs_blame_program(c, e->pid);
	unsigned int i = 0;

	if (!comm)
		return NULL;
	while (i < s->nr && (!herd_is_call(s->at[i].call, e->call) || s->at[i].program != program ||
			     strcmp(s->at[i].comm, comm) != 0))
		i++;
	if (i == HERD_MOST)
		return NULL;
	if (i == s->nr) {
		s->at[s->nr++] = (struct herd){ .pid = e->pid, .program = program, .call = e->call };
		snprintf(s->at[i].comm, sizeof s->at[i].comm, "%.*s", RS_COMM_LEN - 1, comm);
	}
	return &s->at[i];
}

/* The majority of Boyer and Moore: a waker of most events is left. */
static void herd_count_waker(struct herd *h, int32_t waker_tid)
{
	if (!h->surplus)
		h->waker_tid = waker_tid;
	if (h->waker_tid == waker_tid)
		h->surplus++;
	else
		h->surplus--;
}

/*
 * What they lose to one another: each waits, for a CPU or a lock, while the others look in vain. The rest of
 * their waits is somebody else's.
 */
static uint64_t herd_lost_ns(const struct herd_event *e)
{
	return e->lost_ns < e->nr * e->vain_ns ? e->lost_ns : e->nr * e->vain_ns;
}

/* An event counts where one gets something, and where it is known of each what it did. */
static void herd_end_event(struct rs_ctx *c, struct herds *s, struct herd_event *e)
{
	struct herd *h = e->number && e->nr >= HERD_LEAST_TASKS && e->nr_known == e->nr ? herd_find(c, s, e) :
											  NULL;

	e->number = 0;
	if (!h)
		return;
	if (e->nr_got > HERD_MOST_GET(e->nr) || e->nr_vain < e->nr - e->nr / 4) {
		h->nr_others++;
		return;
	}
	h->call = h->call < 0 ? e->call : h->call;
	herd_count_waker(h, e->waker_tid);
	h->nr_events++;
	h->nr_woken += e->nr;
	h->nr_vain += e->nr_vain;
	h->nr_got += e->nr_got;
	h->vain_ns += e->vain_ns;
	h->lost_ns += herd_lost_ns(e);
}

static bool herd_is_lock_wait(struct rs_ctx *c, const struct rs_task *t)
{
	return t->syscall >= 0 && rs_call_kind(c, t->syscall, t->syscall_args) == RS_CALL_FUTEX_WAIT &&
	       rs_futex_is_lock(t->syscall_args);
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

/* Of one process, or of processes of one name and program. */
static bool herd_is_of(struct rs_ctx *c, const struct herd_event *e, const struct rs_task *t)
{
	const char *comm = e->pid == t->pid ? NULL : rs_api_process_comm(c, e->pid);

	return e->pid == t->pid || (comm && !strcmp(comm, rs_task_process_comm(c, t)) &&
				    rs_blame_program(c, e->pid) == rs_blame_program(c, t->pid));
}

/* The event that this waking is one of: the waker's last one, or a new one. */
static struct herd_event *herd_join(struct rs_ctx *c, struct herds *s, const struct rs_interval *iv)
{
	uint64_t *last = &s->last[(uint32_t)iv->waker_tid % HERD_SLOTS];
	struct herd_event *e = herd_event_of(s, *last);

	if (e && e->waker_tid == iv->waker_tid && iv->to_ns - e->last_ns <= HERD_BURST_NS &&
	    herd_is_call(e->call, iv->task->syscall) && herd_is_of(c, e, iv->task))
		return e;
	*last = ++s->number;
	e = &s->events[s->number % HERD_EVENTS];
	herd_end_event(c, s, e);
	*e = (struct herd_event){ .number = s->number, .call = iv->task->syscall,
				  .waker_tid = iv->waker_tid, .pid = iv->task->pid };
	return e;
}

/* Who is woken from a lock on its way is still to see what it was woken for. */
static void herd_on_woken(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct herd_task *d = rs_task_data(c, iv->task);
	const struct rs_task *t = iv->task;
	struct herd_event *e;

	if (d->event && herd_is_lock_wait(c, t))
		return;
	d->event = 0;
	if (iv->waker_tid < 0 || iv->with_delay || !herd_is_wait(c, t))
		return;
	e = herd_join(c, herds_of(c), iv);
	e->call = e->call < 0 ? t->syscall : e->call;
	e->last_ns = iv->to_ns;
	e->nr++;
	*d = (struct herd_task){ .event = e->number, .woken_ns = iv->to_ns };
	rs_watch_calls(c, t, true);
}

/* It sleeps: it is known what it was woken for. Who waits for something else has got what it works on. */
static void herd_sleeps_again(struct rs_ctx *c, struct herd_event *e, const struct herd_task *d,
			      const struct rs_interval *iv)
{
	bool has_worked = d->has_worked || d->most_ns > HERD_WORK_NS || !herd_is_wait(c, iv->task) ||
			  !herd_is_call(iv->task->syscall, e->call);
	bool is_vain = !has_worked && d->most_ns <= HERD_VAIN_NS;

	e->nr_known++;
	e->nr_vain += is_vain;
	e->nr_got += has_worked;
	e->vain_ns += is_vain ? d->run_ns : 0;
	e->lost_ns += is_vain ? iv->to_ns - d->woken_ns : 0;
}

/* It leaves its CPU. */
static void herd_on_run(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct herd_task *d = rs_task_data(c, iv->task);
	struct herd_event *e;

	if (!d->event)
		return;
	d->run_ns += iv->to_ns - iv->from_ns;
	d->awake_ns += iv->to_ns - iv->from_ns;
	if (d->most_ns < d->awake_ns)
		d->most_ns = d->awake_ns;
	if (iv->letter == 'S')
		d->awake_ns = 0;
	if (iv->letter != 'S' || herd_is_lock_wait(c, iv->task))
		return;
	e = herd_event_of(herds_of(c), d->event);
	if (e && !iv->inferred && !iv->discarded)
		herd_sleeps_again(c, e, d, iv);
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

static const struct rs_sentence *herd_says(const struct herd *h, const struct rs_task *waker)
{
	if (h->surplus <= h->nr_events / 2)
		return &by_several;
	if (!waker)
		return &by_interrupt;
	return waker->pid == h->pid ? &by_thread : &rules[0].says;
}

static void herd_judge(struct rs_ctx *c, const struct herd *h, uint64_t interval_ns)
{
	bool is_by_one = h->surplus > h->nr_events / 2;
	const struct rs_task *waker = is_by_one && h->waker_tid ? rs_task_find(c, h->waker_tid) : NULL;
	uint64_t rate = rs_milli(h->nr_vain * 1000000000, interval_ns, 1).u;
	bool is_thread = waker && waker->pid == h->pid;
	struct rs_finding f = { .rule = rules, .says = herd_says(h, waker),
				.cost_ns = h->vain_ns > h->lost_ns ? h->vain_ns : h->lost_ns,
				.victim = h->comm, .victim_pid = h->pid, .measured = rate };

	if ((rate < HERD_LEAST && rs_milli(h->lost_ns, interval_ns, 1000).u < HERD_LEAST_LOST) ||
	    !h->nr_vain || h->nr_events < HERD_LEAST_EVENTS || h->nr_others > h->nr_events / 4 ||
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

	for (unsigned int i = 0; i < HERD_EVENTS && interval_ns; i++)
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
				   1 << RS_CALL_FORK | 1 << RS_CALL_EXEC | 1 << RS_CALL_CONNECT |
				   1 << RS_CALL_ACCEPT }),
	.requires_states = true,
	.state_size = sizeof(struct herds),
	.task_size = sizeof(struct herd_task),
	.rules = rules,
	.findings = herd_put_findings,
};
