/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency-sums.h - an analysis that sums the latencies of all others: spans, time on CPUs and run queues,
 * waits
 *
 *	config.analyses[config.nr_analyses++] = &rs_latency_sums;
 *	...
 *	rs_session_rows(s, &rs_latency_sums_view, &query, &sink);   // of the interval: rs_session_reset
 *
 * It is for programs that take sums: their formatters implement .measures of a sink. It is no view for users,
 * who have those of each analysis. It requires no event, and takes what the others of its session emit.
 */
#ifndef RS_ENGINE_STORE_LATENCY_SUMS_H
#define RS_ENGINE_STORE_LATENCY_SUMS_H

#include "engine/session.h"
#include "model/latency-sum.h"

extern const struct rs_analysis rs_latency_sums;
/*
 * Its rows are struct rs_latency_sum, by kind, operation and command, or as the query says; their columns are
 * enum rs_latency_column. With too many rows those that came less are RS_LATENCY_OTHERS of their kind.
 */
extern const struct rs_view_ref rs_latency_sums_view;

#endif
