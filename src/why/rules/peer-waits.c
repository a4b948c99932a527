// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer-waits - rules: who waits for another task, over a pipe, a socket, a file lock or for its end, and
 * what that task does meanwhile
 */
#include <stdio.h>

#include "why/cases/peer-case.h"

#define PEER_LEAST 33333              /* of one thread's time, in thousandths of a percent */
#define LEAST_MEAN_NS 1000000         /* of a wait for a peer: shorter ones are a pipeline at work */
#define PEER_LEAST_OF_READER 20000    /* likewise, of one that writes to a reader that is busy */
#define BUSY_READER_MILLI 700
#define BUSY_MILLI 850                /* of the time that a peer runs, for it to be at its limit */
#define MANY_CLIENTS 3

#define PEER_RULE(id, name, summary, advice, ...) \
	[id] = { name, summary, 10 * PEER_LEAST, "ms/s", "waits", advice, .has_chain = true, RS_PEER_SEEN, \
		 __VA_ARGS__ }

static const struct rs_rule rules[] = {
	PEER_RULE(RS_PEER_READ, "peer-read",
		  "a process waits to read what another has to write, over a pipe or a socket",
		  "see what the other does meanwhile",
	  .found =
		"A process sleeps in a read until a task of this machine wakes it, and that one works, "
		"waits, or sleeps meanwhile: at least {least}.",
	  .wrong =
		"A process that waits for work has nothing to read: it is left out where it serves the "
		"one that it waits for, but not each such pair is recognized."),
	[RS_PEER_WRITE] = { "peer-write",
			    "a process waits to write what another does not read, into a full pipe or socket",
			    10 * PEER_LEAST_OF_READER, "ms/s", "waits",
			    "make the reader faster, or write less", .has_chain = true, RS_PEER_SEEN,
	  .found =
		"A process sleeps in a write until a task, or an interrupt of the network, makes room "
		"for more: at least {least}, or more where the reader is not busy.",
	  .wrong =
		"A writer that has more than the reader needs is meant to wait. Behind a network it is "
		"unknown whether the link or the peer is slow." },
	PEER_RULE(RS_PEER_SOCKET, "peer-socket", "a process waits in a call on a socket for another",
		  "see what the other does meanwhile",
	  .found =
		"A process sleeps in a call on a socket until a task of this machine wakes it, and that "
		"one works, waits, or sleeps meanwhile: at least {least}.",
	  .wrong =
		"A server that waits for its clients has nothing to do: it is left out where that is "
		"seen, but not each such pair is recognized."),
	PEER_RULE(RS_PEER_CHILD, "peer-child", "a process waits for its child",
		  "see what the child does meanwhile",
	  .found =
		"A process sleeps in wait4 or a like call until its child ends, and the child works, "
		"waits, or sleeps meanwhile: at least {least}. Shells and other launchers are left out.",
	  .wrong =
		"A process whose work is to start others, and to wait for them, looks slow only because "
		"they take long."),
	PEER_RULE(RS_PEER_SERVER, "server-busy", "several processes wait for one that is busy all the time",
		  "give the server more threads, or less work",
	  .found =
		"Several processes or threads wait for one process that runs nearly all the time: at "
		"least {least}.",
	  .wrong =
		"Which requests are in the queue is not seen: the wait of each client is taken for a "
		"wait in it."),
	PEER_RULE(RS_PEER_ONE_THREAD, "one-thread",
		  "the threads of a process wait for one of them, which runs all the time",
		  "divide the work of that thread",
	  .found =
		"Threads of a process wait for one of its threads, which runs nearly all the time: at "
		"least {least}.",
	  .wrong =
		"A pool that waits for work which only one thread hands out may be larger than it needs "
		"to be: then it is the pool that is too large."),
	PEER_RULE(RS_PEER_FILE_LOCK, "file-lock", "a process waits for a file lock, or a semaphore",
		  "hold the lock for shorter",
	  .found =
		"A process sleeps in a call that takes a file lock or a semaphore until a task wakes "
		"it, which is taken for its holder: at least {least}.",
	  .wrong =
		"A semaphore that signals the end of some work is no lock: who has that work is then "
		"named as its holder."),
	[RS_PEER_OWN_SLEEP] = { "own-sleep",
				"a process that was asked about sleeps nearly all the time, by its own "
				"choice",
				80000, "%", "sleeps", "see why it waits that long, in its source",
				RS_PEER_SEEN,
	  .found =
		"A process that was asked about (-p, -c, -- COMMAND) sleeps in nanosleep, or in a poll "
		"of nothing, for at least {least} of its time, and no other rule applies to it.",
	  .wrong = "A daemon that has to act every few seconds only is meant to sleep." },
	{ 0 },
};

/* ---- what it says ---- */

/* Rows in pairs: the peer itself is the cause, or (THROUGH) a task that the peer waits for. */
enum {
	SAY_READ,
	SAY_READ_THROUGH,
	SAY_SOCKET,
	SAY_SOCKET_THROUGH,
	SAY_CHILD,
	SAY_CHILD_THROUGH,
	SAY_CHILDREN,
	SAY_CHILDREN_THROUGH,
	SAY_WRITE,
	SAY_SERVER,
	SAY_ONE_THREAD,
	SAY_LOCK,
	SAY_LOCK_IN_TURN,
	SAY_SLEEP,
	SAY_LINK,
	NR_SAYS
};

#define PEER_DOES "{culprit} {^does}"
#define PEER_THROUGH "{peer} {does}"
#define PEER_SOCKET "in {call/a call} for {over/a peer, over a socket}"
#define PEER_CHILD "in {call/a call} for its child{ (|program|)}"
#define PEER_CHILDREN "in {call/a call} for the short-lived children that {~it} {~starts} (fork, exec)"

static const struct rs_rule_row rows[NR_SAYS + 1] = {
	[SAY_READ] = { &rules[RS_PEER_READ],
		       .says = { "in {call/a call} for a peer, over a pipe or a socket", PEER_DOES } },
	[SAY_READ_THROUGH] = { &rules[RS_PEER_READ],
			       .says = { "in {call/a call} for a peer, over a pipe or a socket",
					 PEER_THROUGH } },
	[SAY_SOCKET] = { &rules[RS_PEER_SOCKET], .says = { PEER_SOCKET, PEER_DOES } },
	[SAY_SOCKET_THROUGH] = { &rules[RS_PEER_SOCKET], .says = { PEER_SOCKET, PEER_THROUGH } },
	[SAY_CHILD] = { &rules[RS_PEER_CHILD], .says = { PEER_CHILD, PEER_DOES } },
	[SAY_CHILD_THROUGH] = { &rules[RS_PEER_CHILD], .says = { PEER_CHILD, PEER_THROUGH } },
	[SAY_CHILDREN] = { &rules[RS_PEER_CHILD], .says = { PEER_CHILDREN, PEER_DOES } },
	[SAY_CHILDREN_THROUGH] = { &rules[RS_PEER_CHILD], .says = { PEER_CHILDREN, PEER_THROUGH } },
	[SAY_WRITE] = { &rules[RS_PEER_WRITE],
			.says = { "in {call/a call}{ to |over}, a pipe or a socket's send buffer is full",
				  "{culprit} {^reads} slowly, {^it} {^does}" } },
	[SAY_SERVER] = { &rules[RS_PEER_SERVER],
			 .says = { "in {call/a call} for a busy server, in its queue",
				   "{culprit} {^runs} all the time, for one after the other" } },
	[SAY_ONE_THREAD] = { &rules[RS_PEER_ONE_THREAD],
			     .says = { "for one of {~its} threads",
				       "{culprit} {^runs} {busy} of the time on a CPU, and is the "
				       "bottleneck" } },
	[SAY_LOCK] = { &rules[RS_PEER_FILE_LOCK],
		       .says = { "in {call/a call} for a {lock}", "{culprit} {^holds} it ({^it} {^does})" } },
	[SAY_LOCK_IN_TURN] = { &rules[RS_PEER_FILE_LOCK],
			       .says = { "in {call/a call} for a {lock}", "{culprit} {^holds} it in turn" } },
	[SAY_SLEEP] = { &rules[RS_PEER_OWN_SLEEP],
			.says = { "voluntarily, in {call/a call}{ for its child "
				  "|child}{, which |does}" } },
	[SAY_LINK] = { &rules[RS_PEER_WRITE],
		       .says = { "in {call/a call}, the send buffer of a socket is full",
				 "{culprit} {^is} slow, or the peer behind it reads slowly" } },
};

/* A peer at its limit: a server with a queue before it, a thread that the others wait for. */
static unsigned int peer_rule_of_busy(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_of(c, k->of.e);

	/* a lock has no queue that a server works off */
	if (!peer || k->rule == RS_PEER_FILE_LOCK || rs_peer_does(k->of.e) != RS_PEER_RUNS)
		return k->rule;
	if (k->is_thread)
		return rs_milli(k->of.b->busiest_ns, k->of.interval_ns, 1).u >= BUSY_MILLI ?
			       RS_PEER_ONE_THREAD :
			       k->rule;
	if (peer->run_ns / 1000 * 1000 >= k->of.interval_ns / 1000 * BUSY_MILLI &&
	    (k->of.b->nr_processes >= MANY_CLIENTS || k->of.b->nr_threads >= MANY_CLIENTS) &&
	    k->rule != RS_PEER_CHILD)
		return RS_PEER_SERVER;
	return k->rule;
}

/* ---- which row that makes ---- */

static unsigned int peer_row_of(struct rs_ctx *c, const struct rs_peer_case *k)
{
	bool is_through = k->words.culprit != k->of.e->comm && !k->is_thread;

	if (k->rule == RS_PEER_FILE_LOCK)
		return rs_blame_goes_round(k->of.b, k->of.e) ? SAY_LOCK_IN_TURN : SAY_LOCK;
	if (k->rule == RS_PEER_READ)
		return SAY_READ + is_through;
	if (k->rule == RS_PEER_SOCKET)
		return SAY_SOCKET + is_through;
	if (k->rule == RS_PEER_CHILD)
		return (rs_peer_case_has_many_children(k) ? SAY_CHILDREN : SAY_CHILD) + is_through;
	return k->rule == RS_PEER_SERVER     ? SAY_SERVER :
	       k->rule == RS_PEER_ONE_THREAD ? SAY_ONE_THREAD :
					       SAY_WRITE;
}

static const struct rs_rule_row *peer_choose(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	rs_peer_say(of->c, of->b, of->e, &k->words);
	k->rule = peer_rule_of_busy(of->c, k);
	return &rows[peer_row_of(of->c, k)];
}

static void peer_blame(struct rs_case *of, const struct rs_rule_row *row)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_blame_entry *e = of->e;

	if (k->is_thread)
		of->culprit = (struct rs_case_culprit){ e->thread, e->tid, 0 };
	else
		of->culprit = (struct rs_case_culprit){ k->words.culprit, k->words.pid, k->words.nr };
	if (row->rule == &rules[RS_PEER_WRITE])
		of->culprit.comm = e->comm;
	if (row->rule == &rules[RS_PEER_FILE_LOCK])
		of->culprit = (struct rs_case_culprit){ e->comm, e->pids[0], rs_blame_nr_culprits(of->c, e) };
	rs_peer_blame(k);
}

/*
 * "10.0.0.2:5432 over TCP", "postgres (812) on guest, 10.0.0.2:5432 over TCP"; NULL: it is not known, or
 * several are waited for
 */
static const char *peer_over(struct rs_ctx *c, const struct rs_blame_entry *e, char *buf)
{
	const char *name = e->several_sockets ? NULL : rs_socket_name(c, e->socket);
	const struct rs_far_task *far = name ? rs_socket_far_task_of_name(c, e->socket) : NULL;
	const char *text = rs_socket_peer_of_name(name, buf);
	char over[RS_SOCKET_TEXT_BYTES], task[RS_FAR_TASK_TEXT_BYTES];

	if (!far || !text)
		return text;
	snprintf(over, sizeof over, "%s", text);
	snprintf(buf, RS_SOCKET_TEXT_BYTES, "%.90s, %.64s", rs_far_task_text(far, task), over);
	return buf;
}

static void peer_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_case_slots *to)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_task *peer = rs_task_find(of->c, of->e->pids[0]);

	/* the words say it of the last of the chain */
	k->program[0] = '\0';
	if (peer && k->words.nr_links)
		rs_task_program(of->c, peer, k->program, sizeof k->program);

	const struct rs_slot slots[] = {
		{ "program", RS_SLOT_NAME, rs_s(k->program) },
		{ "busy", RS_SLOT_PERCENT,
		  rs_u(rs_milli(of->b->busiest_ns, of->interval_ns, 100).u / 1000) },
		{ "lock", RS_SLOT_LOCK,
		  rs_s(rs_peer_case_is_semaphore(of->c, of->e->call) ? "lock (semaphore)" : "file lock") },
		{ "over", RS_SLOT_TEXT, rs_s(peer_over(of->c, of->e, k->over)) },
		{ "child", RS_SLOT_NAME, rs_s(k->words.text[0] ? of->e->comm : NULL) },
	};

	rs_peer_slots(k, to);
	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}

/* ---- what is judged ---- */

static bool peer_is_wait_for(const struct rs_blame_entry *e, const struct rs_blame *b)
{
	return e->kind == RS_CULPRIT_TASK &&
	       (RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET | RS_PART_BIT(POLL)) >> e->part & 1 &&
	       rs_blame_is_of(e, b);
}

/*
 * A client with a time-out waits in poll(2) for its answer. Who waits for whatever comes does so too: it is a
 * client if the other waits for it about as often, for shorter, and not in the same way, which would tell
 * nothing, and works meanwhile.
 */
static bool peer_is_answer(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	const struct rs_blame *peer = e->part == RS_PART_POLL && !rs_blame_is_of(e, b) &&
						      rs_call_is(c, e->call, RS_PEER_POLLS) ?
					      rs_blame_of(c, e) :
					      NULL;
	enum rs_peer_does does = rs_peer_does(e);
	uint64_t nr = 0, ns = 0;

	if (!peer || does == RS_PEER_SLEEPS || does == RS_PEER_WAITS || does == RS_PEER_UNKNOWN)
		return false;
	for (unsigned int i = 0; i < peer->nr; i++)
		if (peer_is_wait_for(&peer->at[i], b)) {
			if (rs_call_is(c, peer->at[i].call, RS_PEER_POLLS))
				return false;
			nr += peer->at[i].nr;
			ns += peer->at[i].ns;
		}
	return e->nr / 2 <= nr && nr / 2 <= e->nr && ns <= e->ns / 3 * 2;
}

/*
 * A thread that waits for the one that runs all the time to tell it something: no lock, and no pool without
 * work.
 */
static bool peer_is_condition(const struct rs_blame *b, const struct rs_blame_entry *e)
{
	return e->part == RS_PART_FUTEX && !e->call_arg && b->busiest && rs_blame_is_of(e, b) &&
	       !strcmp(e->thread, b->busiest->comm) &&
	       b->busiest_ns >= b->lifetime_ns / 1000 * BUSY_MILLI / (b->nr_threads ? b->nr_threads : 1);
}

/*
 * The share from which on it is judged: less where the one that reads is at its limit, the slow member of a
 * pipeline.
 */
static uint64_t peer_least(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = k->rule == RS_PEER_WRITE ? rs_blame_of(c, k->of.e) : NULL;

	return peer && peer->nr_threads == 1 && peer->run_ns >= k->of.interval_ns / 1000 * BUSY_READER_MILLI ?
		       PEER_LEAST_OF_READER :
		       PEER_LEAST;
}

/* Is it a wait for another that the entry tells of? */
static bool peer_is_wait(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	bool is_kind = ((RS_PEER_PARTS & ~RS_PART_BIT(POLL)) >> e->part & 1) || rs_peer_case_is_child(c, e) ||
		       peer_is_condition(b, e) || peer_is_answer(c, b, e);

	return is_kind && e->kind == RS_CULPRIT_TASK && !e->kernel_thread &&
	       !rs_peer_is_file_lock(c, e->call) && !rs_call_is(c, e->call, RS_CLASS_ACCEPT);
}

static void peer_add(struct rs_peer_case *k, const struct rs_blame_entry *e)
{
	k->of.e = k->of.e ? k->of.e : e;
	k->of.ns += e->ns;
	k->of.nr += e->nr;
}

/* Of one thread's time, and of the interval; of several threads each need not wait for so long. */
static bool peer_is_enough(const struct rs_peer_case *k, uint64_t least)
{
	const struct rs_blame *b = k->of.b;
	unsigned int nr_threads = b->nr_threads > b->nr_processes ? b->nr_threads : b->nr_processes;

	return k->of.e && k->of.ns / k->of.nr >= LEAST_MEAN_NS &&
	       rs_milli(k->of.ns, b->lifetime_ns, 100).u >= least * b->nr_processes / nr_threads &&
	       rs_milli(k->of.ns, k->of.interval_ns, 100).u >= least;
}

static bool peer_is_of_thread(const struct rs_peer_case *k)
{
	return rs_blame_is_of(k->of.e, k->of.b) && k->of.b->nr_processes == 1;
}

static bool peer_find(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	for (unsigned int i = 0; i < of->b->nr; i++) {
		const struct rs_blame_entry *e = &of->b->at[i];

		if (!peer_is_wait(of->c, of->b, e) || (of->e && !rs_blame_is_same(of->e, e)))
			continue;
		peer_add(k, e);
		k->nr_children += rs_peer_case_is_child(of->c, e) ? e->nr : 0;
	}
	if (!of->e)
		return false;
	k->rule = rs_peer_case_rule(of->c, of->e);
	if (!peer_is_enough(k, peer_least(of->c, k)))
		return false;
	k->is_thread = peer_is_of_thread(k);
	of->of_ns = rs_blame_busy_ns(of->b) + of->ns;
	if (of->e->part == RS_PART_FUTEX && peer_rule_of_busy(of->c, k) != RS_PEER_ONE_THREAD)
		return false;
	return rs_peer_case_is_to_blame(of->c, k);
}

static bool peer_find_file_lock(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_blame_entry *most = NULL;

	for (unsigned int i = 0; i < of->b->nr; i++) {
		const struct rs_blame_entry *e = &of->b->at[i];

		if (e->kind != RS_CULPRIT_TASK || e->kernel_thread || !(RS_PEER_PARTS >> e->part & 1) ||
		    !rs_peer_is_file_lock(of->c, e->call))
			continue;
		peer_add(k, e);
		most = most && most->ns >= e->ns ? most : e;
	}
	of->e = most;
	k->rule = RS_PEER_FILE_LOCK;
	if (!peer_is_enough(k, PEER_LEAST))
		return false;
	of->of_ns = rs_blame_busy_ns(of->b) + of->ns;
	k->is_thread = peer_is_of_thread(k);
	return true;
}

/* ---- a link ---- */

/*
 * Who writes to a pipe is woken by who reads; who sends on a link, by the interrupts in which the other side
 * confirms what it has.
 */
static bool peer_find_link(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	for (unsigned int i = 0; i < of->b->nr; i++)
		if (of->b->at[i].kind == RS_CULPRIT_INTERRUPT && (RS_PEER_PARTS >> of->b->at[i].part & 1) &&
		    rs_peer_case_is_write(of->c, of->b->at[i].call))
			peer_add(k, &of->b->at[i]);
	if (!of->e || of->ns / of->nr < LEAST_MEAN_NS ||
	    rs_milli(of->ns, of->b->lifetime_ns, 100).u < PEER_LEAST ||
	    rs_milli(of->ns, of->interval_ns, 100).u < PEER_LEAST)
		return false;
	of->of_ns = rs_blame_busy_ns(of->b) + of->ns;
	return true;
}

static const struct rs_rule_row *peer_choose_link(struct rs_case *k)
{
	return &rows[SAY_LINK];
}

static void peer_blame_link(struct rs_case *k, const struct rs_rule_row *row)
{
	k->culprit.comm = "the network link";
	rs_peer_blame((struct rs_peer_case *)k);
}

/* ---- nobody to wait for ---- */

#define OWN_SLEEP_LEAST 80000         /* of its threads' time */

/* Also in select of 0 descriptors, or poll of none: who waits for whatever comes has nothing to do. */
static bool peer_is_own_sleep(const struct rs_blame_entry *e)
{
	return e->part == RS_PART_TIMER || (e->part == RS_PART_POLL && !e->call_arg);
}

/* Its child sleeps in its place: sleep(1), in a loop. */
static bool peer_is_child_asleep(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	struct rs_peer_words w;

	if (e->part != RS_PART_CHILD || e->kind != RS_CULPRIT_TASK || rs_peer_does(e) != RS_PEER_SLEEPS)
		return false;
	rs_peer_say(c, b, e, &w);
	return w.has_timer;
}

/* Only of processes that the user selected. It costs nobody any time. */
static bool peer_find_sleep(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	if (rs_is_selected(of->c, NULL, 0) || !rs_is_selected(of->c, of->b->comm, of->b->pid))
		return false;
	for (unsigned int i = 0; i < of->b->nr; i++)
		if (peer_is_own_sleep(&of->b->at[i]) || peer_is_child_asleep(of->c, of->b, &of->b->at[i]))
			peer_add(k, &of->b->at[i]);
	of->of_ns = of->b->lifetime_ns;
	k->costs_nothing = true;
	if (!of->e || rs_milli(of->ns, of->of_ns, 100).u < OWN_SLEEP_LEAST)
		return false;
	if (of->e->part == RS_PART_CHILD)
		rs_peer_say(of->c, of->b, of->e, &k->words);
	return true;
}

static const struct rs_rule_row *peer_choose_sleep(struct rs_case *k)
{
	return &rows[SAY_SLEEP];
}

static void peer_blame_sleep(struct rs_case *k, const struct rs_rule_row *row)
{
	k->culprit = (struct rs_case_culprit){ .comm = k->b->comm, .pid = k->b->pid };
	rs_peer_blame((struct rs_peer_case *)k);
}

#define PEER_FAMILY(finds, chooses, blames, ...)                                                             \
	&(const struct rs_family)                                                                            \
	{                                                                                                    \
		.rows = rows, .find = finds, .choose = chooses, .blame = blames, .slots = peer_slots,        \
		.case_size_bytes = RS_CASE_SIZE(struct rs_peer_case), __VA_ARGS__                            \
	}

static const struct rs_family *const families[] = {
	PEER_FAMILY(peer_find, peer_choose, peer_blame),
	PEER_FAMILY(peer_find_sleep, peer_choose_sleep, peer_blame_sleep, .unless_told = true),
	PEER_FAMILY(peer_find_file_lock, peer_choose, peer_blame),
	PEER_FAMILY(peer_find_link, peer_choose_link, peer_blame_link),
};

static void peer_waits_put_findings(struct rs_ctx *c)
{
	rs_evaluate(c, families, sizeof families / sizeof *families);
}

const struct rs_analysis rs_analysis_peer_waits = {
	.abi = RS_ABI,
	.name = "peer-waits",
	.summary = "who waits for another task, and what that does meanwhile",
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.uses_samples = true,
	.uses_files = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = rs_peer_case_on_poll,
					    .kinds = 1 << RS_CALL_IDLE, .if_recorded = true }),
	.task_size = sizeof(struct rs_peer_polls),
	.rules = rules,
	.findings = peer_waits_put_findings,
};
