// SPDX-License-Identifier: GPL-2.0-or-later
/* store-cells - what a column shows of a measure, and of keys that several views have */
#include <inttypes.h>
#include <stdio.h>

#include "engine/store/store-table.h"
#include "ringside/plugin.h"

static struct rs_value store_latency(const struct rs_hist *h, enum rs_aspect aspect)
{
	if (aspect == RS_COUNT)
		return rs_u(rs_hist_nr_begun(h));
	if (aspect == RS_TOTAL)
		return rs_u(rs_hist_sum_inside(h));
	if (!h->nr)
		return rs_null();
	switch (aspect) {
	case RS_AVG:
		return rs_u(h->sum / h->nr);
	case RS_MIN:
		return rs_u(h->min);
	case RS_P50:
		return rs_u(rs_hist_quantile(h, 500));
	case RS_P95:
		return rs_u(rs_hist_quantile(h, 950));
	case RS_P99:
		return rs_u(rs_hist_quantile(h, 990));
	default:
		return rs_u(h->max);
	}
}

struct rs_value rs_store_measure_value(const struct rs_column *column, const void *measure, char *buf)
{
	const struct rs_peak *peak = measure;

	switch (column->aspect) {
	case RS_NO_ASPECT:
		return rs_null();
	case RS_VALUE:
		return rs_u(*(const uint64_t *)measure);
	case RS_PEAK:
		return rs_u_if(peak->known, peak->len_ns);
	case RS_PEAK_AT:
		return rs_u_if(peak->known, peak->at_ns);
	case RS_TOP_TASK:
		return rs_s(rs_top_text(measure, buf, RS_CELL_TEXT_BYTES));
	default:
		return store_latency(measure, column->aspect);
	}
}

static uint64_t store_interval_ns(const struct rs_ctx *c)
{
	uint64_t since_ns = rs_since_ns(c), now_ns = rs_last_event_ns(c);

	return now_ns > since_ns ? now_ns - since_ns : 0;
}

struct rs_value rs_per_second(const struct rs_ctx *c, uint64_t nr)
{
	uint64_t ns = store_interval_ns(c);

	return rs_u_if(ns > 0, (uint64_t)((double)nr * 1e9 / (double)ns + 0.5));
}

struct rs_value rs_milli_per_second(const struct rs_ctx *c, uint64_t nr)
{
	return rs_milli(nr, store_interval_ns(c), 1000000000);
}

struct rs_value rs_show_address(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	snprintf(buf, RS_CELL_TEXT_BYTES, "0x%" PRIx64, g->keys[0]);
	return rs_s(buf);
}

struct rs_value rs_show_cmdline(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	if (!rs_group_is_by(g, "pid") && !rs_group_is_by(g, "tid"))
		return rs_null();
	return rs_s(g->task ? rs_task_cmdline(c, g->task) : rs_process_cmdline(c, g->pid, g->comm));
}

struct rs_value rs_show_start(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	bool of_thread = rs_group_is_by(g, "tid");
	const struct rs_task *t = g->task, *first;

	if (!t || (!of_thread && !rs_group_is_by(g, "pid")))
		return rs_null();
	first = of_thread || t->tid == t->pid || !t->pid ? t : rs_task_find(c, t->pid);
	return rs_u_if(first && first->start_ns, first ? first->start_ns : 0);
}
