// SPDX-License-Identifier: GPL-2.0-or-later
/* metrics - what a daemon has counted since its begin, for a monitoring system */
#include "service/metrics-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/store/latency-sums.h"
#include "service/service.h"

#define METRICS_AGE_NS 60000000000ull

/* ---- counting ---- */

/* NULL: there are too many. */
static struct rs_metrics_kind *metrics_find(struct rs_metrics *m, const char *name)
{
	for (unsigned int i = 0; i < m->nr_kinds; i++)
		if (!strcmp(m->kinds[i].name, name))
			return &m->kinds[i];
	if (m->nr_kinds == RS_METRICS_KINDS)
		return NULL;
	m->kinds[m->nr_kinds].name = name;
	return &m->kinds[m->nr_kinds++];
}

static void metrics_on_sum(struct rs_sink *sink, const struct rs_value *values, const void *measures)
{
	struct rs_metrics_kind *k = metrics_find((struct rs_metrics *)sink, values[RS_LATENCY_KIND].s);
	const struct rs_value *labels = &values[RS_LATENCY_KIND + 1];

	if (!k)
		return;
	rs_metric_series_count(&k->all, measures);
	for (unsigned int by = 0; by < RS_METRICS_NR_BY; by++)
		if (labels[by].known)
			rs_metric_series_add(&k->by[by],
					     by == RS_METRICS_BY_COMM && !*labels[by].s ? "[unknown]" :
											 labels[by].s,
					     measures);
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

/* Without memory for all rows the engine ends: see rs_memory_failures. */
void rs_metrics_collect(struct rs_metrics *m, struct rs_session *s)
{
	const struct rs_query query = { .by = { "kind", "operation", "command", "cgroup", "disk" },
					.nr_by = RS_NR_LATENCY_COLUMNS };

	rs_session_rows(s, &rs_latency_sums_view, &query, &m->sink);
	metrics_age(m, rs_session_now_ns(s));
}

/* ---- beginning ---- */

struct rs_metrics *rs_metrics_new(struct rs_error *err)
{
	struct rs_metrics *m = calloc(1, sizeof *m);
	pthread_condattr_t attr;

	if (!m) {
		rs_fail(err, "cannot count metrics: out of memory");
		return NULL;
	}
	m->sink.measures = metrics_on_sum;
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

int rs_metrics_subscribe(struct rs_session_config *config, struct rs_error *err)
{
	if (config->nr_analyses == RS_MAX_ANALYSES)
		return rs_fail(err, "metrics: more than %d analyses", RS_MAX_ANALYSES - 1);
	config->analyses[config->nr_analyses++] = &rs_latency_sums;
	return 0;
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

void rs_metrics_answer(struct rs_metrics *m, struct rs_service *s)
{
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
