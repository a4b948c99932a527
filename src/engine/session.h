/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a source, the analyses that were asked for, and what they found
 *
 *	struct rs_session *s = rs_session_new(&config, &err);
 *	rs_session_subscribe(s, view, &query, sink);      // streams: before the run
 *	rs_session_attach(s, source, &err);            // binds events and fields
 *	while (rs_session_run(s, 10000, &err) == RS_RUN_MORE)
 *		;
 *	rs_session_end(s);
 *	rs_session_rows(s, view, &query, sink);        // tables and histograms
 *	rs_session_quality(s, &quality);
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

/* The tasks whose work is shown; empty: all. */
struct rs_selection {
	const int32_t *pids, *tids; /* -p, -t; children are selected with their parent */
	size_t nr_pids, nr_tids;
	int32_t command;            /* the process of -- COMMAND: as if -p named it; 0: none */
	bool no_children;           /* children of a selected task are not selected for that */
	const char *comm_glob;      /* -c */
	bool by_kernel;             /* live: the kernel filters by these ids, nothing of other tasks is read */
	const char *cpus;           /* list of -C; NULL: all */
	bool self;                  /* --self: ringside's own tasks, too */
};

/* Looks up the file of a process' descriptor. Neither call waits. */
struct rs_fd_requester {
	bool (*ask)(void *arg, int32_t pid, int32_t fd);           /* false: not now */
	bool (*answer)(void *arg, struct rs_fd_reply *reply);      /* false: no reply yet; read_ns is in the trace clock */
	void *arg;
};

struct rs_viewers;

struct rs_event_id_set;

struct rs_session_config {
	const struct rs_analysis *analyses[RS_MAX_ANALYSES];
	unsigned int nr_analyses;
	struct rs_selection selection;
	bool exact;                 /* --exact: no bound where a switch is missing */
	bool only_spans;            /* no rows will be requested: skip what only tables need */
	/*
	 * The time range, in the trace clock; to_ns 0: no end. Sums take the part inside: see rs_latency_add in
	 * plugin.h
	 */
	uint64_t from_ns, to_ns;
	bool is_part;               /* the session reads only a part of the recording */
	/*
	 * for a part: the kinds of events in all of the recording, from rs_session_recorded of a session that read
	 * it. Outlives the session; NULL: not known, each declared event counts as recorded
	 */
	const struct rs_event_id_set *recorded;
	bool to_is_known;           /* every event up to to_ns is available: after the last one nothing happened */
	const char *const *events;  /* -e: "sys:event", "sys", "event", with * and ?: for RS_NAMED; outlives the session */
	size_t nr_events;
	struct rs_pair_words asked;      /* the words after the view's name, for .pairs; outlive the session */
	const char *filters, *machine; /* for the quality line */
	size_t max_tasks;           /* 0: the default */
	void *arg;                  /* for a subscriber: see model/subscriber.h */
	/*
	 * for streams of a recording: a second reader of it, to look ahead for names (first-names.h). Belongs to the
	 * caller, who closes it after the session. NULL: a task has the name from the file's list until an event
	 * names it
	 */
	struct rs_source *ahead;
	uint64_t ahead_bytes;       /* limit of that reader; 0: RS_FIRST_NAMES_BYTES */
	const struct rs_viewers *viewers; /* outlives the session; may be NULL */
	struct rs_fd_requester fd_requester; /* live, if every call of every process is captured; .ask may be NULL */
	struct rs_fd_requester terminal_requester; /* live, of a session with viewers; not together with fd_requester */
};

/* A view and the analysis that owns it. */
struct rs_view_ref {
	const struct rs_analysis *analysis;
	const struct rs_view *view;
	unsigned int index;         /* in analysis->views */
};

/* All analyses, NULL at the end: the built-in ones in sorted order, then the loaded plugins (plugins.h). */
const struct rs_analysis *const *rs_plugins_all(void);
/* Finds a view by name; false: err suggests a similar name. */
bool rs_requirements_find_view(const char *name, struct rs_view_ref *ref, struct rs_error *err);

/* The kernel events that the analyses require, without duplicates, required ones first. Returns the number. */
struct rs_event_requirement {
	const char *system, *name;
	enum rs_requirement_kind need;
	enum rs_scope by;
	const struct rs_analysis *analysis; /* the first that requires it; NULL: the engine itself */
};
size_t rs_requirements_list(const struct rs_session_config *config, struct rs_event_requirement *needs,
			    size_t max);
/* Not missed where this kernel lacks it: an older or newer kernel has another event for the same. */
bool rs_requirement_is_replaced(const char *tracefs, const struct rs_event_requirement *need);

/* The data of /proc that the analyses require, enum rs_sample: the live source needs it before it begins. */
unsigned int rs_session_samples(const struct rs_session_config *config);

struct rs_session *rs_session_new(const struct rs_session_config *config, struct rs_error *err);
void rs_session_free(struct rs_session *s);

int rs_session_subscribe(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query, struct rs_sink *sink);
/* Rows of the view are no longer made, until the next rs_session_subscribe. */
void rs_session_unsubscribe(struct rs_session *s, const struct rs_view_ref *view);
/* Call before attach, at most 4 times. Returns -1 if it is too late, or there are too many. */
int rs_session_emit_span(struct rs_session *s, struct rs_span_sink *sink);
/* Emits the spans in flight to that sink alone. After rs_session_end nothing: that emitted them to all sinks. */
void rs_session_emit_in_flight(struct rs_session *s, struct rs_span_sink *sink);
int rs_session_attach(struct rs_session *s, struct rs_source *source, struct rs_error *err);

/* Why an analysis does not run on this source, or just now; NULL: it runs. Call after attach. */
const char *rs_session_disabled(const struct rs_session *s, const struct rs_analysis *a);

/*
 * The same for a recording that was read; also names an event that is declared but was never recorded: zeros would
 * look like an idle machine. NULL: the analysis has data, though it may have no row. Valid as long as the session.
 */
const char *rs_session_nothing(struct rs_session *s, const struct rs_analysis *a);

/*
 * rs_session_event - live: turns an event off, or on again (see rs_capture_event)
 *
 * Analyses that require it are off meanwhile, with that reason; columns that need it are null. False: too many events
 * are off.
 */
bool rs_session_event(struct rs_session *s, const char *system, const char *name, bool on);

/* Has a task been seen that passes -p, -t, -c? True if nothing is narrowed. */
bool rs_session_selects_any(const struct rs_session *s);

uint64_t rs_session_events(const struct rs_session *s); /* handled so far */
/*
 * The number of events of a kind handled so far, and the kind's id: UINT32_MAX if the trace does not have it (0
 * events).
 */
uint32_t rs_session_event_id(const struct rs_session *s, const char *system, const char *name);
/* The kinds of events that this session has read from a recording. False: live, each event that is on is recorded. */
bool rs_session_recorded(const struct rs_session *s, struct rs_event_id_set *set);
uint64_t rs_session_events_of(const struct rs_session *s, uint32_t id);

/* True if the recording was read and no event (on any CPU) was at from_ns or later. Not if to_ns came first. */
bool rs_session_all_before_from(const struct rs_session *s);
uint64_t rs_session_now_ns(const struct rs_session *s); /* all earlier events have been handled */

enum rs_run_result { RS_RUN_MORE, RS_RUN_WAIT, RS_RUN_END };
/*
 * Handles events in the order of time: max_events and the rest of a page at most. WAIT: a live source has nothing
 * now.
 */
enum rs_run_result rs_session_run(struct rs_session *s, uint64_t max_events, struct rs_error *err);
/*
 * Live, after WAIT: sets now to the time up to which no event can come any more, rather than that of the last event.
 * On a quiet machine what is in flight grows older, and an interval keeps its length.
 */
void rs_session_advance(struct rs_session *s);
/* Ends the session at the time of the last event; call rows and check after it, or live at any time. */
void rs_session_end(struct rs_session *s);

/* Live: reads /proc again if an analysis requires it, for the next rows and reset. */
void rs_session_sample(struct rs_session *s);
/* 0, or -ENOMEM: rows are missing, which must be said beside those that came. */
int rs_session_rows(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query, struct rs_sink *sink);
void rs_session_reset(struct rs_session *s); /* -I */
/* What is in flight in all analyses, unordered, and their findings. See ringside/finding.h. */
void rs_session_list_in_flight(struct rs_session *s, struct rs_open_sink *sink);
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
/* Verifies the accounting invariants of SEMANTICS: calls invariant for each with its imbalance, 0 if it holds. */
void rs_session_check(struct rs_session *s, void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);

#endif
