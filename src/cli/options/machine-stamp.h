/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine-stamp.h - what a machine is told of its place among several: its name, its clock against the one
 * of who asks, and the moment at which all begin. One line of text, which "serve" there passes on to the
 * command in its environment.
 */
#ifndef RS_CLI_OPTIONS_MACHINE_STAMP_H
#define RS_CLI_OPTIONS_MACHINE_STAMP_H

#include "cli/options/options.h"

#define RS_MACHINE_STAMP_VARIABLE "RINGSIDE_MACHINE"

/* begin_ns: CLOCK_BOOTTIME of who asks. name: without blanks, see rs_host_check */
void rs_machine_stamp_put(char *line, size_t size_bytes, const char *name, const struct rs_host_clock *clock,
			  uint64_t begin_ns);
/* Takes it from the environment, if it is there, so that no child of ours sees it. */
void rs_machine_stamp_take(struct rs_options *opt);
/* The line of another machine. False: it is none; opt stays as it was. line outlives opt. */
bool rs_machine_stamp_read(const char *line, struct rs_options *opt);

#endif
