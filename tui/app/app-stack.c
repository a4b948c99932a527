// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-stack.c - the stack of screens: a new screen comes on top, Backspace goes back
 *
 * A screen with a key of its own is on the stack at most once. The breadcrumb then shows the last way to it,
 * even if the user opened the timeline five times.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"

struct rs_screen *rs_app_top(const struct rs_app *app)
{
	return app->nr_stack ? app->stack[app->nr_stack - 1] : NULL;
}

void rs_app_stack_free_closed(struct rs_app *app)
{
	while (app->nr_closed) {
		struct rs_screen *s = app->closed[--app->nr_closed];

		if (s->ops->free)
			s->ops->free(s);
		else
			free(s);
	}
}

static void stack_forget(struct rs_app *app, struct rs_screen *s)
{
	rs_machine_set_forget(app, s);
	if (app->prompt_of == s)
		rs_prompt_drop(&app->prompt);
}

/* The screen may close itself from its own function, so it is freed later, when no call is inside it. */
static void stack_free_later(struct rs_app *app, struct rs_screen *s)
{
	if (app->nr_closed == RS_MAX_STACK)
		rs_app_stack_free_closed(app);
	app->closed[app->nr_closed++] = s;
}

void rs_app_stack_close(struct rs_app *app, struct rs_screen *s)
{
	stack_forget(app, s);
	stack_free_later(app, s);
}

static void stack_remove(struct rs_app *app, unsigned int at)
{
	struct rs_screen *s = app->stack[at];

	memmove(app->stack + at, app->stack + at + 1, (app->nr_stack - at - 1) * sizeof *app->stack);
	app->nr_stack--;
	rs_app_pane_close(app, s);
	rs_app_stack_close(app, s);
}

void rs_app_stack_free(struct rs_app *app)
{
	while (app->nr_stack)
		stack_remove(app, app->nr_stack - 1);
	rs_app_stack_free_closed(app);
}

void rs_app_push(struct rs_app *app, struct rs_screen *s)
{
	if (!s)
		return;
	/* drop the oldest screen above the first: the user is least likely to go back to it */
	if (app->nr_stack == RS_MAX_STACK)
		stack_remove(app, 1);
	app->stack[app->nr_stack++] = s;
	rs_machine_set_use(app, s->machine);
	rs_app_refresh(app);
}

void rs_app_pop(struct rs_app *app)
{
	if (app->nr_stack > 1)
		rs_app_pop_to(app, app->nr_stack - 2);
}

void rs_app_pop_to(struct rs_app *app, unsigned int at)
{
	while (app->nr_stack > at + 1)
		stack_remove(app, app->nr_stack - 1);
	rs_machine_set_use(app, rs_app_top(app)->machine);
	rs_app_refresh(app);
}

static long stack_find(const struct rs_app *app, const char *name)
{
	for (unsigned int i = app->nr_stack; i--;)
		if (!strcmp(app->stack[i]->ops->name, name))
			return i;
	return -1;
}

void rs_app_open_row(struct rs_app *app, const struct rs_screen_row *row,
		     const struct rs_screen_selection *selection)
{
	long at = stack_find(app, row->name);
	struct rs_screen *s;

	if (at >= 0 && ((unsigned int)at + 1 == app->nr_stack || row->whole)) {
		rs_app_pop_to(app, (unsigned int)at);
		return;
	}
	s = row->open(app, selection); /* selection points into a screen that is still on the stack */
	if (s && at >= 0) /* the new screen lies above, so the stack does not become empty */
		stack_remove(app, (unsigned int)at);
	rs_app_push(app, s);
}

/* ---- switch to another machine ---- */

static void stack_move(struct rs_app *app)
{
	struct rs_screen *before[RS_MAX_STACK];
	unsigned int nr = app->nr_stack;

	rs_app_pane_close(app, NULL);
	memcpy(before, app->stack, sizeof before);
	app->nr_stack = 0;
	for (unsigned int i = 0; i < nr; i++) {
		stack_forget(app, before[i]);
		if (before[i]->ops->reopen)
			rs_app_push(app, before[i]->ops->reopen(before[i]));
	}
	if (!app->nr_stack) /* the first view does not exist on that machine */
		rs_app_push(app, rs_overview_new(app, NULL));
	for (unsigned int i = 0; i < nr; i++)
		stack_free_later(app, before[i]);
}

void rs_app_stack_next_machine(struct rs_app *app)
{
	unsigned int at = (unsigned int)(app->machine - app->machines);
	struct rs_screen *top = rs_app_top(app);

	if (rs_machine_set_has_hosts(app)) {
		rs_machine_set_next_host(app);
		stack_move(app);
		return;
	}
	if (app->nr_machines == 1) {
		rs_app_say(app, RS_STYLE_TEXT,
			   "there is one machine (ringside --host A,B shows several, as HOST GUEST... does "
			   "of recordings)");
		return;
	}
	rs_machine_set_use(app, &app->machines[(at + 1) % app->nr_machines]);
	if (!top->ops->go_to_machine)
		stack_move(app);
	else
		top->ops->go_to_machine(top);
	rs_app_refresh(app);
}
