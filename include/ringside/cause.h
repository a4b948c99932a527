/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cause.h - what the time of a task or a CPU goes to: a state, and of a blocked task the cause of its wait
 *
 * The tree of time: a category has causes, and parts where more is known (culprit.h). Each level sums to wall
 * time. Each has one row. Tables, timelines, panels, exports and findings read it; `tasks` has a column for
 * each WAIT. A new cause is one row here, and the test in engine/states/waits.c that tells it from the
 * others.
 */
#ifndef RINGSIDE_CAUSE_H
#define RINGSIDE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* How time counts in a verdict, and its place in a bar: the first is drawn first. */
enum rs_cause_rank {
	RS_RANK_WORK,    /* what the task is there for */
	RS_RANK_WAIT,    /* wanted to work and could not: worth a finding */
	RS_RANK_CHOICE,  /* waits for another thread, or for input: as long as that takes */
	RS_RANK_IDLE,    /* waits for whatever comes */
	RS_RANK_UNKNOWN,
};

/*
 * CATEGORY(id, name, heading, help, cause that has its color, legend): a column of `waterfall`; legend: a
 * layer of the
 * page that `export -f html` makes, NULL: it leaves blank what goes to it
 */
#define RS_CATEGORIES(CATEGORY) \
	CATEGORY(RUN, "run", "RUN%", "on a CPU, as all that follow of its wall time", RUN, "runs") \
	CATEGORY(IRQ, "irq", "IRQ%", "interrupts and softirqs that ran in its place", IRQ, NULL) \
	CATEGORY(QUEUE, "queue", "QUEUE%", "runnable, and another ran, or the CPU was idle", DELAY, \
		 "waits for a CPU") \
	CATEGORY(LOCK, "lock", "LOCK%", "locks of the kernel, futexes", LOCK, "waits for a lock, a futex") \
	CATEGORY(DISK, "disk", "DISK%", "disks, major faults", DISK, "waits for a disk") \
	CATEGORY(MEMORY, "memory", "MEM%", "reclaim, compaction, write-back throttling", RECLAIM, \
		 "waits for memory") \
	CATEGORY(PEER, "peer", "PEER%", "pipes, sockets, children", SLEEP, NULL) \
	CATEGORY(SLEEP, "sleep", "SLEEP%", "by its own choice: timers, poll, signals", IDLE, NULL) \
	CATEGORY(OTHER, "other", "OTHER%", "any other sleep, and unknown", OTHER_D, "blocked")

#define RS_CATEGORY_ID(id, ...) RS_CATEGORY_##id,
enum rs_category { RS_CATEGORIES(RS_CATEGORY_ID) RS_NR_CATEGORIES };
#undef RS_CATEGORY_ID

enum rs_cause_rows { RS_OF_ALL, RS_OF_PROCESS, RS_OF_DISK };

/*
 * A view that explains such a wait: which of its rows, in which order, grouped by what. NULL: as the view has
 * it.
 */
struct rs_cause_view {
	const char *view, *sort;
	enum rs_cause_rows rows;
	const char *by;
};

struct rs_cause_row {
	const char *name;    /* in rows: "reclaim" */
	const char *word;    /* on bars, in a few columns, and in the protocol: "memory" */
	const char *legend;  /* in the legend of timelines: "kernel lock"; NULL: not in it */
	bool no_label;       /* on a timeline the state letter alone, "D" for "D (disk)" */
	bool no_letter;      /* or the name alone: it says already that the task sleeps */
	char letter;         /* on bars; of idle a blank: nothing is there */
	char mark;           /* on timelines: a letter, or # + : - . for a glyph that looks like it */
	/*
	 * Colors of 256 on a dark and on a light background; of 8, where + 8 is bold; -1: the terminal's own
	 */
	int16_t dark, light;
	int8_t dark_8, light_8;
	bool bold, dim;      /* without colors */
	enum rs_category category;
	enum rs_cause_rank rank;
	bool with_next;      /* a finding counts the next row's time too */
	/* of RS_RANK_WAIT, in a finding: "waits 71 % of its busy time for disk"; NULL: with another's */
	const char *blame;
	struct rs_cause_view views[6]; /* that show why, the cause first; ends with a NULL view */
};

/*
 * STATE(id, row)
 * WAIT(id, column, heading, help, labels, row): the column of `tasks`; labels: what rs_state_label makes of
 * it
 */
#define RS_CAUSES(STATE, WAIT) \
	/* blocked, and nothing that was traced tells why */ \
	STATE(UNKNOWN, .name = "unknown", .word = "unknown", .no_label = true, .letter = '?', .mark = '-', \
	      .dark = 74, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* on a CPU */ \
	STATE(RUN, .name = "run", .word = "run", .legend = "runs", .letter = 'R', .mark = '#', \
	      .dark = 77, .light = 28, .dark_8 = 2, .light_8 = 2, .bold = true, .category = RS_CATEGORY_RUN, \
	      .rank = RS_RANK_WORK) \
	/* woken, not yet on a CPU */ \
	STATE(DELAY, .name = "delay", .word = "runnable", .legend = "waits for a CPU", .letter = 'w', \
	      .mark = '+', \
	      .dark = 214, .light = 166, .dark_8 = 11, .light_8 = 3, .category = RS_CATEGORY_QUEUE, \
	      .rank = RS_RANK_WAIT, .with_next = true, .blame = "a CPU", \
	      .views = { { "tasks", "-run_ns" }, { "cpus" }, { "tasks", NULL, RS_OF_PROCESS }, \
			 { "runqslower", NULL, RS_OF_PROCESS } }) \
	/* left its CPU runnable */ \
	STATE(PREEMPTED, .name = "preempted", .word = "preempted", .legend = "preempted", .letter = 'p', \
	      .mark = ':', \
	      .dark = 179, .light = 136, .dark_8 = 3, .light_8 = 3, .category = RS_CATEGORY_QUEUE, \
	      .rank = RS_RANK_WAIT) \
	/* a block request of its own completed meanwhile */ \
	WAIT(DISK, "disk_ns", "DISK(ms)", "blocked until a block request of its own completed", \
	     "D (disk),S (disk)", \
	     .name = "disk", .word = "disk", .legend = "disk", .letter = 'D', .mark = 'D', \
	     .dark = 203, .light = 160, .dark_8 = 1, .light_8 = 1, .bold = true, \
	     .category = RS_CATEGORY_DISK, .rank = RS_RANK_WAIT, .blame = "disk", \
	     .views = { { "disks", NULL, RS_OF_DISK }, { "iosnoop", NULL, RS_OF_PROCESS }, \
			{ "tasks", "-disk_ns" }, \
			{ "offcpu", NULL, RS_OF_PROCESS }, { "tasks", NULL, RS_OF_PROCESS } }) \
	/* in contention for a kernel lock */ \
	WAIT(LOCK, "lock_ns", "LOCK(ms)", "blocked in contention for a kernel lock", "D (lock),S (lock)", \
	     .name = "lock", .word = "lock", .legend = "kernel lock", .letter = 'L', .mark = 'L', \
	     .dark = 206, .light = 162, .dark_8 = 5, .light_8 = 5, .category = RS_CATEGORY_LOCK, \
	     .rank = RS_RANK_WAIT, .blame = "locks of the kernel", \
	     .views = { { "locks", NULL, RS_OF_PROCESS, "lock_addr,type,pid" }, \
			{ "mmaplock", NULL, RS_OF_PROCESS }, \
			{ "offcpu", NULL, RS_OF_PROCESS }, { "tasks", NULL, RS_OF_PROCESS } }) \
	/* in futex(2), waiting */ \
	WAIT(FUTEX, "futex_ns", "FUTEX(ms)", "blocked in futex(2)", "S (futex)", \
	     .name = "futex", .word = "futex", .legend = "futex", .letter = 'f', .mark = 'F', \
	     .dark = 176, .light = 127, .dark_8 = 14, .light_8 = 14, .category = RS_CATEGORY_LOCK, \
	     .rank = RS_RANK_CHOICE) \
	/* in a stall for memory */ \
	WAIT(RECLAIM, "reclaim_ns", "RECL(ms)", "blocked in a stall for memory", "D (reclaim),S (reclaim)", \
	     .name = "reclaim", .word = "memory", .legend = "memory", .letter = 'M', .mark = 'M', \
	     .dark = 173, .light = 130, .dark_8 = 9, .light_8 = 9, .category = RS_CATEGORY_MEMORY, \
	     .rank = RS_RANK_WAIT, .blame = "memory", \
	     .views = { { "reclaim", NULL, RS_OF_PROCESS }, { "memory" }, { "meminfo" }, \
			{ "tasks", NULL, RS_OF_PROCESS } }) \
	/* state D, and none of these */ \
	WAIT(OTHER_D, "other_d_ns", "OTHER D(ms)", "blocked in state D, and none of these", "D", \
	     .name = "other D", .word = "blocked", .legend = "blocked", .no_label = true, .letter = 'B', \
	     .mark = 'B', \
	     .dark = 167, .light = 124, .dark_8 = 1, .light_8 = 1, .category = RS_CATEGORY_OTHER, \
	     .rank = RS_RANK_WAIT, \
	     .blame = "something in the kernel that no event tells (state D)", \
	     .views = { { "offcpu", NULL, RS_OF_PROCESS }, { "syscall-latency", NULL, RS_OF_PROCESS }, \
			{ "tasks", NULL, RS_OF_PROCESS } }) \
	/* it asked to sleep until something comes: epoll, nanosleep ...; of a CPU: nothing to run */ \
	WAIT(IDLE, "idle_ns", "IDLE(ms)", \
	     "waited for whatever comes: epoll, poll, nanosleep; a kernel thread in state I", \
	     "S (idle),I (idle)", \
	     .name = "idle", .word = "idle", .legend = "until something comes", .letter = ' ', .mark = '.', \
	     .dark = 242, .light = 245, .dark_8 = -1, .light_8 = -1, .dim = true, \
	     .category = RS_CATEGORY_SLEEP, .rank = RS_RANK_IDLE) \
	/* any other sleep: a pipe, a socket, a child */ \
	WAIT(SLEEP, "sleep_ns", "SLEEP(ms)", \
	     "any other sleep: a pipe, a socket, a child; stopped; all sleep where no system calls " \
	     "were recorded", \
	     "S (sleep),T (sleep),t (sleep),sleep (cause not recorded)", \
	     .name = "sleep", .word = "sleep", .legend = "sleeps", .letter = 's', .mark = '-', \
	     .dark = 74, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_PEER, \
	     .rank = RS_RANK_CHOICE) \
	/* a sleep, and no system calls were recorded that would tell for what */ \
	STATE(NOT_RECORDED, .name = "sleep (cause not recorded)", .word = "sleep", .no_letter = true, \
	      .letter = 's', .mark = '-', \
	      .dark = 74, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* no wakings were recorded: the sleep, whatever for, and the delay after it */ \
	STATE(OFF_CPU, .name = "off-CPU (sleep + delay)", .word = "sleep", .no_letter = true, .letter = 's', \
	      .mark = '-', \
	      .dark = 74, .light = 25, .dark_8 = 6, .light_8 = 4, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN) \
	/* of a CPU: in interrupts and softirqs */ \
	STATE(IRQ, .name = "irq", .word = "irq", .letter = 'I', .mark = '?', \
	      .dark = 141, .light = 92, .dark_8 = 13, .light_8 = 13, .category = RS_CATEGORY_IRQ, \
	      .rank = RS_RANK_WAIT) \
	/* the state itself is not known: not seen, or events were lost */ \
	STATE(NOT_SEEN, .name = "unknown", .word = "unknown", .legend = "not known", .letter = '?', \
	      .mark = '?', \
	      .dark = 246, .light = 241, .dark_8 = -1, .light_8 = -1, .category = RS_CATEGORY_OTHER, \
	      .rank = RS_RANK_UNKNOWN)

#define RS_CAUSE_ID(id, ...) RS_CAUSE_##id,
enum rs_cause { RS_CAUSES(RS_CAUSE_ID, RS_CAUSE_ID) RS_NR_CAUSES };
#undef RS_CAUSE_ID

struct rs_category_row {
	const char *name, *legend; /* "queue", "waits for a CPU"; .legend may be NULL */
	enum rs_cause color;       /* the cause whose color it has */
};

/* One that does not exist is RS_CATEGORY_OTHER. */
const struct rs_category_row *rs_category_row(enum rs_category category);
/* One that does not exist is RS_CAUSE_UNKNOWN. */
const struct rs_cause_row *rs_cause_row(enum rs_cause cause);
/* By .word; false: none has it. */
bool rs_cause_find(const char *word, enum rs_cause *cause);

#endif
