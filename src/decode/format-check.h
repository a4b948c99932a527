/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format-check.h - is an event's format one that a kernel writes?
 *
 * libtraceevent trusts what it parses: one damaged byte of a field makes it follow null pointers. What is not
 * written as every kernel writes it never reaches it, and costs that event alone.
 */
#ifndef RS_DECODE_FORMAT_CHECK_H
#define RS_DECODE_FORMAT_CHECK_H

#include <stdbool.h>

/* Everything before the print fmt, terminated. */
bool rs_format_check(const char *text);

#endif
