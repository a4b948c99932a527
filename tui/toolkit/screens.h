/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screens.h - which kinds of screen there are, a row each, and what they open on
 *
 * A screen that opens by a key from anywhere is one row of rs_screens: its key works on every screen that does not
 * take that key itself, and it opens on what is selected there. The first row is what is seen first.
 */
#ifndef RS_TUI_SCREENS_H
#define RS_TUI_SCREENS_H

#include "tui/toolkit/screen.h"
#include "view/columns.h"

/* ---- what a selection is about: values of columns that name something ---- */

#define RS_MAX_SELECTION_KEYS 8

struct rs_selection_key {
	const struct rs_column *column;  /* of the catalogue */
	struct rs_value value;           /* known; of text .s points to text */
	char text[72];
};

struct rs_selection_keys {
	unsigned int nr;
	struct rs_selection_key keys[RS_MAX_SELECTION_KEYS];
};

struct rs_screen_selection {
	const struct rs_catalogue_view *view;  /* NULL: of no view */
	const struct rs_value *values;         /* the selected row, for as long as the call; NULL none */
	struct rs_selection_keys keys;           /* of the row, and of the rows it was come by */
	int column;                            /* of the view, that is meant; -1 none */
};

/*
 * Adds what names something in a row. What a process was come to by, a thread of it replaces: keys
 * has pid, the row has pid and tid: then it is about the thread.
 */
void rs_selection_add(struct rs_selection_keys *keys, const struct rs_view *view,
		      const struct rs_value *values);
/* A task by its name, its process, and its thread where that is another; 0, and a comm of "-", are not known. */
void rs_selection_add_task(struct rs_selection_keys *keys, const char *comm, int64_t pid, int64_t tid);
void rs_selection_copy(struct rs_selection_keys *to, const struct rs_selection_keys *from);
const struct rs_selection_key *rs_selection_key(const struct rs_selection_keys *keys, const char *name); /* NULL: none */
/* A number of that name, or -1. */
int64_t rs_selection_number(const struct rs_selection_keys *keys, const char *name);
/* "pid == 4242 && syscall == \"read\"": of the keys that this view has; false, and nothing written: none. */
bool rs_selection_where(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/*
 * How the view must group its rows so that the keys can be compared, and a process is seen as its threads:
 * "tid,syscall". False, and nothing written: as it does by itself.
 */
bool rs_selection_by(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/* "postgres (4242) read": for a breadcrumb. */
void rs_selection_title(const struct rs_selection_keys *keys, struct rs_buf *out);

/* ---- the rows ---- */

struct rs_screen_row {
	const char *name;        /* "timeline": also for --screen */
	uint32_t key;            /* opens it from any screen; 0 none */
	const char *label;       /* footer; NULL: in the help alone */
	const char *help;        /* one line, no full stop */
	bool whole;              /* of no subject: one that is there is gone back to, with all that it shows */
	/* subject: what is selected, NULL nothing. NULL returned: it said why by rs_app_say */
	struct rs_screen *(*open)(struct rs_app *app, const struct rs_screen_selection *selection);
};

/* Ends with a NULL name. */
extern const struct rs_screen_row rs_screens[];
const struct rs_screen_row *rs_screen_row(const char *name);   /* NULL: none */

/* ---- those that other screens open ---- */

/* where: what the user typed, NULL nothing. keys: NULL none. */
struct rs_screen *rs_table_new(struct rs_app *app, const struct rs_catalogue_view *view,
			       const struct rs_selection_keys *keys, const char *where);
struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_timeline_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_latency_histogram_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_heat_map_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_details_new(struct rs_app *app, const struct rs_screen_selection *selection);
/* Rows that show why a sentence is true; "": none. */
struct rs_why {
	char view[40], sort[40], where[120], by[64];
};

struct rs_screen *rs_details_new_evidence(struct rs_app *app, const char *sentence, const struct rs_why *why, size_t nr);
/* A view, filtered, grouped and sorted; by "": as it does by itself. */
struct rs_screen *rs_table_new_as(struct rs_app *app, const struct rs_catalogue_view *view, const char *where, const char *by,
				  const struct rs_sort *sort);
struct rs_screen *rs_picker_new(struct rs_app *app);
struct rs_screen *rs_help_screen_new(struct rs_app *app, struct rs_screen *of);

#endif
