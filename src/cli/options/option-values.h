/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option-values.h - the value of an option: read, checked, and put where its row says */
#ifndef RS_CLI_OPTIONS_OPTION_VALUES_H
#define RS_CLI_OPTIONS_OPTION_VALUES_H

#include "cli/options/options.h"

/* The parser's state: the command, for messages, and the current row as the user typed it. */
struct rs_options_parser {
	struct rs_options *opt;
	const char *command, *takes;
	struct rs_error *err;
	const struct rs_option *row;
	char typed[40]; /* "-p", "--pid" */
};

/*
 * value: NULL where the option takes none, or may go without. at: what the row's offset is in. -1: err is
 * set.
 */
int rs_option_values_set(struct rs_options_parser *p, void *at, const char *value);
/* "-p 'x': WHY"; returns -1. */
int rs_option_values_refuse(struct rs_options_parser *p, const char *value, const char *why);

#endif
