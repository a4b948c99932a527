// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-capture - a capture of a third of a second: does it work, and what does this kernel leave out? And
 * what stacks and allocations would cost
 */
#include <unistd.h>

#include "capture/capture.h"
#include "cli/doctor.h"
#include "source/perf/samples.h"
#include "tracefs/tracefs.h"

#define WAKEUPS 64
#define WAKEUP_MS 5

/* The data quality of the one capture, for the probes after it. */
static struct { bool done; struct rs_quality quality; } seen;

struct trial {
	struct rs_capture *capture;
	struct rs_session *session;
	struct rs_error err;
};

static void trial_read_all(void *arg)
{
	struct trial *t = arg;
	struct rs_source *source = t->capture->source;
	enum rs_run_result result = RS_RUN_MORE;

	if (rs_session_attach(t->session, source, &t->err) < 0)
		return;
	while (result != RS_RUN_END) {
		result = rs_session_run(t->session, 10000, &t->err);
		if (result == RS_RUN_WAIT)
			source->ops->wait(source, WAKEUP_MS);
	}
	rs_session_end(t->session);
	rs_session_quality(t->session, &seen.quality);
}

static void capture_add_all_analyses(struct rs_session_config *config)
{
	const struct rs_analysis *const *a = rs_plugins_all();

	for (; *a && config->nr_analyses < RS_MAX_ANALYSES; a++)
		if (!(*a)->by_name)
			config->analyses[config->nr_analyses++] = *a;
}

/* Each wait takes this thread from idle to its CPU and back: some kernels leave these switches out. */
static int trial_run(struct trial *t, const struct rs_capture_config *config)
{
	t->capture = rs_capture_open(config, &t->err);
	if (!t->capture || rs_capture_thread(t->capture, trial_read_all, t, &t->err) < 0 ||
	    rs_capture_start(t->capture, &t->err) < 0)
		return -1;
	for (int i = 0; i < WAKEUPS; i++)
		if (rs_capture_wait(t->capture, WAKEUP_MS, &t->err) >= RS_CAPTURE_END_TIME)
			break;
	rs_capture_stop(t->capture);
	return t->err.status == RS_OK ? 0 : -1;
}

/* What a wait costs that is recorded with its stack is measured when a capture of stacks is opened. */
void rs_doctor_capture_stacks(struct rs_symptom *f)
{
	struct rs_event_requirement need = { "sched", "sched_switch", .need = RS_REQUIRED };
	struct rs_capture_config config = { .needs = &need, .nr_requirements = 1, .stacks = "off-cpu",
					    .live.page_ring_bytes = 1 << 20 };
	struct rs_error err = { 0 };
	struct rs_capture *c = rs_capture_open(&config, &err);
	uint64_t cost_ns = c ? c->source->info.stack_cost_ns : 0;

	if (!c)
		rs_doctor_found(f, RS_HEALTH_LOSS, "stacks, and --stacks of other commands",
				geteuid() ? RS_DOCTOR_AS_ROOT : NULL, "%s", err.text);
	else if (!cost_ns)
		rs_doctor_found(f, RS_HEALTH_UNKNOWN, NULL, NULL,
				"recorded with events; their cost could not be measured");
	else
		rs_buf_printf(
			&f->what,
			"a wait that is recorded with its stack costs %llu.%llu us: off unless requested",
			(unsigned long long)(cost_ns / 1000), (unsigned long long)(cost_ns % 1000 / 100));
	rs_capture_close(c);
}

/* By perf events on uprobes and on the kernel's tracepoints. */
void rs_doctor_capture_allocations(struct rs_symptom *f)
{
	struct rs_error err = { 0 };
	const char *tracefs = rs_tracefs_find(&err), *views = "alloc, kmem",
		   *why = tracefs ? rs_probe_cost_missing(tracefs, &views) : NULL;

	if (!tracefs || !rs_samples_probe(&err))
		rs_doctor_found(f, RS_HEALTH_LOSS, "alloc, kmem", geteuid() ? RS_DOCTOR_AS_ROOT : NULL,
				"%s", err.text);
	else if (why)
		rs_doctor_found(f, RS_HEALTH_LOSS, views, NULL, "%s", why);
	else
		rs_buf_puts(&f->what,
			    "the functions of a process by uprobes, and what the kernel allocates for it");
}

void rs_doctor_capture_try(struct rs_symptom *f)
{
	struct rs_session_config session = { .filters = "" };
	struct rs_event_requirement needs[RS_DOCTOR_MAX_REQUIREMENTS];
	struct rs_capture_config config = { .needs = needs, .live.page_ring_bytes = 16 << 20 };
	struct trial t = { 0 };

	capture_add_all_analyses(&session);
	config.nr_requirements = rs_requirements_list(&session, needs, RS_DOCTOR_MAX_REQUIREMENTS);
	t.session = rs_session_new(&session, &t.err);
	seen.done = t.session && trial_run(&t, &config) == 0;
	if (seen.done)
		rs_buf_printf(&f->what, "works: %llu events, %llu lost",
			      (unsigned long long)seen.quality.events,
			      (unsigned long long)rs_quality_lost(&seen.quality));
	else
		rs_doctor_found(f, RS_HEALTH_FATAL, RS_DOCTOR_LIVE_AND_RECORD, NULL, "%s", t.err.text);
	rs_session_free(t.session); /* its analyses may ask the source to the end */
	rs_capture_close(t.capture);
}

void rs_doctor_capture_switches(struct rs_symptom *f)
{
	if (!seen.done)
		rs_doctor_found(f, RS_HEALTH_UNKNOWN, NULL, NULL, "cannot be told without a capture");
	else if (!seen.quality.inferred)
		rs_buf_puts(&f->what, "whole: each on-CPU slice began with a sched_switch");
	else
		rs_doctor_found(f, RS_HEALTH_LOSS,
				"the exact begin of such slices: their first event bounds it, flagged as "
				"inferred; with --exact they are unknown",
				NULL, "the kernel left out %llu of the switches from idle to a task",
				(unsigned long long)seen.quality.inferred);
}
