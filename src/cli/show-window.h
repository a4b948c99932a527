/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-window.h - a view of a time range that has passed and was not recorded: of what a daemon's window has of it
 */
#ifndef RS_CLI_SHOW_WINDOW_H
#define RS_CLI_SHOW_WINDOW_H

#include "cli/show.h"

/* --from, --to or --last is given. */
static inline bool rs_options_have_range(const struct rs_options *opt)
{
	return opt->from.kind || opt->to.kind || opt->last_ns;
}

enum rs_exit rs_show_window(const struct rs_view_ref *ref, const struct rs_options *opt, struct rs_error *err);

#endif
