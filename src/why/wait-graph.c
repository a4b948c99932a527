// SPDX-License-Identifier: GPL-2.0-or-later
/* wait-graph - walks back from the end of a wait, and makes steps of what was found, the oldest first */
#include "why/wait-graph.h"

#include <string.h>

#include "base/buf.h"
#include "why/chain-level.h"
#include "why/culprits.h"
#include "why/lines.h"
#include "why/works.h"

#define WAIT_GRAPH_DEPTH 16u    /* tasks that wait for each other */
#define WAIT_GRAPH_SLICES 64u   /* of others, while one waits for a CPU; what is before them is one turn */

static uint16_t graph_reach(struct rs_wait_graph *g, const struct rs_segment *wait, uint64_t to_ns,
			    uint16_t *instead);

static uint16_t graph_put(struct rs_wait_graph *g, const struct rs_wait_step *step)
{
	if (g->nr == RS_WAIT_GRAPH_STEPS) {
		g->is_full = true;
		return (uint16_t)(g->nr - 1);
	}
	g->at[g->nr] = *step;
	return (uint16_t)g->nr++;
}

static uint16_t graph_put_time(struct rs_wait_graph *g, uint16_t after, enum rs_time_part part, uint16_t task,
			       uint64_t ns)
{
	return graph_put(g, &(struct rs_wait_step){ .kind = RS_WAIT_STEP_TIME, .after = after, .ns = ns,
						    .at_ns = g->at[after].at_ns + ns, .part = (uint8_t)part,
						    .task = task });
}

/* Nothing tells what it did up to then. */
static uint16_t graph_put_unknown(struct rs_wait_graph *g, uint16_t after, uint64_t to_ns)
{
	uint64_t at_ns = to_ns - g->from_ns;

	if (at_ns <= g->at[after].at_ns)
		return after;
	return graph_put(g, &(struct rs_wait_step){ .kind = RS_WAIT_STEP_UNKNOWN, .after = after,
						    .ns = at_ns - g->at[after].at_ns, .at_ns = at_ns,
						    .part = RS_PART_UNKNOWN, .task = RS_WAIT_NOBODY });
}

/* ---- tasks ---- */

static uint16_t graph_task(struct rs_wait_graph *g, const struct rs_task_name *n, const char *comm)
{
	int32_t pid = n ? rs_task_name_pid(n) : 0;
	bool is_own = pid && pid == rs_task_name_pid(g->victim);

	if (n && n == g->victim)
		return 0;
	if (n)
		comm = is_own ? rs_chain_level_comm(n) : rs_task_name_comm(g->c, n);
	if (!comm || !*comm)
		return RS_WAIT_NOBODY;
	for (unsigned int i = 1; i < g->nr_tasks; i++)
		if (g->tasks[i].is_own_thread == is_own &&
		    !strncmp(g->tasks[i].comm, comm, sizeof g->tasks[i].comm - 1))
			return (uint16_t)i;
	if (g->nr_tasks == RS_WAIT_GRAPH_TASKS)
		return RS_WAIT_NOBODY;
	g->tasks[g->nr_tasks] = (struct rs_wait_graph_task){ .is_own_thread = is_own };
	rs_copy(g->tasks[g->nr_tasks].comm, sizeof g->tasks->comm, comm);
	return (uint16_t)g->nr_tasks++;
}

/* Of a CPU, a disk: who had it. Who ended any other wait is no culprit here. self: whose wait it is. */
static void graph_set_task(struct rs_wait_graph *g, struct rs_wait_step *step, const struct rs_culprit *k,
			   uint16_t self)
{
	step->is_taken = k->kind == RS_CULPRIT_TASK &&
			 (k->part == RS_PART_QUEUE || rs_part_row(k->part)->cause == RS_CAUSE_DISK);
	step->task = step->is_taken ? graph_task(g, k->name, k->comm) :
		     k->kind == RS_CULPRIT_SELF ? self : RS_WAIT_NOBODY;
}

/* ---- waits for a CPU ---- */

struct graph_slice {
	uint64_t from_ns, to_ns;
	uint64_t ready_ns;           /* since when who ran was in line for that CPU; 0: unknown */
};

/* The slices of others, newest first. Returns their number; the first may be preceded by more. */
static unsigned int graph_slices(struct rs_wait_graph *g, const struct rs_wait_graph_seg *of,
				 struct graph_slice *slices)
{
	struct rs_history_walk walk;
	const struct rs_segment *seg;
	uint64_t at_ns = of->to_ns;
	unsigned int nr = 0;

	rs_history_walk_cpu(g->c, &walk, of->seg.cpu, of->to_ns);
	while (nr < WAIT_GRAPH_SLICES && at_ns > of->from_ns && (seg = rs_history_next(&walk)) &&
	       seg->to_ns > of->from_ns) {
		uint64_t from_ns = seg->from_ns > of->from_ns ? seg->from_ns : of->from_ns;

		if (from_ns >= at_ns)
			continue;
		slices[nr++] = (struct graph_slice){ from_ns, at_ns,
						     seg->kind == RS_RUN ? seg->wait_from_ns : 0 };
		at_ns = from_ns;
	}
	if (at_ns > of->from_ns)
		slices[nr++] = (struct graph_slice){ of->from_ns, at_ns, 0 };
	return nr;
}

static uint16_t graph_add_slice(struct rs_wait_graph *g, uint16_t after, uint16_t begin,
				const struct rs_wait_graph_seg *of, const struct graph_slice *slice)
{
	struct rs_culprits parts = { .nr = 0 };

	rs_culprits_add(g->c, &of->seg, slice->from_ns, slice->to_ns, &parts);
	g->steps += parts.steps + 1;
	for (const struct rs_culprit *k = parts.at; k < parts.at + parts.nr; k++) {
		struct rs_wait_step step = {
			.kind = RS_WAIT_STEP_TURN, .after = after, .other = begin, .ns = k->ns,
			.at_ns = g->at[after].at_ns + k->ns, .part = (uint8_t)k->part,
			.ready_ns = slice->ready_ns > of->from_ns ? slice->ready_ns - of->from_ns : 0 };

		graph_set_task(g, &step, k, RS_WAIT_NOBODY);
		after = graph_put(g, &step);
	}
	return after;
}

static uint16_t graph_add_queue(struct rs_wait_graph *g, uint16_t after, const struct rs_wait_graph_seg *of)
{
	struct graph_slice slices[WAIT_GRAPH_SLICES + 1];
	unsigned int nr = graph_slices(g, of, slices);
	uint16_t begin = after;

	while (nr--)
		after = graph_add_slice(g, after, begin, of, &slices[nr]);
	return after;
}

/* ---- waits for others ---- */

static bool graph_is_join(const struct rs_segment *seg)
{
	return seg->kind == RS_BLOCKED && seg->waker_kind == RS_WAKER_TASK && seg->cause != RS_CAUSE_DISK &&
	       seg->cause != RS_CAUSE_RECLAIM;
}

/* Not of a condition: who changes that is awaited, and does not stand in the way. */
static bool graph_is_lock(struct rs_ctx *c, const struct rs_segment *seg)
{
	return rs_line_is_handed_on(c, seg) && (seg->cause != RS_CAUSE_FUTEX || seg->detail);
}

static enum rs_time_part graph_part(struct rs_wait_graph *g, const struct rs_wait_graph_seg *of)
{
	struct rs_culprits one = { .nr = 0 };

	rs_culprits_add(g->c, &of->seg, of->from_ns, of->to_ns, &one);
	g->steps += one.steps;
	return one.nr ? one.at[0].part : RS_PART_UNKNOWN;
}

static uint16_t graph_add_join(struct rs_wait_graph *g, uint16_t after, const struct rs_wait_graph_seg *of)
{
	struct rs_wait_step step = { .kind = RS_WAIT_STEP_JOIN, .after = after,
				     .at_ns = of->to_ns - g->from_ns,
				     .task = graph_task(g, of->seg.waker, NULL),
				     .is_taken = graph_is_lock(g->c, &of->seg),
				     .part = (uint8_t)graph_part(g, of) };

	step.other = graph_reach(g, &of->seg, of->to_ns, &step.instead);
	return graph_put(g, &step);
}

static bool graph_is_in_device(const struct rs_culprit *k, enum rs_culprit_kind kind)
{
	return k->kind == kind && (k->part == RS_PART_DISK_DEVICE || k->part == RS_PART_DISK_FLUSH);
}

/*
 * The disk served others beside its request: without them it would still have taken what such a request takes
 * by itself.
 */
static void graph_set_own_request(const struct rs_wait_graph *g, struct rs_culprits *parts)
{
	struct rs_culprit *own = NULL;
	uint64_t least_ns;

	for (struct rs_culprit *k = parts->at; k < parts->at + parts->nr; k++)
		if (graph_is_in_device(k, RS_CULPRIT_SELF))
			own = k;
	least_ns = own ? rs_device_times_ns(g->times, own->dev, own->rwbs) : 0;
	for (struct rs_culprit *k = parts->at; own && k < parts->at + parts->nr; k++) {
		uint64_t more_ns = least_ns > own->ns ? least_ns - own->ns : 0,
			 ns = more_ns < k->ns ? more_ns : k->ns;

		if (!graph_is_in_device(k, RS_CULPRIT_TASK) || k->dev != own->dev)
			continue;
		k->ns -= ns;
		own->ns += ns;
	}
}

/* What it ran, and what no other task ended: a disk, a timer, a stall. self: whose time it is. */
static uint16_t graph_add_parts(struct rs_wait_graph *g, uint16_t after, const struct rs_wait_graph_seg *of,
				uint16_t self)
{
	struct rs_culprits parts = { .nr = 0 };

	rs_culprits_add(g->c, &of->seg, of->from_ns, of->to_ns, &parts);
	g->steps += parts.steps + 1;
	graph_set_own_request(g, &parts);
	for (const struct rs_culprit *k = parts.at; k < parts.at + parts.nr; k++) {
		after = graph_put_time(g, after, k->part, RS_WAIT_NOBODY, k->ns);
		graph_set_task(g, &g->at[after], k, self);
		g->at[after].dev = k->dev;
	}
	return after;
}

static uint16_t graph_add_segment(struct rs_wait_graph *g, uint16_t after, const struct rs_wait_graph_seg *of,
				  uint16_t self)
{
	if (of->seg.kind == RS_DELAY || of->seg.kind == RS_PREEMPTED)
		return graph_add_queue(g, after, of);
	if (graph_is_join(&of->seg))
		return graph_add_join(g, after, of);
	if (of->seg.kind == RS_RUN || of->seg.kind == RS_BLOCKED)
		return graph_add_parts(g, after, of, self);
	return graph_put_unknown(g, after, of->to_ns);
}

/* ---- what a task did ---- */

static bool graph_push(struct rs_wait_graph *g, const struct rs_segment *seg, uint64_t from_ns,
		       uint64_t to_ns)
{
	if (g->nr_segs == RS_WAIT_GRAPH_SEGMENTS) {
		g->is_full = true;
		return false;
	}
	g->segs[g->nr_segs++] = (struct rs_wait_graph_seg){ *seg, from_ns, to_ns };
	return true;
}

/* Pushes what a task did between two times, newest first; what is not known is a segment of RS_UNKNOWN. */
static void graph_push_time(struct rs_wait_graph *g, struct rs_history_walk *walk, uint64_t from_ns,
			    uint64_t to_ns)
{
	const struct rs_segment none = { .kind = RS_UNKNOWN }, *seg;
	uint64_t at_ns = to_ns;

	while (at_ns > from_ns && (seg = rs_history_next(walk)) && seg->to_ns > from_ns) {
		uint64_t begin_ns = seg->from_ns > from_ns ? seg->from_ns : from_ns,
			 end_ns = seg->to_ns < at_ns ? seg->to_ns : at_ns;

		g->steps++;
		if (begin_ns >= at_ns)
			continue;
		if ((end_ns < at_ns && !graph_push(g, &none, end_ns, at_ns)) ||
		    !graph_push(g, seg, begin_ns, end_ns))
			return;
		at_ns = begin_ns;
	}
	if (at_ns > from_ns)
		graph_push(g, &none, from_ns, at_ns);
}

/* The latest step of a task up to to_ns that is there already; else the begin. */
static struct rs_wait_graph_reached graph_reached(const struct rs_wait_graph *g,
						  const struct rs_task_name *n, uint64_t to_ns)
{
	struct rs_wait_graph_reached latest = { .ns = g->from_ns };

	for (unsigned int i = 0; i < g->nr_reached; i++)
		if (g->reached[i].name == n && g->reached[i].ns <= to_ns && g->reached[i].ns > latest.ns)
			latest = g->reached[i];
	return latest;
}

/*
 * Adds what a task did between two times, after that step. line: the wait that it ended; *instead: who handed
 * it what that waits for, if it stood in line, too.
 */
static uint16_t graph_add_time(struct rs_wait_graph *g, const struct rs_task_name *n,
			       struct rs_history_walk *walk, struct rs_wait_graph_reached since,
			       uint64_t to_ns, const struct rs_segment *line, uint16_t *instead)
{
	unsigned int base = g->nr_segs;
	uint16_t step = since.step, self = graph_task(g, n, NULL);

	if (since.ns < to_ns)
		graph_push_time(g, walk, since.ns, to_ns);
	while (g->nr_segs > base && !g->is_full) {
		struct rs_wait_graph_seg of = g->segs[--g->nr_segs];

		step = graph_add_segment(g, step, &of, self);
		if (line && graph_is_join(&of.seg) && rs_line_is_same(line, &of.seg))
			*instead = g->at[step].other;
	}
	g->nr_segs = base;
	if (!line && g->nr_reached < RS_WAIT_GRAPH_REACHED)
		g->reached[g->nr_reached++] = (struct rs_wait_graph_reached){ n, to_ns, step };
	return step;
}

/* Up to when a work was queued the worker had nothing of it to do: who queued it had. */
static struct rs_wait_graph_reached graph_add_work(struct rs_wait_graph *g, const struct rs_work *work,
						   uint64_t to_ns)
{
	uint64_t begin_ns = work->begin_ns < to_ns ? work->begin_ns : to_ns,
		 queue_ns = work->queued.to_ns < begin_ns ? work->queued.to_ns : begin_ns;
	uint16_t step = 0;

	if (queue_ns > g->from_ns)
		step = graph_add_segment(
			g, 0, &(struct rs_wait_graph_seg){ work->queued, g->from_ns, queue_ns },
			RS_WAIT_NOBODY);
	else
		queue_ns = g->from_ns;
	return (struct rs_wait_graph_reached){
		.ns = begin_ns, .step = graph_put_time(g, step, RS_PART_WORK, RS_WAIT_NOBODY,
						       begin_ns - queue_ns) };
}

/* Returns the step in which the waker had come to where it ended the wait. */
static uint16_t graph_reach(struct rs_wait_graph *g, const struct rs_segment *wait, uint64_t to_ns,
			    uint16_t *instead)
{
	const struct rs_segment *line = graph_is_lock(g->c, wait) ? wait : NULL;
	const struct rs_work *work = rs_works_of_wait(g->c, wait);
	struct rs_wait_graph_reached since = { .ns = g->from_ns };
	struct rs_history_walk walk;
	uint16_t step;

	if (g->depth == WAIT_GRAPH_DEPTH)
		return graph_put_unknown(g, 0, to_ns);
	g->depth++;
	if (work && work->queued.to_ns && work->begin_ns > g->from_ns)
		since = graph_add_work(g, work, to_ns);
	else if (!line)
		since = graph_reached(g, wait->waker, to_ns);
	rs_history_walk_waker(g->c, &walk, wait);
	step = graph_add_time(g, wait->waker, &walk, since, to_ns, line, instead);
	g->depth--;
	return step;
}

bool rs_wait_graph_find(struct rs_wait_graph *g, struct rs_ctx *c, const struct rs_device_times *times,
			const struct rs_task *t, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_history_walk walk;

	g->c = c;
	g->times = times;
	g->victim = rs_history_name(c, t);
	g->from_ns = from_ns;
	g->nr = g->nr_tasks = 1;
	g->steps = g->nr_segs = g->nr_reached = g->depth = 0;
	g->is_full = false;
	g->at[0] = (struct rs_wait_step){ .kind = RS_WAIT_STEP_BEGIN, .task = RS_WAIT_NOBODY };
	g->tasks[0] = (struct rs_wait_graph_task){ .comm = "" };
	if (!g->victim || to_ns <= from_ns)
		return false;
	rs_history_walk_task(c, &walk, g->victim);
	graph_add_time(g, g->victim, &walk, (struct rs_wait_graph_reached){ .ns = from_ns }, to_ns, NULL,
		       NULL);
	return !g->is_full && g->nr > 1;
}
