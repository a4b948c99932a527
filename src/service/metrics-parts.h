/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics-parts.h - shared by metrics.c, which counts, and metrics-text.c, which writes */
#ifndef RS_SERVICE_METRICS_PARTS_H
#define RS_SERVICE_METRICS_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "service/metric-series.h"
#include "service/metrics.h"

#define RS_METRICS_KINDS 96u

/* Whose latencies a set of series tells apart: as the columns behind RS_LATENCY_KIND. */
enum rs_metrics_by {
	RS_METRICS_BY_OPERATION,
	RS_METRICS_BY_COMM,
	RS_METRICS_BY_CGROUP,
	RS_METRICS_BY_DISK,
	RS_METRICS_NR_BY
};

struct rs_metrics_kind {
	const char *name;               /* "syscall" */
	struct rs_metric_hist all;
	struct rs_metric_set by[RS_METRICS_NR_BY];
};

struct rs_metrics {
	struct rs_sink sink;            /* first: a sink is one of these */
	struct rs_metrics_kind kinds[RS_METRICS_KINDS];
	unsigned int nr_kinds;
	uint64_t aged_ns;
	pthread_mutex_t lock;
	pthread_cond_t answered;
	atomic_bool asked;
	/* under lock */
	enum rs_metrics_format format;
	bool has_text;
	struct rs_buf text;
	struct rs_service *service;     /* to wake; NULL before the first answer is possible */
};

/* Appends everything to m->text. */
void rs_metrics_write(struct rs_metrics *m, struct rs_service *s);

#endif
