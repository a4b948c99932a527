// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netlat - from the receipt of a packet to its reader: through the protocols, then until the reader runs
 *
 *	napi_gro_receive_entry    the driver hands it on (not of lo and veth)
 *	netif_receive_skb         the protocols begin with it: CPU, softirq
 *	sk_data_ready             it is in a socket's queue: same CPU and softirq, before the next packet
 *	sched_waking              of who waits for that socket: likewise
 *	sched_switch              it runs
 *
 * Each is joined to the one before by CPU and order alone, which the kernel keeps: a packet is dealt with to
 * its end before the next. What is not woken so is left out: a reader that was not asleep, a packet that
 * waited while a task had locked its socket.
 */
#include <errno.h>

#include "ringside/plugin.h"

#define NETLAT_HARD_IRQ 0x08 /* of common_flags: TRACE_FLAG_HARDIRQ, which comes into softirqs as well */

struct netlat_row {
	struct rs_hist all, stack, delay;
};

/* The keys: the local port, where the socket is known, else 0; the protocol. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct netlat_row), .of_tasks = true, .max_rows = 16384, .kept_keys = 2,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_LATENCY, offsetof(struct netlat_row, all) },
			      { RS_MEASURE_LATENCY, offsetof(struct netlat_row, stack) },
			      { RS_MEASURE_LATENCY, offsetof(struct netlat_row, delay) }) },
	{ 0 },
};

/* The packet that a CPU deals with. */
struct netlat_cpu {
	uint64_t skb, driver_ns;   /* the last that the driver handed on */
	uint64_t received_ns;      /* 0: none, or it is done with */
	uint64_t ready_ns;         /* it is in a socket's queue; 0: not yet */
	uint16_t port, protocol;
};

struct netlat {
	struct netlat_cpu *cpus;
};

/* Of a task: the packet that it was woken for. */
struct netlat_task {
	uint64_t received_ns, woken_ns; /* 0: none */
	uint16_t port, protocol;
};

static struct netlat_cpu *netlat_cpu_of(struct rs_ctx *c, const struct rs_event *ev)
{
	return ev->cpu < rs_nr_cpus(c) ? &((struct netlat *)c->state)->cpus[ev->cpu] : NULL;
}

static void netlat_on_driver(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netlat_cpu *cpu = netlat_cpu_of(c, ev);

	if (cpu) {
		cpu->skb = rs_u64(ev, f);
		cpu->driver_ns = ev->ts_ns;
	}
}

static void netlat_on_receive(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netlat_cpu *cpu = netlat_cpu_of(c, ev);

	if (!cpu)
		return;
	cpu->received_ns = cpu->skb && cpu->skb == rs_u64(ev, f) ? cpu->driver_ns : ev->ts_ns;
	cpu->skb = 0;
	cpu->ready_ns = 0;
}

enum { READY_SOCKET, READY_PROTOCOL, READY_FLAGS };

/* Is it the softirq's own, and no task's, nor that of an interrupt in between? */
static bool netlat_is_of_softirq(const struct rs_event *ev, const struct rs_field *flags)
{
	return (rs_u64(ev, flags) & RS_FLAGS_IN_INTERRUPT) == (RS_FLAGS_IN_INTERRUPT & ~NETLAT_HARD_IRQ);
}

static void netlat_on_ready(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netlat_cpu *cpu = netlat_cpu_of(c, ev);
	const struct rs_socket *k;

	if (!cpu || !cpu->received_ns || !netlat_is_of_softirq(ev, &f[READY_FLAGS]))
		return;
	k = rs_socket_at(c, rs_u64(ev, &f[READY_SOCKET]));
	cpu->ready_ns = ev->ts_ns;
	cpu->port = k ? k->local.port : 0;
	cpu->protocol = (uint16_t)rs_u64(ev, &f[READY_PROTOCOL]);
}

enum { WAKING_TID, WAKING_FLAGS };

static void netlat_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netlat_cpu *cpu = netlat_cpu_of(c, ev);
	struct netlat_task *of;
	struct rs_task *t;

	if (!cpu || !cpu->ready_ns || !netlat_is_of_softirq(ev, &f[WAKING_FLAGS]))
		return;
	t = rs_task_find(c, (int32_t)rs_i64(ev, &f[WAKING_TID]));
	if (!t)
		return;
	of = rs_task_data(c, t);
	*of = (struct netlat_task){ cpu->received_ns, ev->ts_ns, cpu->port, cpu->protocol };
}

/* What the CPU does next is for no packet. */
static void netlat_on_exit(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct netlat_cpu *cpu = netlat_cpu_of(c, ev);

	if (cpu)
		cpu->received_ns = cpu->ready_ns = 0;
}

static void netlat_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct netlat *s = c->state;

	if (gap->cpu < rs_nr_cpus(c))
		s->cpus[gap->cpu] = (struct netlat_cpu){ 0 };
}

/* The engine follows sockets for whoever asks to be called: their ports are all that is needed here. */
static void netlat_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
}

/* A delay that ends begins with the waking that is noted, or it is another one. */
static void netlat_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct netlat_task *of = rs_task_data(c, iv->task);
	uint64_t received_ns = of->woken_ns == iv->from_ns ? of->received_ns : 0;
	struct netlat_row *row;

	of->woken_ns = 0;
	if (!received_ns || iv->discarded || iv->in_flight || iv->inferred || !rs_shown(c, iv->task))
		return;
	row = rs_discarded(c, received_ns, iv->to_ns) ? NULL :
							rs_store_row(c, 0, iv->task, of->port, of->protocol);
	if (!row)
		return;
	rs_latency_add(c, &row->all, received_ns, iv->to_ns, false);
	rs_latency_add(c, &row->stack, received_ns, iv->from_ns, false);
	rs_latency_add(c, &row->delay, iv->from_ns, iv->to_ns, false);
}

static int netlat_begin(struct rs_ctx *c)
{
	struct netlat *s = c->state;

	s->cpus = rs_alloc(c, rs_nr_cpus(c), sizeof *s->cpus);
	return s->cpus ? 0 : -ENOMEM;
}

/* ---- columns ---- */

static struct rs_value netlat_show_port(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(g->keys[0] && g->keys[0] != RS_KEY_FORGOTTEN, g->keys[0]);
}

static struct rs_value netlat_show_protocol(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const struct { unsigned int number; const char *name; } names[] = { /* linux/in.h */
		{ 0, "unix" }, { 1, "ICMP" }, { 6, "TCP" }, { 17, "UDP" }, { 58, "ICMPv6" }, { 132, "SCTP" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].number == g->keys[1])
			return rs_s(names[i].name);
	return rs_null();
}

#define NETLAT_PART(member) .measure_bytes = offsetof(struct netlat_row, member), .aspect

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "protocol", "PROTOCOL", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "TCP, UDP ...", .key = RS_KEY_1,
	  .by_cell = true, .cell = netlat_show_protocol },
	{ "port", "PORT", RS_TYPE_ID, 0, RS_COLUMN_KEY, 5,
	  "the local port, of TCP; null: its connection is older than the trace", .key = RS_KEY_0,
	  .by_cell = true, .cell = netlat_show_port },
	{ "wakeups", "WAKEUPS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "packets that woke the task",
	  NETLAT_PART(all) = RS_COUNT },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "sum of the time from the receipt of the packet until the task ran", NETLAT_PART(all) = RS_TOTAL },
	{ "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "average", NETLAT_PART(all) = RS_AVG },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "half of them took at most this",
	  NETLAT_PART(all) = RS_P50 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "99 % took at most this",
	  NETLAT_PART(all) = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 9, "longest",
	  NETLAT_PART(all) = RS_MAX },
	{ "stack_avg_ns", "STACKavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12,
	  "of it, until the task was woken: the average", NETLAT_PART(stack) = RS_AVG },
	{ "stack_max_ns", "STACKmax(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12, "longest",
	  NETLAT_PART(stack) = RS_MAX },
	{ "delay_avg_ns", "DELAYavg(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12,
	  "from then until it ran: the average", NETLAT_PART(delay) = RS_AVG },
	{ "delay_max_ns", "DELAYmax(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12, "longest",
	  NETLAT_PART(delay) = RS_MAX },
	{ 0 },
};

const struct rs_analysis rs_analysis_netlat = {
	.abi = RS_ABI,
	.name = "netlat",
	.summary = "from the receipt of a packet until its reader runs",
	.by_name = true,
	.requires_states = true,
	.requirements = RS_LIST(rs_requirement,
		{ "net", "netif_receive_skb", RS_REQUIRED, RS_BY_ANYONE, netlat_on_receive, { "skbaddr" } },
		{ "sock", "sk_data_ready", RS_REQUIRED, RS_BY_ANYONE, netlat_on_ready,
		  { "skaddr", "protocol", "common_flags" } },
		{ "sched", "sched_waking", RS_REQUIRED, RS_BY_ANYONE, netlat_on_waking,
		  { "pid", "common_flags" } },
		{ "irq", "softirq_exit", RS_REQUIRED, RS_BY_ANYONE, netlat_on_exit, { "vec" } },
		{ "net", "napi_gro_receive_entry", RS_OPTIONAL, RS_BY_ANYONE, netlat_on_driver,
		  { "skbaddr" } }),
	.callbacks = RS_LIST(rs_callback,
			     { RS_ON_INTERVAL, .interval = netlat_on_interval, .kinds = 1 << RS_DELAY },
			     { RS_ON_SOCKET, .socket = netlat_on_socket },
			     { RS_ON_GAP, .gap = netlat_on_gap }),
	.views = RS_LIST(rs_view,
		{ .name = "netlat", .topic = RS_TOPIC_NETWORK,
		  .diff_by = "",
		  .summary = "how long packets take from the device to the task that waits for them",
		  .kind = RS_VIEW_TABLE, .columns = columns, .options = "by", .store = stores,
		  .sort = "-total_ns", .by = "comm,pid,protocol",
		  .text_columns = "comm,pid,protocol,wakeups,p50_ns,p99_ns,max_ns,stack_avg_ns,"
				  "stack_max_ns,delay_avg_ns,delay_max_ns" }),
	.stores = stores,
	.state_size = sizeof(struct netlat),
	.task_size = sizeof(struct netlat_task),
	.begin = netlat_begin,
};
