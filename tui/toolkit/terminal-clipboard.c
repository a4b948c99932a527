// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-clipboard.c - puts text on the clipboard of the user's terminal: the escape sequence OSC 52, which
 * works over ssh and within tmux where these allow it
 */
#include <string.h>

#include "tui/toolkit/terminal-parts.h"

#define TERMINAL_CLIPBOARD_BYTES 74994u /* xterm takes no more */

static void terminal_put_base64(const unsigned char *text, size_t len, struct rs_buf *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits = (uint32_t)text[i] << 16 | (i + 1 < len ? (uint32_t)text[i + 1] << 8 : 0) |
				(i + 2 < len ? text[i + 2] : 0);
		char four[5] = { digits[bits >> 18], digits[bits >> 12 & 63],
				 i + 1 < len ? digits[bits >> 6 & 63] : '=',
				 i + 2 < len ? digits[bits & 63] : '=' };

		rs_buf_puts(out, four);
	}
}

void rs_terminal_copy(struct rs_terminal *t, const char *text)
{
	struct rs_buf out = RS_BUF_INIT;
	size_t len = strlen(text);

	rs_buf_puts(&out, "\033]52;c;");
	terminal_put_base64((const unsigned char *)text,
			     len < TERMINAL_CLIPBOARD_BYTES ? len : TERMINAL_CLIPBOARD_BYTES, &out);
	rs_buf_puts(&out, "\a");
	if (!out.failed) {
		fwrite(out.data, 1, out.len, t->out);
		fflush(t->out);
	}
	rs_buf_done(&out);
}
