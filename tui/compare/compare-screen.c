// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare-screen.c - what changed from one time, A, to another, B: processes with a sentence, and rows
 *
 * Both are read again once, when the screen opens.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/toolkit/list.h"

#define COMPARE_TOP 3          /* lines above the list: A, B, the heading */
#define COMPARE_BOTTOM 4       /* and below it: the sentence of the selected one */
#define COMPARE_NUMBER 9       /* columns */
#define COMPARE_NUMBERS 5      /* of a row */
#define COMPARE_VERDICT 8
#define COMPARE_NAME_MOST 40
#define COMPARE_VIEW_FROM 100  /* columns of a screen that has room for the view of a row */
#define COMPARE_VIEW 16

enum compare_list { COMPARE_PROCESSES, COMPARE_ROWS, COMPARE_NR_LISTS };

struct compare {
	struct rs_screen screen; /* first */
	struct rs_question question;
	struct rs_shown_time before, time; /* A, B */
	struct rs_list lists[COMPARE_NR_LISTS];
	enum compare_list at;
	bool asked, failed;
};

static const struct rs_compare_reply *compare_reply(const struct compare *s)
{
	return s->question.answer;
}

static void compare_on_answer(void *screen, const struct rs_reply *reply)
{
	struct compare *s = screen;

	s->failed = rs_app_refused(s->screen.app, reply);
	if (!s->failed && !compare_reply(s)->nr_processes && compare_reply(s)->nr_rows)
		s->at = COMPARE_ROWS;
}

static void compare_ask(struct rs_screen *screen)
{
	struct compare *s = (struct compare *)screen;
	const struct rs_asked_time before = { rs_u(s->before.from_ns), rs_u(s->before.to_ns) };

	if (s->asked)
		return;
	s->asked = true;
	rs_question_ask(&s->question, "compare", &(struct rs_compare_request){
		.time = { rs_u(s->time.from_ns), rs_u(s->time.to_ns) }, .before = &before });
}

/* ---- drawing ---- */

static void compare_draw_time(const struct compare *s, struct rs_canvas *c, struct rs_area line,
			      bool is_after)
{
	const struct rs_shown_time *time = is_after ? &s->time : &s->before;
	const struct rs_compare_reply *r = compare_reply(s);
	uint64_t lost_ns = !r ? 0 : is_after ? r->lost_b_ns : r->lost_a_ns;
	struct rs_buf text = RS_BUF_INIT;
	char length[RS_SCREEN_TEXT];

	rs_buf_printf(&text, "%c: ", is_after ? 'B' : 'A');
	rs_app_moment(s->screen.app, time->from_ns, &text);
	rs_buf_puts(&text, " to ");
	rs_app_moment(s->screen.app, time->to_ns, &text);
	rs_buf_printf(&text, ", %s", rs_screen_duration(time->to_ns - time->from_ns, length));
	rs_put(c, line.y, line.x, line.width, RS_STYLE_TEXT, text.data);
	if (lost_ns)
		rs_put_format(c, line.y, line.x + (int)text.len, line.width - (int)text.len, RS_STYLE_WARN,
			      ", %s left out: events were lost", rs_screen_duration(lost_ns, length));
	rs_buf_done(&text);
}

/* "+1.23ms"; where it is no change without a sign. */
static const char *compare_number(struct rs_value ns, bool is_change, char text[RS_SCREEN_TEXT + 1])
{
	bool minus = is_change && ns.i < 0;

	if (!ns.known)
		return "-";
	*text = minus ? '-' : '+';
	rs_screen_duration(minus ? -(uint64_t)ns.i : ns.u, text + 1);
	return text + !is_change;
}

/* Of these, which the most important ones come first, as many as there is room for; the first is a change. */
static void compare_put_numbers(struct rs_canvas *c, struct rs_area line, enum rs_style_id style_id,
				const struct rs_value *ns, unsigned int nr)
{
	char text[RS_SCREEN_TEXT + 1];

	for (unsigned int i = 0; i < nr && (int)(i + 1) * COMPARE_NUMBER <= line.width; i++)
		rs_put_right(c, line.y, line.x + (int)i * COMPARE_NUMBER, COMPARE_NUMBER, style_id,
			     compare_number(ns[i], !i, text));
}

static enum rs_style_id compare_style(const char *verdict, bool selected)
{
	return selected				 ? RS_STYLE_SELECTED :
	       !strcmp(verdict, "slower")	 ? RS_STYLE_BAD :
	       !strcmp(verdict, "faster")	 ? RS_STYLE_GOOD :
						   RS_STYLE_TEXT;
}

/* Where the columns of a list begin: view, name, verdict, and then numbers. */
struct compare_columns {
	int view, name, verdict, numbers; /* view: columns that it has, 0: there is no room for it */
};

static struct compare_columns compare_columns_of(enum compare_list list, struct rs_area line)
{
	struct compare_columns at = { .name = line.x };
	int width = line.width / 3;

	if (list == COMPARE_ROWS && line.width >= COMPARE_VIEW_FROM)
		at.view = COMPARE_VIEW;
	at.name += at.view + (at.view > 0);
	if (list == COMPARE_ROWS && line.width >= COMPARE_VIEW_FROM)
		width = line.width - at.name - 1 - COMPARE_VERDICT - COMPARE_NUMBERS * COMPARE_NUMBER;
	at.verdict = at.name + 1 + (width > COMPARE_NAME_MOST ? COMPARE_NAME_MOST : width);
	at.numbers = at.verdict + COMPARE_VERDICT;
	return at;
}

static void compare_draw_process(const struct rs_wire_process_change *p, struct rs_canvas *c,
				 struct rs_area line, bool selected)
{
	enum rs_style_id style_id = compare_style(p->verdict, selected);
	const struct compare_columns at = compare_columns_of(COMPARE_PROCESSES, line);
	const struct rs_value ns[] = { p->change_ns, p->a_ns, p->b_ns };
	int unit = at.numbers + 3 * COMPARE_NUMBER + 2;

	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_put_cut(c, line.y, at.name, at.verdict - at.name - 1, style_id, p->process);
	rs_put(c, line.y, at.verdict, COMPARE_VERDICT, style_id, p->verdict);
	compare_put_numbers(c, (struct rs_area){ line.y, at.numbers, 1, line.x + line.width - at.numbers },
			    style_id, ns, 3);
	rs_put_cut(c, line.y, unit, line.x + line.width - unit, style_id, p->unit);
}

static void compare_draw_row(const struct rs_wire_row_change *r, struct rs_canvas *c, struct rs_area line,
			     bool selected)
{
	enum rs_style_id style_id = compare_style(r->verdict, selected);
	const struct compare_columns at = compare_columns_of(COMPARE_ROWS, line);
	const struct rs_value ns[COMPARE_NUMBERS] = { r->cost_ns, r->p50_a_ns, r->p50_b_ns, r->p99_a_ns,
						      r->p99_b_ns };

	rs_put_padded(c, line.y, line.x, line.width, style_id, "");
	rs_put_cut(c, line.y, line.x, at.view, style_id, r->view);
	rs_put_cut(c, line.y, at.name, at.verdict - at.name - 1, style_id, r->key);
	rs_put(c, line.y, at.verdict, COMPARE_VERDICT, style_id, r->verdict);
	compare_put_numbers(c, (struct rs_area){ line.y, at.numbers, 1, line.x + line.width - at.numbers },
			    style_id, ns, COMPARE_NUMBERS);
}

static void compare_draw_heading(const struct compare *s, struct rs_canvas *c, struct rs_area line)
{
	static const char *const titles[COMPARE_NR_LISTS][COMPARE_NUMBERS + 1] = {
		[COMPARE_PROCESSES] = { "CHANGE", "A", "B" },
		[COMPARE_ROWS] = { "COST/s", "p50 A", "p50 B", "p99 A", "p99 B" },
	};
	const struct compare_columns at = compare_columns_of(s->at, line);
	int x = at.numbers, end = line.x + line.width;

	rs_put_padded(c, line.y, line.x, line.width, RS_STYLE_HEADING, at.view ? "VIEW" : "");
	rs_put(c, line.y, at.name, at.verdict - at.name - 1, RS_STYLE_HEADING,
	       s->at == COMPARE_ROWS ? "KEY" : "PROCESS");
	rs_put(c, line.y, at.verdict, COMPARE_VERDICT, RS_STYLE_HEADING, "VERDICT");
	for (unsigned int i = 0; titles[s->at][i] && x + COMPARE_NUMBER <= end; i++, x += COMPARE_NUMBER)
		rs_put_right(c, line.y, x, COMPARE_NUMBER, RS_STYLE_HEADING, titles[s->at][i]);
	if (s->at == COMPARE_PROCESSES)
		rs_put(c, line.y, x + 2, end - x - 2, RS_STYLE_HEADING, "FOR EACH");
}

static void compare_draw_list(struct compare *s, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_compare_reply *r = compare_reply(s);
	struct rs_list *l = &s->lists[s->at];
	struct rs_area line = { area.y, area.x, 1, area.width };

	rs_list_fit(l, s->at == COMPARE_ROWS ? r->nr_rows : r->nr_processes, (size_t)area.height);
	for (size_t at = l->top; at < l->nr && at < l->top + (size_t)area.height; at++, line.y++)
		if (s->at == COMPARE_ROWS)
			compare_draw_row(&r->rows[at], c, line, at == l->at);
		else
			compare_draw_process(&r->processes[at], c, line, at == l->at);
}

static void compare_draw_nothing(const struct compare *s, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_compare_reply *r = compare_reply(s);
	struct rs_buf text = RS_BUF_INIT;

	if (s->at == COMPARE_ROWS)
		rs_buf_puts(&text, "no row of a view differs");
	else
		rs_buf_printf(&text, "no difference found: none of %llu processes takes longer, or less, for "
				     "its work",
			      (unsigned long long)r->nr_compared);
	if (r->nr_undetermined)
		rs_buf_printf(&text, "; undetermined: %llu (too short a time, or other work than before)",
			      (unsigned long long)r->nr_undetermined);
	rs_put_wrapped(c, area, RS_STYLE_GOOD, text.data);
	rs_buf_done(&text);
}

/* The sentence of a process, and the evidence below it; of a row view and key, which may have been cut. */
static void compare_draw_selected(const struct compare *s, struct rs_canvas *c, struct rs_area area)
{
	const struct rs_compare_reply *r = compare_reply(s);
	size_t at = s->lists[s->at].at;
	int used;

	if (s->at == COMPARE_ROWS && at < r->nr_rows) {
		rs_put_format(c, area.y, area.x, area.width, RS_STYLE_TEXT, "%s: %s", r->rows[at].view,
			      r->rows[at].key);
	} else if (s->at == COMPARE_PROCESSES && at < r->nr_processes) {
		used = rs_put_wrapped(c, (struct rs_area){ area.y, area.x, area.height - 1, area.width },
				      RS_STYLE_TEXT, r->processes[at].text);
		rs_put_cut(c, area.y + used, area.x, area.width, RS_STYLE_DIM,
			   r->processes[at].evidence ? r->processes[at].evidence : "");
	}
}

static void compare_draw(struct rs_screen *screen, struct rs_canvas *c, struct rs_area area)
{
	struct compare *s = (struct compare *)screen;
	int height = area.height - COMPARE_TOP - COMPARE_BOTTOM;
	struct rs_area list = { area.y + COMPARE_TOP, area.x, height > 0 ? height : 1, area.width };

	compare_draw_time(s, c, (struct rs_area){ area.y, area.x, 1, area.width }, false);
	compare_draw_time(s, c, (struct rs_area){ area.y + 1, area.x, 1, area.width }, true);
	compare_draw_heading(s, c, (struct rs_area){ area.y + 2, area.x, 1, area.width });
	if (!compare_reply(s)) {
		rs_put(c, list.y, list.x, list.width, RS_STYLE_DIM,
		       s->failed ? "they cannot be compared" : "both times are being read ...");
		return;
	}
	compare_draw_list(s, c, list);
	if (!s->lists[s->at].nr)
		compare_draw_nothing(s, c, list);
	else if (height > 0)
		compare_draw_selected(s, c, (struct rs_area){ list.y + list.height, area.x, COMPARE_BOTTOM,
							      area.width });
}

/* ---- keys ---- */

enum { COMPARE_OTHER = 1 };

const struct rs_key rs_compare_keys[] = {
	{ { RS_KEY_TAB, RS_KEY_BACK_TAB }, COMPARE_OTHER, "Rows", "rows of views that differ, or processes" },
	{ .help = NULL },
};

static bool compare_act(struct rs_screen *screen, int action, const struct rs_key_event *key)
{
	struct compare *s = (struct compare *)screen;

	if (action == COMPARE_OTHER)
		s->at = s->at == COMPARE_ROWS ? COMPARE_PROCESSES : COMPARE_ROWS;
	return true;
}

static bool compare_key(struct rs_screen *screen, const struct rs_key_event *event)
{
	struct compare *s = (struct compare *)screen;
	struct rs_list *l = &s->lists[s->at];
	size_t at = l->top + (size_t)(event->y - COMPARE_TOP);

	if (event->key == RS_KEY_MOUSE || event->key == RS_KEY_MOUSE_DOUBLE) {
		if (event->y >= COMPARE_TOP && at < l->nr)
			rs_list_to(l, at);
		return true;
	}
	return rs_list_key(l, rs_list_arrow(event->key));
}

/* What was selected is of B, whose time other screens open on. */
static bool compare_get_selection(struct rs_screen *screen, struct rs_screen_selection *out)
{
	const struct compare *s = (const struct compare *)screen;

	*out = (struct rs_screen_selection){ .column = -1, .from_ns = s->time.from_ns,
					     .to_ns = s->time.to_ns };
	return true;
}

static void compare_free(struct rs_screen *screen)
{
	rs_question_done(&((struct compare *)screen)->question);
	free(screen);
}

static const struct rs_screen_ops compare_ops = {
	.name = "compare",
	.keys = rs_compare_keys,
	.ask = compare_ask,
	.draw = compare_draw,
	.act = compare_act,
	.key = compare_key,
	.selection = compare_get_selection,
	.free = compare_free,
	.help_text =
		"What changed from A to B, as ringside-diff(1) has it: each time is divided into "
		"blocks, and told is what differs by more than the blocks of one time do among "
		"themselves.\n"
		"A and B are for one unit of a process' work, a call that it does once for each; "
		"second: nothing tells how much work it did. Below is the change of the selected one as "
		"a sentence, whose parts sum to it, and its 95 % interval.\n"
		"Tab lists the rows of views that differ, of each view what costs most first: COST/s is "
		"how much more of its time there is in each second.\n"
		"Times of a few hundred milliseconds are too short for most processes. t opens the "
		"timeline on B.\n",
};

struct rs_screen *rs_compare_screen_new(struct rs_app *app, const struct rs_shown_time *before,
					const struct rs_shown_time *time)
{
	struct compare *s = rs_screen_new(app, &compare_ops, sizeof *s);

	if (!s)
		return NULL;
	s->question = (struct rs_question){ .machine = s->screen.machine, .answered = compare_on_answer,
					    .of = s };
	s->before = *before;
	s->time = *time;
	return &s->screen;
}
