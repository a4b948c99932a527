// SPDX-License-Identifier: GPL-2.0-or-later
/* change - rows of a view on both sides, and whether they differ */
#include "compare/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

static const char *const change_words[RS_NR_CHANGE_VERDICTS] = {
	[RS_CHANGE_NONE] = "alike", [RS_CHANGE_UNDETERMINED] = "undetermined",
	[RS_CHANGE_SLOWER] = "slower", [RS_CHANGE_FASTER] = "faster", [RS_CHANGE_MORE] = "more",
	[RS_CHANGE_LESS] = "less", [RS_CHANGE_NEW] = "new", [RS_CHANGE_ABSENT] = "gone",
};

const char *rs_change_word(enum rs_change_verdict verdict)
{
	return change_words[verdict];
}

static struct rs_estimate change_rate(const uint64_t *counts, const struct rs_side *side)
{
	struct rs_estimate each_ns;

	if (side->of_runs)
		return rs_estimate_of_counts(counts, side->block_steps, side->nr_blocks);
	each_ns = rs_estimate_of_counts(counts, side->block_ns, side->nr_blocks);

	return (struct rs_estimate){ each_ns.value * 1e9, each_ns.error * 1e9 };
}

static void change_measure_rates(struct rs_change *ch, const struct rs_side *a, const struct rs_side *b)
{
	if (ch->a) {
		ch->rate_a = change_rate(ch->a->block_nr, a);
		ch->total_a = change_rate(ch->a->block_sum, a);
	}
	if (ch->b) {
		ch->rate_b = change_rate(ch->b->block_nr, b);
		ch->total_b = change_rate(ch->b->block_sum, b);
	}
	ch->cost = ch->total_b.value - ch->total_a.value;
}

static void change_measure_latencies(struct rs_change *ch, const struct rs_side *a, const struct rs_side *b,
				     unsigned int nr_blocks)
{
	double errors = rs_estimate_interval(nr_blocks);
	struct rs_dist of_a = { 0 }, of_b = { 0 };

	if (ch->a)
		of_a = rs_dist_of((struct rs_side_row *)ch->a, a->nr_blocks);
	if (ch->b)
		of_b = rs_dist_of((struct rs_side_row *)ch->b, b->nr_blocks);
	ch->above = rs_dist_rank_test(&of_a, &of_b);
	ch->p50_a = rs_dist_quantile(&of_a, 500, errors);
	ch->p50_b = rs_dist_quantile(&of_b, 500, errors);
	ch->p99_a = rs_dist_quantile(&of_a, 990, errors);
	ch->p99_b = rs_dist_quantile(&of_b, 990, errors);
	ch->p50 = rs_dist_shift(ch->p50_a, ch->p50_b);
	ch->p99 = rs_dist_shift(ch->p99_a, ch->p99_b);
}

static bool change_is_told(struct rs_estimate change, unsigned int nr_blocks)
{
	return fabs(change.value) > rs_estimate_told(nr_blocks) * change.error && change.value != 0;
}

static bool change_is_large(const struct rs_interval_ns *shift, double before)
{
	double size = fabs(shift->value);

	return size >= RS_CHANGE_LEAST_SHARE * before &&
	       (size >= RS_CHANGE_LEAST_NS || size >= RS_CHANGE_HALF * before);
}

/* The interval does not reach 0, at a level that holds for hundreds of keys. */
static bool change_is_shifted(const struct rs_interval_ns *shift, double before, double errors, double told)
{
	double reach = shift->value > 0 ? shift->value - shift->low : shift->high - shift->value;

	return change_is_large(shift, before) && fabs(shift->value) > reach * told / errors;
}

/* Distributions: all values by their ranks, or the slowest of them by the 99th percentile. */
static enum rs_change_verdict change_judge_latencies(const struct rs_change *ch, unsigned int nr_blocks)
{
	double errors = rs_estimate_interval(nr_blocks), told = rs_estimate_told(nr_blocks), sign = 0;
	struct rs_estimate off = { ch->above.value - 0.5, ch->above.error };

	if (change_is_told(off, nr_blocks) && change_is_large(&ch->p50, ch->p50_a.value))
		sign = off.value * ch->p50.value > 0 ? off.value : 0;
	if (sign == 0 && ch->a->nr >= RS_CHANGE_LEAST_TAIL && ch->b->nr >= RS_CHANGE_LEAST_TAIL &&
	    change_is_shifted(&ch->p99, ch->p99_a.value, errors, told))
		sign = ch->p99.value;
	return sign > 0 ? RS_CHANGE_SLOWER : sign < 0 ? RS_CHANGE_FASTER : RS_CHANGE_NONE;
}

static enum rs_change_verdict change_judge_rates(const struct rs_change *ch, unsigned int nr_blocks)
{
	struct rs_estimate rate = rs_estimate_change(ch->rate_a, ch->rate_b);

	if (!change_is_told(rate, nr_blocks) ||
	    fabs(rate.value) < RS_CHANGE_LEAST_SHARE * ch->rate_a.value)
		return RS_CHANGE_NONE;
	if (!ch->a || !ch->a->nr)
		return RS_CHANGE_NEW;
	if (!ch->b || !ch->b->nr)
		return RS_CHANGE_ABSENT;
	return rate.value > 0 ? RS_CHANGE_MORE : RS_CHANGE_LESS;
}

static enum rs_change_verdict change_judge(const struct rs_change *ch, bool is_latency,
					   unsigned int nr_blocks)
{
	uint64_t nr_a = ch->a ? ch->a->nr : 0, nr_b = ch->b ? ch->b->nr : 0;
	enum rs_change_verdict verdict;

	if (nr_blocks < RS_SIDE_LEAST_BLOCKS ||
	    (nr_a < RS_CHANGE_LEAST_VALUES && nr_b < RS_CHANGE_LEAST_VALUES))
		return RS_CHANGE_UNDETERMINED;
	if (is_latency && nr_a >= RS_CHANGE_LEAST_VALUES && nr_b >= RS_CHANGE_LEAST_VALUES) {
		verdict = change_judge_latencies(ch, nr_blocks);
		if (verdict != RS_CHANGE_NONE)
			return verdict;
	}
	return change_judge_rates(ch, nr_blocks);
}

static void change_add(struct rs_change_list *list, const struct rs_side *a, const struct rs_side *b,
		       const struct rs_side_row *row_a, const struct rs_side_row *row_b)
{
	unsigned int nr_blocks = a->nr_blocks < b->nr_blocks ? a->nr_blocks : b->nr_blocks;
	struct rs_change *ch = RS_VECTOR_ADD(&list->at, &list->nr, &list->room);

	if (!ch) {
		list->failed = true;
		return;
	}
	*ch = (struct rs_change){ .a = row_a, .b = row_b };
	change_measure_rates(ch, a, b);
	if (list->view->is_latency)
		change_measure_latencies(ch, a, b, nr_blocks);
	ch->verdict = change_judge(ch, list->view->is_latency, nr_blocks);
}

static bool change_is_verdict(const struct rs_change *ch)
{
	return ch->verdict > RS_CHANGE_UNDETERMINED;
}

static int change_compare(const void *x, const void *y)
{
	const struct rs_change *a = x, *b = y;
	double cost_a = fabs(a->cost), cost_b = fabs(b->cost);

	if (change_is_verdict(a) != change_is_verdict(b))
		return change_is_verdict(a) ? -1 : 1;
	return (cost_a < cost_b) - (cost_a > cost_b);
}

void rs_change_compare(struct rs_change_list *list, const struct rs_side *a, const struct rs_side *b,
		       size_t view)
{
	const struct rs_side_view *of_a = &a->views[view], *of_b = &b->views[view];

	*list = (struct rs_change_list){ .view = of_a };
	for (size_t i = 0; i < of_a->nr_rows; i++)
		change_add(list, a, b, of_a->rows[i],
			   rs_side_find(of_b, of_a->rows[i]->key, of_a->rows[i]->key_bytes));
	for (size_t i = 0; i < of_b->nr_rows; i++)
		if (!rs_side_find(of_a, of_b->rows[i]->key, of_b->rows[i]->key_bytes))
			change_add(list, a, b, NULL, of_b->rows[i]);
	if (list->nr)
		qsort(list->at, list->nr, sizeof *list->at, change_compare);
}

void rs_change_list_done(struct rs_change_list *list)
{
	free(list->at);
	*list = (struct rs_change_list){ 0 };
}
