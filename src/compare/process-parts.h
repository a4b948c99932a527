/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process-parts.h - the steps of rs_process_compare, a file each: the parts of a process' time, whose calls
 * are its work (process-work.c), how it changed (process-judge.c), what it waits for (process-follow.c)
 */
#ifndef RS_COMPARE_PROCESS_PARTS_H
#define RS_COMPARE_PROCESS_PARTS_H

#include "compare/process.h"
#include "compare/row-index.h"

/* Both sides, and their rows by process. */
struct rs_process_sides {
	const struct rs_side *a, *b;
	struct rs_row_index why_a, why_b;  /* where the time of a process went */
	struct rs_row_index for_a;         /* the same rows by culprit: who waited for it */
	struct rs_row_index calls_a;       /* what it called */
	struct rs_row_index answers_a, answers_b; /* waits for the peers of its connections */
	const char *per;                   /* see rs_workload_find */
};

/* Of RS_PROCESS_WHY_KEYS, and of the other views the first. */
enum rs_process_key {
	RS_PROCESS_COMM, RS_PROCESS_PART, RS_PROCESS_DEV, RS_PROCESS_TYPE, RS_PROCESS_CULPRIT
};

/* Of both sides the fewer. */
static inline unsigned int rs_process_blocks(const struct rs_process_sides *sides)
{
	return sides->a->nr_blocks < sides->b->nr_blocks ? sides->a->nr_blocks : sides->b->nr_blocks;
}

/* ---- process-parts.c ---- */

enum rs_time_part rs_process_part_of(const struct rs_side_row *row);
/* Does it wait for something to do, or for an answer (the wait alone does not tell which)? Or unknown. */
bool rs_process_part_is_input(enum rs_time_part part);
/* May whoever ended such a wait be to blame for its length? An idle kernel thread waits for no one. */
bool rs_process_part_may_follow(const struct rs_process_part *part);
/* Adds the times of p->comm on both sides. False: no memory. */
bool rs_process_parts_add(struct rs_process_change *p, const struct rs_process_sides *sides);

/* ---- process-work.c ---- */

/* Sets p->worker and p->work. */
void rs_process_work_find(struct rs_process_change *p, const struct rs_process_sides *sides);

/* ---- process-judge.c ---- */

/* Sets what each part changed by, and whether it counts by itself. */
void rs_process_judge_parts(struct rs_process_change *p, const struct rs_process_sides *sides);
/* Sets the change of those that count, and the verdict. */
void rs_process_judge(struct rs_process_change *p, const struct rs_process_sides *sides);
/* Is a change further from none than chance takes it, and no trifle? */
bool rs_process_judge_is_told(struct rs_estimate change, unsigned int nr_blocks);
/* Does the part count, and is its change certain? */
bool rs_process_judge_is_sure(const struct rs_process_part *part);

/* ---- process-answers.c ---- */

/* Lets waits count in which p waits longer for answers over the network. After rs_process_judge_parts. */
void rs_process_answers_find(struct rs_process_change *p, const struct rs_process_sides *sides);
/* Says which servers are processes of this machine that take no longer. After rs_process_follow. */
void rs_process_answers_name(struct rs_process_list *list, const struct rs_process_sides *sides);
/* Is that one a client of the other, over a connection? */
bool rs_process_answers_asks(const struct rs_process_sides *sides, const char *client, const char *server);

/* ---- process-follow.c ---- */

/* Lets waits for input count that another process made longer. list: in the order of names. */
void rs_process_follow(struct rs_process_list *list, const struct rs_process_sides *sides);

#endif
