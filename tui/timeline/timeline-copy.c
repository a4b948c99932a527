// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-copy.c - what is selected on the timeline as Markdown: a table of the span, or of the links of the
 * critical path, and the command that prints the same
 */
#include <stdio.h>
#include <string.h>

#include "ringside/wait.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"
#include "tui/latency/latency-command.h"
#include "tui/timeline/timeline-screen.h"

static const struct rs_catalogue *copy_catalogue(const struct rs_timeline_screen *t)
{
	return rs_client_catalogue(rs_timeline_machine(t, t->span_track)->client);
}

bool rs_timeline_latency_of(const struct rs_timeline_screen *t, struct rs_latency_of *of)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	const struct rs_catalogue_kind *kind = s ? rs_catalogue_kind(copy_catalogue(t), s->kind) : NULL;

	if (!kind)
		return false;
	*of = (struct rs_latency_of){ .nr_labels = 0 };
	rs_copy(of->kind, sizeof of->kind, kind->name);
	if (kind->track == RS_TRACK_TASK) {
		if (strcmp(s->label, kind->name)) /* else all of the kind have its name */
			rs_copy(of->labels[of->nr_labels++], sizeof of->labels[0], s->label);
		of->tid = s->tid;
		snprintf(of->owner, sizeof of->owner, "%.40s (%lld)", s->comm ? s->comm : "",
			 (long long)s->tid);
	} else {
		rs_copy(of->track, sizeof of->track, s->track);
		rs_copy(of->owner, sizeof of->owner, s->track);
	}
	return true;
}

/* ---- a row ---- */

struct copy_row {
	const char *comm, *state, *waker, *culprit; /* NULL or "": unknown */
	int64_t tid, waker_tid, culprit_tid; /* 0: unknown */
	uint64_t from_ns, ns;
	bool has_length, goes_on;
};

static void copy_put_heading(struct rs_buf *out)
{
	rs_buf_puts(out, "| TASK | STATE | BEGIN | LENGTH | WOKEN BY | CULPRIT |\n"
			 "| --- | --- | ---: | ---: | --- | --- |\n");
}

static void copy_put_cell(const char *text, int64_t tid, struct rs_buf *out)
{
	bool named = text && *text;

	rs_buf_putc(out, ' ');
	rs_markdown_text(out, named ? text : tid ? "" : "-");
	if (tid)
		rs_buf_printf(out, named ? " (%lld)" : "(%lld)", (long long)tid);
	rs_buf_puts(out, " |");
}

static void copy_put_row(const struct rs_timeline_screen *t, const struct copy_row *row, struct rs_buf *out)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_putc(out, '|');
	copy_put_cell(row->comm, row->tid, out);
	copy_put_cell(row->state, 0, out);
	rs_buf_putc(out, ' ');
	rs_app_moment(t->screen.app, row->from_ns, out);
	rs_buf_printf(out, " | %s%s |", row->has_length ? rs_screen_duration(row->ns, length) : "-",
		      row->goes_on ? " and goes on" : "");
	copy_put_cell(row->waker, row->waker_tid, out);
	copy_put_cell(row->culprit, row->culprit_tid, out);
	rs_buf_putc(out, '\n');
}

/* ---- the selected span ---- */

/* The critical path of that span says whom or what it waited for. */
static const struct rs_path_link *copy_find_link(const struct rs_timeline_screen *t,
						 const struct rs_wire_span *s)
{
	const struct rs_path_link *first = t->path.nr ? t->path.links : NULL;

	return first && first->tid == s->tid && first->from_ns == s->start_ns && first->to_ns == s->end_ns ?
		       first :
		       NULL;
}

static void copy_span_people(const struct rs_timeline_screen *t, struct copy_row *row)
{
	const struct rs_span_waker *waker = t->selected->waker;
	const struct rs_span_taker *taker = t->selected->taker;
	const struct rs_path_link *link = copy_find_link(t, t->selected->span);

	if (taker && taker->track) { /* what woke it earlier does not matter */
		row->culprit = taker->comm;
		row->culprit_tid = taker->tid;
		return;
	}
	if (waker) {
		row->waker = waker->tid ? waker->comm : "an interrupt";
		row->waker_tid = waker->tid;
	}
	if (link)
		row->culprit = link->culprit;
}

/* A call or a wait of a thread: where its time went, as a tree. It ran: the slice, as a line. */
static bool copy_is_wait(const struct rs_wire_span *s, const struct rs_catalogue_kind *kind)
{
	enum rs_cause cause = RS_CAUSE_UNKNOWN;

	if (!kind || kind->track != RS_TRACK_TASK || s->tid <= 0 || s->end_ns <= s->start_ns)
		return false;
	if (kind->shape == RS_SPAN_STATE && rs_cause_find(s->label, &cause))
		return rs_cause_row(cause)->rank != RS_RANK_WORK;
	return kind->shape == RS_SPAN_STATE || kind->shape == RS_SPAN_SLICE;
}

static void copy_span_command(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_wire_span *s = t->selected->span;
	const struct rs_catalogue *c = copy_catalogue(t);
	const struct rs_catalogue_view *tree = rs_catalogue_view_of(c, RS_ROLE_WAIT_TREE);
	struct rs_tui_machine *machine = rs_timeline_machine(t, t->span_track);
	struct rs_latency_of of;

	if (tree && copy_is_wait(s, rs_catalogue_kind(c, s->kind)))
		rs_markdown_rows_command(&(struct rs_markdown_rows){ .machine = machine,
					 .view = tree->view.name, .tid = s->tid, .cpu = -1,
					 .from_ns = s->start_ns, .to_ns = s->end_ns }, out);
	else if (rs_timeline_latency_of(t, &of))
		rs_latency_put_command(machine, &of,
				       &(struct rs_asked_time){ rs_u(s->start_ns), rs_u(s->end_ns) }, true,
				       out);
}

static void copy_put_span(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_wire_span *s = t->selected->span;
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(copy_catalogue(t), s->kind);
	struct copy_row row = { .comm = s->comm && *s->comm ? s->comm : s->on, .tid = s->tid,
				.from_ns = s->start_ns, .ns = s->end_ns - s->start_ns,
				.has_length = !rs_span_has_no_length(s->shape), .goes_on = s->open };
	struct rs_buf state = RS_BUF_INIT;

	if (kind && s->shape != RS_SPAN_STATE && strcmp(kind->name, s->label ? s->label : ""))
		rs_buf_printf(&state, "%s ", kind->name);
	rs_buf_puts(&state, s->label ? s->label : "");
	row.state = state.data;
	copy_span_people(t, &row);
	copy_put_heading(out);
	copy_put_row(t, &row, out);
	copy_span_command(t, out);
	rs_buf_done(&state);
}

/* ---- the critical path ---- */

/* next: it ended the longest wait of this link; NULL: there is none. */
static void copy_put_link(const struct rs_timeline_screen *t, const struct rs_path_link *link,
			  const struct rs_path_link *next, struct rs_buf *out)
{
	bool waited = *link->part;
	struct copy_row row = { .comm = link->comm, .tid = link->tid, .from_ns = link->from_ns,
				.state = waited ? link->part : link->syscall, .culprit = link->culprit,
				.ns = waited ? link->part_ns : link->took_ns, .has_length = true };

	if (waited && next) {
		row.waker = next->comm;
		row.waker_tid = next->tid;
	}
	copy_put_row(t, &row, out);
}

static void copy_put_path(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_path_link *first = t->path.links, *end = first + t->path.nr;
	const struct rs_tui_machine *machine = t->path.question.machine;
	const struct rs_catalogue_view *v = rs_catalogue_view_of(rs_client_catalogue(machine->client),
								 RS_ROLE_PATH);

	copy_put_heading(out);
	for (const struct rs_path_link *link = first; link < end; link++)
		copy_put_link(t, link, link + 1 < end ? link + 1 : NULL, out);
	if (v)
		rs_markdown_rows_command(&(struct rs_markdown_rows){ .machine = machine,
					 .view = v->view.name, .tid = first->tid, .cpu = -1,
					 .from_ns = first->from_ns, .to_ns = first->to_ns }, out);
}

void rs_timeline_copy(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_timeline_screen *t = (const struct rs_timeline_screen *)s;

	if (rs_tl_selected(t))
		copy_put_span(t, out);
	else if (t->path.nr)
		copy_put_path(t, out);
	else
		rs_markdown_seen(s, out);
}
