// SPDX-License-Identifier: GPL-2.0-or-later
/* history-walk - back through the history of a task, a CPU, its interrupts or a disk, newest first */
#include "why/history-parts.h"

#define NEAR_STEPS 32
#define SEEK_SEGMENTS 256u  /* of other CPUs and tasks, between two of one CPU */

static struct rs_history *history_of(const struct rs_ctx *c)
{
	return rs_history_of(c->session);
}

const char *rs_task_name_comm(struct rs_ctx *c, const struct rs_task_name *n)
{
	const char *comm = n->task ? rs_task_process_comm(c, n->task) : n->process;

	return comm ? comm : "";
}

uint64_t rs_history_from_ns(const struct rs_ctx *c)
{
	const struct rs_history *h = history_of(c);

	/* the newest that is no longer part of it */
	uint64_t from_ns = h ? h->ring[h->next & h->mask].to_ns : 0;

	return h && h->from_ns > from_ns ? h->from_ns : from_ns;
}

/*
 * While its end is dispatched, a state is still the one that the task is in; and so it is after the end of a
 * time range.
 */
static bool history_has_just_ended(const struct rs_history *h, uint32_t newest, uint64_t now_ns)
{
	return rs_history_is_kept(h, newest) && h->ring[newest & h->mask].to_ns >= now_ns;
}

/* The state that the task is in now, as a segment. Returns false if it is unknown. */
static bool history_open_task(struct rs_ctx *c, const struct rs_task_name *n, struct rs_segment *seg)
{
	struct rs_history *h = history_of(c);
	const struct rs_task *t = n->task;
	uint64_t open_ns = 0, now_ns = rs_last_event_ns(c);
	bool may_be_open = t && n->wait_to_ns < now_ns && !history_has_just_ended(h, n->newest, now_ns);
	enum rs_state state = may_be_open ? rs_task_state(c, t, &open_ns) : RS_UNKNOWN;
	struct rs_wait w = { .syscall = -1 };

	if (state == RS_UNKNOWN || state == RS_DEAD || open_ns == RS_AGE_UNKNOWN || !open_ns)
		return false;
	*seg = (struct rs_segment){ .from_ns = t->since_ns, .to_ns = now_ns, .of = n, .kind = (uint8_t)state,
				    .cpu = t->cpu,
				    .prio = t->prio, .letter = t->letter, .in_flight = true };
	if (state != RS_RUN && state != RS_BLOCKED)
		seg->from_ns = rs_history_part_from_ns(n, t->since_ns);
	if (state == RS_BLOCKED && rs_task_wait(c, t, &w))
		rs_history_set_wait(seg, &w);
	return true;
}

static void history_walk_begin(struct rs_ctx *c, struct rs_history_walk *w, uint32_t next)
{
	w->history = history_of(c);
	w->next = next;
	w->by = RS_WALK_TASK;
	w->has_open = false;
	w->told.to_ns = 0;
}

void rs_history_walk_task(struct rs_ctx *c, struct rs_history_walk *w, const struct rs_task_name *n)
{
	history_walk_begin(c, w, n ? n->newest : 0);
	w->has_open = n && w->history && history_open_task(c, n, &w->open);
	if (n && n->wait_to_ns)
		w->told = (struct rs_segment){ .from_ns = n->wait_from_ns, .to_ns = n->wait_to_ns, .of = n,
					       .kind = n->waited, .cpu = n->wait_cpu, .prio = -1 };
}

static bool history_precedes_slice(const struct rs_segment *seg)
{
	return seg->kind == RS_DELAY || seg->kind == RS_PREEMPTED ||
	       (seg->kind == RS_BLOCKED && seg->cause == RS_CAUSE_OFF_CPU);
}

void rs_history_walk_waker(struct rs_ctx *c, struct rs_history_walk *w, const struct rs_segment *seg)
{
	const struct rs_segment *newest;

	history_walk_begin(c, w, seg->waker_kind == RS_WAKER_TASK ? seg->waker_at : 0);
	newest = rs_history_is_kept(w->history, w->next) ? &w->history->ring[w->next & w->history->mask] :
							   NULL;
	/* after anything but a run-queue wait it is not known since when it ran */
	if (!newest || newest->of != seg->waker || newest->to_ns >= seg->to_ns ||
	    !history_precedes_slice(newest))
		return;
	w->has_open = true;
	w->open = (struct rs_segment){ .from_ns = newest->to_ns, .to_ns = seg->to_ns, .of = seg->waker,
				       .kind = RS_RUN, .prio = -1,
				       .cpu = newest->cpu };
}

/*
 * Returns the first number of a ring whose end is not before ns; next if there is none. Ends are in order but
 * for what is told late, which is older than what is next to it: then it returns a later one. stride: from
 * end to end, in words.
 */
static uint32_t history_seek(const uint64_t *ends_ns, size_t stride, uint32_t mask, uint32_t first,
			     uint32_t next, uint64_t ns)
{
	uint32_t nr = next - first < mask ? next - first : mask, number = next - nr;

	while (nr) {
		uint32_t half = nr / 2;

		if (ends_ns[((number + half) & mask) * stride] < ns) {
			number += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return number;
}

/* The segment to begin at is not the newest. */
static bool history_walk_is_far(const struct rs_history_walk *w, uint64_t ns)
{
	return rs_history_is_kept(w->history, w->next) &&
	       w->history->ring[w->next & w->history->mask].from_ns >= ns;
}

/*
 * A long way back is gone at one stroke: to the first of that kind and CPU that ends at ns or later. Returns
 * false if none is near.
 */
static bool history_walk_seek(struct rs_history_walk *w, enum rs_state kind, unsigned int cpu, uint64_t ns)
{
	const struct rs_history *h = w->history;
	uint32_t number;

	number = history_seek(&h->ring->to_ns, sizeof *h->ring / sizeof(uint64_t), h->mask, h->first, h->next,
			      ns);
	for (unsigned int i = 0; i < SEEK_SEGMENTS && number != h->next; i++, number++) {
		const struct rs_segment *seg = &h->ring[number & h->mask];

		if (seg->kind == kind && seg->cpu == cpu && seg->to_ns >= ns) {
			w->next = number;
			return true;
		}
	}
	return false;
}

/*
 * Goes back as long as the one before ends at ns or later, too. Returns false if that takes more than a few
 * steps: where there are few of a kind, these are less work than to look for one among all segments.
 */
static bool history_walk_step_back(struct rs_history_walk *w, uint64_t ns)
{
	const struct rs_history *h = w->history;

	for (unsigned int i = 0; i < NEAR_STEPS && rs_history_is_kept(h, w->next); i++) {
		uint32_t before = h->ring[w->next & h->mask].cpu_before;

		if (!rs_history_is_kept(h, before) || h->ring[before & h->mask].to_ns < ns)
			return true;
		w->next = before;
	}
	return !rs_history_is_kept(h, w->next);
}

/*
 * Who divides several waits of a time goes back from one to the next: what is sought is a few steps before
 * what was sought last. Returns false if it is not.
 */
static bool history_walk_on(struct rs_history_walk *w, uint32_t sought, unsigned int cpu, uint64_t ns)
{
	const struct rs_history *h = w->history;
	const struct rs_segment *seg = &h->ring[sought & h->mask];
	uint32_t newest = w->next;

	if (!rs_history_is_kept(h, sought) || seg->cpu != cpu || seg->to_ns < ns)
		return false;
	w->next = sought;
	if (history_walk_step_back(w, ns))
		return true;
	w->next = newest;
	return false;
}

/* A CPU that does not exist has none. */
static struct rs_history_cpu *history_walk_chain(struct rs_ctx *c, struct rs_history_walk *w,
						 unsigned int cpu)
{
	struct rs_history *h = history_of(c);
	struct rs_history_cpu *at = h && cpu < h->nr_cpus ? &h->cpus[cpu] : NULL;

	history_walk_begin(c, w, at ? at->slice : 0);
	w->by = RS_WALK_CPU;
	return at;
}

void rs_history_walk_cpu(struct rs_ctx *c, struct rs_history_walk *w, unsigned int cpu, uint64_t to_ns)
{
	struct rs_history *h = history_of(c);
	struct rs_history_cpu *at = history_walk_chain(c, w, cpu);
	const struct rs_task_instance *inst = at ? h->states->cpus[cpu].inst : NULL;
	uint64_t open_ns = 0, now_ns = rs_last_event_ns(c);
	enum rs_state state;

	if (!at)
		return;
	if (history_walk_is_far(w, to_ns) &&
	    (history_walk_on(w, at->sought_slice, cpu, to_ns) || history_walk_seek(w, RS_RUN, cpu, to_ns))) {
		at->sought_slice = w->next;
		return;
	}
	if (at->idle_to_ns)
		w->told = (struct rs_segment){ .from_ns = at->idle_from_ns, .to_ns = at->idle_to_ns,
					       .kind = RS_IDLE, .cpu = (uint16_t)cpu, .prio = -1 };
	state = at->idle_to_ns < now_ns && !history_has_just_ended(h, w->next, now_ns) ?
			rs_cpu_state(c, cpu, &open_ns) :
			RS_UNKNOWN;
	if (state == RS_UNKNOWN || !open_ns)
		return;
	w->has_open = true;
	w->open = (struct rs_segment){
		.from_ns = now_ns - open_ns, .to_ns = now_ns, .kind = (uint8_t)state, .cpu = (uint16_t)cpu,
		.of = inst ? rs_history_name(c, &inst->task) : NULL, .prio = inst ? inst->task.prio : -1,
		.in_flight = true,
	};
}

void rs_history_walk_irqs(struct rs_ctx *c, struct rs_history_walk *w, unsigned int cpu, uint64_t to_ns)
{
	struct rs_history_cpu *at = history_walk_chain(c, w, cpu);

	w->next = at ? at->irq : 0;
	if (!at)
		return;
	if (!history_walk_on(w, at->sought_irq, cpu, to_ns) && !history_walk_step_back(w, to_ns))
		history_walk_seek(w, RS_UNKNOWN, cpu, to_ns);
	at->sought_irq = w->next;
}

/*
 * The time before a slice, as far as that has no segment of its own: its task waited for the CPU, or the CPU
 * was idle.
 */
static void history_set_before(struct rs_history_walk *w, const struct rs_segment *slice)
{
	bool is_task = w->by == RS_WALK_TASK;
	uint64_t from_ns = is_task ? slice->wait_from_ns : slice->idle_from_ns;

	if (from_ns)
		w->told = (struct rs_segment){ .from_ns = from_ns, .to_ns = slice->from_ns,
					       .of = is_task ? slice->of : NULL,
					       .kind = is_task ? slice->waited : RS_IDLE, .cpu = slice->cpu,
					       .prio = -1 };
}

const struct rs_segment *rs_history_next(struct rs_history_walk *w)
{
	const struct rs_segment *seg;

	if (w->has_open) {
		w->has_open = false;
		return &w->open;
	}
	if (w->told.to_ns) {
		w->open = w->told;
		w->told.to_ns = 0;
		return &w->open;
	}
	if (!w->history || !rs_history_is_kept(w->history, w->next))
		return NULL;
	seg = &w->history->ring[w->next & w->history->mask];
	w->next = w->by == RS_WALK_TASK ? seg->before : seg->cpu_before;
	if (seg->kind == RS_RUN)
		history_set_before(w, seg);
	return seg;
}

const struct rs_done_request *rs_history_request(struct rs_ctx *c, uint32_t dev,
						 const struct rs_done_request *after)
{
	struct rs_history *h = history_of(c);
	const uint32_t *newest = h ? rs_history_disk(h, dev, false) : NULL;
	uint32_t number = after ? after->before : newest ? *newest : 0;

	if (!number || h->next_request - number > h->request_mask)
		return NULL;
	return &h->requests[number & h->request_mask];
}

const struct rs_done_request *rs_history_request_by(struct rs_ctx *c, uint32_t dev, uint64_t by_ns)
{
	struct rs_history *h = history_of(c);
	const struct rs_done_request *r = rs_history_request(c, dev, NULL);
	uint32_t number = r && r->complete_ns > by_ns ?
				  history_seek(&h->requests->complete_ns, sizeof *r / sizeof(uint64_t),
					       h->request_mask, h->next_request - h->request_mask,
					       h->next_request, by_ns) :
				  0;

	for (unsigned int i = 0; number && i < SEEK_SEGMENTS && number != h->next_request; i++, number++)
		if (h->requests[number & h->request_mask].dev == dev &&
		    h->requests[number & h->request_mask].complete_ns >= by_ns) {
			r = &h->requests[number & h->request_mask];
			break;
		}
	while (r && r->complete_ns > by_ns)
		r = rs_history_request(c, dev, r);
	return r;
}
