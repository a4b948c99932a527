// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diff-html - a comparison as one HTML page: sentences with their parts, rows that differ, their
 * distributions over each other, the difference of stacks as flame graphs
 *
 * Names are hostile: each is escaped where it is written, and the page's policy allows its own scripts alone.
 */
#include <math.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/show/diff-report.h"
#include "compare/dist-svg.h"
#include "compare/process-text.h"
#include "export/html/html-page.h"
#include "view/flame-svg.h"

#define PAGE_ROWS 40u     /* of a view */
#define PAGE_FRAMES 6000u /* of a flame graph */
#define PAGE_DISTS 24u    /* pictures in all, of the costliest rows of each view first */

/* What page.css does not have: side A is blue, side B red. */
static const char page_style[] =
	".dist{width:100%;max-width:720px;display:block}.da{fill:#3f80c4;fill-opacity:.35;stroke:#3f80c4}"
	".db{fill:#d6453d;fill-opacity:.3;stroke:#d6453d}.mark{fill:none;stroke-dasharray:3 3}"
	".a{color:#3f80c4}.b{color:#d6453d}section h3{margin-top:14px}.card h3{margin-top:0}\n";

/* ---- the head ---- */

static void page_put_side(struct rs_buf *out, const char *class, const char *letter, const char *name,
			  const struct rs_side *side)
{
	char text[RS_UNIT_TEXT];

	rs_buf_printf(out, "<b class=\"%s\">%s</b>: ", class, letter);
	rs_escape_xml(out, name);
	rs_buf_puts(out, ", ");
	rs_buf_add(out, text, rs_units_put_duration(text, side->len_ns, RS_UNIT_AUTO, -1));
	if (*side->kernel) {
		rs_buf_puts(out, ", ");
		rs_escape_xml(out, side->kernel);
	}
	if (side->lost_ns)
		rs_buf_puts(out, "; blocks in which events were lost are left out");
}

static void page_put_head(struct rs_buf *out, const struct rs_diff *d, const char *nonce)
{
	rs_buf_printf(out,
		      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
		      "'unsafe-inline'; script-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		      "<title>ringside: what changed</title>\n<style>\n%s%s</style></head><body>\n"
		      "<h1>What changed</h1>\n<p class=\"dim\">",
		      nonce, rs_page_css, page_style);
	page_put_side(out, "a", "A", d->pair->name_a, d->pair->a);
	rs_buf_puts(out, "<br>");
	page_put_side(out, "b", "B", d->pair->name_b, d->pair->b);
	rs_buf_puts(out, "</p>\n");
}

/* ---- processes ---- */

#define PAGE_PARTS \
	"<div class=\"wide\"><table><thead><tr><th>PART</th><th>DEV</th><th>TYPE</th><th>CULPRIT</th>" \
	"<th class=\"n\">A</th><th class=\"n\">B</th><th class=\"n\">CHANGE</th></tr></thead><tbody>\n"

static void page_put_duration(struct rs_buf *out, double ns, bool is_signed)
{
	char text[RS_UNIT_TEXT];

	if (is_signed)
		rs_buf_putc(out, ns < 0 ? '-' : '+');
	rs_buf_add(out, text, rs_units_put_duration(text, (uint64_t)(fabs(ns) + 0.5), RS_UNIT_AUTO, -1));
}

static void page_put_part(struct rs_buf *out, const struct rs_process_part *part)
{
	rs_buf_puts(out, "<tr><td>");
	rs_escape_xml(out, rs_part_row(part->part)->name);
	rs_buf_puts(out, "</td><td>");
	rs_escape_xml(out, rs_process_text_is_named(part->dev) ? part->dev : "");
	rs_buf_puts(out, "</td><td>");
	rs_escape_xml(out, rs_process_text_is_named(part->type) ? part->type : "");
	rs_buf_puts(out, "</td><td>");
	rs_escape_xml(out, rs_process_text_is_named(part->culprit) ? part->culprit : "");
	rs_buf_puts(out, "</td><td class=\"n\">");
	page_put_duration(out, part->of_a.value, false);
	rs_buf_puts(out, "</td><td class=\"n\">");
	page_put_duration(out, part->of_b.value, false);
	rs_buf_puts(out, "</td><td class=\"n\">");
	page_put_duration(out, part->change.value, true);
	rs_buf_puts(out, "</td></tr>\n");
}

/* As sentences are escaped for a terminal, what they have of names is plain by now. */
static void page_put_process(struct rs_buf *out, const struct rs_process_change *p)
{
	struct rs_buf text = RS_BUF_INIT;

	rs_process_text_put(&text, p);
	rs_buf_printf(out, "<div class=\"finding%s\"><b>", p->verdict == RS_PROCESS_FASTER ? " ok" : "");
	rs_escape_xml(out, text.data ? text.data : "");
	rs_buf_clear(&text);
	rs_process_text_put_evidence(&text, p);
	rs_buf_printf(out, "</b><p class=\"dim\">%s; ", rs_process_word(p->verdict));
	rs_escape_xml(out, text.data ? text.data : "");
	rs_buf_puts(out, "</p><details><summary class=\"dim\">Its parts</summary>" PAGE_PARTS);
	for (size_t i = 0; i < p->nr_parts; i++)
		if (rs_process_text_is_told(p, &p->parts[i]))
			page_put_part(out, &p->parts[i]);
	rs_buf_puts(out, "</tbody></table></div></details></div>\n");
	rs_buf_done(&text);
}

static void page_put_processes(struct rs_buf *out, const struct rs_diff *d)
{
	unsigned int nr = 0;

	rs_buf_puts(out, "<section id=\"processes\"><h2>Processes</h2>\n");
	for (size_t i = 0; i < d->processes.nr; i++)
		if (rs_process_has_verdict(&d->processes.at[i])) {
			page_put_process(out, &d->processes.at[i]);
			nr++;
		}
	if (!nr)
		rs_buf_puts(out, "<div class=\"finding ok\"><b>No difference found</b></div>\n");
	rs_buf_puts(out, "</section>\n");
}

/* ---- rows ---- */

static const char page_heading[] =
	"<div class=\"wide\"><table><thead><tr><th>KEY</th><th>VERDICT</th><th class=\"n\">RATE A</th>"
	"<th class=\"n\">RATE B</th><th class=\"n\">p50 A</th><th class=\"n\">p50 B</th>"
	"<th class=\"n\">p99 A</th><th class=\"n\">p99 B</th></tr></thead><tbody>\n";

static bool page_is_told(const struct rs_change *ch)
{
	return ch->verdict > RS_CHANGE_UNDETERMINED;
}

static void page_put_times(struct rs_buf *out, double a, double b, bool known_a, bool known_b)
{
	rs_buf_puts(out, "<td class=\"n\">");
	if (known_a)
		page_put_duration(out, a, false);
	rs_buf_puts(out, "</td><td class=\"n\">");
	if (known_b)
		page_put_duration(out, b, false);
	rs_buf_puts(out, "</td>");
}

static void page_put_row(struct rs_buf *out, const struct rs_change_list *list, const struct rs_change *ch,
			 struct rs_buf *key)
{
	bool known_a = ch->a && ch->a->nr_points, known_b = ch->b && ch->b->nr_points;

	rs_side_put_text(key, list->view, ch->a ? ch->a : ch->b);
	rs_buf_puts(out, "<tr><td>");
	rs_escape_xml(out, key->data ? key->data : "");
	rs_buf_printf(out, "</td><td>%s</td><td class=\"n\">%.1f</td><td class=\"n\">%.1f</td>",
		      rs_change_word(ch->verdict), ch->rate_a.value, ch->rate_b.value);
	page_put_times(out, ch->p50_a.value, ch->p50_b.value, known_a, known_b);
	page_put_times(out, ch->p99_a.value, ch->p99_b.value, known_a, known_b);
	rs_buf_puts(out, "</tr>\n");
}

static void page_put_view(struct rs_buf *out, const struct rs_change_list *list, struct rs_buf *key)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < list->nr && nr < PAGE_ROWS; i++) {
		if (!page_is_told(&list->at[i]))
			continue;
		if (!nr++)
			rs_buf_printf(out, "<h3>%s</h3>%s", list->view->ref.view->name, page_heading);
		page_put_row(out, list, &list->at[i], key);
	}
	if (nr)
		rs_buf_puts(out, "</tbody></table></div>\n");
}

/* ---- distributions ---- */

static unsigned int page_put_dists(struct rs_buf *out, const struct rs_diff *d,
				   const struct rs_change_list *list, unsigned int most, struct rs_buf *key)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < list->nr && nr < most; i++) {
		const struct rs_change *ch = &list->at[i];
		struct rs_dist a, b;

		if (!page_is_told(ch) || !ch->a || !ch->b || !ch->a->nr_points || !ch->b->nr_points)
			continue;
		a = rs_dist_of((struct rs_side_row *)ch->a, d->pair->a->nr_blocks);
		b = rs_dist_of((struct rs_side_row *)ch->b, d->pair->b->nr_blocks);
		rs_side_put_text(key, list->view, ch->a);
		rs_buf_printf(out, "<div class=\"card\"><h3>%s: ", list->view->ref.view->name);
		rs_escape_xml(out, key->data ? key->data : "");
		rs_buf_printf(out, " (%s)</h3>\n", rs_change_word(ch->verdict));
		rs_dist_svg_put(out, &a, &b);
		rs_buf_puts(out, "</div>\n");
		nr++;
	}
	return nr;
}

static void page_put_rows(struct rs_buf *out, const struct rs_diff *d)
{
	struct rs_buf key = RS_BUF_INIT;
	unsigned int left = PAGE_DISTS;

	rs_buf_puts(out, "<section id=\"rows\"><h2>Rows that differ</h2>\n");
	for (size_t n = 0; n < d->nr_changes; n++)
		page_put_view(out, &d->changes[n], &key);
	rs_buf_puts(out, "</section>\n<section id=\"distributions\"><h2>Distributions</h2>\n<p class=\"dim\">"
			 "<b class=\"a\">A</b> and <b class=\"b\">B</b>, each by its share of all values; "
			 "dashed: the median and the 99th percentile</p>\n<div class=\"cards\">\n");
	for (size_t n = 0; n < d->nr_changes && left; n++)
		left -= page_put_dists(out, d, &d->changes[n], left < 6 ? left : 6, &key);
	rs_buf_puts(out, "</div></section>\n");
	rs_buf_done(&key);
}

/* ---- flame graphs ---- */

static void page_put_flames(struct rs_buf *out, const struct rs_diff *d, const char *nonce)
{
	struct rs_show_sides *sides = d->pair->sides;
	unsigned int nr = 0;

	for (unsigned int i = 0; sides && i < sides->nr_stacks; i++) {
		struct rs_side_stacks *stacks = &sides->stacks[i];
		struct rs_buf svg = RS_BUF_INIT;
		struct rs_flame_svg flame;

		out->failed |= stacks->failed;
		if (!rs_side_stacks_finish(stacks))
			continue;
		if (!nr++)
			rs_buf_puts(out, "<section id=\"flames\"><h2>Flame graphs of the difference</h2>\n");
		flame = (struct rs_flame_svg){ .tree = stacks->tree, .title = stacks->ref.view->summary,
					       .is_time = stacks->is_time, .most_frames = PAGE_FRAMES,
					       .is_difference = true };
		rs_flame_svg_put(&svg, &flame);
		rs_html_page_put_flame(out, &svg, stacks->ref.view->summary, nonce);
		rs_buf_done(&svg);
	}
	if (nr)
		rs_buf_puts(out, "</section>\n");
}

void rs_diff_report_put_html(struct rs_buf *out, const struct rs_diff *d)
{
	char nonce[RS_HTML_NONCE];

	if (!rs_html_page_make_nonce(nonce)) {
		out->failed = true;
		return;
	}
	page_put_head(out, d, nonce);
	page_put_processes(out, d);
	page_put_rows(out, d);
	page_put_flames(out, d, nonce);
	rs_buf_puts(out, "<footer class=\"dim\">ringside " RS_VERSION "; how this is judged: "
			 "ringside-diff(1)</footer>\n</body></html>\n");
}
