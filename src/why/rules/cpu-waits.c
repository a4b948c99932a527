// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu-waits - rules: who waits for a CPU, why it gets none, and who runs meanwhile */
#include <stdio.h>

#include "why/cases/cpu-case.h"

/* Of what a process did or could not do, in thousandths of a percent. */
#define CPU_LEAST_SHARE 33333
#define CPU_LEAST_OF_HOG 20000        /* where one process runs meanwhile that never sleeps */
#define CPU_LEAST_OF_SLEEPER 25000    /* of a process that stays, and sleeps in between */
#define CPU_LEAST_OVERLOADED 15000    /* where more tasks of one name than there are CPUs never sleep */
#define CPU_LEAST_AVOIDABLE 12000     /* where another CPU is idle all the while */
/* Of one thread's time, in thousandths. */
#define CPU_LEAST_OF_TIME 80
#define CPU_AVOIDABLE_LEAST_OF_TIME 50
/* Tasks that wait for each CPU on average, in thousandths, for the machine to be saturated. */
#define CPU_LEAST_WAITING 500
#define CPU_LEAST_WAITING_OF_SLEEPER 250
#define CPU_LEAST_OF_CULPRIT 400      /* of the wait, for one culprit to be named as its cause */
#define CPU_HOG_RUNS 300  /* of the time that one thread runs, in thousandths, for its process to be a hog */
#define CPU_NICE_LEVELS 3             /* that a victim is nicer than who runs */
#define CPU_SLOW_WAIT_NS 10000000     /* from which on runqslower lists a wait */
#define CPU_LIGHTER 2                 /* times that the weight of another cgroup is that of the victim's */

#define CPU_EVIDENCE \
	{ "antagonists", NULL, "pid == {pid}" }, { "tasks", "-run_ns", "{pids}" }, { "cpus" }, \
		{ "runqslower", NULL, "pid == {slow_pid}" }

static const struct rs_evidence of_cpu[] = { CPU_EVIDENCE, { 0 } },
				of_groups[] = { CPU_EVIDENCE, { "cgroups" }, { 0 } },
				of_quota[] = { { "cgroups", NULL, "cgroup == \"{group}\"", .or_all = true },
					       CPU_EVIDENCE,
					       { 0 } };

enum { THROTTLED, REAL_TIME, NICE, WEIGHT, OWN, AFFINITY, KERNEL_THREAD, HOG, SATURATED };

#define CPU_RULE(id, name, summary, least, advice, ...) \
	[id] = { name, summary, least, "%", "waits", advice, .view = "antagonists", .where = "pid == {pid}", \
		 .evidence = of_cpu, __VA_ARGS__ }

static const struct rs_rule rules[] = {
	CPU_RULE(THROTTLED, "cpu-throttled",
		 "a process is runnable for long beside an idle CPU: its cgroup is throttled",
		 CPU_LEAST_SHARE, "raise cpu.max of its cgroup; cpu.stat counts how often it is throttled",
	  .found =
		"A process is runnable while its CPU is idle, or its cgroup counts throttled time for "
		"half of its wait: at least {least} of its time.",
	  .wrong =
		"Where cpu.stat of the cgroup is not in the recording, the throttling is inferred from "
		"the idle CPU. A CPU that the hypervisor does not run looks alike."),
	CPU_RULE(REAL_TIME, "cpu-realtime", "a real-time task runs while a process waits for a CPU",
		 CPU_LEAST_SHARE, "give the real-time task a CPU of its own, or less work (chrt -p)",
	  .found =
		"The task that runs most of the time while a process waits for a CPU has a real-time "
		"priority: at least {least} of its time.",
	  .wrong =
		"The real-time task may be meant to come first, as for audio or a control loop: then "
		"the process that waits should move."),
	CPU_RULE(NICE, "cpu-nice", "a process is nicer than what runs while it waits for a CPU",
		 CPU_LEAST_SHARE, "renice it, or what runs meanwhile",
	  .found =
		"The task that runs most of the time while a process waits has a nice value that is "
		"several levels lower than that of the thread that waits longest: at least {least} of "
		"its time.",
	  .wrong =
		"A batch job that was niced on purpose waits as intended. Processes that live for a "
		"moment are left out."),
	CPU_RULE(WEIGHT, "cpu-weight", "a process gets far less than an equal share of its CPU",
		 CPU_LEAST_SHARE, "compare cpu.weight of the two cgroups",
	  .found =
		"The cgroup of what runs while a process waits has at least twice its cpu.weight, or, "
		"where weights are unknown, the process gets far less than an equal share: at least "
		"{least} of its time.",
	  .wrong =
		"Without the weights the cause is inferred: another scheduler (sched_ext) or a group of "
		"tasks may explain the unequal share."),
	CPU_RULE(OWN, "cpu-own-threads", "a process waits for a CPU while its own threads have them",
		 CPU_LEAST_SHARE, "run as many threads as it may use CPUs",
	  .found =
		"What runs while a process waits for a CPU is of its own name, and the CPUs of the "
		"machine have many waiting tasks: at least {least} of its time.",
	  .wrong =
		"A pool that is sized for I/O has more threads than CPUs on purpose, and short bursts "
		"of work do no harm."),
	CPU_RULE(AFFINITY, "cpu-affinity",
		 "tasks wait for one CPU while another that they may not use is idle", CPU_LEAST_OF_HOG,
		 "let it use more CPUs (taskset -p, cpuset.cpus)",
	  .found =
		"Tasks of one name wait for one another on a CPU, while another CPU, for which none of "
		"them waits, is idle nearly all the time: at least {least} of their time.",
	  .wrong =
		"The affinity is inferred from the idle CPU, not read: a CPU that is isolated, or a "
		"load that the scheduler does not balance in time, looks alike."),
	CPU_RULE(KERNEL_THREAD, "cpu-kernel", "a kernel thread runs while a process waits for a CPU",
		 CPU_LEAST_SHARE, "see what makes its work: interrupts, network packets, write-back",
	  .found =
		"The task that runs most of the time while a process waits for a CPU is a kernel "
		"thread: at least {least} of its time.",
	  .wrong =
		"The thread may work for the process itself: its packets, its write-back, its encrypted "
		"files. The finding does not tell for whom."),
	CPU_RULE(HOG, "cpu-hog", "one other process runs while a process waits for a CPU",
		 CPU_LEAST_AVOIDABLE, "end or renice what runs meanwhile, or move it to another CPU",
	  .found =
		"One process runs for most of the time while another waits for a CPU: at least {least} "
		"of its time where another CPU is idle, a larger share where none is.",
	  .wrong =
		"Two processes of the same importance each get their share of a CPU: then it is the CPU "
		"that is too small for both. Nothing is reported where no wakings were recorded."),
	CPU_RULE(SATURATED, "cpu-saturated", "several other processes run while a process waits for a CPU",
		 CPU_LEAST_OVERLOADED, "run less at once, or renice what can wait",
	  .found =
		"While a process waits for a CPU several others run, none of them most of the time, and "
		"the CPUs have many waiting tasks: at least {least} of its time, more if it never "
		"sleeps.",
	  .wrong =
		"A build or a batch job that should use all CPUs makes everything else wait: then the "
		"machine is well used."),
	{ 0 },
};

/* ---- which row ---- */

static bool cpu_waits_is_idle(const struct rs_cpu_case *k)
{
	return k->of.b->part_ns[RS_PART_IDLE_CPU] > k->of.ns / 2;
}

/* Beside an idle CPU, or while its quota was used up, whoever ran. */
static bool cpu_waits_is_held_back(const struct rs_cpu_case *k)
{
	const uint64_t *part_ns = k->of.b->part_ns;

	return part_ns[RS_PART_IDLE_CPU] + part_ns[RS_PART_THROTTLED] > k->of.ns / 2;
}

/* If the cgroup counts throttling, what runs on its CPU meanwhile is no cause. */
static bool cpu_waits_is_throttled(const struct rs_case *of)
{
	const struct rs_cpu_case *k = (const struct rs_cpu_case *)of;

	if (k->throttling == RS_THROTTLED)
		return cpu_waits_is_held_back(k) || k->throttled.ns > of->ns / 2;
	return k->throttling == RS_THROTTLING_UNKNOWN && cpu_waits_is_held_back(k);
}

static bool cpu_waits_is_counted(const struct rs_case *of)
{
	return ((const struct rs_cpu_case *)of)->throttled.cgroup && cpu_waits_is_throttled(of);
}

/* Are the processes that run in its place short-lived? Returns the one that starts them; NULL: no. */
static const struct rs_task *cpu_waits_starter(const struct rs_case *k)
{
	const struct rs_blame *other = k->e ? rs_blame_of(k->c, k->e) : NULL;
	const struct rs_task *parent = other && other->task->ppid ? rs_task_find(k->c, other->task->ppid) :
								    NULL;

	return parent && rs_blame_is_short_lived(other, k->interval_ns) ? parent : NULL;
}

/* No culprit has a large share of it. */
static bool cpu_waits_is_by_many(const struct rs_case *k)
{
	return !k->e || k->e->ns < k->ns / 1000 * CPU_LEAST_OF_CULPRIT;
}

static bool cpu_waits_is_by_many_brief(const struct rs_case *k)
{
	return cpu_waits_is_by_many(k) && cpu_waits_starter(k);
}

static bool cpu_waits_is_real_time(const struct rs_case *k)
{
	return k->e->prio >= 0 && k->e->prio < 100 && !k->e->kernel_thread;
}

static bool cpu_waits_is_kernel_thread(const struct rs_case *k)
{
	return k->e->kernel_thread;
}

static bool cpu_waits_is_own(const struct rs_case *k)
{
	return k->e && rs_blame_is_of(k->e, k->b);
}

static bool cpu_waits_is_affinity(const struct rs_case *k)
{
	return cpu_waits_is_own(k) && ((const struct rs_cpu_case *)k)->free_cpu >= 0;
}

static bool cpu_waits_is_own_threads(const struct rs_case *k)
{
	return cpu_waits_is_own(k) && k->b->nr_processes == 1;
}

/* Of the thread that waited for longest: the others may be more urgent. -1: unknown. */
static int cpu_waits_prio(const struct rs_case *k)
{
	const struct rs_task *t = rs_task_find(k->c, k->e->waiter_tid);

	return t ? t->prio : -1;
}

static bool cpu_waits_is_nice(const struct rs_case *k)
{
	return cpu_waits_prio(k) >= 100 && k->e->prio >= 100 &&
	       cpu_waits_prio(k) - k->e->prio >= CPU_NICE_LEVELS;
}

/* One of several threads, which is told by its name. */
static bool cpu_waits_names_thread(const struct rs_blame *b, int32_t tid)
{
	return b && b->nr_processes == 1 && b->nr_threads > 1 && tid;
}

static bool cpu_waits_is_nice_thread(const struct rs_case *k)
{
	return cpu_waits_is_nice(k) && cpu_waits_names_thread(k->b, k->e->waiter_tid);
}

static bool cpu_waits_is_light(const struct rs_case *of)
{
	const struct rs_cpu_case *k = (const struct rs_cpu_case *)of;

	return k->weights.own ? k->weights.others >= CPU_LIGHTER * k->weights.own : rs_cpu_case_is_unfair(of);
}

static bool cpu_waits_are_several(const struct rs_case *k)
{
	const struct rs_blame *other = rs_blame_of(k->c, k->e);

	return k->e->nr_pids > 1 || k->e->ns < k->ns / 2 ||
	       (other && other->busiest_ns < k->interval_ns / 1000 * CPU_HOG_RUNS);
}

static bool cpu_waits_are_several_brief(const struct rs_case *k)
{
	return cpu_waits_are_several(k) && cpu_waits_starter(k);
}

#define CPU_CAUSE "for a CPU{ although CPU |free_cpu| is idle}{ (|affinity|)}"
#define CPU_QUOTA "{~its} cgroup{ |group} is throttled by its quota{quota}"
#define CPU_RUNS "{culprit} {^runs} meanwhile"
#define CPU_RUNS_BRIEF CPU_RUNS ", short-lived ones that {starter} starts (fork, exec)"

static const struct rs_rule_row rows[] = {
	{ &rules[THROTTLED], cpu_waits_is_counted, { "for a CPU{ beside |idle_one}", CPU_QUOTA }, of_quota },
	{ &rules[THROTTLED], cpu_waits_is_throttled, { "for a CPU{ beside |idle_one}", CPU_QUOTA }, of_groups,
	  .is_inferred = true },
	{ &rules[SATURATED], cpu_waits_is_by_many_brief, { CPU_CAUSE, CPU_RUNS_BRIEF, true } },
	{ &rules[SATURATED], cpu_waits_is_by_many, { CPU_CAUSE, CPU_RUNS } },
	{ &rules[REAL_TIME], cpu_waits_is_real_time,
	  { CPU_CAUSE, CPU_RUNS "{, in |thread}, at real-time priority {priority}" } },
	{ &rules[KERNEL_THREAD], cpu_waits_is_kernel_thread, { CPU_CAUSE, "the kernel thread " CPU_RUNS } },
	{ &rules[AFFINITY], cpu_waits_is_affinity,
	  { "for a CPU although CPU {free_cpu} is idle",
	    "{~its} own tasks share one CPU, by their affinity" },
	  .is_inferred = true },
	{ &rules[OWN], cpu_waits_is_own_threads,
	  { CPU_CAUSE, "its own {threads} threads compete for the CPUs, {runnable} at a time" } },
	{ &rules[OWN], cpu_waits_is_own,
	  { CPU_CAUSE, "{runnable} of {them} compete for the CPUs at a time" } },
	{ &rules[NICE], cpu_waits_is_nice_thread,
	  { CPU_CAUSE, "{own_thread} is at nice {own_nice}, " CPU_RUNS "{, in |thread} at nice {nice}" } },
	{ &rules[NICE], cpu_waits_is_nice,
	  { CPU_CAUSE, CPU_RUNS "{, in |thread} at nice {nice}, {~it} {~is} at nice {own_nice} {~itself}" } },
	{ &rules[WEIGHT], cpu_waits_is_light,
	  { CPU_CAUSE, CPU_RUNS ", with far more weight (cpu.weight{ |weight| against }{own_weight})" },
	  of_groups },
	{ &rules[SATURATED], cpu_waits_are_several_brief, { CPU_CAUSE, CPU_RUNS_BRIEF, true } },
	{ &rules[SATURATED], cpu_waits_are_several, { CPU_CAUSE, CPU_RUNS } },
	{ &rules[HOG], NULL, { CPU_CAUSE, CPU_RUNS } },
	{ 0 },
};

/* ---- from which share on ---- */

/* It does not sleep by its own wish: all its time is work, or a wait for a CPU, a disk, a lock. */
static bool cpu_waits_is_greedy(const struct rs_blame *b, uint64_t interval_ns)
{
	return rs_cpu_case_is_lasting(b, interval_ns) &&
	       rs_blame_busy_ns(b) >= (b->lifetime_ns - b->unknown_ns) / 10 * 9;
}

/*
 * Who would work all the time, and has no less of the CPU than the other, which sleeps in between, takes: it
 * does not suffer.
 */
static bool cpu_waits_is_taker(const struct rs_case *k, const struct rs_blame *other)
{
	return other && other != k->b && k->b->run_ns >= other->run_ns &&
	       !cpu_waits_is_greedy(other, k->interval_ns) && cpu_waits_is_greedy(k->b, k->interval_ns);
}

/* Of its time one in ten at most is not on a CPU, or waiting for one. */
static bool cpu_waits_runs_always(const struct rs_blame *b, uint64_t interval_ns)
{
	return b && rs_cpu_case_is_lasting(b, interval_ns) &&
	       b->run_ns + b->part_ns[RS_PART_QUEUE] + b->part_ns[RS_PART_SOFTIRQ] >= b->lifetime_ns / 10 * 9;
}

/* Do more tasks than there are CPUs run all the time in its place, and half of them wait? */
static bool cpu_waits_is_overloaded(const struct rs_case *k, const struct rs_blame *other)
{
	return other && other->nr_threads > rs_nr_cpus(k->c) &&
	       cpu_waits_runs_always(other, k->interval_ns) &&
	       rs_blame_nr_waiting(k->c, k->interval_ns) >= CPU_LEAST_WAITING;
}

/*
 * Half a task that waits for each CPU is too much for whoever waits; a build at the machine's size has less.
 * It consists of processes that come and go: one that stays, sleeps in between and waits for a CPU above all
 * is kept from its work by less. So is one that hardly gets to run.
 */
static uint64_t cpu_waits_least_of_saturated(const struct rs_case *k, const struct rs_blame *other)
{
	bool is_other = !cpu_waits_is_own(k) && rs_cpu_case_is_lasting(k->b, k->interval_ns);
	bool sleeps = is_other && !cpu_waits_is_greedy(k->b, k->interval_ns) &&
		      k->ns >= (k->of_ns - k->b->run_ns) / 3 * 2;
	bool is_starved = is_other && k->ns >= k->of_ns / 10 * 7;

	if (rs_blame_nr_waiting(k->c, k->interval_ns) <
	    (sleeps || is_starved ? CPU_LEAST_WAITING_OF_SLEEPER : CPU_LEAST_WAITING))
		return RS_CASE_NEVER;
	if (sleeps && cpu_waits_is_overloaded(k, other))
		return CPU_LEAST_OVERLOADED;
	return sleeps ? CPU_LEAST_OF_SLEEPER : CPU_LEAST_SHARE;
}

/* A busy process waits, too; it is reported only if a CPU is idle, and the other process hardly waits. */
static uint64_t cpu_waits_least_of_taker(const struct rs_cpu_case *k, const struct rs_blame *other)
{
	return k->free_cpu >= 0 && rs_milli(other->part_ns[RS_PART_QUEUE], rs_blame_busy_ns(other), 100).u <
					   CPU_LEAST_AVOIDABLE ?
		       CPU_LEAST_OF_HOG :
		       RS_CASE_NEVER;
}

/* By what share the waits are too long, whoever they are told of. */
static uint64_t cpu_waits_least_share(const struct rs_case *of, const struct rs_rule_row *row)
{
	const struct rs_cpu_case *k = (const struct rs_cpu_case *)of;
	const struct rs_blame *other = of->e ? rs_blame_of(of->c, of->e) : NULL;
	unsigned int rule = (unsigned int)(row->rule - rules);

	if ((rule == HOG || rule == SATURATED) && cpu_waits_is_taker(of, other))
		return cpu_waits_least_of_taker(k, other);
	if (rule == HOG && cpu_waits_runs_always(other, of->interval_ns))
		return k->free_cpu >= 0 ? CPU_LEAST_AVOIDABLE : CPU_LEAST_OF_HOG;
	/* a niced script: its children are meant to wait */
	if (rule == NICE && !rs_cpu_case_is_lasting(of->b, of->interval_ns))
		return RS_CASE_NEVER;
	if (rule == SATURATED || rule == OWN)
		return cpu_waits_least_of_saturated(of, other);
	return rule == HOG ? CPU_LEAST_SHARE : row->rule->threshold;
}

/* Of a HOG beside an idle CPU less of one thread's time counts. */
static uint64_t cpu_waits_least_of_time(const struct rs_case *k, const struct rs_rule_row *row)
{
	return row->rule == &rules[HOG] && ((const struct rs_cpu_case *)k)->free_cpu >= 0 ?
		       CPU_AVOIDABLE_LEAST_OF_TIME :
		       CPU_LEAST_OF_TIME;
}

static const struct rs_family cpu_family;

/*
 * Does one that stays, and sleeps in between, wait for a CPU because of them? Then that one suffers, and they
 * take.
 */
static bool cpu_waits_are_takers(const struct rs_case *k)
{
	size_t nr;
	const struct rs_blame *list = rs_blame_list(k->c, &nr);

	for (size_t i = 0; i < nr; i++) {
		struct rs_cpu_case other = {
			.of = { .c = k->c, .b = &list[i], .interval_ns = k->interval_ns }
		};
		const struct rs_rule_row *row;

		if (&list[i] == k->b || !rs_cpu_case_is_lasting(&list[i], k->interval_ns) ||
		    cpu_waits_is_greedy(&list[i], k->interval_ns))
			continue;
		rs_cpu_case_gather(&other);
		row = other.of.e && rs_blame_is_of(other.of.e, k->b) ?
			      rs_evaluate_row(&cpu_family, &other.of) :
			      NULL;
		if (row && row->rule == &rules[SATURATED] &&
		    rs_milli(other.of.ns, k->interval_ns, 1).u >= CPU_LEAST_OF_TIME &&
		    rs_milli(other.of.ns, other.of.of_ns, 100).u >= cpu_waits_least_share(&other.of, row))
			return true;
	}
	return false;
}

static uint64_t cpu_waits_least(const struct rs_case *k, const struct rs_rule_row *row)
{
	if (rs_milli(k->ns, k->interval_ns, 1).u < cpu_waits_least_of_time(k, row))
		return RS_CASE_NEVER;
	/* of those that it starts itself fork-storms tells */
	if (row->rule == &rules[OWN] &&
	    (rs_blame_starter(k->c, k->b, k->interval_ns) || cpu_waits_are_takers(k)))
		return RS_CASE_NEVER;
	return cpu_waits_least_share(k, row);
}

static bool cpu_waits_find(struct rs_case *of)
{
	struct rs_cpu_case *k = (struct rs_cpu_case *)of;

	rs_cpu_case_gather(k);
	if (!of->of_ns || rs_milli(of->ns, of->interval_ns, 1).u < CPU_AVOIDABLE_LEAST_OF_TIME ||
	    rs_milli(of->ns, of->of_ns, 100).u < CPU_LEAST_AVOIDABLE)
		return false;
	rs_cpu_case_find_throttled(k);
	return k->throttling != RS_NOT_THROTTLED || !cpu_waits_is_idle(k); /* else unexplained */
}

/* ---- what it says ---- */

static void cpu_waits_blame(struct rs_case *k, const struct rs_rule_row *row)
{
	const char *group = ((const struct rs_cpu_case *)k)->group;

	k->names_code = true;
	if (row->rule == &rules[THROTTLED])
		k->culprit.comm = group ? group : "cpu.max";
	else if (k->e)
		k->culprit = (struct rs_case_culprit){ k->e->comm, k->e->pids[0],
						       rs_blame_nr_culprits(k->c, k->e) };
	if (row->rule == &rules[WEIGHT] && !((const struct rs_cpu_case *)k)->weights.own)
		k->confidence = RS_INFERRED;
}

/* "its thread audit-log (386)"; "": of a process of one thread. */
static struct rs_value cpu_waits_thread(const struct rs_blame *b, const char *thread, int32_t tid, char *buf,
					size_t size_bytes)
{
	buf[0] = '\0';
	if (cpu_waits_names_thread(b, tid))
		snprintf(buf, size_bytes, "its thread %.16s (%d)", thread, tid);
	return rs_s(buf);
}

/* Nothing but the affinity of that thread keeps it from an idle CPU for long. */
static struct rs_value cpu_waits_affinity(const struct rs_cpu_case *k, char *buf, size_t size_bytes)
{
	char thread[48] = "";

	if (k->of.e)
		cpu_waits_thread(k->of.b, k->of.e->waiter, k->of.e->waiter_tid, thread, sizeof thread);
	snprintf(buf, size_bytes, "affinity%s%s", *thread ? " of " : "", thread);
	return rs_s(k->free_cpu >= 0 ? buf : NULL);
}

/*
 * How many of its threads are on a CPU or wait for one, on average: who lives for a moment, or sleeps, is no
 * rival all the time.
 */
static uint64_t cpu_waits_nr_runnable(const struct rs_case *k)
{
	uint64_t nr = rs_milli(k->b->run_ns + k->ns, k->interval_ns, 1).u;

	return nr > 2000 ? (nr + 500) / 1000 : 2;
}

/* Is one of its waits so long that runqslower lists it? */
static bool cpu_waits_has_slow(const struct rs_blame *b)
{
	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].part == RS_PART_QUEUE && b->at[i].max_ns >= CPU_SLOW_WAIT_NS)
			return true;
	return false;
}

static void cpu_waits_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_case_slots *to)
{
	struct rs_cpu_case *k = (struct rs_cpu_case *)of;
	const struct rs_blame_entry *e = of->e;
	const struct rs_task *starter = cpu_waits_starter(of);
	const struct rs_blame *other = e ? rs_blame_of(of->c, e) : NULL;
	const struct rs_slot slots[] = {
		{ "free_cpu", RS_SLOT_NUMBER, rs_u_if(k->free_cpu >= 0, (uint64_t)k->free_cpu) },
		{ "affinity", RS_SLOT_TEXT, cpu_waits_affinity(k, k->texts[0], sizeof k->texts[0]) },
		{ "idle_one", RS_SLOT_TEXT, rs_s(cpu_waits_is_idle(k) ? "an idle one" : NULL) },
		{ "group", RS_SLOT_CGROUP, rs_s(k->group) },
		{ "quota", RS_SLOT_TEXT,
		  rs_s(rs_quota_words(of->c, &k->throttled, k->texts[1], sizeof k->texts[1])) },
		{ "starter", RS_SLOT_NAME, rs_s(starter ? starter->comm : NULL) },
		{ "thread", RS_SLOT_TEXT,
		  e ? cpu_waits_thread(other, e->thread, e->tid, k->texts[2], sizeof k->texts[2]) :
		      rs_null() },
		{ "own_thread", RS_SLOT_TEXT,
		  e ? cpu_waits_thread(of->b, e->waiter, e->waiter_tid, k->texts[3], sizeof k->texts[3]) :
		      rs_null() },
		{ "priority", RS_SLOT_LEVEL, e ? rs_i(99 - e->prio) : rs_null() },
		{ "nice", RS_SLOT_LEVEL, e ? rs_i(e->prio - 120) : rs_null() },
		{ "own_nice", RS_SLOT_LEVEL, e ? rs_i(cpu_waits_prio(of) - 120) : rs_null() },
		{ "weight", RS_SLOT_NUMBER, rs_u_if(k->weights.own, k->weights.others) },
		{ "own_weight", RS_SLOT_NUMBER, rs_u_if(k->weights.own, k->weights.own) },
		{ "threads", RS_SLOT_NUMBER, rs_u(of->b->nr_threads) },
		{ "runnable", RS_SLOT_NUMBER, rs_u(cpu_waits_nr_runnable(of)) },
		{ "them", RS_SLOT_TEXT,
		  rs_s(of->b->nr_threads > of->b->nr_processes ? "their threads" : "them") },
		{ "slow_pid", RS_SLOT_LEVEL, cpu_waits_has_slow(of->b) ? rs_i(of->b->pid) : rs_null() },
	};

	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}

static const struct rs_family cpu_family = {
	.rows = rows, .find = cpu_waits_find, .least = cpu_waits_least, .blame = cpu_waits_blame,
	.slots = cpu_waits_slots, .case_size_bytes = RS_CASE_SIZE(struct rs_cpu_case),
};

/* Without wakings it is unknown how long who slept has waited since: who suffers, and who takes. */
static bool cpu_waits_are_known(struct rs_ctx *c)
{
	size_t nr = 0;
	const struct rs_blame *list = rs_blame_list(c, &nr);
	bool is_known = true;

	for (size_t i = 0; i < nr && is_known && !rs_wakings_are_recorded(c); i++)
		is_known = !list[i].part_ns[RS_PART_OFF_CPU] && !list[i].part_ns[RS_PART_UNKNOWN];
	return is_known;
}

static void cpu_waits_put_findings(struct rs_ctx *c)
{
	if (rs_judged_ns(c) && cpu_waits_are_known(c))
		rs_evaluate(c, (const struct rs_family *const[]){ &cpu_family }, 1);
}

const struct rs_analysis rs_analysis_cpu_waits = {
	.abi = RS_ABI,
	.name = "cpu-waits",
	.summary = "who waits for a CPU, and who runs meanwhile",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = rs_cpu_case_on_idle,
					    .kinds = 1 << RS_IDLE | 1 << RS_RUN }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.uses_samples = true,
	.samples = RS_SAMPLE_CGROUPS,
	.state_size = sizeof(struct rs_cpu_idle),
	.begin = rs_cpu_case_begin,
	.reset = rs_cpu_case_reset,
	.rules = rules,
	.findings = cpu_waits_put_findings,
};
