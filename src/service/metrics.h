/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - what a daemon has counted since its begin, for a monitoring system
 *
 *	m = rs_metrics_new(&err);
 *	service_config.metrics = m;                // of a service with intervals
 *	rs_metrics_ask(m, RS_METRICS_OPENMETRICS, 2000, &text);   // any one thread
 *
 * Latencies are histograms: of all kinds of spans, of time on CPUs, on run queues and of waits by cause; each
 * in all, by operation, by command and by control group, the last three for those with most time
 * (metric-series.h). The thread of the analysis adds the sums of each interval (latency-sums.h) to them, and
 * writes the text, between two batches: it is of the intervals that have ended.
 */
#ifndef RS_SERVICE_METRICS_H
#define RS_SERVICE_METRICS_H

#include "base/buf.h"
#include "base/error.h"
#include "engine/session.h"

/* Prometheus' text format 0.0.4; OpenMetrics 1.0.0 */
enum rs_metrics_format { RS_METRICS_TEXT, RS_METRICS_OPENMETRICS };

struct rs_metrics;
struct rs_service;

struct rs_metrics *rs_metrics_new(struct rs_error *err);
void rs_metrics_free(struct rs_metrics *m); /* after the session; NULL is fine */

/* Adds what sums latencies to a live session's configuration. */
int rs_metrics_subscribe(struct rs_session_config *config, struct rs_error *err);
/* Adds the interval that ends: call it before rs_session_reset. */
void rs_metrics_collect(struct rs_metrics *m, struct rs_session *s);

/*
 * Waits for the text at most so long. Returns false if the thread of the analysis did not write it. One
 * thread at a time.
 */
bool rs_metrics_ask(struct rs_metrics *m, enum rs_metrics_format format, int timeout_ms, struct rs_buf *text);
/* The thread of the analysis, now and then: writes the text that is asked for. */
void rs_metrics_answer(struct rs_metrics *m, struct rs_service *s);

#endif
