// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-compat - scheduling as lines of ftrace's own text, inside a JSON string
 *
 *	<comm>-<tid> [<cpu>] .... <seconds with 9 decimals>: sched_switch: ...
 *
 * Every version of Perfetto and chrome://tracing reads this. One line that it cannot read
 * ends the whole load: so names lose what would end a field or a line.
 */
#include "export/chrome.h"

#include <stdio.h>

#include "base/escape.h"
#include "base/units.h"

enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };
enum { WAKE_COMM, WAKE_PID, WAKE_PRIO, WAKE_CPU };

/* What is left of a comm: printable ASCII but for what the readers split at. */
static void read_comm(const struct rs_event *ev, const struct rs_field *f, char comm[RS_COMM_LEN])
{
	if (!rs_has(f) || !rs_str(ev, f, comm, RS_COMM_LEN))
		snprintf(comm, RS_COMM_LEN, "<...>");
	for (char *p = comm; *p; p++)
		if (*p < '!' || *p > '~' || *p == '=' || *p == '"' || *p == '\\')
			*p = '_';
}

static void put_seconds(struct rs_buf *b, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(b, text, rs_put_fixed(text, ns, 9));
}

static void open_line(struct rs_chrome *ch, const struct rs_event *ev, const char *comm, const char *event)
{
	rs_buf_printf(ch->out, "%s-%d [%03u] .... ", comm, ev->tid, ev->cpu);
	put_seconds(ch->out, ev->ts_ns > ch->base_ns ? ev->ts_ns - ch->base_ns : 0);
	rs_buf_printf(ch->out, ": %s: ", event);
}

static char letter_of(struct rs_ctx *c, uint64_t prev_state)
{
	return rs_prev_state_letter(c, prev_state);
}

static void on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_chrome *ch = rs_session_arg(c);
	char prev[RS_COMM_LEN], next[RS_COMM_LEN];

	if (rs_muted(c))
		return;
	read_comm(ev, &f[PREV_COMM], prev);
	read_comm(ev, &f[NEXT_COMM], next);
	open_line(ch, ev, prev, "sched_switch");
	rs_buf_printf(ch->out, "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%c ==> next_comm=%s next_pid=%d next_prio=%d\\n",
		      prev, (int)rs_i64(ev, &f[PREV_PID]), (int)rs_i64(ev, &f[PREV_PRIO]), letter_of(c, rs_u64(ev, &f[PREV_STATE])),
		      next, (int)rs_i64(ev, &f[NEXT_PID]), (int)rs_i64(ev, &f[NEXT_PRIO]));
}

static void on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_chrome *ch = rs_session_arg(c);
	char comm[RS_COMM_LEN];

	if (rs_muted(c))
		return;
	read_comm(ev, &f[WAKE_COMM], comm);
	open_line(ch, ev, "<...>", "sched_waking");
	rs_buf_printf(ch->out, "comm=%s pid=%d prio=%d target_cpu=%03d\\n", comm, (int)rs_i64(ev, &f[WAKE_PID]),
		      (int)rs_i64(ev, &f[WAKE_PRIO]), (int)rs_i64(ev, &f[WAKE_CPU]));
}

static const struct rs_want wants[] = {
	{ "sched", "sched_switch", RS_PASSIVE, RS_BY_ANYONE, on_switch,
	  { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio" } },
	{ "sched", "sched_waking", RS_PASSIVE, RS_BY_ANYONE, on_waking, { "comm", "pid", "prio", "target_cpu" } },
	{ 0 },
};

const struct rs_analysis rs_chrome_compat_listener = {
	.abi = RS_ABI, .name = "chrome-compat", .summary = "scheduling as text, for older viewers", .wants = wants,
};
