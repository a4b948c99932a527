// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-stack.c - the stack of what is selected, a line for each function below the rows: where a sample
 * was, where a wait began
 */
#include <string.h>

#include "tui/timeline/timeline-screen.h"

#define STACK_LEAST_ROWS 5 /* that a stack leaves to the tracks */

void rs_timeline_stack_clear(struct rs_timeline_screen *t)
{
	rs_buf_clear(&t->stack);
	rs_buf_clear(&t->stack_modules);
}

/* Details with these names are the functions and their modules, outermost first, ';' between. */
bool rs_timeline_stack_take(struct rs_timeline_screen *t, const struct rs_wire_detail *d)
{
	struct rs_buf *of = !strcmp(d->name, "stack")   ? &t->stack :
			    !strcmp(d->name, "modules") ? &t->stack_modules :
							  NULL;

	if (of && d->value.is == RS_SCALAR_STRING)
		rs_buf_puts(of, d->value.s);
	return of;
}

static int stack_nr_frames(const struct rs_timeline_screen *t)
{
	int nr = t->stack.len > 0;

	for (size_t i = 0; i < t->stack.len; i++)
		nr += t->stack.data[i] == ';';
	return nr;
}

int rs_timeline_stack_lines(const struct rs_timeline_screen *t, int height)
{
	int nr = t->selected && !t->path.nr ? stack_nr_frames(t) : 0,
	    most = height / 2 < height - STACK_LEAST_ROWS ? height / 2 : height - STACK_LEAST_ROWS;

	return nr < most ? nr : most > 0 ? most : 0;
}

/* Takes the last word of a list, and leaves those before it. */
static size_t stack_take_last(const char *list, size_t *len, const char **word)
{
	size_t end = *len, from = end;

	while (from && list[from - 1] != ';')
		from--;
	*word = list + from;
	*len = from ? from - 1 : 0;
	return end - from;
}

/* "deflate_slow (libz.so.1)", below it what called it. What does not fit is counted. */
void rs_timeline_stack_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area)
{
	int nr = stack_nr_frames(t),
	    shown = nr <= area.height || area.height == 1 ? area.height : area.height - 1;
	size_t len = t->stack.len, modules_len = t->stack_modules.len;

	for (int i = 0; i < shown && i < nr; i++) {
		const char *function, *module = "";
		int x = area.x, end = area.x + area.width;
		size_t nr_bytes = stack_take_last(t->stack.data, &len, &function);
		size_t module_bytes = modules_len ?
					      stack_take_last(t->stack_modules.data, &modules_len, &module) :
					      0;

		x += rs_put(c, area.y + i, x, end - x, RS_STYLE_DIM, i ? "from " : "at   ");
		x += rs_put_format(c, area.y + i, x, end - x, i ? RS_STYLE_TEXT : RS_STYLE_BOLD, "%.*s",
				   (int)nr_bytes, function);
		if (module_bytes)
			rs_put_format(c, area.y + i, x, end - x, RS_STYLE_DIM, " (%.*s)", (int)module_bytes,
				      module);
	}
	if (shown < area.height)
		rs_put_format(c, area.y + shown, area.x, area.width, RS_STYLE_DIM,
			      "     and %d more that called it", nr - shown);
}
