/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - the rows of a view over a recording of lines, compared as text
 *
 *	check_rows(ASK("sched"),
 *		   LINES("1000 cpu0 sched_switch idle/0 R -> a/10",
 *			 "1500 cpu0 sched_switch a/10 S -> idle/0"),
 *		   ROWS("tid=10 comm=a run_ns=500 delay_max_ns=-",  // null is "-"
 *			"_quality unmatched=0"));                       // of the quality line
 *
 * Only the columns named are compared, but all the rows: there must be as many
 * as expected (.some: at least). Rows of a stream come in that order, of a table in any. The same
 * lines are read in every layout (lines.h) and must give the same answer in each;
 * the accounting invariants must hold each time.
 *
 * ASK("tasks", .span = "state") asks for the spans of that kind, in the order in which they
 * were laid: comm, tid, id, from, to, label, open, and the columns of the kind's values.
 *
 * ASK("syscalls", .open = "call") asks for what is open at the end, of that kind ("": of all), oldest first: kind, comm, pid, tid, what,
 * since, at_least, idle. With .findings what the analyses judge, costliest first: rule, weight, text, brief, view,
 * where, why, victim, culprit, cost_ms, code.
 */
#ifndef TEST_ASK_H
#define TEST_ASK_H

#include "lines.h"
#include "ringside/culprit.h"

/* One answer of who can say what a descriptor stands for (fd_asker); each is to be asked for once, in this order. */
struct fd_answer {
	int32_t pid, fd;
	uint64_t read_ns;
	const char *path;         /* NULL: none */
	bool late;                /* comes when the next is asked for */
	int32_t state;            /* of a TCP socket, when it was read; 0: unknown */
};

#define ANSWERS(...) ((const struct fd_answer[]){ __VA_ARGS__, { 0 } })
#define NO_ANSWERS ((const struct fd_answer[]){ { 0 } })

struct ask {
	const char *view, *by;
	const char *span;   /* instead of the view: the spans of that kind, as they are laid */
	const char *open;   /* instead: what is open, of that kind */
	bool findings;      /* instead: the findings of all analyses */
	bool exact, queue;
	uint64_t older_ns;        /* --older; 0: the default */
	struct { const char *column, *patterns; } only; /* what an option asks of a column; NULL: of none */
	bool count_open;    /* as screens ask: what is open is in the column of what it is */
	bool is_part;       /* of a recording that cannot be read elsewhere */
	bool unrecorded;    /* and who has read all of it knows that it has none of what does not come here */
	bool some;          /* other rows may be there too */
	uint64_t from_ns, to_ns;  /* --from, --to; 0: none */
	const uint64_t *resets;   /* after the turn that came to this time; NULL: none; ends with 0 */
	uint64_t names_bytes;     /* how far names are looked for; 0: to the end */
	unsigned int max_tasks;   /* 0: the default */
	unsigned int max_stacks;  /* likewise */
	int32_t pid;              /* -p; 0: everybody */
	int32_t viewer;           /* a process that looks, as a client of the daemon; 0: none */
	bool self;                /* --self */
	int32_t command;          /* -- COMMAND's process; 0: none */
	bool no_children;         /* --no-children */
	bool by_kernel;           /* live: the kernel filters by that process */
	const char *comm_glob;    /* -c */
	const char *cgroup_glob;  /* --cgroup */
	const char *cpus;         /* -C */
	const char *event;        /* -e, one; NULL: none is named */
	const char *begin, *end, *key; /* what follows `pairs`; NULL: nothing */
	struct rs_time_asked why; /* what of the time of tasks is asked about */
	const char *const *samples; /* of the CPUs, see sample-lines.h; NULL: the source has none */
	const char *const *switch_stacks; /* perf's callchains at sched_switch, likewise */
	const struct fd_answer *answers; /* live: a turn of the session ends where another CPU's line comes. NULL: a file */
	const char *container;    /* live: the guardian's reply about the container of any process, once; NULL: none can be asked */
	const struct rs_machine_ends *machine_ends; /* it is "host", and these are read along; NULL: it is alone */
	const char *layout; /* in this alone; NULL: in each */
	const char *file;
	int line;
};

#define RESETS(...) ((const uint64_t[]){ __VA_ARGS__, 0 })
#define ROWS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_ROWS ((const char *const[]){ NULL })
#define ASK(...) ((struct ask){ .file = __FILE__, .line = __LINE__, .view = __VA_ARGS__ })
#define check_rows(question, lines, rows) rs_check_rows(&question, lines, rows)

void rs_check_rows(const struct ask *ask, const char *const *lines, const char *const *expected);

#endif
