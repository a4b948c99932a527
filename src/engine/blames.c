// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/blames.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/internal.h"

#define MAX_BLAMED_TASKS 16384
/*
 * To divide a wait costs as much as many events. So waits of one cause and system call add up to this, and are divided as
 * the one that reaches it: a wait is taken as often as it is long, and one that is longer is always divided. With every
 * DIVISIONS_A_DOUBLING of them it doubles, up to MOST_DOUBLINGS times: the more is known, the less the next one tells.
 */
#define QUANTUM_NS 10000000
#define IDLE_QUANTUM_NS 20000000
#define DIVISIONS_A_DOUBLING 32
#define MOST_DOUBLINGS 5
#define PENDING_PLACES 16u
/*
 * The work that it may be, in steps of about 2 ns: one a segment of the history, and a half of a thousandth of a CPU. Beyond,
 * as on a machine with hundreds of tasks for each CPU, waits add up for longer.
 */
#define MOST_CREDIT 200000
#define STEPS_A_SECOND 200000
#define DIVISION_STEPS 100      /* of each, besides those that it counts */
#define MOST_STEPS 4096         /* of one wait: the last part of it stands for all */
#define FIRST_NS 100000000      /* of a task of which nothing was divided yet */
#define LEAST_POLL_NS 1000000   /* of waits for whatever comes: who ended them, and what that task did meanwhile */
#define QUEUE_CAUSE RS_CAUSE_DELAY /* of all waits for a CPU */

/* The divided waits of one thread. */
struct blamed_waits {
	uint64_t part_ns[RS_NR_PARTS], part_nr[RS_NR_PARTS];
	uint64_t cpu_ns[RS_BLAME_CPUS];
	unsigned int nr;
	struct rs_blame_entry at[RS_BLAME_PLACES];
};

/* Of one thread. Most live for a moment, and never wait long: these have no .waits. */
struct rs_blamed_task {
	uint64_t interval;
	uint64_t run_ns, nr_runs;
	struct pending {
		uint64_t ns, nr;
		uint32_t nr_divided;
		uint8_t cause;           /* enum rs_cause */
		uint8_t doublings;       /* of the quantum */
	} pending[PENDING_PLACES];       /* waits that are not divided yet */
	struct blamed_waits *waits;      /* of this interval, or zeros; NULL: none were divided */
};

struct rs_blames {
	struct rs_ctx *c;
	uint64_t interval;
	size_t nr_tasks;
	/* the list */
	struct rs_blame *list;
	size_t nr, room;
	uint64_t made_interval, made_ns, made_events;
	/* the work that may be done now */
	int64_t credit;
	uint64_t credit_ns;
	uint32_t credit_segment;         /* that it was counted up to */
};

struct rs_blames *rs_blames_new(struct rs_ctx *c)
{
	struct rs_blames *b = calloc(1, sizeof *b);

	if (b) {
		b->c = c;
		b->interval = 1;
		b->credit = MOST_CREDIT;
	}
	return b;
}

void rs_blames_free(struct rs_blames *b)
{
	if (!b)
		return;
	for (struct rs_task *t = rs_task_next(b->c, NULL); t; t = rs_task_next(b->c, t))
		rs_blames_evict(b, rs_task_instance_of(t));
	free(b->list);
	free(b);
}

void rs_blames_evict(struct rs_blames *b, struct rs_task_instance *inst)
{
	b->nr_tasks -= inst->blamed != NULL;
	if (inst->blamed)
		free(inst->blamed->waits);
	free(inst->blamed);
	inst->blamed = NULL;
}

void rs_blames_reset(struct rs_blames *b)
{
	b->interval++;
}

/* Places that are not in use need no zeros: room for all of them is many times the rest. */
static void blames_clear_waits(struct blamed_waits *waits)
{
	memset(waits, 0, offsetof(struct blamed_waits, at));
}

static struct rs_blamed_task *blames_begin_task(struct rs_blames *b, struct rs_task *t)
{
	struct rs_task_instance *inst = rs_task_instance_of(t);

	if (t->kernel_thread || t->self)
		return NULL;
	if (!inst->blamed) {
		if (b->nr_tasks == MAX_BLAMED_TASKS || !(inst->blamed = calloc(1, sizeof *inst->blamed)))
			return NULL;
		b->nr_tasks++;
		inst->blamed->interval = b->interval;
	}
	if (inst->blamed->interval != b->interval) {
		struct blamed_waits *waits = inst->blamed->waits;

		if (waits)
			blames_clear_waits(waits);
		*inst->blamed = (struct rs_blamed_task){ .interval = b->interval, .waits = waits };
	}
	return inst->blamed;
}

/* NULL: no findings are about this task, or there is no memory. */
static inline struct rs_blamed_task *blames_task(struct rs_blames *b, struct rs_task *t)
{
	struct rs_blamed_task *of = rs_task_instance_of(t)->blamed;

	return of && of->interval == b->interval ? of : blames_begin_task(b, t);
}

/* ---- entries ---- */

static bool blame_entry_is_same(const struct rs_blame_entry *a, const struct rs_blame_entry *b)
{
	return a->part == b->part && a->kind == b->kind && a->dev == b->dev && a->lock_addr == b->lock_addr && (a->part != RS_PART_FUTEX || a->call_arg == b->call_arg) && a->irq == b->irq &&
	       a->call == b->call && !strcmp(a->comm, b->comm) &&
	       ((a->part != RS_PART_FUTEX && a->part != RS_PART_LOCK) || !strcmp(a->thread, b->thread));
}

static void blame_entry_add_pid(struct rs_blame_entry *e, int32_t pid)
{
	for (unsigned int i = 0; i < e->nr_pids && i < RS_BLAME_PIDS; i++)
		if (e->pids[i] == pid)
			return;
	if (!pid || e->nr_pids > RS_BLAME_PIDS)
		return;
	if (e->nr_pids < RS_BLAME_PIDS)
		e->pids[e->nr_pids] = pid;
	e->nr_pids++;
}

static void blame_entry_merge(struct rs_blame_entry *into, const struct rs_blame_entry *from)
{
	into->nr += from->nr;
	if (from->since_ns < into->since_ns)
		into->since_ns = from->since_ns;
	into->ns += from->ns;
	for (int cause = 0; cause < RS_NR_CAUSES && from->kind == RS_CULPRIT_TASK; cause++)
		into->did_ns[cause] += from->did_ns[cause];
	for (unsigned int i = 0; i < from->nr_pids && i < RS_BLAME_PIDS; i++)
		blame_entry_add_pid(into, from->pids[i]);
	if (from->prio >= 0 && (into->prio < 0 || from->prio < into->prio))
		into->prio = from->prio;
	if (from->max_ns <= into->max_ns)
		return;
	into->max_ns = from->max_ns;
	into->at_ns = from->at_ns;
	into->tid = from->tid;
	into->rwbs = from->rwbs;
	into->call_arg = from->call_arg;
	memcpy(into->thread, from->thread, sizeof into->thread);
	memcpy(into->waiter, from->waiter, sizeof into->waiter);
}

/* Whoever has more than one in RS_BLAME_PLACES of the time keeps a place. */
static void blame_entries_add(struct rs_blame_entry *at, unsigned int *nr, const struct rs_blame_entry *e)
{
	unsigned int least = 0;

	for (unsigned int i = 0; i < *nr; i++) {
		if (blame_entry_is_same(&at[i], e)) {
			blame_entry_merge(&at[i], e);
			return;
		}
		if (at[i].ns < at[least].ns)
			least = i;
	}
	if (*nr < RS_BLAME_PLACES)
		at[(*nr)++] = *e;
	else if (at[least].ns < e->ns)
		at[least] = *e;
	else
		at[least].ns -= e->ns;
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
	case RS_PART_CHILD:
	case RS_PART_OTHER_CALL:
	case RS_PART_KERNEL:
		return k->name;
	default:
		return false;
	}
}

/* What is divided: a wait of the task up to now, which stands for nr waits that were ns long together. */
struct blames_case {
	const struct rs_task *task;
	const struct rs_wait *wait; /* NULL: for a CPU */
	uint64_t from_ns, to_ns, ns, nr;
	double scale;               /* of what was seen of it to ns */
};

static uint64_t blames_scale(const struct blames_case *of, uint64_t ns)
{
	return !ns || of->scale == 1 ? ns : (uint64_t)((double)ns * of->scale);
}

/*
 * Kernels before 5.19 have no lock events. There state D until another user task acts is most likely a
 * mutex or a semaphore, which that task held: a lock without address.
 */
static bool blames_is_likely_lock(const struct rs_blames *b, const struct rs_culprit *k)
{
	return k->part == RS_PART_KERNEL && k->kind == RS_CULPRIT_TASK && k->name && !rs_waits_has_lock_events(b->c->session) &&
	       !(k->name->task ? k->name->task->kernel_thread : k->name->kernel_thread);
}

static void blames_add_culprit(struct rs_blames *b, struct blamed_waits *to, const struct blames_case *of, const struct rs_culprit *k)
{
	const struct rs_wait *w = of->wait;
	struct rs_blame_entry e = {
		.part = k->part, .kind = k->kind, .prio = -1, .dev = k->dev, .rwbs = k->rwbs, .lock_addr = k->lock_addr, .irq = k->irq,
		.lock_flags = k->lock_flags, .call = w ? w->syscall : -1, .since_ns = of->from_ns, .call_arg = w && w->args ? w->args[0] : 0, .nr = of->nr,
		.ns = blames_scale(of, k->ns), .max_ns = k->ns, .at_ns = k->at_ns,
	};

	if (k->name && k->name->task && k->name->task->self) /* what ringside takes is no fault of the machine */
		return;
	if (blames_is_likely_lock(b, k))
		e.part = RS_PART_LOCK;
	to->part_ns[e.part] += e.ns;
	to->part_nr[e.part] += of->nr;
	memcpy(e.waiter, of->task->comm, sizeof e.waiter);
	if (k->part == RS_PART_FUTEX && w && w->args)
		e.call_arg = rs_futex_is_lock(w->args);
	if (k->kind == RS_CULPRIT_TASK) {
		blame_entry_add_pid(&e, k->pid ? k->pid : k->name ? k->name->tid : k->tid);
		blames_copy_name(b->c, &e, k);
	}
	if (blames_asks_meanwhile(k)) {
		b->credit -= rs_culprits_meanwhile(b->c, k->name, of->from_ns, of->to_ns, MOST_STEPS, e.did_ns);
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			e.did_ns[cause] = blames_scale(of, e.did_ns[cause]);
	}
	blame_entries_add(to->at, &to->nr, &e);
}

static void blames_divide(struct rs_blames *b, struct blamed_waits *to, struct blames_case of)
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
	uint32_t newest = rs_history_newest(b->c->session->history);
	uint64_t now_ns = rs_last_event_ns(b->c), len_ns = now_ns > b->credit_ns ? now_ns - b->credit_ns : 0;

	b->credit += newest - b->credit_segment;
	b->credit += len_ns < 1000000000 ? (int64_t)(len_ns * STEPS_A_SECOND / 1000000000) : MOST_CREDIT;
	if (b->credit > MOST_CREDIT)
		b->credit = MOST_CREDIT;
	b->credit_segment = newest;
	b->credit_ns = now_ns;
	return b->credit > 0;
}

/* Not inlined: most waits are short, and only add up. */
static __attribute__((noinline)) void blames_add_due(struct rs_blames *b, struct rs_blamed_task *to, const struct rs_interval *iv, const struct rs_wait *w,
						     uint64_t from_ns, struct pending *p)
{
	if (!blames_may_divide(b) && (to->waits || p->ns < FIRST_NS))
		return;
	if (!to->waits && (to->waits = malloc(sizeof *to->waits)))
		blames_clear_waits(to->waits);
	if (to->waits && !w && iv->cpu < RS_BLAME_CPUS)
		to->waits->cpu_ns[iv->cpu] += p->ns;
	if (to->waits)
		blames_divide(b, to->waits, (struct blames_case){ .task = iv->task, .wait = w, .from_ns = from_ns, .to_ns = iv->to_ns, .ns = p->ns, .nr = p->nr });
	p->ns = p->nr = 0;
	if (++p->nr_divided % DIVISIONS_A_DOUBLING == 0 && p->doublings < MOST_DOUBLINGS)
		p->doublings++;
}

static inline void blames_add_wait(struct rs_blames *b, struct rs_blamed_task *to, const struct rs_interval *iv, const struct rs_wait *w, uint64_t from_ns)
{
	enum rs_cause cause = w ? w->cause : QUEUE_CAUSE;
	struct pending *p = &to->pending[((unsigned int)cause * 5 + (w ? (unsigned int)w->syscall : 0)) % PENDING_PLACES];

	p->ns += iv->to_ns - from_ns;
	p->nr++;
	p->cause = (uint8_t)cause;
	if (p->ns >= (uint64_t)(cause == RS_CAUSE_IDLE ? IDLE_QUANTUM_NS : QUANTUM_NS) << p->doublings)
		blames_add_due(b, to, iv, w, from_ns, p);
}

/* ---- what ends ---- */

void rs_blames_interval(struct rs_blames *b, const struct rs_interval *iv)
{
	struct rs_blamed_task *to = iv->task && !iv->discarded ? blames_task(b, iv->task) : NULL;
	uint64_t since_ns = rs_since_ns(b->c), from_ns = iv->from_ns > since_ns ? iv->from_ns : since_ns;

	if (!to || iv->to_ns <= from_ns)
		return;
	if (iv->kind == RS_RUN) {
		to->run_ns += iv->to_ns - from_ns;
		to->nr_runs++;
		return;
	}
	blames_add_wait(b, to, iv, NULL, from_ns);
}

void rs_blames_wait(struct rs_blames *b, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct rs_blamed_task *to = iv->discarded ? NULL : blames_task(b, iv->task);
	uint64_t since_ns = rs_since_ns(b->c), from_ns = iv->from_ns > since_ns ? iv->from_ns : since_ns;

	if (!to || iv->to_ns <= from_ns)
		return;
	blames_add_wait(b, to, iv, w, from_ns);
}

/* The part of waits that were not divided, as far as their cause alone tells. */
static enum rs_time_part blames_part_of_cause(enum rs_cause cause)
{
	static const uint8_t parts[RS_NR_CAUSES] = {
		[RS_CAUSE_LOCK] = RS_PART_LOCK, [RS_CAUSE_FUTEX] = RS_PART_FUTEX, [RS_CAUSE_DISK] = RS_PART_DISK_DEVICE,
		[RS_CAUSE_RECLAIM] = RS_PART_RECLAIM, [RS_CAUSE_OTHER_D] = RS_PART_KERNEL, [RS_CAUSE_IDLE] = RS_PART_POLL,
		[RS_CAUSE_SLEEP] = RS_PART_READ_WRITE, [QUEUE_CAUSE] = RS_PART_QUEUE,
	};

	return parts[cause] ? (enum rs_time_part)parts[cause] : RS_PART_UNKNOWN;
}

static void blames_add_pending(const struct rs_blamed_task *of, struct rs_blame *to)
{
	for (unsigned int i = 0; i < PENDING_PLACES; i++) {
		enum rs_time_part part = blames_part_of_cause((enum rs_cause)of->pending[i].cause);

		to->part_ns[part] += of->pending[i].ns;
		to->part_nr[part] += of->pending[i].nr;
	}
}

/* ---- the list of processes ---- */

static void blames_add_waits(struct rs_blame *p, const struct blamed_waits *all)
{
	for (int part = 0; part < RS_NR_PARTS; part++) {
		p->part_ns[part] += all->part_ns[part];
		p->part_nr[part] += all->part_nr[part];
	}
	for (int cpu = 0; cpu < RS_BLAME_CPUS; cpu++)
		p->cpu_ns[cpu] += all->cpu_ns[cpu];
	for (unsigned int i = 0; i < all->nr; i++)
		blame_entries_add(p->at, &p->nr, &all->at[i]);
}

static void blames_add_open_wait(struct rs_blames *b, struct rs_blame *to, const struct blames_case *of)
{
	struct blamed_waits waits;

	blames_clear_waits(&waits);
	blames_divide(b, &waits, *of);
	blames_add_waits(to, &waits);
}

/* What the task is in now: a wait for a CPU, or a wait whose cause can be told before it is woken. Returns how long it runs. */
static uint64_t blames_add_open(struct rs_blames *b, struct rs_blame *to, const struct rs_task *t)
{
	uint64_t open_ns, now_ns = rs_last_event_ns(b->c), since_ns = rs_since_ns(b->c);
	enum rs_state state = rs_task_state(b->c, t, &open_ns);
	struct blames_case of = { .task = t, .to_ns = now_ns, .nr = 1 };
	struct rs_wait w;

	if (open_ns == RS_AGE_UNKNOWN || b->c->range_ended || !open_ns)
		return 0;
	of.from_ns = now_ns - open_ns > since_ns ? now_ns - open_ns : since_ns;
	of.ns = now_ns - of.from_ns;
	if (state == RS_BLOCKED && rs_task_wait(b->c, t, &w) && rs_cause_row(w.cause)->rank == RS_RANK_WAIT)
		of.wait = &w;
	if (of.wait || state == RS_DELAY || state == RS_PREEMPTED)
		blames_add_open_wait(b, to, &of);
	return state == RS_RUN ? of.ns : 0;
}

static void blames_add_task(struct rs_blames *b, struct rs_blame *p, const struct rs_task *t)
{
	const struct rs_blamed_task *of = rs_task_instance_of(t)->blamed;
	bool is_current = of && of->interval == b->interval;
	uint64_t lifetime_ns, unknown_ns, run_ns = 0;

	if (is_current) {
		if (of->waits)
			blames_add_waits(p, of->waits);
		blames_add_pending(of, p);
		run_ns = of->run_ns;
		p->nr_runs += of->nr_runs;
	}
	run_ns += blames_add_open(b, p, t);
	rs_task_lifetime_ns(b->c, t, &lifetime_ns, &unknown_ns);
	p->lifetime_ns += lifetime_ns;
	p->nr_threads += run_ns > 0;
	p->run_ns += run_ns;
	if (t->prio > p->prio)
		p->prio = t->prio;
	if (run_ns > p->busiest_ns) {
		p->busiest_ns = run_ns;
		p->busiest = t;
	}
	if (t->tid == t->pid || !p->task)
		p->task = t;
}

struct listed_task {
	const struct rs_task *task;
	const char *comm;
};

static int blames_compare_tasks(const void *a, const void *b)
{
	const struct listed_task *x = a, *y = b;
	int order = strcmp(x->comm, y->comm);

	return order ? order : x->task->pid != y->task->pid ? (x->task->pid < y->task->pid ? -1 : 1) : x->task->tid < y->task->tid ? -1 : 1;
}

static int blames_compare_entries(const void *a, const void *b)
{
	const struct rs_blame_entry *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : 0;
}

static bool blames_is_listed(struct rs_blames *b, const struct rs_task *t)
{
	const struct rs_blamed_task *of = rs_task_instance_of(t)->blamed;

	return !t->kernel_thread && !t->self && rs_shown(b->c, t) && !rs_is_viewer(b->c, t->pid) &&
	       ((of && of->interval == b->interval) || !t->exited);
}

static size_t blames_collect(struct rs_blames *b, struct listed_task *tasks, size_t max)
{
	size_t nr = 0;

	for (struct rs_task *t = rs_task_next(b->c, NULL); t; t = rs_task_next(b->c, t))
		if (blames_is_listed(b, t)) {
			if (nr < max)
				tasks[nr] = (struct listed_task){ t, rs_task_process_comm(b->c, t) };
			nr++;
		}
	return nr;
}

static size_t blames_count_names(const struct listed_task *tasks, size_t nr)
{
	size_t nr_names = 0;

	for (size_t i = 0; i < nr; i++)
		nr_names += !i || strcmp(tasks[i].comm, tasks[i - 1].comm) != 0;
	return nr_names;
}

/* Of tasks in order of their names, then processes. */
static void blames_group(struct rs_blames *b, const struct listed_task *tasks, size_t nr)
{
	uint64_t most_ns = 0, ns = 0, before_ns = 0;

	for (size_t i = 0; i < nr; i++) {
		bool new_name = !i || strcmp(tasks[i].comm, tasks[i - 1].comm) != 0;
		bool new_process = new_name || tasks[i].task->pid != tasks[i - 1].task->pid;
		struct rs_blame *p;

		if (new_name) {
			b->list[b->nr++] = (struct rs_blame){ .comm = tasks[i].comm, .prio = -1 };
			most_ns = before_ns = 0;
		}
		p = &b->list[b->nr - 1];
		p->nr_processes += new_process;
		if (new_process)
			before_ns = rs_blame_busy_ns(p) + p->part_ns[RS_PART_READ_WRITE] + p->part_ns[RS_PART_SOCKET];
		blames_add_task(b, p, tasks[i].task);
		ns = rs_blame_busy_ns(p) + p->part_ns[RS_PART_READ_WRITE] + p->part_ns[RS_PART_SOCKET] - before_ns;
		if (ns >= most_ns) {
			most_ns = ns;
			p->pid = tasks[i].task->pid ? tasks[i].task->pid : tasks[i].task->tid;
		}
	}
}

static void blames_make(struct rs_blames *b)
{
	size_t nr = blames_collect(b, NULL, 0);
	struct listed_task *tasks = calloc(nr + 1, sizeof *tasks);

	free(b->list);
	b->list = NULL;
	b->nr = 0;
	if (tasks) {
		blames_collect(b, tasks, nr);
		qsort(tasks, nr, sizeof *tasks, blames_compare_tasks);
		b->list = calloc(blames_count_names(tasks, nr) + 1, sizeof *b->list);
	}
	if (b->list)
		blames_group(b, tasks, nr);
	for (size_t i = 0; i < b->nr; i++)
		qsort(b->list[i].at, b->list[i].nr, sizeof *b->list[i].at, blames_compare_entries);
	free(tasks);
}

const struct rs_blame *rs_blame_list(struct rs_ctx *c, size_t *nr)
{
	struct rs_blames *b = c->session->blames;
	uint64_t nr_events = b ? rs_session_events(c->session) : 0, now_ns = rs_last_event_ns(c);

	*nr = 0;
	if (!b)
		return NULL;
	if (!b->list || b->made_interval != b->interval || b->made_ns != now_ns || b->made_events != nr_events)
		blames_make(b);
	b->made_interval = b->interval;
	b->made_ns = now_ns;
	b->made_events = nr_events;
	*nr = b->nr;
	return b->list;
}

const struct rs_blame *rs_blame_find(struct rs_ctx *c, const char *comm)
{
	size_t nr;
	const struct rs_blame *list = rs_blame_list(c, &nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(list[i].comm, comm))
			return &list[i];
	return NULL;
}

unsigned int rs_blame_nr_culprits(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	const struct rs_blame *b = e->nr_pids > RS_BLAME_PIDS ? rs_blame_find(c, e->comm) : NULL;

	return b && b->nr_processes > e->nr_pids ? b->nr_processes : e->nr_pids;
}

uint64_t rs_blame_busy_ns(const struct rs_blame *b)
{
	uint64_t ns = b->run_ns;

	for (int part = 0; part < RS_NR_PARTS; part++)
		if (b->part_ns[part] && part != RS_PART_RUN && rs_part_row((enum rs_time_part)part)->rank == RS_RANK_WAIT)
			ns += b->part_ns[part];
	return ns;
}

uint64_t rs_blame_sum(const struct rs_blame *b, uint64_t parts, const struct rs_blame_entry **first)
{
	uint64_t ns = 0;

	if (first)
		*first = NULL;
	for (unsigned int i = 0; i < b->nr; i++) {
		if (!(parts >> b->at[i].part & 1))
			continue;
		if (first && !*first)
			*first = &b->at[i];
		ns += b->at[i].ns;
	}
	return ns;
}
