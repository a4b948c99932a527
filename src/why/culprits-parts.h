/* SPDX-License-Identifier: GPL-2.0-or-later */
/* culprits-parts.h - what the files that divide a task's time share: culprits*.c */
#ifndef RS_WHY_CULPRITS_PARTS_H
#define RS_WHY_CULPRITS_PARTS_H

#include "why/culprits.h"
#include "why/history.h"

#define RS_CULPRITS_MAX_SLICES 4096u /* of one wait: beyond, the rest is of several */

/* What is divided: one segment, clipped to the time that is asked about. */
struct rs_culprits_part {
	struct rs_ctx *c;
	const struct rs_segment *seg;
	uint64_t from_ns, to_ns;
	struct rs_culprits *out;
};

/* Adds a piece that begins at at_ns. A process is one culprit, whichever of its threads it was. */
void rs_culprits_list_put(struct rs_culprits *out, const struct rs_culprit *k, uint64_t at_ns, uint64_t ns);
/* Adds what no task had, between two times. */
void rs_culprits_list_add_nobody(struct rs_culprits *out, enum rs_time_part part, enum rs_culprit_kind kind,
				 uint64_t from_ns, uint64_t to_ns);
/* Returns the one in the list that is the same; NULL: there is none. */
struct rs_culprit *rs_culprits_list_known(struct rs_culprits *out, const struct rs_culprit *as);
/* Returns a task as a culprit, without time. */
struct rs_culprit rs_culprits_list_task(enum rs_time_part part, const struct rs_task_name *n);
/* What a process is told apart by; where its pid is not known, the task. */
uint64_t rs_culprits_list_task_id(int32_t pid, int32_t tid);
/* Returns the task's own name. */
const char *rs_culprits_list_comm(const struct rs_task_name *n);

/* A sample has taken its share of time: what is left is like what was seen. */
static inline bool rs_culprits_suffice(const struct rs_culprits_part *p)
{
	return p->out->most_steps && p->out->steps >= p->out->most_steps;
}

/* Likewise if the history reaches back to at_ns only. */
static inline bool rs_culprits_are_the_last(const struct rs_culprits_part *p, uint64_t at_ns)
{
	return p->out->most_steps && at_ns < p->to_ns && rs_history_from_ns(p->c) > p->from_ns;
}

/* culprits-cpu.c: a slice; a wait for a CPU */
void rs_culprits_cpu_divide_run(const struct rs_culprits_part *p);
void rs_culprits_cpu_divide_runnable(const struct rs_culprits_part *p);

/* A request ended the wait, of its own or of whoever, when it completed. */
struct rs_culprits_done {
	uint32_t dev;
	uint64_t by_ns;
	bool of_whoever;
};

/* Returns false if it is not for a disk that the task waits. */
bool rs_culprits_find_done(const struct rs_culprits_part *p, struct rs_culprits_done *done);
/* Divides a wait for a disk. */
void rs_culprits_divide_disk(const struct rs_culprits_part *p, const struct rs_culprits_done *done);
/*
 * Divides the time of a request. From its insert to its completion the device worked for whoever's request
 * completed next: the time between two completions is that of the later one. fault: all of it is of a page
 * fault.
 */
void rs_culprits_divide_device(const struct rs_culprits_part *p, const struct rs_done_request *own,
			       bool fault);

#endif
