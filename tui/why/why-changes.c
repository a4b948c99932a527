// SPDX-License-Identifier: GPL-2.0-or-later
/* why-changes.c - what would have made the wait shorter: without one of its culprits, or with a faster one */
#include "tui/why/why-changes.h"

#include <string.h>

#include "tui/app/app.h"
#include "tui/app/grid.h"

static const struct rs_catalogue_view *why_changes_view(const struct rs_why_changes *c)
{
	return rs_catalogue_view_of(rs_client_catalogue(c->question.machine->client), RS_ROLE_WHAT_IF);
}

bool rs_why_changes_ask(struct rs_why_changes *c, const struct rs_why_node *wait)
{
	const struct rs_catalogue_view *of = why_changes_view(c);

	if (!of)
		return false;
	rs_question_ask(&c->question, "rows", &(struct rs_rows_request){
		.view = of->view.name, .limit = RS_WHY_CHANGES, .tid = (int32_t)wait->tid,
		.time = { rs_u(wait->from_ns), rs_u(wait->to_ns) } });
	return true;
}

void rs_why_changes_read(struct rs_why_changes *c)
{
	struct rs_grid g;

	c->nr = 0;
	if (!c->question.answer)
		return;
	rs_grid_init(&g, &why_changes_view(c)->view);
	if (rs_grid_read(&g, c->question.answer))
		for (size_t row = 0; row < g.nr && c->nr < RS_WHY_CHANGES; row++) {
			const struct rs_value *culprit = rs_grid_cell_named(&g, row, "culprit"),
					      *change = rs_grid_cell_named(&g, row, "change"),
					      *after = rs_grid_cell_named(&g, row, "p99_after_ns"),
					      *saved = rs_grid_cell_named(&g, row, "saved_ns");

			if (culprit->known && change->known && after->known && saved->known)
				c->at[c->nr++] = (struct rs_why_change){ culprit->s, change->s, after->u,
									 saved->u };
		}
	rs_grid_done(&g);
}

/* Is it the task, or the disk, of that line of the tree? A thread of the same process is "process/thread". */
static bool why_change_is_of(const struct rs_why_change *change, const struct rs_why_node *node)
{
	const char *thread = strrchr(change->culprit, '/');

	if (!node->depth)
		return !strcmp(change->culprit, "itself");
	if (*node->disk || *node->dev)
		return !strcmp(change->culprit, node->disk) || !strcmp(change->culprit, node->dev);
	return *node->comm && (!strcmp(change->culprit, node->comm) ||
			       (thread && !strcmp(thread + 1, node->comm)));
}

static void why_changes_draw_one(const struct rs_why_change *change, struct rs_canvas *c, struct rs_area line,
				 bool is_selected)
{
	char after[RS_SCREEN_TEXT], saved[RS_SCREEN_TEXT];
	bool is_without = !strcmp(change->change, "gone");
	unsigned int style = is_selected ? RS_STYLE_BOLD : RS_STYLE_TEXT;

	rs_put_right(c, line.y, line.x, 7, style, rs_screen_duration(change->after_ns, after));
	rs_put_format(c, line.y, line.x + 8, line.width - 8, style, "%s%s%s%s, %s less",
		      is_without ? "without " : "", change->culprit, is_without ? "" : " ",
		      is_without ? "" : change->change, rs_screen_duration(change->saved_ns, saved));
}

int rs_why_changes_height(const struct rs_why_changes *c, int lines)
{
	int all = (int)c->nr + 2;

	return !c->shown ? 0 : all < lines / 2 ? all : lines / 2;
}

void rs_why_changes_draw(const struct rs_why_changes *c, const struct rs_why_node *selected,
			 struct rs_canvas *canvas, struct rs_area area)
{
	rs_put(canvas, area.y, area.x, 8, RS_STYLE_HEADING, "what if");
	rs_put_cut(canvas, area.y, area.x + 8, area.width - 8, RS_STYLE_DIM,
		   !c->question.answer ? "..." :
		   !c->nr ? "no change of one alone would have made it shorter" :
			    "each alone; order kept, what is free goes to the next in line");
	for (size_t i = 0; i < c->nr && (int)i + 1 < area.height; i++)
		why_changes_draw_one(&c->at[i], canvas,
				     (struct rs_area){ area.y + 1 + (int)i, area.x, 1, area.width },
				     why_change_is_of(&c->at[i], selected));
}
