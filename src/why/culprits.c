// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits - divides a task's time by what it went to, and among those who had what the task waited for */
#include "why/culprits.h"

#include "ringside/culprit.h"

#include <stdio.h>

#include "engine/analysis-instance.h"
#include "engine/internal.h"
#include "engine/states/waits.h"
#include "why/culprits-parts.h"
#include "why/lines.h"

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
		k = rs_culprits_list_task(part, seg->waker);
	else if (seg->waker_kind == RS_WAKER_INTERRUPT)
		k.kind = RS_CULPRIT_INTERRUPT;
	if (part == RS_PART_LOCK || part == RS_PART_FUTEX)
		k.lock_addr = p->seg->what;
	if (part == RS_PART_LOCK)
		k.lock_flags = p->seg->detail;
	k.socket = rs_segment_socket(p->seg);
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

		rs_culprits_list_put(p->out, &k, held.from_ns, held.to_ns - held.from_ns);
	}
	p->out->steps += line.steps;
}

/* ---- all of it ---- */

static void culprits_divide(const struct rs_culprits_part *p)
{
	struct rs_culprits_done done;

	switch ((enum rs_state)p->seg->kind) {
	case RS_RUN:
		rs_culprits_cpu_divide_run(p);
		break;
	case RS_DELAY:
	case RS_PREEMPTED:
		rs_culprits_cpu_divide_runnable(p);
		break;
	case RS_BLOCKED:
		if (rs_culprits_find_done(p, &done))
			rs_culprits_divide_disk(p, &done);
		else
			culprits_divide_wait(p);
		break;
	default:
		rs_culprits_list_add_nobody(p->out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p->from_ns,
					    p->to_ns);
	}
}

void rs_culprits_add_part(struct rs_culprits *out, enum rs_time_part part, uint64_t from_ns, uint64_t to_ns)
{
	rs_culprits_list_add_nobody(out, part, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
}

void rs_culprits_add(struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns, uint64_t to_ns,
		     struct rs_culprits *out)
{
	if (!seg)
		rs_culprits_list_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
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
		rs_culprits_list_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p.to_ns, at_ns);
		culprits_divide(&p);
		at_ns = p.from_ns;
		if (rs_culprits_suffice(&p))
			return;
	}
	rs_culprits_list_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, at_ns);
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
