/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blame-parts.h - what the files behind why/blame.h share: blames.c divides waits, blame-list.c adds
 * them up, by name
 */
#ifndef RS_WHY_BLAME_PARTS_H
#define RS_WHY_BLAME_PARTS_H

#include "why/blames.h"

#define RS_BLAME_PENDING 16u

/*
 * There are many tasks, and few of them wait in more than two or three ways: what is kept of each grows as it
 * is needed. To touch a page for the first time costs as much as many events.
 */

/* Divided waits, of a task since the last reset. */
struct rs_blamed_waits {
	struct rs_blame_entry *at;
	struct rs_blamed_part {
		uint64_t ns;
		uint32_t nr;
		uint8_t part;            /* enum rs_time_part */
	} *parts;                        /* all of it, also what no entry has */
	unsigned int nr, nr_parts;
	uint64_t cpu_ns[];               /* rs_blames.nr_cpus */
};

/* Of one thread, since the last reset. Most live for a moment, and never wait long: these have no .waits. */
struct rs_blamed_task {
	struct rs_blamed_waits *waits;   /* NULL: none were divided */
	uint8_t nr, room;
	/* 1 + the number of those of a cause and system call; 0: there were none */
	uint8_t at[RS_BLAME_PENDING];
	struct rs_blame_pending {
		uint64_t ns, due_ns;     /* due_ns: when they are divided; 0: not known yet */
		uint32_t nr;
		uint16_t nr_divided;
		uint8_t cause;           /* enum rs_cause */
	} pending[];                     /* waits that are not divided yet; first those for a CPU */
};

struct rs_blames {
	struct rs_ctx *c;
	uint64_t since_ns;               /* the last reset; 0: there was none */
	unsigned int nr_cpus;            /* at most RS_BLAME_CPUS */
	size_t nr_tasks;
	/* blame-list.c */
	struct rs_blame *list;
	uint64_t *cpu_ns;                /* of each in the list: nr_cpus */
	size_t nr;
	uint64_t made_ns, made_events;
	/* the work that may be done now */
	int64_t credit;
	uint64_t credit_ns;
	uint32_t credit_segment;         /* that it was counted up to */
};

/* What is divided: a wait of the task up to now, which stands for nr waits that were ns long together. */
struct rs_blame_case {
	const struct rs_task *task;
	const struct rs_wait *wait; /* NULL: for a CPU */
	uint64_t from_ns, to_ns, ns, nr;
	double scale;               /* of what was seen of it to ns */
	uint8_t place;              /* its number in .pending of its task */
};

void rs_blames_divide(struct rs_blames *b, struct rs_blamed_waits *to, struct rs_blame_case of);

/*
 * Adds to the nr entries at *at, for which at most RS_BLAME_PLACES are allocated: whoever has more than one
 * in that many of the time keeps a place. did_ns of e is copied if has_did, and may be left unset without.
 */
void rs_blame_entries_add(struct rs_blame_entry **at, unsigned int *nr, const struct rs_blame_entry *e);
void rs_blame_entries_add_pid(struct rs_blame_entry *e, int32_t pid);
void rs_blame_entries_add_part(struct rs_blamed_waits *to, enum rs_time_part part, uint64_t ns, uint32_t nr);
void rs_blame_entries_free(struct rs_blame_entry *at, unsigned int nr);

void rs_blame_list_free(struct rs_blames *b);

#endif
