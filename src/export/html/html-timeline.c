// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-timeline.c - a picture of the whole recording: which task each CPU ran, and what the busiest tasks did
 *
 * Time is summed in columns while the recording is read. Its length is not known then: when it exceeds the
 * last column, two columns become one. Of tasks those are followed that were busiest up to now. The page's
 * script draws it over again, and where it is zoomed the slices of html-slices.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html.h"
#include "ringside/event.h"

enum {
	LEFT = 172,
	WIDTH = 1024,
	ROW = 22,
	HEIGHT = 16,
	AXIS = 20,
	AXIS_TICKS = 10, /* at most */
	DRAWN_TASKS = 14, /* the busiest */
	DRAWN_PARTIES = 40, /* with those that findings show */
	DRAWN_CPUS = 32,
	DRAWN_NAMES = 12
};

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
			for (unsigned int layer = 0; layer < RS_NR_CATEGORIES; layer++)
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

/*
 * The layer that a state is drawn in, from the bottom in the order of the categories; RS_NR_CATEGORIES: it
 * sleeps, or what it does is not known, which is blank.
 */
static unsigned int timeline_layer(enum rs_cause cause)
{
	const struct rs_cause_row *row = rs_cause_row(cause);

	return rs_category_row(row->category)->legend && row->rank != RS_RANK_UNKNOWN ? row->category :
											RS_NR_CATEGORIES;
}

static void timeline_add_slice(struct rs_scene *s, struct rs_html_timeline *t, const struct rs_interval *iv)
{
	struct timeline_cpu_part part = { t->cpus[iv->cpu],
					  timeline_name(t, rs_task_process_comm(s->c, iv->task)) };

	timeline_divide(t, iv->from_ns, iv->to_ns, timeline_add_cpu, &part);
}

/* Time that it sleeps has no layer, and makes nobody busy: it is drawn of those that have a row. */
static struct rs_html_task *timeline_row(struct rs_scene *s, const struct rs_interval *iv,
					 enum rs_cause cause, unsigned int layer,
					 struct rs_html_busy *data)
{
	struct rs_html_timeline *t = &rs_html_of(s)->timeline;

	if (layer == RS_NR_CATEGORIES)
		return t->tasks[data->row].id == rs_span_of(iv->task) ? &t->tasks[data->row] : NULL;
	/* who waits for another by choice is not busy */
	if (rs_cause_row(cause)->rank <= RS_RANK_WAIT)
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
	unsigned int layer = timeline_layer(cause);
	struct rs_html_busy *data = at->own;
	struct rs_html_task *row;

	if (!t->tasks)
		return;
	if (iv->kind == RS_RUN && iv->cpu < t->nr_cpus) {
		timeline_add_slice(s, t, iv);
		rs_html_states_add(s, RS_HTML_TASKS + iv->cpu, state, cause);
	}
	row = rs_shown(s->c, iv->task) ? timeline_row(s, iv, cause, layer, data) : NULL;
	if (!row)
		return;
	row->busy_ns = data->busy_ns;
	row->tid = iv->task->tid;
	row->pid = iv->task->pid;
	rs_copy(row->comm, sizeof row->comm, iv->task->comm);
	rs_copy(row->process, sizeof row->process, rs_task_process_comm(s->c, iv->task));
	rs_html_states_add(s, data->row, state, cause);
	if (layer != RS_NR_CATEGORIES)
		timeline_divide(t, iv->from_ns, iv->to_ns, timeline_add_task,
				&(struct timeline_task_part){ row, layer });
}

/* ---- the picture ---- */

/* Runs of columns of one height become one rectangle of a path. */
struct timeline_path {
	struct rs_buf *out;
	double scale;           /* of a column, in units of the picture */
	unsigned int from;
	int top, height;
};

static void timeline_path_end(struct timeline_path *p, unsigned int to)
{
	if (p->height > 0)
		rs_buf_printf(p->out, "M%.1f %dh%.1fv%dh-%.1fz", LEFT + p->from * p->scale, p->top,
			      (to - p->from) * p->scale, p->height, (to - p->from) * p->scale);
	p->height = 0;
}

static void timeline_path_add(struct timeline_path *p, unsigned int column, int top, int height)
{
	if (height == p->height && top == p->top)
		return;
	timeline_path_end(p, column);
	p->from = column;
	p->top = top;
	p->height = height;
}

static int timeline_round(float share)
{
	int height = (int)lroundf(share * HEIGHT);

	/* what little there is stays visible */
	return height > HEIGHT ? HEIGHT : height || share < 0.01f ? height : 1;
}

static unsigned int timeline_nr_columns(const struct rs_html_timeline *t)
{
	uint64_t nr = ((t->end_ns - t->begin_ns) >> t->column_shift) + 1;

	return nr < RS_HTML_COLUMNS ? (unsigned int)nr : RS_HTML_COLUMNS;
}

static double timeline_scale(const struct rs_html_timeline *t)
{
	double nr = (double)(t->end_ns - t->begin_ns) / (double)(1ull << t->column_shift);

	return nr > 0 ? WIDTH / nr : 0;
}

static void timeline_put_label(struct rs_buf *out, int y, const char *text, const char *title)
{
	rs_buf_printf(out, "<text class=\"lane\" x=\"%d\" y=\"%d\">", LEFT - 8, y + HEIGHT - 3);
	rs_escape_xml(out, text);
	if (title) {
		rs_buf_puts(out, "<title>");
		rs_escape_xml(out, title);
		rs_buf_puts(out, "</title>");
	}
	rs_buf_printf(out, "</text><path class=\"ground\" d=\"M%d %dh%dv%dh-%dz\"/>\n", LEFT, y, WIDTH,
		      HEIGHT, WIDTH);
}

/*
 * The processes that led the columns of the CPUs, the longest first: the legend's order, and each its color.
 */
struct timeline_ranks {
	uint32_t names[DRAWN_NAMES];
	unsigned int nr;
};

static void timeline_rank(const struct rs_html_timeline *t, struct timeline_ranks *ranks)
{
	float ns[RS_HTML_NAMES] = { 0 };

	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		for (unsigned int i = 0; i < RS_HTML_COLUMNS; i++)
			ns[t->cpus[cpu][i].name] += t->cpus[cpu][i].run_ns;
	for (ranks->nr = 0; ranks->nr < DRAWN_NAMES; ranks->nr++) {
		uint32_t most = 0;

		for (uint32_t name = 1; name < t->nr_names; name++)
			if (ns[name] > 0 && (!most || ns[name] > ns[most]))
				most = name;
		if (!most)
			break;
		ranks->names[ranks->nr] = most;
		ns[most] = 0;
	}
}

/* Those that the legend does not name share one. */
static unsigned int timeline_color(const struct timeline_ranks *ranks, uint32_t name)
{
	unsigned int rank = 0;

	while (rank < ranks->nr && ranks->names[rank] != name)
		rank++;
	return rank < ranks->nr ? rank : DRAWN_NAMES;
}

/* A path for each process that leads a column of the CPU; its title is the process' name. */
static void timeline_put_cpu(const struct rs_html_timeline *t, const struct timeline_ranks *ranks,
			     unsigned int cpu, int y, struct rs_buf *out)
{
	const struct rs_html_cpu_column *at = t->cpus[cpu];
	unsigned int nr = timeline_nr_columns(t);
	float column_ns = (float)(1ull << t->column_shift);
	char label[24];

	snprintf(label, sizeof label, "CPU %u", cpu);
	timeline_put_label(out, y, label, NULL);
	for (uint32_t name = 0; name < t->nr_names; name++) {
		struct rs_buf d = RS_BUF_INIT;
		struct timeline_path path = { .out = &d, .scale = timeline_scale(t) };

		for (unsigned int i = 0; i < nr; i++) {
			int height = at[i].name == name && at[i].run_ns > 0 ?
					     timeline_round(at[i].run_ns / column_ns) :
					     0;

			timeline_path_add(&path, i, y + HEIGHT - height, height);
		}
		timeline_path_end(&path, nr);
		if (d.len) {
			rs_buf_printf(out, "<path class=\"p%u\" d=\"%s\"><title>",
				      timeline_color(ranks, name), d.data);
			rs_escape_xml(out, name ? t->names[name] : "others");
			rs_buf_puts(out, "</title></path>\n");
		}
		out->failed |= d.failed;
		rs_buf_done(&d);
	}
}

static float timeline_cpu_ns(const struct rs_html_timeline *t, unsigned int cpu)
{
	float ns = 0;

	for (unsigned int i = 0; i < RS_HTML_COLUMNS; i++)
		ns += t->cpus[cpu][i].run_ns;
	return ns;
}

/* Of many CPUs the busiest are drawn, in the order of their numbers. Returns true if this is one of them. */
static bool timeline_draws_cpu(const struct rs_html_timeline *t, const float *ns, unsigned int cpu)
{
	unsigned int nr_busier = 0;

	for (unsigned int i = 0; i < t->nr_cpus; i++)
		nr_busier += ns[i] > ns[cpu] || (ns[i] == ns[cpu] && i < cpu);
	return nr_busier < DRAWN_CPUS;
}

static void timeline_note_drawn(struct rs_html_timeline *t, const struct rs_html_drawn *drawn)
{
	if (t->nr_drawn < RS_HTML_DRAWN)
		t->drawn[t->nr_drawn++] = *drawn;
}

/* Returns where the next row begins. */
static int timeline_put_cpus(struct rs_html_timeline *t, const struct timeline_ranks *ranks, int y,
			     struct rs_buf *out)
{
	float *ns = calloc(t->nr_cpus + 1, sizeof *ns);

	for (unsigned int cpu = 0; ns && cpu < t->nr_cpus; cpu++)
		ns[cpu] = timeline_cpu_ns(t, cpu);
	for (unsigned int cpu = 0; ns && cpu < t->nr_cpus; cpu++)
		if (timeline_draws_cpu(t, ns, cpu)) {
			timeline_put_cpu(t, ranks, cpu, y, out);
			timeline_note_drawn(t, &(struct rs_html_drawn){ .track = RS_HTML_TASKS + cpu,
									.cpu = (int)cpu, .y = y });
			y += ROW;
		}
	out->failed |= !ns;
	free(ns);
	return y;
}

/* Where the layer begins above those below it, in pixels. */
static int timeline_level(const struct rs_html_task *task, unsigned int column, unsigned int layer,
			  float column_ns)
{
	float sum = 0;

	for (unsigned int i = 0; i < layer; i++)
		sum += task->ns[column][i];
	return timeline_round(sum / column_ns);
}

static void timeline_put_task(const struct rs_html_timeline *t, const struct rs_html_task *task, int y,
			      struct rs_buf *out)
{
	unsigned int nr = timeline_nr_columns(t);
	float column_ns = (float)(1ull << t->column_shift);
	char label[48], title[96];

	snprintf(label, sizeof label, "%.16s/%d", task->comm, task->tid);
	snprintf(title, sizeof title, "thread %d of process %d %.16s", task->tid, task->pid, task->process);
	timeline_put_label(out, y, label, title);
	for (unsigned int layer = 0; layer < RS_NR_CATEGORIES; layer++) {
		struct rs_buf d = RS_BUF_INIT;
		struct timeline_path path = { .out = &d, .scale = timeline_scale(t) };

		for (unsigned int i = 0; i < nr; i++) {
			int from = timeline_level(task, i, layer, column_ns),
			    to = timeline_level(task, i, layer + 1, column_ns);

			timeline_path_add(&path, i, y + HEIGHT - to, to - from);
		}
		timeline_path_end(&path, nr);
		if (d.len) {
			rs_buf_puts(out, "<path class=\"c-");
			rs_html_style_put_cause(out, rs_category_row(layer)->color);
			rs_buf_printf(out, "\" d=\"%s\"><title>%s</title></path>\n", d.data,
				      rs_category_row(layer)->legend);
		}
		out->failed |= d.failed;
		rs_buf_done(&d);
	}
}

static int timeline_compare(const void *a, const void *b)
{
	const struct rs_html_task *const *x = a, *const *y = b;

	if ((*x)->busy_ns != (*y)->busy_ns)
		return (*x)->busy_ns < (*y)->busy_ns ? 1 : -1;
	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/* The busiest tasks, and those that findings show, the busiest first; returns how many. */
static unsigned int timeline_choose(const struct rs_html_timeline *t,
				    const struct rs_html_task *tasks[RS_HTML_TASKS])
{
	unsigned int nr = 0, nr_drawn = 0;

	for (unsigned int i = 0; i < RS_HTML_TASKS; i++)
		if (t->tasks[i].busy_ns)
			tasks[nr++] = &t->tasks[i];
	qsort(tasks, nr, sizeof *tasks, timeline_compare);
	for (unsigned int i = 0; i < nr; i++)
		if ((i < DRAWN_TASKS || tasks[i]->is_party) && nr_drawn < DRAWN_PARTIES)
			tasks[nr_drawn++] = tasks[i];
	return nr_drawn;
}

static void timeline_put_tasks(struct rs_html_timeline *t, const struct rs_html_task *const *tasks,
			       unsigned int nr, int y, struct rs_buf *out)
{
	for (unsigned int i = 0; i < nr; i++, y += ROW) {
		const struct rs_html_task *task = tasks[i];
		uint32_t party = rs_html_slices_party(
			&t->slices,
			&(struct rs_html_party){ task->comm, task->process, task->tid, task->pid });

		timeline_put_task(t, task, y, out);
		timeline_note_drawn(t, &(struct rs_html_drawn){ .track = (unsigned int)(task - t->tasks),
								.cpu = -1, .party = party, .y = y });
	}
}

static void timeline_put_axis(const struct rs_html_timeline *t, int height, struct rs_buf *out)
{
	uint64_t length_ns = t->end_ns - t->begin_ns;
	uint64_t tick_ns = rs_units_round_step(length_ns / (AXIS_TICKS + 1) + 1, 1);
	char number[RS_UNIT_TEXT];

	for (uint64_t at_ns = 0; at_ns <= length_ns; at_ns += tick_ns) {
		double x = LEFT + (double)at_ns / (double)(length_ns ? length_ns : 1) * WIDTH;

		rs_buf_printf(
			out,
			"<path class=\"tick\" d=\"M%.1f %dV%d\"/><text class=\"tick\" x=\"%.1f\" y=\"%d\">",
			x, AXIS - 4, height, x, AXIS - 7);
		if (at_ns)
			rs_buf_add(out, number, rs_units_put_duration(number, at_ns, RS_UNIT_AUTO, -1));
		rs_buf_puts(out, at_ns ? "</text>\n" : "0</text>\n");
	}
}

static void timeline_put_names(const struct rs_html_timeline *t, const struct timeline_ranks *ranks,
			       struct rs_buf *out)
{
	rs_buf_printf(out, "<p class=\"legend\">%s:", t->nr_cpus > DRAWN_CPUS ? "The busiest CPUs" : "CPUs");
	for (unsigned int i = 0; i < ranks->nr; i++) {
		rs_buf_printf(out, "<span><i class=\"p%u\"></i>", i);
		rs_escape_xml(out, t->names[ranks->names[i]]);
		rs_buf_puts(out, "</span>");
	}
	rs_buf_printf(out, "<span><i class=\"p%d\"></i>others</span></p>\n", DRAWN_NAMES);
}

static void timeline_put_legend(struct rs_buf *out)
{
	rs_buf_puts(out, "<p class=\"legend\">Threads:");
	for (unsigned int i = 0; i < RS_NR_CATEGORIES; i++) {
		if (!rs_category_row(i)->legend)
			continue;
		rs_buf_puts(out, "<span><i class=\"c-");
		rs_html_style_put_cause(out, rs_category_row(i)->color);
		rs_buf_printf(out, "\"></i>%s</span>", rs_category_row(i)->legend);
	}
	rs_buf_puts(out, "<span><i></i>sleeps</span></p>\n");
}

void rs_html_timeline_put(struct rs_html_timeline *t, struct rs_buf *out)
{
	const struct rs_html_task *tasks[RS_HTML_TASKS];
	unsigned int nr_tasks = timeline_choose(t, tasks);
	unsigned int nr_cpus = t->nr_cpus < DRAWN_CPUS ? t->nr_cpus : DRAWN_CPUS;
	int y = AXIS, height = AXIS + (int)(nr_cpus + nr_tasks) * ROW + 8;
	struct timeline_ranks ranks;

	if (t->end_ns <= t->begin_ns)
		return;
	rs_buf_printf(out,
		      "<div class=\"wide\"><div id=\"stage\"><svg id=\"timeline\" viewBox=\"0 0 %d %d\" "
		      "data-left=\"%d\" data-width=\"%d\" data-row=\"%d\" data-ns=\"%llu\" role=\"img\">"
		      "<title>CPUs and the busiest threads over time</title>\n",
		      LEFT + WIDTH + 4, height, LEFT, WIDTH, HEIGHT,
		      (unsigned long long)(t->end_ns - t->begin_ns));
	timeline_rank(t, &ranks);
	timeline_put_axis(t, height, out);
	y = timeline_put_cpus(t, &ranks, y, out) + 8;
	timeline_put_tasks(t, tasks, nr_tasks, y, out);
	rs_buf_puts(out, "</svg></div></div>\n");
	timeline_put_names(t, &ranks, out);
	timeline_put_legend(out);
}
