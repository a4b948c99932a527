/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-screen.h - what the files of the table share: a view as a table, a live log, or bars */
#ifndef RS_TUI_TABLE_SCREEN_H
#define RS_TUI_TABLE_SCREEN_H

#include "tui/toolkit/bars.h"
#include "tui/table/grid.h"
#include "tui/toolkit/list.h"
#include "tui/toolkit/screens.h"

#define RS_WHERE_BYTES 1024

/* What the user types of a question: until the engine has taken it, the rows and the title are of what was before. */
struct rs_typed {
	char text[RS_WHERE_BYTES];     /* of which the rows are */
	char tried[RS_WHERE_BYTES];    /* typed since: on its way, or refused */
	bool tries, asked;             /* it is to be asked; the question that is open has it */
};

struct rs_table {
	struct rs_screen screen;       /* first */
	const struct rs_catalogue_view *of;
	struct rs_grid grid;
	struct rs_selection_keys keys;   /* what the screen was come by */
	struct rs_typed where;         /* the filter; "": none */
	struct rs_typed by;            /* "comm,syscall"; "": as the view groups by itself */
	char search[64], mark[64];     /* typed so far, taken */
	struct rs_list list;
	unsigned int first;            /* leftmost column */
	bool asked, ask_again;         /* an answer is on its way; and is out of date */
	bool frozen, by_line, totals;
	bool everything;               /* the end, or a match, is looked for: all rows */
	bool searching;                /* no match so far, and more rows are on their way */
	bool selected;                 /* the user moved to a row: it stays selected wherever it goes */
	uint64_t identity;             /* of that row */
	char refused[300];             /* why the last answer was none */
};

bool rs_table_sticks(const struct rs_table *t);    /* a log, at its end: new rows scroll it */
void rs_table_ask(struct rs_screen *s);
void rs_table_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);
int rs_table_heading_y(const struct rs_table *t);
/* What the rows are of: keys, and a filter, as t->where. */
void rs_table_where(const struct rs_table *t, const char *filter, struct rs_buf *out);
/* "by" of a question: a list of what is between the commas. */
struct rs_table_by {
	char names[128];
	const char *list[RS_MAX_BY];
	size_t nr;
};
void rs_table_screen_split_by(const char *by, struct rs_table_by *to);
extern const struct rs_key rs_table_keys[];
bool rs_table_act(struct rs_screen *s, int action, const struct rs_key_event *key);
bool rs_table_key(struct rs_screen *s, const struct rs_key_event *key);
void rs_table_choose_columns(struct rs_table *t);
void rs_table_choose_sort(struct rs_table *t);
/* By the n-th column shown; the same again: the other way. */
void rs_table_sort_by(struct rs_table *t, unsigned int shown);
void rs_table_search(struct rs_table *t, int step, bool here);

#endif
