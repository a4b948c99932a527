// SPDX-License-Identifier: GPL-2.0-or-later
/* list.c - a cursor in a list of rows that scrolls */
#include "tui/toolkit/list.h"

#include "tui/toolkit/keys.h"

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

uint32_t rs_list_arrow(uint32_t key)
{
	switch (key) {
	case 'j': return RS_KEY_DOWN;
	case 'k': return RS_KEY_UP;
	case 'g': return RS_KEY_HOME;
	case 'G': return RS_KEY_END;
	}
	return key;
}

bool rs_list_key(struct rs_list *l, uint32_t key)
{
	long page = l->height > 1 ? (long)l->height - 1 : 1;
	const struct { uint32_t key; long by; } keys[] = {
		{ RS_KEY_UP, -1 }, { RS_KEY_DOWN, 1 }, { RS_KEY_PAGE_UP, -page }, { RS_KEY_PAGE_DOWN, page },
		{ RS_KEY_HOME, -(long)l->nr }, { RS_KEY_END, (long)l->nr },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].key == key) {
			rs_list_to(l, moved(l->at, keys[i].by));
			return true;
		}
	if (key != RS_KEY_WHEEL_UP && key != RS_KEY_WHEEL_DOWN)
		return false;
	rs_list_scroll(l, key == RS_KEY_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	return true;
}
