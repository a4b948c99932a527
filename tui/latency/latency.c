// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * latency.c - finds the spans behind the numbers of a view: what its latencies (ringside/panel.h) declare for the
 * selected column and row
 */
#include "tui/latency/latency.h"

#include <stdio.h>
#include <string.h>

#include "base/comma-list.h"

static void latency_copy_text(char *to, size_t size, const char *from, size_t len)
{
	len = len < size ? len : size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

/* Returns the declaration with the selected column; if none has it, the first one. */
static const struct rs_latencies *latency_find_latencies(const struct rs_view *view, int column)
{
	for (const struct rs_latencies *l = view->latencies; column >= 0 && l && l->columns; l++)
		if (rs_comma_list_has(l->columns, view->columns[column].name))
			return l;
	return view->latencies && view->latencies->columns ? view->latencies : NULL;
}

/* Returns the row's text in that column, or NULL. */
static const char *text_in(const struct rs_screen_selection *s, const char *name)
{
	const struct rs_column *c = s->view->view.columns;

	for (unsigned int i = 0; name && s->values && c[i].name; i++)
		if (!strcmp(c[i].name, name) && c[i].type == RS_TYPE_TEXT)
			return s->values[i].known ? s->values[i].s : NULL;
	return NULL;
}

/* Returns the row's number in that column, or 0. */
static int64_t number_in(const struct rs_screen_selection *s, const char *name)
{
	const struct rs_column *c = s->view ? s->view->view.columns : NULL;

	for (unsigned int i = 0; c && s->values && c[i].name; i++)
		if (!strcmp(c[i].name, name) && c[i].type == RS_TYPE_ID)
			return s->values[i].known ? s->values[i].i : 0;
	return 0;
}

static void latency_add_label(struct rs_latency_of *of, const char *label, size_t len)
{
	if (of->nr_labels < RS_LEN_LABELS)
		latency_copy_text(of->labels[of->nr_labels++], RS_LEN_TEXT, label, len);
}

static void add_labels(struct rs_latency_of *of, const char *list)
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

static const struct rs_catalogue_kind *latency_find_kind(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return &c->kinds[i];
	return NULL;
}

/*
 * Restricts the spans to a task, if spans of that kind have one. A row of a thread means that thread, however the
 * user came to it.
 */
static void latency_add_task(struct rs_latency_of *of, const struct rs_screen_selection *s, const struct rs_catalogue_kind *kind)
{
	int64_t pid = rs_selection_number(&s->keys, "pid"), tid = rs_selection_number(&s->keys, "tid");
	const struct rs_selection_key *comm = rs_selection_key(&s->keys, "comm");

	if (kind->track != RS_TRACK_TASK)
		return;
	of->pid = pid > 0 ? pid : 0;
	of->tid = tid > 0 ? tid : number_in(s, "tid");
	if (comm && (of->pid || of->tid))
		snprintf(of->owner, sizeof of->owner, "%.40s (%lld)", comm->text,
			 (long long)(of->tid ? of->tid : of->pid));
	else if (of->pid || of->tid)
		snprintf(of->owner, sizeof of->owner, "%lld", (long long)(of->tid ? of->tid : of->pid));
}

/* "8,0" in a column of devices, a number in a column of CPUs. */
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
	if (kind->track == RS_TRACK_DISK && dev && sscanf(dev, "%u,%u", &major, &minor) == 2)
		snprintf(of->track, sizeof of->track, "disk:%u:%u", major, minor);
	else if (kind->track == RS_TRACK_CPU && cpu >= 0)
		snprintf(of->track, sizeof of->track, "cpu:%lld", (long long)cpu);
	if (*of->track)
		snprintf(of->owner, sizeof of->owner, "%s", *of->track == 'd' ? dev : of->track);
}

/* Without a declaration: returns the kind whose slowest spans are worth showing first for this selection. */
static const struct rs_catalogue_kind *first_kind(const struct rs_catalogue *c)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].slowest && c->kinds[i].track == RS_TRACK_TASK && c->kinds[i].shape == RS_SPAN_SLICE &&
		    c->kinds[i].rate)
			return &c->kinds[i];
	return c->nr_kinds ? &c->kinds[0] : NULL;
}

/* l: NULL where the view declares none. Returns the label in the row, or NULL. */
static const char *latency_fill(struct rs_latency_of *of, const struct rs_screen_selection *s, const struct rs_latencies *l,
				const struct rs_catalogue_kind *kind)
{
	const char *label = l ? text_in(s, l->label_column) : NULL;

	*of = (struct rs_latency_of){ .nr_labels = 0 };
	latency_copy_text(of->kind, sizeof of->kind, kind->name, strlen(kind->name));
	if (label)
		latency_add_label(of, label, strlen(label));
	else if (l)
		add_labels(of, l->labels);
	if (s)
		latency_add_task(of, s, kind);
	if (s)
		latency_add_track(of, s, l ? l->track_column : NULL, kind);
	return label;
}

bool rs_latency_of_selection(struct rs_app *app, const struct rs_screen_selection *s, struct rs_latency_of *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	const struct rs_latencies *l = s && s->view ? latency_find_latencies(&s->view->view, s->column) : NULL;
	const char *name = latency_kind_name(s, l);
	const struct rs_catalogue_kind *kind = name ? latency_find_kind(c, name) : first_kind(c);

	if (kind)
		latency_fill(of, s, l, kind);
	else
		rs_app_say(app, RS_STYLE_WARN, "no spans are recorded for this column");
	return kind;
}

bool rs_latency_of_row(const struct rs_catalogue *c, const struct rs_screen_selection *s, struct rs_latency_of *of, struct rs_buf *what)
{
	const struct rs_latencies *l = s->view && s->values ? latency_find_latencies(&s->view->view, s->column) : NULL;
	const char *name = latency_kind_name(s, l), *label;
	const struct rs_catalogue_kind *kind = name ? latency_find_kind(c, name) : NULL;

	if (!kind)
		return false;
	label = latency_fill(of, s, l, kind);
	if (rs_selection_number(&s->keys, "tid") < 0) /* the details of a process sum up its threads */
		of->tid = 0;
	rs_buf_printf(what, "%s%s%s", kind->name, label ? " " : "", label ? label : "");
	return true;
}

bool rs_latency_next_kind(struct rs_app *app, struct rs_latency_of *of)
{
	const struct rs_catalogue *c = rs_client_catalogue(rs_app_client(app));
	size_t at = 0;

	while (at < c->nr_kinds && strcmp(c->kinds[at].name, of->kind))
		at++;
	for (size_t i = 1; i <= c->nr_kinds; i++) {
		const struct rs_catalogue_kind *kind = &c->kinds[(at + i) % c->nr_kinds];

		if (kind->shape == RS_SPAN_INSTANT || !strcmp(kind->name, of->kind))
			continue;
		of->nr_labels = 0;
		*of->track = '\0';
		if (kind->track != RS_TRACK_TASK) {
			of->pid = of->tid = 0;
			*of->owner = '\0';
		}
		latency_copy_text(of->kind, sizeof of->kind, kind->name, strlen(kind->name));
		return true;
	}
	return false;
}

/* ---- requests ---- */

void rs_latency_ask(const struct rs_latency_of *of, enum rs_latencies_as as, struct rs_latency_question *q)
{
	for (unsigned int i = 0; i < of->nr_labels; i++)
		q->labels[i] = of->labels[i];
	q->request = (struct rs_latencies_request){
		.kind = { .is = RS_SCALAR_STRING, .s = of->kind }, .labels = of->nr_labels ? q->labels : NULL, .nr_labels = of->nr_labels,
		.tid = (int32_t)of->tid, .pid = of->tid ? 0 : (int32_t)of->pid, .track = *of->track ? of->track : NULL, .as = as,
	};
}

void rs_latency_title(const struct rs_latency_of *of, struct rs_buf *out)
{
	rs_buf_puts(out, of->kind);
	for (unsigned int i = 0; i < of->nr_labels; i++)
		rs_buf_printf(out, "%s%s", i ? "," : " ", of->labels[i]);
	if (*of->owner)
		rs_buf_printf(out, " of %s", of->owner);
}
