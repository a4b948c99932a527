// SPDX-License-Identifier: GPL-2.0-or-later
/* irq-waits - findings: who loses time to interrupts and softirqs, and whose traffic makes them */
#include <errno.h>
#include <stdio.h>

#include "ringside/plugin.h"

#define LOSS_LEAST 10000              /* of what a process did or could not do, in thousandths of a percent */
#define LOSS_LEAST_OF_TIME 80         /* and of one thread's time, in thousandths */
#define CPU_LEAST 40000               /* of a CPU's time, in thousandths of a percent, where nobody in particular loses it */
#define HARDIRQ_LEAST 2000            /* a second: few that take long are a virtual machine's device, not an interrupt load */
#define SENDER_LEAST 300              /* of what tasks send, in thousandths, for one to be who makes the softirqs */
#define IN_INTERRUPT 0x18             /* common_flags: TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ, which no format says */
#define NR_PLACES 8u
#define NR_CALLS 512                  /* of this architecture */
#define VEC_NET_RX 3                  /* softirq_raise says it as a number alone */

/* Who has more than one in NR_PLACES of all keeps a place, whoever comes. */
struct irq_share {
	const struct rs_irq_source *source; /* of a CPU's interrupts */
	int32_t tid, pid;                   /* of tasks */
	unsigned int vec;                   /* of a task that raises softirqs */
	char comm[RS_COMM_LEN];             /* its process */
	uint64_t sum, nr;                   /* time in ns, or times */
};

struct irq_cpu {
	uint64_t ns;
	struct irq_share sources[NR_PLACES], victims[NR_PLACES];
};

struct irq_waits {
	struct irq_cpu *cpus;
	struct irq_share senders[NR_PLACES];
	uint64_t nr_sends;                  /* of tasks: raises of softirqs, and calls that send */
	enum irq_call { CALL_UNKNOWN, CALL_HAS_SOFTIRQS, CALL_OTHER } calls[NR_CALLS];
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
	memset(s->senders, 0, sizeof s->senders);
	s->nr_sends = 0;
}

/* ---- who, and how much ---- */

/*
 * The place of that one, else one to take; NULL: all are taken by those that have more, which lose as much. The search
 * begins where it is likely to be.
 */
static struct irq_share *irq_share_find(struct irq_share *places, const struct rs_irq_source *source, int32_t tid, unsigned int vec, uint64_t sum)
{
	unsigned int first = (source ? source->index : vec) + (unsigned int)tid;
	struct irq_share *least = &places[first % NR_PLACES];

	for (unsigned int i = first; i != first + NR_PLACES; i++) {
		struct irq_share *p = &places[i % NR_PLACES];

		if (p->sum && p->source == source && p->tid == tid && p->vec == vec)
			return p;
		if (p->sum < least->sum)
			least = p;
	}
	if (least->sum > sum) {
		least->sum -= sum;
		return NULL;
	}
	*least = (struct irq_share){ .source = source, .tid = tid, .vec = vec };
	return least;
}

static void irq_share_add(struct rs_ctx *c, struct irq_share *places, const struct rs_irq_source *source, const struct rs_task *t, unsigned int vec, uint64_t sum)
{
	struct irq_share *p = irq_share_find(places, source, t ? t->tid : 0, vec, sum);

	if (!p)
		return;
	if (t && !p->nr) {
		p->pid = t->pid ? t->pid : t->tid;
		snprintf(p->comm, sizeof p->comm, "%s", rs_task_process_comm(c, t));
	}
	p->sum += sum;
	p->nr++;
}

static enum irq_call irq_waits_kind_of_name(const char *name)
{
	static const char *const with_softirqs[] = { "send", "recv", "read", "write", "splice", "close", "shutdown", "connect", "accept", "exit" };

	for (size_t i = 0; i < sizeof with_softirqs / sizeof *with_softirqs; i++)
		if (!strncmp(name, with_softirqs[i], strlen(with_softirqs[i])))
			return CALL_HAS_SOFTIRQS;
	return CALL_OTHER;
}

static enum irq_call irq_waits_kind_of_call(struct rs_ctx *c, int64_t nr)
{
	struct irq_waits *s = c->state;
	const char *name;

	if (nr < 0 || nr >= NR_CALLS)
		return CALL_OTHER;
	if (s->calls[nr] == CALL_UNKNOWN) {
		name = rs_syscall_name(c, nr);
		s->calls[nr] = irq_waits_kind_of_name(name ? name : "");
	}
	return s->calls[nr];
}

/* A softirq in a call that sends or receives is most likely of the task's own packets. */
static bool irq_waits_is_loss(struct rs_ctx *c, const struct rs_irq *irq)
{
	return irq->task && !irq->task->kernel_thread && !irq->task->self &&
	       (irq->source->kind == RS_HARDIRQ || irq_waits_kind_of_call(c, irq->task->syscall) == CALL_OTHER);
}

static void irq_waits_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct irq_waits *s = c->state;
	struct irq_cpu *cpu = irq->cpu < rs_nr_cpus(c) ? &s->cpus[irq->cpu] : NULL;
	uint64_t part_ns = rs_part_ns(rs_since_ns(c), irq->from_ns, irq->to_ns), ns = part_ns < irq->own_inside_ns ? part_ns : irq->own_inside_ns;

	if (!cpu || !ns)
		return;
	cpu->ns += ns;
	irq_share_add(c, cpu->sources, irq->source, NULL, 0, ns);
	if (irq_waits_is_loss(c, irq))
		irq_share_add(c, cpu->victims, irq->source, irq->task, 0, ns);
}

static void irq_waits_add_send(struct rs_ctx *c, const struct rs_task *t, unsigned int vec)
{
	struct irq_waits *s = c->state;

	s->nr_sends++;
	irq_share_add(c, s->senders, NULL, t, vec, 1);
}

/* A packet that is sent to this machine raises NET_RX in its sender, whichever CPU will receive it: the first of many. */
static void irq_waits_on_raise(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (ev->task && !ev->task->kernel_thread && ev->task->syscall >= 0 && !(rs_u64(ev, &f[1]) & IN_INTERRUPT))
		irq_waits_add_send(c, ev->task, (unsigned int)rs_u64(ev, &f[0]));
}

static void irq_waits_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	if (!call->discarded)
		irq_waits_add_send(c, call->task, VEC_NET_RX);
}

/* ---- findings ---- */

static const struct rs_rule rules[] = {
	{ "cpu-in-interrupts", "interrupts take the CPU of a process, or most of a CPU", LOSS_LEAST, "%", "loses",
	  "see what traffic makes them, or move them to another CPU (smp_affinity, rps_cpus)" },
	{ 0 },
};

struct irq_loss {
	uint64_t ns, most_ns;
	const struct rs_irq_source *source; /* of the most of it, as is .cpu */
	unsigned int cpu;
};

static const struct irq_share *irq_share_most(const struct irq_share *places)
{
	const struct irq_share *most = places;

	for (const struct irq_share *p = places; p < places + NR_PLACES; p++)
		if (p->sum > most->sum)
			most = p;
	return most->sum ? most : NULL;
}

static const struct irq_share *irq_waits_sender(const struct irq_waits *s, const struct rs_irq_source *source)
{
	const struct irq_share *most = NULL;

	for (const struct irq_share *p = s->senders; source->kind == RS_SOFTIRQ && p < s->senders + NR_PLACES; p++)
		if (p->sum && p->vec == source->nr && (!most || p->sum > most->sum))
			most = p;
	return most && most->sum * 1000 >= s->nr_sends * SENDER_LEAST ? most : NULL;
}

/* Not the kernel's own house-keeping. */
static bool irq_waits_is_traffic(const struct rs_irq_source *source)
{
	return source->kind == RS_HARDIRQ || (strcmp(source->name, "RCU") != 0 && strcmp(source->name, "SCHED") != 0);
}

static bool irq_waits_is_load(const struct irq_share *of, uint64_t interval_ns)
{
	return irq_waits_is_traffic(of->source) && (of->source->kind == RS_SOFTIRQ || of->nr * 1000000000 / interval_ns >= HARDIRQ_LEAST);
}

/* Adds what a process lost while it was on a CPU. */
static void irq_waits_add_running(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns, struct irq_loss *loss)
{
	const struct irq_waits *s = c->state;

	for (unsigned int i = 0; i < rs_nr_cpus(c); i++)
		for (const struct irq_share *p = s->cpus[i].victims; p < s->cpus[i].victims + NR_PLACES; p++) {
			if (!p->sum || strcmp(p->comm, b->comm) != 0 || !irq_waits_is_load(p, interval_ns))
				continue;
			loss->ns += p->sum;
			if (p->sum > loss->most_ns) {
				loss->most_ns = p->sum;
				loss->cpu = i;
				loss->source = p->source;
			}
		}
}

/* Adds what it lost while it waited for one. */
static void irq_waits_add_waiting(const struct rs_blame *b, struct irq_loss *loss)
{
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];

		if (e->part != RS_PART_SOFTIRQ || !e->irq || !irq_waits_is_traffic(e->irq))
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
	const char *victim, *where;
	int32_t pid;
	struct irq_loss loss;
	uint64_t of_ns;
};

static void irq_waits_put(struct rs_ctx *c, const struct irq_case *k)
{
	const struct irq_share *sender = irq_waits_sender(c->state, k->loss.source);
	char name[RS_IRQ_NAME_LEN + 24], where[24], how[140], irqs[32];
	const struct rs_evidence evidence[] = { { "irqs", "-total_ns", irqs, "cpu,kind,name" }, { "irqtime", NULL, k->pid ? k->where : NULL, NULL }, { "cpus", NULL, irqs, NULL }, { 0 } };

	snprintf(irqs, sizeof irqs, "cpu == %u", k->loss.cpu);
	snprintf(name, sizeof name, "%s %.40s", rs_irq_kind_name(k->loss.source->kind), k->loss.source->name);
	snprintf(where, sizeof where, "CPU %u", k->loss.cpu);
	snprintf(how, sizeof how, "%s takes %s%s", sender ? name : "*", k->pid ? where : "most of it", sender ? ", for what * sends" : "");
	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[0], .cost_ns = k->loss.ns, .of_ns = k->of_ns, .victim = k->victim, .victim_pid = k->pid, .cause = "to interrupts", .how = how,
		.culprit = sender ? sender->comm : name, .culprit_pid = sender ? sender->pid : 0, .measured = rs_milli(k->loss.ns, k->of_ns, 100).u,
		.confidence = sender ? RS_INFERRED : RS_MEASURED, .view = "irqs", .where = irqs, .evidence = evidence,
	});
}

static bool irq_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct irq_case k = { .victim = b->comm, .pid = b->pid, .of_ns = rs_blame_busy_ns(b) };
	const struct irq_share *sender;
	char where[32];

	irq_waits_add_waiting(b, &k.loss);
	irq_waits_add_running(c, b, interval_ns, &k.loss);
	if (!k.loss.source || rs_milli(k.loss.ns, k.of_ns, 100).u < LOSS_LEAST || rs_milli(k.loss.ns, interval_ns, 1).u < LOSS_LEAST_OF_TIME)
		return false;
	sender = irq_waits_sender(c->state, k.loss.source);
	if (sender && !strcmp(sender->comm, b->comm)) /* its own traffic */
		return false;
	snprintf(where, sizeof where, "pid == %d", b->pid);
	k.where = where;
	irq_waits_put(c, &k);
	return true;
}

static void irq_waits_judge_cpu(struct rs_ctx *c, unsigned int cpu, uint64_t interval_ns)
{
	const struct irq_cpu *of = &((const struct irq_waits *)c->state)->cpus[cpu];
	const struct irq_share *most = irq_share_most(of->sources);
	char victim[16];

	if (!most || rs_milli(of->ns, interval_ns, 100).u < CPU_LEAST || !irq_waits_is_load(most, interval_ns))
		return;
	snprintf(victim, sizeof victim, "CPU %u", cpu);
	irq_waits_put(c, &(struct irq_case){ .victim = victim, .loss = { of->ns, of->ns, most->source, cpu }, .of_ns = interval_ns });
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
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = irq_waits_on_call, .kinds = 1 << RS_CALL_SEND, .if_recorded = true },
		{ RS_ON_IRQ, .irq = irq_waits_on_irq, .if_recorded = true }),
	.requirements = RS_LIST(rs_requirement, { "irq", "softirq_raise", RS_PASSIVE, RS_BY_ANYONE, irq_waits_on_raise, { "vec", "common_flags" } }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct irq_waits),
	.begin = irq_waits_begin,
	.reset = irq_waits_reset,
	.rules = rules,
	.findings = irq_waits_put_findings,
};
