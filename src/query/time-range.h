/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-range.h - analyzes a time range again: a part of a window or of a file, in a separate session
 *
 *	struct rs_time_range *st = rs_time_range_open(&origin, &config, &why, &err);
 *	rs_session_subscribe(st->session, view, &query, sink);   // streams, spans: before the run
 *	rs_time_range_run(st, go_on, arg, &err);
 *	rs_session_rows(st->session, view, &query, sink);     // tables and histograms
 *	rs_session_quality(st->session, &trust);
 *	rs_time_range_free(st);
 *
 * Any thread may do this, one for each time range, while the session that fills the window goes on.
 * Operations that began before the time range, and before .before_ns ahead of it, have unmatched ends in its
 * data quality.
 */
#ifndef RS_QUERY_TIME_RANGE_H
#define RS_QUERY_TIME_RANGE_H

#include "engine/session.h"
#include "source/window.h"

/* What a time range is read from. */
struct rs_time_range_source_config {
	struct rs_source *of;        /* of the pages; outlives the time ranges */
	struct rs_window *window;    /* with the pages; NULL: reads .of again (rs_source_ops.again) */
};

struct rs_time_range_config {
	struct rs_session_config session; /* analyses, selection and so on; from_ns, to_ns: both included */
	uint64_t before_ns;          /* time read before from_ns, to know the operations in flight then */
	uint64_t first_ns;           /* of a window: where its pages of this range begin; 0: by its age */
	uint64_t before_bytes;       /* if all data up to the end is smaller, all of it is read */
	/* by rs_session_initial_tasks; NULL: what the source itself says */
	const struct rs_initial_task *snapshot;
	size_t nr_initial;
	const struct rs_cgroup_row *cgroup_rows; /* of this range; NULL: what the source itself says */
	size_t nr_cgroup_rows;
	const struct rs_pressure_reading *pressure; /* likewise */
	size_t nr_pressure;
	const struct rs_fd_socket *fd_sockets; /* by rs_fd_history_list; NULL: what the source itself says */
	size_t nr_fd_sockets;
	bool ahead;                  /* streams, -c: searches names first, see first-names.h */
	bool exact;                  /* no page after to_ns: for callers that take pages */
	uint64_t max_bytes;          /* of pages; more is refused. 0: no limit */
};

/* Why a time range cannot be opened. */
enum rs_time_range_why { RS_TIME_RANGE_FAILED, RS_TIME_RANGE_EXPIRED, RS_TIME_RANGE_EXPENSIVE };

/*
 * rs_time_range_source - its pages, for a caller that wants no analysis: events from config's from_ns less
 * before_ns on, and nothing of what else the config says of sessions. NULL: *why and err.
 */
struct rs_source *rs_time_range_source(const struct rs_time_range_source_config *origin,
				       const struct rs_time_range_config *config, enum rs_time_range_why *why,
				       struct rs_error *err);

struct rs_time_range {
	struct rs_session *session;
	struct rs_source *source;      /* of its pages */
	struct rs_source *ahead;
	uint64_t from_ns;              /* later than requested if the window begins later */
	bool attached;
};

struct rs_time_range *rs_time_range_open(const struct rs_time_range_source_config *origin,
					 const struct rs_time_range_config *config,
					 enum rs_time_range_why *why, struct rs_error *err);
void rs_time_range_free(struct rs_time_range *st);

/* Call before the run to know which analyses lack events; otherwise the run does it. */
int rs_time_range_attach(struct rs_time_range *st, struct rs_error *err);
/*
 * rs_time_range_run - from begin to end. go_on is asked now and then; false stops. May be NULL.
 * 0: it is at its end; 1: stopped; -1: err.
 */
int rs_time_range_run(struct rs_time_range *st, bool (*go_on)(void *arg), void *arg, struct rs_error *err);

#endif
