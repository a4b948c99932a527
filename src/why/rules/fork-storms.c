// SPDX-License-Identifier: GPL-2.0-or-later
/* fork-storms - rule: who starts so many processes that their start and end is what the CPUs do */
#include <string.h>

#include "why/blame.h"
#include "why/namesakes.h"
#include "ringside/plugin.h"

#define FORKS_LEAST_LASTING \
	20000 /* processes a second, in thousandths, that one starts which stays, where the machine does \
		 little else */
#define FORKS_LEAST_RUN 250           /* of the time of all CPUs that those run, in thousandths */
#define FORKS_MOST_RUN_NS 50000000    /* each: those that run for longer do some work */
#define FORKS_MOST_RUN 10             /* likewise, against what it takes to start one, where that is known */
#define FORKS_LEAST_WAITING \
	500 /* tasks that wait for each CPU, in thousandths, where they wait for one another */
#define FORKS_LEAST_WAITED 33333      /* and of their time, in thousandths of a percent */

#define FORKS_CAUSE "{rate} short-lived {|child| }processes a second (fork, exec)"

static const struct rs_rule rules[] = {
	{ "fork-storm",
	  "a process starts very many short-lived processes; fewer, if these are most of what the CPUs do",
	  200000, "processes/s", "starts",
	  "do the work in one process, or in a few that stay", .has_chain = true,
	  .says = { FORKS_CAUSE, "their start and end takes the CPUs" },
	  .view = "execsnoop",
	  .evidence = RS_LIST(rs_evidence, { "execsnoop", NULL, "ppid == {pid}" },
			      { "tasks", "-run_ns", "pid == {pid}" }),
	  .found =
		"The processes that live for a moment are counted by who starts them: at least {least}; "
		"fewer if they take a large part of all CPUs, or wait for one another.",
	  .wrong =
		"A build starts many processes that each do real work: it is reported only if most of "
		"their time is their start and end." },
	{ 0 },
};

static const struct rs_sentence of_waiting = { FORKS_CAUSE, "they wait {share} of their time for a CPU" };

/* On a CPU in calls that start tasks or programs. */
struct fork_storms {
	uint64_t start_cpu_ns;
};

static void fork_storms_reset(struct rs_ctx *c)
{
	*(struct fork_storms *)c->state = (struct fork_storms){ 0 };
}

static void fork_storms_on_start(struct rs_ctx *c, const struct rs_call *call)
{
	if (!call->discarded && call->cpu_inside_ns > 0)
		((struct fork_storms *)c->state)->start_cpu_ns += (uint64_t)call->cpu_inside_ns;
}

/* f: with .slots from {rate} on. */
static void fork_storms_report(struct rs_ctx *c, struct rs_finding *f)
{
	f->rule = rules;
	f->culprit = f->victim;
	f->culprit_pid = f->victim_pid;
	rs_report_finding(c, f);
}

/* ---- processes that wait for one another ---- */

static void fork_storms_judge_waiting(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	uint64_t waited_ns = b->part_ns[RS_PART_QUEUE] + b->part_ns[RS_PART_IDLE_CPU] +
			    b->part_ns[RS_PART_THROTTLED],
		 busy_ns = rs_blame_busy_ns(b);
	const struct rs_task *starter = rs_milli(waited_ns, busy_ns, 100).u >= FORKS_LEAST_WAITED ?
						rs_blame_starter(c, b, interval_ns) :
						NULL;
	const struct rs_blame_entry *first;
	uint64_t rate = rs_milli(b->nr_processes * 1000000000ull, interval_ns, 1).u;

	if (!starter || rs_blame_nr_waiting(c, interval_ns) < FORKS_LEAST_WAITING)
		return;
	rs_blame_sum(b, RS_PART_BIT(QUEUE), &first);
	if (!first || !rs_blame_is_of(first, b))
		return;
	fork_storms_report(c, &(struct rs_finding){
				      .says = &of_waiting,
				      .cost_ns = waited_ns,
				      .lost_ns = waited_ns,
				      .victim = rs_task_process_comm(c, starter),
				      .victim_pid = starter->pid,
				      .measured = rate,
				      .slots = RS_LIST(rs_slot, { "rate", RS_SLOT_NUMBER, rs_u(rate / 1000) },
						       { "child", RS_SLOT_NAME, rs_s(b->comm) },
						       { "share", RS_SLOT_PERCENT,
							 rs_u(rs_milli(waited_ns, busy_ns, 100).u / 1000) }),
			      });
}

/* ---- processes that live for a moment ---- */

#define MAX_PARENTS 64
#define MOST_SUBSHELLS 8

struct fork_storms_parent {
	const char *comm;
	int32_t pid;
	uint64_t nr, run_ns;
	/* of those whose parent stays: a compiler's driver lives no longer than what it starts */
	uint64_t nr_of_lasting, run_of_lasting_ns;
};

/* Was the process there in the first half of the interval, or the script that it is a part of? */
static bool fork_storms_is_of_lasting(struct rs_ctx *c, const struct rs_task *t)
{
	uint64_t half_ns = rs_since_ns(c) + (rs_last_event_ns(c) - rs_since_ns(c)) / 2;

	for (int depth = 0; t && depth < MOST_SUBSHELLS; depth++) {
		const struct rs_task *parent = t->ppid ? rs_task_find(c, t->ppid) : NULL;

		if (!t->exited && t->birth_ns <= half_ns)
			return true;
		t = parent && !strcmp(parent->comm, t->comm) ? parent : NULL;
	}
	return false;
}

/* The processes that were forked in the interval, by the name of their parent. */
static size_t fork_storms_count(struct rs_ctx *c, struct fork_storms_parent *parents)
{
	size_t nr = 0, i;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		const struct rs_task *parent = rs_namesakes_is_brief(c, t) && t->tid == t->pid && t->ppid ?
						       rs_task_find(c, t->ppid) :
						       NULL;

		if (!parent || !rs_shown(c, t))
			continue;
		i = rs_namesakes_find(parents, nr, sizeof *parents, parent->comm);
		if (i == MAX_PARENTS)
			continue;
		if (i == nr)
			parents[nr++] = (struct fork_storms_parent){ parent->comm, .pid = parent->pid };
		parents[i].nr++;
		parents[i].run_ns += t->oncpu_ns;
		if (fork_storms_is_of_lasting(c, parent)) {
			parents[i].nr_of_lasting++;
			parents[i].run_of_lasting_ns += t->oncpu_ns;
		}
	}
	return nr;
}

/*
 * Fewer than of a storm, but they take so long to start and end that they are most of what the machine does.
 * What they run is compared with what it takes to start one, for that has the speed of the machine in it: a
 * build's do more.
 */
static bool fork_storms_are_most(struct rs_ctx *c, const struct fork_storms_parent *p, uint64_t start_ns,
				 uint64_t interval_ns)
{
	uint64_t most_ns = start_ns ? start_ns * FORKS_MOST_RUN : FORKS_MOST_RUN_NS;

	return rs_absence_is_known(c, RS_EVENTS_CALLS) &&
	       rs_milli(p->nr_of_lasting * 1000000000, interval_ns, 1).u >= FORKS_LEAST_LASTING &&
	       p->run_of_lasting_ns / p->nr_of_lasting <= most_ns &&
	       rs_milli(p->run_of_lasting_ns, interval_ns * rs_nr_cpus(c), 1).u >= FORKS_LEAST_RUN;
}

static void fork_storms_judge(struct rs_ctx *c, uint64_t interval_ns)
{
	struct fork_storms_parent parents[MAX_PARENTS];
	size_t nr = fork_storms_count(c, parents);
	uint64_t nr_started = 0, start_ns;

	for (size_t i = 0; i < nr; i++)
		nr_started += parents[i].nr;
	start_ns = nr_started ? ((const struct fork_storms *)c->state)->start_cpu_ns / nr_started : 0;
	for (size_t i = 0; i < nr; i++) {
		uint64_t rate = rs_milli(parents[i].nr * 1000000000, interval_ns, 1).u;

		if (rate < rules->threshold && !fork_storms_are_most(c, &parents[i], start_ns, interval_ns))
			continue;
		fork_storms_report(c, &(struct rs_finding){
			.cost_ns = rate < rules->threshold ? parents[i].run_ns :
							     parents[i].run_ns * 4 + interval_ns,
			.lost_ns = parents[i].run_ns, .victim = parents[i].comm, .victim_pid = parents[i].pid,
			.measured = rate,
			.slots = RS_LIST(rs_slot, { "rate", RS_SLOT_NUMBER, rs_u(rate / 1000) }),
		});
	}
}

static void fork_storms_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	for (size_t i = 0; i < nr; i++)
		fork_storms_judge_waiting(c, &list[i], interval_ns);
	if (interval_ns)
		fork_storms_judge(c, interval_ns);
}

const struct rs_analysis rs_analysis_fork_storms = {
	.abi = RS_ABI,
	.name = "fork-storms",
	.summary = "who starts very many processes that live for a moment",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = fork_storms_on_start,
					    .kinds = 1 << RS_CALL_FORK | 1 << RS_CALL_EXEC,
					    .if_recorded = true }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct fork_storms),
	.reset = fork_storms_reset,
	.rules = rules,
	.findings = fork_storms_put_findings,
};
