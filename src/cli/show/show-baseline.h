/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-baseline.h - what a baseline has: where it is from, and the rows of its views */
#ifndef RS_CLI_SHOW_SHOW_BASELINE_H
#define RS_CLI_SHOW_SHOW_BASELINE_H

#include "cli/options/options.h"
#include "compare/baseline.h"

/* By opt: --view of its views, -n of each, --where, --json, --csv. */
void rs_show_baseline(struct rs_baselines *store, const char *name, const struct rs_options *opt,
		      struct rs_error *err);
/* Its details as a JSON object, and a line's end. */
void rs_show_baseline_put_json(struct rs_buf *out, const struct rs_baseline_details *details);
/* "2026-11-27 18:03", in local time; "-" where it has none. */
void rs_show_baseline_time(int64_t saved_s, char to[32]);

#endif
