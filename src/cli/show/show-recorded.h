/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-recorded.h - records with a program of its own, and measures that, as one side of a comparison
 *
 * A session gives up root for good, so who needs several records each by itself; and what is measured
 * afterwards does not disturb what is recorded.
 */
#ifndef RS_CLI_SHOW_SHOW_RECORDED_H
#define RS_CLI_SHOW_SHOW_RECORDED_H

#include "cli/show/show.h"
#include "compare/side.h"

/* command: argv, ends with NULL; NULL: opt->duration_ns, or until Ctrl-C. The rows go to opt->side. */
void rs_show_recorded(const struct rs_view_ref *views, size_t nr_views, const struct rs_options *opt,
		      char *const command[], struct rs_error *err);

#endif
