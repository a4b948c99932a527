// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-panel.c - draws the lines below the rows: the cursor's cell, and the selected span */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/timeline-screen.h"

const char *rs_timeline_kind_name(const struct rs_tui_machine *machine, unsigned int number)
{
	const struct rs_catalogue_kind *kind = rs_catalogue_kind(rs_client_catalogue(machine->client), number);

	return kind ? kind->name : "";
}

static void put_times(const struct rs_timeline_screen *t, struct rs_buf *out, uint64_t from_ns, uint64_t to_ns,
		      bool open)
{
	char length[RS_SCREEN_TEXT];

	rs_buf_printf(out, "%s%s   ", rs_screen_duration(to_ns > from_ns ? to_ns - from_ns : from_ns - to_ns, length), open ? " and goes on" : "");
	rs_app_moment(t->screen.app, from_ns, out);
}

/* Puts the task that took its CPU, or that woke it. */
static void timeline_panel_put_task_name(const struct rs_timeline_screen *t, struct rs_buf *out)
{
	const struct rs_tl_span *s = &t->span;
	char length[RS_SCREEN_TEXT];

	if (*s->taker_track) {
		rs_buf_printf(out, "preempted by %s (%lld), which ran for %s   g: go there", s->taker_comm,
			      (long long)s->taker_tid, rs_screen_duration(s->taker_ran_ns, length));
	} else if (s->waker_known && s->waker_tid) {
		rs_buf_printf(out, "woken by %s (%lld)   ", *s->waker_comm ? s->waker_comm : "?", (long long)s->waker_tid);
		rs_app_moment(t->screen.app, s->waker_at_ns, out);
		rs_buf_puts(out, *s->waker_track ? "   g: go there" : "");
	} else if (s->waker_known) {
		rs_buf_puts(out, "woken by an interrupt   ");
		rs_app_moment(t->screen.app, s->waker_at_ns, out);
	}
}

/* "syscall read   1.23ms   from 12.345678 s   a (10)" */
static void draw_span(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_tl_span *s = &t->span;
	struct rs_buf text = RS_BUF_INIT;
	const char *kind = rs_timeline_kind_name(rs_timeline_machine(t, s->track), s->kind);

	rs_buf_puts(&text, kind);
	if (strcmp(kind, s->label))
		rs_buf_printf(&text, " %s", s->label);
	rs_buf_puts(&text, "   ");
	put_times(t, &text, s->start_ns, s->end_ns, s->open);
	if (*s->comm || s->tid) /* a thread without a known name still has its number */
		rs_buf_printf(&text, "   %s (%lld)", *s->comm ? s->comm : "-", (long long)(s->tid ? s->tid : s->pid));
	rs_put(c, area.y, area.x, area.width, RS_STYLE_BOLD, text.data);
	rs_put(c, area.y + 1, area.x, area.width, RS_STYLE_TEXT,
	       s->details_asked ? "its details are being read ..." : s->details.data);
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
	const struct rs_tl_run *run = row ? rs_timeline_run_at(p, row, t->cursor_ns) : NULL;
	const char *kind = run ? rs_timeline_kind_name(rs_timeline_machine_of_row(t, row), run->kind) : "";
	struct rs_buf text = RS_BUF_INIT;

	rs_app_moment(t->screen.app, t->cursor_ns, &text);
	if (run && run->nr > 1)
		rs_buf_printf(&text, "   %llu of %s, most %s", (unsigned long long)run->nr, kind, p->labels[run->label]);
	else if (run)
		rs_buf_printf(&text, "   %s %s", kind, p->labels[run->label]);
	if (t->nr_marks) {
		char length[RS_SCREEN_TEXT];
		uint64_t to_ns = t->nr_marks == 2 ? t->marks[1] : t->cursor_ns;

		rs_buf_printf(&text, "   %s %s", t->nr_marks == 2 ? "between the marks:" : "from the mark:",
			      rs_screen_duration(to_ns > t->marks[0] ? to_ns - t->marks[0] : t->marks[0] - to_ns, length));
	}
	rs_put(c, area.y, area.x, area.width, t->nr_marks ? RS_STYLE_MARKED : RS_STYLE_DIM, text.data);
	rs_buf_done(&text);
}

/* A low screen has room for only the first line. */
void rs_timeline_draw_panel(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	timeline_panel_draw_cursor_text(t, c, area);
	if (area.height < 5)
		return;
	if (t->span.known)
		draw_span(t, c, (struct rs_area){ area.y + 1, area.x, area.height - 2, area.width });
	rs_timeline_draw_legend(c, (struct rs_area){ area.y + area.height - 1, area.x, 1, area.width });
}
