/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time-range.h - a time range, analyzed anew: part of a window or of a file, by a session of its own
 *
 *	struct rs_time_range *st = rs_time_range_open(&origin, &config, &why, &err);
 *	rs_session_subscribe(st->session, view, &query, sink);   // streams, spans: before the run
 *	rs_time_range_run(st, go_on, arg, &err);
 *	rs_session_rows(st->session, view, &query, sink);     // tables and histograms
 *	rs_session_quality(st->session, &trust);
 *	rs_time_range_free(st);
 *
 * Any thread may do this, one for each time range, while the session that fills the window goes on. What began before the
 * time range, and before what is read ahead of it (.before_ns), is not known: its ends are unmatched ends in its data quality.
 */
#ifndef RS_QUERY_TIME_RANGE_H
#define RS_QUERY_TIME_RANGE_H

#include "engine/session.h"
#include "source/window.h"

/* Where it is read. */
struct rs_time_range_source_config {
	struct rs_source *of;        /* whose pages they are; outlives the time ranges */
	struct rs_window *window;    /* that keeps them; NULL: of can be read again (rs_source_ops.again) */
};

struct rs_time_range_config {
	struct rs_session_config session; /* analyses, selection and so on; from_ns, to_ns: both included */
	uint64_t before_ns;          /* so much is read before from_ns, that what is on its way then is known */
	uint64_t before_bytes;       /* all that is before is read, where that and the range are no more than this */
	const struct rs_initial_task *snapshot; /* by rs_session_initial_tasks; NULL: what the source itself says */
	size_t nr_initial;
	bool ahead;                  /* streams, -c: names are looked for ahead, see first-names.h */
	bool exact;                  /* nothing of after to_ns is handed out: for who takes pages and no events */
	uint64_t max_bytes;          /* of pages, or it is refused; 0: any */
};

/* Why a time range cannot be opened. */
enum rs_time_range_why { RS_TIME_RANGE_FAILED, RS_TIME_RANGE_EXPIRED, RS_TIME_RANGE_EXPENSIVE };

/*
 * rs_time_range_source - its pages, for a caller that wants no analysis: events from config's from_ns less before_ns
 * on, and nothing of what else the config says of sessions. NULL: *why and err.
 */
struct rs_source *rs_time_range_source(const struct rs_time_range_source_config *origin, const struct rs_time_range_config *config, enum rs_time_range_why *why,
				       struct rs_error *err);

struct rs_time_range {
	struct rs_session *session;
	struct rs_source *source;      /* of its pages */
	struct rs_source *ahead;
	uint64_t from_ns;              /* later than requested if the window begins later */
	bool attached;
};

struct rs_time_range *rs_time_range_open(const struct rs_time_range_source_config *origin, const struct rs_time_range_config *config, enum rs_time_range_why *why,
					 struct rs_error *err);
void rs_time_range_free(struct rs_time_range *st);

/* Before the run, which else does it: from now on it is known which analyses cannot be fed. */
int rs_time_range_attach(struct rs_time_range *st, struct rs_error *err);
/*
 * rs_time_range_run - from begin to end. go_on is asked now and then; false stops. May be NULL.
 * 0: it is at its end; 1: stopped; -1: err.
 */
int rs_time_range_run(struct rs_time_range *st, bool (*go_on)(void *arg), void *arg, struct rs_error *err);

#endif
