// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-ask.c - from a row of a view to the spans that it sums up, as the view declares it */
#include <stdio.h>
#include <string.h>

#include "tui/latency/latency-panel.h"

/* Is the name in a list with commas? */
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

static void latency_ask_put_labels(struct rs_json *j, const char *one, const char *list)
{
	char names[256], *rest = names;

	if (!one && !list)
		return;
	rs_json_key(j, "label");
	if (one) {
		rs_json_str(j, one);
		return;
	}
	snprintf(names, sizeof names, "%s", list);
	rs_json_open(j, '[');
	for (char *name; (name = strsep(&rest, ","));)
		rs_json_str(j, name);
	rs_json_close(j, ']');
}

/* "8,0" of a disk is its track "disk:8:0", a number of a CPU "cpu:3". */
static void latency_ask_put_track(const struct rs_screen_selection *s, const struct rs_latencies *l,
				  enum rs_track_type type,
				  struct rs_json *j)
{
	const char *text = latency_ask_text_of(s, l->track_column);
	char track[64] = "";
	uint64_t number;

	if (type == RS_TRACK_DISK && text)
		snprintf(track, sizeof track, "disk:%s", text);
	else if (type == RS_TRACK_CPU && latency_ask_number_of(s, l->track_column, &number))
		snprintf(track, sizeof track, "cpu:%llu", (unsigned long long)number);
	for (char *at = strchr(track, ','); at; at = NULL)
		*at = ':';
	if (!*track)
		return;
	rs_json_key(j, "track");
	rs_json_str(j, track);
}

/* What a whole process did, or one thread of it. */
static void latency_ask_put_task(const struct rs_screen_selection *s, struct rs_json *j)
{
	int64_t pid = rs_selection_number(&s->keys, "pid"), tid = rs_selection_number(&s->keys, "tid");

	if (tid >= 0) {
		rs_json_key(j, "tid");
		rs_json_i64(j, tid);
	} else if (pid >= 0) {
		rs_json_key(j, "pid");
		rs_json_i64(j, pid);
	}
}

static const struct rs_catalogue_kind *latency_ask_find_kind(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; name && i < c->nr_kinds; i++)
		if (!strcmp(c->kinds[i].name, name))
			return &c->kinds[i];
	return NULL;
}

bool rs_latency_ask_members(const struct rs_catalogue *c, const struct rs_screen_selection *s,
			    struct rs_buf *members,
			    struct rs_buf *what)
{
	const struct rs_latencies *l = s->view && s->values ? latency_ask_find_latencies(s) : NULL;
	const struct rs_catalogue_kind *kind;
	const char *label;
	struct rs_json j;

	if (!l)
		return false;
	kind = latency_ask_find_kind(c, l->kind ? l->kind : latency_ask_text_of(s, l->kind_column));
	if (!kind)
		return false;
	label = latency_ask_text_of(s, l->label_column);
	rs_json_init(&j, members);
	rs_json_key(&j, "kind");
	rs_json_str(&j, kind->name);
	latency_ask_put_labels(&j, label, l->labels);
	if (l->track_column)
		latency_ask_put_track(s, l, kind->track, &j);
	if (kind->track == RS_TRACK_TASK)
		latency_ask_put_task(s, &j);
	rs_buf_printf(what, "%s%s%s", kind->name, label ? " " : "", label ? label : "");
	return true;
}
