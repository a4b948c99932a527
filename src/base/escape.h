/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.h - makes traced bytes safe to show
 *
 * Any user of the machine chooses names: they may contain escape sequences, newlines, quotes and broken
 * UTF-8, by accident or to deceive.
 */
#ifndef RS_BASE_ESCAPE_H
#define RS_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * rs_escape_utf8_next - decodes one character of s, len bytes long; returns how many
 * bytes it has, 0 at the end, and sets *code to 0xFFFD for a byte that is no
 * valid UTF-8 (overlong forms, surrogates and > U+10FFFF included), which is
 * then one byte long.
 */
size_t rs_escape_utf8_next(const char *s, size_t len, uint32_t *code);

/* For a terminal: C0, DEL, C1 and bidi controls as \xNN or \u{NNNN}; invalid bytes as U+FFFD. */
void rs_escape_text(struct rs_buf *out, const char *s);
/* The same cut or padded to width columns as a terminal counts them; negative: right-aligned. */
void rs_escape_padded(struct rs_buf *out, const char *s, int width);
/* Between the quotes of a JSON string. */
void rs_escape_json(struct rs_buf *out, const char *s);
/*
 * Copies a text that needs no escape, as nearly all. False: it needs one, and the copied bytes must be
 * ignored.
 */
bool rs_escape_copy_json(char *to, const char *s, size_t len);
/* In an element or a quoted attribute of XML, as UTF-8; control characters as in text. */
void rs_escape_xml(struct rs_buf *out, const char *s);
/* A CSV cell by RFC 4180, quoted only where needed; control characters as in text. */
void rs_escape_csv(struct rs_buf *out, const char *s);
/*
 * One word of a shell's command, quoted only where needed; control characters as they are: escape the whole
 * command.
 */
void rs_escape_word(struct rs_buf *out, const char *s);

/* One character as it is shown: its bytes, an escape's too, and the columns they take; 0: it combines. */
struct rs_shown {
	char bytes[12];
	size_t len, width;
};

/*
 * s, len bytes long, is not empty; returns how many bytes of it were taken. utf8 as rs_escape_locale_is_utf8
 * says.
 */
size_t rs_escape_next(const char *s, size_t len, bool utf8, struct rs_shown *shown);
bool rs_escape_locale_is_utf8(void);

/* How many columns the text takes on a terminal after rs_escape_text. */
size_t rs_escape_width(const char *s);

#endif
