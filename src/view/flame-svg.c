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

static void flame_svg_put_title(struct rs_buf *out, const struct rs_frame_tree *t,
				const struct rs_frame_node *n, bool is_time)
{
	double all = (double)rs_frame_tree_node(t, RS_FRAME_ROOT)->total[RS_FRAME_SHOWN];

	rs_buf_puts(out, "<title>");
	rs_escape_xml(out, n->function);
	if (*n->module) {
		rs_buf_puts(out, " (");
		rs_escape_xml(out, n->module);
		rs_buf_puts(out, ")");
	}
	rs_buf_puts(out, "\n");
	flame_svg_put_weight(out, is_time, n->total[RS_FRAME_SHOWN]);
	rs_buf_puts(out, ", ");
	flame_svg_put_percent(out, n->size, 2);
	rs_buf_puts(out, " %; self ");
	flame_svg_put_percent(out, (double)rs_frame_tree_self(t, n, RS_FRAME_SHOWN) / all, 2);
	rs_buf_puts(out, " %");
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

static void flame_svg_put_frame(struct rs_buf *out, const struct rs_frame_tree *t,
				const struct rs_frame_node *n, bool is_time)
{
	int y = TOP + (int)n->depth * ROW;

	rs_buf_puts(out, "<g class=\"f ");
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
	flame_svg_put_title(out, t, n, is_time);
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
static double flame_svg_least(const struct rs_printer *p)
{
	double least = 1.0 / FLAME_LEAST;

	while (p->opt.most_frames && least < 1 && flame_svg_count(p->frames, least) > p->opt.most_frames)
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

static void flame_svg_put_heading(struct rs_printer *p, const struct rs_frame_node *root, bool is_time,
				  size_t nr, size_t nr_narrow, double least)
{
	struct rs_buf *out = p->out;

	rs_buf_printf(out, "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n<text class=\"ink\" "
			   "x=\"8\" y=\"20\" font-size=\"15\">");
	rs_escape_xml(out, p->view->summary);
	rs_buf_puts(out, "</text>\n<text class=\"dim\" x=\"8\" y=\"40\">");
	flame_svg_put_weight(out, is_time, root->total[RS_FRAME_SHOWN]);
	rs_buf_printf(out, ", %zu frames", nr);
	if (nr_narrow) {
		rs_buf_printf(out, " (%zu of less than ", nr_narrow);
		flame_svg_put_percent(out, least, 3);
		rs_buf_puts(out, " % are left out)");
	}
	rs_buf_puts(out, "</text>\n<text id=\"matched\" class=\"ink\" x=\"100%\" dx=\"-230\" y=\"40\" "
			 "text-anchor=\"end\"></text>\n"
			 "<text id=\"reset\" class=\"key\" x=\"100%\" dx=\"-100\" y=\"40\" "
			 "text-anchor=\"end\" style=\"display:none\">Reset zoom</text>\n"
			 "<text id=\"search\" class=\"key\" x=\"100%\" dx=\"-8\" y=\"40\" "
			 "text-anchor=\"end\">Search</text>\n");
}

static void flame_svg_add_row(struct rs_printer *p, const struct rs_value *values)
{
	if (!p->frames)
		p->frames = rs_frame_tree_new();
	p->frames_have_time |= rs_stack_rows_is_time(&p->stack, values);
	if (p->frames)
		rs_stack_rows_add(p->frames, &p->stack, p->sink.stacks, values);
	else
		p->out->failed = true;
}

static void flame_svg_finish(struct rs_printer *p)
{
	bool is_time = p->frames_have_time;
	const struct rs_frame_node *root;
	size_t nr, nr_narrow;
	uint32_t deepest;
	double least;
	int height;

	if (!p->frames)
		p->frames = rs_frame_tree_new();
	if (!p->frames || !rs_frame_tree_finish(p->frames)) {
		p->out->failed = true;
		return;
	}
	root = rs_frame_tree_node(p->frames, RS_FRAME_ROOT);
	least = flame_svg_least(p);
	nr = flame_svg_measure(p->frames, least, &deepest, &nr_narrow);
	height = TOP + ((int)deepest + 1) * ROW + BOTTOM;
	rs_buf_puts(p->out, flame_svg_head);
	rs_buf_printf(p->out, "%d\">\n", height);
	rs_buf_puts(p->out, "<style>\n");
	rs_buf_puts(p->out, rs_flame_css);
	rs_buf_puts(p->out, "</style>\n");
	flame_svg_put_heading(p, root, is_time, nr, nr_narrow, least);
	for (uint32_t i = 0; i < rs_frame_tree_nr(p->frames); i++)
		if (flame_svg_is_wide(rs_frame_tree_node(p->frames, i), least))
			flame_svg_put_frame(p->out, p->frames, rs_frame_tree_node(p->frames, i),
					    is_time);
	rs_buf_printf(p->out, "<text id=\"details\" class=\"ink\" x=\"8\" y=\"%d\"></text>\n", height - 12);
	if (nr) {
		rs_buf_puts(p->out, "<script><![CDATA[\n");
		rs_buf_puts(p->out, rs_flame_js);
		rs_buf_puts(p->out, "]]></script>\n");
	}
	rs_buf_puts(p->out, "</svg>\n");
	rs_frame_tree_free(p->frames);
	p->frames = NULL;
}

const struct rs_formatter rs_formatter_svg = {
	.name = "svg", .of_stacks = true, .takes_stacks = true, .row = flame_svg_add_row,
	.finish = flame_svg_finish, .quality = rs_folded_put_quality,
};
