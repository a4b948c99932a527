/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slice.h - what --slice asks about */
#ifndef RS_CLI_OPTIONS_SLICE_H
#define RS_CLI_OPTIONS_SLICE_H

#include "cli/options/options.h"

/* Sets what is asked about by --slice, which was given. Returns -1: it is wrong, or there is no recording. */
int rs_slice_ask(struct rs_options *opt, struct rs_error *err);

#endif
