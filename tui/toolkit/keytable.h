/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keytable.h - key tables: find the action of a key, and name keys in the footer and the help */
#ifndef RS_TUI_KEYTABLE_H
#define RS_TUI_KEYTABLE_H

#include "tui/toolkit/screen.h"

#define RS_CTRL(letter) ((letter) & 0x1fu)

/* Returns the row with the key, or NULL. keys NULL: no rows. */
const struct rs_key *rs_keytable_find(const struct rs_key *keys, uint32_t key);
/* "F2", "Enter", "^L", "s" */
void rs_keytable_name(uint32_t key, struct rs_buf *out);
/* Writes all keys of a row, with blanks between. */
void rs_keytable_names(const struct rs_key *row, struct rs_buf *out);
/* Returns true if the key is a character that a text field accepts. */
bool rs_keytable_is_text(uint32_t key);
/* Encodes a character as UTF-8; returns the number of bytes, at most 4. */
size_t rs_keytable_utf8(uint32_t key, char *to);

#endif
