// SPDX-License-Identifier: GPL-2.0-or-later
/* service - a session that answers requests while it runs: the engine of the daemon and of the TUI */
#include "service/service.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory-watch.h"
#include "service/control.h"
#include "service/broadcaster.h"
#include "service/metrics.h"
#include "service/pinned-open.h"
#include "source/trace-clock.h"

#define SERVICE_EVENTS_PER_BATCH 10000
#define SERVICE_WAIT_MS 50
/* The time for requests in each batch; less while there is more to read, because the capture goes first. */
#define JOBS_NS 20000000ull
#define JOBS_BUSY_NS 1000000ull
#define SERVICE_SECOND_NS 1000000000ull
/* The spans' part of a window's bytes: 24 bytes a span, 48 an event, and about two events make a span. */
#define SPANS_PART 3

static size_t timeline_bytes(const struct rs_service_config *config)
{
	size_t part = config->interval_ns ? config->window_bytes / SPANS_PART : config->window_bytes;

	return part > RS_TIMELINE_MIN_BYTES ? part : RS_TIMELINE_MIN_BYTES;
}

struct rs_service *rs_service_new(const struct rs_service_config *config, struct rs_error *err)
{
	struct rs_service *s = calloc(1, sizeof *s);
	struct rs_session_config live;

	if (!s) {
		rs_fail(err, "cannot begin an engine: out of memory");
		return NULL;
	}
	s->config = *config;
	s->held_from_ns = UINT64_MAX;
	rs_jobs_init(&s->engine_jobs);
	rs_jobs_init(&s->range_jobs);
	rs_budget_self_init(&s->self);
	s->timelines = rs_timelines_new(timeline_bytes(config), config->window_ns, err);
	s->config.session.viewers = &s->viewers;
	s->interval_rows = rs_interval_rows_new(&s->config.session, config->interval_ns, err);
	/* sessions over time ranges, in other threads, copy s->config.session: answers are for one thread */
	live = s->config.session;
	live.fd_requester = config->fd_requester;
	live.for_viewers = true;
	live.answers_early = !config->interval_ns;
	if (!config->metrics || rs_metrics_subscribe(&live, err) == 0)
		s->session = rs_session_new(&live, err);
	if (!s->timelines || !s->interval_rows || !s->session) {
		rs_service_free(s);
		return NULL;
	}
	rs_interval_rows_set_alarms(s->interval_rows, config->alarms);
	rs_interval_rows_set_learner(s->interval_rows, config->learner);
	return s;
}

void rs_service_free(struct rs_service *s)
{
	if (!s)
		return;
	rs_jobs_done(&s->engine_jobs);
	rs_jobs_done(&s->range_jobs);
	rs_pinned_open_done(s);
	rs_session_free(s->session);
	rs_timelines_free(s->timelines);
	rs_interval_rows_free(s->interval_rows);
	rs_window_free(s->window);
	rs_budget_self_done(&s->self);
	free(s);
}

/* ---- the thread of the analysis ---- */

static int attach(struct rs_service *s, struct rs_source *source, struct rs_error *err)
{
	const struct rs_service_config *config = &s->config;

	s->source = source;
	s->has_clock = config->interval_ns && rs_trace_clock_id(source->info.clock, &s->clock);
	if (config->interval_ns) {
		s->window = rs_window_new(&source->info, config->window_bytes - timeline_bytes(config),
					  config->window_ns, err);
		if (!s->window)
			return -1;
		source->window = s->window;
	}
	s->origin = (struct rs_time_range_source_config){ .of = source, .window = s->window };
	rs_timelines_keep_slowest(s->timelines, config->interval_ns ? SERVICE_SECOND_NS : 0);
	if (rs_session_emit_span(s->session, rs_timelines_sink(s->timelines)) < 0 ||
	    rs_interval_rows_subscribe(s->interval_rows, s->session, err) < 0)
		return rs_fail(err, "cannot begin an engine: too many listen");
	return rs_session_attach(s->session, source, err);
}

/* ---- which thread answers: the analyzer, or the worker that reads the window or file again ---- */

#define RANGE_BEFORE_BYTES (128ull << 20) /* read before a time range, to find begins: a tenth of a second */

static bool needs_range(const struct rs_job *job)
{
	return job->op->range == RS_RANGE_ALWAYS ||
	       (job->op->range == RS_RANGE_IF_ASKED && job->time->from_ns.known) ||
	       (job->op->needs_range && job->op->needs_range(job));
}

/*
 * Returns from when on the client has pinned the pages of the range, 0 if it has not. What is older is not
 * read even while it is there: the same range has the same answer as long as it is pinned.
 */
static uint64_t service_pinned_from(const struct rs_service *s, const struct rs_job *job,
				    const struct rs_job_range *range, uint64_t oldest_ns)
{
	struct rs_window_pin pin;

	if (!s->window || !rs_window_pins_find(s->window, job->client, &pin) || range->to_ns > pin.to_ns ||
	    range->to_ns < pin.from_ns)
		return 0;
	return range->from_ns >= pin.from_ns || range->from_ns < oldest_ns ? pin.from_ns : 0;
}

/*
 * The request's from_ns and to_ns; without them: all available data, up to now. 0 is before all of it: a task
 * that was there at the first event began at 0, too, and would have begun in the range.
 */
static int find_job_range(struct rs_service *s, const struct rs_job *job, const struct rs_asked_time *time,
			  struct rs_job_range *range, struct rs_error *err)
{
	struct rs_service_stats stats;

	rs_service_stats(s, &stats);
	range->all_bytes = stats.all_bytes;
	range->before_bytes = RANGE_BEFORE_BYTES;
	range->is_whole = !time->from_ns.known;
	range->from_ns = time->from_ns.known && time->from_ns.u ? time->from_ns.u : stats.from_ns;
	range->to_ns = time->to_ns.known ? time->to_ns.u : stats.now_ns;
	/* only some CPUs have later pages yet */
	if (s->window && range->to_ns > stats.now_ns)
		range->to_ns = stats.now_ns;
	range->first_ns = service_pinned_from(s, job, range, stats.from_ns);
	return range->from_ns > range->to_ns ? rs_fail_usage(err, "from_ns is after to_ns") : 0;
}

/* What a live session knows of sockets, and a session over the range cannot look up any more. */
static int service_list_sockets(const struct rs_service *s, struct rs_job_range *range)
{
	struct rs_fd_history *history = rs_fd_history_of(s->session);

	return history ? rs_fd_history_list(history, range->from_ns, range->to_ns, &range->fd_sockets) : 0;
}

static int service_fill_range(struct rs_service *s, const struct rs_job *job,
			      const struct rs_asked_time *time, struct rs_job_range **to,
			      struct rs_error *err)
{
	struct rs_job_range *range = *to = calloc(1, sizeof *range);

	if (!range)
		return rs_fail(err, "cannot read a time range: out of memory");
	if (find_job_range(s, job, time, range, err) < 0)
		return -1;
	/* a file that is still being read has none yet: the file itself says which tasks it has when */
	range->is_recording = rs_session_recorded(s->session, &range->recorded);
	if (rs_session_initial_tasks(s->session, range->from_ns, range->to_ns, &range->living,
				     &range->created) < 0 ||
	    rs_cgroup_readings_rows(s->session, range->from_ns, range->to_ns, &range->cgroups) < 0 ||
	    rs_cgroup_readings_pressure(s->session, range->from_ns, range->to_ns, &range->cgroups,
					&range->pressure) < 0 ||
	    service_list_sockets(s, range) < 0)
		return rs_fail(err, "cannot read a time range: out of memory");
	return 0;
}

static int prepare_range(struct rs_service *s, struct rs_job *job, struct rs_error *err)
{
	const struct rs_op *op = job->op;

	if (service_fill_range(s, job, job->time, &job->range, err) < 0 ||
	    (op->before && service_fill_range(s, job, op->before(job->request), &job->before, err) < 0))
		return -1;
	return op->prepare ? op->prepare(job, err) : 0;
}

int rs_service_prepare(struct rs_service *s, struct rs_job *job, struct rs_error *err)
{
	return !needs_range(job) ? 0 : prepare_range(s, job, err) < 0 ? -1 : 1;
}

/* In the analyzer thread. Returns false if the job is not done, and runs again after others. */
static bool do_job(struct rs_service *s, struct rs_job *job)
{
	struct rs_error err = { 0 };

	switch (rs_service_prepare(s, job, &err)) {
	case 1: rs_jobs_put(&s->range_jobs, job); return true;
	case 0:
		if (!rs_job_run(job))
			return false;
		break;
	default: rs_job_fail(job, &err);
	}
	s->config.done(s->config.arg, job);
	return true;
}

/* Returns true if some must run again, or were not reached. */
static bool do_jobs(struct rs_service *s, uint64_t most_ns)
{
	uint64_t until_ns = rs_trace_clock_ns(CLOCK_MONOTONIC) + most_ns;
	struct rs_job *job, *again = NULL, *next;
	bool enough = false;

	while (!enough && (job = rs_jobs_take(&s->engine_jobs))) {
		if (!do_job(s, job)) {
			job->next = again;
			again = job;
		}
		enough = rs_trace_clock_ns(CLOCK_MONOTONIC) > until_ns;
	}
	for (job = again; job; job = next) {
		next = job->next;
		rs_jobs_put(&s->engine_jobs, job);
	}
	return again || enough;
}

static int service_find_rate(struct rs_rates *r, const char *name)
{
	for (unsigned int i = 0; i < r->nr; i++)
		if (!strcmp(r->list[i].name, name))
			return (int)i;
	if (r->nr == RS_MAX_RATES)
		return -1;
	r->list[r->nr].name = name;
	return (int)r->nr++;
}

/* The sum, by rate, of what its kinds have counted. */
static void service_count_kinds(struct rs_rates *r, const struct rs_timelines *t, uint64_t sums[RS_MAX_RATES])
{
	const struct rs_span_kind *kind;

	for (unsigned int i = 0; (kind = rs_timelines_kind_number(t, i)); i++) {
		int at = kind->rate ? service_find_rate(r, kind->rate) : -1;

		if (at >= 0)
			sums[at] += rs_timelines_nr_counted(t, i);
	}
}

/* ns 0: there is no interval before. */
static void service_end_rate(struct rs_counted_rate *rate, uint64_t sum, uint64_t ns)
{
	if (ns)
		rate->per_s = (uint64_t)((unsigned __int128)(sum - rate->before) * SERVICE_SECOND_NS / ns);
	rate->before = sum;
}

/* The counts since the last call become the rates. */
static void service_end_rates(struct rs_rates *r, const struct rs_timelines *t, uint64_t nr_events,
			      uint64_t now_ns)
{
	uint64_t sums[RS_MAX_RATES] = { 0 }, ns = r->from_ns ? now_ns - r->from_ns : 0;

	service_count_kinds(r, t, sums);
	service_end_rate(&r->events, nr_events, ns);
	for (unsigned int i = 0; i < r->nr; i++)
		service_end_rate(&r->list[i], sums[i], ns);
	r->from_ns = now_ns;
}

/*
 * Tasks that no page of the window, and so no question about it, has any more; a second for those read before
 * a range.
 */
static void service_expire_tasks(struct rs_service *s)
{
	uint64_t oldest_ns = rs_window_pins_oldest_ns(s->window);

	rs_pinned_open_expire(s);
	if (oldest_ns > SERVICE_SECOND_NS)
		rs_session_expire_tasks(s->session, oldest_ns - SERVICE_SECOND_NS);
	if (rs_interval_rows_incidents(s->interval_rows))
		rs_incidents_expire(rs_interval_rows_incidents(s->interval_rows), oldest_ns);
}

void rs_service_hold_pinned(struct rs_service *s)
{
	uint64_t from_ns, to_ns;

	if (!s->window)
		return;
	rs_window_pins_bounds(s->window, &from_ns, &to_ns);
	if (from_ns == s->held_from_ns && to_ns == s->held_to_ns)
		return;
	s->held_from_ns = from_ns;
	s->held_to_ns = to_ns;
	rs_chunk_hold(rs_timelines_of(s->timelines), from_ns, to_ns);
}

/* Ends intervals by the clock, not by events: a quiet machine has seconds, too. */
static void service_pass_time(struct rs_service *s)
{
	uint64_t clock_ns;

	if (!s->config.interval_ns)
		return;
	clock_ns = s->has_clock ? rs_trace_clock_ns(s->clock) : rs_session_now_ns(s->session);
	if (clock_ns < rs_interval_rows_due_ns(s->interval_rows))
		return;
	service_end_rates(&s->rates, s->timelines, rs_session_events(s->session), clock_ns);
	rs_session_sample(s->session);
	if (s->config.metrics && rs_interval_rows_due_ns(s->interval_rows)) /* else the first one begins */
		rs_metrics_collect(s->config.metrics, s->session);
	rs_interval_rows_end_if_due(s->interval_rows, clock_ns);
	service_expire_tasks(s);
	rs_service_hold_pinned(s);
	if (s->config.control)
		rs_control_set_events(s->config.control, s->session);
}

/* Data that was lost for want of memory is missing from every later answer: no answer is better. */
static bool ran_out(struct rs_service *s, uint64_t failures)
{
	if (rs_memory_failures() == failures)
		return false;
	rs_memory_reported();
	s->err = (struct rs_error){ 0 };
	rs_fail(&s->err,
		"the engine: out of memory: what it shows would not be whole (free memory, or trace less)");
	return true;
}

static int service_wait_ms(const struct rs_service *s)
{
	uint64_t now_ns, due_ns = rs_interval_rows_due_ns(s->interval_rows);

	if (!s->has_clock)
		return SERVICE_WAIT_MS;
	now_ns = rs_trace_clock_ns(s->clock);
	if (due_ns <= now_ns)
		return 0;
	return due_ns - now_ns < SERVICE_WAIT_MS * 1000000ull ? (int)((due_ns - now_ns) / 1000000) + 1
		: SERVICE_WAIT_MS;
}

/* Returns false if it ran out of memory. */
static bool run_to_end(struct rs_service *s)
{
	struct rs_source *source = s->source;
	enum rs_run_result result;
	uint64_t failures;

	do {
		failures = rs_memory_failures();
		result = rs_session_run(s->session, SERVICE_EVENTS_PER_BATCH, &s->err);
		if (result == RS_RUN_WAIT)
			rs_session_advance(s->session);
		if (s->config.broadcaster)
			rs_broadcaster_mark(s->config.broadcaster, rs_session_now_ns(s->session));
		service_pass_time(s);
		if (s->config.metrics)
			rs_metrics_answer(s->config.metrics, s);
		if (ran_out(s, failures))
			return false;
		if (!do_jobs(s, result == RS_RUN_WAIT ? JOBS_NS : JOBS_BUSY_NS) && result == RS_RUN_WAIT)
			source->ops->wait(source, service_wait_ms(s));
	} while (result != RS_RUN_END && !atomic_load(&s->quit));
	failures = rs_memory_failures();
	rs_session_end(s->session);
	return !ran_out(s, failures);
}

void rs_service_run(struct rs_service *s, struct rs_source *source)
{
	uint64_t failures = rs_memory_failures();
	struct rs_job *job;

	if (attach(s, source, &s->err) < 0 || ran_out(s, failures) || !run_to_end(s)) {
		s->config.failed(s->config.arg, true, s->err.text);
		return;
	}
	s->ended = true;
	if (s->err.status != RS_OK)
		s->config.failed(s->config.arg, false, s->err.text);
	while ((job = rs_jobs_wait(&s->engine_jobs)))
		if (!do_job(s, job))
			rs_jobs_put(&s->engine_jobs, job);
}

/* ---- others ---- */

void rs_service_work(struct rs_service *s)
{
	struct rs_job *job;

	while ((job = rs_jobs_wait(&s->range_jobs))) {
		if (rs_job_run(job))
			s->config.done(s->config.arg, job);
		else
			rs_jobs_put(&s->range_jobs, job);
	}
}

void rs_service_wake(struct rs_service *s)
{
	struct rs_source *source = s->source;

	if (source && source->ops->wake)
		source->ops->wake(source);
}

void rs_service_post(struct rs_service *s, struct rs_job *job)
{
	rs_jobs_put(&s->engine_jobs, job);
	rs_service_wake(s);
}

void rs_service_quit(struct rs_service *s)
{
	atomic_store(&s->quit, true);
	rs_jobs_close(&s->engine_jobs);
	rs_jobs_close(&s->range_jobs);
	rs_service_wake(s);
}

void rs_service_forget_client(struct rs_service *s, uint32_t client)
{
	struct rs_window *window = s->window;

	if (window)
		rs_window_pins_clear(window, client);
}

void rs_service_stats(struct rs_service *s, struct rs_service_stats *stats)
{
	struct rs_window_stats window = { 0 };
	struct rs_source *source = s->source;
	struct rs_timeline_stats spans;
	struct rs_quality quality;

	rs_session_quality(s->session, &quality);
	rs_timeline_stats(rs_timelines_of(s->timelines), &spans);
	if (s->window)
		rs_window_stats(s->window, &window);
	*stats = (struct rs_service_stats){
		.now_ns = quality.to_ns,
		.from_ns = window.whole_after_ns > quality.from_ns ? window.whole_after_ns : quality.from_ns,
		.events_per_s = s->rates.events.per_s,
		.ended = s->ended,
		.loading = !s->config.interval_ns && !s->ended,
		.own_cpu_milli = rs_budget_self_cpu_milli(&s->self),
		.own_rss_bytes = rs_budget_self_rss_bytes(&s->self),
		.window_bytes = window.size_bytes + spans.size_bytes,
	};
	if (source->ops->progress)
		source->ops->progress(source, &stats->done_bytes, &stats->all_bytes);
}
