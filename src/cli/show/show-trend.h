/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-trend.h - measures of rows over many baselines, and where they changed: text, JSON or CSV */
#ifndef RS_CLI_SHOW_SHOW_TREND_H
#define RS_CLI_SHOW_SHOW_TREND_H

#include "cli/options/options.h"
#include "cli/show/show-sides.h"
#include "compare/baseline.h"

/* names: shell patterns, ends with NULL; none: of all baselines. sides: whose rows. */
void rs_show_trend(struct rs_baselines *store, char *const *names, const struct rs_show_sides *sides,
		   const struct rs_options *opt, struct rs_error *err);

#endif
