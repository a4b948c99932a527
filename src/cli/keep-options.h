/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keep-options.h - the options of what a daemon does when a condition fires: --keep..., --run */
#ifndef RS_CLI_KEEP_OPTIONS_H
#define RS_CLI_KEEP_OPTIONS_H

#include "cli/options/options.h"
#include "daemon/responder.h"

#define RS_KEEP_FORMATS_TEXT 128

/* formats: scratch, which must live as long as config; so must opt. */
int rs_keep_options_read(const struct rs_options *opt, struct rs_responder_config *config,
		   char formats[RS_KEEP_FORMATS_TEXT], struct rs_error *err);

#endif
