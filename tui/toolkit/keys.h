/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - input from a terminal: a character, a key without a character, the mouse
 */
#ifndef RS_TUI_KEYS_H
#define RS_TUI_KEYS_H

#include <stdint.h>

enum rs_key_code { /* values above Unicode */
	RS_KEY_UP = 0x200000, RS_KEY_DOWN, RS_KEY_LEFT, RS_KEY_RIGHT,
	RS_KEY_PAGE_UP, RS_KEY_PAGE_DOWN, RS_KEY_HOME, RS_KEY_END,
	RS_KEY_ENTER, RS_KEY_BACKSPACE, RS_KEY_ESCAPE, RS_KEY_TAB, RS_KEY_BACK_TAB, RS_KEY_DELETE, RS_KEY_INSERT,
	RS_KEY_F1, /* .. RS_KEY_F1 + 11 */
	RS_KEY_WHEEL_UP = RS_KEY_F1 + 12, RS_KEY_WHEEL_DOWN, RS_KEY_MOUSE, RS_KEY_MOUSE_DOUBLE, RS_KEY_RESIZE,
};

struct rs_key_event {
	uint32_t key;            /* a character, or enum rs_key_code */
	int y, x;                /* of the mouse; y counts from the top of the screen's area */
};

#endif
