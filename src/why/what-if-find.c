// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * what-if-find - computes the steps of a wait anew, with one of them, or all of a kind, gone or faster
 *
 * What may be changed follows from the critical path as recorded: what is not on it saves nothing alone.
 */
#include "ringside/what-if.h"

#include "base/buf.h"
#include "base/own-name.h"
#include "ringside/plugin.h"
#include "why/wait-graph.h"

#define WHAT_IF_LEAST 50u    /* who has less than a 50th of the critical path is not asked about */

#define WHAT_IF_RUNS (RS_PART_BIT(RUN) | RS_PART_BIT(SLOW) | RS_PART_BIT(QUEUE))
#define WHAT_IF_DEVICE \
	(RS_PART_BIT(DISK_QUEUE) | RS_PART_BIT(DISK_DEVICE) | RS_PART_BIT(DISK_FLUSH) | RS_PART_BIT(FAULT))

/* The time of steps of these parts, this disk and this task becomes a shorter one. */
struct what_if_change {
	uint64_t parts;
	uint32_t dev;                /* 0: of any, or none */
	uint16_t task;                /* RS_WAIT_NOBODY: whoever */
	bool is_faster;              /* half of it is left; false: nothing */
	bool of_taken;               /* of what that task took from who waits, alone */
};

struct rs_what_if_room {
	struct rs_device_times times;
	struct rs_wait_graph graph;
	uint64_t done_ns[RS_WAIT_GRAPH_STEPS];
	bool is_over[RS_WAIT_GRAPH_STEPS]; /* TURN: there is a CPU by then */
};

struct rs_what_if_room *rs_what_if_find_room(struct rs_ctx *c)
{
	return rs_alloc(c, 1, sizeof(struct rs_what_if_room));
}

void rs_what_if_find_add_request(struct rs_what_if_room *room, const struct rs_request *r)
{
	rs_device_times_add(&room->times, r);
}

/* ---- with a change ---- */

static bool what_if_applies(const struct what_if_change *change, const struct rs_wait_step *step)
{
	return (change->parts >> step->part & 1) && (!change->dev || change->dev == step->dev) &&
	       (change->task == RS_WAIT_NOBODY || change->task == step->task) &&
	       (!change->of_taken || step->is_taken);
}

static uint64_t what_if_step_ns(const struct what_if_change *change, const struct rs_wait_step *step)
{
	if (!what_if_applies(change, step))
		return step->ns;
	return change->is_faster ? step->ns / 2 : 0;
}

/* Who takes a turn on the CPU has to be in line when it is his. */
static uint64_t what_if_turn_ns(struct rs_what_if_room *room, const struct what_if_change *change,
				unsigned int i)
{
	const struct rs_wait_step *step = &room->graph.at[i];
	uint64_t at_ns = room->done_ns[step->after], ns = what_if_step_ns(change, step);

	room->is_over[i] = step->after != step->other && room->is_over[step->after];
	if (ns && step->ready_ns > at_ns - room->done_ns[step->other])
		room->is_over[i] = true;
	return room->is_over[i] ? at_ns : at_ns + ns;
}

/* Without who woke it: what that one waited for in the same line still has to come. */
static uint64_t what_if_join_ns(const struct rs_what_if_room *room, const struct what_if_change *change,
				const struct rs_wait_step *step)
{
	bool is_absent = step->is_taken && !change->is_faster && what_if_applies(change, step);
	uint16_t other = !is_absent ? step->other : change->task == RS_WAIT_NOBODY ? 0 : step->instead;
	uint64_t after_ns = room->done_ns[step->after], other_ns = room->done_ns[other];

	return other_ns > after_ns ? other_ns : after_ns;
}

/* Returns how long it would have taken. */
static uint64_t what_if_compute(struct rs_what_if_room *room, const struct what_if_change *change)
{
	room->done_ns[0] = 0;
	room->is_over[0] = false;
	for (unsigned int i = 1; i < room->graph.nr; i++) {
		const struct rs_wait_step *step = &room->graph.at[i];

		room->is_over[i] = false;
		if (step->kind == RS_WAIT_STEP_TURN)
			room->done_ns[i] = what_if_turn_ns(room, change, i);
		else if (step->kind == RS_WAIT_STEP_JOIN)
			room->done_ns[i] = what_if_join_ns(room, change, step);
		else if (step->kind == RS_WAIT_STEP_UNKNOWN)
			room->done_ns[i] = step->at_ns;
		else
			room->done_ns[i] = room->done_ns[step->after] + what_if_step_ns(change, step);
	}
	return room->done_ns[room->graph.nr - 1];
}

/* ---- what to change ---- */

/* What is on the critical path. */
struct what_if_path {
	uint64_t total_ns, unknown_ns, throttled_ns;
	uint64_t run_ns[RS_WAIT_GRAPH_TASKS];
	uint64_t taken_ns[RS_WAIT_GRAPH_TASKS]; /* of a CPU, of a disk, and while it had a lock */
	uint64_t category_ns[RS_NR_CATEGORIES];
	struct { uint32_t dev; uint64_t ns; } disks[4];
	unsigned int nr_disks;
};

static void what_if_add_disk(struct what_if_path *path, uint32_t dev, uint64_t ns)
{
	unsigned int i = 0;

	while (i < path->nr_disks && path->disks[i].dev != dev)
		i++;
	if (i == sizeof path->disks / sizeof *path->disks)
		return;
	if (i == path->nr_disks) {
		path->disks[path->nr_disks].dev = dev;
		path->disks[path->nr_disks++].ns = 0;
	}
	path->disks[i].ns += ns;
}

static enum rs_category what_if_category(const struct rs_wait_step *step)
{
	return rs_part_cause((enum rs_time_part)step->part)->category;
}

static void what_if_add_step(struct what_if_path *path, const struct rs_wait_step *step)
{
	bool is_run = step->part == RS_PART_RUN || step->part == RS_PART_SLOW;

	if (step->kind == RS_WAIT_STEP_UNKNOWN)
		path->unknown_ns += step->ns;
	if (step->part == RS_PART_THROTTLED)
		path->throttled_ns += step->ns;
	/* a futex that timed out: nobody had a lock */
	if (what_if_category(step) != RS_CATEGORY_LOCK)
		path->category_ns[what_if_category(step)] += step->ns;
	if (step->dev && (WHAT_IF_DEVICE >> step->part & 1))
		what_if_add_disk(path, step->dev, step->ns);
	if (step->task < RS_WAIT_GRAPH_TASKS && (is_run || step->is_taken))
		*(is_run ? &path->run_ns[step->task] : &path->taken_ns[step->task]) += step->ns;
}

/* From the end back, at a join to what came later. */
static void what_if_find_path(const struct rs_wait_graph *g, struct what_if_path *path)
{
	uint16_t at = (uint16_t)(g->nr - 1);

	*path = (struct what_if_path){ .total_ns = g->at[at].at_ns };
	while (at) {
		const struct rs_wait_step *step = &g->at[at];
		uint64_t after_ns = g->at[step->after].at_ns;

		at = step->after;
		if (step->kind != RS_WAIT_STEP_JOIN) {
			what_if_add_step(path, step);
			continue;
		}
		if (g->at[step->other].at_ns <= after_ns)
			continue;
		at = step->other;
		if (!step->is_taken)
			continue;
		path->category_ns[what_if_category(step)] += step->at_ns - after_ns;
		if (step->task < RS_WAIT_GRAPH_TASKS)
			path->taken_ns[step->task] += step->at_ns - after_ns;
	}
}

/* ---- what it would be ---- */

struct what_if_asked {
	struct rs_what_if_room *room;
	struct rs_what_ifs *out;
	uint64_t least_ns;
};

static void what_if_try(struct what_if_asked *a, const struct rs_what_if *as, struct what_if_change change,
			uint64_t on_path_ns)
{
	struct rs_what_if *to = &a->out->at[a->out->nr];

	if (a->out->nr == RS_MAX_WHAT_IFS || !on_path_ns || on_path_ns < a->least_ns)
		return;
	*to = *as;
	to->ns = what_if_compute(a->room, &change);
	a->out->steps += a->room->graph.nr / 8;
	a->out->nr += to->ns < a->room->graph.at[a->room->graph.nr - 1].at_ns;
}

static void what_if_try_task(struct what_if_asked *a, const struct what_if_path *path, uint16_t task)
{
	const struct rs_wait_graph_task *is = &a->room->graph.tasks[task];
	struct rs_what_if as = { .kind = RS_WHAT_IF_ABSENT, .is_own_thread = is->is_own_thread };

	if (rs_own_name(is->comm))
		return;
	rs_copy(as.comm, sizeof as.comm, is->comm);
	if (task)
		what_if_try(a, &as,
			    (struct what_if_change){ .parts = UINT64_MAX, .task = task, .of_taken = true },
			    path->taken_ns[task]);
	as.kind = RS_WHAT_IF_TASK_FASTER;
	what_if_try(a, &as, (struct what_if_change){ .parts = WHAT_IF_RUNS, .task = task, .is_faster = true },
		    path->run_ns[task]);
}

static uint64_t what_if_parts_of(enum rs_category category)
{
	uint64_t parts = 0;

	for (unsigned int part = 0; part < RS_NR_PARTS; part++)
		if (rs_part_cause((enum rs_time_part)part)->category == category)
			parts |= 1ull << part;
	return parts;
}

static void what_if_try_disk(struct what_if_asked *a, uint32_t dev, uint64_t on_path_ns)
{
	what_if_try(a, &(struct rs_what_if){ .kind = RS_WHAT_IF_DISK_FASTER, .dev = dev },
		    (struct what_if_change){ .parts = WHAT_IF_DEVICE, .dev = dev, .task = RS_WAIT_NOBODY,
					     .is_faster = true },
		    on_path_ns);
}

static void what_if_try_categories(struct what_if_asked *a, const struct what_if_path *path)
{
	static const enum rs_category categories[] = { RS_CATEGORY_QUEUE, RS_CATEGORY_IRQ, RS_CATEGORY_LOCK,
						       RS_CATEGORY_DISK, RS_CATEGORY_MEMORY };

	for (unsigned int i = 0; i < sizeof categories / sizeof *categories; i++)
		what_if_try(a,
			    &(struct rs_what_if){ .kind = RS_WHAT_IF_NO_CATEGORY, .category = categories[i] },
			    (struct what_if_change){ .parts = what_if_parts_of(categories[i]),
						     .task = RS_WAIT_NOBODY,
						     .of_taken = categories[i] == RS_CATEGORY_LOCK },
			    path->category_ns[categories[i]]);
	what_if_try(a, &(struct rs_what_if){ .kind = RS_WHAT_IF_NO_QUOTA },
		    (struct what_if_change){ .parts = RS_PART_BIT(THROTTLED), .task = RS_WAIT_NOBODY },
		    path->throttled_ns);
	for (unsigned int i = 0; i < path->nr_disks; i++)
		what_if_try_disk(a, path->disks[i].dev, path->disks[i].ns);
}

bool rs_what_if_find(struct rs_ctx *c, struct rs_what_if_room *room, const struct rs_task *t,
		     uint64_t from_ns, uint64_t to_ns, struct rs_what_ifs *out)
{
	struct what_if_asked asked = { .room = room, .out = out,
				       .least_ns = (to_ns - from_ns) / WHAT_IF_LEAST };
	struct what_if_path path;
	bool is_found = rs_wait_graph_find(&room->graph, c, &room->times, t, from_ns, to_ns);

	out->nr = 0;
	out->steps = room->graph.steps + room->graph.nr;
	if (!is_found)
		return false;
	what_if_find_path(&room->graph, &path);
	out->unknown_ns = path.unknown_ns;
	for (unsigned int task = 0; task < room->graph.nr_tasks; task++)
		what_if_try_task(&asked, &path, (uint16_t)task);
	what_if_try_categories(&asked, &path);
	return true;
}
