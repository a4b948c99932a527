/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - a cursor in a list of rows that scrolls */
#ifndef RS_TUI_LIST_H
#define RS_TUI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_list {
	size_t nr;       /* rows of the list */
	size_t at, top;  /* the selected row, the first visible row */
	size_t height;   /* visible rows, as last drawn */
};

/* Moves the cursor by an arrow, page, Home or End key. Returns false for any other key. */
bool rs_list_key(struct rs_list *l, uint32_t key);
/* The key that j, k, g, G stand for where nothing is typed; any other one as it is. */
uint32_t rs_list_arrow(uint32_t key);
void rs_list_to(struct rs_list *l, size_t at);
/* Sets the number of rows and of visible rows; keeps the cursor inside, and visible. */
void rs_list_fit(struct rs_list *l, size_t nr, size_t height);
/* Scrolls. Moves the cursor only as far as needed to keep it visible. */
void rs_list_scroll(struct rs_list *l, long by);

#endif
