/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - what a person should know beside the rows: on stderr, a line each
 */
#ifndef RS_CLI_WARNINGS_H
#define RS_CLI_WARNINGS_H

#include "base/buf.h"

/* "ringside: note: ..." for each line of the text, which may be hostile, or NULL; one that was said before is not said again. */
void rs_warnings_print(const char *warnings);

/* Writes it to stderr as it stands, and empties it. */
void rs_warnings_print_aside(struct rs_buf *aside);

#endif
