/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - input from a terminal: a character, a key without a character, the mouse
 */
#ifndef RS_TUI_KEYS_H
#define RS_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rs_key_code { /* values above Unicode */
		   RS_KEY_UP = 0x200000,
		   RS_KEY_DOWN,
		   RS_KEY_LEFT,
		   RS_KEY_RIGHT,
		   RS_KEY_PAGE_UP,
		   RS_KEY_PAGE_DOWN,
		   RS_KEY_HOME,
		   RS_KEY_END,
		   RS_KEY_ENTER,
		   RS_KEY_BACKSPACE,
		   RS_KEY_ESCAPE,
		   RS_KEY_TAB,
		   RS_KEY_BACK_TAB,
		   RS_KEY_DELETE,
		   RS_KEY_INSERT,
		   RS_KEY_F1, /* .. RS_KEY_F1 + 11 */
		   RS_KEY_WHEEL_UP = RS_KEY_F1 + 12,
		   RS_KEY_WHEEL_DOWN,
		   RS_KEY_MOUSE,
		   RS_KEY_MOUSE_DOUBLE,
		   RS_KEY_RESIZE,
		   RS_KEY_MOUSE_DRAG,    /* moved, with the first button down */
		   RS_KEY_MOUSE_UP,      /* ... and released */
		   RS_KEY_ZOOM_IN,       /* the wheel with Ctrl */
		   RS_KEY_ZOOM_OUT,
};

struct rs_key_event {
	uint32_t key;            /* a character, or enum rs_key_code */
	int y, x;                /* of the mouse; y counts from the top of the screen's area */
};

/* ---- key tables: find the action of a key, and name keys in the footer and the help ---- */

struct rs_buf;

struct rs_key {
	uint32_t keys[4];        /* any of them; ends with 0 */
	int action;              /* the screen's own enum; for the app: enum rs_app_action */
	const char *label;       /* what the key means, one word or two: "Sort"; see key-tables.h */
	const char *help;        /* one line, no full stop */
	unsigned int flags;      /* RS_KEY_SELECTION ...; 0: in the footer */
};

#define RS_KEY_SELECTION 1u /* acts on what is selected: comes first in the footer */
#define RS_KEY_RARE 2u      /* not in the footer */
#define RS_KEY_CURSOR 4u    /* moves the cursor or the part that is seen: not in the footer, no command */

#define RS_CTRL(letter) ((letter) & 0x1fu)

/* Returns the row with the key, or NULL. keys NULL: no rows. */
const struct rs_key *rs_keys_find(const struct rs_key *keys, uint32_t key);
/* "F2", "Enter", "^L", "s" */
void rs_keys_name(uint32_t key, struct rs_buf *out);
/* Writes all keys of a row, with blanks between. */
void rs_keys_names(const struct rs_key *row, struct rs_buf *out);
bool rs_keys_is_mouse(uint32_t key);
/* Returns true if the key is a character that a text field accepts. */
bool rs_keys_is_text(uint32_t key);
/* Encodes a character as UTF-8; returns the number of bytes, at most 4. */
size_t rs_keys_utf8(uint32_t key, char *to);

#endif
