// SPDX-License-Identifier: GPL-2.0-or-later
/* wakers - finds the waker that ended a wait: a state has its tid, the rest follows from the tracks */
#include "query/wakers.h"

#include "ringside/plugin.h"

static bool is_delay(void *arg, const struct rs_timeline_span *s)
{
	(void)arg;
	return rs_state_of(s->arg) == RS_DELAY;
}

/* A preempted wait belongs to the same work: it has no waker of its own. */
static bool is_no_preemption(void *arg, const struct rs_timeline_span *s)
{
	(void)arg;
	return rs_state_of(s->arg) != RS_PREEMPTED && rs_state_of(s->arg) != RS_RUN;
}

/* Finds the last of those states, NULL: of any, that ended at end_ns or before. */
static bool last_before(struct rs_timelines *t, const struct rs_track_ref *ref, uint64_t end_ns,
			rs_timeline_each *wanted, struct rs_timeline_span *found)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct rs_timeline_span than = { .start_ns = end_ns + 1, .end_ns = end_ns + 1 };

	return rs_timeline_nearest(tl, rs_track_timeline(tl, ref, RS_SPAN_STATE), true, &than, 0, wanted,
				   NULL, found);
}

/* The scheduling delay before a run: it began with the waking. A gap between them makes it unknown. */
static bool wake_of_run(struct rs_timelines *t, const struct rs_track_ref *ref, uint64_t start_ns,
			struct rs_timeline_span *delay)
{
	return last_before(t, ref, start_ns, is_no_preemption, delay) && rs_state_of(delay->arg) == RS_DELAY;
}

static bool wake_of_state(struct rs_timelines *t, const struct rs_slowest_span *s, int32_t *tid,
			  uint64_t *at_ns)
{
	enum rs_state state = rs_state_of(s->span.arg);
	struct rs_timeline_span delay = s->span;

	if (state == RS_BLOCKED && !(s->span.kind & RS_KIND_OPEN))
		*at_ns = s->span.end_ns;
	else if (state == RS_DELAY || ((state == RS_RUN || state == RS_PREEMPTED) &&
				       wake_of_run(t, &s->ref, s->span.start_ns, &delay)))
		*at_ns = delay.start_ns;
	else
		return false;
	*tid = rs_state_waker(delay.arg);
	return true;
}

static bool wake_within(struct rs_timelines *t, const struct rs_slowest_span *s, int32_t *tid,
			uint64_t *at_ns)
{
	struct rs_timeline_span delay;

	if (!last_before(t, &s->ref, s->span.end_ns, is_delay, &delay) || delay.start_ns < s->span.start_ns)
		return false;
	*tid = rs_state_waker(delay.arg);
	*at_ns = delay.start_ns;
	return true;
}

bool rs_wakers_find(struct rs_timelines *t, const struct rs_slowest_span *s, struct rs_waker *waker)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, &s->span);
	struct rs_track_ref task = { RS_TRACK_TASK, 0 };
	struct rs_timeline_span delay;
	bool known = false;

	*waker = (struct rs_waker){ .tid = -1 };
	if (s->ref.of == RS_TRACK_TASK && s->shape == RS_SPAN_STATE) {
		known = wake_of_state(t, s, &waker->tid, &waker->at_ns);
	} else if (s->ref.of == RS_TRACK_TASK) {
		known = wake_within(t, s, &waker->tid, &waker->at_ns);
	} else if (kind && kind->of_task) {
		task.id = rs_task_track(rs_span_tid(s->span.arg), rs_span_task_instance(s->span.arg));
		known = wake_of_run(t, &task, s->span.start_ns, &delay);
		waker->tid = known ? rs_state_waker(delay.arg) : -1;
		waker->at_ns = known ? delay.start_ns : 0;
	}
	if (!known || waker->tid < 0)
		return false;
	waker->track_known = rs_track_of_tid(t, waker->tid, waker->at_ns, &waker->ref);
	return true;
}

/* The run before the wait has the CPU; the span on that CPU's track at its end is the task that got it. */
bool rs_wakers_find_preemptor(struct rs_timelines *t, const struct rs_slowest_span *s, struct rs_taker *taker)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct rs_track_ref cpu = { .of = RS_TRACK_CPU };
	const struct rs_span_kind *kind;
	struct rs_timeline_span run, on_cpu;

	if (s->ref.of != RS_TRACK_TASK || s->shape != RS_SPAN_STATE ||
	    rs_state_of(s->span.arg) != RS_PREEMPTED ||
	    !last_before(t, &s->ref, s->span.start_ns, NULL, &run) || run.end_ns != s->span.start_ns ||
	    rs_state_of(run.arg) != RS_RUN)
		return false;
	cpu.id = rs_state_cpu(run.arg);
	if (!rs_timeline_at(tl, rs_track_timeline(tl, &cpu, RS_SPAN_STATE), s->span.start_ns, &on_cpu))
		return false;
	kind = rs_timelines_kind(t, &on_cpu);
	if (!kind || !kind->of_task || on_cpu.start_ns < s->span.start_ns)
		return false;
	*taker = (struct rs_taker){
		.tid = rs_span_tid(on_cpu.arg),
		.ref = { RS_TRACK_TASK,
			 rs_task_track(rs_span_tid(on_cpu.arg), rs_span_task_instance(on_cpu.arg)) },
		.ran_ns = (on_cpu.end_ns < s->span.end_ns ? on_cpu.end_ns : s->span.end_ns) -
			  s->span.start_ns,
	};
	return true;
}
