// SPDX-License-Identifier: GPL-2.0-or-later
/* exchange-waits - rules: who waits for answers longer, or more often, because of how it sends requests */
#include "why/blame.h"
#include "ringside/plugin.h"

#define DELAYED_LEAST 100000          /* in ms a second, in thousandths */
#define DELAYED_LEAST_NR 4
#define CHATTY_LEAST 500000           /* exchanges a second, in thousandths */
#define CHATTY_BYTES 256              /* that a request has at most, the mean */
#define CHATTY_WAIT_NS 1000000        /* longer means are waits for a peer */
#define CHATTY_LEAST_SHARE 50000      /* of one thread's time, in thousandths of a percent */
#define EXCHANGES_MOST 128            /* processes; of more the first are known */

enum { DELAYED_ACK, CHATTY };

#define EXCHANGE_EVIDENCE \
	RS_LIST(rs_evidence, { "offcpu", "-total_ns", "pid == {pid}" }, \
		{ "syscall-latency", NULL, "pid == {pid}", "pid,syscall" })

static const struct rs_rule rules[] = {
	[DELAYED_ACK] = {
	  "delayed-ack",
	  "a process sends a request in small pieces, and the last one waits for an ACK that the peer delays",
	  DELAYED_LEAST, "ms/s", "waits",
	  "send a request by one call (writev, MSG_MORE, TCP_CORK), or set TCP_NODELAY",
	  .says = { "{times} times in {call} for {each} each, for an ACK that the peer delays",
		    "{~it} {~sends} each request in {pieces} small pieces, of which TCP holds back the last "
		    "one until the peer acknowledges the first (Nagle)" },
	  .explains_waits = true,
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = EXCHANGE_EVIDENCE,
	  .found =
		"After two or more small sends to one descriptor the answer comes after the time by which "
		"TCP delays an ACK, 40 ms here and 200 ms elsewhere, most times: at least {least}.",
	  .wrong =
		"A peer that needs 40 ms for its answer looks alike: the cause is inferred. See whether one "
		"send for each request makes it faster." },
	[CHATTY] = {
	  "chatty", "a process asks its peer very often for very little, one question after the other",
	  CHATTY_LEAST, "/s", "asks",
	  "ask for more at once: a batch, a pipeline of requests, or a cache",
	  .says = { "{rate} times a second for an answer, in {call}",
		    "{share} of its time are these round trips, {each} each, for requests of {bytes}" },
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = EXCHANGE_EVIDENCE,
	  .found =
		"A process sends small requests, and waits for each answer before it sends the next one: at "
		"least {least}, and half of one thread's time goes to these waits, of less than 1 ms each.",
	  .wrong = "Where each request follows from the answer before there is nothing to put together." },
	{ 0 },
};

struct exchange_row {
	int32_t pid;
	int64_t call;               /* of the last wait */
	uint64_t nr, ns, nr_bytes;  /* exchanges; what is waited; what is sent */
	uint64_t nr_split;          /* of these, in small pieces */
	uint64_t nr_delayed, delayed_ns, nr_pieces; /* of those, as long as an ACK is delayed */
};

struct exchange_rows {
	uint64_t since_ns;
	unsigned int nr;
	struct exchange_row at[EXCHANGES_MOST];
};

static struct exchange_rows *exchanges_of(struct rs_ctx *c)
{
	struct exchange_rows *s = c->state;

	if (s->since_ns != rs_since_ns(c))
		*s = (struct exchange_rows){ .since_ns = rs_since_ns(c) };
	return s;
}

/* NULL: more than there is room for */
static struct exchange_row *exchange_row_of(struct exchange_rows *s, int32_t pid)
{
	unsigned int i = 0;

	while (i < s->nr && s->at[i].pid != pid)
		i++;
	if (i == EXCHANGES_MOST)
		return NULL;
	if (i == s->nr)
		s->at[s->nr++] = (struct exchange_row){ .pid = pid };
	return &s->at[i];
}

static void exchanges_on_round_trip(struct rs_ctx *c, const struct rs_round_trip *trip)
{
	struct exchange_row *row = exchange_row_of(exchanges_of(c), trip->wait->task->pid);
	uint64_t ns = trip->wait->to_ns - trip->wait->from_ns;

	if (!row)
		return;
	row->call = trip->call;
	row->nr++;
	row->ns += ns;
	row->nr_bytes += trip->nr_bytes;
	row->nr_split += trip->is_split;
	if (!trip->is_delayed)
		return;
	row->nr_delayed++;
	row->delayed_ns += ns;
	row->nr_pieces += trip->nr_sends;
}

/* ---- findings ---- */

static void exchange_report(struct rs_ctx *c, const struct exchange_row *row, const struct rs_finding *f,
			    uint64_t nr, uint64_t ns, uint64_t interval_ns)
{
	uint64_t pieces = row->nr_delayed ? (row->nr_pieces + row->nr_delayed / 2) / row->nr_delayed : 0;
	struct rs_finding told = *f;

	told.victim = rs_api_process_comm(c, row->pid);
	told.victim_pid = row->pid;
	told.cost_ns = told.lost_ns = ns;
	told.slots = RS_LIST(rs_slot, { "times", RS_SLOT_NUMBER, rs_u(nr) },
			     { "rate", RS_SLOT_NUMBER, rs_u(rs_milli(nr * 1000000, interval_ns, 1).u) },
			     { "call", RS_SLOT_CALL, rs_i(row->call) },
			     { "each", RS_SLOT_DURATION, rs_u(ns / nr) },
			     { "pieces", RS_SLOT_NUMBER, rs_u(pieces) },
			     { "share", RS_SLOT_PERCENT, rs_u(rs_milli(ns, interval_ns, 100).u / 1000) },
			     { "bytes", RS_SLOT_BYTES, rs_u(row->nr_bytes / row->nr) });
	if (told.victim)
		rs_report_finding(c, &told);
}

static void exchange_judge(struct rs_ctx *c, const struct exchange_row *row, uint64_t interval_ns)
{
	uint64_t rate = rs_milli(row->nr * 1000000000, interval_ns, 1).u;

	if (row->nr_delayed >= DELAYED_LEAST_NR && row->nr_delayed > row->nr_split / 2 &&
	    rs_milli(row->delayed_ns, interval_ns, 1000).u >= DELAYED_LEAST)
		exchange_report(c, row, &(struct rs_finding){ .rule = &rules[DELAYED_ACK],
							      .confidence = RS_INFERRED,
							      .category = RS_CATEGORY_PEER },
				row->nr_delayed, row->delayed_ns, interval_ns);
	if (rate >= CHATTY_LEAST && row->nr_bytes / row->nr <= CHATTY_BYTES &&
	    row->ns / row->nr <= CHATTY_WAIT_NS &&
	    rs_milli(row->ns, interval_ns, 100).u >= CHATTY_LEAST_SHARE)
		exchange_report(c, row, &(struct rs_finding){ .rule = &rules[CHATTY], .measured = rate },
				row->nr, row->ns, interval_ns);
}

static void exchanges_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	struct exchange_rows *s = exchanges_of(c);

	for (unsigned int i = 0; i < s->nr && interval_ns; i++)
		exchange_judge(c, &s->at[i], interval_ns);
}

const struct rs_analysis rs_analysis_exchange_waits = {
	.abi = RS_ABI,
	.name = "exchange-waits",
	.summary = "who waits for answers because of the way it sends requests",
	.callbacks = RS_LIST(rs_callback,
			     { RS_ON_ROUND_TRIP, .round_trip = exchanges_on_round_trip,
			       .if_recorded = true }),
	.requires_states = true,
	.state_size = sizeof(struct exchange_rows),
	.rules = rules,
	.findings = exchanges_put_findings,
};
