// SPDX-License-Identifier: GPL-2.0-or-later
/* filter-views.c - what `where` can compare in findings, spans, tracks and what is in flight */
#include "rpc/filter-views.h"

#define FILTER_COMM { .name = "comm", .type = RS_TYPE_TEXT }
#define FILTER_PID { .name = "pid", .type = RS_TYPE_ID }
#define FILTER_TID { .name = "tid", .type = RS_TYPE_ID }
#define FILTER_CPU { .name = "cpu", .type = RS_TYPE_ID }
#define FILTER_DEV { .name = "dev", .type = RS_TYPE_TEXT }
#define FILTER_KIND { .name = "kind", .type = RS_TYPE_TEXT }
#define FILTER_LABEL { .name = "label", .type = RS_TYPE_TEXT }
#define FILTER_LENGTH { .name = "duration_ns", .type = RS_TYPE_DURATION, .flags = RS_COLUMN_LATENCY }

static const struct rs_column of_findings[] = { FILTER_COMM, FILTER_PID, { .name = NULL } };
static const struct rs_column of_tracks[] = {
	FILTER_COMM, FILTER_PID, FILTER_TID, FILTER_CPU, FILTER_DEV, { .name = NULL }
};
static const struct rs_column of_spans[] = {
	FILTER_COMM, FILTER_PID, FILTER_TID, FILTER_CPU, FILTER_DEV, FILTER_KIND, FILTER_LABEL, FILTER_LENGTH,
	{ .name = NULL },
};

static const struct rs_view filter_views[RS_NR_FILTER_VIEWS] = {
	[RS_FILTER_FINDINGS] = { .name = "findings", .kind = RS_VIEW_TABLE, .columns = of_findings },
	[RS_FILTER_OPEN] = { .name = "open", .kind = RS_VIEW_TABLE, .columns = of_spans },
	[RS_FILTER_SPANS] = { .name = "spans", .kind = RS_VIEW_TABLE, .columns = of_spans },
	[RS_FILTER_TRACKS] = { .name = "tracks", .kind = RS_VIEW_TABLE, .columns = of_tracks },
};

const struct rs_view *rs_filter_view(enum rs_filter_view view)
{
	return &filter_views[view];
}
