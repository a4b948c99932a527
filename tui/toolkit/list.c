// SPDX-License-Identifier: GPL-2.0-or-later
#include "tui/toolkit/list.h"

#define WHEEL_ROWS 3

void rs_list_to(struct rs_list *l, size_t at)
{
	l->at = at;
	rs_list_fit(l, l->nr, l->height);
}

static size_t moved(size_t from, long by)
{
	if (by < 0)
		return from < (size_t)-by ? 0 : from - (size_t)-by;
	return from + (size_t)by;
}

static void move_by(struct rs_list *l, long by)
{
	rs_list_to(l, moved(l->at, by));
}

void rs_list_fit(struct rs_list *l, size_t nr, size_t height)
{
	l->nr = nr;
	l->height = height;
	if (l->at >= nr)
		l->at = nr ? nr - 1 : 0;
	if (l->at < l->top)
		l->top = l->at;
	if (height && l->at >= l->top + height)
		l->top = l->at - height + 1;
	if (l->top + height > nr)
		l->top = nr > height ? nr - height : 0;
}

void rs_list_scroll(struct rs_list *l, long by)
{
	size_t last = l->nr > l->height ? l->nr - l->height : 0;

	l->top = moved(l->top, by);
	if (l->top > last)
		l->top = last;
	if (l->at < l->top)
		l->at = l->top;
	if (l->height && l->at >= l->top + l->height)
		l->at = l->top + l->height - 1;
}

bool rs_list_key(struct rs_list *l, uint32_t key)
{
	long page = l->height > 1 ? (long)l->height - 1 : 1;

	switch (key) {
	case RS_KEY_UP:
		move_by(l, -1);
		return true;
	case RS_KEY_DOWN:
		move_by(l, 1);
		return true;
	case RS_KEY_PAGE_UP:
		move_by(l, -page);
		return true;
	case RS_KEY_PAGE_DOWN:
		move_by(l, page);
		return true;
	case RS_KEY_HOME:
		rs_list_to(l, 0);
		return true;
	case RS_KEY_END:
		rs_list_to(l, l->nr ? l->nr - 1 : 0);
		return true;
	case RS_KEY_WHEEL_UP:
		rs_list_scroll(l, -WHEEL_ROWS);
		return true;
	case RS_KEY_WHEEL_DOWN:
		rs_list_scroll(l, WHEEL_ROWS);
		return true;
	default:
		return false;
	}
}
