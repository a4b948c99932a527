// SPDX-License-Identifier: GPL-2.0-or-later
/* blames - divides waits among those who had what was waited for: what blame.h asks */
#include "why/blame-parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/internal.h"
#include "engine/observer.h"
#include "engine/process-program.h"
#include "engine/states/waits.h"
#include "engine/task-table.h"
#include "why/history-ring.h"

#define MAX_BLAMED_TASKS 16384
/*
 * To divide a wait costs as much as many events. So waits of one cause and system call add up to this, and
 * are divided as the one that reaches it: a wait is taken as often as it is long, and one that is longer is
 * always divided. With every DIVISIONS_A_DOUBLING of them it doubles, up to MOST_DOUBLINGS times: the more is
 * known, the less the next one tells.
 */
#define QUANTUM_NS 10000000
#define IDLE_QUANTUM_NS 20000000
#define DIVISIONS_A_DOUBLING 16
#define MOST_DOUBLINGS 5
/*
 * The work that it may be, in steps of about 30 instructions: FIRST_CREDIT, then one for each SEGMENTS_A_STEP
 * of the history, and a little with time. Beyond, as on a machine with hundreds of tasks for each CPU, waits
 * add up for longer.
 */
#define FIRST_CREDIT 10000
#define MOST_CREDIT 50000
#define SEGMENTS_A_STEP 4
#define STEPS_A_SECOND 20000
#define DIVISION_STEPS 100      /* of each, besides those that it counts */
#define MOST_STEPS 1024         /* of one wait: the last part of it stands for all */
#define FIRST_NS 100000000      /* of a task of which nothing was divided yet */
#define RETRY_NS 1000000        /* for whose division it is no time yet: after so much more */
#define LEAST_POLL_NS \
	1000000 /* of waits for whatever comes: who ended them, and what that task did meanwhile */
#define QUEUE_PLACE (RS_CAUSE_DELAY * 5 % RS_BLAME_PENDING) /* of waits for a CPU */
#define FIRST_PENDING 4u

static struct rs_blames *blames_new(struct rs_ctx *c)
{
	struct rs_blames *b = calloc(1, sizeof *b);

	if (b) {
		b->c = c;
		b->nr_cpus = rs_nr_cpus(c) < RS_BLAME_CPUS ? rs_nr_cpus(c) : RS_BLAME_CPUS;
		b->credit = FIRST_CREDIT;
	}
	return b;
}

static void blames_evict(struct rs_blames *b, struct rs_task_instance *inst)
{
	struct rs_blamed_waits *waits = inst->blamed ? inst->blamed->waits : NULL;

	if (!inst->blamed)
		return;
	if (waits) {
		rs_blame_entries_free(waits->at, waits->nr);
		free(waits->parts);
	}
	free(waits);
	free(inst->blamed);
	inst->blamed = NULL;
	b->nr_tasks--;
}

static void blames_clear(struct rs_blames *b)
{
	for (struct rs_task *t = rs_task_next(b->c, NULL); t; t = rs_task_next(b->c, t))
		blames_evict(b, rs_task_instance_of(t));
	rs_blame_list_free(b);
}

static void blames_reset(struct rs_blames *b)
{
	blames_clear(b);
	b->since_ns = rs_since_ns(b->c);
}

/* NULL: no findings are about this task, or there is no memory. */
static struct rs_blamed_task *blames_begin_task(struct rs_blames *b, struct rs_task *t)
{
	struct rs_task_instance *inst = rs_task_instance_of(t);

	if (t->kernel_thread || t->self || b->nr_tasks == MAX_BLAMED_TASKS)
		return NULL;
	inst->blamed = calloc(1, sizeof *inst->blamed + FIRST_PENDING * sizeof *inst->blamed->pending);
	if (!inst->blamed)
		return NULL;
	inst->blamed->room = FIRST_PENDING;
	inst->blamed->nr = inst->blamed->at[QUEUE_PLACE] = 1;
	b->nr_tasks++;
	return inst->blamed;
}

/* Returns the new place of the task's list, which may have moved; NULL: no memory. */
static struct rs_blamed_task *blames_add_place(struct rs_task_instance *inst, unsigned int place)
{
	struct rs_blamed_task *to = inst->blamed;
	unsigned int room = to->nr < to->room ? to->room : 2u * to->room;

	if (room > to->room)
		to = realloc(to, sizeof *to + room * sizeof *to->pending);
	if (!to)
		return NULL;
	inst->blamed = to;
	to->room = (uint8_t)room;
	to->pending[to->nr] = (struct rs_blame_pending){ 0 };
	to->at[place] = ++to->nr;
	return to;
}

static void blames_copy_name(struct rs_ctx *c, struct rs_blame_entry *e, const struct rs_culprit *k)
{
	const struct rs_task_name *n = k->name;
	char buf[RS_IRQ_NAME_LEN + 24];

	rs_copy(e->comm, sizeof e->comm, rs_culprit_text(c, k, buf, sizeof buf));
	if (!n)
		return;
	e->tid = n->tid;
	e->kernel_thread = n->task ? n->task->kernel_thread : n->kernel_thread;
	memcpy(e->thread, n->task ? n->task->comm : n->comm, sizeof e->thread);
	e->prio = k->part == RS_PART_QUEUE && n->task ? n->task->prio : -1;
}

static bool blames_asks_meanwhile(const struct rs_culprit *k)
{
	switch (k->part) {
	case RS_PART_POLL:
	case RS_PART_SIGNAL:
	case RS_PART_TIMER:
		return k->name && k->ns >= LEAST_POLL_NS;
	case RS_PART_LOCK:
	case RS_PART_FUTEX:
	case RS_PART_READ_WRITE:
	case RS_PART_SOCKET:
	case RS_PART_NETWORK:
	case RS_PART_SEND_BUFFER:
	case RS_PART_SEND_PEER:
	case RS_PART_SEND_LINK:
	case RS_PART_ACCEPT_QUEUE:
	case RS_PART_DELAYED_ACK:
	case RS_PART_CHILD:
	case RS_PART_OTHER_CALL:
	case RS_PART_KERNEL:
		return k->name;
	default:
		return false;
	}
}

static uint64_t blames_scale(const struct rs_blame_case *of, uint64_t ns)
{
	return !ns || of->scale == 1 ? ns : (uint64_t)((double)ns * of->scale);
}

/*
 * Kernels before 5.19 have no lock events. There state D until another user task acts is most likely a
 * mutex or a semaphore, which that task held: a lock without address.
 */
static bool blames_is_likely_lock(const struct rs_blames *b, const struct rs_wait *w,
				  const struct rs_culprit *k)
{
	return k->part == RS_PART_KERNEL && k->kind == RS_CULPRIT_TASK && k->name &&
	       !rs_waits_has_lock_events(b->c->session) && w && (w->syscall >= 0 || w->in_no_call) &&
	       rs_absence_is_known_of_d(b->c) &&
	       !(k->name->task ? k->name->task->kernel_thread : k->name->kernel_thread);
}

/*
 * A semaphore that is used as a lock is waited on at 0, as one that counts the work of a pool is. But who
 * lets one waiter on has been let on itself, at the same address, in the address space of each: in a pool
 * that is a task that never waits there.
 */
static bool blames_is_handed_on(const struct rs_culprit *k)
{
	enum { WAKE = 1, WAKE_BITSET = 10, OP_MASK = 127 }; /* uapi/linux/futex.h */
	const struct rs_task *t = k->name ? k->name->task : NULL;
	const uint64_t *args = t ? t->syscall_args : NULL;
	unsigned int op = args ? args[1] & OP_MASK : 0;

	return t && t->syscall >= 0 && (op == WAKE || op == WAKE_BITSET) && args[2] == 1 &&
	       args[0] == rs_task_instance_of(t)->futex_addr;
}

static void blames_begin_entry(struct rs_blame_entry *e, const struct rs_blame_case *of,
			       const struct rs_culprit *k)
{
	const struct rs_wait *w = of->wait;

	memset(e, 0, sizeof *e);
	e->part = k->part;
	e->kind = k->kind;
	e->place = of->place;
	e->prio = -1;
	e->dev = k->dev;
	e->rwbs = k->rwbs;
	e->lock_addr = k->lock_addr;
	e->lock_flags = k->lock_flags;
	e->socket = k->socket;
	e->irq = k->irq;
	e->call = w ? w->syscall : -1;
	e->in_no_call = w && w->in_no_call;
	e->call_arg = w && w->args ? w->args[0] : 0;
	e->since_ns = of->from_ns;
	e->nr = of->nr;
	e->ns = blames_scale(of, k->ns);
	e->max_ns = k->ns;
	e->at_ns = k->at_ns;
	e->wait_from_ns = of->from_ns;
	e->wait_to_ns = of->to_ns;
	e->waiter_tid = of->task->tid;
	memcpy(e->waiter, of->task->comm, sizeof e->waiter);
}

static void blames_add_culprit(struct rs_blames *b, struct rs_blamed_waits *to,
			       const struct rs_blame_case *of, const struct rs_culprit *k)
{
	const struct rs_wait *w = of->wait;
	uint64_t did_ns[RS_NR_CAUSES];
	struct rs_blame_entry e;

	/* what ringside takes is no fault of the machine */
	if (k->name && k->name->task && k->name->task->self)
		return;
	blames_begin_entry(&e, of, k);
	if (blames_is_likely_lock(b, w, k))
		e.part = RS_PART_LOCK;
	rs_blame_entries_add_part(to, e.part, e.ns, (uint32_t)of->nr);
	if (k->part == RS_PART_FUTEX && w && w->args)
		e.call_arg = rs_futex_is_lock(w->args) || blames_is_handed_on(k);
	if (k->kind == RS_CULPRIT_TASK) {
		rs_blame_entries_add_pid(&e, k->pid ? k->pid : k->name ? k->name->tid : k->tid);
		e.program = k->name ? rs_process_program_of_name(b->c, k->name) : 0;
		blames_copy_name(b->c, &e, k);
	}
	if (blames_asks_meanwhile(k) && !rs_history_is_paused(rs_history_of(b->c->session), of->to_ns)) {
		/* the longest piece of it stands for all: before it, another had what was waited for */
		b->credit -= rs_culprits_meanwhile(b->c, k->name, k->at_ns, k->at_ns + k->piece_ns,
						   MOST_STEPS, did_ns);
		e.has_did = true;
		e.did_ns = did_ns;
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			did_ns[cause] = blames_scale(
				of, (uint64_t)((double)did_ns[cause] *
					       (k->piece_ns ? (double)k->ns / (double)k->piece_ns : 0)));
	}
	rs_blame_entries_add(&to->at, &to->nr, &e);
}

void rs_blames_divide(struct rs_blames *b, struct rs_blamed_waits *to, struct rs_blame_case of)
{
	struct rs_culprits culprits;
	uint64_t seen_ns = 0;

	rs_culprits_sample(b->c, of.task, of.from_ns, of.to_ns, MOST_STEPS, &culprits);
	b->credit -= culprits.steps + DIVISION_STEPS;
	for (unsigned int i = 0; i < culprits.nr; i++)
		seen_ns += culprits.at[i].ns;
	of.scale = seen_ns == of.ns ? 1 : (double)of.ns / (double)seen_ns;
	for (unsigned int i = 0; i < culprits.nr; i++)
		blames_add_culprit(b, to, &of, &culprits.at[i]);
}

static bool blames_may_divide(struct rs_blames *b)
{
	uint32_t nr = rs_history_nr(rs_history_of(b->c->session)),
		 steps = (nr - b->credit_segment) / SEGMENTS_A_STEP;
	uint64_t now_ns = rs_last_event_ns(b->c), len_ns = now_ns > b->credit_ns ? now_ns - b->credit_ns : 0;

	b->credit += steps;
	b->credit += len_ns < 1000000000 ? (int64_t)(len_ns * STEPS_A_SECOND / 1000000000) : STEPS_A_SECOND;
	if (b->credit > MOST_CREDIT)
		b->credit = MOST_CREDIT;
	b->credit_segment += steps * SEGMENTS_A_STEP;
	b->credit_ns = now_ns;
	return b->credit > 0;
}

static uint64_t blames_quantum_ns(const struct rs_blame_pending *p)
{
	unsigned int doublings = p->nr_divided / DIVISIONS_A_DOUBLING;

	return (uint64_t)(p->cause == RS_CAUSE_IDLE ? IDLE_QUANTUM_NS : QUANTUM_NS)
	       << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
}

/* During a pause of the history a long wait alone is known. */
static bool blames_has_history(const struct rs_blames *b, const struct rs_interval *iv,
			       const struct rs_wait *w)
{
	return !rs_history_is_paused(rs_history_of(b->c->session), iv->to_ns) ||
	       (w && rs_history_is_long(iv));
}

/* The part of it since the last reset. */
static inline uint64_t blames_from_ns(const struct rs_blames *b, const struct rs_interval *iv)
{
	return iv->from_ns > b->since_ns ? iv->from_ns : b->since_ns;
}

/* Not inlined: most waits are short, and only add up. */
static __attribute__((noinline)) void blames_add_due(struct rs_blames *b, struct rs_blamed_task *to,
						     const struct rs_interval *iv, const struct rs_wait *w,
						     struct rs_blame_pending *p)
{
	p->due_ns = blames_quantum_ns(p);
	if (p->ns < p->due_ns)
		return;
	if (!blames_has_history(b, iv, w) || (!blames_may_divide(b) && (to->waits || p->ns < FIRST_NS))) {
		p->due_ns = p->ns + RETRY_NS;
		return;
	}
	if (!to->waits)
		to->waits = calloc(1, sizeof *to->waits + b->nr_cpus * sizeof *to->waits->cpu_ns);
	if (to->waits && !w && iv->cpu < b->nr_cpus)
		to->waits->cpu_ns[iv->cpu] += p->ns;
	if (to->waits)
		rs_blames_divide(b, to->waits,
				 (struct rs_blame_case){ .task = iv->task,
							 .wait = w,
							 .from_ns = blames_from_ns(b, iv),
							 .to_ns = iv->to_ns,
							 .ns = p->ns,
							 .nr = p->nr,
							 .place = (uint8_t)(p - to->pending) });
	p->ns = p->nr = 0;
	p->nr_divided += p->nr_divided < UINT16_MAX;
	p->due_ns = blames_quantum_ns(p);
}

/* ---- what ends ---- */

/* No call but as the last thing: then nothing is saved and restored. */
static inline void blames_add(struct rs_blames *b, struct rs_blamed_task *to, struct rs_blame_pending *p,
			      const struct rs_interval *iv, const struct rs_wait *w)
{
	uint64_t from_ns = blames_from_ns(b, iv);

	if (iv->to_ns <= from_ns)
		return;
	p->ns += iv->to_ns - from_ns;
	p->nr++;
	p->cause = (uint8_t)(w ? w->cause : RS_CAUSE_DELAY);
	if (p->ns >= p->due_ns)
		blames_add_due(b, to, iv, w, p);
}

/* Of that task, or in that way, there was none yet. */
static __attribute__((noinline)) void blames_add_first(struct rs_blames *b, const struct rs_interval *iv,
						       const struct rs_wait *w, unsigned int place)
{
	struct rs_task_instance *inst = rs_task_instance_of(iv->task);
	struct rs_blamed_task *to = inst->blamed ? inst->blamed : blames_begin_task(b, iv->task);

	if (to && !to->at[place])
		to = blames_add_place(inst, place);
	if (to)
		blames_add(b, to, &to->pending[to->at[place] - 1], iv, w);
}

static inline void blames_add_wait(struct rs_blames *b, const struct rs_interval *iv, const struct rs_wait *w)
{
	struct rs_blamed_task *to = rs_task_instance_of(iv->task)->blamed;
	unsigned int place = w ? ((unsigned int)w->cause * 5 + (unsigned int)w->syscall) % RS_BLAME_PENDING :
				 QUEUE_PLACE;

	if (iv->discarded)
		return;
	if (__builtin_expect(!to || (w && !to->at[place]), 0))
		blames_add_first(b, iv, w, place);
	else
		blames_add(b, to, &to->pending[w ? to->at[place] - 1 : 0], iv, w);
}

static __attribute__((noinline)) void blames_interval(struct rs_blames *b, const struct rs_interval *iv)
{
	blames_add_wait(b, iv, NULL);
}

static __attribute__((noinline)) void blames_wait(struct rs_blames *b, const struct rs_wait *w)
{
	blames_add_wait(b, w->interval, w);
}

/* ---- the observer ---- */

struct rs_blames *rs_blames_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_BLAMES);
}

/* After the history, which it divides. */
static int blames_begin(struct rs_session *s)
{
	struct rs_blames *b;

	for (unsigned int i = 0; i < s->nr_analyses && rs_history_of(s); i++)
		if (s->analyses[i].analysis->requires_blame && !s->analyses[i].disabled[0]) {
			b = blames_new(&s->analyses[i].ctx);
			rs_observer_set(s, RS_OBSERVER_BLAMES, b);
			return b ? 0 : -1;
		}
	return 0;
}

static void blames_free(struct rs_session *s, void *state)
{
	blames_clear(state);
	free(state);
}

static void blames_on_interval(struct rs_session *s, const struct rs_interval *iv)
{
	if (iv->kind == RS_DELAY || iv->kind == RS_PREEMPTED)
		blames_interval(rs_blames_of(s), iv);
}

static void blames_on_wait(struct rs_session *s, const struct rs_wait *w)
{
	blames_wait(rs_blames_of(s), w);
}

static void blames_on_evict(struct rs_session *s, struct rs_task_instance *inst)
{
	blames_evict(rs_blames_of(s), inst);
}

static void blames_on_reset(struct rs_session *s)
{
	blames_reset(rs_blames_of(s));
}

const struct rs_observer rs_observer_blames = {
	.name = "wait profiles",
	.begin = blames_begin,
	.free = blames_free,
	.interval = blames_on_interval,
	.wait = blames_on_wait,
	.evict = blames_on_evict,
	.reset = blames_on_reset,
};
