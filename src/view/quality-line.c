// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quality-line.c - the data quality as a row of columns, and in one line
 *
 *	# 6.1.0-50-amd64 boot  2.00 s  123,456 events  lost 0  unmatched 2  discarded 0  inferred 3  in flight
 *	                       4
 *
 * The first counts are always shown, since a reader must know that they are 0; the others only if they are
 * not, those of samples and stacks where there are some. Lost events that the kernel did not count are a "?".
 * If the rows are of some tasks and the counts are not, the counts begin with "all tasks:".
 */
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

#define QUALITY(name, type, flags, member) \
	{ \
		name, NULL, type, 0, flags, .measure_bytes = offsetof(struct rs_quality, member) \
	}
#define QUALITY_TEXT(member) QUALITY(#member, RS_TYPE_TEXT, 0, member)
#define QUALITY_COUNT(member) QUALITY(#member, RS_TYPE_COUNT, 0, member)
#define QUALITY_TIME(member) QUALITY(#member, RS_TYPE_TIME, 0, member)

const struct rs_column rs_quality_line_columns[] = {
	QUALITY_TEXT(version),
	QUALITY_TEXT(kernel),
	QUALITY_TEXT(clock),
	QUALITY_TEXT(unit),
	QUALITY("realtime_offset_ns", RS_TYPE_DURATION, RS_COLUMN_SIGNED, realtime_offset_ns),
	QUALITY("clock_offset_ns", RS_TYPE_DURATION, RS_COLUMN_SIGNED | RS_COLUMN_IF_KNOWN, host_clock),
	QUALITY("clock_wall_offset_ns", RS_TYPE_DURATION, RS_COLUMN_SIGNED | RS_COLUMN_IF_KNOWN, host_clock),
	QUALITY("clock_uncertainty_ns", RS_TYPE_DURATION, RS_COLUMN_IF_KNOWN, host_clock),
	QUALITY_TEXT(filters),
	QUALITY_COUNT(events),
	QUALITY("lost", RS_TYPE_COUNT, RS_COLUMN_SUM, lost_by_cpu),
	QUALITY("lost_by_cpu", RS_TYPE_COUNT, RS_COLUMN_PART, lost_by_cpu),
	QUALITY_COUNT(gaps),
	QUALITY_COUNT(gaps_uncounted),
	QUALITY_COUNT(unmatched),
	QUALITY_COUNT(discarded),
	QUALITY_COUNT(inferred),
	QUALITY_COUNT(in_flight),
	QUALITY_COUNT(evicted),
	QUALITY_TIME(from_ns),
	QUALITY_TIME(to_ns),
	QUALITY_COUNT(late),
	QUALITY_COUNT(bad_pages),
	QUALITY_COUNT(bad_records),
	QUALITY_COUNT(all_tasks),
	QUALITY_COUNT(no_wakings),
	QUALITY("samples", RS_TYPE_COUNT, RS_COLUMN_IF_KNOWN, samples),
	QUALITY("samples_lost", RS_TYPE_COUNT, RS_COLUMN_IF_KNOWN, samples_lost),
	QUALITY("stacks", RS_TYPE_COUNT, RS_COLUMN_IF_KNOWN, stacks),
	QUALITY("stacks_unmatched", RS_TYPE_COUNT, RS_COLUMN_IF_KNOWN, stacks_unmatched),
	QUALITY("stack_cost_ns", RS_TYPE_DURATION, RS_COLUMN_IF_KNOWN, stack_cost_ns),
	QUALITY("changed", RS_TYPE_TEXT, RS_COLUMN_IF_KNOWN, changed),
	QUALITY("starved_ns", RS_TYPE_DURATION, RS_COLUMN_IF_KNOWN, starved_ns),
	{ .name = NULL },
};

static struct rs_value quality_line_clock(const struct rs_host_clock *clock, const struct rs_column *c)
{
	if (!clock)
		return rs_null();
	if (!(c->flags & RS_COLUMN_SIGNED))
		return rs_u(clock->within_ns);
	return rs_i(strcmp(c->name, "clock_offset_ns") ? clock->wall_offset_ns : clock->boot_offset_ns);
}

struct rs_value rs_quality_line_value(const struct rs_quality *t, const struct rs_column *c)
{
	const void *member = (const char *)t + c->measure_bytes;

	if (c->type == RS_TYPE_TEXT) {
		const char *text = *(const char *const *)member;

		if (!text && member == &t->filters)
			text = "";
		return (struct rs_value){ .s = text, .known = text };
	}
	if (c->flags & RS_COLUMN_SUM)
		return rs_u_if(rs_quality_lost(t) || !t->gaps_uncounted, rs_quality_lost(t));
	if (member == &t->host_clock)
		return quality_line_clock(t->host_clock, c);
	if (c->flags & RS_COLUMN_SIGNED)
		return t->realtime_offset_known ? rs_i(t->realtime_offset_ns) : rs_null();
	if (member == &t->stack_cost_ns)
		return rs_u_if(t->stacks && t->stack_cost_ns, t->stack_cost_ns);
	if (member == &t->starved_ns)
		return rs_u_if(t->starved_ns, t->starved_ns);
	if (c->flags & RS_COLUMN_IF_KNOWN)
		return rs_u_if(member == &t->samples || member == &t->samples_lost ? t->sampled : t->stacks,
			       *(const uint64_t *)member);
	return rs_u_if(c->type != RS_TYPE_TIME || t->events, *(const uint64_t *)member);
}

/* ---- in one line ---- */

static void put_count(struct rs_buf *out, const char *before, uint64_t v, const char *after)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, before);
	rs_buf_add(out, text, rs_units_put_grouped(text, v));
	rs_buf_puts(out, after);
}

static void put_if_any(struct rs_buf *out, const char *name, uint64_t v)
{
	if (v)
		put_count(out, name, v, "");
}

static void put_length(struct rs_buf *out, const struct rs_quality *t)
{
	char text[RS_UNIT_TEXT];

	if (t->unit && strcmp(t->unit, "ns")) {
		rs_buf_printf(out, "  times are %s, not ns", t->unit);
	} else if (t->events && t->to_ns >= t->from_ns) {
		rs_buf_puts(out, "  ");
		rs_buf_add(out, text, rs_units_put_duration(text, t->to_ns - t->from_ns, RS_UNIT_S, 2));
		rs_buf_puts(out, " s");
	}
}

/* "lost 0"; "lost 12 (cpu0 10, cpu3 2)"; "lost ? (2 gaps uncounted)"; "lost 9 + ? (cpu0 9, ...)" */
static void quality_line_put_lost(struct rs_buf *out, const struct rs_quality *t)
{
	uint64_t lost = rs_quality_lost(t);
	const char *before = " (";
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, "  lost ");
	if (lost || !t->gaps_uncounted)
		put_count(out, "", lost, t->gaps_uncounted ? " + ?" : "");
	else
		rs_buf_putc(out, '?');
	for (unsigned int cpu = 0; t->lost_by_cpu && cpu < t->nr_cpus; cpu++) {
		if (!t->lost_by_cpu[cpu])
			continue;
		rs_buf_printf(out, "%scpu%u ", before, cpu);
		rs_buf_add(out, text, rs_units_put_grouped(text, t->lost_by_cpu[cpu]));
		before = ", ";
	}
	if (t->gaps_uncounted) {
		put_count(out, before, t->gaps_uncounted,
			  t->gaps_uncounted == 1 ? " gap uncounted" : " gaps uncounted");
		before = ", ";
	}
	if (*before == ',')
		rs_buf_putc(out, ')');
}

/*
 * "stacks 1,234 (620 an s, about 0.1 % of a CPU)": live, what they and their events cost the tasks that they
 * are of.
 */
static void quality_line_put_stacks(struct rs_buf *out, const struct rs_quality *t)
{
	uint64_t length_ns = t->to_ns - t->from_ns, milli_percent;

	put_count(out, "  stacks ", t->stacks, "");
	if (t->stack_cost_ns && t->to_ns > t->from_ns) {
		milli_percent = (uint64_t)((double)t->stacks * (double)t->stack_cost_ns * 100000 /
					   (double)length_ns);
		put_count(out, " (", (uint64_t)((double)t->stacks * 1e9 / (double)length_ns),
			  " an s, about ");
		rs_buf_printf(out, "%u.%u %% of a CPU)", (unsigned int)(milli_percent / 1000),
			      (unsigned int)(milli_percent % 1000 / 100));
	}
	put_if_any(out, "  stacks unmatched ", t->stacks_unmatched);
}

static void quality_line_put_starved(struct rs_buf *out, const struct rs_quality *t)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(out, "  starved ");
	rs_buf_add(out, text, rs_units_put_duration(text, t->starved_ns, RS_UNIT_S, 1));
	rs_buf_puts(out, " s");
}

void rs_quality_line(struct rs_buf *out, const struct rs_quality *t)
{
	rs_buf_puts(out, "# ");
	if (t->machine) {
		rs_escape_text(out, t->machine);
		rs_buf_puts(out, ": ");
	}
	rs_escape_text(out, t->kernel ? t->kernel : "kernel unknown");
	rs_buf_putc(out, ' ');
	rs_escape_text(out, t->clock ? t->clock : "clock unknown");
	put_length(out, t);
	rs_buf_puts(out, t->all_tasks ? "  all tasks: " : "  ");
	put_count(out, "", t->events, t->events == 1 ? " event" : " events");
	quality_line_put_lost(out, t);
	if (t->changed) {
		rs_buf_puts(out, "  changed by another program: ");
		rs_escape_text(out, t->changed);
	}
	if (t->starved_ns)
		quality_line_put_starved(out, t);
	put_count(out, "  unmatched ", t->unmatched, "");
	put_count(out, "  discarded ", t->discarded, "");
	put_count(out, "  inferred ", t->inferred, "");
	put_count(out, "  in flight ", t->in_flight, "");
	if (t->sampled) {
		put_count(out, "  samples ", t->samples, "");
		put_count(out, "  samples lost ", t->samples_lost, "");
	}
	if (t->stacks)
		quality_line_put_stacks(out, t);
	put_if_any(out, "  evicted ", t->evicted);
	put_if_any(out, "  late ", t->late);
	put_if_any(out, "  bad pages ", t->bad_pages);
	put_if_any(out, "  bad records ", t->bad_records);
	if (t->no_wakings)
		rs_buf_puts(out, "  no wakings recorded: run-queue waits are preemptions only, sleep and "
				 "delay are one (off_cpu_ns)");
	if (t->filters && *t->filters) {
		rs_buf_puts(out, "  filters ");
		rs_escape_text(out, t->filters);
	}
	rs_buf_putc(out, '\n');
}

void rs_quality_line_dropped(struct rs_buf *out, const struct rs_printer *p)
{
	if (!p->nr_dropped)
		return;
	put_count(out, "# ", p->nr_dropped, " rows more of ");
	rs_buf_printf(out, "%s had no room in %u MiB (-n, or a filter, makes it enough)\n", p->view->name,
		      RS_ROWS_BYTES >> 20);
}
