// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flame-svg.c - stacks as a flame graph: one SVG that any browser opens, with zoom and search by a script of
 * its own
 *
 * The outermost frame is on top. Without the script, as in an <img>, the whole graph is still shown.
 * Positions are percentages, so that it fills the window, and need no decimal point of the locale.
 */
#include <inttypes.h>

#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "ringside/event.h"
#include "view/flame-svg.h"
#include "view/printer.h"

#define FLAME_LEAST 20000u /* a frame that is narrower than the whole by this is left out */
#define FLAME_COLORS 12u

enum { ROW = 18, TOP = 62, BOTTOM = 34, CHARACTER = 7, NARROWEST_WINDOW = 1200 };

/* flame.css and flame.js, which the build embeds */
extern const char rs_flame_css[], rs_flame_js[];

static const char flame_svg_head[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"";

/* A share in percent, with so many decimals. */
static void flame_svg_put_percent(struct rs_buf *out, double share, unsigned int decimals)
{
	static const double scales[] = { 100, 1000, 10000, 100000, 1000000 };
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_fixed(text, (uint64_t)(share * scales[decimals] + 0.5), decimals));
}

static void flame_svg_put_weight(struct rs_buf *out, bool is_time, uint64_t weight)
{
	char text[RS_UNIT_TEXT];

	if (is_time) {
		rs_buf_add(out, text, rs_units_put_duration(text, weight, RS_UNIT_AUTO, -1));
		return;
	}
	rs_buf_add(out, text, rs_units_put_grouped(text, weight));
	rs_buf_puts(out, weight == 1 ? " sample" : " samples");
}

/* Returns the frame's class, which has a color: that of what was waited for, else of its module. */
static void flame_svg_put_class(struct rs_buf *out, const struct rs_frame_node *n)
{
	const char *of = *n->cause ? n->cause : n->module;

	if (!n->depth)
		rs_buf_puts(out, "all");
	else if (!*of || !strcmp(of, "[unknown]"))
		rs_buf_puts(out, "u");
	else if (!*n->cause && *of == '[')
		rs_buf_puts(out, "k");
	else
		rs_buf_printf(out, "c%u", (unsigned int)(rs_hash_bytes(of, strlen(of)) % FLAME_COLORS));
}

/* Of all of that side, 0 to 1. */
static double flame_svg_share(const struct rs_frame_tree *t, uint64_t weight, enum rs_frame_side side)
{
	uint64_t all = rs_frame_tree_node(t, RS_FRAME_ROOT)->total[side];

	return all ? (double)weight / (double)all : 0;
}

static double flame_svg_change(const struct rs_flame_svg *svg, const struct rs_frame_node *n)
{
	return flame_svg_share(svg->tree, n->total[RS_FRAME_SHOWN], RS_FRAME_SHOWN) -
	       flame_svg_share(svg->tree, n->total[RS_FRAME_BEFORE], RS_FRAME_BEFORE);
}

/* "more3", "less1": by how many points in a hundred its share changed; "same" by less than a tenth of one. */
static void flame_svg_put_change_class(struct rs_buf *out, const struct rs_flame_svg *svg,
				       const struct rs_frame_node *n)
{
	static const double steps[] = { 0.001, 0.005, 0.02, 0.05 };
	double change = flame_svg_change(svg, n), size = change < 0 ? -change : change;
	unsigned int step = 0;

	while (step < sizeof steps / sizeof *steps && size >= steps[step])
		step++;
	if (!step || !n->depth)
		rs_buf_puts(out, "same");
	else
		rs_buf_printf(out, "%s%u", change > 0 ? "more" : "less", step);
}

static void flame_svg_put_self(struct rs_buf *out, const struct rs_flame_svg *svg,
			       const struct rs_frame_node *n)
{
	const struct rs_frame_tree *t = svg->tree;
	uint64_t self = rs_frame_tree_self(t, n, RS_FRAME_SHOWN);

	flame_svg_put_weight(out, svg->is_time, n->total[RS_FRAME_SHOWN]);
	rs_buf_puts(out, ", ");
	flame_svg_put_percent(out, n->size, 2);
	rs_buf_puts(out, " %; self ");
	flame_svg_put_percent(out, flame_svg_share(t, self, RS_FRAME_SHOWN), 2);
	rs_buf_puts(out, " %");
}

/* "12.30 % on A, 15.10 % on B: 2.80 points more" */
static void flame_svg_put_change(struct rs_buf *out, const struct rs_flame_svg *svg,
				 const struct rs_frame_node *n)
{
	const struct rs_frame_tree *t = svg->tree;
	double change = flame_svg_change(svg, n);

	flame_svg_put_percent(out, flame_svg_share(t, n->total[RS_FRAME_BEFORE], RS_FRAME_BEFORE), 2);
	rs_buf_puts(out, " % on A, ");
	flame_svg_put_percent(out, flame_svg_share(t, n->total[RS_FRAME_SHOWN], RS_FRAME_SHOWN), 2);
	rs_buf_puts(out, " % on B: ");
	flame_svg_put_percent(out, change < 0 ? -change : change, 2);
	rs_buf_puts(out, change < 0 ? " points less" : " points more");
}

static void flame_svg_put_title(struct rs_buf *out, const struct rs_flame_svg *svg,
				const struct rs_frame_node *n)
{
	rs_buf_puts(out, "<title>");
	rs_escape_xml(out, n->function);
	if (*n->module) {
		rs_buf_puts(out, " (");
		rs_escape_xml(out, n->module);
		rs_buf_puts(out, ")");
	}
	rs_buf_puts(out, "\n");
	if (svg->is_difference)
		flame_svg_put_change(out, svg, n);
	else
		flame_svg_put_self(out, svg, n);
	if (*n->cause) {
		rs_buf_puts(out, ", waits for ");
		rs_escape_xml(out, n->cause);
	}
	rs_buf_puts(out, "</title>");
}

/* The name as far as it fits, cut with ".." as the script does. */
static void flame_svg_put_name(struct rs_buf *out, const struct rs_frame_node *n)
{
	size_t room = (size_t)(n->size * NARROWEST_WINDOW / CHARACTER), len = strlen(n->function);
	char cut[256];

	if (len <= room) {
		rs_escape_xml(out, n->function);
	} else if (room > 4) {
		rs_copy(cut, room - 1 < sizeof cut ? room - 1 : sizeof cut, n->function);
		rs_escape_xml(out, cut);
		rs_buf_puts(out, "..");
	}
}

static void flame_svg_put_frame(struct rs_buf *out, const struct rs_flame_svg *svg,
				const struct rs_frame_node *n)
{
	int y = TOP + (int)n->depth * ROW;

	rs_buf_puts(out, "<g class=\"f ");
	if (svg->is_difference)
		flame_svg_put_change_class(out, svg, n);
	else
		flame_svg_put_class(out, n);
	rs_buf_puts(out, "\" data-x=\"");
	flame_svg_put_percent(out, n->at, 4);
	rs_buf_puts(out, "\" data-w=\"");
	flame_svg_put_percent(out, n->size, 4);
	rs_buf_printf(out, "\" data-d=\"%" PRIu32 "\" data-n=\"", n->depth);
	rs_escape_xml(out, n->function);
	rs_buf_puts(out, "\" data-t=\"");
	rs_escape_xml(out, n->function);
	rs_buf_puts(out, " ");
	rs_escape_xml(out, n->module);
	rs_buf_puts(out, "\">");
	flame_svg_put_title(out, svg, n);
	rs_buf_puts(out, "<rect x=\"");
	flame_svg_put_percent(out, n->at, 4);
	rs_buf_puts(out, "%\" width=\"");
	flame_svg_put_percent(out, n->size, 4);
	rs_buf_printf(out, "%%\" y=\"%d\" height=\"%d\" rx=\"2\"/><text dx=\"3\" x=\"", y, ROW - 1);
	flame_svg_put_percent(out, n->at, 4);
	rs_buf_printf(out, "%%\" y=\"%d\">", y + 13);
	flame_svg_put_name(out, n);
	rs_buf_puts(out, "</text></g>\n");
}

static bool flame_svg_is_wide(const struct rs_frame_node *n, double least)
{
	return n->size >= least;
}

static size_t flame_svg_count(const struct rs_frame_tree *t, double least)
{
	size_t nr = 0;

	for (uint32_t i = 0; i < rs_frame_tree_nr(t); i++)
		nr += flame_svg_is_wide(rs_frame_tree_node(t, i), least);
	return nr;
}

/* Returns the share of the whole width that a frame must have to be drawn. */
static double flame_svg_least(const struct rs_flame_svg *svg)
{
	double least = 1.0 / FLAME_LEAST;

	while (svg->most_frames && least < 1 && flame_svg_count(svg->tree, least) > svg->most_frames)
		least *= 1.25;
	return least;
}

/* Returns the number of frames that are wide enough; deepest: their largest depth. */
static size_t flame_svg_measure(const struct rs_frame_tree *t, double least, uint32_t *deepest,
				size_t *nr_narrow)
{
	size_t nr = 0;

	*deepest = 0;
	*nr_narrow = 0;
	for (uint32_t i = 0; i < rs_frame_tree_nr(t); i++) {
		const struct rs_frame_node *n = rs_frame_tree_node(t, i);

		if (flame_svg_is_wide(n, least)) {
			nr++;
			*deepest = n->depth > *deepest ? n->depth : *deepest;
		} else {
			*nr_narrow += n->size > 0;
		}
	}
	return nr;
}

/* What is drawn of the tree. */
struct flame_svg_drawn {
	size_t nr, nr_narrow;
	uint32_t deepest;
	double least;
};

static void flame_svg_put_whole(struct rs_buf *out, const struct rs_flame_svg *svg)
{
	const struct rs_frame_node *root = rs_frame_tree_node(svg->tree, RS_FRAME_ROOT);

	if (svg->is_difference) {
		flame_svg_put_weight(out, svg->is_time, root->total[RS_FRAME_BEFORE]);
		rs_buf_puts(out, " on A, ");
	}
	flame_svg_put_weight(out, svg->is_time, root->total[RS_FRAME_SHOWN]);
	if (svg->is_difference)
		rs_buf_puts(out, " on B; by its share of them red is more on B, blue less");
}

static void flame_svg_put_heading(struct rs_buf *out, const struct rs_flame_svg *svg,
				  const struct flame_svg_drawn *drawn)
{
	rs_buf_printf(out, "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"ink\" "
			   "x=\"8\" y=\"20\" font-size=\"15\">");
	rs_escape_xml(out, svg->title);
	rs_buf_puts(out, "</text>\n<text class=\"dim\" x=\"8\" y=\"40\">");
	flame_svg_put_whole(out, svg);
	rs_buf_printf(out, ", %zu frames", drawn->nr);
	if (drawn->nr_narrow) {
		rs_buf_printf(out, " (%zu of less than ", drawn->nr_narrow);
		flame_svg_put_percent(out, drawn->least, 3);
		rs_buf_puts(out, " % are left out)");
	}
	rs_buf_puts(out, "</text>\n<text id=\"matched\" class=\"ink\" x=\"100%\" dx=\"-230\" y=\"40\" "
			 "text-anchor=\"end\"></text>\n"
			 "<text id=\"reset\" class=\"key\" x=\"100%\" dx=\"-100\" y=\"40\" "
			 "text-anchor=\"end\" style=\"display:none\">Reset zoom</text>\n"
			 "<text id=\"search\" class=\"key\" x=\"100%\" dx=\"-8\" y=\"40\" "
			 "text-anchor=\"end\">Search</text>\n");
}

void rs_flame_svg_put(struct rs_buf *out, const struct rs_flame_svg *svg)
{
	const struct rs_frame_tree *tree = svg->tree;
	struct flame_svg_drawn drawn = { .least = flame_svg_least(svg) };
	int height;

	drawn.nr = flame_svg_measure(tree, drawn.least, &drawn.deepest, &drawn.nr_narrow);
	height = TOP + ((int)drawn.deepest + 1) * ROW + BOTTOM;
	rs_buf_puts(out, flame_svg_head);
	rs_buf_printf(out, "%d\">\n", height);
	rs_buf_puts(out, "<style>\n");
	rs_buf_puts(out, rs_flame_css);
	rs_buf_puts(out, "</style>\n");
	flame_svg_put_heading(out, svg, &drawn);
	for (uint32_t i = 0; i < rs_frame_tree_nr(tree); i++)
		if (flame_svg_is_wide(rs_frame_tree_node(tree, i), drawn.least))
			flame_svg_put_frame(out, svg, rs_frame_tree_node(tree, i));
	rs_buf_printf(out, "<text id=\"details\" class=\"ink\" x=\"8\" y=\"%d\"></text>\n", height - 12);
	if (drawn.nr) {
		rs_buf_puts(out, "<script><![CDATA[\n");
		rs_buf_puts(out, rs_flame_js);
		rs_buf_puts(out, "]]></script>\n");
	}
	rs_buf_puts(out, "</svg>\n");
}

/* ---- as a format of rows ---- */

static void flame_svg_add_row(struct rs_printer *p, const struct rs_value *values)
{
	if (!p->frames)
		p->frames = rs_frame_tree_new();
	p->frames_have_time |= rs_stack_rows_is_time(&p->stack, values);
	if (p->frames)
		rs_stack_rows_add(p->frames, &p->stack, p->sink.stacks, values, RS_FRAME_SHOWN);
	else
		p->out->failed = true;
}

static void flame_svg_finish(struct rs_printer *p)
{
	if (!p->frames)
		p->frames = rs_frame_tree_new();
	if (!p->frames || !rs_frame_tree_finish(p->frames)) {
		p->out->failed = true;
		return;
	}
	rs_flame_svg_put(p->out, &(struct rs_flame_svg){
					 .tree = p->frames, .title = p->view->summary,
					 .is_time = p->frames_have_time, .most_frames = p->opt.most_frames });
	rs_frame_tree_free(p->frames);
	p->frames = NULL;
}

const struct rs_formatter rs_formatter_svg = {
	.name = "svg", .of_stacks = true, .takes_stacks = true, .row = flame_svg_add_row,
	.finish = flame_svg_finish, .quality = rs_folded_put_quality,
};
