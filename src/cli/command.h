/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - a command is one file and one row
 *
 * Each cmd-NAME.c ends in `const struct rs_command rs_command_NAME`; the table
 * in main.c is made from the files that are there. Dispatch, help, completion
 * and the man page read the same rows. Views are commands too, served by one
 * file (cmd-view.c).
 */
#ifndef RS_CLI_COMMAND_H
#define RS_CLI_COMMAND_H

#include "base/error.h"
#include "cli/options.h"

struct rs_command {
	const char *name, *arguments, *summary; /* "report", "FILE", "..." */
	const char *options;    /* names of the rows in options.c it takes: "input,view,json" */
	const char *help;       /* the paragraphs of --help; NULL none */
	enum rs_exit (*run)(const struct rs_options *opt, struct rs_error *err);
};

#endif
