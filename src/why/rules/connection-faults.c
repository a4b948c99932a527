// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * connection-faults - rules: TCP connections that lose segments, that the peer resets, that are made anew for
 * each exchange, and that the server does not accept
 */
#include <stdio.h>
#include <string.h>

#include "ringside/plugin.h"
#include "why/cases/connection-groups.h"

#define RETRANSMITS_LEAST 1000        /* segments after a time-out a second, in thousandths */
#define RETRANSMITS_LEAST_NR 3
#define RETRANSMITS_LEAST_WAIT 50000  /* or waits of tasks: of the interval, in thousandths of % */
#define RETRANSMITS_LEAST_ANY 20000   /* or segments of any kind a second, in thousandths */
#define RESETS_LEAST 5000             /* a second, in thousandths */
#define RESETS_LEAST_OF 4             /* of so many that end: one */
#define ACCEPT_LEAST 1000             /* requests to connect that are sent again a second, in thousandths */
#define CHURN_LEAST 100000            /* connections a second, in thousandths */
#define CHURN_SHORT_NS 1000000000     /* the mean of how long they last is below */
#define ABORTS 8                      /* the last ones that a task's own call made */

enum { RETRANSMITS, RESETS, CHURN, ACCEPT_QUEUE };

#define FAULT_VIEWS "connections", .where = "{port_is}"

static const struct rs_rule rules[] = {
	[RETRANSMITS] = {
	  "retransmits", "a process sends TCP segments again, which the network or the peer has lost",
	  RETRANSMITS_LEAST, "/s", "sends",
	  "see where they are dropped: the view netdrops here, and counters of the devices on the way (ip -s "
	  "link)",
	  .says = { "{again} TCP segments again{, to |peer}",
		    "lost on the way{, |timers| of them are found missing by a time-out alone}"
		    "{, during |wait| of waits}" },
	  .explains_waits = true,
	  .view = "tcpretrans", .where = "{port_is}",
	  .evidence = RS_LIST(rs_evidence, { "tcpretrans", NULL, "{port_is}" },
			      { "connections", "-retransmits", "{port_is}" }),
	  .found =
		"Segments are sent again after a time-out of TCP, at least {least}; or of any kind 20 times "
		"a second; or the task of the connection waits in a call meanwhile, for 5 % of the time.",
	  .wrong =
		"A sender that fills its link is told by losses how fast that is: a few of them a second are "
		"no fault. Where the peer is slow to acknowledge, what it has got is sent again." },
	[RESETS] = {
	  "connection-resets", "connections of a process end by a reset of the peer",
	  RESETS_LEAST, "/s", "loses",
	  "see why the peer closes what it has not read yet, or aborts: its log, a proxy's time-out for idle "
	  "connections",
	  .says = { "{rate} connections a second{ to |peer}, by a reset",
		    "{culprit} {^aborts} {^them}{ |lasts| after they are established}" },
	  .view = FAULT_VIEWS,
	  .evidence = RS_LIST(rs_evidence, { "connections", NULL, "reset == \"peer\" && {port_is}" }),
	  .found =
		"Established TCP connections end by a reset of the peer: at least {least}, and one in four "
		"of those that end.",
	  .wrong =
		"Some programs end each connection by a reset on purpose (SO_LINGER 0), as checks of load "
		"balancers do." },
	[CHURN] = {
	  "connection-churn", "a process makes a connection for each exchange, over and over",
	  CHURN_LEAST, "/s", "opens",
	  "keep connections open for several requests (a pool, keep-alive)",
	  .says = { "{rate} connections a second{ to |peer}",
		    "each lasts for {lasts}, {connect} of that for its handshake" },
	  .view = FAULT_VIEWS,
	  .evidence = RS_LIST(rs_evidence, { "connections", "-age_ns", "{port_is}" },
			      { "tcpconnect", NULL, "{port_is}" }),
	  .found =
		"A process establishes TCP connections to one address and port, and they end within a second "
		"on average: at least {least}.",
	  .wrong = "A program that measures a server's accept, or scans ports, is meant to do that." },
	[ACCEPT_QUEUE] = {
	  "accept-queue", "a process waits in connect, because the server's accept queue is full",
	  ACCEPT_LEAST, "/s", "waits",
	  "let the server accept faster, in a thread that does nothing else, or listen with a longer queue "
	  "(backlog, net.core.somaxconn)",
	  .says = { "{for |syn_wait| in all }to be connected{ to |peer}",
		    "{culprit} {^accepts} too slowly, its accept queue is full: {syn} packets of "
		    "handshakes are dropped, and what they begin is sent again" },
	  .explains_waits = true,
	  .view = "tcpretrans", .where = "{port_is}",
	  .evidence = RS_LIST(rs_evidence, { "tcpretrans", NULL, "{port_is}" },
			      { "connections", "-connect_ns", "{port_is}" }),
	  .found =
		"Requests to connect (SYN), or the first data of connections that the server does not have, "
		"are sent again, at least {least}, to an address of this machine that has other "
		"connections: the kernel drops the handshake where the queue of a listener is full.",
	  .wrong = "A firewall that limits new connections has the same effect: see netdrops." },
	{ 0 },
};

static const struct rs_sentence no_handshake = { "{syn} requests to connect again{, to |peer}",
						 "nobody answers them{, for |syn_wait| in all}" };

struct fault_abort {
	uint16_t local_port, remote_port; /* 0: none */
	int32_t pid;
};

struct faults {
	uint64_t since_ns;
	uint64_t nr_again;            /* of all groups, those in handshakes too */
	bool has_syn;                 /* one of a handshake that may not be over */
	uint64_t overflow;            /* the reason of such a drop; UINT64_MAX: this kernel does not tell */
	struct rs_connection_groups groups;
	unsigned int nr_aborts;
	struct fault_abort aborts[ABORTS];
};

/* Of a task, while it is blocked: the group that has sent again; 0: none. */
struct fault_task {
	unsigned int group;
};

static struct faults *faults_of(struct rs_ctx *c)
{
	struct faults *s = c->state;

	if (s->since_ns != rs_since_ns(c))
		*s = (struct faults){ .since_ns = rs_since_ns(c), .has_syn = s->has_syn,
				      .overflow = s->overflow };
	return s;
}

/* ---- events ---- */

/* What a task of the connection waits for now may be this segment. */
static void fault_mark_wait(struct rs_ctx *c, struct faults *s, const struct rs_connection_group *g,
			    const struct rs_socket *k)
{
	struct rs_task *t = k->tid ? rs_task_find(c, k->tid) : NULL;

	if (!t || t->state != RS_BLOCKED || t->syscall < 0 ||
	    rs_call_kind(c, t->syscall, t->syscall_args) == RS_CALL_FUTEX_WAIT ||
	    rs_call_is(c, t->syscall, RS_CLASS_SLEEP | RS_CLASS_PAUSE | RS_CLASS_REAP | RS_CLASS_ACCEPT))
		return;
	*(struct fault_task *)rs_task_data(c, t) =
		(struct fault_task){ (unsigned int)(g - s->groups.at) + 1 };
}

static void fault_on_retransmit(struct rs_ctx *c, struct faults *s, struct rs_connection_group *g,
				const struct rs_socket *k)
{
	const struct rs_socket *peer = rs_socket_peer(c, k);

	if (k->state == RS_TCP_SYN_SENT) {
		s->has_syn = true;
		g->nr_syn++;
		return;
	}
	s->nr_again++;
	g->again_ns = k->last_ns;
	fault_mark_wait(c, s, g, k);
	if (peer)
		fault_mark_wait(c, s, g, peer);
	g->nr_half += k->side == RS_SIDE_CLIENT && !peer;
	g->nr_maybe_half += k->side == RS_SIDE_UNKNOWN && rs_connection_group_is_client(k) && !peer;
	g->nr_again++;
	g->nr_timers += k->congestion == RS_CONGESTION_LOSS;
}

/* The part inside the interval of a handshake in which something was sent again; 0: nothing was. */
static uint64_t fault_handshake_ns(const struct faults *s, const struct rs_socket *k, uint64_t since_ns,
				   uint64_t to_ns)
{
	return k->retransmit_ns ? rs_part_ns(s->since_ns, since_ns, to_ns) : 0;
}

static void fault_note_abort(struct faults *s, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;

	if (ev->task)
		s->aborts[s->nr_aborts++ % ABORTS] =
			(struct fault_abort){ k->local.port, k->remote.port, ev->task->pid };
}

static int32_t fault_aborter(const struct faults *s, const struct rs_socket *k)
{
	for (unsigned int i = 0; i < ABORTS; i++)
		if (s->aborts[i].local_port == k->remote.port && s->aborts[i].remote_port == k->local.port)
			return s->aborts[i].pid;
	return 0;
}

static void fault_on_close(struct faults *s, struct rs_connection_group *g, const struct rs_socket_event *ev)
{
	const struct rs_socket *k = ev->socket;
	uint64_t lasted_ns = k->established_ns ? ev->ts_ns - k->established_ns : 0;

	if (!k->established_ns)
		return;
	g->nr_closed++;
	g->lasted_ns += lasted_ns;
	if (k->reset != RS_RESET_BY_PEER)
		return;
	g->nr_resets++;
	g->reset_lasted_ns += lasted_ns;
	g->reset_pid = fault_aborter(s, k);
}

static void faults_on_socket(struct rs_ctx *c, const struct rs_socket_event *ev)
{
	struct faults *s = faults_of(c);
	const struct rs_socket *k = ev->socket;
	struct rs_connection_group *g = ev->discarded ? NULL : rs_connection_group_add(&s->groups, k);

	if (!g)
		return;
	if (ev->kind != RS_SOCKET_RETRANSMITS && ev->was == RS_TCP_SYN_SENT)
		g->syn_wait_ns += fault_handshake_ns(s, k, ev->was_ns, ev->ts_ns);
	if (ev->kind == RS_SOCKET_RETRANSMITS) {
		fault_on_retransmit(c, s, g, k);
	} else if (ev->kind == RS_SOCKET_ESTABLISHED && k->side == RS_SIDE_CLIENT && k->begin_ns) {
		g->nr_opened++;
		g->connect_ns += ev->ts_ns - k->begin_ns;
	} else if (ev->kind == RS_SOCKET_CLOSED) {
		fault_note_abort(s, ev);
		fault_on_close(s, g, ev);
	}
}

static void fault_add_wait(struct faults *s, struct fault_task *d, const struct rs_interval *iv)
{
	struct rs_connection_group *g = d->group <= s->groups.nr ? &s->groups.at[d->group - 1] : NULL;

	if (g && !iv->discarded && iv->from_ns >= s->since_ns)
		g->wait_ns += iv->to_ns - iv->from_ns;
	d->group = 0;
}

#define FAULT_CALLS (RS_CLASS_READ | RS_CLASS_WRITE | RS_CLASS_SEND | RS_CLASS_RECEIVE | RS_CLASS_FILL)

/* Whose a connection is that is older than the trace tells the first call on it. */
static void fault_find_owner(struct rs_ctx *c, struct faults *s, const struct rs_interval *iv)
{
	struct rs_task *t = iv->task;
	bool is_call = iv->letter == 'S' && !iv->discarded && t->syscall >= 0 &&
		       rs_call_is(c, t->syscall, FAULT_CALLS);
	const struct rs_socket *k = is_call ? rs_task_socket(c, t) : NULL;
	struct rs_connection_group *g = k ? rs_connection_group_find(&s->groups, k) : NULL;

	if (g && g->again_ns > iv->from_ns && g->again_ns <= iv->to_ns)
		g->wait_ns += iv->to_ns - iv->from_ns;
	else if (g && g->remote.port && (s->has_syn || s->groups.nr_overflows))
		g->queue_wait_ns += iv->to_ns - iv->from_ns;
}

static void faults_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct fault_task *d = iv->task && !iv->in_flight ? rs_task_data(c, iv->task) : NULL;
	struct faults *s = d ? faults_of(c) : NULL;

	if (!s || (!s->nr_again && !s->has_syn && !s->groups.nr_overflows))
		return;
	if (d->group)
		fault_add_wait(s, d, iv);
	else
		fault_find_owner(c, s, iv);
}

static void faults_on_drop(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct faults *s = faults_of(c);

	if (rs_has(f) && rs_u64(ev, f) == s->overflow)
		s->groups.nr_overflows++;
}

/* Who listens on a socket that is older than the trace is looked up for it. */
static void faults_on_accept(struct rs_ctx *c, const struct rs_call *call)
{
	(void)rs_call_socket(c, call);
}

/* ---- findings ---- */

struct fault_words {
	char own[64], peer[64], port_is[40], victim[RS_COMM_LEN], culprit[64];
};

/* "10.0.0.2:80", "[fe80::1]:80", "10.0.0.2" */
static void fault_put_end(const struct rs_socket_end *end, char *buf, size_t size_bytes)
{
	char addr[RS_SOCKET_ADDR_BYTES];

	rs_socket_addr_text(end, addr);
	if (!end->port)
		snprintf(buf, size_bytes, "%s", addr);
	else
		snprintf(buf, size_bytes, strchr(addr, ':') ? "[%s]:%u" : "%s:%u", addr, end->port);
}

/* Whoever listens there; a connection that it accepted may be older than the trace. 0: unknown */
static int32_t fault_accepting(struct rs_ctx *c, const struct rs_socket_end *end)
{
	const struct rs_socket *k = rs_socket_next(c, NULL);

	while (k && (k->local.port != end->port || !k->pid || k->side == RS_SIDE_CLIENT))
		k = rs_socket_next(c, k);
	return k ? k->pid : 0;
}

static void fault_put_words(struct rs_ctx *c, const struct rs_connection_group *g, int32_t culprit_pid,
			    struct fault_words *w)
{
	const char *comm = g->pid ? rs_api_process_comm(c, g->pid) : NULL;
	const char *by = culprit_pid ? rs_api_process_comm(c, culprit_pid) : NULL;

	fault_put_end(&g->local, w->own, sizeof w->own);
	fault_put_end(&g->remote, w->peer, sizeof w->peer);
	snprintf(w->port_is, sizeof w->port_is, "%s_port == %u", g->remote.port ? "remote" : "local",
		 g->remote.port ? g->remote.port : g->local.port);
	snprintf(w->victim, sizeof w->victim, "%s", comm ? comm : "");
	snprintf(w->culprit, sizeof w->culprit, "%s", by ? by : w->peer);
}

/* Reports a group by a rule; the slots are those of all rules: a sentence takes what it has. */
static void fault_report(struct rs_ctx *c, const struct rs_connection_group *g, unsigned int rule,
			 uint64_t measured, uint64_t cost_ns, const struct rs_sentence *says)
{
	int32_t culprit_pid = rule == RESETS	   ? g->reset_pid :
			      rule == ACCEPT_QUEUE ? fault_accepting(c, &g->remote) :
						     0;
	uint64_t nr_ends = rule == RESETS ? g->nr_resets : g->nr_closed;
	uint64_t lasted_ns = rule == RESETS ? g->reset_lasted_ns : g->lasted_ns;
	struct fault_words w;
	struct rs_finding f = { .rule = &rules[rule], .cost_ns = cost_ns, .measured = measured, .says = says,
				.victim_pid = g->pid,
				.category = RS_CATEGORY_PEER };

	fault_put_words(c, g, culprit_pid, &w);
	f.victim = *w.victim ? w.victim : w.own;
	if (rule == RESETS || rule == ACCEPT_QUEUE) {
		f.culprit = w.culprit;
		f.culprit_pid = culprit_pid;
	}
	f.slots = RS_LIST(rs_slot, { "again", RS_SLOT_NUMBER, rs_u(g->nr_again) },
			  { "timers", RS_SLOT_NUMBER, rs_u_if(g->nr_timers, g->nr_timers) },
			  { "wait", RS_SLOT_DURATION, rs_u_if(g->wait_ns, g->wait_ns) },
			  { "syn", RS_SLOT_NUMBER, rs_u(g->nr_syn) },
			  { "syn_wait", RS_SLOT_DURATION, rs_u_if(g->syn_wait_ns, g->syn_wait_ns) },
			  { "rate", RS_SLOT_NUMBER, rs_u((measured + 500) / 1000) },
			  { "peer", RS_SLOT_NAME, rs_s(w.peer) },
			  { "port_is", RS_SLOT_TEXT, rs_s(w.port_is) },
			  { "lasts", RS_SLOT_DURATION, rs_u_if(nr_ends, nr_ends ? lasted_ns / nr_ends : 0) },
			  { "connect", RS_SLOT_DURATION,
			    rs_u_if(g->nr_opened, g->nr_opened ? g->connect_ns / g->nr_opened : 0) });
	rs_report_finding(c, &f);
}

static uint64_t fault_rate(uint64_t nr, uint64_t interval_ns)
{
	return rs_milli(nr * 1000000000, interval_ns, 1).u;
}

static void fault_judge_lost(struct rs_ctx *c, const struct faults *s, const struct rs_connection_group *g,
			     uint64_t interval_ns)
{
	uint64_t timers = fault_rate(g->nr_timers, interval_ns), again = fault_rate(g->nr_again, interval_ns);

	if (g->nr_again >= RETRANSMITS_LEAST_NR && !rs_connection_group_queue_is_full(&s->groups, g) &&
	    (timers >= RETRANSMITS_LEAST || again >= RETRANSMITS_LEAST_ANY ||
	     rs_milli(g->wait_ns, interval_ns, 100).u >= RETRANSMITS_LEAST_WAIT))
		fault_report(c, g, RETRANSMITS, again, g->wait_ns, NULL);
}

/*
 * Of all clients of one name. The others wait in the same queue, if not for a packet: that is not in the
 * sentence, but what the queue costs.
 */
static void fault_judge_queue(struct rs_ctx *c, const struct rs_connection_groups *s,
			      const struct rs_connection_group *g, uint64_t interval_ns)
{
	int32_t pid = rs_connection_group_owner(c, s, g);
	const char *comm = pid ? rs_api_process_comm(c, pid) : NULL;
	struct rs_connection_group all = *g;
	uint64_t cost_ns = g->syn_wait_ns + g->syn_open_ns + g->wait_ns + g->queue_wait_ns;

	if (!cost_ns && !rs_connection_group_dropped(s, g))
		return;
	all.pid = pid;
	all.nr_syn = all.syn_wait_ns = 0;
	for (unsigned int i = 0; i < s->nr; i++) {
		const struct rs_connection_group *of = &s->at[i];
		bool is_same = !memcmp(&of->remote, &g->remote, sizeof g->remote);
		int32_t owner = is_same ? rs_connection_group_owner(c, s, of) : 0;
		const char *name = owner ? rs_api_process_comm(c, owner) : NULL;

		if (of != g && (!name || !comm || strcmp(name, comm) != 0))
			continue;
		all.nr_syn += rs_connection_group_dropped(s, of);
		all.syn_wait_ns += of->syn_wait_ns + of->syn_open_ns +
				   (rs_connection_group_dropped(s, of) > of->nr_syn ? of->wait_ns : 0);
	}
	if (all.nr_syn)
		fault_report(c, &all, ACCEPT_QUEUE, fault_rate(all.nr_syn, interval_ns), cost_ns, NULL);
}

static void fault_judge_handshakes(struct rs_ctx *c, const struct faults *s,
				   const struct rs_connection_group *g, uint64_t interval_ns)
{
	struct rs_connection_group of = *g;
	uint64_t syn = fault_rate(g->nr_syn, interval_ns);

	if (rs_connection_group_has_server(&s->groups, g)) {
		if (rs_connection_group_queue_is_full(&s->groups, g))
			fault_judge_queue(c, &s->groups, g, interval_ns);
		return;
	}
	of.pid = rs_connection_group_owner(c, &s->groups, g);
	of.syn_wait_ns += g->syn_open_ns;
	if (g->nr_syn >= RETRANSMITS_LEAST_NR && syn >= ACCEPT_LEAST)
		fault_report(c, &of, RETRANSMITS, syn, of.syn_wait_ns, &no_handshake);
}

static void fault_judge_ends(struct rs_ctx *c, const struct rs_connection_group *g, uint64_t interval_ns)
{
	uint64_t resets = fault_rate(g->nr_resets, interval_ns);
	uint64_t opened = fault_rate(g->nr_opened, interval_ns);

	if (resets >= RESETS_LEAST && g->nr_resets >= g->nr_closed / RESETS_LEAST_OF)
		fault_report(c, g, RESETS, resets, g->reset_lasted_ns + g->connect_ns, NULL);
	if (opened >= CHURN_LEAST && g->nr_closed && g->lasted_ns / g->nr_closed < CHURN_SHORT_NS &&
	    g->nr_closed >= g->nr_opened / 2)
		fault_report(c, g, CHURN, opened, g->connect_ns, NULL);
}

/* Of handshakes that are not over. */
static void faults_add_open(struct rs_ctx *c, struct faults *s)
{
	for (unsigned int i = 0; i < s->groups.nr; i++)
		s->groups.at[i].syn_open_ns = 0;
	if (!s->has_syn)
		return;
	s->has_syn = false;
	for (const struct rs_socket *k = rs_socket_next(c, NULL); k; k = rs_socket_next(c, k)) {
		bool is_open = k->state == RS_TCP_SYN_SENT && k->retransmit_ns;
		struct rs_connection_group *g = is_open ? rs_connection_group_add(&s->groups, k) : NULL;

		s->has_syn |= is_open;
		if (g)
			g->syn_open_ns += fault_handshake_ns(s, k, k->state_ns, rs_last_event_ns(c));
	}
}

static void faults_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	struct faults *s = faults_of(c);

	faults_add_open(c, s);
	for (unsigned int i = 0; i < s->groups.nr && interval_ns; i++) {
		fault_judge_lost(c, s, &s->groups.at[i], interval_ns);
		fault_judge_handshakes(c, s, &s->groups.at[i], interval_ns);
		fault_judge_ends(c, &s->groups.at[i], interval_ns);
	}
}

static int faults_init(struct rs_ctx *c)
{
	struct faults *s = c->state;

	if (!rs_event_symbol(c, "skb", "kfree_skb", "TCP_LISTEN_OVERFLOW", &s->overflow))
		s->overflow = UINT64_MAX;
	return 0;
}

const struct rs_analysis rs_analysis_connection_faults = {
	.abi = RS_ABI,
	.name = "connection-faults",
	.summary = "TCP connections that lose segments, are reset, or are made for one exchange each",
	.requirements = RS_LIST(rs_requirement,
		{ "skb", "kfree_skb", RS_OPTIONAL, RS_BY_ANYONE, faults_on_drop, { "?reason" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_SOCKET, .socket = faults_on_socket },
			     { RS_ON_INTERVAL, .interval = faults_on_interval, .kinds = 1 << RS_BLOCKED },
			     { RS_ON_CALL, .call = faults_on_accept, .kinds = 1 << RS_CALL_ACCEPT,
			       .if_recorded = true }),
	.requires_states = true,
	.begin = faults_init,
	.state_size = sizeof(struct faults),
	.task_size = sizeof(struct fault_task),
	.uses_files = true,
	.rules = rules,
	.findings = faults_put_findings,
};
