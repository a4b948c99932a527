/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keytable.h - key tables: what a key means on a screen, and how keys are called in the footer and the help */
#ifndef RS_TUI_KEYTABLE_H
#define RS_TUI_KEYTABLE_H

#include "tui/toolkit/screen.h"

#define RS_CTRL(letter) ((letter) & 0x1fu)

/* The row that has the key; NULL: none. keys NULL: no rows. */
const struct rs_key *rs_keytable_find(const struct rs_key *keys, uint32_t key);
/* "F2", "Enter", "^L", "s" */
void rs_keytable_name(uint32_t key, struct rs_buf *out);
/* All the keys of a row, with blanks between. */
void rs_keytable_names(const struct rs_key *row, struct rs_buf *out);
/* A character that a line of text takes. */
bool rs_keytable_is_text(uint32_t key);
/* As UTF-8; returns how many bytes, at most 4. */
size_t rs_keytable_utf8(uint32_t key, char *to);

#endif
