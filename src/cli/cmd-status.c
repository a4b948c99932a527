// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status - how the daemon is: what it has, what it costs, what is off
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"

#define MAX_EXPENSIVE 5

static void status_put_unit(struct rs_buf *out, size_t (*write)(char *to, uint64_t v), uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, write(text, v));
}

static void put_duration(struct rs_buf *out, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_duration(text, ns, RS_UNIT_S, 1));
	rs_buf_puts(out, " s");
}

/* Thousandths of a CPU, in percent of one. */
static void put_cpu(struct rs_buf *out, uint64_t milli)
{
	rs_buf_printf(out, "%" PRIu64 ".%" PRIu64 " %%", milli / 10, milli % 10);
}

static void status_put_escaped(struct rs_buf *out, const char *text)
{
	rs_escape_text(out, text ? text : "?");
}

static void status_put_task_name(const struct rs_status_reply *s, struct rs_buf *out)
{
	rs_buf_puts(out, "daemon    ringside ");
	status_put_escaped(out, s->version);
	rs_buf_printf(out, ", pid %" PRIu64 ", tracing is %s, begun ", s->pid, s->tracing ? "on" : "off");
	put_duration(out, s->now_ns > s->begin_ns ? s->now_ns - s->begin_ns : 0);
	rs_buf_printf(out, " ago, %" PRIu64 " client%s\n", s->clients, s->clients == 1 ? "" : "s");
}

static void status_put_window(const struct rs_status_reply *s, struct rs_buf *out)
{
	rs_buf_puts(out, "window    the last ");
	put_duration(out, s->now_ns > s->oldest_ns ? s->now_ns - s->oldest_ns : 0);
	rs_buf_puts(out, ", room for ");
	status_put_unit(out, rs_units_put_bytes, s->window_bytes);
	if (s->window_ns) {
		rs_buf_puts(out, " or ");
		put_duration(out, s->window_ns);
	}
	rs_buf_puts(out, "\nevents    ");
	status_put_unit(out, rs_units_put_grouped, s->events_per_s);
	rs_buf_puts(out, " a second, ");
	status_put_unit(out, rs_units_put_grouped, s->counts.quality.events);
	rs_buf_puts(out, " in all, ");
	if (s->counts.lost.known)
		status_put_unit(out, rs_units_put_grouped, s->counts.lost.u);
	else /* where tracing was off nobody counted */
		rs_buf_puts(out, "?");
	rs_buf_puts(out, " lost\n");
}

/* How large the kernel's buffers have become, and what helps where that does not. */
static void put_buffers(const struct rs_status_reply *s, struct rs_buf *out)
{
	const struct rs_status_buffer *b = s->buffer;

	if (!b || !b->kib)
		return;
	rs_buf_puts(out, "buffers   ");
	status_put_unit(out, rs_units_put_bytes, b->kib * 1024);
	rs_buf_puts(out, " a CPU");
	if (b->kib > b->begun_kib)
		rs_buf_printf(out, ", grown because events were lost (ringside daemon -b %" PRIu64 " begins with it)", b->kib);
	if (b->behind)
		rs_buf_puts(out, "; the analysis did not keep up: turn events off (ringside trace set), or name analyses with -a");
	else if (s->counts.lost.u && b->kib >= b->most_kib)
		rs_buf_puts(out, ", as large as --mem lets them");
	rs_buf_puts(out, "\n");
}

static void put_costs(const struct rs_status_reply *s, struct rs_buf *out)
{
	const struct rs_status_budget *b = s->budget;
	uint64_t max = b ? b->max_milli : 0;

	rs_buf_puts(out, "costs     ");
	put_cpu(out, s->own_cpu_milli);
	rs_buf_puts(out, " of a CPU and ");
	status_put_unit(out, rs_units_put_bytes, s->own_rss_bytes);
	rs_buf_puts(out, " by itself");
	if (!b)
		goto out;
	rs_buf_puts(out, "; ");
	put_cpu(out, b->events_cpu_milli);
	rs_buf_printf(out, " of a CPU by events, at %" PRIu64 " ns each (%s)",
		      b->event_cost_ns,
		      b->measured ? "measured" : "assumed");
	if (max)
		rs_buf_printf(out, "; at most %" PRIu64 ".%" PRIu64 " %% of the machine", max / 10, max % 10);
out:
	rs_buf_puts(out, "\n");
}

static int by_rate(const void *a, const void *b)
{
	const struct rs_status_event *x = *(const struct rs_status_event *const *)a, *y = *(const struct rs_status_event *const *)b;

	return (x->per_s < y->per_s) - (x->per_s > y->per_s);
}

static void put_expensive(const struct rs_status_reply *s, struct rs_buf *out)
{
	const struct rs_status_event **all = calloc(s->nr_events + 1, sizeof *all);
	size_t nr = 0;

	for (size_t i = 0; all && i < s->nr_events; i++)
		all[nr++] = &s->events[i];
	if (nr)
		qsort(all, nr, sizeof *all, by_rate);
	for (size_t i = 0; i < nr && i < MAX_EXPENSIVE && all[i]->per_s; i++) {
		rs_buf_puts(out, i ? ", " : "dearest   ");
		status_put_escaped(out, all[i]->event);
		rs_buf_puts(out, " ");
		status_put_unit(out, rs_units_put_grouped, all[i]->per_s);
		rs_buf_puts(out, "/s");
	}
	if (nr && all[0]->per_s)
		rs_buf_puts(out, "\n");
	free(all);
}

/* What does not run as one would think, and why. */
static void put_off(const struct rs_status_reply *s, struct rs_buf *out)
{
	bool any = false;

	for (const struct rs_status_event *e = s->events; e < s->events + s->nr_events; e++) {
		if (e->on)
			continue;
		rs_buf_puts(out, any ? ", " : "off       ");
		status_put_escaped(out, e->event);
		any = true;
	}
	rs_buf_puts(out, any ? "\n" : "");
	for (const struct rs_status_analysis *a = s->analyses; a < s->analyses + s->nr_analyses; a++) {
		if (!a->why_off)
			continue;
		rs_buf_puts(out, "without   ");
		status_put_escaped(out, a->name);
		rs_buf_puts(out, ": ");
		status_put_escaped(out, a->why_off);
		rs_buf_puts(out, "\n");
	}
}

static void status_put(const struct rs_status_reply *s, struct rs_buf *out)
{
	status_put_task_name(s, out);
	status_put_window(s, out);
	put_buffers(s, out);
	put_costs(s, out);
	put_expensive(s, out);
	put_off(s, out);
	if (!s->warning)
		return;
	rs_buf_puts(out, "warning   ");
	status_put_escaped(out, s->warning);
	rs_buf_puts(out, "\n");
}

static enum rs_exit status_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;
	struct rs_client *c = rs_attach(opt, err);
	const struct rs_status_reply *status = c ? rs_client_call(c, "status", NULL, -1, err) : NULL;

	if (status)
		(opt->json ? rs_attach_put_status : status_put)(status, &out);
	rs_message_drop(status);
	rs_client_free(c);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_status = {
	.name = "status", .summary = "how the daemon is: what it has, what it costs, what is off",
	.options = "socket,json",
	.help = "Exit status 1 where no daemon runs, or it does not answer.",
	.run = status_run,
};
