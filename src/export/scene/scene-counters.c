// SPDX-License-Identifier: GPL-2.0-or-later
/* scene-counters - depths of queues, losses, requests, samples of the CPUs and their stacks */
#include "export/scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/* ---- depths of queues ---- */

static void counters_put_queue(struct rs_scene *s, unsigned int cpu, const struct rs_queue_depth *last)
{
	struct rs_scene_track at = rs_scene_track_of_cpu(s, cpu);

	s->ops->counter(s, &at, NULL, last->since_ns, last->depth);
}

void rs_scene_on_queue(struct rs_ctx *c, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
	struct rs_scene *s = rs_api_session_arg(c);
	struct rs_queue_depth last;

	if (cpu < s->nr_cpus && !rs_api_is_muted(c) &&
	    rs_queue_depth_set(&s->cpus[cpu].queue, depth, ts_ns, &last))
		counters_put_queue(s, cpu, &last);
}

void rs_scene_put_queues(struct rs_scene *s)
{
	struct rs_queue_depth last;

	for (unsigned int cpu = 0; cpu < s->nr_cpus; cpu++)
		if (rs_queue_depth_end(&s->cpus[cpu].queue, &last))
			counters_put_queue(s, cpu, &last);
}

void rs_scene_on_disk_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns)
{
	struct rs_scene *s = rs_api_session_arg(c);
	struct rs_scene_track at;
	struct rs_scene_place *disk;

	if (!rs_scene_track_of_place(s, RS_TRACK_DISK, dev, &at))
		return;
	disk = &s->places[RS_TRACK_DISK].at[at.id];
	disk->depth += change;
	if (!rs_api_is_muted(c))
		s->ops->counter(s, &at, NULL, ts_ns, disk->depth > 0 ? disk->depth : 0);
}

/* Requests issued before the gap's end are not reported any more, so depths start again at 0. */
void rs_scene_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct rs_scene *s = rs_api_session_arg(c);

	for (unsigned int i = 0; i < s->places[RS_TRACK_DISK].nr; i++)
		s->places[RS_TRACK_DISK].at[i].depth = 0;
	if (s->ops->loss && !rs_api_is_muted(c))
		s->ops->loss(s, gap);
}

void rs_scene_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct rs_scene *s = rs_api_session_arg(c);

	if (!r->discarded && (r->shown || s->ops->hidden_states) && !rs_api_is_muted(c))
		s->ops->request(s, r);
}

/* ---- samples and stacks ---- */

void rs_scene_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct rs_scene *s = rs_api_session_arg(c);
	struct rs_scene_track at;

	if (!rs_shown(c, sample->task) || rs_api_is_muted(c))
		return;
	at = rs_scene_track_of_task(s, sample->task);
	s->ops->sample(s, &at, sample);
}

/* A caller's number is known before, but not always less. */
bool rs_scene_use_stack(struct rs_scene *s, uint32_t stack)
{
	while (stack && (stack >= s->stacks_room || !s->stacks[stack])) {
		size_t room = s->stacks_room;

		if (stack >= room) {
			if (!RS_VECTOR_RESERVE(&s->stacks, &s->stacks_room, (size_t)stack + 1))
				return false;
			memset(s->stacks + room, 0, s->stacks_room - room);
		}
		s->stacks[stack] = 1;
		stack = rs_stack_caller(s->c, stack);
	}
	return true;
}

const char *rs_scene_wait_function(struct rs_scene *s, uint32_t stack)
{
	struct rs_frame frame;

	rs_stack_frame(s->c, rs_stack_outside(s->c, stack, RS_STACK_OUTSIDE_LOCKS), &frame);
	return frame.module && *frame.module == '[' ? frame.function : NULL;
}

void rs_scene_put_stacks(struct rs_scene *s)
{
	for (uint32_t stack = 1; stack < s->stacks_room; stack++) {
		struct rs_frame frame;

		if (!s->stacks[stack])
			continue;
		rs_stack_frame(s->c, stack, &frame);
		s->ops->stack(s, stack, rs_stack_caller(s->c, stack), &frame);
	}
	free(s->stacks);
	s->stacks = NULL;
	s->stacks_room = 0;
}
