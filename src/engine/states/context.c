// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context - an event whose common_pid is not the CPU's current task: does it prove that a switch is missing?
 *
 * It does, unless the event belongs to the event before it (a companion event, see SEMANTICS), or the task
 * that was switched out fired it before the switch was complete.
 */
#include "engine/states/context.h"

#include "engine/internal.h"
#include "engine/states/states.h"

/* name NULL: all events of that system */
static const struct {
	const char *system, *name;
	enum rs_context_kind kind;
} kinds[] = {
	/* the stack of a sched_switch carries the pid of prev */
	{ "ftrace", "kernel_stack", RS_CONTEXT_COMPANION },
	{ "ftrace", "user_stack", RS_CONTEXT_COMPANION },
	{ "ftrace", "print", RS_CONTEXT_COMPANION },
	{ "ftrace", "bprint", RS_CONTEXT_COMPANION },
	{ "ftrace", "bputs", RS_CONTEXT_COMPANION },
	{ "ftrace", "raw_data", RS_CONTEXT_COMPANION },
	/* the kernel loads next's registers and page tables in the context of prev */
	{ "x86_fpu", NULL, RS_CONTEXT_SWITCHING },
	{ "tlb", NULL, RS_CONTEXT_SWITCHING },
	{ "msr", NULL, RS_CONTEXT_SWITCHING },
};

#define IRQS_OFF 1 /* TRACE_FLAG_IRQS_OFF of trace_events.h: no format says it, and no kernel has another */

void rs_context_bind(struct rs_session *s)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		uint32_t at = 0, id;

		while ((id = rs_formats_next_id(s->formats, kinds[i].system, kinds[i].name, &at)) <
		       s->routes.nr)
			s->routes.by_id[id].context = kinds[i].kind;
	}
}

/* A sched_switch always fires with interrupts off. */
void rs_context_learn_flags(struct rs_session *s, uint64_t switch_flags)
{
	s->cpu_contexts.irqs_recorded = switch_flags & IRQS_OFF ? RS_IRQS_RECORDED : RS_IRQS_NOT_RECORDED;
}

/*
 * Between the sched_switch event and the switch itself the kernel may fire more events in the context of
 * prev, which can be idle: with interrupts off, and before any event of next. prev can only run again after a
 * waking; without wakings, or if the waking came at the same time, the type of the event decides.
 */
static bool context_is_on_its_way_out(const struct rs_session *s, const struct rs_event *ev)
{
	bool switching = ev->id < s->routes.nr && s->routes.by_id[ev->id].context == RS_CONTEXT_SWITCHING;
	const struct rs_field *flags = &s->routes.common.flags;
	bool irqs_may_be_off = s->cpu_contexts.irqs_recorded != RS_IRQS_RECORDED || !rs_has(flags) ||
			       rs_u64(ev, flags) & IRQS_OFF;

	return irqs_may_be_off && rs_states_is_leaving(&s->states, ev->cpu, ev->tid, switching);
}

void rs_context_check(struct rs_session *s, const struct rs_cpu_context *context, int32_t tid_before,
		      const struct rs_event *ev)
{
	bool next_was_seen = tid_before == context->cpu->tid;

	if (ev->id < s->routes.nr && s->routes.by_id[ev->id].context == RS_CONTEXT_COMPANION)
		return;
	if (!next_was_seen && context_is_on_its_way_out(s, ev))
		return;
	rs_states_infer_switch(&s->states, ev->cpu, ev->tid, ev->ts_ns);
}
