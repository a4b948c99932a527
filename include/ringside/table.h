/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the views of an analysis, their columns, and rows; what a screen may make of them
 *
 * A column is defined once: text, JSON, CSV, --columns and the documents derive
 * from it. Rows hold plain values in base units, never formatted text.
 */
#ifndef RINGSIDE_TABLE_H
#define RINGSIDE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wait.h"

enum rs_type {
	RS_TYPE_TEXT = 1, /* untrusted bytes: each formatter escapes them */
	RS_TYPE_COUNT,
	RS_TYPE_ID,       /* a number that identifies: tid, cpu, errno, sector */
	RS_TYPE_TIME,     /* ns in the trace's clock */
	RS_TYPE_DURATION, /* ns */
	RS_TYPE_BYTES,
	RS_TYPE_MILLI,    /* thousandths: averages, percentages */
};

/* How text shows a duration or a time; JSON and CSV always have ns. */
enum rs_unit { RS_UNIT_AUTO, RS_UNIT_S, RS_UNIT_MS, RS_UNIT_US };

enum rs_column_flags {
	RS_COLUMN_LATENCY = 1, /* what -m compares with, one in a view */
	RS_COLUMN_LEFT = 2,    /* text: left-aligned numbers */
	RS_COLUMN_SIGNED = 4,  /* the value is .i */
	RS_COLUMN_KEY = 8,     /* --by may name it */
	/* rows can be added up: a total or a count, but no average, quantile or maximum */
	RS_COLUMN_SUM = 16,
	/* a row where it is null sums up those where it is not, if there are such: not to be added to them */
	RS_COLUMN_PART = 32,
	/* omitted by default, in all formats, where the files of descriptors are not known */
	RS_COLUMN_OF_FILE = 128,
	RS_COLUMN_OF_SAMPLES = 256, /* likewise, where there are no samples of the CPUs */
	RS_COLUMN_OF_STACKS = 512, /* omitted by default, in all formats, unless --by names it */
	/* omitted by default, in all formats, unless --by or --columns names it */
	RS_COLUMN_ON_REQUEST = 8192,
	/*
	 * of what a row is about, or of its longest piece, two of these: when it began, when it ended (of
	 * RS_TYPE_TIME), how long it took: screens go there
	 */
	RS_COLUMN_BEGIN = 1024,
	RS_COLUMN_END = 2048,
	RS_COLUMN_LENGTH = 4096,
	RS_COLUMN_IF_KNOWN = 64, /* text: omitted by default from a table where it is null in all rows */
};

struct rs_value {
	union {
		uint64_t u;
		int64_t i;
		const char *s; /* lives until the row callback returns */
	};
	bool known;            /* false: null, "-" */
	/* of a column with a .stack, in rows for who takes numbers: in .stacks of struct rs_sink; else 0 */
	uint32_t stack;
};

struct rs_ctx;
struct rs_group;

#define RS_CELL_TEXT_BYTES 160

/* What a column shows of a measure, see store.h: .measure_bytes is where in the row it is. */
enum rs_aspect {
	RS_NO_ASPECT,
	RS_VALUE,             /* the number itself; of all others the measure is a latency */
	RS_COUNT,             /* number of latencies that began in the time range */
	RS_TOTAL,             /* their time inside it */
	RS_AVG, RS_MIN, RS_P50, RS_P95, RS_P99, RS_MAX, /* null where none ended */
	RS_PEAK, RS_PEAK_AT, /* of a struct rs_peak: its length, its start; null if nothing was added */
	/* of a struct rs_top: "comm/tid" of the most frequent task; null if there is none */
	RS_TOP_TASK,
};

/* The key that a column shows; null if rows are not grouped by it. */
enum rs_column_key {
	RS_NO_KEY,
	/* of the row's task: itself, and the names of its control group from RS_KEY_CGROUP on */
	RS_KEY_COMM, RS_KEY_PID, RS_KEY_TID, RS_KEY_CGROUP, RS_KEY_UNIT, RS_KEY_SLICE, RS_KEY_CONTAINER,
	RS_KEY_POD,
	RS_KEY_0, RS_KEY_1, RS_KEY_STACK,
};

struct rs_column {
	const char *name;      /* machine name, stable: "lat_ns" */
	const char *heading;   /* text: "LATms" */
	enum rs_type type;
	enum rs_unit unit;
	unsigned int flags;    /* enum rs_column_flags */
	int width;             /* text, at least; 0: as the heading */
	const char *help;      /* one line, no full stop */
	/* of a view with a .store: */
	enum rs_aspect aspect;
	size_t measure_bytes;  /* offset in the row */
	enum rs_column_key key;
	bool always;           /* rows are always grouped by it, whatever --by says */
	/* the option that asks of it, where that has another name: "type"; NULL none */
	const char *option;
	/* rows are grouped by the value of .cell: several columns may show parts of one key */
	bool by_cell;
	/* a column of this name decides what this one shows: known where that is a key, too; NULL none */
	const char *follows;
	/* "system:event,system:event": where none of these was recorded 0 is null; NULL: 0 is known */
	const char *if_recorded;
	/*
	 * what is shown of the group where that is not the plain key or aspect; text into buf
	 * (RS_CELL_TEXT_BYTES) or elsewhere
	 */
	struct rs_value (*cell)(struct rs_ctx *c, const struct rs_group *g, char *buf);
	/*
	 * of a .cell that shows all functions of a stack (rs_stack_text): that stack. Rows are grouped by it,
	 * and a flame graph is made of it, without making the text
	 */
	uint32_t (*stack)(const struct rs_ctx *c, const struct rs_group *g);
	bool of_modules;       /* .cell shows the modules of these functions (rs_stack_modules) */
};

static inline struct rs_value rs_null(void) { return (struct rs_value){ .known = false }; }
static inline struct rs_value rs_u(uint64_t u) { return (struct rs_value){ .u = u, .known = true }; }
static inline struct rs_value rs_i(int64_t i) { return (struct rs_value){ .i = i, .known = true }; }
static inline struct rs_value rs_s(const char *s) { return (struct rs_value){ .s = s, .known = s && *s }; }
static inline struct rs_value rs_u_if(bool known,
				      uint64_t u) { return (struct rs_value){ .u = known ? u : 0,
					      .known = known }; }

/*
 * part * scale / whole in thousandths, without overflow for hours of ns: an average (scale 1), a percentage
 * (100).
 */
static inline struct rs_value rs_milli(uint64_t part, uint64_t whole, unsigned int scale)
{
	if (!whole)
		return rs_null();
	return rs_u((uint64_t)((unsigned __int128)part * 1000 * scale / whole));
}

/*
 * The integral of a depth over time. A hostile file's times reach past 64 bits: the sum then stays at the
 * end.
 */
static inline uint64_t rs_add_area(uint64_t area, uint64_t len_ns, unsigned int depth)
{
	uint64_t add;

	if (__builtin_mul_overflow(len_ns, depth, &add) || __builtin_add_overflow(area, add, &area))
		return UINT64_MAX;
	return area;
}

#define RS_MAX_COLUMNS 64
#define RS_MAX_BY 10

/*
 * What an option asks of one column: --dev, --type, --syscall, -x, -m. A value that is not known never
 * passes.
 */
struct rs_term {
	const struct rs_column *column; /* of the view */
	const char *patterns;           /* one of them matches, see rs_pattern_matches; NULL: .least */
	uint64_t least;                 /* the value is not less; 0: it is known */
};

#define RS_MAX_TERMS 16

/* A row is shown where all terms hold, and --where does. */
struct rs_terms {
	unsigned int nr;
	struct rs_term at[RS_MAX_TERMS];
};

bool rs_term_holds(const struct rs_term *term, struct rs_value value);

/*
 * Is this a column that rows are merged over? Null then means merged as well as unknown, so that only the
 * store can judge a term: it does so before it merges. All other terms are judged by who shows the rows.
 */
static inline bool rs_column_merges(const struct rs_column *column)
{
	return column->key >= RS_KEY_0 && !column->always;
}

/* The options of a view, for a recording or live. */
struct rs_query {
	const char *by[RS_MAX_BY]; /* column names of --by */
	unsigned int nr_by;        /* 0: the view's default */
	const struct rs_terms *terms; /* NULL: none */
	bool queue;                /* -Q: from the insert on */
	uint64_t older_ns;         /* --older: what lives for that long is old; 0: RS_BLOCKS_OLD_NS */
	/*
	 * Rows of an interval, as screens show them: what is in flight counts in the column of what it is,
	 * since the begin of the interval, so that a row's parts sum to the interval. False: it is in no
	 * column but open_ns.
	 */
	bool count_open;
};

static inline bool rs_query_is_by(const struct rs_query *q, const char *column)
{
	for (unsigned int i = 0; i < q->nr_by; i++)
		if (!strcmp(q->by[i], column))
			return true;
	return false;
}

/* Returns true if one of the shell patterns, separated by spaces, matches the text. NULL matches all. */
bool rs_pattern_matches(const char *patterns, const char *text);

struct rs_hist;
struct rs_store;
struct rs_in_flight_to;
struct rs_named_stacks;

/* Takes rows; implemented by formatters, filters and sorters. */
struct rs_sink {
	/* values: one for each column of the view, in order */
	void (*row)(struct rs_sink *sink, const struct rs_value *values);
	/*
	 * for RS_VIEW_HIST: ends a group of log2 rows with its whole histogram; label "" for the only one.
	 * May be NULL
	 */
	void (*hist)(struct rs_sink *sink, const char *label, const struct rs_hist *hist);
	/* for a view with a .store: instead of .row, with the measures of the row. May be NULL */
	void (*measures)(struct rs_sink *sink, const struct rs_value *values, const void *measures);
	/*
	 * Rows with less in their column of RS_COLUMN_LATENCY need not come: they are counted here. 0: all
	 * are taken
	 */
	uint64_t least_ns, nr_less;
	/*
	 * Who takes stacks as numbers has a table of names: a column with a .stack has its number there,
	 * and "" as text, but for columns whose bits are in .texts. NULL: all have texts alone
	 */
	struct rs_named_stacks *stacks;
	uint64_t texts;
	/* Bits of columns that are not read: those of measures may be null, since quantiles cost. */
	uint64_t unread;
};

/*
 * rs_log2_rows - the rows of a histogram view: values[at], [at + 1], [at + 2]
 * become from, to and count, those before are the group's keys; then the group ends.
 */
void rs_log2_rows(struct rs_sink *out, struct rs_value *values, unsigned int at, const struct rs_hist *hist,
		  const char *label);

enum rs_view_kind {
	RS_VIEW_TABLE = 1, /* rows on request, from .rows */
	RS_VIEW_STREAM,    /* rows as things end, by rs_emit */
	RS_VIEW_HIST,      /* log2 rows on request, from .rows */
};

/*
 * ---- what a screen may make of columns: a panel of the overview, a histogram, a heat map ----
 *
 *	static const struct rs_part parts[] = {       // of each row a bar
 *		{ "run_ns", RS_CAUSE_RUN }, { "idle_ns", RS_CAUSE_IDLE }, { 0 },
 *	};
 *	static const struct rs_panel panel = { .kind = RS_PANEL_SPLIT, .title = "CPUs",
 *					       .columns = "cpu,runq_avg", .parts = parts, .place = 10 };
 *	static const struct rs_latencies lengths[] = {
 *		{ "avg_ns,p99_ns,max_ns", .kind = "syscall", .label_column = "syscall" }, { 0 },
 *	};
 *
 * From these follow the overview and what a screen opens from a latency: no screen names a view.
 */

#define RS_MAX_PARTS 16

/* A column of durations that is a part of its row's whole. */
struct rs_part {
	const char *column;
	enum rs_cause cause;
};

enum rs_panel_kind {
	RS_PANEL_SPLIT = 1, /* a bar for each row: the parts, which sum to the row's whole */
	RS_PANEL_TABLE,     /* the first rows of some columns */
};

/* What the overview shows of a view. */
struct rs_panel {
	enum rs_panel_kind kind;
	const char *title;             /* "CPUs" */
	const char *columns;           /* beside the bar, or of the table: "comm,pid" */
	/* SPLIT: drawn by the causes' rank; ends with a NULL column; a null value is no part */
	const struct rs_part *parts;
	const char *sort;              /* which rows come first, as a view's .sort; NULL: the view's */
	unsigned int place;            /* the panels of all views in this order, from the top: 1, 2, ... */
	const char *fold_by;           /* a text: four or more rows of one name are one, "true x312" */
	/* the view, of any analysis, that Enter opens, of what the row names; NULL: all that know it */
	const char *opens;
	bool every;                    /* every row is wanted (CPUs), else the first few */
	bool otherwise;                /* shown only where no other panel has anything */
};

/*
 * Which spans (span.h) columns of a view are the lengths of: what a histogram, a heat map or the slowest are
 * taken from. In a row kind and labels may come from columns. The first row of .latencies is also that of
 * columns named in none.
 */
struct rs_latencies {
	const char *columns;           /* "avg_ns,p99_ns,max_ns": of RS_TYPE_DURATION */
	const char *kind;              /* of span, of any analysis: "syscall" */
	const char *kind_column;       /* or the column that says which: then kind is NULL */
	/* of the label that the row has there; NULL, or null there: of those below */
	const char *label_column;
	const char *labels;            /* of these labels alone: "delay,preempted"; NULL any */
	/* of the track that the row is about (a device), where it is no task's */
	const char *track_column;
};

/* ---- views ---- */

/* The screens that are of one view each find it by this, not by its name. */
enum rs_view_role {
	RS_ROLE_NONE,
	RS_ROLE_CPU_STACKS,  /* whole stacks of what ran, for a flame graph */
	RS_ROLE_WAIT_STACKS, /* whole stacks of waits, likewise */
	RS_ROLE_PATH,        /* what a call or a wait waited for, link by link */
	RS_ROLE_WAIT_TREE,   /* where all of the time of a call or a wait went */
	RS_ROLE_WHAT_IF,     /* what would have made it shorter */
	RS_ROLE_ALIKE,       /* others of its shape */
	RS_ROLE_TIME,        /* what the time of a task went to */
	RS_ROLE_ANTAGONISTS, /* who took that time */
	RS_ROLE_DISK_QUEUE,  /* requests of disks, and what was served before each */
	RS_NR_ROLES,
};

/*
 * What users ask: help, the list of views on the screens (F2) and the README group views by it, in this
 * order. Each is a word, as the protocol and narrow headings have it, and the question.
 */
#define RS_TOPICS(TOPIC) \
	TOPIC(WAITS, "waits", "Where does the time of tasks go, and who takes it?") \
	TOPIC(CPU, "cpu", "Who runs on the CPUs, and who waits for one?") \
	TOPIC(CALLS, "calls", "Which calls, programs and signals are there, and which calls are slow?") \
	TOPIC(FILES, "disk and files", "Which disks, requests and files are slow?") \
	TOPIC(NETWORK, "network", "Which connections are there, and what is slow or lost on them?") \
	TOPIC(MEMORY, "memory", "Who uses memory, and who waits for it?") \
	TOPIC(LOCKS, "locks", "Who waits for a lock, and who holds it?") \
	TOPIC(CODE, "code", "Which code runs, and where does it wait?") \
	TOPIC(EVENTS, "any event", "How often does an event come, and how long after another one?")

#define RS_TOPIC_NUMBER(name, word, question) RS_TOPIC_##name,
enum rs_topic {
	RS_TOPIC_OTHER,      /* views of plugins that name none: listed last */
	RS_TOPICS(RS_TOPIC_NUMBER)
	RS_NR_TOPICS
};
#undef RS_TOPIC_NUMBER

struct rs_topic_row {
	const char *word, *question;
};

const struct rs_topic_row *rs_topic_row(enum rs_topic topic);
/* The n-th in the order of lists: RS_TOPIC_OTHER is the last. */
static inline enum rs_topic rs_topic_nth(unsigned int n)
{
	return (enum rs_topic)((n + 1) % RS_NR_TOPICS);
}

struct rs_view {
	const char *name;              /* also the command: "iosnoop" */
	const char *old_name;          /* an alias until the next release; NULL: none */
	const char *summary;           /* one line for help */
	/* what sums and percentages of a row are of: "sums over threads; % of their wall time"; NULL: its
	 * columns say it */
	const char *base;
	enum rs_view_kind kind;
	enum rs_view_role role;        /* at most one view has it */
	enum rs_topic topic;           /* the question that it answers: its group in help and in F2 */
	const struct rs_column *columns; /* ends with a NULL name */
	const char *text_columns;      /* text's default set, "comm,pid,lat_ns" */
	const char *sort;              /* default sort, "-total_ns" descends; NULL: as produced */
	bool keeps_order;              /* equal rows stay as produced; false: they go by their keys */
	uint64_t default_min_ns;       /* -m where the user gives none */
	/* excluded from `report` and the screens unless named: it is as long as the trace itself */
	bool by_name;
	/* excluded from `report` and `summary` unless named: it costs something for each event of any kind */
	bool on_request;
	const char *list;              /* --list shows this view instead, of the same analysis; NULL none */
	const char *histogram;         /* --histogram, likewise */
	const char *folded;            /* -f folded, likewise: a view with the columns comm, stack and self */
	const char *follow;            /* --follow, likewise, of any analysis: a view that .is_lines */
	/*
	 * of a stream: text has no heading, times are of day where they are known, and the data quality
	 * goes to standard error, for programs read each line
	 */
	bool is_lines;
	/* -f folded shows this --type if none is given: others overlap it; NULL: all */
	const char *folded_type;
	const char *options;           /* own long options it takes: "dev,type,queue"; NULL none */
	/* A table or histogram without a store: 0, or -ENOMEM if rows are missing. */
	int (*rows)(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out);
	const struct rs_panel *panel;  /* its panel on the overview; NULL: none */
	/* whose durations its columns show; ends with NULL columns; NULL of none */
	const struct rs_latencies *latencies;
	/* all that --type may name, "irq,softirq"; NULL: not to be listed, as of requests */
	const char *types;
	/*
	 * what -p, -t, -c and -- COMMAND cannot narrow, for no task has it: "all of it", "DEPTH, BUSY%"; NULL
	 * nothing
	 */
	const char *machine_wide;
	/* whose rows are of no task: the view that has what tasks did to them, or of it; NULL: they are */
	const char *tasks_view;
	/* Rows that are groups of a store's (store.h): then .rows is NULL */
	const struct rs_store *store;
	const char *by;                /* default columns of --by, "pid,syscall" */
	const char *also_by;           /* and, where the user named none, rows by these, too; NULL none */
	/* `diff` compares its rows by these; "": by the keys of its own that last; NULL: if it is named */
	const char *diff_by;
	/* HIST: the offset of the histogram that is shown; NULL: that of the first column that is no key. */
	size_t (*measure_bytes)(const struct rs_query *q);
	/* HIST: what a group is called, by the values of its key columns. NULL: "dev = 8,0, type = R". */
	void (*label)(const struct rs_value *values, char *buf, size_t size_bytes);
	/* adds it to the rows of a store: see match.h */
	void (*add_in_flight)(struct rs_ctx *c, const struct rs_in_flight_to *to);
	/*
	 * A row of the store counts in several groups, once in each: those of the keys that .expand fills in,
	 * at most max, and returns the number of. The first is the group of the row itself; into the others
	 * goes a copy that .as_caller has changed. For stacks: a function has the samples of all that it
	 * called. Such a store has no histograms.
	 */
	size_t (*expand)(struct rs_ctx *c, uint64_t key0, uint64_t *keys, size_t max);
	void (*as_caller)(void *row);
	/* false: the view leaves such rows of the store out; NULL: it shows all */
	bool (*has_key)(uint64_t key0, uint64_t key1);
};

static inline bool rs_view_is_called(const struct rs_view *view, const char *name)
{
	return !strcmp(view->name, name) || (view->old_name && !strcmp(view->old_name, name));
}

#endif
