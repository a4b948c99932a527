// SPDX-License-Identifier: GPL-2.0-or-later
/* packet-drops - rule: packets that the kernel drops for a reason that is a fault, by whose they are */
#include <string.h>

#include "ringside/plugin.h"

#define DROPS_LEAST 10000             /* packets a second, in thousandths */
#define DROPS_LEAST_NR 5
#define DROPS_MOST 64                 /* reasons and processes */

static const struct rs_rule rules[] = {
	{ "packet-drops", "the kernel drops packets: a queue or a buffer is full, or a rule says so",
	  DROPS_LEAST, "/s", "loses",
	  "see where: the view netdrops; make the buffer larger, or who should empty it faster",
	  .says = { "{rate} packets a second, reason {reason}", "{why}" },
	  .view = "netdrops", .where = "reason == \"{reason}\"",
	  .evidence = RS_LIST(rs_evidence, { "netdrops", NULL, "reason == \"{reason}\"" }),
	  .found =
		"The kernel drops packets (skb:kfree_skb) and gives a reason that is no part of normal work: "
		"at least {least}. They are those of the task that sends them, or of their socket.",
	  .wrong =
		"A firewall that drops what nobody should send does its work. Older kernels (before 5.17) "
		"give no reason: then nothing is found." },
	{ 0 },
};

/* By the begin of the kernel's names: include/net/dropreason-core.h. Others are normal, or unknown. */
static const struct drop_reason { const char *begin, *why; } reasons[] = {
	{ "QDISC_", "the queue of a network device is full" },
	{ "FQ_", "the queue of a network device is full" },
	{ "CAKE_FLOOD", "the queue of a network device is full" },
	{ "FULL_RING", "the ring of a device is full" },
	{ "CPU_BACKLOG", "a CPU does not keep up with what it receives (net.core.netdev_max_backlog)" },
	{ "SOCKET_RCVBUFF", "the receive buffer of a socket is full, its task reads too slowly" },
	{ "SOCKET_BACKLOG", "a socket is busy, and its backlog full" },
	{ "PROTO_MEM", "the protocol may not take more memory (net.ipv4.tcp_mem, udp_mem)" },
	{ "TCP_OFO_DROP", "the receive buffer of a socket is full" },
	{ "TCP_LISTEN_OVERFLOW", "the accept queue of a listener is full" },
	{ "NOMEM", "there is no memory for them" },
	{ "NETFILTER_DROP", "a rule of the firewall drops them" },
	{ "BPF_CGROUP_EGRESS", "a BPF program of a control group drops them" },
	{ "TC_", "a filter of tc drops them" },
	{ "XDP", "an XDP program drops them" },
	{ "TCP_CSUM", "their checksum is wrong" },
	{ "UDP_CSUM", "their checksum is wrong" },
	{ "IP_CSUM", "their checksum is wrong" },
	{ "PKT_TOO_BIG", "they are larger than the link takes (MTU)" },
	{ "NEIGH_", "nobody on the link has the address that they are for" },
	{ "IP_OUTNOROUTES", "there is no route" },
	{ "IP_INNOROUTES", "there is no route" },
	{ "IP_RPFILTER", "they come from where no route goes back (rp_filter)" },
};

struct drops_row {
	uint32_t reason;
	int32_t pid;                  /* 0: unknown */
	uint64_t nr;
};

struct drops {
	uint64_t since_ns;
	unsigned int nr;
	struct drops_row at[DROPS_MOST];
};

enum { DROP_REASON, DROP_SOCKET, DROP_FLAGS };

/* Who has the socket that they are for, or drops them itself, as it sends. 0: unknown */
static int32_t drops_pid(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t addr = rs_has(&f[DROP_SOCKET]) ? rs_u64(ev, &f[DROP_SOCKET]) : 0;
	const struct rs_socket *k = rs_socket_at(c, addr);
	bool is_own = rs_has(&f[DROP_FLAGS]) && !(rs_u64(ev, &f[DROP_FLAGS]) & RS_FLAGS_IN_INTERRUPT);

	if (k && k->pid)
		return k->pid;
	return is_own && ev->task && !ev->task->kernel_thread ? ev->task->pid : 0;
}

static void drops_on_free(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct drops *s = c->state;
	struct drops_row row = { .nr = 1 };
	unsigned int i = 0;

	if (!rs_has(&f[DROP_REASON]))
		return;
	if (s->since_ns != rs_since_ns(c))
		*s = (struct drops){ .since_ns = rs_since_ns(c) };
	row.reason = (uint32_t)rs_u64(ev, &f[DROP_REASON]);
	row.pid = drops_pid(c, ev, f);
	while (i < s->nr && (s->at[i].reason != row.reason || s->at[i].pid != row.pid))
		i++;
	if (i < s->nr)
		s->at[i].nr++;
	else if (i < DROPS_MOST)
		s->at[s->nr++] = row;
}

static const struct drop_reason *drops_find_reason(const char *name)
{
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (!strncmp(name, reasons[i].begin, strlen(reasons[i].begin)))
			return &reasons[i];
	return NULL;
}

static void drops_judge(struct rs_ctx *c, const struct drops_row *row, uint64_t interval_ns)
{
	uint64_t rate = rs_milli(row->nr * 1000000000, interval_ns, 1).u;
	const char *comm = row->pid ? rs_api_process_comm(c, row->pid) : NULL;
	const struct drop_reason *r;
	char name[RS_CELL_TEXT_BYTES];

	if (rate < DROPS_LEAST || row->nr < DROPS_LEAST_NR ||
	    !rs_event_symbol_name(c, "skb", "kfree_skb", row->reason, name))
		return;
	r = drops_find_reason(name);
	if (!r)
		return;
	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .victim = comm ? comm : "the network", .victim_pid = comm ? row->pid : 0,
		.measured = rate,
		.slots = RS_LIST(rs_slot, { "rate", RS_SLOT_NUMBER, rs_u((rate + 500) / 1000) },
				 { "why", RS_SLOT_TEXT, rs_s(r->why) },
				 { "reason", RS_SLOT_NAME, rs_s(name) }) });
}

static void drops_put_findings(struct rs_ctx *c)
{
	const struct drops *s = c->state;
	uint64_t interval_ns = s->since_ns == rs_since_ns(c) ? rs_judged_ns(c) : 0;

	for (unsigned int i = 0; i < s->nr && interval_ns; i++)
		drops_judge(c, &s->at[i], interval_ns);
}

const struct rs_analysis rs_analysis_packet_drops = {
	.abi = RS_ABI,
	.name = "packet-drops",
	.summary = "packets that the kernel drops for a reason that is a fault",
	.requirements = RS_LIST(rs_requirement,
		{ "skb", "kfree_skb", RS_REQUIRED, RS_BY_ANYONE, drops_on_free,
		  { "?reason", "?rx_sk", "?common_flags" } }),
	.state_size = sizeof(struct drops),
	.rules = rules,
	.findings = drops_put_findings,
};
