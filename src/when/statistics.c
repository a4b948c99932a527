// SPDX-License-Identifier: GPL-2.0-or-later
/* statistics - a histogram as a row: its keys, how many there were, their quantiles */
#include "when/statistics.h"

#include <stdlib.h>
#include <string.h>

enum statistics_kind { STATISTICS_COUNT, STATISTICS_AVG, STATISTICS_MAX, STATISTICS_QUANTILE };

static const struct {
	struct rs_column column;
	enum statistics_kind kind;
	unsigned int per_mille;
} statistics[] = {
	{ { .name = "count", .type = RS_TYPE_COUNT }, STATISTICS_COUNT, 0 },
	{ { .name = "avg_ns", .type = RS_TYPE_DURATION }, STATISTICS_AVG, 0 },
	{ { .name = "p50_ns", .type = RS_TYPE_DURATION }, STATISTICS_QUANTILE, 500 },
	{ { .name = "p95_ns", .type = RS_TYPE_DURATION }, STATISTICS_QUANTILE, 950 },
	{ { .name = "p99_ns", .type = RS_TYPE_DURATION }, STATISTICS_QUANTILE, 990 },
	{ { .name = "p999_ns", .type = RS_TYPE_DURATION }, STATISTICS_QUANTILE, 999 },
	{ { .name = "max_ns", .type = RS_TYPE_DURATION }, STATISTICS_MAX, 0 },
};

#define NR_STATISTICS (sizeof statistics / sizeof *statistics)

struct rs_column *rs_statistics_columns(const struct rs_view *hist)
{
	unsigned int nr = 0;
	struct rs_column *columns;

	while (hist->columns[nr].name && hist->columns[nr].flags & RS_COLUMN_KEY)
		nr++;
	columns = calloc(nr + NR_STATISTICS + 1, sizeof *columns);
	if (!columns)
		return NULL;
	memcpy(columns, hist->columns, nr * sizeof *columns);
	for (size_t i = 0; i < NR_STATISTICS; i++)
		columns[nr + i] = statistics[i].column;
	return columns;
}

/* An average, a quantile of nothing is not known. */
static struct rs_value statistics_of(const struct rs_hist *of, size_t n)
{
	if (statistics[n].kind == STATISTICS_COUNT)
		return rs_u(rs_hist_nr_begun(of));
	if (!of->nr)
		return rs_null();
	switch (statistics[n].kind) {
	case STATISTICS_AVG: return rs_u(of->sum / of->nr);
	case STATISTICS_MAX: return rs_u(of->max);
	default: return rs_u(rs_hist_quantile(of, statistics[n].per_mille));
	}
}

void rs_statistics_fill(const struct rs_view *hist, const struct rs_value *group, const struct rs_hist *of,
			uint64_t used, struct rs_value *row)
{
	unsigned int at = 0;

	for (; hist->columns[at].name && hist->columns[at].flags & RS_COLUMN_KEY; at++)
		row[at] = group[at];
	for (size_t i = 0; i < NR_STATISTICS; i++, at++)
		row[at] = used >> at & 1 ? statistics_of(of, i) : rs_null();
}
