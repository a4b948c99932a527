// SPDX-License-Identifier: GPL-2.0-or-later
/* flame-draw.c - the cells of flame graphs, a line about each graph, and one about the selected frame */
#include <math.h>
#include <string.h>

#include "ringside/event.h"
#include "ringside/sample.h"
#include "tui/app/app.h"
#include "tui/flame/flame.h"

#define FLAME_LEAST_DIFFERENCE 0.0005 /* less is neither more nor less */

/* Shares of the whole, before and now. */
static double flame_share(const struct rs_flame_panel *p, const struct rs_frame_node *n,
			  enum rs_frame_side side)
{
	uint64_t all = rs_frame_tree_node(p->tree, RS_FRAME_ROOT)->total[side];

	return all ? (double)n->total[side] / (double)all : 0;
}

static double flame_difference(const struct rs_flame_panel *p, const struct rs_frame_node *n)
{
	return p->before_ns ? flame_share(p, n, RS_FRAME_SHOWN) - flame_share(p, n, RS_FRAME_BEFORE) : 0;
}

/* ---- a frame ---- */

/* Three steps: up to a hundredth, up to a tenth, more. */
static enum rs_style_id flame_difference_style(double difference)
{
	double size = fabs(difference) + 1e-9; /* shares are not exact */
	unsigned int step = size < 0.01 ? 0 : size < 0.1 ? 1 : 2;

	if (size < FLAME_LEAST_DIFFERENCE)
		return RS_STYLE_HEADING;
	return (difference > 0 ? RS_STYLE_MORE : RS_STYLE_LESS) + step;
}

static bool flame_find_cause(const char *name, enum rs_cause *cause)
{
	for (*cause = RS_CAUSE_UNKNOWN + 1; *cause < RS_NR_CAUSES; ++*cause)
		if (!strcmp(rs_cause_row(*cause)->name, name))
			return true;
	return false;
}

static enum rs_style_id flame_style(const struct rs_flame_panel *p, const struct rs_frame_node *n)
{
	const char *search = p->flame->search;
	enum rs_cause cause;

	if (*search && n->depth && rs_frame_tree_node_matches(p->tree, n, search))
		return RS_STYLE_PATH;
	if (p->before_ns)
		return flame_difference_style(flame_difference(p, n));
	if (flame_find_cause(n->cause, &cause))
		return RS_STYLE_FRAME + cause;
	if (!*n->module)
		return RS_STYLE_HEADING;
	return RS_STYLE_SLICE + (unsigned int)(rs_hash_bytes(n->module, strlen(n->module)) % 6);
}

/* Without colored cells, shades tell how large a share is. */
static void flame_fill(const struct rs_flame_panel *p, struct rs_canvas *c, struct rs_area area,
		       enum rs_style_id style_id, const struct rs_frame_node *n)
{
	double share = flame_share(p, n, RS_FRAME_SHOWN);
	bool letters = rs_canvas_cell_style(c, RS_STYLE_HEAT) == RS_STYLE_HEAT;

	rs_canvas_fill(c, area, style_id);
	for (int x = 0; letters && x < area.width; x++)
		rs_put_glyph(c, area.y, area.x + x, style_id,
			     RS_GLYPH_SHADE + (share < 0.05 ? 1 :
					       share < 0.25 ? 2 :
							      3));
}

static void flame_put_name(struct rs_canvas *c, struct rs_area area, enum rs_style_id style_id,
			   const char *sign, const char *name)
{
	struct rs_buf text = RS_BUF_INIT;
	bool ascii = rs_canvas_ascii(c);
	int columns;

	rs_buf_printf(&text, "%s%s", sign, name);
	columns = rs_put_text_columns(text.data, ascii);
	if (columns <= area.width) {
		rs_put(c, area.y, area.x, area.width, style_id, text.data);
	} else if (area.width > 2) {
		int x = rs_put(c, area.y, area.x, area.width - 2, style_id, text.data);

		rs_put(c, area.y, area.x + x, 2, style_id, "..");
	}
	rs_buf_done(&text);
}

/* The line at its left tells a frame from its neighbor without colors, too. */
static void flame_draw_frame(const struct rs_flame_panel *p, struct rs_canvas *c, struct rs_area area,
			     const struct rs_icicle_cell *cell, bool selected)
{
	const struct rs_frame_node *n = rs_frame_tree_node(p->tree, cell->node);
	enum rs_style_id style_id = selected ? RS_STYLE_SELECTED : flame_style(p, n);
	double difference = flame_difference(p, n);
	const char *sign = fabs(difference) < FLAME_LEAST_DIFFERENCE ? "" : difference > 0 ? "+" : "-";

	flame_fill(p, c, area, style_id, n);
	rs_put_glyph(c, area.y, area.x, style_id, RS_GLYPH_VLINE);
	flame_put_name(c, (struct rs_area){ area.y, area.x + 1, 1, area.width - 1 }, style_id, sign,
		       n->function);
}

static void flame_draw_merged(struct rs_canvas *c, struct rs_area area, const struct rs_icicle_cell *cell,
			      bool selected)
{
	enum rs_style_id style_id = selected ? RS_STYLE_SELECTED : RS_STYLE_DIM;
	struct rs_buf text = RS_BUF_INIT;

	rs_buf_printf(&text, "+%u", cell->nr_merged);
	rs_canvas_fill(c, area, style_id);
	rs_put(c, area.y, area.x, area.width, style_id, (int)text.len <= area.width ? text.data : "+");
	rs_buf_done(&text);
}

/* ---- a panel ---- */

/* Scrolls so that the selected cell is visible. */
static void flame_scroll(struct rs_flame_panel *p, const struct rs_icicle_cell *selected)
{
	size_t height = p->area.height > 0 ? (size_t)p->area.height : 0;

	if (selected && selected->line < p->top)
		p->top = selected->line;
	if (selected && height && selected->line >= p->top + height)
		p->top = selected->line + 1 - height;
	if (p->top + height > p->icicle.nr_lines)
		p->top = p->icicle.nr_lines > height ? p->icicle.nr_lines - height : 0;
}

static void flame_put_all(const struct rs_flame_panel *p, struct rs_buf *out)
{
	uint64_t all = rs_frame_tree_node(p->tree, RS_FRAME_ROOT)->total[RS_FRAME_SHOWN];
	const char *unit = p->flame->kinds[p - p->flame->panels]->unit;
	char text[RS_SCREEN_TEXT];

	if (unit)
		rs_buf_printf(out, "%s %s%s", rs_screen_grouped(all, text), unit, all == 1 ? "" : "s");
	else
		rs_buf_puts(out, rs_screen_duration(all, text));
}

/* "on-CPU  1,234 samples of the last 34.0s   compared with 10.0s before   matched 12.3 %" */
static void flame_draw_heading(const struct rs_flame_panel *p, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_flame *f = p->flame;
	struct rs_buf text = RS_BUF_INIT;
	char length[RS_SCREEN_TEXT];
	int x = line.x + 1;

	x += rs_put(c, line.y, x, line.width - 1, p == &f->panels[f->active] ? RS_STYLE_TITLE : RS_STYLE_BOLD,
		    f->kinds[p - f->panels]->title) +
	     2;
	if (*p->refused)
		rs_buf_printf(&text, "! %s", p->refused);
	else if (!p->to_ns)
		rs_buf_puts(&text, "waiting");
	else
		flame_put_all(p, &text);
	if (p->to_ns && !*p->refused) {
		rs_buf_puts(&text, "  ");
		rs_app_time_put_range(f->screen.app, p->from_ns, p->to_ns, &text);
	}
	if (p->before_ns)
		rs_buf_printf(&text, "  compared with %s", rs_screen_duration(p->before_ns, length));
	x += rs_put(c, line.y, x, line.x + line.width - x, *p->refused ? RS_STYLE_BAD : RS_STYLE_TEXT,
		    text.data) +
	     2;
	if (*f->search)
		rs_put_format(c, line.y, x, line.x + line.width - x, RS_STYLE_MARKED,
			      "\"%s\": %.1f %%, %zu %s", f->search, p->matching * 100, p->nr_matching,
			      p->nr_matching == 1 ? "frame" : "frames");
	rs_buf_done(&text);
}

static void flame_draw_cells(const struct rs_flame_panel *p, struct rs_canvas *c,
			     const struct rs_icicle_cell *selected)
{
	for (int y = 0; y < p->area.height; y++)
		for (size_t i = rs_icicle_first(&p->icicle, p->top + (size_t)y);
		     i < rs_icicle_first(&p->icicle, p->top + (size_t)y + 1); i++) {
			const struct rs_icicle_cell *cell = &p->icicle.cells[i];
			struct rs_area area = { p->area.y + y, p->area.x + cell->x, 1, cell->width };

			if (cell->nr_merged)
				flame_draw_merged(c, area, cell, cell == selected);
			else
				flame_draw_frame(p, c, area, cell, cell == selected);
		}
}

static void flame_draw_panel(struct rs_flame_panel *p, struct rs_canvas *c, struct rs_area area)
{
	bool is_active = p == &p->flame->panels[p->flame->active];
	const struct rs_icicle_cell *selected;

	p->area = (struct rs_area){ area.y + 1, area.x, area.height - 1, area.width };
	rs_icicle_make(&p->icicle, p->tree, rs_flame_find(p, p->zoomed), area.width);
	selected = rs_flame_selected(p);
	if (is_active)
		flame_scroll(p, selected);
	flame_draw_heading(p, c, (struct rs_area){ area.y, area.x, 1, area.width });
	flame_draw_cells(p, c, is_active ? selected : NULL);
	if (!p->icicle.nr && p->to_ns && area.height > 1)
		rs_put(c, area.y + 1, area.x + 1, area.width - 1, RS_STYLE_DIM,
		       p->flame->screen.app->live && p->flame->screen.app->time.now ? "nothing yet" :
										      "nothing in this time");
}

/* ---- the line about the selected frame ---- */

static void flame_put_percent(struct rs_buf *out, double share)
{
	rs_buf_printf(out, "%.1f %%", share * 100);
}

static void flame_put_share(const struct rs_flame_panel *p, const struct rs_frame_node *n, struct rs_buf *out)
{
	uint64_t all = rs_frame_tree_node(p->tree, RS_FRAME_ROOT)->total[RS_FRAME_SHOWN],
		 total = n->total[RS_FRAME_SHOWN];

	flame_put_percent(out, flame_share(p, n, RS_FRAME_SHOWN));
	if (p->before_ns) {
		rs_buf_printf(out, " (%+.1f, was ", flame_difference(p, n) * 100);
		flame_put_percent(out, flame_share(p, n, RS_FRAME_BEFORE));
		rs_buf_puts(out, ")");
	} else if (all && p == p->flame->panels) { /* time that was measured is no sample */
		rs_buf_printf(out, " (%.1f to %.1f)", rs_share_bound(total, all, -1) * 100,
			      rs_share_bound(total, all, 1) * 100);
	}
}

static void flame_put_weight(const struct rs_flame_panel *p, const char *what, uint64_t weight,
			     struct rs_buf *out)
{
	bool is_time = !p->flame->kinds[p - p->flame->panels]->unit;
	char text[RS_SCREEN_TEXT];

	rs_buf_printf(out, "   %s %s", what,
		      is_time ? rs_screen_duration(weight, text) : rs_screen_grouped(weight, text));
}

static void flame_put_merged(const struct rs_flame_panel *p, const struct rs_icicle_cell *cell,
			     struct rs_buf *out)
{
	const struct rs_frame_node *caller = rs_frame_tree_node(p->tree, cell->node);
	uint64_t total = 0, all = rs_frame_tree_node(p->tree, RS_FRAME_ROOT)->total[RS_FRAME_SHOWN];

	for (uint32_t i = cell->first_merged; i < caller->nr; i++)
		total += rs_frame_tree_node(p->tree, rs_frame_tree_child(p->tree, cell->node, i))
				 ->total[RS_FRAME_SHOWN];
	flame_put_percent(out, all ? (double)total / (double)all : 0);
	flame_put_weight(p, "total", total, out);
	rs_buf_printf(out, "   %u frames, too narrow, of %s (Enter: zoom)", cell->nr_merged,
		      caller->function);
}

static void flame_draw_details(const struct rs_flame_panel *p, struct rs_canvas *c, struct rs_area line)
{
	const struct rs_icicle_cell *cell = rs_flame_selected(p);
	const struct rs_frame_node *n = cell ? rs_frame_tree_node(p->tree, cell->node) : NULL;
	struct rs_buf text = RS_BUF_INIT;

	if (cell && cell->nr_merged) {
		flame_put_merged(p, cell, &text);
	} else if (cell) {
		flame_put_share(p, n, &text);
		flame_put_weight(p, "total", n->total[RS_FRAME_SHOWN], &text);
		flame_put_weight(p, "self", rs_frame_tree_self(p->tree, n, RS_FRAME_SHOWN), &text);
		rs_buf_printf(&text, "   %s%s%s%s", n->function, *n->module ? " (" : "", n->module,
			      *n->module ? ")" : "");
		if (*n->cause)
			rs_buf_printf(&text, "   waits for %s", n->cause);
	}
	rs_put_cut(c, line.y, line.x + 1, line.width - 1, RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

void rs_flame_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area)
{
	struct rs_flame *f = (struct rs_flame *)s;
	unsigned int nr = f->shown[0] + f->shown[1];
	struct rs_area panel = { area.y, area.x, area.height - 1,
				 nr == 2 ? (area.width - 1) / 2 : area.width };

	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++)
		if (f->shown[i]) {
			flame_draw_panel(&f->panels[i], c, panel);
			panel.x += panel.width + 1;
			panel.width = area.x + area.width - panel.x;
		}
	if (area.height > 1)
		flame_draw_details(&f->panels[f->active], c,
				   (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width });
}
