// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * why-screen.c - the screen about one wait: its tree is asked for first, then the others of its kind
 */
#include "tui/why/why-screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ringside/culprit.h"
#include "rpc/filter-views.h"
#include "tui/app/app.h"
#include "tui/app/key-tables.h"

#define WHY_OTHERS 200

/* ---- asking ---- */

const struct rs_latencies_reply *rs_why_others(const struct rs_why_screen *w)
{
	const struct rs_latencies_reply *reply = w->slowest.answer;

	return reply && reply->nr_spans ? reply : NULL;
}

/* A wait within a call is told apart by the call. */
static long why_place_of(const struct rs_why_screen *w, int64_t tid, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_latencies_reply *others = rs_why_others(w);

	for (size_t i = 0; others && i < others->nr_spans; i++) {
		const struct rs_wire_span *span = &others->spans[i];

		if (span->tid == tid && span->start_ns <= from_ns && span->end_ns >= to_ns)
			return (long)i;
	}
	return -1;
}

long rs_why_place(const struct rs_why_screen *w)
{
	const struct rs_why_node *wait = rs_why_wait(w);

	return wait ? why_place_of(w, wait->tid, wait->from_ns, wait->to_ns) : -1;
}

/* Of the wait that is asked for, whose tree may not be here yet: keys come faster than answers. */
static long why_asked_place(const struct rs_why_screen *w)
{
	if (w->tid && w->to_ns)
		return why_place_of(w, w->tid, w->from_ns, w->to_ns);
	return rs_why_place(w);
}

/* Of a call, the calls of that name; else waits for a CPU, if it is most of all such a wait. */
static void why_find_kind(struct rs_why_screen *w)
{
	const struct rs_catalogue *c = rs_client_catalogue(w->screen.machine->client);
	const struct rs_why_node *wait = rs_why_wait(w);

	w->of = (struct rs_latency_of){ .nr_labels = 0 };
	if (*wait->syscall)
		rs_latency_of_calls(c, wait->syscall, &w->of);
	else if (w->nodes.nr > 1 && !strcmp(w->nodes.at[1].part, rs_part_row(RS_PART_QUEUE)->name))
		rs_latency_of_waits(c, &w->of);
	w->of.pid = wait->pid;
	w->of.tid = wait->pid ? 0 : wait->tid;
	snprintf(w->of.owner, sizeof w->of.owner, "%.40s (%lld)", wait->comm,
		 (long long)(wait->pid ? wait->pid : wait->tid));
}

/* The filter holds for the others: the wait itself is what the screen was opened on. */
static const struct rs_view *why_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	struct rs_why_screen *w = (struct rs_why_screen *)s;

	w->given.nr = 0;
	rs_selection_add_task(&w->given, NULL, w->of.pid, w->of.tid);
	*given = &w->given;
	return rs_filter_view(RS_FILTER_SPANS);
}

static void why_ask_others(struct rs_why_screen *w)
{
	const struct rs_selection_keys *given;
	const struct rs_view *view = why_filtered(&w->screen, &given);
	struct rs_buf where = RS_BUF_INIT;
	struct rs_latency_question q;

	w->filter_changes = w->screen.app->filter.changes;
	if (!*w->of.kind)
		return;
	rs_app_filter_where(w->screen.app, view, given, NULL, &where);
	rs_latency_ask(&w->of, RS_LATENCIES_SLOWEST, &q);
	q.request.time = rs_latency_asked_time(w->screen.app, &w->of);
	q.request.where = where.len ? where.data : NULL;
	q.request.limit = WHY_OTHERS;
	rs_question_ask(&w->slowest, "latencies", &q.request);
	rs_latency_ask(&w->of, RS_LATENCIES_HISTOGRAM, &q);
	q.request.time = rs_latency_asked_time(w->screen.app, &w->of);
	q.request.where = where.len ? where.data : NULL;
	rs_question_ask(&w->histogram, "latencies", &q.request);
	rs_buf_done(&where);
}

static void why_ask(struct rs_screen *s);

static void why_got_nodes(void *of, const struct rs_reply *reply)
{
	struct rs_why_screen *w = of;
	char kind[sizeof w->of.kind];

	rs_app_refused(w->screen.app, reply);
	rs_why_nodes_read(&w->nodes);
	w->at = w->top = 0;
	if (w->nodes.nr && w->changes.shown)
		rs_why_changes_ask(&w->changes, rs_why_wait(w));
	if (w->nodes.nr) {
		memcpy(kind, w->of.kind, sizeof kind);
		why_find_kind(w);
		if (strcmp(kind, w->of.kind) != 0 || !w->slowest.answer)
			why_ask_others(w);
	}
	why_ask(&w->screen); /* of the wait that was chosen meanwhile */
	rs_app_redraw(w->screen.app);
}

static void why_got_others(void *of, const struct rs_reply *reply)
{
	rs_app_redraw(((struct rs_why_screen *)of)->screen.app);
}

static void why_got_changes(void *of, const struct rs_reply *reply)
{
	struct rs_why_screen *w = of;

	rs_app_refused(w->screen.app, reply);
	rs_why_changes_read(&w->changes);
	rs_app_redraw(w->screen.app);
}

static struct rs_asked_time why_time(const struct rs_why_screen *w)
{
	const struct rs_app *app = w->screen.app;

	if (w->to_ns)
		return (struct rs_asked_time){ rs_u(w->from_ns), rs_u(w->to_ns) };
	if (app->live && app->time.now && app->shown_to_ns)
		return (struct rs_asked_time){ rs_u(app->shown_from_ns), rs_u(app->shown_to_ns) };
	return rs_app_asked_time(app);
}

static void why_ask(struct rs_screen *s)
{
	struct rs_why_screen *w = (struct rs_why_screen *)s;
	struct rs_asked_time time = why_time(w);

	if (w->nodes.nr && w->filter_changes != s->app->filter.changes)
		why_ask_others(w);
	if (w->asked || w->nodes.question.asked)
		return;
	w->asked = true;
	if (!rs_why_nodes_ask(&w->nodes, w->pid, w->to_ns ? w->tid : 0, &time))
		rs_app_say(s->app, RS_STYLE_WARN, "this engine does not tell where the time of a wait went");
}

/* Shows another wait. The nodes of the former point into its answer: both stay until the new one comes. */
static void why_show(struct rs_why_screen *w, int64_t pid, int64_t tid, uint64_t from_ns, uint64_t to_ns)
{
	w->pid = pid;
	w->tid = tid;
	w->from_ns = from_ns;
	w->to_ns = to_ns;
	w->asked = false;
	why_ask(&w->screen);
}

/* ---- keys ---- */

enum {
	WHY_OPEN = 1, WHY_UP, WHY_DOWN, WHY_NEXT, WHY_BACK, WHY_HISTOGRAM, WHY_TABLES, WHY_CHANGES, WHY_ALIKE
};

const struct rs_key rs_why_keys[] = {
	{ { RS_KEY_ENTER, '\r', '\n' }, WHY_OPEN, "Open",
	  "why this task took that long; of the wait itself, and of a part, the tables that show it",
	  RS_KEY_SELECTION },
	{ { 'd' }, WHY_TABLES, "Details", "the tables that show it", RS_KEY_SELECTION },
	{ { 'h' }, WHY_HISTOGRAM, "Histogram", "how long all of its kind took", RS_KEY_SELECTION },
	{ { 'x' }, WHY_CHANGES, "What if",
	  "how long it would have been without each of its culprits, and which saves most; again: off",
	  RS_KEY_SELECTION },
	{ { 'a' }, WHY_ALIKE, "Alike", "waits of the same shape: when the same came before, and of whom",
	  RS_KEY_SELECTION },
	{ { 'n' }, WHY_NEXT, "Next", "the next of its kind, the slowest first" },
	{ { 'N' }, WHY_BACK, "Previous", "the one before", RS_KEY_RARE },
	{ { RS_KEY_DOWN, 'j', RS_KEY_WHEEL_DOWN }, WHY_DOWN, "Down", "the next line", RS_KEY_CURSOR },
	{ { RS_KEY_UP, 'k', RS_KEY_WHEEL_UP }, WHY_UP, "Up", "the line before", RS_KEY_CURSOR },
	{ .help = NULL },
};

/* The row that the screen was opened on, else the task of the selected line. */
static bool why_details_of(struct rs_why_screen *w, struct rs_screen_selection *out)
{
	if (w->at || !w->row.nr)
		return w->screen.ops->selection(&w->screen, out);
	*out = (struct rs_screen_selection){ .view = w->row_view, .keys = w->row, .column = -1 };
	return true;
}

/* The tables of the finding, else all about the row or the task. */
static void why_open_tables(struct rs_why_screen *w)
{
	struct rs_finding_evidence evidence[RS_WHY_EVIDENCE];
	struct rs_screen_selection selection;

	for (unsigned int i = 0; i < w->finding.nr_evidence; i++) {
		const struct rs_why_evidence *e = &w->finding.evidence[i];

		evidence[i] = (struct rs_finding_evidence){ e->view, e->sort, e->where, e->by };
	}
	if (w->finding.nr_evidence)
		rs_app_push(w->screen.app, rs_details_new_evidence(w->screen.app, &(struct rs_wire_finding){
			.text = w->finding.text, .code = *w->finding.code ? w->finding.code : NULL,
			.evidence = evidence, .nr_evidence = w->finding.nr_evidence }));
	else if (why_details_of(w, &selection))
		rs_app_push(w->screen.app, rs_details_new(w->screen.app, &selection));
}

/* Another task in the tree: what it did in its longest piece. */
static void why_open(struct rs_why_screen *w)
{
	struct rs_screen_selection of;

	if (w->at && w->screen.ops->selection(&w->screen, &of) && of.is_wait)
		rs_app_push(w->screen.app, rs_why_open_wait(w->screen.app, &of, NULL));
	else
		why_open_tables(w);
}

static void why_step(struct rs_why_screen *w, bool back)
{
	const struct rs_latencies_reply *others = rs_why_others(w);
	long at = why_asked_place(w) + (back ? -1 : 1);
	const struct rs_wire_span *span = others && at >= 0 && (size_t)at < others->nr_spans ?
						  &others->spans[at] :
						  NULL;

	if (span)
		why_show(w, span->pid, span->tid, span->start_ns, span->end_ns);
	else
		rs_app_say(w->screen.app, RS_STYLE_TEXT, "no more of its kind in this time");
}

static void why_show_changes(struct rs_why_screen *w)
{
	w->changes.shown = !w->changes.shown;
	if (w->changes.shown && rs_why_wait(w) && !rs_why_changes_ask(&w->changes, rs_why_wait(w))) {
		w->changes.shown = false;
		rs_app_say(w->screen.app, RS_STYLE_WARN,
			   "this engine does not compute waits without a culprit");
	}
	rs_app_redraw(w->screen.app);
}

static void why_open_alike(struct rs_why_screen *w)
{
	const struct rs_why_node *wait = rs_why_wait(w);

	if (wait)
		rs_app_push(w->screen.app, rs_table_new_alike(w->screen.app, &(struct rs_wire_wait){
			(int32_t)wait->tid, wait->from_ns, wait->to_ns }));
}

static void why_copy(struct rs_screen *s, struct rs_buf *out)
{
	rs_why_put_markdown((const struct rs_why_screen *)s, out);
}

static void why_move(struct rs_why_screen *w, int by)
{
	if (by < 0 ? w->at > 0 : w->at + 1 < w->nodes.nr)
		w->at += (size_t)by;
	rs_app_redraw(w->screen.app);
}

static bool why_can(const struct rs_screen *s, int action)
{
	const struct rs_why_screen *w = (const struct rs_why_screen *)s;

	if (action == WHY_HISTOGRAM)
		return *w->of.kind;
	return w->nodes.nr || (action != WHY_OPEN && action != WHY_ALIKE);
}

static bool why_act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_why_screen *w = (struct rs_why_screen *)s;

	switch (action) {
	case WHY_OPEN:
		why_open(w);
		break;
	case WHY_UP: case WHY_DOWN:
		why_move(w, action == WHY_UP ? -1 : 1);
		break;
	case WHY_NEXT: case WHY_BACK:
		why_step(w, action == WHY_BACK);
		break;
	case WHY_HISTOGRAM:
		if (*w->of.kind)
			rs_app_push(s->app, rs_latency_histogram_new(s->app, &w->of));
		break;
	case WHY_TABLES:
		why_open_tables(w);
		break;
	case WHY_CHANGES:
		why_show_changes(w);
		break;
	case WHY_ALIKE:
		why_open_alike(w);
		break;
	}
	return true;
}

static bool why_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct rs_why_screen *w = (const struct rs_why_screen *)s;
	const struct rs_why_node *node = w->at < w->nodes.nr ? &w->nodes.at[w->at] : NULL;

	if (!node || (!node->pid && !node->tid))
		node = rs_why_wait(w);
	*out = (struct rs_screen_selection){ .column = -1 };
	if (!node)
		return false;
	if (!strcmp(node->kind, "task") &&
	    rs_selection_set_wait(out, node->comm, node->pid, node->tid, node->from_ns, node->to_ns))
		return true;
	rs_selection_add_task(&out->keys, node->comm, node->pid, node->tid);
	return out->keys.nr > 0;
}

static void why_free(struct rs_screen *s)
{
	struct rs_why_screen *w = (struct rs_why_screen *)s;

	rs_why_nodes_done(&w->nodes);
	rs_question_done(&w->slowest);
	rs_question_done(&w->histogram);
	rs_question_done(&w->changes.question);
	free(w);
}

static const struct rs_screen_ops why_ops = {
	.name = "why",
	.keys = rs_why_keys,
	.ask = why_ask,
	.draw = rs_why_draw,
	.act = why_act,
	.can = why_can,
	.copy = why_copy,
	.selection = why_selection,
	.filtered = why_filtered,
	.free = why_free,
	.help_text = "The first line is the wait. Below it, to scale, is what its time went to: each line "
		     "within the line "
		     "that it is indented below, the largest first.\n"
		     "A task that was waited for has below it what it did meanwhile: who holds a lock may "
		     "wait for a CPU in "
		     "turn, and below that is who ran there.\n"
		     "x computes the wait without each of its culprits, or with a faster one: events keep "
		     "their order, and what becomes free goes to the next in line. What would save most "
		     "comes first, what is of the selected line is bold.\n"
		     "a lists the waits of the same shape, see ringside-alike(1): which came again, and of "
		     "whom. They are searched once in all of the window or the file, or in the time that is "
		     "shown.\n",
};

static void why_copy_finding(struct rs_why_finding *to, const struct rs_wire_finding *from)
{
	rs_copy(to->text, sizeof to->text, from->text);
	rs_copy(to->advice, sizeof to->advice, from->advice);
	rs_copy(to->rule, sizeof to->rule, from->rule);
	rs_copy(to->code, sizeof to->code, from->code);
	for (size_t i = 0; i < from->nr_evidence && i < RS_WHY_EVIDENCE; i++) {
		struct rs_why_evidence *e = &to->evidence[to->nr_evidence++];

		rs_copy(e->view, sizeof e->view, from->evidence[i].view);
		rs_copy(e->sort, sizeof e->sort, from->evidence[i].sort);
		rs_copy(e->where, sizeof e->where, from->evidence[i].where);
		rs_copy(e->by, sizeof e->by, from->evidence[i].by);
	}
}

static struct rs_why_screen *why_new(struct rs_app *app, const struct rs_screen_selection *of)
{
	struct rs_why_screen *w = rs_screen_new(app, &why_ops, sizeof *w);

	if (!w)
		return NULL;
	if (of) {
		w->row_view = of->view;
		w->row = of->keys;
	}
	if (of && rs_selection_number(&of->keys, "pid") > 0)
		w->pid = rs_selection_number(&of->keys, "pid");
	if (of && of->is_wait) {
		w->tid = rs_selection_thread(&of->keys);
		w->from_ns = of->from_ns;
		w->to_ns = of->to_ns;
	}
	w->nodes.question = (struct rs_question){ .machine = w->screen.machine, .answered = why_got_nodes,
						  .of = w };
	w->changes.question = (struct rs_question){ .machine = w->screen.machine,
						    .answered = why_got_changes, .of = w };
	w->slowest = w->histogram = (struct rs_question){ .machine = w->screen.machine,
							  .answered = why_got_others, .of = w };
	return w;
}

bool rs_why_is_known(const struct rs_app *app)
{
	return rs_catalogue_view_of(rs_client_catalogue(app->machine->client), RS_ROLE_WAIT_TREE);
}

struct rs_screen *rs_why_open_wait(struct rs_app *app, const struct rs_screen_selection *wait,
				   const struct rs_wire_finding *finding)
{
	struct rs_why_screen *w = rs_why_is_known(app) ? why_new(app, wait) : NULL;

	if (!rs_why_is_known(app))
		return rs_details_new(app, wait);
	if (w && finding)
		why_copy_finding(&w->finding, finding);
	return w ? &w->screen : NULL;
}

struct rs_screen *rs_why_open_selection(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_why_screen *w = rs_why_is_known(app) ? why_new(app, selection) : NULL;

	if (!rs_why_is_known(app))
		return rs_why_table_open(app, selection);
	return w ? &w->screen : NULL;
}
