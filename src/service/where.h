/* SPDX-License-Identifier: GPL-2.0-or-later */
/* where.h - `where` of requests whose answers are no rows of a view: which spans, tracks, findings pass it */
#ifndef RS_SERVICE_WHERE_H
#define RS_SERVICE_WHERE_H

#include "engine/match/in-flight-list.h"
#include "model/finding-list.h"
#include "query/tracks.h"
#include "rpc/filter-views.h"
#include "view/expression.h"

struct rs_where {
	struct rs_expression e;
	struct rs_timelines *timelines;
	uint64_t at_ns;          /* of tracks: the names that processes had then */
};

/*
 * Reads an expression. t: of the session, in its thread; NULL in another one, where no names of processes are
 * known besides those of threads. Sets *to to NULL where text is NULL: all pass. Else the caller frees *to.
 * -1: wrong usage, with a message.
 */
int rs_where_read(const char *text, enum rs_filter_view view, struct rs_timelines *t, struct rs_where **to,
		  struct rs_error *err);

/* arg: a struct rs_where; NULL: all pass. A thread passes by its own name or by that of its process. */
bool rs_where_span(const void *arg, const struct rs_track_ref *ref, const struct rs_timeline_span *span);
bool rs_where_track(const void *arg, const struct rs_track_info *info);
bool rs_where_open(const void *arg, const struct rs_in_flight_item *o, uint64_t now_ns);
bool rs_where_finding(const void *arg, const struct rs_finding_item *f);

#endif
