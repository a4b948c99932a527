// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-queue.c - whom a disk serves, request by request, and how many it served before the one that is
 * waited for
 */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/grid.h"
#include "tui/timeline/timeline-screen.h"

#define QUEUE_REQUESTS 512
#define QUEUE_YOU "YOU"
#define QUEUE_MARGIN_NS 100000000u /* before the wait: a request in the queue then was issued earlier */

/* ---- how many were ahead ---- */

static const struct rs_catalogue_view *timeline_queue_view(const struct rs_tl_queue *q)
{
	return rs_catalogue_view_of(rs_client_catalogue(q->question.machine->client), RS_ROLE_DISK_QUEUE);
}

void rs_timeline_queue_ask(struct rs_tl_queue *q, int64_t tid, const char *comm, uint64_t from_ns,
			   uint64_t to_ns)
{
	const struct rs_catalogue_view *of = timeline_queue_view(q);
	char where[128];

	q->tid = tid;
	rs_copy(q->comm, sizeof q->comm, comm);
	if (!of)
		return;
	snprintf(where, sizeof where, "tid == %lld && end_ns >= %llu && end_ns <= %llu", (long long)tid,
		 (unsigned long long)from_ns, (unsigned long long)to_ns);
	rs_question_ask(&q->question, "rows", &(struct rs_rows_request){
		.view = of->view.name, .limit = QUEUE_REQUESTS, .where = where,
		.time = { rs_u(from_ns > QUEUE_MARGIN_NS ? from_ns - QUEUE_MARGIN_NS : 0), rs_u(to_ns) } });
}

/* Of several requests the one that was behind others for longest. */
static void timeline_queue_read_row(struct rs_tl_queue *q, const struct rs_grid *g, size_t row)
{
	const struct rs_value *nr = rs_grid_cell_named(g, row, "ahead"),
			      *ns = rs_grid_cell_named(g, row, "ahead_ns"),
			      *end = rs_grid_cell_named(g, row, "end_ns"),
			      *behind = rs_grid_cell_named(g, row, "behind");

	if (!nr->known || !ns->known || !end->known || (q->end_ns && ns->u <= q->ahead_ns))
		return;
	q->ahead = nr->u;
	q->ahead_ns = ns->u;
	q->end_ns = end->u;
	rs_copy(q->behind, sizeof q->behind, behind->known && behind->s ? behind->s : "");
}

void rs_timeline_queue_read(struct rs_tl_queue *q)
{
	struct rs_grid g;

	q->end_ns = 0;
	if (!q->question.answer)
		return;
	rs_grid_init(&g, &timeline_queue_view(q)->view);
	if (rs_grid_read(&g, q->question.answer))
		for (size_t row = 0; row < g.nr; row++)
			timeline_queue_read_row(q, &g, row);
	rs_grid_done(&g);
}

void rs_timeline_queue_done(struct rs_tl_queue *q)
{
	if (q->question.machine)
		rs_question_done(&q->question);
	q->end_ns = 0;
}

/* "17 ahead, 11.9ms", with its culprit where there is room for it; "": unknown. */
void rs_timeline_queue_words(const struct rs_tl_queue *q, bool whole, char *text, size_t size_bytes)
{
	char length[RS_SCREEN_TEXT];

	*text = '\0';
	if (!q->end_ns)
		return;
	snprintf(text, size_bytes, "%llu ahead, %s%s%s", (unsigned long long)q->ahead,
		 rs_screen_duration(q->ahead_ns, length), whole && *q->behind ? ", most of it of " : "",
		 whole ? q->behind : "");
}

/* ---- drawing ---- */

/* Requests that are with the disk at that time, as far as it has rows for them. */
static unsigned int timeline_queue_depth(const struct rs_tl_picture *p, const struct rs_tl_row *row,
					 uint64_t at_ns)
{
	unsigned int depth = 0;

	for (const struct rs_tl_row *other = p->rows; other < p->rows + p->nr_rows; other++)
		depth += other->track == row->track && other->shape == RS_SPAN_ASYNC &&
			 rs_timeline_run_at(p, other, at_ns);
	return depth;
}

/* Several requests in a cell: how many are in the disk, of 8, in the color of whom it serves most. */
static void timeline_queue_draw_depth(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				      const struct rs_tl_row *row, int from, int to)
{
	for (int cell = from; cell < to; cell++) {
		unsigned int depth = timeline_queue_depth(&t->picture, row, t->axis.from_ns +
							  (uint64_t)cell * t->axis.cell_ns);

		depth = depth < 1 ? 1 : depth > 8 ? 8 : depth;
		rs_put_glyph(c, y, t->label_width + cell, RS_STYLE_DIM, RS_GLYPH_SPARK + depth);
	}
}

/* "backup/4242" of thread 4242. */
static int64_t timeline_queue_tid(const char *label)
{
	long long tid = 0;
	const char *slash = strrchr(label, '/');

	return slash && sscanf(slash + 1, "%lld", &tid) == 1 ? tid : 0;
}

/* Whole if it fits, then without the thread, then its first letters: the color tells whose it is as well. */
static void timeline_queue_put_name(struct rs_canvas *c, int y, int x, int width, enum rs_style_id style_id,
				    const char *label)
{
	char name[72];
	const char *slash = strrchr(label, '/');

	snprintf(name, sizeof name, "%s", label);
	if (slash && rs_put_text_columns(name, rs_canvas_ascii(c)) > width)
		name[slash - label < (long)sizeof name ? slash - label : (long)sizeof name - 1] = '\0';
	rs_put_padded(c, y, x, width, style_id, name);
}

/* Returns the columns of the run of the request; 0: it shares one with others. */
static int timeline_queue_own_columns(const struct rs_timeline_screen *t, const struct rs_tl_row *row)
{
	const struct rs_tl_queue *q = &t->cast.queue;
	const struct rs_wire_run *run = rs_timeline_run_at(&t->picture, row, q->end_ns - 1);

	if (!run || run->nr > 1 || timeline_queue_tid(row->labels[run->label]) != q->tid)
		return 0;
	return (int)(run->to - run->from);
}

void rs_timeline_queue_draw_run(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				const struct rs_tl_row *row, const struct rs_wire_run *run, int from, int to)
{
	const char *label = row->labels[run->label];
	int64_t tid = timeline_queue_tid(label);
	bool victim = t->cast.only && tid && tid == t->cast.tid;
	enum rs_style_id style_id = victim ? RS_STYLE_SELECTED : rs_timeline_slice_style(label);
	int x = t->label_width + from;

	if (run->nr > 1) {
		timeline_queue_draw_depth(t, c, y, row, from, to);
		return;
	}
	rs_put_glyph(c, y, x, style_id, RS_GLYPH_VLINE);
	if (to - from > 1)
		timeline_queue_put_name(c, y, x + 1, to - from - 1, style_id, victim ? QUEUE_YOU : label);
}

/*
 * The request that was waited for, also where it shares a cell, and how many were ahead where there is room:
 * what follows it is of no interest.
 */
void rs_timeline_queue_draw_ahead(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				  const struct rs_tl_row *row)
{
	const struct rs_tl_queue *q = &t->cast.queue;
	int cell = q->end_ns ? rs_chart_axis_cell(&t->axis, q->end_ns - 1) : -1,
	    room = (int)t->axis.nr_cells - cell, x = t->label_width + cell, columns;
	char text[64];

	if (cell < 0 || room < 1)
		return;
	if (timeline_queue_own_columns(t, row) <= (int)strlen(QUEUE_YOU))
		x += rs_put(c, y, x, room, RS_STYLE_SELECTED, q->tid == t->cast.tid ? QUEUE_YOU : q->comm);
	else
		x++;
	rs_timeline_queue_words(q, false, text, sizeof text);
	columns = rs_put_text_columns(text, rs_canvas_ascii(c)) + 2;
	if (x + columns <= t->label_width + (int)t->axis.nr_cells)
		rs_put_format(c, y, x, columns, RS_STYLE_BOLD, " %s ", text);
}
