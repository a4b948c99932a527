/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin.h - an analysis: one file that ends in one const descriptor
 *
 * The descriptor declares events and fields, a handler for each, what the
 * analysis keeps, and the views it offers. From that follow the events that are
 * turned on, the commands, the formats and the help. An analysis never opens a
 * file, never prints and does not know who is watching.
 *
 * It is built in (plugins/NAME.c) or a shared object NAME.so, from the same source:
 *
 *	cc -std=c11 -O2 $(pkg-config --cflags ringside) -fPIC -shared -o hello.so hello.c
 *
 * which exports one thing, the descriptor, as rs_analysis_NAME after the file (a dash
 * is an underscore there), and calls what these headers declare. RS_ABI moves when
 * anything in them does; a shared object of another number is refused, by name.
 */
#ifndef RINGSIDE_PLUGIN_H
#define RINGSIDE_PLUGIN_H

#include "culprit.h"
#include "event.h"
#include "hist.h"
#include "irq.h"
#include "match.h"
#include "power.h"
#include "request.h"
#include "sample.h"
#include "socket.h"
#include "span.h"
#include "store.h"
#include "table.h"
#include "task.h"
#include "wait.h"

#define RS_ABI 28
#define RS_MAX_FIELDS 12

/*
 * An array that one member alone points to: .callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = on_call
 * })
 */
#define RS_LIST(type, ...) ((const struct type[]){ __VA_ARGS__, { 0 } })

/* How an analysis gets at its memory and at the session that runs it. */
struct rs_ctx {
	void *state;                 /* .state_size bytes, zeroed */
	size_t task_offset;          /* of its bytes in each task: use rs_task_data */
	const struct rs_query *query; /* options of the stream views; never NULL */
	uint32_t subscribed;          /* bit n: stream view n has a subscriber */
	bool spans_enabled;          /* there is a sink for spans */
	/* and one of the sinks reads .values: else expensive values may be left out */
	bool span_values_enabled;
	/* only spans are used: no table or histogram will be requested, nor findings that are made of them */
	bool no_rows;
	uint64_t range_from_ns;      /* start of the time range: see rs_latency_add; 0: none */
	/*
	 * the time range has ended, and what was in flight was reported up to there: it is counted, not in
	 * flight
	 */
	bool range_ended;
	struct rs_session *session;
	const struct rs_store_access *store_access; /* by the number of the store: see rs_store_row */
	struct rs_store_rows *stores; /* the engine's */
	struct rs_matcher *matchers;  /* likewise, by the number of the match */
	struct rs_allocation *allocations; /* of rs_alloc */
};

typedef void rs_handler(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f);

enum rs_requirement_kind {
	RS_REQUIRED,     /* without it the analysis is off, with the reason */
	RS_OPTIONAL,     /* without it columns are null */
	RS_FALLBACK,     /* used only where the row above is absent */
	RS_PASSIVE,      /* used if it was recorded, but never enabled for this analysis */
	RS_NAMED,        /* each event that the user named (-e); without -e, each event that was recorded */
};

enum rs_scope {
	RS_BY_TASK,      /* fired by the task itself: -p can filter it in the kernel */
	RS_BY_ANYONE,    /* also fired by other tasks about a task: never filtered in the kernel */
};

struct rs_requirement {
	const char *system, *name;         /* of RS_NAMED: may be patterns, "*" */
	enum rs_requirement_kind need;
	enum rs_scope by;
	rs_handler *handler;
	const char *fields[RS_MAX_FIELDS]; /* "?name": optional; ends with NULL */
};

/* What the engine reports to an analysis, beside the events that it requires. */
enum rs_callback_kind {
	RS_ON_INTERVAL = 1, /* a state of a task or a CPU ended */
	RS_ON_SWITCH_IN,    /* a task was put on a CPU: its RS_RUN begins */
	RS_ON_QUEUE,        /* the depth of a CPU's run queue (without the running task) changed */
	/* a blocked task was woken, with the cause of its wait: enables all events that help to find it */
	RS_ON_WAIT,
	RS_ON_CALL,         /* a system call ended */
	RS_ON_REQUEST,      /* a block request completed */
	RS_ON_DISK_DEPTH,   /* a device was issued a request, or completed one */
	RS_ON_CONTENTION,   /* contention on a kernel lock ended */
	RS_ON_STALL,        /* a stall for memory ended */
	RS_ON_IRQ,          /* an interrupt or a softirq ended */
	RS_ON_SOCKET,       /* a TCP socket changed: see socket.h */
	RS_ON_MESSAGE,      /* a task has sent or received on one: two events more for each message */
	RS_ON_ACCEPT,       /* a connection is queued for accept, or accepted: see socket.h */
	/* a wait for the answer to what its task has sent ended: see socket.h */
	RS_ON_ROUND_TRIP,
	RS_ON_POLLED,       /* the socket that a wait in a poll was for is told after it: see socket.h */
	RS_ON_PAIR,         /* a pair of .pairs ended */
	RS_ON_GAP,          /* events were lost */
	RS_ON_SAMPLE,       /* a CPU was sampled while a task ran: see sample.h */
	RS_ON_STACK,        /* the stack of an event that begins nothing, as a page fault: see sample.h */
	/* a function that allocates or frees memory was called, or returned: see sample.h */
	RS_ON_PROBE,
	RS_ON_SPAN,         /* a span that has a length ended, of any analysis: see span.h */
	RS_NR_CALLBACKS,
};

/*
 * A callback enables the events that the engine needs for it, except PAIR, GAP and SPAN. At most one of each
 * kind.
 */
struct rs_callback {
	enum rs_callback_kind on;
	union {
		void (*interval)(struct rs_ctx *c, const struct rs_interval *iv);
		void (*switch_in)(struct rs_ctx *c, struct rs_task *t);
		void (*queue)(struct rs_ctx *c, uint16_t cpu, unsigned int depth, uint64_t ts_ns);
		void (*wait)(struct rs_ctx *c, const struct rs_wait *wait);
		void (*call)(struct rs_ctx *c, const struct rs_call *call);
		void (*request)(struct rs_ctx *c, const struct rs_request *request);
		void (*disk_depth)(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns);
		void (*contention)(struct rs_ctx *c, const struct rs_contention *contention);
		void (*stall)(struct rs_ctx *c, const struct rs_stall *stall);
		void (*irq)(struct rs_ctx *c, const struct rs_irq *irq);
		void (*socket)(struct rs_ctx *c, const struct rs_socket_event *event);
		void (*message)(struct rs_ctx *c, const struct rs_socket_message *message);
		void (*accept)(struct rs_ctx *c, const struct rs_accept *accept);
		void (*round_trip)(struct rs_ctx *c, const struct rs_round_trip *trip);
		void (*polled)(struct rs_ctx *c, const struct rs_polled *polled);
		void (*pair)(struct rs_ctx *c, const struct rs_pair_end *pair);
		void (*gap)(struct rs_ctx *c, const struct rs_gap *gap);
		void (*sample)(struct rs_ctx *c, const struct rs_cpu_sample *sample);
		void (*stack)(struct rs_ctx *c, const struct rs_event_stack *stack);
		void (*probe)(struct rs_ctx *c, const struct rs_probe_hit *hit);
		void (*span)(struct rs_ctx *c, const struct rs_emitted_span *span);
	};
	/*
	 * only for these, 1 << RS_RUN | ...: states of INTERVAL, enum rs_call_kind of CALL, enum
	 * rs_probe_kind of PROBE; 0: all
	 */
	uint32_t kinds;
	/* CALL: of these kinds only the calls of tasks that it watches, see rs_watch_calls */
	uint32_t watched_kinds;
	/*
	 * CALL, REQUEST, IRQ, SAMPLE, PROBE, ROUND_TRIP, and INTERVAL beside .requires_states: requests none;
	 * is called if another analysis does, or the recording has them
	 */
	bool if_recorded;
};

/* Arrays end with an element of zeros; a NULL array is empty, a NULL function is not called. See RS_LIST. */
struct rs_analysis {
	uint32_t abi;                 /* RS_ABI; always the first member */
	const char *name, *summary;
	const struct rs_requirement *requirements; /* events, and who handles them */
	const struct rs_match *matches;     /* pairs of events of one task or CPU: see match.h */
	const struct rs_callback *callbacks;
	const struct rs_store *stores;      /* the rows of its views: see store.h */
	const struct rs_view *views;
	const struct rs_span_kind *spans;   /* what it puts on timelines: see span.h */
	/* enables the sched events; they are required if it has a callback for states */
	bool requires_states;
	/*
	 * past states and requests, see culprit.h: enables all events that help to find the causes of waits
	 */
	bool requires_history;
	bool requires_files;          /* follows descriptors: see task.h */
	/* the names that calls are given to open files, and to ask for their attributes: rs_call_path */
	bool requires_names;
	/* follows TCP sockets, and descriptors if it can: see rs_call_socket */
	bool requires_sockets;
	bool uses_stacks;             /* of events, where they were recorded: see sample.h */
	/*
	 * rs_hot_code of sample.h, for itself or its findings: a recording's samples are read, live ones
	 * taken if the user asks
	 */
	bool uses_samples;
	const char *requires_stacks;  /* and these kinds are recorded, as with --stacks: "off-cpu" */
	/*
	 * .requires_files and .requires_sockets for rows of a stream and for findings, in a recording that
	 * has the files or the events of sockets; enables nothing
	 */
	bool uses_files;
	/*
	 * For its findings alone: a session that reports none does without, unless the analysis requires it
	 * for its views.
	 */
	/* what each process waited for, and because of whom, see culprit.h; implies .requires_history */
	bool requires_blame;
	bool findings_require_states; /* as .requires_states */
	bool by_name;                 /* excluded from `summary` and from `record` by default: expensive */
	bool live_only;               /* it has no data in a recording */
	unsigned int samples;         /* enum rs_sample: what it needs from /proc, see sample.h */
	size_t state_size, task_size; /* bytes of c->state and of rs_task_data; zeroed when they begin */

	int (*begin)(struct rs_ctx *c);   /* 0, or a negative errno */
	/*
	 * Fills in at most max pairs of events, from the arguments of the command, and returns their number.
	 * The strings must be valid as long as `asked`.
	 */
	size_t (*pairs)(const struct rs_pair_words *asked, struct rs_pair *pairs, size_t max);
	void (*task_evict)(struct rs_ctx *c, struct rs_task *t); /* the task is about to be evicted */
	void (*end)(struct rs_ctx *c, uint64_t end_ns);
	/*
	 * What is in flight: its spans, at the end and for screens during the capture; a list of it, as text.
	 * See match.h
	 */
	void (*emit_in_flight)(struct rs_ctx *c, const struct rs_in_flight_to *to);
	void (*list_in_flight)(struct rs_ctx *c, const struct rs_in_flight_to *to);
	const struct rs_rule *rules;      /* what it can find wrong; ends with a NULL name */
	void (*findings)(struct rs_ctx *c); /* reports what is wrong: see rs_report_finding */
	/* an interval begins: stores are reset already; what is in flight stays */
	void (*reset)(struct rs_ctx *c);
	/* Calls invariant for each accounting invariant, with its imbalance: 0 if it holds. */
	void (*check)(struct rs_ctx *c,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);
};

/*
 * Allocates nr * size_bytes zeroed bytes, valid as long as the session. NULL: no memory. Do not call it for
 * each event.
 */
void *rs_alloc(struct rs_ctx *c, size_t nr, size_t size_bytes);

static inline void *rs_task_data(const struct rs_ctx *c, const struct rs_task *t)
{
	return (char *)t + c->task_offset;
}

static inline void *rs_store_row(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0,
				 uint64_t key1)
{
	const struct rs_store_access *a = &c->store_access[store];
	const struct rs_store_recent *r = t && a->task_offset ?
						  (const void *)((const char *)t + a->task_offset) :
						  a->no_task;

	r += (key0 ^ key1) & (RS_STORE_RECENT - 1);
	if (__builtin_expect(r->key0 == key0 && r->key1 == key1 && r->measures, 1))
		return r->measures;
	return rs_store_find(c, store, t, key0, key1);
}

static inline void *rs_store_row_of_stack(struct rs_ctx *c, unsigned int store, struct rs_task *t,
					  uint64_t key0, uint64_t key1, uint32_t stack)
{
	return __builtin_expect(stack, 0) ? rs_store_find_of_stack(c, store, t, key0, key1, stack) :
					    rs_store_row(c, store, t, key0, key1);
}

/*
 * rs_watch_calls - from now on an analysis is called for calls of its .watched_kinds by that task, or is not.
 * It costs nothing for other tasks: most calls are of no interest to most analyses.
 */
void rs_watch_calls(struct rs_ctx *c, const struct rs_task *t, bool is_watched);

static inline bool rs_has_subscriber(const struct rs_ctx *c, unsigned int view)
{
	return c->subscribed >> view & 1;
}

/* The values of three columns of a task: its name, its process, its tid. */
#define RS_TASK_VALUES(t) rs_s((t)->comm), rs_u_if((t)->pid, (uint64_t)(t)->pid), rs_u((uint64_t)(t)->tid)

/* ---- what the engine offers to an analysis ---- */

void rs_emit(struct rs_ctx *c, unsigned int view, const struct rs_value *values);

/*
 * rs_row_is_shown - returns false if a row of stream `view` with this latency (the column with
 * RS_COLUMN_LATENCY) would not be shown: it is less than -m, or than the rows of a full page, or the view has
 * no subscriber. Call it before making the row's texts.
 */
bool rs_row_is_shown(struct rs_ctx *c, unsigned int view, uint64_t lat_ns);

/*
 * rs_cell_is_shown - asked before a row of a stream is made, with what will be in one of its columns: may the
 * options show it (--syscall, -x)? The printer judges all columns; this saves the text of rows that it would
 * leave out.
 */
bool rs_cell_is_shown(struct rs_ctx *c, const struct rs_column *column, struct rs_value value);

static inline bool rs_spans_enabled(const struct rs_ctx *c)
{
	return c->spans_enabled;
}

static inline bool rs_span_values_enabled(const struct rs_ctx *c)
{
	return c->span_values_enabled;
}

/* Emits a span of kind n of the analysis' .spans. Ignores a span that ends before it starts. */
void rs_emit_span(struct rs_ctx *c, unsigned int kind, const struct rs_span *span);

/* Returns true if [from_ns, to_ns] overlaps a gap of any CPU: such a pair is discarded. */
bool rs_discarded(const struct rs_ctx *c, uint64_t from_ns, uint64_t to_ns);

/*
 * Returns true if the task passes -p, -t and -c and is not ringside's own. Without a task: true if there is
 * no such filter. In .findings true for everybody else too: these options say whose findings are told, they
 * leave no evidence out.
 */
bool rs_shown(const struct rs_ctx *c, const struct rs_task *t);
/*
 * Returns true for ringside's screens, their terminal emulator, and shells in between. Tables show these
 * processes; findings, what is in flight, and the slowest do not. Always false with --self.
 */
bool rs_is_viewer(const struct rs_ctx *c, int32_t pid);

uint64_t rs_last_event_ns(const struct rs_ctx *c);   /* the last event's time */
uint64_t rs_begin_ns(const struct rs_ctx *c); /* start of the capture or recording, or of the time range */
/*
 * Returns the start of the interval that rows cover: the last reset, else rs_begin_ns. Sums include only the
 * part of a latency after it (rs_part_ns), so that the sums of all intervals add up to the total. Counts and
 * quantiles use the whole latency, in the interval in which it ends.
 */
uint64_t rs_since_ns(const struct rs_ctx *c);

static inline uint64_t rs_part_ns(uint64_t since_ns, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < since_ns)
		from_ns = since_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/*
 * rs_latency_add - adds a slice, wait or call to a histogram, as every sum over a time range does
 *
 * If only a part is inside the range, the sum takes that part. The count includes it if it begins in the
 * range, so that of two adjacent ranges one counts it. The distribution takes the whole latency if it ends in
 * the range, because a part of a latency is not a latency. in_flight: it continues after the range.
 */
static inline void rs_latency_add(const struct rs_ctx *c, struct rs_hist *h, uint64_t from_ns, uint64_t to_ns,
				  bool in_flight)
{
	bool begun = from_ns >= c->range_from_ns;
	uint64_t inside_ns = rs_part_ns(c->range_from_ns, from_ns, to_ns);

	if (in_flight)
		rs_hist_add_in_flight(h, inside_ns, begun);
	else if (begun)
		rs_hist_add(h, to_ns - from_ns);
	else
		rs_hist_add_part(h, to_ns - from_ns, inside_ns, false);
}

/*
 * Returns the length of the interval for findings; 0 if it cannot be judged: it is shorter than a tenth of a
 * second, or the CPUs' gaps are more than a fifth of their time.
 */
uint64_t rs_judged_ns(const struct rs_ctx *c);
/* Returns how much of the interval the gaps of all CPUs are together. */
uint64_t rs_gaps_ns(const struct rs_ctx *c);

/* Returns true if the task ended before the last reset. */
static inline bool rs_task_ended_before(const struct rs_ctx *c, const struct rs_task *t)
{
	uint64_t lifetime_ns, unknown_ns, open_ns;

	if (rs_since_ns(c) <= rs_begin_ns(c) || rs_task_state(c, t, &open_ns) != RS_DEAD)
		return false;
	rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
	return !lifetime_ns;
}

/* Returns true if wakings were recorded. Without them, how a wait divides into sleep and delay is unknown. */
bool rs_wakings_are_recorded(const struct rs_ctx *c);
/*
 * Returns true if there being no event of a group means something: they were recorded, of all CPUs. Waits
 * that overlap a loss are discarded before. Whoever concludes from silence asks first; else it is unknown: no
 * finding.
 */
enum rs_event_group {
	RS_EVENTS_CALLS,
	RS_EVENTS_REQUESTS,
	RS_EVENTS_LOCKS,
	RS_EVENTS_STALLS,
	RS_NR_EVENT_GROUPS
};
bool rs_absence_is_known(const struct rs_ctx *c, enum rs_event_group group);
/*
 * Likewise of all that explains a wait in state D: block requests, stalls for memory, and kernel locks where
 * this kernel has events of them. Only then RS_PART_KERNEL is something that no event tells.
 */
bool rs_absence_is_known_of_d(const struct rs_ctx *c);
/*
 * Returns true if a sleep and the delay after it are reported as one, RS_CAUSE_OFF_CPU, because no wakings
 * were recorded. False also if -C may hide the wakings: then neither is reported.
 */
bool rs_off_cpu_is_told(const struct rs_ctx *c);
/* For a sentence: "295 ms"; of a recording whose clock counts something else "295000000 cycles". */
const char *rs_duration_text(const struct rs_ctx *c, uint64_t ns, char *buf, size_t size_bytes);
/* Returns "3 times a second", "once a second", "less than once a second", in buf. */
const char *rs_rate_text(uint64_t per_second, char *buf, size_t size_bytes);
const char *rs_size_text(uint64_t nr_bytes, char *buf, size_t size_bytes); /* "64 MiB" */
/*
 * The kernel's variable at an address, or that the address lies in ("rcu_state+0x840"); NULL unknown, as all
 * are where addresses are hidden (kptr_restrict). The first call reads the list of symbols: for rows on
 * request, not for each event. Lives until the next such call.
 */
const char *rs_symbol(struct rs_ctx *c, uint64_t addr);
/* Likewise the function that an address lies in ("tcp_v4_rcv"). Lives as long as the session. */
const char *rs_function(struct rs_ctx *c, uint64_t addr);
unsigned int rs_nr_cpus(const struct rs_ctx *c);
bool rs_cpu_is_shown(const struct rs_ctx *c, unsigned int cpu); /* -C: nothing is known of the others */

/* Counts for the data quality what only an analysis knows. */
enum rs_counted { RS_COUNT_UNMATCHED, RS_COUNT_DISCARDED, RS_COUNT_EVICTED, RS_NR_COUNTED };
void rs_count(struct rs_ctx *c, enum rs_counted what);

/* ---- findings: what is wrong, and because of whom ---- */

/* What a part of a sentence is: for screens, JSON and exports, which never read the text. */
enum rs_slot_kind {
	RS_SLOT_TEXT,
	RS_SLOT_VICTIM, RS_SLOT_VERB,
	RS_SLOT_SHARE,         /* "83 %", of the victim's time */
	RS_SLOT_OF_TIME,       /* " of its time", which a brief sentence leaves out */
	RS_SLOT_COLON,         /* the colon before the explanation */
	RS_SLOT_CULPRIT,
	RS_SLOT_NUMBER, RS_SLOT_LEVEL,  /* LEVEL has a sign: nice -5 */
	RS_SLOT_PERCENT, RS_SLOT_DURATION, RS_SLOT_BYTES,
	RS_SLOT_RATE,          /* times a second */
	RS_SLOT_CALL,          /* the number of a system call */
	RS_SLOT_DISK,          /* a device with its mount point */
	RS_SLOT_DEV,           /* a device's name alone */
	RS_SLOT_NAME,          /* of a task, a program */
	RS_SLOT_FILE, RS_SLOT_CGROUP, RS_SLOT_LOCK,
	RS_SLOT_OF_VICTIMS, RS_SLOT_OF_CULPRITS, /* agrees with their number; text in a sentence */
	RS_NR_SLOT_KINDS
};

/*
 * The value of a name in braces, in the template of a sentence: a number of the kind, else a text (untrusted
 * bytes). An empty text counts as unknown.
 *
 *	{disk}            the slot; nothing where it is not known
 *	{ in |call}       with what is before it, only if it is known
 *	{ (|path|)}       likewise with what is behind it
 *	{call/a call}     what stands there if it is not known
 *	{~it} {~is}       a word that agrees with the number of the victims: "they", "are"
 *	{^runs} {^peer}   likewise of the culprits; if a slot has that name, the first word of its text
 *	{culprit}         the culprit, as the sentence names it: "writer (90)"
 */
struct rs_slot {
	const char *name;      /* NULL: the end of a list */
	enum rs_slot_kind kind;
	struct rs_value value;
};

#define RS_MAX_EVIDENCE 6

/*
 * Rows of a view, of any analysis, that show why a sentence is true. Left out if there is no such view, or if
 * a slot in .where is unknown (with .or_all: then all rows are meant) or has a quote in it.
 */
struct rs_evidence {
	const char *view;      /* NULL: the end of a list */
	/* which rows come first, as a view's .sort, by numbers: "-total_ns"; NULL: as the view has it */
	const char *sort;
	/*
	 * of which rows, an expression: "pid == {pid}"; NULL all. Slots are those of the finding, in this
	 * form only, {pid} of the victim, and {pids} of both: "pid == 10 || pid == 11"
	 */
	const char *where;
	const char *by;        /* how rows are grouped: "pid,lock_addr"; NULL: as the view does */
	bool or_all;
};

/* What follows the victim, the verb and the share: "for disk{ |disk}", and behind a colon who takes it. */
struct rs_sentence {
	const char *cause;
	const char *how;       /* NULL, or its {culprit} is unknown: the sentence ends before */
	bool is_complete;      /* what the culprit does besides is not added behind .how */
};

enum rs_confidence {
	RS_MEASURED,           /* events tell who waited, for what, and because of whom */
	RS_INFERRED,           /* victim and cause are measured, the culprit is the likely one */
};

/*
 * A rule: what it judges, from which value on, what it says and what helps. If in doubt, a rule reports no
 * finding: a healthy busy machine has none.
 */
struct rs_rule {
	const char *name;      /* "disk-wait": for --silence, --fail-on and JSON */
	const char *summary;   /* for `list rules`: "a process waits for a disk" */
	uint64_t threshold;    /* in thousandths of .unit: the least .measured of a finding */
	/*
	 * "/s", or one of two of which a finding's .measured is computed: "%" of the victim's time, as the
	 * sentence says it (.lost_ns of .of_ns), and "ms/s", the time that is lost each second, of all
	 * threads: 2000 of two that wait all the time.
	 */
	const char *unit;
	const char *verb;      /* of the sentence, ends in "s": "waits" */
	const char *advice;    /* what to try, a sentence without a full stop */
	/*
	 * For `help RULE`, one or two sentences each: how the finding is made, and when it is wrong although
	 * the numbers are right. {least} becomes .threshold with its unit. NULL: not explained
	 */
	const char *found, *wrong;
	/*
	 * the victim sleeps until others are done: its critical path (see culprit.h) says more than the
	 * sentence
	 */
	bool has_chain;
	/*
	 * what its victims wait for one another follows from it, and what others wait for them: it is told
	 * before that
	 */
	bool explains_waits;
	struct rs_sentence says; /* where a finding names no other */
	const char *view;      /* where more of it is seen: the name of a view of this analysis */
	const char *where;     /* and of which rows there: see struct rs_evidence; NULL all */
	/* the cause first; NULL: .view and .where alone */
	const struct rs_evidence *evidence;
};

/*
 * One sentence, from the numbers since the last reset: "reader (88) waits 83 % of its time for disk vda: 91 %
 * of it for requests of writer (90)". The engine makes it of the parts below, so that processes of one name
 * become one finding: "30 reader processes wait ...". .names_code adds a second one: "writer (90) spends 61 %
 * of its CPU time in deflate (libz.so.1)", where the session has enough samples of the CPUs. Texts are
 * hostile bytes (names), and live until .findings returns.
 */
/* A wait of a thread. */
struct rs_wait_instance {
	int32_t tid;           /* 0: none is known */
	uint64_t from_ns, to_ns;
};

struct rs_finding {
	const struct rs_rule *rule;
	const struct rs_sentence *says;      /* NULL: the rule's */
	const struct rs_slot *slots;         /* of the sentence and the evidence; NULL: none */
	const struct rs_evidence *evidence;  /* NULL: the rule's */
	/* what it costs in the interval: findings are ranked by it. May be more than what was measured */
	uint64_t cost_ns;
	/*
	 * time that the slowed tasks lost, as it was measured; 0: all of the cost where .of_ns is set, else
	 * none was
	 */
	uint64_t lost_ns;
	/* time of the victim that the sentence says the share of .lost_ns of; 0: it says none */
	uint64_t of_ns;
	/* .of_ns is of all processes of that name, of which several findings may tell: it counts once */
	bool of_name;
	const char *victim;    /* name of the process that lost the time, else what was slowed: "CPU 0" */
	/* processes of that name; 0: those of .victim_pid and .culprit_pid are counted */
	unsigned int nr_victims, nr_culprits;
	int32_t victim_pid;    /* 0: not one process. No finding is about viewers (rs_is_viewer) */
	const char *culprit;   /* name of the process that took it, a device, a lock; NULL: unknown */
	int32_t culprit_pid;   /* 0: not one process */
	/*
	 * what the culprit runs, or the victim where that is no process, explains it: samples name the
	 * function
	 */
	bool names_code;
	enum rs_confidence confidence;
	/* in thousandths of the rule's unit, unless it follows from .lost_ns: see there */
	uint64_t measured;
	uint64_t since_ns;     /* when it began; 0: with the interval */
	struct rs_wait_instance slowest; /* the longest wait that it is about, of those that were divided */
	/* of the waits that cost the victim its time; RS_CATEGORY_RUN: no waits, or several kinds of them */
	enum rs_category category;
};

/*
 * Called from .findings of an analysis, of everybody: -p, -t, -c and --cgroup say whose findings are told,
 * and leave out no evidence about others (rs_shown is true there for all).
 */
void rs_report_finding(struct rs_ctx *c, const struct rs_finding *finding);
/*
 * Returns true if a process of that name, or the one of that pid, passes these options, or there are none: a
 * finding is of all processes of a name, of an interpreter's of those of one program. False for what is no
 * process (pid 0), if there are any.
 */
bool rs_is_selected(struct rs_ctx *c, const char *process, int32_t pid);

#endif
