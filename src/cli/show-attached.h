/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-attached.h - views of what a daemon traces, as if we did: the same command lines, the same output, no root
 */
#ifndef RS_CLI_SHOW_ATTACHED_H
#define RS_CLI_SHOW_ATTACHED_H

#include "cli/show.h"

/*
 * rs_show_attached - false: there is no daemon that we may ask, it does not trace what these views need, or the
 * options ask for a capture of our own; nothing has been shown then. True: *status is how it went.
 */
bool rs_show_attached(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views, const struct rs_options *opt,
		      enum rs_exit *status, struct rs_error *err);

#endif
