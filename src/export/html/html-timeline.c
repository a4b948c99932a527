// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-timeline.c - a picture of the whole recording: which task each CPU ran, and what the busiest tasks did
 *
 * Time is summed in columns while the recording is read. Its length is not known then: when it exceeds the
 * last column, two columns become one. Of tasks those are followed that were busiest up to now. The page's
 * script draws it over again, and where it is zoomed the slices of html-slices.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html.h"
#include "ringside/event.h"

bool rs_html_timeline_init(struct rs_html_timeline *t, unsigned int nr_cpus, uint64_t begin_ns)
{
	t->begin_ns = t->end_ns = begin_ns;
	t->column_shift = 10;
	t->nr_names = 1;
	t->cpus = calloc(nr_cpus ? nr_cpus : 1, sizeof *t->cpus);
	t->tasks = calloc(RS_HTML_TASKS, sizeof *t->tasks);
	t->nr_cpus = t->cpus ? nr_cpus : 0;
	if (rs_html_slices_init(&t->slices, RS_HTML_TASKS + nr_cpus) && t->cpus && t->tasks)
		return true;
	rs_html_timeline_done(t);
	return false;
}

void rs_html_timeline_done(struct rs_html_timeline *t)
{
	rs_html_slices_done(&t->slices);
	free(t->cpus);
	free(t->tasks);
	t->cpus = NULL;
	t->tasks = NULL;
	t->nr_cpus = 0;
}

/* ---- columns ---- */

static void timeline_add_lead(struct rs_html_cpu_column *to, uint32_t name, float ns)
{
	if (to->name == name)
		to->lead_ns += ns;
	else if (to->lead_ns >= ns)
		to->lead_ns -= ns;
	else
		to->lead_ns = ns - to->lead_ns, to->name = name;
}

static void timeline_halve(struct rs_html_timeline *t)
{
	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++) {
		struct rs_html_cpu_column *at = t->cpus[cpu];

		for (unsigned int i = 0; i < RS_HTML_COLUMNS / 2; i++) {
			struct rs_html_cpu_column sum = at[2 * i], *second = &at[2 * i + 1];

			sum.run_ns += second->run_ns;
			timeline_add_lead(&sum, second->name, second->lead_ns);
			at[i] = sum;
		}
		memset(&at[RS_HTML_COLUMNS / 2], 0, RS_HTML_COLUMNS / 2 * sizeof *at);
	}
	for (unsigned int n = 0; n < RS_HTML_TASKS; n++) {
		struct rs_html_task *task = &t->tasks[n];

		for (unsigned int i = 0; i < RS_HTML_COLUMNS / 2; i++)
			for (unsigned int layer = 0; layer < RS_HTML_LAYERS; layer++)
				task->ns[i][layer] = task->ns[2 * i][layer] + task->ns[2 * i + 1][layer];
		memset(task->ns[RS_HTML_COLUMNS / 2], 0, RS_HTML_COLUMNS / 2 * sizeof *task->ns);
	}
	t->column_shift++;
}

static void timeline_reach(struct rs_html_timeline *t, uint64_t to_ns)
{
	if (to_ns > t->end_ns)
		t->end_ns = to_ns;
	while (t->column_shift < 63 && (t->end_ns - t->begin_ns) >> t->column_shift >= RS_HTML_COLUMNS)
		timeline_halve(t);
}

/* Calls add for the part of that time in each column. */
typedef void timeline_add_fn(void *arg, unsigned int column, float ns);

static void timeline_divide(struct rs_html_timeline *t, uint64_t from_ns, uint64_t to_ns,
			    timeline_add_fn *add, void *arg)
{
	if (from_ns < t->begin_ns)
		from_ns = t->begin_ns;
	if (to_ns <= from_ns)
		return;
	timeline_reach(t, to_ns);
	while (from_ns < to_ns) {
		uint64_t column = (from_ns - t->begin_ns) >> t->column_shift,
			 end_ns = t->begin_ns + ((column + 1) << t->column_shift);

		if (column >= RS_HTML_COLUMNS)
			return;
		if (end_ns > to_ns)
			end_ns = to_ns;
		add(arg, (unsigned int)column, (float)(end_ns - from_ns));
		from_ns = end_ns;
	}
}

/* ---- states ---- */

static uint32_t timeline_name(struct rs_html_timeline *t, const char *comm)
{
	uint8_t *recent = &t->recent_names[rs_hash_bytes(comm, strlen(comm)) % RS_HTML_NAMES];

	if (!strcmp(t->names[*recent], comm))
		return *recent;
	for (uint32_t i = 1; i < t->nr_names; i++)
		if (!strcmp(t->names[i], comm))
			return *recent = (uint8_t)i;
	if (t->nr_names == RS_HTML_NAMES)
		return 0;
	rs_copy(t->names[t->nr_names], RS_COMM_LEN, comm);
	return *recent = (uint8_t)t->nr_names++;
}

struct timeline_cpu_part {
	struct rs_html_cpu_column *columns;
	uint32_t name;
};

static void timeline_add_cpu(void *arg, unsigned int column, float ns)
{
	struct timeline_cpu_part *p = arg;

	p->columns[column].run_ns += ns;
	timeline_add_lead(&p->columns[column], p->name, ns);
}

struct timeline_task_part {
	struct rs_html_task *task;
	unsigned int layer;
};

static void timeline_add_task(void *arg, unsigned int column, float ns)
{
	struct timeline_task_part *p = arg;

	p->task->ns[column][p->layer] += ns;
}

/* Returns the task's row; one that was less busy than it gives way. NULL: it has none. */
static struct rs_html_task *timeline_task(struct rs_html_timeline *t, const struct rs_task *task,
					  struct rs_html_busy *data)
{
	uint64_t id = rs_span_of(task);
	uint32_t least = 0;

	if (t->tasks[data->row].id == id)
		return &t->tasks[data->row];
	if (data->busy_ns <= t->least_busy_ns) /* rows only get busier */
		return NULL;
	for (uint32_t i = 1; i < RS_HTML_TASKS; i++)
		if (t->tasks[i].busy_ns < t->tasks[least].busy_ns)
			least = i;
	t->least_busy_ns = t->tasks[least].busy_ns;
	if (t->least_busy_ns >= data->busy_ns)
		return NULL;
	t->tasks[least] = (struct rs_html_task){ .id = id };
	rs_html_slices_reuse(&t->slices, least);
	data->row = least;
	return &t->tasks[least];
}

static void timeline_add_slice(struct rs_scene *s, struct rs_html_timeline *t, const struct rs_interval *iv)
{
	struct timeline_cpu_part part = { t->cpus[iv->cpu],
					  timeline_name(t, rs_task_process_comm(s->c, iv->task)) };

	timeline_divide(t, iv->from_ns, iv->to_ns, timeline_add_cpu, &part);
}

/* Who sleeps or waits for another by choice is not busy: that is drawn of those that have a row. */
static struct rs_html_task *timeline_row(struct rs_scene *s, const struct rs_interval *iv,
					 enum rs_cause cause, struct rs_html_busy *data)
{
	struct rs_html_timeline *t = &rs_html_of(s)->timeline;

	if (rs_cause_row(cause)->rank > RS_RANK_WAIT)
		return t->tasks[data->row].id == rs_span_of(iv->task) ? &t->tasks[data->row] : NULL;
	t->nr_busy += !data->busy_ns && iv->to_ns > iv->from_ns;
	data->busy_ns += iv->to_ns - iv->from_ns;
	return timeline_task(t, iv->task, data);
}

void rs_html_timeline_add(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_scene_state *state)
{
	struct rs_html_timeline *t = &rs_html_of(s)->timeline;
	const struct rs_interval *iv = state->interval;
	enum rs_cause cause =
		rs_cause_of_state(iv->kind, state->wait ? state->wait->cause : RS_CAUSE_UNKNOWN);
	unsigned int layer = rs_html_ink_layer(cause);
	struct rs_html_busy *data = at->own;
	struct rs_html_task *row;

	if (!t->tasks)
		return;
	if (iv->kind == RS_RUN && iv->cpu < t->nr_cpus) {
		timeline_add_slice(s, t, iv);
		rs_html_states_add(s, RS_HTML_TASKS + iv->cpu, state, cause);
	}
	row = rs_shown(s->c, iv->task) ? timeline_row(s, iv, cause, data) : NULL;
	if (!row)
		return;
	row->busy_ns = data->busy_ns;
	row->tid = iv->task->tid;
	row->pid = iv->task->pid;
	rs_copy(row->comm, sizeof row->comm, iv->task->comm);
	rs_copy(row->process, sizeof row->process, rs_task_process_comm(s->c, iv->task));
	rs_html_states_add(s, data->row, state, cause);
	if (layer != RS_HTML_LAYERS)
		timeline_divide(t, iv->from_ns, iv->to_ns, timeline_add_task,
				&(struct timeline_task_part){ row, layer });
}

void rs_html_timeline_note_cmdlines(struct rs_scene *s)
{
	struct rs_html_timeline *t = &rs_html_of(s)->timeline;

	for (unsigned int i = 0; t->tasks && i < RS_HTML_TASKS; i++)
		if (t->tasks[i].busy_ns)
			rs_copy(t->tasks[i].cmdline, sizeof t->tasks[i].cmdline,
				rs_process_cmdline(s->c, t->tasks[i].pid, t->tasks[i].process));
}
