// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * powers - when each CPU was in which idle state, and at which frequency it ran
 *
 *	power:cpu_idle       the CPU enters a state, or leaves it: before the interrupts that end it run
 *	power:cpu_frequency  the frequency of any CPU changes
 *
 * A frequency is low where it is below three quarters of the highest that the CPU has, by sysfs or as it was
 * seen, and below its base frequency, if that is known: what all cores reach together may be that far below
 * the turbo of one.
 */
#include "engine/states/powers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bind.h"
#include "engine/internal.h"
#include "engine/observer.h"
#include "ringside/event.h"
#include "ringside/plugin.h"

#define POWERS_KEPT 1024u        /* changes of a CPU; a power of two */
#define POWERS_EXIT UINT32_MAX   /* the kernel's PWR_EVENT_EXIT */

enum { POWERS_IDLE, POWERS_FREQUENCY, POWERS_NR_KINDS };

static const struct {
	const char *event;
	const char *fields[3];
} powers_events[POWERS_NR_KINDS] = {
	[POWERS_IDLE] = { "cpu_idle", { "state" } },
	[POWERS_FREQUENCY] = { "cpu_frequency", { "state", "cpu_id" } },
};

/* From at_ns on it is that: an idle state, POWERS_EXIT: none; kHz. */
struct powers_change {
	uint64_t at_ns;
	uint32_t value;
};

struct powers_line {
	uint64_t nr;                 /* ever */
	struct powers_change at[POWERS_KEPT];
};

struct powers_cpu {
	struct powers_line *of[POWERS_NR_KINDS]; /* made with the first change; NULL: none */
	uint32_t highest_khz, base_khz;          /* base_khz: UINT32_MAX unknown */
	uint64_t deep_states;                    /* a bit for each */
};

struct powers {
	bool is_bound[POWERS_NR_KINDS];
	struct rs_bound bound[POWERS_NR_KINDS];
	unsigned int nr_cpus;
	struct powers_cpu cpus[];
};

static struct powers *powers_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_POWERS);
}

static void powers_change(struct rs_ctx *c, uint64_t cpu, int kind, uint64_t at_ns, uint32_t value)
{
	struct powers *p = powers_of(c->session);
	struct powers_line **line = cpu < p->nr_cpus ? &p->cpus[cpu].of[kind] : NULL;

	if (!line || (!*line && !(*line = calloc(1, sizeof **line))))
		return;
	(*line)->at[(*line)->nr++ & (POWERS_KEPT - 1)] = (struct powers_change){ at_ns, value };
}

static void powers_on_idle(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	powers_change(c, ev->cpu, POWERS_IDLE, ev->ts_ns, (uint32_t)rs_u64(ev, &f[0]));
}

static void powers_on_frequency(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct powers *p = powers_of(c->session);
	uint32_t khz = (uint32_t)rs_u64(ev, &f[0]);
	uint64_t cpu = rs_u64(ev, &f[1]);

	powers_change(c, cpu, POWERS_FREQUENCY, ev->ts_ns, khz);
	if (cpu < p->nr_cpus && khz > p->cpus[cpu].highest_khz)
		p->cpus[cpu].highest_khz = khz;
}

/* ---- what is asked ---- */

/* The number of the last change up to that time, from 1; 0: there is none, or it is not kept. */
static uint64_t powers_find(const struct powers_line *line, uint64_t at_ns)
{
	uint64_t low = line && line->nr > POWERS_KEPT ? line->nr - POWERS_KEPT : 0, first = low,
		 high = line ? line->nr : 0;

	while (low < high) {
		uint64_t half = low + (high - low) / 2;

		if (line->at[half & (POWERS_KEPT - 1)].at_ns <= at_ns)
			low = half + 1;
		else
			high = half;
	}
	return low > first ? low : 0;
}

static const struct powers_change *powers_at(const struct powers_line *line, uint64_t number)
{
	return &line->at[(number - 1) & (POWERS_KEPT - 1)];
}

uint64_t rs_powers_exit_ns(const struct rs_ctx *c, unsigned int cpu, uint64_t from_ns, uint64_t to_ns,
			   bool *is_deep)
{
	const struct powers *p = powers_of(c->session);
	const struct powers_line *line = p && cpu < p->nr_cpus ? p->cpus[cpu].of[POWERS_IDLE] : NULL;
	uint64_t number = powers_find(line, from_ns);
	const struct powers_change *next;
	uint32_t state;

	if (!number || number == line->nr || powers_at(line, number)->value == POWERS_EXIT)
		return 0;
	next = powers_at(line, number + 1);
	if (next->value != POWERS_EXIT || next->at_ns > to_ns ||
	    rs_discarded(c, powers_at(line, number)->at_ns, next->at_ns))
		return 0;
	state = powers_at(line, number)->value;
	*is_deep = state < 64 && p->cpus[cpu].deep_states >> state & 1;
	return next->at_ns - from_ns;
}

static uint32_t powers_low_khz(const struct powers_cpu *of)
{
	uint32_t low_khz = of->highest_khz / 4 * 3;

	return low_khz < of->base_khz ? low_khz : of->base_khz;
}

uint64_t rs_powers_slow_ns(const struct rs_ctx *c, unsigned int cpu, uint64_t from_ns, uint64_t to_ns)
{
	const struct powers *p = powers_of(c->session);
	const struct powers_cpu *of = p && cpu < p->nr_cpus ? &p->cpus[cpu] : NULL;
	const struct powers_line *line = of ? of->of[POWERS_FREQUENCY] : NULL;
	uint64_t at_ns = to_ns, sum_ns = 0;

	for (uint64_t number = powers_find(line, to_ns); at_ns > from_ns && number &&
	     line->nr - number < POWERS_KEPT; number--) {
		const struct powers_change *change = powers_at(line, number);
		uint64_t begin_ns = change->at_ns > from_ns ? change->at_ns : from_ns;

		if (change->value < powers_low_khz(of) && !rs_discarded(c, change->at_ns, at_ns))
			sum_ns += at_ns - begin_ns;
		at_ns = begin_ns;
	}
	return sum_ns;
}

const struct rs_idle_state *rs_idle_state(const struct rs_ctx *c, uint64_t cpu, uint64_t state)
{
	const struct rs_trace_info *info = &c->session->source->info;

	for (size_t i = 0; i < info->nr_idle_states; i++)
		if (info->idle_states[i].cpu == cpu && info->idle_states[i].state == state)
			return &info->idle_states[i];
	return NULL;
}

const struct rs_idle_state *rs_idle_state_of_all(const struct rs_ctx *c, uint64_t state)
{
	const struct rs_trace_info *info = &c->session->source->info;
	const struct rs_idle_state *found = NULL;

	for (size_t i = 0; i < info->nr_idle_states; i++) {
		const struct rs_idle_state *of = &info->idle_states[i];

		if (of->state != state)
			continue;
		if (found && (strcmp(found->name, of->name) != 0 || found->exit_us != of->exit_us ||
			      found->residency_us != of->residency_us))
			return NULL;
		found = of;
	}
	return found;
}

const struct rs_cpu_speed *rs_cpu_speed(const struct rs_ctx *c, uint64_t cpu)
{
	const struct rs_trace_info *info = &c->session->source->info;

	for (size_t i = 0; i < info->nr_cpu_speeds; i++)
		if (info->cpu_speeds[i].cpu == cpu)
			return &info->cpu_speeds[i];
	return NULL;
}

/* ---- its events ---- */

static void powers_read_sysfs(struct powers *p, const struct rs_trace_info *info)
{
	for (unsigned int cpu = 0; cpu < p->nr_cpus; cpu++)
		p->cpus[cpu].base_khz = UINT32_MAX;
	for (size_t i = 0; i < info->nr_idle_states; i++) {
		const struct rs_idle_state *of = &info->idle_states[i];

		if (of->cpu < p->nr_cpus && of->state < 64 && of->exit_us >= RS_DEEP_EXIT_US)
			p->cpus[of->cpu].deep_states |= 1ull << of->state;
	}
	for (size_t i = 0; i < info->nr_cpu_speeds; i++) {
		const struct rs_cpu_speed *of = &info->cpu_speeds[i];

		if (of->cpu >= p->nr_cpus)
			continue;
		p->cpus[of->cpu].highest_khz = of->max_khz;
		if (of->base_khz)
			p->cpus[of->cpu].base_khz = of->base_khz;
	}
}

/* No analysis enables them for that: they are used where they are recorded. */
static int powers_bind(struct rs_session *s)
{
	unsigned int nr_cpus = s->source->info.nr_cpus;
	struct powers *p;
	bool is_any = false;

	if (!rs_bind_keeps_history(s))
		return 0;
	p = calloc(1, sizeof *p + nr_cpus * sizeof *p->cpus);
	if (!p)
		return -1;
	p->nr_cpus = nr_cpus;
	powers_read_sysfs(p, &s->source->info);
	for (int kind = 0; kind < POWERS_NR_KINDS; kind++) {
		p->is_bound[kind] = rs_formats_bind(s->formats, "power", powers_events[kind].event,
						    powers_events[kind].fields, &p->bound[kind],
						    NULL) == RS_BIND_OK;
		is_any |= p->is_bound[kind];
	}
	rs_observer_set(s, RS_OBSERVER_POWERS, is_any ? p : NULL);
	if (!is_any)
		free(p);
	return 0;
}

/* As handlers of all events are: export shows these events themselves. */
static int powers_route(struct rs_session *s)
{
	static rs_handler *const handlers[POWERS_NR_KINDS] = { powers_on_idle, powers_on_frequency };
	const struct powers *p = powers_of(s);

	for (int kind = 0; p && kind < POWERS_NR_KINDS; kind++) {
		if (!p->is_bound[kind])
			continue;
		s->routes.by_id[p->bound[kind].id].nr_undrawn++;
		if (rs_bind_target(s, p->bound[kind].id, &p->bound[kind], handlers[kind],
				   rs_part_ctx(s, RS_ENGINE_TASKS)) < 0)
			return -1;
	}
	return 0;
}

static void powers_free(struct rs_session *s, void *state)
{
	struct powers *p = state;

	for (unsigned int cpu = 0; cpu < p->nr_cpus; cpu++)
		for (int kind = 0; kind < POWERS_NR_KINDS; kind++)
			free(p->cpus[cpu].of[kind]);
	free(p);
}

const struct rs_observer rs_observer_powers = {
	.name = "powers",
	.bind = powers_bind,
	.route = powers_route,
	.free = powers_free,
};
