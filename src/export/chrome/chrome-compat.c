// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-compat.c - scheduling as lines of ftrace's text format, inside a JSON string
 *
 *	<comm>-<tid> [<cpu>] .... <seconds with 9 decimals>: sched_switch: ...
 *
 * Every version of Perfetto and chrome://tracing reads this. A line that it cannot parse
 * aborts the whole load, so characters that would end a field or a line are replaced in names.
 */
#include "export/chrome/chrome.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"

enum { PREV_COMM, PREV_PID, PREV_PRIO, PREV_STATE, NEXT_COMM, NEXT_PID, NEXT_PRIO };
enum { WAKE_COMM, WAKE_PID, WAKE_PRIO, WAKE_CPU };

/*
 * Replaces characters that are not printable ASCII or at which readers split; a line that begins with # would
 * be skipped.
 */
static void clean(char comm[RS_COMM_LEN])
{
	if (!*comm)
		snprintf(comm, RS_COMM_LEN, "<...>");
	for (char *p = comm; *p; p++)
		if (*p < '!' || *p > '~' || *p == '=' || *p == '"' || *p == '\\' || *p == '#')
			*p = '_';
}

static void read_comm(const struct rs_event *ev, const struct rs_field *f, char comm[RS_COMM_LEN])
{
	if (!rs_has(f) || !rs_str(ev, f, comm, RS_COMM_LEN))
		*comm = '\0';
	clean(comm);
}

/* Readers take the name at the beginning of a line as the thread's name from then on. */
static void chrome_compat_comm_of(struct rs_ctx *c, int32_t tid, char comm[RS_COMM_LEN])
{
	const struct rs_task *t = rs_task_find(c, tid);

	snprintf(comm, RS_COMM_LEN, "%s", t ? t->comm : "");
	clean(comm);
}

/* Readers require digits, and the priority of a deadline task is -1. */
static unsigned int whole(const struct rs_event *ev, const struct rs_field *f)
{
	int64_t v = rs_has(f) ? rs_i64(ev, f) : 0;

	return v > 0 && v <= INT32_MAX ? (unsigned int)v : 0;
}

static void open_line(struct rs_chrome *ch, const struct rs_event *ev, const char *comm, const char *event)
{
	uint64_t begin_ns = ch->scene.begin_ns;
	char text[RS_UNIT_TEXT];

	/* as the kernel names it, whatever its CPU */
	rs_buf_printf(ch->out, "%s-%d [%03u] .... ", ev->tid > 0 ? comm : "<idle>", ev->tid > 0 ? ev->tid : 0,
		      ev->cpu);
	rs_buf_add(ch->out, text,
		   rs_units_put_fixed(text, ev->ts_ns > begin_ns ? ev->ts_ns - begin_ns : 0, 9));
	rs_buf_printf(ch->out, ": %s: ", event);
}

/* A state letter that readers do not know would abort the load as well. */
static char letter(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	char l = rs_has(f) ? rs_api_prev_state_letter(c, rs_u64(ev, f)) : 'S';

	return l && strchr("RSDTtXZPI", l) ? l : 'S';
}

static void chrome_compat_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	char prev[RS_COMM_LEN], next[RS_COMM_LEN];

	if (rs_api_is_muted(c))
		return;
	read_comm(ev, &f[PREV_COMM], prev);
	read_comm(ev, &f[NEXT_COMM], next);
	open_line(ch, ev, prev, "sched_switch");
	rs_buf_printf(ch->out,
		      "prev_comm=%s prev_pid=%u prev_prio=%u prev_state=%c ==> next_comm=%s next_pid=%u "
		      "next_prio=%u\\n",
		      prev, whole(ev, &f[PREV_PID]), whole(ev, &f[PREV_PRIO]), letter(c, ev, &f[PREV_STATE]),
		      next, whole(ev, &f[NEXT_PID]), whole(ev, &f[NEXT_PRIO]));
}

static void chrome_compat_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	char comm[RS_COMM_LEN], waker[RS_COMM_LEN];

	if (rs_api_is_muted(c))
		return;
	read_comm(ev, &f[WAKE_COMM], comm);
	chrome_compat_comm_of(c, ev->tid, waker);
	open_line(ch, ev, waker, "sched_waking");
	rs_buf_printf(ch->out, "comm=%s pid=%u prio=%u target_cpu=%03u\\n", comm, whole(ev, &f[WAKE_PID]),
		      whole(ev, &f[WAKE_PRIO]), whole(ev, &f[WAKE_CPU]));
}

static const struct rs_requirement requirements[] = {
	{ "sched", "sched_switch", RS_PASSIVE, RS_BY_ANYONE, chrome_compat_on_switch,
	  { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio" } },
	{ "sched", "sched_waking", RS_PASSIVE, RS_BY_ANYONE, chrome_compat_on_waking,
	  { "comm", "pid", "prio", "target_cpu" } },
	{ 0 },
};

const struct rs_analysis rs_chrome_compat_subscriber = {
	.abi = RS_ABI, .name = "chrome-compat", .summary = "scheduling as text, for older viewers",
	.requirements = requirements,
};
