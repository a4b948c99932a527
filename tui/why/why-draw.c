// SPDX-License-Identifier: GPL-2.0-or-later
/* why-draw.c - draws a wait as a tree with bars to scale, the others of its kind, and what to try */
#include "tui/why/why-screen.h"

#include <string.h>

#include "ringside/culprit.h"
#include "tui/app/app.h"

#define WHY_TIME_COLUMNS 7
#define WHY_LEAST_BAR 16
#define WHY_BELOW 4      /* lines: the others, their distribution, what to try */

/* ---- the tree ---- */

/* A part that this program does not know is drawn as unknown. */
static enum rs_cause why_draw_cause(const struct rs_why_screen *w, size_t at)
{
	const struct rs_why_node *node = &w->nodes.at[at];

	/* a task has the cause of most of its time: the part that comes first below it, or what it waited in
	 */
	if (!strcmp(node->kind, "task") && at + 1 < w->nodes.nr && w->nodes.at[at + 1].depth > node->depth)
		node++;
	for (unsigned int part = 0; part < RS_NR_PARTS; part++)
		if (!strcmp(rs_part_row((enum rs_time_part)part)->name, node->part))
			return rs_part_row((enum rs_time_part)part)->cause;
	return RS_CAUSE_NOT_SEEN;
}

static void why_draw_bar(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area line, size_t at)
{
	const struct rs_why_node *node = &w->nodes.at[at];
	uint64_t all_ns = rs_why_wait(w)->ns ? rs_why_wait(w)->ns : 1;
	int from = (int)((double)node->before_ns / (double)all_ns * line.width),
	    to = (int)((double)(node->before_ns + node->ns) / (double)all_ns * line.width + 0.5);
	enum rs_cause cause = why_draw_cause(w, at);
	char letter[2] = { rs_cause_row(cause)->letter };
	bool is_idle = rs_cause_row(cause)->rank == RS_RANK_IDLE || !strcmp(node->kind, "others");

	if (from >= line.width)
		from = line.width - 1;
	if (to > line.width)
		to = line.width;
	for (int x = from; x < to || x == from; x++)
		if (is_idle)
			rs_put_glyph(c, line.y, line.x + x, RS_STYLE_DIM, RS_GLYPH_DOT);
		else
			rs_put(c, line.y, line.x + x, 1, rs_canvas_cell_style(c, RS_STYLE_CAUSE + cause),
			       letter);
}

/* "audit (21210), holder"; its depth is drawn as an indent. */
static void why_draw_text(const struct rs_why_node *node, struct rs_canvas *c, struct rs_area line)
{
	const char *text = node->text;
	int indent = (int)node->depth * 2;

	while (*text == ' ')
		text++;
	if (indent + 8 < line.width) {
		line.x += indent;
		line.width -= indent;
	}
	rs_put_cut(c, line.y, line.x, line.width, node->on_path ? RS_STYLE_BOLD : RS_STYLE_TEXT, text);
}

static int why_draw_text_width(const struct rs_why_screen *w, int width)
{
	int most = 0, room = width - WHY_TIME_COLUMNS - 2;

	for (size_t i = 0; i < w->nodes.nr; i++) {
		int used = rs_put_text_columns(w->nodes.at[i].text, true);

		most = used > most ? used : most;
	}
	return most + WHY_LEAST_BAR + 1 <= room ? most : room - WHY_LEAST_BAR - 1;
}

static void why_draw_node(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area line, size_t at,
			  int text)
{
	const struct rs_why_node *node = &w->nodes.at[at];
	char length[RS_SCREEN_TEXT];
	int x = line.x + WHY_TIME_COLUMNS + 1;

	rs_put_right(c, line.y, line.x, WHY_TIME_COLUMNS, node->on_path ? RS_STYLE_BOLD : RS_STYLE_DIM,
		     rs_screen_duration(node->ns, length));
	why_draw_text(node, c, (struct rs_area){ line.y, x, 1, text });
	if (at == w->at)
		rs_canvas_set_style(c, (struct rs_area){ line.y, line.x, 1, WHY_TIME_COLUMNS + 1 + text },
				    RS_STYLE_SELECTED);
	x += text + 1;
	if (line.x + line.width > x)
		why_draw_bar(w, c, (struct rs_area){ line.y, x, 1, line.x + line.width - x }, at);
}

static void why_draw_tree(struct rs_why_screen *w, struct rs_canvas *c, struct rs_area area)
{
	int text = why_draw_text_width(w, area.width);

	if (w->at < w->top)
		w->top = w->at;
	if (area.height > 0 && w->at >= w->top + (size_t)area.height)
		w->top = w->at - (size_t)area.height + 1;
	for (size_t i = w->top; i < w->nodes.nr && i < w->top + (size_t)area.height; i++)
		why_draw_node(w, c, (struct rs_area){ area.y + (int)(i - w->top), area.x, 1, area.width }, i,
			      text);
}

/* ---- above and below it ---- */

void rs_why_put_heading(const struct rs_why_screen *w, struct rs_buf *out)
{
	const struct rs_why_node *wait = rs_why_wait(w);
	char length[RS_SCREEN_TEXT];

	if (!wait)
		return;
	rs_buf_printf(out, "%s (%lld): %s", wait->comm, (long long)wait->tid,
		      rs_screen_duration(wait->ns, length));
	if (*wait->syscall)
		rs_buf_printf(out, " in %s", wait->syscall);
	rs_buf_puts(out, ", from ");
	rs_app_moment(w->screen.app, wait->from_ns, out);
}

/* "number 2 of 16 futex calls of trader (383), average 168ms, longest 456ms" */
static void why_put_others(const struct rs_why_screen *w, struct rs_buf *out)
{
	const struct rs_latencies_reply *all = w->histogram.answer;
	const struct rs_why_node *wait = rs_why_wait(w);
	long place = rs_why_place(w);
	char text[RS_SCREEN_TEXT];

	if (!wait || !all || !all->count)
		return;
	if (place >= 0)
		rs_buf_printf(out, place ? "number %ld of " : "the longest of ", place + 1);
	rs_buf_puts(out, rs_screen_grouped(all->count, text));
	if (*wait->syscall)
		rs_buf_printf(out, " %s calls of %s", wait->syscall, w->of.owner);
	else
		rs_buf_printf(out, " run-queue waits of %s", w->of.owner);
	if (all->avg_ns.known)
		rs_buf_printf(out, ", average %s", rs_screen_duration(all->avg_ns.u, text));
	if (all->max_ns.known)
		rs_buf_printf(out, ", longest %s", rs_screen_duration(all->max_ns.u, text));
}

/* The distribution of the others as one line, a cell for each power of two. */
static int why_draw_distribution(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_latencies_reply *all = w->histogram.answer;
	uint64_t most = 1, ns = rs_why_wait(w)->ns;
	int x = line.x;

	for (size_t i = 0; i < all->nr_buckets; i++)
		most = all->buckets[i].count > most ? all->buckets[i].count : most;
	for (size_t i = 0; i < all->nr_buckets && x < line.x + line.width; i++) {
		const struct rs_wire_bucket *b = &all->buckets[i];
		bool is_here = ns >= b->from_ns && ns < b->to_ns;

		if (!b->count && x == line.x)
			continue;
		rs_put_glyph(c, line.y, x++, is_here ? RS_STYLE_MARKED : RS_STYLE_DIM,
			     RS_GLYPH_SPARK + (unsigned int)((b->count * 8 + most - 1) / most));
	}
	return x - line.x;
}

static void why_draw_others(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf text = RS_BUF_INIT;
	int x;

	if (!rs_why_wait(w) || !w->histogram.answer)
		return;
	why_put_others(w, &text);
	if (text.len) {
		rs_put(c, line.y, line.x, 7, RS_STYLE_HEADING, "others");
		x = line.x + 8;
		x += why_draw_distribution(w, c, (struct rs_area){ line.y, x, 1, 24 }) + 1;
		rs_put_cut(c, line.y, x, line.x + line.width - x, RS_STYLE_TEXT, text.data);
	}
	rs_buf_done(&text);
}

static void why_draw_advice(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area area)
{
	int lines;

	if (!*w->finding.advice || area.height < 1)
		return;
	rs_put(c, area.y, area.x, 7, RS_STYLE_HEADING, "try");
	area.x += 8;
	area.width -= 8;
	lines = rs_put_wrapped(c, area, RS_STYLE_TEXT, w->finding.advice);
	if (lines < area.height)
		rs_put_format(c, area.y + lines, area.x, area.width, RS_STYLE_DIM, "rule %s",
			      w->finding.rule);
}

static void why_draw_nothing(const struct rs_why_screen *w, struct rs_canvas *c, struct rs_area area)
{
	const char *text = w->nodes.question.answer ? "no wait is known here: its states were not recorded, "
						      "or are no longer in the window" :
						      "...";

	rs_put(c, area.y, area.x, area.width, RS_STYLE_DIM, text);
}

/* Above, the tree; then, if they are asked for, its changes. Returns the lines that both take. */
static int why_draw_wait(struct rs_why_screen *w, struct rs_canvas *c, struct rs_area area)
{
	int changes = rs_why_changes_height(&w->changes, area.height), tree = area.height - changes;

	if (tree > (int)w->nodes.nr)
		tree = (int)w->nodes.nr;
	why_draw_tree(w, c, (struct rs_area){ area.y, area.x, tree, area.width });
	if (changes)
		rs_why_changes_draw(&w->changes, &w->nodes.at[w->at], c,
				    (struct rs_area){ area.y + tree + 1, area.x, changes - 1, area.width });
	return tree + changes;
}

void rs_why_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_why_screen *w = (struct rs_why_screen *)s;
	struct rs_buf heading = RS_BUF_INIT;
	struct rs_area rest = area;
	int sentence = rs_put_wrapped(c, (struct rs_area){ area.y, area.x + 1, 3, area.width - 1 },
				       RS_STYLE_BOLD, w->finding.text);

	rest.y += sentence;
	rest.height -= sentence;
	if (!w->nodes.nr) {
		why_draw_nothing(w, c, (struct rs_area){ rest.y + 1, rest.x + 1, 1, rest.width - 1 });
		return;
	}
	rs_why_put_heading(w, &heading);
	rs_put_padded(c, rest.y, rest.x, rest.width, RS_STYLE_HEADING, heading.data);
	rs_buf_done(&heading);
	rest.y++;
	rest.height -= 1 + WHY_BELOW;
	rest.y += why_draw_wait(w, c, rest) + 1;
	why_draw_others(w, c, (struct rs_area){ rest.y, rest.x, 1, rest.width });
	why_draw_advice(
		w, c, (struct rs_area){ rest.y + 1, rest.x, area.y + area.height - rest.y - 1, rest.width });
}
