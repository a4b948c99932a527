/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.h - a view that is made on another machine: --host, and not the screens */
#ifndef RS_CLI_REMOTE_H
#define RS_CLI_REMOTE_H

#include "cli/options/options.h"

/*
 * The words of a command without those of --host and --remote, ended by NULL; the caller frees the list,
 * not the words. NULL: neither is among them, or there is no memory.
 */
char **rs_remote_words(int argc, char **argv);

/*
 * Runs the words there; what they print comes out here. words NULL: there was no memory for them. Returns the
 * exit status; -1 with err set.
 */
int rs_remote_run(const struct rs_options *opt, char **words, struct rs_error *err);

#endif
