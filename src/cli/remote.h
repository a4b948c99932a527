/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.h - a view that is made on other machines: --host, and not the screens */
#ifndef RS_CLI_REMOTE_H
#define RS_CLI_REMOTE_H

#include "cli/options/options.h"

/*
 * Copies the words of a command, without those of --host and --remote, ended by NULL: before they are parsed,
 * which cuts lists in place. The caller frees the list. NULL: neither is among them, or there is no memory.
 */
char **rs_remote_words(int argc, char **argv);

/*
 * Runs opt->words on each of opt->hosts; what they print comes out here, as host-output.h puts it together.
 * is_stream: text is lines as they come, not tables. Returns the exit status; -1 with err set. A host that
 * fails is said at once, and keeps no other from answering.
 */
int rs_remote_run(const struct rs_options *opt, bool is_stream, struct rs_error *err);

#endif
