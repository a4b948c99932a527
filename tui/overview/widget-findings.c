// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * widget-findings.c - the verdict: live what comes at regular times, the chain of the worst trouble, then the
 * findings, the most severe first
 *
 * The chain is the critical path of the worst finding's victim, if it sleeps until others are done: its
 * slowest call or wait, what that waited for, and so on. Each link can be selected. It comes when its time
 * has been analyzed anew; until then the findings stand alone.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"
#include "tui/toolkit/chart.h"
#include "tui/overview/incident-rows.h"
#include "tui/overview/widget.h"
#include "tui/table/path.h"

#define FINDINGS_ROWS 8
#define HEAVY 500         /* of 1000: half of the time */
#define COST_COLUMNS 7    /* "1.23s" and a blank */
#define COST_OF_COLUMNS 16 /* "4.00s of 6.06s" and a blank */
#define VICTIM_COLUMNS 20 /* of a sentence that is cut, before its culprit */
#define CHAIN_EVERY_NS 5000000000ull /* live */
#define CHAIN_COST 20     /* live: or this many times as long as the answer took */

struct findings_widget {
	struct rs_widget widget;  /* first */
	struct rs_path path;
	int64_t pid;              /* of the victim that the path is about, or was asked for; 0: none */
	uint64_t from_ns, to_ns;  /* of a path that is not live: of its question */
	uint64_t asked_ns, next_ns; /* live: when it was asked, and when to ask again */
	const struct rs_widget *slowest, *incidents; /* of the same machine; NULL: none */
	unsigned int at;          /* the selected link; the number of links: what the last one waited for */
};

static const struct rs_widget_ops findings_ops, calm_ops;

const struct rs_wire_finding *rs_widget_finding(const struct rs_widget *widget, size_t n)
{
	const struct rs_findings_reply *a = widget->question.answer;

	return a && widget->ops == &findings_ops && n < a->nr_findings && n < FINDINGS_ROWS ?
		       &a->findings[n] :
		       NULL;
}

/* ---- the chain ---- */

/* A single task that waits for no device, and a lost trail, say less than the sentence. */
static bool findings_has_chain(const struct findings_widget *w)
{
	const struct rs_path_link *last = w->path.nr ? &w->path.links[w->path.nr - 1] : NULL;

	return last && strcmp(last->part, "unknown") != 0 && (w->path.nr > 1 || last->dev[0]);
}

/* What comes at regular times is the first row; NULL: nothing does. */
static const struct rs_wire_incident *findings_regular(const struct findings_widget *w, uint64_t *now_ns)
{
	return w->incidents ? rs_widget_incidents_regular(w->incidents, now_ns) : NULL;
}

/* Rows above those of this interval. */
static size_t findings_nr_above(const struct findings_widget *w)
{
	uint64_t now_ns;

	return findings_regular(w, &now_ns) != NULL;
}

/* Without any row one line says so, which cannot be selected. */
static void findings_count_rows(struct findings_widget *w)
{
	const struct rs_findings_reply *a = w->widget.question.answer;
	size_t above = findings_nr_above(w);

	w->widget.ops = (a && a->nr_findings) || above ? &findings_ops : &calm_ops;
	w->widget.nr_rows = !a ? 0 : a->nr_findings < FINDINGS_ROWS ? a->nr_findings : FINDINGS_ROWS;
	if (a && a->nr_findings)
		w->widget.nr_rows += findings_has_chain(w);
	w->widget.nr_rows += above;
	if (!w->widget.nr_rows && a && a->to_ns.known)
		w->widget.nr_rows = 1;
}

/* The first of the links that are named as this one is. */
static unsigned int findings_named(const struct findings_widget *w, unsigned int at)
{
	unsigned int named = 0, next;

	while ((next = rs_path_same_until(&w->path, named)) <= at)
		named = next;
	return named;
}

static void findings_on_path(void *of, const struct rs_reply *reply)
{
	struct findings_widget *w = of;
	uint64_t now_ns = w->widget.app->now_ns, took_ns = now_ns > w->asked_ns ? now_ns - w->asked_ns : 0;

	if (!reply->message)
		rs_question_drop(&w->path.question);
	rs_path_read(&w->path);
	w->at = w->at > w->path.nr ? 0 : findings_named(w, w->at);
	w->next_ns = now_ns + (took_ns * CHAIN_COST > CHAIN_EVERY_NS ? took_ns * CHAIN_COST : CHAIN_EVERY_NS);
	findings_count_rows(w);
}

/* Live a path is asked for now and then, whoever is the victim; of a time range once. */
static void findings_ask_path(struct findings_widget *w, const struct rs_findings_reply *a)
{
	int64_t pid = a->chain_pid.known && a->from_ns.known && a->to_ns.known ? (int64_t)a->chain_pid.u : 0;
	bool is_live = w->widget.app->live && w->widget.app->time.now;
	bool is_other = pid != w->pid || (!is_live && (a->from_ns.u != w->from_ns || a->to_ns.u != w->to_ns));

	if (pid != w->pid) { /* the chain of another would be wrong */
		rs_question_drop(&w->path.question);
		w->path.nr = w->at = 0;
	}
	if (w->path.question.asked || !pid || !(is_live ? w->widget.app->now_ns >= w->next_ns : is_other))
		return;
	w->pid = pid;
	w->from_ns = a->from_ns.u;
	w->to_ns = a->to_ns.u;
	w->asked_ns = w->widget.app->now_ns;
	rs_path_ask(&w->path, pid, 0, w->from_ns, w->to_ns);
}

static void findings_answered(struct rs_widget *widget, const void *message)
{
	struct findings_widget *w = (struct findings_widget *)widget;
	const struct rs_findings_reply *a = message;

	rs_widget_note_time(widget, a->from_ns, a->to_ns);
	rs_pains_read(&widget->machine->pains, a);
	findings_ask_path(w, a);
	findings_count_rows(w);
}

static void findings_ask(struct rs_widget *widget)
{
	struct rs_buf where = RS_BUF_INIT;

	rs_app_filter_where(widget->app, rs_filter_view(RS_FILTER_FINDINGS), NULL, NULL, &where);
	rs_question_ask(&widget->question, "findings", &(struct rs_findings_request){
		.time = rs_app_asked_time(widget->app), .where = where.len ? where.data : NULL });
	rs_buf_done(&where);
}

/* What the last link waited for: a disk, or nothing that could be selected. */
static bool findings_ends_at_disk(const struct findings_widget *w)
{
	return w->path.nr && w->path.links[w->path.nr - 1].dev[0];
}

/* " 83 %", the share that the sentence says; "": it says none. */
static void findings_put_share(const struct rs_wire_finding *f, char *text, size_t size)
{
	uint64_t percent = f->of_ns.u && f->of_ns.known ?
				   (rs_milli(f->lost_ns.u, f->of_ns.u, 100).u + 500) / 1000 :
				   0;

	if (percent)
		snprintf(text, size, " %u %%", percent < 100 ? (unsigned int)percent : 100);
}

/*
 * "api (7) 83 %: recvfrom", "db: fsync", "vda 38.0 ms", "java x7: futex": the threads of one process in a row
 * are one. brief: without the calls of later links.
 */
static void findings_put_link(const struct findings_widget *w, unsigned int i, bool brief, char *text,
			      size_t size)
{
	unsigned int to = rs_path_same_until(&w->path, i);
	const struct rs_path_link *last = &w->path.links[(to < w->path.nr ? to : w->path.nr) - 1];
	const struct rs_wire_finding *f = rs_widget_finding(&w->widget, 0);
	char length[RS_SCREEN_TEXT], share[24] = "", name[40], end[112] = "";
	const char *call;

	rs_screen_duration(last->part_ns, length);
	if (i == w->path.nr) {
		snprintf(text, size, "%.24s %s", last->dev, length);
		return;
	}
	call = i && brief ? "" : w->path.links[i].syscall;
	if (!i && f && f->nr_victims == 1)
		findings_put_share(f, share, sizeof share);
	if (to == w->path.nr && !findings_ends_at_disk(w))
		snprintf(end, sizeof end, "%s%.30s %s", *call ? ", " : "",
			 strcmp(last->part, "run") ? last->part : "on a CPU", length);
	rs_path_put_name(&w->path, i, name, sizeof name);
	snprintf(text, size, "%s%s%s%.24s%s", name, share, *call || *end ? ": " : "", call, end);
}

static int findings_chain_width(const struct findings_widget *w, bool brief, bool ascii)
{
	unsigned int nr = w->path.nr + findings_ends_at_disk(w);
	int width = 0;
	char text[160];

	for (unsigned int i = 0; i < nr; i = rs_path_same_until(&w->path, i)) {
		findings_put_link(w, i, brief, text, sizeof text);
		width += rs_put_text_columns(text, ascii) + (i ? 4 : 0);
	}
	return width;
}

/*
 * The links from the first one on; where they do not fit, from a later one, so that the selected one is seen.
 */
static void findings_draw_chain(const struct findings_widget *w, struct rs_canvas *c, struct rs_area line,
				bool selected)
{
	unsigned int nr = w->path.nr + findings_ends_at_disk(w), first = 0;
	bool ascii = rs_canvas_ascii(c), brief = findings_chain_width(w, false, ascii) > line.width;
	int x = line.x, end = line.x + line.width;
	char text[160];

	if (brief && selected && findings_chain_width(w, true, ascii) > line.width)
		first = w->at ? findings_named(w, w->at - 1) : 0;
	for (unsigned int i = first; i < nr && x < end; i = rs_path_same_until(&w->path, i)) {
		findings_put_link(w, i, brief, text, sizeof text);
		x += i ? rs_put(c, line.y, x, end - x, RS_STYLE_DIM, i == first ? "<- " : " <- ") : 0;
		x += rs_put_cut(c, line.y, x, end - x,
				selected && i == w->at ? RS_STYLE_SELECTED : RS_STYLE_BOLD, text);
	}
}

/* ---- the findings ---- */

/*
 * Writes "client (88) waits 91 % for disk vda in fsync <- jbd2/vda1-8": a brief sentence up to its colon, and
 * the culprit. Returns where that begins; NULL: there is none.
 */
static const char *findings_put_words(const struct rs_wire_finding *f, struct rs_buf *out)
{
	size_t len;

	for (size_t i = 0; i < f->nr_words && strcmp(f->words[i].kind, "colon") != 0; i++)
		if (strcmp(f->words[i].kind, "of-time") != 0)
			rs_buf_puts(out, f->words[i].text);
	len = out->len;
	if (!f->culprit || !f->victim || !strcmp(f->culprit, f->victim))
		return NULL;
	rs_buf_puts(out, " <- ");
	if (f->nr_culprits > 1)
		rs_buf_printf(out, "%u ", f->nr_culprits);
	rs_buf_puts(out, f->culprit);
	return out->data + len;
}

/* The sentence; where that does not fit, its brief form, or victim, cause and culprit. */
static void findings_draw_text(const struct rs_wire_finding *f, struct rs_canvas *c, struct rs_area line,
			       enum rs_style_id style_id)
{
	const char *brief = f->brief && *f->brief ? f->brief : f->text;
	struct rs_widget_word word = { f->text, style_id, 0, 0, VICTIM_COLUMNS, NULL };
	struct rs_buf words = RS_BUF_INIT;

	if (rs_put_text_columns(f->text, rs_canvas_ascii(c)) > line.width)
		word.text = brief;
	if (f->nr_words && rs_put_text_columns(brief, rs_canvas_ascii(c)) > line.width) {
		word.last = findings_put_words(f, &words);
		word.text = words.data;
	}
	rs_widget_put_words(c, line, &word, 1);
	rs_buf_done(&words);
}

/* The sum over threads may be more than the time that is shown: then each says of how much it is. */
static int findings_cost_columns(const struct rs_widget *widget)
{
	const struct rs_wire_finding *f;
	uint64_t shown_ns = widget->to_ns - widget->from_ns;

	for (size_t n = 0; shown_ns && (f = rs_widget_finding(widget, n)); n++)
		if (f->lost_ns.known && f->lost_ns.u > shown_ns && f->of_ns.known)
			return COST_OF_COLUMNS;
	return COST_COLUMNS;
}

static void findings_put_cost(const struct rs_wire_finding *f, int columns, char *text, size_t size)
{
	char lost[RS_SCREEN_TEXT], of[RS_SCREEN_TEXT];

	*text = '\0';
	if (!f->lost_ns.known || !f->lost_ns.u)
		return;
	if (columns == COST_COLUMNS || !f->of_ns.known || !f->of_ns.u)
		snprintf(text, size, "%s", rs_screen_duration(f->lost_ns.u, lost));
	else
		snprintf(text, size, "%s of %s", rs_screen_duration(f->lost_ns.u, lost),
			 rs_screen_duration(f->of_ns.u, of));
}

/* The time that was lost, a bar of the cost relative to the first one's, and the sentence. */
static void findings_draw_row(const struct rs_widget *widget, struct rs_canvas *c, struct rs_area line,
			      size_t n)
{
	const struct rs_wire_finding *f = rs_widget_finding(widget, n), *first = rs_widget_finding(widget, 0);
	int bar = line.width >= 100 ? 10 : 4, columns = findings_cost_columns(widget),
	    used = columns + bar + 1;
	enum rs_style_id heavy = f->weight >= HEAVY ? RS_STYLE_WARN : RS_STYLE_DIM;
	char cost[2 * RS_SCREEN_TEXT + 4];

	findings_put_cost(f, columns, cost, sizeof cost);
	rs_put_right(c, line.y, line.x, columns - 1, heavy, cost);
	if (first->cost_ns)
		rs_chart_bars_put(c, (struct rs_area){ line.y, line.x + columns, 1, bar }, heavy,
				  f->cost_ns, first->cost_ns);
	findings_draw_text(f, c, (struct rs_area){ line.y, line.x + used, 1, line.width - used },
			   n ? RS_STYLE_TEXT : RS_STYLE_BOLD);
}

/* The chain is above the findings of this interval. */
static bool findings_is_chain(const struct rs_widget *widget, size_t row)
{
	const struct findings_widget *w = (const struct findings_widget *)widget;

	return row == findings_nr_above(w) && rs_widget_finding(widget, 0) && findings_has_chain(w);
}

static void findings_draw(struct rs_widget *widget, struct rs_canvas *c, struct rs_area area, long selected)
{
	const struct findings_widget *w = (const struct findings_widget *)widget;
	size_t first = findings_nr_above(w) + findings_has_chain(w);
	uint64_t now_ns = 0;
	const struct rs_wire_incident *regular = findings_regular(w, &now_ns);

	for (long row = 0; row < area.height && (size_t)row < widget->nr_rows; row++) {
		struct rs_area line = { area.y + (int)row, area.x, 1, area.width };

		if (findings_is_chain(widget, (size_t)row)) {
			findings_draw_chain(w, c, line, selected == row);
			continue;
		}
		if (regular && !row)
			rs_incident_rows_draw(regular, now_ns, c, line);
		else
			findings_draw_row(widget, c, line, (size_t)row - first);
		if (row == selected)
			rs_canvas_set_style(c, line, RS_STYLE_SELECTED);
	}
}

/* What was looked for, over which time, and what comes nearest to it: nothing claims that all is well. */
static void calm_draw_row(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, size_t row)
{
	const struct findings_widget *w = (const struct findings_widget *)widget;
	const struct rs_findings_reply *a = widget->question.answer;
	const struct rs_wire_span *span = w->slowest ? rs_widget_slowest_span(w->slowest) : NULL;
	char time[RS_SCREEN_TEXT], length[RS_SCREEN_TEXT];
	int x = line.x, end = line.x + line.width;

	x += rs_put(c, line.y, x, end - x, RS_STYLE_GOOD, "no known pattern of waits");
	if (a && a->from_ns.known && a->to_ns.known)
		x += rs_put_format(c, line.y, x, end - x, RS_STYLE_GOOD, " in %s",
				   rs_screen_duration(a->to_ns.u - a->from_ns.u, time));
	if (span)
		rs_put_format(c, line.y, x, end - x, RS_STYLE_DIM, "; the longest: %s %s of %s",
			      rs_screen_duration(span->end_ns - span->start_ns, length),
			      span->label ? span->label : "wait", span->comm ? span->comm : "-");
}

/* NULL: the row is of this interval. */
static const struct rs_wire_incident *findings_incident_of_row(const struct rs_widget *widget, size_t row)
{
	uint64_t now_ns;

	return row ? NULL : findings_regular((const struct findings_widget *)widget, &now_ns);
}

/* The chain is of the first finding. */
static const struct rs_wire_finding *findings_of_row(const struct rs_widget *widget, size_t row)
{
	const struct findings_widget *w = (const struct findings_widget *)widget;
	const struct rs_wire_incident *regular = findings_incident_of_row(widget, row);

	if (regular)
		return regular->finding;
	row -= findings_nr_above(w);
	return rs_widget_finding(widget, findings_has_chain(w) && row ? row - 1 : row);
}

/* Of a row: the wait of a link of the chain, or the longest that a finding is about. Returns false: none is
 * known. */
static bool findings_wait(const struct findings_widget *w, size_t row, struct rs_screen_selection *out)
{
	const struct rs_wire_finding *f = findings_of_row(&w->widget, row);
	const struct rs_path_link *link = findings_is_chain(&w->widget, row) && w->at < w->path.nr ?
						  &w->path.links[w->at] :
						  NULL;
	const struct rs_wire_incident *regular = findings_incident_of_row(&w->widget, row);

	if (regular)
		return rs_incident_rows_select(regular, out) && out->is_wait;
	if (link)
		return rs_selection_set_wait(out, link->comm, link->pid, link->tid, link->from_ns,
					     link->to_ns);
	return f && f->slowest &&
	       rs_selection_set_wait(out, f->victim, f->nr_victim_pids ? f->victim_pids[0] : 0,
				     f->slowest->tid, f->slowest->from_ns, f->slowest->to_ns);
}

/* For the timeline and the latencies: a wait, else the victim. */
static bool findings_get_selection(struct rs_widget *widget, size_t row, struct rs_screen_selection *out)
{
	const struct rs_wire_finding *f = findings_of_row(widget, row);
	bool any = findings_wait((const struct findings_widget *)widget, row, out) ||
		   (f && f->nr_victim_pids && rs_widget_select_task(out, f->victim, f->victim_pids[0], 0));

	if (any && f && !findings_is_chain(widget, row))
		out->category = rs_category_find(f->category);
	return any;
}

/* What the wait was for; without one, the tables of the finding. The first link of the chain is of the first
 * finding. */
static struct rs_screen *findings_open(struct rs_widget *widget, size_t row)
{
	const struct findings_widget *w = (const struct findings_widget *)widget;
	const struct rs_wire_finding *f = findings_of_row(widget, row);
	struct rs_screen_selection wait;

	if (findings_wait(w, row, &wait))
		return rs_why_open_wait(widget->app, &wait,
					findings_is_chain(widget, row) && w->at ? NULL : f);
	return f ? rs_details_new_evidence(widget->app, f) : NULL;
}

static bool findings_step(struct rs_widget *widget, size_t row, int by)
{
	struct findings_widget *w = (struct findings_widget *)widget;
	unsigned int next = rs_path_same_until(&w->path, w->at);

	if (!findings_is_chain(widget, row) ||
	    (by < 0 ? !w->at : next >= w->path.nr + findings_ends_at_disk(w)))
		return false;
	w->at = by < 0 ? findings_named(w, w->at - 1) : next;
	return true;
}

static bool findings_copy(struct rs_widget *widget, size_t row, struct rs_buf *out)
{
	const struct rs_wire_finding *f = findings_of_row(widget, row);

	if (f)
		rs_markdown_finding(widget->app, f, out);
	return f;
}

/* A finding by its sentence: it keeps the selection when the chain comes above it. */
static uint64_t findings_identity(struct rs_widget *widget, size_t row)
{
	const struct rs_wire_finding *f = findings_is_chain(widget, row) ? NULL :
									   findings_of_row(widget, row);
	const struct rs_wire_incident *regular = findings_incident_of_row(widget, row);
	uint64_t hash = 1;

	if (regular)
		return regular->number | 1ull << 63;

	for (const char *p = f && f->text ? f->text : ""; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 1099511628211ull;
	return hash;
}

/* What is regular may have come, or gone, since. */
static void findings_choose(struct rs_widget *widget)
{
	findings_count_rows((struct findings_widget *)widget);
}

/* What the times and shares below it are of. */
static void findings_draw_base(struct rs_widget *widget, struct rs_canvas *c, struct rs_area line, int used)
{
	const char *text = "sums over all threads; % of their awake time";

	if (rs_widget_finding(widget, 0) && used + (int)strlen(text) + 1 < line.width)
		rs_put(c, line.y, line.x + used, line.width - used, RS_STYLE_DIM, text);
}

static void findings_free(struct rs_widget *widget)
{
	rs_path_done(&((struct findings_widget *)widget)->path);
}

static const char findings_help_text[] =
	"Verdict: what is wrong in the time that its right end names; live: in the last whole second\n"
	"  the chain  who waits most <- for whom <- for what, of the first finding's victim; Tab and Right:\n"
	"             its next link\n"
	"  1.30s      the time lost, a sum over all threads, and a bar to scale: the first row is full\n"
	"  30 %       of the time that the victim was awake: it ran, or wanted to\n"
	"  <-         who or what had what the victim waited for. Enter: the longest such wait as a tree\n"
	"  no known pattern: no rule applies (ringside list rules); the longest wait is named all the same\n"
	"\n";

static const struct rs_widget_ops findings_ops = {
	.ask = findings_ask, .answered = findings_answered, .draw = findings_draw,
	.choose = findings_choose, .aside = findings_draw_base,
	.selection = findings_get_selection, .identity = findings_identity,
	.step = findings_step, .open = findings_open, .copy = findings_copy, .free = findings_free,
	.help_text = findings_help_text,
};

static const struct rs_widget_ops calm_ops = { .ask = findings_ask, .answered = findings_answered,
					       .choose = findings_choose, .draw_row = calm_draw_row,
					       .free = findings_free };

struct rs_widget *rs_widget_findings_new(struct rs_tui_machine *machine, const struct rs_widget *slowest,
					 const struct rs_widget *incidents)
{
	struct findings_widget *w = rs_widget_new(machine, sizeof *w, &(struct rs_widget){
		.ops = &findings_ops, .title = "Verdict", .place = 0, .left = true, .wide = true, .least = 4,
		.most = 4 });

	if (w)
		w->slowest = slowest;
	if (w)
		w->incidents = incidents;
	if (w)
		w->path.question = (struct rs_question){ .machine = machine, .answered = findings_on_path,
							 .of = w };
	return w ? &w->widget : NULL;
}
