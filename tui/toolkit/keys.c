// SPDX-License-Identifier: GPL-2.0-or-later
/* keys.c - finds the row of a key in a table, and names keys */
#include "tui/toolkit/keys.h"

#include "base/buf.h"

static unsigned int nr_keys(const struct rs_key *row)
{
	unsigned int nr = 0;

	while (nr < sizeof row->keys / sizeof row->keys[0] && row->keys[nr])
		nr++;
	return nr;
}

const struct rs_key *rs_keys_find(const struct rs_key *keys, uint32_t key)
{
	for (const struct rs_key *row = keys; row && row->help; row++)
		for (unsigned int i = 0; i < nr_keys(row); i++)
			if (row->keys[i] == key)
				return row;
	return NULL;
}

size_t rs_keys_utf8(uint32_t key, char *to)
{
	static const unsigned char leads[] = { 0, 0xC0, 0xE0, 0xF0 };
	size_t nr = key < 0x80 ? 1 : key < 0x800 ? 2 : key < 0x10000 ? 3 : 4;

	for (size_t i = nr; --i; key >>= 6)
		to[i] = (char)(0x80 | (key & 0x3F));
	to[0] = (char)(leads[nr - 1] | key);
	return nr;
}

bool rs_keys_is_mouse(uint32_t key)
{
	return (key >= RS_KEY_WHEEL_UP && key <= RS_KEY_MOUSE_DOUBLE) ||
	       (key >= RS_KEY_MOUSE_DRAG && key <= RS_KEY_ZOOM_OUT);
}

bool rs_keys_is_text(uint32_t key)
{
	return key >= 0x20 && key < 0x110000 && !(key >= 0x7F && key < 0xA0) &&
	       !(key >= 0xD800 && key < 0xE000);
}

void rs_keys_name(uint32_t key, struct rs_buf *out)
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{ RS_KEY_UP, "Up" }, { RS_KEY_DOWN, "Down" }, { RS_KEY_LEFT, "Left" },
		{ RS_KEY_RIGHT, "Right" },
		{ RS_KEY_PAGE_UP, "PgUp" }, { RS_KEY_PAGE_DOWN, "PgDn" }, { RS_KEY_HOME, "Home" },
		{ RS_KEY_END, "End" },
		{ RS_KEY_ENTER, "Enter" }, { RS_KEY_BACKSPACE, "Bksp" }, { RS_KEY_ESCAPE, "Esc" },
		{ RS_KEY_TAB, "Tab" },
		{ RS_KEY_BACK_TAB, "S-Tab" }, { RS_KEY_DELETE, "Del" }, { RS_KEY_INSERT, "Ins" },
		{ RS_KEY_WHEEL_UP, "WheelUp" }, { RS_KEY_WHEEL_DOWN, "WheelDown" }, { RS_KEY_MOUSE, "Click" },
		{ RS_KEY_MOUSE_DOUBLE, "DoubleClick" }, { RS_KEY_MOUSE_DRAG, "Drag" },
		{ RS_KEY_ZOOM_IN, "^WheelUp" }, { RS_KEY_ZOOM_OUT, "^WheelDown" }, { ' ', "Space" },
	};
	char utf8[4];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].key == key) {
			rs_buf_puts(out, names[i].name);
			return;
		}
	if (key >= RS_KEY_F1 && key < RS_KEY_F1 + 12)
		rs_buf_printf(out, "F%u", key - RS_KEY_F1 + 1);
	else if (key < 0x20)
		rs_buf_printf(out, "^%c", (char)(key + '@'));
	else if (rs_keys_is_text(key))
		rs_buf_add(out, utf8, rs_keys_utf8(key, utf8));
}

void rs_keys_names(const struct rs_key *row, struct rs_buf *out)
{
	for (unsigned int i = 0; i < nr_keys(row); i++) {
		if (i)
			rs_buf_putc(out, ' ');
		rs_keys_name(row->keys[i], out);
	}
}
