// SPDX-License-Identifier: GPL-2.0-or-later
/* process-judge - what a process takes for a unit of its work on each side, and whether that differs */
#include "compare/process-parts.h"

#include <math.h>

#define PROCESS_LEAST_NS 1000.0 /* a change of less is no change */

bool rs_process_judge_is_told(struct rs_estimate change, unsigned int nr_blocks)
{
	return fabs(change.value) > rs_estimate_told(nr_blocks) * change.error &&
	       fabs(change.value) > PROCESS_LEAST_NS;
}

static void process_judge_part(struct rs_process_change *p, struct rs_process_part *part,
			       const struct rs_process_sides *sides)
{
	part->of_a = rs_estimate_ratio(part->a, p->work.a, sides->a->nr_blocks);
	part->of_b = rs_estimate_ratio(part->b, p->work.b, sides->b->nr_blocks);
	part->change = rs_estimate_change(part->of_a, part->of_b);
	part->is_told = rs_process_judge_is_told(part->change, rs_process_blocks(sides));
	part->is_new = part->is_told && part->of_a.value < part->of_b.value / 100;
	part->is_absent = part->is_told && part->of_b.value < part->of_a.value / 100;
	part->counts = !rs_process_part_is_input(part->part);
}

void rs_process_judge_parts(struct rs_process_change *p, const struct rs_process_sides *sides)
{
	for (size_t i = 0; i < p->nr_parts; i++)
		process_judge_part(p, &p->parts[i], sides);
}

/* Which parts are summed. */
static bool process_is_counted(const struct rs_process_part *part)
{
	return part->counts;
}

bool rs_process_judge_is_sure(const struct rs_process_part *part)
{
	return part->counts && part->is_told;
}

/* From their sums in each block: parts of one block are not independent. */
static struct rs_estimate process_sum(const struct rs_process_change *p, const struct rs_side *side,
				      bool is_b, bool (*is_in)(const struct rs_process_part *part))
{
	double sum[RS_SIDE_MAX_BLOCKS] = { 0 };

	for (size_t n = 0; n < p->nr_parts; n++)
		for (unsigned int i = 0; is_in(&p->parts[n]) && i < side->nr_blocks; i++)
			sum[i] += is_b ? p->parts[n].b[i] : p->parts[n].a[i];
	return rs_estimate_ratio(sum, is_b ? p->work.b : p->work.a, side->nr_blocks);
}

static bool process_is_large(const struct rs_process_change *p, struct rs_estimate change,
			     unsigned int nr_blocks)
{
	return rs_process_judge_is_told(change, nr_blocks) &&
	       fabs(change.value) >= RS_PROCESS_LEAST_SHARE * p->of_a.value;
}

/*
 * What it is by the change of all its time, or, where a busy machine makes that uncertain, by the parts whose
 * change is certain. RS_PROCESS_SLOWER, RS_PROCESS_FASTER or RS_PROCESS_ALIKE.
 */
static enum rs_process_verdict process_direction(const struct rs_process_change *p,
						 const struct rs_process_sides *sides)
{
	struct rs_estimate sure_a = process_sum(p, sides->a, false, rs_process_judge_is_sure),
			   sure_b = process_sum(p, sides->b, true, rs_process_judge_is_sure),
			   sure = rs_estimate_change(sure_a, sure_b);
	unsigned int nr_blocks = rs_process_blocks(sides);

	if (process_is_large(p, p->change, nr_blocks))
		return p->change.value > 0 ? RS_PROCESS_SLOWER : RS_PROCESS_FASTER;
	if (process_is_large(p, sure, nr_blocks) && sure.value * p->change.value > 0)
		return sure.value > 0 ? RS_PROCESS_SLOWER : RS_PROCESS_FASTER;
	return RS_PROCESS_ALIKE;
}

static enum rs_process_verdict process_verdict(const struct rs_process_change *p,
					       const struct rs_process_sides *sides)
{
	enum rs_process_verdict direction;

	if (rs_process_blocks(sides) < RS_SIDE_LEAST_BLOCKS || p->work.is_mixed)
		return RS_PROCESS_UNDETERMINED;
	direction = process_direction(p, sides);
	if (p->work.call || direction == RS_PROCESS_ALIKE)
		return direction;
	return direction == RS_PROCESS_SLOWER ? RS_PROCESS_MORE : RS_PROCESS_LESS;
}

void rs_process_judge(struct rs_process_change *p, const struct rs_process_sides *sides)
{
	const struct rs_side *a = sides->a, *b = sides->b;
	double reach;

	p->input_ns = 0;
	for (size_t n = 0; n < p->nr_parts; n++)
		p->input_ns += p->parts[n].counts ? 0 : p->parts[n].change.value;
	p->of_a = process_sum(p, a, false, process_is_counted);
	p->of_b = process_sum(p, b, true, process_is_counted);
	p->change = rs_estimate_change(p->of_a, p->of_b);
	reach = rs_estimate_interval(rs_process_blocks(sides)) * p->change.error;
	p->low_ns = p->change.value - reach;
	p->high_ns = p->change.value + reach;
	p->cost = b->len_ns ? p->change.value * p->work.all_b / ((double)b->len_ns / 1e9) : 0;
	p->verdict = process_verdict(p, sides);
}

