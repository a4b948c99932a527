// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blame-list - what the time of each process went to: its threads', and those of all processes of its name,
 * added up
 */
#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"
#include "engine/process-program.h"
#include "engine/session.h"
#include "engine/task-table.h"
#include "why/blame-parts.h"

/* The part of waits that were not divided, as far as their cause alone tells. */
static enum rs_time_part blame_list_part_of_cause(enum rs_cause cause)
{
	unsigned int part = rs_cause_row(cause)->part;

	return part ? (enum rs_time_part)part : RS_PART_UNKNOWN;
}

/*
 * Live the command line of a process that just began comes after its first waits. Where nothing tells which
 * of several it was, it stays the name alone.
 */
static uint32_t blame_list_program(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	uint32_t program = e->nr_pids ? rs_process_program(c, e->pids[0]) : 0;

	if (e->program || e->kind != RS_CULPRIT_TASK || e->nr_pids > RS_BLAME_PIDS)
		return e->program;
	for (unsigned int i = 1; i < e->nr_pids; i++)
		if (rs_process_program(c, e->pids[i]) != program)
			return 0;
	return program;
}

static void blame_list_add_entry(struct rs_ctx *c, struct rs_blame *p, const struct rs_blame_entry *e)
{
	struct rs_blame_entry of = *e; /* .did_ns stays the other's: it is copied */

	of.program = blame_list_program(c, e);
	rs_blame_entries_add(&p->at, &p->nr, &of);
}

static void blame_list_add_waits(struct rs_ctx *c, struct rs_blame *p, const struct rs_blamed_waits *all)
{
	for (unsigned int i = 0; i < all->nr_parts; i++) {
		p->part_ns[all->parts[i].part] += all->parts[i].ns;
		p->part_nr[all->parts[i].part] += all->parts[i].nr;
	}
	for (unsigned int i = 0; i < all->nr; i++)
		blame_list_add_entry(c, p, &all->at[i]);
}

/* One more share of an entry. */
static void blame_list_add_like(struct rs_ctx *c, struct rs_blame *p, const struct rs_blame_entry *e,
				double scale)
{
	struct rs_blame_entry more = *e;
	uint64_t did_ns[RS_NR_CAUSES];

	more.did_ns = did_ns;
	more.ns = (uint64_t)((double)e->ns * scale);
	more.nr = (uint64_t)((double)e->nr * scale);
	for (int cause = 0; cause < RS_NR_CAUSES && e->has_did; cause++)
		did_ns[cause] = (uint64_t)((double)e->did_ns[cause] * scale);
	p->part_ns[e->part] += more.ns;
	p->part_nr[e->part] += more.nr;
	blame_list_add_entry(c, p, &more);
}

/* Waits that are not divided are like those that were. If none were, their cause alone tells their part. */
static void blame_list_add_pending(struct rs_ctx *c, struct rs_blame *p, const struct rs_blamed_task *of)
{
	uint64_t divided_ns[RS_BLAME_PENDING] = { 0 };

	for (unsigned int i = 0; of->waits && i < of->waits->nr; i++)
		divided_ns[of->waits->at[i].place] += of->waits->at[i].ns;
	for (unsigned int i = 0; of->waits && i < of->waits->nr; i++) {
		const struct rs_blame_entry *e = &of->waits->at[i];

		if (of->pending[e->place].ns && divided_ns[e->place])
			blame_list_add_like(c, p, e,
					    (double)of->pending[e->place].ns / (double)divided_ns[e->place]);
	}
	for (unsigned int i = 0; i < of->nr; i++) {
		enum rs_time_part part = blame_list_part_of_cause((enum rs_cause)of->pending[i].cause);

		if (divided_ns[i])
			continue;
		p->part_ns[part] += of->pending[i].ns;
		p->part_nr[part] += of->pending[i].nr;
	}
}

/*
 * Of a file the steps do not come off the credit of the waits to come: who asks while it is read would
 * change what it ends with.
 */
static void blame_list_add_open_wait(struct rs_blames *b, struct rs_blame *to, const struct rs_blame_case *of)
{
	struct rs_blamed_waits waits = { 0 };
	int64_t credit = b->credit;

	rs_blames_divide(b, &waits, *of);
	if (!b->c->session->source->info.live)
		b->credit = credit;
	blame_list_add_waits(b->c, to, &waits);
	rs_blame_entries_free(waits.at, waits.nr);
	free(waits.parts);
}

/* What the task is in now: a wait for a CPU, or a wait whose cause can be told before it is woken. */
static void blame_list_add_open(struct rs_blames *b, struct rs_blame *to, const struct rs_task *t)
{
	uint64_t open_ns, now_ns = rs_last_event_ns(b->c), since_ns = rs_since_ns(b->c);
	enum rs_state state = rs_task_state(b->c, t, &open_ns);
	struct rs_blame_case of = { .task = t, .to_ns = now_ns, .nr = 1 };
	struct rs_wait w;

	if (open_ns == RS_AGE_UNKNOWN || b->c->range_ended || !open_ns)
		return;
	of.from_ns = now_ns - open_ns > since_ns ? now_ns - open_ns : since_ns;
	of.ns = now_ns - of.from_ns;
	if (state == RS_BLOCKED && rs_task_wait(b->c, t, &w) && rs_cause_row(w.cause)->rank == RS_RANK_WAIT)
		of.wait = &w;
	if (of.wait || state == RS_DELAY || state == RS_PREEMPTED)
		blame_list_add_open_wait(b, to, &of);
}

static void blame_list_add_task(struct rs_blames *b, struct rs_blame *p, const struct rs_task *t)
{
	const struct rs_blamed_task *of = rs_task_instance_of(t)->blamed;
	uint64_t lifetime_ns, unknown_ns, run_ns = rs_task_run_ns(b->c, t);

	if (of && of->waits)
		blame_list_add_waits(b->c, p, of->waits);
	for (unsigned int cpu = 0; of && of->waits && cpu < b->nr_cpus; cpu++)
		p->cpu_ns[cpu] += of->waits->cpu_ns[cpu];
	if (of)
		blame_list_add_pending(b->c, p, of);
	blame_list_add_open(b, p, t);
	rs_task_lifetime_ns(b->c, t, &lifetime_ns, &unknown_ns);
	p->lifetime_ns += lifetime_ns;
	p->unknown_ns += unknown_ns;
	p->nr_threads += run_ns > 0;
	p->run_ns += run_ns;
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
	uint32_t program;
};

static bool blame_list_is_same_name(const struct listed_task *x, const struct listed_task *y)
{
	return x->program == y->program && !strcmp(x->comm, y->comm);
}

static int blame_list_compare_tasks(const void *a, const void *b)
{
	const struct listed_task *x = a, *y = b;
	int order = strcmp(x->comm, y->comm);

	return order                        ? order :
	       x->program != y->program     ? (x->program < y->program ? -1 : 1) :
	       x->task->pid != y->task->pid ? (x->task->pid < y->task->pid ? -1 : 1) :
	       x->task->tid < y->task->tid  ? -1 :
					      1;
}

static int blame_list_compare_entries(const void *a, const void *b)
{
	const struct rs_blame_entry *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : 0;
}

static bool blame_list_is_listed(struct rs_blames *b, const struct rs_task *t)
{
	return !t->kernel_thread && !t->self && rs_shown(b->c, t) && !rs_is_viewer(b->c, t->pid) &&
	       (rs_task_instance_of(t)->blamed || !t->exited || rs_task_run_ns(b->c, t));
}

static size_t blame_list_collect(struct rs_blames *b, struct listed_task *tasks, size_t max)
{
	size_t nr = 0;

	for (struct rs_task *t = rs_task_next(b->c, NULL); t; t = rs_task_next(b->c, t))
		if (blame_list_is_listed(b, t)) {
			if (nr < max)
				tasks[nr] = (struct listed_task){ t, rs_task_process_comm(b->c, t),
								  rs_process_program_of_task(b->c, t) };
			nr++;
		}
	return nr;
}

static size_t blame_list_count_names(const struct listed_task *tasks, size_t nr)
{
	size_t nr_names = 0;

	for (size_t i = 0; i < nr; i++)
		nr_names += !i || !blame_list_is_same_name(&tasks[i], &tasks[i - 1]);
	return nr_names;
}

/* Busy, or waiting for a peer by a pipe or a socket. */
static uint64_t blame_list_own_ns(const struct rs_blame *b)
{
	uint64_t ns = rs_blame_busy_ns(b);

	for (int part = 0; part < RS_NR_PARTS; part++)
		if ((RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET) >> part & 1)
			ns += b->part_ns[part];
	return ns;
}

/* Of tasks in order of their names and programs, then processes. */
static void blame_list_group(struct rs_blames *b, const struct listed_task *tasks, size_t nr)
{
	uint64_t most_ns = 0, ns = 0, before_ns = 0;

	for (size_t i = 0; i < nr; i++) {
		bool new_name = !i || !blame_list_is_same_name(&tasks[i], &tasks[i - 1]);
		bool new_process = new_name || tasks[i].task->pid != tasks[i - 1].task->pid;
		struct rs_blame *p;

		if (new_name) {
			b->list[b->nr] = (struct rs_blame){ .comm = tasks[i].comm,
							    .program = tasks[i].program,
							    .cpu_ns = &b->cpu_ns[b->nr * b->nr_cpus] };
			b->nr++;
			most_ns = before_ns = 0;
		}
		p = &b->list[b->nr - 1];
		p->nr_processes += new_process;
		if (new_process)
			before_ns = blame_list_own_ns(p);
		blame_list_add_task(b, p, tasks[i].task);
		ns = blame_list_own_ns(p) - before_ns;
		if (ns >= most_ns) {
			most_ns = ns;
			p->pid = tasks[i].task->pid ? tasks[i].task->pid : tasks[i].task->tid;
		}
	}
}

void rs_blame_list_free(struct rs_blames *b)
{
	for (size_t i = 0; i < b->nr; i++)
		rs_blame_entries_free(b->list[i].at, b->list[i].nr);
	free(b->list);
	free(b->cpu_ns);
	b->list = NULL;
	b->cpu_ns = NULL;
	b->nr = 0;
}

/* Returns false without memory: then there are no names. */
static bool blame_list_begin(struct rs_blames *b, size_t nr_names)
{
	b->list = calloc(nr_names + 1, sizeof *b->list);
	b->cpu_ns = calloc((nr_names + 1) * b->nr_cpus, sizeof *b->cpu_ns);
	return b->list && b->cpu_ns;
}

static void blame_list_make(struct rs_blames *b)
{
	size_t nr = blame_list_collect(b, NULL, 0);
	struct listed_task *tasks = calloc(nr + 1, sizeof *tasks);

	rs_blame_list_free(b);
	if (tasks) {
		blame_list_collect(b, tasks, nr);
		qsort(tasks, nr, sizeof *tasks, blame_list_compare_tasks);
		if (blame_list_begin(b, blame_list_count_names(tasks, nr)))
			blame_list_group(b, tasks, nr);
	}
	for (size_t i = 0; i < b->nr; i++)
		if (b->list[i].nr) /* else .at is NULL, which qsort does not take */
			qsort(b->list[i].at, b->list[i].nr, sizeof *b->list[i].at,
			      blame_list_compare_entries);
	free(tasks);
}

const struct rs_blame *rs_blame_list(struct rs_ctx *c, size_t *nr)
{
	struct rs_blames *b = rs_blames_of(c->session);
	uint64_t nr_events = b ? rs_session_events(c->session) : 0, now_ns = rs_last_event_ns(c);

	*nr = 0;
	if (!b)
		return NULL;
	if (!b->list || b->made_ns != now_ns || b->made_events != nr_events)
		blame_list_make(b);
	b->made_ns = now_ns;
	b->made_events = nr_events;
	*nr = b->nr;
	return b->list;
}

static const struct rs_blame *blame_list_find(struct rs_ctx *c, const char *comm, uint32_t program)
{
	size_t nr;
	const struct rs_blame *list = rs_blame_list(c, &nr);

	for (size_t i = 0; i < nr; i++)
		if (list[i].program == program && !strcmp(list[i].comm, comm))
			return &list[i];
	return NULL;
}

const struct rs_blame *rs_blame_find(struct rs_ctx *c, const char *comm, int32_t pid)
{
	return blame_list_find(c, comm, rs_process_program(c, pid));
}

const struct rs_blame *rs_blame_of(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return blame_list_find(c, e->comm, e->program);
}

uint32_t rs_blame_program(struct rs_ctx *c, int32_t pid)
{
	return rs_process_program(c, pid);
}

bool rs_blame_has_task(struct rs_ctx *c, const struct rs_blame *b, const struct rs_task *t)
{
	return b && !strcmp(rs_task_process_comm(c, t), b->comm) &&
	       rs_process_program_of_task(c, t) == b->program;
}

unsigned int rs_blame_nr_culprits(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	const struct rs_blame *b = e->nr_pids > RS_BLAME_PIDS ? rs_blame_of(c, e) : NULL;

	return b && b->nr_processes > e->nr_pids ? b->nr_processes : e->nr_pids;
}

uint64_t rs_blame_busy_ns(const struct rs_blame *b)
{
	uint64_t ns = b->run_ns;

	for (int part = 0; part < RS_NR_PARTS; part++)
		if (b->part_ns[part] && part != RS_PART_RUN &&
		    rs_part_cause((enum rs_time_part)part)->rank == RS_RANK_WAIT)
			ns += b->part_ns[part];
	return ns;
}

uint64_t rs_busy_ns(struct rs_ctx *c, const char *comm, int32_t pid)
{
	const struct rs_blame *b = rs_blame_find(c, comm, pid);

	return b ? rs_blame_busy_ns(b) : 0;
}

uint64_t rs_blame_disk_irq_ns(const struct rs_blame *b)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_IRQ && b->at[i].irq && b->at[i].irq->ends_requests)
			ns += b->at[i].ns;
	return ns;
}

uint64_t rs_blame_sum(const struct rs_blame *b, uint64_t parts, const struct rs_blame_entry **first)
{
	uint64_t ns = 0;

	if (first)
		*first = NULL;
	for (unsigned int i = 0; b && i < b->nr; i++) {
		if (!(parts >> b->at[i].part & 1))
			continue;
		if (first && !*first)
			*first = &b->at[i];
		ns += b->at[i].ns;
	}
	return ns;
}

uint64_t rs_blame_nr_waiting(struct rs_ctx *c, uint64_t interval_ns)
{
	size_t nr;
	const struct rs_blame *list = rs_blame_list(c, &nr);
	uint64_t waited_ns = 0;

	for (size_t i = 0; i < nr; i++)
		waited_ns += list[i].part_ns[RS_PART_QUEUE];
	return rs_milli(waited_ns, interval_ns * rs_nr_cpus(c), 1).u;
}

const struct rs_task *rs_blame_starter(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	enum { LEAST = 20000 }; /* processes a second, in thousandths */
	uint64_t rate = rs_milli(b->nr_processes * 1000000000ull, interval_ns, 1).u;

	return rate >= LEAST && rs_blame_is_short_lived(b, interval_ns) && b->task->ppid ?
		       rs_task_find(c, b->task->ppid) :
		       NULL;
}

bool rs_main_culprit(struct rs_ctx *c, const char *comm, int32_t pid, uint64_t parts,
		     enum rs_culprit_kind *kind)
{
	const struct rs_blame_entry *first;

	rs_blame_sum(rs_blame_find(c, comm, pid), parts, &first);
	if (first)
		*kind = first->kind;
	return first;
}
