// SPDX-License-Identifier: GPL-2.0-or-later
/* panel-strips.c - the history of each row of a panel: live of its intervals, else of spans of its track */
#include "tui/overview/panel.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"

#define TRACK_NAME 32

void rs_panel_strips_add(struct rs_panel_widget *p, uint64_t interval)
{
	for (size_t row = 0; p->nr_parts && row < p->grid.nr && row < RS_STRIP_ROWS; row++) {
		struct rs_split split = rs_panel_rows_split(p, row);
		struct rs_ink_task task = rs_panel_rows_ink_task(p, row);

		rs_strip_add(&p->strip, interval, rs_grid_identity(&p->grid, row), &split,
			     rs_panel_rows_are_tasks(p) ? &task : NULL);
	}
}

/* ---- strips of a time range: from the tracks of its rows ---- */

/*
 * The thread with the slowest wait of a finding, of a process or of all of a name: a main thread that sleeps
 * while its worker waits for a lock has no history that says so. 0: none, or the process is not known: its
 * name may be another's, too.
 */
static int32_t panel_strips_slowest(const struct rs_panel_widget *p, size_t row)
{
	const struct rs_value *pid = rs_panel_rows_cell(p, row, "pid"),
			      *comm = rs_panel_rows_cell(p, row, "comm");
	bool is_known = pid || rs_grid_folded_nr(&p->grid, row) > 1;
	const struct rs_pain *pain;

	if (!is_known)
		return 0;
	pain = rs_pains_find(&p->widget.machine->pains, pid ? (int64_t)pid->u : 0, comm ? comm->s : "");
	return pain ? pain->slowest_tid : 0;
}

/*
 * Many short-lived tasks have a history together, where that of one is a dot. Of those that a finding says to
 * wait for each other by their own choice, one that does tells more.
 */
static bool panel_strips_is_by_name(const struct rs_panel_widget *p, size_t row)
{
	struct rs_ink_task task = rs_panel_rows_ink_task(p, row);
	const uint32_t by_choice = 1u << RS_CATEGORY_LOCK | 1u << RS_CATEGORY_PEER | 1u << RS_CATEGORY_SLEEP;

	return rs_grid_folded_nr(&p->grid, row) > 1 && !(task.pains & by_choice);
}

/* Writes the track of a row: of its CPU, its thread, or all of its name; "": none of them. */
static void panel_strips_put_track(const struct rs_panel_widget *p, size_t row, char track[TRACK_NAME])
{
	int cpu = rs_column_named(&p->of->view, "cpu"), tid = rs_column_named(&p->of->view, "tid"),
	    column = cpu >= 0 ? cpu : tid;
	const struct rs_value *v = column >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)column) : NULL;

	int32_t tid_of_slowest = 0;

	*track = '\0';
	if (panel_strips_is_by_name(p, row)) {
		snprintf(track, TRACK_NAME, "tasks:%s",
			 rs_grid_cell(&p->grid, row, (unsigned int)p->grid.fold_by)->s);
		return;
	}
	if (cpu < 0)
		tid_of_slowest = panel_strips_slowest(p, row);
	if (tid_of_slowest) {
		snprintf(track, TRACK_NAME, "task:%d.0", tid_of_slowest);
		return;
	}
	if (v && !v->known && cpu < 0) /* of a process without a finding its first thread */
		v = p->grid.absent >= 0 ? rs_grid_cell(&p->grid, row, (unsigned int)p->grid.absent) : NULL;
	if (v && v->known && rs_grid_folded_nr(&p->grid, row) == 1)
		snprintf(track, TRACK_NAME, cpu >= 0 ? "cpu:%llu" : "task:%llu.0", (unsigned long long)v->u);
}

/* A CPU that runs for less than an eighth of a piece is idle, as live. */
static enum rs_cause panel_strips_cause(const struct rs_wire_run *run, bool of_task)
{
	if (of_task)
		return rs_cause_of_state(rs_state_of(run->state), rs_state_cause(run->state));
	return run->eighths > 1 ? RS_CAUSE_RUN : RS_CAUSE_IDLE;
}

/* The line of depth 1 comes after that of what took most. */
static void panel_strips_read(struct rs_panel_widget *p, size_t row, const struct rs_spans_track *track,
			      bool of_task)
{
	struct rs_ink_task task = rs_panel_rows_ink_task(p, row);
	uint8_t causes[RS_STRIP_SAMPLES];

	memset(causes, RS_CAUSE_IDLE, sizeof causes);
	for (const struct rs_spans_row *r = track->rows; r < track->rows + track->nr_rows; r++)
		for (const struct rs_wire_run *run = r->runs;
		     r->shape == RS_SPAN_STATE && run < r->runs + r->nr_runs; run++)
			for (uint32_t cell = run->from; cell < run->to && cell < RS_STRIP_SAMPLES; cell++) {
				enum rs_cause cause = panel_strips_cause(run, of_task);

				if (r->depth)
					cause = rs_strip_choose(causes[cell], cause, &task);
				causes[cell] = (uint8_t)cause;
			}
	rs_strip_set(&p->strip, rs_grid_identity(&p->grid, row), causes);
}

/* The rows may be others by now. */
static void panel_strips_on_spans(void *of, const struct rs_reply *reply)
{
	struct rs_panel_widget *p = of;
	const struct rs_spans_reply *spans = reply->message;
	size_t nr_rows = p->grid.nr < RS_STRIP_ROWS ? p->grid.nr : RS_STRIP_ROWS;
	char of_row[RS_STRIP_ROWS][TRACK_NAME];

	rs_strip_clear(&p->strip);
	for (size_t row = 0; row < nr_rows; row++)
		panel_strips_put_track(p, row, of_row[row]);
	for (size_t i = 0; spans && i < spans->nr_tracks; i++)
		for (size_t row = 0; row < nr_rows; row++)
			if (*of_row[row] && !strcmp(of_row[row], spans->tracks[i].track))
				panel_strips_read(p, row, &spans->tracks[i], *of_row[row] == 't');
}

void rs_panel_strips_ask(struct rs_panel_widget *p)
{
	char tracks[RS_PANEL_ROWS][TRACK_NAME];
	const char *names[RS_PANEL_ROWS];
	const struct rs_widget *widget = &p->widget;
	size_t nr = 0;

	if (!p->nr_parts || widget->to_ns <= widget->from_ns ||
	    (p->strip_from_ns == widget->from_ns && p->strip_to_ns == widget->to_ns))
		return;
	for (size_t row = 0; row < p->grid.nr && nr < RS_PANEL_ROWS; row++) {
		panel_strips_put_track(p, row, tracks[nr]);
		names[nr] = tracks[nr];
		nr += *tracks[nr] != '\0';
	}
	if (!nr || p->spans.asked)
		return;
	p->strip_from_ns = widget->from_ns;
	p->strip_to_ns = widget->to_ns;
	rs_question_ask(&p->spans, "spans", &(struct rs_spans_request){
		.tracks = names, .nr_tracks = nr, .time = { rs_u(widget->from_ns), rs_u(widget->to_ns) },
		.cells = RS_STRIP_SAMPLES, .history = true });
}

void rs_panel_strips_init(struct rs_panel_widget *p)
{
	p->spans = (struct rs_question){ .machine = p->widget.machine, .answered = panel_strips_on_spans,
					 .of = p };
}
