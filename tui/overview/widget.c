// SPDX-License-Identifier: GPL-2.0-or-later
/* widget.c - a part of the overview: sends one request, keeps the answer, draws it in a few lines */
#include "tui/overview/widget.h"

#include <stdlib.h>

#include "tui/app/app.h"

/* What is refused is not shown. */
static void widget_answered(void *of, const struct rs_reply *reply)
{
	struct rs_widget *widget = of;

	widget->answered = true;
	widget->nr_rows = 0;
	widget->from_ns = widget->to_ns = 0;
	if (reply->message)
		widget->ops->answered(widget, reply->message);
}

void *rs_widget_new(struct rs_tui_machine *machine, size_t bytes, const struct rs_widget *as)
{
	struct rs_widget *widget = calloc(1, bytes);

	if (!widget)
		return NULL;
	*widget = *as;
	widget->app = machine->app;
	widget->machine = machine;
	widget->question = (struct rs_question){ .machine = machine, .answered = widget_answered,
						 .of = widget, .pauses = true };
	return widget;
}

bool rs_widget_copy(struct rs_widget *widget, size_t row, struct rs_buf *out)
{
	return widget->ops->copy && row < widget->nr_rows && widget->ops->copy(widget, row, out);
}

void rs_widget_free(struct rs_widget *widget)
{
	rs_question_done(&widget->question);
	if (widget->ops->free)
		widget->ops->free(widget);
	free(widget);
}

bool rs_widget_select_task(struct rs_screen_selection *out, const char *comm, int64_t pid, int64_t tid)
{
	*out = (struct rs_screen_selection){ .column = -1 };
	rs_selection_add_task(&out->keys, comm ? comm : "-", pid, tid);
	return pid || tid;
}

void rs_widget_note_time(struct rs_widget *widget, struct rs_value from_ns, struct rs_value to_ns)
{
	widget->from_ns = to_ns.known ? from_ns.u : 0;
	widget->to_ns = from_ns.known ? to_ns.u : 0;
}

static int widget_width_of(const struct rs_widget_word *word, bool ascii)
{
	int columns = rs_put_text_columns(word->text, ascii);

	return !*word->text ? 0 : (columns > word->least ? columns : word->least) + 1;
}

/*
 * Returns the columns that a word needs: all, or for a word that may be cut, the part of its begin and its
 * last part.
 */
static int need_of(const struct rs_widget_word *word, bool ascii)
{
	int width = widget_width_of(word, ascii),
	    need = word->need + (word->last ? rs_put_text_columns(word->last, ascii) : 0);

	return word->need && need + 1 < width ? need + 1 : width;
}

static int width_of_all(const struct rs_widget_word *words, size_t nr, bool ascii)
{
	int width = 0;

	for (size_t i = 0; i < nr; i++)
		width += need_of(&words[i], ascii);
	return width - 1;
}

static struct rs_widget_word *least_of(struct rs_widget_word *words, size_t nr)
{
	struct rs_widget_word *least = NULL;

	for (size_t i = 0; i < nr; i++)
		if (*words[i].text && words[i].worth && (!least || words[i].worth < least->worth))
			least = &words[i];
	return least;
}

/* Drops a word to make room: first those of worth 1, then padding, then the others. */
static bool widget_drop_word(struct rs_widget_word *words, size_t nr)
{
	struct rs_widget_word *least = least_of(words, nr);

	for (size_t i = 0; i < nr && !(least && least->worth == 1); i++)
		if (words[i].least) {
			words[i].least = 0;
			return true;
		}
	if (least)
		least->text = "";
	return least;
}

/* "read(0, 0x7f…: in S, at anon_pipe_read" */
static void widget_put_word(struct rs_canvas *c, int y, int x, int width, const struct rs_widget_word *word)
{
	bool ascii = rs_canvas_ascii(c);
	int last = word->last ? rs_put_text_columns(word->last, ascii) : 0,
	    begin = rs_put_text_columns(word->text, ascii) - last;

	if (!last || last + 2 > width || begin + last <= width) {
		rs_put_cut(c, y, x, width, word->style_id, last + 2 > width && last ? word->last
			   : word->text);
		return;
	}
	x += rs_put(c, y, x, width - last - 1, word->style_id, word->text);
	rs_put_glyph(c, y, x, word->style_id, RS_GLYPH_ELLIPSIS);
	rs_put(c, y, x + 1, last, word->style_id, word->last);
}

void rs_widget_put_words(struct rs_canvas *c, struct rs_area line, struct rs_widget_word *words, size_t nr)
{
	bool ascii = rs_canvas_ascii(c);
	int x = line.x, end = line.x + line.width;

	while (width_of_all(words, nr, ascii) > line.width && widget_drop_word(words, nr))
		;
	for (size_t i = 0; i < nr && x < end; i++) {
		if (!*words[i].text)
			continue;
		widget_put_word(c, line.y, x, end - x, &words[i]);
		x += widget_width_of(&words[i], ascii);
	}
}
