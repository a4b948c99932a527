// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu-waits - findings: who waits for a CPU, why it gets none, and who runs meanwhile */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

#define CPU_WAITS_LEAST 33333         /* of what it did or could not do, in thousandths of a percent */
#define CPU_WAITS_LEAST_OF_HOG 20000  /* likewise, where one process runs meanwhile that never sleeps */
#define CPU_WAITS_LEAST_OF_SLEEPER 25000 /* likewise, of a process that stays, and sleeps in between */
#define CPU_WAITS_LEAST_OVERLOADED \
	15000 /* likewise, where more tasks of one name than there are CPUs never sleep */
#define CPU_WAITS_LEAST_AVOIDABLE 12000 /* likewise, where another CPU is idle all the while */
#define CPU_WAITS_LEAST_OF_TIME 80    /* and of one thread's time, in thousandths */
#define AVOIDABLE_LEAST_OF_TIME 50    /* likewise, where it is avoidable */
#define LEAST_WAITING \
	500 /* tasks that wait for each CPU on average, in thousandths, for the machine to be saturated */
#define LEAST_WAITING_OF_SLEEPER 250
#define LEAST_OF_CULPRIT 400          /* of the wait, for one culprit to be named as its cause */
#define TAKES_MORE \
	2 /* times that another runs, for it to be who takes the CPUs from threads that wait for one another \
	   */
#define LEAST_OF_TAKER 400            /* and of all CPUs' time, in thousandths */
#define LEAST_OF_HOG 300 /* of the time that one thread runs, in thousandths, for its process to be a hog */
#define FREE_CPU 700     /* of the time that a CPU is idle, for it to be one that could have been used */
#define NICE_LEVELS 3                 /* that a victim is nicer than who runs */
#define LONG_WAIT_NS 15000000         /* for a CPU: longer than slices of equals */
#define SLOW_WAIT_NS 10000000         /* from which on runqslower lists a wait */
#define LIGHTER 2                     /* times that the weight of another cgroup is that of the victim's */
#define UNFAIR 4                      /* times that an equal share would be what the victim got */
#define UNFAIR_OF_GROUP 3             /* likewise, of an equal share of two cgroups */

enum { THROTTLED, REAL_TIME, NICE, WEIGHT, OWN, AFFINITY, KERNEL_THREAD, HOG, SATURATED };

static const struct rs_rule rules[] = {
	[THROTTLED] = { "cpu-throttled",
			"a process is runnable for long beside an idle CPU: its cgroup is throttled",
			CPU_WAITS_LEAST, "%", "waits",
			"raise cpu.max of its cgroup; cpu.stat counts how often it is throttled" },
	[REAL_TIME] = { "cpu-realtime", "a real-time task runs while a process waits for a CPU",
			CPU_WAITS_LEAST, "%", "waits",
			"give the real-time task a CPU of its own, or less work (chrt -p)" },
	[NICE] = { "cpu-nice", "a process is nicer than what runs while it waits for a CPU", CPU_WAITS_LEAST,
		   "%", "waits",
		   "renice it, or what runs meanwhile" },
	[WEIGHT] = { "cpu-weight", "a process gets far less than an equal share of its CPU", CPU_WAITS_LEAST,
		     "%", "waits",
		     "compare cpu.weight of the two cgroups" },
	[OWN] = { "cpu-own-threads", "a process waits for a CPU while its own threads have them",
		  CPU_WAITS_LEAST, "%", "waits",
		  "run as many threads as it may use CPUs" },
	[AFFINITY] = { "cpu-affinity", "tasks wait for one CPU while another that they may not use is idle",
		       CPU_WAITS_LEAST_OF_HOG, "%", "waits",
		       "let it use more CPUs (taskset -p, cpuset.cpus)" },
	[KERNEL_THREAD] = { "cpu-kernel", "a kernel thread runs while a process waits for a CPU",
			    CPU_WAITS_LEAST, "%", "waits",
			    "see what makes its work: interrupts, network packets, write-back" },
	[HOG] = { "cpu-hog", "one other process runs while a process waits for a CPU",
		  CPU_WAITS_LEAST_AVOIDABLE, "%", "waits",
		  "end or renice what runs meanwhile, or move it to another CPU" },
	[SATURATED] = { "cpu-saturated", "several other processes run while a process waits for a CPU",
			CPU_WAITS_LEAST_OVERLOADED, "%", "waits",
			"run less at once, or renice what can wait" },
	{ 0 },
};

/* ---- how long each CPU was idle ---- */

struct cpu_waits {
	uint64_t *idle_ns;
};

static int cpu_waits_begin(struct rs_ctx *c)
{
	struct cpu_waits *s = c->state;

	s->idle_ns = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->idle_ns);
	return s->idle_ns ? 0 : -ENOMEM;
}

static void cpu_waits_reset(struct rs_ctx *c)
{
	struct cpu_waits *s = c->state;

	memset(s->idle_ns, 0, rs_nr_cpus(c) * sizeof(uint64_t));
}

/* Time that ringside itself takes could have been another's. */
static void cpu_waits_on_idle(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct cpu_waits *s = c->state;

	if ((!iv->task || iv->task->self) && !iv->discarded && iv->cpu < rs_nr_cpus(c))
		s->idle_ns[iv->cpu] += rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns);
}

static uint64_t cpu_waits_idle_ns(struct rs_ctx *c, unsigned int cpu)
{
	uint64_t open_ns, now_ns = rs_last_event_ns(c), ns = ((struct cpu_waits *)c->state)->idle_ns[cpu];

	if (!c->range_ended && rs_cpu_state(c, cpu, &open_ns) == RS_IDLE && open_ns != RS_AGE_UNKNOWN)
		ns += rs_part_ns(rs_since_ns(c), now_ns - open_ns, now_ns);
	return ns;
}

/* The CPU that was idle longest, if that was nearly always, and the process did not wait for it; -1: none. */
static int cpu_waits_free_cpu(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	uint64_t most_ns = interval_ns / 1000 * FREE_CPU, all_ns = 0;
	int found = -1;

	for (unsigned int i = 0; i < rs_nr_cpus(c) && i < RS_BLAME_CPUS; i++)
		all_ns += b->cpu_ns[i];
	for (unsigned int i = 0; i < rs_nr_cpus(c) && i < RS_BLAME_CPUS; i++)
		if (b->cpu_ns[i] < all_ns / 10 && cpu_waits_idle_ns(c, i) > most_ns) {
			most_ns = cpu_waits_idle_ns(c, i);
			found = (int)i;
		}
	return found;
}

/* ---- who waits for a CPU ---- */

/* What is judged: a process, its waits for a CPU, and who took most of these. */
struct cpu_waits_case {
	const struct rs_blame *b;
	const struct rs_blame_entry *first; /* NULL: none is known */
	uint64_t waited_ns, busy_ns, interval_ns;
	int free_cpu;
	enum rs_throttling throttling;
	struct rs_throttled throttled;
	const char *group;                  /* whose quota it is; NULL: unknown */
	struct rs_weights weights;          /* of it and of the first; zeros unknown */
};

/* Does it wait for several CPUs, and not for one to which its tasks are pinned? */
static bool cpu_waits_uses_several(struct rs_ctx *c, const struct rs_blame *b)
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
static const struct rs_blame_entry *cpu_waits_behind_own(struct rs_ctx *c, const struct rs_blame *b,
							 uint64_t interval_ns)
{
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		const struct rs_blame *other = e->part == RS_PART_QUEUE && e->kind == RS_CULPRIT_TASK &&
							       strcmp(e->comm, b->comm) != 0 ?
						       rs_blame_find(c, e->comm) :
						       NULL;

		if (other && other->run_ns / TAKES_MORE >= b->run_ns &&
		    rs_milli(other->run_ns, interval_ns * rs_nr_cpus(c), 1).u >= LEAST_OF_TAKER &&
		    cpu_waits_uses_several(c, b))
			return e;
	}
	return NULL;
}

/* Entries of the parts are added by their culprit's name: those that ran in its place. */
static void cpu_waits_find(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns,
			   struct cpu_waits_case *k)
{
	const struct rs_blame_entry *other_entry;
	const struct rs_blame *other;

	*k = (struct cpu_waits_case){ .b = b, .busy_ns = rs_blame_busy_ns(b), .interval_ns = interval_ns };
	k->waited_ns = b->part_ns[RS_PART_QUEUE] + b->part_ns[RS_PART_IDLE_CPU];
	for (unsigned int i = 0; i < b->nr && !k->first; i++)
		k->first = b->at[i].part == RS_PART_QUEUE && b->at[i].kind == RS_CULPRIT_TASK ? &b->at[i] :
												NULL;
	k->free_cpu = cpu_waits_free_cpu(c, b, interval_ns);
	other_entry = k->free_cpu < 0 && k->first && !strcmp(k->first->comm, b->comm) ?
			      cpu_waits_behind_own(c, b, interval_ns) :
			      NULL;
	k->first = other_entry ? other_entry : k->first;
	other = k->first ? rs_blame_find(c, k->first->comm) : NULL;
	if (!other || !rs_cgroup_weights(c, b->task, other->task, &k->weights))
		k->weights = (struct rs_weights){ 0 };
}

static bool cpu_waits_is_own(const struct cpu_waits_case *k)
{
	return k->first && !strcmp(k->first->comm, k->b->comm);
}

static bool cpu_waits_is_lasting(const struct rs_blame *b, uint64_t interval_ns)
{
	return b->lifetime_ns >= interval_ns / 2 * b->nr_processes;
}

/*
 * How many share a CPU with the victim: the processes of that name, but where none of them is of its cgroup,
 * their cgroups.
 */
static unsigned int cpu_waits_nr_rivals(struct rs_ctx *c, const struct cpu_waits_case *k, bool *are_groups)
{
	const char *own = rs_task_cgroup(k->b->task, RS_CGROUP_CPU), *last = NULL, *path;
	unsigned int nr = 0;

	*are_groups = own;
	for (struct rs_task *t = rs_task_next(c, NULL); t && *are_groups; t = rs_task_next(c, t)) {
		if (t->exited || strcmp(rs_task_process_comm(c, t), k->first->comm) != 0)
			continue;
		path = rs_task_cgroup(t, RS_CGROUP_CPU);
		*are_groups = path && strcmp(path, own) != 0;
		nr += !last || !path || strcmp(path, last) != 0;
		last = path;
	}
	*are_groups = *are_groups && nr;
	return *are_groups ? nr : k->first->nr_pids ? k->first->nr_pids : 1;
}

/* On one CPU with one other an equal share is half; the victim wanted to run all of its busy time. */
static bool cpu_waits_is_unfair(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	bool are_groups;
	unsigned int nr = cpu_waits_nr_rivals(c, k, &are_groups);

	/* who waits for a slice or two, and runs for a moment, or lives for one, wants no share at all */
	return cpu_waits_is_lasting(k->b, k->interval_ns) &&
	       k->waited_ns / (k->b->part_nr[RS_PART_QUEUE] + 1) >= LONG_WAIT_NS &&
	       k->waited_ns > k->busy_ns / 10 * 8 &&
	       k->b->run_ns * (are_groups ? UNFAIR_OF_GROUP : UNFAIR) * (nr + 1) < k->busy_ns;
}

/* Of its time one in ten at most is not on a CPU, or waiting for one. */
static bool cpu_waits_runs_always(const struct rs_blame *b, uint64_t interval_ns)
{
	return cpu_waits_is_lasting(b, interval_ns) &&
	       b->run_ns + b->part_ns[RS_PART_QUEUE] + b->part_ns[RS_PART_SOFTIRQ] >= b->lifetime_ns / 10 * 9;
}

static bool cpu_waits_never_sleeps(struct rs_ctx *c, const struct rs_blame_entry *e, uint64_t interval_ns)
{
	const struct rs_blame *b = e ? rs_blame_find(c, e->comm) : NULL;

	return b && cpu_waits_runs_always(b, interval_ns);
}

/*
 * Processes of one name may be in several groups: one that is throttled explains the waits, one that is
 * unknown may.
 */
static void cpu_waits_find_throttled(struct rs_ctx *c, struct cpu_waits_case *k)
{
	const char *last = NULL;

	k->throttling = rs_throttling(c, k->b->task, &k->throttled);
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct rs_throttled throttled;
		enum rs_throttling throttling;

		if (t->exited || (rs_task_cgroup(t, RS_CGROUP_CPU) == last && last) ||
		    strcmp(rs_task_process_comm(c, t), k->b->comm) != 0)
			continue;
		last = rs_task_cgroup(t, RS_CGROUP_CPU);
		throttling = rs_throttling(c, t, &throttled);
		if (throttled.ns > k->throttled.ns)
			k->throttled = throttled;
		if (throttling == RS_THROTTLED ||
		    (throttling == RS_THROTTLING_UNKNOWN && k->throttling == RS_NOT_THROTTLED))
			k->throttling = throttling;
	}
	k->group = k->throttled.cgroup ? k->throttled.cgroup : rs_task_cgroup(k->b->task, RS_CGROUP_CPU);
}

static bool cpu_waits_is_idle(const struct cpu_waits_case *k)
{
	return k->b->part_ns[RS_PART_IDLE_CPU] > k->waited_ns / 2;
}

/* Where its group counts it, what runs on its CPU meanwhile takes nothing from it. */
static bool cpu_waits_is_throttled(const struct cpu_waits_case *k)
{
	return k->throttling == RS_THROTTLED ? cpu_waits_is_idle(k) || k->throttled.ns > k->waited_ns / 2 :
					       k->throttling == RS_THROTTLING_UNKNOWN && cpu_waits_is_idle(k);
}

/* Of the thread that waited for longest: the others may be more urgent. -1: unknown. */
static int cpu_waits_prio(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	const struct rs_task *t = rs_task_find(c, k->first->waiter_tid);

	return t ? t->prio : -1;
}

static unsigned int cpu_waits_rule(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	const struct rs_blame_entry *e = k->first;
	const struct rs_blame *other;

	if (cpu_waits_is_throttled(k))
		return THROTTLED;
	if (!e || e->ns < k->waited_ns / 1000 * LEAST_OF_CULPRIT)
		return SATURATED;
	if (e->prio >= 0 && e->prio < 100 && !e->kernel_thread)
		return REAL_TIME;
	if (e->kernel_thread)
		return KERNEL_THREAD;
	if (cpu_waits_is_own(k))
		return k->free_cpu >= 0 ? AFFINITY : OWN;
	if (cpu_waits_prio(c, k) >= 100 && e->prio >= 100 && cpu_waits_prio(c, k) - e->prio >= NICE_LEVELS)
		return NICE;
	if (k->weights.own ? k->weights.others >= LIGHTER * k->weights.own : cpu_waits_is_unfair(c, k))
		return WEIGHT;
	if (e->nr_pids > 1 || e->ns < k->waited_ns / 2)
		return SATURATED;
	other = rs_blame_find(c, e->comm);
	return other && other->busiest_ns < k->interval_ns / 1000 * LEAST_OF_HOG ? SATURATED : HOG;
}

/* Are the processes that run in its place short-lived? Sets the one that starts them. */
static bool cpu_waits_is_short_lived(struct rs_ctx *c, const struct cpu_waits_case *k,
				     const struct rs_task **parent)
{
	const struct rs_blame *other = k->first ? rs_blame_find(c, k->first->comm) : NULL;

	*parent = other && other->task->ppid ? rs_task_find(c, other->task->ppid) : NULL;
	return *parent && rs_blame_is_short_lived(other, k->interval_ns);
}

/*
 * How many of its threads are on a CPU or wait for one, on average: who lives for a moment, or sleeps, is no
 * rival all the time.
 */
static unsigned int cpu_waits_nr_runnable(const struct cpu_waits_case *k)
{
	uint64_t nr = rs_milli(k->b->run_ns + k->waited_ns, k->interval_ns, 1).u;

	return nr > 2000 ? (unsigned int)((nr + 500) / 1000) : 2;
}

/*
 * What is true of one thread is told with its name: "its thread audit-log (386)"; "" for a process of one
 * thread.
 */
static const char *cpu_waits_thread(const struct rs_blame *b, const char *thread, int32_t tid, char *buf,
				    size_t size_bytes)
{
	buf[0] = '\0';
	if (b && b->nr_processes == 1 && b->nr_threads > 1 && tid)
		snprintf(buf, size_bytes, "its thread %.16s (%d)", thread, tid);
	return buf;
}

/* ", in its thread loop (12)": who runs in its place. */
static const char *cpu_waits_other_thread(struct rs_ctx *c, const struct cpu_waits_case *k, char *buf,
					  size_t size_bytes)
{
	char thread[48];

	cpu_waits_thread(rs_blame_find(c, k->first->comm), k->first->thread, k->first->tid, thread,
			 sizeof thread);
	snprintf(buf, size_bytes, "%s%s", *thread ? ", in " : "", thread);
	return buf;
}

static void cpu_waits_say_own(const struct cpu_waits_case *k, char *how, size_t size_bytes)
{
	unsigned int nr = cpu_waits_nr_runnable(k);

	if (k->b->nr_processes == 1)
		snprintf(how, size_bytes, "its own %u threads compete for the CPUs, %u at a time",
			 k->b->nr_threads, nr);
	else
		snprintf(how, size_bytes, "%u of %s compete for the CPUs at a time", nr,
			 k->b->nr_threads > k->b->nr_processes ? "their threads" : "them");
}

/* Nothing but the affinity of that thread keeps it from an idle CPU for long. */
static const char *cpu_waits_affinity(const struct cpu_waits_case *k, char *buf, size_t size_bytes)
{
	char thread[48] = "";

	if (k->first)
		cpu_waits_thread(k->b, k->first->waiter, k->first->waiter_tid, thread, sizeof thread);
	snprintf(buf, size_bytes, " (affinity%s%s)", *thread ? " of " : "", thread);
	return buf;
}

static void cpu_waits_say_nice(struct rs_ctx *c, const struct cpu_waits_case *k, char *how, size_t size_bytes)
{
	const struct rs_blame_entry *e = k->first;
	char own[48], other[56];

	cpu_waits_other_thread(c, k, other, sizeof other);
	if (*cpu_waits_thread(k->b, e->waiter, e->waiter_tid, own, sizeof own))
		snprintf(how, size_bytes, "%s is at nice %d, * runs meanwhile%s at nice %d", own,
			 cpu_waits_prio(c, k) - 120, other, e->prio - 120);
	else
		snprintf(how, size_bytes,
			 "* runs meanwhile%s at nice %d, " RS_VICTIM "it " RS_VICTIM
			 "is at nice %d " RS_VICTIM "itself",
			 other, e->prio - 120, cpu_waits_prio(c, k) - 120);
}

/* The words of a finding: what follows the share, and what follows the colon. */
struct cpu_waits_words {
	char cause[120], how[192];
};

static void cpu_waits_say(struct rs_ctx *c, const struct cpu_waits_case *k, unsigned int rule,
			  struct cpu_waits_words *w)
{
	const struct rs_blame_entry *e = k->first;
	const struct rs_task *parent;
	char cpu[96] = "", cgroup[64] = "", weights[64] = "", thread[64], quota[140];

	if (k->free_cpu >= 0)
		snprintf(cpu, sizeof cpu, " although CPU %d is idle%s", k->free_cpu,
			 rule == AFFINITY ? "" : cpu_waits_affinity(k, thread, sizeof thread));
	if (k->group)
		snprintf(cgroup, sizeof cgroup, " %.50s", k->group);
	snprintf(w->cause, sizeof w->cause, "for a CPU%s",
		 rule != THROTTLED    ? cpu :
		 cpu_waits_is_idle(k) ? " beside an idle one" :
					"");
	switch (rule) {
	case THROTTLED:
		snprintf(w->how, sizeof w->how, RS_VICTIM "its cgroup%s is throttled by its quota%s", cgroup,
			 rs_quota_words(c, &k->throttled, quota, sizeof quota));
		break;
	case REAL_TIME:
		snprintf(w->how, sizeof w->how, "* runs meanwhile%s, at real-time priority %d",
			 cpu_waits_other_thread(c, k, thread, sizeof thread), 99 - e->prio);
		break;
	case NICE:
		cpu_waits_say_nice(c, k, w->how, sizeof w->how);
		break;
	case WEIGHT:
		if (k->weights.own)
			snprintf(weights, sizeof weights, " %" PRIu64 " against %" PRIu64, k->weights.others,
				 k->weights.own);
		snprintf(w->how, sizeof w->how, "* runs meanwhile, with far more weight (cpu.weight%s)",
			 weights);
		break;
	case OWN:
		cpu_waits_say_own(k, w->how, sizeof w->how);
		break;
	case AFFINITY:
		snprintf(w->how, sizeof w->how, RS_VICTIM "its own tasks share one CPU, by their affinity");
		break;
	case SATURATED:
		if (cpu_waits_is_short_lived(c, k, &parent))
			snprintf(w->how, sizeof w->how,
				 "* runs meanwhile, short-lived ones that %.16s starts (fork, exec)",
				 parent->comm);
		else
			snprintf(w->how, sizeof w->how, "* runs meanwhile");
		break;
	default:
		snprintf(w->how, sizeof w->how, "%s* runs meanwhile",
			 rule == KERNEL_THREAD ? "the kernel thread " : "");
	}
}

/* It does not sleep by its own wish: all its time is work, or a wait for a CPU, a disk, a lock. */
static bool cpu_waits_is_greedy(const struct rs_blame *b, uint64_t interval_ns)
{
	return cpu_waits_is_lasting(b, interval_ns) &&
	       rs_blame_busy_ns(b) >= (b->lifetime_ns - b->unknown_ns) / 10 * 9;
}

/*
 * Who would work all the time, and has no less of the CPU than the other, which sleeps in between, takes: it
 * does not suffer.
 */
static bool cpu_waits_is_taker(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	const struct rs_blame *other = k->first ? rs_blame_find(c, k->first->comm) : NULL;

	return other && other != k->b && k->b->run_ns >= other->run_ns &&
	       !cpu_waits_is_greedy(other, k->interval_ns) && cpu_waits_is_greedy(k->b, k->interval_ns);
}

/* Do more tasks than there are CPUs run all the time in its place, and half of them wait? */
static bool cpu_waits_is_overloaded(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	const struct rs_blame *other = k->first ? rs_blame_find(c, k->first->comm) : NULL;

	return other && other->nr_threads > rs_nr_cpus(c) && cpu_waits_runs_always(other, k->interval_ns) &&
	       rs_blame_nr_waiting(c, k->interval_ns) >= LEAST_WAITING;
}

/*
 * Half a task that waits for each CPU is too much for whoever waits; a build at the machine's size has less.
 * It consists of processes that come and go: one that stays, sleeps in between and waits for a CPU above all
 * is kept from its work by less. So is one that hardly gets to run.
 */
static uint64_t cpu_waits_least_of_saturated(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	bool sleeps = !cpu_waits_is_own(k) && cpu_waits_is_lasting(k->b, k->interval_ns) &&
		      !cpu_waits_is_greedy(k->b, k->interval_ns) &&
		      k->waited_ns >= (k->busy_ns - k->b->run_ns) / 3 * 2;
	bool is_starved = !cpu_waits_is_own(k) && cpu_waits_is_lasting(k->b, k->interval_ns) &&
			  k->waited_ns >= k->busy_ns / 10 * 7;

	if (rs_blame_nr_waiting(c, k->interval_ns) <
	    (sleeps || is_starved ? LEAST_WAITING_OF_SLEEPER : LEAST_WAITING))
		return UINT64_MAX;
	if (sleeps && cpu_waits_is_overloaded(c, k))
		return CPU_WAITS_LEAST_OVERLOADED;
	return sleeps ? CPU_WAITS_LEAST_OF_SLEEPER : CPU_WAITS_LEAST;
}

/* Who takes suffers as well where another CPU is idle, but is told only if the other one hardly waits. */
static bool cpu_waits_is_suffering_taker(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	const struct rs_blame *other = rs_blame_find(c, k->first->comm);

	return k->free_cpu >= 0 && rs_milli(other->part_ns[RS_PART_QUEUE], rs_blame_busy_ns(other), 100).u <
					   CPU_WAITS_LEAST_AVOIDABLE;
}

/* The share from which on a rule reports, in thousandths of a percent. */
static uint64_t cpu_waits_least(struct rs_ctx *c, const struct cpu_waits_case *k, unsigned int rule)
{
	if ((rule == HOG || rule == SATURATED) && cpu_waits_is_taker(c, k))
		return cpu_waits_is_suffering_taker(c, k) ? CPU_WAITS_LEAST_OF_HOG : UINT64_MAX;
	if (rule == HOG && cpu_waits_never_sleeps(c, k->first, k->interval_ns))
		return k->free_cpu >= 0 ? CPU_WAITS_LEAST_AVOIDABLE : CPU_WAITS_LEAST_OF_HOG;
	/* a niced script: what it starts waits by its own wish */
	if (rule == NICE && !cpu_waits_is_lasting(k->b, k->interval_ns))
		return UINT64_MAX;
	if (rule == AFFINITY)
		return CPU_WAITS_LEAST_OF_HOG;
	return rule == SATURATED || rule == OWN ? cpu_waits_least_of_saturated(c, k) : CPU_WAITS_LEAST;
}

/*
 * Does one that stays, and sleeps in between, wait for a CPU because of them? Then that one suffers, and they
 * take.
 */
static bool cpu_waits_are_takers(struct rs_ctx *c, const struct cpu_waits_case *k)
{
	size_t nr;
	const struct rs_blame *list = rs_blame_list(c, &nr);
	struct cpu_waits_case other;

	for (size_t i = 0; i < nr; i++) {
		if (&list[i] == k->b || !cpu_waits_is_lasting(&list[i], k->interval_ns) ||
		    cpu_waits_is_greedy(&list[i], k->interval_ns))
			continue;
		cpu_waits_find(c, &list[i], k->interval_ns, &other);
		if (other.first && !strcmp(other.first->comm, k->b->comm) &&
		    cpu_waits_rule(c, &other) == SATURATED &&
		    rs_milli(other.waited_ns, k->interval_ns, 1).u >= CPU_WAITS_LEAST_OF_TIME &&
		    rs_milli(other.waited_ns, other.busy_ns, 100).u >= cpu_waits_least(c, &other, SATURATED))
			return true;
	}
	return false;
}

/* Is one of its waits so long that runqslower lists it? */
static bool cpu_waits_has_slow(const struct rs_blame *b)
{
	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].part == RS_PART_QUEUE && b->at[i].max_ns >= SLOW_WAIT_NS)
			return true;
	return false;
}

/* Rows of the case: a group's count of throttled periods first, where there is one. */
struct cpu_waits_rows {
	struct rs_evidence at[RS_MAX_EVIDENCE + 1];
	char where[64], both[64], group[120];
};

static void cpu_waits_put_evidence(const struct cpu_waits_case *k, unsigned int rule, bool has_culprit,
				   struct cpu_waits_rows *r)
{
	bool is_counted = rule == THROTTLED && k->throttled.cgroup;
	struct rs_evidence groups = {
		"cgroups", NULL,
		is_counted ? rs_where_text("cgroup", k->group, r->group, sizeof r->group) : NULL, NULL
	};
	unsigned int nr = is_counted;

	r->at[0] = groups;
	rs_where_pids(k->b->pid, 0, r->where, sizeof r->where);
	rs_where_pids(k->b->pid, has_culprit ? k->first->pids[0] : 0, r->both, sizeof r->both);
	r->at[nr++] = (struct rs_evidence){ "antagonists", NULL, r->where, NULL };
	r->at[nr++] = (struct rs_evidence){ "tasks", "-run_ns", r->both, NULL };
	r->at[nr++] = (struct rs_evidence){ "cpus", NULL, NULL, NULL };
	if (cpu_waits_has_slow(k->b))
		r->at[nr++] = (struct rs_evidence){ "runqslower", NULL, r->where, NULL };
	if (!is_counted && (rule == THROTTLED || rule == WEIGHT))
		r->at[nr++] = groups;
}

static void cpu_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct cpu_waits_rows rows = { 0 };
	struct cpu_waits_words words;
	struct cpu_waits_case k;
	unsigned int rule;
	bool has_culprit;

	cpu_waits_find(c, b, interval_ns, &k);
	if (!k.busy_ns || rs_milli(k.waited_ns, interval_ns, 1).u < AVOIDABLE_LEAST_OF_TIME ||
	    rs_milli(k.waited_ns, k.busy_ns, 100).u < CPU_WAITS_LEAST_AVOIDABLE)
		return;
	cpu_waits_find_throttled(c, &k);
	if (k.throttling == RS_NOT_THROTTLED && cpu_waits_is_idle(&k)) /* unexplained */
		return;
	rule = cpu_waits_rule(c, &k);
	if ((rule != HOG || k.free_cpu < 0) &&
	    rs_milli(k.waited_ns, interval_ns, 1).u < CPU_WAITS_LEAST_OF_TIME)
		return;
	if (rs_milli(k.waited_ns, k.busy_ns, 100).u < cpu_waits_least(c, &k, rule))
		return;
	/* of the former fork-storms tells */
	if (rule == OWN && (rs_blame_starter(c, b, interval_ns) || cpu_waits_are_takers(c, &k)))
		return;
	cpu_waits_say(c, &k, rule, &words);
	has_culprit = k.first && rule != THROTTLED;
	cpu_waits_put_evidence(&k, rule, has_culprit, &rows);
	rs_report_finding(c, &(struct rs_finding){
				     .rule = &rules[rule],
				     .cost_ns = k.waited_ns,
				     .of_ns = k.busy_ns,
				     .victim = b->comm,
				     .victim_pid = b->pid,
				     .nr_victims = b->nr_processes,
				     .cause = words.cause,
				     .how = words.how,
				     .culprit = has_culprit       ? k.first->comm :
						rule == THROTTLED ? k.group ? k.group : "cpu.max" :
								    NULL,
				     .culprit_pid = has_culprit ? k.first->pids[0] : 0,
				     .nr_culprits = has_culprit ? rs_blame_nr_culprits(c, k.first) : 0,
				     .confidence = (rule == THROTTLED && !k.throttled.cgroup) ||
								   (rule == WEIGHT && !k.weights.own) ||
								   rule == AFFINITY ?
							   RS_INFERRED :
							   RS_MEASURED,
				     .names_code = true,
				     .since_ns = k.first ? k.first->since_ns : 0,
				     .view = "antagonists",
				     .where = rows.where,
				     .evidence = rows.at,
			     });
}

/* Without wakings it is unknown how long who slept has waited since: who suffers, and who takes. */
static bool cpu_waits_are_known(struct rs_ctx *c, const struct rs_blame *list, size_t nr)
{
	bool is_known = true;

	for (size_t i = 0; i < nr && is_known && !rs_wakings_are_recorded(c); i++)
		is_known = !list[i].part_ns[RS_PART_OFF_CPU] && !list[i].part_ns[RS_PART_UNKNOWN];
	return is_known;
}

static void cpu_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	if (!cpu_waits_are_known(c, list, nr))
		return;
	for (size_t i = 0; i < nr; i++)
		cpu_waits_judge(c, &list[i], interval_ns);
}

const struct rs_analysis rs_analysis_cpu_waits = {
	.abi = RS_ABI,
	.name = "cpu-waits",
	.summary = "who waits for a CPU, and who runs meanwhile",
	.callbacks = RS_LIST(rs_callback, { RS_ON_INTERVAL, .interval = cpu_waits_on_idle,
					    .kinds = 1 << RS_IDLE | 1 << RS_RUN }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.uses_samples = true,
	.samples = RS_SAMPLE_CGROUPS,
	.state_size = sizeof(struct cpu_waits),
	.begin = cpu_waits_begin,
	.reset = cpu_waits_reset,
	.rules = rules,
	.findings = cpu_waits_put_findings,
};
