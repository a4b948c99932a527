/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - turns the options into the config of a session: tasks, analyses, time range
 */
#ifndef RS_CLI_CONFIG_H
#define RS_CLI_CONFIG_H

#include "capture/capture.h"
#include "cli/options.h"
#include "engine/session.h"

/* -p -t -c -C --self --exact; strings point into opt. */
void rs_config_select(const struct rs_options *opt, struct rs_session_config *config);
/* --from and --to, now that it is known when the trace begins. */
int rs_config_times(const struct rs_options *opt, const struct rs_moment_clock *clock, struct rs_session_config *config,
		    struct rs_error *err);
/* Does rs_config_times look at clock->end_ns? */
bool rs_config_needs_end(const struct rs_options *opt);

/* Adds an analysis, unless it is there already. */
int rs_config_add(struct rs_session_config *config, const struct rs_analysis *analysis, struct rs_error *err);
/* Adds the analyses that -a names, by their own name or a view's; without -a, all that do not need a name. */
int rs_config_analyses(const struct rs_options *opt, struct rs_session_config *config, struct rs_error *err);

/* Fills the members of a capture's config that options set; the others are 0. It points into opt. */
struct rs_capture_config rs_config_capture(const struct rs_options *opt);

#endif
