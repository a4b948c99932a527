// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * irqs - each interrupt line and softirq vector: how often, how long, and how long a softirq waited to begin
 */
#include <stdio.h>

#include "ringside/plugin.h"

#define NR_VECTORS 32  /* of which a raise is remembered: kernels have 10 */

/* What one source did on one CPU. */
struct irq_row {
	struct rs_hist lat, raise;
	struct rs_peak peak;
	uint64_t is_softirq;
};

/* Keys are the source and the CPU. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct irq_row), .max_rows = 16384, .kept_keys = 1,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct irq_row, lat) },
		{ RS_MEASURE_LATENCY, offsetof(struct irq_row, raise) },
		{ RS_MEASURE_PEAK, offsetof(struct irq_row, peak) },
		{ RS_MEASURE_MAX, offsetof(struct irq_row, is_softirq) }) },
	{ 0 },
};

struct irqs {
	const struct rs_irq_source *sources[RS_MAX_IRQ_SOURCES]; /* by their index: those on tracks */
};

static struct irq_row *irqs_find_row(struct rs_ctx *c, const struct rs_irq_source *source, uint16_t cpu)
{
	struct irq_row *row = rs_store_row(c, 0, NULL, (uint64_t)(uintptr_t)source, cpu);

	if (row)
		row->is_softirq = source->kind == RS_SOFTIRQ;
	return row;
}

/*
 * An interrupt has no task: -p, -t and -c select those that interrupted a selected task. Those that hit
 * ringside count.
 */
static bool irqs_is_shown(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_shown(c, NULL) || (t && rs_shown(c, t));
}

/*
 * ---- on the CPU's track, within the slice of the task that it interrupts: .arg is the source's index ----
 */

static const char *source_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const struct irqs *s = c->state;
	const struct rs_irq_source *source = arg < RS_MAX_IRQ_SOURCES ? s->sources[arg] : NULL;

	if (!source || source->name[0])
		return source ? source->name : NULL;
	snprintf(buf, size_bytes, "%s %u", rs_irq_kind_name(source->kind), source->nr);
	return buf;
}

static const struct rs_column span_columns[] = {
	{ "id", "ID", RS_TYPE_ID, 0, 0, 0, "number of the line, or of the vector" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "whom it interrupted" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "likewise; null: nobody" },
	{ 0 },
};

static void emit_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct irqs *s = c->state;
	struct rs_value values[] = {
		rs_u(irq->source->nr),
		rs_s(irq->task ? irq->task->comm : NULL),
		rs_u_if(irq->task, irq->task ? (uint64_t)irq->task->tid : 0),
	};

	s->sources[irq->source->index] = irq->source;
	rs_emit_span(c, irq->source->kind, &(struct rs_span){ .id = irq->cpu, .start_ns = irq->from_ns,
		.end_ns = irq->to_ns,
							.arg = irq->source->index, .values = values });
}

static void irqs_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
	struct irq_row *row;

	if (!irqs_is_shown(c, irq->task))
		return;
	if (rs_spans_enabled(c) && !irq->in_flight)
		emit_irq(c, irq);
	row = irqs_find_row(c, irq->source, irq->cpu);
	if (!row)
		return;
	if (!irq->in_flight)
		rs_peak_add(&row->peak, irq->from_ns, irq->to_ns - irq->from_ns, NULL);
	rs_latency_add(c, &row->lat, irq->from_ns, irq->to_ns, irq->in_flight);
}

/* ---- raise to entry, by CPU and vector ---- */

static void raise_end(struct rs_ctx *c, const struct rs_match_end *end)
{
	const struct rs_begun *raise = end->begun;
	const struct rs_irq_source *source;
	struct irq_row *row;

	if (end->discarded || end->in_flight)
		return;
	source = irqs_is_shown(c, end->task) ? rs_softirq_source(c, (uint32_t)raise->key) : NULL;
	row = source ? irqs_find_row(c, source, end->cpu) : NULL;
	if (row)
		rs_hist_add(&row->raise, end->end_ns - raise->begin_ns);
}

static void on_raise(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t vec = rs_u64(ev, &f[0]);

	if (vec < NR_VECTORS)
		rs_match_begin(c, 0, ev, vec);
}

static void irqs_on_softirq_entry(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_match_end(c, 0, ev, f, rs_u64(ev, &f[0]));
}

/* ---- rows ---- */

static const struct rs_irq_source *irqs_source_of(const struct rs_group *g)
{
	return (const struct rs_irq_source *)(uintptr_t)g->keys[0];
}

static struct rs_value irqs_show_kind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_irq_kind_name(irqs_source_of(g)->kind));
}

static struct rs_value irqs_show_id(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(irqs_source_of(g)->nr);
}

static struct rs_value irqs_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(irqs_source_of(g)->name);
}

static struct rs_value irqs_show_raises(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct irq_row *row = g->row;

	return rs_u_if(row->is_softirq, row->raise.nr);
}

#define IRQS_LATENCY .measure_bytes = offsetof(struct irq_row, lat), .aspect
#define RAISE .measure_bytes = offsetof(struct irq_row, raise), .aspect
#define PART_OF_SOURCE .key = RS_KEY_0, .by_cell = true, .cell

static const struct rs_column columns[] = {
	{ "kind", "KIND", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 7,
	  "irq: a handler of an interrupt line; softirq: a vector", .option = "type",
	  PART_OF_SOURCE = irqs_show_kind },
	{ "id", "ID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "number of the line, or of the vector",
	  PART_OF_SOURCE = irqs_show_id },
	{ "name", "NAME", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 20, "the handler's device, the vector's name",
	  PART_OF_SOURCE = irqs_show_name },
	{ "cpu", "CPU", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "the CPU, under --by cpu; null: all of them",
	  .key = RS_KEY_1 },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "times that it ran",
	  IRQS_LATENCY = RS_COUNT },
	{ "total_ns", "TOTAL(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12,
	  "entry to exit, what interrupted it included", IRQS_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "average", IRQS_LATENCY = RS_AVG },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "half of the times it took at most this",
	  IRQS_LATENCY = RS_P50 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "99 % took at most this",
	  IRQS_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 9,
	  "longest",
	  IRQS_LATENCY = RS_MAX },
	{ "max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when the longest began",
	  .measure_bytes = offsetof(struct irq_row, peak), .aspect = RS_PEAK_AT },
	{ "raise_delays", "RAISED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "times that a softirq was raised and then began; null: it is none, or not recorded",
	  .if_recorded = "irq:softirq_raise", .cell = irqs_show_raises },
	{ "raise_delay_p99_ns", "RAISEp99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12,
	  "99 % of the softirqs began at most this after they were raised", RAISE = RS_P99 },
	{ "raise_delay_max_ns", "RAISEmax(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 12,
	  "longest time from being raised to its begin", RAISE = RS_MAX },
	{ 0 },
};

const struct rs_analysis rs_analysis_irqs = {
	.abi = RS_ABI,
	.name = "irqs",
	.summary = "what interrupts and softirqs did",
	.callbacks = RS_LIST(rs_callback, { RS_ON_IRQ, .irq = irqs_on_irq }),
	.requirements = RS_LIST(rs_requirement,
		{ "irq", "softirq_raise", RS_OPTIONAL, RS_BY_ANYONE, on_raise, { "vec" } },
		{ "irq", "softirq_entry", RS_REQUIRED, RS_BY_ANYONE, irqs_on_softirq_entry, { "vec" } }),
	.views = RS_LIST(rs_view,
		{ .name = "irqs", .topic = RS_TOPIC_CPU,
		  .diff_by = "",
		  .summary = "each interrupt line and softirq: how often and how long",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns, .options = "by,type", .types = "irq,softirq", .sort = "-total_ns",
		  .store = stores, .by = "kind,id,name", .tasks_view = "irqtime",
		  .text_columns = "kind,id,name,count,total_ns,avg_ns,p99_ns,max_ns,raise_delay_p99_ns",
		  .latencies = RS_LIST(rs_latencies,
				       { "total_ns,avg_ns,p50_ns,p99_ns,max_ns", .kind_column = "kind",
					 .label_column = "name" }) }),
	.spans = RS_LIST(rs_span_kind,
		[RS_HARDIRQ] = { .name = "irq", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE,
				 .label = source_label, .columns = span_columns,
				 .rate = "interrupts", .slowest = "interrupt", .cause = RS_CAUSE_IRQ },
		[RS_SOFTIRQ] = { .name = "softirq", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE,
				 .label = source_label, .columns = span_columns,
				 .slowest = "softirq", .cause = RS_CAUSE_IRQ }),
	.stores = stores,
	.state_size = sizeof(struct irqs),
	/*
	 * Raised again it waits since the first time. Raised before the recording, or elsewhere, it begins
	 * without a raise.
	 */
	.matches = RS_LIST(rs_match,
		{ "softirq raises", RS_MATCH_CPU, RS_MATCH_CONTINUES, .most = NR_VECTORS,
		  .begun_bytes = sizeof(struct rs_begun),
		  .ends_alone = true, .end = raise_end }),
};
