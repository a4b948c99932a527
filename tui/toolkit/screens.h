/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screens.h - the kinds of screens, one row each, and the selection that they open on
 *
 * Each row of rs_screens is a screen with a key of its own. The key works on every screen that does not use it
 * itself, and the new screen opens on the selection there. The first row is the first screen.
 */
#ifndef RS_TUI_SCREENS_H
#define RS_TUI_SCREENS_H

#include "tui/toolkit/screen.h"
#include "view/columns.h"

/* ---- the selection: values of columns that name something ---- */

#define RS_MAX_SELECTION_KEYS 8

struct rs_selection_key {
	const struct rs_column *column;  /* in the catalogue */
	struct rs_value value;           /* always known; .s points to text */
	char text[72];
};

struct rs_selection_keys {
	unsigned int nr;
	struct rs_selection_key keys[RS_MAX_SELECTION_KEYS];
};

struct rs_screen_selection {
	const struct rs_catalogue_view *view;  /* NULL: no view */
	const struct rs_value *values;         /* the selected row, valid during the call; NULL: none */
	struct rs_selection_keys keys;           /* from the row, and from the rows that led to this screen */
	int column;                            /* the selected column of the view; -1: none */
};

/*
 * Adds the columns of a row that name something. A thread of the row replaces its process: if keys has pid and the
 * row has pid and tid, the selection becomes that thread.
 */
void rs_selection_add(struct rs_selection_keys *keys, const struct rs_view *view,
		      const struct rs_value *values);
/* Adds a task: its name, its process, and its thread if that is another. 0, and a comm of "-", are unknown. */
void rs_selection_add_task(struct rs_selection_keys *keys, const char *comm, int64_t pid, int64_t tid);
void rs_selection_copy(struct rs_selection_keys *to, const struct rs_selection_keys *from);
const struct rs_selection_key *rs_selection_key(const struct rs_selection_keys *keys, const char *name); /* NULL: none */
/* Returns the number with that name, or -1. */
int64_t rs_selection_number(const struct rs_selection_keys *keys, const char *name);
/*
 * Writes a filter: "pid == 4242 && syscall == \"read\"", from the keys that this view has. Returns false if it has
 * none.
 */
bool rs_selection_where(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/*
 * Writes the columns that the view must group by, so that the filter works and a process is split into threads:
 * "tid,syscall". Returns false if the view's default grouping does.
 */
bool rs_selection_by(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/* Writes "postgres (4242) read", for a breadcrumb. */
void rs_selection_title(const struct rs_selection_keys *keys, struct rs_buf *out);

/* ---- the rows ---- */

struct rs_screen_row {
	const char *name;        /* "timeline": also for --screen */
	uint32_t key;            /* opens it from any screen; 0: none */
	const char *label;       /* for the footer; NULL: only in the help */
	const char *help;        /* one line, no full stop */
	bool whole;              /* shows everything, not a selection: opening it again goes back to the same screen */
	/* selection: NULL: nothing is selected. Returns NULL after showing the reason by rs_app_say. */
	struct rs_screen *(*open)(struct rs_app *app, const struct rs_screen_selection *selection);
};

/* Ends with a NULL name. */
extern const struct rs_screen_row rs_screens[];
const struct rs_screen_row *rs_screen_row(const char *name);   /* NULL: none */

/* ---- screens that other screens open ---- */

/* where: the filter that the user typed; NULL: none. keys: NULL: none. */
struct rs_screen *rs_table_new(struct rs_app *app, const struct rs_catalogue_view *view,
			       const struct rs_selection_keys *keys, const char *where);
struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_timeline_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_latency_histogram_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_heat_map_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_details_new(struct rs_app *app, const struct rs_screen_selection *selection);
/* The screen with the rows that show why a finding is true. */
struct rs_screen *rs_details_new_evidence(struct rs_app *app, const struct rs_wire_finding *finding);
/* Opens a view with that filter, grouping and sort order; by "": the view's default. */
struct rs_screen *rs_table_new_as(struct rs_app *app, const struct rs_catalogue_view *view, const char *where, const char *by,
				  const struct rs_sort *sort);
struct rs_screen *rs_screens_pick(struct rs_app *app);
struct rs_screen *rs_help_screen_new(struct rs_app *app, struct rs_screen *of);

#endif
