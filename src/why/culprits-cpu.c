// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * culprits-cpu - divides what a task did on a CPU, or waited for one: interrupts, who ran in its place, its
 * quota
 */
#include <string.h>

#include "engine/cgroups/cgroup-throttles.h"
#include "engine/internal.h"
#include "engine/states/powers.h"
#include "why/culprits-parts.h"

#define WAKEUP_NS 10000000ull     /* SEMANTICS, "Runnable beside an idle CPU" */

/*
 * The interrupts of a CPU, newest first, along with the slices that they came in. One lies in one slice: it
 * ends before the CPU switches.
 */
struct irq_cursor {
	struct rs_history_walk walk;
	const struct rs_segment *irq;  /* the next; NULL: no more */
};

static void culprits_irqs_begin(const struct rs_culprits_part *p, struct irq_cursor *cursor)
{
	rs_history_walk_irqs(p->c, &cursor->walk, p->seg->cpu, p->to_ns);
	cursor->irq = rs_history_next(&cursor->walk);
}

/* A softirq is the very work of that thread: it does not take it from itself. */
static bool culprits_is_own_softirq(const struct rs_segment *irq, const struct rs_task_name *n)
{
	const char *comm = n ? rs_culprits_list_comm(n) : "";

	return irq->irq->kind == RS_SOFTIRQ &&
	       (!strncmp(comm, "ksoftirqd/", 10) || !strncmp(comm, "ktimers/", 8));
}

static void culprits_add_irq(struct rs_culprits *out, const struct rs_segment *irq, uint64_t ns)
{
	struct rs_culprit k = { .part = irq->irq->kind == RS_HARDIRQ ? RS_PART_IRQ : RS_PART_SOFTIRQ,
				.kind = RS_CULPRIT_IRQ,
				.id = irq->irq->index, .irq = irq->irq };

	rs_culprits_list_put(out, &k, irq->from_ns, ns);
}

/*
 * Adds the interrupts between two times, which are earlier than those of the call before. Returns how long
 * they took.
 */
static uint64_t culprits_add_irqs(const struct rs_culprits_part *p, struct irq_cursor *cursor,
				  const struct rs_task_name *n, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum_ns = 0;

	for (; cursor->irq && cursor->irq->to_ns > from_ns;
	     cursor->irq = rs_history_next(&cursor->walk), p->out->steps++) {
		const struct rs_segment *irq = cursor->irq;
		uint64_t inside_ns = rs_part_ns(from_ns, irq->from_ns,
						irq->to_ns < to_ns ? irq->to_ns : to_ns);

		if (inside_ns > irq->what)
			inside_ns = irq->what;
		if (inside_ns > to_ns - from_ns - sum_ns)
			inside_ns = to_ns - from_ns - sum_ns;
		if (culprits_is_own_softirq(irq, n))
			continue;
		sum_ns += inside_ns;
		if (inside_ns)
			culprits_add_irq(p->out, irq, inside_ns);
	}
	return sum_ns;
}

void rs_culprits_cpu_divide_run(const struct rs_culprits_part *p)
{
	struct irq_cursor irqs;
	uint64_t irq_ns, slow_ns;

	culprits_irqs_begin(p, &irqs);
	irq_ns = culprits_add_irqs(p, &irqs, p->seg->of, p->from_ns, p->to_ns);
	slow_ns = rs_powers_slow_ns(p->c, p->seg->cpu, p->from_ns, p->to_ns);
	if (slow_ns > p->to_ns - p->from_ns - irq_ns)
		slow_ns = p->to_ns - p->from_ns - irq_ns;
	rs_culprits_list_add_nobody(p->out, RS_PART_SLOW, RS_CULPRIT_SELF, p->from_ns, p->from_ns + slow_ns);
	rs_culprits_list_add_nobody(p->out, RS_PART_RUN, RS_CULPRIT_SELF, p->from_ns + slow_ns,
				    p->to_ns - irq_ns);
}

static struct rs_culprit culprits_of_slice(const struct rs_segment *slice, uint64_t len_ns)
{
	struct rs_culprit k = { .part = RS_PART_QUEUE };

	if (slice->kind == RS_IDLE)
		k = (struct rs_culprit){ .part = len_ns > WAKEUP_NS ? RS_PART_IDLE_CPU : RS_PART_WAKEUP,
					 .kind = RS_CULPRIT_IDLE };
	else if (slice->of)
		k = rs_culprits_list_task(RS_PART_QUEUE, slice->of);
	k.cpu_1 = (uint16_t)(slice->cpu + 1);
	return k;
}

/* Most slices are no longer than one of that task's before: then nothing but the time is new. */
static bool culprits_add_known_slice(const struct rs_culprits_part *p, const struct rs_segment *slice,
				     uint64_t ns)
{
	struct rs_task_name *n = (struct rs_task_name *)(uintptr_t)slice->of;
	struct rs_culprit *known;

	if (!n)
		return false;
	if (!p->out->number || n->list != p->out->number) {
		struct rs_culprit as = rs_culprits_list_task(RS_PART_QUEUE, n);

		known = rs_culprits_list_known(p->out, &as);
		if (!known)
			return false;
		n->list = p->out->number;
		n->place = (uint32_t)(known - p->out->at);
	}
	known = &p->out->at[n->place];
	if (ns > known->piece_ns)
		return false;
	known->ns += ns;
	return true;
}

/* Adds what comes first of a wake-up; most_ns: it is no longer than that. Returns how long it took. */
static uint64_t culprits_add_exit(const struct rs_culprits_part *p, const struct rs_culprit *wakeup,
				  uint64_t from_ns, uint64_t to_ns, uint64_t most_ns)
{
	struct rs_culprit k = *wakeup;
	bool is_deep = false;
	uint64_t ns = rs_powers_exit_ns(p->c, p->seg->cpu, from_ns, to_ns, &is_deep);

	k.part = is_deep ? RS_PART_DEEP_EXIT : RS_PART_IDLE_EXIT;
	if (ns > most_ns)
		ns = most_ns;
	if (ns)
		rs_culprits_list_put(p->out, &k, from_ns, ns);
	return ns;
}

/* Beside an idle CPU nothing else holds a task that has a quota back for so long. */
static bool culprits_has_quota(const struct rs_culprits_part *p)
{
	const struct rs_task *t = p->seg->of ? p->seg->of->task : NULL;

	return t && rs_cgroup_throttles_has_quota(p->c->session, t);
}

/* The slice of others, from..to of it: the wait's own bounds decide how long the CPU was idle beside it. */
static void culprits_add_slice(const struct rs_culprits_part *p, struct irq_cursor *irqs,
			       const struct rs_segment *slice, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t len_ns = to_ns - from_ns, irq_ns = irqs->irq && irqs->irq->to_ns > from_ns ?
							    culprits_add_irqs(p, irqs, NULL, from_ns, to_ns) :
							    0;
	uint64_t exit_ns = 0;
	struct rs_culprit k;

	if (len_ns <= irq_ns || culprits_add_known_slice(p, slice, len_ns - irq_ns))
		return;
	k = culprits_of_slice(slice, len_ns);
	if (k.part == RS_PART_IDLE_CPU && culprits_has_quota(p))
		k = (struct rs_culprit){ .part = RS_PART_THROTTLED, .kind = RS_CULPRIT_SELF };
	if (k.part == RS_PART_WAKEUP)
		exit_ns = culprits_add_exit(p, &k, from_ns, to_ns, len_ns - irq_ns);
	if (len_ns - irq_ns > exit_ns)
		rs_culprits_list_put(p->out, &k, from_ns + exit_ns, len_ns - irq_ns - exit_ns);
}

static void culprits_divide_queue(const struct rs_culprits_part *p)
{
	struct rs_history_walk walk;
	const struct rs_segment *slice;
	struct irq_cursor irqs;
	uint64_t at_ns = p->to_ns;
	unsigned int nr = 0;

	culprits_irqs_begin(p, &irqs);
	rs_history_walk_cpu(p->c, &walk, p->seg->cpu, p->to_ns);
	while (at_ns > p->from_ns && nr < RS_CULPRITS_MAX_SLICES && !rs_culprits_suffice(p) &&
	       (slice = rs_history_next(&walk)) && slice->to_ns > p->from_ns) {
		uint64_t from_ns = slice->from_ns > p->from_ns ? slice->from_ns : p->from_ns,
			 to_ns = slice->to_ns < at_ns ? slice->to_ns : at_ns;

		if (from_ns >= at_ns)
			continue;
		rs_culprits_list_add_nobody(p->out, RS_PART_QUEUE, RS_CULPRIT_UNKNOWN, to_ns, at_ns);
		culprits_add_slice(p, &irqs, slice, from_ns, to_ns);
		at_ns = from_ns;
		nr++;
		p->out->steps++;
	}
	if (!rs_culprits_suffice(p) && !rs_culprits_are_the_last(p, at_ns))
		rs_culprits_list_add_nobody(p->out, RS_PART_QUEUE,
					    nr < RS_CULPRITS_MAX_SLICES ? RS_CULPRIT_UNKNOWN :
									  RS_CULPRIT_OTHERS,
					    p->from_ns, at_ns);
}

/* What its quota held back is no other's: meanwhile others may have run on the CPU, or nobody. */
void rs_culprits_cpu_divide_runnable(const struct rs_culprits_part *p)
{
	const struct rs_task *t = p->seg->of ? p->seg->of->task : NULL;
	struct rs_culprits_part rest = *p;
	struct rs_throttle quota;

	while (t && !rs_culprits_suffice(p) &&
	       rs_cgroup_throttles_find(p->c->session, t, p->from_ns, rest.to_ns,
					p->seg->in_flight && rest.to_ns == p->seg->to_ns, &quota)) {
		rest.from_ns = quota.to_ns;
		if (rest.from_ns < rest.to_ns)
			culprits_divide_queue(&rest);
		rs_culprits_list_add_nobody(p->out, RS_PART_THROTTLED, RS_CULPRIT_SELF, quota.from_ns,
					    quota.to_ns);
		rest.to_ns = quota.from_ns;
		p->out->steps++;
	}
	rest.from_ns = p->from_ns;
	if (rest.from_ns < rest.to_ns)
		culprits_divide_queue(&rest);
}
