// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * metrics-text.c - metrics as text, in the two formats that monitoring systems read
 *
 * OpenMetrics differs from Prometheus' older format: a counter's family is named without _total, a family has
 * a unit, and the text ends with "# EOF".
 */
#include <inttypes.h>

#include "base/escape.h"
#include "capture/budget.h"
#include "service/alarms.h"
#include "service/metrics-parts.h"
#include "service/service.h"

enum metrics_type { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM };

struct metrics_family {
	const char *name, *unit, *help; /* without _total; unit NULL: none */
	enum metrics_type type;
};

static void metrics_put_family(struct rs_metrics *m, const struct metrics_family *f)
{
	static const char *const types[] = {
		[METRICS_COUNTER] = "counter", [METRICS_GAUGE] = "gauge", [METRICS_HISTOGRAM] = "histogram"
	};
	const char *total = f->type == METRICS_COUNTER && m->format == RS_METRICS_TEXT ? "_total" : "";

	rs_buf_printf(&m->text, "# TYPE %s%s %s\n", f->name, total, types[f->type]);
	if (f->unit && m->format == RS_METRICS_OPENMETRICS)
		rs_buf_printf(&m->text, "# UNIT %s %s\n", f->name, f->unit);
	rs_buf_printf(&m->text, "# HELP %s%s %s\n", f->name, total, f->help);
}

/* A label's value: UTF-8, of one line, with \" and \\ escaped. */
static void metrics_put_label(struct rs_buf *out, const char *key, const char *value)
{
	struct rs_buf shown = RS_BUF_INIT;

	rs_escape_text(&shown, value);
	rs_buf_printf(out, "%s=\"", key);
	for (const char *at = shown.data; *at; at++) {
		if (*at == '"' || *at == '\\')
			rs_buf_putc(out, '\\');
		rs_buf_putc(out, *at);
	}
	rs_buf_putc(out, '"');
	out->failed |= shown.failed;
	rs_buf_done(&shown);
}

static void metrics_put_seconds(struct rs_buf *out, uint64_t ns)
{
	rs_buf_printf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* ---- histograms ---- */

/* labels: without braces, "kind=\"syscall\"" */
static void metrics_put_hist(struct rs_buf *out, const char *family, const char *labels,
			     const struct rs_metric_hist *hist)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < RS_LATENCY_BOUNDS; i++) {
		uint64_t us = rs_latency_bound_ns(i) / 1000;

		nr += hist->nr[i];
		rs_buf_printf(out, "%s_bucket{%s,le=\"%" PRIu64 ".%06" PRIu64 "\"} %" PRIu64 "\n", family,
			      labels, us / 1000000, us % 1000000, nr);
	}
	rs_buf_printf(out, "%s_bucket{%s,le=\"+Inf\"} %" PRIu64 "\n", family, labels, hist->nr_all);
	rs_buf_printf(out, "%s_count{%s} %" PRIu64 "\n%s_sum{%s} ", family, labels, hist->nr_all, family,
		      labels);
	metrics_put_seconds(out, hist->sum_ns);
	rs_buf_putc(out, '\n');
}

static void metrics_put_series(struct rs_buf *out, const char *family, const char *kind, const char *key,
			       const char *label, const struct rs_metric_hist *hist)
{
	struct rs_buf labels = RS_BUF_INIT;

	if (!hist->nr_all)
		return;
	metrics_put_label(&labels, "kind", kind);
	if (key) {
		rs_buf_putc(&labels, ',');
		metrics_put_label(&labels, key, label);
	}
	metrics_put_hist(out, family, labels.data, hist);
	out->failed |= labels.failed;
	rs_buf_done(&labels);
}

static const struct metrics_family latency_family = {
	"ringside_latency_seconds", "seconds",
	"Durations by kind: on CPUs, on run queues, waits, and what each analysis measures",
	METRICS_HISTOGRAM,
};

static const struct { struct metrics_family family; const char *key; } metrics_by[RS_METRICS_NR_BY] = {
	[RS_METRICS_BY_OPERATION] = { { "ringside_operation_latency_seconds", "seconds",
					"The same by operation, for those with most time: system call, type "
					"of request, cause of a wait",
					METRICS_HISTOGRAM },
				      "operation" },
	[RS_METRICS_BY_COMM] = { { "ringside_command_latency_seconds", "seconds",
				   "The same by command name of the task, for those with most time",
				   METRICS_HISTOGRAM },
				 "command" },
	[RS_METRICS_BY_CGROUP] = { { "ringside_cgroup_latency_seconds", "seconds",
				     "The same by control group of the task, for those with most time",
				     METRICS_HISTOGRAM },
				   "cgroup" },
	[RS_METRICS_BY_DISK] = { { "ringside_disk_latency_seconds", "seconds", "Requests by disk",
				   METRICS_HISTOGRAM },
				 "disk" },
};

/* The rest is a series of its own: no other has its label. */
static void metrics_put_set(struct rs_metrics *m, const struct rs_metrics_kind *k, enum rs_metrics_by by)
{
	const char *family = metrics_by[by].family.name, *key = metrics_by[by].key;
	const struct rs_metric_set *set = &k->by[by];

	for (unsigned int i = 0; i < set->nr; i++)
		metrics_put_series(&m->text, family, k->name, key, set->at[i].label, &set->at[i].hist);
	metrics_put_series(&m->text, family, k->name, key, RS_LATENCY_OTHERS, &set->rest);
}

static void metrics_put_latencies(struct rs_metrics *m)
{
	metrics_put_family(m, &latency_family);
	for (unsigned int i = 0; i < m->nr_kinds; i++)
		metrics_put_series(&m->text, latency_family.name, m->kinds[i].name, NULL, NULL,
				   &m->kinds[i].all);
	for (unsigned int by = 0; by < RS_METRICS_NR_BY; by++) {
		metrics_put_family(m, &metrics_by[by].family);
		for (unsigned int i = 0; i < m->nr_kinds; i++)
			metrics_put_set(m, &m->kinds[i], (enum rs_metrics_by)by);
	}
}

/* ---- data quality and own cost ---- */

struct metrics_number {
	struct metrics_family family;
	uint64_t value;
	bool is_ns;                     /* written as seconds */
};

static void metrics_put_number(struct rs_metrics *m, const struct metrics_number *n)
{
	metrics_put_family(m, &n->family);
	rs_buf_printf(&m->text, "%s%s ", n->family.name, n->family.type == METRICS_COUNTER ? "_total" : "");
	if (n->is_ns)
		metrics_put_seconds(&m->text, n->value);
	else
		rs_buf_printf(&m->text, "%" PRIu64, n->value);
	rs_buf_putc(&m->text, '\n');
}

static void metrics_put_numbers(struct rs_metrics *m, struct rs_service *s)
{
	struct rs_service_stats stats;
	struct rs_quality q;

	rs_service_stats(s, &stats);
	rs_session_quality(s->session, &q);
	const struct metrics_number numbers[] = {
		{ { "ringside_events", NULL, "Kernel events that were analyzed", METRICS_COUNTER }, q.events,
		  false },
		{ { "ringside_lost_events", NULL,
		    "Events that the kernel had no room for, as far as it counted them", METRICS_COUNTER },
		    rs_quality_lost(&q), false },
		{ { "ringside_gaps", NULL, "Gaps of lost events", METRICS_COUNTER }, q.gaps, false },
		{ { "ringside_gaps_uncounted", NULL,
		    "Gaps whose number of lost events the kernel did not give", METRICS_COUNTER },
		    q.gaps_uncounted, false },
		{ { "ringside_discarded_pairs", NULL,
		    "Begins and ends that a gap made uncertain: no latency counts them", METRICS_COUNTER },
		    q.discarded, false },
		{ { "ringside_unmatched_ends", NULL, "Ends whose begin is unknown", METRICS_COUNTER },
		  q.unmatched, false },
		{ { "ringside_evicted", NULL, "Entries that were dropped because a table was full",
		    METRICS_COUNTER }, q.evicted, false },
		{ { "ringside_late_events", NULL, "Events that came after their time had been analyzed",
		    METRICS_COUNTER }, q.late, false },
		{ { "ringside_cpu_seconds", "seconds", "CPU time of the daemon itself", METRICS_COUNTER },
		  rs_budget_own_cpu_ns(), true },
		{ { "ringside_starved_seconds", "seconds",
		    "Seconds of which the daemon's threads waited for a CPU half or more", METRICS_COUNTER },
		    q.starved_ns, true },
		{ { "ringside_resident_memory_bytes", "bytes", "Memory of the daemon itself", METRICS_GAUGE },
		  stats.own_rss_bytes, false },
		{ { "ringside_window_bytes", "bytes", "Size of the window", METRICS_GAUGE },
		  stats.window_bytes, false },
		{ { "ringside_window_seconds", "seconds", "Time that the window covers", METRICS_GAUGE },
		  stats.now_ns > stats.from_ns ? stats.now_ns - stats.from_ns : 0, true },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		metrics_put_number(m, &numbers[i]);
	metrics_put_family(m, &(struct metrics_family){ "ringside_build_info", NULL,
							"Version of ringside and of the kernel",
							METRICS_GAUGE });
	rs_buf_puts(&m->text, "ringside_build_info{");
	metrics_put_label(&m->text, "version", q.version);
	rs_buf_putc(&m->text, ',');
	metrics_put_label(&m->text, "kernel", q.kernel ? q.kernel : "");
	rs_buf_puts(&m->text, "} 1\n");
}

/* ---- conditions ---- */

static uint64_t metrics_nr_fired(const struct rs_alarm *a) { return a->nr_fired; }
static uint64_t metrics_nr_held_back(const struct rs_alarm *a) { return a->nr_held_back; }
static uint64_t metrics_is_on(const struct rs_alarm *a) { return a->is_on; }

static const struct {
	struct metrics_family family;
	uint64_t (*of)(const struct rs_alarm *a);
} metrics_of_conditions[] = {
	{ { "ringside_condition_fired", NULL, "How often a condition of --when fired", METRICS_COUNTER },
	  metrics_nr_fired },
	{ { "ringside_condition_held_back", NULL,
	    "How often it did not: in a silence, or too soon after the last time", METRICS_COUNTER },
	  metrics_nr_held_back },
	{ { "ringside_condition_on", NULL, "1 while it has fired and holds still", METRICS_GAUGE },
	  metrics_is_on },
};

static void metrics_put_conditions(struct rs_metrics *m, const struct rs_when *when)
{
	for (size_t i = 0; when && i < sizeof metrics_of_conditions / sizeof *metrics_of_conditions; i++) {
		const struct metrics_family *f = &metrics_of_conditions[i].family;
		const struct rs_condition *c;

		metrics_put_family(m, f);
		for (unsigned int n = 0; (c = rs_when_condition(when, n)); n++) {
			rs_buf_printf(&m->text, "%s%s{", f->name, f->type == METRICS_COUNTER ? "_total" : "");
			metrics_put_label(&m->text, "condition", rs_when_name(c));
			rs_buf_printf(&m->text, "} %" PRIu64 "\n",
				      metrics_of_conditions[i].of(rs_when_alarm(when, n)));
		}
	}
}

void rs_metrics_write(struct rs_metrics *m, struct rs_service *s)
{
	metrics_put_numbers(m, s);
	if (s->config.alarms)
		metrics_put_conditions(m, rs_alarms_when(s->config.alarms));
	metrics_put_latencies(m);
	if (m->format == RS_METRICS_OPENMETRICS)
		rs_buf_puts(&m->text, "# EOF\n");
}
