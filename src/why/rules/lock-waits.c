// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock-waits - rules: who waits for a lock of the kernel or of its program, who holds it, and what that
 * task does meanwhile
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"
#include "why/peer.h"

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
		    "waits", "hold the lock for shorter, or split it", .has_chain = true, RS_PEER_SEEN,
	  .found =
		"Threads wait in futex(2) at the address of a lock until another thread wakes them, "
		"which is taken for its holder: at least {least}, of all its threads.",
	  .wrong =
		"Whether a futex is a lock or a condition is told by the value that is waited on: the "
		"counter of a condition may have that value too." },
	[KERNEL_LOCK] = { "kernel-lock", "tasks wait for a lock of the kernel", 10 * LOCK_LEAST, "ms/s",
			  "waits", "see which system calls take it, and let fewer tasks do them at once",
			  .has_chain = true, RS_PEER_SEEN,
	  .found =
		"Tasks wait for a lock of the kernel, by the events of lock contention, until another "
		"task wakes them, which is taken for its holder: at least {least}, of all its threads.",
	  .wrong =
		"Before Linux 5.19 there are no such events: then the lock is inferred from who wakes "
		"whom in state D." },
	[MMAP_LOCK] = { "mmap-lock", "threads wait for the mmap_lock of their process", 10 * LOCK_LEAST,
			"ms/s", "waits", "map, unmap and fault less, or in other processes",
			.has_chain = true, RS_PEER_SEEN,
	  .found =
		"Threads of one process wait for a read-write lock of the kernel in page faults, or in "
		"calls that map memory: at least {least}, of all its threads.",
	  .wrong =
		"The address of the lock is not compared with that of the process: it may be another "
		"read-write lock that is taken in the same calls." },
	{ 0 },
};

/* ---- what it says: of a lock of each kind who holds it, and how ---- */

enum { HELD, THREADS_IN_TURN, IN_TURN, NR_HOLDS };
enum { OF_ITS_OWN, SHARED_FUTEX = NR_HOLDS, OF_KERNEL = 2 * NR_HOLDS, OF_MMAP = 3 * NR_HOLDS };
enum { HOLDER_WAITS = 4 * NR_HOLDS, PREEMPTED, PREEMPTED_SHARED, TURNS, NR_ROWS };

#define LOCK_OWN "for a user-space lock (futex at {address})"
#define LOCK_SHARED "for a lock that processes share (futex at {address})"
#define LOCK_PREEMPTED "{culprit} {^holds} it while {^it} {^is} preempted{ by |preempter}"
/* One row for each way to hold it. */
#define LOCK_ROWS(first, rule, cause)                                                                        \
	[first + HELD] = { &rules[rule], .says = { cause, "{culprit} {^holds} it ({^it} {^does})" } },       \
		 [first +                                                                                    \
			 THREADS_IN_TURN] = { &rules[rule], .says = { cause, "its threads take turns, "      \
									     "{culprit} {^has} it most" } }, \
		 [first + IN_TURN] = { &rules[rule], .says = { cause, "{culprit} {^holds} it in turn" } }

static const struct rs_rule_row rows[NR_ROWS + 1] = {
	LOCK_ROWS(OF_ITS_OWN, FUTEX, LOCK_OWN),
	LOCK_ROWS(SHARED_FUTEX, FUTEX, LOCK_SHARED),
	LOCK_ROWS(OF_KERNEL, KERNEL_LOCK, "for {lock}{ in |call}"),
	LOCK_ROWS(OF_MMAP, MMAP_LOCK, "for the mmap_lock of {~its} process{, |likely|,}{ in |call}"),
	[HOLDER_WAITS] = { &rules[FUTEX],
			   .says = { LOCK_OWN, "its thread {holder} holds it and waits in "
					       "{peer_call/a call} for {culprit}, which {does}" } },
	[PREEMPTED] = { &rules[FUTEX], .says = { LOCK_OWN, LOCK_PREEMPTED } },
	[PREEMPTED_SHARED] = { &rules[FUTEX], .says = { LOCK_SHARED, LOCK_PREEMPTED } },
	[TURNS] = { &rules[FUTEX], .says = { "for a user-space lock (futex)",
					     "the threads of {culprit} take turns, one runs at a time" } },
};

struct lock_case {
	struct rs_peer_case peer;
	const struct rs_blame_entry *next; /* whom the holder waits for, or who preempts it; NULL: nobody */
	char address[24], name[140];
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

/* "munmap", "a page fault"; NULL: in which call is unknown. */
static const char *lock_waits_call(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	const char *call = e->call >= 0 ? rs_syscall_name(c, e->call) : NULL;

	return call          ? call :
	       e->call >= 0  ? "a call" :
	       e->in_no_call ? "a page fault" :
			       NULL;
}

/*
 * Who a holder waits for in turn, in a call that reads or writes, while its line waits for it: most of the
 * time that it does not queue for the lock itself.
 */
static const struct rs_blame_entry *lock_waits_peer_of_holder(const struct rs_peer_case *k)
{
	const uint64_t *did = k->of.e->did_ns;
	uint64_t had_ns = k->of.e->ns > did[RS_CAUSE_FUTEX] ? k->of.e->ns - did[RS_CAUSE_FUTEX] : 0;
	const uint64_t parts = RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET;
	const struct rs_blame_entry *next = k->is_thread ? rs_peer_entry_of_others(k->of.b, parts) : NULL;

	return next && next->kind == RS_CULPRIT_TASK && had_ns > k->of.e->ns / 4 &&
			       did[RS_CAUSE_SLEEP] > had_ns / 2 ?
		       next :
		       NULL;
}

/* ---- which are judged ---- */

static bool lock_waits_is_mmap_call(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return e->in_no_call || rs_call_is(c, e->call, RS_CLASS_MAP);
}

static bool lock_waits_is_mmap_lock(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const char *type = rs_lock_type(k->of.e->lock_flags);

	return k->is_thread && lock_waits_is_mmap_call(c, k->of.e) &&
	       (!k->of.e->lock_addr || (type && !strncmp(type, "rwsem", 5)));
}

static bool lock_waits_is_of_futex(const struct rs_blame_entry *e)
{
	return e->part == RS_PART_FUTEX && e->kind == RS_CULPRIT_TASK && e->call_arg;
}

/* The time of an entry in which the holder itself queued for the lock for a lock. */
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
 * Who had a lock while the others queued for the lock, one behind the other, maybe for another lock; NULL:
 * nobody in particular.
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
	k->of.ns += e->ns;
	k->of.nr += e->nr;
	k->of.e = k->of.e ? k->of.e : e;
	k->is_thread = rs_blame_is_of(k->of.e, k->of.b) && k->of.b->nr_processes == 1;
}

static bool lock_waits_find_futex(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_blame_entry *holder;

	of->of_ns = rs_blame_busy_ns(of->b);
	for (unsigned int i = 0; i < of->b->nr; i++)
		if (lock_waits_is_of_futex(&of->b->at[i]))
			lock_waits_add(k, &of->b->at[i]);
	holder = of->e ? lock_waits_holder(of->b, of->ns) : NULL;
	of->e = holder ? holder : of->e;
	of->of_ns += of->ns;
	k->rule = FUTEX;
	return of->e && rs_milli(of->ns, of->interval_ns, 100).u >= FUTEX_LEAST;
}

/*
 * For how long the thread of an entry has the kernel's lock, and does not queue for the lock itself: in
 * whichever call it is waited for.
 */
static uint64_t lock_waits_kernel_had_ns(const struct rs_blame *b, const struct rs_blame_entry *of)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (e->part == RS_PART_LOCK && e->kind == RS_CULPRIT_TASK && e->lock_addr == of->lock_addr &&
		    rs_blame_is_same(e, of) && !strcmp(e->thread, of->thread) &&
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
	if (rs_blame_is_of(k->of.e, k->of.b) && rs_peer_does(k->of.e) == RS_PEER_WAITS_FOR_DISK &&
	    !rs_absence_is_known(c, RS_EVENTS_STALLS))
		return true;
	return rs_blame_is_of(k->of.e, k->of.b) && rs_peer_does(k->of.e) == RS_PEER_WAITS_FOR_MEMORY &&
	       k->of.b->part_ns[RS_PART_DIRTY] + k->of.b->part_ns[RS_PART_THROTTLE] >
		       k->of.b->part_ns[RS_PART_RECLAIM] &&
	       k->of.b->part_ns[RS_PART_DIRTY] + k->of.b->part_ns[RS_PART_THROTTLE] > k->of.ns / 2;
}

static bool lock_waits_find_kernel(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_blame_entry *holder;

	for (unsigned int i = 0; i < of->b->nr; i++)
		if (of->b->at[i].part == RS_PART_LOCK && of->b->at[i].kind == RS_CULPRIT_TASK)
			lock_waits_add(k, &of->b->at[i]);
	holder = of->e ? lock_waits_kernel_holder(of->b, of->ns) : NULL;
	of->e = holder ? holder : of->e;
	of->of_ns = rs_blame_busy_ns(of->b);
	k->is_thread = of->e && rs_blame_is_of(of->e, of->b) && of->b->nr_processes == 1;
	if (!of->e || rs_milli(of->ns, of->interval_ns, 100).u < LOCK_LEAST ||
	    lock_waits_is_of_write_back(of->c, k))
		return false;
	k->rule = lock_waits_is_mmap_lock(of->c, k) ? MMAP_LOCK : KERNEL_LOCK;
	return rs_milli(of->ns, of->of_ns, 100).u >= (k->rule == MMAP_LOCK ? MMAP_LEAST : LOCK_LEAST);
}

/*
 * Threads that wait for short times, over and over, while one of them runs at any time, each in its turn: a
 * lock of an interpreter, which is asked for with a time-out.
 */
static bool lock_waits_find_turns(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_blame *b = of->b;
	uint64_t run_milli = rs_milli(b->run_ns, of->interval_ns, 1).u;

	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].part == RS_PART_FUTEX && b->at[i].kind == RS_CULPRIT_INTERRUPT)
			lock_waits_add(k, &b->at[i]);
	of->of_ns = rs_blame_busy_ns(b) + of->ns;
	return of->e && b->nr_processes <= 1 && b->nr_threads >= TURNS_LEAST_THREADS &&
	       run_milli >= TURNS_LEAST_MILLI && run_milli <= TURNS_MOST_MILLI &&
	       b->busiest_ns <= b->run_ns / 3 * 2 && of->ns / of->nr <= TURNS_MOST_NS &&
	       rs_milli(of->ns, b->lifetime_ns, 100).u >= TURNS_LEAST;
}

/* ---- which row that makes ---- */

static unsigned int lock_waits_hold(const struct rs_peer_case *k)
{
	return !rs_blame_goes_round(k->of.b, k->of.e) ? HELD : k->is_thread ? THREADS_IN_TURN : IN_TURN;
}

static const struct rs_rule_row *lock_waits_choose_kernel(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	rs_peer_say(of->c, of->b, of->e, &k->words);
	return &rows[(k->rule == MMAP_LOCK ? OF_MMAP : OF_KERNEL) + lock_waits_hold(k)];
}

static bool lock_waits_is_preempted(const struct rs_blame_entry *e)
{
	return e->did_ns[RS_CAUSE_PREEMPTED] + e->did_ns[RS_CAUSE_DELAY] > e->ns / 4;
}

/* A holder that waits, or gets no CPU, explains more than who it is. */
static const struct rs_rule_row *lock_waits_choose_futex(struct rs_case *of)
{
	struct lock_case *k = (struct lock_case *)of;
	const struct rs_blame *holder = k->peer.is_thread ? of->b : rs_blame_of(of->c, of->e);
	bool is_shared = !k->peer.is_thread;

	rs_peer_say(of->c, of->b, of->e, &k->peer.words);
	k->next = lock_waits_peer_of_holder(&k->peer);
	if (k->next) {
		rs_peer_say(of->c, of->b, k->next, &k->peer.words);
		return &rows[HOLDER_WAITS];
	}
	if (rs_blame_goes_round(of->b, of->e) || !lock_waits_is_preempted(of->e))
		return &rows[(is_shared ? SHARED_FUTEX : OF_ITS_OWN) + lock_waits_hold(&k->peer)];
	k->next = rs_peer_entry_of_others(holder, RS_PART_BIT(QUEUE));
	/* the holder's wait is the victim's */
	k->peer.besides_ns = k->peer.is_thread ? rs_blame_sum(of->b, RS_PART_BIT(QUEUE), NULL) : 0;
	return &rows[PREEMPTED + is_shared];
}

static const struct rs_rule_row *lock_waits_choose_turns(struct rs_case *k)
{
	return &rows[TURNS];
}

static void lock_waits_blame(struct rs_case *of, const struct rs_rule_row *row)
{
	struct lock_case *k = (struct lock_case *)of;
	const struct rs_blame_entry *e = of->e;

	if (row == &rows[TURNS])
		of->culprit = (struct rs_case_culprit){ of->b->comm, of->b->pid, 0 };
	else if (row == &rows[HOLDER_WAITS])
		of->culprit = (struct rs_case_culprit){ k->next->comm, k->peer.words.pid, k->peer.words.nr };
	else
		of->culprit = (struct rs_case_culprit){
			.comm = e->thread[0] ? e->thread : e->comm,
			.pid = e->nr_pids > 1 || !k->peer.is_thread ? e->pids[0] : e->tid,
			.nr = k->peer.is_thread ? 0 : rs_blame_nr_culprits(of->c, e),
		};
	rs_peer_blame(&k->peer);
}

static void lock_waits_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_case_slots *to)
{
	struct lock_case *k = (struct lock_case *)of;
	const struct rs_blame_entry *e = of->e;

	snprintf(k->address, sizeof k->address, "0x%" PRIx64, e->lock_addr);

	const struct rs_slot slots[] = {
		{ "address", RS_SLOT_LOCK, rs_s(k->address) },
		{ "lock", RS_SLOT_LOCK, rs_s(lock_waits_name(of->c, e, k->name, sizeof k->name)) },
		{ "likely", RS_SLOT_TEXT, rs_s(e->lock_addr ? NULL : "most likely") },
		{ "call", RS_SLOT_NAME, rs_s(lock_waits_call(of->c, e)) },
		{ "holder", RS_SLOT_NAME, rs_s(e->thread) },
		{ "peer_call", RS_SLOT_CALL, rs_i(k->next ? k->next->call : -1) },
		{ "preempter", RS_SLOT_NAME, rs_s(k->next ? k->next->comm : NULL) },
	};
	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
	rs_peer_slots(&k->peer, to);
}

#define LOCK_FAMILY(of)                                                                                      \
	&(const struct rs_family)                                                                            \
	{                                                                                                    \
		.rows = rows, .find = lock_waits_find_##of, .choose = lock_waits_choose_##of,                \
		.blame = lock_waits_blame, .slots = lock_waits_slots,                                        \
		.case_size_bytes = RS_CASE_SIZE(struct lock_case)                                            \
	}

static void lock_waits_put_findings(struct rs_ctx *c)
{
	const struct rs_family *const families[] = { LOCK_FAMILY(futex), LOCK_FAMILY(kernel),
						     LOCK_FAMILY(turns) };

	rs_evaluate(c, families, sizeof families / sizeof *families);
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
