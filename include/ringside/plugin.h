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

#include "blame.h"
#include "blocks.h"
#include "chain.h"
#include "culprit.h"
#include "event.h"
#include "file.h"
#include "finding.h"
#include "hist.h"
#include "history.h"
#include "irq.h"
#include "match.h"
#include "probe.h"
#include "request.h"
#include "sample.h"
#include "span.h"
#include "stack.h"
#include "store.h"
#include "table.h"
#include "task.h"
#include "wait.h"

#define RS_ABI 17
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
	bool no_rows;                /* only spans are used: no table or histogram will be requested */
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
	RS_ON_PAIR,         /* a pair of .pairs ended */
	RS_ON_GAP,          /* events were lost */
	RS_ON_SAMPLE,       /* a CPU was sampled while a task ran: see stack.h */
	RS_ON_STACK,        /* the stack of an event that begins nothing, such as a page fault: see stack.h */
	/* a function that allocates or frees memory was called, or returned: see probe.h */
	RS_ON_PROBE,
	RS_NR_CALLBACKS,
};

/*
 * A callback enables the events that the engine needs for it, except PAIR and GAP. At most one of each kind.
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
		void (*pair)(struct rs_ctx *c, const struct rs_pair_end *pair);
		void (*gap)(struct rs_ctx *c, const struct rs_gap *gap);
		void (*sample)(struct rs_ctx *c, const struct rs_cpu_sample *sample);
		void (*stack)(struct rs_ctx *c, const struct rs_event_stack *stack);
		void (*probe)(struct rs_ctx *c, const struct rs_probe_hit *hit);
	};
	/*
	 * only for these, 1 << RS_RUN | ...: states of INTERVAL, enum rs_call_kind of CALL, enum
	 * rs_probe_kind of PROBE; 0: all
	 */
	uint32_t kinds;
	/*
	 * CALL, REQUEST, IRQ, SAMPLE, PROBE: requests none; is called if another analysis does, or the
	 * recording has them
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
	 * past states and requests, see history.h: enables all events that help to find the causes of waits
	 */
	bool requires_history;
	bool requires_files;          /* follows descriptors: see file.h */
	bool uses_stacks;             /* of events, where they were recorded: see stack.h */
	/*
	 * rs_hot_code of stack.h, for itself or its findings: a recording's samples are read, live ones taken
	 * if the user asks
	 */
	bool uses_samples;
	const char *requires_stacks;  /* and these kinds are recorded, as with --stacks: "off-cpu" */
	/*
	 * the same for rows of a stream and for findings, in a recording that has their files; enables
	 * nothing
	 */
	bool uses_files;
	/*
	 * For its findings alone: a session that reports none does without, unless the analysis requires it
	 * for its views.
	 */
	/* what each process waited for, and because of whom, see blame.h; implies .requires_history */
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
	 * See finding.h
	 */
	void (*emit_in_flight)(struct rs_ctx *c, const struct rs_in_flight_to *to);
	void (*list_in_flight)(struct rs_ctx *c, const struct rs_in_flight_to *to);
	const struct rs_rule *rules;      /* what it can find wrong; ends with a NULL name */
	void (*findings)(struct rs_ctx *c); /* reports what is wrong: see finding.h */
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

/* the current task instance, created if needed; NULL for tid <= 0 */
struct rs_task *rs_task_get(struct rs_ctx *c, int32_t tid);
struct rs_task *rs_task_find(struct rs_ctx *c, int32_t tid);    /* the current task instance, or NULL */
/* all task instances, oldest first; NULL starts and ends */
struct rs_task *rs_task_next(struct rs_ctx *c, struct rs_task *after);
/*
 * Live: reads the command line of t's process from /proc, arguments separated by spaces, untrusted bytes.
 * Returns the length; 0 for a recording, or if the process has exited or has another name by now.
 * It makes system calls: use it for rare events only, such as a new program.
 */
size_t rs_task_args(struct rs_ctx *c, const struct rs_task *t, char *buf, size_t size_bytes);
/*
 * Writes the path of the file that t's process runs: as its last exec was given it, else the first word of
 * its recorded command line, if that is a path. Untrusted bytes. Returns the length; 0: unknown, or longer
 * than the buffer.
 */
size_t rs_task_program(struct rs_ctx *c, const struct rs_task *t, char *buf, size_t size_bytes);
/* the name of the group leader, else the task's own */
const char *rs_task_process_comm(struct rs_ctx *c, const struct rs_task *t);
/* Returns the name of a process, also of one that no event named yet; NULL: unknown. */
const char *rs_api_process_comm(struct rs_ctx *c, int32_t pid);

/*
 * Returns the state of the task at rs_last_event_ns, and its duration so far in *open_ns: the interval in
 * flight, which tables show apart from those that have ended. RS_UNKNOWN if it overlaps a gap.
 * RS_RUN with RS_AGE_UNKNOWN: the start of the slice was not seen.
 */
enum rs_state rs_task_state(const struct rs_ctx *c, const struct rs_task *t, uint64_t *open_ns);
/*
 * Returns the likely cause if the task is blocked now, before it is woken: w->interval is NULL, and in state
 * D with a request of its own in flight the cause is the disk. Returns false if it is not blocked, or its
 * state is unknown.
 */
bool rs_task_wait(const struct rs_ctx *c, const struct rs_task *t, struct rs_wait *w);
/* A task that existed when the capture began and that no event has named since, as /proc showed it then. */
struct rs_unseen {
	int32_t tid, pid;
	const char *comm, *cgroup; /* cgroup NULL: not requested */
	bool kernel_thread;
	bool named;                /* by -p or -t */
	bool uncertain;            /* events were lost since, so its state may have changed */
	char letter;               /* its state letter in /proc, still valid unless it was R */
	bool terminal;             /* the call's first argument is a descriptor of a terminal */
	int64_t syscall;           /* the system call it is in; -1: none, or unknown */
	const uint64_t *args;      /* its six arguments; NULL without a call */
	const char *wchan;         /* the kernel function that it sleeps in; NULL: unknown */
	uint64_t seen_ns;          /* when /proc was read: it has been in that state since before */
};

/* Live: returns the next such task that passes -p, -t and -c; *at starts at 0. False: no more. */
bool rs_unseen_next(const struct rs_ctx *c, size_t *at, struct rs_unseen *unseen);
/*
 * Returns the task's lifetime since rs_since_ns, and the part of it whose state is unknown: before its first
 * event, in gaps, or where a switch or a waking is missing. The lifetime is 0 if it exited before; then show
 * no row.
 */
void rs_task_lifetime_ns(const struct rs_ctx *c, const struct rs_task *t, uint64_t *lifetime_ns,
			 uint64_t *unknown_ns);
/*
 * Returns the state of the CPU at rs_last_event_ns, RS_RUN or RS_IDLE, and its duration so far. RS_UNKNOWN if
 * its start was not seen, or if it overlaps a gap.
 */
enum rs_state rs_cpu_state(const struct rs_ctx *c, unsigned int cpu, uint64_t *open_ns);
/*
 * Returns how long the task ran since rs_since_ns, its slice in flight included; 0 where no sched event was
 * recorded.
 */
uint64_t rs_task_run_ns(const struct rs_ctx *c, const struct rs_task *t);
/* Returns true if a sched event named the task: tables of tasks then have a row for it. */
bool rs_task_has_states(const struct rs_ctx *c, const struct rs_task *t);
/*
 * Returns true if it is known that the task is in no system call: its last one has returned, and nothing was
 * lost since; or it has made none for long. It is in user mode, in a page fault, or on its way back from one.
 * False for a kernel thread, and where calls were not recorded.
 */
bool rs_task_in_no_call(const struct rs_ctx *c, const struct rs_task *t);
/* Returns true if the task is in a system call that returns, and that overlaps no gap. */
bool rs_task_in_call(const struct rs_ctx *c, const struct rs_task *t);
/* Likewise, and describes that call as if it ended now, with .in_flight set. */
bool rs_task_call(const struct rs_ctx *c, struct rs_task *t, struct rs_call *call);

/* Returns the task's i-th contention in flight, outermost first, as if it ended now. False: no more. */
bool rs_task_contention(const struct rs_ctx *c, struct rs_task *t, unsigned int i,
			struct rs_contention *contention);
/* Likewise, the stall of that kind. False: there is none, or a gap made it uncertain. */
bool rs_task_stall(const struct rs_ctx *c, struct rs_task *t, enum rs_stall_kind kind,
		   struct rs_stall *stall);

/*
 * Returns the next request in flight, oldest first, without those that overlap a gap; NULL starts and ends.
 * issue_ns 0: it is not issued to the device yet. insert_ns may be 0 as well.
 */
const struct rs_request *rs_request_next(const struct rs_ctx *c, const struct rs_request *after);

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

/* NULL unknown; lives as long as the session */
const char *rs_syscall_name(const struct rs_ctx *c, int64_t nr);
/* Is it of one of these classes (enum rs_call_class)? False for a number that is not known for certain. */
bool rs_call_is(const struct rs_ctx *c, int64_t nr, uint32_t classes);
/* May a softirq that comes in it be for packets of the caller's own: does it send, receive or close? */
bool rs_call_has_own_softirqs(const struct rs_ctx *c, int64_t nr);
/* Likewise, or "syscall_NR" in buf if the architecture's table does not have it; NULL for nr < 0, no call. */
const char *rs_call_name(const struct rs_ctx *c, int64_t nr, char *buf, size_t size_bytes);
/*
 * Returns the number of an earlier call, corrected by what is known of the task's program by now: since the
 * call it may have turned out to be a 32-bit program. Without a task, returns nr.
 */
int64_t rs_call_resolve_number(const struct rs_task *t, int64_t nr);
/* Returns what a call waits for; for RS_CALL_FUTEX_WAIT args[0] is the futex' address. */
enum rs_call_kind rs_call_kind(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/*
 * Returns true if a call waits for new work: RS_CALL_IDLE, and calls in which servers and shells wait
 * (accept, wait4).
 */
bool rs_call_is_idle(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/*
 * Returns true if the call reads a terminal, so it waits for user input. Live, if its descriptor was looked
 * up while it was in flight. False if unknown.
 */
bool rs_call_reads_terminal(const struct rs_ctx *c, const struct rs_call *call);
/* Returns true if the call returned ETIMEDOUT, by the errno of the recording's architecture. */
bool rs_call_timed_out(const struct rs_ctx *c, const struct rs_call *call);
/* Returns the six argument words in hex. Valid until the next rs_call_words or rs_call_args. */
const char *rs_call_words(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns the words that the call takes, all six if their number is not known, "" for a call without
 * arguments. Valid until the next rs_call_words or rs_call_args.
 */
const char *rs_call_args(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns "read(3, 0x7f..., 4096)", with constants by name where they are known. Valid until the next
 * rs_call_text.
 */
const char *rs_call_text(const struct rs_ctx *c, const char *name, const struct rs_call *call);
/*
 * Returns true if the event is enabled, and a recording contains at least one: a file may declare events that
 * were not enabled. Live, it may be turned off and on: call it each time, do not store the result.
 */
bool rs_event_is_recorded(const struct rs_ctx *c, const char *system, const char *name);
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
/*
 * Returns the value that the event's format prints as this symbol ("MM_SWAPENTS"). False: older kernels print
 * the number.
 */
bool rs_event_symbol(const struct rs_ctx *c, const char *system, const char *name, const char *symbol,
		     uint64_t *value);
/* Returns the name of the index-th of .pairs that this trace has, patterns expanded; NULL: no more. */
const struct rs_pair_name *rs_pair_name(const struct rs_ctx *c, unsigned int index);
struct rs_pair_counts rs_pair_counts(const struct rs_ctx *c, unsigned int index);
/* Returns the next pair in flight that overlaps no gap, oldest first; *place starts at 0. False: no more. */
bool rs_pair_in_flight(struct rs_ctx *c, unsigned int index, uint32_t *place, struct rs_pair_end *open);
/*
 * Returns the name and system of an event ID; NULL: the trace does not declare it. It searches: do not call
 * it for each event.
 */
const char *rs_event_name(const struct rs_ctx *c, unsigned int id, const char **system);
unsigned int rs_nr_event_ids(const struct rs_ctx *c); /* 1 + the largest ID */
/*
 * Do spans or states show it? The engine handles it, or an analysis that has spans; RS_NAMED does not count.
 */
bool rs_event_is_drawn(const struct rs_ctx *c, unsigned int id);
/*
 * "vcpu_id=0 exit_reason=12": the event's fields, or the text that it carries; of hostile bytes. Lives until
 * the next such call
 */
const char *rs_event_text(struct rs_ctx *c, const struct rs_event *ev);
/*
 * "reason HLT rip 0xffff... info 0 0": as the kernel prints it, by the format of the event. Likewise; for
 * what is shown: microseconds
 */
const char *rs_event_print(struct rs_ctx *c, const struct rs_event *ev);
/* For a sentence: "295 ms"; of a recording whose clock counts something else "295000000 cycles". */
const char *rs_duration_text(const struct rs_ctx *c, uint64_t ns, char *buf, size_t size_bytes);
/* Returns "3 times a second", "once a second", "less than once a second", in buf. */
const char *rs_rate_text(uint64_t per_second, char *buf, size_t size_bytes);
const char *rs_size_text(uint64_t nr_bytes, char *buf, size_t size_bytes); /* "64 MiB" */
const char *rs_disk_name(const struct rs_ctx *c, uint32_t dev);  /* NULL unknown */
/* Writes "vda1 (/var)", or its name alone, or its numbers. Returns buf. */
const char *rs_disk_words(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes);
/*
 * "dm-0 (vg-root)": the device mapper's, md's or loop device that lies on this disk; NULL: none, several, or
 * unknown.
 */
const char *rs_disk_above(const struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes);
/* NULL: no room for one more */
const struct rs_irq_source *rs_softirq_source(struct rs_ctx *c, uint32_t vec);
/*
 * The kernel's variable at an address, or that the address lies in ("rcu_state+0x840"); NULL unknown, as all
 * are where addresses are hidden (kptr_restrict). The first call reads the list of symbols: for rows on
 * request, not for each event. Lives until the next such call.
 */
const char *rs_symbol(struct rs_ctx *c, uint64_t addr);
unsigned int rs_nr_cpus(const struct rs_ctx *c);
bool rs_cpu_is_shown(const struct rs_ctx *c, unsigned int cpu); /* -C: nothing is known of the others */

/* Counts for the data quality what only an analysis knows. */
enum rs_counted { RS_COUNT_UNMATCHED, RS_COUNT_DISCARDED, RS_COUNT_EVICTED, RS_NR_COUNTED };
void rs_count(struct rs_ctx *c, enum rs_counted what);

#endif
