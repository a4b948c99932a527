// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-command.c - the command that prints the spans of a latency screen */
#include "tui/latency/latency-command.h"

#include <stdio.h>
#include <string.h>

#include "base/comma-list.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"
#include "view/columns.h"

/* ---- does a view have these spans, and can it be asked for them alone? ---- */

/* Of these labels and no others. */
static bool command_has_labels(const struct rs_latencies *l, const struct rs_latency_of *of)
{
	unsigned int nr = l->labels && *l->labels ? 1 : 0;

	for (const char *at = l->labels; nr && *at; at++)
		nr += *at == ',';
	for (unsigned int i = 0; i < of->nr_labels; i++)
		if (!nr || !rs_comma_list_has(l->labels, of->labels[i]))
			return false;
	return nr == of->nr_labels;
}

/* Can its rows be selected by that label? A state that is not listed may be none of the view. */
static bool command_selects_label(const struct rs_latencies *l, const struct rs_catalogue_kind *kind,
				  const struct rs_latency_of *of)
{
	if (of->nr_labels != 1 || !l->label_column)
		return false;
	return l->labels ? rs_comma_list_has(l->labels, of->labels[0]) : kind->shape != RS_SPAN_STATE;
}

/*
 * A histogram is one picture: no expression selects from it. Which kinds a column of kinds may name is not
 * known here.
 */
static bool command_fits(const struct rs_catalogue_view *of_view, const struct rs_latencies *l,
			 const struct rs_catalogue_kind *kind, const struct rs_latency_of *of)
{
	bool is_disk = !strncmp(of->track, "disk:", 5);

	if (of_view->why_off || !l->kind || strcmp(l->kind, of->kind))
		return false;
	if (of_view->view.kind == RS_VIEW_HIST)
		return !is_disk && command_has_labels(l, of);
	if (is_disk && !l->track_column)
		return false;
	return command_has_labels(l, of) || command_selects_label(l, kind, of);
}

/* The most fitting kind of view first. */
static unsigned int command_rank(enum rs_view_kind kind, bool each)
{
	static const enum rs_view_kind orders[2][3] = {
		{ RS_VIEW_HIST, RS_VIEW_TABLE, RS_VIEW_STREAM },
		{ RS_VIEW_STREAM, RS_VIEW_TABLE, RS_VIEW_HIST },
	};
	unsigned int rank = 0;

	while (rank < 3 && orders[each][rank] != kind)
		rank++;
	return rank;
}

static const struct rs_catalogue_view *command_find_view(const struct rs_catalogue *c,
							 const struct rs_latency_of *of, bool each,
							 const struct rs_latencies **found)
{
	const struct rs_catalogue_kind *kind = rs_latency_kind(c, of->kind);
	const struct rs_catalogue_view *best = NULL;

	if (!kind)
		return NULL;
	for (const struct rs_catalogue_view *v = c->views; v < c->views + c->nr_views; v++)
		for (const struct rs_latencies *l = v->view.latencies; l && l->columns; l++)
			if (command_fits(v, l, kind, of) &&
			    (!best ||
			     command_rank(v->view.kind, each) < command_rank(best->view.kind, each))) {
				best = v;
				*found = l;
			}
	return best;
}

/* ---- the words ---- */

static void command_put_term(const char *column, const char *value, struct rs_buf *out)
{
	rs_buf_printf(out, "%s%s == ", out->len ? " && " : "", column);
	rs_app_filter_put_value(value, out);
}

static void command_put_where(const struct rs_latencies *l, const struct rs_latency_of *of,
			      struct rs_buf *out)
{
	unsigned int major, minor;
	char dev[32];

	if (l->label_column && of->nr_labels == 1)
		command_put_term(l->label_column, of->labels[0], out);
	if (l->track_column && sscanf(of->track, "disk:%u:%u", &major, &minor) == 2) {
		snprintf(dev, sizeof dev, "%u,%u", major, minor);
		command_put_term(l->track_column, dev, out);
	}
}

void rs_latency_put_command(const struct rs_tui_machine *machine, const struct rs_latency_of *of,
			    const struct rs_asked_time *time, bool each, struct rs_buf *out)
{
	const struct rs_latencies *l = NULL;
	const struct rs_catalogue_view *v = command_find_view(rs_client_catalogue(machine->client), of, each,
							      &l);
	struct rs_markdown_rows rows = { .machine = machine, .pid = of->pid, .tid = of->tid, .cpu = -1 };
	struct rs_buf where = RS_BUF_INIT, all = RS_BUF_INIT;
	int cpu;

	if (!v)
		return;
	rows.view = v->view.name;
	if (sscanf(of->track, "cpu:%d", &cpu) == 1)
		rows.cpu = cpu;
	if (time->from_ns.known && time->to_ns.known) {
		rows.from_ns = time->from_ns.u;
		rows.to_ns = time->to_ns.u;
	}
	if (v->view.kind != RS_VIEW_HIST) {
		command_put_where(l, of, &where);
		rs_app_filter_where(machine->app, &v->view, NULL, where.data, &all);
	}
	rows.where = all.data;
	rs_markdown_rows_command(&rows, out);
	rs_buf_done(&where);
	rs_buf_done(&all);
}
