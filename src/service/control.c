// SPDX-License-Identifier: GPL-2.0-or-later
/* control - switches events of a live capture, sizes its buffers, and reports its cost */
#include "service/control.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "capture/budget.h"
#include "source/live/starvation.h"

struct rs_control {
	struct rs_control_config config;
	struct rs_budget budget;
	struct rs_growth growth;
	uint32_t *ids;               /* event ids of the capture's events, in this session */
	size_t nr_ids;
	bool ids_known;
	atomic_uint limit_milli;
	unsigned int limited_milli;  /* that the budget was set to */
	const char *demotion;        /* of a reader, already reported; NULL: none */
	bool starves;                /* already reported */
	char warnings[1024];         /* buffer of rs_control_warning, for all warnings */
};

static int add_kinds(struct rs_control *c, struct rs_error *err)
{
	const struct rs_plan_event *ev;
	uint64_t call_cost_ns = c->config.capture->costs.call_ns;
	char name[160];
	bool on;

	for (; (ev = rs_switches_nth(&c->config.capture->switches, c->nr_ids, &on)); c->nr_ids++) {
		snprintf(name, sizeof name, "%s:%s", ev->system, ev->name);
		if (rs_budget_add(&c->budget, name, strcmp(ev->system, "raw_syscalls") ? 0 : call_cost_ns,
				  err) < 0)
			return -1;
	}
	c->ids = calloc(c->nr_ids + 1, sizeof *c->ids);
	return c->ids ? 0 : rs_fail(err, "cannot watch over the capture: out of memory");
}

struct rs_control *rs_control_new(const struct rs_control_config *config, struct rs_error *err)
{
	struct rs_control *c = calloc(1, sizeof *c);
	struct rs_instance *in = &config->capture->instance;

	if (!c) {
		rs_fail(err, "cannot watch over the capture: out of memory");
		return NULL;
	}
	c->config = *config;
	c->limit_milli = c->limited_milli = config->max_overhead_milli;
	rs_control_growth_init(&c->growth, in->buffer_kib, in->nr_cpus, config->buffer_most_bytes);
	rs_budget_init(&c->budget, config->max_overhead_milli, in->nr_cpus, config->capture->costs.event_ns);
	if (add_kinds(c, err) < 0) {
		rs_control_free(c);
		return NULL;
	}
	return c;
}

void rs_control_free(struct rs_control *c)
{
	if (!c)
		return;
	rs_budget_done(&c->budget);
	free(c->ids);
	free(c);
}

void rs_control_limit(struct rs_control *c, unsigned int max_overhead_milli)
{
	atomic_store(&c->limit_milli, max_overhead_milli);
}

void rs_control_say(struct rs_control *c, enum rs_say level, const char *format, ...)
{
	char text[1024];
	va_list ap;

	if (!c->config.say)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	c->config.say(c->config.arg, level, text);
}

/* ---- the size of the buffers ---- */

void rs_control_growth_init(struct rs_growth *g, unsigned int kib, unsigned int nr_cpus, uint64_t most_bytes)
{
	uint64_t most_kib = nr_cpus ? most_bytes / 1024 / nr_cpus : 0;

	*g = (struct rs_growth){ .kib = kib, .begun_kib = kib };
	g->most_kib = most_kib < kib ? kib : most_kib < UINT32_MAX ? (unsigned int)most_kib : UINT32_MAX;
}

/* Doubles the size each time: smaller steps would lose events at each step. */
unsigned int rs_control_growth_next(struct rs_growth *g, uint64_t nr_lost, uint64_t nr_full)
{
	bool lost = nr_lost > g->nr_lost, full = nr_full > g->nr_full;

	g->nr_lost = nr_lost;
	g->nr_full = nr_full;
	if (!lost)
		return 0;
	g->behind = full;
	if (full || !g->kib || g->kib >= g->most_kib)
		return 0;
	return g->kib <= g->most_kib / 2 ? g->kib * 2 : g->most_kib;
}

/* ---- the costs ---- */

static uint64_t all_lost(struct rs_control *c)
{
	struct rs_instance *in = &c->config.capture->instance;
	uint64_t all = 0, nr;

	for (unsigned int cpu = 0; cpu < in->nr_cpus; cpu++)
		if (rs_instance_lost(in, cpu, &nr))
			all += nr;
	return all;
}

static void find_ids(struct rs_control *c, const struct rs_session *session)
{
	const struct rs_plan_event *ev;
	bool on;

	for (size_t i = 0; i < c->nr_ids; i++) {
		ev = rs_switches_nth(&c->config.capture->switches, i, &on);
		c->ids[i] = rs_session_event_id(session, ev->system, ev->name);
	}
	c->ids_known = true;
}

/* If the kernel has no memory for larger buffers, the current ones stay. */
static void grow_buffers(struct rs_control *c, uint64_t nr_lost)
{
	struct rs_live_stats stats;
	unsigned int kib;

	rs_live_stats(c->config.capture->source, &stats);
	kib = rs_control_growth_next(&c->growth, nr_lost, stats.reader_full);
	if (!kib)
		return;
	if (rs_instance_resize(&c->config.capture->instance, kib) < 0) {
		c->growth.most_kib = c->growth.kib;
		rs_control_say(
			c, RS_SAY_WARNING,
			"events were lost, and there is no memory for larger buffers than %u KiB a CPU",
			c->growth.kib);
		return;
	}
	c->growth.kib = kib;
	rs_control_say(c, RS_SAY_INFO,
		       "events were lost: buffers grow to %u KiB a CPU (-b %u begins with as much)", kib,
		       kib);
}

static void report_demotion(struct rs_control *c)
{
	if (c->demotion)
		return;
	c->demotion = rs_live_demotion(c->config.capture->source);
	if (c->demotion)
		rs_control_say(c, RS_SAY_WARNING, "%s", c->demotion);
}

static void report_starving(struct rs_control *c)
{
	const struct rs_source *source = c->config.capture->source;
	const char *starving = rs_live_starving(c->config.capture->source);

	if (c->starves == !!starving)
		return;
	c->starves = starving;
	if (starving)
		rs_control_say(c, RS_SAY_WARNING, "%s", starving);
	else
		rs_control_say(c, RS_SAY_INFO, "starved no more, after %" PRIu64 " s in all",
			       rs_starvation_ns(source->starvation, rs_monotonic_ns()) / 1000000000);
}

void rs_control_set_events(struct rs_control *c, const struct rs_session *session)
{
	uint64_t nr_lost = all_lost(c);
	unsigned int limit = atomic_load(&c->limit_milli);
	const char *warning;
	bool decided;

	if (!c->ids_known)
		find_ids(c, session);
	if (limit != c->limited_milli)
		rs_budget_limit(&c->budget, c->limited_milli = limit);
	report_demotion(c);
	report_starving(c);
	grow_buffers(c, nr_lost);
	for (size_t i = 0; i < c->nr_ids; i++)
		rs_budget_count(&c->budget, i, rs_session_events_of(session, c->ids[i]));
	decided = rs_budget_check(
		&c->budget, &(struct rs_budget_sums){ rs_monotonic_ns(), rs_budget_own_cpu_ns(), nr_lost });
	RS_LOG(RS_LOG_BUDGET,
	       "ringside %u, events %u thousandths of a CPU; %u thousandths of the machine are allowed (0: "
	       "no limit)",
	       c->budget.own_milli, c->budget.events_milli, c->budget.max_milli);
	if (!decided)
		return;
	warning = rs_budget_warning(&c->budget);
	rs_control_say(c, warning ? RS_SAY_WARNING : RS_SAY_INFO, "%s",
		       warning ? warning : "within --max-overhead again");
}

/* ---- switching ---- */

void rs_control_report_change(struct rs_control *c)
{
	char what[RS_PAUSE_WHAT_BYTES];

	rs_changes_now(&c->config.capture->switches, what);
	if (*what)
		rs_control_say(c, RS_SAY_WARNING,
			       "another program changed this session's tracing: %s: events are missing",
			       what);
	else
		rs_control_say(c, RS_SAY_INFO, "this session's tracing is as it was set again");
}

int rs_control_trace(struct rs_control *c, bool on, struct rs_error *err)
{
	char what[RS_PAUSE_WHAT_BYTES];

	rs_changes_now(&c->config.capture->switches, what);
	if (rs_switches_tracing(&c->config.capture->switches) == on && !*what)
		return 0;
	if (rs_switches_trace(&c->config.capture->switches, on, err) < 0)
		return -1;
	rs_control_say(c, RS_SAY_INFO, "tracing is turned %s", on ? "on" : "off");
	return 0;
}

/*
 * Events before and after are separated by the pause that the capture makes, not by the order of the two
 * calls.
 */
int rs_control_event(struct rs_control *c, struct rs_session *session, size_t event, bool on,
		     struct rs_error *err)
{
	bool was_on;
	const struct rs_plan_event *ev = rs_switches_nth(&c->config.capture->switches, event, &was_on);

	if (rs_switches_event(&c->config.capture->switches, event, on, err) < 0)
		return -1;
	if (!rs_session_event(session, ev->system, ev->name, on)) {
		struct rs_error ignored = { 0 };

		rs_switches_event(&c->config.capture->switches, event, was_on, &ignored);
		return rs_fail(err, "cannot turn '%s:%s' off: too many are off already", ev->system,
			       ev->name);
	}
	rs_control_say(c, RS_SAY_INFO, "%s:%s is turned %s", ev->system, ev->name, on ? "on" : "off");
	return 0;
}

struct rs_capture *rs_control_capture(const struct rs_control *c)
{
	return c->config.capture;
}

const char *rs_control_warning(struct rs_control *c)
{
	const char *const warnings[] = {
		c->demotion, rs_live_starving(c->config.capture->source), rs_budget_warning(&c->budget),
	};
	size_t len = 0;

	for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
		if (warnings[i] && len < sizeof c->warnings)
			len += (size_t)snprintf(c->warnings + len, sizeof c->warnings - len, "%s%s",
						len ? "; " : "", warnings[i]);
	return len ? c->warnings : NULL;
}

/* ---- status ---- */

size_t rs_control_nr_events(const struct rs_control *c)
{
	return c->nr_ids;
}

void rs_control_status(struct rs_control *c, struct rs_status_budget *budget, struct rs_status_buffer *buffer,
		       struct rs_status_event *events)
{
	const struct rs_growth *g = &c->growth;
	const struct rs_budget *b = &c->budget;

	*budget = (struct rs_status_budget){ b->own_milli, b->events_milli, b->max_milli, b->event_cost_ns,
					     b->measured };
	*buffer = (struct rs_status_buffer){ g->kib, g->begun_kib, g->most_kib, g->behind };
	for (size_t i = 0; i < c->nr_ids; i++) {
		const struct rs_budget_event *e = &b->events[i];
		bool on;

		rs_switches_nth(&c->config.capture->switches, i, &on);
		events[i] = (struct rs_status_event){ e->name, on, e->per_s, e->cost_ns,
						      e->per_s * e->cost_ns / 1000000 };
	}
}
