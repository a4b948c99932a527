// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-picture.c - the picture of the timeline's columns: the CPUs, and the threads that lost most time
 *
 * It is what a page without a script shows, and what the script shows where it has no slices.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/units.h"
#include "export/html/html.h"

enum {
	LEFT = 172,
	WIDTH = 1024,
	ROW = 22,
	HEIGHT = 16,
	AXIS = 20,
	AXIS_TICKS = 10, /* at most */
	DRAWN_BYTES = 1500000, /* of the picture; a thread more may exceed it */
	DRAWN_CPUS = 32,
	DRAWN_NAMES = 12
};

/* Runs of columns of one height become one rectangle of a path. */
struct picture_path {
	struct rs_buf *out;
	double scale;           /* of a column, in units of the picture */
	unsigned int from;
	int top, height;
};

static void picture_path_end(struct picture_path *p, unsigned int to)
{
	if (p->height > 0)
		rs_buf_printf(p->out, "M%.1f %dh%.1fv%dh-%.1fz", LEFT + p->from * p->scale, p->top,
			      (to - p->from) * p->scale, p->height, (to - p->from) * p->scale);
	p->height = 0;
}

static void picture_path_add(struct picture_path *p, unsigned int column, int top, int height)
{
	if (height == p->height && top == p->top)
		return;
	picture_path_end(p, column);
	p->from = column;
	p->top = top;
	p->height = height;
}

static int picture_round(float share)
{
	int height = (int)lroundf(share * HEIGHT);

	/* what little there is stays visible */
	return height > HEIGHT ? HEIGHT : height || share < 0.01f ? height : 1;
}

static unsigned int picture_nr_columns(const struct rs_html_timeline *t)
{
	uint64_t nr = ((t->end_ns - t->begin_ns) >> t->column_shift) + 1;

	return nr < RS_HTML_COLUMNS ? (unsigned int)nr : RS_HTML_COLUMNS;
}

static double picture_scale(const struct rs_html_timeline *t)
{
	double nr = (double)(t->end_ns - t->begin_ns) / (double)(1ull << t->column_shift);

	return nr > 0 ? WIDTH / nr : 0;
}

/* title, cmdline: of a task; NULL: of a CPU, or not known. */
static void picture_put_label(struct rs_buf *out, int y, const char *text, const char *title,
			      const char *cmdline)
{
	rs_buf_printf(out, "<text class=\"lane\" x=\"%d\" y=\"%d\"", LEFT - 8, y + HEIGHT - 3);
	if (cmdline) {
		rs_buf_puts(out, " data-cmdline=\"");
		rs_escape_xml(out, cmdline);
		rs_buf_puts(out, "\"");
	}
	rs_buf_puts(out, ">");
	rs_escape_xml(out, text);
	if (title) {
		rs_buf_puts(out, "<title>");
		rs_escape_xml(out, title);
		rs_buf_puts(out, cmdline ? ": " : "");
		rs_escape_xml(out, cmdline ? cmdline : "");
		rs_buf_puts(out, "</title>");
	}
	rs_buf_printf(out, "</text><path class=\"ground\" d=\"M%d %dh%dv%dh-%dz\"/>\n", LEFT, y, WIDTH,
		      HEIGHT, WIDTH);
}

/*
 * The processes that led the columns of the CPUs, the longest first: the legend's order, and each its color.
 */
struct picture_ranks {
	uint32_t names[DRAWN_NAMES];
	unsigned int nr;
};

static void picture_rank(const struct rs_html_timeline *t, struct picture_ranks *ranks)
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
static unsigned int picture_color(const struct picture_ranks *ranks, uint32_t name)
{
	unsigned int rank = 0;

	while (rank < ranks->nr && ranks->names[rank] != name)
		rank++;
	return rank < ranks->nr ? rank : DRAWN_NAMES;
}

/* A path for each process that leads a column of the CPU; its title is the process' name. */
static void picture_put_cpu(const struct rs_html_timeline *t, const struct picture_ranks *ranks,
			     unsigned int cpu, int y, struct rs_buf *out)
{
	const struct rs_html_cpu_column *at = t->cpus[cpu];
	unsigned int nr = picture_nr_columns(t);
	float column_ns = (float)(1ull << t->column_shift);
	char label[24];

	snprintf(label, sizeof label, "CPU %u", cpu);
	picture_put_label(out, y, label, NULL, NULL);
	for (uint32_t name = 0; name < t->nr_names; name++) {
		struct rs_buf d = RS_BUF_INIT;
		struct picture_path path = { .out = &d, .scale = picture_scale(t) };

		for (unsigned int i = 0; i < nr; i++) {
			int height = at[i].name == name && at[i].run_ns > 0 ?
					     picture_round(at[i].run_ns / column_ns) :
					     0;

			picture_path_add(&path, i, y + HEIGHT - height, height);
		}
		picture_path_end(&path, nr);
		if (d.len) {
			rs_buf_printf(out, "<path class=\"p%u\" d=\"%s\"><title>",
				      picture_color(ranks, name), d.data);
			rs_escape_xml(out, name ? t->names[name] : "others");
			rs_buf_puts(out, "</title></path>\n");
		}
		out->failed |= d.failed;
		rs_buf_done(&d);
	}
}

static float picture_cpu_ns(const struct rs_html_timeline *t, unsigned int cpu)
{
	float ns = 0;

	for (unsigned int i = 0; i < RS_HTML_COLUMNS; i++)
		ns += t->cpus[cpu][i].run_ns;
	return ns;
}

/* Of many CPUs the busiest are drawn, in the order of their numbers. Returns true if this is one of them. */
static bool picture_draws_cpu(const struct rs_html_timeline *t, const float *ns, unsigned int cpu)
{
	unsigned int nr_busier = 0;

	for (unsigned int i = 0; i < t->nr_cpus; i++)
		nr_busier += ns[i] > ns[cpu] || (ns[i] == ns[cpu] && i < cpu);
	return nr_busier < DRAWN_CPUS;
}

static void picture_note_drawn(struct rs_html_timeline *t, const struct rs_html_drawn *drawn)
{
	if (t->nr_drawn < RS_HTML_DRAWN)
		t->drawn[t->nr_drawn++] = *drawn;
}

/* Returns where the next row begins. */
static int picture_put_cpus(struct rs_html_timeline *t, const struct picture_ranks *ranks, int y,
			     struct rs_buf *out)
{
	float *ns = calloc(t->nr_cpus + 1, sizeof *ns);

	for (unsigned int cpu = 0; ns && cpu < t->nr_cpus; cpu++)
		ns[cpu] = picture_cpu_ns(t, cpu);
	for (unsigned int cpu = 0; ns && cpu < t->nr_cpus; cpu++)
		if (picture_draws_cpu(t, ns, cpu)) {
			picture_put_cpu(t, ranks, cpu, y, out);
			picture_note_drawn(t, &(struct rs_html_drawn){ .track = RS_HTML_TASKS + cpu,
									.cpu = (int)cpu, .y = y });
			y += ROW;
		}
	out->failed |= !ns;
	free(ns);
	return y;
}

/* What a layer is drawn as. Dim ones are a quarter as high. */
struct picture_ink {
	enum rs_ink ink;
	enum rs_cause cause;
	float share;
};

static void picture_put_layer(const struct rs_html_timeline *t, const struct rs_html_task *task,
			       const struct picture_ink inks[RS_HTML_LAYERS], unsigned int layer, int y,
			       struct rs_buf *d)
{
	struct picture_path path = { .out = d, .scale = picture_scale(t) };
	float column_ns = (float)(1ull << t->column_shift);
	unsigned int nr = picture_nr_columns(t);

	for (unsigned int i = 0; i < nr; i++) {
		float below = 0;
		int from, to;

		for (unsigned int n = 0; n < layer; n++)
			below += task->ns[i][n] * inks[n].share;
		from = picture_round(below / column_ns);
		to = picture_round((below + task->ns[i][layer] * inks[layer].share) / column_ns);
		picture_path_add(&path, i, y + HEIGHT - to, to - from);
	}
	picture_path_end(&path, nr);
}

static void picture_put_layers(const struct rs_html_timeline *t, const struct rs_html_task *task,
				const struct rs_ink_task *ink, int y, struct rs_buf *out)
{
	struct picture_ink inks[RS_HTML_LAYERS];

	for (unsigned int i = 0; i < RS_HTML_LAYERS; i++) {
		inks[i].ink = rs_html_ink_of_layer(i, ink, &inks[i].cause);
		inks[i].share = inks[i].ink == RS_INK_BLANK ? 0 : inks[i].ink == RS_INK_DIM ? 0.25f : 1;
	}
	for (unsigned int layer = 0; layer < RS_HTML_LAYERS; layer++) {
		const struct rs_cause_row *row = rs_cause_row(inks[layer].cause);
		struct rs_buf d = RS_BUF_INIT;

		if (inks[layer].ink != RS_INK_BLANK)
			picture_put_layer(t, task, inks, layer, y, &d);
		if (d.len) {
			rs_buf_puts(out, "<path class=\"c-");
			rs_html_style_put_cause(out, inks[layer].cause);
			rs_buf_printf(out, "%s\" d=\"%s\"><title>%s</title></path>\n",
				      inks[layer].ink == RS_INK_DIM ? " q" : "", d.data,
				      row->legend ? row->legend : row->name);
		}
		out->failed |= d.failed;
		rs_buf_done(&d);
	}
}

/* Those that findings show first, then by the time that they lost. */
struct picture_choice {
	const struct rs_html_task *task;
	float lost_ns;
};

static int picture_compare(const void *a, const void *b)
{
	const struct picture_choice *x = a, *y = b;

	if (x->task->is_party != y->task->is_party)
		return x->task->is_party ? -1 : 1;
	if (x->lost_ns != y->lost_ns)
		return x->lost_ns < y->lost_ns ? 1 : -1;
	if (x->task->busy_ns != y->task->busy_ns)
		return x->task->busy_ns < y->task->busy_ns ? 1 : -1;
	return (x->task->id > y->task->id) - (x->task->id < y->task->id);
}

static unsigned int picture_choose(const struct rs_html_timeline *t,
				    struct picture_choice choices[RS_HTML_TASKS])
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < RS_HTML_TASKS; i++)
		if (t->tasks[i].busy_ns)
			choices[nr++] = (struct picture_choice){ &t->tasks[i],
								  rs_html_ink_lost_ns(t, &t->tasks[i]) };
	qsort(choices, nr, sizeof *choices, picture_compare);
	return nr;
}

static void picture_put_task(struct rs_html_timeline *t, const struct rs_html_task *task, int y,
			      struct rs_buf *out)
{
	struct rs_ink_task ink = rs_html_ink_of(t, task);
	uint32_t party = rs_html_slices_party(
		&t->slices, &(struct rs_html_party){ task->comm, task->process, task->tid, task->pid });
	char label[48], title[96];

	snprintf(label, sizeof label, "%.16s/%d", task->comm, task->tid);
	snprintf(title, sizeof title, "thread %d of process %d %.16s", task->tid, task->pid, task->process);
	picture_put_label(out, y, label, title, task->cmdline[0] ? task->cmdline : NULL);
	picture_put_layers(t, task, &ink, y, out);
	picture_note_drawn(t, &(struct rs_html_drawn){ .track = (unsigned int)(task - t->tasks), .cpu = -1,
							.party = party, .ink = ink, .y = y });
}

/* As many as the picture has room for. Returns how many. */
static unsigned int picture_put_tasks(struct rs_html_timeline *t, int y, struct rs_buf *out)
{
	struct picture_choice choices[RS_HTML_TASKS];
	unsigned int nr = picture_choose(t, choices), i = 0;

	for (; i < nr && out->len < DRAWN_BYTES; i++)
		picture_put_task(t, choices[i].task, y + (int)i * ROW, out);
	return i;
}

static void picture_put_axis(const struct rs_html_timeline *t, int height, struct rs_buf *out)
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

static void picture_put_names(const struct rs_html_timeline *t, const struct picture_ranks *ranks,
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

static void picture_put_legend(struct rs_buf *out)
{
	rs_buf_puts(out, "<p class=\"legend\">Threads:");
	for (unsigned int i = 0; i < RS_NR_CATEGORIES; i++) {
		if (!rs_category_row(i)->legend)
			continue;
		rs_buf_puts(out, "<span><i class=\"c-");
		rs_html_style_put_cause(out, rs_category_row(i)->color);
		rs_buf_printf(out, "\"></i>%s</span>", rs_category_row(i)->legend);
	}
	rs_buf_puts(out, "<span><i class=\"c-sleep q\"></i>dim and thin: sleeps and waits for others that no "
			 "finding says cost time</span></p>\n");
}

static void picture_put_left_out(const struct rs_html_timeline *t, unsigned int nr_drawn, struct rs_buf *out)
{
	if (t->nr_busy > nr_drawn)
		rs_buf_printf(out,
			      "<p class=\"dim\" id=\"left-out\">%u more threads are not drawn. Those that "
			      "findings show come first, then those that lost most time; a page of others: "
			      "<code>ringside export -p PID -o page.html FILE</code></p>\n",
			      t->nr_busy - nr_drawn);
}

void rs_html_picture_put(struct rs_html_timeline *t, struct rs_buf *out)
{
	unsigned int nr_cpus = t->nr_cpus < DRAWN_CPUS ? t->nr_cpus : DRAWN_CPUS, nr_tasks;
	struct rs_buf tracks = RS_BUF_INIT;
	struct picture_ranks ranks;
	int y, height;

	if (t->end_ns <= t->begin_ns)
		return;
	picture_rank(t, &ranks);
	y = picture_put_cpus(t, &ranks, AXIS, &tracks) + 8;
	nr_tasks = picture_put_tasks(t, y, &tracks);
	height = AXIS + (int)(nr_cpus + nr_tasks) * ROW + 8;
	rs_buf_printf(out,
		      "<div class=\"wide\"><div id=\"stage\"><svg id=\"timeline\" viewBox=\"0 0 %d %d\" "
		      "data-left=\"%d\" data-width=\"%d\" data-row=\"%d\" data-ns=\"%llu\" role=\"img\">"
		      "<title>CPUs and threads over time</title>\n",
		      LEFT + WIDTH + 4, height, LEFT, WIDTH, HEIGHT,
		      (unsigned long long)(t->end_ns - t->begin_ns));
	picture_put_axis(t, height, out);
	rs_buf_add(out, tracks.data ? tracks.data : "", tracks.len);
	rs_buf_puts(out, "</svg></div></div>\n");
	picture_put_names(t, &ranks, out);
	picture_put_legend(out);
	picture_put_left_out(t, nr_tasks, out);
	out->failed |= tracks.failed;
	rs_buf_done(&tracks);
}
