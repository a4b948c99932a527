// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status - show the daemon's window, its cost, and what is off
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"

#define MAX_EXPENSIVE 5

/* Each is a piece of a line: what stands before it, and itself. */
static void status_put_bytes(struct rs_buf *out, const char *before, uint64_t bytes)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, before);
	rs_buf_add(out, text, rs_units_put_bytes(text, bytes));
}

static void status_put_grouped(struct rs_buf *out, const char *before, uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, before);
	rs_buf_add(out, text, rs_units_put_grouped(text, v));
}

static void status_put_duration(struct rs_buf *out, const char *before, uint64_t from_ns, uint64_t to_ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, before);
	rs_buf_add(out, text,
		   rs_units_put_duration(text, to_ns > from_ns ? to_ns - from_ns : 0, RS_UNIT_S, 1));
	rs_buf_puts(out, " s");
}

/* Thousandths of a CPU, in percent of one. */
static void status_put_cpu(struct rs_buf *out, const char *before, uint64_t milli)
{
	rs_buf_printf(out, "%s%" PRIu64 ".%" PRIu64 " %%", before, milli / 10, milli % 10);
}

static void status_put_escaped(struct rs_buf *out, const char *before, const char *text)
{
	rs_buf_puts(out, before);
	rs_escape_text(out, text ? text : "?");
}

static void status_put_daemon(const struct rs_status_reply *s, struct rs_buf *out)
{
	status_put_escaped(out, "daemon    ringside ", s->version);
	rs_buf_printf(out, ", pid %" PRIu64 ", tracing is %s", s->pid, s->tracing ? "on" : "off");
	status_put_duration(out, ", begun ", s->begin_ns, s->now_ns);
	rs_buf_printf(out, " ago, %" PRIu64 " client%s\n", s->clients, s->clients == 1 ? "" : "s");
	if (s->changed_now) {
		status_put_escaped(out, "changed   by another program: ", s->changed_now);
		rs_buf_puts(out, ": events are missing (ringside trace on, ringside trace set EVENT=on, or "
				 "start the daemon again)\n");
	}
	if (s->counts.quality.changed) {
		status_put_escaped(out, "missing   events, because another program changed: ",
				   s->counts.quality.changed);
		rs_buf_puts(out, " after the begin\n");
	}
}

static void status_put_window(const struct rs_status_reply *s, struct rs_buf *out)
{
	status_put_duration(out, "window    the last ", s->oldest_ns, s->now_ns);
	status_put_bytes(out, ", room for ", s->window_bytes);
	if (s->window_ns)
		status_put_duration(out, " or ", 0, s->window_ns);
	status_put_grouped(out, "\nevents    ", s->events_per_s);
	status_put_grouped(out, " a second, ", s->counts.quality.events);
	if (s->counts.lost.known)
		status_put_grouped(out, " in all, ", s->counts.lost.u);
	else /* the kernel did not count while tracing was off */
		rs_buf_puts(out, " in all, ?");
	rs_buf_puts(out, " lost");
	if (s->counts.quality.starved_ns)
		status_put_duration(out, ", starved for ", 0, s->counts.quality.starved_ns);
	rs_buf_puts(out, "\n");
}

/* How large the kernel's buffers have become, and what helps where that does not. */
static void put_buffers(const struct rs_status_reply *s, struct rs_buf *out)
{
	const struct rs_status_buffer *b = s->buffer;

	if (!b || !b->kib)
		return;
	status_put_bytes(out, "buffers   ", b->kib * 1024);
	rs_buf_puts(out, " a CPU");
	if (b->kib > b->begun_kib)
		rs_buf_printf(out,
			      ", grown because events were lost (ringside daemon -b %" PRIu64
			      " begins with it)",
			      b->kib);
	if (b->behind)
		rs_buf_puts(out, "; the analysis did not keep up: turn events off (ringside trace set "
				 "EVENT=off), or name analyses with -a");
	else if (s->counts.lost.u && b->kib >= b->most_kib)
		rs_buf_puts(out, ", as large as --mem lets them");
	rs_buf_puts(out, "\n");
}

static void put_costs(const struct rs_status_reply *s, struct rs_buf *out)
{
	const struct rs_status_budget *b = s->budget;

	status_put_cpu(out, "costs     ", s->own_cpu_milli);
	status_put_bytes(out, " of a CPU and ", s->own_rss_bytes);
	rs_buf_puts(out, " by itself");
	if (b) {
		status_put_cpu(out, "; ", b->events_cpu_milli);
		rs_buf_printf(out, " of a CPU by events, at %" PRIu64 " ns each (%s)", b->event_cost_ns,
			      b->measured ? "measured" : "assumed");
	}
	if (b && b->max_milli) {
		status_put_cpu(out, "; at most ", b->max_milli);
		rs_buf_puts(out, " of the machine");
	}
	rs_buf_puts(out, "\n");
}

static int by_rate(const void *a, const void *b)
{
	const struct rs_status_event *x = *(const struct rs_status_event *const *)a,
				     *y = *(const struct rs_status_event *const *)b;

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
		status_put_escaped(out, i ? ", " : "dearest   ", all[i]->event);
		status_put_grouped(out, " ", all[i]->per_s);
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
		status_put_escaped(out, any ? ", " : "off       ", e->event);
		any = true;
	}
	rs_buf_puts(out, any ? "\n" : "");
	for (const struct rs_status_analysis *a = s->analyses; a < s->analyses + s->nr_analyses; a++) {
		if (!a->why_off)
			continue;
		status_put_escaped(out, "without   ", a->name);
		status_put_escaped(out, ": ", a->why_off);
		rs_buf_puts(out, "\n");
	}
}

static void status_put(const struct rs_status_reply *s, struct rs_buf *out)
{
	status_put_daemon(s, out);
	status_put_window(s, out);
	put_buffers(s, out);
	put_costs(s, out);
	put_expensive(s, out);
	put_off(s, out);
	if (s->unusual) {
		status_put_escaped(out, "unusual   ", s->unusual);
		rs_buf_puts(out, " (ringside unusual)\n");
	}
	if (!s->warning)
		return;
	status_put_escaped(out, "warning   ", s->warning);
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
	.name = "status", .summary = "show the daemon's window, its cost, and what is off",
	.options = "socket,host,remote,json",
	.help = "Exit status 1 where no daemon runs, or it does not answer.",
	.run = status_run,
};
