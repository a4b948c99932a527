// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-capture.c - a capture of a third of a second: does it work, and what does this kernel leave out?
 */
#include "cli/command.h"
#include "cli/doctor.h"
#include "capture/capture.h"

#define DOCTOR_CAPTURE_MAX_REQUIREMENTS 256
#define WAKEUPS 64
#define WAKEUP_MS 5

/* What the one capture has shown, for the probes after it. */
static struct {
	bool done;
	struct rs_quality quality;
} seen;

struct trial {
	struct rs_capture *capture;
	struct rs_session *session;
	struct rs_error err;
};

static void doctor_capture_read_all(void *arg)
{
	struct trial *t = arg;
	struct rs_source *source = rs_capture_source(t->capture);
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

static void everything(struct rs_session_config *config)
{
	const struct rs_analysis *const *a = rs_plugins_all();

	for (; *a && config->nr_analyses < RS_MAX_ANALYSES; a++)
		if (!(*a)->by_name)
			config->analyses[config->nr_analyses++] = *a;
}

/* Each wait takes this thread from idle to its CPU and back: the switches that some kernels do not tell. */
static int try(struct trial *t, const struct rs_capture_config *config)
{
	t->capture = rs_capture_open(config, &t->err);
	if (!t->capture || rs_capture_thread(t->capture, doctor_capture_read_all, t, &t->err) < 0 ||
	    rs_capture_start(t->capture, &t->err) < 0)
		return -1;
	for (int i = 0; i < WAKEUPS; i++)
		if (rs_capture_wait(t->capture, WAKEUP_MS, &t->err) >= RS_CAPTURE_END_TIME)
			break;
	rs_capture_stop(t->capture);
	return t->err.status == RS_OK ? 0 : -1;
}

static void probe_capture(struct rs_symptom *f)
{
	struct rs_session_config session = { .filters = "" };
	struct rs_event_requirement needs[DOCTOR_CAPTURE_MAX_REQUIREMENTS];
	struct rs_capture_config config = { .needs = needs, .live.page_ring_bytes = 16 << 20 };
	struct trial t = { 0 };

	everything(&session);
	config.nr_requirements = rs_requirements_list(&session, needs, DOCTOR_CAPTURE_MAX_REQUIREMENTS);
	t.session = rs_session_new(&session, &t.err);
	seen.done = t.session && try(&t, &config) == 0;
	if (seen.done) {
		rs_buf_printf(&f->what, "works: %llu events, %llu lost",
			      (unsigned long long)seen.quality.events,
			      (unsigned long long)rs_quality_lost(&seen.quality));
	} else {
		f->health = RS_HEALTH_FATAL;
		rs_buf_puts(&f->what, t.err.text);
		rs_buf_puts(&f->loses, "all live views and record; recordings can be read");
	}
	rs_session_free(t.session); /* its analyses may ask the source to the end */
	rs_capture_close(t.capture);
}

static void probe_switches(struct rs_symptom *f)
{
	if (!seen.done) {
		f->health = RS_HEALTH_UNKNOWN;
		rs_buf_puts(&f->what, "cannot be told without a capture");
	} else if (!seen.quality.inferred) {
		rs_buf_puts(&f->what, "whole: each on-CPU slice began with a sched_switch");
	} else {
		f->health = RS_HEALTH_LOSS;
		rs_buf_printf(&f->what, "the kernel left out %llu of the switches from idle to a task",
			      (unsigned long long)seen.quality.inferred);
		rs_buf_puts(&f->loses,
			    "the exact begin of such slices: their first event bounds it, flagged as "
			    "inferred; with --exact they are unknown");
	}
}

const struct rs_probe rs_capture_probes[] = {
	{ "capture", probe_capture },
	{ "switches", probe_switches },
	{ .name = NULL },
};
