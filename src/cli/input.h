/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - the recording that a command reads, unpacked where it is packed
 */
#ifndef RS_CLI_INPUT_H
#define RS_CLI_INPUT_H

#include "cli/options.h"

/*
 * Unpacks opt->input if gzip, xz or zstd have packed it, once for all readings: opt->input_fd is then what is read, until
 * rs_input_close. Shows progress on a terminal. -1: err is set.
 */
int rs_input_open(struct rs_options *opt, struct rs_error *err);
void rs_input_close(struct rs_options *opt);

#endif
