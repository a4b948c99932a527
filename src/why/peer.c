// SPDX-License-Identifier: GPL-2.0-or-later
/* peer - what the task that a process waits for does meanwhile, in words */
#include "why/peer.h"

#include "ringside/plugin.h"

#include <stdio.h>
#include <string.h>

#define MAX_LINKS 5 /* of a chain of peers */

enum rs_peer_does rs_peer_does(const struct rs_blame_entry *e)
{
	uint64_t ns[RS_NR_PEER_DOES] = { 0 };
	enum rs_peer_does most = RS_PEER_UNKNOWN;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++)
		ns[rs_cause_row(cause)->does] += e->did_ns[cause];
	ns[RS_PEER_UNKNOWN] = 0;
	for (enum rs_peer_does does = 0; does < RS_NR_PEER_DOES; does++)
		if (ns[does] > ns[most])
			most = does;
	return most;
}

const struct rs_blame_entry *rs_peer_entry(const struct rs_blame *b, uint64_t parts)
{
	for (unsigned int i = 0; b && i < b->nr; i++)
		if ((parts >> b->at[i].part & 1) && b->at[i].comm[0])
			return &b->at[i];
	return NULL;
}

const struct rs_blame_entry *rs_peer_entry_of_others(const struct rs_blame *b, uint64_t parts)
{
	for (unsigned int i = 0; b && i < b->nr; i++)
		if ((parts >> b->at[i].part & 1) && !rs_blame_is_of(&b->at[i], b))
			return &b->at[i];
	return NULL;
}

const struct rs_blame_entry *rs_peer_entry_of(const struct rs_blame *b, uint64_t parts,
					      const struct rs_blame *culprit)
{
	for (unsigned int i = 0; b && i < b->nr; i++)
		if ((parts >> b->at[i].part & 1) && b->at[i].kind == RS_CULPRIT_TASK &&
		    rs_blame_is_of(&b->at[i], culprit))
			return &b->at[i];
	return NULL;
}

bool rs_peer_is_file_lock(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_LOCK);
}

/* What the peer does, where state D may be a kernel lock, for which there are no events. */
static enum rs_peer_does peer_does_as(const struct rs_blame *peer, const struct rs_blame_entry *e)
{
	enum rs_peer_does does = rs_peer_does(e);
	const struct rs_blame_entry *first = rs_peer_entry(
		peer, RS_PARTS_OF_DISK | RS_PART_BIT(KERNEL) | RS_PART_BIT(FAULT) | RS_PART_BIT(LOCK));

	return does == RS_PEER_WAITS_FOR_DISK && first && first->part == RS_PART_LOCK && !first->lock_addr ?
		       RS_PEER_WAITS_FOR_LOCK :
		       does;
}

/* ---- in words ---- */

/* A peer that is waited for, in a chain of such. */
struct peer_link {
	struct rs_ctx *c;
	const struct rs_blame *victim, *peer; /* .peer: NULL unknown */
	const struct rs_blame_entry *e;       /* of the victim */
	unsigned int nr_links;                /* before it */
};

/* Who runs in its place is named, but not its own kind, nor the victim. */
static void peer_say_cpu(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_blame *peer = l->peer;
	const struct rs_blame_entry *next = rs_peer_entry(peer, RS_PART_BIT(QUEUE));

	if (next && (rs_blame_is_of(next, peer) || rs_blame_is_of(next, l->victim)))
		next = NULL;

	if (peer && peer->part_ns[RS_PART_THROTTLED] > peer->part_ns[RS_PART_QUEUE] &&
	    peer->part_ns[RS_PART_THROTTLED] >= l->e->ns / 4)
		snprintf(w->text, sizeof w->text, "is throttled by the quota of its cgroup (cpu.max)");
	else if (peer && peer->part_ns[RS_PART_IDLE_CPU] > peer->part_ns[RS_PART_QUEUE] &&
	    peer->part_ns[RS_PART_IDLE_CPU] >= l->e->ns / 4)
		snprintf(
			w->text, sizeof w->text,
			"waits for a CPU beside an idle one, throttled by the quota of its cgroup (cpu.max)");
	else
		snprintf(w->text, sizeof w->text, "waits for a CPU%s%.16s%s", next ? ", where " : "",
			 next ? next->comm : "", next ? " runs" : "");
}

static void peer_say_disk(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_blame *peer = l->peer;
	const uint64_t parts = RS_PARTS_OF_DISK | RS_PART_BIT(KERNEL) | RS_PART_BIT(FAULT);
	const struct rs_blame_entry *e = rs_peer_entry(peer, parts), *dev = NULL;
	const char *call = e && e->call >= 0 ? rs_syscall_name(l->c, e->call) : NULL, *name;
	char number[32];

	for (unsigned int i = 0; peer && i < peer->nr && !dev; i++)
		dev = peer->at[i].dev ? &peer->at[i] : NULL;
	name = dev ? rs_disk_name(l->c, dev->dev) : NULL;
	if (dev)
		rs_dev_text(dev->dev, number, sizeof number);
	snprintf(w->text, sizeof w->text, "waits for disk%s%.30s%s%s", dev ? " " : "",
		 name ? name :
		 dev  ? number :
			"",
		 call ? " in " : "", call ? call : "");
}

static void peer_say_lock(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_blame_entry *next = rs_peer_entry(l->peer, RS_PART_BIT(LOCK));

	snprintf(w->text, sizeof w->text, "waits for a lock of the kernel%s%.16s%s", next ? " that " : "",
		 next ? next->thread : "", next ? " holds" : "");
}

/* A lock of its program. */
static void peer_say_futex(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_blame_entry *next = rs_peer_entry(l->peer, RS_PART_BIT(FUTEX));

	snprintf(w->text, sizeof w->text, "waits for a lock (futex)%s%.16s%s",
		 next ? " that its thread " : "", next ? next->thread : "", next ? " holds" : "");
}

#define SLEEP_PARTS (RS_PART_BIT(TIMER) | RS_PART_BIT(POLL) | RS_PART_BIT(SIGNAL))

/* The call in which it sleeps, and the file that it runs, as far as both are known. */
static void peer_say_sleep(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_task *t = rs_task_find(l->c, w->pid);
	const struct rs_blame_entry *e = NULL;
	char program[48] = "";
	const char *call;

	rs_blame_sum(l->peer, SLEEP_PARTS, &e);
	call = e && e->call >= 0 ? rs_syscall_name(l->c, e->call) : NULL;
	w->has_timer = e && e->part == RS_PART_TIMER;
	if (t)
		rs_task_program(l->c, t, program, sizeof program);
	snprintf(w->text, sizeof w->text, "sleeps voluntarily%s%.32s%s%s%s", call ? " in " : "",
		 call ? call : "", *program ? " (" : "", program, *program ? ")" : "");
}

static void peer_say_link(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e,
			  unsigned int nr_links, struct rs_peer_words *w);

/*
 * What the peer waits for in turn: another than the victim, and rather another process than a thread of its
 * own.
 */
static const struct rs_blame_entry *peer_next(const struct rs_blame *victim, const struct rs_blame *peer)
{
	const struct rs_blame_entry *found = NULL;

	for (unsigned int i = 0; i < peer->nr; i++) {
		const struct rs_blame_entry *e = &peer->at[i];

		if (!(RS_PEER_PARTS >> e->part & 1) || rs_blame_is_of(e, victim))
			continue;
		if (e->kind == RS_CULPRIT_TASK && !rs_blame_is_of(e, peer))
			return e;
		found = found ? found : e;
	}
	return found;
}

/* It waits for another in turn. Takes over what the chain ends in. */
static void peer_say_next(const struct peer_link *l, struct rs_peer_words *w)
{
	const struct rs_blame_entry *next = l->peer && l->nr_links < MAX_LINKS ?
						    peer_next(l->victim, l->peer) :
						    NULL;
	struct rs_peer_words deeper;
	bool is_file_lock;

	if (!next || next->kind != RS_CULPRIT_TASK) {
		snprintf(w->text, sizeof w->text, "waits for another in turn");
		return;
	}
	peer_say_link(l->c, l->peer, next, l->nr_links + 1, &deeper);
	is_file_lock = rs_peer_is_file_lock(l->c, next->call);
	snprintf(w->text, sizeof w->text, "waits for %s%.16s, which %.160s",
		 is_file_lock ? "the file lock of " : "", next->comm, deeper.text);
	w->culprit = deeper.culprit;
	w->pid = deeper.pid;
	w->nr = deeper.nr;
	w->ends_in = deeper.ends_in;
	w->nr_links = deeper.nr_links;
	w->has_file_lock = deeper.has_file_lock || is_file_lock;
	w->has_timer = deeper.has_timer;
}

/* Of each rs_peer_does a text, or a function where there is more to say. */
static const struct peer_words {
	const char *text;
	void (*say)(const struct peer_link *l, struct rs_peer_words *w);
} peer_says[RS_NR_PEER_DOES] = {
	[RS_PEER_UNKNOWN] = { .text = "ends it" },
	[RS_PEER_RUNS] = { .text = "runs on a CPU" },
	[RS_PEER_WAITS_FOR_CPU] = { .say = peer_say_cpu },
	[RS_PEER_WAITS_FOR_DISK] = { .say = peer_say_disk },
	[RS_PEER_WAITS_FOR_LOCK] = { .say = peer_say_lock },
	[RS_PEER_WAITS_FOR_FUTEX] = { .say = peer_say_futex },
	[RS_PEER_WAITS_FOR_MEMORY] = { .text = "waits for memory (reclaim)" },
	[RS_PEER_SLEEPS] = { .say = peer_say_sleep },
	[RS_PEER_WAITS] = { .say = peer_say_next },
};

static void peer_say_link(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e,
			  unsigned int nr_links, struct rs_peer_words *w)
{
	struct peer_link l = { c, victim, rs_blame_of(c, e), e, nr_links };
	const struct peer_words *says;

	*w = (struct rs_peer_words){ .culprit = e->comm, .pid = e->pids[0], .nr = rs_blame_nr_culprits(c, e),
				     .nr_links = nr_links };
	w->ends_in = peer_does_as(l.peer, e);
	says = &peer_says[w->ends_in];
	if (says->say)
		says->say(&l, w);
	else
		snprintf(w->text, sizeof w->text, "%s", says->text);
}

void rs_peer_say(struct rs_ctx *c, const struct rs_blame *victim, const struct rs_blame_entry *e,
		 struct rs_peer_words *w)
{
	peer_say_link(c, victim, e, 0, w);
}

/* ---- one finding ---- */

/* Of waits that are no lock nobody takes anything. */
const struct rs_evidence rs_peer_evidence[] = { { "offcpu", "-total_ns", "pid == {pid}" },
						{ "tasks", NULL, "{both}" },
						{ "antagonists", NULL, "pid == {lock_pid}" },
						{ 0 } };

void rs_peer_blame(struct rs_peer_case *k)
{
	struct rs_case *of = &k->of;
	bool names_thread = of->b->nr_threads > 1 && of->b->nr_processes == 1 &&
			    strcmp(of->e->waiter, of->b->comm) != 0;

	snprintf(k->victim, sizeof k->victim, "%.16s%s%.16s", of->b->comm, names_thread ? "/" : "",
		 names_thread ? of->e->waiter : "");
	of->victim = k->victim;
	of->cost_ns = k->costs_nothing ? of->ns / 1000 : of->ns + k->besides_ns;
	of->names_code = k->words.ends_in == RS_PEER_RUNS && !k->costs_nothing;
	of->confidence = of->e->part == RS_PART_LOCK && !of->e->lock_addr ? RS_INFERRED : RS_MEASURED;
}

void rs_peer_slots(struct rs_peer_case *k, struct rs_case_slots *to)
{
	const struct rs_case *of = &k->of;
	bool is_lock = of->e->part == RS_PART_LOCK || of->e->part == RS_PART_FUTEX;
	bool has_other = !k->is_thread && of->culprit.pid > 0 && of->culprit.pid != of->b->pid;

	snprintf(k->both, sizeof k->both, has_other ? "pid == %d || pid == %d" : "pid == %d", of->b->pid,
		 of->culprit.pid);

	const struct rs_slot slots[] = {
		{ "call", RS_SLOT_CALL, rs_i(of->e->call) },
		{ "peer", RS_SLOT_NAME, rs_s(of->e->comm) },
		{ "does", RS_SLOT_TEXT, rs_s(k->words.text) },
		{ "both", RS_SLOT_TEXT, rs_s(k->both) },
		{ "lock_pid", RS_SLOT_LEVEL, is_lock ? rs_i(of->b->pid) : rs_null() },
	};

	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}
