// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peer-waits - rules: who waits for another task, over a pipe, a socket, a file lock or for its end, and
 * what that task does meanwhile
 */
#include <stdio.h>

#include "ringside/plugin.h"
#include "why/peer.h"

#define PEER_LEAST 33333              /* of one thread's time, in thousandths of a percent */
#define LEAST_MEAN_NS 1000000         /* of a wait for a peer: shorter ones are a pipeline at work */
#define PEER_LEAST_OF_READER 20000    /* likewise, of one that writes to a reader that is busy */
#define BUSY_READER_MILLI 700
#define BUSY_MILLI 850                /* of the time that a peer runs, for it to be at its limit */
#define MANY_CLIENTS 3
#define MANY_CHILDREN 10              /* a second */
#define ASKS_LEAST 4                  /* a second: a client that asks, and waits for the answer */
#define CHILDREN_LEAST 1              /* a second, that sleep */
#define CHILDREN_LEAST_NR 2           /* that wait for one that sleeps: a single one tells of no habit */
#define MOST_IN_RELAY 10               /* processes */
#define SCRIPT_LEAST 3                /* names of programs that a script runs, one after the other */

enum { PIPE_READ, PIPE_WRITE, SOCKET, CHILD, SERVER, ONE_THREAD, FILE_LOCK, OWN_SLEEP };

#define PEER_RULE(id, name, summary, advice) \
	[id] = { name, summary, 10 * PEER_LEAST, "ms/s", "waits", advice, .has_chain = true, RS_PEER_SEEN }

static const struct rs_rule rules[] = {
	PEER_RULE(PIPE_READ, "peer-read",
	     "a process waits to read what another has to write, over a pipe or a socket",
	     "see what the other does meanwhile"),
	[PIPE_WRITE] = { "peer-write",
			 "a process waits to write what another does not read, into a full pipe or socket",
			 10 * PEER_LEAST_OF_READER, "ms/s", "waits", "make the reader faster, or write less",
			 .has_chain = true, RS_PEER_SEEN },
	PEER_RULE(SOCKET, "peer-socket", "a process waits in a call on a socket for another",
	     "see what the other does meanwhile"),
	PEER_RULE(CHILD, "peer-child", "a process waits for its child", "see what the child does meanwhile"),
	PEER_RULE(SERVER, "server-busy", "several processes wait for one that is busy all the time",
	     "give the server more threads, or less work"),
	PEER_RULE(ONE_THREAD, "one-thread",
	     "the threads of a process wait for one of them, which runs all the time",
	     "divide the work of that thread"),
	PEER_RULE(FILE_LOCK, "file-lock", "a process waits for a file lock, or a semaphore",
	     "hold the lock for shorter"),
	[OWN_SLEEP] = { "own-sleep",
			"a process that was asked about sleeps nearly all the time, by its own choice", 80000,
			"%", "sleeps", "see why it waits that long, in its source", RS_PEER_SEEN },
	{ 0 },
};

/* ---- what it says ---- */

/* Rows that come in twos: the peer itself does that, or another that it waits for, whose doing it is. */
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
#define PEER_CHILD "in {call/a call} for its child{ (|program|)}"
#define PEER_CHILDREN "in {call/a call} for the short-lived children that {~it} {~starts} (fork, exec)"

static const struct rs_rule_row rows[NR_SAYS + 1] = {
	[SAY_READ] = { &rules[PIPE_READ],
		       .says = { "in {call/a call} for a peer, over a pipe or a socket", PEER_DOES } },
	[SAY_READ_THROUGH] = { &rules[PIPE_READ],
			       .says = { "in {call/a call} for a peer, over a pipe or a socket",
					 PEER_THROUGH } },
	[SAY_SOCKET] = { &rules[SOCKET],
			 .says = { "in {call/a call} for a peer, over a socket", PEER_DOES } },
	[SAY_SOCKET_THROUGH] = { &rules[SOCKET],
				 .says = { "in {call/a call} for a peer, over a socket", PEER_THROUGH } },
	[SAY_CHILD] = { &rules[CHILD], .says = { PEER_CHILD, PEER_DOES } },
	[SAY_CHILD_THROUGH] = { &rules[CHILD], .says = { PEER_CHILD, PEER_THROUGH } },
	[SAY_CHILDREN] = { &rules[CHILD], .says = { PEER_CHILDREN, PEER_DOES } },
	[SAY_CHILDREN_THROUGH] = { &rules[CHILD], .says = { PEER_CHILDREN, PEER_THROUGH } },
	[SAY_WRITE] = { &rules[PIPE_WRITE],
			.says = { "in {call/a call}, a pipe or a socket's send buffer is full",
				  "{culprit} {^reads} slowly, {^it} {^does}" } },
	[SAY_SERVER] = { &rules[SERVER],
			 .says = { "in {call/a call} for a busy server, in its queue",
				   "{culprit} {^runs} all the time, for one after the other" } },
	[SAY_ONE_THREAD] = { &rules[ONE_THREAD],
			     .says = { "for one of {~its} threads",
				       "{culprit} {^runs} {busy} of the time on a CPU, and is the "
				       "bottleneck" } },
	[SAY_LOCK] = { &rules[FILE_LOCK],
		       .says = { "in {call/a call} for a {lock}", "{culprit} {^holds} it ({^it} {^does})" } },
	[SAY_LOCK_IN_TURN] = { &rules[FILE_LOCK],
			       .says = { "in {call/a call} for a {lock}", "{culprit} {^holds} it in turn" } },
	[SAY_SLEEP] = { &rules[OWN_SLEEP], .says = { "by {~its} own wish, in {call/a call}{ for its child "
						     "|child}{, which |does}" } },
	[SAY_LINK] = { &rules[PIPE_WRITE],
		       .says = { "in {call/a call}, the send buffer of a socket is full",
				 "{culprit} {^is} slow, or the peer behind it reads slowly" } },
};

/* ---- calls ---- */

static bool peer_is_write(struct rs_ctx *c, int64_t call)
{
	/* splice may wait for either end */
	return rs_call_is(c, call, RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_FILL);
}

static bool peer_is_semaphore(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_SEMAPHORE);
}

/* Their work is to wait for what they started: no sentence is worth that. */
static bool peer_is_launcher(const char *comm)
{
	static const char names[] =
		",sh,bash,dash,zsh,ksh,fish,busybox,sudo,su,env,time,timeout,nice,ionice,xargs,script,watch,"
		"strace,perf,"
		"ssh,sshd,login,systemd,init,cron,crond,screen,tmux,cc,c++,gcc,g++,clang,collect2,ccache,";
	const char *at = strstr(names, comm);
	size_t len = strlen(comm);

	return len && at && at[-1] == ',' && at[len] == ',';
}

/* ---- polls ---- */

#define PEER_POLLS (RS_CLASS_POLL | RS_CLASS_SELECT)

/* Polls that found something, since the last reset: a reset does not come by all tasks. */
struct peer_task {
	uint64_t since_ns, nr;
};

static void peer_on_poll(struct rs_ctx *c, const struct rs_call *call)
{
	struct peer_task *t;

	if (call->ret <= 0 || call->discarded || !call->ret_known)
		return;
	t = rs_task_data(c, call->task);
	if (t->since_ns != rs_since_ns(c))
		*t = (struct peer_task){ .since_ns = rs_since_ns(c) };
	t->nr++;
}

/*
 * Does it poll what it serves, and yet sleep in nanosleep before it answers? Who is at leisure sleeps in
 * poll.
 */
static bool peer_polls_and_sleeps(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_find(c, k->of.e->comm);
	const struct peer_task *of = peer && peer->nr_processes == 1 ? rs_task_data(c, peer->task) : NULL;

	return of && of->since_ns == rs_since_ns(c) && of->nr && of->nr >= k->of.nr / 4 &&
	       peer->part_ns[RS_PART_TIMER] >= k->of.e->ns / 2;
}

/* ---- is the other to blame? ---- */

/*
 * Does the victim serve the peer? It accepts connections, or polls for what the peer sends, and the peer
 * waits for its answers: until the peer asks again there is nothing to do.
 */
static bool peer_is_served(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	for (unsigned int i = 0; i < victim->nr; i++) {
		const struct rs_blame_entry *own = &victim->at[i];

		if (rs_call_is(c, own->call, RS_CLASS_ACCEPT) ||
		    (own->part == RS_PART_POLL && own->kind == RS_CULPRIT_TASK &&
		     !strcmp(own->comm, e->comm)))
			return rs_peer_entry_of(rs_blame_find(c, e->comm),
						RS_PART_BIT(READ_WRITE) | RS_PART_BIT(SOCKET), victim->comm);
	}
	return false;
}

/*
 * Is the peer a server that the victim asks: does it wait for the victim in poll? Where both wait in read,
 * one of them asks and sleeps at its leisure, and nothing tells which.
 */
static bool peer_answers(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	const struct rs_blame *peer = rs_blame_find(c, e->comm);

	for (unsigned int i = 0; peer && i < peer->nr; i++)
		if (peer->at[i].kind == RS_CULPRIT_TASK && !strcmp(peer->at[i].comm, victim->comm) &&
		    (peer->at[i].part == RS_PART_POLL || rs_call_is(c, peer->at[i].call, RS_CLASS_ACCEPT)))
			return true;
	return false;
}

/*
 * Does the peer wait for the victim about as often as the victim for it, to read from it? Then each sends
 * something to the other.
 */
static bool peer_is_two_way(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_find(c, k->of.e->comm);
	uint64_t nr = 0;

	for (unsigned int i = 0; peer && i < peer->nr; i++)
		if ((peer->at[i].part == RS_PART_READ_WRITE || peer->at[i].part == RS_PART_SOCKET) &&
		    !strcmp(peer->at[i].comm, k->of.b->comm) && !peer_is_write(c, peer->at[i].call))
			nr += peer->at[i].nr;
	return nr >= k->of.nr / 2;
}

/*
 * Several wait, for the same one, which sleeps but once for each wait of theirs, and reads without waiting:
 * it answers one after the other. Who sends something to all of them wakes them all after one sleep.
 */
static bool peer_is_in_turn(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_find(c, k->of.e->comm);

	return peer && k->of.b->nr_processes > 1 && peer->nr_processes == 1 &&
	       peer->part_nr[RS_PART_TIMER] >= k->of.nr / 4 * 3;
}

static bool peer_is_older(const struct rs_task *a, const struct rs_task *b)
{
	return a->birth_ns != b->birth_ns ? a->birth_ns < b->birth_ns : a->pid < b->pid;
}

/*
 * Two that read and write in turn look the same from both sides, also if one of them sleeps in between: at
 * its leisure, or before it answers. Who answers is most likely a child of who asks, or it was there first;
 * but a server may fork a process for each client, and where the parent is unknown nothing tells.
 */
static bool peer_is_likely_server(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_task *peer = rs_task_find(c, k->of.e->pids[0]),
			     *victim = rs_task_find(c, k->of.b->pid);
	const char *parent = victim && victim->ppid ? rs_api_process_comm(c, victim->ppid) : NULL;

	if (!peer || !victim || k->rule == &rules[CHILD] ||
	    k->of.nr * 1000000000 / k->of.interval_ns < ASKS_LEAST)
		return false;
	if (peer->ppid && peer->ppid == victim->pid)
		return peer_is_two_way(c, k);
	return parent && victim->ppid != peer->pid && strcmp(parent, victim->comm) != 0 &&
	       peer_is_older(peer, victim) && (peer_is_two_way(c, k) || peer_is_in_turn(c, k));
}

/*
 * Does what the victim waits for go round, through several others, and come back to it: a relay, in which all
 * wait for the one that sleeps? Between two, nothing tells who asks at its leisure.
 */
static bool peer_is_relay(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	for (unsigned int nr = 1; e && e->kind == RS_CULPRIT_TASK && nr <= MOST_IN_RELAY; nr++) {
		if (!strcmp(e->comm, victim->comm))
			return nr > 2;
		e = rs_peer_entry(rs_blame_find(c, e->comm), RS_PEER_PARTS & ~RS_PART_BIT(POLL), "");
	}
	return false;
}

/* ---- pipes, sockets, children ---- */

/* Who calls vfork waits in state D until its child calls exec. */
static bool peer_is_child(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return e->part == RS_PART_CHILD ||
	       (e->part == RS_PART_KERNEL && rs_call_is(c, e->call, RS_CLASS_SPAWN));
}

static const struct rs_rule *peer_rule(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_CHILD || e->part == RS_PART_KERNEL)
		return &rules[CHILD];
	if (rs_peer_is_file_lock(c, e->call) || peer_is_semaphore(c, e->call))
		return &rules[FILE_LOCK];
	if (peer_is_write(c, e->call))
		return &rules[PIPE_WRITE];
	return &rules[e->part == RS_PART_SOCKET ? SOCKET : PIPE_READ];
}

/*
 * As a lock: who only gives them is a producer, and whoever waits has nothing to do; one of several of a name
 * is, who lets all others on.
 */
static bool peer_takes_semaphores(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *b = rs_blame_find(c, k->of.e->comm);

	if (b == k->of.b && b && b->nr_processes > 2 && k->of.e->nr_pids < 2)
		return false;
	for (unsigned int i = 0; b && i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_TASK && peer_is_semaphore(c, b->at[i].call))
			return true;
	return false;
}

static bool peer_has_many_children(const struct rs_peer_case *k)
{
	return k->nr_children * 1000000000 / k->of.interval_ns >= MANY_CHILDREN;
}

/*
 * Does it wait for one program after the other, for one as long as it lives, or read what short-lived ones
 * write, as a script does?
 */
static bool peer_is_script(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const char *names[SCRIPT_LEAST];
	const struct rs_blame *peer;
	unsigned int nr = 0, n;

	for (unsigned int i = 0; i < k->of.b->nr && nr < SCRIPT_LEAST; i++) {
		const struct rs_blame_entry *e = &k->of.b->at[i];

		if (e->part != RS_PART_CHILD || e->kind != RS_CULPRIT_TASK)
			continue;
		for (n = 0; n < nr && strcmp(names[n], e->comm); n++)
			;
		if (n == nr)
			names[nr++] = e->comm;
	}
	if (k->rule == &rules[CHILD] && !peer_has_many_children(k) &&
	    k->of.b->lifetime_ns / k->of.b->nr_processes < k->of.interval_ns / 2)
		return true;
	peer = rs_blame_find(c, k->of.e->comm);
	return nr == SCRIPT_LEAST ||
	       (k->rule == &rules[PIPE_READ] && peer && rs_blame_is_short_lived(peer, k->of.interval_ns));
}

/* Is what it sleeps for its answer, and not its leisure? */
static bool peer_is_asked(struct rs_ctx *c, const struct rs_peer_case *k)
{
	return peer_answers(c, k->of.b, k->of.e) || peer_is_relay(c, k->of.b, k->of.e) ||
	       peer_polls_and_sleeps(c, k) || peer_is_likely_server(c, k);
}

/*
 * Does it start one child after the other, of which each waits for a child of its own that a timer ends? The
 * child that sleeps itself may be the parent's own way to sleep: a loop around sleep(1). And a child that
 * lives for long, as a daemon's worker, ends no wait.
 */
static bool peer_is_slow_child(struct rs_ctx *c, const struct rs_peer_case *k, const struct rs_peer_words *w)
{
	return k->rule == &rules[CHILD] && k->nr_children >= CHILDREN_LEAST_NR && w->nr_links &&
	       w->has_timer && !peer_is_script(c, k);
}

static bool peer_is_at_work(enum rs_peer_does does)
{
	return does == RS_PEER_RUNS || does == RS_PEER_WAITS_FOR_CPU;
}

/* Is somebody slow, or is nobody in need of anything? */
static bool peer_is_to_blame(struct rs_ctx *c, const struct rs_peer_case *k)
{
	enum rs_peer_does does = rs_peer_does(k->of.e);

	if ((k->rule == &rules[PIPE_READ] || k->rule == &rules[SOCKET]) &&
	    peer_is_served(c, k->of.b, k->of.e) && !peer_answers(c, k->of.b, k->of.e))
		return false;
	if (k->rule == &rules[CHILD] && peer_is_launcher(k->of.b->comm))
		return false;
	if (peer_is_semaphore(c, k->of.e->call) && (does == RS_PEER_SLEEPS || does == RS_PEER_UNKNOWN) &&
	    !peer_takes_semaphores(c, k))
		return false;
	if ((k->rule == &rules[CHILD] || k->rule == &rules[PIPE_READ]) && peer_is_at_work(does) &&
	    peer_is_script(c, k))
		return false;
	switch (does) {
	case RS_PEER_SLEEPS: /* a parent whose children come and go waits for them, and for nothing else:
				sleep(1) is there to sleep */
		if (k->rule == &rules[CHILD] &&
		    k->nr_children * 1000000000 / k->of.interval_ns >= CHILDREN_LEAST &&
		    strcmp(k->of.e->comm, "sleep") != 0 && !peer_is_script(c, k))
			return true;
		return k->rule == &rules[PIPE_WRITE] || k->rule == &rules[FILE_LOCK] ||
		       (!k->is_thread && peer_is_asked(c, k));
	case RS_PEER_WAITS: {
		struct rs_peer_words w;

		rs_peer_say(c, k->of.b, k->of.e, &w);
		if (k->rule == &rules[CHILD] && peer_is_at_work(w.ends_in) && peer_is_script(c, k))
			return false;
		return w.nr_links && (w.ends_in != RS_PEER_SLEEPS || w.has_file_lock ||
				      peer_is_slow_child(c, k, &w) || peer_is_asked(c, k));
	}
	case RS_PEER_UNKNOWN:
		return k->rule == &rules[FILE_LOCK];
	default:
		return true;
	}
}

/* A peer at its limit: a server with a queue before it, a thread that the others wait for. */
static const struct rs_rule *peer_rule_of_busy(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_find(c, k->of.e->comm);

	/* a lock has no queue that a server works off */
	if (!peer || k->rule == &rules[FILE_LOCK] || rs_peer_does(k->of.e) != RS_PEER_RUNS)
		return k->rule;
	if (k->is_thread)
		return rs_milli(k->of.b->busiest_ns, k->of.interval_ns, 1).u >= BUSY_MILLI ?
			       &rules[ONE_THREAD] :
			       k->rule;
	if (peer->run_ns / 1000 * 1000 >= k->of.interval_ns / 1000 * BUSY_MILLI &&
	    (k->of.b->nr_processes >= MANY_CLIENTS || k->of.b->nr_threads >= MANY_CLIENTS) &&
	    k->rule != &rules[CHILD])
		return &rules[SERVER];
	return k->rule;
}

/* ---- which row that makes ---- */

static unsigned int peer_row_of(struct rs_ctx *c, const struct rs_peer_case *k)
{
	bool is_through = k->words.culprit != k->of.e->comm && !k->is_thread;

	if (k->rule == &rules[FILE_LOCK])
		return rs_blame_goes_round(k->of.b, k->of.e) ? SAY_LOCK_IN_TURN : SAY_LOCK;
	if (k->rule == &rules[PIPE_READ])
		return SAY_READ + is_through;
	if (k->rule == &rules[SOCKET])
		return SAY_SOCKET + is_through;
	if (k->rule == &rules[CHILD])
		return (peer_has_many_children(k) ? SAY_CHILDREN : SAY_CHILD) + is_through;
	return k->rule == &rules[SERVER]     ? SAY_SERVER :
	       k->rule == &rules[ONE_THREAD] ? SAY_ONE_THREAD :
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
	if (row->rule == &rules[PIPE_WRITE])
		of->culprit.comm = e->comm;
	if (row->rule == &rules[FILE_LOCK])
		of->culprit = (struct rs_case_culprit){ e->comm, e->pids[0], rs_blame_nr_culprits(of->c, e) };
	rs_peer_blame(k);
}

static unsigned int peer_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_slot *to)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;
	const struct rs_task *peer = rs_task_find(of->c, of->e->pids[0]);
	unsigned int nr = rs_peer_slots(k, to);

	/* the words say it of the last of the chain */
	k->program[0] = '\0';
	if (peer && k->words.nr_links)
		rs_task_program(of->c, peer, k->program, sizeof k->program);
	to[nr++] = (struct rs_slot){ "program", RS_SLOT_NAME, rs_s(k->program) };
	to[nr++] = (struct rs_slot){
		"busy", RS_SLOT_PERCENT, rs_u(rs_milli(of->b->busiest_ns, of->interval_ns, 100).u / 1000)
	};
	to[nr++] = (struct rs_slot){
		"lock", RS_SLOT_LOCK,
		rs_s(peer_is_semaphore(of->c, of->e->call) ? "lock (semaphore)" : "file lock")
	};
	to[nr++] = (struct rs_slot){ "child", RS_SLOT_NAME, rs_s(k->words.text[0] ? of->e->comm : NULL) };
	return nr;
}

/* ---- what is judged ---- */

static bool peer_is_wait_for(const struct rs_blame_entry *e, const char *comm)
{
	return e->kind == RS_CULPRIT_TASK &&
	       (RS_PART_BIT(READ_WRITE) | RS_PART_BIT(SOCKET) | RS_PART_BIT(POLL)) >> e->part & 1 &&
	       !strcmp(e->comm, comm);
}

/*
 * A client with a time-out waits in poll(2) for its answer. Who waits for whatever comes does so too: it is a
 * client if the other waits for it about as often, for shorter, and not in the same way, which would tell
 * nothing, and works meanwhile.
 */
static bool peer_is_answer(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	const struct rs_blame *peer = e->part == RS_PART_POLL && strcmp(e->comm, b->comm) != 0 &&
						      rs_call_is(c, e->call, PEER_POLLS) ?
					      rs_blame_find(c, e->comm) :
					      NULL;
	enum rs_peer_does does = rs_peer_does(e);
	uint64_t nr = 0, ns = 0;

	if (!peer || does == RS_PEER_SLEEPS || does == RS_PEER_WAITS || does == RS_PEER_UNKNOWN)
		return false;
	for (unsigned int i = 0; i < peer->nr; i++)
		if (peer_is_wait_for(&peer->at[i], b->comm)) {
			if (rs_call_is(c, peer->at[i].call, PEER_POLLS))
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
	return e->part == RS_PART_FUTEX && !e->call_arg && b->busiest && !strcmp(e->comm, b->comm) &&
	       !strcmp(e->thread, b->busiest->comm) &&
	       b->busiest_ns >= b->lifetime_ns / 1000 * BUSY_MILLI / (b->nr_threads ? b->nr_threads : 1);
}

/*
 * The share from which on it is judged: less where the one that reads is at its limit, the slow member of a
 * pipeline.
 */
static uint64_t peer_least(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = k->rule == &rules[PIPE_WRITE] ? rs_blame_find(c, k->of.e->comm) : NULL;

	return peer && peer->nr_threads == 1 && peer->run_ns >= k->of.interval_ns / 1000 * BUSY_READER_MILLI ?
		       PEER_LEAST_OF_READER :
		       PEER_LEAST;
}

/* Is it a wait for another that the entry tells of? */
static bool peer_is_wait(struct rs_ctx *c, const struct rs_blame *b, const struct rs_blame_entry *e)
{
	bool is_kind = ((RS_PEER_PARTS & ~RS_PART_BIT(POLL)) >> e->part & 1) || peer_is_child(c, e) ||
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
	return !strcmp(k->of.e->comm, k->of.b->comm) && k->of.b->nr_processes == 1;
}

static bool peer_find(struct rs_case *of)
{
	struct rs_peer_case *k = (struct rs_peer_case *)of;

	for (unsigned int i = 0; i < of->b->nr; i++) {
		const struct rs_blame_entry *e = &of->b->at[i];

		if (!peer_is_wait(of->c, of->b, e) || (of->e && strcmp(of->e->comm, e->comm) != 0))
			continue;
		peer_add(k, e);
		k->nr_children += peer_is_child(of->c, e) ? e->nr : 0;
	}
	if (!of->e)
		return false;
	k->rule = peer_rule(of->c, of->e);
	if (!peer_is_enough(k, peer_least(of->c, k)))
		return false;
	k->is_thread = peer_is_of_thread(k);
	of->of_ns = rs_blame_busy_ns(of->b) + of->ns;
	if (of->e->part == RS_PART_FUTEX && peer_rule_of_busy(of->c, k) != &rules[ONE_THREAD])
		return false;
	return peer_is_to_blame(of->c, k);
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
	k->rule = &rules[FILE_LOCK];
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
		    peer_is_write(of->c, of->b->at[i].call))
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

/* Only of what the user asked about. It costs nobody anything. */
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

#define PEER_FAMILY(finds, chooses, blames, ...) \
	&(const struct rs_family){ .rows = rows, .find = finds, .choose = chooses, .blame = blames, \
				   .slots = peer_slots, .case_size_bytes = sizeof(struct rs_peer_case), \
				   __VA_ARGS__ }

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
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = peer_on_poll, .kinds = 1 << RS_CALL_IDLE,
					    .if_recorded = true }),
	.task_size = sizeof(struct peer_task),
	.rules = rules,
	.findings = peer_waits_put_findings,
};
