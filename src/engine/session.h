/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a source, the analyses that were asked for, and what they found
 *
 *	struct rs_session *s = rs_session_new(&config, &err);
 *	rs_session_listen(s, view, &query, sink);      // streams: before the run
 *	rs_session_attach(s, source, &err);            // binds events and fields
 *	while (rs_session_run(s, 10000, &err) == RS_RUN_MORE)
 *		;
 *	rs_session_end(s);
 *	rs_session_rows(s, view, &query, sink);        // tables and histograms
 *	rs_session_quality(s, &trust);
 *	rs_session_free(s);
 *
 * One thread uses a session. Rows reach a sink before the next event is read.
 */
#ifndef RS_ENGINE_SESSION_H
#define RS_ENGINE_SESSION_H

#include "base/error.h"
#include "model/subscriber.h"
#include "model/quality.h"
#include "ringside/plugin.h"
#include "source/task-snapshot.h"
#include "source/source.h"
#include "tracefs/fd-path.h"

#define RS_MAX_ANALYSES 32

/* Whose work is shown: an empty selection shows everybody's. */
struct rs_selection {
	const int32_t *pids, *tids; /* -p, -t; a child's events count where its parent's do (follow) */
	size_t nr_pids, nr_tids;
	int32_t command;            /* the process that -- COMMAND began: as if -p named it; 0 none */
	bool no_children;           /* what a selected task forks is not selected for that */
	const char *comm_glob;      /* -c */
	bool by_kernel;             /* live: the kernel filters by the ids, so nothing of other tasks is read */
	const char *cpus;           /* -C list; NULL all */
	bool self;                  /* --self: ringside's own too */
};

/* Who can say what a process' descriptor stands for now. Neither call waits. */
struct rs_fd_requester {
	bool (*ask)(void *arg, int32_t pid, int32_t fd);           /* false: not now */
	bool (*answer)(void *arg, struct rs_fd_reply *reply);      /* false: none has come; read_ns is in the trace clock */
	void *arg;
};

struct rs_viewers;

struct rs_event_id_set;

struct rs_session_config {
	const struct rs_analysis *analyses[RS_MAX_ANALYSES];
	unsigned int nr_analyses;
	struct rs_selection selection;
	bool exact;                 /* --exact: no bound where a switch is missing */
	bool only_spans;            /* no rows will be asked for: what makes up tables alone may be left out */
	/* The time range, in the trace clock; to_ns 0: no end. Sums take what lies inside: see rs_latency_add in plugin.h */
	uint64_t from_ns, to_ns;
	bool is_part;               /* of a recording that goes on where this session does not look */
	/* of a part: the kinds of events that all of it has, by rs_session_recorded of who has read it. Outlives the session;
	 * NULL: nobody knows, what is declared counts as recorded */
	const struct rs_event_id_set *recorded;
	bool to_is_known;           /* every event up to to_ns is there: where none comes any more, nothing happened */
	const char *const *events;  /* -e: "sys:event", "sys", "event", with * and ?: those of RS_NAMED; lives as long as the session */
	size_t nr_events;
	struct rs_pair_words asked;      /* what follows the view's name: for .pairs; likewise */
	const char *filters, *machine; /* for the trust line */
	size_t max_tasks;           /* 0: the default */
	void *arg;                  /* for a listener: see model/subscriber.h */
	/* for streams of a recording: the same once more, to look ahead for names (first-names.h). Stays the caller's, who
	 * closes it after the session. NULL: until an event names it a task is as the list says */
	struct rs_source *ahead;
	uint64_t ahead_bytes;       /* as far as that is read; 0: RS_FIRST_NAMES_BYTES */
	const struct rs_viewers *viewers; /* outlives the session; NULL: none */
	struct rs_fd_requester fd_requester; /* live, where every call of every process is seen; .ask NULL: nobody */
	struct rs_fd_requester terminal_requester; /* live, of a session that is looked at while it runs; not beside fd_asker */
};

/* A view and the analysis that owns it. */
struct rs_view_ref {
	const struct rs_analysis *analysis;
	const struct rs_view *view;
	unsigned int index;         /* in analysis->views */
};

/* All analyses, ends with NULL: the built-in ones in sorted order, then the plugins that were loaded (plugins.h). */
const struct rs_analysis *const *rs_plugins_all(void);
/* Finds a view by name among them; false: err says which name is near. */
bool rs_requirements_find_view(const char *name, struct rs_view_ref *ref, struct rs_error *err);

/* What the analyses need of the kernel, without duplicates; of what ask, required first. Returns the number. */
struct rs_event_requirement {
	const char *system, *name;
	enum rs_requirement_kind need;
	enum rs_scope by;
	const struct rs_analysis *analysis; /* the first that asked; NULL: the engine itself */
};
size_t rs_requirements_list(const struct rs_session_config *config, struct rs_event_requirement *needs,
			    size_t max);
/* It is not missed where it is not there: this kernel is older, or newer, and tells the same by another event. */
bool rs_requirement_is_replaced(const char *tracefs, const struct rs_event_requirement *need);

/* What the analyses want of /proc, enum rs_sample: the live source is told before it begins. */
unsigned int rs_session_samples(const struct rs_session_config *config);

struct rs_session *rs_session_new(const struct rs_session_config *config, struct rs_error *err);
void rs_session_free(struct rs_session *s);

int rs_session_listen(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query, struct rs_sink *sink);
/* Its rows go nowhere until somebody listens again, and are not made. */
void rs_session_unlisten(struct rs_session *s, const struct rs_view_ref *view);
/* Before attach; at most 4. Returns -1 if it is too late, or too many. */
int rs_session_emit_span(struct rs_session *s, struct rs_span_sink *sink);
/* What has begun and not ended, into that sink alone. Nothing after rs_session_end, which laid it into all. */
void rs_session_emit_in_flight(struct rs_session *s, struct rs_span_sink *sink);
int rs_session_attach(struct rs_session *s, struct rs_source *source, struct rs_error *err);

/* Of an analysis that this source cannot feed, or not now: why; NULL where it runs. After attach. */
const char *rs_session_disabled(const struct rs_session *s, const struct rs_analysis *a);

/*
 * Of a recording that was read, the same, and of what it declares but has not one event of: its zeros would look like
 * a machine where nothing happens. NULL: it has something to say, though it may be no row. Lives as long as the session.
 */
const char *rs_session_nothing(struct rs_session *s, const struct rs_analysis *a);

/*
 * rs_session_event - live: an event that is turned off from now on, or on again (see rs_capture_event). What cannot do
 * without it is off meanwhile, with that reason; its columns are null. False: too many are off.
 */
bool rs_session_event(struct rs_session *s, const char *system, const char *name, bool on);

/* Has a task been seen that passes -p, -t, -c? True where nothing is narrowed. */
bool rs_session_selects_any(const struct rs_session *s);

uint64_t rs_session_events(const struct rs_session *s); /* handled so far */
/* How many events of a kind were handled so far; the id is asked once. 0 and UINT32_MAX: none, no such kind here. */
uint32_t rs_session_event_id(const struct rs_session *s, const char *system, const char *name);
/* Of a recording: the kinds that it has events of, as far as this session has come. False: live, what is on is recorded. */
bool rs_session_recorded(const struct rs_session *s, struct rs_event_id_set *set);
uint64_t rs_session_events_of(const struct rs_session *s, uint32_t id);

/* A recording, read: nothing of what there is (on any CPU) was at from_ns or later. Not where to_ns came first. */
bool rs_session_all_before_from(const struct rs_session *s);
uint64_t rs_session_now_ns(const struct rs_session *s); /* every event before that has been handled */

enum rs_run_result { RS_RUN_MORE, RS_RUN_WAIT, RS_RUN_END };
/* Handles events in the order of time, max_events and the rest of a page at most; WAIT: a live source has nothing now. */
enum rs_run_result rs_session_run(struct rs_session *s, uint64_t max_events, struct rs_error *err);
/*
 * Live, after WAIT: now is the time up to which nothing more can come, not that of the last event. On a quiet machine
 * what is open grows older, and an epoch is as long as it was.
 */
void rs_session_advance(struct rs_session *s);
/* Closes the books at the last event's time; rows and check are for afterwards, or live in between. */
void rs_session_end(struct rs_session *s);

/* Live: has /proc read anew where an analysis wants that, for the rows and the reset that come next. */
void rs_session_sample(struct rs_session *s);
/* 0, or -ENOMEM: rows are missing, which must be said beside those that came. */
int rs_session_rows(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query, struct rs_sink *sink);
void rs_session_reset(struct rs_session *s); /* -I */
/* What has begun and not ended, of all analyses, in no order; and what they judge. See ringside/finding.h. */
void rs_session_open(struct rs_session *s, struct rs_open_sink *sink);
void rs_session_findings(struct rs_session *s, struct rs_finding_sink *sink);
void rs_session_quality(struct rs_session *s, struct rs_quality *quality);
/*
 * rs_session_initial_tasks - whom this session knows to have lived at from_ns, as rows for a session that begins there; in
 * `born` (may be NULL) who began after that, up to to_ns: events tell of them, but not every reader looks at events.
 * What was known when this session's source was opened is among them. Rows are added; the texts of cgroups stay the
 * source's. Of a time that this session has not come to it knows nobody. -1: no memory.
 */
int rs_session_initial_tasks(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
			     struct rs_task_snapshot *living,
			     struct rs_task_snapshot *created);
/* The conservation laws of SEMANTICS: calls law for each with its residue, 0 if it holds. */
void rs_session_check(struct rs_session *s, void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);

#endif
