// SPDX-License-Identifier: GPL-2.0-or-later
/* metrics - what a daemon has counted since its begin, for a monitoring system */
#include "service/metrics-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ringside/event.h"
#include "service/service.h"

#define METRICS_AGE_NS 60000000000ull

/* Kinds that are states of tasks, in the first places. */
enum { METRICS_ON_CPU, METRICS_RUN_QUEUE, METRICS_WAIT, METRICS_NR_STATES };

/* ---- counting ---- */

static void metrics_label_comm(void *arg, char text[RS_METRIC_LABEL])
{
	const struct rs_task *t = arg;

	snprintf(text, RS_METRIC_LABEL, "%s", t->comm[0] ? t->comm : "[unknown]");
}

static void metrics_label_cgroup(void *arg, char text[RS_METRIC_LABEL])
{
	const struct rs_task *t = arg;

	snprintf(text, RS_METRIC_LABEL, "%s", t->cgroup);
}

static void metrics_add_of_task(struct rs_metrics_kind *k, struct rs_task *t, uint64_t len_ns)
{
	rs_metric_series_add(&k->by[RS_METRICS_BY_COMM],
			     rs_hash_bytes(t->comm, strnlen(t->comm, sizeof t->comm)), len_ns,
			     metrics_label_comm, t);
	if (t->cgroup)
		rs_metric_series_add(&k->by[RS_METRICS_BY_CGROUP],
				     rs_hash_bytes(t->cgroup, strlen(t->cgroup)), len_ns,
				     metrics_label_cgroup, t);
}

struct metrics_disk {
	struct rs_ctx *c;
	uint32_t dev;
};

static void metrics_label_disk(void *arg, char text[RS_METRIC_LABEL])
{
	const struct metrics_disk *disk = arg;
	const char *name = rs_disk_name(disk->c, disk->dev);

	if (name)
		snprintf(text, RS_METRIC_LABEL, "%s", name);
	else
		snprintf(text, RS_METRIC_LABEL, "%u,%u", disk->dev >> 20, disk->dev & 0xfffff);
}

struct metrics_operation {
	const struct rs_metrics_kind *kind;
	uint64_t arg;
};

static void metrics_label_operation(void *arg, char text[RS_METRIC_LABEL])
{
	const struct metrics_operation *o = arg;
	char buf[RS_METRIC_LABEL] = "";

	snprintf(text, RS_METRIC_LABEL, "%s", o->kind->of->label(o->kind->ctx, o->arg, buf, sizeof buf));
}

static void metrics_add_of_disk(struct rs_metrics_kind *k, const struct rs_span *span, uint64_t len_ns)
{
	struct metrics_disk disk = { k->ctx, span->id };

	rs_metric_series_add(&k->by[RS_METRICS_BY_DISK], span->id, len_ns, metrics_label_disk, &disk);
}

static struct rs_metrics_kind *metrics_find(struct rs_metrics *m, const struct rs_ctx *c,
					    const struct rs_span_kind *of)
{
	unsigned int number = rs_api_span_kind_number(c, of);

	return number < RS_METRICS_NUMBERS && m->places[number] ? &m->kinds[m->places[number]] : NULL;
}

static void metrics_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *of,
			    const struct rs_span *span)
{
	struct rs_metrics_kind *k = span->in_flight ? NULL : metrics_find((struct rs_metrics *)sink, c, of);
	struct metrics_operation operation = { k, rs_span_name_arg(of, span->arg) };
	uint64_t len_ns = span->end_ns - span->start_ns;

	if (!k || (span->task && rs_is_viewer(c, span->task->pid)))
		return;
	rs_metric_series_count(&k->all, len_ns);
	if (of->track == RS_TRACK_DISK)
		metrics_add_of_disk(k, span, len_ns);
	if (of->label && !of->of_task)
		rs_metric_series_add(&k->by[RS_METRICS_BY_OPERATION], operation.arg, len_ns,
				     metrics_label_operation, &operation);
	if (span->task)
		metrics_add_of_task(k, span->task, len_ns);
}

/* States are counted by the subscriber, with their causes; what has no length has no latency. */
static void metrics_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *of)
{
	struct rs_metrics *m = (struct rs_metrics *)sink;
	unsigned int number = rs_api_span_kind_number(c, of);

	if ((of->shape != RS_SPAN_SLICE && of->shape != RS_SPAN_ASYNC) || m->nr_kinds == RS_METRICS_KINDS ||
	    number >= RS_METRICS_NUMBERS)
		return;
	m->places[number] = (uint8_t)m->nr_kinds;
	m->kinds[m->nr_kinds++] = (struct rs_metrics_kind){ .name = of->name, .of = of, .ctx = c };
}

static void metrics_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_metrics *m = rs_api_session_arg(c);
	struct rs_metrics_kind *k = &m->kinds[iv->kind == RS_RUN ? METRICS_ON_CPU : METRICS_RUN_QUEUE];

	if (!iv->task || iv->discarded || iv->in_flight || iv->inferred || !rs_shown(c, iv->task) ||
	    rs_is_viewer(c, iv->task->pid))
		return;
	rs_metric_series_count(&k->all, iv->to_ns - iv->from_ns);
	metrics_add_of_task(k, iv->task, iv->to_ns - iv->from_ns);
}

static void metrics_label_cause(void *arg, char text[RS_METRIC_LABEL])
{
	snprintf(text, RS_METRIC_LABEL, "%s", rs_cause_row(*(const enum rs_cause *)arg)->name);
}

static void metrics_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	struct rs_metrics *m = rs_api_session_arg(c);
	struct rs_metrics_kind *k = &m->kinds[METRICS_WAIT];
	const struct rs_interval *iv = w->interval;
	enum rs_cause cause = w->cause;

	if (iv->discarded || iv->in_flight || !rs_shown(c, iv->task) || rs_is_viewer(c, iv->task->pid))
		return;
	rs_metric_series_count(&k->all, iv->to_ns - iv->from_ns);
	rs_metric_series_add(&k->by[RS_METRICS_BY_OPERATION], cause, iv->to_ns - iv->from_ns,
			     metrics_label_cause, &cause);
	metrics_add_of_task(k, iv->task, iv->to_ns - iv->from_ns);
}

static const struct rs_callback metrics_callbacks[] = {
	{ RS_ON_INTERVAL, .interval = metrics_on_interval,
	  .kinds = 1u << RS_RUN | 1u << RS_DELAY | 1u << RS_PREEMPTED },
	{ RS_ON_WAIT, .wait = metrics_on_wait },
	{ 0 },
};

static const struct rs_analysis metrics_subscriber = {
	.abi = RS_ABI, .name = "metrics", .summary = "latencies since the begin, for a monitoring system",
	.requires_states = true, .callbacks = metrics_callbacks,
};

/* ---- beginning ---- */

struct rs_metrics *rs_metrics_new(struct rs_error *err)
{
	struct rs_metrics *m = calloc(1, sizeof *m);
	pthread_condattr_t attr;

	if (!m) {
		rs_fail(err, "cannot count metrics: out of memory");
		return NULL;
	}
	m->sink = (struct rs_span_sink){ .span = metrics_on_span, .kind = metrics_on_kind };
	m->kinds[METRICS_ON_CPU].name = "on-cpu";
	m->kinds[METRICS_RUN_QUEUE].name = "run-queue";
	m->kinds[METRICS_WAIT].name = "wait";
	m->nr_kinds = METRICS_NR_STATES;
	m->text = (struct rs_buf)RS_BUF_INIT;
	pthread_mutex_init(&m->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&m->answered, &attr);
	pthread_condattr_destroy(&attr);
	return m;
}

void rs_metrics_free(struct rs_metrics *m)
{
	if (!m)
		return;
	pthread_cond_destroy(&m->answered);
	pthread_mutex_destroy(&m->lock);
	rs_buf_done(&m->text);
	free(m);
}

int rs_metrics_subscribe(struct rs_metrics *m, struct rs_session_config *config, struct rs_error *err)
{
	if (config->nr_analyses == RS_MAX_ANALYSES)
		return rs_fail(err, "metrics: more than %d analyses", RS_MAX_ANALYSES - 1);
	config->analyses[config->nr_analyses++] = &metrics_subscriber;
	config->arg = m;
	return 0;
}

int rs_metrics_emit(struct rs_metrics *m, struct rs_session *s)
{
	return rs_session_emit_span(s, &m->sink);
}

/* ---- asking and answering ---- */

static struct timespec metrics_deadline(int timeout_ms)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec += timeout_ms / 1000;
	at.tv_nsec += timeout_ms % 1000 * 1000000l;
	if (at.tv_nsec >= 1000000000l) {
		at.tv_nsec -= 1000000000l;
		at.tv_sec++;
	}
	return at;
}

bool rs_metrics_ask(struct rs_metrics *m, enum rs_metrics_format format, int timeout_ms, struct rs_buf *text)
{
	struct timespec until = metrics_deadline(timeout_ms);
	int status = 0;
	bool answered;

	pthread_mutex_lock(&m->lock);
	m->format = format;
	m->has_text = false;
	atomic_store(&m->asked, true);
	if (m->service)
		rs_service_wake(m->service);
	while (!m->has_text && status != ETIMEDOUT)
		status = pthread_cond_timedwait(&m->answered, &m->lock, &until);
	answered = m->has_text && !m->text.failed;
	if (answered)
		rs_buf_add(text, m->text.data, m->text.len);
	atomic_store(&m->asked, false);
	pthread_mutex_unlock(&m->lock);
	return answered && !text->failed;
}

static void metrics_age(struct rs_metrics *m, uint64_t now_ns)
{
	if (now_ns - m->aged_ns < METRICS_AGE_NS)
		return;
	m->aged_ns = now_ns;
	for (unsigned int i = 0; i < m->nr_kinds; i++)
		for (unsigned int by = 0; by < RS_METRICS_NR_BY; by++)
			rs_metric_series_age(&m->kinds[i].by[by]);
}

void rs_metrics_answer(struct rs_metrics *m, struct rs_service *s)
{
	metrics_age(m, rs_session_now_ns(s->session));
	if (m->service && !atomic_load(&m->asked))
		return;
	pthread_mutex_lock(&m->lock);
	m->service = s;
	if (atomic_load(&m->asked) && !m->has_text) {
		rs_buf_clear(&m->text);
		rs_metrics_write(m, s);
		m->has_text = true;
		pthread_cond_signal(&m->answered);
	}
	pthread_mutex_unlock(&m->lock);
}
