/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opener.h - shows a recording that a daemon kept, in a program of its own on the terminal of the screens
 *
 * The screens give up their rights when they begin, and the recordings are the daemon's: a process that was
 * begun before, with the rights of who called, starts that program. It ends with the screens.
 */
#ifndef RS_CLI_OPENER_H
#define RS_CLI_OPENER_H

#include "cli/options/options.h"

/* Begins it; unused_fd: a descriptor of the caller that it does not need. Returns its descriptor, or -1. */
int rs_opener_begin(const struct rs_options *opt, int unused_fd, struct rs_error *err);
/* Returns when the user has closed the recording; -1: it could not be shown. */
int rs_opener_show(int fd, const char *path, struct rs_error *err);

#endif
