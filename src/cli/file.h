/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - views of a recording, to standard output
 */
#ifndef RS_CLI_FILE_H
#define RS_CLI_FILE_H

#include "cli/options.h"
#include "cli/show.h"

/* Reads opt->input once and shows the views, with progress on a terminal. */
enum rs_exit rs_show_file(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err);

#endif
