// SPDX-License-Identifier: GPL-2.0-or-later
/* irq-waits - rules: who loses time to interrupts and softirqs, and whose traffic makes them */
#include <errno.h>
#include <stdio.h>

#include "ringside/store.h"
#include "ringside/plugin.h"
#include "why/blame.h"

#define LOSS_LEAST 10000              /* of what a process did or could not do, in thousandths of a percent */
#define LOSS_LEAST_OF_TIME 80         /* and of one thread's time, in thousandths */
#define DISK_LEAST 33333 /* likewise, of a disk and its interrupts: the least that disk-waits tells */
#define CPU_LEAST \
	40000 /* of a CPU's time, in thousandths of a percent, where nobody in particular loses it */
#define HARDIRQ_LEAST \
	2000 /* a second: few that take long are a virtual machine's device, not an interrupt load */
#define SENDER_LEAST 300  /* of what tasks send, in thousandths, for one to be who makes the softirqs */
#define NR_PLACES 8u
#define VEC_NET_RX 3                  /* softirq_raise says it as a number alone */

struct irq_share {
	const struct rs_irq_source *source; /* of a CPU's interrupts */
	int32_t pid;                        /* of tasks */
	unsigned int vec;                   /* of a task that raises softirqs */
	char comm[RS_COMM_LEN];             /* its process */
};

/* Time in ns, or times. */
struct irq_shares {
	struct rs_frequent places[NR_PLACES];
	struct irq_share of[NR_PLACES];     /* of what has the place */
};

struct irq_cpu {
	uint64_t ns;
	struct irq_shares sources, victims;
};

struct irq_waits {
	struct irq_cpu *cpus;
	struct irq_shares senders;
	uint64_t nr_sends;                  /* of tasks: raises of softirqs, and calls that send */
};

static int irq_waits_begin(struct rs_ctx *c)
{
	struct irq_waits *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c) + 1, sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

static void irq_waits_reset(struct rs_ctx *c)
{
	struct irq_waits *s = c->state;

	memset(s->cpus, 0, rs_nr_cpus(c) * sizeof *s->cpus);
	memset(&s->senders, 0, sizeof s->senders);
	s->nr_sends = 0;
}

/* ---- who, and how much ---- */

static void irq_shares_add(struct rs_ctx *c, struct irq_shares *to, const struct rs_irq_source *source,
			   const struct rs_task *t, unsigned int vec, uint64_t sum)
{
	uint32_t tid = t ? (uint32_t)t->tid : 0;
	const struct rs_frequent *p = rs_frequent_add(
		to->places, NR_PLACES, (source ? source->index : vec) + tid, (uint64_t)(uintptr_t)source,
		(uint64_t)tid << 32 | vec, sum);
	struct irq_share *of = p ? &to->of[p - to->places] : NULL;
	const char *comm;

	if (!p || p->nr > 1)
		return;
	*of = (struct irq_share){ .source = source, .vec = vec };
	if (t) {
		comm = rs_task_process_comm(c, t);
		of->pid = t->pid ? t->pid : t->tid;
		/* printf would be most of it: rare senders take turns in a place */
		memcpy(of->comm, comm, strnlen(comm, sizeof of->comm - 1));
	}
}

/* A softirq in a call that sends or receives is most likely of the task's own packets. */
static bool irq_waits_is_loss(struct rs_ctx *c, const struct rs_irq *irq)
{
	return irq->task && !irq->task->kernel_thread && !irq->task->self &&
	       (irq->source->kind == RS_HARDIRQ ||
		(irq->task->syscall < 0 ? rs_task_in_no_call(c, irq->task) :
					  !rs_call_has_own_softirqs(c, irq->task->syscall)));
}

static void irq_waits_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct irq_waits *s = c->state;
	struct irq_cpu *cpu = irq->cpu < rs_nr_cpus(c) ? &s->cpus[irq->cpu] : NULL;
	uint64_t part_ns = rs_part_ns(rs_since_ns(c), irq->from_ns, irq->to_ns),
		 ns = part_ns < irq->own_inside_ns ? part_ns : irq->own_inside_ns;

	if (!cpu || !ns)
		return;
	cpu->ns += ns;
	irq_shares_add(c, &cpu->sources, irq->source, NULL, 0, ns);
	if (irq_waits_is_loss(c, irq))
		irq_shares_add(c, &cpu->victims, irq->source, irq->task, 0, ns);
}

static void irq_waits_add_send(struct rs_ctx *c, const struct rs_task *t, unsigned int vec)
{
	struct irq_waits *s = c->state;

	s->nr_sends++;
	irq_shares_add(c, &s->senders, NULL, t, vec, 1);
}

/*
 * A packet that is sent to this machine raises NET_RX in its sender, whichever CPU will receive it: the first
 * of many.
 */
static void irq_waits_on_raise(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task && !ev->task->kernel_thread && ev->task->syscall >= 0 &&
	    !(rs_u64(ev, &f[1]) & RS_FLAGS_IN_INTERRUPT))
		irq_waits_add_send(c, ev->task, (unsigned int)rs_u64(ev, &f[0]));
}

static void irq_waits_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	if (!call->discarded)
		irq_waits_add_send(c, call->task, VEC_NET_RX);
}

/* ---- findings ---- */

/* irqtime of who is interrupted, antagonists of who waits; who sends makes the softirqs. */
static const struct rs_evidence irq_evidence[] = {
	{ "irqs", "-total_ns", "cpu == {cpu}", "cpu,kind,name" }, { "cpus", NULL, "cpu == {cpu}" },
	{ "irqtime", NULL, "pid == {interrupted}" }, { "antagonists", NULL, "pid == {waits}" },
	{ "syscall-latency", "-calls", "pid == {sender}", "pid,syscall" }, { 0 },
};

static const struct rs_rule rules[] = {
	{ "cpu-in-interrupts", "interrupts take the CPU of a process, or most of a CPU", LOSS_LEAST, "%",
	  "loses", "see what traffic makes them, or move them to another CPU (smp_affinity, rps_cpus)",
	  .says = { "to interrupts", "{culprit} takes {what}" },
	  .view = "irqs", .where = "cpu == {cpu}", .evidence = irq_evidence,
	  .found =
		"Interrupts and softirqs are charged to the task that runs, or waits, beneath them: at "
		"least {least} of its time; or a large part of a CPU's time where nobody in particular "
		"loses it.",
	  .wrong =
		"Whose traffic it is is inferred: the process that sends most on this machine. Packets "
		"that others send to it name nobody." },
	{ 0 },
};

static const struct rs_sentence of_sender = { "to interrupts",
					      "{source} takes {what}, for what {culprit} {^sends}" };

struct irq_loss {
	uint64_t ns, most_ns;
	bool is_interrupted;                /* some of it while it was on a CPU; else it waited for one */
	const struct rs_irq_source *source; /* of the most of it, as is .cpu */
	unsigned int cpu;
};

/* The place that has most, of this vector if asked; -1: none. */
static int irq_shares_most(const struct irq_shares *s, const unsigned int *vec)
{
	int most = -1;

	for (int i = 0; i < (int)NR_PLACES; i++)
		if (s->places[i].sum && (!vec || s->of[i].vec == *vec) &&
		    (most < 0 || s->places[i].sum > s->places[most].sum))
			most = i;
	return most;
}

static const struct irq_share *irq_waits_sender(const struct irq_waits *s, const struct rs_irq_source *source)
{
	int most = source->kind == RS_SOFTIRQ ? irq_shares_most(&s->senders, &source->nr) : -1;

	return most >= 0 && s->senders.places[most].sum * 1000 >= s->nr_sends * SENDER_LEAST ?
		       &s->senders.of[most] :
		       NULL;
}

/* Not the kernel's own house-keeping. */
static bool irq_waits_is_traffic(const struct rs_irq_source *source)
{
	return source->kind == RS_HARDIRQ ||
	       (strcmp(source->name, "RCU") != 0 && strcmp(source->name, "SCHED") != 0);
}

static bool irq_waits_is_load(const struct irq_shares *s, unsigned int i, uint64_t interval_ns)
{
	const struct rs_irq_source *source = s->of[i].source;

	return irq_waits_is_traffic(source) &&
	       (source->kind == RS_SOFTIRQ || s->places[i].nr * 1000000000 / interval_ns >= HARDIRQ_LEAST);
}

/* Adds what a process lost while it was on a CPU. */
static void irq_waits_add_running(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns,
				  struct irq_loss *loss)
{
	const struct irq_waits *s = c->state;

	for (unsigned int cpu = 0; cpu < rs_nr_cpus(c); cpu++)
		for (unsigned int i = 0; i < NR_PLACES; i++) {
			const struct irq_shares *of = &s->cpus[cpu].victims;
			uint64_t ns = of->places[i].sum;

			if (!ns || strcmp(of->of[i].comm, b->comm) != 0 ||
			    !irq_waits_is_load(of, i, interval_ns))
				continue;
			loss->ns += ns;
			loss->is_interrupted = true;
			if (ns > loss->most_ns) {
				loss->most_ns = ns;
				loss->cpu = cpu;
				loss->source = of->of[i].source;
			}
		}
}

/*
 * Who waits for a disk, and for its interrupts, waits for the disk: disk-waits tells both, where they are
 * enough for it.
 */
static bool irq_waits_is_of_disk(const struct rs_blame *b)
{
	uint64_t irq_ns = rs_blame_disk_irq_ns(b), disk_ns = rs_blame_sum(b, RS_PARTS_OF_DISK, NULL);

	return disk_ns >= irq_ns && rs_milli(disk_ns + irq_ns, rs_blame_busy_ns(b), 100).u >= DISK_LEAST;
}

/* Without requests it is unknown whether who waits for a disk's softirq waits for the disk. */
static bool irq_waits_is_told_by_disk(struct rs_ctx *c, const struct rs_irq_source *source, bool is_of_disk)
{
	if (source->kind == RS_SOFTIRQ && !strcmp(source->name, "BLOCK") &&
	    !rs_absence_is_known(c, RS_EVENTS_REQUESTS))
		return true;
	return is_of_disk && source->ends_requests;
}

/* Adds what it lost while it waited for one. */
static void irq_waits_add_waiting(struct rs_ctx *c, const struct rs_blame *b, struct irq_loss *loss)
{
	bool is_of_disk = irq_waits_is_of_disk(b);

	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (e->part != RS_PART_SOFTIRQ || !e->irq || !irq_waits_is_traffic(e->irq) ||
		    irq_waits_is_told_by_disk(c, e->irq, is_of_disk))
			continue;
		loss->ns += e->ns;
		if (e->ns > loss->most_ns) {
			loss->most_ns = e->ns;
			loss->cpu = b->task->cpu;
			loss->source = e->irq;
		}
	}
}

struct irq_case {
	const char *victim;
	int32_t pid;                        /* 0: nobody in particular loses what an idle CPU does */
	struct irq_loss loss;
	uint64_t of_ns;
};

static void irq_waits_put(struct rs_ctx *c, const struct irq_case *k)
{
	const struct irq_share *sender = irq_waits_sender(c->state, k->loss.source);
	char source[RS_IRQ_NAME_LEN + 24], what[24];

	snprintf(source, sizeof source, "%s %.40s", rs_irq_kind_name(k->loss.source->kind),
		 k->loss.source->name);
	snprintf(what, sizeof what, "CPU %u", k->loss.cpu);

	const struct rs_slot slots[] = {
		{ "cpu", RS_SLOT_NUMBER, rs_u(k->loss.cpu) },
		{ "source", RS_SLOT_NAME, rs_s(source) },
		{ "what", RS_SLOT_TEXT, rs_s(k->pid ? what : "most of it") },
		{ "interrupted", RS_SLOT_LEVEL, k->pid && k->loss.is_interrupted ? rs_i(k->pid) : rs_null() },
		{ "waits", RS_SLOT_LEVEL, k->pid && !k->loss.is_interrupted ? rs_i(k->pid) : rs_null() },
		{ "sender", RS_SLOT_LEVEL, sender ? rs_i(sender->pid) : rs_null() },
		{ 0 },
	};

	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .says = sender ? &of_sender : NULL, .slots = slots, .cost_ns = k->loss.ns,
		.of_ns = k->of_ns, .victim = k->victim, .victim_pid = k->pid,
		.culprit = sender ? sender->comm : source, .culprit_pid = sender ? sender->pid : 0,
		.confidence = sender ? RS_INFERRED : RS_MEASURED,
	});
}

static bool irq_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct irq_case k = { .victim = b->comm, .pid = b->pid, .of_ns = rs_blame_busy_ns(b) };
	const struct irq_share *sender;

	irq_waits_add_waiting(c, b, &k.loss);
	irq_waits_add_running(c, b, interval_ns, &k.loss);
	if (!k.loss.source || rs_milli(k.loss.ns, k.of_ns, 100).u < LOSS_LEAST ||
	    rs_milli(k.loss.ns, interval_ns, 1).u < LOSS_LEAST_OF_TIME)
		return false;
	sender = irq_waits_sender(c->state, k.loss.source);
	if (sender && !strcmp(sender->comm, b->comm)) /* its own traffic */
		return false;
	irq_waits_put(c, &k);
	return true;
}

static void irq_waits_judge_cpu(struct rs_ctx *c, unsigned int cpu, uint64_t interval_ns)
{
	const struct irq_cpu *of = &((const struct irq_waits *)c->state)->cpus[cpu];
	int most = irq_shares_most(&of->sources, NULL);
	char victim[16];

	if (most < 0 || rs_milli(of->ns, interval_ns, 100).u < CPU_LEAST ||
	    !irq_waits_is_load(&of->sources, (unsigned int)most, interval_ns))
		return;
	snprintf(victim, sizeof victim, "CPU %u", cpu);
	irq_waits_put(c, &(struct irq_case){ .victim = victim,
					     .loss = { .ns = of->ns, .source = of->sources.of[most].source,
						       .cpu = cpu }, .of_ns = interval_ns });
}

static void irq_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	unsigned int nr_found = 0;
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	for (size_t i = 0; i < nr; i++)
		nr_found += irq_waits_judge(c, &list[i], interval_ns);
	for (unsigned int i = 0; interval_ns && !nr_found && i < rs_nr_cpus(c); i++)
		irq_waits_judge_cpu(c, i, interval_ns);
}

const struct rs_analysis rs_analysis_irq_waits = {
	.abi = RS_ABI,
	.name = "irq-waits",
	.summary = "who loses time to interrupts, and whose traffic makes them",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = irq_waits_on_call, .kinds = 1 << RS_CALL_SEND,
					    .if_recorded = true },
		{ RS_ON_IRQ, .irq = irq_waits_on_irq, .if_recorded = true }),
	.requirements = RS_LIST(rs_requirement, { "irq", "softirq_raise", RS_PASSIVE, RS_BY_ANYONE,
						  irq_waits_on_raise, { "vec", "common_flags" } }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct irq_waits),
	.begin = irq_waits_begin,
	.reset = irq_waits_reset,
	.rules = rules,
	.findings = irq_waits_put_findings,
};
