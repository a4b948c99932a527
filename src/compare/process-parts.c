// SPDX-License-Identifier: GPL-2.0-or-later
/* process-parts - the parts of a process' time on both sides */
#include "compare/process-parts.h"

#include <string.h>

#include "base/vector.h"

enum rs_time_part rs_process_part_of(const struct rs_side_row *row)
{
	const char *name = rs_side_key(row, RS_PROCESS_PART);

	for (unsigned int i = 0; i < RS_NR_PARTS; i++)
		if (!strcmp(rs_part_row((enum rs_time_part)i)->name, name))
			return (enum rs_time_part)i;
	return RS_PART_UNKNOWN;
}

bool rs_process_part_is_input(enum rs_time_part part)
{
	enum rs_cause_rank rank = rs_part_cause(part)->rank;

	return (rank == RS_RANK_CHOICE || rank == RS_RANK_IDLE || rank == RS_RANK_UNKNOWN) &&
	       !((RS_PART_BIT(TIMER) | RS_PART_BIT(NETWORK) | RS_PART_BIT(SEND_BUFFER) |
		  RS_PART_BIT(SEND_PEER) | RS_PART_BIT(SEND_LINK)) >>
			 part &
		 1);
}

bool rs_process_part_may_follow(const struct rs_process_part *part)
{
	return part->part != RS_PART_IDLE && part->part != RS_PART_STOPPED &&
	       rs_part_cause(part->part)->rank != RS_RANK_UNKNOWN;
}

bool rs_process_is_somebody(const char *culprit)
{
	static const char *const nobody[] = { "", "-", "itself", "interrupt", "idle", "others" };

	for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
		if (!strcmp(culprit, nobody[i]))
			return false;
	return true;
}

static bool process_is_same_culprit(const char *a, const char *b)
{
	return !strcmp(a, b) || (!rs_process_is_somebody(a) && !rs_process_is_somebody(b));
}

/* Stages of one request on one disk are told as one, and so are the ways to wait for a CPU. */
static bool process_is_same(const struct rs_process_part *p, enum rs_time_part part,
			    const struct rs_side_row *row)
{
	enum rs_category category = rs_part_cause(part)->category;
	bool is_alike = category == RS_CATEGORY_DISK || category == RS_CATEGORY_QUEUE ||
			category == RS_CATEGORY_IRQ || category == RS_CATEGORY_MEMORY;

	if (is_alike ? rs_part_cause(p->part)->category != category : p->part != part)
		return false;
	return !strcmp(p->dev, rs_side_key(row, RS_PROCESS_DEV)) &&
	       process_is_same_culprit(p->culprit, rs_side_key(row, RS_PROCESS_CULPRIT)) &&
	       (is_alike || !strcmp(p->type, rs_side_key(row, RS_PROCESS_TYPE)));
}

static struct rs_process_part *process_get_part(struct rs_process_change *p, const struct rs_side_row *row)
{
	enum rs_time_part part = rs_process_part_of(row);
	struct rs_process_part *new;

	for (size_t i = 0; i < p->nr_parts; i++)
		if (process_is_same(&p->parts[i], part, row))
			return &p->parts[i];
	new = RS_VECTOR_ADD(&p->parts, &p->nr_parts, &p->parts_room);
	if (new)
		*new = (struct rs_process_part){ .part = part, .dev = rs_side_key(row, RS_PROCESS_DEV),
						 .type = rs_side_key(row, RS_PROCESS_TYPE),
						 .culprit = rs_side_key(row, RS_PROCESS_CULPRIT) };
	return new;
}

static bool process_add_row(struct rs_process_change *p, const struct rs_side *side,
			    const struct rs_side_row *row, bool is_b)
{
	struct rs_process_part *part = process_get_part(p, row);

	for (unsigned int i = 0; part && i < side->nr_blocks; i++)
		(is_b ? part->b : part->a)[i] += (double)row->block_sum[i];
	return part;
}

static bool process_add_rows(struct rs_process_change *p, const struct rs_side *side,
			     const struct rs_row_index *why, bool is_b)
{
	struct rs_side_rows rows = rs_row_index_find(why, p->comm);

	for (size_t i = 0; i < rows.nr; i++)
		if (!process_add_row(p, side, rows.at[i], is_b))
			return false;
	return true;
}

bool rs_process_parts_add(struct rs_process_change *p, const struct rs_process_sides *sides)
{
	return process_add_rows(p, sides->a, &sides->why_a, false) &&
	       process_add_rows(p, sides->b, &sides->why_b, true);
}
