// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slow-link - rule: who sends or receives as fast as the queue of a network device lets packets go
 *
 * A queue that has to wait for its device, or its rate limit, goes on in the softirq NET_TX, which else is
 * rare: packets are sent in the call, or while others are received. A task that is woken right after such a
 * softirq was waiting for what it sent, or for the answer to that: no event for each packet is needed. Behind
 * a real device the answer takes a round trip: there the one that sends is told from the softirqs alone.
 */
#include <net/if.h>
#include <string.h>

#include "why/blame.h"
#include "ringside/plugin.h"

#define LINK_LEAST 200000             /* of one thread's time, in ms a second, in thousandths */
#define LINK_LEAST_OF 2               /* of its waits on sockets: one in so many */
#define LINK_LEAST_RATE 20000         /* softirqs a second, in thousandths */
#define LINK_AFTER_NS 1000000         /* from the softirq's end to the waking, at most */
#define LINK_AFTER_OF 8               /* likewise, of the time from one softirq to the next: one in so many */
#define LINK_LEAST_NR 8               /* such waits, of who receives */
#define LINK_TASKS 64                 /* processes; of more the first are known */
#define LINK_DEVICES 16
#define LINK_SOFTIRQS 8               /* the last ones */
#define VEC_NET_TX 2                  /* linux/interrupt.h: NET_TX_SOFTIRQ */
#define LINK_CALLS (RS_CLASS_READ | RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_RECEIVE | RS_CLASS_FILL)

static const struct rs_rule rules[] = {
	{ "slow-link",
	  "a process sends or receives more than a network link, or its rate limit, lets through",
	  LINK_LEAST, "ms/s", "waits",
	  "send less, or compress it; see what limits the device: tc -s qdisc, ethtool, the view netdev",
	  .says = { "in {call/a call} for the network",
		    "{culprit} is slow, its queue goes on {ticks} times a second{, with |bytes| a "
		    "second}" },
	  .explains_waits = true,
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "offcpu", "-total_ns", "pid == {pid}" },
			      { "syscall-latency", NULL, "pid == {pid}", "pid,syscall" }),
	  .found =
		"A process sleeps in calls that send or receive, and is woken right after a softirq "
		"NET_TX, in which queues of devices go on that had to wait: at least {least}, and half of "
		"such waits. One that sends over a real device, whose answer takes longer, is inferred from "
		"waits that interrupts end, and 20 such softirqs a second. The device, and its rate, are "
		"known where net:net_dev_start_xmit is recorded: by name.",
	  .wrong =
		"Some drivers use that softirq to free what they have sent: then the peer may be slow." },
	{ 0 },
};

/* Waits of a process in calls on sockets, pipes and files. */
struct link_waits {
	int32_t pid;
	int64_t call;               /* of the last one */
	uint64_t nr, ns;
	uint64_t nr_paced, ns_paced; /* of these, that ended right after a softirq */
};

struct link_device {
	char name[IFNAMSIZ];        /* "": none */
	uint64_t last_ns, nr_bytes;
	uint64_t nr_ticks;          /* softirqs in which it sent */
};

struct links {
	uint64_t since_ns;
	uint64_t nr_ticks;          /* softirqs */
	uint64_t ends_ns[LINK_SOFTIRQS];
	unsigned int nr_waits, nr_devices;
	struct link_waits waits[LINK_TASKS];
	struct link_device devices[LINK_DEVICES];
};

static struct links *links_of(struct rs_ctx *c)
{
	struct links *s = c->state;

	if (s->since_ns != rs_since_ns(c))
		*s = (struct links){ .since_ns = rs_since_ns(c) };
	return s;
}

/* ---- events ---- */

static void links_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct links *s;

	if (irq->in_flight || irq->source->kind != RS_SOFTIRQ || irq->source->nr != VEC_NET_TX)
		return;
	s = links_of(c);
	s->ends_ns[s->nr_ticks++ % LINK_SOFTIRQS] = irq->to_ns;
	for (unsigned int i = 0; i < s->nr_devices; i++)
		s->devices[i].nr_ticks +=
			s->devices[i].last_ns >= irq->from_ns && s->devices[i].last_ns <= irq->to_ns;
}

/* Where softirqs are many any waking is near one: so that says nothing. */
static bool link_is_paced(const struct links *s, uint64_t woken_ns)
{
	uint64_t first_ns = s->ends_ns[s->nr_ticks % LINK_SOFTIRQS]; /* the oldest one has the next place */
	uint64_t last_ns = s->ends_ns[(s->nr_ticks - 1) % LINK_SOFTIRQS];
	uint64_t after_ns = first_ns ? (last_ns - first_ns) / (LINK_SOFTIRQS - 1) / LINK_AFTER_OF : 0;

	after_ns = after_ns < LINK_AFTER_NS ? after_ns : LINK_AFTER_NS;
	for (unsigned int i = 0; i < LINK_SOFTIRQS; i++)
		if (s->ends_ns[i] <= woken_ns && woken_ns - s->ends_ns[i] < after_ns)
			return true;
	return false;
}

/* NULL: more than there is room for */
static struct link_waits *link_waits_of(struct links *s, int32_t pid)
{
	unsigned int i = 0;

	while (i < s->nr_waits && s->waits[i].pid != pid)
		i++;
	if (i == LINK_TASKS)
		return NULL;
	if (i == s->nr_waits)
		s->waits[s->nr_waits++] = (struct link_waits){ .pid = pid };
	return &s->waits[i];
}

/* Where no queue goes on there is nothing to count: most machines. */
static void links_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct links *s = links_of(c);
	const struct rs_task *t = iv->task;
	struct link_waits *w;

	if (!s->nr_ticks || !t || iv->in_flight || iv->discarded || iv->letter != 'S' || t->syscall < 0 ||
	    !rs_call_is(c, t->syscall, LINK_CALLS))
		return;
	w = link_waits_of(s, t->pid);
	if (!w)
		return;
	w->call = t->syscall;
	w->nr++;
	w->ns += iv->to_ns - iv->from_ns;
	if (!link_is_paced(s, iv->to_ns))
		return;
	w->nr_paced++;
	w->ns_paced += iv->to_ns - iv->from_ns;
}

enum { PACKET_LEN, PACKET_NAME };

static void links_on_packet(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct links *s = links_of(c);
	char name[IFNAMSIZ] = "";
	unsigned int i = 0;

	rs_str(ev, &f[PACKET_NAME], name, sizeof name);
	while (i < s->nr_devices && strcmp(s->devices[i].name, name) != 0)
		i++;
	if (i == LINK_DEVICES)
		return;
	if (i == s->nr_devices)
		memcpy(s->devices[s->nr_devices++].name, name, sizeof name);
	s->devices[i].last_ns = ev->ts_ns;
	s->devices[i].nr_bytes += rs_u64(ev, &f[PACKET_LEN]);
}

/* ---- findings ---- */

/* The device that most of these softirqs are for; NULL: unknown */
static const struct link_device *link_slowest(const struct links *s)
{
	const struct link_device *most = NULL;

	for (unsigned int i = 0; i < s->nr_devices; i++)
		if (s->devices[i].nr_ticks > s->nr_ticks / 2 &&
		    (!most || s->devices[i].nr_ticks > most->nr_ticks))
			most = &s->devices[i];
	return most;
}

/* Waits of who sends, that interrupts end: the peer has confirmed something. */
static uint64_t link_sender_ns(struct rs_ctx *c, const struct rs_blame *b)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_INTERRUPT &&
		    ((RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET) >> b->at[i].part & 1) &&
		    rs_call_is(c, b->at[i].call, RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_FILL))
			ns += b->at[i].ns;
	return ns;
}

static bool link_is_sender(struct rs_ctx *c, const struct link_waits *w)
{
	return rs_call_is(c, w->call, RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_FILL);
}

/*
 * What a process waited for the link. A sender's waits are few and long: one that ends a little later is none
 * of another kind.
 */
static uint64_t link_lost_ns(struct rs_ctx *c, const struct link_waits *w, const struct rs_blame *b,
			     enum rs_confidence *confidence)
{
	bool is_paced = w->nr_paced > w->nr / LINK_LEAST_OF &&
			(w->nr_paced >= LINK_LEAST_NR || link_is_sender(c, w));
	uint64_t sender_ns = link_sender_ns(c, b), paced_ns = is_paced ? w->ns_paced : 0;

	*confidence = is_paced ? RS_MEASURED : RS_INFERRED;
	return sender_ns > paced_ns ? sender_ns : paced_ns;
}

/* Returns false: it hardly waited. */
static bool link_judge(struct rs_ctx *c, const struct links *s, const struct link_waits *w)
{
	const struct link_device *dev = link_slowest(s);
	const char *comm = rs_api_process_comm(c, w->pid);
	const struct rs_blame *b = comm ? rs_blame_find(c, comm, w->pid) : NULL;
	uint64_t interval_ns = rs_judged_ns(c);
	struct rs_finding f = { .rule = rules, .victim = comm, .victim_pid = w->pid,
				.culprit = dev ? dev->name : "the network link",
				.category = RS_CATEGORY_PEER };

	f.lost_ns = f.cost_ns = b ? link_lost_ns(c, w, b, &f.confidence) : 0;
	if (!b || rs_milli(f.lost_ns, interval_ns, 1000).u < LINK_LEAST)
		return false;
	f.of_ns = rs_blame_busy_ns(b) + f.lost_ns;
	f.slots = RS_LIST(rs_slot, { "call", RS_SLOT_CALL, rs_i(w->call) },
			  { "ticks", RS_SLOT_NUMBER,
			    rs_u(rs_milli(s->nr_ticks * 1000000, interval_ns, 1).u) },
			  { "bytes", RS_SLOT_BYTES,
			    rs_u_if(dev, dev ? rs_milli(dev->nr_bytes, interval_ns, 1000000).u : 0) });
	rs_report_finding(c, &f);
	return true;
}

/* Who receives is slow because the sender is: it is told where nobody here waits to send. */
static void links_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	struct links *s = links_of(c);
	bool has_sender = false;

	if (!interval_ns || rs_milli(s->nr_ticks * 1000000000, interval_ns, 1).u < LINK_LEAST_RATE)
		return;
	for (unsigned int i = 0; i < s->nr_waits; i++)
		has_sender |= link_is_sender(c, &s->waits[i]) && link_judge(c, s, &s->waits[i]);
	for (unsigned int i = 0; i < s->nr_waits && !has_sender; i++)
		if (!link_is_sender(c, &s->waits[i]))
			link_judge(c, s, &s->waits[i]);
}

const struct rs_analysis rs_analysis_slow_link = {
	.abi = RS_ABI,
	.name = "slow-link",
	.summary = "who sends or receives as fast as the queue of a network device lets packets go",
	.callbacks = RS_LIST(rs_callback, { RS_ON_IRQ, .irq = links_on_irq },
			     { RS_ON_INTERVAL, .interval = links_on_interval, .kinds = 1 << RS_BLOCKED }),
	.requirements = RS_LIST(rs_requirement,
		{ "net", "net_dev_start_xmit", RS_PASSIVE, RS_BY_ANYONE, links_on_packet,
		  { "len", "name" } }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct links),
	.rules = rules,
	.findings = links_put_findings,
};
