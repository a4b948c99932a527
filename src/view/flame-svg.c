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

static const char flame_svg_head[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"";

static const char flame_svg_style[] =
	"<style>\n"
	"svg { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
	".paper { fill: #fff } .ink { fill: #24292f } .dim { fill: #6e7781 } .key { fill: #0969da; cursor: "
	"pointer }\n"
	".f { cursor: pointer } .f text { fill: #111; pointer-events: none } .f rect { stroke: #fff; "
	"stroke-width: .6 }\n"
	".f:hover rect { stroke: #000 } .above { opacity: .55 } .hit rect { fill: #e040fb }\n"
	".k rect { fill: #f5a45d } .u rect { fill: #c9c9c9 } .all rect { fill: #d5d9de }\n"
	".c0 rect { fill: #8fb8de } .c1 rect { fill: #9fd3a0 } .c2 rect { fill: #e3c878 } .c3 rect { fill: "
	"#d9a0c8 }\n"
	".c4 rect { fill: #7fc6c6 } .c5 rect { fill: #b3aae0 } .c6 rect { fill: #c6d37f } .c7 rect { fill: "
	"#e8a89a }\n"
	".c8 rect { fill: #a3c4b0 } .c9 rect { fill: #c7b299 } .c10 rect { fill: #9ac0e8 } .c11 rect { fill: "
	"#dcb0e0 }\n"
	"@media (prefers-color-scheme: dark) { .paper { fill: #15181e } .ink { fill: #d4d4d8 } .dim { fill: "
	"#8b949e }\n"
	"  .key { fill: #6cb6ff } .f rect { stroke: #15181e } .f:hover rect { stroke: #fff } .f { filter: "
	"brightness(.88) } }\n"
	"</style>\n";

static const char flame_svg_script[] =
	"<script><![CDATA[\n"
	"'use strict';\n"
	"const frames = [...document.querySelectorAll('.f')].map(g => ({ g, rect: g.children[1], text: "
	"g.children[2],\n"
	"  name: g.dataset.n, x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d }));\n"
	"const byId = id => document.getElementById(id), all = frames[0];\n"
	"let zoomed = all, pattern = null;\n"
	"function inside(f, o) { return f.x > o.x - .0005 && f.x + f.w < o.x + o.w + .0005; } // rounded\n"
	"function fit(f, share) {\n"
	"  const n = Math.floor((share * document.documentElement.clientWidth - 6) / 7.3);\n"
	"  f.text.textContent = n >= f.name.length ? f.name : n > 4 ? f.name.slice(0, n - 2) + '..' : '';\n"
	"}\n"
	"function place(f) {\n"
	"  const above = f.d < zoomed.d && inside(zoomed, f), below = f.d >= zoomed.d && inside(f, zoomed);\n"
	"  const x = above ? 0 : (f.x - zoomed.x) / zoomed.w, w = above ? 1 : f.w / zoomed.w;\n"
	"  f.g.style.display = (above || below) && w > 0.0002 ? '' : 'none';\n"
	"  if (f.g.style.display) return;\n"
	"  f.g.classList.toggle('above', above);\n"
	"  f.rect.setAttribute('x', x * 100 + '%');\n"
	"  f.rect.setAttribute('width', w * 100 + '%');\n"
	"  f.text.setAttribute('x', x * 100 + '%');\n"
	"  fit(f, w);\n"
	"}\n"
	"function zoom(f) { zoomed = f; frames.forEach(place); byId('reset').style.display = f === all ? "
	"'none' : ''; count(); }\n"
	"function count() {\n"
	"  const spans = [];\n"
	"  for (const f of frames) {\n"
	"    const hit = !!pattern && f !== all && pattern.test(f.g.dataset.t);\n"
	"    f.g.classList.toggle('hit', hit);\n"
	"    if (hit && inside(f, zoomed)) spans.push([f.x, f.x + f.w]);\n"
	"  }\n"
	"  let sum = 0, end = -1;\n"
	"  for (const [from, to] of spans.sort((a, b) => a[0] - b[0]))\n"
	"    if (to > end) { sum += to - Math.max(from, end); end = to; }\n"
	"  byId('matched').textContent = pattern ? 'matched: ' + (100 * sum / zoomed.w).toFixed(2) + ' %' : "
	"'';\n"
	"}\n"
	"function search(text) {\n"
	"  try { pattern = text ? new RegExp(text, 'i') : null; }\n"
	"  catch (e) { pattern = new RegExp(text.replace(/[^\\w\\s]/g, '\\\\$&'), 'i'); }\n"
	"  count();\n"
	"}\n"
	"function ask() { const text = prompt('Search (a regular expression; empty: none)', ''); if (text "
	"!== null) search(text); }\n"
	"for (const f of frames) {\n"
	"  f.g.addEventListener('click', () => zoom(f));\n"
	"  f.g.addEventListener('mouseenter', () => { byId('details').textContent = "
	"f.g.children[0].textContent.replace(/\\n/g, '   '); });\n"
	"  f.g.addEventListener('mouseleave', () => { byId('details').textContent = ''; });\n"
	"}\n"
	"byId('reset').addEventListener('click', () => zoom(all));\n"
	"byId('search').addEventListener('click', ask);\n"
	"addEventListener('keydown', e => {\n"
	"  if (e.key === 'Escape') { search(''); zoom(all); }\n"
	"  else if (e.key === '/' || (e.key === 'f' && e.ctrlKey)) { e.preventDefault(); ask(); }\n"
	"});\n"
	"addEventListener('resize', () => zoom(zoomed));\n"
	"zoom(all);\n"
	"]]></script>\n";

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

static void flame_svg_put_title(struct rs_buf *out, const struct rs_frame_node *n,
				const struct rs_frame_node *root, bool is_time)
{
	double all = (double)root->total[RS_FRAME_SHOWN];

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
	flame_svg_put_percent(out, (double)n->self[RS_FRAME_SHOWN] / all, 2);
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

static void flame_svg_put_frame(struct rs_buf *out, const struct rs_frame_node *n,
				const struct rs_frame_node *root, bool is_time)
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
	flame_svg_put_title(out, n, root, is_time);
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
		rs_stack_rows_add(p->frames, &p->stack, values);
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
	rs_buf_puts(p->out, flame_svg_style);
	flame_svg_put_heading(p, root, is_time, nr, nr_narrow, least);
	for (uint32_t i = 0; i < rs_frame_tree_nr(p->frames); i++)
		if (flame_svg_is_wide(rs_frame_tree_node(p->frames, i), least))
			flame_svg_put_frame(p->out, rs_frame_tree_node(p->frames, i), root, is_time);
	rs_buf_printf(p->out, "<text id=\"details\" class=\"ink\" x=\"8\" y=\"%d\"></text>\n", height - 12);
	if (nr)
		rs_buf_puts(p->out, flame_svg_script);
	rs_buf_puts(p->out, "</svg>\n");
	rs_frame_tree_free(p->frames);
	p->frames = NULL;
}

const struct rs_formatter rs_formatter_svg = {
	.name = "svg", .of_stacks = true, .row = flame_svg_add_row, .finish = flame_svg_finish,
	.quality = rs_folded_put_quality,
};
