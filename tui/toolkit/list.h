/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - a cursor over rows of which some are in sight */
#ifndef RS_TUI_LIST_H
#define RS_TUI_LIST_H

#include "tui/toolkit/screen.h"

struct rs_list {
	size_t nr;       /* rows there are */
	size_t at, top;  /* the selected one, the first in sight */
	size_t height;   /* rows in sight, of the last draw */
};

/* How the usual keys move; 0: it is none of them, nothing moved. */
bool rs_list_key(struct rs_list *l, uint32_t key);
void rs_list_to(struct rs_list *l, size_t at);
/* There are nr rows now and height of them in sight: the cursor stays among them, and in sight. */
void rs_list_fit(struct rs_list *l, size_t nr, size_t height);
/* Scrolls, the cursor only as far as it must to stay in sight. */
void rs_list_scroll(struct rs_list *l, long by);

#endif
