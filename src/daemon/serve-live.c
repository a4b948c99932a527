// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * serve-live.c - the main thread waits for what ends a capture, one analyses and answers, one reads the past
 * again, one has the clients
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "service/broadcaster.h"
#include "daemon/metrics-http.h"
#include "daemon/sandbox.h"
#include "daemon/serve.h"
#include "daemon/usual-file.h"
#include "service/learner.h"
#include "source/trace-clock.h"

#define SERVE_LIVE_PAGE_RING_BYTES (64u << 20)
#define SERVE_LIVE_WINDOW_BYTES (256u << 20)
#define INTERVAL_NS 1000000000ull
#define SERVE_LIVE_MAX_REQUIREMENTS 256

struct serve_live {
	struct rs_capture *capture;
	struct rs_service *service;
	struct rs_server *server;
	struct rs_control *control;
	struct rs_broadcaster *broadcaster;      /* of a daemon */
	struct rs_metrics *metrics;              /* of a daemon that serves them */
	struct rs_metrics_http *http;
	struct rs_learner *learner;              /* of a daemon that learns */
	struct rs_sandbox sandbox;
	const struct rs_serve_config *config;
	struct rs_event_requirement needs[SERVE_LIVE_MAX_REQUIREMENTS];
	atomic_bool enough;        /* set by the clients' thread for main: no client is left */
};

/* What was kept may be damaged, or anybody's: it is read by who has no rights any more. */
static void serve_live_restore(struct serve_live *live)
{
	struct rs_usual_file *file = live->config->usual_file;
	struct rs_buf state = RS_BUF_INIT;
	bool is_damaged = false, is_read = false;

	for (unsigned int n = 0; !is_read && n < 2; n++) {
		struct rs_error err = { 0 };

		is_read = rs_usual_file_load(file, n, &state) &&
			  rs_learner_restore(live->learner, state.data, state.len, &err) == 0;
		is_damaged = is_damaged || err.status != RS_OK;
	}
	if (is_damaged)
		rs_control_say(live->control, RS_SAY_WARNING, "'%s' is damaged: %s", rs_usual_file_path(file),
			       is_read ? "an earlier state is taken" : "learning begins anew");
	rs_buf_done(&state);
}

static void serve_live_analyse(void *arg)
{
	struct serve_live *live = arg;

	if (live->learner && live->config->usual_file)
		serve_live_restore(live);
	rs_service_run(live->service, live->capture->source);
}

/* The capture's threads begin at RS_CAPTURE_NICE; what draws and serves has no right to that. */
static void serve_live_run_thread(void *arg)
{
	struct serve_live *live = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	rs_service_work(live->service);
}

static void serve_live_serve(void *arg)
{
	struct serve_live *live = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	rs_server_run(live->server, live->service);
}

static void broadcaster(void *arg)
{
	struct serve_live *live = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	rs_broadcaster_run(live->broadcaster);
}

static void serve_live_say_unkept(void *arg, const char *text)
{
	struct serve_live *live = arg;

	rs_control_say(live->control, RS_SAY_WARNING, "%s", text);
}

static void serve_live_keep(void *arg)
{
	struct serve_live *live = arg;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	rs_usual_file_run(live->config->usual_file, serve_live_say_unkept, live);
}

/* Without a file it learns for as long as it runs. */
static int serve_live_start_learner(struct serve_live *live, const struct rs_session_config *session,
				    struct rs_error *err)
{
	struct rs_usual_file *file = live->config->usual_file;
	struct rs_learner_config config = { .session = session };

	if (!live->config->learns)
		return 0;
	if (file) {
		config.keep = rs_usual_file_keep;
		config.forget = rs_usual_file_forget;
		config.arg = file;
		config.file = rs_usual_file_path(file);
	}
	live->learner = rs_learner_new(&config, err);
	if (!live->learner)
		return -1;
	return file ? rs_capture_thread(live->capture, serve_live_keep, live, err) : 0;
}

static void serve_live_on_ended(void *arg)
{
	struct serve_live *live = arg;

	atomic_store(&live->enough, true);
	rs_capture_notify(live->capture);
}

static void serve_live_on_client_left(void *arg)
{
	const struct rs_serve_config *config = ((struct serve_live *)arg)->config;

	if (config->client_left)
		config->client_left(config->arg);
}

/* A view that this kernel cannot feed says so in its place; the others go on. */
static void serve_live_require_nothing(struct rs_event_requirement *needs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (needs[i].need == RS_REQUIRED)
			needs[i].need = RS_OPTIONAL;
}

static struct rs_service_config service_config(const struct rs_serve_config *config, struct rs_server *server)
{
	clockid_t clock;
	const char *name = config->capture.clock ? config->capture.clock : "boot";

	return (struct rs_service_config){
		.session = config->session, .source = config->source,
		.interval_ns = config->interval_ns ? config->interval_ns : INTERVAL_NS,
		.window_bytes = config->window_bytes ? config->window_bytes : SERVE_LIVE_WINDOW_BYTES,
		.window_ns = config->window_ns,
		.begin_ns = rs_trace_clock_id(name, &clock) ? rs_trace_clock_ns(clock) : 0,
		.done = rs_server_done, .failed = rs_server_failed, .arg = server,
	};
}

/* The engine of one TUI has no followers. */
static int start_broadcaster(struct serve_live *live, struct rs_error *err)
{
	live->broadcaster = rs_broadcaster_new(live->capture, err);
	return live->broadcaster ? rs_capture_thread(live->capture, broadcaster, live, err) : -1;
}

/* The HTTP server's thread gets the priority of the one that starts it. */
static int serve_live_start_http(struct serve_live *live, struct rs_error *err)
{
	if (!live->metrics)
		return 0;
	setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	live->http = rs_metrics_http_start(live->config->metrics_fd, live->metrics, err);
	setpriority(PRIO_PROCESS, (id_t)gettid(), RS_CAPTURE_NICE);
	return live->http ? 0 : -1;
}

static int serve_live_start(struct serve_live *live, const struct rs_serve_config *config,
			    struct rs_capture_config *capture,
			    struct rs_error *err)
{
	struct rs_service_config service;

	live->capture = rs_capture_open(capture, err);
	if (!live->capture)
		return -1;
	live->server = rs_server_new(&(struct rs_server_config){
		.listen_fd = config->listen_fd, .client_fd = config->client_fd, .rules = config->rules,
		.client_left = serve_live_on_client_left, .ended = serve_live_on_ended, .arg = live }, err);
	live->control = rs_control_new(&(struct rs_control_config){
		.capture = live->capture, .max_overhead_milli = config->max_overhead_milli,
		.buffer_most_bytes = config->buffer_most_bytes,
		.say = config->say, .arg = config->arg }, err);
	if (!live->server || !live->control)
		return -1;
	if (config->metrics_fd && !(live->metrics = rs_metrics_new(err)))
		return -1;
	service = service_config(config, live->server);
	if (capture->only_command)
		service.session.selection.command = live->capture->launch.pid;
	service.session.selection.by_kernel = live->capture->plan.plan.nr_tids > 0;
	service.control = live->control;
	service.fd_requester = rs_capture_fd_requester(live->capture);
	service.session.container_requester = rs_capture_container_requester(live->capture);
	if (config->listen && start_broadcaster(live, err) < 0)
		return -1;
	service.broadcaster = live->broadcaster;
	service.metrics = live->metrics;
	service.alarms = config->alarms;
	if (serve_live_start_learner(live, &config->session, err) < 0)
		return -1;
	service.learner = live->learner;
	live->service = rs_service_new(&service, err);
	if (!live->service || rs_capture_thread(live->capture, serve_live_analyse, live, err) < 0 ||
	    rs_capture_thread(live->capture, serve_live_run_thread, live, err) < 0 ||
	    rs_capture_thread(live->capture, serve_live_serve, live, err) < 0)
		return -1;
	if (serve_live_start_http(live, err) < 0)
		return -1;
	return rs_capture_start(live->capture, err);
}

/*
 * Where the kernel cannot do it, it warns and goes on without. Out of memory the filter may be incomplete:
 * -1.
 */
static int enter_sandbox(struct serve_live *live, struct rs_error *err)
{
	uint64_t failures = rs_memory_failures();
	struct rs_error why = { 0 };

	if (!live->config->sandbox || rs_sandbox_enter(&live->sandbox, &why) == 0)
		return 0;
	if (rs_memory_failures() > failures)
		return rs_fail(err, "%s", why.text);
	rs_control_say(live->control, RS_SAY_WARNING, "%s", why.text);
	return 0;
}

static void serve_live_wait_for_end(struct serve_live *live, struct rs_error *err)
{
	const struct rs_serve_config *config = live->config;
	enum rs_capture_event event;

	while ((event = rs_capture_wait(live->capture, -1, err)) < RS_CAPTURE_END_TIME) {
		if (atomic_load(&live->enough)) {
			rs_server_failure(live->server, err);
			break;
		}
		/* its result can be viewed for as long as a client wants */
		if (event == RS_CAPTURE_COMMAND_ENDED)
			rs_capture_end_source(live->capture);
		if (event == RS_CAPTURE_CHANGED)
			rs_control_report_change(live->control);
		if (event == RS_CAPTURE_RELOAD && config->reload)
			config->reload(config->arg, live->control);
	}
	if (config->ending)
		config->ending(config->arg);
}

static void serve_live_finish(struct serve_live *live)
{
	rs_sandbox_cancel(&live->sandbox);
	rs_metrics_http_stop(live->http);
	if (live->service)
		rs_service_quit(live->service);
	if (live->server)
		rs_server_quit(live->server);
	if (live->broadcaster)
		rs_broadcaster_quit(live->broadcaster);
	if (live->learner && live->config->usual_file)
		rs_usual_file_quit(live->config->usual_file);
	if (live->capture)
		rs_capture_stop(live->capture);
	rs_broadcaster_free(live->broadcaster);
	/* before the service: it drops its clients' jobs, and they are freed there */
	rs_server_free(live->server);
	rs_service_free(live->service);
	rs_metrics_free(live->metrics);
	rs_learner_free(live->learner);
	rs_control_free(live->control);
	if (live->config->listen) { /* before the guardians look whether its lock is held */
		live->config->listen->fd = live->server ? -1 : live->config->listen->fd;
		rs_listen_close(live->config->listen);
	}
	if (live->capture)
		rs_capture_close(live->capture);
	free(live);
}

int rs_serve_live(const struct rs_serve_config *config, struct rs_error *err)
{
	struct serve_live *live = calloc(1, sizeof *live);
	struct rs_capture_config capture = config->capture;

	if (!live)
		return rs_fail(err, "cannot capture: out of memory");
	live->config = config;
	capture.needs = live->needs;
	capture.reloads = config->reloads;
	capture.has_sandbox = true;
	capture.own_calls = true;
	capture.outlives_command = true;
	capture.socket_path = config->listen && config->listen->lock_fd >= 0 ? config->listen->path : NULL;
	capture.nr_requirements = rs_requirements_list(&config->session, live->needs,
						       SERVE_LIVE_MAX_REQUIREMENTS);
	capture.live.page_ring_bytes = SERVE_LIVE_PAGE_RING_BYTES;
	capture.live.samples = rs_session_samples(&config->session) |
			       (config->metrics_fd ? RS_SAMPLE_CGROUPS : 0u);
	capture.stacks = capture.stacks ? capture.stacks : rs_session_stacks(&config->session);
	serve_live_require_nothing(live->needs, capture.nr_requirements);
	if (config->sandbox)
		rs_sandbox_begin(&live->sandbox);
	if (serve_live_start(live, config, &capture, err) == 0 && enter_sandbox(live, err) == 0) {
		rs_capture_sandboxed(live->capture);
		if (config->ready)
			config->ready(config->arg);
		serve_live_wait_for_end(live, err);
	}
	serve_live_finish(live);
	return err->status == RS_OK ? 0 : -1;
}
