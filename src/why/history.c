// SPDX-License-Identifier: GPL-2.0-or-later
/* history - the last states of all tasks and CPUs, and the last block requests, in bounded memory */
#include "why/history-parts.h"

#include <stdlib.h>
#include <string.h>

#include "engine/task-table.h"
#include "ringside/plugin.h"

#define NAMES_IN_CHUNK 128u
#define SHORT_SEGMENTS_A_CPU 512u
#define SHORT_REQUESTS 256u
#define NS_A_SHORT_SEGMENT 40000u /* of a CPU's: what comes faster on average is not added */
#define COMPLETION_NS 100000u /* from the completion of a request to the waking, in one interrupt */

struct name_chunk {
	struct name_chunk *older;
	struct rs_task_name names[NAMES_IN_CHUNK];
};

static uint32_t history_short_segments(unsigned int nr_cpus)
{
	uint32_t nr = SHORT_SEGMENTS_A_CPU;

	while (nr < RS_HISTORY_SEGMENTS && nr / SHORT_SEGMENTS_A_CPU < nr_cpus)
		nr *= 2;
	return nr;
}

struct rs_history *rs_history_new(const struct rs_states *states, unsigned int nr_cpus, bool is_short)
{
	struct rs_history *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->mask = (is_short ? history_short_segments(nr_cpus) : RS_HISTORY_SEGMENTS) - 1;
	h->request_mask = (is_short ? SHORT_REQUESTS : RS_HISTORY_REQUESTS) - 1;
	h->next = h->next_request = h->first = 1;
	h->is_short = is_short;
	h->states = states;
	h->nr_cpus = nr_cpus;
	h->nr_in_chunk = NAMES_IN_CHUNK;
	h->ring = calloc(h->mask + 1, sizeof *h->ring);
	h->requests = calloc(h->request_mask + 1, sizeof *h->requests);
	h->cpus = calloc(nr_cpus + 1, sizeof *h->cpus);
	if (h->ring && h->requests && h->cpus)
		return h;
	rs_history_free(h);
	return NULL;
}

void rs_history_free(struct rs_history *h)
{
	struct name_chunk *older;

	if (!h)
		return;
	for (; h->chunks; h->chunks = older) {
		older = h->chunks->older;
		free(h->chunks);
	}
	free(h->ring);
	free(h->requests);
	free(h->cpus);
	free(h);
}

/* ---- names ---- */

/*
 * Names are taken back in the order of their evictions: the first is free at the latest when the ring has
 * turned once.
 */
static struct rs_task_name *history_reuse_name(struct rs_history *h)
{
	struct rs_task_name *n = h->evicted;

	if (!n || rs_history_is_kept(h, n->used))
		return NULL;
	h->evicted = n->evicted_next;
	return n;
}

static void history_take_back_name(struct rs_history *h, struct rs_task_name *n)
{
	if (h->evicted)
		h->evicted_last->evicted_next = n;
	else
		h->evicted = n;
	h->evicted_last = n;
	n->evicted_next = NULL;
}

static struct rs_task_name *history_new_name(struct rs_history *h)
{
	struct rs_task_name *n = history_reuse_name(h);
	struct name_chunk *chunk;

	if (n)
		return n;
	if (h->nr_in_chunk == NAMES_IN_CHUNK) {
		chunk = calloc(1, sizeof *chunk);
		if (!chunk)
			return NULL;
		chunk->older = h->chunks;
		h->chunks = chunk;
		h->nr_in_chunk = 0;
	}
	return &h->chunks->names[h->nr_in_chunk++];
}

static __attribute__((noinline)) struct rs_task_name *history_add_name(struct rs_history *h,
								       struct rs_task_instance *inst)
{
	inst->name = history_new_name(h);
	if (inst->name)
		*inst->name = (struct rs_task_name){ .task = &inst->task, .tid = inst->task.tid,
						     .inst = inst->task.inst };
	return inst->name;
}

/* NULL: no memory. */
static inline struct rs_task_name *history_name_of(struct rs_history *h, const struct rs_task *t)
{
	struct rs_task_instance *inst = rs_task_instance_of(t);

	return __builtin_expect(inst->name != NULL, 1) ? inst->name : history_add_name(h, inst);
}

static void history_copy_name(const struct rs_history *h, struct rs_task_name *n)
{
	const struct rs_task *t = n->task;
	const struct rs_task_instance *leader = t->pid && t->pid != t->tid ?
							rs_tasks_find(h->states->tasks, t->pid) :
							NULL;

	n->pid = t->pid;
	n->kernel_thread = t->kernel_thread;
	memcpy(n->comm, t->comm, sizeof n->comm);
	memcpy(n->process, leader && leader->task.comm[0] ? leader->task.comm : t->comm, sizeof n->process);
}

const struct rs_task_name *rs_history_name(struct rs_ctx *c, const struct rs_task *t)
{
	struct rs_history *h = rs_history_of(c->session);

	return t && h ? history_name_of(h, t) : NULL;
}

/* ---- segments ---- */

/* Forgets all older segments, and adds none for a while: numbers are skipped, as many as there are places. */
static void history_pause(struct rs_history *h, uint64_t until_ns)
{
	h->from_ns = until_ns;
	h->next += h->mask + 1;
	h->nr_skipped += h->mask + 1;
	h->first = h->next - 1;
}

/* The ring begins again at its first place. */
static __attribute__((noinline)) void history_turn(struct rs_history *h)
{
	uint64_t now_ns = h->ring[h->mask - 1].to_ns,
		 due_ns = h->turned_ns +
			  (h->mask + 1) / (h->nr_cpus ? h->nr_cpus : 1) * (uint64_t)NS_A_SHORT_SEGMENT;

	if (h->next - h->first > h->mask)
		h->first = h->next - h->mask;
	if (h->is_short && h->turned_ns && now_ns < due_ns)
		history_pause(h, due_ns);
	if (!h->next) { /* 0 is no number */
		h->next = 1;
		h->nr_skipped++;
	}
	h->turned_ns = now_ns > h->from_ns ? now_ns : h->from_ns;
}

bool rs_history_is_paused(const struct rs_history *h, uint64_t now_ns)
{
	return now_ns < h->from_ns;
}

/* The hot path: about 40 instructions an interval. */
static inline struct rs_segment *history_append(struct rs_history *h)
{
	struct rs_segment *seg = &h->ring[h->next & h->mask];

	if (__builtin_expect(!(++h->next & h->mask), 0))
		history_turn(h);
	/* was written a ring ago: most likely in no cache of this CPU */
	__builtin_prefetch(&h->ring[h->next & h->mask], 1);
	return seg;
}

static inline uint32_t history_number(const struct rs_history *h)
{
	return h->next - 1;
}

uint32_t rs_history_nr(const struct rs_history *h)
{
	return history_number(h) - h->nr_skipped;
}

static inline void history_link_task(const struct rs_history *h, struct rs_segment *seg,
				     struct rs_task_name *n)
{
	seg->of = n;
	seg->before = n->newest;
	n->newest = n->used = history_number(h);
}

static inline void history_link_cpu(const struct rs_history *h, struct rs_segment *seg, uint32_t *newest)
{
	seg->cpu_before = *newest;
	*newest = history_number(h);
}

/* A run-queue wait that the slice after it does not tell. */
static void history_add_queue_wait(struct rs_history *h, struct rs_task_name *n)
{
	struct rs_segment *seg;

	if (n->wait_to_ns < h->from_ns) { /* before a pause */
		n->wait_to_ns = 0;
		return;
	}
	seg = history_append(h);
	*seg = (struct rs_segment){ .from_ns = n->wait_from_ns, .to_ns = n->wait_to_ns, .kind = n->waited,
				    .cpu = n->wait_cpu, .prio = -1 };
	history_link_task(h, seg, n);
	n->wait_to_ns = 0;
}

static void history_end_queue_wait(struct rs_history *h, const struct rs_interval *iv, struct rs_task_name *n)
{
	if (__builtin_expect(n->wait_to_ns != 0, 0))
		history_add_queue_wait(h, n);
	n->wait_from_ns = rs_history_part_from_ns(n, iv->from_ns);
	n->wait_to_ns = iv->to_ns;
	n->wait_cpu = iv->cpu;
	n->waited = (uint8_t)iv->kind;
}

/* The idle time before the slice that follows at once is told there. */
static void history_add_idle(struct rs_history *h, struct rs_history_cpu *cpu, uint16_t nr)
{
	struct rs_segment *seg;

	if (cpu->idle_to_ns < h->from_ns) {
		cpu->idle_to_ns = 0;
		return;
	}
	seg = history_append(h);
	*seg = (struct rs_segment){ .from_ns = cpu->idle_from_ns, .to_ns = cpu->idle_to_ns, .kind = RS_IDLE,
				    .cpu = nr };
	history_link_cpu(h, seg, &cpu->slice);
	cpu->idle_to_ns = 0;
}

static void history_add_slice(struct rs_history *h, const struct rs_interval *iv, struct rs_task_name *n)
{
	struct rs_history_cpu *cpu = &h->cpus[iv->cpu < h->nr_cpus ? iv->cpu : h->nr_cpus];
	uint64_t idle_from_ns = 0, wait_from_ns = 0;
	struct rs_segment *seg;

	if (cpu->idle_to_ns == iv->from_ns)
		idle_from_ns = cpu->idle_from_ns;
	else if (cpu->idle_to_ns)
		history_add_idle(h, cpu, iv->cpu);
	cpu->idle_to_ns = 0;
	if (n->wait_to_ns == iv->from_ns && n->wait_cpu == iv->cpu)
		wait_from_ns = n->wait_from_ns;
	else if (n->wait_to_ns)
		history_add_queue_wait(h, n);
	n->wait_to_ns = 0;
	seg = history_append(h);
	*seg = (struct rs_segment){
		.from_ns = iv->from_ns, .to_ns = iv->to_ns, .kind = RS_RUN, .cpu = iv->cpu,
		.prio = iv->task->prio, .letter = iv->letter,
		.idle_from_ns = idle_from_ns, .wait_from_ns = wait_from_ns, .waited = n->waited,
	};
	history_link_task(h, seg, n);
	history_link_cpu(h, seg, &cpu->slice);
}

static void history_end_idle(struct rs_history *h, const struct rs_interval *iv)
{
	struct rs_history_cpu *cpu = &h->cpus[iv->cpu < h->nr_cpus ? iv->cpu : h->nr_cpus];

	if (cpu->idle_to_ns)
		history_add_idle(h, cpu, iv->cpu);
	cpu->idle_from_ns = iv->from_ns;
	cpu->idle_to_ns = iv->to_ns;
}

__attribute__((noinline)) void rs_history_interval(struct rs_history *h, const struct rs_interval *iv)
{
	struct rs_task_name *n;

	if (iv->discarded)
		return;
	if (!iv->task) {
		history_end_idle(h, iv);
		return;
	}
	n = history_name_of(h, iv->task);
	if (!n)
		return;
	if (iv->kind == RS_RUN)
		history_add_slice(h, iv, n);
	else
		history_end_queue_wait(h, iv, n);
}

/*
 * Data that a worker of the kernel asked for was wanted by the task that its completion wakes: io.max and
 * stacked devices delegate.
 */
static void history_infer_owner(struct rs_history *h, uint32_t number, struct rs_task_name *n)
{
	struct rs_done_request *r = &h->requests[number & h->request_mask];

	if (!number || !n->task || strncmp(r->comm, "kworker/", 8) != 0)
		return;
	r->tid = n->tid;
	r->pid = n->task->pid;
	memcpy(r->comm, n->task->comm, sizeof r->comm);
}

/* A kernel thread that had nothing to do: the interrupt gave it the work that follows the request. */
static bool history_is_idle_worker(const struct rs_segment *seg, const struct rs_task_name *n)
{
	return (seg->cause == RS_CAUSE_IDLE || seg->cause == RS_CAUSE_SLEEP) && n->task &&
	       n->task->kernel_thread;
}

/*
 * Who waits for a flush, or for data that another task had asked for, has no request of his own. But the
 * interrupt in which a request completes wakes those that wait for it, at once.
 */
static void history_infer_disk(struct rs_history *h, struct rs_segment *seg, struct rs_task_name *n,
			       uint16_t cpu)
{
	bool is_idle_worker = history_is_idle_worker(seg, n);

	if ((seg->cause != RS_CAUSE_OTHER_D && !is_idle_worker) || seg->waker_kind != RS_WAKER_INTERRUPT ||
	    cpu >= h->nr_cpus || h->cpus[cpu].completed_ns <= seg->from_ns ||
	    seg->to_ns - h->cpus[cpu].completed_ns > COMPLETION_NS)
		return;
	seg->what = h->cpus[cpu].completed_dev;
	seg->detail = RS_SEGMENT_COMPLETION;
	if (!is_idle_worker)
		history_infer_owner(h, h->cpus[cpu].completed_request, n);
}

/* The waker runs now: its slice in flight is the first of what it did, its newest segment the next. */
static struct rs_task_name *history_waker(struct rs_history *h, int32_t waker_tid)
{
	const struct rs_task_instance *waker = waker_tid > 0 && !h->wakes_by_interrupt ?
						       rs_tasks_find(h->states->tasks, waker_tid) :
						       NULL;
	struct rs_task_name *n = waker ? history_name_of(h, &waker->task) : NULL;

	if (n && n->wait_to_ns)
		history_add_queue_wait(h, n);
	return n;
}

static enum rs_waker_kind history_waker_kind(const struct rs_history *h, int32_t waker_tid,
					     const struct rs_task_name *waker)
{
	if (waker_tid < 0)
		return RS_WAKER_UNKNOWN;
	if (!waker_tid || h->wakes_by_interrupt)
		return RS_WAKER_INTERRUPT;
	return waker ? RS_WAKER_TASK : RS_WAKER_UNKNOWN;
}

void rs_history_set_waker(struct rs_history *h, struct rs_segment *seg, int32_t waker_tid)
{
	struct rs_task_name *waker = history_waker(h, waker_tid);

	seg->waker = waker;
	seg->waker_kind = (uint8_t)history_waker_kind(h, waker_tid, waker);
	if (!waker)
		return;
	seg->waker_at = waker->newest;
	waker->used = history_number(h);
}

__attribute__((noinline)) void rs_history_wait(struct rs_history *h, const struct rs_wait *w, uint16_t cpu)
{
	const struct rs_interval *iv = w->interval;
	struct rs_task_name *n = iv->discarded ? NULL : history_name_of(h, iv->task), *waker;
	struct rs_segment *seg;

	if (!n)
		return;
	if (n->wait_to_ns)
		history_add_queue_wait(h, n);
	waker = history_waker(h, iv->waker_tid);
	seg = history_append(h);
	*seg = (struct rs_segment){
		.from_ns = iv->from_ns, .to_ns = iv->to_ns, .kind = RS_BLOCKED, .letter = iv->letter,
		.cpu = iv->cpu, .prio = -1,
		.in_flight = iv->in_flight, .waker = waker,
		.waker_kind = (uint8_t)history_waker_kind(h, iv->waker_tid, waker),
	};
	rs_history_set_wait(seg, w);
	history_link_task(h, seg, n);
	if (waker) {
		seg->waker_at = waker->newest;
		waker->used = history_number(h);
	}
	history_infer_disk(h, seg, n, cpu);
}

/*
 * Before it is queued a woken task is often placed on another CPU, by the waker: then all of the wait is for
 * that one.
 */
void rs_history_migrate(struct rs_history *h, struct rs_task_instance *inst, uint16_t from_cpu,
			int32_t context_tid, uint64_t ts_ns)
{
	const struct rs_task *t = &inst->task;
	bool waits = (t->state == RS_DELAY || t->state == RS_PREEMPTED) && from_cpu < h->nr_cpus &&
		     !rs_history_is_paused(h, ts_ns);
	struct rs_task_name *n = waits ? history_name_of(h, t) : NULL;
	struct rs_segment *seg;
	uint64_t from_ns;

	if (!n)
		return;
	from_ns = rs_history_part_from_ns(n, t->since_ns);
	if (from_ns >= ts_ns || (t->state == RS_DELAY && from_ns == t->since_ns &&
				 (t->waker_tid <= 0 || t->waker_tid == context_tid)))
		return;
	if (n->wait_to_ns)
		history_add_queue_wait(h, n);
	seg = history_append(h);
	*seg = (struct rs_segment){ .from_ns = from_ns, .to_ns = ts_ns, .kind = (uint8_t)t->state,
				    .cpu = from_cpu, .prio = t->prio,
				    .continues = true };
	history_link_task(h, seg, n);
	n->part_from_ns = ts_ns;
}

void rs_history_irq(struct rs_history *h, const struct rs_irq *irq)
{
	struct rs_segment *seg;

	if (irq->cpu >= h->nr_cpus || rs_history_is_paused(h, irq->to_ns))
		return;
	seg = history_append(h);
	*seg = (struct rs_segment){ .from_ns = irq->from_ns, .to_ns = irq->to_ns, .kind = RS_UNKNOWN,
				    .cpu = irq->cpu,
				    .irq = irq->source, .what = irq->own_ns };
	history_link_cpu(h, seg, &h->cpus[irq->cpu].irq);
}

/* ---- tasks that come and go ---- */

void rs_history_evict(struct rs_history *h, struct rs_task_instance *inst)
{
	if (!inst->name)
		return;
	if (inst->name->wait_to_ns)
		history_add_queue_wait(h, inst->name);
	history_copy_name(h, inst->name);
	inst->name->task = NULL;
	history_take_back_name(h, inst->name);
	inst->name = NULL;
}

void rs_history_reassign(struct rs_history *h, struct rs_task_instance *from, struct rs_task_instance *to)
{
	rs_history_evict(h, to);
	if (!from->name)
		return;
	to->name = from->name;
	to->name->task = &to->task;
	to->name->tid = to->task.tid;
	to->name->inst = to->task.inst;
	from->name = NULL;
}

/* ---- requests ---- */

uint32_t *rs_history_disk(struct rs_history *h, uint32_t dev, bool add)
{
	for (unsigned int i = 0; i < h->nr_disks; i++)
		if (h->disks[i].dev == dev)
			return &h->disks[i].newest;
	if (!add || h->nr_disks == RS_HISTORY_MAX_DISKS)
		return NULL;
	h->disks[h->nr_disks].dev = dev;
	return &h->disks[h->nr_disks++].newest;
}

void rs_history_add_request(struct rs_history *h, const struct rs_request *r, uint16_t cpu)
{
	uint32_t *newest = r->discarded ? NULL : rs_history_disk(h, r->dev, true), number = h->next_request;
	struct rs_done_request *done = &h->requests[number & h->request_mask];

	if (cpu < h->nr_cpus) {
		h->cpus[cpu].completed_ns = r->complete_ns;
		h->cpus[cpu].completed_dev = r->dev;
		h->cpus[cpu].completed_request = newest ? number : 0;
	}
	if (!newest)
		return;
	*done = (struct rs_done_request){
		.begin_ns = r->begin_ns, .insert_ns = r->insert_ns, .issue_ns = r->issue_ns,
		.complete_ns = r->complete_ns, .dev = r->dev,
		.bytes = r->bytes < UINT32_MAX ? (uint32_t)r->bytes : UINT32_MAX, .pid = r->pid,
		.tid = r->tid,
		.rwbs = rs_rwbs_key(r->rwbs), .before = *newest,
	};
	memcpy(done->comm, r->comm, sizeof done->comm);
	*newest = number;
	h->next_request += h->next_request == UINT32_MAX ? 2 : 1;
}
