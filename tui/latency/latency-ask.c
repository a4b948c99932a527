// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-ask.c - finds the spans that a row of a view sums up, as the view declares them */
#include <stdio.h>
#include <string.h>

#include "tui/latency/latency-panel.h"

/* Returns true if a comma-separated list contains the name. */
static bool latency_ask_has_name(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
		if (!strncmp(at, name, len) && (at[len] == ',' || !at[len]))
			return true;
	return false;
}

static const struct rs_latencies *latency_ask_find_latencies(const struct rs_screen_selection *s)
{
	const struct rs_view *view = &s->view->view;

	for (const struct rs_latencies *l = view->latencies; l && l->columns; l++)
		if (s->column >= 0 && latency_ask_has_name(l->columns, view->columns[s->column].name))
			return l;
	return view->latencies && view->latencies->columns ? view->latencies : NULL;
}

static const char *latency_ask_text_of(const struct rs_screen_selection *s, const char *column)
{
	const struct rs_view *view = &s->view->view;

	for (unsigned int i = 0; column && view->columns[i].name; i++)
		if (!strcmp(view->columns[i].name, column))
			return view->columns[i].type == RS_TYPE_TEXT && s->values[i].known ? s->values[i].s : NULL;
	return NULL;
}

static bool latency_ask_number_of(const struct rs_screen_selection *s, const char *column, uint64_t *v)
{
	const struct rs_view *view = &s->view->view;

	for (unsigned int i = 0; view->columns[i].name; i++)
		if (!strcmp(view->columns[i].name, column)) {
			*v = s->values[i].u;
			return view->columns[i].type != RS_TYPE_TEXT && s->values[i].known;
		}
	return false;
}

static void latency_ask_add_label(struct rs_latency_of *of, const char *label)
{
	if (of->nr_labels < RS_LEN_LABELS)
		snprintf(of->labels[of->nr_labels++], RS_LEN_TEXT, "%s", label);
}

static void latency_ask_add_labels(struct rs_latency_of *of, const char *one, const char *list)
{
	char names[256], *rest = names;

	if (one)
		latency_ask_add_label(of, one);
	if (one || !list)
		return;
	snprintf(names, sizeof names, "%s", list);
	for (char *name; (name = strsep(&rest, ","));)
		latency_ask_add_label(of, name);
}

/* A disk "8,0" becomes the track "disk:8:0", a CPU number "cpu:3". */
static void latency_ask_add_track(struct rs_latency_of *of, const struct rs_screen_selection *s, const struct rs_latencies *l,
				  enum rs_track_type type)
{
	const char *text = latency_ask_text_of(s, l->track_column);
	char *comma;
	uint64_t number;

	if (type == RS_TRACK_DISK && text)
		snprintf(of->track, sizeof of->track, "disk:%s", text);
	else if (type == RS_TRACK_CPU && latency_ask_number_of(s, l->track_column, &number))
		snprintf(of->track, sizeof of->track, "cpu:%llu", (unsigned long long)number);
	comma = strchr(of->track, ',');
	if (comma)
		*comma = ':';
}

/* Restricts the spans to the process, or to the thread. */
static void latency_ask_add_task(struct rs_latency_of *of, const struct rs_screen_selection *s)
{
	int64_t pid = rs_selection_number(&s->keys, "pid"), tid = rs_selection_number(&s->keys, "tid");

	of->tid = tid > 0 ? tid : 0;
	of->pid = tid < 0 && pid > 0 ? pid : 0;
}

static const struct rs_catalogue_kind *latency_ask_find_kind(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; name && i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return &c->kinds[i];
	return NULL;
}

bool rs_latency_ask_of(const struct rs_catalogue *c, const struct rs_screen_selection *s, struct rs_latency_of *of, struct rs_buf *what)
{
	const struct rs_latencies *l = s->view && s->values ? latency_ask_find_latencies(s) : NULL;
	const struct rs_catalogue_kind *kind = l ? latency_ask_find_kind(c, l->kind ? l->kind : latency_ask_text_of(s, l->kind_column)) : NULL;
	const char *label;

	*of = (struct rs_latency_of){ .nr_labels = 0 };
	if (!kind)
		return false;
	label = latency_ask_text_of(s, l->label_column);
	snprintf(of->kind, sizeof of->kind, "%s", kind->name);
	latency_ask_add_labels(of, label, l->labels);
	if (l->track_column)
		latency_ask_add_track(of, s, l, kind->track);
	if (kind->track == RS_TRACK_TASK)
		latency_ask_add_task(of, s);
	rs_buf_printf(what, "%s%s%s", kind->name, label ? " " : "", label ? label : "");
	return true;
}
