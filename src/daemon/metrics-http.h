/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics-http.h - serves a daemon's metrics by HTTP: GET /metrics
 *
 *	fd = rs_metrics_http_listen("9478", &err);       // as root, before rights are dropped
 *	h = rs_metrics_http_start(fd, metrics, &err);    // before the sandbox: it begins a thread
 *	rs_metrics_http_stop(h);
 */
#ifndef RS_DAEMON_METRICS_HTTP_H
#define RS_DAEMON_METRICS_HTTP_H

#include "service/metrics.h"

struct rs_metrics_http;

/*
 * address: "PORT" and ":PORT" (of this machine alone: 127.0.0.1), "ADDRESS:PORT", "[IPv6 ADDRESS]:PORT"; no
 * names are looked up but localhost. Returns the descriptor; -1: err is set.
 */
int rs_metrics_http_listen(const char *address, struct rs_error *err);
/* Owns fd on success. NULL: err is set. */
struct rs_metrics_http *rs_metrics_http_start(int fd, struct rs_metrics *metrics, struct rs_error *err);
void rs_metrics_http_stop(struct rs_metrics_http *h); /* waits for its thread; NULL is fine */

#endif
