/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interval-rows.h - rows of "now": live the last whole interval, of a file all that has been read
 *
 * A live session is reset at the end of each interval, so that its tables say what goes on and not what
 * once was. Just before, the rows of each view that somebody asked for lately are kept: every client
 * then has the same numbers, and asking costs the session nothing. A view that nobody asked for costs nothing at all;
 * its first answer is of the interval that has just begun. Streams keep their last rows; one that drowns in rows
 * stops doing so until it is asked for.
 *
 * All of it belongs to the thread of the analysis.
 */
#ifndef RS_SERVICE_INTERVAL_ROWS_H
#define RS_SERVICE_INTERVAL_ROWS_H

#include "engine/finding-list.h"
#include "engine/session.h"

struct rs_interval_rows;

struct rs_current_span {
	uint64_t from_ns, to_ns, interval;
};

/* interval_ns 0: never reset. */
struct rs_interval_rows *rs_interval_rows_new(const struct rs_session_config *config, uint64_t interval_ns,
					      struct rs_error *err);
void rs_interval_rows_free(struct rs_interval_rows *now);
/* Before the session is attached: listens to every stream, live. */
int rs_interval_rows_subscribe(struct rs_interval_rows *now, struct rs_session *session,
			       struct rs_error *err);
/* Ends the interval, if clock_ns (the trace clock, read now) says that it is over. */
void rs_interval_rows_pass(struct rs_interval_rows *now, uint64_t clock_ns);
uint64_t rs_interval_rows_due_ns(const struct rs_interval_rows *now);  /* when it will be over; UINT64_MAX: never */
uint64_t rs_interval_rows_end_interval(const struct rs_interval_rows *now);

/* Finds a view that this session has; false with err: unknown, off, or not of it. */
bool rs_interval_rows_find(const struct rs_interval_rows *now, const char *name, struct rs_view_ref *ref,
			   struct rs_error *err);
/* Hands the rows to sink; span says of what time they are. 0, or -ENOMEM: rows are missing. */
int rs_interval_rows_rows(struct rs_interval_rows *now, const struct rs_view_ref *ref, const struct rs_query *query, struct rs_sink *sink,
			   struct rs_current_span *span);

/* Of the same time as the rows, which span says; NULL: no memory. Until the next call, or the end of the interval. */
const struct rs_finding_list *rs_interval_rows_findings(struct rs_interval_rows *now,
							struct rs_current_span *span);

#endif
