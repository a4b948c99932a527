// SPDX-License-Identifier: GPL-2.0-or-later
/* replay-steps - tracks of steps from what was gathered: of tasks, of CPUs, of what is first in a device */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vector.h"
#include "export/replay/replay.h"

/* ---- states ---- */

/* Leaves out those that are short, and from now on, until a half is free. */
static void steps_make_room(struct rs_replay_states *s)
{
	size_t nr;

	while (s->nr > RS_REPLAY_STATES / 2) {
		s->least_ns = s->least_ns ? 2 * s->least_ns : 1000;
		nr = 0;
		for (size_t i = 0; i < s->nr; i++)
			if (s->at[i].to_ns - s->at[i].from_ns >= s->least_ns)
				s->at[nr++] = s->at[i];
		s->nr = nr;
		if (s->least_ns > UINT64_MAX / 4)
			return;
	}
}

void rs_replay_steps_gather(struct rs_replay_states *s, const struct rs_replay_state *state)
{
	struct rs_replay_state *to;

	if (state->to_ns <= state->from_ns || state->to_ns - state->from_ns < s->least_ns)
		return;
	if (s->nr == RS_REPLAY_STATES)
		steps_make_room(s);
	if (s->nr == RS_REPLAY_STATES)
		return;
	to = RS_VECTOR_ADD(&s->at, &s->nr, &s->room);
	if (to)
		*to = *state;
}

static int steps_compare(const void *a, const void *b)
{
	const struct rs_replay_state *x = a, *y = b;

	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	if (x->to_ns != y->to_ns)
		return x->to_ns < y->to_ns ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* ---- which tracks ---- */

static unsigned int steps_count(const struct rs_replay *r, enum rs_replay_track_kind kind)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < r->nr_tracks; i++)
		nr += r->tracks[i].kind == kind;
	return nr;
}

/* Returns a new track, or NULL: it has one, or there are enough of its kind. */
static struct rs_replay_track *steps_add(struct rs_replay *r, const struct rs_replay_track *track)
{
	static const unsigned int most[] = { [RS_REPLAY_TASK] = RS_REPLAY_TASKS,
					     [RS_REPLAY_CPU] = RS_REPLAY_CPUS,
					     [RS_REPLAY_DISK] = RS_REPLAY_DISKS };

	if (steps_count(r, track->kind) == most[track->kind])
		return NULL;
	for (unsigned int i = 0; i < r->nr_tracks; i++)
		if (r->tracks[i].kind == track->kind && r->tracks[i].tid == track->tid &&
		    r->tracks[i].id == track->id)
			return NULL;
	r->tracks[r->nr_tracks] = *track;
	return &r->tracks[r->nr_tracks++];
}

static void steps_add_task(struct rs_replay *r, const struct rs_wait_node *n)
{
	const char *role = rs_wait_node_role(n);
	struct rs_replay_track track = { .kind = RS_REPLAY_TASK, .tid = n->tid, .inst = n->inst,
				       .any_inst = n->kind != RS_WAIT_NODE_TASK, .role = role ? role : "",
				       .on_path = n->on_path && n->kind == RS_WAIT_NODE_TASK,
				       .part_from_ns = n->from_ns, .part_to_ns = n->to_ns };

	if (n->tid <= 0)
		return;
	if (n->kind == RS_WAIT_NODE_CULPRIT && n->part == RS_PART_QUEUE)
		track.role = "takes the CPU";
	snprintf(track.name, sizeof track.name, "%.30s (%" PRId32 ")", n->name, n->tid);
	steps_add(r, &track);
}

static void steps_add_cpu(struct rs_replay *r, unsigned int cpu)
{
	struct rs_replay_track track = { .kind = RS_REPLAY_CPU, .id = cpu, .role = "" };

	snprintf(track.name, sizeof track.name, "CPU %u", cpu);
	steps_add(r, &track);
}

static void steps_add_disk(struct rs_replay *r, uint32_t dev)
{
	struct rs_replay_track track = { .kind = RS_REPLAY_DISK, .id = dev, .role = "" };

	rs_dev_text(dev, track.name, sizeof track.name);
	steps_add(r, &track);
}

/* Those that the path's tasks wanted, then those on which they ran. */
static void steps_add_cpus(struct rs_replay *r, const struct rs_wait_tree *tree,
			   const struct rs_replay_states *states)
{
	for (unsigned int i = 0; i < tree->nr; i++)
		if (tree->at[i].kind != RS_WAIT_NODE_TASK && tree->at[i].cpu_1)
			steps_add_cpu(r, tree->at[i].cpu_1 - 1u);
	for (size_t i = 0; i < states->nr; i++)
		for (unsigned int track = 0; track < r->nr_tracks; track++)
			if (r->tracks[track].on_path && r->tracks[track].tid == states->at[i].tid &&
			    states->at[i].cause == RS_CAUSE_RUN)
				steps_add_cpu(r, states->at[i].cpu);
}

void rs_replay_steps_choose(struct rs_replay *r, const struct rs_wait_tree *tree,
			    const struct rs_replay_states *states)
{
	for (unsigned int i = 0; i < tree->nr; i++)
		if (tree->at[i].kind == RS_WAIT_NODE_TASK)
			steps_add_task(r, &tree->at[i]);
	for (unsigned int i = 0; i < tree->nr; i++)
		if (tree->at[i].kind == RS_WAIT_NODE_CULPRIT)
			steps_add_task(r, &tree->at[i]);
	steps_add_cpus(r, tree, states);
	for (unsigned int i = 0; i < tree->nr; i++)
		if (tree->at[i].dev)
			steps_add_disk(r, tree->at[i].dev);
}

/* ---- their steps ---- */

struct steps_filler {
	struct rs_replay *r;
	const struct rs_replay_states *states;
	uint64_t least_ns;               /* a shorter state goes to the step before */
	bool is_full;
};

static const char *steps_cause_text(enum rs_cause cause)
{
	static const char *const texts[RS_NR_CAUSES] = {
		[RS_CAUSE_DISK] = "waits for a disk", [RS_CAUSE_LOCK] = "waits for a kernel lock",
		[RS_CAUSE_FUTEX] = "waits for a lock (futex)", [RS_CAUSE_RECLAIM] = "waits for memory",
		[RS_CAUSE_OTHER_D] = "blocked in the kernel", [RS_CAUSE_IDLE] = "sleeps",
		[RS_CAUSE_SLEEP] = "waits for another", [RS_CAUSE_NOT_RECORDED] = "sleeps",
		[RS_CAUSE_OFF_CPU] = "off its CPU",
	};

	return texts[cause] ? texts[cause] : rs_cause_row(cause)->name;
}

static void steps_say(const struct rs_replay_track *track, const struct rs_replay_state *state,
		      struct rs_replay_step *step)
{
	if (track->kind == RS_REPLAY_DISK)
		snprintf(step->text, sizeof step->text, "%.7s of %.15s (%" PRId32 ") is first", state->rwbs,
			 state->comm, state->tid);
	else if (track->kind == RS_REPLAY_CPU)
		snprintf(step->text, sizeof step->text, "%.15s (%" PRId32 ") runs", state->comm, state->tid);
	else if (state->cause == RS_CAUSE_RUN)
		snprintf(step->text, sizeof step->text, "runs on CPU %u", state->cpu);
	else if (state->cause == RS_CAUSE_DELAY || state->cause == RS_CAUSE_PREEMPTED)
		snprintf(step->text, sizeof step->text, "waits for CPU %u", state->cpu);
	else
		snprintf(step->text, sizeof step->text, "%s", steps_cause_text(state->cause));
}

static bool steps_is_of(const struct rs_replay_track *track, const struct rs_replay_state *s)
{
	switch (track->kind) {
	case RS_REPLAY_CPU:
		return !s->is_request && s->cause == RS_CAUSE_RUN && s->cpu == track->id;
	case RS_REPLAY_DISK:
		return s->is_request && s->dev == track->id;
	default:
		return !s->is_request && s->tid == track->tid && (track->any_inst || s->inst == track->inst);
	}
}

/* The step goes to the one before if that says the same, or if it is too short; else it is added. */
static void steps_add_step(struct steps_filler *f, struct rs_replay_track *track,
			   const struct rs_replay_step *step)
{
	struct rs_replay *r = f->r;
	struct rs_replay_step *before = track->nr ? &r->steps[r->nr_steps - 1] : NULL;
	bool is_near = before && step->from_ns - before->to_ns <= f->least_ns;
	bool is_same = is_near && before->cause == step->cause && !strcmp(before->text, step->text);

	if (is_same || (is_near && step->own_ns < f->least_ns)) {
		before->own_ns += is_same ? step->own_ns : 0;
		before->to_ns = step->to_ns;
		return;
	}
	if (r->nr_steps == RS_REPLAY_STEPS) {
		f->is_full = true;
		return;
	}
	r->steps[r->nr_steps++] = *step;
	track->nr++;
}

/*
 * States of a task do not overlap. Requests in a device do: the one that was issued first is at the head
 * until it completes.
 */
static void steps_fill_track(struct steps_filler *f, struct rs_replay_track *track)
{
	uint64_t from_ns = f->r->from_ns, to_ns = f->r->to_ns, done_ns = from_ns;

	track->first = f->r->nr_steps;
	track->nr = 0;
	for (size_t i = 0; i < f->states->nr && f->states->at[i].from_ns < to_ns; i++) {
		const struct rs_replay_state *s = &f->states->at[i];
		struct rs_replay_step step = { .cause = s->cause, .cpu = s->cpu };

		step.from_ns = s->from_ns > done_ns ? s->from_ns : done_ns;
		step.to_ns = s->to_ns < to_ns ? s->to_ns : to_ns;
		if (!steps_is_of(track, s) || step.to_ns <= step.from_ns)
			continue;
		step.own_ns = step.to_ns - step.from_ns;
		steps_say(track, s, &step);
		steps_add_step(f, track, &step);
		done_ns = step.to_ns;
	}
}

/* A step of which more than a quarter is of states that are too short to be drawn says so. */
static void steps_mark_mixed(struct rs_replay *r)
{
	for (unsigned int i = 0; i < r->nr_steps; i++) {
		struct rs_replay_step *step = &r->steps[i];

		if (step->own_ns >= (step->to_ns - step->from_ns) / 4 * 3)
			continue;
		step->cause = RS_CAUSE_UNKNOWN;
		rs_copy(step->text, sizeof step->text, "many short states");
	}
}

void rs_replay_steps_fill(struct rs_replay *r, struct rs_replay_states *states)
{
	struct steps_filler f = { .r = r, .states = states, .least_ns = states->least_ns };

	if (states->nr)
		qsort(states->at, states->nr, sizeof *states->at, steps_compare);
	do {
		f.is_full = false;
		r->nr_steps = 0;
		for (unsigned int i = 0; i < r->nr_tracks; i++)
			steps_fill_track(&f, &r->tracks[i]);
		f.least_ns = 2 * f.least_ns + (r->to_ns - r->from_ns) / 4096 + 1;
	} while (f.is_full);
	steps_mark_mixed(r);
}

const struct rs_replay_step *rs_replay_steps_at(const struct rs_replay *r,
						const struct rs_replay_track *track, uint64_t ns)
{
	for (unsigned int i = track->first; i < track->first + track->nr; i++)
		if (ns >= r->steps[i].from_ns && ns < r->steps[i].to_ns)
			return &r->steps[i];
	return NULL;
}
