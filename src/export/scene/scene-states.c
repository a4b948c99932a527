// SPDX-License-Identifier: GPL-2.0-or-later
/* scene-states - states of tasks, who woke whom, and the critical paths of the slowest calls and waits */
#include "export/scene/scene.h"

/* ---- states ---- */

static bool states_is_drawn(const struct rs_scene *s, struct rs_ctx *c, const struct rs_interval *iv)
{
	return !iv->discarded && (s->ops->hidden_states || rs_shown(c, iv->task)) && !rs_api_is_muted(c);
}

static void scene_states_put(struct rs_scene *s, const struct rs_interval *iv, const struct rs_wait *w)
{
	struct rs_scene_track at = rs_scene_track_of_task(s, iv->task);
	uint32_t stack = s->ops->uses_stacks && !iv->in_flight ? rs_interval_stack(s->c, iv) : 0;

	s->ops->state(s, &at, &(struct rs_scene_state){ iv, w, stack });
}

void rs_scene_put_open_state(struct rs_scene *s, struct rs_task *t)
{
	struct rs_interval iv = { .task = t, .to_ns = s->end_ns, .letter = t->letter, .cpu = t->cpu,
				  .waker_tid = -1, .in_flight = true };
	struct rs_wait w = { .interval = &iv, .syscall = -1 };
	uint64_t open_ns;

	iv.kind = rs_task_state(s->c, t, &open_ns);
	if (iv.kind == RS_UNKNOWN || iv.kind == RS_DEAD || open_ns == RS_AGE_UNKNOWN)
		return;
	iv.from_ns = s->end_ns - open_ns;
	if (iv.kind == RS_DELAY)
		iv.waker_tid = t->waker_tid;
	scene_states_put(s, &iv, iv.kind == RS_BLOCKED && rs_task_wait(s->c, t, &w) ? &w : NULL);
}

/* ---- wake-ups ---- */

void rs_scene_put_wake(struct rs_wake_flows *f, const struct rs_wake_end *from, const struct rs_wake_end *to)
{
	struct rs_scene *s = (struct rs_scene *)((char *)f - offsetof(struct rs_scene, flows));

	s->ops->wake(s, from, to);
}

static struct rs_wake_end states_wake_end(struct rs_scene *s, struct rs_task *t, bool is_woken,
					  uint64_t ts_ns)
{
	return (struct rs_wake_end){ s->ops->wake_track(s, t, is_woken), ts_ns };
}

/* A wake-up is drawn if it led to a switch-in and both ends are in system calls. */
static void states_switch_in(struct rs_scene *s, struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_wake_task *wakes = &rs_scene_task(c, iv->task)->wakes;

	if (iv->discarded || rs_api_is_muted(c))
		rs_wake_flows_switch_in(&s->flows, wakes, (struct rs_wake_end){ 0 }, false);
	else
		rs_wake_flows_switch_in(&s->flows, wakes, states_wake_end(s, iv->task, true, iv->to_ns),
					wakes->waker.ts_ns == iv->from_ns && rs_task_in_call(c, iv->task));
}

/* Also before a time range: the calls that it is in may end within, and are drawn. */
static void states_wake(struct rs_scene *s, struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_task *waker = iv->waker_tid > 0 ? rs_task_find(c, iv->waker_tid) : NULL;

	if (iv->discarded || !waker || !rs_shown(c, iv->task) || !rs_shown(c, waker) ||
	    !rs_task_in_call(c, waker))
		return;
	rs_wake_flows_wake(&s->flows, &rs_scene_task(c, waker)->wakes, &rs_scene_task(c, iv->task)->wakes,
			   states_wake_end(s, waker, false, iv->to_ns));
}

/* ---- what the engine reports ---- */

void rs_scene_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_scene *s = rs_api_session_arg(c);

	/* what is in flight is drawn at the end */
	if (!iv->task || (iv->in_flight && s->ops->open_states))
		return;
	if (s->ops->state && states_is_drawn(s, c, iv))
		scene_states_put(s, iv, NULL);
	if (s->ops->path && rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_state(c, c->state, iv, iv->task->syscall);
	if (s->ops->wake && iv->kind == RS_DELAY && rs_shown(c, iv->task))
		states_switch_in(s, c, iv);
}

void rs_scene_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct rs_scene *s = rs_api_session_arg(c);

	if (iv->in_flight && s->ops->open_states)
		return;
	if (s->ops->state && states_is_drawn(s, c, iv))
		scene_states_put(s, iv, w);
	if (s->ops->path && rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_wait(c, c->state, w);
	if (s->ops->wake)
		states_wake(s, c, iv);
}

void rs_scene_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_scene *s = rs_api_session_arg(c);

	if (s->ops->wake && !call->in_flight) /* its slice has come */
		rs_wake_flows_call(&s->flows, &rs_scene_task(c, call->task)->wakes, call->exit_ns);
	if (s->ops->path && rs_chain_list_has_room(c->state, call->exit_ns - call->enter_ns) &&
	    !rs_api_is_muted(c))
		rs_chain_list_add_call(c, c->state, call);
}

/* ---- critical paths ---- */

static void states_path_slice(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice)
{
	struct rs_scene *s = arg;

	s->ops->path(s, slice);
}

static void states_path_flow(void *arg, struct rs_ctx *c, const struct rs_path_slice *slice, bool begins,
			     bool ends)
{
	struct rs_scene *s = arg;

	if (s->ops->path_flow)
		s->ops->path_flow(s, slice, begins, ends);
}

void rs_scene_put_paths(struct rs_scene *s)
{
	rs_path_slices_draw(s->c, s->c->state,
			    &(struct rs_path_slices_drawer){ states_path_slice, states_path_flow, s });
}
