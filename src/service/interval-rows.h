/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interval-rows.h - the rows of "now": of the last complete interval if live, of all that was read for a file
 *
 * A live session is reset at the end of each interval, so that its tables show what happens now. Just before
 * the reset, this caches the rows of each view that a client asked for lately: all clients get the same
 * numbers, and requests cost the session nothing. A view without requests costs nothing; its first answer
 * covers the interval that has just begun. Streams keep their last rows; a stream with too many rows is
 * unsubscribed until the next request.
 *
 * Only the analyzer thread uses it.
 */
#ifndef RS_SERVICE_INTERVAL_ROWS_H
#define RS_SERVICE_INTERVAL_ROWS_H

#include "model/finding-list.h"
#include "engine/session.h"
#include "why/incidents.h"

struct rs_alarms;
struct rs_learner;

struct rs_interval_rows;

struct rs_rows_range {
	uint64_t from_ns, to_ns, interval;
};

/* interval_ns 0: the session is never reset. */
struct rs_interval_rows *rs_interval_rows_new(const struct rs_session_config *config, uint64_t interval_ns,
					      struct rs_error *err);
void rs_interval_rows_free(struct rs_interval_rows *r);
/* Call before the session is attached. Live, subscribes to every stream. */
int rs_interval_rows_subscribe(struct rs_interval_rows *r, struct rs_session *session,
			       struct rs_error *err);
/* Live, before the run: judges these conditions at the end of each interval. They are the caller's. */
void rs_interval_rows_set_alarms(struct rs_interval_rows *r, struct rs_alarms *alarms);
/* Live, before the run: it learns of each interval. The caller's. */
void rs_interval_rows_set_learner(struct rs_interval_rows *r, struct rs_learner *learner);
/*
 * Passes each row of a stream to the sink, too, until rs_interval_rows_pass_to_none: the stream stays
 * subscribed, however many rows it has. Of a stream that is not of this session, or passed to too many, none.
 */
void rs_interval_rows_pass(struct rs_interval_rows *r, const struct rs_view_ref *ref, struct rs_sink *sink);
void rs_interval_rows_pass_to_none(struct rs_interval_rows *r);
/* Ends the interval if clock_ns, the trace clock now, is past its end. */
void rs_interval_rows_end_if_due(struct rs_interval_rows *r, uint64_t clock_ns);
/* end of the interval; UINT64_MAX: never */
uint64_t rs_interval_rows_due_ns(const struct rs_interval_rows *r);
uint64_t rs_interval_rows_interval(const struct rs_interval_rows *r);

/* Finds a view of this session. Returns false with err: unknown, off, or of another analysis. */
bool rs_interval_rows_find(const struct rs_interval_rows *r, const char *name, struct rs_view_ref *ref,
			   struct rs_error *err);
/* Returns true if the analysis is not one of this session, but runs over a time range for each request. */
bool rs_interval_rows_on_demand(const struct rs_interval_rows *r, const struct rs_analysis *analysis);
/* Passes the rows to sink, and returns their time range. 0, or -ENOMEM: rows are missing. */
int rs_interval_rows_get(struct rs_interval_rows *r, const struct rs_view_ref *ref,
			 const struct rs_query *query, struct rs_sink *sink, struct rs_rows_range *range);

/*
 * Returns the findings for the same time as the rows, and that time range. NULL: no memory. Valid until the
 * next call, or the end of the interval.
 */
const struct rs_finding_list *rs_interval_rows_findings(struct rs_interval_rows *r,
							struct rs_rows_range *range);
/* Live, what was found in the intervals so far, by whoever looks; NULL: a file, or no memory. */
struct rs_incidents *rs_interval_rows_incidents(struct rs_interval_rows *r);

#endif
