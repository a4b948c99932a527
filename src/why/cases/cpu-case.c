// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu-case - the waits of processes for a CPU: who runs meanwhile, which CPU is free, whether a quota holds
 * them */
#include "why/cases/cpu-case.h"

#include <errno.h>
#include <string.h>

#define CPU_TAKES_MORE 2 /* times that another runs, for it to be who takes the CPUs */
#define CPU_LEAST_OF_TAKER 400 /* and of all CPUs' time, in thousandths */
#define CPU_FREE_CPU 700  /* of the time that a CPU is idle, for it to be one that could have been used */
#define CPU_LONG_WAIT_NS 15000000     /* for a CPU: longer than slices of equals */
#define CPU_UNFAIR_OF_GROUP 3         /* likewise, of an equal share of two cgroups */
#define CPU_UNFAIR 4                  /* times that an equal share would be what the victim got */

/* ---- how long each CPU was idle ---- */

int rs_cpu_case_begin(struct rs_ctx *c)
{
	struct rs_cpu_idle *s = c->state;

	s->idle_ns = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->idle_ns);
	return s->idle_ns ? 0 : -ENOMEM;
}

void rs_cpu_case_reset(struct rs_ctx *c)
{
	struct rs_cpu_idle *s = c->state;

	memset(s->idle_ns, 0, rs_nr_cpus(c) * sizeof(uint64_t));
}

/* Time that ringside itself takes could have been another's. */
void rs_cpu_case_on_idle(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_cpu_idle *s = c->state;

	if ((!iv->task || iv->task->self) && !iv->discarded && iv->cpu < rs_nr_cpus(c))
		s->idle_ns[iv->cpu] += rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns);
}

static uint64_t cpu_case_idle_ns(struct rs_ctx *c, unsigned int cpu)
{
	uint64_t open_ns, now_ns = rs_last_event_ns(c), ns = ((struct rs_cpu_idle *)c->state)->idle_ns[cpu];

	if (!c->range_ended && rs_cpu_state(c, cpu, &open_ns) == RS_IDLE && open_ns != RS_AGE_UNKNOWN)
		ns += rs_part_ns(rs_since_ns(c), now_ns - open_ns, now_ns);
	return ns;
}

/* The CPU that was idle longest, if that was nearly always, and the process did not wait for it; -1: none. */
static int cpu_case_free_cpu(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	uint64_t most_ns = interval_ns / 1000 * CPU_FREE_CPU, all_ns = 0;
	int found = -1;

	for (unsigned int i = 0; i < rs_nr_cpus(c) && i < RS_BLAME_CPUS; i++)
		all_ns += b->cpu_ns[i];
	for (unsigned int i = 0; i < rs_nr_cpus(c) && i < RS_BLAME_CPUS; i++)
		if (b->cpu_ns[i] < all_ns / 10 && cpu_case_idle_ns(c, i) > most_ns) {
			most_ns = cpu_case_idle_ns(c, i);
			found = (int)i;
		}
	return found;
}

/* ---- who waits for a CPU ---- */

/* Does it wait for several CPUs, and not for one to which its tasks are pinned? */
static bool cpu_case_uses_several(struct rs_ctx *c, const struct rs_blame *b)
{
	uint64_t all_ns = 0, most_ns = 0;

	for (unsigned int i = 0; i < rs_nr_cpus(c) && i < RS_BLAME_CPUS; i++) {
		all_ns += b->cpu_ns[i];
		most_ns = b->cpu_ns[i] > most_ns ? b->cpu_ns[i] : most_ns;
	}
	return most_ns < all_ns / 10 * 9;
}

/*
 * Threads that are woken together stand one behind the other on a CPU, while the other CPUs are another's: it
 * is that one which runs in their place. NULL: nobody runs for far more than they do.
 */
static const struct rs_blame_entry *cpu_case_behind_own(const struct rs_case *k)
{
	for (unsigned int i = 0; i < k->b->nr; i++) {
		const struct rs_blame_entry *e = &k->b->at[i];
		bool is_other = e->part == RS_PART_QUEUE && e->kind == RS_CULPRIT_TASK &&
				!rs_blame_is_of(e, k->b);
		const struct rs_blame *other = is_other ? rs_blame_of(k->c, e) : NULL;

		if (other && other->run_ns / CPU_TAKES_MORE >= k->b->run_ns &&
		    rs_milli(other->run_ns, k->interval_ns * rs_nr_cpus(k->c), 1).u >= CPU_LEAST_OF_TAKER &&
		    cpu_case_uses_several(k->c, k->b))
			return e;
	}
	return NULL;
}

/* Entries of the parts are added by their culprit's name: those that ran in its place. */
void rs_cpu_case_gather(struct rs_cpu_case *k)
{
	const struct rs_blame_entry *other_entry;
	const struct rs_blame *b = k->of.b, *other;
	struct rs_case *of = &k->of;

	of->of_ns = rs_blame_busy_ns(b);
	of->ns = b->part_ns[RS_PART_QUEUE] + b->part_ns[RS_PART_IDLE_CPU] +
		 b->part_ns[RS_PART_THROTTLED];
	for (unsigned int i = 0; i < b->nr && !of->e; i++)
		if (b->at[i].part == RS_PART_QUEUE && b->at[i].kind == RS_CULPRIT_TASK)
			of->e = &b->at[i];
	k->free_cpu = cpu_case_free_cpu(of->c, b, of->interval_ns);
	other_entry = k->free_cpu < 0 && of->e && rs_blame_is_of(of->e, b) ? cpu_case_behind_own(of) : NULL;
	of->e = other_entry ? other_entry : of->e;
	other = of->e ? rs_blame_of(of->c, of->e) : NULL;
	if (!other || !rs_cgroup_weights(of->c, b->task, other->task, &k->weights))
		k->weights = (struct rs_weights){ 0 };
}

bool rs_cpu_case_is_lasting(const struct rs_blame *b, uint64_t interval_ns)
{
	return b->lifetime_ns >= interval_ns / 2 * b->nr_processes;
}

/*
 * How many share a CPU with the victim: the processes of that name, but where none of them is of its cgroup,
 * their cgroups.
 */
static unsigned int cpu_case_nr_rivals(const struct rs_case *k, bool *are_groups)
{
	const char *own = rs_task_cgroup(k->b->task, RS_CGROUP_CPU), *last = NULL, *path;
	unsigned int nr = 0;

	*are_groups = own;
	for (struct rs_task *t = rs_task_next(k->c, NULL); t && *are_groups; t = rs_task_next(k->c, t)) {
		if (t->exited || !rs_blame_has_task(k->c, rs_blame_of(k->c, k->e), t))
			continue;
		path = rs_task_cgroup(t, RS_CGROUP_CPU);
		*are_groups = path && strcmp(path, own) != 0;
		nr += !last || !path || strcmp(path, last) != 0;
		last = path;
	}
	*are_groups = *are_groups && nr;
	return *are_groups ? nr : k->e->nr_pids ? k->e->nr_pids : 1;
}

/* On one CPU with one other an equal share is half; the victim wanted to run all of its busy time. */
bool rs_cpu_case_is_unfair(const struct rs_case *k)
{
	bool are_groups;
	unsigned int nr = cpu_case_nr_rivals(k, &are_groups);

	/* who waits for a slice or two, and runs for a moment, or lives for one, wants no share at all */
	return rs_cpu_case_is_lasting(k->b, k->interval_ns) &&
	       k->ns / (k->b->part_nr[RS_PART_QUEUE] + 1) >= CPU_LONG_WAIT_NS && k->ns > k->of_ns / 10 * 8 &&
	       k->b->run_ns * (are_groups ? CPU_UNFAIR_OF_GROUP : CPU_UNFAIR) * (nr + 1) < k->of_ns;
}

/*
 * Processes of one name may be in several groups: one that is throttled explains the waits, one that is
 * unknown may.
 */
void rs_cpu_case_find_throttled(struct rs_cpu_case *k)
{
	const struct rs_blame *b = k->of.b;
	struct rs_ctx *c = k->of.c;
	const char *last = NULL;

	k->throttling = rs_throttling(c, b->task, &k->throttled);
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_throttled throttled;
		enum rs_throttling throttling;

		if (t->exited || (rs_task_cgroup(t, RS_CGROUP_CPU) == last && last) ||
		    !rs_blame_has_task(c, b, t))
			continue;
		last = rs_task_cgroup(t, RS_CGROUP_CPU);
		throttling = rs_throttling(c, t, &throttled);
		if (throttled.ns > k->throttled.ns)
			k->throttled = throttled;
		if (throttling == RS_THROTTLED ||
		    (throttling == RS_THROTTLING_UNKNOWN && k->throttling == RS_NOT_THROTTLED))
			k->throttling = throttling;
	}
	k->group = k->throttled.cgroup ? k->throttled.cgroup : rs_task_cgroup(b->task, RS_CGROUP_CPU);
}
