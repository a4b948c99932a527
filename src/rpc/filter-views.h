/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter-views.h - what `where` can compare in requests whose answers are no rows of a view: the columns of a
 * view that nobody shows, so that one language serves for all
 */
#ifndef RS_RPC_FILTER_VIEWS_H
#define RS_RPC_FILTER_VIEWS_H

#include "ringside/table.h"

enum rs_filter_view {
	RS_FILTER_FINDINGS, /* comm, pid: of victim and culprits, one of whom must pass */
	RS_FILTER_OPEN,
	RS_FILTER_SPANS,
	RS_FILTER_TRACKS,
	RS_NR_FILTER_VIEWS,
};

/* Columns by their place in all of these views, as far as they have them. */
enum rs_filter_column {
	RS_FILTER_COMM,
	RS_FILTER_PID,
	RS_FILTER_TID,
	RS_FILTER_CPU,
	RS_FILTER_DEV,      /* "8,0" */
	RS_FILTER_KIND,     /* of a span, or of what is in flight */
	RS_FILTER_LABEL,
	RS_FILTER_LENGTH,
	RS_NR_FILTER_COLUMNS,
};

const struct rs_view *rs_filter_view(enum rs_filter_view view);

#endif
