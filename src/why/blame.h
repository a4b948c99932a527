/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blame.h - what the time of each process went to since the last reset, and because of whom: what findings
 * are judged by
 *
 * It exists if an analysis of the session sets .requires_blame. Each wait is divided among its culprits as it
 * ends (see culprit.h), and added to the few that took most from that task.
 */
#ifndef RS_WHY_BLAME_H
#define RS_WHY_BLAME_H

#include "ringside/culprit.h"

#define RS_BLAME_PIDS 4
#define RS_BLAME_CPUS 64
#define RS_BLAME_PLACES 12

/* What one culprit took, in one way. Culprits of one name and program are one. */
struct rs_blame_entry {
	enum rs_time_part part;
	enum rs_culprit_kind kind;
	char comm[RS_COMM_LEN];      /* TASK: name of its process; "" unknown */
	uint32_t program;            /* TASK: that its process interprets, see process-program.h */
	char thread[RS_COMM_LEN];    /* TASK: of the thread, of the longest */
	char waiter[RS_COMM_LEN];    /* the victim's thread, of the longest */
	int32_t waiter_tid;
	int32_t pids[RS_BLAME_PIDS]; /* TASK: the first of them */
	unsigned int nr_pids;        /* more than RS_BLAME_PIDS are counted as one more */
	int32_t tid;                 /* TASK: the thread, of the longest; 0 unknown */
	bool kernel_thread;          /* TASK */
	bool several;                /* TASK: it was one thread, then another */
	bool has_did;                /* did_ns is known, and the entry's own */
	uint8_t place;               /* the engine's: of waits of its kind that are not divided yet */
	int16_t prio;                /* QUEUE: of the thread, of the longest; -1 unknown */
	uint32_t dev;                /* DISK_*, FAULT; 0: unknown */
	uint64_t rwbs;               /* likewise: the type of the longest request; 0: unknown */
	uint64_t lock_addr;          /* LOCK, FUTEX; 0: a kernel lock, inferred: no lock events */
	unsigned int lock_flags;     /* LOCK: enum rs_lock_flags */
	uint32_t socket;             /* by rs_socket_name, of the longest; 0: none, or unknown */
	bool several_sockets;        /* others are on others */
	const struct rs_irq_source *irq;
	int64_t call;                /* that the victim was in; -1: none, or unknown */
	bool in_no_call;             /* it is known to have been in none */
	/* its first argument, in the longest; FUTEX: 1 if it is most likely a lock, see rs_futex_is_lock */
	uint64_t call_arg;
	uint64_t nr, ns;             /* waits that it has a part in, and the part */
	uint64_t since_ns;           /* when the first of them began */
	uint64_t max_ns, at_ns;  /* the longest of these, and when it began */
	uint64_t wait_from_ns, wait_to_ns; /* the wait of .waiter_tid that it is a part of */
	/* TASK, of a sleep: what it did meanwhile, by enum rs_cause; else zeros */
	uint64_t *did_ns;
};

/*
 * All processes of one name; of an interpreter's, as python3, those of one program. The threads' times are
 * summed.
 */
struct rs_blame {
	const struct rs_task *task;  /* a first thread, else one of them */
	const char *comm;
	uint32_t program;
	int32_t pid;                 /* of the one whose threads ran and waited most */
	unsigned int nr_processes;
	unsigned int nr_threads;     /* that did anything */
	uint64_t run_ns;
	uint64_t lifetime_ns;            /* of its threads in the interval */
	uint64_t unknown_ns;             /* of that, what is known of no state: before its first event */
	uint64_t part_ns[RS_NR_PARTS]; /* of waits, by part: all of them, also what no entry has */
	uint64_t part_nr[RS_NR_PARTS];
	/* QUEUE, by the CPU that was waited for: of all CPUs, or of the first RS_BLAME_CPUS */
	uint64_t *cpu_ns;
	const struct rs_task *busiest; /* the thread that ran most, and how long */
	uint64_t busiest_ns;
	unsigned int nr;
	struct rs_blame_entry *at;   /* the costliest first; at most RS_BLAME_PLACES */
};

/*
 * rs_blame_list - returns all user processes that did anything since the last reset by their names and
 * programs, and what they wait for now
 *
 * Valid until the session goes on. Viewers and ringside's own are not among them.
 */
const struct rs_blame *rs_blame_list(struct rs_ctx *c, size_t *nr);
/* Returns those of that name that run what process pid runs; NULL: not in the list. */
const struct rs_blame *rs_blame_find(struct rs_ctx *c, const char *comm, int32_t pid);
/* Returns those that the culprit is one of; NULL: not in the list. */
const struct rs_blame *rs_blame_of(struct rs_ctx *c, const struct rs_blame_entry *e);
/* The program by which a process is told from others of its name; 0: none. */
uint32_t rs_blame_program(struct rs_ctx *c, int32_t pid);
/* Returns true if the task is of one of these; b may be NULL. */
bool rs_blame_has_task(struct rs_ctx *c, const struct rs_blame *b, const struct rs_task *t);
/* Returns true if the culprit is one of these. */
static inline bool rs_blame_is_of(const struct rs_blame_entry *e, const struct rs_blame *b)
{
	return e->program == b->program && !strcmp(e->comm, b->comm);
}
/* Returns true if both culprits are of one name and program. */
static inline bool rs_blame_is_same(const struct rs_blame_entry *a, const struct rs_blame_entry *b)
{
	return a->program == b->program && !strcmp(a->comm, b->comm);
}

/* Returns how many processes of its name and program the culprit is. */
unsigned int rs_blame_nr_culprits(struct rs_ctx *c, const struct rs_blame_entry *e);
/* Returns true if what is waited for goes round among those who wait: threads, or processes, of one name. */
static inline bool rs_blame_goes_round(const struct rs_blame *b, const struct rs_blame_entry *e)
{
	return e->several && rs_blame_is_of(e, b) && !strcmp(e->thread, e->waiter);
}
/* Returns all that it did or could not do: on a CPU, and in parts of RS_RANK_WAIT. */
uint64_t rs_blame_busy_ns(const struct rs_blame *b);
/*
 * Returns the sum of the entries of a part that pass, 0 of nobody (NULL); first, which may be NULL, is set to
 * the costliest of them, NULL if there is none.
 */
uint64_t rs_blame_sum(const struct rs_blame *b, uint64_t parts, const struct rs_blame_entry **first);
/* Returns for how long it was runnable while interrupts had its CPU in which requests of disks complete. */
uint64_t rs_blame_disk_irq_ns(const struct rs_blame *b);
/* Returns true if they are many that live for a moment each: a loop, or a script, starts them. */
static inline bool rs_blame_is_short_lived(const struct rs_blame *b, uint64_t interval_ns)
{
	enum { LEAST = 8 }; /* processes that live for less than that part of the interval */

	return b->nr_processes >= LEAST && b->lifetime_ns / b->nr_processes < interval_ns / LEAST;
}
/* Returns how many tasks wait for each CPU, on average, in thousandths. */
uint64_t rs_blame_nr_waiting(struct rs_ctx *c, uint64_t interval_ns);
/*
 * Returns who starts them, if they live for a moment and there are so many that where they wait for a CPU it
 * is that one which takes the CPUs: far fewer a second than where they have CPUs enough. NULL: no.
 */
const struct rs_task *rs_blame_starter(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns);
#endif
