/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-live.h - views of what the kernel does now, to standard output
 */
#ifndef RS_CLI_SHOW_LIVE_H
#define RS_CLI_SHOW_LIVE_H

#include "cli/options.h"
#include "cli/show.h"

/* Where a daemon traces it already, follows that (attached.h). Captures until -d, the end of the command or a signal; tables at the end or every -I. */
enum rs_exit rs_show_live(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err);

#endif
