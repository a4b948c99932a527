/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blame-parts.h - what the files behind ringside/blame.h share: blames.c divides waits, blame-list.c adds them up, by name */
#ifndef RS_ENGINE_BLAME_PARTS_H
#define RS_ENGINE_BLAME_PARTS_H

#include "engine/blames.h"
#include "engine/internal.h"

#define RS_BLAME_PENDING 16u

/* Divided waits, of a task since the last reset; places of entries are allocated as they are needed. */
struct rs_blamed_waits {
	struct rs_blame_entry *at;
	unsigned int nr;
	uint32_t part_nr[RS_NR_PARTS];
	uint64_t part_ns[RS_NR_PARTS];
	uint64_t cpu_ns[];               /* rs_blames.nr_cpus */
};

/* Of one thread, since the last reset. Most live for a moment, and never wait long: these have no .waits. */
struct rs_blamed_task {
	struct rs_blame_pending {
		uint64_t ns, due_ns;     /* due_ns: when they are divided; 0: not known yet */
		uint32_t nr;
		uint16_t nr_divided;
		uint8_t cause;           /* enum rs_cause */
	} pending[RS_BLAME_PENDING];     /* waits that are not divided yet */
	struct rs_blamed_waits *waits;   /* NULL: none were divided */
};

struct rs_blames {
	struct rs_ctx *c;
	uint64_t since_ns;               /* the last reset; 0: there was none */
	unsigned int nr_cpus;            /* at most RS_BLAME_CPUS */
	size_t nr_tasks;
	/* blame-list.c */
	struct rs_blame *list;
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
	uint8_t place;              /* in .pending of its task */
};

void rs_blames_divide(struct rs_blames *b, struct rs_blamed_waits *to, struct rs_blame_case of);

/*
 * Adds to the nr entries at *at, for which at most RS_BLAME_PLACES are allocated: whoever has more than one in that many of
 * the time keeps a place. did_ns of e may be left unset without has_did.
 */
void rs_blame_entries_add(struct rs_blame_entry **at, unsigned int *nr, const struct rs_blame_entry *e);
void rs_blame_entries_add_pid(struct rs_blame_entry *e, int32_t pid);

void rs_blame_list_free(struct rs_blames *b);

#endif
