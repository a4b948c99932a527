/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.h - help, made from the rows of commands, views, options and rules, and from the guide
 */
#ifndef RS_CLI_HELP_HELP_H
#define RS_CLI_HELP_HELP_H

#include "cli/command.h"

/* All commands, and all views by the question that they answer. */
void rs_help_overview(struct rs_buf *out);
void rs_help_command(const struct rs_command *command, struct rs_buf *out);
void rs_help_view(const struct rs_view_ref *ref, struct rs_buf *out);
/* "  left          right": on two lines where the left is too long for its column. */
void rs_help_line(struct rs_buf *out, const char *left, const char *right);

#endif
