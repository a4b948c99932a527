// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html.c - a report as one HTML page: findings with their evidence, where time went, a timeline, the slowest
 * of each kind, distributions, flame graphs, and the tables of all views
 *
 * Names in it are hostile: each is escaped where it is written, and the page's policy allows its own scripts
 * alone, and no network.
 */
#include "export/html/html.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/units.h"
#include "model/finding-list.h"

static void html_kind(struct rs_scene *s, const struct rs_span_kind *kind)
{
	rs_html_slowest_add_kind(&rs_html_of(s)->kinds, kind, rs_html_of(s)->out);
}

static void html_span(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
		      const struct rs_span *span)
{
	if (kind->slowest)
		rs_html_slowest_add(rs_html_of(s)->kinds, c, kind, span);
}

static bool html_draws(const struct rs_span_kind *kind)
{
	return kind->slowest;
}

/* ---- findings ---- */

/* Of a longer wait like it where that of the slowest is not known: the rule has not seen all waits. */
static void html_put_tree(struct rs_html *h, unsigned int nr, const struct rs_wait_instance *wait)
{
	const struct rs_html_tree *tree = rs_html_states_find_tree(h, wait);

	if (!tree || !tree->rows)
		return;
	rs_buf_printf(&h->findings,
		      "<details%s><summary class=\"dim\">Where the time of %s went</summary><div "
		      "class=\"wide\"><table class=\"tree\"><thead><tr><th class=\"n\">TIME</th><th "
		      "class=\"n\">AT(s)</th><th></th><th>WHAT</th></tr></thead><tbody>\n",
		      nr ? "" : " open",
		      tree->wait.from_ns == wait->from_ns ? "it" : "another wait like it");
	rs_buf_puts(&h->findings, tree->rows);
	rs_buf_puts(&h->findings, "</tbody></table></div></details>");
}

/* Without a script the link leads to the picture; with it, there. */
static void html_put_instance(struct rs_html *h, unsigned int nr, const struct rs_wait_instance *wait)
{
	struct rs_buf *out = &h->findings;
	char number[RS_UNIT_TEXT];

	if (!wait->tid || nr >= RS_HTML_FINDINGS)
		return;
	h->timeline.findings[nr] = *wait;
	h->timeline.nr_findings = nr + 1;
	rs_buf_printf(out,
		      "<p><a class=\"instance\" href=\"#timeline-of-all\" data-finding=\"%u\">Slowest</a>: ",
		      nr);
	rs_buf_add(out, number,
		   rs_units_put_duration(number, wait->to_ns - wait->from_ns, RS_UNIT_AUTO, -1));
	rs_buf_printf(out, " of thread %" PRId32 ", from ", wait->tid);
	rs_buf_add(out, number, rs_units_put_seconds_since(number, wait->from_ns, h->options.begin_ns));
	rs_buf_puts(out, " s</p>");
	html_put_tree(h, nr, wait);
}

static void html_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	struct rs_buf *out = &rs_html_of(s)->findings;
	struct rs_buf command = RS_BUF_INIT;
	char text[RS_FINDING_TEXT];
	const char *code;

	rs_buf_puts(out, "<div class=\"finding\"><b>");
	rs_escape_xml(out, rs_finding_list_text(f, text));
	rs_buf_puts(out, "</b>");
	code = rs_finding_list_code(f, text);
	if (code) {
		rs_buf_puts(out, "<p>Code: ");
		rs_escape_xml(out, code);
		rs_buf_printf(out, ", in %" PRIu64 " of %" PRIu64 " samples</p>", f->code.nr,
			      f->code.nr_samples);
	}
	rs_html_ink_add_finding(&rs_html_of(s)->timeline, f);
	html_put_instance(rs_html_of(s), nr, &f->slowest);
	rs_buf_printf(out,
		      "<p>Try: %s.</p><details><summary class=\"dim\">Evidence (rule %s%s)</summary><ul>",
		      f->rule->advice, f->rule->name,
		      f->confidence == RS_INFERRED ? "; the culprit is inferred" : "");
	for (unsigned int i = 0; i < f->nr_evidence; i++) {
		rs_buf_clear(&command);
		rs_finding_list_put_command(f, i, &command);
		rs_buf_puts(out, "<li><code>");
		rs_escape_xml(out, command.data);
		rs_buf_printf(out, "</code> <a href=\"#v-%s\">table</a></li>", f->evidence[i].view);
	}
	rs_buf_puts(out, "</ul></details></div>\n");
	rs_buf_done(&command);
}

static void html_findings_end(struct rs_scene *s, unsigned int nr, const struct rs_finding_list *list)
{
	if (!nr)
		rs_buf_printf(&rs_html_of(s)->findings, "<div class=\"finding ok\"><b>%s</b></div>\n",
			      list->interval_ns ? "No findings: no rule applies to this time." :
						  "No findings: events were lost, or less than 0.1 s was "
						  "seen, so no rule can judge.");
}

/* ---- incidents: the recording is read again for them, and each second of it judged ---- */

#define HTML_STEP_NS 1000000000u
#define HTML_STEPS 1000u

/* A link that shows a time on the timeline, of a thread's track; tid 0: of none. */
static void html_put_moment(struct rs_html *h, int32_t tid, uint64_t from_ns, uint64_t to_ns,
			    const char *text)
{
	uint64_t begin_ns = h->options.begin_ns;

	rs_buf_printf(&h->incidents,
		      "<td class=\"n\"><a class=\"instance\" href=\"#timeline-of-all\" data-tid=\"%" PRId32
		      "\" data-from=\"%" PRIu64 "\" data-to=\"%" PRIu64 "\">%s</a></td>", tid,
		      from_ns > begin_ns ? from_ns - begin_ns : 0, to_ns > begin_ns ? to_ns - begin_ns : 0,
		      text);
}

static void html_incident(struct rs_scene *s, const struct rs_export_incident *i)
{
	struct rs_html *h = rs_html_of(s);
	char number[RS_UNIT_TEXT + 1], text[RS_FINDING_TEXT];

	if (!h->incidents.len)
		rs_buf_puts(&h->incidents, "<div class=\"wide\"><table><thead><tr>"
					   "<th class=\"n\">BEGAN(s)</th>"
			    "<th class=\"n\">LASTED</th><th>RULE</th><th class=\"n\">SLOWEST</th>"
			    "<th>INCIDENT</th></tr></thead><tbody>\n");
	rs_buf_puts(&h->incidents, "<tr>");
	number[rs_units_put_seconds_since(number, i->begin_ns, h->options.begin_ns)] = '\0';
	html_put_moment(h, 0, i->begin_ns, i->end_ns, number);
	number[rs_units_put_duration(number, i->end_ns - i->begin_ns, RS_UNIT_AUTO, -1)] = '\0';
	rs_buf_printf(&h->incidents, "<td class=\"n\">%s</td><td>%s</td>", number, i->finding->rule->name);
	number[rs_units_put_duration(number, i->slowest.to_ns - i->slowest.from_ns, RS_UNIT_AUTO, -1)] = '\0';
	if (i->slowest.tid)
		html_put_moment(h, i->slowest.tid, i->slowest.from_ns, i->slowest.to_ns, number);
	else
		rs_buf_puts(&h->incidents, "<td class=\"n\">-</td>");
	rs_buf_printf(&h->incidents, "<td>%s%s", i->often, *i->often ? ": " : "");
	rs_escape_xml(&h->incidents, rs_finding_list_brief(i->finding, text));
	rs_buf_puts(&h->incidents, "</td></tr>\n");
}

/* What is judged at once has the findings for that. */
static void html_ask_incidents(struct rs_html *h, const struct rs_quality *q)
{
	static const struct rs_analysis subscriber = {
		.abi = RS_ABI, .name = "html-incidents", .summary = "the incidents of a page",
	};
	uint64_t len_ns = q->to_ns > q->from_ns ? q->to_ns - q->from_ns : 0;

	if (!q->events || len_ns <= HTML_STEP_NS)
		return;
	h->scene.export.step_ns = len_ns / HTML_STEPS > HTML_STEP_NS ? len_ns / HTML_STEPS : HTML_STEP_NS;
	h->scene.export.subscriber[1] = &subscriber;
	h->scene.export.spans[1] = true;
}

/* ---- the page ---- */

static void html_put_when(const struct rs_html *h, const struct rs_quality *q, struct rs_buf *out)
{
	time_t at = (time_t)((q->from_ns + (uint64_t)q->realtime_offset_ns) / 1000000000);
	char text[64];
	struct tm tm;

	if (q->realtime_offset_known && q->events && gmtime_r(&at, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm))
		rs_buf_printf(out, "%s, ", text);
	rs_escape_xml(out, q->kernel ? q->kernel : "kernel unknown");
	rs_buf_puts(out, ", ");
	rs_buf_add(out, text,
		   rs_units_put_duration(text, q->events ? q->to_ns - q->from_ns : 0, RS_UNIT_AUTO, -1));
	rs_buf_puts(out, ", ");
	rs_buf_add(out, text, rs_units_put_grouped(text, q->events));
	rs_buf_puts(out, " events, lost ");
	if (rs_quality_lost(q) || !q->gaps_uncounted)
		rs_buf_add(out, text, rs_units_put_grouped(text, rs_quality_lost(q)));
	else
		rs_buf_puts(out, "an unknown number");
}

static void html_put_head(struct rs_html *h, const struct rs_quality *q)
{
	rs_buf_printf(h->out,
		      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
		      "'unsafe-inline'; script-src 'nonce-%s'; "
		      "base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
		      "content=\"width=device-width,initial-scale=1\">\n"
		      "<meta name=\"generator\" content=\"ringside %s\"><title>ringside: ",
		      h->nonce, RS_VERSION);
	rs_escape_xml(h->out, h->host ? h->host : "recording");
	rs_buf_puts(h->out, "</title>\n<style>\n");
	rs_buf_puts(h->out, rs_page_css);
	rs_html_style_put_causes(h->out);
	rs_buf_puts(h->out, "</style></head><body>\n<h1>Where the time of ");
	rs_escape_xml(h->out, h->host ? h->host : "this machine");
	rs_buf_puts(h->out, " went</h1>\n<p class=\"dim\">");
	html_put_when(h, q, h->out);
	rs_buf_puts(h->out, "</p>\n");
}

static void html_put_quality(struct rs_html *h, const struct rs_quality *q)
{
	struct rs_buf line = RS_BUF_INIT;

	rs_quality_line(&line, q);
	rs_buf_puts(&h->foot, "<footer class=\"dim\">Data quality: ");
	rs_escape_xml(&h->foot, line.len > 2 ? line.data + 2 : "");
	rs_buf_puts(&h->foot, "<br>Times count from the first event. ringside " RS_VERSION "</footer>\n");
	rs_buf_done(&line);
}

/* A section that has nothing is left out, also of the links at the top. */
struct html_section {
	const char *id, *title;
	bool cards;
	struct rs_buf text;
};

static void html_put_sections(struct html_section *s, size_t nr, struct rs_buf *out)
{
	rs_buf_puts(out, "<nav>");
	for (size_t i = 0; i < nr; i++)
		if (s[i].text.len)
			rs_buf_printf(out, "<a href=\"#%s\">%s</a>", s[i].id, s[i].title);
	rs_buf_puts(out, "</nav>\n");
	for (size_t i = 0; i < nr; i++) {
		if (s[i].text.len) {
			rs_buf_printf(out, "<section id=\"%s\"><h2>%s</h2>\n%s", s[i].id, s[i].title,
				      s[i].cards ? "<div class=\"cards\">\n" : "");
			rs_buf_add(out, s[i].text.data, s[i].text.len);
			rs_buf_printf(out, "%s</section>\n", s[i].cards ? "</div>" : "");
		}
		out->failed |= s[i].text.failed;
		rs_buf_done(&s[i].text);
	}
}

/* The data are no script: a browser does not run them, whatever the names in them are. */
static void html_put_scripts(struct rs_html *h)
{
	size_t len = h->out->len + strlen(rs_page_js) + strlen(rs_page_timeline_js) + 200;

	rs_buf_puts(h->out, "<script type=\"application/json\" id=\"slices\">");
	rs_html_states_put(&h->timeline, len < RS_HTML_MAX_BYTES ? RS_HTML_MAX_BYTES - len : 0, h->out);
	rs_buf_printf(h->out, "</script>\n<script nonce=\"%s\">\n%s%s</script>\n</body></html>\n", h->nonce,
		      rs_page_js, rs_page_timeline_js);
}

enum { FINDINGS, INCIDENTS, SPLIT, TIMELINE, SLOWEST, HISTOGRAMS, FLAMES, TABLES, NR_SECTIONS };

/* All but the incidents. */
static void html_make_page(struct rs_html *h, const struct rs_quality *q)
{
	static const struct html_section sections[NR_SECTIONS] = {
		[FINDINGS] = { "findings", "Findings", false, RS_BUF_INIT },
		[INCIDENTS] = { "incidents", "Incidents", false, RS_BUF_INIT },
		[SPLIT] = { "time", "Where time went", true, RS_BUF_INIT },
		[TIMELINE] = { "timeline-of-all", "Timeline", false, RS_BUF_INIT },
		[SLOWEST] = { "slowest", "Slowest", true, RS_BUF_INIT },
		[HISTOGRAMS] = { "histograms", "Distributions", true, RS_BUF_INIT },
		[FLAMES] = { "flames", "Code", false, RS_BUF_INIT },
		[TABLES] = { "tables", "Tables", false, RS_BUF_INIT },
	};

	struct html_section *s = malloc(sizeof sections);

	if (!s) {
		h->out->failed = true;
		return;
	}
	h->sections = memcpy(s, sections, sizeof sections);
	html_put_head(h, q);
	rs_buf_add(&s[FINDINGS].text, h->findings.data, h->findings.len);
	rs_html_views_put_bars(h, &s[SPLIT].text);
	rs_html_states_mark_parties(&h->timeline);
	rs_html_picture_put(&h->timeline, &s[TIMELINE].text);
	rs_html_slowest_put(h->kinds, h->options.begin_ns, &s[SLOWEST].text);
	rs_html_views_put_histograms(h, &s[HISTOGRAMS].text);
	rs_html_views_put_flames(h, &s[FLAMES].text);
	rs_html_views_put_tables(h, &s[TABLES].text);
	html_put_quality(h, q);
}

static void html_put_page(struct rs_html *h)
{
	struct rs_buf *incidents = &h->sections[INCIDENTS].text;

	if (h->incidents.len) {
		rs_buf_add(incidents, h->incidents.data, h->incidents.len);
		rs_buf_puts(incidents, "</tbody></table></div>");
	}
	html_put_sections(h->sections, NR_SECTIONS, h->out);
	rs_buf_add(h->out, h->foot.data, h->foot.len);
	html_put_scripts(h);
	h->out->failed |= h->incidents.failed | h->foot.failed;
}

/* ---- the format ---- */

static void html_begin(struct rs_scene *s, unsigned int pass)
{
	const struct rs_trace_info *info = s->info;
	struct rs_html *h = rs_html_of(s);

	if (pass)
		return;
	h->host = info->host ? strdup(info->host) : NULL;
	h->options.begin_ns = s->begin_ns;
	h->options.knows_files = info->nr_fd_paths > 0;
	if (!rs_html_timeline_init(&h->timeline, info->nr_cpus, s->begin_ns) ||
	    !rs_html_trees_init(&h->trees))
		rs_fail(&s->export.error, "cannot export: out of memory");
}

static void html_end(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_html *h = rs_html_of(s);

	if (pass)
		return;
	if (s->export.error.status == RS_OK) {
		html_make_page(h, quality);
		html_ask_incidents(h, quality);
	}
	h->out->failed |= h->findings.failed;
}

/* Whatever the second reading came to: all else of the page is there. */
static void html_close(struct rs_scene *s)
{
	if (rs_html_of(s)->sections)
		html_put_page(rs_html_of(s));
}

static void html_free(struct rs_scene *s)
{
	struct rs_html *h = rs_html_of(s);

	rs_html_views_free(h);
	rs_html_slowest_free(h->kinds);
	rs_html_timeline_done(&h->timeline);
	rs_buf_done(&h->findings);
	rs_buf_done(&h->incidents);
	rs_buf_done(&h->foot);
	free(h->sections);
	rs_html_trees_done(&h->trees);
	rs_scene_done(s);
	free(h->host);
	free(h);
}

static const struct rs_scene_ops html_ops = {
	.name = "html", .summary = "the timeline of a page", .task_bytes = sizeof(struct rs_html_busy),
	.all_analyses = true, .hidden_states = true, .requires_history = true,
	.open_states = true,
	.begin = html_begin, .end = html_end, .close = html_close, .free = html_free,
	.view = rs_html_view_add,
	.finding = html_finding, .findings_end = html_findings_end,
	.incident = html_incident,
	.draws = html_draws, .kind = html_kind, .span = html_span, .state = rs_html_timeline_add,
	.session_end = rs_html_timeline_note_cmdlines,
};

struct rs_export *rs_html_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_html *h = calloc(1, sizeof *h);

	if (!h || !rs_html_page_make_nonce(h->nonce)) {
		free(h);
		return NULL;
	}
	rs_scene_init(&h->scene, &html_ops);
	h->out = out;
	h->findings = h->incidents = h->foot = (struct rs_buf)RS_BUF_INIT;
	h->views_tail = &h->views;
	return &h->scene.export;
}
