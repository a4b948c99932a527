/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - the session's body, shared by the files of engine/ alone
 */
#ifndef RS_ENGINE_INTERNAL_H
#define RS_ENGINE_INTERNAL_H

#include "base/buf.h"
#include "decode/event-text.h"
#include "decode/formats.h"
#include "decode/merge.h"
#include "engine/call-shape.h"
#include "engine/calls.h"
#include "engine/fd-paths.h"
#include "engine/first-names.h"
#include "engine/irq-sources.h"
#include "engine/matcher.h"
#include "engine/requests.h"
#include "engine/session.h"
#include "engine/states.h"
#include "engine/syscall-names.h"
#include "engine/viewers.h"
#include "engine/waits.h"
#include "source/symbols.h"

#define RS_MAX_STREAMS 32         /* streams of one analysis: bits of rs_ctx.listening */

#define RS_NO_EVENT UINT32_MAX

#define RS_NR_LOCK_FLAGS 6      /* enum rs_lock_flags */
#define RS_MAX_SPAN_SINKS 4

enum rs_engine_part {
	RS_ENGINE_TASKS, RS_ENGINE_STATES, RS_ENGINE_CALLS, RS_ENGINE_REQUESTS, RS_ENGINE_LOCKS, RS_ENGINE_STALLS,
	RS_ENGINE_IRQS, RS_NR_ENGINE_PARTS,
};

/* One handler of one event, with the fields it asked for. */
struct rs_target {
	rs_handler *handler;
	struct rs_ctx *ctx;
	const struct rs_field *fields;
};

/* All handlers of an event id. */
/* What an event proves of who is on its CPU: see context.c. */
enum rs_context_kind {
	RS_CONTEXT_EVIDENCE,
	RS_CONTEXT_SWITCHING,   /* part of a switch: nothing, of the task that leaves */
	RS_CONTEXT_COMPANION,   /* part of the event before it: nothing */
};

struct rs_route {
	uint32_t min_len_bytes;
	uint32_t nr;            /* 0: nobody asked, and targets may be NULL */
	uint32_t nr_of_all;     /* of these, who asked for all events (RS_NAMED) */
	uint64_t nr_events;     /* of this kind so far */
	enum rs_context_kind context;
	struct rs_target *targets; /* nr of them, and one without a handler, which ends the list */
};

/* An event that an analysis asked for, as this trace has it. */
struct rs_binding {
	const struct rs_requirement *requirement;
	struct rs_bound bound;
};

/* An analysis in this session. */
struct rs_analysis_instance {
	const struct rs_analysis *analysis;
	struct rs_ctx ctx;
	struct rs_query query;
	struct rs_sink *sinks[RS_MAX_STREAMS];
	struct rs_binding *bindings;    /* those that are there; what is bound has its place for ever */
	size_t nr_bindings, size_bindings;
	char disabled[160];             /* why it cannot run; "" it does */
	char off[160];                  /* why it does not run just now, switch.c */
	char unrecorded[160];           /* why it has nothing to say, though it ran, recorded.c */
};

/* Who was seen last on a CPU: the look-up that most events save. */
struct rs_cpu_context {
	int32_t tid;
	uint32_t generation;
	struct rs_task_instance *inst;
	const struct rs_cpu *cpu;       /* whom the states have on it */
	int32_t context_tid;            /* in whose context its last event fired */
};

/* sched_wakeup says when a waking was done; sched_waking, in kernels since 4.3, when it began. */
enum rs_wakeups { RS_WAKEUPS_UNSURE, RS_WAKEUPS_ALONE, RS_WAKEUPS_SECOND };

/* Do records say whether interrupts were off? */
enum rs_irqs_told { RS_IRQS_UNSURE, RS_IRQS_TOLD, RS_IRQS_NOT_TOLD };

/* Alive when /proc was read; gone: an event has told of it since, and the engine knows its state itself, or never will. */
struct rs_unseen_task {
	const struct rs_initial_task *initial;
	bool seen;
};

/* What the data quality had counted where the time range began. */
struct rs_range_counts {
	uint64_t events, unmatched, discarded, inferred, evicted, late, bad_pages, bad_records;
};

struct rs_named_call;

#define RS_MAX_OFF 64

/* An event that was turned off while the capture runs. */
struct rs_off_event {
	char system[48], name[80];
};

struct rs_session {
	struct rs_session_config config;
	struct rs_source *source;
	struct rs_formats *formats;
	struct rs_first_names *first_names; /* NULL none */
	struct rs_merge *merge;
	struct rs_common common;
	bool swaps;                     /* the recording is of the other byte order */
	struct rs_route *routes;        /* by event id */
	unsigned int nr_routes;
	struct rs_cpu_context *cpu_contexts;
	bool *cpu_shown;                /* -C */
	struct rs_tasks tasks;
	struct rs_states states;
	struct rs_calls calls;
	struct rs_requests requests;
	struct rs_matcher *matchers;    /* the first of all, see matcher.h */
	struct rs_irq_sources irq_sources;
	uint64_t lock_bits[RS_NR_LOCK_FLAGS]; /* the kernel's bit of each of ours; 0: it has none */
	struct rs_syscall_names *syscalls;
	struct rs_named_pair **named_pairs; /* named-pairs.c */
	unsigned int nr_named_pairs;
	struct rs_named_call *named_calls; /* call-events.c */
	struct rs_call_shapes *call_shapes; /* NULL until a call is shown */
	unsigned int nr_named_calls;
	bool named_call_seen[RS_MAX_CALL_NUMBERS]; /* an event of this single call came */
	const uint8_t *call_kinds;      /* by rs_call_place: rs_syscall_kinds */
	struct rs_symbols *symbols;     /* read when the first name is asked for */
	char symbol[RS_SYMBOL_TEXT];    /* that was asked for last */
	struct rs_buf call_text;        /* of the call that was asked for last */
	struct rs_event_ids *event_ids; /* made when the first is asked for that has not come */
	bool calls_occur;               /* of a time range, or of a part: in all of the recording */
	struct rs_event_texts *event_texts; /* made when the first text is asked for */
	struct rs_buf event_print;      /* likewise, as the kernel prints it */
	struct rs_buf event_text;       /* of the event that was asked for last */
	struct rs_fd_paths *fd_paths;   /* NULL: descriptors are numbers */
	struct rs_terminals *terminals; /* NULL: nobody knows what is read */
	char call_words[6 * 19];        /* likewise: "0x", 16 digits and what is between, or ends it */
	const struct rs_initial_task **snapshot;   /* sorted by tid */
	size_t nr_initial, nr_initial_read;
	struct rs_unseen_task *unseen;  /* of the seeds, those that lived when the capture began, by tid */
	size_t nr_unseen;
	const struct rs_proc_sample *sample; /* the latest; NULL none */
	char letters[32];
	struct rs_off_event off[RS_MAX_OFF];
	unsigned int nr_off;
	uint32_t exec_id;               /* of sched_process_exec; RS_NO_EVENT */
	enum rs_wakeups wakeups;        /* known when the first sched_wakeup comes */
	enum rs_irqs_told irqs_told;    /* learnt from the first sched_switch */
	struct rs_analysis_instance parts[RS_NR_ENGINE_PARTS]; /* the engine's own wants */
	struct rs_analysis_instance analyses[RS_MAX_ANALYSES];
	unsigned int nr_analyses;
	/* who has which callback: dense lists, so that nothing is asked for each event */
	struct rs_analysis_instance *on_interval[RS_NR_STATES][RS_MAX_ANALYSES];
	struct rs_analysis_instance *on_call[RS_NR_CALL_KINDS][RS_MAX_ANALYSES];
	struct rs_analysis_instance *on_switch_in[RS_MAX_ANALYSES], *on_queue[RS_MAX_ANALYSES];
	struct rs_analysis_instance *on_request[RS_MAX_ANALYSES], *on_depth[RS_MAX_ANALYSES];
	struct rs_analysis_instance *on_contention[RS_MAX_ANALYSES], *on_stall[RS_MAX_ANALYSES],
	*on_wait[RS_MAX_ANALYSES];
	struct rs_analysis_instance *on_irq[RS_MAX_ANALYSES];
	unsigned int nr_on_request, nr_on_depth, nr_on_contention, nr_on_stall, nr_on_wait, nr_on_irq;
	unsigned int nr_on_interval[RS_NR_STATES], nr_on_call[RS_NR_CALL_KINDS], nr_on_switch_in, nr_on_queue;
	bool joins;                     /* somebody is told of waits, contention or stalls */
	struct rs_span_sink *span_sinks[RS_MAX_SPAN_SINKS];
	unsigned int nr_span_sinks;
	uint64_t now_ns, begin_ns;
	const struct rs_event *now_ev;  /* that is being handled, or was; NULL outside of rs_session_run */
	uint64_t next_check_ns;            /* the first event, --from or --to: no event before it needs a look */
	bool names_it;                  /* a life begins by an event that names it */
	bool begun, ended, muted, cut;  /* muted: before --from; cut: an event after --to came */
	/* trust */
	uint64_t nr_events, nr_late, nr_bad_records, nr_unmatched, nr_discarded, nr_evicted;
	struct rs_range_counts before_range;
	uint64_t nr_unrouted;           /* events of a kind whose format is not known */
	uint64_t nr_gaps, nr_gaps_uncounted, *lost_by_cpu, *uncounted_by_cpu;
};

static inline struct rs_task_instance *rs_task_instance_of(const struct rs_task *t)
{
	return (struct rs_task_instance *)(uintptr_t)t; /* the task is its first member */
}

/* events.c: the letter of a prev_state by the recording's own format. */
char rs_task_events_state_letter(const struct rs_session *s, uint64_t prev_state);

/* events.c, call-events.c, contentions.c, stalls.c, irq-events.c: the engine's own handlers, as an analysis each. */
extern const struct rs_analysis *const rs_engine_parts[RS_NR_ENGINE_PARTS];
extern const struct rs_analysis rs_engine_calls, rs_engine_locks, rs_engine_stalls, rs_engine_irqs;
void rs_irqs_range_begin(struct rs_session *s);  /* the time range begins */

/*
 * call-events.c: finds the events of single calls, syscalls:sys_enter_NAME and sys_exit_NAME. 1: both kinds are there, so
 * that they serve where those of all calls do not; 0: not; -1: no memory
 */
int rs_named_pairs_bind(struct rs_session *s, struct rs_analysis_instance *instance); /* 0, or -1 without memory; where it has none it is off */
int rs_named_pairs_route(struct rs_session *s);
void rs_named_pairs_done(struct rs_session *s);
int rs_call_events_find_named(struct rs_session *s);
int rs_call_events_route_named(struct rs_session *s);    /* 0, or -1 without memory */

/* tell.c: sets up the engine's parts to tell the analyses; after the fields are bound. 0, or -1 without memory */
int rs_dispatch_begin(struct rs_session *s);
void rs_dispatch_list(struct rs_session *s);   /* who has which callback, now that it is known who can run */
void rs_dispatch_call(struct rs_session *s, const struct rs_call *call);
void rs_dispatch_contention(struct rs_session *s, const struct rs_contention *contention);
void rs_dispatch_stall(struct rs_session *s, const struct rs_stall *stall);
void rs_dispatch_call_in_flight(struct rs_session *s,
				const struct rs_call *call); /* where a time range ends */
void rs_dispatch_gap(void *session, const struct rs_gap *gap);

/* context.c: after the routes; the flags of the first sched_switch; an event fired in the context of a task that is not
 * the one on its CPU as far as known, and the event before it there in that of tid_before. */
void rs_context_bind(struct rs_session *s);
void rs_context_learn_flags(struct rs_session *s, uint64_t switch_flags);
void rs_context_check(struct rs_session *s, const struct rs_cpu_context *context, int32_t tid_before, const struct rs_event *ev);

/*
 * recorded.c: was it recorded? Live what is declared was turned on. Of a recording one such event must be there, in the
 * part that is read or elsewhere: where nobody has told (config.recorded) the file is read on until one comes.
 */
bool rs_session_occurs(struct rs_session *s, uint32_t id);
/* call-events.c: likewise of any system call, of all or by name */
bool rs_calls_occur(struct rs_session *s);
/* waits.c: were they, as far as a part of a recording can know */
bool rs_waits_calls_are_recorded(const struct rs_session *s);

/* session.c: what it was in the middle of never ends. */
void rs_session_end_task(struct rs_session *s, struct rs_task_instance *inst, uint64_t ts_ns);

/* range.c: the time range begins with the event at hand; it ends now. */
void rs_range_begin(struct rs_session *s);
void rs_range_end(struct rs_session *s);
/* Takes out of the data quality what came before the range. */
void rs_range_quality(const struct rs_session *s, struct rs_quality *quality);

/* session-quality.c: what the data quality sums up, without what is in flight; .events is not filled in. */
struct rs_range_counts rs_session_counts(const struct rs_session *s);
void rs_session_log_quality(struct rs_session *s); /* --debug match */

/* unseen.c: after the names; an event about tid came */
int rs_initial_tasks_init(struct rs_session *s);
void rs_initial_tasks_seen(struct rs_session *s, int32_t tid);

/* select.c */
void rs_session_select(struct rs_session *s, struct rs_task_instance *inst);
bool rs_session_select_narrows(const struct rs_selection *sel);
/* -p and -t ask for what this task makes too; what -c asks for is judged of each by itself. */
bool rs_session_select_follows(const struct rs_session *s, const struct rs_task_instance *parent);
/* Parses a list "0,2-4" of -C into shown[nr]; NULL list: all. */
int rs_session_select_cpus(const char *list, bool *shown, unsigned int nr, struct rs_error *err);

/* bind.c */
int rs_bind_all(struct rs_session *s, struct rs_error *err);
void rs_bind_undo_all(struct rs_session *s);
/* Routes what is bound, of all that is not off, anew. 0, or -1 without memory: then nothing of some goes anywhere */
int rs_bind_routes(struct rs_session *s);
int rs_bind_target(struct rs_session *s, unsigned int id, const struct rs_target *target); /* one more; -1: no memory */

/* switch.c */
bool rs_session_event_is_off(const struct rs_session *s, const char *system, const char *name);

/* Are the part's events turned on for this analysis? And can it do nothing without them? */
bool rs_bind_part_requested(const struct rs_analysis *a, enum rs_engine_part part);
bool rs_bind_part_required(const struct rs_analysis *a, enum rs_engine_part part);

#endif
