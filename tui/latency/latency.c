// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency.c - what the latency screens share: the spans behind the numbers of a view, which its latencies
 * (ringside/table.h) declare for the selected column and row; asking and the common keys
 */
#include "tui/latency/latency-kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/buf.h"
#include "ringside/culprit.h"
#include "rpc/filter-views.h"
#include "tui/app/app.h"

/* Returns the declaration with the selected column; if none has it, the first one. */
static const struct rs_latencies *latency_find_latencies(const struct rs_view *view, int column)
{
	for (const struct rs_latencies *l = view->latencies; column >= 0 && l && l->columns; l++)
		if (rs_comma_list_has(l->columns, view->columns[column].name))
			return l;
	return view->latencies && view->latencies->columns ? view->latencies : NULL;
}

/* Returns the row's value in that column, if it is of that type and known; otherwise NULL. */
static const struct rs_value *value_in(const struct rs_screen_selection *s, const char *name,
				       enum rs_type type)
{
	const struct rs_view *view = s->view && s->values && name ? &s->view->view : NULL;
	int column = view ? rs_column_named(view, name) : -1;

	return column >= 0 && view->columns[column].type == type && s->values[column].known ?
		       &s->values[column] :
		       NULL;
}

static const char *text_in(const struct rs_screen_selection *s, const char *name)
{
	const struct rs_value *v = value_in(s, name, RS_TYPE_TEXT);

	return v ? v->s : NULL;
}

static void latency_add_label(struct rs_latency_of *of, const char *label, size_t len)
{
	if (of->nr_labels < RS_LEN_LABELS)
		rs_copy(of->labels[of->nr_labels++], len + 1 < RS_LEN_TEXT ? len + 1 : RS_LEN_TEXT, label);
}

void rs_latency_add_labels(struct rs_latency_of *of, const char *list)
{
	while (list && *list) {
		size_t len = strcspn(list, ",");

		latency_add_label(of, list, len);
		list += len + (list[len] == ',');
	}
}

/* The kind that the view declares for the row, as far as the trace has it. */
static const char *latency_kind_name(const struct rs_screen_selection *s, const struct rs_latencies *l)
{
	return l ? l->kind ? l->kind : text_in(s, l->kind_column) : NULL;
}

const struct rs_catalogue_kind *rs_latency_kind(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return &c->kinds[i];
	return NULL;
}

/*
 * Restricts the spans to a task, if spans of that kind have one. A row of a thread means that thread, however
 * the user came to it.
 */
static void latency_add_task(struct rs_latency_of *of, const struct rs_screen_selection *s,
			     const struct rs_catalogue_kind *kind)
{
	int64_t pid = rs_selection_number(&s->keys, "pid"), tid = rs_selection_number(&s->keys, "tid");
	const struct rs_selection_key *comm = rs_selection_key(&s->keys, "comm");
	const struct rs_value *row_tid = value_in(s, "tid", RS_TYPE_ID);

	if (kind && kind->track != RS_TRACK_TASK)
		return;
	of->pid = pid > 0 ? pid : 0;
	of->tid = tid > 0 ? tid : row_tid ? row_tid->i : 0;
	if (comm && (of->pid || of->tid))
		snprintf(of->owner, sizeof of->owner, "%.40s (%lld)", comm->text,
			 (long long)(of->tid ? of->tid : of->pid));
	else if (of->pid || of->tid)
		snprintf(of->owner, sizeof of->owner, "%lld", (long long)(of->tid ? of->tid : of->pid));
}

/* "8,0" in a column of devices, a number in a column of CPUs. kind NULL: not known yet. */
static void latency_add_track(struct rs_latency_of *of, const struct rs_screen_selection *s,
			      const char *column,
			      const struct rs_catalogue_kind *kind)
{
	const char *dev = column ? text_in(s, column) : NULL;
	const struct rs_selection_key *key = rs_selection_key(&s->keys, "dev");
	int64_t cpu = rs_selection_number(&s->keys, "cpu");
	unsigned int major, minor;

	if (!dev && key && key->column->type == RS_TYPE_TEXT)
		dev = key->text;
	if ((!kind || kind->track == RS_TRACK_DISK) && dev && sscanf(dev, "%u,%u", &major, &minor) == 2)
		snprintf(of->track, sizeof of->track, "disk:%u:%u", major, minor);
	else if ((!kind || kind->track == RS_TRACK_CPU) && cpu >= 0)
		snprintf(of->track, sizeof of->track, "cpu:%lld", (long long)cpu);
	if (*of->track)
		snprintf(of->owner, sizeof of->owner, "%s", *of->track == 'd' ? dev : of->track);
}

/*
 * l: NULL where the view declares none. kind: NULL: not known yet. Returns the label in the row, or NULL.
 */
static const char *latency_fill(struct rs_latency_of *of, const struct rs_screen_selection *s,
				const struct rs_latencies *l, const struct rs_catalogue_kind *kind)
{
	const char *label = l ? text_in(s, l->label_column) : NULL;

	*of = (struct rs_latency_of){ .nr_labels = 0 };
	if (kind)
		rs_copy(of->kind, sizeof of->kind, kind->name);
	if (label)
		latency_add_label(of, label, strlen(label));
	else if (l)
		rs_latency_add_labels(of, l->labels);
	if (s)
		latency_add_task(of, s, kind);
	if (s && (kind || !(of->pid || of->tid)))
		latency_add_track(of, s, l ? l->track_column : NULL, kind);
	return label;
}

/* A row that shows where all time went is about each kind: no column of it is selected. */
static bool latency_is_declared(const struct rs_screen_selection *s)
{
	const struct rs_panel *panel = s && s->view ? s->view->view.panel : NULL;

	return s && s->view && !s->is_wait && (s->column >= 0 || !panel || panel->kind != RS_PANEL_SPLIT);
}

bool rs_latency_of_selection(struct rs_app *app, const struct rs_screen_selection *s,
			     struct rs_latency_of *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(app->machine->client);
	const struct rs_latencies *l =
		latency_is_declared(s) ? latency_find_latencies(&s->view->view, s->column) : NULL;
	const char *name = latency_kind_name(s, l);
	const struct rs_catalogue_kind *kind = name ? rs_latency_kind(c, name) : NULL;

	if (name && !kind) {
		rs_app_say(app, RS_STYLE_WARN, "no spans are recorded for this column");
		return false;
	}
	latency_fill(of, s, l, kind);
	of->category = s ? s->category : RS_CATEGORY_RUN;
	if (!kind && s && s->is_wait && of->category == RS_CATEGORY_RUN) {
		of->wait_from_ns = s->from_ns;
		of->wait_to_ns = s->to_ns + (s->to_ns < UINT64_MAX); /* it ends at to_ns: in this time */
	}
	return true;
}

bool rs_latency_of_row(const struct rs_catalogue *c, const struct rs_screen_selection *s,
		       struct rs_latency_of *of, struct rs_buf *what)
{
	const struct rs_latencies *l = s->view && s->values ?
					       latency_find_latencies(&s->view->view, s->column) :
					       NULL;
	const char *name = latency_kind_name(s, l), *label;
	const struct rs_catalogue_kind *kind = name ? rs_latency_kind(c, name) : NULL;

	if (!kind)
		return false;
	label = latency_fill(of, s, l, kind);
	if (rs_selection_number(&s->keys, "tid") < 0) /* the details of a process sum up its threads */
		of->tid = 0;
	rs_buf_printf(what, "%s%s%s", kind->name, label ? " " : "", label ? label : "");
	return true;
}

/* Of tasks, by what the catalogue says of them: those whose slowest and whose rate are shown. */
static const struct rs_catalogue_kind *latency_kind_of(const struct rs_catalogue *c, enum rs_span_shape shape)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].track == RS_TRACK_TASK && c->kinds[i].shape == shape && !c->kinds[i].cause &&
		    (shape == RS_SPAN_STATE || (c->kinds[i].slowest && c->kinds[i].rate)))
			return &c->kinds[i];
	return NULL;
}

void rs_latency_of_calls(const struct rs_catalogue *c, const char *name, struct rs_latency_of *of)
{
	const struct rs_catalogue_kind *kind = latency_kind_of(c, RS_SPAN_SLICE);

	if (!kind)
		return;
	latency_fill(of, NULL, NULL, kind);
	latency_add_label(of, name, strlen(name));
}

void rs_latency_of_waits(const struct rs_catalogue *c, struct rs_latency_of *of)
{
	const struct rs_catalogue_kind *kind = latency_kind_of(c, RS_SPAN_STATE);

	if (!kind)
		return;
	latency_fill(of, NULL, NULL, kind);
	of->category = RS_CATEGORY_QUEUE;
	rs_copy(of->name, sizeof of->name, rs_part_row(RS_PART_QUEUE)->name);
	rs_latency_add_labels(of, "delay,preempted");
}

/* ---- requests ---- */

void rs_latency_ask(const struct rs_latency_of *of, enum rs_latencies_as as, struct rs_latency_question *q)
{
	for (unsigned int i = 0; i < of->nr_labels; i++)
		q->labels[i] = of->labels[i];
	q->request = (struct rs_latencies_request){
		.kind = { .is = RS_SCALAR_STRING, .s = of->kind }, .labels = of->nr_labels ? q->labels : NULL,
		.nr_labels = of->nr_labels,
		.tid = (int32_t)of->tid, .pid = of->tid ? 0 : (int32_t)of->pid,
		.track = *of->track ? of->track : NULL, .as = as,
	};
}

void rs_latency_title(const struct rs_latency_of *of, struct rs_buf *out)
{
	rs_buf_puts(out, *of->name ? of->name : *of->kind ? of->kind : "latencies");
	for (unsigned int i = 0; !*of->name && i < of->nr_labels; i++)
		rs_buf_printf(out, "%s%s", i ? "," : " ", of->labels[i]);
	if (*of->owner)
		rs_buf_printf(out, " of %s", of->owner);
}

/* ---- the screens ---- */

static struct rs_ink_task latency_task(const struct rs_latency_screen *s)
{
	return rs_pains_of(&s->screen.machine->pains, s->of.pid ? s->of.pid : s->of.tid, "");
}

/* A pending answer is of the former kind. The next is asked after it: keys are faster than engines. */
static void latency_reask(struct rs_latency_screen *s)
{
	s->is_former = s->question.asked || s->kinds_question.asked;
	rs_question_drop(&s->question);
	s->list.nr = 0;
	s->asked_ns = 0;
	rs_app_refresh(s->screen.app);
}

/* Returns true if what has come was asked of a former kind; asks anew after the last such answer. */
static bool latency_is_former(struct rs_latency_screen *s)
{
	bool was_former = s->is_former;

	s->is_former = was_former && (s->question.asked || s->kinds_question.asked);
	if (was_former && !s->is_former)
		rs_app_refresh(s->screen.app);
	return was_former;
}

static void latency_got(void *screen, const struct rs_reply *reply)
{
	struct rs_latency_screen *s = screen;

	if (latency_is_former(s))
		rs_question_drop(&s->question);
	else
		s->answered(s, reply);
}

/*
 * A kind that was left open is chosen, and so is another one for a kind that there is nothing of: a screen
 * that says that there is nothing helps nobody.
 */
static void latency_choose(struct rs_latency_screen *s)
{
	bool of_wait = !*s->of.kind && s->of.wait_to_ns;
	const struct rs_latency_kind *kind = rs_latency_kinds_find(s->kinds, s->nr_kinds, &s->of);

	if (kind) {
		s->of.category = rs_latency_kinds_category(kind);
		return;
	}
	kind = of_wait ? rs_latency_kinds_of_wait(s->kinds, s->nr_kinds) :
			 rs_latency_kinds_costliest(s->kinds, s->nr_kinds, s->of.category);
	s->of.wait_to_ns = 0;
	if (kind && *s->of.kind)
		rs_app_say(s->screen.app, RS_STYLE_TEXT, "no %s ended in this time: this is what cost most",
			   *s->of.name ? s->of.name : s->of.kind);
	if (kind)
		rs_latency_kinds_choose(kind, &s->of);
	if (kind || of_wait)
		latency_reask(s);
}

static void latency_got_kinds(void *screen, const struct rs_reply *reply)
{
	struct rs_latency_screen *s = screen;
	struct rs_ink_task task = latency_task(s);

	latency_is_former(s); /* the kinds do not depend on it */
	if (!reply->message) { /* too many spans: what is shown without is not worse */
		if (!*s->of.kind && !s->is_panel)
			rs_app_refused(s->screen.app, reply);
		return;
	}
	s->nr_kinds = rs_latency_kinds_read(reply->message, rs_client_catalogue(s->screen.machine->client),
					    &task, s->kinds);
	latency_choose(s);
	rs_app_redraw(s->screen.app);
}

void *rs_latency_screen_new(struct rs_app *app, const struct rs_screen_ops *ops, size_t bytes,
			    const struct rs_latency_of *of,
			    void (*answered)(void *screen, const struct rs_reply *reply))
{
	struct rs_latency_screen *s = rs_screen_new(app, ops, bytes);

	if (!s)
		return NULL;
	s->of = *of;
	s->answered = answered;
	s->question = (struct rs_question){ .machine = app->machine, .answered = latency_got, .of = s };
	s->kinds_question = (struct rs_question){ .machine = app->machine, .answered = latency_got_kinds,
						  .of = s };
	return s;
}

void rs_latency_screen_free(struct rs_screen *s)
{
	rs_question_done(&((struct rs_latency_screen *)s)->question);
	rs_question_done(&((struct rs_latency_screen *)s)->kinds_question);
	free(s);
}

const struct rs_view *rs_latency_screen_filtered(struct rs_screen *screen,
						 const struct rs_selection_keys **given)
{
	struct rs_latency_screen *s = (struct rs_latency_screen *)screen;

	s->given.nr = 0;
	rs_selection_add_task(&s->given, NULL, s->of.pid, s->of.tid);
	*given = &s->given;
	return rs_filter_view(RS_FILTER_SPANS);
}

/* Returns the filter as a request has it; NULL: none. The caller frees *where. */
static const char *latency_where(struct rs_latency_screen *s, struct rs_buf *where)
{
	const struct rs_selection_keys *given;
	const struct rs_view *view = rs_latency_screen_filtered(&s->screen, &given);

	rs_app_filter_where(s->screen.app, view, given, NULL, where);
	s->filter_changes = s->screen.app->filter.changes;
	return where->len ? where->data : NULL;
}

void rs_latency_screen_send(struct rs_latency_screen *s, struct rs_latencies_request *request)
{
	struct rs_buf where = RS_BUF_INIT;

	request->where = latency_where(s, &where);
	rs_question_ask(&s->question, "latencies", request);
	rs_buf_done(&where);
}

const struct rs_latency_of *rs_latency_screen_of(const struct rs_screen *s)
{
	return &((const struct rs_latency_screen *)s)->of;
}

/* Of a wait whose kind is not known yet: the kinds of that time, which has the wait alone. */
static void latency_ask_kinds(struct rs_latency_screen *s)
{
	const struct rs_latency_of *of = &s->of;
	bool of_wait = !*of->kind && of->wait_to_ns;
	struct rs_buf where = RS_BUF_INIT;

	rs_question_ask(&s->kinds_question, "kinds", &(struct rs_kinds_request){
		.where = latency_where(s, &where),
		.tid = (int32_t)of->tid, .pid = of->tid ? 0 : (int32_t)of->pid,
		.track = *of->track ? of->track : NULL,
		.time = of_wait ? (struct rs_asked_time){ rs_u(of->wait_from_ns), rs_u(of->wait_to_ns) } :
				  rs_latency_asked_time(s->screen.app, of) });
	rs_buf_done(&where);
}

void rs_latency_screen_ask(struct rs_latency_screen *s, enum rs_latencies_as as, unsigned int columns)
{
	struct rs_latency_question q;

	if (s->question.asked || s->kinds_question.asked)
		return;
	if (s->filter_changes != s->screen.app->filter.changes)
		s->asked_ns = 0;
	if (!rs_latency_is_due(s->screen.app, &s->of, &s->asked_ns))
		return;
	if (!s->is_panel) /* the verdict beside a panel reads the same findings */
		rs_pains_ask(s->screen.machine);
	if (!s->is_panel || !*s->of.kind) /* a panel has no line for them */
		latency_ask_kinds(s);
	if (!*s->of.kind)
		return;
	rs_latency_ask(&s->of, as, &q);
	q.request.time = rs_latency_asked_time(s->screen.app, &s->of);
	q.request.columns = columns;
	rs_latency_screen_send(s, &q.request);
}

static void latency_next_kind(struct rs_latency_screen *s)
{
	const struct rs_latency_kind *at = rs_latency_kinds_find(s->kinds, s->nr_kinds, &s->of);
	size_t next = at ? (size_t)(at - s->kinds + 1) % s->nr_kinds : 0;

	if (!s->nr_kinds || at == &s->kinds[next]) {
		rs_app_say(s->screen.app, RS_STYLE_TEXT, "there is no other kind of span in this time");
		return;
	}
	rs_latency_kinds_choose(&s->kinds[next], &s->of);
	latency_reask(s);
}

bool rs_latency_screen_act(struct rs_latency_screen *s, int action)
{
	if (action == RS_LATENCY_KIND) {
		latency_next_kind(s);
		return true;
	}
	if (!rs_latency_lengthen(s->screen.app, &s->of, action == RS_LATENCY_LONGER))
		return false;
	s->asked_ns = 0;
	rs_app_refresh(s->screen.app);
	return true;
}

void rs_latency_screen_draw_kinds(const struct rs_latency_screen *s, struct rs_canvas *c, struct rs_area line)
{
	rs_latency_kinds_draw(s->kinds, s->nr_kinds, rs_latency_kinds_find(s->kinds, s->nr_kinds, &s->of), c,
			      line);
}

void rs_latency_screen_draw_empty(const struct rs_latency_screen *s, struct rs_canvas *c, struct rs_area area,
				  const char *empty)
{
	bool is_known = s->question.answer || (s->kinds_question.answer && !s->nr_kinds);

	rs_put(c, area.y + 1, area.x + 2, area.width - 2, RS_STYLE_DIM, is_known ? empty : "...");
}

bool rs_latency_screen_key(struct rs_latency_screen *s, const struct rs_key_event *event, int y)
{
	size_t at = s->list.top + (size_t)(event->y - y);

	if (event->key != RS_KEY_MOUSE && event->key != RS_KEY_MOUSE_DOUBLE &&
	    !rs_list_key(&s->list, event->key))
		return false;
	if ((event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE) && event->y >= y &&
	    at < s->list.nr)
		rs_list_to(&s->list, at);
	rs_app_redraw(s->screen.app);
	return true;
}
