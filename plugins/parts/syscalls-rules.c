// SPDX-License-Identifier: GPL-2.0-or-later
/* syscalls-rules - the rules of system calls, and how often is too often */
#include <stdio.h>
#include <string.h>

#include "plugins/parts/syscalls-rules.h"

enum { FAILING, AGAIN, BUSY_POLL, TINY_IO, TIMEOUTS, SIGNALS, TIMERS };

#define CALLS_A_SECOND "{rate} {call} calls a second"
#define CALLS_BUSY_LOOP ": {~it} {~polls} in a busy loop, and {~keeps} a CPU busy"
#define CALLS_RULE(id, name, summary, least, verb, advice, cause, ...) \
	[id] = { name, summary, least, "/s", verb, advice, .says = { cause }, .view = "syscall-latency", \
		 .where = "{pids}", __VA_ARGS__ }
#define CALLS_SEEN .evidence = of_calls

static const struct rs_evidence of_calls[] = { { "syscall-latency", NULL, "{pids}", "pid,syscall" },
					       { "syscalls", NULL, "{pids}" },
					       { 0 } },
				/* how often each calls */
				of_signals[] = { { "syscall-latency", "-calls", "{pids}", "pid,syscall" },
						 { "signals", NULL, "{pids}" },
						 { 0 } };

const struct rs_rule rs_syscalls_rules[] = {
	CALLS_RULE(FAILING, "calls-fail", "a process makes calls in a loop that fail", 300000, "makes",
		   "see why they fail, and stop after a few tries", CALLS_A_SECOND " that fail: {error}",
		   CALLS_SEEN,
	  .found =
		"Nine of ten calls of one system call fail, at least {least}, and take a noticeable "
		"part of a thread's time. Fewer are enough for connect, and for a process that does "
		"little else.",
	  .wrong =
		"Some programs try on purpose what may fail: a search path, a file that may exist. The "
		"error that is named is that of the last call."),
	CALLS_RULE(AGAIN, "calls-again",
		   "a process repeats a call that would block (EAGAIN), and keeps a CPU busy", 1000000,
		   "makes", "wait with poll or epoll until there is something",
		   CALLS_A_SECOND " that fail with EAGAIN" CALLS_BUSY_LOOP, CALLS_SEEN,
	  .found =
		"Nine of ten calls of one system call return EAGAIN at once, at least {least}, and take "
		"a noticeable part of a thread's time.",
	  .wrong = "A program that has a CPU of its own may spin on purpose, for the lowest latency."),
	CALLS_RULE(BUSY_POLL, "busy-poll",
		   "a process asks in a loop for what is not there, and keeps a CPU busy", 1000000, "makes",
		   "let it sleep until there is something (a longer time-out)",
		   CALLS_A_SECOND ", and nothing to do" CALLS_BUSY_LOOP, CALLS_SEEN,
	  .found =
		"Nine of ten polls find nothing and return at once, or a process calls sched_yield: at "
		"least {least}, and a noticeable part of a thread's time.",
	  .wrong = "A program that has a CPU of its own may poll on purpose, for the lowest latency."),
	CALLS_RULE(TINY_IO, "tiny-io", "a process reads or writes a few bytes at a time", 1500000, "makes",
		   "buffer: read and write 4 KiB and more at once",
		   CALLS_A_SECOND " of {bytes} byte{plural} each: too small", CALLS_SEEN,
	  .found =
		"The reads or writes of one system call move a few bytes each on average, at least "
		"{least}, and take a noticeable part of a thread's time.",
	  .wrong =
		"Reads that have room for four times as much and more are left out: who writes is told. "
		"A protocol of short messages that each need an answer has such calls by nature: "
		"buffering would delay them."),
	CALLS_RULE(TIMEOUTS, "timeouts",
		   "a process waits for what does not come, until its time-out, over and over", 25000,
		   "makes", "see what it waits for, and why that does not come",
		   CALLS_A_SECOND " that end by their time-out{, after |time_out}", CALLS_SEEN,
	  .found =
		"Waits of one system call end by their time-out nine times of ten, at least {least}, "
		"and take a noticeable part of a thread's time. Fewer are enough for calls on the "
		"network.",
	  .wrong =
		"A loop that uses the time-out as its clock has nothing else to wait for: then only the "
		"wake-ups are wasted."),
	CALLS_RULE(SIGNALS, "signal-storm", "a process handles very many signals", 300000, "handles",
		   "see who sends them, and why", "{rate} signals a second",
		   .says.how = "a timer of its own sends them (setitimer, timer_create)",
		   .evidence = of_signals,
	  .found =
		"The signals that a process handles, or takes by sigwait, are counted: at least "
		"{least}; fewer if one process sends very many. Not counted: one for each child of "
		"its own whose end it waits for.",
	  .wrong =
		"A profiler's timer sends them on purpose. The sender that is named is the one that "
		"sends most signals of all, to whichever process."),
	CALLS_RULE(TIMERS, "timer-storm", "a process is woken by timers very often", 700000, "wakes",
		   "use a longer interval", "{rate} times a second by a timer",
		   .says.how = "{~it} {~waits} in {call} for one tick after the other", CALLS_SEEN,
	  .found =
		"A process sleeps for very short times, in nanosleep or a poll of nothing, or reads a "
		"timerfd: at least {least}.",
	  .wrong = "A program that must act this often, as for audio or a control loop, is meant to."),
	{ 0 },
};

static const struct rs_sentence by_sender = { "{rate} signals a second", "{culprit} {^sends} them" },
				by_sleep = { "{rate} times a second by a timer",
					     "{~it} {~sleeps} for {median} at a time in {call}, and {~asks} "
					     "for {least} at most" };

#define TINY_IO_BYTES 16
#define SMALL_IO_BYTES 512   /* of read and write: too small where they are many more */
#define SMALL_IO_LEAST 4000000
#define NETWORK_LEAST 500    /* calls a second, in thousandths, that a network leaves without an answer */
#define FUTEX_TIMEOUTS_LEAST \
	100000 /* time-outs a second, in thousandths: each thread of an idle pool has a few */
#define FAILING_LEAST_OF_ALL \
	100000 /* calls a second, in thousandths, that fail, where a process makes hardly any others */
#define SIGNALS_LEAST \
	100000 /* handled a second, in thousandths: those that come before one is handled are one */
#define SHORT_NS 500000      /* a call that takes less has not waited for anything */
#define SHORT_SLEEP_NS \
	800000 /* likewise, a mean of sleeps: on a busy machine each lasts longer than was asked for */
#define LEAST_OF_TIME 80     /* of one thread's time in such calls, in thousandths */

#define CALLS_EVENTS (RS_CLASS_POLL | RS_CLASS_SELECT | RS_CLASS_EPOLL)
#define CALLS_IO (RS_CLASS_READ | RS_CLASS_WRITE | RS_CLASS_RECEIVE | RS_CLASS_SEND)
#define CALLS_NETWORK (RS_CLASS_CONNECT | RS_CLASS_ACCEPT | RS_CLASS_RECEIVE)

/*
 * asm-generic/errno.h, the same in each architecture whose calls are known by name, but for alpha, mips,
 * parisc and sparc
 */
enum { E_INTR = 4, E_AGAIN = 11, E_TIMEDOUT = 110, E_IN_PROGRESS = 115, E_RESTART = 512 };

struct syscalls_case {
	int64_t call;
	const char *name, *comm;
	int32_t pid;
	const struct rs_call_row *row;
	uint64_t nr, rate, total_ns; /* rate: calls a second, in thousandths */
};

/* Nine of ten. */
static bool syscalls_is_most(uint64_t part, uint64_t all)
{
	return part >= all - all / 10;
}

/* -1: it does nothing odd. */
static int syscalls_rule_of_failing(const struct syscalls_case *k, bool is_short)
{
	switch (k->row->last_error) {
	case E_AGAIN:
		return is_short ? AGAIN : TIMEOUTS;
	case E_TIMEDOUT:
		return is_short ? FAILING : TIMEOUTS;
	case E_INTR:
	case E_IN_PROGRESS: /* a connect that does not block */
		return -1;
	default:
		return k->row->last_error < E_RESTART ? FAILING : -1;
	}
}

/* The reads of its processes are ended by interrupts, not by other tasks. */
static bool syscalls_is_by_timer(struct rs_ctx *c, const struct syscalls_case *k)
{
	enum rs_culprit_kind kind;

	return rs_main_culprit(c, k->comm, k->pid, RS_PART_BIT(READ_WRITE) | RS_PART_BIT(POLL), &kind) &&
	       kind == RS_CULPRIT_INTERRUPT;
}

/* Also by select or poll, of no descriptor: these return 0 and are not counted among the zeros. */
static bool syscalls_is_sleep(const struct rs_ctx *c, const struct syscalls_case *k)
{
	return rs_call_is(c, k->call, RS_CLASS_SLEEP) ||
	       (rs_call_is(c, k->call, CALLS_EVENTS) && !k->row->zeros && !k->row->bytes && !k->row->errors);
}

/* An editor looks for keys very often, and waits for some: neither is all that it does. */
static int syscalls_rule_of_poll(const struct syscalls_case *k)
{
	if (rs_hist_quantile(&k->row->lat, 900) < SHORT_NS)
		return BUSY_POLL;
	return rs_hist_quantile(&k->row->lat, 300) >= SHORT_NS ? TIMEOUTS : -1;
}

static int syscalls_rule(struct rs_ctx *c, const struct syscalls_case *k)
{
	bool is_short = k->total_ns / k->nr < SHORT_NS, is_plain;

	if (rs_call_is(c, k->call, RS_CLASS_SIGRETURN) ||
	    (rs_call_is(c, k->call, RS_CLASS_SIGNAL_WAIT) && !k->row->errors))
		return SIGNALS;
	if (rs_call_is(c, k->call, RS_CLASS_YIELD))
		return BUSY_POLL;
	if (k->row->errors && syscalls_is_most(k->row->errors, k->nr))
		return syscalls_rule_of_failing(k, is_short);
	/* it finds nothing if it returns 0 */
	if (rs_call_is(c, k->call, CALLS_EVENTS | RS_CLASS_REAP) && syscalls_is_most(k->row->zeros, k->nr))
		return syscalls_rule_of_poll(k);
	if (syscalls_is_sleep(c, k) && k->total_ns / k->nr < SHORT_SLEEP_NS)
		return TIMERS;
	is_plain = !rs_call_is(c, k->call, RS_CLASS_GATHER);
	if (is_plain && rs_call_is(c, k->call, RS_CLASS_READ | RS_CLASS_RECEIVE) &&
	    syscalls_is_most(k->row->shorts, k->nr))
		return -1; /* it asks for more: who writes decides how much it gets */
	if (is_plain && rs_call_is(c, k->call, RS_CLASS_READ) && !rs_call_is(c, k->call, RS_CLASS_SEEK) &&
	    (k->row->bytes + k->nr / 2) / k->nr == 8) /* an eventfd or a timerfd: who wakes it tells */
		return syscalls_is_by_timer(c, k) ? TIMERS : -1;
	if (!k->row->bytes || !rs_call_is(c, k->call, CALLS_IO) || rs_call_is(c, k->call, RS_CLASS_MANY))
		return -1;
	if (is_plain && rs_call_is(c, k->call, RS_CLASS_READ | RS_CLASS_WRITE) && k->rate >= SMALL_IO_LEAST &&
	    k->row->bytes / k->nr <= SMALL_IO_BYTES)
		return TINY_IO;
	return k->row->bytes / k->nr <= TINY_IO_BYTES ? TINY_IO : -1;
}

/*
 * How much time the rule is worth: what the calls took, of storms all of it, and what fails in a loop is what
 * the loop sleeps for.
 */
static uint64_t syscalls_cost_ns(const struct syscalls_case *k, int rule, uint64_t interval_ns)
{
	if (rule == FAILING)
		return interval_ns + k->total_ns;
	return rule == SIGNALS || rule == TIMERS || k->total_ns > interval_ns ? interval_ns : k->total_ns;
}

static const char *syscalls_error_name(uint64_t error, char *buf, size_t size_bytes)
{
	const char *name = strerrorname_np((int)error);

	if (name)
		return name;
	snprintf(buf, size_bytes, "error %u", (unsigned int)error);
	return buf;
}

static const struct rs_sentence *syscalls_sentence(const struct rs_ctx *c, const struct syscalls_case *k,
						   int rule, bool has_sender)
{
	if (rule == TIMERS)
		return k->row->errors || !syscalls_is_sleep(c, k) ? NULL : &by_sleep;
	return has_sender ? &by_sender : NULL;
}

static void syscalls_count_signals(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct rs_call_row *row = g->row;
	struct rs_syscalls_rules *s = c->state;

	if (row->lat.nr <= s->nr_signals || !(g->one_key & 1) ||
	    !rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_SIGNAL))
		return;
	s->nr_signals = row->lat.nr;
	s->sender = g->pid;
	snprintf(s->comm, sizeof s->comm, "%s", g->comm);
}

/* Once for all that take signals. */
static void syscalls_find_sender(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	struct rs_syscalls_rules *s = c->state;

	if (!s->has_sender)
		rs_group_for_each(c, g, syscalls_count_signals, interval_ns);
	s->has_sender = true;
}

/* Without those by which it sleeps in between, or is told that there is something to do. */
static void syscalls_count_calls(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct rs_call_row *row = g->row;
	struct rs_syscalls_rules *s = c->state;

	if (g->pid == s->pid && (g->one_key & 1) &&
	    !rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_SLEEP | CALLS_EVENTS))
		s->nr_calls += rs_hist_nr_begun(&row->lat);
}

static void syscalls_count_reaped(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct rs_call_row *row = g->row;
	struct rs_syscalls_rules *s = c->state;

	if (g->pid == s->pid && (g->one_key & 1) && rs_call_is(c, (int64_t)g->keys[0], RS_CLASS_REAP))
		s->nr_reaped += row->lat.nr - row->errors - row->zeros;
}

/*
 * A shell that starts many programs handles a SIGCHLD for each that ends: that follows from what it does, and
 * no timer and nobody else sends it. Plain recordings have no signal_generate, but each child is reaped.
 */
static void syscalls_leave_out_children(struct rs_ctx *c, struct syscalls_case *k, const struct rs_group *g,
					uint64_t interval_ns)
{
	struct rs_syscalls_rules *s = c->state;

	s->pid = g->pid;
	s->nr_reaped = 0;
	rs_group_for_each(c, g, syscalls_count_reaped, interval_ns);
	k->nr -= s->nr_reaped < k->nr ? s->nr_reaped : k->nr;
	k->rate = rs_milli(k->nr * 1000000000, interval_ns, 1).u;
}

/*
 * Does the process ask for hardly anything else, but for sleep? Then it gets nowhere, however short the calls
 * are.
 */
static bool syscalls_is_all_it_does(struct rs_ctx *c, const struct syscalls_case *k,
				    const struct rs_group *g, uint64_t interval_ns)
{
	struct rs_syscalls_rules *s = c->state;

	s->pid = g->pid;
	s->nr_calls = 0;
	rs_group_for_each(c, g, syscalls_count_calls, interval_ns);
	return syscalls_is_most(k->nr, s->nr_calls);
}

/*
 * How often is odd: of the network's calls each that ends without an answer; of signals fewer where one task
 * sends very many.
 */
static bool syscalls_is_enough(const struct rs_ctx *c, const struct syscalls_case *k, int rule,
			       uint64_t interval_ns)
{
	const struct rs_syscalls_rules *s = c->state;
	bool is_network = rs_call_is(c, k->call, CALLS_NETWORK),
	     takes_time = rs_milli(k->total_ns, interval_ns, 1).u >= LEAST_OF_TIME;

	if (is_network && ((rule == TIMEOUTS && takes_time) ||
			   (rule == FAILING && rs_call_is(c, k->call, RS_CLASS_CONNECT))))
		return k->rate >= (rule == TIMEOUTS ? NETWORK_LEAST : 10 * NETWORK_LEAST);
	if (rule == TIMEOUTS && rs_call_is(c, k->call, RS_CLASS_FUTEX) && k->rate < FUTEX_TIMEOUTS_LEAST)
		return false;
	if (rule == SIGNALS &&
	    rs_milli(s->nr_signals * 1000000000, interval_ns, 1).u >= rs_syscalls_rules[SIGNALS].threshold)
		return k->rate >= SIGNALS_LEAST;
	return k->rate >= rs_syscalls_rules[rule].threshold && (takes_time || rule == SIGNALS);
}

/* Most are rare and short, whatever they are. */
static bool syscalls_may_be_enough(const struct syscalls_case *k, uint64_t interval_ns)
{
	return k->rate >= 10 * NETWORK_LEAST ||
	       (k->rate >= NETWORK_LEAST && rs_milli(k->total_ns, interval_ns, 1).u >= LEAST_OF_TIME);
}

/* Of futex(2) most calls may be unlocks: where the waits end by their time-out, these are the calls. */
static void syscalls_count_waits(const struct rs_ctx *c, struct syscalls_case *k, uint64_t interval_ns)
{
	if (!rs_call_is(c, k->call, RS_CLASS_FUTEX) || k->row->last_error != E_TIMEDOUT ||
	    k->row->errors < k->nr / 4)
		return;
	k->nr = k->row->errors;
	k->rate = rs_milli(k->nr * 1000000000, interval_ns, 1).u;
}

static void syscalls_report(struct rs_ctx *c, const struct syscalls_case *k, int rule,
			    const struct rs_group *g, uint64_t interval_ns)
{
	const struct rs_syscalls_rules *s = c->state;
	const struct rs_hist *lat = &k->row->lat;
	bool has_thread = g->task && strcmp(g->task->comm, g->comm) != 0,
	     has_sender = rule == SIGNALS && s->nr_signals > k->nr / 10,
	     /* of futex some are no waits, and short */
	     are_all = k->nr == rs_hist_nr_begun(lat);
	uint64_t median_ns = rs_hist_quantile(lat, 500), bytes = k->row->bytes / k->nr;
	char victim[2 * RS_COMM_LEN + 4], error[32];
	const struct rs_slot slots[] = {
		{ "rate", RS_SLOT_NUMBER, rs_u(k->rate / 1000) },
		{ "call", RS_SLOT_NAME, rs_s(k->name) },
		{ "error", RS_SLOT_NAME,
		  rs_s(syscalls_error_name(k->row->last_error, error, sizeof error)) },
		{ "bytes", RS_SLOT_NUMBER, rs_u(bytes) },
		{ "plural", RS_SLOT_TEXT, rs_s(bytes == 1 ? NULL : "s") },
		{ "time_out", RS_SLOT_DURATION, rs_u_if(are_all, median_ns) },
		{ "median", RS_SLOT_DURATION, rs_u(median_ns) },
		/* the shortest sleep was as long as was asked for, or longer by the timer's slack */
		{ "least", RS_SLOT_DURATION, rs_u(lat->min) },
		{ 0 },
	};

	snprintf(victim, sizeof victim, "%s%s%s", g->comm, has_thread ? "/" : "",
		 has_thread ? g->task->comm : "");
	rs_report_finding(c, &(struct rs_finding){
		.rule = &rs_syscalls_rules[rule], .says = syscalls_sentence(c, k, rule, has_sender),
		.slots = slots,
		.cost_ns = syscalls_cost_ns(k, rule, interval_ns),
		.lost_ns = rule == SIGNALS || rule == TIMERS ? 0 : k->total_ns,
		.victim = victim, .victim_pid = g->pid, .culprit = has_sender ? s->comm : g->comm,
		.culprit_pid = has_sender ? s->sender : g->pid,
		.names_code = rule != TIMEOUTS && rule != SIGNALS && rule != TIMERS, .measured = k->rate,
	});
}

static void syscalls_judge_group(struct rs_ctx *c, const struct rs_group *g, uint64_t interval_ns)
{
	const struct rs_call_row *row = g->row;
	struct syscalls_case k = { .row = row, .nr = rs_hist_nr_begun(&row->lat),
				   .total_ns = rs_hist_sum_inside(&row->lat),
				   .comm = g->comm, .pid = g->pid };
	char name[48];
	int rule;

	if (!k.nr || !(g->one_key & 1) || !g->comm[0])
		return;
	k.rate = rs_milli(k.nr * 1000000000, interval_ns, 1).u;
	if (!syscalls_may_be_enough(&k, interval_ns))
		return;
	k.call = (int64_t)g->keys[0];
	k.name = rs_call_name(c, k.call, name, sizeof name);
	syscalls_count_waits(c, &k, interval_ns);
	rule = syscalls_rule(c, &k);
	if (rule == SIGNALS && k.rate >= SIGNALS_LEAST) {
		syscalls_find_sender(c, g, interval_ns);
		syscalls_leave_out_children(c, &k, g, interval_ns);
	}
	if (rule >= 0 &&
	    (syscalls_is_enough(c, &k, rule, interval_ns) ||
	     (rule == FAILING && k.rate >= FAILING_LEAST_OF_ALL &&
	      syscalls_is_all_it_does(c, &k, g, interval_ns))))
		syscalls_report(c, &k, rule, g, interval_ns);
}

void rs_syscalls_rules_judge(struct rs_ctx *c, unsigned int view)
{
	memset(c->state, 0, sizeof(struct rs_syscalls_rules));
	rs_store_for_each_group(c, view, syscalls_judge_group);
}
