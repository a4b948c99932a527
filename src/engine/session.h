/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - runs analyses over the events of a source, and returns their rows
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
#include "source/live/task-snapshot.h"
#include "source/source.h"
#include "tracefs/guardian.h"

#define RS_MAX_ANALYSES 96

/* The tasks whose work is shown; empty: all. */
struct rs_selection {
	const int32_t *pids, *tids; /* -p, -t; children are selected with their parent */
	size_t nr_pids, nr_tids;
	int32_t command;            /* pid of -- COMMAND, selected as by -p; 0: none */
	bool no_children;           /* do not select the children of selected tasks */
	const char *comm_glob;      /* -c */
	const char *cgroup_glob;    /* --cgroup: see rs_cgroups_match */
	/* live: the kernel filters by these ids, so events of other tasks are not read */
	bool by_kernel;
	const char *cpus;           /* list of -C; NULL: all */
	bool self;                  /* --self: show ringside's own tasks, too */
};

/* Looks up the path of a process' file descriptor. Neither function blocks. */
struct rs_fd_requester {
	/* returns false if it cannot take a request now */
	bool (*ask)(void *arg, int32_t pid, int32_t fd);
	/* returns false if there is no reply yet; read_ns is in the trace clock */
	bool (*answer)(void *arg, struct rs_fd_reply *reply);
	void *arg;
};

struct rs_viewers;
struct rs_event_id_set;
struct rs_in_flight_list;
struct rs_finding_list;
struct rs_machine_ends;

struct rs_session_config {
	const struct rs_analysis *analyses[RS_MAX_ANALYSES];
	unsigned int nr_analyses;
	struct rs_selection selection;
	bool exact;                 /* --exact: infer no switch where one is missing */
	/* no rows will be requested: skip work that only tables need, but what findings are made of */
	bool only_spans;
	/*
	 * The time range, in the trace clock; to_ns 0: no end. Sums take the part inside: see rs_latency_add
	 * in plugin.h
	 */
	uint64_t from_ns, to_ns;
	/*
	 * Findings over time: after each step_ns of the time range, and at its end, end_step is called, and
	 * the session is reset, as live. Steps without any event that follow one another are one. 0: no steps
	 */
	uint64_t step_ns;
	void (*end_step)(void *arg, struct rs_session *s, uint64_t from_ns, uint64_t to_ns);
	void *step_arg;
	bool is_part;               /* the session reads only a part of the recording */
	/* rows are asked for before the recording is read, and again later: none reads ahead for them */
	bool answers_early;
	/*
	 * for a part: the event ids in the whole recording, from rs_session_recorded of a session that read
	 * it. Outlives the session; NULL: unknown, each declared event counts as recorded
	 */
	const struct rs_event_id_set *recorded;
	bool to_is_known;           /* every event up to to_ns is available: time without events was idle */
	/* -e: "sys:event", "sys", "event", with * and ?: for RS_NAMED; outlives the session */
	const char *const *events;
	size_t nr_events;
	/* the arguments after the view's name, for .pairs; outlive the session */
	struct rs_pair_words asked;
	const char *filters, *machine; /* for the quality line */
	/* of several hosts, for the quality line: its times are told in another clock; NULL: in its own */
	const struct rs_host_clock *host_clock;
	const struct rs_machine_ends *machine_ends; /* outlives it; NULL: it is alone */
	const char *input;          /* name of the recording, for commands that rows suggest; NULL: live */
	bool of_window;             /* it is a daemon's window: such commands give its time alone */
	/*
	 * analyses that use samples have them: findings name functions that run. Live, the CPUs are sampled
	 * for that
	 */
	bool names_code;
	bool names_cgroups;         /* rows are asked for by control group: live, those of tasks are read */
	/* it reports findings: what the analyses require for these is required, too */
	bool findings;
	/* rules whose findings are not reported: "disk-wait,cpu-hog"; NULL: none */
	const char *silence;
	struct rs_time_asked asked_why;  /* of views that divide time; its texts outlive the session */
	size_t max_tasks;           /* 0: the default */
	size_t max_stacks;          /* frames of all stacks together; 0: the default */
	void *arg;                  /* for a subscriber: see model/subscriber.h */
	/*
	 * for streams of a recording: a second source of it, which is read ahead to find names
	 * (first-names.h). The caller closes it after the session. NULL: until an event names a task, it has
	 * the name in the file's cmdlines
	 */
	struct rs_source *ahead;
	uint64_t ahead_bytes;       /* reads at most this many bytes ahead; 0: RS_FIRST_NAMES_BYTES */
	const struct rs_viewers *viewers; /* outlives the session; may be NULL */
	/* live, if every call of every process is captured; .ask may be NULL */
	struct rs_fd_requester fd_requester;
	bool shows_fds;             /* of a recording: calls show the paths that it has */
	/*
	 * live, of a session with viewers: descriptors are looked up where an analysis asks for the socket of
	 * one, and reads from terminals are found. Files are not followed, which costs each call on one
	 */
	bool for_viewers;
	/* live: of RS_FD_CONTAINER alone, what a process' container is called; .ask may be NULL */
	struct rs_fd_requester container_requester;
};

/* A view and the analysis that owns it. */
struct rs_view_ref {
	const struct rs_analysis *analysis;
	const struct rs_view *view;
	unsigned int index;         /* in analysis->views */
};

/* All analyses, NULL at the end: the built-in ones in sorted order, then the loaded plugins (plugins.h). */
const struct rs_analysis *const *rs_plugins_all(void);
/* Finds a view by name. Returns false with err set, which suggests a similar name. */
bool rs_requirements_find_view(const char *name, struct rs_view_ref *ref, struct rs_error *err);
/*
 * Returns true if it looks back in time and is not run by default: a service runs it over a time range that
 * is asked about.
 */
bool rs_requirements_on_demand(const struct rs_analysis *a);

/* The names of files that calls are given, which an analysis requires: those of opens, or of stat, too. */
enum rs_call_names { RS_CALL_NAMES_NONE, RS_CALL_NAMES_OPEN, RS_CALL_NAMES_ALL };

/* A kernel event that the analyses require. */
struct rs_event_requirement {
	const char *system, *name;
	enum rs_requirement_kind need;
	enum rs_scope by;
	const struct rs_analysis *analysis; /* the first that requires it; NULL: the engine itself */
	/* and the names that calls are given, where the kernel can read them: see tracefs/eprobes.c */
	enum rs_call_names with_names;
};
/*
 * Lists the events that the analyses require, without duplicates, required ones first. Returns their number.
 */
size_t rs_requirements_list(const struct rs_session_config *config, struct rs_event_requirement *needs,
			    size_t max);
/* Returns true if this kernel has another event for the same purpose, so that a missing one is no loss. */
bool rs_requirement_is_replaced(const char *tracefs, const struct rs_event_requirement *need);

/*
 * Returns false if no control group was counted: live, version 2 of them is not mounted, or its cpu.stat
 * could not be read.
 */
bool rs_cgroup_growth_is_known(const struct rs_session *s);

/* Returns the samples of /proc that the analyses require, enum rs_sample, for rs_live_open. */
unsigned int rs_session_samples(const struct rs_session_config *config);
/* Returns the kinds of stacks that the analyses require, as --stacks; NULL: none. */
const char *rs_session_stacks(const struct rs_session_config *config);

/* Parses a list "0,2-4" of -C into shown[nr]; NULL list: all. */
int rs_session_select_cpus(const char *list, bool *shown, unsigned int nr, struct rs_error *err);

struct rs_session *rs_session_new(const struct rs_session_config *config, struct rs_error *err);
void rs_session_free(struct rs_session *s);

int rs_session_subscribe(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query,
			 struct rs_sink *sink);
/* Makes no more rows of the view, until the next rs_session_subscribe. */
void rs_session_unsubscribe(struct rs_session *s, const struct rs_view_ref *view);
/* Adds a sink for spans. Call it before attach, at most 4 times; else it returns -1. */
int rs_session_emit_span(struct rs_session *s, struct rs_span_sink *sink);
/*
 * Emits the spans in flight to this sink only. Does nothing after rs_session_end, which has emitted them to
 * all sinks.
 */
void rs_session_emit_in_flight(struct rs_session *s, struct rs_span_sink *sink);
int rs_session_attach(struct rs_session *s, struct rs_source *source, struct rs_error *err);

/* Returns why an analysis does not run on this source, or not now; NULL: it runs. Call it after attach. */
const char *rs_session_disabled(const struct rs_session *s, const struct rs_analysis *a);

/*
 * Returns why an analysis has no data, after a recording was read: as rs_session_disabled, or because an
 * event is declared but was never recorded (zeros would look like an idle machine). NULL: it has data, though
 * perhaps no rows. Valid as long as the session.
 */
const char *rs_session_nothing(struct rs_session *s, const struct rs_analysis *a);

/*
 * rs_session_event - live: turns an event off, or on again (see rs_capture_event)
 *
 * Analyses that require it are off meanwhile, with that reason; columns that need it are null. False: too
 * many events are off.
 */
bool rs_session_event(struct rs_session *s, const char *system, const char *name, bool on);
/* live, of a follower: the session that it follows knows this; later than the events up to .since_ns. */
void rs_session_add_socket(struct rs_session *s, const struct rs_fd_socket *known);

/* Is a call of that number of one of these classes (enum rs_call_class)? As rs_call_is. */
bool rs_session_call_is(const struct rs_session *s, int64_t nr, uint32_t classes);

/* Returns true if a task was seen that passes -p, -t and -c, or if there is no such filter. */
bool rs_session_selects_any(const struct rs_session *s);

uint64_t rs_session_events(const struct rs_session *s); /* number of events handled so far */
/*
 * Returns true if nothing was read, and no time has passed, since the stamp was taken; else takes it anew.
 * What costs much is made once for several questions, above all of a file that was read. {0}: none was taken.
 */
struct rs_session_stamp {
	uint64_t nr_events, nr_gaps, now_ns;
	bool ended;
};
bool rs_session_is_unchanged(const struct rs_session *s, struct rs_session_stamp *since);
/*
 * Returns the id of an event, UINT32_MAX if the trace does not have it. rs_session_events_of returns how many
 * of these events were handled so far.
 */
uint32_t rs_session_event_id(const struct rs_session *s, const char *system, const char *name);
/*
 * Returns the event ids that this session has read from a recording. Returns false if live: each enabled
 * event is recorded.
 */
bool rs_session_recorded(const struct rs_session *s, struct rs_event_id_set *set);
uint64_t rs_session_events_of(const struct rs_session *s, uint32_t id);

/* Returns true if the recording was read to its end and has no event at from_ns or later, on any CPU. */
bool rs_session_all_before_from(const struct rs_session *s);
/* Were events lost, on any CPU, in from_ns <= t < to_ns? */
bool rs_session_lost_in(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns);
uint64_t rs_session_now_ns(const struct rs_session *s); /* all events before this time have been handled */

enum rs_run_result { RS_RUN_MORE, RS_RUN_WAIT, RS_RUN_END };
/*
 * Handles events in time order: at most max_events and the rest of a page. Returns RS_RUN_WAIT if a live
 * source has no events now.
 */
enum rs_run_result rs_session_run(struct rs_session *s, uint64_t max_events, struct rs_error *err);
/*
 * Live, after RS_RUN_WAIT: advances the session's time to the merge's watermark, instead of the last event's
 * time. So on a quiet machine durations in flight keep growing, and an interval has its full length.
 */
void rs_session_advance(struct rs_session *s);
/*
 * Ends the session at the time of the last event. Call rs_session_rows and rs_session_check after it, or live
 * at any time.
 */
void rs_session_end(struct rs_session *s);

/* Live: reads /proc again if an analysis requires it, for the next rows and reset. */
void rs_session_sample(struct rs_session *s);
/* Returns 0, or -ENOMEM if rows are missing: then say so beside the rows. */
int rs_session_rows(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query,
		    struct rs_sink *sink);
void rs_session_reset(struct rs_session *s); /* -I: an interval ends, and the next one begins */
/*
 * After that: forgets tasks that ended before the time. Without it a session that goes on for days keeps each
 * task that there has been, up to max_tasks.
 */
void rs_session_expire_tasks(struct rs_session *s, uint64_t before_ns);
/* Adds what is in flight in all analyses: see in-flight-list.h. What they find wrong: why/findings.h. */
void rs_session_list_in_flight(struct rs_session *s, struct rs_in_flight_list *list);
/* Are all rules of the analysis silenced, if it has rules at all? Then there is nothing to ask it. */
bool rs_session_silences(const struct rs_session_config *config, const struct rs_analysis *a);
void rs_session_quality(struct rs_session *s, struct rs_quality *quality);
/*
 * rs_session_initial_tasks - makes an initial task snapshot for a session that begins at from_ns
 *
 * Adds the tasks that were alive at from_ns to `living`, including those of this session's own snapshot, and
 * the tasks that were created after that and up to to_ns to `created` (may be NULL), for readers that do not
 * decode events. The source owns the cgroup texts. Adds no tasks for a time that this session has not
 * reached. Returns -1 without memory.
 */
int rs_session_initial_tasks(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
			     struct rs_task_snapshot *living,
			     struct rs_task_snapshot *created);
struct rs_cgroup_list;
/*
 * Adds what control groups counted at about these times, live; rs_cgroup_counts_done frees it. -1: no memory.
 */
int rs_cgroup_readings_rows(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
			    struct rs_cgroup_list *rows);

struct rs_pressure_list {
	struct rs_pressure_reading *row; /* freed by free() */
	size_t nr, room;
};
/*
 * Likewise, what their pressure had come to at each reading of the range, and at those around it; their paths
 * are those of the rows, which are of the same range. -1: no memory.
 */
int rs_cgroup_readings_pressure(const struct rs_session *s, uint64_t from_ns, uint64_t to_ns,
				const struct rs_cgroup_list *rows, struct rs_pressure_list *list);
/*
 * Verifies the accounting invariants of SEMANTICS: calls invariant for each, with its imbalance: 0 if it
 * holds.
 */
void rs_session_check(struct rs_session *s,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);

#endif
