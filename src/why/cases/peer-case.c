// SPDX-License-Identifier: GPL-2.0-or-later
/* peer-case - the waits of processes for another task: of which kind, and whether that one is to blame */
#include "why/cases/peer-case.h"

#include <string.h>

#include "why/namesakes.h"

#define MANY_CHILDREN 10              /* a second */
#define ASKS_LEAST 4                  /* a second: a client that asks, and waits for the answer */
#define CHILDREN_LEAST 1              /* a second, that sleep */
#define CHILDREN_LEAST_NR 2           /* that wait for one that sleeps: a single one tells of no habit */
#define MOST_IN_RELAY 10               /* processes */
#define SCRIPT_LEAST 3                /* names of programs that a script runs, one after the other */

/* ---- calls ---- */

bool rs_peer_case_is_write(struct rs_ctx *c, int64_t call)
{
	/* splice may wait for either end */
	return rs_call_is(c, call, RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_FILL);
}

bool rs_peer_case_is_semaphore(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_SEMAPHORE);
}

/* Their work is to wait for what they started: no sentence is worth that. */
static bool peer_case_is_launcher(const char *comm)
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

void rs_peer_case_on_poll(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_peer_polls *t;

	if (call->ret <= 0 || call->discarded || !call->ret_known)
		return;
	t = rs_task_data(c, call->task);
	if (t->since_ns != rs_since_ns(c))
		*t = (struct rs_peer_polls){ .since_ns = rs_since_ns(c) };
	t->nr++;
}

/*
 * Does it poll what it serves, and yet sleep in nanosleep before it answers? Who is at leisure sleeps in
 * poll.
 */
static bool peer_case_polls_and_sleeps(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_of(c, k->of.e);
	const struct rs_peer_polls *of = peer && peer->nr_processes == 1 ? rs_task_data(c, peer->task) : NULL;

	return of && of->since_ns == rs_since_ns(c) && of->nr && of->nr >= k->of.nr / 4 &&
	       peer->part_ns[RS_PART_TIMER] >= k->of.e->ns / 2;
}

/* ---- is the other to blame? ---- */

/*
 * Does the victim serve the peer? It accepts connections, or polls for what the peer sends, and the peer
 * waits for its answers: until the peer asks again there is nothing to do.
 */
static bool peer_case_is_served(struct rs_ctx *c, const struct rs_blame *victim,
				const struct rs_blame_entry *e)
{
	for (unsigned int i = 0; i < victim->nr; i++) {
		const struct rs_blame_entry *own = &victim->at[i];

		if (rs_call_is(c, own->call, RS_CLASS_ACCEPT) ||
		    (own->part == RS_PART_POLL && own->kind == RS_CULPRIT_TASK &&
		     rs_blame_is_same(own, e)))
			return rs_peer_entry_of(rs_blame_of(c, e),
						RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET, victim);
	}
	return false;
}

/*
 * Is the peer a server that the victim asks: does it wait for the victim in poll? Where both wait in read,
 * one of them asks and sleeps at its leisure, and nothing tells which.
 */
static bool peer_case_answers(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e)
{
	const struct rs_blame *peer = rs_blame_of(c, e);

	for (unsigned int i = 0; peer && i < peer->nr; i++)
		if (peer->at[i].kind == RS_CULPRIT_TASK && rs_blame_is_of(&peer->at[i], victim) &&
		    (peer->at[i].part == RS_PART_POLL || rs_call_is(c, peer->at[i].call, RS_CLASS_ACCEPT)))
			return true;
	return false;
}

/*
 * Does the peer wait for the victim about as often as the victim for it, to read from it? Then each sends
 * something to the other.
 */
static bool peer_case_is_two_way(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_of(c, k->of.e);
	uint64_t nr = 0;

	for (unsigned int i = 0; peer && i < peer->nr; i++)
		if (((RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET) >> peer->at[i].part & 1) &&
		    rs_blame_is_of(&peer->at[i], k->of.b) && !rs_peer_case_is_write(c, peer->at[i].call))
			nr += peer->at[i].nr;
	return nr >= k->of.nr / 2;
}

/*
 * Several wait, for the same one, which sleeps but once for each wait of theirs, and reads without waiting:
 * it answers one after the other. Who sends something to all of them wakes them all after one sleep.
 */
static bool peer_case_is_in_turn(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *peer = rs_blame_of(c, k->of.e);

	return peer && k->of.b->nr_processes > 1 && peer->nr_processes == 1 &&
	       peer->part_nr[RS_PART_TIMER] >= k->of.nr / 4 * 3;
}

static bool peer_case_is_older(const struct rs_task *a, const struct rs_task *b)
{
	return a->birth_ns != b->birth_ns ? a->birth_ns < b->birth_ns : a->pid < b->pid;
}

/*
 * Two that read and write in turn look the same from both sides, also if one of them sleeps in between: at
 * its leisure, or before it answers. Who answers is most likely a child of who asks, or it was there first;
 * but a server may fork a process for each client, and where the parent is unknown nothing tells.
 */
static bool peer_case_is_likely_server(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_task *peer = rs_task_find(c, k->of.e->pids[0]),
			     *victim = rs_task_find(c, k->of.b->pid);
	const char *parent = victim && victim->ppid ? rs_api_process_comm(c, victim->ppid) : NULL;

	if (!peer || !victim || k->rule == RS_PEER_CHILD ||
	    k->of.nr * 1000000000 / k->of.interval_ns < ASKS_LEAST)
		return false;
	if (peer->ppid && peer->ppid == victim->pid)
		return peer_case_is_two_way(c, k);
	return parent && victim->ppid != peer->pid && strcmp(parent, victim->comm) != 0 &&
	       peer_case_is_older(peer, victim) && (peer_case_is_two_way(c, k) || peer_case_is_in_turn(c, k));
}

/*
 * Does what the victim waits for go round, through several others, and come back to it: a relay, in which all
 * wait for the one that sleeps? Between two, nothing tells who asks at its leisure.
 */
static bool peer_case_is_relay(struct rs_ctx *c, const struct rs_blame *victim,
			       const struct rs_blame_entry *e)
{
	for (unsigned int nr = 1; e && e->kind == RS_CULPRIT_TASK && nr <= MOST_IN_RELAY; nr++) {
		if (rs_blame_is_of(e, victim))
			return nr > 2;
		e = rs_peer_entry(rs_blame_of(c, e), RS_PEER_PARTS & ~RS_PART_BIT(POLL));
	}
	return false;
}

/* ---- pipes, sockets, children ---- */

/* Who calls vfork waits in state D until its child calls exec. */
bool rs_peer_case_is_child(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return e->part == RS_PART_CHILD ||
	       (e->part == RS_PART_KERNEL && rs_call_is(c, e->call, RS_CLASS_SPAWN));
}

unsigned int rs_peer_case_rule(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_CHILD || e->part == RS_PART_KERNEL)
		return RS_PEER_CHILD;
	if (rs_peer_is_file_lock(c, e->call) || rs_peer_case_is_semaphore(c, e->call))
		return RS_PEER_FILE_LOCK;
	if (rs_peer_case_is_write(c, e->call))
		return RS_PEER_WRITE;
	return RS_PARTS_OF_SOCKET >> e->part & 1 ? RS_PEER_SOCKET : RS_PEER_READ;
}

/*
 * As a lock: who only gives them is a producer, and whoever waits has nothing to do; one of several of a name
 * is, who lets all others on.
 */
static bool peer_case_takes_semaphores(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const struct rs_blame *b = rs_blame_of(c, k->of.e);

	if (b == k->of.b && b && b->nr_processes > 2 && k->of.e->nr_pids < 2)
		return false;
	for (unsigned int i = 0; b && i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_TASK && rs_peer_case_is_semaphore(c, b->at[i].call))
			return true;
	return false;
}

bool rs_peer_case_has_many_children(const struct rs_peer_case *k)
{
	return k->nr_children * 1000000000 / k->of.interval_ns >= MANY_CHILDREN;
}

/*
 * Does it wait for one program after the other, for one as long as it lives, or read what short-lived ones
 * write, as a script does?
 */
static bool peer_case_is_script(struct rs_ctx *c, const struct rs_peer_case *k)
{
	const char *names[SCRIPT_LEAST];
	const struct rs_blame *peer;
	size_t nr = 0;

	for (unsigned int i = 0; i < k->of.b->nr && nr < SCRIPT_LEAST; i++) {
		const struct rs_blame_entry *e = &k->of.b->at[i];

		if (e->part != RS_PART_CHILD || e->kind != RS_CULPRIT_TASK)
			continue;
		if (rs_namesakes_find(names, nr, sizeof *names, e->comm) == nr)
			names[nr++] = e->comm;
	}
	if (k->rule == RS_PEER_CHILD && !rs_peer_case_has_many_children(k) &&
	    k->of.b->lifetime_ns / k->of.b->nr_processes < k->of.interval_ns / 2)
		return true;
	peer = rs_blame_of(c, k->of.e);
	return nr == SCRIPT_LEAST ||
	       (k->rule == RS_PEER_READ && peer && rs_blame_is_short_lived(peer, k->of.interval_ns));
}

/* Is what it sleeps for its answer, and not its leisure? */
static bool peer_case_is_asked(struct rs_ctx *c, const struct rs_peer_case *k)
{
	return peer_case_answers(c, k->of.b, k->of.e) || peer_case_is_relay(c, k->of.b, k->of.e) ||
	       peer_case_polls_and_sleeps(c, k) || peer_case_is_likely_server(c, k);
}

/*
 * Does it start one child after the other, of which each waits for a child of its own that a timer ends? The
 * child that sleeps itself may be the parent's own way to sleep: a loop around sleep(1). And a child that
 * lives for long, as a daemon's worker, ends no wait.
 */
static bool peer_case_is_slow_child(struct rs_ctx *c, const struct rs_peer_case *k,
				    const struct rs_peer_words *w)
{
	return k->rule == RS_PEER_CHILD && k->nr_children >= CHILDREN_LEAST_NR && w->nr_links &&
	       w->has_timer && !peer_case_is_script(c, k);
}

static bool peer_case_is_at_work(enum rs_peer_does does)
{
	return does == RS_PEER_RUNS || does == RS_PEER_WAITS_FOR_CPU;
}

/* Is somebody slow, or is nobody in need of anything? */
bool rs_peer_case_is_to_blame(struct rs_ctx *c, const struct rs_peer_case *k)
{
	enum rs_peer_does does = rs_peer_does(k->of.e);

	if ((k->rule == RS_PEER_READ || k->rule == RS_PEER_SOCKET) &&
	    peer_case_is_served(c, k->of.b, k->of.e) && !peer_case_answers(c, k->of.b, k->of.e))
		return false;
	if (k->rule == RS_PEER_CHILD && peer_case_is_launcher(k->of.b->comm))
		return false;
	if (rs_peer_case_is_semaphore(c, k->of.e->call) &&
	    (does == RS_PEER_SLEEPS || does == RS_PEER_UNKNOWN) && !peer_case_takes_semaphores(c, k))
		return false;
	if ((k->rule == RS_PEER_CHILD || k->rule == RS_PEER_READ) && peer_case_is_at_work(does) &&
	    peer_case_is_script(c, k))
		return false;
	switch (does) {
	case RS_PEER_SLEEPS: /* a parent whose children come and go waits for them, and for nothing else:
				sleep(1) is there to sleep */
		if (k->rule == RS_PEER_CHILD &&
		    k->nr_children * 1000000000 / k->of.interval_ns >= CHILDREN_LEAST &&
		    strcmp(k->of.e->comm, "sleep") != 0 && !peer_case_is_script(c, k))
			return true;
		return k->rule == RS_PEER_WRITE || k->rule == RS_PEER_FILE_LOCK ||
		       (!k->is_thread && peer_case_is_asked(c, k));
	case RS_PEER_WAITS: {
		struct rs_peer_words w;

		rs_peer_say(c, k->of.b, k->of.e, &w);
		if (k->rule == RS_PEER_CHILD && peer_case_is_at_work(w.ends_in) && peer_case_is_script(c, k))
			return false;
		return w.nr_links && (w.ends_in != RS_PEER_SLEEPS || w.has_file_lock ||
				      peer_case_is_slow_child(c, k, &w) || peer_case_is_asked(c, k));
	}
	case RS_PEER_UNKNOWN:
		return k->rule == RS_PEER_FILE_LOCK;
	default:
		return true;
	}
}
