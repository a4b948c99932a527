// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits - divides a task's time by what it went to, and among those who had what the task waited for */
#include "why/culprits.h"

#include "ringside/culprit.h"

#include <stdio.h>

#include "engine/analysis-instance.h"
#include "engine/cgroups/cgroup-throttles.h"
#include "engine/internal.h"
#include "engine/states/powers.h"
#include "engine/states/waits.h"
#include "why/culprits-parts.h"
#include "why/lines.h"

#define WAKEUP_NS 10000000ull     /* SEMANTICS, "Runnable beside an idle CPU" */

#define PART_ROW(id, cause, name, view, help) [RS_PART_##id] = { name, RS_CAUSE_##cause, view, help },
static const struct rs_part_row rows[RS_NR_PARTS] = { RS_PARTS(PART_ROW) };

const struct rs_part_row *rs_part_row(enum rs_time_part part)
{
	return &rows[(unsigned int)part < RS_NR_PARTS ? part : RS_PART_UNKNOWN];
}

const struct rs_cause_row *rs_part_cause(enum rs_time_part part)
{
	return rs_cause_row(rs_part_row(part)->cause);
}

/* ---- the list ---- */

static bool culprit_is_of_type(const struct rs_culprit *k, uint64_t rwbs)
{
	return k->rwbs == rwbs || rs_request_type(k->rwbs) == rs_request_type(rwbs);
}

/* A lock is held by a thread: what the others of its process do meanwhile explains nothing. */
static bool culprit_is_of_thread(const struct rs_culprit *k, int32_t tid)
{
	return (k->part != RS_PART_LOCK && k->part != RS_PART_FUTEX) || k->tid == tid;
}

/* Most often it is one of the last. NULL: not in the list. */
static struct rs_culprit *culprits_known(struct rs_culprits *out, const struct rs_culprit *as)
{
	out->steps += out->nr;
	for (struct rs_culprit *k = out->at + out->nr; k-- > out->at;)
		if (k->id == as->id && k->part == as->part && k->kind == as->kind &&
		    culprit_is_of_thread(k, as->tid) && (!out->by_type || culprit_is_of_type(k, as->rwbs)))
			return k;
	return NULL;
}

static const char *culprit_comm(const struct rs_task_name *n)
{
	return n->task ? n->task->comm : n->comm;
}

/* Where there is no room for one more: processes of one name are one. */
static struct rs_culprit *culprits_of_that_name(struct rs_culprits *out, const struct rs_culprit *k)
{
	for (unsigned int i = 0; k->name && i < out->nr; i++) {
		const struct rs_culprit *entry = &out->at[i];

		if (entry->part == k->part && entry->name &&
		    !strcmp(culprit_comm(entry->name), culprit_comm(k->name)))
			return &out->at[i];
	}
	return NULL;
}

static struct rs_culprit *culprits_entry(struct rs_culprits *out, const struct rs_culprit *k)
{
	struct rs_culprit *entry = culprits_known(out, k);

	if (entry)
		return entry;
	entry = &out->at[out->nr];
	if (out->nr < RS_MAX_CULPRITS - RS_NR_PARTS) {
		entry->kind = k->kind; /* its first piece is the longest, and tells the rest */
		entry->ns = entry->piece_ns = 0;
		out->nr++;
		return entry;
	}
	entry = culprits_of_that_name(out, k);
	if (entry)
		return entry;
	/* the last places are for the rest of each part */
	for (unsigned int i = out->nr; i--;)
		if (out->at[i].part == k->part && out->at[i].kind == RS_CULPRIT_OTHERS)
			return &out->at[i];
	entry = &out->at[out->nr++];
	*entry = (struct rs_culprit){ .part = k->part, .kind = RS_CULPRIT_OTHERS };
	return entry;
}

void rs_culprits_put(struct rs_culprits *out, const struct rs_culprit *k, uint64_t at_ns, uint64_t ns)
{
	struct rs_culprit *entry = culprits_entry(out, k);

	uint64_t total_ns = entry->ns + ns;

	/* what only the longest piece tells: its device, its lock; the rest of a part stays what it is */
	if (ns > entry->piece_ns || !entry->ns) {
		if (entry->kind != RS_CULPRIT_OTHERS || k->kind == RS_CULPRIT_OTHERS)
			*entry = *k;
		entry->piece_ns = ns;
		entry->at_ns = at_ns;
	}
	entry->ns = total_ns;
}

static void culprits_add_nobody(struct rs_culprits *out, enum rs_time_part part, enum rs_culprit_kind kind,
				uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns)
		rs_culprits_put(out, &(struct rs_culprit){ .part = part, .kind = kind }, from_ns,
				to_ns - from_ns);
}

uint64_t rs_culprits_task_id(int32_t pid, int32_t tid)
{
	return pid ? (uint64_t)pid : (uint64_t)(uint32_t)tid << 32;
}

static struct rs_culprit culprit_task(enum rs_time_part part, const struct rs_task_name *n)
{
	int32_t pid = rs_task_name_pid(n);

	return (struct rs_culprit){ .part = part, .kind = RS_CULPRIT_TASK,
				    .id = rs_culprits_task_id(pid, n->tid), .pid = pid, .tid = n->tid,
				    .name = n };
}

/* A sample has taken its share of time: what is left is like what was seen. */
static bool culprits_suffice(const struct rs_culprits_part *p)
{
	return p->out->most_steps && p->out->steps >= p->out->most_steps;
}

/* Likewise if the history reaches back to at_ns only. */
static bool culprits_are_the_last(const struct rs_culprits_part *p, uint64_t at_ns)
{
	return p->out->most_steps && at_ns < p->to_ns && rs_history_from_ns(p->c) > p->from_ns;
}

/* ---- on a CPU, or waiting for one ---- */

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
	const char *comm = n ? culprit_comm(n) : "";

	return irq->irq->kind == RS_SOFTIRQ &&
	       (!strncmp(comm, "ksoftirqd/", 10) || !strncmp(comm, "ktimers/", 8));
}

static void culprits_add_irq(struct rs_culprits *out, const struct rs_segment *irq, uint64_t ns)
{
	struct rs_culprit k = { .part = irq->irq->kind == RS_HARDIRQ ? RS_PART_IRQ : RS_PART_SOFTIRQ,
				.kind = RS_CULPRIT_IRQ,
				.id = irq->irq->index, .irq = irq->irq };

	rs_culprits_put(out, &k, irq->from_ns, ns);
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

static void culprits_divide_run(const struct rs_culprits_part *p)
{
	struct irq_cursor irqs;
	uint64_t irq_ns, slow_ns;

	culprits_irqs_begin(p, &irqs);
	irq_ns = culprits_add_irqs(p, &irqs, p->seg->of, p->from_ns, p->to_ns);
	slow_ns = rs_powers_slow_ns(p->c, p->seg->cpu, p->from_ns, p->to_ns);
	if (slow_ns > p->to_ns - p->from_ns - irq_ns)
		slow_ns = p->to_ns - p->from_ns - irq_ns;
	culprits_add_nobody(p->out, RS_PART_SLOW, RS_CULPRIT_SELF, p->from_ns, p->from_ns + slow_ns);
	culprits_add_nobody(p->out, RS_PART_RUN, RS_CULPRIT_SELF, p->from_ns + slow_ns, p->to_ns - irq_ns);
}

static struct rs_culprit culprits_of_slice(const struct rs_segment *slice, uint64_t len_ns)
{
	struct rs_culprit k = { .part = RS_PART_QUEUE };

	if (slice->kind == RS_IDLE)
		k = (struct rs_culprit){ .part = len_ns > WAKEUP_NS ? RS_PART_IDLE_CPU : RS_PART_WAKEUP,
					 .kind = RS_CULPRIT_IDLE };
	else if (slice->of)
		k = culprit_task(RS_PART_QUEUE, slice->of);
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
		struct rs_culprit as = culprit_task(RS_PART_QUEUE, n);

		known = culprits_known(p->out, &as);
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
		rs_culprits_put(p->out, &k, from_ns, ns);
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
		rs_culprits_put(p->out, &k, from_ns + exit_ns, len_ns - irq_ns - exit_ns);
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
	while (at_ns > p->from_ns && nr < RS_CULPRITS_MAX_SLICES && !culprits_suffice(p) &&
	       (slice = rs_history_next(&walk)) && slice->to_ns > p->from_ns) {
		uint64_t from_ns = slice->from_ns > p->from_ns ? slice->from_ns : p->from_ns,
			 to_ns = slice->to_ns < at_ns ? slice->to_ns : at_ns;

		if (from_ns >= at_ns)
			continue;
		culprits_add_nobody(p->out, RS_PART_QUEUE, RS_CULPRIT_UNKNOWN, to_ns, at_ns);
		culprits_add_slice(p, &irqs, slice, from_ns, to_ns);
		at_ns = from_ns;
		nr++;
		p->out->steps++;
	}
	if (!culprits_suffice(p) && !culprits_are_the_last(p, at_ns))
		culprits_add_nobody(p->out, RS_PART_QUEUE,
				    nr < RS_CULPRITS_MAX_SLICES ? RS_CULPRIT_UNKNOWN : RS_CULPRIT_OTHERS,
				    p->from_ns, at_ns);
}

/* What its quota held back is no other's: meanwhile others may have run on the CPU, or nobody. */
static void culprits_divide_runnable(const struct rs_culprits_part *p)
{
	const struct rs_task *t = p->seg->of ? p->seg->of->task : NULL;
	struct rs_culprits_part rest = *p;
	struct rs_throttle quota;

	while (t && !culprits_suffice(p) &&
	       rs_cgroup_throttles_find(p->c->session, t, p->from_ns, rest.to_ns,
					p->seg->in_flight && rest.to_ns == p->seg->to_ns, &quota)) {
		rest.from_ns = quota.to_ns;
		if (rest.from_ns < rest.to_ns)
			culprits_divide_queue(&rest);
		culprits_add_nobody(p->out, RS_PART_THROTTLED, RS_CULPRIT_SELF, quota.from_ns, quota.to_ns);
		rest.to_ns = quota.from_ns;
		p->out->steps++;
	}
	rest.from_ns = p->from_ns;
	if (rest.from_ns < rest.to_ns)
		culprits_divide_queue(&rest);
}

/* ---- sleeps ---- */

static enum rs_time_part culprits_part_of_call(const struct rs_session *s, int64_t nr)
{
	uint8_t part = rs_call_fact(rs_syscall_facts(s->syscalls)->sleep, nr);

	return part ? (enum rs_time_part)part : RS_PART_OTHER_CALL;
}

bool rs_culprits_softirq_is_own(struct rs_session *s, const struct rs_task *t)
{
	return !rs_waits_calls_are_recorded(s) ||
	       (t && t->syscall >= 0 && rs_call_has_own_softirqs(&s->parts[RS_ENGINE_CALLS].ctx, t->syscall));
}

static enum rs_time_part culprits_part_of_stall(enum rs_stall_kind kind)
{
	static const enum rs_time_part parts[RS_NR_STALLS] = {
		[RS_STALL_RECLAIM] = RS_PART_RECLAIM,       [RS_STALL_MEMCG] = RS_PART_MEMCG,
		[RS_STALL_COMPACTION] = RS_PART_COMPACTION, [RS_STALL_THROTTLE] = RS_PART_THROTTLE,
		[RS_STALL_DIRTY] = RS_PART_DIRTY,
	};

	return (unsigned int)kind < RS_NR_STALLS ? parts[kind] : RS_PART_RECLAIM;
}

static enum rs_time_part culprits_part_of_sleep(const struct rs_culprits_part *p)
{
	const struct rs_segment *seg = p->seg;

	if (seg->letter == 'T' || seg->letter == 't')
		return RS_PART_STOPPED;
	if (seg->letter == 'I' || (seg->of->task && seg->of->task->kernel_thread && !seg->call))
		return RS_PART_IDLE;
	if (seg->cause == RS_CAUSE_SLEEP && seg->call && seg->detail)
		return (enum rs_time_part)seg->detail;
	return seg->call ? culprits_part_of_call(p->c->session, rs_segment_call(seg)) : RS_PART_SLEEP;
}

static enum rs_time_part culprits_part_of_wait(const struct rs_culprits_part *p)
{
	switch ((enum rs_cause)p->seg->cause) {
	case RS_CAUSE_LOCK:
		return RS_PART_LOCK;
	case RS_CAUSE_FUTEX:
		return RS_PART_FUTEX;
	case RS_CAUSE_RECLAIM:
		return culprits_part_of_stall((enum rs_stall_kind)p->seg->detail);
	case RS_CAUSE_OTHER_D: /* who calls vfork waits in state D until its child calls exec */
		return culprits_part_of_sleep(p) == RS_PART_CHILD ? RS_PART_CHILD : RS_PART_KERNEL;
	case RS_CAUSE_IDLE:
	case RS_CAUSE_SLEEP:
		return culprits_part_of_sleep(p);
	case RS_CAUSE_OFF_CPU:
		return RS_PART_OFF_CPU;
	default:
		return RS_PART_SLEEP;
	}
}

static struct rs_culprit culprits_waker(const struct rs_culprits_part *p, enum rs_time_part part,
					const struct rs_segment *seg)
{
	struct rs_culprit k = { .part = part };

	if (seg->waker_kind == RS_WAKER_TASK)
		k = culprit_task(part, seg->waker);
	else if (seg->waker_kind == RS_WAKER_INTERRUPT)
		k.kind = RS_CULPRIT_INTERRUPT;
	if (part == RS_PART_LOCK || part == RS_PART_FUTEX)
		k.lock_addr = p->seg->what;
	if (part == RS_PART_LOCK)
		k.lock_flags = p->seg->detail;
	if ((p->seg->cause == RS_CAUSE_SLEEP || p->seg->cause == RS_CAUSE_IDLE) && p->seg->call)
		k.socket = (uint32_t)p->seg->what;
	return k;
}

static void culprits_divide_wait(const struct rs_culprits_part *p)
{
	enum rs_time_part part = culprits_part_of_wait(p);
	struct rs_line_part held;
	struct rs_line line;

	rs_line_begin(&line, p->c, p->seg, p->from_ns, p->to_ns);
	while (rs_line_next(&line, &held)) {
		struct rs_culprit k = culprits_waker(p, part, held.seg);

		rs_culprits_put(p->out, &k, held.from_ns, held.to_ns - held.from_ns);
	}
	p->out->steps += line.steps;
}

/* ---- all of it ---- */

static void culprits_divide(const struct rs_culprits_part *p)
{
	struct rs_culprits_done done;

	switch ((enum rs_state)p->seg->kind) {
	case RS_RUN:
		culprits_divide_run(p);
		break;
	case RS_DELAY:
	case RS_PREEMPTED:
		culprits_divide_runnable(p);
		break;
	case RS_BLOCKED:
		if (rs_culprits_find_done(p, &done))
			rs_culprits_divide_disk(p, &done);
		else
			culprits_divide_wait(p);
		break;
	default:
		culprits_add_nobody(p->out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p->from_ns, p->to_ns);
	}
}

void rs_culprits_add_part(struct rs_culprits *out, enum rs_time_part part, uint64_t from_ns, uint64_t to_ns)
{
	culprits_add_nobody(out, part, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
}

void rs_culprits_add(struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns, uint64_t to_ns,
		     struct rs_culprits *out)
{
	if (!seg)
		culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
	else if (to_ns > from_ns)
		culprits_divide(&(struct rs_culprits_part){ c, seg, from_ns, to_ns, out });
}

static void culprits_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			  unsigned int most_steps, struct rs_culprits *out)
{
	struct rs_culprits_part p = { .c = c, .out = out };
	struct rs_history_walk walk;
	uint64_t at_ns = to_ns;

	out->nr = out->steps = 0;
	out->number = ++c->session->nr_culprit_lists;
	out->most_steps = most_steps;
	rs_history_walk_task(c, &walk, rs_history_name(c, t));
	while (at_ns > from_ns && (p.seg = rs_history_next(&walk)) && p.seg->to_ns > from_ns) {
		p.from_ns = p.seg->from_ns > from_ns ? p.seg->from_ns : from_ns;
		p.to_ns = p.seg->to_ns < at_ns ? p.seg->to_ns : at_ns;
		if (p.from_ns >= at_ns)
			continue;
		culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p.to_ns, at_ns);
		culprits_divide(&p);
		at_ns = p.from_ns;
		if (culprits_suffice(&p))
			return;
	}
	culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, at_ns);
}

void rs_culprits_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		      struct rs_culprits *out)
{
	out->by_type = false;
	culprits_find(c, t, from_ns, to_ns, 0, out);
}

void rs_culprits_sample(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			unsigned int most_steps, struct rs_culprits *out)
{
	out->by_type = false;
	culprits_find(c, t, from_ns, to_ns, most_steps, out);
}

void rs_culprits_find_by_type(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
			      struct rs_culprits *out)
{
	out->by_type = true;
	culprits_find(c, t, from_ns, to_ns, 0, out);
}

void rs_culprits_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_culprits *out)
{
	const struct rs_done_request *own = rs_history_request(c, r->dev, NULL);
	struct rs_segment seg = { .of = rs_history_name(c, r->tid > 0 ? rs_task_find(c, r->tid) : NULL) };

	out->nr = out->steps = out->most_steps = out->number = 0;
	out->by_type = true;
	if (own && own->complete_ns == r->complete_ns)
		rs_culprits_divide_device(
			&(struct rs_culprits_part){ c, &seg, own->begin_ns, own->complete_ns, out }, own,
			false);
}

const char *rs_culprit_text(struct rs_ctx *c, const struct rs_culprit *k, char *buf, size_t size_bytes)
{
	switch (k->kind) {
	case RS_CULPRIT_SELF:
		return "itself";
	case RS_CULPRIT_TASK:
		return k->name ? rs_task_name_comm(c, k->name) : k->comm ? k->comm : "";
	case RS_CULPRIT_INTERRUPT:
		return "interrupt";
	case RS_CULPRIT_IRQ:
		snprintf(buf, size_bytes, "%s %u%s%s", rs_irq_kind_name(k->irq->kind), k->irq->nr,
			 k->irq->name[0] ? " " : "", k->irq->name);
		return buf;
	case RS_CULPRIT_IDLE:
		return "idle";
	case RS_CULPRIT_OTHERS:
		return "others";
	default:
		return "";
	}
}

unsigned int rs_culprits_meanwhile(struct rs_ctx *c, const struct rs_task_name *n, uint64_t from_ns,
				   uint64_t to_ns, unsigned int most_steps, uint64_t ns[RS_NR_CAUSES])
{
	struct rs_history_walk walk;
	const struct rs_segment *seg;
	uint64_t at_ns = to_ns;
	unsigned int steps = 0;

	memset(ns, 0, RS_NR_CAUSES * sizeof *ns);
	rs_history_walk_task(c, &walk, n);
	for (;
	     at_ns > from_ns && steps < most_steps && (seg = rs_history_next(&walk)) && seg->to_ns > from_ns;
	     steps++) {
		uint64_t begin_ns = seg->from_ns > from_ns ? seg->from_ns : from_ns,
			 end_ns = seg->to_ns < at_ns ? seg->to_ns : at_ns;

		if (begin_ns >= at_ns)
			continue;
		ns[RS_CAUSE_NOT_SEEN] += at_ns - end_ns;
		ns[rs_cause_of_state((enum rs_state)seg->kind, (enum rs_cause)seg->cause)] += end_ns -
											      begin_ns;
		at_ns = begin_ns;
	}
	if (at_ns == to_ns || (steps < most_steps && rs_history_from_ns(c) <= from_ns))
		ns[RS_CAUSE_NOT_SEEN] += at_ns - from_ns;
	else
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			ns[cause] = (uint64_t)((double)ns[cause] *
					       ((double)(to_ns - from_ns) / (double)(to_ns - at_ns)));
	return steps;
}
