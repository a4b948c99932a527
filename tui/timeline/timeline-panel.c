// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-panel.c - below the rows of a timeline: the cursor's cell, the selected span, the legend */
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

static bool timeline_panel_put_entry(struct rs_canvas *c, struct rs_area line, int *x, enum rs_cause cause)
{
	const char *legend = rs_cause_row(cause)->legend;

	if (*x + 2 + (int)strlen(legend) > line.x + line.width) { /* no partial word */
		if (*x < line.x + line.width)
			rs_put_glyph(c, line.y, *x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
		return false;
	}
	rs_put(c, line.y, *x, 1, rs_canvas_cell_style(c, RS_STYLE_CAUSE + cause),
	       (char[]){ rs_cause_row(cause)->letter, '\0' });
	*x += 2;
	*x += rs_put(c, line.y, *x, line.x + line.width - *x, RS_STYLE_DIM, legend) + 2;
	return true;
}

static void timeline_panel_draw_legend(struct rs_canvas *c, struct rs_area line)
{
	int x = line.x;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++) {
		const struct rs_cause_row *row = rs_cause_row(cause);

		/* what leaves no ink needs no explanation */
		if (row->legend && row->rank < RS_RANK_IDLE && !timeline_panel_put_entry(c, line, &x, cause))
			return;
	}
}

static void timeline_panel_put_times(const struct rs_timeline_screen *t, struct rs_buf *out, uint64_t from_ns,
		      uint64_t to_ns, bool open)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_printf(out, "%s%s   ",
		      rs_screen_duration(to_ns > from_ns ? to_ns - from_ns : from_ns - to_ns, length),
		      open ? " and goes on" : "");
	rs_app_moment(t->screen.app, from_ns, out);
}

/* Puts the task that took its CPU, or that woke it. */
static void timeline_panel_put_task_name(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_span_taker *taker = t->selected->taker;
	const struct rs_span_waker *waker = t->selected->waker;
	char length[RS_SCREEN_TEXT];

	if (taker && taker->track) {
		rs_buf_printf(out, "preempted by %s (%lld), which ran for %s   x: go there",
			      taker->comm ? taker->comm : "", (long long)taker->tid,
			      rs_screen_duration(taker->ran_ns, length));
	} else if (waker && waker->tid) {
		rs_buf_printf(out, "woken by %s (%lld)   ", waker->comm && *waker->comm ? waker->comm : "?",
			      (long long)waker->tid);
		rs_app_moment(t->screen.app, waker->at_ns, out);
		rs_buf_puts(out, waker->track && *waker->track ? "   x: go there" : "");
	} else if (waker) {
		rs_buf_puts(out, "woken by an interrupt   ");
		rs_app_moment(t->screen.app, waker->at_ns, out);
	}
}

/* "syscall read"; a kind whose spans all have its name is named once. */
static void timeline_panel_put_kind(struct rs_buf *out, const char *kind, const char *label)
{
	rs_buf_puts(out, kind);
	if (label && strcmp(kind, label))
		rs_buf_printf(out, " %s", label);
}

/* "syscall read   1.23ms   from 12.345678 s   a (10)" */
static void timeline_panel_draw_span(const struct rs_timeline_screen *t, struct rs_canvas *c,
				     struct rs_area area)
{
	const struct rs_wire_span *s = rs_tl_selected(t);
	struct rs_buf text = RS_BUF_INIT;
	const char *kind = rs_timeline_kind_name(t, t->span_track, s->kind);

	timeline_panel_put_kind(&text, kind, s->label);
	rs_buf_puts(&text, "   ");
	if (rs_span_has_no_length(s->shape))
		rs_app_moment(t->screen.app, s->start_ns, &text);
	else
		timeline_panel_put_times(t, &text, s->start_ns, s->end_ns, s->open);
	if ((s->comm && *s->comm) || s->tid) /* a thread without a known name still has its number */
		rs_buf_printf(&text, "   %s (%lld)", s->comm && *s->comm ? s->comm : "-",
			      (long long)(s->tid ? s->tid : s->pid));
	rs_put(c, area.y, area.x, area.width, RS_STYLE_BOLD, text.data);
	rs_put(c, area.y + 1, area.x, area.width, RS_STYLE_TEXT,
	       t->details_asked ? "reading its details ..." : t->details.data);
	rs_buf_clear(&text);
	timeline_panel_put_task_name(t, &text);
	rs_put(c, area.y + 2, area.x, area.width, RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

/* Describes the cursor's cell with the data of the picture alone. */
static void timeline_panel_draw_cursor_text(const struct rs_timeline_screen *t, struct rs_canvas *c,
					    struct rs_area area)
{
	const struct rs_tl_picture *p = &t->picture;
	const struct rs_tl_row *row = t->row < p->nr_rows ? &p->rows[t->row] : NULL;
	const struct rs_wire_run *run = row ? rs_timeline_run_at(p, row, t->cursor_ns) : NULL;
	const char *kind = run ? rs_timeline_kind_name(t, t->tracks[row->track].name, run->kind) : "";
	struct rs_buf text = RS_BUF_INIT;

	rs_app_moment(t->screen.app, t->cursor_ns, &text);
	if (run && run->nr > 1)
		rs_buf_printf(&text, "   %llu spans, mostly ", (unsigned long long)run->nr);
	else if (run)
		rs_buf_puts(&text, "   ");
	if (run)
		timeline_panel_put_kind(&text, kind, row->labels[run->label]);
	if (t->nr_marks) {
		char length[RS_SCREEN_TEXT];
		uint64_t to_ns = t->nr_marks == 2 ? t->marks[1] : t->cursor_ns;

		rs_buf_printf(
			&text, "   %s %s", t->nr_marks == 2 ? "between the marks:" : "from the mark:",
			rs_screen_duration(to_ns > t->marks[0] ? to_ns - t->marks[0] : t->marks[0] - to_ns,
					   length));
	}
	rs_put(c, area.y, area.x, area.width, t->nr_marks ? RS_STYLE_MARKED : RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

void rs_timeline_panel_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	timeline_panel_draw_cursor_text(t, c, area);
	if (area.height < 5)
		return;
	if (t->path.nr)
		rs_timeline_path_draw_panel(
			t, c, (struct rs_area){ area.y + 1, area.x, area.height - 2, area.width });
	else if (t->selected)
		timeline_panel_draw_span(t, c, (struct rs_area){ area.y + 1, area.x, 3, area.width });
	if (area.height > RS_TL_PANEL_LINES)
		rs_timeline_stack_draw(t, c, (struct rs_area){ area.y + 4, area.x,
							       area.height - RS_TL_PANEL_LINES, area.width });
	timeline_panel_draw_legend(c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width });
}
