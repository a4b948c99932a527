// SPDX-License-Identifier: GPL-2.0-or-later
/* process - what a process takes for a unit of its work on each side, and which parts of its time changed */
#include "compare/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "compare/process-parts.h"

#define PROCESS_LEAST_SHARE_OF_TIME 0.002 /* of one CPU's time on one side: less is not looked at */

bool rs_process_has_verdict(const struct rs_process_change *p)
{
	return p->verdict >= RS_PROCESS_SLOWER && p->verdict <= RS_PROCESS_LESS;
}

const char *rs_process_word(enum rs_process_verdict verdict)
{
	static const char *const words[RS_NR_PROCESS_VERDICTS] = {
		"alike", "slower", "faster", "more", "less", "undetermined",
	};

	return words[verdict];
}

/* ---- both sides ---- */

static bool process_begin_sides(struct rs_process_sides *sides, const struct rs_side *a,
				const struct rs_side *b, const char *per)
{
	const struct rs_side_view *why_a = &a->views[RS_PROCESS_WHY];

	*sides = (struct rs_process_sides){ .a = a, .b = b, .per = per };
	return rs_row_index_init(&sides->why_a, why_a, RS_PROCESS_COMM) &&
	       rs_row_index_init(&sides->for_a, why_a, RS_PROCESS_CULPRIT) &&
	       rs_row_index_init(&sides->why_b, &b->views[RS_PROCESS_WHY], RS_PROCESS_COMM) &&
	       rs_row_index_init(&sides->calls_a, &a->views[RS_PROCESS_CALLS], RS_PROCESS_COMM) &&
	       rs_row_index_init(&sides->answers_a, &a->views[RS_PROCESS_ANSWERS], RS_PROCESS_COMM) &&
	       rs_row_index_init(&sides->answers_b, &b->views[RS_PROCESS_ANSWERS], RS_PROCESS_COMM);
}

static void process_end_sides(struct rs_process_sides *sides)
{
	rs_row_index_done(&sides->why_a);
	rs_row_index_done(&sides->for_a);
	rs_row_index_done(&sides->why_b);
	rs_row_index_done(&sides->calls_a);
	rs_row_index_done(&sides->answers_a);
	rs_row_index_done(&sides->answers_b);
}

/* ---- which come first ---- */

static int process_compare_parts(const void *x, const void *y)
{
	double a = fabs(((const struct rs_process_part *)x)->change.value),
	       b = fabs(((const struct rs_process_part *)y)->change.value);

	return (a < b) - (a > b);
}

static unsigned int process_rank(const struct rs_process_change *p)
{
	static const unsigned int ranks[RS_NR_PROCESS_VERDICTS] = {
		[RS_PROCESS_SLOWER] = 1, [RS_PROCESS_FASTER] = 2, [RS_PROCESS_MORE] = 3,
		[RS_PROCESS_LESS] = 4, [RS_PROCESS_ALIKE] = 5, [RS_PROCESS_UNDETERMINED] = 6,
	};

	return p->is_root ? 0 : ranks[p->verdict];
}

static int process_compare_changes(const void *x, const void *y)
{
	const struct rs_process_change *a = x, *b = y;
	unsigned int rank_a = process_rank(a), rank_b = process_rank(b);
	double cost_a = fabs(a->cost), cost_b = fabs(b->cost);

	if (rank_a != rank_b)
		return rank_a < rank_b ? -1 : 1;
	return (cost_a < cost_b) - (cost_a > cost_b);
}

static void process_sort(struct rs_process_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->at[i].nr_parts)
			qsort(list->at[i].parts, list->at[i].nr_parts, sizeof *list->at[i].parts,
			      process_compare_parts);
	if (list->nr)
		qsort(list->at, list->nr, sizeof *list->at, process_compare_changes);
}

/* ---- all processes ---- */

static bool process_is_for_another(const struct rs_process_change *p, const struct rs_process_part *part,
				   const struct rs_process_sides *sides)
{
	return rs_process_part_may_follow(part) && strcmp(part->culprit, p->comm) != 0 &&
	       (rs_row_index_has(&sides->why_a, part->culprit) ||
		rs_row_index_has(&sides->why_b, part->culprit));
}

/* Does it do anything worth a comparison on one side? */
static bool process_is_busy(const struct rs_process_change *p, const struct rs_process_sides *sides)
{
	double busy_a = 0, busy_b = 0;

	for (size_t n = 0; n < p->nr_parts; n++) {
		const struct rs_process_part *part = &p->parts[n];

		if (!part->counts && !process_is_for_another(p, part, sides))
			continue;
		for (unsigned int i = 0; i < RS_SIDE_MAX_BLOCKS; i++) {
			busy_a += part->a[i];
			busy_b += part->b[i];
		}
	}
	return busy_a > PROCESS_LEAST_SHARE_OF_TIME * (double)sides->a->len_ns ||
	       busy_b > PROCESS_LEAST_SHARE_OF_TIME * (double)sides->b->len_ns;
}

static void process_add(struct rs_process_list *list, const struct rs_process_sides *sides, const char *comm)
{
	struct rs_process_change *p = RS_VECTOR_ADD(&list->at, &list->nr, &list->room);

	if (!p) {
		list->failed = true;
		return;
	}
	*p = (struct rs_process_change){ .comm = comm };
	list->failed |= !rs_process_parts_add(p, sides);
	rs_process_work_find(p, sides);
	rs_process_judge_parts(p, sides);
	rs_process_answers_find(p, sides);
	if (!process_is_busy(p, sides)) {
		free(p->parts);
		list->nr--;
		return;
	}
	rs_process_judge(p, sides);
}

/* In the order of their names. */
static void process_add_all(struct rs_process_list *list, const struct rs_process_sides *sides)
{
	const struct rs_row_index *why = &sides->why_a;

	for (size_t i = 0; i < why->nr; i += rs_row_index_at(why, i).nr) {
		const char *comm = rs_side_key(why->rows[i], RS_PROCESS_COMM);

		if (rs_row_index_has(&sides->why_b, comm))
			process_add(list, sides, comm);
	}
}

void rs_process_compare(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b,
			const char *per)
{
	struct rs_process_sides sides;

	memset(list, 0, sizeof *list);
	if (process_begin_sides(&sides, a, b, per)) {
		process_add_all(list, &sides);
		rs_process_follow(list, &sides);
		rs_process_answers_name(list, &sides);
		process_sort(list);
	} else {
		list->failed = true;
	}
	process_end_sides(&sides);
}

void rs_process_list_done(struct rs_process_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->at[i].parts);
	free(list->at);
	memset(list, 0, sizeof *list);
}
