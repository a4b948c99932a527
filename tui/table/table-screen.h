/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-screen.h - shared by the files of the table screen: a view as a table, a live log, or bars */
#ifndef RS_TUI_TABLE_SCREEN_H
#define RS_TUI_TABLE_SCREEN_H

#include "tui/app/grid.h"
#include "tui/toolkit/list.h"
#include "tui/app/question.h"
#include "tui/app/screen.h"

#define RS_WHERE_BYTES 1024

struct rs_table {
	struct rs_screen screen;       /* first */
	const struct rs_catalogue_view *of;
	struct rs_grid grid;
	struct rs_selection_keys keys;   /* what the selection was when the screen opened */
	char where[RS_WHERE_BYTES];    /* the filter; "": none */
	char by[RS_WHERE_BYTES];       /* "comm,syscall"; "": the view's default */
	char search[64], mark[64];     /* while typing; after Enter */
	struct rs_list list;
	unsigned int first;            /* first column after scrolling */
	struct rs_question question;
	bool ask_again;                /* the pending answer is outdated */
	bool frozen, by_line, totals;
	bool everything;               /* load all rows, to find a match or to show the end */
	bool searching;                /* no match yet, and more rows are coming */
	bool selected;                 /* the user moved to a row: the selection follows it */
	uint64_t identity;             /* of that row */
	/* of what is alike: to this wait, in all that there is; .tid 0: of another view */
	struct rs_wire_wait alike_to;
	char refused[300];             /* why the last request failed; "": it did not */
};

/* the cursor is at the end of a log: new rows scroll it */
bool rs_table_follows_end(const struct rs_table *t);
#define RS_TABLE_LEAST_SUMMARY 12 /* columns: shorter, the summary of a view is unreadable */

void rs_table_ask(struct rs_screen *s);
int rs_table_heading_y(const struct rs_table *t);
/* "comm,syscall" as a list of names, for a request. */
struct rs_table_by {
	char names[RS_WHERE_BYTES];
	const char *list[RS_MAX_BY];
	size_t nr;
};
void rs_table_screen_split_by(const char *by, struct rs_table_by *to);
/* Writes the filter of the rows: of what the screen was opened on, and that of the app. */
void rs_table_screen_put_where(const struct rs_table *t, struct rs_buf *out);
void rs_table_copy(struct rs_screen *s, struct rs_buf *out);
/* Returns the screen of a selected row: of a wait where its time went, else all about it. */
struct rs_screen *rs_table_open_selected(struct rs_app *app, const struct rs_screen_selection *selection);
bool rs_table_can(const struct rs_screen *s, int action);
bool rs_table_act(struct rs_screen *s, int action, const struct rs_key_event *key);
bool rs_table_key(struct rs_screen *s, const struct rs_key_event *key);
void rs_table_search(struct rs_table *t, int step, bool here);

#endif
