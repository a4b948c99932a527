// SPDX-License-Identifier: GPL-2.0-or-later
/* why-table.c - the views of a task's time, and of who took it, as tables of the selected task */
#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/table/table-screen.h"

/* Returns the key that tells the task best: its thread, its process, its name. NULL: no task is selected. */
static const struct rs_selection_key *why_table_task(const struct rs_screen_selection *selection)
{
	static const char *const names[] = { "tid", "pid", "comm" };
	const struct rs_selection_key *key = NULL;

	for (size_t i = 0; selection && !key && i < sizeof names / sizeof *names; i++)
		key = rs_selection_key(&selection->keys, names[i]);
	return key;
}

static struct rs_screen *why_table_of(struct rs_app *app, enum rs_view_role role, const char *screen,
				      const struct rs_screen_selection *selection)
{
	const struct rs_catalogue_view *view = rs_catalogue_view_of(rs_client_catalogue(app->machine->client),
								    role);
	const struct rs_selection_key *task = why_table_task(selection);
	struct rs_selection_keys keys = { .nr = 0 };
	struct rs_buf where = RS_BUF_INIT, by = RS_BUF_INIT;
	struct rs_error ignored = { 0 };
	struct rs_screen *s = NULL;
	struct rs_sort sort;

	if (!view || rs_columns_parse_sort(&view->view, view->view.sort, &sort, &ignored) < 0) {
		rs_app_say(app, RS_STYLE_WARN, "%s: this engine does not have it", screen);
		return NULL;
	}
	if (task) {
		keys.keys[keys.nr++] = *task;
		rs_selection_where(&keys, &view->view, &where);
		rs_buf_printf(&by, "%s,part,dev,type,culprit", task->column->name);
	}
	if (!where.failed && !by.failed)
		s = rs_table_new_as(app, view, where.len ? where.data : "", by.len ? by.data : "", &sort);
	rs_buf_done(&where);
	rs_buf_done(&by);
	return s;
}

struct rs_screen *rs_why_table_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	return why_table_of(app, RS_ROLE_TIME, "why", selection);
}

struct rs_screen *rs_why_table_open_antagonists(struct rs_app *app,
						const struct rs_screen_selection *selection)
{
	return why_table_of(app, RS_ROLE_ANTAGONISTS, "antagonists", selection);
}
