// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock-waits - findings: who waits for a lock of the kernel or of its program, who holds it, and what that
 * task does meanwhile
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/peer.h"
#include "ringside/plugin.h"

#define LOCK_LEAST 20000              /* of one thread's time, in thousandths of a percent */
#define FUTEX_LEAST 12000
#define MMAP_LEAST 10000 /* of what all threads of a process did: some of them rarely ask for memory */
#define TURNS_LEAST 33333
#define TURNS_LEAST_THREADS 3
#define TURNS_LEAST_MILLI \
	850 /* of the time that all threads run that take turns: all of one CPU, and little more */
#define TURNS_MOST_MILLI 1350
#define TURNS_MOST_NS 20000000

enum { FUTEX, KERNEL_LOCK, MMAP_LOCK };

static const struct rs_rule rules[] = {
	[FUTEX] = { "futex-lock", "threads wait for a lock of their program", 10 * FUTEX_LEAST, "ms/s",
		    "waits", "hold the lock for shorter, or split it", true },
	[KERNEL_LOCK] = { "kernel-lock", "tasks wait for a lock of the kernel", 10 * LOCK_LEAST, "ms/s",
			  "waits",
			  "see which system calls take it, and let fewer tasks do them at once", true },
	[MMAP_LOCK] = { "mmap-lock", "threads wait for the mmap_lock of their process", 10 * LOCK_LEAST,
			"ms/s", "waits",
			"map, unmap and fault less, or in other processes", true },
	{ 0 },
};

/* ---- in words ---- */

static const char *lock_waits_name(struct rs_ctx *c, const struct rs_blame_entry *e, char *buf,
				   size_t size_bytes)
{
	const char *type = rs_lock_type(e->lock_flags),
		   *symbol = e->lock_addr ? rs_symbol(c, e->lock_addr) : NULL;
	const char *caller = e->lock_addr ? rs_lock_caller(c, e->lock_addr) : NULL,
		   *taken = caller ? ", taken at " : "";

	if (!e->lock_addr)
		snprintf(buf, size_bytes, "a kernel lock, most likely (this kernel has no lock events),");
	else if (symbol)
		snprintf(buf, size_bytes, "the kernel's %s %.40s%s%.40s%s", type ? type : "lock", symbol,
			 taken, caller ? caller : "", caller ? "," : "");
	else
		snprintf(buf, size_bytes, "a kernel lock (%s at 0x%" PRIx64 "%s%.40s)",
			 type ? type : "unknown type", e->lock_addr, taken, caller ? caller : "");
	return buf;
}

static void lock_waits_say_holder(const struct rs_peer_case *k, const struct rs_peer_words *w, char *how,
				  size_t size_bytes)
{
	if (rs_blame_goes_round(k->b, k->e))
		snprintf(how, size_bytes,
			 k->is_thread ? "its threads take turns, * has it most" : "* holds it in turn");
	else
		snprintf(how, size_bytes, "* holds it (" RS_CULPRIT "it " RS_CULPRIT "%.120s)", w->text);
}

/*
 * Who a holder waits for in turn, in a call that reads or writes, while its line waits for it: most of the
 * time that it does not stand in line itself.
 */
static const struct rs_blame_entry *lock_waits_peer_of_holder(const struct rs_peer_case *k)
{
	const uint64_t *did = k->e->did_ns;
	uint64_t had_ns = k->e->ns > did[RS_CAUSE_FUTEX] ? k->e->ns - did[RS_CAUSE_FUTEX] : 0;
	const struct rs_blame_entry *next = k->is_thread ? rs_peer_entry(k->b,
									 RS_PART_BIT(READ_WRITE) |
										 RS_PART_BIT(SOCKET),
									 k->b->comm) :
							   NULL;

	return next && next->kind == RS_CULPRIT_TASK && had_ns > k->e->ns / 4 &&
			       did[RS_CAUSE_SLEEP] > had_ns / 2 ?
		       next :
		       NULL;
}

static void lock_waits_say_futex(struct rs_ctx *c, struct rs_peer_case *k, struct rs_peer_words *w, char *how,
				 size_t size_bytes)
{
	const struct rs_blame_entry *next = lock_waits_peer_of_holder(k);
	const struct rs_blame *holder = k->is_thread ? k->b : rs_blame_find(c, k->e->comm);
	struct rs_peer_words peer;

	if (next) {
		rs_peer_say(c, k->b, next, &peer);
		snprintf(how, size_bytes, "its thread %.16s holds it and waits in %.16s for *, which %.100s",
			 k->e->thread,
			 next->call >= 0 && rs_syscall_name(c, next->call) ? rs_syscall_name(c, next->call) :
									     "a call",
			 peer.text);
		*w = peer;
		w->culprit = next->comm;
	} else if (!rs_blame_goes_round(k->b, k->e) &&
		   k->e->did_ns[RS_CAUSE_PREEMPTED] + k->e->did_ns[RS_CAUSE_DELAY] > k->e->ns / 4) {
		next = rs_peer_entry(holder, RS_PART_BIT(QUEUE), holder ? holder->comm : "");
		snprintf(how, size_bytes, "* holds it while it is preempted%s%.16s", next ? " by " : "",
			 next ? next->comm : "");
		/* the holder's wait is the victim's */
		k->besides_ns = k->is_thread ? rs_blame_sum(k->b, RS_PART_BIT(QUEUE), NULL) : 0;
	} else {
		lock_waits_say_holder(k, w, how, size_bytes);
	}
}

/* " in munmap"; "": in which call is unknown. */
static const char *lock_waits_in_call(struct rs_ctx *c, const struct rs_blame_entry *e, char *buf,
				      size_t size_bytes)
{
	const char *call = e->call >= 0 ? rs_syscall_name(c, e->call) : NULL;

	snprintf(buf, size_bytes, "%s%.30s", e->call >= 0 || e->in_no_call ? " in " : "",
		 call          ? call :
		 e->call >= 0  ? "a call" :
		 e->in_no_call ? "a page fault" :
				 "");
	return buf;
}

static void lock_waits_report(struct rs_ctx *c, struct rs_peer_case *k)
{
	char in_call[40], cause[180], how[200], lock[140];
	struct rs_peer_words w;

	rs_peer_say(c, k->b, k->e, &w);
	w.culprit = k->e->thread[0] ? k->e->thread : k->e->comm;
	w.pid = k->e->nr_pids > 1 || !k->is_thread ? k->e->pids[0] : k->e->tid;
	w.nr = k->is_thread ? 0 : rs_blame_nr_culprits(c, k->e);
	lock_waits_say_holder(k, &w, how, sizeof how);
	if (k->rule == &rules[FUTEX]) {
		snprintf(cause, sizeof cause, "for a lock %s (futex at 0x%" PRIx64 ")",
			 k->is_thread ? "of " RS_VICTIM "its own" : "that processes share", k->e->lock_addr);
		lock_waits_say_futex(c, k, &w, how, sizeof how);
	} else if (k->rule == &rules[MMAP_LOCK]) {
		snprintf(cause, sizeof cause, "for the mmap_lock of " RS_VICTIM "its process%s%s",
			 k->e->lock_addr ? "" : ", most likely,",
			 lock_waits_in_call(c, k->e, in_call, sizeof in_call));
	} else {
		snprintf(cause, sizeof cause, "for %s%s", lock_waits_name(c, k->e, lock, sizeof lock),
			 lock_waits_in_call(c, k->e, in_call, sizeof in_call));
	}
	rs_peer_report(c, k, cause, how, &w);
}

/* ---- which are judged ---- */

static bool lock_waits_is_mmap_call(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return e->in_no_call || rs_call_is(c, e->call, RS_CLASS_MAP);
}

static bool lock_waits_is_mmap_lock(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const char *type = rs_lock_type(k->e->lock_flags);

	return k->is_thread && lock_waits_is_mmap_call(c, k->e) &&
	       (!k->e->lock_addr || (type && !strncmp(type, "rwsem", 5)));
}

static bool lock_waits_is_of_futex(const struct rs_blame_entry *e)
{
	return e->part == RS_PART_FUTEX && e->kind == RS_CULPRIT_TASK && e->call_arg;
}

/* The time of an entry in which the holder itself stood in line for a lock. */
static uint64_t lock_waits_in_line_ns(const struct rs_blame_entry *e)
{
	return e->did_ns[RS_CAUSE_FUTEX] < e->ns ? e->did_ns[RS_CAUSE_FUTEX] : e->ns;
}

/*
 * What the holder of an entry costs: all but its time in line, and the time in line of who waits for it and
 * holds another lock, which others wait for. Among threads of one name nothing tells who that is.
 */
static uint64_t lock_waits_cost_ns(const struct rs_blame *b, const struct rs_blame_entry *holder)
{
	uint64_t ns = holder->ns - lock_waits_in_line_ns(holder);

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (lock_waits_is_of_futex(e) && e->lock_addr != holder->lock_addr &&
		    !strcmp(e->thread, holder->waiter) && strcmp(e->thread, e->waiter) != 0)
			ns += lock_waits_in_line_ns(e);
	}
	return ns;
}

/*
 * Who had a lock while the others stood in line, one behind the other, maybe for another lock; NULL: nobody
 * in particular.
 */
static const struct rs_blame_entry *lock_waits_holder(const struct rs_blame *b, uint64_t all_ns)
{
	const struct rs_blame_entry *holder = NULL;
	uint64_t most_ns = all_ns / 4;

	for (unsigned int i = 0; i < b->nr; i++) {
		uint64_t ns = lock_waits_is_of_futex(&b->at[i]) ? lock_waits_cost_ns(b, &b->at[i]) : 0;

		if (ns > most_ns) {
			most_ns = ns;
			holder = &b->at[i];
		}
	}
	return holder;
}

static void lock_waits_add(struct rs_peer_case *k, const struct rs_blame_entry *e)
{
	k->ns += e->ns;
	k->nr += e->nr;
	k->e = k->e ? k->e : e;
	k->is_thread = !strcmp(k->e->comm, k->b->comm) && k->b->nr_processes == 1;
}

static void lock_waits_judge_futex(struct rs_ctx *c, struct rs_peer_case *k)
{
	const struct rs_blame_entry *holder = k->e ? lock_waits_holder(k->b, k->ns) : NULL;

	k->e = holder ? holder : k->e;
	k->of_ns += k->ns;
	if (k->e && rs_milli(k->ns, k->interval_ns, 100).u >= FUTEX_LEAST)
		lock_waits_report(c, k);
}

/*
 * For how long the thread of an entry has the kernel's lock, and does not stand in line itself: in whichever
 * call it is waited for.
 */
static uint64_t lock_waits_kernel_had_ns(const struct rs_blame *b, const struct rs_blame_entry *of)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (e->part == RS_PART_LOCK && e->kind == RS_CULPRIT_TASK && e->lock_addr == of->lock_addr &&
		    !strcmp(e->comm, of->comm) && !strcmp(e->thread, of->thread) &&
		    e->ns > e->did_ns[RS_CAUSE_LOCK])
			ns += e->ns - e->did_ns[RS_CAUSE_LOCK];
	}
	return ns;
}

/* Who has the kernel's lock for more than a quarter of the time; NULL: nobody in particular. */
static const struct rs_blame_entry *lock_waits_kernel_holder(const struct rs_blame *b, uint64_t all_ns)
{
	const struct rs_blame_entry *holder = NULL;
	uint64_t most_ns = all_ns / 4, ns;

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		ns = e->part == RS_PART_LOCK && e->kind == RS_CULPRIT_TASK &&
				     e->ns > e->did_ns[RS_CAUSE_LOCK] ?
			     lock_waits_kernel_had_ns(b, e) :
			     0;
		if (ns > most_ns) {
			most_ns = ns;
			holder = e;
		}
	}
	return holder;
}

/*
 * Is the lock only where one of a kind stands behind the other, which is held back as a writer with it? Then
 * write-back is the trouble, and told of both.
 */
static bool lock_waits_is_of_write_back(struct rs_ctx *c, const struct rs_peer_case *k)
{
	if (!strcmp(k->e->comm, k->b->comm) && rs_peer_does(k->e) == RS_PEER_WAITS_FOR_DISK &&
	    !rs_absence_is_known(c, RS_EVENTS_STALLS))
		return true;
	return !strcmp(k->e->comm, k->b->comm) && rs_peer_does(k->e) == RS_PEER_WAITS_FOR_MEMORY &&
	       k->b->part_ns[RS_PART_DIRTY] + k->b->part_ns[RS_PART_THROTTLE] >
		       k->b->part_ns[RS_PART_RECLAIM] &&
	       k->b->part_ns[RS_PART_DIRTY] + k->b->part_ns[RS_PART_THROTTLE] > k->ns / 2;
}

static void lock_waits_judge_kernel(struct rs_ctx *c, struct rs_peer_case *k)
{
	const struct rs_blame_entry *holder = k->e ? lock_waits_kernel_holder(k->b, k->ns) : NULL;

	k->e = holder ? holder : k->e;
	k->is_thread = k->e && !strcmp(k->e->comm, k->b->comm) && k->b->nr_processes == 1;
	if (!k->e || rs_milli(k->ns, k->interval_ns, 100).u < LOCK_LEAST || lock_waits_is_of_write_back(c, k))
		return;
	if (lock_waits_is_mmap_lock(c, k))
		k->rule = &rules[MMAP_LOCK];
	if (rs_milli(k->ns, k->of_ns, 100).u >= (k->rule == &rules[MMAP_LOCK] ? MMAP_LEAST : LOCK_LEAST))
		lock_waits_report(c, k);
}

static void lock_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct rs_peer_case kernel = { .b = b, .rule = &rules[KERNEL_LOCK], .interval_ns = interval_ns,
				       .of_ns = rs_blame_busy_ns(b) }, futex = kernel;

	futex.rule = &rules[FUTEX];
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (e->part == RS_PART_LOCK && e->kind == RS_CULPRIT_TASK)
			lock_waits_add(&kernel, e);
		else if (lock_waits_is_of_futex(e))
			lock_waits_add(&futex, e);
	}
	lock_waits_judge_futex(c, &futex);
	lock_waits_judge_kernel(c, &kernel);
}

/*
 * Threads that wait for short times, over and over, while one of them runs at any time, each in its turn: a
 * lock of an interpreter, which is asked for with a time-out.
 */
static void lock_waits_judge_turns(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct rs_peer_case k = { .b = b, .rule = &rules[FUTEX], .interval_ns = interval_ns,
				  .of_ns = rs_blame_busy_ns(b) };
	uint64_t run_milli = rs_milli(b->run_ns, interval_ns, 1).u;

	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].part == RS_PART_FUTEX && b->at[i].kind == RS_CULPRIT_INTERRUPT)
			lock_waits_add(&k, &b->at[i]);
	if (!k.e || b->nr_processes > 1 || b->nr_threads < TURNS_LEAST_THREADS ||
	    run_milli < TURNS_LEAST_MILLI || run_milli > TURNS_MOST_MILLI ||
	    b->busiest_ns > b->run_ns / 3 * 2 || k.ns / k.nr > TURNS_MOST_NS ||
	    rs_milli(k.ns, b->lifetime_ns, 100).u < TURNS_LEAST)
		return;
	k.of_ns += k.ns;
	rs_peer_report(c, &k, "for a lock of its own (futex)",
		       "the threads of * take turns, one runs at a time",
		       &(struct rs_peer_words){ .culprit = b->comm, .pid = b->pid });
}

static void lock_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	for (size_t i = 0; i < nr; i++) {
		lock_waits_judge(c, &list[i], interval_ns);
		lock_waits_judge_turns(c, &list[i], interval_ns);
	}
}

const struct rs_analysis rs_analysis_lock_waits = {
	.abi = RS_ABI,
	.name = "lock-waits",
	.summary = "who waits for a lock, and what its holder does meanwhile",
	.uses_stacks = true,
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.rules = rules,
	.findings = lock_waits_put_findings,
};
