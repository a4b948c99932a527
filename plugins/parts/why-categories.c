// SPDX-License-Identifier: GPL-2.0-or-later
/* why-categories - sums of time by category, and the columns that show them */
#include "plugins/parts/why-categories.h"

void rs_why_categories_add(struct rs_why_categories *of, const struct rs_culprit *k)
{
	if (of)
		of->ns[rs_part_cause(k->part)->category] += k->ns;
}

static uint64_t why_categories_ns(const struct rs_group *g, bool awake)
{
	const struct rs_why_categories *of = g->row;
	uint64_t ns = 0;

	for (int category = 0; category < RS_NR_CATEGORIES; category++)
		if (!awake || (category != RS_CATEGORY_SLEEP && category != RS_CATEGORY_OTHER))
			ns += of->ns[category];
	return ns;
}

static struct rs_value why_show_wall(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(why_categories_ns(g, false));
}

static struct rs_value why_show_awake(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(why_categories_ns(g, true));
}

#define CATEGORY_CELL(id, ...) \
	static struct rs_value why_show_##id(struct rs_ctx *c, const struct rs_group *g, char *buf) \
	{ \
		return rs_milli(((const struct rs_why_categories *)g->row)->ns[RS_CATEGORY_##id], \
				why_categories_ns(g, false), 100); \
	}
RS_CATEGORIES(CATEGORY_CELL)
#undef CATEGORY_CELL

#define CATEGORY_COLUMN(id, name, heading, help, ...) \
	{ name, heading, RS_TYPE_MILLI, 0, 0, 6, help, .cell = why_show_##id },

const struct rs_column rs_why_categories_columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "wall_ns", "WALL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "how long it was there; of several threads their sum", .cell = why_show_wall },
	{ "awake_ns", "AWAKE(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "of that, the time that it ran or was kept from running: all but SLEEP% and OTHER%",
	  .cell = why_show_awake },
	RS_CATEGORIES(CATEGORY_COLUMN)
	{ 0 },
};
