// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-pressure.c - below the tracks: the pressure of a control group, or of the machine, over time */
#include "tui/timeline/timeline-pressure.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"

#define PRESSURE_LEAST_MILLI 10 /* of the time: less is as good as none */

static void pressure_on_answer(void *of, const struct rs_reply *reply)
{
	/* an engine that does not know the question has no pressure to tell */
}

void rs_timeline_pressure_ask(struct rs_tl_pressure *p, struct rs_tui_machine *machine, int64_t tid)
{
	const struct rs_app *app = machine->app;
	bool is_same = p->asked && p->tid == tid && p->question.machine == machine;

	if (p->question.asked || (is_same && !(app->live && app->time.now)))
		return;
	if (p->question.machine != machine)
		rs_timeline_pressure_done(p);
	p->question = (struct rs_question){ .machine = machine, .answered = pressure_on_answer,
					    .answer = p->question.answer };
	p->tid = tid;
	p->asked = true;
	rs_question_ask(&p->question, "pressure", &(struct rs_pressure_request){ .tid = (int32_t)tid });
}

void rs_timeline_pressure_done(struct rs_tl_pressure *p)
{
	if (p->question.machine)
		rs_question_done(&p->question);
	*p = (struct rs_tl_pressure){ .asked = false };
}

/* ---- shares of time ---- */

struct pressure_share {
	uint64_t some_milli, full_milli;
	bool known;
};

static uint64_t pressure_overlap(const struct rs_wire_pressure_step *s, uint64_t from_ns, uint64_t to_ns)
{
	from_ns = s->from_ns > from_ns ? s->from_ns : from_ns;
	to_ns = s->to_ns < to_ns ? s->to_ns : to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Within a step it is taken to be even. */
static struct pressure_share pressure_share_of(const struct rs_wire_pressure *p, uint64_t from_ns,
					       uint64_t to_ns)
{
	double some = 0, full = 0, all = 0;

	for (const struct rs_wire_pressure_step *s = p->steps; s < p->steps + p->nr_steps; s++) {
		double in = (double)pressure_overlap(s, from_ns, to_ns),
		       len = s->to_ns > s->from_ns ? (double)(s->to_ns - s->from_ns) : 1;

		all += in;
		some += in * (double)s->some_ns / len;
		full += s->full_ns.known ? in * (double)s->full_ns.u / len : 0;
	}
	if (all <= 0)
		return (struct pressure_share){ .known = false };
	return (struct pressure_share){ (uint64_t)(some / all * 1000 + 0.5),
					(uint64_t)(full / all * 1000 + 0.5), true };
}

/* The most of any of its steps that are seen. */
static struct pressure_share pressure_most(const struct rs_wire_pressure *p, const struct rs_axis *axis)
{
	uint64_t from_ns = axis->from_ns, to_ns = from_ns + axis->cell_ns * axis->nr_cells;
	struct pressure_share most = { .known = false };

	for (const struct rs_wire_pressure_step *s = p->steps; s < p->steps + p->nr_steps; s++) {
		struct pressure_share of = pressure_share_of(p, s->from_ns, s->to_ns);

		if (!of.known || !pressure_overlap(s, from_ns, to_ns))
			continue;
		most.known = true;
		most.some_milli = of.some_milli > most.some_milli ? of.some_milli : most.some_milli;
		most.full_milli = of.full_milli > most.full_milli ? of.full_milli : most.full_milli;
	}
	return most;
}

static bool pressure_is_seen(const struct rs_wire_pressure *p, const struct rs_axis *axis)
{
	return pressure_most(p, axis).some_milli >= PRESSURE_LEAST_MILLI;
}

/* ---- drawing ---- */

int rs_timeline_pressure_lines(const struct rs_tl_pressure *p, const struct rs_axis *axis)
{
	const struct rs_pressure_reply *r = p->question.answer;
	int nr = 0;

	for (size_t i = 0; r && axis->cell_ns && i < r->nr_pressures && nr < RS_TL_PRESSURE_LINES; i++)
		nr += pressure_is_seen(&r->pressures[i], axis);
	return nr;
}

/* "io pressure of web.slice", or as much of that as there is room for. */
static void pressure_put_name(const struct rs_pressure_reply *r, const struct rs_wire_pressure *p,
			      struct rs_canvas *c, struct rs_area line)
{
	const char *slash = r->cgroup ? strrchr(r->cgroup, '/') : NULL, *group = slash ? slash + 1 : "";
	bool ascii = rs_canvas_ascii(c);
	char text[120];

	snprintf(text, sizeof text, "%.20s pressure%s%.80s", p->resource, *group ? " of " : "", group);
	if (rs_put_text_columns(text, ascii) > line.width)
		snprintf(text, sizeof text, "%.20s pressure", p->resource);
	if (rs_put_text_columns(text, ascii) > line.width)
		snprintf(text, sizeof text, "%.20s", p->resource);
	rs_put(c, line.y, line.x, line.width, RS_STYLE_DIM, text);
}

/* With "43/12%" behind it: the most of the time that is seen in which some waited, and all of them. */
static void pressure_draw_label(const struct rs_pressure_reply *r, const struct rs_wire_pressure *p,
				const struct rs_axis *axis, struct rs_canvas *c, struct rs_area line)
{
	struct pressure_share most = pressure_most(p, axis);
	char share[32];

	snprintf(share, sizeof share, most.full_milli >= PRESSURE_LEAST_MILLI ? "%u/%u%%" : "%u%%",
		 (unsigned int)(most.some_milli + 5) / 10, (unsigned int)(most.full_milli + 5) / 10);
	rs_put_right(c, line.y, line.x, line.width, RS_STYLE_TEXT, share);
	line.width -= (int)strlen(share) + 1;
	pressure_put_name(r, p, c, line);
}

static void pressure_draw_cells(const struct rs_wire_pressure *p, const struct rs_axis *axis,
				struct rs_canvas *c, struct rs_area line)
{
	for (unsigned int cell = 0; cell < axis->nr_cells; cell++) {
		uint64_t from_ns = axis->from_ns + axis->cell_ns * cell;
		struct pressure_share of = pressure_share_of(p, from_ns, from_ns + axis->cell_ns);
		unsigned int eighths = (unsigned int)((of.some_milli * 8 + 999) / 1000);

		if (!of.known || of.some_milli < PRESSURE_LEAST_MILLI)
			continue;
		rs_put_glyph(c, line.y, line.x + (int)cell,
			     of.full_milli >= PRESSURE_LEAST_MILLI ? RS_STYLE_BAD : RS_STYLE_WARN,
			     RS_GLYPH_SPARK + (eighths < 8 ? eighths : 8));
	}
}

void rs_timeline_pressure_draw(const struct rs_tl_pressure *p, const struct rs_axis *axis,
			       struct rs_canvas *c, struct rs_area area, int label_width)
{
	const struct rs_pressure_reply *r = p->question.answer;
	int y = area.y;

	for (size_t i = 0; r && i < r->nr_pressures && y < area.y + area.height; i++) {
		if (!pressure_is_seen(&r->pressures[i], axis))
			continue;
		pressure_draw_label(r, &r->pressures[i], axis, c,
				    (struct rs_area){ y, area.x, 1, label_width - 1 });
		pressure_draw_cells(&r->pressures[i], axis, c,
				    (struct rs_area){ y, area.x + label_width, 1, area.width - label_width });
		y++;
	}
}
