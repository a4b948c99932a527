// SPDX-License-Identifier: GPL-2.0-or-later
/* workload - how much work a process did on each side, so that sides of different length and load compare */
#include "compare/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK_KEY_CALL 1u /* of RS_PROCESS_CALLS_KEYS */

#define WORK_CALLS 64u        /* of a process; the most frequent count, and others have no say */
#define WORK_AGREES 0.03      /* a unit's ratio is this near to the median */
#define WORK_MIXED 0.25       /* most calls are further off: they do not agree */

struct work_call {
	const struct rs_side_row *a, *b;
	double ratio, weight, nr;
	bool is_steady;             /* it came in every block */
};

static int work_compare(const void *x, const void *y)
{
	double a = ((const struct work_call *)x)->ratio, b = ((const struct work_call *)y)->ratio;

	return (a > b) - (a < b);
}

static bool work_is_in_each_block(const struct rs_side_row *row, unsigned int nr_blocks)
{
	for (unsigned int i = 0; i < nr_blocks; i++)
		if (!row->block_nr[i])
			return false;
	return true;
}

static struct work_call work_make_call(const struct rs_side *a, const struct rs_side *b,
				       const struct rs_side_row *of_a, const struct rs_side_row *of_b)
{
	double nr = sqrt((double)of_a->nr * (double)of_b->nr);

	return (struct work_call){ of_a, of_b, (double)of_b->nr / (double)of_a->nr, log(nr), nr,
				   work_is_in_each_block(of_a, a->nr_blocks) &&
					   work_is_in_each_block(of_b, b->nr_blocks) };
}

/* Keeps the steady ones alone, if there are such. */
static size_t work_keep_steady(struct work_call *calls, size_t nr)
{
	size_t nr_steady = 0;

	for (size_t i = 0; i < nr; i++)
		if (calls[i].is_steady)
			calls[nr_steady++] = calls[i];
	return nr_steady ? nr_steady : nr;
}

static size_t work_collect(const struct rs_side *a, const struct rs_side *b,
			   const struct rs_side_view *calls_b, struct rs_side_rows calls_a,
			   struct work_call calls[WORK_CALLS])
{
	size_t nr = 0;

	for (size_t i = 0; i < calls_a.nr && nr < WORK_CALLS; i++) {
		const struct rs_side_row *of_a = calls_a.at[i], *of_b;

		if (of_a->nr < RS_WORKLOAD_LEAST_CALLS)
			continue;
		of_b = rs_side_find(calls_b, of_a->key, of_a->key_bytes);
		if (of_b && of_b->nr >= RS_WORKLOAD_LEAST_CALLS)
			calls[nr++] = work_make_call(a, b, of_a, of_b);
	}
	return nr;
}

/* The weighted median of the ratios; sorts the calls by theirs. */
static double work_ratio(struct work_call *calls, size_t nr)
{
	double all = 0, seen = 0;

	qsort(calls, nr, sizeof *calls, work_compare);
	for (size_t i = 0; i < nr; i++)
		all += calls[i].weight;
	for (size_t i = 0; i < nr; i++) {
		seen += calls[i].weight;
		if (seen >= all / 2)
			return calls[i].ratio;
	}
	return 0;
}

/* The least frequent of those that have about the ratio. */
static const struct work_call *work_choose(const struct work_call *calls, size_t nr, double ratio)
{
	const struct work_call *best = NULL;

	for (size_t i = 0; i < nr; i++)
		if (fabs(log(calls[i].ratio / ratio)) <= WORK_AGREES && (!best || calls[i].nr < best->nr))
			best = &calls[i];
	return best;
}

static bool work_is_mixed(const struct work_call *calls, size_t nr, double ratio)
{
	double all = 0, off = 0;

	for (size_t i = 0; i < nr; i++) {
		all += calls[i].weight;
		off += fabs(log(calls[i].ratio / ratio)) > WORK_MIXED ? calls[i].weight : 0;
	}
	return off > all / 2;
}

static void work_set_calls(const struct rs_side *a, const struct rs_side *b, const struct work_call *unit,
			   struct rs_workload *work)
{
	work->call = rs_side_key(unit->a, WORK_KEY_CALL);
	for (unsigned int i = 0; i < a->nr_blocks; i++)
		work->all_a += work->a[i] = (double)unit->a->block_nr[i];
	for (unsigned int i = 0; i < b->nr_blocks; i++)
		work->all_b += work->b[i] = (double)unit->b->block_nr[i];
}

static void work_set_runs(const struct rs_side *a, const struct rs_side *b, struct rs_workload *work)
{
	work->call = RS_WORKLOAD_RUN;
	for (unsigned int i = 0; i < a->nr_blocks; i++)
		work->all_a += work->a[i] = (double)a->block_steps[i];
	for (unsigned int i = 0; i < b->nr_blocks; i++)
		work->all_b += work->b[i] = (double)b->block_steps[i];
}

static void work_set_seconds(const struct rs_side *a, const struct rs_side *b, struct rs_workload *work)
{
	for (unsigned int i = 0; i < a->nr_blocks; i++)
		work->all_a += work->a[i] = (double)a->block_ns[i] / 1e9;
	for (unsigned int i = 0; i < b->nr_blocks; i++)
		work->all_b += work->b[i] = (double)b->block_ns[i] / 1e9;
}

static const struct work_call *work_find_call(const struct work_call *calls, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rs_side_key(calls[i].a, WORK_KEY_CALL), name))
			return &calls[i];
	return NULL;
}

void rs_workload_find(const struct rs_side *a, const struct rs_side *b, size_t view,
		      struct rs_side_rows calls_a, const char *per, struct rs_workload *work)
{
	struct work_call calls[WORK_CALLS];
	const struct work_call *unit = NULL;
	size_t nr = work_collect(a, b, &b->views[view], calls_a, calls);
	double ratio;

	memset(work, 0, sizeof *work);
	if (!per && a->of_runs) {
		work_set_runs(a, b, work);
		return;
	}
	if (per && strcmp(per, RS_WORKLOAD_SECOND) != 0) {
		unit = work_find_call(calls, nr, per);
		work->lacks_per = !unit;
	} else if (nr && !per) {
		nr = work_keep_steady(calls, nr);
		ratio = work_ratio(calls, nr);
		unit = work_choose(calls, nr, ratio);
		work->is_mixed = work_is_mixed(calls, nr, ratio);
	}
	if (unit)
		work_set_calls(a, b, unit, work);
	else
		work_set_seconds(a, b, work);
}
