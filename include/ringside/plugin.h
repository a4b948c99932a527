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

#include "event.h"
#include "finding.h"
#include "hist.h"
#include "irq.h"
#include "match.h"
#include "pair.h"
#include "request.h"
#include "sample.h"
#include "span.h"
#include "store.h"
#include "table.h"
#include "task.h"
#include "wait.h"

#define RS_ABI 7
#define RS_MAX_FIELDS 12

/* How an analysis gets at its memory and at the session that runs it. */
struct rs_ctx {
	void *state;                 /* .state_size bytes, zeroed */
	size_t task_offset;          /* of its bytes in each task: use rs_task_data */
	const struct rs_query *query; /* what a streaming view was asked; never NULL */
	uint32_t subscribed;          /* bit n: somebody reads stream view n */
	bool spans_enabled;                 /* somebody takes spans */
	bool span_values_enabled;          /* and somebody of these their .values: else what is dear to make may be left out */
	bool no_rows;                /* and nothing else: nobody will ask for a table or a histogram */
	uint64_t range_from_ns;      /* where the time range begins that is asked about: see rs_latency_add; 0: no begin */
	bool range_ended;            /* it has an end, and what was in flight there has been told up to it: counted, not open */
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
	RS_PASSIVE,      /* used where it was recorded, never turned on for this */
	RS_NAMED,        /* each of the events that the user named (-e); where none was, each that was recorded */
};

enum rs_scope {
	RS_BY_TASK,      /* fired by the task itself: -p can narrow it in the kernel */
	RS_BY_ANYONE,    /* fired by others about a task too: never narrowed */
};

struct rs_requirement {
	const char *system, *name;         /* of RS_NAMED: may be patterns, "*" */
	enum rs_requirement_kind need;
	enum rs_scope by;
	rs_handler *handler;
	const char *fields[RS_MAX_FIELDS]; /* "?name": optional; ends with NULL */
};

/* What the engine tells an analysis of, beside the events that it requires. */
enum rs_callback_kind {
	RS_ON_INTERVAL = 1, /* a state of a task or a CPU ended */
	RS_ON_SWITCH_IN,    /* a task was put on a CPU: its RS_RUN begins */
	RS_ON_QUEUE,        /* the number of tasks that wait for a CPU (not the one on it) changed */
	RS_ON_WAIT,         /* a task that was off its CPU was woken, and why it was off: uses all events that help to know */
	RS_ON_CALL,         /* a system call ended */
	RS_ON_REQUEST,      /* a block request completed */
	RS_ON_DISK_DEPTH,   /* a device got a request, or completed one */
	RS_ON_CONTENTION,   /* contention on a kernel lock ended */
	RS_ON_STALL,        /* a stall for memory ended */
	RS_ON_IRQ,          /* an interrupt or a softirq ended */
	RS_ON_PAIR,         /* a pair of .pairs ended */
	RS_ON_GAP,          /* events were lost */
	RS_NR_CALLBACKS,
};

/* Turns on the events that it takes: those of all kinds but PAIR and GAP. At most one of each kind. */
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
	};
	uint32_t kinds;      /* of these alone, 1 << RS_RUN | ...: states of INTERVAL, enum rs_call_kind of CALL; 0: all */
	bool if_recorded;    /* CALL, IRQ: turns no events on, is called where they are recorded for another */
};

/* Arrays end with an element of zeros; a NULL array is empty, a NULL function is not called. */
struct rs_analysis {
	uint32_t abi;                 /* RS_ABI, first for ever */
	const char *name, *summary;
	const struct rs_requirement *requirements; /* events, and who handles them */
	const struct rs_match *matches;     /* pairs of events of one task or CPU: see match.h */
	const struct rs_callback *callbacks;
	const struct rs_store *stores;      /* the rows of its views: see store.h */
	const struct rs_view *views;
	const struct rs_span_kind *spans;   /* what it puts on timelines: see span.h */
	bool requires_states;         /* turns sched events on; they are required where it is told of states */
	bool by_name;                 /* excluded from `summary` and from `record` by default: expensive */
	bool live_only;               /* a recording has nothing of it */
	unsigned int samples;         /* enum rs_sample: what it needs of /proc, see sample.h */
	size_t state_size, task_size; /* bytes of c->state and of rs_task_data; zeroed when they begin */

	int (*begin)(struct rs_ctx *c);   /* 0, or a negative errno */
	/*
	 * Pairs of events that are known when the user asks: fills in at most max, returns how many. Strings live as long as
	 * what was asked, or for ever.
	 */
	size_t (*pairs)(const struct rs_pair_words *asked, struct rs_pair *pairs, size_t max);
	void (*task_evict)(struct rs_ctx *c, struct rs_task *t); /* the task is about to be forgotten */
	void (*end)(struct rs_ctx *c, uint64_t end_ns);
	/* Emits a span, .open, of what is in flight, up to now: at the end, and for a screen meanwhile. */
	void (*emit_in_flight)(struct rs_ctx *c, uint64_t now_ns);
	void (*open)(struct rs_ctx *c, struct rs_open_sink *out);        /* what is in flight, as text: see finding.h */
	void (*findings)(struct rs_ctx *c, struct rs_finding_sink *out); /* what is wrong, as far as it can judge */
	void (*reset)(struct rs_ctx *c);  /* an interval begins: stores have forgotten already; what is in flight stays */
	/* Calls invariant for each sum that must balance, with its imbalance: 0 if it does. */
	void (*check)(struct rs_ctx *c, void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg);
};

/* nr * size_bytes zeroed bytes that live as long as the session; NULL: no memory. Not for each event. */
void *rs_alloc(struct rs_ctx *c, size_t nr, size_t size_bytes);

static inline void *rs_task_data(const struct rs_ctx *c, const struct rs_task *t)
{
	return (char *)t + c->task_offset;
}

static inline void *rs_store_row(struct rs_ctx *c, unsigned int store, struct rs_task *t, uint64_t key0, uint64_t key1)
{
	const struct rs_store_access *a = &c->store_access[store];
	const struct rs_store_recent *r = t && a->task_offset ? (const void *)((const char *)t + a->task_offset) : a->nobody;

	r += (key0 ^ key1) & (RS_STORE_RECENT - 1);
	if (__builtin_expect(r->key0 == key0 && r->key1 == key1 && r->measures, 1))
		return r->measures;
	return rs_store_find(c, store, t, key0, key1);
}

static inline bool rs_has_subscriber(const struct rs_ctx *c, unsigned int view)
{
	return c->subscribed >> view & 1;
}

/* ---- what the engine offers to an analysis ---- */

void rs_emit(struct rs_ctx *c, unsigned int view, const struct rs_value *values);

/*
 * rs_row_is_shown - asked before a row of stream `view` is made, with what will be in its column of
 * RS_COLUMN_LATENCY. Most rows are shorter than -m, or than the few that a page shows: then no text need be
 * made of them. False also where nobody listens.
 */
bool rs_row_is_shown(struct rs_ctx *c, unsigned int view, uint64_t lat_ns);

/*
 * rs_cell_is_shown - asked before a row of a stream is made, with what will be in one of its columns: may the
 * options show it (--syscall, -x)? Who shows the rows judges all columns; this saves the text of rows that nobody will see.
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

/* Lays a span of kind n of the analysis' .spans; one that ends before it starts is not laid. */
void rs_emit_span(struct rs_ctx *c, unsigned int kind, const struct rs_span *span);

/* True if [from_ns, to_ns] overlaps a gap of any CPU: the pair is void. */
bool rs_discarded(const struct rs_ctx *c, uint64_t from_ns, uint64_t to_ns);

/* Passes -p, -t, -c and is not hidden; a row without a task passes where nothing was narrowed. */
bool rs_shown(const struct rs_ctx *c, const struct rs_task *t);
/*
 * Is it ringside's screen, the terminal that this is on, or a shell in between? Rows of tables have them; what is told
 * unasked (findings, open, the longest) leaves them out. Never with --self.
 */
bool rs_is_viewer(const struct rs_ctx *c, int32_t pid);

struct rs_task *rs_task_get(struct rs_ctx *c, int32_t tid);     /* the life now; made at first sight; NULL for tid <= 0 */
struct rs_task *rs_task_find(struct rs_ctx *c, int32_t tid);    /* the life now, or NULL */
struct rs_task *rs_task_next(struct rs_ctx *c, struct rs_task *after); /* every life, oldest first; NULL begins and ends */
/*
 * Live: the words that t's process was begun with, a space between, as /proc has them now; of hostile bytes.
 * Returns the length; 0 in a file, and where the process has gone or is called otherwise by now.
 * System calls: for what is rare, as a new program is.
 */
size_t rs_task_args(struct rs_ctx *c, const struct rs_task *t, char *buf, size_t size_bytes);
const char *rs_task_process_comm(struct rs_ctx *c, const struct rs_task *t); /* the leader's name, else its own */

/*
 * What the task is in at rs_last_event_ns, and since when: RS_UNKNOWN where a gap made
 * it uncertain. The open interval that tables show apart from the closed ones.
 * RS_RUN of a task that ran before anything was seen of it: open_ns is RS_OPEN_UNKNOWN.
 */
enum rs_state rs_task_open(const struct rs_ctx *c, const struct rs_task *t, uint64_t *open_ns);
/*
 * False: it is not off its CPU now, or nobody knows. Else why, as far as can be told before it is woken: w->interval is
 * NULL, and in state D with a request of its own in flight a disk is taken for the cause.
 */
bool rs_task_wait(const struct rs_ctx *c, const struct rs_task *t, struct rs_wait *w);
/* A task that was there when the capture began and of which no event has told since: what /proc said of it then. */
struct rs_unseen {
	int32_t tid, pid;
	const char *comm, *cgroup; /* cgroup NULL: not asked for */
	bool kernel_thread;
	bool named;                /* by -p or -t */
	bool uncertain;            /* events were lost since: it may do anything now */
	char letter;               /* its state; it has it still, but for R, which none of its events tells of */
	bool terminal;             /* the call's first argument is a descriptor of a terminal */
	int64_t syscall;           /* that it is in; -1 none, or not told */
	const uint64_t *args;      /* six words; NULL without a call */
	const char *wchan;         /* the kernel's function that it sleeps in; NULL not told */
	uint64_t seen_ns;          /* when that was: it has been in that state for longer */
};

/* Live, the next one that passes -p, -t, -c; *at begins at 0. False: no more. */
bool rs_unseen_next(const struct rs_ctx *c, size_t *at, struct rs_unseen *unseen);
/*
 * How long it lived since rs_since_ns, and how much of that is in no interval that an analysis was told as
 * whole, nor in the open one: before its first sight, over gaps, where a switch or a waking was not seen.
 * A task that ended before has 0, and no row.
 */
void rs_task_lifetime_ns(const struct rs_ctx *c, const struct rs_task *t, uint64_t *lifetime_ns, uint64_t *unknown_ns);
/*
 * What the CPU is in at rs_last_event_ns, RS_RUN or RS_IDLE, and for how long: the interval that has not been told. RS_UNKNOWN
 * where its begin was not seen, or a gap made it uncertain.
 */
enum rs_state rs_cpu_open(const struct rs_ctx *c, unsigned int cpu, uint64_t *open_ns);
/* A sched event named it: it has a row where tasks have one. */
bool rs_task_has_states(const struct rs_ctx *c, const struct rs_task *t);
/* In a system call now, not made uncertain by a gap, and one that returns. */
bool rs_task_in_call(const struct rs_ctx *c, const struct rs_task *t);

/* What is open of the task, as it would be told if it ended now: the i-th contention, outermost first; false: no more. */
bool rs_task_contention(const struct rs_ctx *c, struct rs_task *t, unsigned int i, struct rs_contention *contention);
/* Likewise; false: none of that kind. */
bool rs_task_stall(const struct rs_ctx *c, struct rs_task *t, enum rs_stall_kind kind, struct rs_stall *stall);

/*
 * Requests that have begun and are not complete, oldest first, without those that a gap made uncertain; NULL begins
 * and ends. issue_ns 0: not issued to the device yet, and then insert_ns, where it is 0 too, that its begin is begin_ns.
 */
const struct rs_request *rs_request_next(const struct rs_ctx *c, const struct rs_request *after, uint64_t *begin_ns);

uint64_t rs_last_event_ns(const struct rs_ctx *c);   /* the last event's time */
uint64_t rs_begin_ns(const struct rs_ctx *c); /* where the capture, or the file, begins */
/*
 * Returns where the interval begins that rows are of: the last reset, else rs_begin_ns. Of a latency that began before, a
 * sum takes the part since then (rs_part_ns), so that the sums of all intervals are those of the whole; counts and
 * quantiles take its whole length, in the interval that it ends in.
 */
uint64_t rs_since_ns(const struct rs_ctx *c);

static inline uint64_t rs_part_ns(uint64_t since_ns, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < since_ns)
		from_ns = since_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/*
 * rs_latency_add - what every sum over a time range does: of a slice, wait or call that lies inside the range only in
 * part, the sum takes that part. It counts where it begins, so that it counts in one of two ranges that meet. The
 * distribution takes it whole, where it ends: a piece of a latency is no latency. in_flight: it goes on after the range.
 */
static inline void rs_latency_add(const struct rs_ctx *c, struct rs_hist *h, uint64_t from_ns, uint64_t to_ns, bool in_flight)
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
 * Returns the length of the interval for findings; 0 if it cannot be judged: events were lost, or it is shorter than a
 * tenth of a second.
 */
static inline uint64_t rs_judged_ns(const struct rs_ctx *c)
{
	uint64_t since_ns = rs_since_ns(c), now_ns = rs_last_event_ns(c);

	return now_ns >= since_ns + 100000000 && !rs_discarded(c, since_ns, now_ns) ? now_ns - since_ns : 0;
}

/* Returns true if the task ended before the last reset. */
static inline bool rs_task_ended_before(const struct rs_ctx *c, const struct rs_task *t)
{
	uint64_t lifetime_ns, unknown_ns, open_ns;

	if (rs_since_ns(c) <= rs_begin_ns(c) || rs_task_open(c, t, &open_ns) != RS_DEAD)
		return false;
	rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
	return !lifetime_ns;
}

const char *rs_syscall_name(const struct rs_ctx *c, int64_t nr); /* NULL unknown; lives as long as the session */
/*
 * The number of a call that was kept, by what is known by now of the task's program: it may have become certain since
 * that it is a 32-bit one. t NULL: as it was.
 */
int64_t rs_call_resolve_number(const struct rs_task *t, int64_t nr);
/* What a call of that number waits for; of RS_CALL_FUTEX_WAIT args[0] is the address. */
enum rs_call_kind rs_call_kind(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/* It waits for whatever comes: RS_CALL_IDLE, and what servers and shells spend their time in (accept, wait4 ...). */
bool rs_call_is_idle(const struct rs_ctx *c, int64_t nr, const uint64_t *args);
/*
 * It reads a terminal: it waits for a person. Live, and where somebody has looked while it was in flight; in_flight: it is.
 * False where nobody can tell.
 */
bool rs_call_reads_terminal(const struct rs_ctx *c, const struct rs_call *call, bool in_flight);
/* It returned ETIMEDOUT, by the number that the recording's architecture gives it. */
bool rs_call_timed_out(const struct rs_ctx *c, const struct rs_call *call);
/* Returns the six argument words in hex. Valid until the next rs_call_words or rs_call_args. */
const char *rs_call_words(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns the words that the call takes, all six if their number is not known, "" for a call without arguments. Valid until
 * the next rs_call_words or rs_call_args.
 */
const char *rs_call_args(const struct rs_ctx *c, const struct rs_call *call);
/* Returns "read(3, 0x7f..., 4096)", with constants by name where they are known. Valid until the next rs_call_text. */
const char *rs_call_text(const struct rs_ctx *c, const char *name, const struct rs_call *call);
/* Was it recorded? Live, who owns the capture may turn it off and on: asked anew for each answer, not kept. */
bool rs_event_is_on(const struct rs_ctx *c, const char *system, const char *name);
/* Likewise, and a recording has at least one: that a file declares it does not say that it was turned on. */
bool rs_event_is_recorded(const struct rs_ctx *c, const char *system, const char *name);
/* Nobody knows when a sleep ended and a delay began where no wakings were recorded. */
bool rs_wakings_are_recorded(const struct rs_ctx *c);
/*
 * Then a sleep and the delay behind it are told as one, RS_CAUSE_OFF_CPU. False where wakings were recorded, and where -C
 * may hide them: there nothing is told.
 */
bool rs_off_cpu_is_told(const struct rs_ctx *c);
/* The number that the event's format prints as this word, "MM_SWAPENTS"; false: older kernels print the number. */
bool rs_event_symbol(const struct rs_ctx *c, const char *system, const char *name, const char *symbol, uint64_t *value);
/* The index-th of .pairs that this trace has; NULL: no more. Patterns count as each that they found. */
const struct rs_pair_name *rs_pair_name(const struct rs_ctx *c, unsigned int index);
void rs_pair_counts(const struct rs_ctx *c, unsigned int index, struct rs_pair_counts *counts);
/* Those in flight, without what a gap made uncertain, oldest first; *place begins at 0. False: no more. */
bool rs_pair_open(struct rs_ctx *c, unsigned int index, uint32_t *place, struct rs_pair_end *open);
/* The event of an ID, and its system; NULL: the trace declares none. For rows on request: it is looked for. */
const char *rs_event_name(const struct rs_ctx *c, unsigned int id, const char **system);
unsigned int rs_nr_event_ids(const struct rs_ctx *c); /* every ID is less */
bool rs_event_is_read(const struct rs_ctx *c, unsigned int id); /* by anybody but who asks for all (RS_NAMED) */
/* "vcpu_id=0 exit_reason=12": the event's fields, or the text that it carries; of hostile bytes. Lives until the next such call */
const char *rs_event_text(struct rs_ctx *c, const struct rs_event *ev);
/* "reason HLT rip 0xffff... info 0 0": as the kernel prints it, by the format of the event. Likewise; for what is shown: microseconds */
const char *rs_event_print(struct rs_ctx *c, const struct rs_event *ev);
/* For a sentence: "295 ms"; of a recording whose clock counts something else "295000000 cycles". */
const char *rs_duration_text(const struct rs_ctx *c, uint64_t ns, char *buf, size_t size_bytes);
const char *rs_disk_name(const struct rs_ctx *c, uint32_t dev);  /* NULL unknown */
const struct rs_irq_source *rs_softirq_source(struct rs_ctx *c, uint32_t vec); /* NULL: no room for one more */
/*
 * The kernel's variable at an address, or that the address lies in ("rcu_state+0x840"); NULL unknown, as all are
 * where addresses are hidden (kptr_restrict). The first call reads the list of symbols: for rows on request, not for
 * each event. Lives until the next such call.
 */
const char *rs_symbol(struct rs_ctx *c, uint64_t addr);
unsigned int rs_nr_cpus(const struct rs_ctx *c);
bool rs_cpu_is_shown(const struct rs_ctx *c, unsigned int cpu); /* -C: nothing is known of the others */

/* Counts for the data quality that only an analysis knows. */
void rs_count_unmatched(struct rs_ctx *c);
void rs_count_discarded(struct rs_ctx *c);
void rs_count_evicted(struct rs_ctx *c);

#endif
